/* Input: a format and its arguments. Output: the first failure's message, fit for one line of a
 * terminal. */
#include "odori/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/line.h"

static void set(od_error *error, bool mapping, const char *format, va_list args) OD_PRINTF(3, 0);

static void set(od_error *error, bool mapping, const char *format, va_list args)
{
    if (!error || error->failed) return;
    int n = vsnprintf(error->message, sizeof error->message, format, args);
    od_line_clean(error->message, n >= (int)sizeof error->message);
    error->failed = true;
    error->mapping = mapping;
}

bool od_fail(od_error *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set(error, false, format, args);
    va_end(args);
    return false;
}

bool od_fail_mapping(od_error *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set(error, true, format, args);
    va_end(args);
    return false;
}
