/* Input: a model. Output: rows for bones, IK chains and morphs. Bones come parents first; places are those of
 * the model's file, angles degrees. */
#include <string.h>

#include "cli/dump.h"

/* Words for the bits of a PMX bone's flags, from the lowest. */
static const char *const FLAGS[] = {
    "tail-is-bone", "rotatable",  "movable",       "visible",         "operable",
    "ik",           "0x40",       "append-local",  "append-rotation", "append-translation",
    "fixed-axis",   "local-axes", "after-physics", "external-parent", "0x4000",
    "0x8000",       NULL};

static const float DEGREES = 57.2957795F;

static const char *bone_name(const od_target *model, int bone)
{
    return bone < 0 ? NULL : model->skeleton.bones[bone].name;
}

static void dump_bone(od_sheet *s, const od_target *model, int index)
{
    const od_bone *bone = &model->skeleton.bones[index];
    const od_target_bone *b = &model->bones[index];
    od_sheet_row(s, "bone");
    od_sheet_text(s, "name", bone->name);
    od_sheet_text(s, "english", b->name_en);
    od_sheet_number(s, "index", b->model_index);
    od_sheet_text(s, "parent", bone_name(model, bone->parent));
    od_sheet_vector(s, "at", bone->rest_world.t);
    od_sheet_number(s, "order", b->deform_order);
    od_sheet_words(s, "flags", FLAGS, b->flags);
    od_sheet_vector(s, "tail", b->tail);
    if (b->role != OD_ROLE_NONE && strcmp(od_role_name(b->role), bone->name) != 0)
        od_sheet_text(s, "role", od_role_name(b->role));
    if (b->append_source >= 0) {
        od_sheet_text(s, "append", bone_name(model, b->append_source));
        od_sheet_number(s, "ratio", (double)b->append_ratio);
    }
    if (b->flags & OD_BONE_FIXED_AXIS) od_sheet_vector(s, "axis", b->fixed_axis);
    if (b->flags & OD_BONE_LOCAL_AXES) {
        od_sheet_vector(s, "local-x", b->local_x);
        od_sheet_vector(s, "local-z", b->local_z);
    }
    if (b->flags & OD_BONE_EXTERNAL_PARENT) od_sheet_number(s, "external", b->external_key);
    od_sheet_row_end(s);
}

static void dump_chain(od_sheet *s, const od_target *model, const od_ik_chain *chain)
{
    od_sheet_row(s, "ik");
    od_sheet_text(s, "name", bone_name(model, chain->bone));
    od_sheet_text(s, "effector", bone_name(model, chain->effector));
    od_sheet_number(s, "loops", chain->loops);
    od_sheet_number(s, "limit", (double)(chain->limit * DEGREES));
    od_sheet_list(s, "links");
    for (int i = 0; i < chain->link_count; i++) {
        const od_ik_link *link = &chain->links[i];
        od_sheet_row(s, "link");
        od_sheet_text(s, "name", bone_name(model, link->bone));
        if (link->limited) {
            od_sheet_vector(s, "min", glms_vec3_scale(link->min, DEGREES));
            od_sheet_vector(s, "max", glms_vec3_scale(link->max, DEGREES));
        }
        od_sheet_row_end(s);
    }
    od_sheet_list_end(s);
    od_sheet_row_end(s);
}

/* What a morph does to bones and other morphs. */
static void dump_morph(od_sheet *s, const od_target *model, int morph)
{
    od_sheet_row(s, "morph");
    od_sheet_text(s, "name", model->morphs[morph]);
    od_sheet_list(s, "bones");
    for (int i = 0; i < model->move_count; i++) {
        const od_morph_move *move = &model->moves[i];
        if (move->morph != morph) continue;
        od_sheet_row(s, "bone");
        od_sheet_text(s, "name", bone_name(model, move->bone));
        od_sheet_vector(s, "at", move->position);
        od_sheet_numbers(s, "turned", move->rotation.raw, 4);
        od_sheet_row_end(s);
    }
    od_sheet_list_end(s);
    od_sheet_list(s, "morphs");
    for (int i = 0; i < model->member_count; i++) {
        const od_morph_member *member = &model->members[i];
        if (member->group != morph) continue;
        od_sheet_row(s, "morph");
        od_sheet_text(s, "name", model->morphs[member->morph]);
        od_sheet_number(s, "ratio", (double)member->ratio);
        od_sheet_row_end(s);
    }
    od_sheet_list_end(s);
    od_sheet_row_end(s);
}

void od_dump_model(od_sheet *s, const char *file, const char *format, const od_target *model)
{
    od_sheet_row(s, "model");
    od_sheet_text(s, "name", model->name);
    od_sheet_text(s, "english", model->name_en);
    od_sheet_text(s, "file", file);
    od_sheet_text(s, "format", format);
    od_sheet_list(s, "bones");
    for (int i = 0; i < model->skeleton.count; i++) dump_bone(s, model, i);
    od_sheet_list_end(s);
    od_sheet_list(s, "ik");
    for (int i = 0; i < model->ik_count; i++) dump_chain(s, model, &model->ik[i]);
    od_sheet_list_end(s);
    od_sheet_list(s, "morphs");
    for (int i = 0; i < model->morph_count; i++) dump_morph(s, model, i);
    od_sheet_list_end(s);
    od_sheet_row_end(s);
}
