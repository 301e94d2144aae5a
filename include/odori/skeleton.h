/* Skeleton: bones with parents first, their rest pose in canonical space. */
#ifndef ODORI_SKELETON_H
#define ODORI_SKELETON_H

#include "odori/arena.h"
#include "odori/xform.h"

typedef struct od_bone {
    const char *name;    /* UTF-8, as in the file */
    int parent;          /* index of the parent, smaller than the own one; -1: none */
    od_xform rest;       /* relative to the parent, file's unit (MMD units for a target) */
    od_xform rest_world; /* product down from the root */
} od_bone;

typedef struct od_skeleton {
    od_bone *bones;
    int count;
} od_skeleton;

/* Sets every rest_world from rest. Parents must come first (an assertion). */
OD_API void od_skeleton_finish(od_skeleton *skeleton);

/* Index of the first bone of this name, -1 when there is none. */
OD_API int od_skeleton_find(const od_skeleton *skeleton, const char *name);

/* Is `bone` the bone `above` itself or below it? -1 is below nothing. */
OD_API bool od_skeleton_is_below(const od_skeleton *skeleton, int bone, int above);

/* Worlds of all bones, world[count], from their locals, local[count]; both may be one array. */
OD_API void od_skeleton_world(const od_skeleton *skeleton, const od_xform *local, od_xform *world);

#endif
