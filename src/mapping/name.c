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

/* Behind a namespace or a folder of a path, which end with ':', '|' or '/'; NULL: there is none. */
static const char *next_part(const char *name)
{
    const char *separator = strpbrk(name, ":|/");
    return separator && separator[1] ? separator + 1 : NULL;
}

static const char *skip_namespace(const char *name)
{
    for (const char *next = next_part(name); next; next = next_part(name)) name = next;
    return name;
}

/* Behind the prefix that a pattern fits, in whatever part of the name: "mixamorig:" is a namespace.
 * NULL: none fits. */
static const char *skip_stripped(const od_mapping *mapping, const char *name)
{
    for (; mapping && name; name = next_part(name))
        for (int i = 0; i < mapping->strip_count; i++) {
            const char *behind = skip_prefix(name, mapping->strip[i]);
            if (behind && *behind) return behind;
        }
    return NULL;
}

/* Folds the first `size` bytes. */
static void fold(const od_mapping *mapping, const char *name, size_t size, char folded[OD_NAME_SIZE])
{
    size_t n = 0;
    const char *behind = skip_stripped(mapping, name), *end = name + size;
    for (const char *p = skip_namespace(behind ? behind : name); p < end && n + 1 < OD_NAME_SIZE; p++)
        if (!strchr(" _.-:", *p)) folded[n++] = (char)tolower((unsigned char)*p);
    folded[n] = '\0';
}

void od_name_fold(const od_mapping *mapping, const char *name, char folded[OD_NAME_SIZE])
{
    fold(mapping, name, strlen(name), folded);
}

static int by_text(const void *a, const void *b)
{
    const od_name_row *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order ? order : x->joint - y->joint;
}

static void sort(od_name_row *rows, int count)
{
    qsort(rows, (size_t)count, sizeof *rows, by_text);
}

/* What exporters add to the name of nearly every joint. */
typedef struct habit {
    const char *prefix; /* of `size` bytes, such as the name of a take: "Walk_" */
    size_t size;
    bool numbers; /* a number behind: "Hips_01", "Hips-0" */
} habit;

static bool is_habit(int found, int count)
{
    return count > 3 && found >= count - count / 4;
}

/* Length of a number behind a separator at the end of a name. */
static size_t number_size(const char *name)
{
    size_t size = strlen(name), digits = 0;
    while (digits < size && isdigit((unsigned char)name[size - 1 - digits])) digits++;
    return digits && digits + 1 < size && strchr("_-", name[size - 1 - digits]) ? digits + 1 : 0;
}

/* When most names begin with the same the middle one of the sorted names does. */
static habit find_habit(const od_name_row *sorted, int count)
{
    habit h = {.prefix = count ? sorted[count / 2].text : ""};
    int numbers = 0;
    for (int i = 0; i < count; i++) numbers += number_size(sorted[i].text) > 0;
    h.numbers = is_habit(numbers, count);
    for (h.size = strlen(h.prefix); h.size > 0; h.size--) {
        int found = 0;
        if (h.prefix[h.size - 1] != '_') continue;
        for (int i = 0; i < count; i++) found += !strncmp(sorted[i].text, h.prefix, h.size);
        if (is_habit(found, count)) break;
    }
    return h;
}

/* The rows of a spelling. `names` are as in the file. */
static od_name_row *fold_rows(const od_mapping *mapping, const od_name_row *names, int count, const habit *h,
                              od_arena *arena, od_error *error)
{
    od_name_row *rows = OD_NEW(arena, od_name_row, (size_t)count, error);
    for (int i = 0; rows && i < count; i++) {
        const char *name = names[i].text;
        char folded[OD_NAME_SIZE];
        size_t number = h->numbers ? number_size(name) : 0;
        if (h->size && !strncmp(name, h->prefix, h->size)) name += h->size;
        fold(mapping, name, strlen(name) - number, folded);
        rows[i] = (od_name_row){od_arena_text(arena, folded, strlen(folded), error), names[i].joint};
        if (!rows[i].text) return NULL;
    }
    if (rows) sort(rows, count);
    return rows;
}

bool od_names_make(const od_mapping *mapping, const od_skeleton *skeleton, od_names *names, od_arena *arena,
                   od_error *error)
{
    const habit none = {.size = 0};
    int count = skeleton->count;
    *names = (od_names){.mapping = mapping, .skeleton = skeleton};
    od_name_row *exact = names->rows[0] = OD_NEW(arena, od_name_row, (size_t)count, error);
    if (!exact) return false;
    for (int i = 0; i < count; i++) {
        exact[i] = (od_name_row){skeleton->bones[i].name, i};
        names->stripped += skip_stripped(mapping, skeleton->bones[i].name) != NULL;
    }
    sort(exact, count);
    names->rows[1] = fold_rows(mapping, exact, count, &none, arena, error);
    habit h = find_habit(exact, count);
    if (!names->rows[1] || (!h.size && !h.numbers)) return names->rows[1] != NULL;
    names->rows[2] = fold_rows(mapping, exact, count, &h, arena, error);
    return names->rows[2] != NULL;
}

static bool ends_with(const char *name, const char *end)
{
    size_t size = strlen(name), tail = strlen(end);
    return size >= tail && !strcmp(name + size - tail, end);
}

/* The first of the sorted rows that is not before `text`. */
static int first_row(const od_name_row *rows, int count, const char *text)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(rows[middle].text, text) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The first joint of these that are called so, one that ends with `name` to the letter before others. */
static int find_row(const od_names *names, const od_name_row *rows, const char *text, const char *name)
{
    int count = names->skeleton->count, found = -1;
    for (int i = first_row(rows, count, text); i < count && !strcmp(rows[i].text, text); i++) {
        if (ends_with(names->skeleton->bones[rows[i].joint].name, name)) return rows[i].joint;
        if (found < 0) found = rows[i].joint;
    }
    return found;
}

/* The n-th joint that is exactly so written. */
static int find_nth(const od_names *names, const char *name, int nth)
{
    const od_name_row *rows = names->rows[0];
    int count = names->skeleton->count, i = first_row(rows, count, name);
    if (nth > count - i || strcmp(rows[i + nth - 1].text, name) != 0) return -1;
    return rows[i + nth - 1].joint;
}

int od_names_find(const od_names *names, const char *name, int nth)
{
    char folded[OD_NAME_SIZE];
    if (nth) return find_nth(names, name, nth);
    od_name_fold(names->mapping, name, folded);
    int joint = find_row(names, names->rows[0], name, name);
    for (int i = 1; i < 3 && joint < 0 && *folded && names->rows[i]; i++)
        joint = find_row(names, names->rows[i], folded, name);
    return joint;
}

int od_name_nth(const od_skeleton *skeleton, int joint)
{
    int nth = 1, all = 0;
    for (int i = 0; i < skeleton->count; i++) {
        if (strcmp(skeleton->bones[i].name, skeleton->bones[joint].name) != 0) continue;
        all++;
        nth += i < joint;
    }
    return all > 1 ? nth : 0;
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

int od_entry_bone(const od_map_entry *entry, const od_target *target)
{
    if (entry->role != OD_ROLE_NONE) return target->role[entry->role];
    int bone = od_skeleton_find(&target->skeleton, entry->target);
    for (int i = 0; bone < 0 && i < target->skeleton.count; i++)
        if (!strcmp(target->bones[i].name_en, entry->target)) bone = i;
    return bone;
}

bool od_entry_crosses(const od_map_entry *entry)
{
    int said = od_name_side(entry->source);
    if (!said || entry->role < OD_ROLE_SIDED) return false;
    return said != ((entry->role - OD_ROLE_SIDED) % 2 ? 1 : -1);
}
