/* Input: a clip at its own rate. Output: a part of it at another rate (30 fps for MMD).
 * Translations and rotations are interpolated apart, never as matrices. */
#include "odori/clip.h"

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

static od_xform mix(od_xform a, od_xform b, float t)
{
    return (od_xform){.q = od_quat_slerp(a.q, b.q, t), .t = glms_vec3_lerp(a.t, b.t, t)};
}

/* One output frame at position `at` (in source frames). */
static void sample(const od_clip *in, double at, od_xform *out)
{
    int frame = (int)floor(at);
    float t = (float)(at - frame);
    if (t > 0.999f) { /* a sample that is meant is taken as it is: rates in files are rounded */
        frame++;
        t = 0;
    }
    if (t < 0.001f || frame + 1 >= in->frames) t = 0;
    const od_xform *a = in->local + (size_t)frame * (size_t)in->bones;
    for (int i = 0; i < in->bones; i++) out[i] = t > 0 ? mix(a[i], a[in->bones + i], t) : a[i];
}

bool od_clip_resample(const od_clip *in, const od_resample_options *options, od_clip *out, od_arena *arena,
                      od_error *error)
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
    double count = ceil((end - start) / speed * fps - 1e-3) + 1;
    if (count > OD_CLIP_FRAMES)
        return od_fail(error, "%.0f frames at %g fps and speed %g are too many: a motion has at most %d", count, fps,
                       speed, OD_CLIP_FRAMES);
    *out = *in;
    out->fps = fps;
    if (start <= 0 && end >= last && fabs(in->fps * speed / fps - 1) < 1e-6) return true;

    out->frames = (int)count;
    out->local = OD_NEW(arena, od_xform, (size_t)out->frames * (size_t)in->bones, error);
    if (!out->local) return false;
    for (int k = 0; k < out->frames; k++) {
        double at = (start + k * speed / fps) * in->fps;
        double top = end * in->fps;
        sample(in, at < top ? at : top, out->local + (size_t)k * (size_t)in->bones);
    }
    return true;
}
