/* Target: the MMD model that a motion is made for. MMD units (8 cm), canonical space. */
#ifndef ODORI_TARGET_H
#define ODORI_TARGET_H

#include "odori/report.h"
#include "odori/role.h"
#include "odori/skeleton.h"

/* Flags of a PMX bone; PMD types are translated into them. */
enum {
    OD_BONE_TAIL_IS_BONE = 0x0001,
    OD_BONE_ROTATABLE = 0x0002,
    OD_BONE_MOVABLE = 0x0004,
    OD_BONE_VISIBLE = 0x0008,
    OD_BONE_OPERABLE = 0x0010,
    OD_BONE_IK = 0x0020,
    OD_BONE_APPEND_LOCAL = 0x0080,
    OD_BONE_APPEND_ROTATION = 0x0100,
    OD_BONE_APPEND_TRANSLATION = 0x0200,
    OD_BONE_FIXED_AXIS = 0x0400,
    OD_BONE_LOCAL_AXES = 0x0800,
    OD_BONE_AFTER_PHYSICS = 0x1000,
    OD_BONE_EXTERNAL_PARENT = 0x2000
};

typedef struct od_ik_link {
    int bone; /* index in the target's skeleton */
    bool limited;
    vec3s min, max; /* radians */
} od_ik_link;

typedef struct od_ik_chain {
    int bone, effector;
    int loops;
    float limit;       /* radians a step */
    od_ik_link *links; /* from the effector outwards */
    int link_count;
} od_ik_chain;

typedef struct od_target_bone {
    const char *name_en; /* UTF-8, may be empty */
    int model_index;     /* index in the model's own list */
    int deform_order;    /* 変形階層 */
    unsigned flags;
    od_role role;      /* OD_ROLE_NONE when it has none, or when another bone has it already */
    vec3s tail;        /* where the bone points to, relative to its head; zero when it has no tail */
    int append_source; /* -1: none; index in the skeleton */
    float append_ratio;
    vec3s fixed_axis; /* unit, when OD_BONE_FIXED_AXIS */
    vec3s local_x, local_z;
    int external_key;
    int ik; /* index in `ik`, the first when it has several; -1 when it is no IK bone */
} od_target_bone;

/* What a morph of weight 1 adds to a bone. */
typedef struct od_morph_move {
    int morph, bone;
    vec3s position;   /* in the parent's axes */
    versors rotation; /* unit */
} od_morph_move;

/* A group morph gives another one its own weight times `ratio`. A group in a group does nothing, so
 * there are no cycles. */
typedef struct od_morph_member {
    int group, morph;
    float ratio;
} od_morph_member;

/* `skeleton` is ordered parents first; `bones` runs parallel to it. Rest rotations are identity. */
typedef struct od_target {
    const char *name, *name_en; /* of the model, UTF-8 */
    od_skeleton skeleton;       /* bone names are the model's own spelling */
    od_target_bone *bones;
    od_ik_chain *ik;
    int ik_count;
    const char **morphs; /* names, UTF-8 */
    int morph_count;
    od_morph_move *moves; /* of all bone morphs, in the morphs' order */
    int move_count;
    od_morph_member *members; /* of all group morphs */
    int member_count;
    int *deform;             /* deform[skeleton.count]: indices in the order of evaluation */
    int role[OD_ROLE_COUNT]; /* index in the skeleton, -1 when the model lacks it */
} od_target;

/* For readers: turns positions of the model (in rest.t) into positions relative to the parents, and
 * tails that are bones (tail_bone[bone]) into vectors; a tail that is no bone of the model is none.
 * Indices may be wrong still: od_target_finish refuses them. */
OD_API void od_target_relative(od_target *target, const int *tail_bone);

/* Completes a target of which a reader has filled everything but rest_world, deform, role and
 * bones[].role: orders it parents first (the reader gives the model's order, parents may come
 * later), finds the roles by name and, for leg bones, by the IK chains, makes fixed axes unit. Refuses
 * wrong indices, cycles and places out of the range of numbers; warns about duplicate names, and
 * about IK chains, fixed axes and parts of morphs that cannot work, which it drops. */
OD_API bool od_target_finish(od_target *target, od_report *report, od_arena *arena, od_error *error);

/* The built-in standard model: 104 bones, 20 units tall, arms 35 degrees down. */
OD_API bool od_target_standard(od_target *target, od_arena *arena, od_error *error);

/* Height of the head bone above the ground, for scale checks. */
OD_API float od_target_height(const od_target *target);

#endif
