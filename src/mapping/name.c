/* Input: a joint's name as some exporter wrote it. Output: what all exporters agree on. */
#include "mapping/name.h"

#include <ctype.h>
#include <string.h>

/* Behind a prefix that fits the pattern, or NULL. Case does not matter; '*' is digits or nothing. */
static const char *skip_prefix(const char *name, const char *pattern)
{
    for (; *pattern; pattern++) {
        if (*pattern == '*') {
            while (isdigit((unsigned char)*name)) name++;
        } else if (tolower((unsigned char)*name) == tolower((unsigned char)*pattern)) {
            name++;
        } else {
            return NULL;
        }
    }
    return name;
}

/* Behind the last ':' or '|', unless nothing is left there. */
static const char *skip_namespace(const char *name)
{
    const char *start = name;
    for (const char *p = name; *p; p++)
        if ((*p == ':' || *p == '|') && p[1]) start = p + 1;
    return start;
}

void od_name_fold(const od_mapping *mapping, const char *name, char folded[OD_NAME_SIZE])
{
    size_t n = 0;
    const char *bare = skip_namespace(name);
    for (int i = 0; mapping && i < mapping->strip_count; i++) {
        const char *behind = skip_prefix(bare, mapping->strip[i]);
        if (!behind || !*behind) continue;
        bare = behind;
        break;
    }
    for (const char *p = bare; *p && n + 1 < OD_NAME_SIZE; p++)
        if (!strchr(" _.-:", *p)) folded[n++] = (char)tolower((unsigned char)*p);
    folded[n] = '\0';
}

size_t od_name_prefix(const od_skeleton *skeleton)
{
    const char *first = skeleton->count > 1 ? skeleton->bones[0].name : "";
    size_t size = strlen(first);
    for (int i = 1; i < skeleton->count; i++) {
        size_t same = 0;
        while (same < size && skeleton->bones[i].name[same] == first[same]) same++;
        size = same;
    }
    while (size && first[size - 1] != '_') size--;
    return size;
}

int od_name_side(const char *name)
{
    char folded[OD_NAME_SIZE];
    od_name_fold(NULL, name, folded);
    bool left = strstr(folded, "left") || strstr(name, "左"), right = strstr(folded, "right") || strstr(name, "右");
    if (left != right) return left ? -1 : 1;
    /* A lone letter counts where it stands apart: L_Hip, hip.l, CC_Base_L_Thigh, lHand. */
    int side = 0;
    for (const char *p = name; *p; p++) {
        bool begins = p == name || strchr(" _.-:|", p[-1]), ends = !p[1] || strchr(" _.-:|", p[1]);
        bool hump = p == name && (*p == 'l' || *p == 'r') && isupper((unsigned char)p[1]);
        bool capital =
            p == name && (*p == 'L' || *p == 'R') && isupper((unsigned char)p[1]) && islower((unsigned char)p[2]);
        if (!strchr("lLrR", *p) || !(hump || capital || (begins && ends))) continue;
        side = tolower((unsigned char)*p) == 'l' ? -1 : 1;
    }
    return side;
}
