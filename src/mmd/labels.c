/* Input: a list of names and one more. Output: its index. Names are compared as they stand in a VMD:
 * a model's longer name was cut there, perhaps through a character. */
#include "mmd/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

typedef struct od_label {
    unsigned char field[OD_IK_LABEL_BYTES]; /* all zero for a name that CP932 lacks */
    const char *text;                       /* of such a name, else empty */
    int index;
} od_label;

static od_label make(const char *text, size_t size, int index)
{
    od_label name = {.text = "", .index = index};
    bool lost;
    od_text_to_cp932(text, name.field, size, &lost, NULL);
    if (lost) name.text = text;
    return name;
}

static int compare(const od_label *a, const od_label *b)
{
    int order = memcmp(a->field, b->field, sizeof a->field);
    return order ? order : strcmp(a->text, b->text);
}

static int by_name(const void *a, const void *b)
{
    const od_label *x = a, *y = b;
    int order = compare(x, y);
    return order ? order : x->index - y->index;
}

bool od_labels_make(od_labels *labels, const char *const *texts, int count, size_t size, od_arena *arena,
                    od_error *error)
{
    *labels = (od_labels){.size = size};
    labels->sorted = OD_NEW(arena, od_label, (size_t)count, error);
    if (!labels->sorted) return false;
    for (int i = 0; i < count; i++)
        if (texts[i]) labels->sorted[labels->count++] = make(texts[i], size, i);
    qsort(labels->sorted, labels->count, sizeof(od_label), by_name);
    return true;
}

int od_labels_find(const od_labels *labels, const char *text)
{
    if (!*text) return -1;
    od_label wanted = make(text, labels->size, -1);
    size_t low = 0, high = labels->count; /* the first that is not before it */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(&labels->sorted[middle], &wanted) < 0) low = middle + 1;
        else high = middle;
    }
    return low < labels->count && compare(&labels->sorted[low], &wanted) == 0 ? labels->sorted[low].index : -1;
}
