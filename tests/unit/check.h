/* What every unit test includes: cmocka with the headers that it needs, and comparisons that a NaN
 * cannot pass. */
#ifndef ODORI_TESTS_CHECK_H
#define ODORI_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* |a - b| <= tolerance, and both finite (cmocka's own comparison passes for NaN). */
#define assert_near(a, b, tolerance) check_near((double)(a), (double)(b), (double)(tolerance), __FILE__, __LINE__)

static inline void check_near(double a, double b, double tolerance, const char *file, int line)
{
    if (isfinite(a) && isfinite(b) && fabs(a - b) <= tolerance) return;
    print_error("%.9g is not within %g of %.9g\n", a, tolerance, b);
    _fail(file, line);
}

/* The call succeeds; else shows its message. `error` is an od_error. */
#define assert_ok(call, error) \
    do { \
        if (!(call)) { \
            print_error("%s: %s\n", #call, (error).message); \
            _fail(__FILE__, __LINE__); \
        } \
    } while (0)

/* The call fails and its message has `part` in it. */
#define assert_fails(call, error, part) \
    do { \
        if ((call) || !(error).failed || !strstr((error).message, (part))) { \
            print_error("%s: \"%s\" has no \"%s\"\n", #call, (error).message, (part)); \
            _fail(__FILE__, __LINE__); \
        } \
    } while (0)

/* A repeatable sequence of numbers in [-1, 1), the same on every machine. */
static inline double check_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (double)(1u << 23) - 1.0;
}

/* The folder of real files, or the test says that it skips and ends. */
static inline const char *test_data(void)
{
    const char *folder = getenv("ODORI_TEST_DATA");
    if (folder && *folder) return folder;
    print_message("ODORI_TEST_DATA is not set: skipped\n");
    skip();
    return "";
}

#endif
