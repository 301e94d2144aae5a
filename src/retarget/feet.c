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
static bool mean_over(float *values, int count, od_arena *arena, od_error *error)
{
    float weight[2 * WINDOW + 1];
    for (int k = -WINDOW; k <= WINDOW; k++) weight[k + WINDOW] = 1 + cosf((float)k / (WINDOW + 1) * 3.14159265f);
    float *raw = OD_NEW(arena, float, (size_t)count, error);
    if (!raw) return false;
    memcpy(raw, values, (size_t)count * sizeof *raw);
    for (int i = 0; i < count; i++) {
        int first = i > WINDOW ? i - WINDOW : 0, last = i + WINDOW < count ? i + WINDOW : count - 1;
        float sum = 0, weights = 0;
        for (int k = first; k <= last; k++) {
            sum += weight[k - i + WINDOW] * raw[k];
            weights += weight[k - i + WINDOW];
        }
        values[i] = sum / weights;
    }
    return true;
}

/* Moves the hips up (sign 1) or down (-1) by a smooth curve that is never below `need`: the largest of a
 * window, then the mean over it. */
static bool raise_hips(pair *feet, float *need, float sign, od_arena *arena, od_error *error)
{
    int count = feet->frames;
    float *raw = OD_NEW(arena, float, (size_t)count, error);
    if (!raw) return false;
    memcpy(raw, need, (size_t)count * sizeof *raw);
    for (int i = 0; i < count; i++)
        for (int k = i - WINDOW; k <= i + WINDOW; k++)
            if (k >= 0 && k < count) need[i] = fmaxf(need[i], raw[k]);
    if (!mean_over(need, count, arena, error)) return false;
    for (int f = 0; f < count; f++) feet->way[f] = od_vec3(0, sign * need[f], 0);
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
    float *lower = OD_NEW(arena, float, (size_t)feet->frames, error);
    if (!lower) return false;
    for (int f = 0; f < feet->frames; f++) {
        for (int side = 0; side < 2; side++)
            lower[f] = fmaxf(lower[f], fminf(2 * footing->weight[side][f], 1) * excess(&feet->foot[side], f));
        result->reach_lowered = fmaxf(result->reach_lowered, lower[f]);
    }
    return raise_hips(feet, lower, -1, arena, error);
}

/* Takes the body up where a copied leg would put its foot under the floor. */
static bool lift_hips(pair *feet, od_arena *arena, od_error *error)
{
    float *lift = OD_NEW(arena, float, (size_t)feet->frames, error);
    if (!lift) return false;
    for (int f = 0; f < feet->frames; f++)
        for (int side = 0; side < 2; side++)
            lift[f] = fmaxf(lift[f], feet->foot[side].least[f] - feet->foot[side].copied[f].y);
    return raise_hips(feet, lift, 1, arena, error);
}

static void set_goals(const od_foot *foot, vec3s *goal)
{
    for (int f = 0; f < foot->frames; f++) goal[f] = od_foot_goal(foot, f);
}

/* Way that the ball of a foot slides while it is low: as the goals have it, and the source's scaled. The weight is
 * that of published foot skate measures. */
typedef struct slide {
    double output, source;
} slide;

static slide measure_slide(const od_foot *foot, const vec3s *goal)
{
    slide sum = {0};
    for (int f = 1; f < foot->frames; f++) {
        vec3s a = glms_vec3_add(goal[f - 1], foot->ball[f - 1]), b = glms_vec3_add(goal[f], foot->ball[f]);
        sum.output += (double)(foot->low[f] * hypotf(b.x - a.x, b.z - a.z));
        sum.source += (double)(foot->low[f] * foot->step[f]);
    }
    return sum;
}

/* Eases a foot in the plane, as firmly as it takes for it not to slide more than the source's. */
static void settle(od_foot *foot, const float *weight, vec3s *goal, od_ease *ease)
{
    for (int firm = 0; firm <= FIRMEST; firm++) {
        od_foot_ease_plane(foot, weight, firm, ease);
        set_goals(foot, goal);
        slide sum = measure_slide(foot, goal);
        if (sum.output <= 1.0001 * sum.source) return;
    }
}

/* Leaves the legs as they are copied, wherever that is. */
static void copy(pair *feet)
{
    for (int side = 0; side < 2; side++)
        for (int f = 0; f < feet->frames; f++) feet->foot[side].least[f] = -INFINITY;
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

/* By the option --feet: what the ankles are moved by when the hips are where they are now. */
static void correct(pair *feet, od_feet kind, od_footing *footing, bool firmly, od_ease *ease)
{
    for (int side = 0; side < 2; side++) {
        od_foot *foot = &feet->foot[side];
        const float *weight = footing->weight[side];
        if (kind == OD_FEET_ABSOLUTE) { /* exactly where the source's is */
            for (int f = 0; f < foot->frames; f++) foot->by[f] = glms_vec3_sub(foot->placed[f], foot->copied[f]);
            continue;
        }
        if (firmly) settle(foot, weight, footing->goal[side], ease);
        else od_foot_ease_plane(foot, weight, 0, ease);
        od_foot_ease_height(foot, weight, ease);
    }
}

static bool place(pair *feet, od_feet kind, od_footing *footing, od_retarget_result *result, od_arena *arena,
                  od_error *error)
{
    od_ease ease;
    if (kind == OD_FEET_RELATIVE) return lift_hips(feet, arena, error);
    if (!od_ease_make(&ease, feet->frames, arena, error)) return false;
    correct(feet, kind, footing, false, &ease);
    for (int round = 0; round < FITS; round++) { /* the hips depend on the feet, the feet on the hips */
        od_hips_ease(feet->foot, footing->weight, feet->way, &ease);
        move_hips(feet);
        correct(feet, kind, footing, false, &ease);
    }
    if (!lower_hips(feet, footing, result, arena, error)) return false;
    correct(feet, kind, footing, true, &ease);
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
    solution->copied = plan->options->feet != OD_FEET_RELATIVE && plan->on_stage && same_legs(plan, travel->scale);
    if (solution->copied) copy(&feet);
    else if (!place(&feet, plan->options->feet, footing, result, arena, error)) return false;
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
        slide sum = measure_slide(foot, footing->goal[side]);
        output += sum.output;
        source += sum.source;
    }
    double steps = 2.0 * fmax(frames - 1, 1);
    result->slide = (float)((double)OD_CM * output / steps);
    result->slide_source = (float)((double)OD_CM * source / steps);
    return true;
}
