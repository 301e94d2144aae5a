/* Order statistics: medians and low percentiles. */
#ifndef ODORI_MATH_RANK_H
#define ODORI_MATH_RANK_H

/* The value at a place in ascending order; 0 <= rank < count. Sorts in place. */
float od_float_rank(float *values, int count, int rank);

#endif
