/* Rest: the pose of the source from which its motion is measured, checked before it is used. */
#ifndef ODORI_REST_H
#define ODORI_REST_H

#include "odori/binding.h"
#include "odori/scene.h"

/* The up axis of the file's motion. */
typedef enum od_up { OD_UP_AUTO, OD_UP_X, OD_UP_Y, OD_UP_Z, OD_UP_MINUS_X, OD_UP_MINUS_Y, OD_UP_MINUS_Z } od_up;

/* The zero value is the default. */
typedef struct od_rest_options {
    od_bind bind;
    od_up up;
    bool keep_heading; /* the motion is not turned to face -Z */
} od_rest_options;

typedef struct od_rest {
    od_xform *world;     /* world[joint] at rest: upright, facing -Z, unit of the source */
    versors turn;        /* turns the motion's worlds upright and, unless the heading is kept, to -Z */
    od_bind bind;        /* OD_BIND_REST or OD_BIND_FRAME */
    bool zero_is_pose;   /* the file's zero pose shows a person who stands */
    int toe_joint[2];    /* joint or leaf that shows where a foot points, left and right; -1: none */
    float ankle_drop[2]; /* height of the ankle above it when the foot stands flat; 0 without it */
    const char *reason;  /* why this pose, for people */
    const char *up;      /* the file's up axis: "y", "z", "-y", ... */
    float heading;       /* degrees about Y by which the source was turned to face -Z */
} od_rest;

/* Chooses the rest pose, finds up and facing from the rig, and checks that left is left.
 * `clip` may be NULL when there is no motion. Fails when the joints of the legs lie in one point, a
 * frame is out of range, or the toes point backwards (sides swapped or mirrored). */
OD_API bool od_rest_choose(const od_scene *scene, const od_clip *clip, const od_binding *binding,
                           const od_rest_options *options, od_rest *rest, od_report *report, od_arena *arena,
                           od_error *error);

/* Does the person stand straighter in a frame of the clip than in the file's zero pose? */
OD_API bool od_rest_is_straighter(const od_scene *scene, const od_clip *clip, const od_binding *binding, int frame,
                                  bool *straighter, od_arena *arena, od_error *error);

#endif
