/* Merge: several reports as one. */
#ifndef ODORI_CLI_MERGE_H
#define ODORI_CLI_MERGE_H

#include <stdio.h>

#include "odori/arena.h"

/* Writes the report that one run would have written for all that several did: of shards the files of all, in
 * their order; of a run and those that did again what failed or was left, what came of it at last. They must have
 * had the same options and targets. */
bool od_merge(const char *const *paths, int count, FILE *out, od_arena *arena, od_error *error);

#endif
