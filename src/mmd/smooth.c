/* Input: keys on every frame. Output: the same, but for what trembles. */
#include "odori/smooth.h"

#include <math.h>

enum { REACH = 90 }; /* frames: three times the largest sigma */

typedef struct window {
    int reach;
    double weight[REACH + 1];
} window;

static window make_window(double sigma)
{
    window w = {.reach = (int)fmin(ceil(3 * sigma), REACH)};
    for (int k = 0; k <= w.reach; k++) w.weight[k] = exp(-0.5 * k * k / (sigma * sigma));
    return w;
}

/* The turn from a to b, as its axis times its angle. */
static vec3s way_to(versors a, versors b)
{
    versors q = od_quat_near(od_quat_mul(od_quat_conj(a), b), od_quat_identity());
    vec3s v = od_vec3(q.x, q.y, q.z);
    float sine = glms_vec3_norm(v);
    return glms_vec3_scale(v, sine > 1e-6f ? 2 * atan2f(sine, q.w) / sine : 2);
}

/* The mean around a frame; near the ends over fewer frames, as many on both sides, so those stay. */
static vec3s mean_way(const window *w, const versors *rotation, int count, int frame)
{
    int reach = w->reach < frame ? w->reach : frame;
    if (count - 1 - frame < reach) reach = count - 1 - frame;
    vec3s sum = od_vec3(0, 0, 0);
    double weights = w->weight[0];
    for (int k = 1; k <= reach; k++) {
        vec3s both =
            glms_vec3_add(way_to(rotation[frame], rotation[frame - k]), way_to(rotation[frame], rotation[frame + k]));
        sum = glms_vec3_add(sum, glms_vec3_scale(both, (float)w->weight[k]));
        weights += 2 * w->weight[k];
    }
    return glms_vec3_scale(sum, (float)(1 / weights));
}

static bool smooth_track(const window *w, od_track *track, od_smoothing *smoothing, od_arena *arena, od_error *error)
{
    const versors *from = track->rotation;
    versors *to = OD_NEW(arena, versors, (size_t)track->count, error);
    if (!to) return false;
    for (int f = 0; f < track->count; f++) {
        vec3s way = mean_way(w, from, track->count, f);
        double degrees = 57.295779513082323 * (double)glms_vec3_norm(way);
        to[f] = od_quat_normalize(od_quat_mul(from[f], od_quat_axis_angle(way, glms_vec3_norm(way))));
        if (f) to[f] = od_quat_near(to[f], to[f - 1]);
        smoothing->mean += degrees / track->count;
        if (degrees > smoothing->most) {
            smoothing->most = degrees;
            smoothing->most_bone = track->name;
        }
    }
    smoothing->tracks++;
    track->rotation = to;
    return true;
}

/* kept[bone]: legs and what they hang on. */
static bool *find_kept(const od_target *target, od_arena *arena, od_error *error)
{
    bool *kept = OD_NEW(arena, bool, (size_t)target->skeleton.count, error);
    for (int b = target->skeleton.count - 1; kept && b >= 0; b--) { /* children before their parents */
        int parent = target->skeleton.bones[b].parent;
        if (target->bones[b].role >= OD_ROLE_WAIST_CANCEL_L) kept[b] = true;
        if (kept[b] && parent >= 0) kept[parent] = true;
    }
    return kept;
}

bool od_smooth(const od_target *target, const od_keys *keys, double sigma, od_keys *smoothed, od_smoothing *smoothing,
               od_arena *arena, od_error *error)
{
    window w = make_window(sigma);
    const bool *kept = find_kept(target, arena, error);
    *smoothing = (od_smoothing){0};
    *smoothed = *keys;
    smoothed->tracks = OD_NEW(arena, od_track, (size_t)keys->track_count, error);
    if (!kept || !smoothed->tracks) return false;
    for (int i = 0; i < keys->track_count; i++) {
        od_track *track = &smoothed->tracks[i];
        *track = keys->tracks[i];
        int bone = od_skeleton_find(&target->skeleton, track->name);
        bool dense = !track->frame && track->count > 2;
        if (bone < 0 || kept[bone] || !dense || !track->rotation) continue;
        if (!smooth_track(&w, track, smoothing, arena, error)) return false;
    }
    if (smoothing->tracks) smoothing->mean /= smoothing->tracks;
    return true;
}
