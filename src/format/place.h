/* Place: a value in a JSON document and the way to it, so that every message can name it. */
#ifndef ODORI_FORMAT_PLACE_H
#define ODORI_FORMAT_PLACE_H

#include "base/json.h"
#include "odori/arena.h"

typedef struct od_document {
    const char *file; /* name for messages */
    od_arena *arena;
    od_error *error;
} od_document;

/* A place points at the one above it, which has to live as long. */
typedef struct od_place {
    const od_document *document;
    const struct od_place *above; /* NULL: the root */
    const char *name;             /* of a member; NULL: an element */
    int index;                    /* of an element */
    const od_json *value;         /* NULL: nothing is there */
} od_place;

/* An array whose elements are looked at in any order. */
typedef struct od_place_list {
    od_place array;
    const od_json **items;
    int count;
} od_place_list;

od_place od_place_root(const od_document *document, const od_json *root);
od_place od_place_member(const od_place *object, const char *name);
od_place od_place_element(const od_place_list *list, int index);

/* Fails with "file: $.nodes[3].mesh: ...". */
bool od_place_fail(const od_place *at, const char *format, ...) OD_PRINTF(2, 3);

/* The array that is a member; empty when it is not there. */
bool od_place_list_make(const od_place *object, const char *name, od_place_list *list);

/* The value at a place as an index, 0 <= *index < count. */
bool od_place_as_index(const od_place *at, int count, int *index);

/* Members of an object. What is not there leaves the result as it was; what is wrong is a failure. */
bool od_place_index(const od_place *object, const char *name, int count, int *index);
bool od_place_size(const od_place *object, const char *name, size_t most, size_t *size);
bool od_place_numbers(const od_place *object, const char *name, int count, float *numbers);
bool od_place_flag(const od_place *object, const char *name, bool *flag);
bool od_place_text(const od_place *object, const char *name, const char **text);

#endif
