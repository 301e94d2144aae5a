/* Input: the text from HIERARCHY to MOTION. Output: the joints with parents first, each with a name.
 * Invariants: the depth is bounded; every joint's columns follow those of the joint before it; no
 * End Site bears the name of a joint. */
#include "format/bvh_hierarchy.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum {
    MOST_JOINTS = 10000, /* real files have up to some hundreds */
    MOST_DEPTH = 512,
    MOST_CHANNELS = 6
};

typedef struct builder {
    od_bvh_text *text;
    od_bvh_hierarchy *out;
    int capacity;
    int current, depth; /* the joint whose block is open, -1: none */
    od_arena *arena;
    od_error *error;
} builder;

static const char *const CHANNELS[MOST_CHANNELS] = {"xposition", "yposition", "zposition",
                                                    "xrotation", "yrotation", "zrotation"};

static bool grow(builder *b)
{
    if (b->out->count < b->capacity) return true;
    int capacity = b->capacity ? 2 * b->capacity : 64;
    od_bvh_joint *joints = OD_NEW(b->arena, od_bvh_joint, (size_t)capacity, b->error);
    if (!joints) return false;
    if (b->capacity) memcpy(joints, b->out->joints, (size_t)b->capacity * sizeof *joints);
    b->out->joints = joints;
    b->capacity = capacity;
    return true;
}

/* Adds a child of the open joint and opens it; `name` stays NULL for an End Site. */
static bool open_joint(builder *b, const char *name, bool end, const char *at)
{
    if (b->out->count == MOST_JOINTS) return od_bvh_expected(b->text, at, "at most 10000 joints", b->error);
    if (b->depth == MOST_DEPTH) return od_bvh_expected(b->text, at, "at most 512 joints one in another", b->error);
    if (!grow(b)) return false;
    int index = b->out->count++;
    b->out->joints[index] = (od_bvh_joint){.name = name,
                                           .parent = b->current,
                                           .end = end,
                                           .position = {-1, -1, -1},
                                           .rotation = {-1, -1, -1},
                                           .axis = {0, 1, 2}};
    if (b->current < 0) b->out->roots++;
    b->current = index;
    b->depth++;
    return true;
}

static const char *read_name(builder *b)
{
    size_t size;
    od_bvh_skip(b->text);
    const unsigned char *bytes = (const unsigned char *)od_bvh_rest(b->text, &size);
    if (!size) return od_arena_format(b->arena, b->error, "joint %d", b->out->count);
    return b->text->cp932 ? od_text_from_cp932(b->arena, bytes, size, b->error)
                          : od_text_from_utf8(b->arena, bytes, size, b->error);
}

static bool read_joint(builder *b)
{
    const char *at = b->text->at;
    const char *name = read_name(b);
    if (!name) return false;
    if (!od_bvh_mark(b->text, '{')) return od_bvh_expected(b->text, b->text->at, "\"{\"", b->error);
    return open_joint(b, name, false, at);
}

/* "End Site", or whatever else stands behind "End"; some files leave out the block. */
static bool read_end(builder *b)
{
    const char *at = b->text->at;
    size_t size;
    (void)od_bvh_rest(b->text, &size);
    return od_bvh_mark(b->text, '{') ? open_joint(b, NULL, true, at) : true;
}

/* An End Site at the place of its joint says nothing. */
static bool close_joint(builder *b)
{
    const od_bvh_joint *joint = &b->out->joints[b->current];
    bool nowhere = joint->offset[0] == 0 && joint->offset[1] == 0 && joint->offset[2] == 0;
    if (joint->end && nowhere && joint->channels == 0 && b->current == b->out->count - 1) b->out->count--;
    b->current = joint->parent;
    b->depth--;
    return true;
}

static bool read_offset(builder *b)
{
    od_bvh_joint *joint = &b->out->joints[b->current];
    if (joint->offset_given) return od_bvh_expected(b->text, b->text->at, "one OFFSET in a joint", b->error);
    joint->offset_given = true;
    for (int i = 0; i < 3; i++)
        if (!od_bvh_number(b->text, &joint->offset[i], b->error)) return false;
    return true;
}

/* The next word as an index into CHANNELS; -1 and a failure when it is none of them. */
static int read_channel(builder *b)
{
    for (int i = 0; i < MOST_CHANNELS; i++)
        if (od_bvh_word(b->text, CHANNELS[i])) return i;
    od_bvh_expected(b->text, b->text->at, "a channel such as Xposition or Zrotation", b->error);
    return -1;
}

static bool read_channels(builder *b)
{
    od_bvh_joint *joint = &b->out->joints[b->current];
    if (joint->channels_given) return od_bvh_expected(b->text, b->text->at, "one CHANNELS in a joint", b->error);
    joint->channels_given = true;
    const char *at = b->text->at;
    double count;
    if (!od_bvh_number(b->text, &count, b->error)) return false;
    if (!(count >= 0 && count <= MOST_CHANNELS) || count != (int)count)
        return od_bvh_expected(b->text, at, "0 to 6 channels", b->error);
    joint->channels = (int)count;
    bool seen[MOST_CHANNELS] = {false};
    int turns = 0;
    for (int i = 0; i < joint->channels; i++) {
        at = b->text->at;
        int channel = read_channel(b);
        if (channel < 0) return false;
        if (seen[channel]) return od_bvh_expected(b->text, at, "each channel once", b->error);
        seen[channel] = true;
        int column = b->out->columns++;
        if (channel < 3) {
            joint->position[channel] = column;
        } else {
            joint->rotation[turns] = column;
            joint->axis[turns++] = channel - 3;
        }
    }
    for (int axis = 0; axis < 3; axis++)
        if (!seen[axis + 3]) joint->axis[turns++] = axis;
    return true;
}

/* One statement of the open joint's block. */
static bool read_statement(builder *b)
{
    if (od_bvh_mark(b->text, '}')) return close_joint(b);
    if (od_bvh_word(b->text, "offset")) return read_offset(b);
    if (od_bvh_word(b->text, "channels")) return read_channels(b);
    if (od_bvh_word(b->text, "joint")) return read_joint(b);
    if (od_bvh_word(b->text, "end") || od_bvh_word(b->text, "endsite")) return read_end(b);
    return od_bvh_expected(b->text, b->text->at, "OFFSET, CHANNELS, JOINT, End Site or \"}\"", b->error);
}

static bool read_trees(builder *b)
{
    for (;;) {
        if (b->current >= 0) {
            if (!read_statement(b)) return false;
        } else if (od_bvh_word(b->text, "root")) {
            if (!read_joint(b)) return false;
        } else if (b->out->count == 0) {
            return od_bvh_expected(b->text, b->text->at, "ROOT", b->error);
        } else if (od_bvh_word(b->text, "motion")) {
            return true;
        } else {
            return od_bvh_expected(b->text, b->text->at, "MOTION", b->error);
        }
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "<parent>_end", with as many more underlines as it takes to be nobody's name. */
static const char *end_name(const builder *b, const od_bvh_joint *joint, const char **sorted, size_t count)
{
    const char *name = od_arena_format(b->arena, b->error, "%s_end", b->out->joints[joint->parent].name);
    while (name && bsearch((const void *)&name, (const void *)sorted, count, sizeof *sorted, compare_names))
        name = od_arena_format(b->arena, b->error, "%s_", name);
    return name;
}

/* Names the End Sites and warns of joints that share a name. */
static bool finish_names(builder *b, od_report *report)
{
    size_t count = 0;
    int twice = -1, repeated = 0;
    const char **sorted = OD_NEW(b->arena, const char *, (size_t)b->out->count, b->error);
    if (!sorted) return false;
    for (int i = 0; i < b->out->count; i++)
        if (!b->out->joints[i].end) sorted[count++] = b->out->joints[i].name;
    qsort((void *)sorted, count, sizeof *sorted, compare_names);
    for (int i = 1; i < (int)count; i++) {
        if (strcmp(sorted[i - 1], sorted[i]) != 0) continue;
        if (!repeated++) twice = i;
    }
    if (repeated == 1)
        od_warn(report, "%s: two joints are called %s: a mapping finds the first, the others by \"nth\"", b->text->file,
                sorted[twice]);
    if (repeated > 1)
        od_warn(
            report,
            "%s: %d joints repeat the name of another (%s is one): a mapping finds the first, the others by \"nth\"",
            b->text->file, repeated, sorted[twice]);
    for (int i = 0; i < b->out->count; i++) {
        od_bvh_joint *joint = &b->out->joints[i];
        if (joint->end && !(joint->name = end_name(b, joint, sorted, count))) return false;
    }
    return true;
}

bool od_bvh_hierarchy_read(od_bvh_text *text, od_bvh_hierarchy *out, od_report *report, od_arena *arena,
                           od_error *error)
{
    *out = (od_bvh_hierarchy){0};
    builder b = {.text = text, .out = out, .current = -1, .arena = arena, .error = error};
    od_bvh_find_encoding(text);
    if (text->cp932) od_choice(report, "%s: the names of the joints are read as CP932 (Shift-JIS)", text->file);
    if (!od_bvh_word(text, "hierarchy")) return od_bvh_expected(text, text->at, "HIERARCHY", error);
    return read_trees(&b) && finish_names(&b, report);
}
