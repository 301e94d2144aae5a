/* Arc: the way from one rotation to another at constant speed, prepared once for many places on it. */
#ifndef ODORI_MATH_ARC_H
#define ODORI_MATH_ARC_H

#include "odori/xform.h"

typedef struct od_arc {
    versors from, to; /* unit */
    versors side;     /* unit, at right angles to `from`, towards `to` */
    float angle;      /* between the two as 4-vectors, radians */
} od_arc;

/* From a to b as they are signed, so through up to 180 degrees as 4-vectors (a whole turn). */
od_arc od_arc_make(versors a, versors b);

/* The rotation at t; unit for any t. */
versors od_arc_at(const od_arc *arc, float t);

#endif
