/* JSON: the one place that touches cJSON. Strict: one value and nothing behind it, no duplicate
 * members, bounded depth; look-ups mind case; safe from several threads. */
#ifndef ODORI_BASE_JSON_H
#define ODORI_BASE_JSON_H

#include <stddef.h>

#include "odori/arena.h"

typedef struct od_json od_json;

/* Parses `size` bytes (a UTF-8 BOM is allowed). Errors name file:line:column. Free with
 * od_json_free; NULL on failure. */
od_json *od_json_parse(const char *file, const char *text, size_t size, od_error *error);
void od_json_free(od_json *root);

#endif
