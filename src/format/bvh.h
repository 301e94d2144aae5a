/* BVH, the text format of motion capture: a tree of joints with channels, then one row of numbers
 * for each frame. */
#ifndef ODORI_FORMAT_BVH_H
#define ODORI_FORMAT_BVH_H

#include "odori/format.h"

/* The text begins with the word HIERARCHY. */
bool od_bvh_probe(const unsigned char *data, size_t size);

/* One scene with the skeleton of one root, and one clip unless the file holds no frames. */
bool od_bvh_read(const od_file *file, const od_read_options *options, od_scene *scene, od_report *report,
                 od_arena *arena, od_error *error);

#endif
