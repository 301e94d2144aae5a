/* What VRM adds to glTF: which node is which part of a person, faces, gaze.
 * Facts: VRM Consortium, specifications of VRM 0.0, VRMC_vrm 1.0 and VRMC_vrm_animation 1.0. */
#ifndef ODORI_FORMAT_GLTF_VRM_H
#define ODORI_FORMAT_GLTF_VRM_H

#include "format/gltf_nodes.h"

/* A face that a VRM animation makes: its weight is a node's translation along x. */
typedef struct od_gltf_face {
    const char *name;
    int node;
} od_gltf_face;

typedef struct od_gltf_vrm {
    bool is_vrm;
    bool faces_back; /* the file faces -Z: VRM 0 */
    int *roles;      /* roles[node], an od_role; NULL: the file knows none */
    int head;        /* node of the head, -1: none */
    int gaze;        /* node whose rotation is where the eyes look; -1: none */
    od_gltf_face *faces;
    int face_count;
} od_gltf_vrm;

bool od_gltf_read_vrm(od_gltf *g, od_gltf_vrm *vrm);

#endif
