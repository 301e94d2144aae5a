/* Input: bytes, texts, numbers. Output: the same at a sink, in pieces of a buffer's size. */
#include "format/out.h"

#include <string.h>

#include "base/number.h"

bool od_out_end(od_out *out)
{
    size_t size = out->used;
    out->used = 0;
    if (!out->failed && size) out->failed = !out->sink->write(out->sink->context, out->buffer, size, out->error);
    return !out->failed;
}

bool od_out_bytes(od_out *out, const void *bytes, size_t size)
{
    if (out->used + size > OD_OUT_ROOM && !od_out_end(out)) return false;
    memcpy(out->buffer + out->used, bytes, size);
    out->used += size;
    return !out->failed;
}

bool od_out_text(od_out *out, const char *text)
{
    for (size_t left = strlen(text), n; left; text += n, left -= n) {
        n = left < OD_OUT_ROOM ? left : OD_OUT_ROOM;
        if (!od_out_bytes(out, text, n)) return false;
    }
    return !out->failed;
}

bool od_out_number(od_out *out, double value, int places)
{
    char text[32], *end = text + sizeof text, *p = end;
    double scaled = round(fabs(value) * od_number_powers[0][places]);
    if (!(scaled < 1e18)) {
        out->failed = true;
        return od_fail(out->error, "a number of %g cannot be written", value);
    }
    uint64_t digits = (uint64_t)scaled;
    bool negative = value < 0 && digits;
    for (; places && digits % 10 == 0; places--) digits /= 10;
    for (int i = 0; i < places; i++, digits /= 10) *--p = (char)('0' + digits % 10);
    if (places) *--p = '.';
    do *--p = (char)('0' + digits % 10);
    while (digits /= 10);
    if (negative) *--p = '-';
    return od_out_bytes(out, p, (size_t)(end - p));
}
