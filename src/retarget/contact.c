/* Input: the source's feet. Output: how much each foot stands on the floor in each frame, and the
 * intervals in which it stands. */
#include "retarget/solution.h"

/* At 30 fps: toe slower than this and lower than that (metres a second, centimetres); a foot that
 * stands may reach the second figures before it counts as lifted. */
static const float ENTER_SPEED = 0.25f, ENTER_HEIGHT = 4, LEAVE_SPEED = 0.5f, LEAVE_HEIGHT = 6;
enum { SHORTEST = 3, LONGEST_GAP = 2 };

/* Lowest point of the source's foot above its ground, MMD units. */
static float height_of(const od_solution *solution, const od_travel *travel, int side, int frame)
{
    const od_leg_frame *leg = &solution->legs[side][frame];
    od_sole sole = od_sole_of(solution->plan->target, side);
    vec3s heel = od_vec3(0, -travel->ankle_drop, solution->plan->has_legs ? sole.heel.z / travel->scale : 0);
    heel = glms_vec3_add(leg->ankle, od_quat_rotate(leg->foot, heel));
    return travel->scale * (fminf(leg->toe.y, heel.y) - travel->ground);
}

static float speed_of(const od_solution *solution, const od_travel *travel, int side, int frame)
{
    const od_leg_frame *legs = solution->legs[side];
    int before = frame > 0 ? frame - 1 : 0, after = frame + 1 < solution->frames ? frame + 1 : frame;
    if (after == before) return 0;
    float way = glms_vec3_distance(legs[after].toe, legs[before].toe) / (float)(after - before);
    return way * travel->scale * OD_CM * 0.01f * 30;
}

static void median5(const bool *in, bool *out, int count)
{
    for (int i = 0; i < count; i++) {
        int on = 0, seen = 0;
        for (int k = i - 2; k <= i + 2; k++) {
            if (k < 0 || k >= count) continue;
            on += in[k];
            seen++;
        }
        out[i] = 2 * on > seen;
    }
}

/* Turns runs of `value` that are shorter than `least` into the opposite; not at the ends. */
static void drop_short(bool *on, int count, bool value, int least)
{
    for (int i = 0; i < count;) {
        int end = i;
        while (end < count && on[end] == on[i]) end++;
        bool inner = i > 0 && end < count;
        if (on[i] == value && end - i < least && inner)
            for (int k = i; k < end; k++) on[k] = !value;
        i = end;
    }
}

static bool list_intervals(const bool *on, int count, od_footing *footing, int side, od_arena *arena, od_error *error)
{
    int n = 0;
    for (int i = 0; i < count; i++) n += on[i] && (i == 0 || !on[i - 1]);
    footing->contact[side] = OD_NEW(arena, od_contact, (size_t)n, error);
    if (!footing->contact[side]) return false;
    n = 0;
    for (int i = 0; i < count; i++) {
        if (!on[i]) continue;
        if (i == 0 || !on[i - 1]) footing->contact[side][n++].start = i;
        footing->contact[side][n - 1].end = i + 1;
    }
    footing->contact_count[side] = n;
    return true;
}

bool od_find_contacts(const od_solution *solution, const od_travel *travel, od_footing *footing, od_arena *arena,
                      od_error *error)
{
    size_t frames = (size_t)solution->frames;
    bool *raw = OD_NEW(arena, bool, frames, error), *on = OD_NEW(arena, bool, frames, error);
    if (!raw || !on) return false;
    for (int side = 0; side < 2; side++) {
        float *weight = footing->weight[side] = OD_NEW(arena, float, frames, error);
        if (!weight) return false;
        bool stands = false;
        for (int f = 0; f < solution->frames; f++) {
            float height = height_of(solution, travel, side, f) * OD_CM, speed = speed_of(solution, travel, side, f);
            weight[f] = od_contact_weight(height);
            stands =
                stands ? speed < LEAVE_SPEED && height < LEAVE_HEIGHT : speed < ENTER_SPEED && height < ENTER_HEIGHT;
            raw[f] = stands;
        }
        median5(raw, on, solution->frames);
        drop_short(on, solution->frames, false, LONGEST_GAP + 1);
        drop_short(on, solution->frames, true, SHORTEST);
        if (!list_intervals(on, solution->frames, footing, side, arena, error)) return false;
    }
    return true;
}
