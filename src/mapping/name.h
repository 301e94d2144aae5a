/* Joint names: what a mapping calls a joint against what a file calls it. */
#ifndef ODORI_MAPPING_NAME_H
#define ODORI_MAPPING_NAME_H

#include "odori/mapping.h"

enum { OD_NAME_SIZE = 128 };

/* A name without namespace and path (up to the last ':', '|' or '/'), without the first pattern of `mapping->strip`
 * that fits ('*' in it stands for any digits or nothing), lower case, without blanks, '_', '.', '-'
 * and ':'. Longer names are cut. `mapping` may be NULL. */
void od_name_fold(const od_mapping *mapping, const char *name, char folded[OD_NAME_SIZE]);

/* Joints of a skeleton by name as a mapping may write it. */
typedef struct od_name_row {
    const char *text;
    int joint;
} od_name_row;

typedef struct od_names {
    const od_mapping *mapping;
    int count;
    od_name_row *rows[3]; /* sorted: as written, folded, folded without the common prefix (NULL: there is none) */
} od_names;

bool od_names_make(const od_mapping *mapping, const od_skeleton *skeleton, od_names *names, od_arena *arena,
                   od_error *error);

/* Index of the joint that a mapping's source name means: exactly so written if there is one, else by
 * the folded name; of joints that are called the same the first; -1: none. */
int od_names_find(const od_names *names, const char *name);

/* Length of what all joints' names begin with, up to a '_', such as the name of a take; 0: nothing. */
size_t od_name_prefix(const od_skeleton *skeleton);

/* -1: says left, 1: says right, 0: says neither. */
int od_name_side(const char *name);

/* Does a joint that says left drive a right bone, or the other way round? */
bool od_entry_crosses(const od_map_entry *entry);

#endif
