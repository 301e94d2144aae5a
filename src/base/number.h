/* Numbers from text, without the locale. */
#ifndef ODORI_BASE_NUMBER_H
#define ODORI_BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#include "odori/error.h"

/* Powers of ten, with their negatives behind them: [negative][places]. */
enum { OD_NUMBER_FEW = 16 };
extern const double od_number_powers[2][OD_NUMBER_FEW];

/* What was seen of a number up to its exponent. */
typedef struct od_number_parts {
    bool negative;
    const char *first, *last; /* digits with or without a point */
    ptrdiff_t count, places;  /* digits in all, and behind the point */
    uint64_t digits;          /* all of them as an integer, meaningless when they are more than fit */
} od_number_parts;

/* Goes on from `last`, and finds the value. */
const char *od_number_finish(const od_number_parts *parts, const char *end, double *value);

/* The same as od_number_parse, for any text: that one is for the usual ones and sends the rest here. */
const char *od_number_parse_any(const char *text, const char *end, double *value);

static inline bool od_number_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Parses the longest decimal number at [text, end): sign, digits, point, exponent. The value is the
 * double nearest to the text, so infinite beyond the largest one. Returns the first character after
 * it, or NULL when there is no number (so are "nan", "inf" and hexadecimal). Never reads at or past
 * `end`.
 *
 * Inline for the sake of motion files: up to fifteen digits and their power of ten are exact doubles,
 * and the quotient is rounded once (W. D. Clinger, "How to Read Floating Point Numbers
 * Accurately", 1990). */
static inline const char *od_number_parse(const char *text, const char *end, double *value)
{
    /* A blank at the end stops every loop below without a look at the end. */
    if (text == end || (unsigned char)end[-1] > ' ') return od_number_parse_any(text, end, value);
    const char *p = text, *first = text;
    uint64_t digits = (uint64_t)(*p++ - '0');
    bool negative = digits > 9; /* or it is no number, or begins in a rare way */
    if (negative) {
        if (*text != '-') return od_number_parse_any(text, end, value);
        first = p;
        digits = 0;
    }
    for (; od_number_digit(*p); p++) digits = digits * 10 + (uint64_t)(*p - '0');
    ptrdiff_t count = p - first, places = 0;
    if (*p == '.') {
        const char *fraction = ++p;
        for (; od_number_digit(*p); p++) digits = digits * 10 + (uint64_t)(*p - '0');
        places = p - fraction;
        count += places;
    }
    if (count == 0) return NULL;
    if (count >= OD_NUMBER_FEW || (*p | 0x20) == 'e')
        return od_number_finish(&(od_number_parts){negative, first, p, count, places, digits}, end, value);
    *value = (double)(int64_t)digits / od_number_powers[negative][places];
    return p;
}

#endif
