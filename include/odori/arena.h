/* Memory of one job: handed out piece by piece, given back all at once by the arena's owner. */
#ifndef ODORI_ARENA_H
#define ODORI_ARENA_H

#include <stddef.h>

#include "odori/error.h"

typedef struct od_arena od_arena;

/* A new arena that hands out at most `limit` bytes (0: no limit). NULL when memory is out. */
OD_API od_arena *od_arena_new(size_t limit);

/* An arena for a while: what it hands out counts against the limit of `parent`, and is given back when it
 * is freed, which must be before the parent is. NULL and a failure when memory is out. */
OD_API od_arena *od_arena_child(od_arena *parent, od_error *error);

/* Frees the arena and everything that came from it. NULL is allowed. */
OD_API void od_arena_free(od_arena *arena);

/* `count` zeroed elements of `size` bytes, aligned to 32 bytes; never NULL on success, even for
 * count 0. NULL and a failure in `error` when the product overflows, the limit is reached or
 * memory is out. */
OD_API void *od_arena_alloc(od_arena *arena, size_t count, size_t size, od_error *error);

/* A NUL-terminated copy of `size` bytes of text. */
OD_API char *od_arena_text(od_arena *arena, const char *text, size_t size, od_error *error);

/* A formatted text from the arena. */
OD_API char *od_arena_format(od_arena *arena, od_error *error, const char *format, ...) OD_PRINTF(3, 4);

/* Bytes handed out so far. */
OD_API size_t od_arena_used(const od_arena *arena);

/* For tests: the n-th allocation from now on (1: the next) and all after it fail; 0: none. */
OD_API void od_arena_fail_at(od_arena *arena, size_t n);

#define OD_NEW(arena, type, count, error) ((type *)od_arena_alloc((arena), (count), sizeof(type), (error)))

#endif
