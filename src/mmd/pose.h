/* Pose: a model's bones put together in the order of evaluation. */
#ifndef ODORI_MMD_POSE_H
#define ODORI_MMD_POSE_H

#include "odori/ik.h"
#include "odori/target.h"

/* All arrays by bone of the target's skeleton but `chains` and `outcome`, which are by IK chain. */
typedef struct od_pose {
    const od_target *target;
    od_xform *key;   /* in: rotation and offset from rest by keys and morphs */
    od_xform *mixed; /* with what is appended, before IK */
    versors *turn;   /* by IK, applied after `mixed` */
    od_xform *local; /* rest and all of these */
    od_xform *world;
    int *place; /* in the order of evaluation */
    bool early; /* something is evaluated before what it builds on */
    struct od_plan *chains;
    od_ik_outcome *outcome;
    od_ik_joint *joints; /* room for the longest chain */
    versors *rotation;
    bool *moved;
} od_pose;

/* Memory for one pose, at rest. The target must outlive it. */
bool od_pose_make(od_pose *pose, const od_target *target, od_arena *arena, od_error *error);

/* Everything from `key`. A chain is solved where on[chain] says so. Whatever `key` has, the result is
 * finite. */
void od_pose_evaluate(od_pose *pose, const bool *on, od_ik_start start);

#endif
