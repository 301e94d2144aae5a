/* Input: goals of the ankles. Output: FK keys of 足, ひざ, 足首 that reach them, and keys of 足ＩＫ
 * and つま先ＩＫ at exactly those places: an IK solver that starts from the FK pose is done at once,
 * so every player shows the same knee. */
#include "retarget/solution.h"

static const float PI_F = 3.14159265f;
static const float STRAIGHT = -0.00872664626f; /* -0.5 degrees: MMD's usual knee limit */

/* The knee's limits from the IK chain that holds it. */
od_leg od_leg_of(const od_plan *plan, int side)
{
    const od_target *target = plan->target;
    const od_leg_bones *b = &plan->legs[side];
    const od_bone *bones = target->skeleton.bones;
    float low = -PI_F, high = STRAIGHT;
    for (int i = 0; i < target->ik_count; i++)
        for (int k = 0; k < target->ik[i].link_count; k++) {
            const od_ik_link *link = &target->ik[i].links[k];
            if (link->bone != b->knee || !link->limited || !(link->min.x < link->max.x)) continue;
            low = fmaxf(link->min.x, -PI_F);
            high = link->max.x;
        }
    return od_leg_make(glms_vec3_sub(bones[b->knee].rest_world.t, bones[b->leg].rest_world.t),
                       glms_vec3_sub(bones[b->ankle].rest_world.t, bones[b->knee].rest_world.t), low, high);
}

/* The wanted hinge. A bent leg shows it: the normal of the plane of thigh and shin. A straight one
 * does not; there the thigh's own X axis says how it is turned, as always in legs like ours. */
static vec3s hinge_of(const od_leg_frame *leg, bool copied)
{
    vec3s own = od_quat_rotate(leg->thigh, od_vec3(1, 0, 0));
    if (copied) return own;
    vec3s thigh = glms_vec3_sub(leg->knee, leg->hip), shin = glms_vec3_sub(leg->ankle, leg->knee);
    vec3s normal = od_vec3_normalize(glms_vec3_cross(shin, thigh));
    float along = glms_vec3_dot(normal, own);
    if (along < 0) normal = glms_vec3_negate(normal);
    float bend = od_vec3_angle(thigh, shin) * 57.2957795f;
    float t = fminf(fmaxf((bend - 3) / 12, 0), 1);
    /* A normal across the own axis says nothing, and its sign would flip from frame to frame. */
    float sure = fminf(2 * fabsf(along), 1);
    return glms_vec3_lerp(own, normal, t * t * (3 - 2 * t) * sure * sure * (3 - 2 * sure));
}

/* Knees that bend forwards a little: models may allow it, and a leg that is copied whole does it. */
static bool is_forwards(const od_leg_frame *leg)
{
    vec3s thigh = glms_vec3_sub(leg->knee, leg->hip), shin = glms_vec3_sub(leg->ankle, leg->knee);
    return glms_vec3_dot(glms_vec3_cross(shin, thigh), od_quat_rotate(leg->thigh, od_vec3(1, 0, 0))) < 0;
}

static void solve_leg(od_solution *solution, const od_leg *leg, int side, int frame, vec3s goal)
{
    const od_plan *plan = solution->plan;
    const od_leg_bones *b = &plan->legs[side];
    const od_leg_frame *source = &solution->legs[side][frame];
    od_xform hip = od_solution_world(solution, b->leg, frame);
    versors above = od_solution_world(solution, plan->target->skeleton.bones[b->leg].parent, frame).q;
    od_leg_pose pose = od_leg_solve(leg, glms_vec3_sub(goal, hip.t), hinge_of(source, solution->copied),
                                    solution->copied && is_forwards(source));
    versors knee = od_quat_axis_angle(od_vec3(1, 0, 0), pose.knee);
    versors shin = od_quat_mul(pose.thigh, knee);
    solution->rotation[b->leg][frame] = od_quat_normalize(od_quat_mul(od_quat_conj(above), pose.thigh));
    solution->rotation[b->knee][frame] = knee;
    solution->rotation[b->ankle][frame] = od_quat_normalize(od_quat_mul(od_quat_conj(shin), source->foot));
}

/* Key of a bone so that its world is at `at`, turned by `q`, whatever it hangs on. */
static void key_world(od_solution *solution, int bone, int frame, vec3s at, versors q)
{
    const od_bone *b = &solution->plan->target->skeleton.bones[bone];
    od_xform above = od_solution_world(solution, b->parent, frame);
    vec3s local = od_quat_rotate(od_quat_conj(above.q), glms_vec3_sub(at, above.t));
    solution->position[bone][frame] = glms_vec3_sub(local, b->rest.t);
    solution->rotation[bone][frame] = od_quat_normalize(od_quat_mul(od_quat_conj(above.q), q));
}

/* Rest position of the bone that an IK bone pulls; of the IK bone itself when it has no chain. */
static vec3s effector_rest(const od_target *target, int ik)
{
    int chain = target->bones[ik].ik;
    return target->skeleton.bones[chain >= 0 ? target->ik[chain].effector : ik].rest_world.t;
}

static bool make_arrays(od_solution *solution, int bone, od_arena *arena, od_error *error)
{
    if (bone < 0) return true;
    solution->keyed[bone] = true;
    return od_solution_rotation(solution, bone, arena, error) && od_solution_position(solution, bone, arena, error);
}

bool od_solve_legs(od_solution *solution, const od_footing *footing, od_arena *arena, od_error *error)
{
    const od_plan *plan = solution->plan;
    const od_target *target = plan->target;
    bool with_ik = plan->options->legs != OD_LEGS_FK;
    for (int side = 0; side < 2; side++) {
        const od_leg_bones *b = &plan->legs[side];
        od_leg leg = od_leg_of(plan, side);
        if (with_ik &&
            (!make_arrays(solution, b->leg_ik, arena, error) || !make_arrays(solution, b->toe_ik, arena, error)))
            return false;
        vec3s ankle_rest = target->skeleton.bones[b->ankle].rest_world.t;
        vec3s toe = b->toe_ik >= 0 ? glms_vec3_sub(effector_rest(target, b->toe_ik), ankle_rest) : od_vec3(0, 0, 0);
        for (int f = 0; f < solution->frames; f++) {
            solve_leg(solution, &leg, side, f, footing->goal[side][f]);
            if (!with_ik || b->leg_ik < 0) continue;
            versors foot = solution->legs[side][f].foot;
            vec3s ankle = od_solution_world(solution, b->ankle, f).t;
            key_world(solution, b->leg_ik, f, ankle, foot);
            if (b->toe_ik < 0) continue;
            versors with = od_solution_world(solution, target->skeleton.bones[b->toe_ik].parent, f).q;
            key_world(solution, b->toe_ik, f, glms_vec3_add(ankle, od_quat_rotate(foot, toe)), with);
        }
        if (plan->options->legs == OD_LEGS_IK && b->leg_ik >= 0)
            solution->keyed[b->leg] = solution->keyed[b->knee] = solution->keyed[b->ankle] = false;
    }
    return true;
}
