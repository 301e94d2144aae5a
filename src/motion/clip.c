/* Input: frames one after another, at their own rate. Output: a frame at any time (30 fps for MMD).
 * Translations and rotations are interpolated apart, never as matrices.
 *
 * The newest frames are rows of transforms. When there are `span` of them they become a block, in which a
 * rotation or a translation that has the same bits in all frames is held once, and the others side by side,
 * frame by frame. Invariant: what was added comes back bit for bit. */
#include "odori/clip.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* ---- poses --------------------------------------------------------------------------------------- */

enum { SPAN = 64, ROWS = 1 << 16 /* transforms: two MiB */ };

/* One bone in a block: frame k has q[k * q_step], t[k * t_step]; step 0: the same in all. */
typedef struct part {
    versors *q;
    vec3s *t;
    size_t q_step, t_step;
} part;

typedef struct od_poses {
    od_arena *arena;
    size_t bones;
    size_t span;    /* frames of a block */
    od_xform *rows; /* rows[span * bones], the frames behind the blocks */
    size_t held;    /* of them are there */
    part **blocks;  /* blocks[block_count][bones] */
    size_t block_count, block_room;
} od_poses;

bool od_clip_make(od_clip *clip, int bones, double fps, od_arena *arena, od_error *error)
{
    od_poses *poses = OD_NEW(arena, od_poses, 1, error);
    *clip = (od_clip){.name = "", .fps = fps, .bones = bones, .poses = poses, .step = 1, .last = INT_MAX};
    if (!poses) return false;
    poses->arena = arena;
    poses->bones = (size_t)bones;
    poses->span = bones <= ROWS / SPAN ? SPAN : bones < ROWS ? ROWS / (size_t)bones : 1;
    poses->rows = OD_NEW(arena, od_xform, poses->span * poses->bones, error);
    return poses->rows != NULL;
}

/* A place for one more block. */
static bool grow(od_poses *poses, od_error *error)
{
    if (poses->block_count < poses->block_room) return true;
    size_t room = poses->block_room ? 2 * poses->block_room : 16;
    part **blocks = OD_NEW(poses->arena, part *, room, error);
    if (!blocks) return false;
    if (poses->block_count) memcpy(blocks, poses->blocks, poses->block_count * sizeof(part *));
    poses->blocks = blocks;
    poses->block_room = room;
    return true;
}

/* Not as numbers: a zero keeps its sign. */
static bool same_bits(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* Which bones turn and which move in the rows: their steps become 1. */
static void find_changes(const od_poses *poses, part *parts)
{
    const od_xform *first = poses->rows;
    for (size_t k = 1; k < poses->held; k++) {
        const od_xform *row = first + k * poses->bones;
        for (size_t i = 0; i < poses->bones; i++) {
            if (!same_bits(&row[i].q, &first[i].q, sizeof row->q)) parts[i].q_step = 1;
            if (!same_bits(&row[i].t, &first[i].t, sizeof row->t)) parts[i].t_step = 1;
        }
    }
}

/* Makes a block of the rows. */
static bool pack(od_poses *poses, od_error *error)
{
    size_t turning = 0, moving = 0, bones = poses->bones, more = poses->held - 1;
    part *parts = OD_NEW(poses->arena, part, bones, error);
    if (!parts || !grow(poses, error)) return false;
    find_changes(poses, parts);
    for (size_t i = 0; i < bones; i++) {
        turning += parts[i].q_step;
        moving += parts[i].t_step;
    }
    /* First what changes, a frame a row; behind the rows what does not. */
    versors *q = OD_NEW(poses->arena, versors, bones + turning * more, error);
    vec3s *t = OD_NEW(poses->arena, vec3s, bones + moving * more, error);
    if (!q || !t) return false;
    versors *still_q = q + turning * (more + 1);
    vec3s *still_t = t + moving * (more + 1);
    for (size_t i = 0; i < bones; i++) {
        parts[i].q_step *= turning;
        parts[i].t_step *= moving;
        parts[i].q = parts[i].q_step ? q++ : still_q++;
        parts[i].t = parts[i].t_step ? t++ : still_t++;
    }
    for (size_t k = 0; k < poses->held; k++) {
        const od_xform *row = poses->rows + k * bones;
        for (size_t i = 0; i < bones; i++) {
            parts[i].q[k * parts[i].q_step] = row[i].q;
            parts[i].t[k * parts[i].t_step] = row[i].t;
        }
    }
    poses->blocks[poses->block_count++] = parts;
    poses->held = 0;
    return true;
}

od_xform *od_clip_add(od_clip *clip, od_error *error)
{
    od_poses *poses = clip->poses;
    assert(clip->first == 0 && clip->step == 1 && clip->last == INT_MAX);
    if (clip->frames == INT_MAX) {
        od_fail(error, "a clip can have no more than %d frames", INT_MAX);
        return NULL;
    }
    if (poses->held == poses->span && !pack(poses, error)) return NULL;
    clip->frames++;
    return poses->rows + poses->held++ * poses->bones;
}

static size_t count(const od_poses *poses)
{
    return poses->block_count * poses->span + poses->held;
}

/* Where a frame is: in a block, or when `parts` is NULL in a row. */
typedef struct place {
    const part *parts;
    size_t k;
    const od_xform *row;
} place;

static place find(const od_poses *poses, size_t frame)
{
    size_t block = frame / poses->span, k = frame % poses->span;
    assert(frame < count(poses));
    return (place){block < poses->block_count ? poses->blocks[block] : NULL, k, poses->rows + k * poses->bones};
}

static od_xform transform(place at, size_t bone)
{
    if (!at.parts) return at.row[bone];
    const part *p = &at.parts[bone];
    return (od_xform){.q = p->q[at.k * p->q_step], .t = p->t[at.k * p->t_step]};
}

static od_xform mix(od_xform a, od_xform b, float t)
{
    return (od_xform){.q = od_quat_slerp(a.q, b.q, t), .t = glms_vec3_lerp(a.t, b.t, t)};
}

void od_clip_pose(const od_clip *clip, int frame, od_xform *local)
{
    const od_poses *poses = clip->poses;
    double at = fmin(clip->first + frame * clip->step, clip->last);
    size_t whole = (size_t)at;
    float t = (float)(at - (double)whole);
    assert(frame >= 0 && frame < clip->frames);
    if (t > 0.999f) { /* a sample that is meant is taken as it is: rates in files are rounded */
        whole++;
        t = 0;
    }
    if (t < 0.001f || whole + 1 >= count(poses)) t = 0;
    place a = find(poses, whole), b = t > 0 ? find(poses, whole + 1) : a;
    for (size_t i = 0; i < poses->bones; i++) {
        local[i] = transform(a, i);
        if (t > 0) local[i] = mix(local[i], transform(b, i), t);
    }
}

void od_clip_world(const od_clip *clip, int frame, const od_skeleton *skeleton, od_xform *world)
{
    od_clip_pose(clip, frame, world);
    od_skeleton_world(skeleton, world, world);
}

void od_clip_move(od_clip *clip, int bone, vec3s by)
{
    od_poses *poses = clip->poses;
    for (size_t b = 0; b < poses->block_count; b++) {
        part *p = &poses->blocks[b][bone];
        size_t values = p->t_step ? poses->span : 1;
        for (size_t k = 0; k < values; k++) p->t[k * p->t_step] = glms_vec3_add(p->t[k * p->t_step], by);
    }
    for (size_t k = 0; k < poses->held; k++) {
        vec3s *t = &poses->rows[k * poses->bones + (size_t)bone].t;
        *t = glms_vec3_add(*t, by);
    }
}

/* ---- rates --------------------------------------------------------------------------------------- */

double od_fps_snap(double fps)
{
    /* clang-format off */
    static const double common[] = {
        10, 12, 12.5, 15, 20, 24000 / 1001.0, 24, 25, 30000 / 1001.0, 30, 48, 50, 60000 / 1001.0, 60, 72, 75, 90,
        100, 120, 144, 180, 200, 240, 300, 360, 480, 500, 1000,
    };
    /* clang-format on */
    double best = fps, least = 0.0015; /* Frame Time 0.0333 is 30 fps, 0.1001 % off */
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        double off = fabs(fps / common[i] - 1);
        if (off < least) {
            least = off;
            best = common[i];
        }
    }
    return best;
}

bool od_clip_resample(const od_clip *in, const od_resample_options *options, od_clip *out, od_error *error)
{
    double fps = options->fps > 0 ? options->fps : 30;
    double speed = options->speed != 0 ? options->speed : 1;
    double last = (in->frames - 1) / in->fps; /* seconds */
    double start = options->start, end = options->end > 0 && options->end < last ? options->end : last;
    if (!(speed > 0) || !isfinite(speed)) return od_fail(error, "speed must be above 0, found %g", speed);
    if (in->frames < 1) return od_fail(error, "the clip has no frames");
    if (!(start >= 0) || !(start <= end))
        return od_fail(error, "the part from %g s to %g s is empty: the clip lasts %g s", start, end, last);
    /* The last frame of the part is kept even when the steps do not meet it: dances end in a pose. */
    double frames = ceil((end - start) / speed * fps - 1e-3) + 1;
    if (frames > OD_CLIP_FRAMES)
        return od_fail(error, "%.0f frames at %g fps and speed %g are too many: a motion has at most %d", frames, fps,
                       speed, OD_CLIP_FRAMES);
    *out = *in;
    out->fps = fps;
    if (start <= 0 && end >= last && fabs(in->fps * speed / fps - 1) < 1e-6) return true;

    out->frames = (int)frames;
    out->first = in->first + start * in->fps * in->step;
    out->step = speed / fps * in->fps * in->step;
    out->last = fmin(in->first + end * in->fps * in->step, in->last);
    return true;
}
