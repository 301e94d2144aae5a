/* Input: a joint's name as some exporter wrote it. Output: what all exporters agree on. */
#include "mapping/name.h"

#include <ctype.h>
#include <stdlib.h>
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

/* Behind the last ':', '|' or '/', unless nothing is left there: namespaces and paths. */
static const char *skip_namespace(const char *name)
{
    const char *start = name;
    for (const char *p = name; *p; p++)
        if (strchr(":|/", *p) && p[1]) start = p + 1;
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

static int by_text(const void *a, const void *b)
{
    const od_name_row *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order ? order : x->joint - y->joint;
}

/* The rows of one spelling. */
static od_name_row *make_rows(const od_mapping *mapping, const od_skeleton *skeleton, bool fold, size_t prefix,
                              od_arena *arena, od_error *error)
{
    od_name_row *rows = OD_NEW(arena, od_name_row, (size_t)skeleton->count, error);
    for (int i = 0; rows && i < skeleton->count; i++) {
        rows[i] = (od_name_row){skeleton->bones[i].name, i};
        if (!fold) continue;
        char folded[OD_NAME_SIZE];
        od_name_fold(mapping, skeleton->bones[i].name + prefix, folded);
        rows[i].text = od_arena_text(arena, folded, strlen(folded), error);
        if (!rows[i].text) return NULL;
    }
    if (rows) qsort(rows, (size_t)skeleton->count, sizeof *rows, by_text);
    return rows;
}

bool od_names_make(const od_mapping *mapping, const od_skeleton *skeleton, od_names *names, od_arena *arena,
                   od_error *error)
{
    size_t prefix = od_name_prefix(skeleton);
    *names = (od_names){.mapping = mapping, .count = skeleton->count};
    for (int i = 0; i < 3; i++) {
        if (i == 2 && !prefix) break;
        names->rows[i] = make_rows(mapping, skeleton, i > 0, i == 2 ? prefix : 0, arena, error);
        if (!names->rows[i]) return false;
    }
    return true;
}

static int find_row(const od_name_row *rows, int count, const char *text)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(rows[middle].text, text) < 0) low = middle + 1;
        else high = middle;
    }
    return low < count && !strcmp(rows[low].text, text) ? rows[low].joint : -1;
}

int od_names_find(const od_names *names, const char *name)
{
    char folded[OD_NAME_SIZE];
    od_name_fold(names->mapping, name, folded);
    int joint = find_row(names->rows[0], names->count, name);
    for (int i = 1; i < 3 && joint < 0 && *folded && names->rows[i]; i++)
        joint = find_row(names->rows[i], names->count, folded);
    return joint;
}

int od_name_side(const char *name)
{
    char folded[OD_NAME_SIZE];
    od_name_fold(NULL, name, folded);
    bool left = strstr(folded, "left") || strstr(name, "左"), right = strstr(folded, "right") || strstr(name, "右");
    if (left != right) return left ? -1 : 1;
    /* A lone letter counts where it stands apart: L_Hip, hip.l, CC_Base_L_Thigh, lHand. */
    int side = 0;
    for (const char *p = skip_namespace(name), *first = p; *p; p++) {
        bool begins = p == first || strchr(" _.-", p[-1]), ends = !p[1] || strchr(" _.-", p[1]);
        bool hump = (*p == 'l' || *p == 'r') && isupper((unsigned char)p[1]);
        bool capital = (*p == 'L' || *p == 'R') && isupper((unsigned char)p[1]) && islower((unsigned char)p[2]);
        if (!strchr("lLrR", *p) || !begins || !(hump || capital || ends)) continue;
        side = tolower((unsigned char)*p) == 'l' ? -1 : 1;
    }
    return side;
}

bool od_entry_crosses(const od_map_entry *entry)
{
    int said = od_name_side(entry->source);
    if (!said || entry->role < OD_ROLE_SIDED) return false;
    return said != ((entry->role - OD_ROLE_SIDED) % 2 ? 1 : -1);
}
