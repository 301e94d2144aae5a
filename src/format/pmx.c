/* Input: a PMX 2.0 or 2.1 file. Output: a target.
 * What is no bone, no name of a morph and moves no bone is skipped by arithmetic. Counts are checked against the
 * bytes that are left before anything is made of them. */
#include "format/pmx.h"

#include <string.h>

#include "base/cursor.h"
#include "base/text.h"

/* Sizes of indices, in the order of the header. */
enum { VERTEX, TEXTURE, MATERIAL, BONE, MORPH, BODY, INDICES };

typedef struct reader {
    od_cursor at;
    bool utf8;
    size_t uvs; /* additional vectors of four a vertex */
    size_t size[INDICES];
    od_arena *arena;
    od_error *error;
} reader;

bool od_pmx_probe(const unsigned char *data, size_t size)
{
    return size >= 4 && !memcmp(data, "PMX ", 4);
}

/* Signed index of `size` bytes, -1 for none. */
static int read_index(reader *r, int kind)
{
    switch (r->size[kind]) {
    case 1: {
        int value = od_cursor_u8(&r->at);
        return value < 0x80 ? value : value - 0x100;
    }
    case 2: {
        int value = od_cursor_u16(&r->at);
        return value < 0x8000 ? value : value - 0x10000;
    }
    default: return od_cursor_i32(&r->at);
    }
}

/* The number of records that follow, each of at least `least` bytes; -1 with a failure when they
 * cannot be there. */
static int read_count(reader *r, size_t least, const char *what)
{
    size_t at = r->at.at;
    int count = od_cursor_i32(&r->at);
    if (!r->at.failed && count >= 0 && (size_t)count <= od_cursor_left(&r->at) / least) return count;
    if (r->at.failed) od_fail(r->error, "%s@0x%zx: the file ends before the number of %s", r->at.file, at, what);
    else
        od_fail(r->error, "%s@0x%zx: %d %s cannot be in the %zu bytes that are left", r->at.file, at, count, what,
                od_cursor_left(&r->at));
    return -1;
}

static const unsigned char *read_raw_text(reader *r, size_t *size)
{
    int length = od_cursor_i32(&r->at);
    *size = length > 0 ? (size_t)length : 0;
    if (length < 0) {
        od_fail(r->error, "%s@0x%zx: a text of %d bytes", r->at.file, r->at.at - 4, length);
        r->at.failed = true;
        r->at.failed_at = r->at.at;
    }
    return od_cursor_bytes(&r->at, *size);
}

static void skip_text(reader *r)
{
    size_t size;
    (void)read_raw_text(r, &size);
}

static const char *read_text(reader *r)
{
    size_t size;
    const unsigned char *bytes = read_raw_text(r, &size);
    if (!bytes) return "";
    return r->utf8 ? od_text_from_utf8(r->arena, bytes, size, r->error)
                   : od_text_from_utf16(r->arena, bytes, size, r->error);
}

static vec3s read_vec3(reader *r)
{
    vec3s v;
    v.x = od_cursor_f32(&r->at);
    v.y = od_cursor_f32(&r->at);
    v.z = od_cursor_f32(&r->at);
    return v;
}

static bool read_header(reader *r, od_target *target)
{
    od_cursor_skip(&r->at, 4);
    float version = od_cursor_f32(&r->at);
    size_t count = od_cursor_u8(&r->at);
    const unsigned char *globals = od_cursor_bytes(&r->at, count); /* writers may add to the eight */
    if (!globals) return od_cursor_fail(&r->at, r->error, "the file ends in its header");
    if (!(version >= 2.0F && version < 2.2F))
        return od_fail(r->error, "%s@0x4: expected PMX version 2.0 or 2.1, found %g", r->at.file, (double)version);
    if (count < 8) return od_fail(r->error, "%s@0x8: expected 8 settings, found %zu", r->at.file, count);
    if (globals[0] > 1) return od_fail(r->error, "%s@0x9: unknown text encoding %d", r->at.file, globals[0]);
    if (globals[1] > 4)
        return od_fail(r->error, "%s@0xa: expected 0 to 4 additional UVs, found %d", r->at.file, globals[1]);
    r->utf8 = globals[0] == 1;
    r->uvs = globals[1];
    for (int i = 0; i < INDICES; i++) {
        r->size[i] = globals[2 + i];
        if (r->size[i] != 1 && r->size[i] != 2 && r->size[i] != 4)
            return od_fail(r->error, "%s@0x%x: an index of %zu bytes", r->at.file, 11 + i, r->size[i]);
    }
    target->name = read_text(r);
    target->name_en = read_text(r);
    skip_text(r);
    skip_text(r);
    if (!target->name || !target->name_en) return false;
    return !r->at.failed || od_cursor_fail(&r->at, r->error, "the file ends in the model's name or comment");
}

/* Bytes of a vertex behind its kind of weight; 0 for an unknown kind. */
static size_t weight_size(const reader *r, int kind)
{
    size_t bone = r->size[BONE];
    switch (kind) {
    case 0: return bone;         /* BDEF1 */
    case 1: return 2 * bone + 4; /* BDEF2 */
    case 2:
    case 4: return 4 * bone + 4 * 4;     /* BDEF4, QDEF */
    case 3: return 2 * bone + 4 + 9 * 4; /* SDEF */
    default: return 0;
    }
}

static bool skip_vertices(reader *r)
{
    size_t before = 8 * 4 + 16 * r->uvs;
    int count = read_count(r, before + 1 + r->size[BONE] + 4, "vertices");
    for (int i = 0; i < count; i++) {
        od_cursor_skip(&r->at, before);
        size_t at = r->at.at;
        int kind = od_cursor_u8(&r->at);
        size_t size = weight_size(r, kind);
        if (!size && !r->at.failed)
            return od_fail(r->error, "%s@0x%zx: vertex %d has unknown weights %d", r->at.file, at, i, kind);
        od_cursor_skip(&r->at, size + 4);
        if (r->at.failed) return od_cursor_fail(&r->at, r->error, "the file ends among its vertices");
    }
    return count >= 0;
}

static bool skip_material(reader *r)
{
    skip_text(r);
    skip_text(r);
    od_cursor_skip(&r->at, 11 * 4 + 1 + 5 * 4 + 2 * r->size[TEXTURE] + 1);
    bool shared = od_cursor_u8(&r->at) != 0;
    od_cursor_skip(&r->at, shared ? 1 : r->size[TEXTURE]);
    skip_text(r);
    od_cursor_skip(&r->at, 4);
    return !r->at.failed || od_cursor_fail(&r->at, r->error, "the file ends among its materials");
}

static bool skip_to_bones(reader *r)
{
    if (!skip_vertices(r)) return false;
    int count = read_count(r, r->size[VERTEX], "corners of faces");
    if (count < 0) return false;
    od_cursor_skip(&r->at, (size_t)count * r->size[VERTEX]);
    count = read_count(r, 4, "textures");
    if (count < 0) return false;
    for (int i = 0; i < count; i++) skip_text(r);
    if (r->at.failed) return od_cursor_fail(&r->at, r->error, "the file ends among its textures");
    count = read_count(r, 3 * 4 + 11 * 4, "materials");
    for (int i = 0; i < count; i++)
        if (!skip_material(r)) return false;
    return count >= 0;
}

static bool read_ik(reader *r, int bone, od_ik_chain *chain)
{
    chain->bone = bone;
    chain->effector = read_index(r, BONE);
    chain->loops = od_cursor_i32(&r->at);
    chain->limit = od_cursor_f32(&r->at);
    int count = read_count(r, r->size[BONE] + 1, "IK links");
    if (count < 0) return false;
    chain->links = OD_NEW(r->arena, od_ik_link, (size_t)count, r->error);
    if (!chain->links) return false;
    for (int i = 0; i < count; i++) {
        od_ik_link *link = &chain->links[i];
        link->bone = read_index(r, BONE);
        link->limited = od_cursor_u8(&r->at) != 0;
        if (!link->limited) continue;
        link->min = read_vec3(r);
        link->max = read_vec3(r);
        if (!od_vec3_finite(link->min) || !od_vec3_finite(link->max))
            return od_cursor_fail(&r->at, r->error, "an IK limit is not a number");
    }
    chain->link_count = count;
    return isfinite(chain->limit) || od_cursor_fail(&r->at, r->error, "an IK limit is not a number");
}

/* One bone, its position as the file has it. A tail that is a bone is resolved later: `*tail_bone`. */
static bool read_bone(reader *r, od_target *target, int index, int *tail_bone)
{
    od_bone *bone = &target->skeleton.bones[index];
    od_target_bone *b = &target->bones[index];
    bone->name = read_text(r);
    b->name_en = read_text(r);
    if (!bone->name || !b->name_en) return false;
    bone->rest = od_xform_identity();
    bone->rest.t = read_vec3(r);
    bone->parent = read_index(r, BONE);
    b->deform_order = od_cursor_i32(&r->at);
    b->flags = od_cursor_u16(&r->at);
    *tail_bone = -1;
    if (b->flags & OD_BONE_TAIL_IS_BONE) *tail_bone = read_index(r, BONE);
    else b->tail = read_vec3(r);
    b->append_source = -1;
    if (b->flags & (OD_BONE_APPEND_ROTATION | OD_BONE_APPEND_TRANSLATION)) {
        b->append_source = read_index(r, BONE);
        b->append_ratio = od_cursor_f32(&r->at);
    }
    if (b->flags & OD_BONE_FIXED_AXIS) b->fixed_axis = read_vec3(r);
    if (b->flags & OD_BONE_LOCAL_AXES) {
        b->local_x = read_vec3(r);
        b->local_z = read_vec3(r);
    }
    if (b->flags & OD_BONE_EXTERNAL_PARENT) b->external_key = od_cursor_i32(&r->at);
    if (b->flags & OD_BONE_IK && !read_ik(r, index, &target->ik[target->ik_count++])) return false;
    if (r->at.failed) return od_cursor_fail(&r->at, r->error, "the file ends among its bones");
    bool finite = od_vec3_finite(bone->rest.t) && od_vec3_finite(b->tail) && od_vec3_finite(b->fixed_axis) &&
                  od_vec3_finite(b->local_x) && od_vec3_finite(b->local_z) && isfinite(b->append_ratio);
    return finite ||
           od_fail(r->error, "%s: bone %d \"%s\" has a value that is not a number", r->at.file, index, bone->name);
}

static bool read_bones(reader *r, od_target *target)
{
    int count = read_count(r, 2 * 4 + 12 + 2 * r->size[BONE] + 6, "bones");
    if (count < 0) return false;
    size_t size = (size_t)count;
    target->skeleton.count = count;
    target->skeleton.bones = OD_NEW(r->arena, od_bone, size, r->error);
    target->bones = OD_NEW(r->arena, od_target_bone, size, r->error);
    target->ik = OD_NEW(r->arena, od_ik_chain, size, r->error);
    int *tails = OD_NEW(r->arena, int, size, r->error);
    if (!target->skeleton.bones || !target->bones || !target->ik || !tails) return false;
    for (int i = 0; i < count; i++)
        if (!read_bone(r, target, i, &tails[i])) return false;
    od_target_relative(target, tails);
    return true;
}

/* Kinds of morphs that move bones. */
enum { GROUP_MORPH = 0, BONE_MORPH = 2 };

/* Bytes of one element of a morph of a kind; 0 for an unknown kind. */
static size_t morph_size(const reader *r, int kind)
{
    switch (kind) {
    case GROUP_MORPH:
    case 9: return r->size[MORPH] + 4;      /* flip */
    case 1: return r->size[VERTEX] + 3 * 4; /* vertex */
    case BONE_MORPH: return r->size[BONE] + 7 * 4;
    case 3:
    case 4:
    case 5:
    case 6:
    case 7: return r->size[VERTEX] + 4 * 4;        /* UV */
    case 8: return r->size[MATERIAL] + 1 + 28 * 4; /* material */
    case 10: return r->size[BODY] + 1 + 6 * 4;     /* impulse */
    default: return 0;
    }
}

static bool read_move(reader *r, od_morph_move *move)
{
    move->bone = read_index(r, BONE);
    move->position = read_vec3(r);
    for (int i = 0; i < 4; i++) move->rotation.raw[i] = od_cursor_f32(&r->at);
    if (!od_vec3_finite(move->position) || !od_quat_finite(move->rotation))
        return od_cursor_fail(&r->at, r->error, "a bone morph has a value that is not a number");
    move->rotation = od_quat_normalize(move->rotation);
    return true;
}

static bool read_member(reader *r, od_morph_member *member)
{
    member->morph = read_index(r, MORPH);
    member->ratio = od_cursor_f32(&r->at);
    return isfinite(member->ratio) ||
           od_cursor_fail(&r->at, r->error, "a group morph has a value that is not a number");
}

static bool keep_elements(reader *r, od_target *target, int morph, int kind, int elements)
{
    for (int i = 0; i < elements; i++)
        if (kind == BONE_MORPH) {
            od_morph_move *move = &target->moves[target->move_count++];
            move->morph = morph;
            if (!read_move(r, move)) return false;
        } else {
            od_morph_member *member = &target->members[target->member_count++];
            member->group = morph;
            if (!read_member(r, member)) return false;
        }
    return true;
}

/* One morph. What moves bones is kept where the target has room for it, else it is only counted. */
static bool read_morph(reader *r, od_target *target, int index)
{
    if (!target->morphs) skip_text(r);
    else if (!(target->morphs[target->morph_count++] = read_text(r))) return false;
    skip_text(r);
    od_cursor_skip(&r->at, 1);
    int kind = od_cursor_u8(&r->at);
    size_t size = morph_size(r, kind);
    if (!size && !r->at.failed)
        return od_fail(r->error, "%s@0x%zx: morph %d is of unknown kind %d", r->at.file, r->at.at - 1, index, kind);
    int elements = read_count(r, size ? size : 1, "elements of a morph");
    if (elements < 0) return false;
    bool moves_bones = kind == BONE_MORPH || kind == GROUP_MORPH;
    if (moves_bones && target->morphs) return keep_elements(r, target, index, kind, elements);
    od_cursor_skip(&r->at, (size_t)elements * size);
    if (kind == BONE_MORPH) target->move_count += elements;
    if (kind == GROUP_MORPH) target->member_count += elements;
    return true;
}

static bool read_morphs(reader *r, od_target *target)
{
    int count = read_count(r, 2 * 4 + 2 + 4, "morphs");
    if (count < 0) return false;
    reader counting = *r;
    for (int i = 0; i < count; i++)
        if (!read_morph(&counting, target, i)) return false;
    target->morphs = OD_NEW(r->arena, const char *, (size_t)count, r->error);
    target->moves = OD_NEW(r->arena, od_morph_move, (size_t)target->move_count, r->error);
    target->members = OD_NEW(r->arena, od_morph_member, (size_t)target->member_count, r->error);
    if (!target->morphs || !target->moves || !target->members) return false;
    target->move_count = target->member_count = 0;
    for (int i = 0; i < count; i++)
        if (!read_morph(r, target, i)) return false;
    return true;
}

bool od_pmx_read(const od_file *file, od_target *target, od_report *report, od_arena *arena, od_error *error)
{
    reader r = {.at = od_cursor_make(file->name, file->data, file->size), .arena = arena, .error = error};
    *target = (od_target){0};
    if (!od_pmx_probe(file->data, file->size)) return od_fail(error, "%s: expected a PMX file", file->name);
    if (!read_header(&r, target) || !skip_to_bones(&r) || !read_bones(&r, target)) return false;
    if (od_cursor_left(&r.at) < 4) od_warn(report, "%s: the file ends behind its bones", file->name);
    else if (!read_morphs(&r, target)) return false;
    od_error why = {0};
    return od_target_finish(target, report, arena, &why) || od_fail(error, "%s: %s", file->name, why.message);
}
