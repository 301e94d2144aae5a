/* JSON syntax by RFC 8259, to the letter. */
#ifndef ODORI_BASE_JSON_SYNTAX_H
#define ODORI_BASE_JSON_SYNTAX_H

#include <stddef.h>

#include "odori/error.h"

/* Is this one JSON value, at most 100 levels deep, and nothing behind it? Fails with
 * file:line:column (columns count characters). */
bool od_json_check(const char *file, const char *text, size_t size, od_error *error);

/* Fails with file:line:column of the n-th name of a member (from 0, in the order of the text) and what
 * is wrong with it. The text has been checked. */
bool od_json_fail_at_name(const char *file, const char *text, size_t size, int n, const char *what, od_error *error);

#endif
