/* The rig of an FBX file: which of its models are bones, and where they stand at rest. */
#ifndef ODORI_FORMAT_FBX_RIG_H
#define ODORI_FORMAT_FBX_RIG_H

#include "format/fbx_motion.h"

/* A model that is a bone, or stands above the first one: those move the root, but are no bones. */
typedef struct od_fbx_part {
    int object;
    int parent; /* a part before this one; -1: the scene */
    int bone;   /* its number; -1: it is none */
    const char *name;
    od_fbx_transform transform;
} od_fbx_part;

typedef struct od_fbx_rig {
    od_fbx_part *parts; /* parents first; the bones follow one another behind what is above them */
    int count;
    int bones;
    const char *others; /* names of the roots that were not taken; NULL: none */
} od_fbx_rig;

/* The skeleton under the root called `root` (NULL: of those that the motion moves the one with most bones). */
bool od_fbx_rig_read(const od_fbx_tree *tree, const od_fbx_objects *objects, const od_fbx_motion *motion,
                     const char *root, od_fbx_rig *rig, od_report *report, od_arena *arena, od_error *error);

/* Roles of the bones, out[bones], when a character of the file says which is which, else NULL. */
bool od_fbx_rig_roles(const od_fbx_objects *objects, const od_fbx_rig *rig, const int **out, od_arena *arena,
                      od_error *error);

/* Worlds of the bones at rest, place[bones]: as their skin was bound to them, or as a bind pose says, or as
 * the models' own values say. `*bound`: the file says it of at least one bone. */
bool od_fbx_rig_rest(od_fbx_tree *tree, const od_fbx_objects *objects, const od_fbx_rig *rig, od_fbx_place *place,
                     bool *bound, od_arena *arena, od_error *error);

#endif
