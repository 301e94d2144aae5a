/* Input: a PMX from its display frames on. Output: frames, rigid bodies and joints; what follows as bytes:
 * soft bodies name bodies and vertices alone. */
#include "format/pmx_reader.h"

/* Bytes that are kept as they are: of a body before its size and behind its rotation; of a joint. */
enum { BODY_SHAPE = 1 + 2 + 1, BODY_PHYSICS = 5 * 4 + 1, JOINT_LIMITS = 18 * 4 };

static bool read_frame(od_pmx_reader *r, od_model_frame *frame)
{
    if (!od_pmx_text(r, &frame->name) || !od_pmx_text(r, &frame->name_en)) return false;
    frame->special = od_cursor_u8(&r->at);
    size_t bone = od_pmx_index_size(r, OD_INDEX_BONE), morph = od_pmx_index_size(r, OD_INDEX_MORPH);
    frame->count = od_pmx_count(r, 1 + (bone < morph ? bone : morph), "items of a display frame");
    if (frame->count < 0) return false;
    frame->items = OD_NEW(r->arena, od_frame_item, (size_t)frame->count, r->error);
    if (!frame->items) return false;
    for (int i = 0; i < frame->count; i++) {
        od_frame_item *item = &frame->items[i];
        item->kind = od_cursor_u8(&r->at);
        if (item->kind > 1)
            return od_fail(r->error, "%s@0x%zx: an item of a display frame is of unknown kind %d", r->at.file,
                           r->at.at - 1, item->kind);
        item->index = od_pmx_index(r, item->kind ? OD_INDEX_MORPH : OD_INDEX_BONE);
    }
    return !r->at.failed || od_cursor_fail(&r->at, r->error, "the file ends among its display frames");
}

static bool read_body(od_pmx_reader *r, od_model_body *body)
{
    if (!od_pmx_text(r, &body->name) || !od_pmx_text(r, &body->name_en)) return false;
    body->bone = od_pmx_index(r, OD_INDEX_BONE);
    body->shape = od_pmx_span(r, BODY_SHAPE);
    body->size = od_pmx_vec3(r);
    body->position = od_pmx_vec3(r);
    body->rotation = od_pmx_vec3(r);
    body->physics = od_pmx_span(r, BODY_PHYSICS);
    return !r->at.failed || od_cursor_fail(&r->at, r->error, "the file ends among its rigid bodies");
}

static bool read_joint(od_pmx_reader *r, od_model_joint *joint)
{
    if (!od_pmx_text(r, &joint->name) || !od_pmx_text(r, &joint->name_en)) return false;
    joint->kind = od_cursor_u8(&r->at);
    for (int i = 0; i < 2; i++) joint->body[i] = od_pmx_index(r, OD_INDEX_BODY);
    joint->position = od_pmx_vec3(r);
    joint->rotation = od_pmx_vec3(r);
    joint->limits = od_pmx_span(r, JOINT_LIMITS);
    return !r->at.failed || od_cursor_fail(&r->at, r->error, "the file ends among its joints");
}

static bool read_frames(od_pmx_reader *r)
{
    od_model *model = r->model;
    int count = od_pmx_count(r, 2 * 4 + 1 + 4, "display frames");
    if (count < 0) return false;
    model->frames = OD_NEW(r->arena, od_model_frame, (size_t)count, r->error);
    if (!model->frames) return false;
    for (model->frame_count = 0; model->frame_count < count; model->frame_count++)
        if (!read_frame(r, &model->frames[model->frame_count])) return false;
    return true;
}

static bool read_bodies(od_pmx_reader *r)
{
    od_model *model = r->model;
    int count = od_pmx_count(r, 2 * 4 + 1 + BODY_SHAPE + 9 * 4 + BODY_PHYSICS, "rigid bodies");
    if (count < 0) return false;
    model->bodies = OD_NEW(r->arena, od_model_body, (size_t)count, r->error);
    if (!model->bodies) return false;
    for (model->body_count = 0; model->body_count < count; model->body_count++)
        if (!read_body(r, &model->bodies[model->body_count])) return false;
    return true;
}

static bool read_joints(od_pmx_reader *r)
{
    od_model *model = r->model;
    int count = od_pmx_count(r, 2 * 4 + 1 + 2 + 6 * 4 + JOINT_LIMITS, "joints");
    if (count < 0) return false;
    model->joints = OD_NEW(r->arena, od_model_joint, (size_t)count, r->error);
    if (!model->joints) return false;
    for (model->joint_count = 0; model->joint_count < count; model->joint_count++)
        if (!read_joint(r, &model->joints[model->joint_count])) return false;
    return true;
}

bool od_pmx_read_physics(od_pmx_reader *r)
{
    if (!read_frames(r) || !read_bodies(r) || !read_joints(r)) return false;
    r->model->rest = od_pmx_span(r, od_cursor_left(&r->at));
    return true;
}
