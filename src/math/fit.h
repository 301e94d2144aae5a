/* Fit: the curve between two keys of a VMD that stays near wanted values. */
#ifndef ODORI_MATH_FIT_H
#define ODORI_MATH_FIT_H

#include "odori/arena.h"

/* Frames of the longest segment that a curve is fitted to, and of the longest one at all. */
enum { OD_FIT_CURVED = 128, OD_FIT_LONGEST = 1024 };

/* Of a longer segment so many frames are looked at in the search; what is found is checked in all. */
enum { OD_FIT_SAMPLES = 20 };

typedef struct od_fitter {
    bool linear;                 /* straight lines only */
    float want[OD_FIT_LONGEST];  /* want[frame]: the value that is wanted, 0 at frame 0; 1 <= frame < length */
    float slack[OD_FIT_LONGEST]; /* slack[frame]: how far it may be missed, above 0 */
    float miss[OD_FIT_LONGEST];  /* out: how far it is missed */
    int samples;                 /* the rest is scratch: the frames of the search, */
    int frame[OD_FIT_SAMPLES];
    double ratio[OD_FIT_SAMPLES];  /* what is wanted there, by the whole way, */
    double weight[OD_FIT_SAMPLES]; /* the square of what a miss counts, */
    float **parameters;            /* parameters[length * cells + cell][sample], made when asked for, */
    float fine[OD_FIT_SAMPLES];    /* those of the place of `fine_at`: length, x1, x2 */
    int fine_at[3];
    od_arena *arena;
    od_error *error; /* memory that ran out is told here; whoever fits looks at it in the end */
} od_fitter;

bool od_fitter_make(od_fitter *fitter, bool linear, od_arena *arena, od_error *error);

/* A curve from 0 at frame 0 to `end` at frame `length` >= 1 that meets all wanted values within their
 * slacks; points[4] = x1 y1 x2 y2. A straight line where that serves. False when none is found. */
bool od_fit_curve(od_fitter *fitter, int length, float end, unsigned char points[4]);

#endif
