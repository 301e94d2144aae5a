/* Spread: statistics of a stream of values in constant memory. */
#ifndef ODORI_MATH_SPREAD_H
#define ODORI_MATH_SPREAD_H

#include <stdbool.h>

/* Bins are steps of 2^-7 of a value between 2^-20 and 2^20: 0.8 % wide. */
enum { OD_SPREAD_BINS = 40 * 128 };

/* The zero value is empty. */
typedef struct od_spread {
    int count;
    double sum;
    float max;
    unsigned bin[OD_SPREAD_BINS];
} od_spread;

/* Adds a value, 0 or above and finite. True when it is the largest so far. */
bool od_spread_add(od_spread *spread, float value);

/* The value that a share (0 to 1) of the values does not pass, within 0.8 % of it; 0 below 1e-6. */
float od_spread_quantile(const od_spread *spread, float share);

float od_spread_mean(const od_spread *spread);

#endif
