/* Errors: the first failure wins and says where, what was expected and what was found. */
#ifndef ODORI_ERROR_H
#define ODORI_ERROR_H

#include <stdbool.h>

/* Symbols of the shared library; everything else stays hidden. */
#if defined(__GNUC__)
#define OD_API __attribute__((visibility("default")))
#define OD_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define OD_API
#define OD_PRINTF(fmt, args)
#endif

/* A zeroed od_error holds no failure. */
typedef struct od_error {
    bool failed;
    bool mapping;       /* the mapping is at fault, not the file that it is used on */
    char message[1024]; /* UTF-8, lower case, no final dot, no line feed; cut at a character */
} od_error;

/* Records a failure unless one is recorded already; always returns false.
 * Control characters of the arguments are replaced, so that a hostile name cannot drive a
 * terminal. `error` may be NULL. */
OD_API bool od_fail(od_error *error, const char *format, ...) OD_PRINTF(2, 3);

/* The same for what a person who gave a mapping has to mend there. */
OD_API bool od_fail_mapping(od_error *error, const char *format, ...) OD_PRINTF(2, 3);

#endif
