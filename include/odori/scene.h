/* Scene: what a reader hands on. Canonical space (xform.h), unit of the file. */
#ifndef ODORI_SCENE_H
#define ODORI_SCENE_H

#include "odori/clip.h"
#include "odori/keys.h"
#include "odori/skeleton.h"

typedef struct od_scene {
    const char *format;      /* name of the format that it came from: "bvh" */
    od_skeleton skeleton;    /* the rest is what the file calls its zero or bind pose; it may be no pose at all */
    bool on_stage;           /* MMD's own stage: the floor is y = 0, and where the motion stands and looks is meant */
    bool rest_is_bind;       /* the file says that this is the bind pose (not so in BVH) */
    const bool *moves;       /* moves[bone]: the file has translation channels for this bone; NULL: unknown */
    const vec3s *tails;      /* tails[bone]: what the bone points at, seen from it; NULL: unknown */
    const int *roles;        /* roles[bone], an od_role, when the file knows what its joints are; NULL: it does not */
    const char *other_roots; /* names of trees in the file that were not taken, "A, B"; NULL: none */
    od_clip *clips;
    int clip_count;
} od_scene;

/* The motion of one scene on the skeleton of another, both with roles: every joint turns from its rest as the one of
 * its role does, and the hips travel in the ratio of their heights. Fails when one has no roles or no hips. */
OD_API bool od_scene_onto(const od_scene *motion, const od_scene *body, od_scene *out, od_arena *arena,
                          od_error *error);

#endif
