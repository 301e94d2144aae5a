/* Input: a PMD file. Output: a target, types of bones translated into the flags of PMX. */
#include "format/pmd.h"

#include <string.h>

#include "base/cursor.h"
#include "base/text.h"

enum { NAME = 20, COMMENT = 256, VERTEX = 38, MATERIAL = 70, BONE = 39, FRAME_NAME = 50 };

/* Types of bones. */
enum { ROTATE, MOVE, IK, UNKNOWN, IK_LINK, FOLLOW, EFFECTOR, HIDDEN, TWIST, RATIO };

static const unsigned TYPE_FLAGS[] = {
    [ROTATE] = OD_BONE_ROTATABLE | OD_BONE_VISIBLE | OD_BONE_OPERABLE,
    [MOVE] = OD_BONE_ROTATABLE | OD_BONE_MOVABLE | OD_BONE_VISIBLE | OD_BONE_OPERABLE,
    [IK] = OD_BONE_ROTATABLE | OD_BONE_MOVABLE | OD_BONE_VISIBLE | OD_BONE_OPERABLE,
    [UNKNOWN] = OD_BONE_ROTATABLE | OD_BONE_VISIBLE | OD_BONE_OPERABLE,
    [IK_LINK] = OD_BONE_ROTATABLE | OD_BONE_VISIBLE | OD_BONE_OPERABLE,
    [FOLLOW] = OD_BONE_ROTATABLE | OD_BONE_VISIBLE | OD_BONE_OPERABLE | OD_BONE_APPEND_ROTATION,
    [EFFECTOR] = OD_BONE_ROTATABLE,
    [HIDDEN] = OD_BONE_ROTATABLE,
    [TWIST] = OD_BONE_ROTATABLE | OD_BONE_VISIBLE | OD_BONE_OPERABLE | OD_BONE_FIXED_AXIS,
    [RATIO] = OD_BONE_ROTATABLE | OD_BONE_APPEND_ROTATION,
};

typedef struct reader {
    od_cursor at;
    od_arena *arena;
    od_error *error;
} reader;

bool od_pmd_probe(const unsigned char *data, size_t size)
{
    return size >= 7 && !memcmp(data, "Pmd", 3);
}

static const char *read_name(reader *r)
{
    const unsigned char *bytes = od_cursor_bytes(&r->at, NAME);
    return bytes ? od_text_from_cp932(r->arena, bytes, NAME, r->error) : "";
}

/* 0xFFFF is none. */
static int read_index(reader *r)
{
    int index = od_cursor_u16(&r->at);
    return index == 0xFFFF ? -1 : index;
}

/* Skips `count` records; the count is the file's. */
static bool skip_records(reader *r, size_t size, const char *what)
{
    size_t count = od_cursor_u32(&r->at);
    if (count > od_cursor_left(&r->at) / size)
        return od_fail(r->error, "%s@0x%zx: %zu %s cannot be in the %zu bytes that are left", r->at.file, r->at.at,
                       count, what, od_cursor_left(&r->at));
    od_cursor_skip(&r->at, count * size);
    return true;
}

/* What a bone's type means; `tail` and `other` are indices whose sense depends on it. */
static void translate(od_target_bone *b, int type, int *tail, int other)
{
    b->flags = TYPE_FLAGS[type];
    b->append_source = -1;
    if (type == FOLLOW && other > 0) {
        b->append_source = other;
        b->append_ratio = 1;
    } else if (type == RATIO) {
        b->append_source = *tail;
        b->append_ratio = 0.01F * (float)other;
        *tail = -1;
    } else if (type == FOLLOW) {
        b->flags &= ~(unsigned)OD_BONE_APPEND_ROTATION;
    }
    b->deform_order = type == IK ? 1 : type == FOLLOW ? 2 : 0;
    if (*tail == 0) *tail = -1;
}

static bool read_bone(reader *r, od_target *target, int index, int *tail)
{
    od_bone *bone = &target->skeleton.bones[index];
    od_target_bone *b = &target->bones[index];
    bone->name = read_name(r);
    if (!bone->name) return false;
    b->name_en = "";
    bone->parent = read_index(r);
    *tail = read_index(r);
    int type = od_cursor_u8(&r->at), other = od_cursor_u16(&r->at);
    bone->rest = od_xform_identity();
    bone->rest.t.x = od_cursor_f32(&r->at);
    bone->rest.t.y = od_cursor_f32(&r->at);
    bone->rest.t.z = od_cursor_f32(&r->at);
    if (r->at.failed) return od_cursor_fail(&r->at, r->error, "the file ends among its bones");
    if (type > RATIO)
        return od_fail(r->error, "%s: bone %d \"%s\" is of unknown type %d", r->at.file, index, bone->name, type);
    if (!od_vec3_finite(bone->rest.t))
        return od_fail(r->error, "%s: bone %d \"%s\" has a position that is not a number", r->at.file, index,
                       bone->name);
    translate(b, type, tail, other);
    return true;
}

/* -1 for what is no bone, too: it is refused when the target is completed, as are cycles. */
static int parent_of(const od_target *target, int bone)
{
    int parent = target->skeleton.bones[bone].parent;
    return parent < target->skeleton.count ? parent : -1;
}

/* Children are not evaluated before their parents: the order of a bone is at least that of all above it.
 * Each bone is settled behind its chain of parents that are not settled yet. */
static bool settle_orders(od_target *target, od_arena *arena, od_error *error)
{
    size_t count = (size_t)target->skeleton.count;
    int *chain = OD_NEW(arena, int, count, error);
    bool *met = OD_NEW(arena, bool, count, error);
    if (!chain || !met) return false;
    for (int i = 0; i < target->skeleton.count; i++) {
        int length = 0;
        for (int b = i; b >= 0 && !met[b]; b = parent_of(target, b)) {
            met[b] = true;
            chain[length++] = b;
        }
        while (length) {
            int bone = chain[--length], parent = parent_of(target, bone);
            if (parent >= 0 && target->bones[bone].deform_order < target->bones[parent].deform_order)
                target->bones[bone].deform_order = target->bones[parent].deform_order;
        }
    }
    return true;
}

/* Fixed axes of twist bones run along the bone. */
static void turn_along_tails(od_target *target)
{
    for (int i = 0; i < target->skeleton.count; i++) {
        od_target_bone *b = &target->bones[i];
        if (b->flags & OD_BONE_FIXED_AXIS) b->fixed_axis = b->tail;
    }
}

static bool read_bones(reader *r, od_target *target)
{
    int count = od_cursor_u16(&r->at);
    if (r->at.failed) return od_cursor_fail(&r->at, r->error, "the file ends before its bones");
    if ((size_t)count > od_cursor_left(&r->at) / BONE)
        return od_fail(r->error, "%s@0x%zx: %d bones cannot be in the %zu bytes that are left", r->at.file, r->at.at,
                       count, od_cursor_left(&r->at));
    target->skeleton.count = count;
    target->skeleton.bones = OD_NEW(r->arena, od_bone, (size_t)count, r->error);
    target->bones = OD_NEW(r->arena, od_target_bone, (size_t)count, r->error);
    int *tails = OD_NEW(r->arena, int, (size_t)count, r->error);
    if (!target->skeleton.bones || !target->bones || !tails) return false;
    for (int i = 0; i < count; i++)
        if (!read_bone(r, target, i, &tails[i])) return false;
    od_target_relative(target, tails);
    turn_along_tails(target);
    return settle_orders(target, r->arena, r->error);
}

static bool ends_with_knee(const char *name)
{
    static const char knee[] = "ひざ";
    size_t size = strlen(name), n = sizeof knee - 1;
    return size >= n && !strcmp(name + size - n, knee);
}

static bool read_chain(reader *r, od_target *target)
{
    od_ik_chain *chain = &target->ik[target->ik_count++];
    chain->bone = od_cursor_u16(&r->at);
    chain->effector = od_cursor_u16(&r->at);
    chain->link_count = od_cursor_u8(&r->at);
    chain->loops = od_cursor_u16(&r->at);
    chain->limit = od_cursor_f32(&r->at) * 4;
    chain->links = OD_NEW(r->arena, od_ik_link, (size_t)chain->link_count, r->error);
    if (!chain->links) return false;
    for (int i = 0; i < chain->link_count; i++) {
        od_ik_link *link = &chain->links[i];
        link->bone = od_cursor_u16(&r->at);
        if (link->bone >= target->skeleton.count) continue; /* left out when the target is completed */
        link->limited = ends_with_knee(target->skeleton.bones[link->bone].name);
        if (!link->limited) continue;
        link->min.x = -3.14159265F;
        link->max.x = -0.00872664626F; /* -0.5 degrees */
    }
    if (r->at.failed) return od_cursor_fail(&r->at, r->error, "the file ends among its IK chains");
    return isfinite(chain->limit) || od_cursor_fail(&r->at, r->error, "an IK limit is not a number");
}

static bool read_chains(reader *r, od_target *target)
{
    int count = od_cursor_u16(&r->at);
    if (r->at.failed) return true; /* an old file may end here */
    if ((size_t)count > od_cursor_left(&r->at) / 11)
        return od_fail(r->error, "%s@0x%zx: %d IK chains cannot be in the %zu bytes that are left", r->at.file,
                       r->at.at, count, od_cursor_left(&r->at));
    target->ik = OD_NEW(r->arena, od_ik_chain, (size_t)count, r->error);
    if (!target->ik) return false;
    for (int i = 0; i < count; i++) {
        if (!read_chain(r, target)) return false;
        int bone = target->ik[i].bone;
        if (bone < target->skeleton.count) target->bones[bone].flags |= OD_BONE_IK;
    }
    return true;
}

static bool read_morphs(reader *r, od_target *target)
{
    int count = od_cursor_u16(&r->at);
    if (r->at.failed || !count) return true;
    if ((size_t)count > od_cursor_left(&r->at) / 25)
        return od_fail(r->error, "%s@0x%zx: %d morphs cannot be in the %zu bytes that are left", r->at.file, r->at.at,
                       count, od_cursor_left(&r->at));
    target->morphs = OD_NEW(r->arena, const char *, (size_t)count, r->error);
    if (!target->morphs) return false;
    for (int i = 0; i < count; i++) {
        const char *name = read_name(r);
        if (!name) return false;
        size_t elements = od_cursor_u32(&r->at);
        od_cursor_skip(&r->at, 1);
        if (r->at.failed || elements > od_cursor_left(&r->at) / 16)
            return od_cursor_fail(&r->at, r->error, "the file ends among its morphs");
        od_cursor_skip(&r->at, elements * 16);
        if (i) target->morphs[target->morph_count++] = name; /* the first is the base of the others */
    }
    return true;
}

static bool read_english(reader *r, od_target *target)
{
    od_cursor_skip(&r->at, (size_t)od_cursor_u8(&r->at) * 2); /* display lists */
    od_cursor_skip(&r->at, (size_t)od_cursor_u8(&r->at) * FRAME_NAME);
    size_t shown = od_cursor_u32(&r->at);
    if (r->at.failed || shown > od_cursor_left(&r->at) / 3) return true;
    od_cursor_skip(&r->at, shown * 3);
    if (od_cursor_u8(&r->at) != 1) return true;
    target->name_en = read_name(r);
    od_cursor_skip(&r->at, COMMENT);
    for (int i = 0; i < target->skeleton.count && target->name_en && !r->at.failed; i++) {
        target->bones[i].name_en = read_name(r);
        if (!target->bones[i].name_en) return false;
    }
    return target->name_en != NULL;
}

bool od_pmd_read(const od_file *file, od_target *target, od_report *report, od_arena *arena, od_error *error)
{
    reader r = {.at = od_cursor_make(file->name, file->data, file->size), .arena = arena, .error = error};
    *target = (od_target){.name_en = ""};
    if (!od_pmd_probe(file->data, file->size)) return od_fail(error, "%s: expected a PMD file", file->name);
    od_cursor_skip(&r.at, 7);
    target->name = read_name(&r);
    if (!target->name) return false;
    od_cursor_skip(&r.at, COMMENT);
    if (!skip_records(&r, VERTEX, "vertices") || !skip_records(&r, 2, "corners of faces") ||
        !skip_records(&r, MATERIAL, "materials"))
        return false;
    if (!read_bones(&r, target) || !read_chains(&r, target) || !read_morphs(&r, target) || !read_english(&r, target))
        return false;
    od_error why = {0};
    return od_target_finish(target, report, arena, &why) || od_fail(error, "%s: %s", file->name, why.message);
}
