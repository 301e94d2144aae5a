/* The curves between keys: known values, ends, symmetry, and an oracle that bisects. */
#include "check.h"
#include "math/bezier.h"

static void values_are_those_of_exact_maths(void **state)
{
    (void)state;
    static const struct {
        unsigned char points[4];
        double y[5]; /* at .1 .25 .5 .75 .9 */
    } known[] = {
        {{20, 20, 107, 107}, {0.1, 0.25, 0.5, 0.75, 0.9}},
        {{64, 0, 64, 127}, {0.014384, 0.104103, 0.494095, 0.892274, 0.985135}},
        {{0, 127, 127, 0}, {0.387400, 0.479055, 0.5, 0.520945, 0.612600}},
        {{127, 0, 0, 127}, {0.003762, 0.029725, 0.5, 0.970275, 0.996238}}, /* the middle by symmetry */
        {{10, 100, 50, 120}, {0.469897, 0.723109, 0.896014, 0.967134, 0.989581}},
    };
    static const double x[5] = {0.1, 0.25, 0.5, 0.75, 0.9};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int k = 0; k < 5; k++) assert_near(od_bezier(known[i].points, x[k]), known[i].y[k], 1e-6);
}

static double polynomial(double p1, double p2, double s)
{
    return 3 * (1 - s) * (1 - s) * s * p1 + 3 * (1 - s) * s * s * p2 + s * s * s;
}

static double oracle(const unsigned char *points, double x)
{
    double x1 = points[0] / 127.0, x2 = points[2] / 127.0, low = 0, high = 1;
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (low + high);
        if (polynomial(x1, x2, middle) < x) low = middle;
        else high = middle;
    }
    return polynomial(points[1] / 127.0, points[3] / 127.0, 0.5 * (low + high));
}

static void every_curve_agrees_with_bisection(void **state)
{
    (void)state;
    uint32_t seed = 3;
    for (int i = 0; i < 20000; i++) {
        unsigned char points[4];
        for (int k = 0; k < 4; k++) points[k] = (unsigned char)(63.5 + 64 * check_random(&seed));
        if (i % 8 == 0) points[0] = 127, points[2] = (unsigned char)(i / 8 % 4); /* nearly flat in the middle */
        double x = 0.5 + 0.5 * check_random(&seed);
        assert_near(od_bezier(points, x), oracle(points, x), 1e-6);
    }
}

static void ends_are_met_exactly_and_x_is_clamped(void **state)
{
    (void)state;
    uint32_t seed = 5;
    for (int i = 0; i < 1000; i++) {
        unsigned char points[4];
        for (int k = 0; k < 4; k++) points[k] = (unsigned char)(63.5 + 64 * check_random(&seed));
        assert_true(od_bezier(points, 0) == 0);
        assert_true(od_bezier(points, 1) == 1);
        assert_true(od_bezier(points, -3) == 0);
        assert_true(od_bezier(points, 7) == 1);
        assert_true(od_bezier(points, (double)NAN) == 0);
    }
}

static void points_on_the_diagonal_give_x_itself(void **state)
{
    (void)state;
    static const unsigned char points[][4] = {{20, 20, 107, 107}, {0, 0, 127, 127}, {0, 0, 0, 0}, {90, 90, 3, 3}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        for (double x = 0.01; x < 1; x += 0.01) assert_true(od_bezier(points[i], x) == x);
}

static void no_curve_goes_backwards(void **state)
{
    (void)state;
    uint32_t seed = 9;
    for (int i = 0; i < 500; i++) {
        unsigned char points[4];
        for (int k = 0; k < 4; k++) points[k] = (unsigned char)(63.5 + 64 * check_random(&seed));
        double last = 0;
        for (double x = 0; x <= 1; x += 1.0 / 64) {
            double y = od_bezier(points, x);
            assert_true(y >= last - 1e-9 && y <= 1);
            last = y;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_exact_maths),
        cmocka_unit_test(every_curve_agrees_with_bisection),
        cmocka_unit_test(ends_are_met_exactly_and_x_is_clamped),
        cmocka_unit_test(points_on_the_diagonal_give_x_itself),
        cmocka_unit_test(no_curve_goes_backwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
