/* Least squares along a sequence, against elimination on the whole matrix. */
#include "math/band.h"

#include "check.h"

enum { COUNT = 40 };

static double next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 8388608.0 - 1;
}

/* Gauss with pivots; the answer comes in b. */
static void eliminate(double a[COUNT][COUNT], double *b)
{
    for (int k = 0; k < COUNT; k++) {
        int best = k;
        for (int i = k; i < COUNT; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        for (int j = 0; j < COUNT; j++) {
            double t = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = t;
        }
        double t = b[k];
        b[k] = b[best];
        b[best] = t;
        for (int i = 0; i < COUNT; i++) {
            double by = i == k ? 0 : a[i][k] / a[k][k];
            for (int j = k; j < COUNT; j++) a[i][j] -= by * a[k][j];
            b[i] -= by * b[k];
        }
    }
    for (int k = 0; k < COUNT; k++) b[k] /= a[k][k];
}

static void the_sum_of_squares_is_least(void **state)
{
    (void)state;
    static double a[COUNT][COUNT];
    double x[COUNT], b[COUNT];
    od_error error = {0};
    od_arena *arena = od_arena_new(0);
    od_band band;
    assert_ok(od_band_make(&band, COUNT, arena, &error), error);
    for (uint32_t round = 0, seed = 3; round < 5; round++) {
        od_band_clear(&band);
        memset(a, 0, sizeof a);
        for (int n = 1; n <= 3;
             n++) /* single numbers, then pairs, then threes, some of them a thousand times as heavy */
            for (int i = 0; i + n <= COUNT; i++) {
                double c[3] = {1 + next_random(&seed) / 2, next_random(&seed), next_random(&seed)};
                double weight = i % 7 ? 1 : 1000;
                od_band_add(&band, i, c, n, weight);
                for (int j = 0; j < n; j++)
                    for (int k = 0; k < n; k++) a[i + j][i + k] += weight * c[j] * c[k];
            }
        for (int i = 0; i < COUNT; i++) x[i] = b[i] = next_random(&seed);
        od_band_factor(&band);
        od_band_solve(&band, x);
        eliminate(a, b);
        for (int i = 0; i < COUNT; i++) assert_near(x[i], b[i], 1e-9);
    }
    od_arena_free(arena);
}

static void short_sequences_are_solved_too(void **state)
{
    (void)state;
    static const double self[] = {2}, step[] = {-1, 1};
    od_error error = {0};
    od_arena *arena = od_arena_new(0);
    od_band band;
    assert_ok(od_band_make(&band, 1, arena, &error), error);
    od_band_add(&band, 0, self, 1, 1);
    double x[2] = {8, 0};
    od_band_factor(&band);
    od_band_solve(&band, x);
    assert_near(x[0], 2, 1e-12);
    assert_ok(od_band_make(&band, 2, arena, &error), error);
    for (int i = 0; i < 2; i++) od_band_add(&band, i, self, 1, 0.25);
    od_band_add(&band, 0, step, 2, 1); /* [2 -1; -1 2] */
    x[0] = 3;
    x[1] = 0;
    od_band_factor(&band);
    od_band_solve(&band, x);
    assert_near(x[0], 2, 1e-12);
    assert_near(x[1], 1, 1e-12);
    od_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sum_of_squares_is_least),
        cmocka_unit_test(short_sequences_are_solved_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
