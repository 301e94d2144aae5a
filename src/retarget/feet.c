/* Input: the source's legs, the target's hips, contacts. Output: where the ankles should be, and the hips where
 * that bends the legs least.
 *
 * In the air a leg is copied: its segments point as the source's do. A foot that stands moves as the source's
 * scaled foot moves, from the place on which the copied leg came down; how the two go together stands in
 * ease.c. The ball of the foot is what is followed, for feet that roll over their toes have ankles that move.
 * Height on the floor is the source's; the hips come to where standing legs fit. */
#include <string.h>

#include "retarget/foot.h"

enum { WINDOW = 6, FITS = 2, FIRMEST = 7 }; /* frames of smoothing for hips to either side; rounds; tries */

/* Both feet, and how far the hips are moved for them. */
typedef struct pair {
    od_foot foot[2];
    int frames;
    vec3s *shift, *way; /* way: of one move */
} pair;

/* Moves the hips by feet->way; what a leg is copied from hangs on them. */
static void move_hips(pair *feet)
{
    for (int f = 0; f < feet->frames; f++) {
        feet->shift[f] = glms_vec3_add(feet->shift[f], feet->way[f]);
        for (int side = 0; side < 2; side++) {
            od_foot *foot = &feet->foot[side];
            foot->hip[f] = glms_vec3_add(foot->hip[f], feet->way[f]);
            foot->copied[f] = glms_vec3_add(foot->copied[f], feet->way[f]);
        }
    }
}

/* Mean over a window, weighted like a cosine. */
static bool mean_over(vec3s *values, int count, od_arena *arena, od_error *error)
{
    float weight[2 * WINDOW + 1];
    for (int k = -WINDOW; k <= WINDOW; k++) weight[k + WINDOW] = 1 + cosf((float)k / (WINDOW + 1) * 3.14159265f);
    vec3s *raw = OD_NEW(arena, vec3s, (size_t)count, error);
    if (!raw) return false;
    memcpy(raw, values, (size_t)count * sizeof *raw);
    for (int i = 0; i < count; i++) {
        int first = i > WINDOW ? i - WINDOW : 0, last = i + WINDOW < count ? i + WINDOW : count - 1;
        vec3s sum = od_vec3(0, 0, 0);
        float weights = 0;
        for (int k = first; k <= last; k++) {
            sum = glms_vec3_muladds(raw[k], weight[k - i + WINDOW], sum);
            weights += weight[k - i + WINDOW];
        }
        values[i] = glms_vec3_scale(sum, 1 / weights);
    }
    return true;
}

/* Makes heights a smooth curve that is never below what it was, or for sign -1 never above: the largest of a
 * window, then the mean over it. */
static bool smooth_over(vec3s *values, float sign, int count, od_arena *arena, od_error *error)
{
    vec3s *raw = OD_NEW(arena, vec3s, (size_t)count, error);
    if (!raw) return false;
    memcpy(raw, values, (size_t)count * sizeof *raw);
    for (int i = 0; i < count; i++)
        for (int k = i - WINDOW; k <= i + WINDOW; k++)
            if (k >= 0 && k < count) values[i].y = sign * fmaxf(sign * values[i].y, sign * raw[k].y);
    return mean_over(values, count, arena, error);
}

/* What standing feet are moved by, the hips can take over: as much as both have in common. Scaled hips are
 * right for a straight leg only; in a crouch thighs and shins of other proportions would have to bend more or
 * less, in a stride to reach further or not so far. */
static bool fit_hips(pair *feet, const od_footing *footing, od_arena *arena, od_error *error)
{
    for (int f = 0; f < feet->frames; f++) {
        float left = footing->weight[0][f], right = footing->weight[1][f];
        vec3s a = glms_vec3_sub(od_foot_goal(&feet->foot[0], f), feet->foot[0].copied[f]);
        vec3s b = glms_vec3_sub(od_foot_goal(&feet->foot[1], f), feet->foot[1].copied[f]);
        float share = left + right > 0 ? fmaxf(left, right) / (left + right) : 0;
        feet->way[f] = glms_vec3_scale(glms_vec3_add(glms_vec3_scale(a, left), glms_vec3_scale(b, right)), share);
    }
    if (!mean_over(feet->way, feet->frames, arena, error)) return false;
    move_hips(feet);
    return true;
}

/* How far the hip must come down for the goal to be in reach. */
static float excess(const od_foot *foot, int frame)
{
    float reach = 0.9999f * foot->leg.reach;
    vec3s d = glms_vec3_sub(foot->hip[frame], od_foot_goal(foot, frame));
    float flat = d.x * d.x + d.z * d.z;
    if (flat + d.y * d.y <= reach * reach) return 0;
    float height = flat < reach * reach ? sqrtf(reach * reach - flat) : 0;
    return fmaxf(d.y - height, 0);
}

/* Brings the hips down where a standing foot would be out of reach. */
static bool lower_hips(pair *feet, const od_footing *footing, od_retarget_result *result, od_arena *arena,
                       od_error *error)
{
    for (int f = 0; f < feet->frames; f++) {
        float lower = 0;
        for (int side = 0; side < 2; side++)
            lower = fmaxf(lower, fminf(2 * footing->weight[side][f], 1) * excess(&feet->foot[side], f));
        feet->way[f] = od_vec3(0, -lower, 0);
        result->reach_lowered = fmaxf(result->reach_lowered, lower);
    }
    if (!smooth_over(feet->way, -1, feet->frames, arena, error)) return false;
    move_hips(feet);
    return true;
}

/* Takes the body up where a copied leg would put its foot under the floor. */
static bool lift_hips(pair *feet, od_arena *arena, od_error *error)
{
    for (int f = 0; f < feet->frames; f++) {
        float raise = 0;
        for (int side = 0; side < 2; side++)
            raise = fmaxf(raise, feet->foot[side].least[f] - feet->foot[side].copied[f].y);
        feet->way[f] = od_vec3(0, raise, 0);
    }
    if (!smooth_over(feet->way, 1, feet->frames, arena, error)) return false;
    move_hips(feet);
    return true;
}

static void set_goals(const od_foot *foot, vec3s *goal)
{
    for (int f = 0; f < foot->frames; f++) goal[f] = od_foot_goal(foot, f);
}

/* Cm that the ball of a foot slides while it is low: as the goals have it, and the source's scaled. The weight
 * is that of published foot skate measures: 1 at the floor, 0 at 3 cm. */
typedef struct slide {
    double output, source;
} slide;

static slide measure_slide(const od_foot *foot, const vec3s *goal, const od_leg_frame *legs, const od_travel *travel)
{
    slide sum = {0};
    for (int f = 1; f < foot->frames; f++) {
        vec3s a = glms_vec3_add(goal[f - 1], foot->ball[f - 1]), b = glms_vec3_add(goal[f], foot->ball[f]);
        vec3s way = glms_vec3_sub(legs[f].toe, legs[f - 1].toe);
        float weight = OD_CM * od_contact_weight(OD_CM * travel->scale * (legs[f].toe.y - travel->ground));
        sum.output += (double)(weight * hypotf(b.x - a.x, b.z - a.z));
        sum.source += (double)(weight * travel->scale * hypotf(way.x, way.z));
    }
    return sum;
}

/* Eases a foot in the plane, as firmly as it takes for it not to slide more than the source's. */
static void settle(od_foot *foot, const od_solution *solution, const od_travel *travel, od_footing *footing, int side,
                   od_ease *ease)
{
    for (int firm = 0; firm <= FIRMEST; firm++) {
        od_foot_ease_plane(foot, footing->weight[side], firm, ease);
        set_goals(foot, footing->goal[side]);
        slide sum = measure_slide(foot, footing->goal[side], solution->legs[side], travel);
        if (sum.output <= 1.0001 * sum.source) return;
    }
}

/* Leaves the legs as they are copied, wherever that is. */
static bool copy(pair *feet)
{
    for (int side = 0; side < 2; side++)
        for (int f = 0; f < feet->frames; f++) feet->foot[side].least[f] = -INFINITY;
    return true;
}

/* Are the legs those of the target, scaled? Then a copied leg stands where the source's does. */
static bool same_legs(const od_plan *plan, float scale)
{
    static const od_role ends[][2] = {{OD_ROLE_LEG_L, OD_ROLE_KNEE_L},
                                      {OD_ROLE_KNEE_L, OD_ROLE_ANKLE_L},
                                      {OD_ROLE_LEG_R, OD_ROLE_KNEE_R},
                                      {OD_ROLE_KNEE_R, OD_ROLE_ANKLE_R},
                                      {OD_ROLE_LEG_L, OD_ROLE_LEG_R}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const int *source = plan->joint, *target = plan->target->role;
        vec3s a = plan->rest->world[source[ends[i][0]]].t, b = plan->rest->world[source[ends[i][1]]].t;
        vec3s c = plan->target->skeleton.bones[target[ends[i][0]]].rest_world.t;
        vec3s d = plan->target->skeleton.bones[target[ends[i][1]]].rest_world.t;
        float length = glms_vec3_distance(c, d);
        if (fabsf(scale * glms_vec3_distance(a, b) - length) > 1e-4f * length) return false;
    }
    return true;
}

/* By the option --feet: what the hips and both feet's ankles are moved by. */
static bool place(pair *feet, od_solution *solution, const od_travel *travel, od_footing *footing,
                  od_retarget_result *result, od_arena *arena, od_error *error)
{
    od_ease ease;
    if (solution->plan->options->feet == OD_FEET_RELATIVE) return lift_hips(feet, arena, error);
    if (solution->plan->on_stage && same_legs(solution->plan, travel->scale)) return solution->copied = copy(feet);
    if (!od_ease_make(&ease, feet->frames, arena, error)) return false;
    for (int round = 0; round <= FITS; round++) { /* feet depend on the hips, hips on the feet */
        for (int side = 0; side < 2; side++) {
            od_foot_ease_plane(&feet->foot[side], footing->weight[side], 0, &ease);
            od_foot_ease_height(&feet->foot[side], footing->weight[side], &ease);
        }
        if (round < FITS && !fit_hips(feet, footing, arena, error)) return false;
    }
    for (int side = 0; side < 2; side++) settle(&feet->foot[side], solution, travel, footing, side, &ease);
    if (!lower_hips(feet, footing, result, arena, error)) return false;
    for (int side = 0; side < 2; side++) od_foot_ease_height(&feet->foot[side], footing->weight[side], &ease);
    return true;
}

/* Moves a bone by a way in the world. */
static void move_bone(od_solution *solution, int bone, int frame, vec3s by)
{
    versors above = od_solution_world(solution, solution->plan->target->skeleton.bones[bone].parent, frame).q;
    vec3s *position = &solution->position[bone][frame];
    *position = glms_vec3_add(*position, od_quat_rotate(od_quat_conj(above), by));
}

bool od_place_feet(od_solution *solution, const od_travel *travel, od_footing *footing, od_retarget_result *result,
                   od_arena *arena, od_error *error)
{
    const od_plan *plan = solution->plan;
    od_foot_lock lock = plan->options->foot_lock;
    int frames = solution->frames;
    pair feet = {.frames = frames,
                 .shift = OD_NEW(arena, vec3s, (size_t)frames, error),
                 .way = OD_NEW(arena, vec3s, (size_t)frames, error)};
    if (!feet.shift || !feet.way) return false;
    for (int side = 0; side < 2; side++) {
        footing->goal[side] = OD_NEW(arena, vec3s, (size_t)frames, error);
        if (!footing->goal[side] || !od_foot_make(&feet.foot[side], solution, travel, side, arena, error)) return false;
    }
    if (!place(&feet, solution, travel, footing, result, arena, error)) return false;
    for (int f = 0; f < frames; f++) {
        if (!plan->options->in_place)
            move_bone(solution, plan->travel_plane, f, od_vec3(feet.shift[f].x, 0, feet.shift[f].z));
        move_bone(solution, plan->travel_height, f, od_vec3(0, feet.shift[f].y, 0));
    }
    double output = 0, source = 0;
    for (int side = 0; side < 2; side++) {
        const od_foot *foot = &feet.foot[side];
        set_goals(foot, footing->goal[side]);
        for (int f = 0; plan->options->in_place && f < frames; f++) /* hips stay: the feet go the other way */
            footing->goal[side][f] =
                glms_vec3_sub(footing->goal[side][f], od_vec3(feet.shift[f].x, 0, feet.shift[f].z));
        if (lock != OD_FOOT_LOCK_OFF &&
            !od_foot_hold(footing->goal[side], foot, footing, side, lock == OD_FOOT_LOCK_SOFT, arena, error))
            return false;
        slide sum = measure_slide(foot, footing->goal[side], solution->legs[side], travel);
        output += sum.output;
        source += sum.source;
    }
    int steps = 2 * (frames - 1);
    result->slide = steps > 0 ? (float)(output / steps) : 0;
    result->slide_source = steps > 0 ? (float)(source / steps) : 0;
    return true;
}
