/* Input: the source's legs, the target's hips, contacts. Output: where the ankles should be.
 *
 * In the air a leg is copied: its segments point as the source's do. A foot that stands moves as the
 * source's scaled foot moves, which is not at all, from the place on which the copied leg came down.
 * So legs keep their directions and feet do not slide, whatever the proportions; what gives is where
 * on the floor each step falls, by the little that hips and legs differ. The ball of the foot is what
 * is followed, for feet that roll over their toes have ankles that move. Height on the floor is the
 * source's; the hips come to the height at which standing legs fit. */
#include <string.h>

#include "math/rank.h"
#include "retarget/solution.h"

enum { WINDOW = 6, BLEND = 5 }; /* frames of smoothing for hips and lifted feet, of fading for locked feet */

/* MMD units that the tip of a bent foot may go under the floor. */
static const float STIFF_TIP = 0.2f;
static const float SOFT_DRIFT = 0.375f; /* 3 cm */

/* What is constant for one foot. */
typedef struct foot_rest {
    od_sole sole;
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
    return od_vec3(s * (leg->toe.x - travel->origin.x) - ball.x,
                   height - od_sole_lowest(&foot->sole, leg->foot, leg->ball),
                   s * (leg->toe.z - travel->origin.z) - ball.z);
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

/* How much a foot keeps its place: wholly while it stands, hardly when it is a centimetre up. */
static float stays(const od_footing *footing, int side, int frame, int *contact)
{
    while (*contact < footing->contact_count[side] && footing->contact[side][*contact].end <= frame) ++*contact;
    if (*contact < footing->contact_count[side] && footing->contact[side][*contact].start <= frame) return 1;
    float t = fmaxf(2 * footing->weight[side][frame] - 1, 0);
    return t * t * (3 - 2 * t);
}

/* How far the kept way follows the true one in each frame: not at all on the floor, half of what is
 * left near it, wholly once the foot has been up for some frames and stays so for some. */
static void find_follow(float *follow, int frames, const od_footing *footing, int side)
{
    for (int f = 0, contact = 0; f < frames; f++) follow[f] = 1 - stays(footing, side, f, &contact);
    int up = frames; /* since the foot was down, as far as a clip's edge is not that */
    for (int f = 0; f < frames; f++) {
        up = follow[f] < 1 ? 0 : up + 1;
        follow[f] *= 0.5f + 0.5f * fminf((float)up / WINDOW, 1);
    }
    up = frames;
    for (int f = frames - 1; f >= 0; f--) {
        up = follow[f] < 0.5f ? 0 : up + 1;
        follow[f] = fminf(follow[f], 0.5f + 0.5f * fminf((float)up / WINDOW, 1));
    }
}

/* Lets the way between hanging and grounded place change only as far as the foot is up. Run forth the
 * way is that of the landing, run back that of the take-off; their mean errs half as much as either. */
static bool keep_apart(vec3s *apart, int frames, const od_footing *footing, int side, od_arena *arena, od_error *error)
{
    vec3s *forth = OD_NEW(arena, vec3s, (size_t)frames, error);
    float *follow = OD_NEW(arena, float, (size_t)frames, error);
    if (!forth || !follow) return false;
    find_follow(follow, frames, footing, side);
    forth[0] = apart[0];
    for (int f = 1; f < frames; f++) forth[f] = glms_vec3_lerp(forth[f - 1], apart[f], follow[f]);
    vec3s back = apart[frames - 1];
    for (int f = frames - 1; f >= 0; f--) {
        if (f + 1 < frames) back = glms_vec3_lerp(back, apart[f], fminf(follow[f + 1], follow[f]));
        apart[f] = glms_vec3_scale(glms_vec3_add(forth[f], back), 0.5f);
    }
    return true;
}

/* Goals of one foot: the hanging leg's, but constantly apart from the grounded one while it stands. */
static bool place(const od_solution *solution, const foot_rest *foot, const od_travel *travel, od_footing *footing,
                  int side, od_arena *arena, od_error *error)
{
    const od_plan *plan = solution->plan;
    int frames = solution->frames;
    vec3s *goal = footing->goal[side], *apart = OD_NEW(arena, vec3s, (size_t)frames, error);
    if (!apart) return false;
    bool absolute = plan->options->feet == OD_FEET_ABSOLUTE;
    for (int f = 0; f < frames; f++) {
        const od_leg_frame *leg = &solution->legs[side][f];
        goal[f] = hanging(foot, leg, od_solution_world(solution, plan->legs[side].leg, f).t);
        apart[f] = glms_vec3_sub(goal[f], grounded(foot, leg, travel));
    }
    if (plan->options->feet == OD_FEET_RELATIVE) return true;
    if (!keep_apart(apart, frames, footing, side, arena, error)) return false;
    for (int f = 0; f < frames; f++) {
        const od_leg_frame *leg = &solution->legs[side][f];
        vec3s ground = grounded(foot, leg, travel);
        float weight = absolute ? 1 : footing->weight[side][f];
        vec3s keep = absolute ? od_vec3(0, 0, 0) : apart[f];
        /* Never under the floor; a tip that does not bend (つま先 itself) hardly so. */
        float tip = od_quat_rotate(leg->foot, foot->sole.tip).y + STIFF_TIP;
        float least = -fminf(od_sole_lowest(&foot->sole, leg->foot, leg->ball), tip);
        goal[f] =
            od_vec3(ground.x + keep.x, fmaxf(goal[f].y + weight * (ground.y - goal[f].y), least), ground.z + keep.z);
    }
    return true;
}

static foot_rest make_foot(const od_plan *plan, int side)
{
    const od_bone *bones = plan->target->skeleton.bones;
    const od_leg_bones *b = &plan->legs[side];
    vec3s thigh = glms_vec3_sub(bones[b->knee].rest_world.t, bones[b->leg].rest_world.t);
    vec3s shin = glms_vec3_sub(bones[b->ankle].rest_world.t, bones[b->knee].rest_world.t);
    foot_rest foot = {
        .sole = od_sole_of(plan->target, side), .thigh = glms_vec3_norm(thigh), .shin = glms_vec3_norm(shin)};
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

/* Mean over a window, weighted like a cosine. */
static bool mean_over(float *values, int count, od_arena *arena, od_error *error)
{
    float *raw = OD_NEW(arena, float, (size_t)count, error);
    if (!raw) return false;
    memcpy(raw, values, (size_t)count * sizeof *raw);
    for (int i = 0; i < count; i++) {
        float sum = 0, weights = 0;
        for (int k = -WINDOW; k <= WINDOW; k++) {
            if (i + k < 0 || i + k >= count) continue;
            float weight = 1 + cosf((float)k / (WINDOW + 1) * 3.14159265f);
            sum += weight * raw[i + k];
            weights += weight;
        }
        values[i] = sum / weights;
    }
    return true;
}

/* A smooth curve that is never below `need`: the largest of a window, then the mean over it. */
static bool smooth_over(float *need, int count, od_arena *arena, od_error *error)
{
    float *raw = OD_NEW(arena, float, (size_t)count, error);
    if (!raw) return false;
    memcpy(raw, need, (size_t)count * sizeof *raw);
    for (int i = 0; i < count; i++)
        for (int k = i - WINDOW; k <= i + WINDOW; k++)
            if (k >= 0 && k < count) need[i] = fmaxf(need[i], raw[k]);
    return mean_over(need, count, arena, error);
}

static void add_height(od_solution *solution, int frame, float by)
{
    int bone = solution->plan->travel_height;
    versors above = od_solution_world(solution, solution->plan->target->skeleton.bones[bone].parent, frame).q;
    vec3s up = od_quat_rotate(od_quat_conj(above), od_vec3(0, by, 0));
    solution->position[bone][frame] = glms_vec3_add(solution->position[bone][frame], up);
}

static bool lower_hips(od_solution *solution, const foot_rest *feet, const od_footing *footing,
                       od_retarget_result *result, od_arena *arena, od_error *error)
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
    for (int f = 0; f < solution->frames; f++) add_height(solution, f, -lower[f]);
    return true;
}

/* Takes the hips to the height at which legs that stand point as the source's do: scaled hips are right
 * for a straight leg only, in a crouch thighs and shins of other proportions would have to bend more
 * or less. */
static bool fit_hips(od_solution *solution, const foot_rest *feet, const od_travel *travel, const od_footing *footing,
                     od_arena *arena, od_error *error)
{
    const od_plan *plan = solution->plan;
    float *raise = OD_NEW(arena, float, (size_t)solution->frames, error);
    if (!raise) return false;
    for (int f = 0; f < solution->frames; f++) {
        float sum = 0, weights = 0, most = 0;
        for (int side = 0; side < 2; side++) {
            const od_leg_frame *leg = &solution->legs[side][f];
            float weight = footing->weight[side][f];
            vec3s hip = od_solution_world(solution, plan->legs[side].leg, f).t;
            sum += weight * (grounded(&feet[side], leg, travel).y - hanging(&feet[side], leg, hip).y);
            weights += weight;
            most = fmaxf(most, weight);
        }
        raise[f] = weights > 0 ? most * sum / weights : 0;
    }
    if (!mean_over(raise, solution->frames, arena, error)) return false;
    for (int f = 0; f < solution->frames; f++) add_height(solution, f, raise[f]);
    return true;
}

/* The point in the plane in the middle of values[start .. end). */
static bool find_anchor(const vec3s *values, od_contact c, vec3s *anchor, od_arena *arena, od_error *error)
{
    int count = c.end - c.start;
    float *x = OD_NEW(arena, float, (size_t)count, error), *z = OD_NEW(arena, float, (size_t)count, error);
    if (!x || !z) return false;
    for (int i = 0; i < count; i++) {
        x[i] = values[c.start + i].x;
        z[i] = values[c.start + i].z;
    }
    *anchor = od_vec3(od_float_rank(x, count, count / 2), 0, od_float_rank(z, count, count / 2));
    return true;
}

/* Adds `by`, fading, to the next `count` frames from `from` in a direction; as good as zero behind. */
static void fade(vec3s *out, vec3s by, int from, int step, int count, int frames)
{
    for (int k = 1; k <= count; k++) {
        int f = from + step * k;
        float t = 1 - (float)k / (float)(count + 1);
        if (f >= 0 && f < frames) out[f] = glms_vec3_add(out[f], glms_vec3_scale(by, t * t * (3 - 2 * t)));
    }
}

/* Makes values constant in the plane while a foot stands, and fades in the swing before and after.
 * What strays further than `limit` is left alone. */
static bool hold(vec3s *values, int frames, const od_footing *footing, int side, float limit, od_arena *arena,
                 od_error *error)
{
    int count = footing->contact_count[side];
    vec3s *by = OD_NEW(arena, vec3s, (size_t)frames, error);
    if (!by) return false;
    for (int i = 0; i < count; i++) {
        od_contact c = footing->contact[side][i];
        vec3s anchor;
        float drift = 0;
        if (!find_anchor(values, c, &anchor, arena, error)) return false;
        for (int f = c.start; f < c.end; f++) {
            by[f] = od_vec3(anchor.x - values[f].x, 0, anchor.z - values[f].z);
            drift = fmaxf(drift, glms_vec3_norm(by[f]));
        }
        for (int f = c.start; drift > limit && f < c.end; f++) by[f] = od_vec3(0, 0, 0);
        int before = i > 0 ? c.start - footing->contact[side][i - 1].end : BLEND;
        int after = i + 1 < count ? footing->contact[side][i + 1].start - c.end : BLEND;
        fade(by, by[c.start], c.start, -1, before < BLEND ? before : BLEND, frames);
        fade(by, by[c.end - 1], c.end - 1, 1, after < BLEND ? after : BLEND, frames);
    }
    for (int f = 0; f < frames; f++) values[f] = glms_vec3_add(values[f], by[f]);
    return true;
}

/* --foot-lock: the ball of the foot stays in one place while the foot stands. */
static bool lock_foot(const od_solution *solution, const foot_rest *foot, od_footing *footing, int side,
                      od_arena *arena, od_error *error)
{
    float limit = solution->plan->options->foot_lock == OD_FOOT_LOCK_SOFT ? SOFT_DRIFT : INFINITY;
    vec3s *ball = OD_NEW(arena, vec3s, (size_t)solution->frames, error);
    if (!ball) return false;
    for (int f = 0; f < solution->frames; f++)
        ball[f] = glms_vec3_add(footing->goal[side][f], od_quat_rotate(solution->legs[side][f].foot, foot->sole.ball));
    if (!hold(ball, solution->frames, footing, side, limit, arena, error)) return false;
    for (int f = 0; f < solution->frames; f++)
        footing->goal[side][f] = glms_vec3_sub(ball[f], od_quat_rotate(solution->legs[side][f].foot, foot->sole.ball));
    return true;
}

/* Mean slide of the balls of the feet while they are low, cm a frame: the source's scaled, the
 * output's. The weight is that of published foot skate measures: 1 at the floor, 0 at 3 cm. */
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
            float height = OD_CM * travel->scale * (legs[f].toe.y - travel->ground);
            float weight = OD_CM * od_contact_weight(height);
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
        feet[side] = make_foot(plan, side);
        footing->goal[side] = OD_NEW(arena, vec3s, (size_t)solution->frames, error);
        if (!footing->goal[side]) return false;
    }
    if (plan->options->feet != OD_FEET_RELATIVE && !fit_hips(solution, feet, travel, footing, arena, error))
        return false;
    /* Twice: goals of feet in the air hang on the hips, which the first round may lower. */
    for (int round = 0; round < 2; round++) {
        for (int side = 0; side < 2; side++) {
            if (!place(solution, &feet[side], travel, footing, side, arena, error)) return false;
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
