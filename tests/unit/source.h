/* Sources for the tests of mappings: the standard model's skeleton with a mapping's joints for bones. */
#ifndef ODORI_TESTS_SOURCE_H
#define ODORI_TESTS_SOURCE_H

#include "check.h"
#include "odori/binding.h"

/* One joint for each joint that the mapping names, where the standard model has the bone of its role and
 * below the joint that drives the bone above. `prefix` and `suffix` go around each name. */
od_skeleton source_of_mapping(const od_mapping *mapping, const char *prefix, const char *suffix, od_arena *arena);

/* The joint that a mapping on a skeleton turns a role by, -1: none. */
int source_joint(const od_mapping *mapping, const od_skeleton *skeleton, od_role role, od_arena *arena);

/* A preset by its name. */
od_mapping source_preset(const char *name, od_arena *arena);

#endif
