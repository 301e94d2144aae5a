/* Name set: which names are taken, and by what. */
#ifndef ODORI_CLI_NAME_SET_H
#define ODORI_CLI_NAME_SET_H

#include <stdint.h>

#include "odori/arena.h"

typedef struct od_name_entry {
    const char *name;
    const char *owner;
    int number; /* last one that was put behind the name */
} od_name_entry;

typedef struct od_name_set od_name_set;

/* With room for `count` names. */
od_name_set *od_name_set_make(size_t count, od_arena *arena, od_error *error);

/* The entry of a name; NULL: it is not there. */
od_name_entry *od_name_set_find(const od_name_set *set, const char *name);

/* Adds a name that is not there. */
void od_name_set_add(od_name_set *set, const char *name, const char *owner);

/* A number that bytes determine; `seed` 0 begins, a number before goes on. */
uint64_t od_hash(uint64_t seed, const void *data, size_t size);

#endif
