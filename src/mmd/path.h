/* Path: a track on every frame, and which of its stretches one curve can show. */
#ifndef ODORI_MMD_PATH_H
#define ODORI_MMD_PATH_H

#include "math/fit.h"
#include "odori/keys.h"

/* How far what is played may be from the track. */
typedef struct od_tolerance {
    float angle; /* radians */
    float way;   /* MMD units */
} od_tolerance;

/* Places are the track's own keys: of them the ones to keep are chosen, `turn` and `place` become their
 * values. */
typedef struct od_path {
    const od_track *track;
    od_tolerance tolerance;
    od_fitter *fitter;
    unsigned first;           /* frame of the first key */
    int frames;               /* from the first key to the last */
    versors *rotation, *turn; /* [frame - first]: as played, and as keys shall have it; NULL: identity */
    vec3s *position, *place;  /* the same; NULL: zero */
    bool *pinned;             /* [key]: its value is exact */
} od_path;

/* Samples a track, as a bone with this axis (NULL: free) plays it. The keys' values are moved within a part of
 * the tolerance so that the path becomes smoother, but for those that are pinned: `pinned` may be NULL. */
bool od_path_make(od_path *path, const od_track *track, const vec3s *axis, od_tolerance tolerance, const bool *pinned,
                  od_fitter *fitter, od_arena *arena, od_error *error);

/* Can one segment go from key `from` to key `to` > `from`? `curves` (not NULL) become those of its end. */
bool od_path_segment(const od_path *path, int from, int to, od_curves *curves);

/* Is the whole path within the tolerance of one value? Where it is, that is `still`. */
bool od_path_is_still(const od_path *path, od_xform *still);

#endif
