/* Input: a PMX 2.0 or 2.1 file. Output: a model, whole or of its bones and of what moves them alone; then
 * everything else is skipped by arithmetic. Counts are checked against the bytes that are left before
 * anything is made of them. */
#include "format/pmx.h"

#include <string.h>

#include "format/pmx_reader.h"

bool od_pmx_probe(const unsigned char *data, size_t size)
{
    return size >= 4 && !memcmp(data, "PMX ", 4);
}

/* ---- header ----------------------------------------------------------------------------------- */

static bool read_settings(od_pmx_reader *r)
{
    od_model *model = r->model;
    od_cursor_skip(&r->at, 4);
    model->version = od_cursor_f32(&r->at);
    size_t count = od_cursor_u8(&r->at);
    const unsigned char *globals = od_cursor_bytes(&r->at, count); /* writers may add to the eight */
    if (!globals) return od_cursor_fail(&r->at, r->error, "the file ends in its header");
    if (!(model->version >= 2.0F && model->version < 2.2F))
        return od_fail(r->error, "%s@0x4: expected PMX version 2.0 or 2.1, found %g", r->at.file,
                       (double)model->version);
    if (count < 8) return od_fail(r->error, "%s@0x8: expected 8 settings, found %zu", r->at.file, count);
    if (globals[0] > 1) return od_fail(r->error, "%s@0x9: unknown text encoding %d", r->at.file, globals[0]);
    if (globals[1] > 4)
        return od_fail(r->error, "%s@0xa: expected 0 to 4 additional UVs, found %d", r->at.file, globals[1]);
    model->utf8 = globals[0] == 1;
    model->uvs = globals[1];
    for (int i = 0; i < OD_INDEX_COUNT; i++) {
        int size = model->index_size[i] = globals[2 + i];
        if (size != 1 && size != 2 && size != 4)
            return od_fail(r->error, "%s@0x%x: an index of %d bytes", r->at.file, 11 + i, size);
    }
    model->surplus = (od_span){globals + 8, count - 8};
    return true;
}

static bool read_header(od_pmx_reader *r)
{
    od_model *model = r->model;
    if (!read_settings(r) || !od_pmx_text(r, &model->name) || !od_pmx_text(r, &model->name_en)) return false;
    model->comment = od_pmx_raw_text(r);
    model->comment_en = od_pmx_raw_text(r);
    return !r->at.failed || od_cursor_fail(&r->at, r->error, "the file ends in the model's name or comment");
}

/* ---- bones ------------------------------------------------------------------------------------ */

static bool read_ik(od_pmx_reader *r, od_ik_chain *chain)
{
    chain->effector = od_pmx_index(r, OD_INDEX_BONE);
    chain->loops = od_cursor_i32(&r->at);
    chain->limit = od_cursor_f32(&r->at);
    int count = od_pmx_count(r, od_pmx_index_size(r, OD_INDEX_BONE) + 1, "IK links");
    if (count < 0) return false;
    chain->links = OD_NEW(r->arena, od_ik_link, (size_t)count, r->error);
    if (!chain->links) return false;
    for (int i = 0; i < count; i++) {
        od_ik_link *link = &chain->links[i];
        link->bone = od_pmx_index(r, OD_INDEX_BONE);
        link->limited = od_cursor_u8(&r->at) != 0;
        if (!link->limited) continue;
        link->min = od_pmx_vec3(r);
        link->max = od_pmx_vec3(r);
        if (!od_vec3_finite(link->min) || !od_vec3_finite(link->max))
            return od_cursor_fail(&r->at, r->error, "an IK limit is not a number");
    }
    chain->link_count = count;
    return isfinite(chain->limit) || od_cursor_fail(&r->at, r->error, "an IK limit is not a number");
}

static bool read_bone(od_pmx_reader *r, int index, od_model_bone *bone)
{
    if (!od_pmx_text(r, &bone->name) || !od_pmx_text(r, &bone->name_en)) return false;
    bone->position = od_pmx_vec3(r);
    bone->parent = od_pmx_index(r, OD_INDEX_BONE);
    bone->deform_order = od_cursor_i32(&r->at);
    bone->flags = od_cursor_u16(&r->at);
    bone->tail_bone = bone->append_source = bone->ik.effector = -1;
    if (bone->flags & OD_BONE_TAIL_IS_BONE) bone->tail_bone = od_pmx_index(r, OD_INDEX_BONE);
    else bone->tail = od_pmx_vec3(r);
    if (bone->flags & (OD_BONE_APPEND_ROTATION | OD_BONE_APPEND_TRANSLATION)) {
        bone->append_source = od_pmx_index(r, OD_INDEX_BONE);
        bone->append_ratio = od_cursor_f32(&r->at);
    }
    if (bone->flags & OD_BONE_FIXED_AXIS) bone->fixed_axis = od_pmx_vec3(r);
    if (bone->flags & OD_BONE_LOCAL_AXES) {
        bone->local_x = od_pmx_vec3(r);
        bone->local_z = od_pmx_vec3(r);
    }
    if (bone->flags & OD_BONE_EXTERNAL_PARENT) bone->external_key = od_cursor_i32(&r->at);
    if (bone->flags & OD_BONE_IK && !read_ik(r, &bone->ik)) return false;
    if (r->at.failed) return od_cursor_fail(&r->at, r->error, "the file ends among its bones");
    bool finite = od_vec3_finite(bone->position) && od_vec3_finite(bone->tail) && od_vec3_finite(bone->fixed_axis) &&
                  od_vec3_finite(bone->local_x) && od_vec3_finite(bone->local_z) && isfinite(bone->append_ratio);
    return finite ||
           od_fail(r->error, "%s: bone %d \"%s\" has a value that is not a number", r->at.file, index, bone->name.utf8);
}

static bool read_bones(od_pmx_reader *r)
{
    od_model *model = r->model;
    int count = od_pmx_count(r, 2 * 4 + 12 + 2 * od_pmx_index_size(r, OD_INDEX_BONE) + 6, "bones");
    if (count < 0) return false;
    model->bones = OD_NEW(r->arena, od_model_bone, (size_t)count, r->error);
    if (!model->bones) return false;
    for (model->bone_count = 0; model->bone_count < count; model->bone_count++)
        if (!read_bone(r, model->bone_count, &model->bones[model->bone_count])) return false;
    return true;
}

/* ---- morphs ----------------------------------------------------------------------------------- */

/* Bytes of one element of a morph; 0 for an unknown kind. */
static size_t element_size(const od_pmx_reader *r, int kind)
{
    enum { UV = 3, UV4 = 7, MATERIAL, FLIP, IMPULSE };
    if (kind >= UV && kind <= UV4) return od_pmx_index_size(r, OD_INDEX_VERTEX) + 4 * 4;
    switch (kind) {
    case OD_MORPH_GROUP:
    case FLIP: return od_pmx_index_size(r, OD_INDEX_MORPH) + 4;
    case OD_MORPH_VERTEX: return od_pmx_index_size(r, OD_INDEX_VERTEX) + 3 * 4;
    case OD_MORPH_BONE: return od_pmx_index_size(r, OD_INDEX_BONE) + 7 * 4;
    case MATERIAL: return od_pmx_index_size(r, OD_INDEX_MATERIAL) + 1 + 28 * 4;
    case IMPULSE: return od_pmx_index_size(r, OD_INDEX_BODY) + 1 + 6 * 4;
    default: return 0;
    }
}

static bool read_parts(od_pmx_reader *r, od_model_morph *morph)
{
    morph->parts = OD_NEW(r->arena, od_group_part, (size_t)morph->count, r->error);
    if (!morph->parts) return false;
    for (int i = 0; i < morph->count; i++) {
        od_group_part *part = &morph->parts[i];
        part->morph = od_pmx_index(r, OD_INDEX_MORPH);
        part->ratio = od_cursor_f32(&r->at);
        if (!isfinite(part->ratio))
            return od_cursor_fail(&r->at, r->error, "a group morph has a value that is not a number");
    }
    return true;
}

static bool read_bone_shifts(od_pmx_reader *r, od_model_morph *morph)
{
    morph->bones = OD_NEW(r->arena, od_bone_shift, (size_t)morph->count, r->error);
    if (!morph->bones) return false;
    for (int i = 0; i < morph->count; i++) {
        od_bone_shift *shift = &morph->bones[i];
        bool finite = true;
        shift->bone = od_pmx_index(r, OD_INDEX_BONE);
        shift->position = od_pmx_vec3(r);
        for (int k = 0; k < 4; k++) finite &= isfinite(shift->rotation[k] = od_cursor_f32(&r->at)) != 0;
        if (!finite || !od_vec3_finite(shift->position))
            return od_cursor_fail(&r->at, r->error, "a bone morph has a value that is not a number");
    }
    return true;
}

static bool read_vertex_shifts(od_pmx_reader *r, od_model_morph *morph)
{
    morph->vertices = OD_NEW(r->arena, od_vertex_shift, (size_t)morph->count, r->error);
    if (!morph->vertices) return false;
    for (int i = 0; i < morph->count; i++) {
        morph->vertices[i].vertex = od_pmx_index(r, OD_INDEX_VERTEX);
        morph->vertices[i].offset = od_pmx_vec3(r);
    }
    return true;
}

static bool read_morph(od_pmx_reader *r, int index, od_model_morph *morph)
{
    if (!od_pmx_text(r, &morph->name)) return false;
    if (!r->model->whole) od_pmx_raw_text(r);
    else if (!od_pmx_text(r, &morph->name_en)) return false;
    morph->panel = od_cursor_u8(&r->at);
    morph->kind = od_cursor_u8(&r->at);
    size_t size = element_size(r, morph->kind);
    if (!size && !r->at.failed)
        return od_fail(r->error, "%s@0x%zx: morph %d is of unknown kind %d", r->at.file, r->at.at - 1, index,
                       morph->kind);
    morph->count = od_pmx_count(r, size ? size : 1, "elements of a morph");
    if (morph->count < 0) return false;
    if (morph->kind == OD_MORPH_GROUP) return read_parts(r, morph);
    if (morph->kind == OD_MORPH_BONE) return read_bone_shifts(r, morph);
    if (morph->kind == OD_MORPH_VERTEX && r->model->whole) return read_vertex_shifts(r, morph);
    morph->others = od_pmx_span(r, (size_t)morph->count * size);
    return true;
}

static bool read_morphs(od_pmx_reader *r)
{
    od_model *model = r->model;
    int count = od_pmx_count(r, 2 * 4 + 2 + 4, "morphs");
    if (count < 0) return false;
    model->morphs = OD_NEW(r->arena, od_model_morph, (size_t)count, r->error);
    if (!model->morphs) return false;
    for (model->morph_count = 0; model->morph_count < count; model->morph_count++)
        if (!read_morph(r, model->morph_count, &model->morphs[model->morph_count])) return false;
    return true;
}

bool od_pmx_read(const od_file *file, bool whole, od_model *model, od_report *report, od_arena *arena, od_error *error)
{
    od_pmx_reader r = {
        .at = od_cursor_make(file->name, file->data, file->size), .model = model, .arena = arena, .error = error};
    *model = (od_model){.whole = whole};
    if (!od_pmx_probe(file->data, file->size)) return od_fail(error, "%s: expected a PMX file", file->name);
    if (!read_header(&r) || !od_pmx_read_mesh(&r) || !read_bones(&r)) return false;
    if (od_cursor_left(&r.at) < 4) {
        od_warn(report, "%s: the file ends behind its bones", file->name);
        return true;
    }
    return read_morphs(&r) && (!whole || od_pmx_read_physics(&r));
}
