/* Input: a binding and a target. Output: for every bone of the target who drives it, the bones to
 * evaluate, and the bones that carry travel. Spines of different length are matched here. */
#include "retarget/plan.h"

/* Bones that dancers and models use for themselves: a key there would be undone or doubled by the
 * model's own appends (users: both 足 and 足D keyed; 肩P driven, cancelled by 肩C). */
static bool left_alone(od_role role)
{
    bool own = role == OD_ROLE_SHOULDER_P_L || role == OD_ROLE_SHOULDER_P_R || role == OD_ROLE_VIEW_CENTER;
    bool effector = role == OD_ROLE_TOE_L || role == OD_ROLE_TOE_R;
    return own || effector || od_role_follows(role) || od_role_is_leg_ik(role);
}

static bool can_key(const od_target *target, int bone)
{
    const od_target_bone *b = &target->bones[bone];
    return b->ik < 0 && !(b->flags & OD_BONE_APPEND_ROTATION) && !left_alone(b->role);
}

static void drive(od_plan *plan, int bone, int source)
{
    if (bone < 0 || source < 0 || !can_key(plan->target, bone)) return;
    plan->driver[bone] = (od_driver){.kind = OD_DRIVE_SOURCE,
                                     .source = source,
                                     .source2 = -1,
                                     .offset = od_quat_identity(),
                                     .offset2 = od_quat_identity(),
                                     .end = -1};
}

/* Share of the way from the hips to the neck, along the chain. */
static float spine_height(vec3s foot, vec3s at, vec3s top)
{
    vec3s whole = glms_vec3_sub(top, foot);
    float size = glms_vec3_dot(whole, whole);
    return size > 1e-12f ? glms_vec3_dot(glms_vec3_sub(at, foot), whole) / size : 0;
}

/* A spine bone of the target between two of the source: the rotation in between. */
static void drive_between(od_plan *plan, int bone, float height, const int *joints, const float *heights, int count)
{
    int upper = 0;
    while (upper < count - 1 && heights[upper] < height) upper++;
    int lower = upper > 0 ? upper - 1 : 0;
    drive(plan, bone, joints[lower]);
    float span = heights[upper] - heights[lower];
    if (upper == lower || span <= 1e-6f) return;
    plan->driver[bone].source2 = joints[upper];
    plan->driver[bone].mix = fminf(fmaxf((height - heights[lower]) / span, 0), 1);
}

/* The spine. Equal numbers: one to one. Fewer bones: the last takes the top joint, for the shoulders
 * must follow it. More bones: those between take their share by height. One joint: the first. */
static void drive_spine(od_plan *plan)
{
    const od_target *target = plan->target;
    const int *source_of = plan->binding->source_of_role;
    int joints[3], bones[3], n = 0, m = 0;
    for (int i = 0; i < 3; i++) {
        od_role role = OD_ROLE_UPPER_BODY + i;
        if (source_of[role] >= 0) joints[n++] = source_of[role];
        int bone = target->role[role];
        if (bone >= 0 && can_key(target, bone)) bones[m++] = bone;
    }
    if (!n || !m) return;
    if (n < m && n > 1) {
        int neck = source_of[OD_ROLE_NECK] >= 0 ? source_of[OD_ROLE_NECK] : source_of[OD_ROLE_HEAD];
        int neck_bone = target->role[OD_ROLE_NECK] >= 0 ? target->role[OD_ROLE_NECK] : target->role[OD_ROLE_HEAD];
        const od_xform *world = plan->rest->world;
        const od_bone *rest = target->skeleton.bones;
        vec3s top = world[neck >= 0 ? neck : joints[n - 1]].t;
        vec3s top_bone = rest[neck_bone >= 0 ? neck_bone : bones[m - 1]].rest_world.t;
        float heights[3];
        for (int i = 0; i < n; i++) heights[i] = spine_height(world[joints[0]].t, world[joints[i]].t, top);
        for (int i = 0; i < m - 1; i++) {
            float h = spine_height(rest[bones[0]].rest_world.t, rest[bones[i]].rest_world.t, top_bone);
            drive_between(plan, bones[i], h, joints, heights, n);
        }
        drive(plan, bones[m - 1], joints[n - 1]);
        return;
    }
    for (int i = 0; i < m && i < n; i++) drive(plan, bones[i], joints[i == m - 1 ? n - 1 : i]);
}

/* Arms and forearms whose twist bones are driven too. */
static void find_ends(od_plan *plan)
{
    static const od_role limbs[][3] = {{OD_ROLE_ARM_L, OD_ROLE_ARM_TWIST_L, OD_ROLE_ELBOW_L},
                                       {OD_ROLE_ELBOW_L, OD_ROLE_WRIST_TWIST_L, OD_ROLE_WRIST_L}};
    const int *bone = plan->target->role;
    for (int i = 0; i < 4; i++) {
        const od_role *limb = limbs[i / 2];
        int arm = bone[limb[0] + i % 2], twist = bone[limb[1] + i % 2];
        if (arm >= 0 && twist >= 0 && plan->driver[twist].kind == OD_DRIVE_SOURCE)
            plan->driver[arm].end = plan->binding->source_of_role[limb[2] + i % 2];
    }
}

static void drive_all(od_plan *plan)
{
    const od_binding *binding = plan->binding;
    const od_target *target = plan->target;
    for (int r = 0; r < OD_ROLE_COUNT; r++) {
        if (r >= OD_ROLE_UPPER_BODY && r <= OD_ROLE_UPPER_BODY3) continue;
        drive(plan, target->role[r], binding->source_of_role[r]);
    }
    drive_spine(plan);
    find_ends(plan);
    for (int i = 0; i < binding->count; i++) {
        const od_bound *row = &binding->rows[i];
        if (row->role == OD_ROLE_NONE && row->use & OD_USE_ROTATION) drive(plan, row->bone, row->source);
    }
    for (int side = 0; side < 2; side++) { /* a source that maps its toes to つま先 means the toes */
        int bone = target->role[OD_ROLE_TOE_EX_L + side];
        if (bone >= 0 && plan->driver[bone].kind == OD_DRIVE_NONE)
            drive(plan, bone, binding->source_of_role[OD_ROLE_TOE_L + side]);
    }
    for (int b = 0; b < target->skeleton.count; b++) {
        const od_target_bone *bone = &target->bones[b];
        if (plan->driver[b].kind == OD_DRIVE_NONE && bone->flags & OD_BONE_APPEND_ROTATION && bone->append_source >= 0)
            plan->driver[b].kind = OD_DRIVE_APPEND;
    }
}

static int first_of(const od_target *target, const od_role *roles, int count)
{
    for (int i = 0; i < count; i++)
        if (target->role[roles[i]] >= 0) return target->role[roles[i]];
    return -1;
}

/* Do trunk and legs, what the model has of them, hang on a bone? */
static bool carries_body(const od_target *target, int carrier)
{
    static const od_role body[] = {OD_ROLE_UPPER_BODY, OD_ROLE_LOWER_BODY, OD_ROLE_LEG_L, OD_ROLE_LEG_R};
    for (size_t i = 0; i < sizeof body / sizeof *body; i++) {
        int bone = target->role[body[i]];
        if (bone >= 0 && !od_skeleton_is_below(&target->skeleton, bone, carrier)) return false;
    }
    return true;
}

/* Models without センター, グルーブ and 全ての親 may have a bone of another name in their place. */
static void find_travel(od_plan *plan, od_report *report)
{
    static const od_role carriers[] = {OD_ROLE_CENTER, OD_ROLE_GROOVE, OD_ROLE_MOTHER},
                         hips[] = {OD_ROLE_LOWER_BODY, OD_ROLE_UPPER_BODY, OD_ROLE_LEG_L};
    const od_target *target = plan->target;
    plan->travel = first_of(target, carriers, 3);
    for (int b = first_of(target, hips, 3); plan->travel < 0 && b >= 0; b = target->skeleton.bones[b].parent)
        if (carries_body(target, b)) plan->travel = b;
    if (plan->travel < 0) plan->travel = first_of(target, hips, 1);
    if (plan->travel < 0) plan->travel = 0;
    if (!carries_body(target, plan->travel))
        od_warn(report, "no bone of the target carries both trunk and legs: travel moves \"%s\" and what hangs on it",
                target->skeleton.bones[plan->travel].name);
    plan->travel_plane = plan->travel_height = plan->travel;
    if (plan->options->mother && target->role[OD_ROLE_MOTHER] >= 0) plan->travel_plane = target->role[OD_ROLE_MOTHER];
    if (plan->options->groove && target->role[OD_ROLE_GROOVE] >= 0) plan->travel_height = target->role[OD_ROLE_GROOVE];
}

static void find_legs(od_plan *plan)
{
    const int *role = plan->target->role;
    plan->has_legs = true;
    for (int side = 0; side < 2; side++) {
        plan->legs[side] = (od_leg_bones){.leg = role[OD_ROLE_LEG_L + side],
                                          .knee = role[OD_ROLE_KNEE_L + side],
                                          .ankle = role[OD_ROLE_ANKLE_L + side],
                                          .toe = role[OD_ROLE_TOE_L + side],
                                          .toe_ex = role[OD_ROLE_TOE_EX_L + side],
                                          .leg_ik = role[OD_ROLE_LEG_IK_L + side],
                                          .toe_ik = role[OD_ROLE_TOE_IK_L + side]};
        const od_leg_bones *l = &plan->legs[side];
        bool driven = true;
        for (int i = 0; i < 3; i++) {
            int bone = role[OD_ROLE_LEG_L + 2 * i + side];
            driven = driven && bone >= 0 && plan->driver[bone].kind == OD_DRIVE_SOURCE;
        }
        plan->has_legs = plan->has_legs && driven && l->leg < l->knee && l->knee < l->ankle;
    }
}

static bool list_active(od_plan *plan, od_arena *arena, od_error *error)
{
    const od_target *target = plan->target;
    int count = target->skeleton.count;
    bool *wanted = OD_NEW(arena, bool, (size_t)count, error);
    plan->active = OD_NEW(arena, int, (size_t)count, error);
    if (!wanted || !plan->active) return false;
    wanted[plan->travel] = wanted[plan->travel_plane] = wanted[plan->travel_height] = true;
    for (int b = 0; b < count; b++) wanted[b] = wanted[b] || plan->driver[b].kind == OD_DRIVE_SOURCE;
    for (int side = 0; side < 2; side++) {
        if (plan->legs[side].leg_ik >= 0) wanted[plan->legs[side].leg_ik] = true;
        if (plan->legs[side].toe_ik >= 0) wanted[plan->legs[side].toe_ik] = true;
    }
    for (int b = count - 1; b >= 0; b--) {
        int parent = target->skeleton.bones[b].parent;
        if (!wanted[b]) continue;
        if (parent >= 0) wanted[parent] = true;
        int append = plan->driver[b].kind == OD_DRIVE_APPEND ? target->bones[b].append_source : -1;
        if (append >= 0 && append < b) wanted[append] = true;
    }
    for (int b = 0; b < count; b++)
        if (wanted[b]) plan->active[plan->active_count++] = b;
    return true;
}

bool od_plan_chains(od_plan *plan, od_report *report, od_arena *arena, od_error *error)
{
    int count = plan->target->skeleton.count;
    plan->driver = OD_NEW(arena, od_driver, (size_t)count, error);
    if (!plan->driver) return false;
    for (int r = 0; r < OD_ROLE_COUNT; r++) plan->joint[r] = plan->binding->source_of_role[r];
    drive_all(plan);
    find_travel(plan, report);
    find_legs(plan);
    if (!plan->has_legs) od_warn(report, "the target's legs are not whole: feet are not placed, no IK keys are made");
    return list_active(plan, arena, error);
}
