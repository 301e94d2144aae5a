/* Input: a list of names and one more. Output: its index. Names are compared as they stand in a VMD:
 * a model's longer name was cut there, perhaps through a character. */
#include "mmd/name_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

typedef struct od_name {
    unsigned char field[OD_IK_LABEL]; /* all zero for a name that CP932 lacks */
    const char *text;                 /* of such a name, else empty */
    int index;
} od_name;

static od_name make(const char *text, size_t size, int index)
{
    od_name name = {.text = "", .index = index};
    bool lost;
    od_text_to_cp932(text, name.field, size, &lost, NULL);
    if (lost) name.text = text;
    return name;
}

static int compare(const od_name *a, const od_name *b)
{
    int order = memcmp(a->field, b->field, sizeof a->field);
    return order ? order : strcmp(a->text, b->text);
}

static int by_name(const void *a, const void *b)
{
    const od_name *x = a, *y = b;
    int order = compare(x, y);
    return order ? order : x->index - y->index;
}

bool od_name_list_make(od_name_list *list, const char *const *texts, int count, size_t size, od_arena *arena,
                       od_error *error)
{
    *list = (od_name_list){.size = size};
    list->sorted = OD_NEW(arena, od_name, (size_t)count, error);
    if (!list->sorted) return false;
    for (int i = 0; i < count; i++)
        if (texts[i]) list->sorted[list->count++] = make(texts[i], size, i);
    qsort(list->sorted, list->count, sizeof(od_name), by_name);
    return true;
}

int od_name_list_find(const od_name_list *list, const char *text)
{
    if (!*text) return -1;
    od_name wanted = make(text, list->size, -1);
    size_t low = 0, high = list->count; /* the first that is not before it */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(&list->sorted[middle], &wanted) < 0) low = middle + 1;
        else high = middle;
    }
    return low < list->count && compare(&list->sorted[low], &wanted) == 0 ? list->sorted[low].index : -1;
}
