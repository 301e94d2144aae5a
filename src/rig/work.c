/* Input: a model. Output: its bones by role; the model with bones added, hung elsewhere, shown.
 * New bones stand at the end of the list until the work is settled, so that no index changes before. */
#include "rig/work.h"

#include <string.h>

#include "odori/binding.h"

od_model_bone *od_work_bone(const od_work *work, int bone)
{
    return &work->model->bones[bone];
}

bool od_work_is_below(const od_work *work, int bone, int above)
{
    while (bone >= 0 && bone != above) bone = work->model->bones[bone].parent;
    return bone >= 0;
}

vec3s od_work_middle(const od_work *work, int a, int b)
{
    return glms_vec3_lerp(od_work_bone(work, a)->position, od_work_bone(work, b)->position, 0.5F);
}

/* ---- roles ------------------------------------------------------------------------------------ */

static bool is_known(const od_work *work)
{
    static const od_role needed[] = {OD_ROLE_UPPER_BODY, OD_ROLE_LOWER_BODY, OD_ROLE_HEAD,    OD_ROLE_ARM_L,
                                     OD_ROLE_ARM_R,      OD_ROLE_ELBOW_L,    OD_ROLE_ELBOW_R, OD_ROLE_WRIST_L,
                                     OD_ROLE_WRIST_R,    OD_ROLE_LEG_L,      OD_ROLE_LEG_R,   OD_ROLE_KNEE_L,
                                     OD_ROLE_KNEE_R,     OD_ROLE_ANKLE_L,    OD_ROLE_ANKLE_R};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (work->role[needed[i]] < 0) return false;
    return true;
}

/* Names in Latin letters are guesses: "LeftLeg" is a thigh in one program and a shin in another. */
static bool is_guess(const od_work *work, int role)
{
    int bone = work->role[role];
    if (bone < 0) return false;
    for (const char *c = od_work_bone(work, bone)->name.utf8; *c; c++)
        if ((unsigned char)*c >= 0x80) return false;
    return true;
}

/* Gives a role to a bone, unless one of them is settled. */
static void give_role(od_work *work, bool *used, int role, int bone)
{
    if (bone < 0 || work->role[role] >= 0 || used[bone]) return;
    work->role[role] = bone;
    used[bone] = true;
}

/* Roles that MMD's names do not tell, from a mapping to the standard model: what would drive its bones. */
static bool take_roles(od_work *work, const od_target *model, const od_mapping *mapping)
{
    od_target standard;
    od_binding binding;
    od_error why = {0};
    int guess[OD_ROLE_COUNT];
    bool *used = OD_NEW(work->arena, bool, (size_t)work->given, work->error);
    if (!used || !od_target_standard(&standard, work->arena, work->error)) return false;
    if (!od_binding_make(mapping, &model->skeleton, &standard, &binding, NULL, work->arena, &why)) {
        od_warn(work->report, "%s", why.message);
        return true;
    }
    for (int r = 0; r < OD_ROLE_COUNT; r++) {
        guess[r] = is_guess(work, r) ? work->role[r] : -1;
        if (guess[r] >= 0) work->role[r] = -1;
        else if (work->role[r] >= 0) used[work->role[r]] = true;
    }
    for (int r = 0; r < OD_ROLE_COUNT; r++) {
        int joint = binding.source_of_role[r];
        if (joint >= 0) give_role(work, used, r, model->bones[joint].model_index);
    }
    for (int r = 0; r < OD_ROLE_COUNT; r++) give_role(work, used, r, guess[r]);
    return true;
}

static bool find_roles(od_work *work, const od_mapping *mapping)
{
    od_target target;
    od_mapping found;
    od_error why = {0};
    if (!od_model_target(work->model, &target, NULL, work->arena, work->error)) return false;
    for (int r = 0; r < OD_ROLE_COUNT; r++)
        work->role[r] = target.role[r] < 0 ? -1 : target.bones[target.role[r]].model_index;
    if (mapping) return take_roles(work, &target, mapping);
    if (is_known(work)) return true;
    if (od_mapping_detect(&target.skeleton, &found, work->report, work->arena, &why))
        return take_roles(work, &target, &found);
    od_warn(work->report, "some bones have no names that are known: %s", why.message);
    return true;
}

/* ---- bones ------------------------------------------------------------------------------------ */

static bool make_room(od_work *work)
{
    od_model *model = work->model;
    size_t room = (size_t)model->bone_count + OD_WORK_ROOM;
    od_model_bone *bones = OD_NEW(work->arena, od_model_bone, room, work->error);
    work->next = OD_NEW(work->arena, int, room, work->error);
    work->touched = OD_NEW(work->arena, bool, room, work->error);
    if (!bones || !work->next || !work->touched) return false;
    for (int i = 0; i < model->bone_count; i++) {
        bones[i] = model->bones[i];
        work->next[i] = i + 1 < model->bone_count ? i + 1 : -1;
    }
    work->last = model->bone_count - 1;
    model->bones = bones;
    return true;
}

bool od_work_begin(od_work *work, od_model *model, const od_mapping *mapping, od_report *report, od_arena *arena,
                   od_error *error)
{
    *work = (od_work){.model = model,
                      .given = model->bone_count,
                      .added = "",
                      .kept = "",
                      .report = report,
                      .arena = arena,
                      .error = error};
    return find_roles(work, mapping) && make_room(work);
}

static void place_before(od_work *work, int bone, int before)
{
    int *link = &work->first;
    while (*link != before) link = &work->next[*link];
    work->next[bone] = before;
    *link = bone;
}

static void place_last(od_work *work, int bone)
{
    work->next[work->last] = bone;
    work->next[bone] = -1;
    work->last = bone;
}

static bool list(od_work *work, const char **names, const char *name)
{
    *names = od_arena_format(work->arena, work->error, "%s%s%s", *names, **names ? ", " : "", name);
    return *names != NULL;
}

/* ---- display frames --------------------------------------------------------------------------- */

static bool insert_item(od_work *work, od_model_frame *frame, int at, int bone)
{
    od_frame_item *items = OD_NEW(work->arena, od_frame_item, (size_t)frame->count + 1, work->error);
    if (!items) return false;
    for (int i = 0; i < frame->count; i++) items[i < at ? i : i + 1] = frame->items[i];
    items[at] = (od_frame_item){0, bone};
    frame->items = items;
    frame->count++;
    return true;
}

static int find_item(const od_model_frame *frame, int bone)
{
    for (int i = 0; i < frame->count; i++)
        if (frame->items[i].kind == 0 && frame->items[i].index == bone) return i;
    return -1;
}

static od_model_frame *add_frame(od_work *work, const char *name, const char *name_en)
{
    od_model *model = work->model;
    od_model_frame *frames = OD_NEW(work->arena, od_model_frame, (size_t)model->frame_count + 1, work->error);
    if (!frames) return NULL;
    for (int i = 0; i < model->frame_count; i++) frames[i] = model->frames[i];
    od_model_frame *frame = &frames[model->frame_count];
    if (!od_model_text_make(model, name, &frame->name, work->arena, work->error) ||
        !od_model_text_make(model, name_en, &frame->name_en, work->arena, work->error))
        return NULL;
    model->frames = frames;
    model->frame_count++;
    return frame;
}

/* A bone that is in no frame cannot be chosen in MMD. */
static bool show(od_work *work, const od_addition *addition, int bone)
{
    od_model *model = work->model;
    for (int i = 0; addition->beside >= 0 && i < model->frame_count; i++) {
        int at = find_item(&model->frames[i], addition->beside);
        if (at >= 0 && !model->frames[i].special) return insert_item(work, &model->frames[i], at + 1, bone);
    }
    od_model_frame *frame = NULL;
    for (int i = 0; i < model->frame_count && !frame; i++)
        if (!strcmp(model->frames[i].name.utf8, addition->frame)) frame = &model->frames[i];
    if (!frame) frame = add_frame(work, addition->frame, addition->frame_en);
    return frame && insert_item(work, frame, frame->count, bone);
}

int od_work_add(od_work *work, const od_addition *addition)
{
    od_model *model = work->model;
    bool has_role = addition->role != OD_ROLE_NONE;
    const char *name = has_role ? od_role_name(addition->role) : addition->name;
    const char *name_en = has_role ? od_role_name_en(addition->role) : addition->name_en;
    if (model->bone_count == work->given + OD_WORK_ROOM) {
        od_fail(work->error, "there is no room for bone \"%s\"", name);
        return -1;
    }
    int bone = model->bone_count++;
    od_model_bone *b = od_work_bone(work, bone);
    *b = (od_model_bone){.position = addition->position,
                         .parent = addition->parent,
                         .flags = addition->flags,
                         .tail_bone = -1,
                         .append_source = -1,
                         .ik = {.effector = -1}};
    if (!od_model_text_make(model, name, &b->name, work->arena, work->error) ||
        !od_model_text_make(model, name_en, &b->name_en, work->arena, work->error) || !list(work, &work->added, name))
        return -1;
    work->touched[bone] = true;
    work->added_count++;
    if (addition->before >= 0) place_before(work, bone, addition->before);
    else place_last(work, bone);
    if (has_role) work->role[addition->role] = bone;
    bool shown = (addition->flags & OD_BONE_VISIBLE) && (addition->flags & OD_BONE_OPERABLE);
    return !shown || show(work, addition, bone) ? bone : -1;
}

int od_work_need(od_work *work, const od_addition *addition)
{
    int bone = work->role[addition->role];
    if (bone < 0) return od_work_add(work, addition);
    return list(work, &work->kept, od_work_bone(work, bone)->name.utf8) ? bone : -1;
}

void od_work_hang(od_work *work, int child, int parent)
{
    if (work->model->bones[child].parent == parent) return;
    work->model->bones[child].parent = parent;
    work->touched[child] = true;
}

void od_work_follow(od_work *work, int bone, int source, float ratio)
{
    od_model_bone *b = od_work_bone(work, bone);
    b->flags |= OD_BONE_APPEND_ROTATION;
    b->append_source = source;
    b->append_ratio = ratio;
    work->touched[bone] = true;
}
