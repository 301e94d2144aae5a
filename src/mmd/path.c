/* Input: a track. Output: its samples, values for keys, and whether a segment between two keys serves. */
#include "mmd/path.h"

#include "mmd/track.h"

/* Neighbouring keys are nearer than this: beyond 180 degrees players turn the other way, and some editors
 * come near it by rounding. */
static const float FARTHEST = 2.0943951f; /* 120 degrees */

/* No number in a file is more exact. */
static const float EXACT_ANGLE = 1e-5f, EXACT_WAY = 1e-5f;

/* What of the tolerance keys are moved by at most. */
static const float SHARE = 0.9f;

/* Of the straight lines through keys three frames apart (about the length of segments) those that miss all
 * samples least, in least squares, have at a key the mean of the samples around, with these weights for one
 * that is 1, 2, ... frames away; the key's own sample has the rest. */
enum { NEIGHBOURS = 9 };
static const float weights[NEIGHBOURS] = {0.308136f, 0.096711f, -0.114713f, -0.068033f, -0.021353f,
                                          0.025327f, 0.015021f, 0.004714f,  -0.005592f};

static int offset_of(const od_path *path, int key)
{
    return (int)(od_key_frame(path->track->frame, key) - path->first);
}

static bool sample(od_path *path, const vec3s *axis, od_arena *arena, od_error *error)
{
    const od_track *track = path->track;
    size_t frames = (size_t)path->frames;
    od_track_reader reader = od_track_read(track, axis);
    if (track->rotation && (!(path->rotation = OD_NEW(arena, versors, frames, error)) ||
                            !(path->turn = OD_NEW(arena, versors, frames, error))))
        return false;
    if (track->position && (!(path->position = OD_NEW(arena, vec3s, frames, error)) ||
                            !(path->place = OD_NEW(arena, vec3s, frames, error))))
        return false;
    for (int f = 0; f < path->frames; f++) {
        od_xform at = od_track_sample(&reader, (double)path->first + f);
        if (path->rotation) path->turn[f] = path->rotation[f] = f ? od_quat_near(at.q, path->rotation[f - 1]) : at.q;
        if (path->position) path->place[f] = path->position[f] = at.t;
    }
    return true;
}

/* ---- values of keys ------------------------------------------------------------------------------ */

/* Moves one value of `size` numbers from its sample to where keys had better be. Neither in a bend nor where
 * mocap trembles is that the sample: segments from there miss others by more. */
static void settle(const float *samples, int frames, int size, int frame, float radius, float *value)
{
    const float *own = samples + frame * size;
    float moved[4] = {0}, square = 0;
    for (int away = 1; away <= NEIGHBOURS; away++) {
        const float *before = samples + (frame - away > 0 ? frame - away : 0) * size;
        const float *after = samples + (frame + away < frames ? frame + away : frames - 1) * size;
        for (int k = 0; k < size; k++) moved[k] += weights[away - 1] * ((before[k] - own[k]) + (after[k] - own[k]));
    }
    for (int k = 0; k < size; k++) square += moved[k] * moved[k];
    float ratio = square > radius * radius ? radius / sqrtf(square) : 1;
    for (int k = 0; k < size; k++) value[k] = own[k] + ratio * moved[k];
}

static void settle_all(od_path *path, const bool *movable)
{
    for (int f = 0; f < path->frames; f++) {
        if (!movable[f]) continue;
        if (path->position)
            settle(path->position[0].raw, path->frames, 3, f, SHARE * path->tolerance.way, path->place[f].raw);
        if (!path->rotation) continue;
        /* a turn by an angle moves a quaternion by half of it */
        settle(path->rotation[0].raw, path->frames, 4, f, 0.5f * SHARE * path->tolerance.angle, path->turn[f].raw);
        path->turn[f] = od_quat_normalize(path->turn[f]);
    }
}

/* Keys next to which there is a key on either side, and not pinned. */
static bool *find_movable(const od_path *path, const bool *pinned, od_arena *arena, od_error *error)
{
    const od_track *track = path->track;
    bool *movable = OD_NEW(arena, bool, (size_t)path->frames, error);
    for (int i = 1; movable && i + 1 < track->count; i++) {
        bool dense = od_key_frame(track->frame, i - 1) + 1 == od_key_frame(track->frame, i) &&
                     od_key_frame(track->frame, i) + 1 == od_key_frame(track->frame, i + 1);
        movable[offset_of(path, i)] = dense && !(pinned && pinned[i]);
    }
    return movable;
}

bool od_path_make(od_path *path, const od_track *track, const vec3s *axis, od_tolerance tolerance, const bool *pinned,
                  od_fitter *fitter, od_arena *arena, od_error *error)
{
    *path = (od_path){.track = track,
                      .tolerance = {fmaxf(tolerance.angle, EXACT_ANGLE), fmaxf(tolerance.way, EXACT_WAY)},
                      .fitter = fitter,
                      .first = od_key_frame(track->frame, 0)};
    path->frames = offset_of(path, track->count - 1) + 1;
    if (!sample(path, axis, arena, error)) return false;
    bool *movable = find_movable(path, pinned, arena, error);
    if (!movable) return false;
    settle_all(path, movable);
    return true;
}

/* ---- segments ----------------------------------------------------------------------------------- */

/* The turn from key to key is about one axis; what the samples turn about others is lost and leaves less of
 * the tolerance for the curve. */
static bool turn_fits(const od_path *path, int a, int b, unsigned char points[4])
{
    const float tolerance = path->tolerance.angle, most = sinf(0.4995f * tolerance) * sinf(0.4995f * tolerance);
    od_fitter *fitter = path->fitter;
    float cosine[OD_FIT_LONGEST];
    versors back = od_quat_conj(path->turn[a]);
    versors whole = od_quat_near(od_quat_mul(back, path->turn[b]), od_quat_identity());
    vec3s axis = od_vec3(whole.x, whole.y, whole.z);
    float sine = glms_vec3_norm(axis), angle = 2 * atan2f(sine, whole.w);
    if (angle > FARTHEST) return false;
    axis = sine > 1e-6f ? glms_vec3_scale(axis, 1 / sine) : od_vec3(0, 0, 0);
    for (int f = 1; f < b - a; f++) {
        versors q = od_quat_near(od_quat_mul(back, path->rotation[a + f]), od_quat_identity());
        vec3s v = od_vec3(q.x, q.y, q.z);
        float along = glms_vec3_dot(v, axis);
        float aside = glms_vec3_norm2(glms_vec3_sub(v, glms_vec3_scale(axis, along)));
        if (!(aside < most)) return false;
        fitter->want[f] = along;
        cosine[f] = q.w;
        fitter->slack[f] = tolerance * tolerance - 4 * aside;
    }
    for (int f = 1; f < b - a; f++) { /* most segments do not come this far */
        fitter->want[f] = 2 * atan2f(fitter->want[f], cosine[f]);
        fitter->slack[f] = sqrtf(fitter->slack[f]);
    }
    return od_fit_curve(fitter, b - a, angle, points);
}

/* The three axes one after the other: what one of them misses leaves less for the others. */
static bool place_fits(const od_path *path, int a, int b, od_curves *curves)
{
    const float tolerance = path->tolerance.way;
    od_fitter *fitter = path->fitter;
    float left[OD_FIT_LONGEST]; /* square of what is left of the tolerance */
    for (int f = 1; f < b - a; f++) left[f] = tolerance * tolerance;
    for (int axis = 0; axis < 3; axis++) {
        float from = path->place[a].raw[axis];
        for (int f = 1; f < b - a; f++) {
            fitter->want[f] = path->position[a + f].raw[axis] - from;
            fitter->slack[f] = sqrtf(left[f] / (float)(3 - axis));
        }
        if (!od_fit_curve(fitter, b - a, path->place[b].raw[axis] - from, curves->c[axis])) return false;
        for (int f = 1; f < b - a; f++)
            left[f] = fmaxf(left[f] - fitter->miss[f] * fitter->miss[f], 1e-4f * tolerance * tolerance);
    }
    return true;
}

bool od_path_segment(const od_path *path, int from, int to, od_curves *curves)
{
    static const od_curves linear = OD_CURVES_LINEAR;
    int a = offset_of(path, from), b = offset_of(path, to);
    *curves = linear;
    if (from + 1 == to) {
        if (path->track->curves && b - a > 1) *curves = path->track->curves[to];
        return true;
    }
    if (b - a > OD_FIT_LONGEST) return false;
    if (path->turn && !turn_fits(path, a, b, curves->c[3])) return false;
    return !path->place || place_fits(path, a, b, curves);
}

/* ---- stillness ---------------------------------------------------------------------------------- */

/* The middle of values, nearly: from the mean towards the farthest, by less and less (M. Badoiu and
 * K. L. Clarkson, "Smaller core-sets for balls", 2003). True when all are within the radius. */
static bool find_middle(const float *value, int count, int size, float radius, float *middle)
{
    enum { STEPS = 32 };
    for (int k = 0; k < size; k++) middle[k] = value[k];
    for (int step = 1; step <= STEPS; step++) {
        float farthest = -1;
        const float *far = value;
        for (int i = 0; i < count; i++) {
            const float *v = value + (size_t)i * (size_t)size;
            float square = 0;
            for (int k = 0; k < size; k++) square += (v[k] - middle[k]) * (v[k] - middle[k]);
            if (square > farthest) {
                farthest = square;
                far = v;
            }
            if (farthest > 4 * radius * radius && step == 1) return false;
        }
        if (farthest <= radius * radius) return true;
        for (int k = 0; k < size; k++) middle[k] += (far[k] - middle[k]) / (float)(step + 1);
    }
    return false;
}

bool od_path_is_still(const od_path *path, od_xform *still)
{
    *still = od_xform_identity();
    if (path->position &&
        !find_middle(path->position[0].raw, path->frames, 3, 0.999f * path->tolerance.way, still->t.raw))
        return false;
    if (path->rotation &&
        !find_middle(path->rotation[0].raw, path->frames, 4, 0.4995f * path->tolerance.angle, still->q.raw))
        return false;
    still->q = od_quat_normalize(still->q);
    return true;
}
