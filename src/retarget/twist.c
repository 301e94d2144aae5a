/* Input: solved arms. Output: the same poses with the twist of the upper arm in 腕捩 and that of
 * forearm and hand in 手捩, so that the skin of wrists and shoulders does not wring.
 * Invariant: the directions of upper arm and forearm and the worlds of ひじ and 手首 do not change. */
#include "retarget/solution.h"

static const float PI_F = 3.14159265f;
static const float LIMIT = 2.9670597f; /* 170 degrees: the short path between keys stays the right one */
static const float REACH = 4.3633231f; /* 250 degrees: an angle may run on so far before it wraps */

/* The next of a series of twists: the angle nearest to the previous one, for the helpers of a twist
 * bone take a share of it (a jump from 179 to -179 degrees would be a jump of theirs by 90). */
static float unwrap(versors q, vec3s axis, float previous)
{
    float d = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    if (d * d + q.w * q.w < 1e-3f) return previous; /* a swing of 180 degrees has no twist */
    float angle = od_quat_twist_angle(q, axis);
    float best = angle;
    for (int turn = -1; turn <= 1; turn++) {
        float candidate = angle + 2 * PI_F * (float)turn;
        if (fabsf(candidate) <= REACH && fabsf(candidate - previous) < fabsf(best - previous)) best = candidate;
    }
    return best;
}

static float limit(float angle)
{
    return fminf(fmaxf(angle, -LIMIT), LIMIT);
}

static vec3s twist_axis(const od_target *target, int twist, int from, int to)
{
    if (target->bones[twist].flags & OD_BONE_FIXED_AXIS) return od_vec3_normalize(target->bones[twist].fixed_axis);
    const od_bone *bones = target->skeleton.bones;
    return od_vec3_normalize(glms_vec3_sub(bones[to].rest_world.t, bones[from].rest_world.t));
}

/* q * R(axis, angle) */
static versors turned(versors q, vec3s axis, float angle)
{
    return od_quat_normalize(od_quat_mul(q, od_quat_axis_angle(axis, angle)));
}

/* A limb with its twist bone, at rest. */
typedef struct limb {
    vec3s axis;   /* of the twist */
    vec3s first;  /* from the limb's head to the twist bone */
    vec3s second; /* from there to the limb's end */
} limb;

static limb limb_of(const od_target *target, int from, int twist, int to)
{
    const od_bone *bones = target->skeleton.bones;
    return (limb){.axis = twist_axis(target, twist, from, to),
                  .first = glms_vec3_sub(bones[twist].rest_world.t, bones[from].rest_world.t),
                  .second = glms_vec3_sub(bones[to].rest_world.t, bones[twist].rest_world.t)};
}

/* `swing` turned so that the limb's end points to `want`. In models whose twist bone stands beside the
 * line of the limb the twist would move the end off it, by up to 10 degrees in one that is in use. */
static versors aim(const limb *l, versors swing, versors twist, vec3s want)
{
    vec3s have = od_quat_rotate(swing, glms_vec3_add(l->first, od_quat_rotate(twist, l->second)));
    if (glms_vec3_norm(have) < 1e-6f || glms_vec3_norm(want) < 1e-6f) return swing;
    return od_quat_normalize(od_quat_mul(od_quat_from_to(have, want), swing));
}

static bool split_upper(od_solution *solution, int arm, int twist, int elbow, od_arena *arena, od_error *error)
{
    const od_target *target = solution->plan->target;
    limb l = limb_of(target, arm, twist, elbow);
    versors *upper = solution->rotation[arm], *lower = solution->rotation[elbow];
    versors *t = od_solution_rotation(solution, twist, arena, error);
    if (!t) return false;
    solution->keyed[twist] = true;
    float angle = 0;
    for (int f = 0; f < solution->frames; f++) {
        vec3s end = od_quat_rotate(upper[f], glms_vec3_add(l.first, l.second));
        versors whole = od_quat_mul(upper[f], t[f]);
        angle = unwrap(whole, l.axis, angle);
        t[f] = od_quat_axis_angle(l.axis, limit(angle));
        upper[f] = aim(&l, turned(whole, l.axis, -limit(angle)), t[f], end);
        versors above = od_quat_mul(upper[f], t[f]);
        lower[f] = od_quat_normalize(od_quat_mul(od_quat_conj(above), od_quat_mul(whole, lower[f])));
    }
    return true;
}

static bool split_lower(od_solution *solution, int elbow, int twist, int wrist, bool driven, od_arena *arena,
                        od_error *error)
{
    const od_target *target = solution->plan->target;
    limb l = limb_of(target, elbow, twist, wrist);
    versors *lower = solution->rotation[elbow], *hand = solution->rotation[wrist];
    versors *t = od_solution_rotation(solution, twist, arena, error);
    if (!t) return false;
    solution->keyed[twist] = true;
    float angle = 0, roll = 0;
    for (int f = 0; f < solution->frames; f++) {
        vec3s end = od_quat_rotate(lower[f], glms_vec3_add(l.first, l.second));
        versors world = od_quat_mul(od_quat_mul(lower[f], t[f]), hand[f]);
        roll = unwrap(lower[f], l.axis, roll);
        versors forearm = od_quat_mul(od_quat_axis_angle(l.axis, roll), t[f]);
        angle = unwrap(driven ? forearm : od_quat_mul(forearm, hand[f]), l.axis, angle);
        t[f] = od_quat_axis_angle(l.axis, limit(angle));
        lower[f] = aim(&l, turned(lower[f], l.axis, -roll), t[f], end);
        versors above = od_quat_mul(lower[f], t[f]);
        hand[f] = od_quat_normalize(od_quat_mul(od_quat_conj(above), world));
    }
    return true;
}

bool od_split_twist(od_solution *solution, od_arena *arena, od_error *error)
{
    const od_plan *plan = solution->plan;
    const od_target *target = plan->target;
    for (int side = 0; side < 2; side++) {
        int arm = target->role[OD_ROLE_ARM_L + side], arm_twist = target->role[OD_ROLE_ARM_TWIST_L + side];
        int elbow = target->role[OD_ROLE_ELBOW_L + side], wrist_twist = target->role[OD_ROLE_WRIST_TWIST_L + side];
        int wrist = target->role[OD_ROLE_WRIST_L + side];
        if (arm < 0 || elbow < 0 || !solution->rotation[arm] || !solution->rotation[elbow]) continue;
        if (arm_twist >= 0 && od_skeleton_is_below(&target->skeleton, arm_twist, arm) &&
            od_skeleton_is_below(&target->skeleton, elbow, arm_twist) &&
            plan->driver[arm_twist].kind != OD_DRIVE_APPEND &&
            !split_upper(solution, arm, arm_twist, elbow, arena, error))
            return false;
        if (wrist < 0 || !solution->rotation[wrist] || wrist_twist < 0) continue;
        if (od_skeleton_is_below(&target->skeleton, wrist_twist, elbow) &&
            od_skeleton_is_below(&target->skeleton, wrist, wrist_twist) &&
            plan->driver[wrist_twist].kind != OD_DRIVE_APPEND &&
            !split_lower(solution, elbow, wrist_twist, wrist, plan->driver[wrist_twist].kind == OD_DRIVE_SOURCE, arena,
                         error))
            return false;
    }
    return true;
}
