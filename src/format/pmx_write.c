/* Input: a whole model. Output: a PMX file, through a sink.
 * What was not changed is written as it was read; only the indices of bones grow when the bones have
 * become too many for them. */
#include <stdint.h>
#include <string.h>

#include "format/pmx.h"

enum { BUFFER = 1 << 16 };

/* Failures stick: the writer is asked once, at the end. */
typedef struct writer {
    const od_model *model;
    const od_sink *sink;
    od_error *error;
    bool failed;
    int index_size[OD_INDEX_COUNT];
    size_t used;
    unsigned char buffer[BUFFER];
} writer;

static void flush(writer *w)
{
    if (w->used && !w->failed) w->failed = !w->sink->write(w->sink->context, w->buffer, w->used, w->error);
    w->used = 0;
}

static void put(writer *w, const void *bytes, size_t size)
{
    if (!size) return;
    if (w->used + size > BUFFER) flush(w);
    if (size > BUFFER) {
        if (!w->failed) w->failed = !w->sink->write(w->sink->context, bytes, size, w->error);
        return;
    }
    memcpy(w->buffer + w->used, bytes, size);
    w->used += size;
}

static void put_span(writer *w, od_span span)
{
    put(w, span.bytes, span.size);
}

/* The lowest `size` bytes of a number. */
static void put_number(writer *w, uint32_t value, int size)
{
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(value >> 8 * i);
    put(w, bytes, (size_t)size);
}

static void put_u8(writer *w, int value)
{
    put_number(w, (uint32_t)value, 1);
}

static void put_i32(writer *w, int value)
{
    put_number(w, (uint32_t)value, 4);
}

static void put_f32(writer *w, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_number(w, bits, 4);
}

static void put_vec3(writer *w, vec3s v)
{
    put_f32(w, v.x);
    put_f32(w, v.y);
    put_f32(w, v.z);
}

static void put_index(writer *w, od_index kind, int index)
{
    put_number(w, (uint32_t)index, w->index_size[kind]);
}

static void put_raw_text(writer *w, od_span text)
{
    put_i32(w, (int)text.size);
    put_span(w, text);
}

static void put_names(writer *w, const od_model_text *name, const od_model_text *name_en)
{
    put_raw_text(w, name->raw);
    put_raw_text(w, name_en->raw);
}

static void put_header(writer *w)
{
    const od_model *model = w->model;
    put(w, "PMX ", 4);
    put_f32(w, model->version);
    put_u8(w, 8 + (int)model->surplus.size);
    put_u8(w, model->utf8);
    put_u8(w, model->uvs);
    for (int i = 0; i < OD_INDEX_COUNT; i++) put_u8(w, w->index_size[i]);
    put_span(w, model->surplus);
    put_names(w, &model->name, &model->name_en);
    put_raw_text(w, model->comment);
    put_raw_text(w, model->comment_en);
}

static void put_vertex(writer *w, const od_vertex *vertex)
{
    int bones = od_weights_bones(vertex->kind), weights = bones == 4 ? 4 : bones - 1;
    put_vec3(w, vertex->position);
    put_vec3(w, vertex->normal);
    put(w, vertex->uv, 4 * (2 + 4 * (size_t)w->model->uvs));
    put_u8(w, (int)vertex->kind);
    for (int i = 0; i < bones; i++) put_index(w, OD_INDEX_BONE, vertex->bone[i]);
    for (int i = 0; i < weights; i++) put_f32(w, vertex->weight[i]);
    for (int i = 0; vertex->kind == OD_SDEF && i < 3; i++) put_vec3(w, vertex->sdef[i]);
    put_f32(w, vertex->edge);
}

static void put_ik(writer *w, const od_ik_chain *chain)
{
    put_index(w, OD_INDEX_BONE, chain->effector);
    put_i32(w, chain->loops);
    put_f32(w, chain->limit);
    put_i32(w, chain->link_count);
    for (int i = 0; i < chain->link_count; i++) {
        const od_ik_link *link = &chain->links[i];
        put_index(w, OD_INDEX_BONE, link->bone);
        put_u8(w, link->limited);
        if (!link->limited) continue;
        put_vec3(w, link->min);
        put_vec3(w, link->max);
    }
}

static void put_bone(writer *w, const od_model_bone *bone)
{
    put_names(w, &bone->name, &bone->name_en);
    put_vec3(w, bone->position);
    put_index(w, OD_INDEX_BONE, bone->parent);
    put_i32(w, bone->deform_order);
    put_number(w, bone->flags, 2);
    if (bone->flags & OD_BONE_TAIL_IS_BONE) put_index(w, OD_INDEX_BONE, bone->tail_bone);
    else put_vec3(w, bone->tail);
    if (bone->flags & (OD_BONE_APPEND_ROTATION | OD_BONE_APPEND_TRANSLATION)) {
        put_index(w, OD_INDEX_BONE, bone->append_source);
        put_f32(w, bone->append_ratio);
    }
    if (bone->flags & OD_BONE_FIXED_AXIS) put_vec3(w, bone->fixed_axis);
    if (bone->flags & OD_BONE_LOCAL_AXES) {
        put_vec3(w, bone->local_x);
        put_vec3(w, bone->local_z);
    }
    if (bone->flags & OD_BONE_EXTERNAL_PARENT) put_i32(w, bone->external_key);
    if (bone->flags & OD_BONE_IK) put_ik(w, &bone->ik);
}

static void put_morph(writer *w, const od_model_morph *morph)
{
    put_names(w, &morph->name, &morph->name_en);
    put_u8(w, morph->panel);
    put_u8(w, morph->kind);
    put_i32(w, morph->count);
    for (int i = 0; morph->parts && i < morph->count; i++) {
        put_index(w, OD_INDEX_MORPH, morph->parts[i].morph);
        put_f32(w, morph->parts[i].ratio);
    }
    for (int i = 0; morph->vertices && i < morph->count; i++) {
        put_index(w, OD_INDEX_VERTEX, morph->vertices[i].vertex);
        put_vec3(w, morph->vertices[i].offset);
    }
    for (int i = 0; morph->bones && i < morph->count; i++) {
        put_index(w, OD_INDEX_BONE, morph->bones[i].bone);
        put_vec3(w, morph->bones[i].position);
        for (int k = 0; k < 4; k++) put_f32(w, morph->bones[i].rotation[k]);
    }
    put_span(w, morph->others);
}

static void put_frame(writer *w, const od_model_frame *frame)
{
    put_names(w, &frame->name, &frame->name_en);
    put_u8(w, frame->special);
    put_i32(w, frame->count);
    for (int i = 0; i < frame->count; i++) {
        put_u8(w, frame->items[i].kind);
        put_index(w, frame->items[i].kind ? OD_INDEX_MORPH : OD_INDEX_BONE, frame->items[i].index);
    }
}

static void put_body(writer *w, const od_model_body *body)
{
    put_names(w, &body->name, &body->name_en);
    put_index(w, OD_INDEX_BONE, body->bone);
    put_span(w, body->shape);
    put_vec3(w, body->size);
    put_vec3(w, body->position);
    put_vec3(w, body->rotation);
    put_span(w, body->physics);
}

static void put_joint(writer *w, const od_model_joint *joint)
{
    put_names(w, &joint->name, &joint->name_en);
    put_u8(w, joint->kind);
    for (int i = 0; i < 2; i++) put_index(w, OD_INDEX_BODY, joint->body[i]);
    put_vec3(w, joint->position);
    put_vec3(w, joint->rotation);
    put_span(w, joint->limits);
}

/* Indices of bones are signed. */
static int bone_index_size(const od_model *model)
{
    int least = model->bone_count <= 0x80 ? 1 : model->bone_count <= 0x8000 ? 2 : 4;
    return model->index_size[OD_INDEX_BONE] > least ? model->index_size[OD_INDEX_BONE] : least;
}

static void put_model(writer *w)
{
    const od_model *model = w->model;
    put_header(w);
    put_i32(w, model->vertex_count);
    for (int i = 0; i < model->vertex_count; i++) put_vertex(w, &model->vertices[i]);
    put_i32(w, model->corner_count);
    put_span(w, model->corners);
    put_span(w, model->materials);
    put_i32(w, model->bone_count);
    for (int i = 0; i < model->bone_count; i++) put_bone(w, &model->bones[i]);
    put_i32(w, model->morph_count);
    for (int i = 0; i < model->morph_count; i++) put_morph(w, &model->morphs[i]);
    put_i32(w, model->frame_count);
    for (int i = 0; i < model->frame_count; i++) put_frame(w, &model->frames[i]);
    put_i32(w, model->body_count);
    for (int i = 0; i < model->body_count; i++) put_body(w, &model->bodies[i]);
    put_i32(w, model->joint_count);
    for (int i = 0; i < model->joint_count; i++) put_joint(w, &model->joints[i]);
    put_span(w, model->rest);
}

bool od_pmx_write(const od_model *model, const od_sink *sink, od_error *error)
{
    writer w = {.model = model, .sink = sink, .error = error};
    for (int i = 0; i < OD_INDEX_COUNT; i++) w.index_size[i] = model->index_size[i];
    w.index_size[OD_INDEX_BONE] = bone_index_size(model);
    put_model(&w);
    flush(&w);
    return !w.failed;
}
