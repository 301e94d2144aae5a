/* Sampling: what a track says between its keys. */
#ifndef ODORI_MMD_TRACK_H
#define ODORI_MMD_TRACK_H

#include "math/arc.h"
#include "odori/keys.h"

/* A track with the place where it was asked last. */
typedef struct od_track_reader {
    const od_track *track; /* NULL: the bone has none */
    const vec3s *axis;     /* the bone turns about this alone; NULL: freely */
    int key;               /* found last; -1: none */
    int arc_key;           /* the segment of which the arc is ready begins here; -1: none */
    od_arc arc;
} od_track_reader;

typedef struct od_morph_reader {
    const od_morph_track *track;
    int key;
} od_morph_reader;

od_track_reader od_track_read(const od_track *track, const vec3s *axis);

/* Offset from rest and rotation at a frame >= 0, held before the first key and after the last. */
od_xform od_track_sample(od_track_reader *reader, double frame);

/* The weight of a morph, linear between keys. */
float od_morph_sample(od_morph_reader *reader, double frame);

/* The last of `count` ascending frames that is not after `frame`, -1 when all are. NULL: key i is at
 * frame i. `near` is where to look first. */
int od_key_find(const unsigned *frames, int count, double frame, int near);

#endif
