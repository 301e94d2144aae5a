/* Plan: what one conversion does each frame, decided once. */
#ifndef ODORI_RETARGET_PLAN_H
#define ODORI_RETARGET_PLAN_H

#include "odori/binding.h"
#include "odori/rest.h"
#include "odori/retarget.h"

/* How a target bone gets its world rotation. */
typedef enum od_drive {
    OD_DRIVE_NONE,   /* keeps its rest */
    OD_DRIVE_SOURCE, /* from a joint of the source: keyed */
    OD_DRIVE_APPEND  /* by the model itself, from another bone: followed, never keyed */
} od_drive;

typedef struct od_driver {
    od_drive kind;
    int source, source2; /* joints; source2 -1: none, else the world lies `mix` of the way to it */
    float mix;
    versors offset, offset2; /* world = source world * offset */
    int end; /* joint at the end of a limb that is twisted by joints of its own, which may stand beside it: there the
              limb points; -1: where the rotation says */
} od_driver;

/* Bones of one leg of the target; -1 where the model lacks one. */
typedef struct od_leg_bones {
    int leg, knee, ankle, toe, toe_ex, leg_ik, toe_ik;
} od_leg_bones;

typedef struct od_plan {
    const od_target *target;
    const od_binding *binding;
    const od_rest *rest;
    const od_retarget_options *options;
    bool on_stage;     /* the source is a motion of MMD's: its knees bend about X, its floor is ours */
    od_driver *driver; /* driver[target bone] */
    int *active;       /* bones to evaluate each frame, parents first: driven ones and what they hang on */
    int active_count;
    int travel;        /* bone that carries the hips' travel */
    int travel_plane;  /* bone for its share in the ground plane (--mother), else `travel` */
    int travel_height; /* bone for its height (--groove), else `travel` */
    od_leg_bones legs[2];
    bool has_legs;            /* both legs are whole on both sides: feet can be placed */
    int joint[OD_ROLE_COUNT]; /* source joint of a role, -1: none */
} od_plan;

/* Chains: decides who drives which bone (spines of different length, folded toes). */
bool od_plan_chains(od_plan *plan, od_report *report, od_arena *arena, od_error *error);

/* Alignment: fills the drivers' offsets from the two rest poses. */
void od_plan_align(od_plan *plan, const od_skeleton *source, od_retarget_result *result, od_report *report);

#endif
