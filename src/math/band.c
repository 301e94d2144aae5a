/* Input: terms of a sum of squares. Output: the numbers for which it is least, in time linear in their
 * count. The matrix is positive definite, so it is factored without pivots. */
#include "math/band.h"

#include <string.h>

bool od_band_make(od_band *band, int count, od_arena *arena, od_error *error)
{
    size_t n = (size_t)count;
    *band = (od_band){.count = count,
                      .diagonal = OD_NEW(arena, double, n, error),
                      .next = OD_NEW(arena, double, n, error),
                      .second = OD_NEW(arena, double, n, error)};
    return band->diagonal && band->next && band->second;
}

void od_band_clear(od_band *band)
{
    size_t size = (size_t)band->count * sizeof(double);
    memset(band->diagonal, 0, size);
    memset(band->next, 0, size);
    memset(band->second, 0, size);
}

void od_band_add(od_band *band, int first, const double *c, int n, double weight)
{
    for (int i = 0; i < n; i++) {
        band->diagonal[first + i] += weight * c[i] * c[i];
        if (i + 1 < n) band->next[first + i] += weight * c[i] * c[i + 1];
        if (i + 2 < n) band->second[first + i] += weight * c[i] * c[i + 2];
    }
}

void od_band_factor(od_band *band)
{
    double *d = band->diagonal, *e = band->next, *f = band->second;
    for (int i = 0; i < band->count; i++) {
        double next = e[i] / d[i], second = f[i] / d[i];
        if (i + 1 < band->count) {
            d[i + 1] -= next * e[i];
            e[i + 1] -= next * f[i];
        }
        if (i + 2 < band->count) d[i + 2] -= second * f[i];
        e[i] = next;
        f[i] = second;
    }
}

void od_band_solve(const od_band *band, double *x)
{
    int n = band->count;
    for (int i = 0; i < n; i++) {
        if (i + 1 < n) x[i + 1] -= band->next[i] * x[i];
        if (i + 2 < n) x[i + 2] -= band->second[i] * x[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] /= band->diagonal[i];
        if (i + 1 < n) x[i] -= band->next[i] * x[i + 1];
        if (i + 2 < n) x[i] -= band->second[i] * x[i + 2];
    }
}
