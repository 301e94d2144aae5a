/* Input: a format and its arguments. Output: the first failure's message, fit for one line of a
 * terminal. */
#include "odori/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/line.h"

bool od_fail(od_error *error, const char *format, ...)
{
    if (!error || error->failed) return false;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    od_line_clean(error->message, n >= (int)sizeof error->message);
    error->failed = true;
    return false;
}
