/* Smooth: takes the tremble of motion capture out of keys. */
#ifndef ODORI_SMOOTH_H
#define ODORI_SMOOTH_H

#include "odori/keys.h"
#include "odori/target.h"

/* What smoothing changed. */
typedef struct od_smoothing {
    int tracks;            /* number of bones */
    double mean, most;     /* degrees, over all their frames */
    const char *most_bone; /* NULL: nothing was changed */
} od_smoothing;

/* The rotations of bones with a key on every frame become means of those around, weighted by a Gaussian of
 * `sigma` frames (above 0, at most 30). Legs, their IK bones and all that they hang on stay as they are: feet
 * stay where they stand, and FK agrees with IK. All else is shared with `keys`. */
OD_API bool od_smooth(const od_target *target, const od_keys *keys, double sigma, od_keys *smoothed,
                      od_smoothing *smoothing, od_arena *arena, od_error *error);

#endif
