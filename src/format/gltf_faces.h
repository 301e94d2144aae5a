/* Weights of morph targets and of a VRM animation's faces as tracks. */
#ifndef ODORI_FORMAT_GLTF_FACES_H
#define ODORI_FORMAT_GLTF_FACES_H

#include "format/gltf_animation.h"
#include "format/gltf_vrm.h"

/* The tracks of a clip, at its frames: as many keys as lines between them need, none for what stays zero. */
bool od_gltf_bake_faces(od_gltf *g, const od_gltf_tree *tree, const od_gltf_vrm *vrm, od_gltf_clip *in, od_clip *out);

#endif
