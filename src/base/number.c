/* Input: text. Output: the nearest double.
 * Three ways, each exact: one rounding of two exact doubles (as in the header), one integer division
 * with its remainder, and strtod for the rest. strtod sees digits and an exponent only, no point, so
 * that no locale can mislead it. */
#include "base/number.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_DIGITS = 19,       /* of any value that a uint64_t holds */
    MOST_SIGNIFICANT = 800, /* 767 decide about a double; all after them count as one non-zero digit */
    FARTHEST = 100000       /* exponents beyond give zero or infinity anyway */
};

/* clang-format off */
static const uint64_t INTEGER_POWERS[MOST_DIGITS + 1] = {
    1u, 10u, 100u, 1000u, 10000u, 100000u,
    1000000u, 10000000u, 100000000u, 1000000000u,
    10000000000u, 100000000000u, 1000000000000u, 10000000000000u,
    100000000000000u, 1000000000000000u, 10000000000000000u,
    100000000000000000u, 1000000000000000000u, 10000000000000000000u,
};
/* clang-format on */

/* The powers of ten that a double holds exactly. */
static const double EXACT_POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

const double od_number_powers[2][OD_NUMBER_FEW] = {
    {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15},
    {-1e0, -1e1, -1e2, -1e3, -1e4, -1e5, -1e6, -1e7, -1e8, -1e9, -1e10, -1e11, -1e12, -1e13, -1e14, -1e15}};

enum { LARGEST_EXACT_POWER = 22 };
static const uint64_t LARGEST_EXACT_INTEGER = UINT64_C(1) << 53;

/* The exponent at `text` ("e-5"), if it is one, added to *exponent. */
static const char *take_exponent(const char *text, const char *end, int64_t *exponent)
{
    const char *p = text + 1;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (p == end || !od_number_digit(*p)) return text;
    int64_t value = 0;
    for (; p < end && od_number_digit(*p); p++)
        if (value < FARTHEST) value = value * 10 + (*p - '0');
    *exponent += negative ? -value : value;
    return p;
}

/* Any digits and point at [text, end), times 10^exponent. */
static double read_long(const char *text, const char *end, int64_t exponent)
{
    char digits[MOST_SIGNIFICANT + 32];
    size_t n = 0;
    bool point = false, rest = false;
    for (; text < end; text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        if (point) exponent--;
        if (n == 0 && *text == '0') continue;
        if (n < MOST_SIGNIFICANT) {
            digits[n++] = *text;
        } else {
            exponent++;
            if (*text != '0') rest = true;
        }
    }
    if (n == 0) return 0;
    if (rest) {
        digits[n++] = '1';
        exponent--;
    }
    if (exponent > FARTHEST) exponent = FARTHEST;
    if (exponent < -FARTHEST) exponent = -FARTHEST;
    (void)snprintf(digits + n, sizeof digits - n, "e%d", (int)exponent);
    return strtod(digits, NULL);
}

#ifdef __SIZEOF_INT128__
/* digits / 10^places by integers: a quotient of 64 bits whose last one is set when a remainder is
 * left. It has eleven bits more than a double, so that its rounding is that of the true value. */
static bool divide(uint64_t digits, int64_t places, double *value)
{
    __extension__ typedef unsigned __int128 wide;
    if (digits == 0 || places <= 0 || places > MOST_DIGITS) return false;
    uint64_t divisor = INTEGER_POWERS[places];
    int left = __builtin_clzll(digits), right = __builtin_clzll(divisor);
    uint64_t high = digits << left;
    uint64_t low = divisor << right;
    /* high / low lies in (1/2, 2); one bit less when it is not below 1, so that 64 bits suffice. */
    int shift = high >= low ? 63 : 64;
    wide numerator = (wide)high << shift;
    uint64_t quotient = (uint64_t)(numerator / low);
    if (numerator != (wide)quotient * low) quotient |= 1;
    /* Powers of two from 2^-127 to 2^63 in two exact factors. */
    int power = right - left - shift;
    double scale = 1.0 / (double)(UINT64_C(1) << (power < -63 ? 63 : -power));
    if (power < -63) scale /= (double)(UINT64_C(1) << (-power - 63));
    *value = (double)quotient * scale;
    return true;
}
#else
static bool divide(uint64_t digits, int64_t places, double *value)
{
    (void)digits, (void)places, (void)value;
    return false;
}
#endif

/* digits * 10^power where both are exact doubles. */
static bool read_exact(uint64_t digits, int64_t power, double *value)
{
    if (digits > LARGEST_EXACT_INTEGER || power < -LARGEST_EXACT_POWER || power > LARGEST_EXACT_POWER) return false;
    *value = power < 0 ? (double)digits / EXACT_POWERS[-power] : (double)digits * EXACT_POWERS[power];
    return true;
}

const char *od_number_finish(const od_number_parts *parts, const char *end, double *value)
{
    const char *p = parts->last;
    int64_t exponent = 0;
    if (p < end && (*p == 'e' || *p == 'E')) p = take_exponent(p, end, &exponent);
    double v;
    bool few = parts->count <= MOST_DIGITS;
    if (!(few && read_exact(parts->digits, exponent - parts->places, &v)) &&
        !(few && divide(parts->digits, parts->places - exponent, &v)))
        v = read_long(parts->first, parts->last, exponent);
    *value = parts->negative ? -v : v;
    return p;
}

const char *od_number_parse_any(const char *text, const char *end, double *value)
{
    const char *p = text;
    od_number_parts parts = {.negative = p < end && *p == '-'};
    if (p < end && (*p == '-' || *p == '+')) p++;
    parts.first = p;
    bool point = false;
    for (; p < end; p++) {
        if (od_number_digit(*p)) {
            parts.digits = parts.digits * 10 + (uint64_t)(*p - '0');
            parts.count++;
            parts.places += point;
        } else if (*p == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    parts.last = p;
    return parts.count > 0 ? od_number_finish(&parts, end, value) : NULL;
}
