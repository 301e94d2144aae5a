/* Input: a PMD behind its toons, and what it shows in which frame. Output: display frames, rigid bodies and
 * joints as PMX has them. */
#include <string.h>

#include "format/pmd_reader.h"

/* ---- display frames --------------------------------------------------------------------------- */

/* Two frames that every PMX has, then the file's own. */
enum { ROOT, FACIALS, OWN };

/* A name up to its line feed, with which PMD ends it. */
static bool read_name(od_pmd_reader *r, od_cursor *at, od_model_text *text)
{
    od_model_text raw = {.utf8 = ""};
    if (!od_pmd_text(r, at, OD_PMD_FRAME, &raw)) return false;
    const char *name = od_arena_text(r->arena, raw.utf8, strcspn(raw.utf8, "\n"), r->error);
    return name && od_pmd_set_text(r, name, text);
}

static bool name_frames(od_pmd_reader *r)
{
    od_model_frame *frames = r->model->frames;
    od_cursor names = od_cursor_make(r->at.file, r->frames.bytes, r->frames.size);
    od_cursor english = od_cursor_make(r->at.file, r->frames_en.bytes, r->frames_en.size);
    frames[ROOT].special = frames[FACIALS].special = 1;
    if (!od_pmd_set_text(r, "Root", &frames[ROOT].name) || !od_pmd_set_text(r, "Root", &frames[ROOT].name_en) ||
        !od_pmd_set_text(r, "表情", &frames[FACIALS].name) || !od_pmd_set_text(r, "Exp", &frames[FACIALS].name_en))
        return false;
    for (int i = OWN; i < r->model->frame_count; i++)
        if (!read_name(r, &names, &frames[i].name) || !read_name(r, &english, &frames[i].name_en)) return false;
    return true;
}

/* The frame of a bone: numbers count from 1, 0 is the root's. -1 when there is none. */
static int frame_of(const od_model *model, int number)
{
    int frame = number ? OWN + number - 1 : ROOT;
    return frame < model->frame_count ? frame : -1;
}

static void add_item(od_model_frame *frame, bool fill, int kind, int index)
{
    if (fill) frame->items[frame->count] = (od_frame_item){kind, index};
    frame->count++;
}

/* Counts, and with `fill` keeps, what each frame shows. The first bone, which PMD shows by itself, is the root's
 * unless another frame has it. */
static void show(od_pmd_reader *r, bool fill)
{
    od_model *model = r->model;
    od_cursor shown = od_cursor_make(r->at.file, r->shown.bytes, r->shown.size);
    od_cursor facials = od_cursor_make(r->at.file, r->facials.bytes, r->facials.size);
    bool has_first = model->bone_count == 0;
    for (int i = 0; i < model->frame_count; i++) model->frames[i].count = 0;
    while (od_cursor_left(&facials)) {
        int morph = od_cursor_u16(&facials) - 1; /* PMX has no base */
        if (morph >= 0 && morph < model->morph_count) add_item(&model->frames[FACIALS], fill, 1, morph);
    }
    while (od_cursor_left(&shown)) {
        int bone = od_cursor_u16(&shown), number = frame_of(model, od_cursor_u8(&shown));
        if (number < 0 || bone >= model->bone_count) continue;
        add_item(&model->frames[number], fill, 0, bone);
        has_first = has_first || bone == 0;
    }
    if (!has_first) add_item(&model->frames[ROOT], fill, 0, 0);
}

bool od_pmd_make_frames(od_pmd_reader *r)
{
    od_model *model = r->model;
    model->frame_count = OWN + (int)(r->frames.size / OD_PMD_FRAME);
    model->frames = OD_NEW(r->arena, od_model_frame, (size_t)model->frame_count, r->error);
    if (!model->frames || !name_frames(r)) return false;
    show(r, false);
    for (int i = 0; i < model->frame_count; i++) {
        od_model_frame *frame = &model->frames[i];
        frame->items = OD_NEW(r->arena, od_frame_item, (size_t)frame->count, r->error);
        if (!frame->items) return false;
    }
    show(r, true);
    return true;
}

/* ---- rigid bodies, joints --------------------------------------------------------------------- */

enum { BODY = 83, BODY_SHAPE = 4, BODY_PHYSICS = 21, JOINT = 124, JOINT_LIMITS = 18 * 4 };

static od_span span_of(od_cursor *at, size_t size)
{
    return (od_span){od_cursor_bytes(at, size), size};
}

static vec3s read_vec3(od_cursor *at)
{
    vec3s v;
    for (int i = 0; i < 3; i++) v.raw[i] = od_cursor_f32(at);
    return v;
}

/* Places of bodies are relative to their bones, of those without to センター. */
static bool read_body(od_pmd_reader *r, od_model_body *body)
{
    const od_model *model = r->model;
    if (!od_pmd_text(r, &r->at, OD_PMD_NAME, &body->name) || !od_pmd_set_text(r, "", &body->name_en)) return false;
    body->bone = od_pmd_index(&r->at);
    body->shape = span_of(&r->at, BODY_SHAPE);
    body->size = read_vec3(&r->at);
    body->position = read_vec3(&r->at);
    body->rotation = read_vec3(&r->at);
    body->physics = span_of(&r->at, BODY_PHYSICS);
    int bone = body->bone < 0 ? 0 : body->bone;
    if (bone < model->bone_count) body->position = glms_vec3_add(body->position, model->bones[bone].position);
    return true;
}

static bool read_joint(od_pmd_reader *r, od_model_joint *joint)
{
    if (!od_pmd_text(r, &r->at, OD_PMD_NAME, &joint->name) || !od_pmd_set_text(r, "", &joint->name_en)) return false;
    for (int i = 0; i < 2; i++) joint->body[i] = od_cursor_i32(&r->at);
    joint->position = read_vec3(&r->at);
    joint->rotation = read_vec3(&r->at);
    joint->limits = span_of(&r->at, JOINT_LIMITS);
    return true;
}

/* The count of the next records; 0 where the file ends. Fails when they cannot be there. */
static bool read_count(od_pmd_reader *r, size_t size, const char *what, int *count)
{
    size_t found = od_cursor_u32(&r->at);
    *count = 0;
    if (r->at.failed) return true;
    if (found > od_cursor_left(&r->at) / size)
        return od_fail(r->error, "%s@0x%zx: %zu %s cannot be in the %zu bytes that are left", r->at.file, r->at.at,
                       found, what, od_cursor_left(&r->at));
    *count = (int)found;
    return true;
}

bool od_pmd_read_physics(od_pmd_reader *r)
{
    od_model *model = r->model;
    if (!read_count(r, BODY, "rigid bodies", &model->body_count)) return false;
    model->bodies = OD_NEW(r->arena, od_model_body, (size_t)model->body_count, r->error);
    if (!model->bodies) return false;
    for (int i = 0; i < model->body_count; i++)
        if (!read_body(r, &model->bodies[i])) return false;
    if (!read_count(r, JOINT, "joints", &model->joint_count)) return false;
    model->joints = OD_NEW(r->arena, od_model_joint, (size_t)model->joint_count, r->error);
    if (!model->joints) return false;
    for (int i = 0; i < model->joint_count; i++)
        if (!read_joint(r, &model->joints[i])) return false;
    return true;
}
