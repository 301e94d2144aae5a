/* JSON: the one place that touches cJSON. Strict: one value and nothing behind it, no duplicate
 * members, bounded depth; look-ups mind case; safe from several threads. */
#ifndef ODORI_BASE_JSON_H
#define ODORI_BASE_JSON_H

#include <stddef.h>

#include "odori/error.h"

typedef struct od_json od_json; /* a value in the tree */

typedef enum od_json_kind {
    OD_JSON_NULL,
    OD_JSON_BOOL,
    OD_JSON_NUMBER,
    OD_JSON_TEXT,
    OD_JSON_ARRAY,
    OD_JSON_OBJECT
} od_json_kind;

/* Parses `size` bytes (a UTF-8 BOM is allowed). Errors name file:line:column, or the path of a member
 * that is there twice. Free the root with od_json_free; NULL on failure. */
od_json *od_json_parse(const char *file, const char *text, size_t size, od_error *error);
void od_json_free(od_json *root);

od_json_kind od_json_kind_of(const od_json *value);

/* "a number", "an object", ... for messages. */
const char *od_json_kind_name(od_json_kind kind);

/* Children of an array or object in order; NULL at the end. */
const od_json *od_json_first(const od_json *value);
const od_json *od_json_next(const od_json *child);

/* Number of children. */
int od_json_count(const od_json *value);

/* The member of this name; NULL when there is none or the value is no object. */
const od_json *od_json_member(const od_json *object, const char *member);

/* Name of a member of an object; NULL for elements. */
const char *od_json_name(const od_json *member);

/* The value of a text, number or boolean; "" / 0 / false for other kinds. */
const char *od_json_text(const od_json *value);
double od_json_number(const od_json *value);
bool od_json_bool(const od_json *value);

#endif
