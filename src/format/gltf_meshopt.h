/* Views that EXT_meshopt_compression or KHR_meshopt_compression has compressed. */
#ifndef ODORI_FORMAT_GLTF_MESHOPT_H
#define ODORI_FORMAT_GLTF_MESHOPT_H

#include "format/gltf_file.h"

/* The bytes of a view when it is compressed; `bytes` stays as it was when it is not. */
bool od_gltf_meshopt(od_gltf *g, const od_place *view, od_file *bytes);

#endif
