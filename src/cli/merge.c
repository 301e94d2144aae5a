/* Input: reports. Output: one that has the files of all.
 * Invariant: numbers and texts are written as they were, so that the reports of all shards make that of the whole,
 * byte for byte. */
#include "cli/merge.h"

#include <stdlib.h>
#include <string.h>

#include "cli/name_set.h"
#include "cli/report.h"
#include "cli/retry.h"

typedef struct entry {
    const od_json *file;
    const char *pair;   /* "SOURCE\nTARGET" */
    const char *output; /* "SOURCE\nTARGET\nOUTPUT"; NULL: it failed */
    bool kept;          /* the run did not make it itself */
    double number;
    int report, order;
} entry;

typedef struct merge {
    od_json **roots;
    entry *entries;
    int count;
    od_name_set *pairs, *outputs; /* number: of the report, or of the entry, that counts */
    od_arena *arena;
    od_error *error;
} merge;

static void write_value(od_writer *w, const char *name, const od_json *value)
{
    od_json_kind kind = od_json_kind_of(value);
    if (kind == OD_JSON_OBJECT || kind == OD_JSON_ARRAY) {
        bool named = kind == OD_JSON_OBJECT;
        od_writer_begin(w, name, named ? '{' : '[');
        for (const od_json *child = od_json_first(value); child; child = od_json_next(child))
            write_value(w, named ? od_json_name(child) : NULL, child);
        od_writer_end(w, named ? '}' : ']');
    } else if (kind == OD_JSON_NUMBER) od_writer_number(w, name, od_json_number(value));
    else if (kind == OD_JSON_BOOL) od_writer_bool(w, name, od_json_bool(value));
    else od_writer_text(w, name, kind == OD_JSON_TEXT ? od_json_text(value) : NULL);
}

static bool is_same(const od_json *a, const od_json *b)
{
    if (!a || !b) return a == b;
    if (od_json_kind_of(a) != od_json_kind_of(b) || od_json_number(a) != od_json_number(b)) return false;
    if (od_json_bool(a) != od_json_bool(b) || strcmp(od_json_text(a), od_json_text(b)) != 0) return false;
    if (od_json_kind_of(a) != OD_JSON_OBJECT && od_json_kind_of(a) != OD_JSON_ARRAY) return true;
    const od_json *x = od_json_first(a), *y = od_json_first(b);
    for (; x && y; x = od_json_next(x), y = od_json_next(y)) {
        if (od_json_kind_of(a) == OD_JSON_OBJECT && strcmp(od_json_name(x), od_json_name(y)) != 0) return false;
        if (!is_same(x, y)) return false;
    }
    return x == y;
}

/* Reports of different work say nothing together. */
static bool check_heads(const merge *m, const char *const *paths, int count)
{
    static const char *const members[] = {"version", "options", "targets"};
    for (int i = 1; i < count; i++)
        for (size_t k = 0; k < sizeof members / sizeof *members; k++)
            if (!is_same(od_retry_member(m->roots[0], members[k]), od_retry_member(m->roots[i], members[k])))
                return od_fail(m->error, "%s: expected the %s of %s, found others", paths[i], members[k], paths[0]);
    return true;
}

static const char *text_of(const od_json *file, const char *name)
{
    const od_json *member = od_retry_member(file, name);
    return member ? od_json_text(member) : "";
}

static double number_of(const od_json *file, const char *name)
{
    const od_json *member = od_retry_member(file, name);
    return member ? od_json_number(member) : 0;
}

/* The bytes of names that are no UTF-8 tell them apart. */
static bool take_entry(merge *m, const od_json *file, int report)
{
    entry *e = &m->entries[m->count];
    const od_json *kept = od_retry_member(file, "kept");
    *e = (entry){.file = file, .number = number_of(file, "number"), .report = report, .order = m->count};
    e->kept = kept && od_json_bool(kept);
    e->pair = od_arena_format(m->arena, m->error, "%s%s\n%s%s", text_of(file, "source"), text_of(file, "source_bytes"),
                              text_of(file, "target"), text_of(file, "target_bytes"));
    if (!e->pair) return false;
    if (number_of(file, "status") == 0) {
        e->output = od_arena_format(m->arena, m->error, "%s\n%s%s", e->pair, text_of(file, "output"),
                                    text_of(file, "output_bytes"));
        if (!e->output) return false;
    }
    m->count++;
    return true;
}

/* Notes which report and which entry counts for a name: the last one, but rather one that made it. */
static void note_entry(merge *m, int index)
{
    const entry *e = &m->entries[index];
    if (!od_name_set_find(m->pairs, e->pair)) od_name_set_add(m->pairs, e->pair, NULL);
    od_name_set_find(m->pairs, e->pair)->number = e->report;
    if (!e->output) return;
    od_name_entry *old = od_name_set_find(m->outputs, e->output);
    if (!old) od_name_set_add(m->outputs, e->output, NULL);
    else if (e->kept && !m->entries[old->number].kept) return;
    od_name_set_find(m->outputs, e->output)->number = index;
}

static bool counts(const merge *m, int index)
{
    const entry *e = &m->entries[index];
    if (e->output) return od_name_set_find(m->outputs, e->output)->number == index;
    return od_name_set_find(m->pairs, e->pair)->number == e->report;
}

static int by_number(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return x->order - y->order;
}

static bool take_entries(merge *m, int count)
{
    size_t room = 0;
    for (int i = 0; i < count; i++)
        for (const od_json *f = od_json_first(od_retry_member(m->roots[i], "files")); f; f = od_json_next(f)) room++;
    m->entries = OD_NEW(m->arena, entry, room, m->error);
    m->pairs = od_name_set_make(room, m->arena, m->error);
    m->outputs = od_name_set_make(room, m->arena, m->error);
    if (!m->entries || !m->pairs || !m->outputs) return false;
    for (int i = 0; i < count; i++)
        for (const od_json *f = od_json_first(od_retry_member(m->roots[i], "files")); f; f = od_json_next(f))
            if (!take_entry(m, f, i)) return false;
    for (int i = 0; i < m->count; i++) note_entry(m, i);
    int kept = 0;
    for (int i = 0; i < m->count; i++)
        if (counts(m, i)) m->entries[kept++] = m->entries[i];
    m->count = kept;
    if (kept) qsort(m->entries, (size_t)kept, sizeof *m->entries, by_number);
    return true;
}

static void write_all(const merge *m, FILE *out)
{
    od_writer w = {.out = out};
    size_t left = 0;
    od_writer_begin(&w, NULL, '{');
    for (const od_json *member = od_json_first(m->roots[0]); member; member = od_json_next(member)) {
        const char *name = od_json_name(member);
        if (strcmp(name, "files") != 0 && strcmp(name, "left") != 0) write_value(&w, name, member);
    }
    od_writer_begin(&w, "files", '[');
    for (int i = 0; i < m->count; i++) {
        write_value(&w, NULL, m->entries[i].file);
        left += number_of(m->entries[i].file, "status") == OD_REPORT_LEFT;
    }
    od_report_end(&w, left);
}

bool od_merge(const char *const *paths, int count, FILE *out, od_arena *arena, od_error *error)
{
    merge m = {.roots = OD_NEW(arena, od_json *, (size_t)count, error), .arena = arena, .error = error};
    bool good = m.roots != NULL;
    for (int i = 0; i < count && good; i++) good = (m.roots[i] = od_retry_parse(paths[i], error)) != NULL;
    good = good && check_heads(&m, paths, count) && take_entries(&m, count);
    if (good) write_all(&m, out);
    for (int i = 0; i < count && m.roots; i++)
        if (m.roots[i]) od_json_free(m.roots[i]);
    return good;
}
