/* JSON syntax by RFC 8259, to the letter. */
#ifndef ODORI_BASE_JSON_SYNTAX_H
#define ODORI_BASE_JSON_SYNTAX_H

#include <stddef.h>

#include "odori/error.h"

/* Is this one JSON value, at most 100 levels deep, and nothing behind it? Fails with
 * file:line:column (columns count characters). */
bool od_json_check(const char *file, const char *text, size_t size, od_error *error);

#endif
