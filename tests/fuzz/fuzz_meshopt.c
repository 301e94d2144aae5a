/* Any bytes as a packed array: a message, or all of its bytes. The first four say what it is. */
#include <stdlib.h>
#include <string.h>

#include "format/meshopt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { HEAD = 4 };
    if (size < HEAD) return 0;
    od_meshopt packed = {.mode = (od_meshopt_mode)(data[0] % 3),
                         .filter = (od_meshopt_filter)(data[0] / 3 % 4),
                         .count = data[1] | (size_t)(data[2] & 15) << 8,
                         .stride = data[3] * (size_t)(data[0] & 128 ? 1 : 2)};
    /* Of their own, so that a step beyond them is seen. */
    unsigned char *stream = malloc(size - HEAD + 1), *bytes = malloc(packed.count * packed.stride + 1);
    if (stream && bytes) {
        memcpy(stream, data + HEAD, size - HEAD);
        packed.data = stream;
        packed.size = size - HEAD;
        if (packed.stride <= OD_MESHOPT_STRIDE) (void)od_meshopt_decode(&packed, bytes);
    }
    free(stream);
    free(bytes);
    return 0;
}
