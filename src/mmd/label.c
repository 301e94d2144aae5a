/* Input: names. Output: how a VMD writes them. */
#include "mmd/label.h"

#include <string.h>

#include "base/text.h"

bool od_label_make(const char *name, unsigned char label[OD_LABEL])
{
    bool lost;
    od_text_to_cp932(name, label, OD_LABEL, &lost, NULL);
    return !lost;
}

bool od_label_same(const char *a, const char *b)
{
    unsigned char left[OD_LABEL], right[OD_LABEL];
    if (!strcmp(a, b)) return true;
    return od_label_make(a, left) && od_label_make(b, right) && !memcmp(left, right, OD_LABEL);
}
