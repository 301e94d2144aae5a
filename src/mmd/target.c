/* Input: a model's bones in its own order. Output: a target: parents first, roles and order of
 * evaluation known, every index valid. */
#include "odori/target.h"

#include <stdlib.h>
#include <string.h>

/* Indices of a reader point into the model's own list; -1 is none. */
static bool check_index(int index, int count, const char *bone, const char *what, od_error *error)
{
    if (index >= -1 && index < count) return true;
    return od_fail(error, "bone \"%s\": its %s is bone %d, the model has %d", bone, what, index, count);
}

static bool check_indices(const od_target *target, od_error *error)
{
    int count = target->skeleton.count;
    for (int i = 0; i < count; i++) {
        const od_bone *bone = &target->skeleton.bones[i];
        if (!check_index(bone->parent, count, bone->name, "parent", error)) return false;
        if (!check_index(target->bones[i].append_source, count, bone->name, "append source", error)) return false;
    }
    return true;
}

static bool is_bone(const od_target *target, int index)
{
    return index >= 0 && index < target->skeleton.count;
}

static bool is_whole(const od_target *target, const od_ik_chain *chain)
{
    bool whole = is_bone(target, chain->bone) && is_bone(target, chain->effector);
    for (int k = 0; k < chain->link_count; k++) whole = whole && is_bone(target, chain->links[k].bone);
    return whole;
}

/* Models with an IK bone that pulls nothing are about (benikabocha/saba issue 33,
 * powroupi/blender_mmd_tools issue 40), and the rest of them is sound. */
static void drop_broken_chains(od_target *target, od_report *report)
{
    int kept = 0;
    for (int i = 0; i < target->ik_count; i++) {
        const od_ik_chain *chain = &target->ik[i];
        if (is_whole(target, chain)) {
            target->ik[kept++] = *chain;
        } else if (is_bone(target, chain->bone)) {
            od_warn(report, "bone \"%s\": its IK names a bone that the model lacks, so it is left out",
                    target->skeleton.bones[chain->bone].name);
        } else {
            od_warn(report, "IK chain %d belongs to a bone that the model lacks, so it is left out", i);
        }
    }
    target->ik_count = kept;
}

/* Parts of morphs that name a bone or a morph that the model lacks do nothing. */
static void drop_broken_morphs(od_target *target, od_report *report)
{
    int moves = 0, members = 0;
    for (int i = 0; i < target->move_count; i++)
        if (is_bone(target, target->moves[i].bone)) target->moves[moves++] = target->moves[i];
    for (int i = 0; i < target->member_count; i++)
        if (target->members[i].morph >= 0 && target->members[i].morph < target->morph_count)
            target->members[members++] = target->members[i];
    int dropped = target->move_count - moves + target->member_count - members;
    if (dropped)
        od_warn(report, "%d parts of morphs name bones or morphs that the model lacks, so they are left out", dropped);
    target->move_count = moves;
    target->member_count = members;
}

void od_target_relative(od_target *target, const int *tail_bone)
{
    int count = target->skeleton.count;
    od_bone *bones = target->skeleton.bones;
    for (int i = 0; i < count; i++) /* tails first: they need the model's positions */
        if (is_bone(target, tail_bone[i]))
            target->bones[i].tail = glms_vec3_sub(bones[tail_bone[i]].rest.t, bones[i].rest.t);
    for (int i = 0; i < count; i++) bones[i].rest_world.t = bones[i].rest.t;
    for (int i = 0; i < count; i++)
        if (is_bone(target, bones[i].parent))
            bones[i].rest.t = glms_vec3_sub(bones[i].rest_world.t, bones[bones[i].parent].rest_world.t);
}

/* Differences of finite places can be infinite. */
static bool check_places(const od_target *target, od_error *error)
{
    for (int i = 0; i < target->skeleton.count; i++) {
        const od_bone *bone = &target->skeleton.bones[i];
        if (od_vec3_finite(bone->rest.t) && od_vec3_finite(bone->rest_world.t) && od_vec3_finite(target->bones[i].tail))
            continue;
        return od_fail(error, "bone \"%s\": its place or its tail is out of the range of numbers", bone->name);
    }
    return true;
}

static void settle_axes(od_target *target, od_report *report)
{
    for (int i = 0; i < target->skeleton.count; i++) {
        od_target_bone *b = &target->bones[i];
        if (!(b->flags & OD_BONE_FIXED_AXIS)) continue;
        b->fixed_axis = od_vec3_normalize(b->fixed_axis);
        if (glms_vec3_norm(b->fixed_axis) > 0.5F) continue;
        b->flags &= ~(unsigned)OD_BONE_FIXED_AXIS;
        od_warn(report, "bone \"%s\": its fixed axis has no direction, so it is left out",
                target->skeleton.bones[i].name);
    }
}

/* Parents first, else in the model's order: place[old] = new. Each bone is placed behind its chain of
 * parents that are not placed yet. */
static bool order_bones(const od_target *target, int *place, od_arena *arena, od_error *error)
{
    int count = target->skeleton.count, next = 0;
    int *chain = OD_NEW(arena, int, (size_t)count, error);
    if (!chain) return false;
    for (int i = 0; i < count; i++) place[i] = -1;
    for (int i = 0; i < count; i++) {
        int length = 0;
        for (int b = i; b >= 0 && place[b] == -1; b = target->skeleton.bones[b].parent) {
            place[b] = -2; /* on the way */
            chain[length++] = b;
            int parent = target->skeleton.bones[b].parent;
            if (parent >= 0 && place[parent] == -2)
                return od_fail(error, "bone \"%s\" is its own ancestor", target->skeleton.bones[b].name);
        }
        while (length) place[chain[--length]] = next++;
    }
    return true;
}

static bool reorder(od_target *target, const int *place, od_arena *arena, od_error *error)
{
    int count = target->skeleton.count;
    od_bone *bones = OD_NEW(arena, od_bone, (size_t)count, error);
    od_target_bone *more = OD_NEW(arena, od_target_bone, (size_t)count, error);
    if (!bones || !more) return false;
    for (int i = 0; i < count; i++) {
        bones[place[i]] = target->skeleton.bones[i];
        more[place[i]] = target->bones[i];
        od_bone *bone = &bones[place[i]];
        od_target_bone *b = &more[place[i]];
        b->model_index = i;
        if (bone->parent >= 0) bone->parent = place[bone->parent];
        if (b->append_source >= 0) b->append_source = place[b->append_source];
    }
    for (int i = 0; i < target->ik_count; i++) {
        od_ik_chain *chain = &target->ik[i];
        chain->bone = place[chain->bone];
        chain->effector = place[chain->effector];
        for (int k = 0; k < chain->link_count; k++) chain->links[k].bone = place[chain->links[k].bone];
    }
    for (int i = 0; i < target->move_count; i++) target->moves[i].bone = place[target->moves[i].bone];
    target->skeleton.bones = bones;
    target->bones = more;
    return true;
}

/* What decides when a bone is evaluated. */
typedef struct turn {
    int after_physics, deform_order, model_index, bone;
} turn;

static int by_turn(const void *a, const void *b)
{
    const turn *x = a, *y = b;
    if (x->after_physics != y->after_physics) return x->after_physics - y->after_physics;
    if (x->deform_order != y->deform_order) return x->deform_order < y->deform_order ? -1 : 1;
    return x->model_index - y->model_index;
}

static bool order_deform(od_target *target, od_arena *arena, od_error *error)
{
    size_t count = (size_t)target->skeleton.count;
    turn *turns = OD_NEW(arena, turn, count, error);
    target->deform = OD_NEW(arena, int, count, error);
    if (!turns || !target->deform) return false;
    for (size_t i = 0; i < count; i++) {
        const od_target_bone *b = &target->bones[i];
        turns[i] = (turn){(b->flags & OD_BONE_AFTER_PHYSICS) != 0, b->deform_order, b->model_index, (int)i};
    }
    qsort(turns, count, sizeof *turns, by_turn);
    for (size_t i = 0; i < count; i++) target->deform[i] = turns[i].bone;
    return true;
}

static void give_role(od_target *target, int bone, od_role role)
{
    if (role == OD_ROLE_NONE || target->role[role] >= 0 || target->bones[bone].role != OD_ROLE_NONE) return;
    target->role[role] = bone;
    target->bones[bone].role = role;
}

/* A knee turns about X alone, and backwards. */
static bool is_knee(const od_ik_link *link)
{
    const float free = 0.01F; /* radians */
    return link->limited && link->min.x < -1 && link->max.x < free && fabsf(link->min.y) < free &&
           fabsf(link->max.y) < free && fabsf(link->min.z) < free && fabsf(link->max.z) < free;
}

/* Legs of models whose names say nothing: an IK chain that pulls the end of two links, of which the
 * nearer is limited as a knee. The side is where it stands: the left is on +X. */
static void find_legs(od_target *target)
{
    for (int i = 0; i < target->ik_count; i++) {
        const od_ik_chain *chain = &target->ik[i];
        if (chain->link_count != 2 || !is_knee(&chain->links[0])) continue;
        int side = target->skeleton.bones[chain->effector].rest_world.t.x < 0;
        give_role(target, chain->links[1].bone, OD_ROLE_LEG_L + side);
        give_role(target, chain->links[0].bone, OD_ROLE_KNEE_L + side);
        give_role(target, chain->effector, OD_ROLE_ANKLE_L + side);
        give_role(target, chain->bone, OD_ROLE_LEG_IK_L + side);
    }
}

static od_role standard_role(const char *name)
{
    for (int r = 0; r < OD_ROLE_COUNT; r++)
        if (!strcmp(name, od_role_name((od_role)r))) return (od_role)r;
    return OD_ROLE_NONE;
}

/* By standard names, by Japanese names of any spelling, by English ones, by structure: what is surer
 * comes first. Each in the model's order, for of two bones of one name MMD keys the first. */
static bool find_roles(od_target *target, od_arena *arena, od_error *error)
{
    int count = target->skeleton.count;
    int *order = OD_NEW(arena, int, (size_t)count, error); /* order[model_index] = bone */
    if (!order) return false;
    for (int i = 0; i < count; i++) order[target->bones[i].model_index] = i;
    for (int r = 0; r < OD_ROLE_COUNT; r++) target->role[r] = -1;
    for (int i = 0; i < count; i++) target->bones[i].role = OD_ROLE_NONE;
    const od_bone *bones = target->skeleton.bones;
    const od_target_bone *more = target->bones;
    for (int i = 0; i < count; i++) give_role(target, order[i], standard_role(bones[order[i]].name));
    for (int i = 0; i < count; i++)
        if (more[order[i]].role == OD_ROLE_NONE) give_role(target, order[i], od_role_find(bones[order[i]].name));
    for (int i = 0; i < count; i++)
        if (more[order[i]].role == OD_ROLE_NONE) give_role(target, order[i], od_role_find(more[order[i]].name_en));
    find_legs(target);
    return true;
}

typedef struct name {
    const char *text;
    int model_index;
} name;

static int by_name(const void *a, const void *b)
{
    const name *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order ? order : x->model_index - y->model_index;
}

static bool warn_duplicates(const od_target *target, od_report *report, od_arena *arena, od_error *error)
{
    size_t count = (size_t)target->skeleton.count;
    name *names = OD_NEW(arena, name, count, error);
    if (!names) return false;
    for (size_t i = 0; i < count; i++) names[i] = (name){target->skeleton.bones[i].name, target->bones[i].model_index};
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 1; i < count; i++)
        if (!strcmp(names[i].text, names[i - 1].text))
            od_warn(report, "bones %d and %d of the model are both named \"%s\": keys go to the first",
                    names[i - 1].model_index, names[i].model_index, names[i].text);
    return true;
}

bool od_target_finish(od_target *target, od_report *report, od_arena *arena, od_error *error)
{
    if (target->skeleton.count < 1) return od_fail(error, "the model has no bones");
    int *place = OD_NEW(arena, int, (size_t)target->skeleton.count, error);
    if (!place || !check_indices(target, error)) return false;
    drop_broken_chains(target, report);
    drop_broken_morphs(target, report);
    if (!order_bones(target, place, arena, error) || !reorder(target, place, arena, error)) return false;
    for (int i = 0; i < target->skeleton.count; i++) target->bones[i].ik = -1;
    for (int i = target->ik_count; i--;) target->bones[target->ik[i].bone].ik = i;
    od_skeleton_finish(&target->skeleton);
    if (!check_places(target, error)) return false;
    settle_axes(target, report);
    return find_roles(target, arena, error) && order_deform(target, arena, error) &&
           warn_duplicates(target, report, arena, error);
}

float od_target_height(const od_target *target)
{
    int head = target->role[OD_ROLE_HEAD];
    return head >= 0 ? target->skeleton.bones[head].rest_world.t.y : 0;
}
