/* Numbers from text, without the locale. */
#ifndef ODORI_BASE_NUMBER_H
#define ODORI_BASE_NUMBER_H

#include <stddef.h>

#include "odori/error.h"

/* Parses the longest decimal number at [text, end): sign, digits, point, exponent. The value is the
 * double nearest to the text, so infinite beyond the largest one. Returns the first character after
 * it, or NULL when there is no number (so are "nan", "inf" and hexadecimal). Never reads at or past
 * `end`. */
const char *od_number_parse(const char *text, const char *end, double *value);

#endif
