/* Statistics of a stream against sorted arrays. */
#include "math/spread.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void quantiles_are_those_of_the_sorted_values(void **state)
{
    enum { COUNT = 5000 };
    static float values[COUNT];
    static od_spread spread;
    uint32_t seed = 7;
    double sum = 0;
    (void)state;
    spread = (od_spread){0};
    for (int i = 0; i < COUNT; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = expf((float)(seed >> 8) / 16777216.0f * 20 - 8); /* 0.0003 to 160,000 */
        sum += (double)values[i];
        od_spread_add(&spread, values[i]);
    }
    qsort(values, COUNT, sizeof *values, ascending);
    static const float shares[] = {0.01f, 0.05f, 0.25f, 0.5f, 0.95f, 0.999f};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        float exact = values[(int)ceilf(shares[i] * COUNT) - 1];
        assert_near((double)(od_spread_quantile(&spread, shares[i]) / exact), 1, 0.008);
    }
    assert_near((double)spread.max, (double)values[COUNT - 1], 0);
    assert_near((double)od_spread_mean(&spread), sum / COUNT, 1e-6 * sum / COUNT);
}

static void zeros_and_nothing_have_no_quantile_above_zero(void **state)
{
    static od_spread spread;
    (void)state;
    spread = (od_spread){0};
    assert_near((double)od_spread_quantile(&spread, 0.95f), 0, 0);
    assert_near((double)od_spread_mean(&spread), 0, 0);
    assert_true(od_spread_add(&spread, 0));
    assert_false(od_spread_add(&spread, 0));
    assert_near((double)od_spread_quantile(&spread, 0.95f), 0, 0);
}

static void the_largest_value_is_told(void **state)
{
    static od_spread spread;
    (void)state;
    spread = (od_spread){0};
    assert_true(od_spread_add(&spread, 2));
    assert_false(od_spread_add(&spread, 1));
    assert_true(od_spread_add(&spread, 3e30f));
    assert_near((double)spread.max, 3e30, 1e24);
    assert_near((double)od_spread_quantile(&spread, 0.4f), 2, 0.016);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_those_of_the_sorted_values),
        cmocka_unit_test(zeros_and_nothing_have_no_quantile_above_zero),
        cmocka_unit_test(the_largest_value_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
