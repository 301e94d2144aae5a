/* Input: a PMD file. Output: a model as PMX has it, whole or of its bones and of what moves them alone;
 * types of bones are translated into the flags of PMX. */
#include "format/pmd.h"

#include <string.h>

#include "base/text.h"
#include "format/pmd_reader.h"

enum { COMMENT = 256, BONE = 39 };

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

bool od_pmd_probe(const unsigned char *data, size_t size)
{
    return size >= 7 && !memcmp(data, "Pmd", 3);
}

/* Only a whole model is written, so only its texts get bytes. */
bool od_pmd_set_text(od_pmd_reader *r, const char *utf8, od_model_text *text)
{
    *text = (od_model_text){.utf8 = utf8};
    return utf8 && (!r->model->whole || od_model_text_make(r->model, utf8, text, r->arena, r->error));
}

bool od_pmd_text(od_pmd_reader *r, od_cursor *at, size_t size, od_model_text *text)
{
    const unsigned char *bytes = od_cursor_bytes(at, size);
    return od_pmd_set_text(r, bytes ? od_text_from_cp932(r->arena, bytes, size, r->error) : "", text);
}

static bool read_comment(od_pmd_reader *r, od_span *comment)
{
    od_model_text text = {0};
    if (!r->model->whole) od_cursor_skip(&r->at, COMMENT);
    else if (!od_pmd_text(r, &r->at, COMMENT, &text)) return false;
    *comment = text.raw;
    return true;
}

int od_pmd_index(od_cursor *at)
{
    int index = od_cursor_u16(at);
    return index == 0xFFFF ? -1 : index;
}

/* `count` records; the count is the file's. */
static bool read_records(od_pmd_reader *r, size_t size, const char *what, od_span *records)
{
    size_t count = od_cursor_u32(&r->at);
    if (count > od_cursor_left(&r->at) / size)
        return od_fail(r->error, "%s@0x%zx: %zu %s cannot be in the %zu bytes that are left", r->at.file, r->at.at,
                       count, what, od_cursor_left(&r->at));
    *records = (od_span){od_cursor_bytes(&r->at, count * size), count * size};
    return true;
}

/* ---- bones ------------------------------------------------------------------------------------ */

/* What a bone's type means; the tail and `other` are indices whose sense depends on it. */
static void translate(od_model_bone *b, int type, int other)
{
    b->flags = TYPE_FLAGS[type];
    b->append_source = -1;
    if (type == FOLLOW && other > 0) {
        b->append_source = other;
        b->append_ratio = 1;
    } else if (type == RATIO) {
        b->append_source = b->tail_bone;
        b->append_ratio = 0.01F * (float)other;
        b->tail_bone = -1;
    } else if (type == FOLLOW) {
        b->flags &= ~(unsigned)OD_BONE_APPEND_ROTATION;
    }
    b->deform_order = type == IK ? 1 : type == FOLLOW ? 2 : 0;
    if (b->tail_bone == 0) b->tail_bone = -1;
}

static bool read_bone(od_pmd_reader *r, int index, od_model_bone *b)
{
    if (!od_pmd_text(r, &r->at, OD_PMD_NAME, &b->name) || !od_pmd_set_text(r, "", &b->name_en)) return false;
    b->parent = od_pmd_index(&r->at);
    b->tail_bone = od_pmd_index(&r->at);
    b->ik.effector = -1;
    int type = od_cursor_u8(&r->at), other = od_cursor_u16(&r->at);
    b->position.x = od_cursor_f32(&r->at);
    b->position.y = od_cursor_f32(&r->at);
    b->position.z = od_cursor_f32(&r->at);
    if (r->at.failed) return od_cursor_fail(&r->at, r->error, "the file ends among its bones");
    if (type > RATIO)
        return od_fail(r->error, "%s: bone %d \"%s\" is of unknown type %d", r->at.file, index, b->name.utf8, type);
    if (!od_vec3_finite(b->position))
        return od_fail(r->error, "%s: bone %d \"%s\" has a position that is not a number", r->at.file, index,
                       b->name.utf8);
    translate(b, type, other);
    return true;
}

static bool is_bone(const od_model *model, int index)
{
    return index >= 0 && index < model->bone_count;
}

/* Children are not evaluated before their parents: the order of a bone is at least that of all above it.
 * Each bone is settled behind its chain of parents that are not settled yet. Indices that name no bone and
 * cycles are refused when the model becomes a target. */
static bool settle_orders(od_pmd_reader *r)
{
    od_model *model = r->model;
    size_t count = (size_t)model->bone_count;
    int *chain = OD_NEW(r->arena, int, count, r->error);
    bool *met = OD_NEW(r->arena, bool, count, r->error);
    if (!chain || !met) return false;
    for (int i = 0; i < model->bone_count; i++) {
        int length = 0;
        for (int b = i; is_bone(model, b) && !met[b]; b = model->bones[b].parent) {
            met[b] = true;
            chain[length++] = b;
        }
        while (length) {
            od_model_bone *bone = &model->bones[chain[--length]];
            if (is_bone(model, bone->parent) && bone->deform_order < model->bones[bone->parent].deform_order)
                bone->deform_order = model->bones[bone->parent].deform_order;
        }
    }
    return true;
}

/* Fixed axes of twist bones run along the bone. */
static void settle_tails(od_model *model)
{
    for (int i = 0; i < model->bone_count; i++) {
        od_model_bone *b = &model->bones[i];
        if (!is_bone(model, b->tail_bone)) continue;
        b->flags |= OD_BONE_TAIL_IS_BONE;
        if (b->flags & OD_BONE_FIXED_AXIS)
            b->fixed_axis = glms_vec3_sub(model->bones[b->tail_bone].position, b->position);
    }
}

static bool read_bones(od_pmd_reader *r)
{
    od_model *model = r->model;
    int count = od_cursor_u16(&r->at);
    if (r->at.failed) return od_cursor_fail(&r->at, r->error, "the file ends before its bones");
    if ((size_t)count > od_cursor_left(&r->at) / BONE)
        return od_fail(r->error, "%s@0x%zx: %d bones cannot be in the %zu bytes that are left", r->at.file, r->at.at,
                       count, od_cursor_left(&r->at));
    model->bones = OD_NEW(r->arena, od_model_bone, (size_t)count, r->error);
    if (!model->bones) return false;
    for (model->bone_count = 0; model->bone_count < count; model->bone_count++)
        if (!read_bone(r, model->bone_count, &model->bones[model->bone_count])) return false;
    settle_tails(model);
    return settle_orders(r);
}

/* ---- IK chains -------------------------------------------------------------------------------- */

static bool ends_with_knee(const char *name)
{
    static const char knee[] = "ひざ";
    size_t size = strlen(name), n = sizeof knee - 1;
    return size >= n && !strcmp(name + size - n, knee);
}

static bool read_chain(od_pmd_reader *r, od_ik_chain *chain)
{
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
        link->limited = is_bone(r->model, link->bone) && ends_with_knee(r->model->bones[link->bone].name.utf8);
        if (!link->limited) continue;
        link->min.x = -3.14159265F;
        link->max.x = -0.00872664626F; /* -0.5 degrees */
    }
    if (r->at.failed) return od_cursor_fail(&r->at, r->error, "the file ends among its IK chains");
    return isfinite(chain->limit) || od_cursor_fail(&r->at, r->error, "an IK limit is not a number");
}

/* Of two chains of one bone the last counts: a bone of a PMX has one. */
static bool read_chains(od_pmd_reader *r, od_report *report)
{
    od_model *model = r->model;
    int count = od_cursor_u16(&r->at);
    if (r->at.failed) return true; /* an old file may end here */
    if ((size_t)count > od_cursor_left(&r->at) / 11)
        return od_fail(r->error, "%s@0x%zx: %d IK chains cannot be in the %zu bytes that are left", r->at.file,
                       r->at.at, count, od_cursor_left(&r->at));
    for (int i = 0; i < count; i++) {
        od_ik_chain chain;
        if (!read_chain(r, &chain)) return false;
        if (!is_bone(model, chain.bone)) {
            od_warn(report, "IK chain %d belongs to a bone that the model lacks, so it is left out", i);
            continue;
        }
        od_model_bone *bone = &model->bones[chain.bone];
        if (bone->flags & OD_BONE_IK)
            od_warn(report, "bone \"%s\" has two IK chains: the last counts", bone->name.utf8);
        bone->flags |= OD_BONE_IK;
        bone->ik = chain;
    }
    return true;
}

/* ---- morphs ----------------------------------------------------------------------------------- */

enum { ELEMENT = 16 };

static bool read_shifts(od_pmd_reader *r, od_span base, od_model_morph *morph)
{
    morph->kind = OD_MORPH_VERTEX;
    morph->vertices = OD_NEW(r->arena, od_vertex_shift, (size_t)morph->count, r->error);
    if (!morph->vertices) return false;
    od_cursor bases = od_cursor_make(r->at.file, base.bytes, base.size);
    for (int i = 0; i < morph->count; i++) {
        od_vertex_shift *shift = &morph->vertices[i];
        size_t index = od_cursor_u32(&r->at);
        shift->vertex = -1;
        if (index < base.size / ELEMENT) {
            bases.at = index * ELEMENT;
            shift->vertex = od_cursor_i32(&bases);
        }
        shift->offset.x = od_cursor_f32(&r->at);
        shift->offset.y = od_cursor_f32(&r->at);
        shift->offset.z = od_cursor_f32(&r->at);
    }
    return true;
}

/* The first morph is the base of the others: their vertices are numbers of its elements. */
static bool read_morphs(od_pmd_reader *r)
{
    od_model *model = r->model;
    od_span base = {0};
    int count = od_cursor_u16(&r->at);
    if (r->at.failed || !count) return true;
    if ((size_t)count > od_cursor_left(&r->at) / 25)
        return od_fail(r->error, "%s@0x%zx: %d morphs cannot be in the %zu bytes that are left", r->at.file, r->at.at,
                       count, od_cursor_left(&r->at));
    model->morphs = OD_NEW(r->arena, od_model_morph, (size_t)count, r->error);
    if (!model->morphs) return false;
    for (int i = 0; i < count; i++) {
        od_model_morph *morph = &model->morphs[model->morph_count];
        if (!od_pmd_text(r, &r->at, OD_PMD_NAME, &morph->name) || !od_pmd_set_text(r, "", &morph->name_en))
            return false;
        size_t elements = od_cursor_u32(&r->at);
        morph->panel = od_cursor_u8(&r->at);
        if (r->at.failed || elements > od_cursor_left(&r->at) / ELEMENT)
            return od_cursor_fail(&r->at, r->error, "the file ends among its morphs");
        morph->count = (int)elements;
        if (i && model->whole) {
            if (!read_shifts(r, base, morph)) return false;
        } else {
            const unsigned char *bytes = od_cursor_bytes(&r->at, elements * ELEMENT);
            if (!i) base = (od_span){bytes, elements * ELEMENT};
        }
        if (i) model->morph_count++;
    }
    return true;
}

/* ---- display frames, English names ------------------------------------------------------------ */

/* False when the file ends here, as an old one may. */
static bool read_frames(od_pmd_reader *r)
{
    size_t count = od_cursor_u8(&r->at) * (size_t)2;
    r->facials = (od_span){od_cursor_bytes(&r->at, count), count};
    count = od_cursor_u8(&r->at) * (size_t)OD_PMD_FRAME;
    r->frames = (od_span){od_cursor_bytes(&r->at, count), count};
    count = od_cursor_u32(&r->at);
    if (r->at.failed || count > od_cursor_left(&r->at) / 3) {
        r->facials = r->frames = (od_span){0};
        r->at.at = r->at.size;
        return false;
    }
    r->shown = (od_span){od_cursor_bytes(&r->at, count * 3), count * 3};
    return true;
}

static bool read_english(od_pmd_reader *r)
{
    od_model *model = r->model;
    if (od_cursor_u8(&r->at) != 1) return true;
    if (!od_pmd_text(r, &r->at, OD_PMD_NAME, &model->name_en) || !read_comment(r, &model->comment_en)) return false;
    for (int i = 0; i < model->bone_count && !r->at.failed; i++)
        if (!od_pmd_text(r, &r->at, OD_PMD_NAME, &model->bones[i].name_en)) return false;
    for (int i = 0; i < model->morph_count && !r->at.failed; i++)
        if (!od_pmd_text(r, &r->at, OD_PMD_NAME, &model->morphs[i].name_en)) return false;
    r->frames_en.bytes = od_cursor_bytes(&r->at, r->frames.size);
    r->frames_en.size = r->frames_en.bytes ? r->frames.size : 0;
    return true;
}

static bool read_header(od_pmd_reader *r)
{
    od_model *model = r->model;
    od_cursor_skip(&r->at, 7);
    return od_pmd_set_text(r, "", &model->name_en) && od_pmd_text(r, &r->at, OD_PMD_NAME, &model->name) &&
           read_comment(r, &model->comment) && read_records(r, OD_PMD_VERTEX, "vertices", &r->vertices) &&
           read_records(r, OD_PMD_CORNER, "corners of faces", &r->corners) &&
           read_records(r, OD_PMD_MATERIAL, "materials", &r->materials);
}

bool od_pmd_read(const od_file *file, bool whole, od_model *model, od_report *report, od_arena *arena, od_error *error)
{
    od_pmd_reader r = {
        .at = od_cursor_make(file->name, file->data, file->size), .model = model, .arena = arena, .error = error};
    *model = (od_model){.whole = whole, .version = 2, .index_size = {2, 1, 1, 2, 2, 2}};
    if (!od_pmd_probe(file->data, file->size)) return od_fail(error, "%s: expected a PMD file", file->name);
    if (!read_header(&r) || !read_bones(&r) || !read_chains(&r, report) || !read_morphs(&r)) return false;
    if (read_frames(&r) && !read_english(&r)) return false;
    return !whole || (od_pmd_make_frames(&r) && od_pmd_make_mesh(&r) && od_pmd_read_physics(&r));
}
