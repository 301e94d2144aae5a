/* Input: rotations and offsets of keys. Output: worlds of all bones.
 * Bones are visited before physics, then after it, each by its layer, then by its place in the model;
 * append and IK take effect when their bone is visited. What comes too late for a bone that was visited
 * before is not seen by it, as in MMD. Physics is not played. */
#include "mmd/pose.h"

#include "mmd/append.h"

/* Links of a chain that lie between its effector and the root, from the effector outwards; `below` is
 * the last bone that hangs on the outermost one. */
typedef struct od_plan {
    int *links; /* indices in the target's chain */
    int count;
    int outermost, below;
    int next; /* chain of the same IK bone (a PMD may have several), -1: none */
} od_plan;

/* Places further out than this are as good as nowhere; within it no sum or square overflows. */
static const float FARTHEST = 1e12F;

static float bounded(float x)
{
    return x < FARTHEST ? (x > -FARTHEST ? x : -FARTHEST) : FARTHEST; /* not a number: the farthest, too */
}

static vec3s bounded_place(vec3s v)
{
    return od_vec3(bounded(v.x), bounded(v.y), bounded(v.z));
}

/* ---- plan ------------------------------------------------------------------------------------- */

/* `link` is room for an index of each bone, all -1. */
static bool plan_chain(const od_skeleton *skeleton, const od_ik_chain *chain, int *link, od_plan *plan, od_arena *arena,
                       od_error *error)
{
    plan->links = OD_NEW(arena, int, (size_t)chain->link_count, error);
    if (!plan->links) return false;
    for (int k = chain->link_count; k--;) link[chain->links[k].bone] = k;
    plan->outermost = -1;
    for (int b = chain->effector; b >= 0 && plan->count < chain->link_count; b = skeleton->bones[b].parent) {
        if (link[b] < 0) continue;
        plan->links[plan->count++] = link[b];
        plan->outermost = b;
    }
    for (int k = chain->link_count; k--;) link[chain->links[k].bone] = -1;
    return true;
}

/* Does the bone need what is evaluated after it? */
static bool is_early(const od_pose *pose, int bone)
{
    const od_target_bone *b = &pose->target->bones[bone];
    int parent = pose->target->skeleton.bones[bone].parent;
    if (parent >= 0 && pose->place[parent] > pose->place[bone]) return true;
    bool local = (b->flags & OD_BONE_APPEND_LOCAL) && b->append_source >= 0;
    if (local && pose->place[b->append_source] > pose->place[bone]) return true;
    for (int chain = b->ik; chain >= 0; chain = pose->chains[chain].next) {
        int outermost = pose->chains[chain].outermost;
        int base = outermost < 0 ? -1 : pose->target->skeleton.bones[outermost].parent;
        if (base >= 0 && pose->place[base] > pose->place[bone]) return true;
    }
    return false;
}

/* last[b]: the last bone that hangs on b. */
static void find_last(const od_skeleton *skeleton, int *last)
{
    for (int b = 0; b < skeleton->count; b++) last[b] = b;
    for (int b = skeleton->count - 1; b >= 0; b--) {
        int parent = skeleton->bones[b].parent;
        if (parent >= 0 && last[parent] < last[b]) last[parent] = last[b];
    }
}

static bool plan_chains(od_pose *pose, od_arena *arena, od_error *error)
{
    const od_target *target = pose->target;
    size_t bones = (size_t)target->skeleton.count, longest = 0;
    int *link = OD_NEW(arena, int, bones, error), *last = OD_NEW(arena, int, bones, error);
    if (!link || !last) return false;
    for (size_t b = 0; b < bones; b++) link[b] = -1;
    find_last(&target->skeleton, last);
    for (int i = 0; i < target->ik_count; i++) {
        od_plan *plan = &pose->chains[i];
        if (!plan_chain(&target->skeleton, &target->ik[i], link, plan, arena, error)) return false;
        if ((size_t)plan->count > longest) longest = (size_t)plan->count;
        if (plan->count) plan->below = last[plan->outermost];
    }
    for (int i = target->ik_count; i--;) { /* `link`, all -1 again, now holds the chain met last */
        pose->chains[i].next = link[target->ik[i].bone];
        link[target->ik[i].bone] = i;
    }
    pose->joints = OD_NEW(arena, od_ik_joint, longest, error);
    pose->rotation = OD_NEW(arena, versors, longest, error);
    return pose->joints && pose->rotation;
}

bool od_pose_make(od_pose *pose, const od_target *target, od_arena *arena, od_error *error)
{
    *pose = (od_pose){.target = target};
    size_t count = (size_t)target->skeleton.count, chains = (size_t)target->ik_count;
    pose->key = OD_NEW(arena, od_xform, count, error);
    pose->mixed = OD_NEW(arena, od_xform, count, error);
    pose->turn = OD_NEW(arena, versors, count, error);
    pose->local = OD_NEW(arena, od_xform, count, error);
    pose->world = OD_NEW(arena, od_xform, count, error);
    pose->place = OD_NEW(arena, int, count, error);
    pose->moved = OD_NEW(arena, bool, count, error);
    pose->chains = OD_NEW(arena, od_plan, chains, error);
    pose->outcome = OD_NEW(arena, od_ik_outcome, chains, error);
    if (!pose->key || !pose->mixed || !pose->turn || !pose->local || !pose->world || !pose->place || !pose->moved ||
        !pose->chains || !pose->outcome)
        return false;
    for (int i = 0; i < target->skeleton.count; i++) {
        pose->place[target->deform[i]] = i;
        pose->key[i] = od_xform_identity();
    }
    if (!plan_chains(pose, arena, error)) return false;
    for (int b = 0; b < target->skeleton.count; b++) pose->early |= is_early(pose, b);
    return true;
}

/* ---- evaluation ------------------------------------------------------------------------------- */

/* World of a bone from the world of its parent. */
static void place_bone(od_pose *pose, int bone)
{
    const od_bone *b = &pose->target->skeleton.bones[bone];
    const od_xform *mixed = &pose->mixed[bone];
    od_xform local = {.q = od_quat_mul(pose->turn[bone], mixed->q),
                      .t = bounded_place(glms_vec3_add(b->rest.t, mixed->t))};
    pose->local[bone] = local;
    if (b->parent >= 0) local = od_xform_mul(pose->world[b->parent], local);
    pose->world[bone] = (od_xform){.q = od_quat_settle(local.q), .t = bounded_place(local.t)};
}

static void evaluate_bone(od_pose *pose, int bone)
{
    pose->mixed[bone] = od_append(pose, bone);
    place_bone(pose, bone);
}

/* The chain as the solver takes it. The solver's frames are those of the links; bones between them are
 * folded into `rest`. */
static od_ik_task make_task(od_pose *pose, const od_ik_chain *chain, const od_plan *plan)
{
    const od_bone *bones = pose->target->skeleton.bones;
    od_ik_task task = {.joints = pose->joints,
                       .count = plan->count,
                       .goal = pose->world[chain->bone].t,
                       .loops = chain->loops,
                       .limit = chain->limit};
    od_xform folded = od_xform_identity();
    int bone = chain->effector;
    for (int i = 0; i < plan->count; i++) {
        const od_ik_link *link = &chain->links[plan->links[i]];
        for (; bone != link->bone; bone = bones[bone].parent) folded = od_xform_mul(pose->local[bone], folded);
        if (i) pose->joints[i - 1].rest = folded;
        else task.effector = folded.t;
        folded = (od_xform){.q = od_quat_identity(), .t = pose->local[bone].t};
        pose->joints[i] = (od_ik_joint){
            .rest = folded, .local = pose->mixed[bone].q, .limited = link->limited, .min = link->min, .max = link->max};
        bone = bones[bone].parent;
    }
    task.base = bone >= 0 ? pose->world[bone] : od_xform_identity();
    return task;
}

/* Bones on the way from the effector to the outermost link that have not been visited yet. */
static void hasten(od_pose *pose, const od_ik_chain *chain, const od_plan *plan)
{
    const od_bone *bones = pose->target->skeleton.bones;
    for (int b = chain->effector; b >= plan->outermost; b = bones[b].parent)
        if (pose->place[b] > pose->place[chain->bone]) evaluate_bone(pose, b);
}

/* What was visited already of that which hangs on the outermost link. */
static void refresh(od_pose *pose, const od_ik_chain *chain, const od_plan *plan)
{
    const od_bone *bones = pose->target->skeleton.bones;
    for (int b = plan->outermost; b <= plan->below; b++) {
        pose->moved[b] = b == plan->outermost || (bones[b].parent >= plan->outermost && pose->moved[bones[b].parent]);
        if (pose->moved[b] && pose->place[b] < pose->place[chain->bone]) evaluate_bone(pose, b);
    }
}

static void solve(od_pose *pose, int index, od_ik_start start)
{
    const od_ik_chain *chain = &pose->target->ik[index];
    const od_plan *plan = &pose->chains[index];
    if (plan->count < 1) {
        pose->outcome[index].residual = glms_vec3_distance(pose->world[chain->effector].t, pose->world[chain->bone].t);
        return;
    }
    hasten(pose, chain, plan);
    od_ik_task task = make_task(pose, chain, plan);
    task.start = start;
    pose->outcome[index] = od_ik_solve(&task, pose->rotation);
    bool changed = false;
    for (int i = 0; i < plan->count; i++) {
        versors *turn = &pose->turn[chain->links[plan->links[i]].bone];
        changed |= !od_quat_same(*turn, pose->rotation[i]);
        *turn = pose->rotation[i];
    }
    if (changed) refresh(pose, chain, plan);
}

void od_pose_evaluate(od_pose *pose, const bool *on, od_ik_start start)
{
    const od_target *target = pose->target;
    int count = target->skeleton.count;
    for (int b = 0; b < count; b++) {
        pose->key[b].t = bounded_place(pose->key[b].t);
        pose->mixed[b] = pose->key[b];
        pose->turn[b] = od_quat_identity();
    }
    if (pose->early) /* what a bone sees of those that come later: keys alone */
        for (int b = 0; b < count; b++) place_bone(pose, b);
    for (int i = 0; i < count; i++) {
        int bone = target->deform[i];
        evaluate_bone(pose, bone);
        for (int chain = target->bones[bone].ik; chain >= 0; chain = pose->chains[chain].next) {
            pose->outcome[chain] = (od_ik_outcome){0};
            if (on[chain]) solve(pose, chain, start);
        }
    }
}
