/* Sampling: motions of a rig as clips in canonical space. */
#ifndef ODORI_FORMAT_FBX_SCENE_H
#define ODORI_FORMAT_FBX_SCENE_H

#include "format/fbx_rig.h"
#include "odori/report.h"

/* What a file says of its space and time. Axes by number (x is 0) with signs; `mirror` is +1 or -1, the
 * determinant of the map from the file's axes to canonical space. */
typedef struct od_fbx_settings {
    int axis[3]; /* of the file, for canonical x, y, z */
    double sign[3];
    double mirror;
    double fps; /* at least 30 */
} od_fbx_settings;

od_fbx_settings od_fbx_settings_read(const od_fbx_tree *tree);

/* A place as a transform in canonical space. */
od_xform od_fbx_canonical(const od_fbx_settings *settings, const od_fbx_place *place);

/* All stacks that move the rig, into scene->clips; also scene->moves. */
bool od_fbx_sample(od_fbx_tree *tree, const od_fbx_objects *objects, const od_fbx_motion *motion, const od_fbx_rig *rig,
                   const od_fbx_settings *settings, od_scene *scene, od_report *report, od_arena *arena,
                   od_error *error);

#endif
