/* Out: a writer's way to its sink, through one buffer. The first failure is kept: what comes behind it goes
 * nowhere, so a writer need not look each time. */
#ifndef ODORI_FORMAT_OUT_H
#define ODORI_FORMAT_OUT_H

#include "odori/format.h"

enum { OD_OUT_ROOM = 1 << 16 };

/* { .sink, .error } begins one. */
typedef struct od_out {
    const od_sink *sink;
    od_error *error;
    bool failed;
    size_t used;
    unsigned char buffer[OD_OUT_ROOM];
} od_out;

/* At most OD_OUT_ROOM bytes. */
bool od_out_bytes(od_out *out, const void *bytes, size_t size);
bool od_out_text(od_out *out, const char *text);

/* Decimal digits with `places` (0 to 15) behind the point, rounded, without trailing zeros, whatever the
 * locale. Fails when the number is none or needs more than 18 digits. */
bool od_out_number(od_out *out, double value, int places);

/* What is left in the buffer; true when all went well. */
bool od_out_end(od_out *out);

#endif
