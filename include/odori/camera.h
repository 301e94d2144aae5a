/* Camera: the camera of one model's dance for another's. */
#ifndef ODORI_CAMERA_H
#define ODORI_CAMERA_H

#include "odori/keys.h"

/* The camera, light and shadow keys of a motion, for a dancer `scale` times as tall: what the camera looks
 * at and its distance grow with the dancer, angles stay. `out` has no other keys. */
OD_API bool od_camera_scale(const od_keys *in, float scale, od_keys *out, od_arena *arena, od_error *error);

#endif
