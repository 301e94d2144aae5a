/* Input: a camera motion. Output: the same for a dancer of another height. */
#include "odori/camera.h"

bool od_camera_scale(const od_keys *in, float scale, od_keys *out, od_arena *arena, od_error *error)
{
    *out = (od_keys){.model = OD_CAMERA_MODEL,
                     .camera_count = in->camera_count,
                     .lights = in->lights,
                     .light_count = in->light_count,
                     .shadows = in->shadows,
                     .shadow_count = in->shadow_count};
    out->cameras = OD_NEW(arena, od_camera_key, (size_t)in->camera_count, error);
    if (!out->cameras) return false;
    for (int i = 0; i < in->camera_count; i++) {
        od_camera_key key = in->cameras[i];
        key.position = glms_vec3_scale(key.position, scale);
        key.distance *= scale;
        if (!od_vec3_finite(key.position) || !isfinite(key.distance))
            return od_fail(error, "scaled by %g the camera of frame %u is out of reach", (double)scale, key.frame);
        out->cameras[i] = key;
    }
    return true;
}
