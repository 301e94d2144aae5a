/* Joint names: what a mapping calls a joint against what a file calls it. */
#ifndef ODORI_MAPPING_NAME_H
#define ODORI_MAPPING_NAME_H

#include "odori/mapping.h"
#include "odori/target.h"

enum { OD_NAME_SIZE = 128 };

/* A name without namespace and path (up to the last ':', '|' or '/'), without the first prefix of
 * `mapping->strip` that fits ('*' in it stands for any digits or nothing), lower case, without blanks,
 * '_', '.', '-' and ':'. Longer names are cut. `mapping` may be NULL. */
void od_name_fold(const od_mapping *mapping, const char *name, char folded[OD_NAME_SIZE]);

/* Joints of a skeleton by name as a mapping may write it. */
typedef struct od_name_row {
    const char *text;
    int joint;
} od_name_row;

typedef struct od_names {
    const od_mapping *mapping;
    const od_skeleton *skeleton;
    od_name_row *rows[3]; /* sorted: as written, folded, folded without what nearly all joints have in
                             front (up to a '_') or behind (a number); the last is NULL when that is nothing */
    int stripped;         /* joints that carry a prefix of mapping->strip */
} od_names;

bool od_names_make(const od_mapping *mapping, const od_skeleton *skeleton, od_names *names, od_arena *arena,
                   od_error *error);

/* Index of the joint that a mapping's source name means: exactly so written if there is one, else by
 * the folded name; of joints that are called the same the one that ends with the name to the letter,
 * else the first; -1: none. With `nth` the n-th joint, from 1, that is exactly so written. */
int od_names_find(const od_names *names, const char *name, int nth);

/* The place of a joint, from 1, among the joints of its name; 0: no other is called so. */
int od_name_nth(const od_skeleton *skeleton, int joint);

/* -1: says left, 1: says right, 0: says neither. */
int od_name_side(const char *name);

/* Index of the target's bone that an entry means, by role, else by its Japanese or English name; -1: it
 * lacks it. */
int od_entry_bone(const od_map_entry *entry, const od_target *target);

/* Does a joint that says left drive a right bone, or the other way round? */
bool od_entry_crosses(const od_map_entry *entry);

#endif
