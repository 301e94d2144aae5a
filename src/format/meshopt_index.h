/* The index codecs of meshopt. */
#ifndef ODORI_FORMAT_MESHOPT_INDEX_H
#define ODORI_FORMAT_MESHOPT_INDEX_H

#include "format/meshopt.h"

/* Modes OD_MESHOPT_TRIANGLES and OD_MESHOPT_INDICES. Returns NULL, or what is wrong with the stream. */
const char *od_meshopt_decode_indices(const od_meshopt *m, unsigned char *bytes);

#endif
