/* Band: least squares over a sequence of numbers, each bound to its next neighbours only. */
#ifndef ODORI_MATH_BAND_H
#define ODORI_MATH_BAND_H

#include "odori/arena.h"

/* The symmetric matrix of the normal equations: its diagonal and the two above it. */
typedef struct od_band {
    int count;
    double *diagonal, *next, *second; /* A[i][i], A[i][i + 1], A[i][i + 2] */
} od_band;

bool od_band_make(od_band *band, int count, od_arena *arena, od_error *error);

/* Starts anew: no terms. */
void od_band_clear(od_band *band);

/* Adds a term of the sum to be least: weight * (c[0] x[first] + ... + c[n - 1] x[first + n - 1])^2, n <= 3.
 * With a wanted value v for the bracket, weight * v * c[i] belongs on the right side of first + i. */
void od_band_add(od_band *band, int first, const double *c, int n, double weight);

/* Factors in place (L D L^T), once all terms are added; every number must be in a term of its own. */
void od_band_factor(od_band *band);

/* Solves: the right side goes in, the numbers come out. */
void od_band_solve(const od_band *band, double *x);

#endif
