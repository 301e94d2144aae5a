/* Inflate: data that was packed with zlib's deflate. */
#ifndef ODORI_BASE_INFLATE_H
#define ODORI_BASE_INFLATE_H

#include <stddef.h>

#include "odori/error.h"

/* Deflate packs no data tighter than this many times (zlib's manual: 1032 to 1). */
enum { OD_INFLATE_MOST = 1032 };

/* Unpacks a zlib stream into exactly `size` bytes; false when it is broken, or shorter or longer than
 * that. Never writes more. */
bool od_inflate(const unsigned char *packed, size_t packed_size, unsigned char *out, size_t size);

#endif
