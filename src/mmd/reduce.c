/* Input: keys, a model, a tolerance. Output: fewer keys. Each track is done for itself; which of its keys stay
 * is decided between those that must: the first, the last, where feet begin and cease to stand, where IK is
 * switched. */
#include "mmd/reduce.h"

#include <string.h>

#include "math/pick.h"
#include "mmd/name_list.h"
#include "mmd/path.h"

static const double RADIANS = 0.017453292519943295;
static const double ANGLE = 0.5, WAY = 0.02; /* defaults: degrees; MMD units */
static const double ELSEWHERE = 2.5;         /* a bone that carries neither feet nor the body may be off more */
/* Of the tolerance for what carries the body: between FK and IK of a leg the errors of five bones add up, and
 * more than this moves knees by more than IK may. */
static const double CARRYING = 0.7;
static const double WEIGHT_PER_DEGREE = 0.02; /* of morphs */

/* ---- what a track belongs to -------------------------------------------------------------------- */

static bool find_bones(od_reducer *reducer, const od_target *target)
{
    int bones = target->skeleton.count, tracks = reducer->keys->track_count;
    const char **names = OD_NEW(reducer->scratch, const char *, (size_t)bones, reducer->error);
    int *bone_of = OD_NEW(reducer->scratch, int, (size_t)bones, reducer->error);
    od_name_list list;
    reducer->role = OD_NEW(reducer->scratch, od_role, (size_t)tracks, reducer->error);
    reducer->axis = OD_NEW(reducer->scratch, const vec3s *, (size_t)tracks, reducer->error);
    if (!names || !bone_of || !reducer->role || !reducer->axis) return false;
    for (int b = 0; b < bones; b++) {
        names[target->bones[b].model_index] = target->skeleton.bones[b].name;
        bone_of[target->bones[b].model_index] = b;
    }
    if (!od_name_list_make(&list, names, bones, OD_LABEL, reducer->scratch, reducer->error)) return false;
    for (int i = 0; i < tracks; i++) {
        int found = od_name_list_find(&list, reducer->keys->tracks[i].name);
        const od_target_bone *bone = found < 0 ? NULL : &target->bones[bone_of[found]];
        reducer->role[i] = bone ? bone->role : OD_ROLE_NONE;
        if (bone && bone->flags & OD_BONE_FIXED_AXIS) reducer->axis[i] = &bone->fixed_axis;
    }
    return true;
}

static bool is_travel(od_role role)
{
    return role == OD_ROLE_MOTHER || role == OD_ROLE_CENTER || role == OD_ROLE_GROOVE;
}

static bool is_leg(od_role role)
{
    return (role >= OD_ROLE_LEG_L && role <= OD_ROLE_TOE_EX_R) || od_role_is_leg_ik(role);
}

static bool is_hips(od_role role)
{
    return is_travel(role) || role == OD_ROLE_WAIST || role == OD_ROLE_LOWER_BODY;
}

bool od_reducer_carries(const od_reducer *reducer, int track)
{
    return is_hips(reducer->role[track]) || is_leg(reducer->role[track]);
}

/* ---- keys that stay ----------------------------------------------------------------------------- */

/* The key at a frame, or the nearest of the two around it. */
static void pin(const od_track *track, unsigned frame, bool *pinned)
{
    int low = 0, high = track->count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (od_key_frame(track->frame, middle) < frame) low = middle + 1;
        else high = middle;
    }
    if (low > 0 && frame < od_key_frame(track->frame, low) &&
        frame - od_key_frame(track->frame, low - 1) < od_key_frame(track->frame, low) - frame)
        low--;
    pinned[low] = true;
}

static void pin_contacts(const od_contacts *contacts, int side, const od_track *track, bool *pinned)
{
    for (int i = 0; i < contacts->count[side]; i++) {
        pin(track, (unsigned)contacts->list[side][i].start, pinned);
        pin(track, (unsigned)contacts->list[side][i].end - 1, pinned);
    }
}

static void pin_all(const od_reducer *reducer, int index, bool *pinned)
{
    const od_track *track = &reducer->keys->tracks[index];
    const od_contacts *contacts = reducer->options->contacts;
    od_role role = reducer->role[index];
    pinned[0] = pinned[track->count - 1] = true;
    for (int side = 0; contacts && side < 2; side++)
        if (is_hips(role) || (od_role_is_leg_ik(role) && (role - OD_ROLE_LEG_IK_PARENT_L) % 2 == side))
            pin_contacts(contacts, side, track, pinned);
    for (int i = 1; is_leg(role) && i < reducer->keys->ik_count; i++) pin(track, reducer->keys->ik[i].frame, pinned);
    for (int i = 1; track->still && i < track->count; i++)
        if (track->still[i] != track->still[i - 1]) pinned[i] = true;
}

/* ---- tracks of bones ----------------------------------------------------------------------------- */

static bool step_path(void *context, int from, int to)
{
    od_curves curves;
    return od_path_segment(context, from, to, &curves);
}

/* Is there a key on every frame? */
static bool is_dense(const unsigned *frame, int count)
{
    return !frame || frame[count - 1] - frame[0] == (unsigned)count - 1;
}

/* Each time that keys are moved the motion is a tolerance farther from what it was: it has to be worth it. */
static bool is_worth(const unsigned *frame, int count, int left)
{
    return is_dense(frame, count) ? left < count : 2 * left <= count;
}

/* Room for keys; NULL arrays stay NULL, for they say that nothing is there. */
typedef struct rows {
    unsigned *frame;
    vec3s *position;
    versors *rotation;
    od_curves *curves;
    bool *still;
} rows;

static bool make_rows(od_reducer *reducer, const od_track *track, int count, rows *to, od_track *reduced)
{
    size_t n = (size_t)count;
    *to = (rows){0};
    if (!(to->frame = OD_NEW(reducer->arena, unsigned, n, reducer->error)) ||
        !(to->curves = OD_NEW(reducer->arena, od_curves, n, reducer->error)) ||
        (track->position && !(to->position = OD_NEW(reducer->arena, vec3s, n, reducer->error))) ||
        (track->rotation && !(to->rotation = OD_NEW(reducer->arena, versors, n, reducer->error))) ||
        (track->still && !(to->still = OD_NEW(reducer->arena, bool, n, reducer->error))))
        return false;
    *reduced = (od_track){track->name, count, to->frame, to->position, to->rotation, to->curves, to->still};
    return true;
}

static bool write_path(od_reducer *reducer, const od_path *path, const od_picker *picker, od_track *reduced)
{
    static const od_curves linear = OD_CURVES_LINEAR;
    const od_track *track = path->track;
    bool curved = false;
    rows to;
    if (!make_rows(reducer, track, picker->count, &to, reduced)) return false;
    for (int i = 0; i < picker->count; i++) {
        int key = picker->chosen[i];
        unsigned at = od_key_frame(track->frame, key) - path->first;
        to.frame[i] = od_key_frame(track->frame, key);
        to.curves[i] = linear;
        if (i) od_path_segment(path, picker->chosen[i - 1], key, &to.curves[i]);
        else if (track->curves) to.curves[i] = track->curves[key];
        curved = curved || memcmp(&to.curves[i], &linear, sizeof linear) != 0;
        if (to.position) to.position[i] = path->place[at];
        if (to.rotation) to.rotation[i] = i ? od_quat_near(path->turn[at], to.rotation[i - 1]) : path->turn[at];
        if (to.still) to.still[i] = track->still[key];
    }
    if (!curved) reduced->curves = NULL;
    return true;
}

/* One key, at the frame of the first. */
static bool write_still(od_reducer *reducer, const od_path *path, od_xform still, od_track *reduced)
{
    rows to;
    if (!make_rows(reducer, path->track, 1, &to, reduced)) return false;
    to.frame[0] = path->first;
    if (to.position) to.position[0] = still.t;
    if (to.rotation) to.rotation[0] = still.q;
    if (to.still) to.still[0] = path->track->still[0];
    reduced->curves = NULL;
    return true;
}

static bool changes(const bool *still, int count)
{
    for (int i = 1; still && i < count; i++)
        if (still[i] != still[0]) return true;
    return false;
}

static bool reduce_bone(od_reducer *reducer, int index, double share, od_track *reduced, od_arena *scratch)
{
    const od_track *track = &reducer->keys->tracks[index];
    double angle = reducer->scale * reducer->angle, way = reducer->scale * reducer->way;
    if (od_reducer_carries(reducer, index)) share *= CARRYING;
    if (!is_travel(reducer->role[index]) && !od_role_is_leg_ik(reducer->role[index])) way *= ELSEWHERE;
    od_tolerance tolerance = {(float)(share * RADIANS * angle), (float)(share * way)};
    bool *pinned = OD_NEW(scratch, bool, (size_t)track->count, reducer->error);
    od_picker picker;
    od_path path;
    od_xform still;
    if (!pinned || !od_picker_make(&picker, track->count, scratch, reducer->error)) return false;
    pin_all(reducer, index, pinned);
    if (!od_path_make(&path, track, reducer->axis[index], tolerance, pinned, &reducer->fitter, scratch, reducer->error))
        return false;
    if (!changes(track->still, track->count) && od_path_is_still(&path, &still))
        return write_still(reducer, &path, still, reduced);
    for (int from = 0, to = 1; to < track->count; to++) {
        if (!pinned[to]) continue;
        od_pick(&picker, from, to, step_path, &path);
        from = to;
    }
    if (reducer->error->failed) return false;
    return !is_worth(track->frame, track->count, picker.count) || write_path(reducer, &path, &picker, reduced);
}

bool od_reducer_bone(od_reducer *reducer, int track, double share, od_track *reduced)
{
    *reduced = reducer->keys->tracks[track];
    if (reduced->count < 2 ||
        od_key_frame(reduced->frame, reduced->count - 1) - od_key_frame(reduced->frame, 0) >= OD_CLIP_FRAMES)
        return true;
    od_arena *scratch = od_arena_child(reducer->scratch, reducer->error);
    bool done = scratch && reduce_bone(reducer, track, share, reduced, scratch);
    od_arena_free(scratch);
    return done;
}

/* ---- morphs -------------------------------------------------------------------------------------- */

typedef struct line {
    const od_morph_track *track;
    double tolerance;
} line;

/* Weights are linear between the keys that were there, so those are where a straight line is farthest off. */
static bool step_line(void *context, int from, int to)
{
    const line *l = context;
    const od_morph_track *track = l->track;
    double a = (double)track->weight[from], b = (double)track->weight[to];
    double start = od_key_frame(track->frame, from), length = od_key_frame(track->frame, to) - start;
    if (to - from > OD_FIT_LONGEST) return false;
    for (int i = from + 1; i < to; i++) {
        double x = (od_key_frame(track->frame, i) - start) / length;
        if (!(fabs(a + (b - a) * x - (double)track->weight[i]) <= l->tolerance)) return false;
    }
    return true;
}

static bool is_still(const od_morph_track *track, double tolerance)
{
    for (int i = 1; i < track->count; i++)
        if (!(fabs((double)track->weight[i] - (double)track->weight[0]) <= tolerance)) return false;
    return true;
}

bool od_reducer_morph(od_reducer *reducer, int index, od_morph_track *reduced)
{
    const od_morph_track *track = &reducer->keys->morphs[index];
    line l = {track, WEIGHT_PER_DEGREE * reducer->scale * reducer->angle};
    od_picker picker;
    *reduced = *track;
    if (track->count < 2) return true;
    if (!od_picker_make(&picker, track->count, reducer->scratch, reducer->error)) return false;
    if (is_still(track, l.tolerance)) picker.count = 1;
    else od_pick(&picker, 0, track->count - 1, step_line, &l);
    if (!is_worth(track->frame, track->count, picker.count)) return true;
    unsigned *frame = OD_NEW(reducer->arena, unsigned, (size_t)picker.count, reducer->error);
    float *weight = OD_NEW(reducer->arena, float, (size_t)picker.count, reducer->error);
    if (!frame || !weight) return false;
    for (int i = 0; i < picker.count; i++) {
        frame[i] = od_key_frame(track->frame, picker.chosen[i]);
        weight[i] = track->weight[picker.chosen[i]];
    }
    *reduced = (od_morph_track){track->name, picker.count, frame, weight};
    return true;
}

/* ---- all ----------------------------------------------------------------------------------------- */

bool od_reducer_make(od_reducer *reducer, const od_target *target, const od_keys *keys,
                     const od_reduce_options *options, od_keys *reduced, od_arena *arena, od_error *error)
{
    *reducer = (od_reducer){.keys = keys, .options = options, .scale = 1, .arena = arena, .error = error};
    bool set = options->tolerance_set && !(options->budget && options->angle == 0 && options->way == 0);
    reducer->angle = set ? options->angle : ANGLE;
    reducer->way = set ? options->way : WAY;
    *reduced = *keys;
    reduced->tracks = OD_NEW(arena, od_track, (size_t)keys->track_count, error);
    reduced->morphs = OD_NEW(arena, od_morph_track, (size_t)keys->morph_count, error);
    reducer->scratch = od_arena_child(arena, error);
    return reduced->tracks && reduced->morphs && reducer->scratch && find_bones(reducer, target) &&
           od_fitter_make(&reducer->fitter, options->kind == OD_REDUCE_LINEAR, reducer->scratch, error);
}

/* The track that was the last to end gets its last key back, as it is now. */
bool od_reducer_keep_length(od_reducer *reducer, od_keys *reduced)
{
    unsigned last = od_keys_last(reducer->keys);
    for (int i = 0; od_keys_last(reduced) < last && i < reduced->track_count; i++) {
        const od_track *before = &reducer->keys->tracks[i], one = reduced->tracks[i];
        rows to;
        if (!before->count || od_key_frame(before->frame, before->count - 1) != last) continue;
        if (!make_rows(reducer, &one, 2, &to, &reduced->tracks[i])) return false;
        to.frame[0] = od_key_frame(one.frame, 0);
        to.frame[1] = last;
        for (int k = 0; k < 2; k++) {
            if (to.position) to.position[k] = one.position[0];
            if (to.rotation) to.rotation[k] = one.rotation[0];
            if (to.still) to.still[k] = one.still[0];
        }
        reduced->tracks[i].curves = NULL;
    }
    return true;
}

static bool reduce_tracks(od_reducer *reducer, double share, od_keys *reduced)
{
    for (int i = 0; i < reduced->track_count; i++)
        if (!od_reducer_bone(reducer, i, od_reducer_carries(reducer, i) ? share : 1, &reduced->tracks[i])) return false;
    for (int i = 0; i < reduced->morph_count; i++)
        if (!od_reducer_morph(reducer, i, &reduced->morphs[i])) return false;
    return od_reducer_keep_length(reducer, reduced);
}

/* Does the budget suffice at this scale? What is made to see it is given back. */
static bool try_scale(od_reducer *reducer, double scale, double share, od_keys *reduced, bool *fits)
{
    od_arena *arena = reducer->arena;
    reducer->scale = scale;
    reducer->arena = od_arena_child(arena, reducer->error);
    bool done = reducer->arena && reduce_tracks(reducer, share, reduced);
    *fits = done && od_keys_count(reduced) <= reducer->options->budget;
    od_arena_free(reducer->arena);
    reducer->arena = arena;
    return done;
}

/* Doubles or halves the scale until the budget suffices or no longer does, then halves between the two. */
static bool find_scale(od_reducer *reducer, double share, od_keys *reduced)
{
    enum { DOUBLINGS = 7, HALVINGS = 6 };
    double low = 0, high = 0, scale = 1;
    bool fits;
    if (!try_scale(reducer, scale, share, reduced, &fits)) return false;
    for (int i = 0; i < DOUBLINGS && !(low > 0 && high > 0); i++) {
        if (fits) high = scale;
        else low = scale;
        scale = fits ? scale / 2 : scale * 2;
        if (!try_scale(reducer, scale, share, reduced, &fits)) return false;
        if (fits) high = scale;
        else low = scale;
    }
    for (int i = 0; i < HALVINGS && low > 0 && high > 0; i++) {
        double middle = sqrt(low * high);
        if (!try_scale(reducer, middle, share, reduced, &fits)) return false;
        if (fits) high = middle;
        else low = middle;
    }
    reducer->over = high == 0;
    reducer->scale = high > 0 ? high : low;
    return true;
}

bool od_reducer_all(od_reducer *reducer, double share, od_keys *reduced)
{
    if (reducer->options->budget && !find_scale(reducer, share, reduced)) return false;
    return reduce_tracks(reducer, share, reduced);
}

void od_reducer_tell(const od_reducer *reducer, od_reduction *reduction)
{
    reduction->angle = reducer->scale * reducer->angle;
    reduction->way = reducer->scale * reducer->way;
    reduction->over = reducer->over;
}

bool od_reduce(const od_target *target, const od_keys *keys, const od_reduce_options *options, od_keys *reduced,
               od_reduction *reduction, od_arena *arena, od_error *error)
{
    od_reducer reducer;
    *reduced = *keys;
    *reduction = (od_reduction){.before = od_keys_count(keys)};
    if (options->kind == OD_REDUCE_OFF) return true;
    bool done =
        od_reducer_make(&reducer, target, keys, options, reduced, arena, error) && od_reducer_all(&reducer, 1, reduced);
    od_reducer_tell(&reducer, reduction);
    od_arena_free(reducer.scratch);
    return done;
}
