/* Input: JSON text. Output: a mapping, every member checked.
 * The members of the format are rows of tables; the schema beside the presets lists the same. */
#include "odori/mapping.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/nearest.h"
#include "mapping/name.h"

enum { PATH = 160, VERSION = 1 }; /* bytes of a member's path; of the format */

typedef struct reader {
    const char *file;
    od_mapping *mapping;
    od_report *report;
    od_arena *arena;
    od_error *error;
    char path[PATH]; /* of the member that is read, "$.bones[3].source" */
} reader;

typedef bool (*read_member)(reader *r, const od_json *value, void *to);

typedef struct member {
    const char *name;
    od_json_kind kind;
    bool needed;
    read_member read;
} member;

static bool fail_here(reader *r, const char *what)
{
    return od_fail(r->error, "%s: %s: %s", r->file, r->path, what);
}

static const char *copy_text(reader *r, const od_json *value)
{
    const char *text = od_json_text(value);
    return od_arena_text(r->arena, text, strlen(text), r->error);
}

static bool expect(reader *r, const od_json *value, od_json_kind kind)
{
    od_json_kind found = od_json_kind_of(value);
    return found == kind || od_fail(r->error, "%s: %s: expected %s, found %s", r->file, r->path,
                                    od_json_kind_name(kind), od_json_kind_name(found));
}

static bool unknown_member(reader *r, const od_json *value, const member *members)
{
    enum { MEMBERS = 16 };
    char known[256] = "";
    const char *names[MEMBERS] = {NULL};
    for (int i = 0; members[i].name && i + 1 < MEMBERS; i++) {
        size_t used = strlen(known);
        names[i] = members[i].name;
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", names[i]);
    }
    const char *near = od_nearest(od_json_name(value), names);
    return od_fail(r->error, "%s: %s: unknown member \"%s\"%s%s%s; known are %s", r->file, r->path, od_json_name(value),
                   near ? " (did you mean " : "", near ? near : "", near ? "?)" : "", known);
}

/* Reads the members of an object by their table. */
static bool read_object(reader *r, const od_json *object, const member *members, void *to)
{
    unsigned seen = 0;
    if (!expect(r, object, OD_JSON_OBJECT)) return false;
    for (const od_json *value = od_json_first(object); value; value = od_json_next(value)) {
        const member *m = members;
        while (m->name && strcmp(m->name, od_json_name(value)) != 0) m++;
        if (!m->name) return unknown_member(r, value, members);
        seen |= 1u << (m - members);
        size_t used = strlen(r->path);
        snprintf(r->path + used, PATH - used, ".%s", m->name);
        if (!expect(r, value, m->kind) || !m->read(r, value, to)) return false;
        r->path[used] = '\0';
    }
    for (const member *m = members; m->name; m++)
        if (m->needed && !(seen & 1u << (m - members)))
            return od_fail(r->error, "%s: %s: member \"%s\" is missing", r->file, r->path, m->name);
    return true;
}

/* Reads an array into `count` elements of `size` bytes. */
static bool read_array(reader *r, const od_json *array, size_t size, void **to, int *count, read_member read)
{
    size_t n = 0;
    for (const od_json *value = od_json_first(array); value; value = od_json_next(value)) n++;
    char *elements = od_arena_alloc(r->arena, n, size, r->error);
    if (!elements) return false;
    size_t used = strlen(r->path), i = 0;
    for (const od_json *value = od_json_first(array); value; value = od_json_next(value), i++) {
        snprintf(r->path + used, PATH - used, "[%zu]", i);
        if (!read(r, value, elements + i * size)) return false;
        r->path[used] = '\0';
    }
    *to = elements;
    *count = (int)n;
    return true;
}

static bool read_version(reader *r, const od_json *value, void *to)
{
    (void)to;
    double version = od_json_number(value);
    if (version == VERSION) return true;
    return od_fail(r->error, "%s: %s: expected version %d of the format, found %g", r->file, r->path, VERSION, version);
}

/* Before all else: members that a later version knows are no mistakes. */
static bool check_newer(reader *r, const od_json *root)
{
    bool object = od_json_kind_of(root) == OD_JSON_OBJECT;
    for (const od_json *value = object ? od_json_first(root) : NULL; value; value = od_json_next(value))
        if (!strcmp(od_json_name(value), "odori") && od_json_number(value) > VERSION)
            return od_fail(r->error, "%s: $.odori: this mapping is of version %g, newer than version %d that is known",
                           r->file, od_json_number(value), VERSION);
    return true;
}

static bool read_name(reader *r, const od_json *value, void *to)
{
    ((od_mapping *)to)->name = copy_text(r, value);
    return ((od_mapping *)to)->name != NULL;
}

static bool read_title(reader *r, const od_json *value, void *to)
{
    ((od_mapping *)to)->title = copy_text(r, value);
    return ((od_mapping *)to)->title != NULL;
}

static bool read_verified(reader *r, const od_json *value, void *to)
{
    (void)r;
    ((od_mapping *)to)->verified = od_json_bool(value);
    return true;
}

static bool read_text_element(reader *r, const od_json *value, void *to)
{
    if (!expect(r, value, OD_JSON_TEXT)) return false;
    *(const char **)to = copy_text(r, value);
    return *(const char **)to != NULL;
}

static bool read_strip(reader *r, const od_json *value, void *to)
{
    od_mapping *m = to;
    void *elements = NULL;
    if (!read_array(r, value, sizeof *m->strip, &elements, &m->strip_count, read_text_element)) return false;
    m->strip = elements;
    return true;
}

static bool read_require(reader *r, const od_json *value, void *to)
{
    od_mapping *m = to;
    void *elements = NULL;
    if (!read_array(r, value, sizeof *m->require, &elements, &m->require_count, read_text_element)) return false;
    m->require = elements;
    return true;
}

static bool read_detect(reader *r, const od_json *value, void *to)
{
    static const member members[] = {{"strip", OD_JSON_ARRAY, false, read_strip},
                                     {"require", OD_JSON_ARRAY, false, read_require},
                                     {NULL, OD_JSON_NULL, false, NULL}};
    return read_object(r, value, members, to);
}

static bool read_bind(reader *r, const od_json *value, void *to)
{
    od_bind *bind = &((od_mapping *)to)->bind;
    const char *text = od_json_text(value);
    const char *digits = strncmp(text, "frame:", 6) ? "" : text + 6;
    size_t count = strspn(digits, "0123456789");
    if (!strcmp(text, "auto")) bind->kind = OD_BIND_AUTO;
    else if (!strcmp(text, "rest")) bind->kind = OD_BIND_REST;
    else if (count && count < 10 && !digits[count]) *bind = (od_bind){OD_BIND_FRAME, (int)strtol(digits, NULL, 10)};
    else return od_fail(r->error, "%s: %s: expected auto, rest or frame:N, found \"%s\"", r->file, r->path, text);
    return true;
}

static bool read_source(reader *r, const od_json *value, void *to)
{
    ((od_map_entry *)to)->source = copy_text(r, value);
    if (!((od_map_entry *)to)->source) return false;
    return *od_json_text(value) || fail_here(r, "expected a joint's name, found an empty text");
}

static bool read_nth(reader *r, const od_json *value, void *to)
{
    enum { MOST = 1000000 };
    double nth = od_json_number(value);
    if (!(nth >= 1 && nth <= MOST) || nth != floor(nth)) return fail_here(r, "expected a whole number from 1");
    ((od_map_entry *)to)->nth = (int)nth;
    return true;
}

static bool read_target(reader *r, const od_json *value, void *to)
{
    od_map_entry *entry = to;
    entry->target = copy_text(r, value);
    if (!entry->target) return false;
    if (!*entry->target) return fail_here(r, "expected a bone's name, found an empty text");
    entry->role = od_role_find(entry->target);
    if (od_role_follows(entry->role) || od_role_is_leg_ik(entry->role))
        return od_fail(r->error, "%s: %s: %s is made by odori itself or moved by the model; it cannot be mapped",
                       r->file, r->path, entry->target);
    return true;
}

static bool read_use(reader *r, const od_json *value, void *to)
{
    static const char *const words[] = {"rotation", "translation", "both"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(od_json_text(value), words[i]) != 0) continue;
        ((od_map_entry *)to)->use = (od_use)(i + 1);
        return true;
    }
    return od_fail(r->error, "%s: %s: expected rotation, translation or both, found \"%s\"", r->file, r->path,
                   od_json_text(value));
}

static bool read_degrees(reader *r, const od_json *value, void *to)
{
    if (!expect(r, value, OD_JSON_NUMBER)) return false;
    *(float *)to = (float)od_json_number(value);
    return isfinite(*(float *)to) || fail_here(r, "expected a number of degrees");
}

static bool read_offset(reader *r, const od_json *value, void *to)
{
    void *elements = NULL;
    int count = 0;
    if (!read_array(r, value, sizeof(float), &elements, &count, read_degrees)) return false;
    if (count != 3) return od_fail(r->error, "%s: %s: expected three angles, found %d", r->file, r->path, count);
    memcpy(((od_map_entry *)to)->offset.raw, elements, 3 * sizeof(float));
    return true;
}

od_use od_use_default(od_role role)
{
    bool travels = role == OD_ROLE_CENTER || role == OD_ROLE_MOTHER || role == OD_ROLE_GROOVE;
    return travels ? OD_USE_TRANSLATION : OD_USE_ROTATION;
}

static bool read_bone(reader *r, const od_json *value, void *to)
{
    static const member members[] = {
        {"source", OD_JSON_TEXT, true, read_source},   {"nth", OD_JSON_NUMBER, false, read_nth},
        {"target", OD_JSON_TEXT, true, read_target},   {"use", OD_JSON_TEXT, false, read_use},
        {"offset", OD_JSON_ARRAY, false, read_offset}, {NULL, OD_JSON_NULL, false, NULL}};
    od_map_entry *entry = to;
    if (!read_object(r, value, members, entry)) return false;
    if (!entry->use) entry->use = od_use_default(entry->role);
    if (od_entry_crosses(entry))
        od_warn(r->report, "%s: %s: \"%s\" drives %s: left and right are swapped", r->file, r->path, entry->source,
                entry->target);
    return true;
}

static bool same_target(const od_map_entry *a, const od_map_entry *b)
{
    return a->role == OD_ROLE_NONE ? !strcmp(a->target, b->target) : a->role == b->role;
}

static bool read_bones(reader *r, const od_json *value, void *to)
{
    od_mapping *m = to;
    void *elements = NULL;
    if (!read_array(r, value, sizeof *m->entries, &elements, &m->entry_count, read_bone)) return false;
    m->entries = elements;
    if (m->entry_count > 4096) return fail_here(r, "expected at most 4096 bones");
    for (int i = 0; i < m->entry_count; i++)
        for (int k = 0; k < i; k++)
            if (same_target(&m->entries[i], &m->entries[k]) && m->entries[i].use & m->entries[k].use)
                return od_fail(r->error, "%s: %s[%d].target: %s is driven by %s[%d] already", r->file, r->path, i,
                               m->entries[i].target, r->path, k);
    return true;
}

static bool read_morph_source(reader *r, const od_json *value, void *to)
{
    return (((od_map_morph *)to)->source = copy_text(r, value)) != NULL;
}

static bool read_morph_target(reader *r, const od_json *value, void *to)
{
    return (((od_map_morph *)to)->target = copy_text(r, value)) != NULL;
}

static bool read_morph(reader *r, const od_json *value, void *to)
{
    static const member members[] = {{"source", OD_JSON_TEXT, true, read_morph_source},
                                     {"target", OD_JSON_TEXT, true, read_morph_target},
                                     {NULL, OD_JSON_NULL, false, NULL}};
    return read_object(r, value, members, to);
}

static bool read_morphs(reader *r, const od_json *value, void *to)
{
    od_mapping *m = to;
    void *elements = NULL;
    if (!read_array(r, value, sizeof *m->morphs, &elements, &m->morph_count, read_morph)) return false;
    m->morphs = elements;
    return true;
}

/* Joints that nothing uses; `odori map` lists them so that a person sees what is there. */
static bool read_unmapped(reader *r, const od_json *value, void *to)
{
    void *elements = NULL;
    int count = 0;
    (void)to;
    return read_array(r, value, sizeof(const char *), &elements, &count, read_text_element);
}

bool od_mapping_parse(const char *name, const char *text, size_t size, od_mapping *mapping, od_report *report,
                      od_arena *arena, od_error *error)
{
    static const member members[] = {
        {"odori", OD_JSON_NUMBER, true, read_version},     {"name", OD_JSON_TEXT, true, read_name},
        {"title", OD_JSON_TEXT, false, read_title},        {"verified", OD_JSON_BOOL, false, read_verified},
        {"detect", OD_JSON_OBJECT, false, read_detect},    {"bind", OD_JSON_TEXT, false, read_bind},
        {"bones", OD_JSON_ARRAY, true, read_bones},        {"morphs", OD_JSON_ARRAY, false, read_morphs},
        {"unmapped", OD_JSON_ARRAY, false, read_unmapped}, {NULL, OD_JSON_NULL, false, NULL}};
    reader r = {.file = name, .mapping = mapping, .report = report, .arena = arena, .error = error, .path = "$"};
    *mapping = (od_mapping){.name = "", .title = "", .verified = true};
    od_json *root = od_json_parse(name, text, size, error);
    bool done = root && check_newer(&r, root) && read_object(&r, root, members, mapping);
    od_json_free(root);
    return done;
}
