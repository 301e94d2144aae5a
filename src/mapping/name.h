/* Joint names: what a mapping calls a joint against what a file calls it. */
#ifndef ODORI_MAPPING_NAME_H
#define ODORI_MAPPING_NAME_H

#include "odori/mapping.h"

enum { OD_NAME_SIZE = 128 };

/* A name without namespace (up to the last ':' or '|'), without the first pattern of `mapping->strip`
 * that fits ('*' in it stands for any digits or nothing), lower case, without blanks, '_', '.', '-'
 * and ':'. Longer names are cut. `mapping` may be NULL. */
void od_name_fold(const od_mapping *mapping, const char *name, char folded[OD_NAME_SIZE]);

/* Length of what all joints' names begin with, up to a '_', such as the name of a take; 0: nothing. */
size_t od_name_prefix(const od_skeleton *skeleton);

/* -1: says left, 1: says right, 0: says neither. */
int od_name_side(const char *name);

#endif
