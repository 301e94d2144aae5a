/* Leg: two bones, a knee that only bends about X, a point to reach. */
#ifndef ODORI_RETARGET_LEG_H
#define ODORI_RETARGET_LEG_H

#include "odori/xform.h"

/* Rest of a leg in the target's axes. */
typedef struct od_leg {
    vec3s thigh, shin;        /* hip to knee, knee to ankle */
    float knee_min, knee_max; /* limits of the knee's X rotation, radians; MMD: -180 and -0.5 degrees */
    float reach_min, reach;   /* distances hip to ankle that the limits allow */
} od_leg;

/* Fills the reaches. */
od_leg od_leg_make(vec3s thigh, vec3s shin, float knee_min, float knee_max);

typedef struct od_leg_pose {
    versors thigh; /* world rotation of 足 */
    float knee;    /* X rotation of ひざ, radians */
    vec3s ankle;   /* where the ankle is, relative to the hip: the goal when it can be reached */
} od_leg_pose;

/* Solves the leg exactly: the ankle lies on the goal (relative to the hip; clamped to the reach) and
 * the hinge as near to `hinge` (world, the wanted direction of the thigh's X axis) as that allows. The
 * knee bends backwards; `forwards`: as far as the limits allow it to the other side. */
od_leg_pose od_leg_solve(const od_leg *leg, vec3s goal, vec3s hinge, bool forwards);

#endif
