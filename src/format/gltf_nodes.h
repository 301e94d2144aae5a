/* The nodes of a glTF file, and which of them are bones.
 * Facts: Khronos, glTF 2.0 specification, 3.5 and 3.7.3. */
#ifndef ODORI_FORMAT_GLTF_NODES_H
#define ODORI_FORMAT_GLTF_NODES_H

#include "format/gltf_file.h"

/* A node's transform as the file has it: scale, then rotate, then translate. */
typedef struct od_gltf_trs {
    vec3s t, s;
    versors q;
} od_gltf_trs;

typedef struct od_gltf_node {
    int parent;       /* -1: none */
    int mesh;         /* -1: none */
    bool seen;        /* it is a mesh, camera, or the like: no joint by itself */
    bool animated;    /* by any clip */
    int clip;         /* the clip that was read last and moves it, */
    unsigned moved;   /* and its paths, a bit for each */
    int bone;         /* -1: none */
    od_gltf_trs rest; /* relative to the parent */
} od_gltf_node;

typedef struct od_gltf_tree {
    od_gltf_node *nodes; /* in the order of the file */
    int count;
    int *order; /* order[count]: their indices, parents first, children behind their parent */
    int *used;  /* used[used_count]: in the same order, the bones and what is above them */
    int used_count;
    int *bones; /* bones[bone_count]: the node of each bone */
    int bone_count;
    bool mirror_x;            /* the file faces -Z: VRM 0 */
    int gaze, head;           /* the node whose rotation is the gaze, as the last bone, below this bone; -1: none */
    versors head_rest;        /* world rotation of the head at rest */
    struct od_gltf_way *ways; /* ways[count]: room for od_gltf_pose */
} od_gltf_tree;

/* A matrix of three columns, which may be scaled, as a rotation and scales. */
versors od_gltf_split(const mat3s *m, vec3s *scale);

bool od_gltf_read_nodes(od_gltf *g, od_gltf_tree *tree);

/* Chooses the bones: nodes that are `wanted`, all between them, and where their trees meet. The gaze is one more. */
bool od_gltf_choose_bones(od_gltf *g, od_gltf_tree *tree, const bool *wanted);

/* Transforms of the bones relative to their parents in canonical space, local[bone_count], when the nodes are at
 * trs[count]. Scales move what is below them and go no further. */
void od_gltf_pose(const od_gltf_tree *tree, const od_gltf_trs *trs, od_xform *local);

/* Is a transform finite, and so near that sums of many are? */
bool od_gltf_is_near(od_xform x);

/* From the file's space to the canonical one. */
od_xform od_gltf_canonical(const od_gltf_tree *tree, od_xform x);

#endif
