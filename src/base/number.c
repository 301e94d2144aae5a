/* Input: text. Output: the nearest double.
 * Three ways, each exact: one rounding of two exact doubles (W. D. Clinger, "How to Read Floating
 * Point Numbers Accurately", 1990), one integer division with its remainder, and strtod for the
 * rest. strtod sees digits and an exponent only, no point, so that no locale can mislead it. */
#include "base/number.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number's decimal form: digits * 10^exponent. */
typedef struct decimal {
    uint64_t digits;
    int count; /* significant digits in `digits` */
    bool more; /* there are more than fit: the text must be read again */
    int64_t exponent;
} decimal;

enum {
    MOST_DIGITS = 19,       /* of any value that a uint64_t holds */
    MOST_SIGNIFICANT = 800, /* 767 decide about a double; all after them count as one non-zero digit */
    FARTHEST = 100000       /* exponents beyond give zero or infinity anyway */
};

static const uint64_t INTEGER_POWERS[MOST_DIGITS + 1] = {
    1u,
    10u,
    100u,
    1000u,
    10000u,
    100000u,
    1000000u,
    10000000u,
    100000000u,
    1000000000u,
    10000000000u,
    100000000000u,
    1000000000000u,
    10000000000000u,
    100000000000000u,
    1000000000000000u,
    10000000000000000u,
    100000000000000000u,
    1000000000000000000u,
    10000000000000000000u,
};

/* The powers of ten that a double holds exactly. */
static const double EXACT_POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum { LARGEST_EXACT_POWER = 22 };
static const uint64_t LARGEST_EXACT_INTEGER = UINT64_C(1) << 53;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Eight characters as one integer, the first in the lowest byte, on machines of any byte order. */
static uint64_t eight(const char *text)
{
    unsigned char b[8];
    memcpy(b, text, sizeof b);
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 |
           (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

/* The value of eight bytes 0..9, the first (lowest) byte leading: neighbours are joined to pairs,
 * pairs to fours, fours to eight. */
static uint32_t join(uint64_t b)
{
    b = b * 10 + (b >> 8);
    b = (b & UINT64_C(0x00FF00FF00FF00FF)) * 100 + ((b >> 16) & UINT64_C(0x00FF00FF00FF00FF));
    b = (b & UINT64_C(0x0000FFFF0000FFFF)) * 10000 + ((b >> 32) & UINT64_C(0x0000FFFF0000FFFF));
    return (uint32_t)b;
}

/* Appends the digits at [text, end) to `d` while they fit; returns the first character that is no
 * digit. */
static const char *take_digits(const char *text, const char *end, decimal *d)
{
    while (end - text >= 8) {
        uint64_t b = eight(text) ^ UINT64_C(0x3030303030303030);
        /* Sets the high bit of each byte above 9; right up to and including the first of them. */
        uint64_t other = (b | (b + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080);
        int n = other ? __builtin_ctzll(other) / 8 : 8;
        if (n == 0) return text;
        if (d->count + n > MOST_DIGITS) break;
        d->digits = d->digits * INTEGER_POWERS[n] + join(b << (64 - 8 * n));
        if (d->digits) d->count += n;
        text += n;
        if (n < 8) return text;
    }
    for (; text < end && is_digit(*text); text++) {
        if (d->count == MOST_DIGITS) {
            d->more = true;
            continue;
        }
        d->digits = d->digits * 10 + (uint64_t)(*text - '0');
        if (d->digits) d->count++;
    }
    return text;
}

/* The exponent at `text` ("e-5"), if it is one, added to *exponent. */
static const char *take_exponent(const char *text, const char *end, int64_t *exponent)
{
    const char *p = text + 1;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (p == end || !is_digit(*p)) return text;
    int64_t value = 0;
    for (; p < end && is_digit(*p); p++)
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
/* digits / 10^-exponent by integers: a quotient of 64 bits whose last one is set when a remainder is
 * left. It has eleven bits more than a double, so that its rounding is that of the true value. */
static bool divide(const decimal *d, double *value)
{
    __extension__ typedef unsigned __int128 wide;
    if (d->digits == 0 || d->exponent >= 0 || d->exponent < -MOST_DIGITS) return false;
    uint64_t divisor = INTEGER_POWERS[-d->exponent];
    int left = __builtin_clzll(d->digits), right = __builtin_clzll(divisor);
    uint64_t high = d->digits << left;
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
static bool divide(const decimal *d, double *value)
{
    (void)d, (void)value;
    return false;
}
#endif

const char *od_number_parse(const char *text, const char *end, double *value)
{
    const char *p = text;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    const char *first = p;
    decimal d = {0};
    p = take_digits(p, end, &d);
    ptrdiff_t digits = p - first;
    if (p < end && *p == '.') {
        const char *point = p++;
        p = take_digits(p, end, &d);
        digits += p - point - 1;
        d.exponent = -(p - point - 1);
    }
    if (digits == 0) return NULL;
    const char *last = p;
    int64_t exponent = 0;
    if (p < end && (*p == 'e' || *p == 'E')) p = take_exponent(p, end, &exponent);
    d.exponent += exponent;

    double v;
    if (!d.more && d.digits <= LARGEST_EXACT_INTEGER && d.exponent <= 0 && d.exponent >= -LARGEST_EXACT_POWER)
        v = (double)d.digits / EXACT_POWERS[-d.exponent];
    else if (!d.more && d.digits <= LARGEST_EXACT_INTEGER && d.exponent > 0 && d.exponent <= LARGEST_EXACT_POWER)
        v = (double)d.digits * EXACT_POWERS[d.exponent];
    else if (d.more || !divide(&d, &v)) v = read_long(first, last, exponent);
    *value = negative ? -v : v;
    return p;
}
