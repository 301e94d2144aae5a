/* glTF 2.0, VRM 0 and 1, VRM animation. */
#ifndef ODORI_FORMAT_GLTF_H
#define ODORI_FORMAT_GLTF_H

#include "odori/format.h"

bool od_gltf_probe(const unsigned char *data, size_t size);
bool od_gltf_read(const od_file *file, const od_read_options *options, od_scene *scene, od_report *report,
                  od_arena *arena, od_error *error);

#endif
