/* Clip: one motion at a fixed frame rate; resampling to another. */
#ifndef ODORI_CLIP_H
#define ODORI_CLIP_H

#include "odori/arena.h"
#include "odori/xform.h"

typedef struct od_clip {
    const char *name; /* UTF-8; may be empty, never NULL */
    double fps;
    int frames;
    int bones;
    od_xform *local; /* local[frame * bones + bone], relative to the parent, file's unit */
} od_clip;

/* Frames that resampling gives at most: 9 hours at 30 fps, and far more than MMD loads keys for. */
enum { OD_CLIP_FRAMES = 1000000 };

/* Which part of a clip at which rate. The zero value is: all of it, 30 fps, speed 1. */
typedef struct od_resample_options {
    double start, end; /* seconds of the source; end 0: to its end */
    double speed;      /* 2: twice as fast; 0: 1 */
    double fps;        /* 0: 30 */
} od_resample_options;

/* Samples `in` by time: translations linearly, rotations by the short path. The last frame of the
 * part is always kept. When nothing changes `out` shares the frames of `in`. Fails when the part is
 * empty or too long, or the speed is not positive. */
OD_API bool od_clip_resample(const od_clip *in, const od_resample_options *options, od_clip *out, od_arena *arena,
                             od_error *error);

/* The nearest common frame rate (24, 25, 29.97, 30, 48, 50, 59.94, 60, 90, 100, 120, 240, ...) when
 * within 0.15 %, else fps itself. Frame times in files are rounded: .0083333 is 1/120, .0333 is 1/30. */
OD_API double od_fps_snap(double fps);

#endif
