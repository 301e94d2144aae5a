/* Skins: the pose in which a mesh was bound to its joints.
 * Facts: Khronos, glTF 2.0 specification, 3.7.3. */
#ifndef ODORI_FORMAT_GLTF_SKIN_H
#define ODORI_FORMAT_GLTF_SKIN_H

#include "format/gltf_nodes.h"
#include "odori/scene.h"

/* Puts the skeleton's rest into the pose of the inverse bind matrices where its nodes stand in another one, and
 * says so. A file without skins keeps the pose of its nodes. */
bool od_gltf_bind(od_gltf *g, const od_gltf_tree *tree, od_scene *scene);

#endif
