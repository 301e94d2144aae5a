/* Input: a VPD file. Output: keys at frame 0, one for each bone and morph that the file names.
 * The text is CP932, or UTF-8 from other programs; it is read line by line:
 *
 *     Vocaloid Pose Data file
 *     model.osm;              // what stands behind ; or // is of no account
 *     2;                      // bones
 *     Bone0{name
 *       x,y,z;                // offset
 *       x,y,z,w;              // rotation
 *     }
 *     Morph0{name             (MikuMikuMoving)
 *       weight;
 *     }
 *
 * Invariants: as of vmd_read.c. */
#include "format/vpd.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

static const char MAGIC[] = "Vocaloid Pose Data file";

/* Places beyond this are not meant; see vmd_read.c. */
static const double FAR = 1e9;

/* A line without comment and blanks around it. */
typedef struct line {
    const char *at, *end;
} line;

typedef struct reader {
    const char *file;
    const char *next; /* behind the line */
    line line;
    int number; /* of the line, from 1 */
    od_report *report;
    od_arena *arena;
    od_error *error;
} reader;

/* A pose in the making: lists that grow. */
typedef struct pose {
    od_track *tracks;
    od_morph_track *morphs;
    size_t tracks_room, morphs_room, track_count, morph_count;
} pose;

bool od_vpd_probe(const unsigned char *data, size_t size)
{
    size_t mark = size >= 3 && !memcmp(data, "\xEF\xBB\xBF", 3) ? 3 : 0;
    return size - mark >= sizeof MAGIC - 1 && !memcmp(data + mark, MAGIC, sizeof MAGIC - 1);
}

static bool is_blank(char c)
{
    return (unsigned char)c <= ' ';
}

/* Takes the next line that is not empty; false at the end. */
static bool next_line(reader *r)
{
    while (*r->next) {
        const char *start = r->next, *end = start + strcspn(start, "\r\n");
        r->next = end + (end[0] == '\r' && end[1] == '\n') + (*end != '\0');
        r->number++;
        const char *comment = strstr(start, "//");
        if (comment && comment < end) end = comment;
        while (start < end && is_blank(*start)) start++;
        while (end > start && is_blank(end[-1])) end--;
        r->line = (line){start, end};
        if (start < end) return true;
    }
    r->line = (line){r->next, r->next};
    return false;
}

static bool expected(const reader *r, const char *at, const char *what)
{
    enum { SHOWN = 40 };
    int column = 1, size = 0;
    const char *start = at;
    while (start > r->line.at) column += (*--start & 0xC0) != 0x80;
    while (at + size < r->line.end && (size < SHOWN || (at[size] & 0xC0) == 0x80)) size++;
    return size ? od_fail(r->error, "%s:%d:%d: expected %s, found \"%.*s\"", r->file, r->number, column, what, size, at)
                : od_fail(r->error, "%s:%d:%d: expected %s, found the end of the %s", r->file, r->number, column, what,
                          *r->next || r->line.at < r->line.end ? "line" : "file");
}

/* The next line is `count` numbers with commas between them and ';' behind them. */
static bool read_numbers(reader *r, float *numbers, int count, const char *what)
{
    if (!next_line(r)) return expected(r, r->line.at, what);
    const char *p = r->line.at;
    for (int i = 0; i < count; i++) {
        double value;
        while (p < r->line.end && is_blank(*p)) p++;
        const char *after = od_number_parse(p, r->line.end, &value);
        if (!after || !(fabs(value) <= FAR)) return expected(r, p, what);
        for (p = after; p < r->line.end && is_blank(*p);) p++;
        if (p == r->line.end || *p != (i + 1 < count ? ',' : ';'))
            return expected(r, p, i + 1 < count ? "\",\"" : "\";\"");
        p++;
        numbers[i] = (float)value;
    }
    return true;
}

static bool read_close(reader *r)
{
    if (!next_line(r) || *r->line.at != '}') return expected(r, r->line.at, "\"}\"");
    return true;
}

/* "Bone0{name": the name, NULL when the line is none of `kind` or memory is out. */
static const char *read_name(const reader *r, const char *kind)
{
    size_t size = strlen(kind);
    if (strncmp(r->line.at, kind, size) != 0) return NULL;
    const char *p = r->line.at + size;
    while (od_number_digit(*p) || *p == ' ') p++;
    if (*p != '{') return NULL;
    for (p++; p < r->line.end && is_blank(*p);) p++;
    return od_arena_text(r->arena, p, (size_t)(r->line.end - p), r->error);
}

/* Room for one more element of a list. */
static void *grow(const reader *r, void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room) return list;
    size_t more = *room ? 2 * *room : 64;
    void *grown = od_arena_alloc(r->arena, more, size, r->error);
    if (grown && count) memcpy(grown, list, count * size);
    *room = more;
    return grown;
}

static bool read_bone(reader *r, const char *name, pose *out)
{
    vec3s *position = OD_NEW(r->arena, vec3s, 1, r->error);
    versors *rotation = OD_NEW(r->arena, versors, 1, r->error);
    out->tracks = grow(r, out->tracks, out->track_count, &out->tracks_room, sizeof *out->tracks);
    if (!position || !rotation || !out->tracks) return false;
    if (!read_numbers(r, position->raw, 3, "three numbers") || !read_numbers(r, rotation->raw, 4, "four numbers") ||
        !read_close(r))
        return false;
    *rotation = od_quat_normalize(*rotation);
    out->tracks[out->track_count++] = (od_track){.name = name, .count = 1, .position = position, .rotation = rotation};
    return true;
}

static bool read_morph(reader *r, const char *name, pose *out)
{
    float *weight = OD_NEW(r->arena, float, 1, r->error);
    out->morphs = grow(r, out->morphs, out->morph_count, &out->morphs_room, sizeof *out->morphs);
    if (!weight || !out->morphs || !read_numbers(r, weight, 1, "a number") || !read_close(r)) return false;
    out->morphs[out->morph_count++] = (od_morph_track){.name = name, .count = 1, .weight = weight};
    return true;
}

static bool read_blocks(reader *r, pose *out)
{
    while (next_line(r)) {
        const char *bone = read_name(r, "Bone"), *morph = bone ? NULL : read_name(r, "Morph");
        if (!bone && !morph) return expected(r, r->line.at, "\"Bone0{name\" or \"Morph0{name\"");
        if (!(bone ? read_bone(r, bone, out) : read_morph(r, morph, out))) return false;
    }
    return true;
}

static bool read_head(reader *r, od_keys *keys, float *count)
{
    if (!next_line(r) || strncmp(r->line.at, MAGIC, sizeof MAGIC - 1) != 0) return expected(r, r->line.at, MAGIC);
    if (!next_line(r)) return expected(r, r->line.at, "the model's name");
    size_t size = strcspn(r->line.at, ";"), whole = (size_t)(r->line.end - r->line.at);
    if (size >= whole) return expected(r, r->line.end, "\";\"");
    if (size > 4 && !memcmp(r->line.at + size - 4, ".osm", 4)) size -= 4;
    keys->model = od_arena_text(r->arena, r->line.at, size, r->error);
    return keys->model && read_numbers(r, count, 1, "the number of bones");
}

/* A name and its place in a list. */
typedef struct entry {
    const char *name;
    size_t at;
} entry;

static int by_name(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* Of several blocks of one name the last counts, as of a VMD's keys: twice[i] is set for the others. */
static void find_doubles(const reader *r, entry *entries, size_t count, bool *twice, const char *what)
{
    size_t found = 0;
    qsort(entries, count, sizeof *entries, by_name);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(entries[i - 1].name, entries[i].name) != 0) continue;
        twice[entries[i - 1].at] = true;
        found++;
    }
    if (found) od_warn(r->report, "%zu %s come again: the last of each name counts", found, what);
}

static bool drop_doubles(const reader *r, pose *out)
{
    size_t most = out->track_count > out->morph_count ? out->track_count : out->morph_count, kept = 0;
    entry *entries = OD_NEW(r->arena, entry, most, r->error);
    bool *bones = OD_NEW(r->arena, bool, most, r->error), *morphs = OD_NEW(r->arena, bool, most, r->error);
    if (!entries || !bones || !morphs) return false;
    for (size_t i = 0; i < out->track_count; i++) entries[i] = (entry){out->tracks[i].name, i};
    find_doubles(r, entries, out->track_count, bones, "bones");
    for (size_t i = 0; i < out->track_count; i++)
        if (!bones[i]) out->tracks[kept++] = out->tracks[i];
    out->track_count = kept;
    for (size_t i = 0; i < out->morph_count; i++) entries[i] = (entry){out->morphs[i].name, i};
    find_doubles(r, entries, out->morph_count, morphs, "morphs");
    kept = 0;
    for (size_t i = 0; i < out->morph_count; i++)
        if (!morphs[i]) out->morphs[kept++] = out->morphs[i];
    out->morph_count = kept;
    return true;
}

static const char *decode(const od_file *file, od_arena *arena, od_error *error)
{
    const unsigned char *data = file->data;
    size_t size = file->size, mark = size >= 3 && !memcmp(data, "\xEF\xBB\xBF", 3) ? 3 : 0;
    return od_text_is_utf8(data, size) ? od_text_from_utf8(arena, data + mark, size - mark, error)
                                       : od_text_from_cp932(arena, data, size, error);
}

bool od_vpd_read(const od_file *file, od_keys *keys, od_report *report, od_arena *arena, od_error *error)
{
    reader r = {.file = file->name, .report = report, .arena = arena, .error = error};
    pose out = {0};
    float count = 0;
    *keys = (od_keys){0};
    r.next = decode(file, arena, error);
    if (!r.next || !read_head(&r, keys, &count) || !read_blocks(&r, &out)) return false;
    if (count != (float)out.track_count)
        od_warn(report, "%zu bones are there, not %g, as the file says: MMD may not read them all", out.track_count,
                (double)count);
    if (!drop_doubles(&r, &out)) return false;
    keys->tracks = out.tracks;
    keys->track_count = (int)out.track_count;
    keys->morphs = out.morphs;
    keys->morph_count = (int)out.morph_count;
    return true;
}
