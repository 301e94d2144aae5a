/* Input: a model as its file has it. Output: its target; the model with its bones in another order. */
#include "odori/model.h"

#include <string.h>

#include "base/text.h"

int od_weights_bones(od_weights kind)
{
    static const int bones[OD_WEIGHTS_COUNT] = {
        [OD_BDEF1] = 1, [OD_BDEF2] = 2, [OD_BDEF4] = 4, [OD_SDEF] = 2, [OD_QDEF] = 4};
    return bones[kind];
}

bool od_model_text_make(const od_model *model, const char *utf8, od_model_text *text, od_arena *arena, od_error *error)
{
    size_t size = strlen(utf8);
    char *copy = od_arena_text(arena, utf8, size, error);
    if (!copy) return false;
    *text = (od_model_text){copy, {(const unsigned char *)copy, size}};
    if (model->utf8) return true;
    text->raw.bytes = od_text_to_utf16(arena, copy, &text->raw.size, error);
    return text->raw.bytes != NULL;
}

/* ---- target ----------------------------------------------------------------------------------- */

static void take_bone(const od_model_bone *from, od_bone *bone, od_target_bone *b, int *tail_bone)
{
    bool tail_is_bone = from->flags & OD_BONE_TAIL_IS_BONE;
    bone->name = from->name.utf8;
    bone->parent = from->parent;
    bone->rest = od_xform_identity();
    bone->rest.t = from->position;
    *tail_bone = tail_is_bone ? from->tail_bone : -1;
    *b = (od_target_bone){.name_en = from->name_en.utf8,
                          .deform_order = from->deform_order,
                          .flags = from->flags,
                          .tail = tail_is_bone ? od_vec3(0, 0, 0) : from->tail,
                          .append_source = from->append_source,
                          .append_ratio = from->append_ratio,
                          .fixed_axis = from->fixed_axis,
                          .local_x = from->local_x,
                          .local_z = from->local_z,
                          .external_key = from->external_key};
}

/* The target reorders what its chains name: the model keeps its own. */
static bool take_chain(const od_model *model, int bone, od_ik_chain *chain, od_arena *arena, od_error *error)
{
    *chain = model->bones[bone].ik;
    chain->bone = bone;
    chain->links = OD_NEW(arena, od_ik_link, (size_t)chain->link_count, error);
    if (!chain->links) return false;
    for (int i = 0; i < chain->link_count; i++) chain->links[i] = model->bones[bone].ik.links[i];
    return true;
}

static bool take_bones(const od_model *model, od_target *target, od_arena *arena, od_error *error)
{
    size_t count = (size_t)model->bone_count;
    target->skeleton.count = model->bone_count;
    target->skeleton.bones = OD_NEW(arena, od_bone, count, error);
    target->bones = OD_NEW(arena, od_target_bone, count, error);
    target->ik = OD_NEW(arena, od_ik_chain, count, error);
    int *tails = OD_NEW(arena, int, count, error);
    if (!target->skeleton.bones || !target->bones || !target->ik || !tails) return false;
    for (int i = 0; i < model->bone_count; i++) {
        const od_model_bone *from = &model->bones[i];
        take_bone(from, &target->skeleton.bones[i], &target->bones[i], &tails[i]);
        if (!(from->flags & OD_BONE_IK)) continue;
        if (!take_chain(model, i, &target->ik[target->ik_count++], arena, error)) return false;
    }
    od_target_relative(target, tails);
    return true;
}

static bool take_morphs(const od_model *model, od_target *target, od_arena *arena, od_error *error)
{
    size_t moves = 0, members = 0;
    for (int i = 0; i < model->morph_count; i++) {
        if (model->morphs[i].bones) moves += (size_t)model->morphs[i].count;
        if (model->morphs[i].parts) members += (size_t)model->morphs[i].count;
    }
    target->morph_count = model->morph_count;
    target->morphs = OD_NEW(arena, const char *, (size_t)model->morph_count, error);
    target->moves = OD_NEW(arena, od_morph_move, moves, error);
    target->members = OD_NEW(arena, od_morph_member, members, error);
    if (!target->morphs || !target->moves || !target->members) return false;
    for (int i = 0; i < model->morph_count; i++) {
        const od_model_morph *morph = &model->morphs[i];
        target->morphs[i] = morph->name.utf8;
        for (int k = 0; morph->bones && k < morph->count; k++) {
            const od_bone_shift *shift = &morph->bones[k];
            versors q = od_quat(shift->rotation[0], shift->rotation[1], shift->rotation[2], shift->rotation[3]);
            target->moves[target->move_count++] =
                (od_morph_move){i, shift->bone, shift->position, od_quat_normalize(q)};
        }
        for (int k = 0; morph->parts && k < morph->count; k++)
            target->members[target->member_count++] =
                (od_morph_member){i, morph->parts[k].morph, morph->parts[k].ratio};
    }
    return true;
}

bool od_model_target(const od_model *model, od_target *target, od_report *report, od_arena *arena, od_error *error)
{
    *target = (od_target){.name = model->name.utf8, .name_en = model->name_en.utf8};
    return take_bones(model, target, arena, error) && take_morphs(model, target, arena, error) &&
           od_target_finish(target, report, arena, error);
}

/* ---- order ------------------------------------------------------------------------------------ */

/* What names no bone of the model stays as it is. */
static void move_index(const od_model *model, const int *place, int *index)
{
    if (*index >= 0 && *index < model->bone_count) *index = place[*index];
}

static void move_bone(const od_model *model, const int *place, od_model_bone *bone)
{
    move_index(model, place, &bone->parent);
    move_index(model, place, &bone->tail_bone);
    move_index(model, place, &bone->append_source);
    move_index(model, place, &bone->ik.effector);
    for (int i = 0; i < bone->ik.link_count; i++) move_index(model, place, &bone->ik.links[i].bone);
}

bool od_model_reorder(od_model *model, const int *place, od_arena *arena, od_error *error)
{
    od_model_bone *bones = OD_NEW(arena, od_model_bone, (size_t)model->bone_count, error);
    if (!bones) return false;
    for (int i = 0; i < model->bone_count; i++) {
        bones[place[i]] = model->bones[i];
        move_bone(model, place, &bones[place[i]]);
    }
    model->bones = bones;
    for (int i = 0; i < model->vertex_count; i++)
        for (int k = 0; k < od_weights_bones(model->vertices[i].kind); k++)
            move_index(model, place, &model->vertices[i].bone[k]);
    for (int i = 0; i < model->morph_count; i++)
        for (int k = 0; model->morphs[i].bones && k < model->morphs[i].count; k++)
            move_index(model, place, &model->morphs[i].bones[k].bone);
    for (int i = 0; i < model->frame_count; i++)
        for (int k = 0; k < model->frames[i].count; k++)
            if (model->frames[i].items[k].kind == 0) move_index(model, place, &model->frames[i].items[k].index);
    for (int i = 0; i < model->body_count; i++) move_index(model, place, &model->bodies[i].bone);
    return true;
}
