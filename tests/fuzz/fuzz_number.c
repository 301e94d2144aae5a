/* Any bytes as a number: the value of the C library, with and without a blank behind it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The same bits, also of the sign of zero. */
static bool same(double a, double b)
{
    uint64_t i, j;
    memcpy(&i, &a, sizeof i);
    memcpy(&j, &b, sizeof j);
    return i == j;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 2);
    if (!text) return 0;
    if (size) memcpy(text, data, size);
    text[size] = '\n';
    text[size + 1] = '\0';
    double value = 0, again = 0;
    const char *end = text + size;
    const char *after = od_number_parse(text, end, &value);
    if (od_number_parse(text, end + 1, &again) != after) abort();
    if (after) {
        if (after <= text || after > end || !same(value, again)) abort();
        text[after - text] = '\0';
        char *stop;
        double expected = strtod(text, &stop);
        if (stop != after || !same(value, expected)) abort();
    }
    free(text);
    return 0;
}
