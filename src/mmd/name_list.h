/* Name list: finds a name as MMD compares names, by their labels in a VMD. */
#ifndef ODORI_MMD_NAME_LIST_H
#define ODORI_MMD_NAME_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "mmd/label.h"
#include "odori/arena.h"

/* Bytes of an IK bone's name in the keys of its switch; all other names have OD_LABEL. */
enum { OD_IK_LABEL = 20 };

/* A list of names, ready to be searched. */
typedef struct od_name_list {
    struct od_name *sorted;
    size_t count, size;
} od_name_list;

/* Of names that are one in CP932 cut to `size` bytes (at most 20) the first is found. A name that CP932
 * lacks is found by its whole text. NULL and the empty text are no names. The texts must outlive the list. */
bool od_name_list_make(od_name_list *list, const char *const *texts, int count, size_t size, od_arena *arena,
                       od_error *error);

/* Index in the list, -1 when it has no such name. */
int od_name_list_find(const od_name_list *list, const char *text);

#endif
