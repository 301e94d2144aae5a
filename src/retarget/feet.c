/* Input: the source's legs, the target's hips, contacts. Output: where the ankles should be.
 *
 * On the floor a foot is where the source's is (scaled); in the air it keeps its place relative to
 * the hip; in between the contact weight mixes. On the floor the ball of the foot is what is
 * followed, so that a foot that rolls over its toes does not slide on rigs with another foot. */
#include <stdlib.h>

#include "retarget/solution.h"

enum { WINDOW = 6, BLEND = 5 }; /* frames of smoothing for the hips, of blending for locked feet */

static const float STIFF_TIP = 0.2f;    /* MMD units that the tip of a bent foot may go under the floor */
static const float SOFT_DRIFT = 0.375f; /* 3 cm */

od_sole od_sole_of(const od_plan *plan, int side)
{
    const od_leg_bones *b = &plan->legs[side];
    if (!plan->has_legs) return (od_sole){0};
    const od_bone *bones = plan->target->skeleton.bones;
    vec3s ankle = bones[b->ankle].rest_world.t;
    float drop = -fmaxf(ankle.y, 0); /* models stand on y = 0 */
    int tip = b->toe >= 0 ? b->toe : b->toe_ex;
    vec3s reach = tip >= 0 ? glms_vec3_sub(bones[tip].rest_world.t, ankle) : od_vec3(0, 0, 1.3f * drop);
    vec3s ball = glms_vec3_scale(reach, 0.6f);
    if (b->toe_ex >= 0) ball = glms_vec3_sub(bones[b->toe_ex].rest_world.t, ankle);
    return (od_sole){.heel = od_vec3(0, drop, -0.4f * drop),
                     .ball = od_vec3(ball.x, drop, ball.z),
                     .tip = od_vec3(reach.x, drop, reach.z)};
}

float od_sole_lowest(const od_sole *sole, versors foot, versors ball)
{
    float heel = od_quat_rotate(foot, sole->heel).y, middle = od_quat_rotate(foot, sole->ball).y;
    float tip = middle + od_quat_rotate(ball, glms_vec3_sub(sole->tip, sole->ball)).y;
    return fminf(heel, fminf(middle, tip));
}

/* What is constant for one foot. */
typedef struct foot_rest {
    od_sole sole;
    vec3s shape;  /* target's ball against the source's, relative to the ankle, in the plane, at rest */
    float thigh, shin; /* lengths of the target's */
    od_leg leg;
} foot_rest;

/* Where the ankle is when the foot is placed on the floor. */
static vec3s grounded(const foot_rest *foot, const od_leg_frame *leg, const od_travel *travel)
{
    float s = travel->scale;
    vec3s heel = od_vec3(0, -travel->ankle_drop, foot->sole.heel.z / s);
    float heel_y = leg->ankle.y + od_quat_rotate(leg->foot, heel).y;
    float height = fmaxf(s * (fminf(leg->toe.y, heel_y) - travel->ground), 0);
    vec3s ball = od_quat_rotate(leg->foot, foot->sole.ball);
    vec3s shape = od_quat_rotate(od_quat_twist(leg->foot, od_vec3(0, 1, 0)), foot->shape);
    return od_vec3(s * (leg->toe.x - travel->origin.x) + shape.x - ball.x,
                   height - od_sole_lowest(&foot->sole, leg->foot, leg->ball),
                   s * (leg->toe.z - travel->origin.z) + shape.z - ball.z);
}

/* Where the ankle is when the leg is copied: each segment as long as the target's, so that its
 * direction is the source's whatever the proportions. */
static vec3s hanging(const foot_rest *foot, const od_leg_frame *leg, vec3s hip)
{
    vec3s thigh = od_vec3_normalize(glms_vec3_sub(leg->knee, leg->hip));
    vec3s shin = od_vec3_normalize(glms_vec3_sub(leg->ankle, leg->knee));
    vec3s knee = glms_vec3_add(hip, glms_vec3_scale(thigh, foot->thigh));
    return glms_vec3_add(knee, glms_vec3_scale(shin, foot->shin));
}

static vec3s place(const od_solution *solution, const foot_rest *foot, const od_travel *travel, int side, int frame,
                   float weight)
{
    const od_plan *plan = solution->plan;
    const od_leg_frame *leg = &solution->legs[side][frame];
    vec3s hip = od_solution_world(solution, plan->legs[side].leg, frame).t;
    vec3s relative = hanging(foot, leg, hip);
    if (plan->options->feet == OD_FEET_RELATIVE) return relative;
    vec3s absolute = grounded(foot, leg, travel);
    if (plan->options->feet == OD_FEET_ABSOLUTE) weight = 1;
    vec3s goal = glms_vec3_lerp(relative, absolute, weight);
    /* Never under the floor; a tip that does not bend (つま先 itself) hardly so. */
    float tip = od_quat_rotate(leg->foot, foot->sole.tip).y + STIFF_TIP;
    goal.y = fmaxf(goal.y, -fminf(od_sole_lowest(&foot->sole, leg->foot, leg->ball), tip));
    return goal;
}

static foot_rest make_foot(const od_plan *plan, const od_travel *travel, int side)
{
    const od_xform *rest = plan->rest->world;
    const od_bone *bones = plan->target->skeleton.bones;
    const od_leg_bones *b = &plan->legs[side];
    vec3s thigh = glms_vec3_sub(bones[b->knee].rest_world.t, bones[b->leg].rest_world.t);
    vec3s shin = glms_vec3_sub(bones[b->ankle].rest_world.t, bones[b->knee].rest_world.t);
    int ankle = plan->joint[OD_ROLE_ANKLE_L + side], toe = plan->rest->toe_joint[side];
    foot_rest foot = {.sole = od_sole_of(plan, side), .thigh = glms_vec3_norm(thigh), .shin = glms_vec3_norm(shin)};
    vec3s ball = foot.sole.ball;
    if (toe >= 0)
        ball = glms_vec3_sub(ball, glms_vec3_scale(glms_vec3_sub(rest[toe].t, rest[ankle].t), travel->scale));
    foot.shape = od_vec3(ball.x, 0, ball.z);
    foot.leg = od_leg_of(plan, side);
    return foot;
}

/* How far the hip must come down for the goal to be in reach. */
static float excess(const foot_rest *foot, vec3s hip, vec3s goal)
{
    float reach = 0.9999f * foot->leg.reach;
    vec3s d = glms_vec3_sub(hip, goal);
    float flat = d.x * d.x + d.z * d.z;
    if (flat + d.y * d.y <= reach * reach) return 0;
    float height = flat < reach * reach ? sqrtf(reach * reach - flat) : 0;
    return fmaxf(d.y - height, 0);
}

/* The smoothest curve of its kind that is never below `need`: the largest of a window, then a mean
 * over the same window. */
static bool smooth_over(float *need, int count, od_arena *arena, od_error *error)
{
    float *wide = OD_NEW(arena, float, (size_t)count, error);
    if (!wide) return false;
    for (int i = 0; i < count; i++)
        for (int k = i - WINDOW; k <= i + WINDOW; k++)
            if (k >= 0 && k < count) wide[i] = fmaxf(wide[i], need[k]);
    for (int i = 0; i < count; i++) {
        float sum = 0, weights = 0;
        for (int k = -WINDOW; k <= WINDOW; k++) {
            if (i + k < 0 || i + k >= count) continue;
            float weight = 1 + cosf((float)k / (WINDOW + 1) * 3.14159265f);
            sum += weight * wide[i + k];
            weights += weight;
        }
        need[i] = sum / weights;
    }
    return true;
}

static bool lower_hips(od_solution *solution, const foot_rest *feet, const od_footing *footing, od_retarget_result *result,
                       od_arena *arena, od_error *error)
{
    const od_plan *plan = solution->plan;
    float *lower = OD_NEW(arena, float, (size_t)solution->frames, error);
    if (!lower) return false;
    for (int f = 0; f < solution->frames; f++) {
        for (int side = 0; side < 2; side++) {
            vec3s hip = od_solution_world(solution, plan->legs[side].leg, f).t;
            float need = footing->weight[side][f] * excess(&feet[side], hip, footing->goal[side][f]);
            lower[f] = fmaxf(lower[f], need);
        }
        result->reach_lowered = fmaxf(result->reach_lowered, lower[f]);
    }
    if (!smooth_over(lower, solution->frames, arena, error)) return false;
    int bone = plan->travel_height, parent = plan->target->skeleton.bones[bone].parent;
    for (int f = 0; f < solution->frames; f++) {
        versors above = od_solution_world(solution, parent, f).q;
        vec3s down = od_quat_rotate(od_quat_conj(above), od_vec3(0, -lower[f], 0));
        solution->position[bone][f] = glms_vec3_add(solution->position[bone][f], down);
    }
    return true;
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float median(float *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

/* Holds the ball of the foot in one place for each contact, blending into the swing on both sides. */
static bool lock_foot(const od_solution *solution, const foot_rest *foot, od_footing *footing, int side, od_arena *arena,
                      od_error *error)
{
    int frames = solution->frames;
    bool soft = solution->plan->options->foot_lock == OD_FOOT_LOCK_SOFT;
    vec3s *goal = footing->goal[side];
    float *x = OD_NEW(arena, float, (size_t)frames, error), *z = OD_NEW(arena, float, (size_t)frames, error);
    vec3s *shift = OD_NEW(arena, vec3s, (size_t)frames, error);
    if (!x || !z || !shift) return false;
    for (int i = 0; i < footing->contact_count[side]; i++) {
        od_contact c = footing->contact[side][i];
        for (int f = c.start; f < c.end; f++) {
            vec3s ball = od_quat_rotate(solution->legs[side][f].foot, foot->sole.ball);
            shift[f] = od_vec3(-(goal[f].x + ball.x), 0, -(goal[f].z + ball.z));
            x[f - c.start] = -shift[f].x;
            z[f - c.start] = -shift[f].z;
        }
        vec3s anchor = od_vec3(median(x, c.end - c.start), 0, median(z, c.end - c.start));
        float drift = 0;
        for (int f = c.start; f < c.end; f++) {
            shift[f] = glms_vec3_add(shift[f], anchor);
            drift = fmaxf(drift, glms_vec3_norm(shift[f]));
        }
        if (soft && drift > SOFT_DRIFT) continue;
        int before = i > 0 ? footing->contact[side][i - 1].end : 0;
        int after = i + 1 < footing->contact_count[side] ? footing->contact[side][i + 1].start : frames;
        for (int f = c.start - BLEND > before ? c.start - BLEND : before; f < c.end + BLEND && f < after; f++) {
            int outside = f < c.start ? c.start - f : f >= c.end ? f - c.end + 1 : 0;
            float t = 1 - (float)outside / (BLEND + 1);
            vec3s by = shift[f < c.start ? c.start : f >= c.end ? c.end - 1 : f];
            goal[f] = glms_vec3_add(goal[f], glms_vec3_scale(by, t * t * (3 - 2 * t)));
        }
    }
    return true;
}

/* Mean slide of the feet while they are on the floor, cm a frame: the source's scaled, the output's. */
static void measure_slide(const od_solution *solution, const foot_rest *feet, const od_travel *travel,
                          const od_footing *footing, od_retarget_result *result)
{
    double source = 0, output = 0;
    for (int side = 0; side < 2; side++) {
        const od_leg_frame *legs = solution->legs[side];
        for (int f = 1; f < solution->frames; f++) {
            vec3s a = glms_vec3_add(footing->goal[side][f - 1], od_quat_rotate(legs[f - 1].foot, feet[side].sole.ball));
            vec3s b = glms_vec3_add(footing->goal[side][f], od_quat_rotate(legs[f].foot, feet[side].sole.ball));
            vec3s way = glms_vec3_sub(legs[f].toe, legs[f - 1].toe);
            float weight = footing->weight[side][f] * 8; /* cm in a unit */
            output += (double)(weight * hypotf(b.x - a.x, b.z - a.z));
            source += (double)(weight * travel->scale * hypotf(way.x, way.z));
        }
    }
    int count = 2 * (solution->frames - 1);
    result->slide_source = count > 0 ? (float)(source / count) : 0;
    result->slide = count > 0 ? (float)(output / count) : 0;
}

bool od_place_feet(od_solution *solution, const od_travel *travel, od_footing *footing, od_retarget_result *result,
                   od_arena *arena, od_error *error)
{
    const od_plan *plan = solution->plan;
    foot_rest feet[2];
    for (int side = 0; side < 2; side++) {
        feet[side] = make_foot(plan, travel, side);
        footing->goal[side] = OD_NEW(arena, vec3s, (size_t)solution->frames, error);
        if (!footing->goal[side]) return false;
    }
    /* Twice: goals of feet in the air hang on the hips, which the first round may lower. */
    for (int round = 0; round < 2; round++) {
        for (int side = 0; side < 2; side++) {
            for (int f = 0; f < solution->frames; f++)
                footing->goal[side][f] = place(solution, &feet[side], travel, side, f, footing->weight[side][f]);
            if (plan->options->foot_lock != OD_FOOT_LOCK_OFF &&
                !lock_foot(solution, &feet[side], footing, side, arena, error))
                return false;
        }
        if (round == 0 && plan->options->feet != OD_FEET_RELATIVE &&
            !lower_hips(solution, feet, footing, result, arena, error))
            return false;
    }
    measure_slide(solution, feet, travel, footing, result);
    return true;
}
