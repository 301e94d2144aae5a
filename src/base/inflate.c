/* Input: a zlib stream. Output: the bytes that it holds, if they are as many as expected. */
#include "base/inflate.h"

#include <limits.h>
#include <stdint.h>
#include <zlib.h>

bool od_inflate(const unsigned char *packed, size_t packed_size, unsigned char *out, size_t size)
{
    unsigned char beyond = 0; /* a stream of no bytes still needs a place to write to */
    if (packed_size > UINT_MAX || size > UINT_MAX) return false;
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)packed, /* zlib does not write there */
                       .avail_in = (unsigned)packed_size,
                       .avail_out = (unsigned)size};
    stream.next_out = out;
    if (!size) stream.next_out = &beyond;
    if (inflateInit(&stream) != Z_OK) return false;
    int status = inflate(&stream, Z_FINISH);
    bool whole = status == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return whole;
}
