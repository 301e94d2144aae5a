/* Accessors: arrays of numbers in the bytes of a glTF file.
 * Facts: Khronos, glTF 2.0 specification, 3.6 and 3.11. */
#ifndef ODORI_FORMAT_GLTF_ACCESSOR_H
#define ODORI_FORMAT_GLTF_ACCESSOR_H

#include "format/gltf_file.h"

/* Elements of an accessor as numbers, `components` (1, 3, 4 or 16) for each, in the order of the file; normalised
 * integers are in -1..1. All are finite. The same accessor is decoded once. NULL on failure. */
const float *od_gltf_numbers(od_gltf *g, int accessor, int components, size_t *count);

#endif
