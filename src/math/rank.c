/* Input: values without a NaN. Output: one of them, by its place in their order. */
#include "math/rank.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

float od_float_rank(float *values, int count, int rank)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[rank];
}
