/* Input: a formatted text. Output: the same, safe to print. */
#include "base/line.h"

#include <string.h>

void od_line_clean(char *text, bool cut)
{
    size_t size = strlen(text);
    if (cut) {
        size_t lead = size;
        while (lead > 0 && ((unsigned char)text[lead - 1] & 0xC0) == 0x80) lead--;
        if (lead > 0 && (unsigned char)text[lead - 1] >= 0xC0) {
            unsigned char first = (unsigned char)text[lead - 1];
            size_t need = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
            if (size - (lead - 1) < need) text[lead - 1] = '\0';
        }
    }
    for (unsigned char *p = (unsigned char *)text; *p; p++) {
        if (*p < 0x20 || *p == 0x7F) *p = '?';
        if (*p == 0xC2 && p[1] >= 0x80 && p[1] <= 0x9F) p[0] = p[1] = '?';
    }
}
