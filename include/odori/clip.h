/* Clip: one motion at a fixed frame rate; resampling to another. */
#ifndef ODORI_CLIP_H
#define ODORI_CLIP_H

#include "odori/arena.h"
#include "odori/skeleton.h"
#include "odori/xform.h"

/* Frames are added in order and looked at in any order. Of most joints the translation never changes, and
 * of many nothing does: what stands still is held once for many frames. */
typedef struct od_clip {
    const char *name; /* UTF-8; may be empty, never NULL */
    double fps;
    int frames;
    int bones;
    struct od_poses *poses; /* what was added; clips that od_clip_resample makes share it */
    double first, step;     /* frame k shows the pose at first + k * step of those added, between two of them */
    double last;            /* but none behind this one */
    const struct od_morph_track *morphs; /* keys.h; weights at the frames that were added */
    int morph_count;
} od_clip;

/* A clip without frames and name. */
OD_API bool od_clip_make(od_clip *clip, int bones, double fps, od_arena *arena, od_error *error);

/* Room for one more frame, local[bones], to be filled before the clip is used again: transforms relative
 * to the parent, file's unit. NULL when memory is out. Only for clips of od_clip_make. */
OD_API od_xform *od_clip_add(od_clip *clip, od_error *error);

/* A frame: local[bones], or world[bones] on the clip's skeleton. */
OD_API void od_clip_pose(const od_clip *clip, int frame, od_xform *local);
OD_API void od_clip_world(const od_clip *clip, int frame, const od_skeleton *skeleton, od_xform *world);

/* Adds to the translations of a bone in all frames, and in all clips that share them. */
OD_API void od_clip_move(od_clip *clip, int bone, vec3s by);

/* Frames that resampling gives at most: 9 hours at 30 fps, and far more than MMD loads keys for. */
enum { OD_CLIP_FRAMES = 1000000 };

/* Which part of a clip at which rate. The zero value is: all of it, 30 fps, speed 1. */
typedef struct od_resample_options {
    double start, end; /* seconds of the source; end 0: to its end */
    double speed;      /* 2: twice as fast; 0: 1 */
    double fps;        /* 0: 30 */
} od_resample_options;

/* Samples `in` by time: translations linearly, rotations by the short path. The last frame of the
 * part is always kept. `out` shares the poses of `in` and is sampled when it is looked at. Fails when the
 * part is empty or too long, or the speed is not positive. */
OD_API bool od_clip_resample(const od_clip *in, const od_resample_options *options, od_clip *out, od_error *error);

/* The nearest common frame rate (24, 25, 29.97, 30, 48, 50, 59.94, 60, 90, 100, 120, 240, ...) when
 * within 0.15 %, else fps itself. Frame times in files are rounded: .0083333 is 1/120, .0333 is 1/30. */
OD_API double od_fps_snap(double fps);

#endif
