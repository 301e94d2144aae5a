/* Curves that are fitted: what comes is checked by halving, and curves that a file can hold are found again. */
#include "check.h"
#include "math/fit.h"

static double part(double p1, double p2, double s)
{
    return 3 * s * (1 - s) * ((1 - s) * p1 + s * p2) + s * s * s;
}

static double oracle(const unsigned char *points, double x)
{
    double low = 0, high = 1;
    for (int i = 0; i < 100; i++) {
        double s = (low + high) / 2;
        if (part(points[0] / 127.0, points[2] / 127.0, s) < x) low = s;
        else high = s;
    }
    return part(points[1] / 127.0, points[3] / 127.0, low);
}

static od_fitter *make(bool linear, od_arena *arena)
{
    od_error error = {0};
    od_fitter *fitter = OD_NEW(arena, od_fitter, 1, &error);
    assert_ok(fitter && od_fitter_make(fitter, linear, arena, &error), error);
    return fitter;
}

static unsigned char any(uint32_t *random)
{
    return (unsigned char)(63.5 + 63.5 * check_random(random));
}

/* Fits, and when a curve comes it keeps to the slacks. */
static bool fits(od_fitter *fitter, int length, float end, unsigned char points[4])
{
    static float want[OD_FIT_LONGEST], slack[OD_FIT_LONGEST];
    memcpy(want, fitter->want, sizeof want);
    memcpy(slack, fitter->slack, sizeof slack);
    if (!od_fit_curve(fitter, length, end, points)) return false;
    for (int i = 0; i < 4; i++) assert_true(points[i] <= 127);
    for (int f = 1; f < length; f++) {
        double y = (double)end * oracle(points, (double)f / length);
        assert_near(y, want[f], (double)slack[f] * 1.0001 + 1e-6);
        assert_near(y - (double)want[f], fitter->miss[f], 1e-5);
    }
    return true;
}

static void curves_of_a_file_are_found_again(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_fitter *fitter = make(false, arena);
    uint32_t random = 3;
    int found = 0;
    enum { TRIES = 500 };
    for (int i = 0; i < TRIES; i++) {
        unsigned char wanted[4] = {any(&random), any(&random), any(&random), any(&random)}, points[4];
        int length = 3 + (int)(20 + 20 * check_random(&random));
        float end = (float)(2 + check_random(&random)) * (i % 2 ? -1 : 1);
        for (int f = 1; f < length; f++) {
            fitter->want[f] = end * (float)oracle(wanted, (double)f / length);
            fitter->slack[f] = 0.02f;
        }
        found += fits(fitter, length, end, points);
    }
    assert_true(found > TRIES * 95 / 100);
    od_arena_free(arena);
}

static void anything_that_comes_keeps_to_the_slacks(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_fitter *fitter = make(false, arena);
    uint32_t random = 11;
    int found = 0;
    for (int i = 0; i < 2000; i++) {
        unsigned char points[4];
        int length = 2 + i % 12;
        float at = 0;
        for (int f = 1; f < length; f++) {
            at += (float)(0.5 + 0.6 * check_random(&random));
            fitter->want[f] = at;
            fitter->slack[f] = (float)(0.11 + 0.1 * check_random(&random));
        }
        found += fits(fitter, length, at + 0.5f, points);
    }
    assert_true(found > 500 && found < 2000);
    od_arena_free(arena);
}

static void straight_motion_gives_the_straight_line_of_mmd(void **state)
{
    (void)state;
    static const unsigned char straight[4] = {20, 20, 107, 107};
    od_arena *arena = od_arena_new(0);
    od_fitter *fitter = make(false, arena);
    for (int length = 1; length <= OD_FIT_LONGEST; length += 31) {
        unsigned char points[4];
        for (int f = 1; f < length; f++) {
            fitter->want[f] = 0.01f * (float)f;
            fitter->slack[f] = 0.001f;
        }
        assert_true(od_fit_curve(fitter, length, 0.01f * (float)length, points));
        assert_memory_equal(points, straight, 4);
    }
    od_arena_free(arena);
}

static void motion_that_goes_back_has_no_curve(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_fitter *fitter = make(false, arena);
    static const float want[] = {0, 0.2f, 0.6f, 0.4f, 0.8f};
    unsigned char points[4];
    for (int f = 1; f < 5; f++) {
        fitter->want[f] = want[f];
        fitter->slack[f] = 0.05f;
    }
    assert_false(od_fit_curve(fitter, 5, 1, points));
    for (int f = 1; f < 5; f++) fitter->want[f] = 0.5f; /* there and back: the end is the start */
    assert_false(od_fit_curve(fitter, 5, 0, points));
    od_arena_free(arena);
}

static void lines_alone_when_asked(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_fitter *fitter = make(true, arena);
    unsigned char points[4];
    for (int f = 1; f < 4; f++) {
        fitter->want[f] = 0.1f;
        fitter->slack[f] = 0.05f;
    }
    assert_false(od_fit_curve(fitter, 4, 1, points));
    fitter->linear = false;
    assert_true(od_fit_curve(fitter, 4, 1, points));
    od_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_of_a_file_are_found_again),
        cmocka_unit_test(anything_that_comes_keeps_to_the_slacks),
        cmocka_unit_test(straight_motion_gives_the_straight_line_of_mmd),
        cmocka_unit_test(motion_that_goes_back_has_no_curve),
        cmocka_unit_test(lines_alone_when_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
