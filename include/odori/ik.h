/* IK: the solver for chains of bones, as MikuMikuDance's (CCD with limits). A unit of its own: it
 * knows no model, so it serves legs, hair, tails and arms alike. */
#ifndef ODORI_IK_H
#define ODORI_IK_H

#include "odori/error.h"
#include "odori/xform.h"

/* One link of the chain. `rest` is the frame in which it turns, seen from the next link outwards (from
 * `base` for the last): its origin there, translation key included, and the rotation of whatever
 * bones lie between the two. `local` is its own rotation by keys and append, before IK. */
typedef struct od_ik_joint {
    od_xform rest;
    versors local;
    bool limited;
    vec3s min, max; /* radians, of the Euler angles of the whole local rotation */
} od_ik_joint;

typedef enum od_ik_start {
    OD_IK_START_KEYS, /* from the pose of the keys, as MMD does */
    OD_IK_START_ZERO  /* limited links start from no rotation, as some players do */
} od_ik_start;

typedef struct od_ik_task {
    const od_ik_joint *joints; /* joints[count], from the effector's parent outwards */
    int count;
    vec3s effector; /* its origin in the frame of joints[0] */
    od_xform base;  /* world of the last joint's parent */
    vec3s goal;     /* world */
    int loops;      /* at most 256 count */
    float limit;    /* radians a step of the first joint; the n-th may turn n times as far */
    od_ik_start start;
} od_ik_task;

typedef struct od_ik_outcome {
    int iterations; /* loops begun; 0 when the keys are the solution already */
    float residual; /* distance of the effector from the goal at the end, unit of the task */
} od_ik_outcome;

/* Solves the chain: rotation[i] is what comes before joints[i].local (whole local = rotation * local);
 * identity where nothing is to do. Needs no memory; its time is proportional to joints and loops. */
OD_API od_ik_outcome od_ik_solve(const od_ik_task *task, versors *rotation);

/* Radians by which the rotation of a joint by its keys is beyond its limits; 0 without limits. */
OD_API float od_ik_excess(const od_ik_joint *joint);

#endif
