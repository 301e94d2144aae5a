/* Meshopt: unpacks arrays that meshoptimizer has packed.
 * Facts: Khronos, EXT_meshopt_compression and KHR_meshopt_compression, appendices A and B. */
#ifndef ODORI_FORMAT_MESHOPT_H
#define ODORI_FORMAT_MESHOPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum od_meshopt_mode { OD_MESHOPT_ATTRIBUTES, OD_MESHOPT_TRIANGLES, OD_MESHOPT_INDICES } od_meshopt_mode;

typedef enum od_meshopt_filter {
    OD_MESHOPT_NONE,
    OD_MESHOPT_OCTAHEDRAL,
    OD_MESHOPT_QUATERNION,
    OD_MESHOPT_EXPONENTIAL
} od_meshopt_filter;

typedef struct od_meshopt {
    od_meshopt_mode mode;
    od_meshopt_filter filter;
    size_t count, stride; /* elements, and bytes of one */
    const unsigned char *data;
    size_t size;
} od_meshopt;

enum { OD_MESHOPT_STRIDE = 256 };

/* No packed array is shorter than its bytes divided by this. */
enum { OD_MESHOPT_MOST_RATIO = 1024 };

/* Writes count * stride bytes. Returns NULL, or what is wrong with the stream. */
const char *od_meshopt_decode(const od_meshopt *m, unsigned char *bytes);

#endif
