/* Input: solved rotations, the source's hips. Output: travel keys that put the middle of the hip
 * joints where the source has it, scaled to the target's legs.
 *
 * MMD splits the pelvis: 下半身 turns about its own pivot high above the hip joints, so the travel
 * is found from where the joints are, not from the hips' node. */

#include "math/rank.h"
#include "retarget/solution.h"

static float leg_length(vec3s leg, vec3s knee, vec3s ankle)
{
    return glms_vec3_distance(leg, knee) + glms_vec3_distance(knee, ankle);
}

/* Length of the legs at rest, mean of both sides; `hip` adds the ways hips to thigh and foot to toe. */
static float source_legs(const od_plan *plan, bool hip)
{
    const od_xform *rest = plan->rest->world;
    int hips = plan->binding->translation_source;
    float sum = 0;
    for (int side = 0; side < 2; side++) {
        vec3s leg = rest[plan->joint[OD_ROLE_LEG_L + side]].t, ankle = rest[plan->joint[OD_ROLE_ANKLE_L + side]].t;
        sum += leg_length(leg, rest[plan->joint[OD_ROLE_KNEE_L + side]].t, ankle);
        if (!hip) continue;
        if (hips >= 0) sum += glms_vec3_distance(rest[hips].t, leg);
        if (plan->rest->toe_joint[side] >= 0) sum += glms_vec3_distance(ankle, rest[plan->rest->toe_joint[side]].t);
    }
    return sum * 0.5f;
}

static float target_legs(const od_plan *plan, bool hip)
{
    const od_bone *bones = plan->target->skeleton.bones;
    int hips = plan->target->role[OD_ROLE_LOWER_BODY];
    float sum = 0;
    for (int side = 0; side < 2; side++) {
        const od_leg_bones *b = &plan->legs[side];
        vec3s leg = bones[b->leg].rest_world.t, ankle = bones[b->ankle].rest_world.t;
        int toe = b->toe_ex >= 0 ? b->toe_ex : b->toe;
        sum += leg_length(leg, bones[b->knee].rest_world.t, ankle);
        if (!hip) continue;
        if (hips >= 0) sum += glms_vec3_distance(bones[hips].rest_world.t, leg);
        if (toe >= 0 && plan->rest->toe_joint[side] >= 0) sum += glms_vec3_distance(ankle, bones[toe].rest_world.t);
    }
    return sum * 0.5f;
}

static bool find_scale(const od_plan *plan, od_travel *travel, od_retarget_result *result, od_report *report,
                       od_error *error)
{
    const od_retarget_options *options = plan->options;
    bool hip = options->scale_kind == OD_SCALE_HIP;
    float source = source_legs(plan, hip);
    if (!(source > 1e-6f) || !isfinite(source)) return od_fail(error, "the legs of the source have no length");
    result->scale_kind = hip ? "hip" : "leg";
    if (options->scale_kind == OD_SCALE_FIXED) {
        if (!(options->scale > 0) || !isfinite(options->scale))
            return od_fail(error, "scale must be above 0, found %g", options->scale);
        travel->scale = (float)options->scale;
        result->scale_kind = "fixed";
    } else if (plan->has_legs) {
        travel->scale = target_legs(plan, hip) / source;
    } else {
        travel->scale = 9.5f / source_legs(plan, false); /* legs of the standard model */
        od_warn(report, "the scale is a guess: the target's legs are not whole");
    }
    return (travel->scale > 1e-9f && travel->scale < 1e9f) ||
           od_fail(error, "a scale of %g units per unit of the source makes no dance", (double)travel->scale);
}

/* Height of the lower toe joint that 2 % of the frames do not reach: the floor, without the outliers
 * of a foot that dips into it. */
static bool find_ground(const od_solution *solution, od_travel *travel, od_arena *arena, od_error *error)
{
    const od_retarget_options *options = solution->plan->options;
    if (options->ground_set) {
        travel->ground = (float)options->ground;
        return fabs(options->ground) < 1e12 || od_fail(error, "the ground at %g is out of reach", options->ground);
    }
    float *low = OD_NEW(arena, float, (size_t)solution->frames, error);
    if (!low) return false;
    for (int f = 0; f < solution->frames; f++) low[f] = fminf(solution->legs[0][f].toe.y, solution->legs[1][f].toe.y);
    travel->ground = od_float_rank(low, solution->frames, solution->frames / 50);
    return true;
}

static vec3s hips_of(const od_solution *solution, int frame)
{
    return glms_vec3_scale(glms_vec3_add(solution->legs[0][frame].hip, solution->legs[1][frame].hip), 0.5f);
}

/* Height of the target's ankles at rest, where the source's ankle comes when it stands. */
static float ankle_height(const od_plan *plan, float scale)
{
    const od_bone *bones = plan->target->skeleton.bones;
    if (plan->has_legs)
        return 0.5f * (bones[plan->legs[0].ankle].rest_world.t.y + bones[plan->legs[1].ankle].rest_world.t.y);
    return bones[plan->travel].rest_world.t.y - scale * source_legs(plan, false);
}

/* Where the hips are without travel. */
static vec3s hips_now(const od_solution *solution, int frame)
{
    const od_plan *plan = solution->plan;
    if (!plan->has_legs) return od_solution_world(solution, plan->travel, frame).t;
    vec3s left = od_solution_world(solution, plan->legs[0].leg, frame).t;
    vec3s right = od_solution_world(solution, plan->legs[1].leg, frame).t;
    return glms_vec3_scale(glms_vec3_add(left, right), 0.5f);
}

/* Adds a world vector to the travel of a bone. */
static void add_travel(od_solution *solution, int bone, int frame, vec3s by)
{
    versors above = od_solution_world(solution, solution->plan->target->skeleton.bones[bone].parent, frame).q;
    vec3s *position = &solution->position[bone][frame];
    *position = glms_vec3_add(*position, od_quat_rotate(od_quat_conj(above), by));
}

bool od_move_root(od_solution *solution, od_travel *travel, od_retarget_result *result, od_report *report,
                  od_arena *arena, od_error *error)
{
    const od_plan *plan = solution->plan;
    const od_xform *rest = plan->rest->world;
    *travel = (od_travel){0};
    if (!find_scale(plan, travel, result, report, error)) return false;
    if (!find_ground(solution, travel, arena, error)) return false;
    for (int side = 0; side < 2; side++) { /* feet without toes: a fifth of the shin, as toe_of has it */
        float shin =
            glms_vec3_distance(rest[plan->joint[OD_ROLE_KNEE_L + side]].t, rest[plan->joint[OD_ROLE_ANKLE_L + side]].t);
        travel->ankle_drop += 0.5f * (plan->rest->toe_joint[side] >= 0 ? plan->rest->ankle_drop[side] : 0.2f * shin);
    }
    travel->origin = plan->options->keep_origin ? od_vec3(0, 0, 0) : hips_of(solution, 0);
    const int carriers[] = {plan->travel, plan->travel_plane, plan->travel_height};
    for (int i = 0; i < 3; i++) {
        if (!od_solution_position(solution, carriers[i], arena, error)) return false;
        solution->keyed[carriers[i]] = true;
    }
    float height = ankle_height(plan, travel->scale);
    for (int f = 0; f < solution->frames; f++) {
        vec3s hips = hips_of(solution, f);
        vec3s from = plan->options->in_place ? hips : travel->origin;
        for (int side = 0; plan->options->in_place && side < 2; side++) { /* the feet stay under the hips */
            od_leg_frame *leg = &solution->legs[side][f];
            vec3s back = od_vec3(travel->origin.x - hips.x, 0, travel->origin.z - hips.z);
            leg->hip = glms_vec3_add(leg->hip, back);
            leg->knee = glms_vec3_add(leg->knee, back);
            leg->ankle = glms_vec3_add(leg->ankle, back);
            leg->toe = glms_vec3_add(leg->toe, back);
        }
        vec3s want = od_vec3(travel->scale * (hips.x - from.x),
                             travel->scale * (hips.y - travel->ground - travel->ankle_drop) + height,
                             travel->scale * (hips.z - from.z));
        vec3s by = glms_vec3_sub(want, hips_now(solution, f));
        add_travel(solution, plan->travel_plane, f, od_vec3(by.x, 0, by.z));
        add_travel(solution, plan->travel_height, f, od_vec3(0, by.y, 0));
    }
    result->scale = travel->scale;
    result->ground = travel->ground;
    return true;
}
