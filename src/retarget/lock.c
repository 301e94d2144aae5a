/* Input: the way of an ankle, the intervals in which its foot stands. Output: a way on which the ball of the
 * foot does not move while the foot stands. */
#include "math/rank.h"
#include "retarget/foot.h"

enum { BLEND = 5 }; /* frames of fading before and after */

static const float SOFT_DRIFT = 0.375f; /* 3 cm */

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

bool od_foot_hold(vec3s *goal, const od_foot *foot, const od_footing *footing, int side, bool soft, od_arena *arena,
                  od_error *error)
{
    for (int f = 0; f < foot->frames; f++) goal[f] = glms_vec3_add(goal[f], foot->ball[f]);
    if (!hold(goal, foot->frames, footing, side, soft ? SOFT_DRIFT : INFINITY, arena, error)) return false;
    for (int f = 0; f < foot->frames; f++) goal[f] = glms_vec3_sub(goal[f], foot->ball[f]);
    return true;
}
