/* FBX: the format of Mixamo, MotionBuilder, Maya, 3ds Max, Blender, Unity and Unreal. */
#ifndef ODORI_FORMAT_FBX_H
#define ODORI_FORMAT_FBX_H

#include "odori/format.h"

/* A binary file, or the first lines of a text one. */
bool od_fbx_probe(const unsigned char *data, size_t size);

/* Versions 6.0 to 7.7, binary and text: one skeleton and a clip for each stack or take that moves it. Meshes,
 * materials, lights and cameras are left out. */
bool od_fbx_read(const od_file *file, const od_read_options *options, od_scene *scene, od_report *report,
                 od_arena *arena, od_error *error);

#endif
