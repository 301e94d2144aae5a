/* Labels: names as they stand in a VMD; which of one list is meant by each of another, as MMD compares them. */
#ifndef ODORI_MMD_LABELS_H
#define ODORI_MMD_LABELS_H

#include <stdbool.h>
#include <stddef.h>

#include "odori/arena.h"

/* Bytes of a name in a VMD: of bones and morphs, of IK bones in the keys of their switches. */
enum { OD_LABEL_BYTES = 15, OD_IK_LABEL_BYTES = 20 };

/* A list of names, ready to be searched. */
typedef struct od_labels {
    struct od_label *sorted;
    size_t count, size;
} od_labels;

/* Of names that are one in CP932 cut to `size` bytes (at most 20) the first is found. A name that CP932
 * lacks is found by its whole text. NULL and the empty text are no names. The texts must outlive the list. */
bool od_labels_make(od_labels *labels, const char *const *texts, int count, size_t size, od_arena *arena,
                    od_error *error);

/* Index in the list, -1 when it has no such name. */
int od_labels_find(const od_labels *labels, const char *text);

#endif
