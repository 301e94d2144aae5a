/* Reducer: reduces tracks one by one, again and again. */
#ifndef ODORI_MMD_REDUCE_H
#define ODORI_MMD_REDUCE_H

#include "math/fit.h"
#include "odori/reduce.h"

typedef struct od_reducer {
    const od_keys *keys;
    const od_reduce_options *options;
    double angle, way;  /* of the options, or the defaults */
    double scale;       /* times these is the tolerance */
    bool over;          /* the budget is not kept */
    od_role *role;      /* role[track] */
    const vec3s **axis; /* axis[track]: the bone turns about this alone; NULL: freely */
    od_fitter fitter;
    od_arena *arena, *scratch; /* of the keys that are made; of what is needed while they are */
    od_error *error;
} od_reducer;

/* `reduced` becomes as `keys`, with lists of tracks of its own. Free reducer->scratch in the end. */
bool od_reducer_make(od_reducer *reducer, const od_target *target, const od_keys *keys,
                     const od_reduce_options *options, od_keys *reduced, od_arena *arena, od_error *error);

/* All tracks, those that carry the body with this share of the tolerance, within the budget when there is one. */
bool od_reducer_all(od_reducer *reducer, double share, od_keys *reduced);

/* A track of bones with this share of the tolerance. */
bool od_reducer_bone(od_reducer *reducer, int track, double share, od_track *reduced);
bool od_reducer_morph(od_reducer *reducer, int track, od_morph_track *reduced);

/* Adds a key where the motion ends, when none is there any more. */
bool od_reducer_keep_length(od_reducer *reducer, od_keys *reduced);

/* What was done. */
void od_reducer_tell(const od_reducer *reducer, od_reduction *reduction);

/* Does this bone move hips or feet? */
bool od_reducer_carries(const od_reducer *reducer, int track);

#endif
