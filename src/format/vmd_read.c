/* Input: a VMD file, version 1 or 2. Output: keys, tracks in the order of the first keys in the file.
 * Invariants: frames ascend; all numbers are finite and of a size that can be reckoned with; rotations are
 * unit and continuous in sign. */
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/text.h"
#include "format/vmd.h"

enum { MAGIC = 30, SEEN = 25, MODEL_1 = 10, MODEL_2 = 20, NAME = 15, IK_NAME = 20, CURVES = 64 };
enum { IK_KEY = 9, IK_SWITCH = IK_NAME + 1 };

/* Places beyond this are not meant: the stage would be 80,000 km wide. */
static const float FAR = 1e9F;

/* One section: a count, then records of one size. */
typedef struct layout {
    const char *what;
    size_t size, name;        /* of a record; of the name at its beginning */
    size_t floats, float_end; /* where its numbers are */
} layout;

static const layout BONES = {"bone", NAME + 4 + 28 + CURVES, NAME, 19, 47};
static const layout MORPHS = {"morph", NAME + 8, NAME, 19, 23};
static const layout CAMERA = {"camera", 61, 0, 4, 32};
static const layout LIGHT = {"light", 28, 0, 4, 28};
static const layout SHADOW = {"self shadow", 9, 0, 5, 9};

/* One record that is used. `label` is the name without what stands behind its end. */
typedef struct entry {
    unsigned char label[NAME + 1];
    unsigned frame;
    unsigned at; /* number of the record in its section */
} entry;

/* Records in the order of names and frames, one for each. */
typedef struct section {
    const layout *layout;
    const unsigned char *data;
    entry *entries;
    int count;
} section;

typedef struct reader {
    od_cursor at;
    od_report *report;
    od_arena *arena;
    od_error *error;
} reader;

static bool read_header(reader *r, od_keys *keys)
{
    const unsigned char *magic = od_cursor_bytes(&r->at, MAGIC);
    bool first = magic && !memcmp(magic, "Vocaloid Motion Data file", SEEN);
    if (!magic || (!first && memcmp(magic, "Vocaloid Motion Data 0002", SEEN) != 0))
        return od_fail(r->error, "%s@0x0: expected \"Vocaloid Motion Data 0002\" or \"... file\"", r->at.file);
    size_t size = first ? MODEL_1 : MODEL_2;
    const unsigned char *name = od_cursor_bytes(&r->at, size);
    if (!name) return od_cursor_fail(&r->at, r->error, "the file ends in its header");
    keys->model = od_text_from_cp932(r->arena, name, size, r->error);
    return keys->model != NULL;
}

/* Old files end before the section: it is empty then. */
static bool read_count(reader *r, const char *what, size_t size, size_t *count)
{
    *count = od_cursor_left(&r->at) < 4 ? 0 : od_cursor_u32(&r->at);
    if (*count <= od_cursor_left(&r->at) / size) return true;
    return od_fail(r->error, "%s@0x%zx: %zu %s keys cannot be in the %zu bytes that are left", r->at.file, r->at.at,
                   *count, what, od_cursor_left(&r->at));
}

static int by_place(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    int order = memcmp(x->label, y->label, sizeof x->label);
    if (order) return order;
    if (x->frame != y->frame) return x->frame < y->frame ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Sorts, and leaves one key for each name and frame. What MikuMikuDance does with two is not known; of those
 * that play a motion some keep the last (noname0310/babylon-mmd), some the first (errno-mmd/smoothvmd). The
 * last is what remains when keys are set one after the other. */
static int settle(reader *r, entry *entries, size_t count, const char *what)
{
    qsort(entries, count, sizeof *entries, by_place);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool same = kept && entries[kept - 1].frame == entries[i].frame &&
                    !memcmp(entries[kept - 1].label, entries[i].label, sizeof entries->label);
        if (!same) kept++;
        entries[kept - 1] = entries[i];
    }
    if (kept < count)
        od_warn(r->report, "%zu %s keys are on a frame that has one already: the last of each counts", count - kept,
                what);
    return (int)kept;
}

/* The name as far as its characters are whole: MMD cuts names at a byte. */
static void make_label(const unsigned char *name, size_t size, unsigned char *label)
{
    for (size_t i = 0; i < size && name[i];) {
        size_t n = od_cp932_is_lead(name[i]) ? 2 : 1;
        if (i + n > size || !name[i + n - 1]) break;
        memcpy(label + i, name + i, n);
        i += n;
    }
}

static od_cursor record_at(const reader *r, const section *s, unsigned at, size_t skip)
{
    od_cursor c = od_cursor_make(r->at.file, s->data + at * s->layout->size, s->layout->size);
    od_cursor_skip(&c, skip);
    return c;
}

static bool is_sound(const reader *r, const section *s, unsigned at)
{
    od_cursor c = record_at(r, s, at, s->layout->floats);
    while (c.at < s->layout->float_end)
        if (!(fabsf(od_cursor_f32(&c)) <= FAR)) return false;
    return true;
}

static bool read_section(reader *r, const layout *kind, section *s)
{
    size_t count, used = 0;
    *s = (section){.layout = kind};
    if (!read_count(r, kind->what, kind->size, &count)) return false;
    s->data = od_cursor_bytes(&r->at, count * kind->size);
    s->entries = OD_NEW(r->arena, entry, count, r->error);
    if (!s->entries) return false;
    for (unsigned i = 0; i < count; i++) {
        if (!is_sound(r, s, i)) continue;
        entry *e = &s->entries[used++];
        od_cursor c = record_at(r, s, i, 0);
        make_label(od_cursor_bytes(&c, kind->name), kind->name, e->label);
        e->frame = od_cursor_u32(&c);
        e->at = i;
    }
    if (used < count)
        od_warn(r->report, "%zu %s keys hold what is no number, or one out of reach: left out", count - used,
                kind->what);
    s->count = settle(r, s->entries, used, kind->what);
    return true;
}

/* Entries of one name. */
typedef struct group {
    const entry *entries;
    int count;
    unsigned at; /* the first record */
} group;

static int by_first(const void *a, const void *b)
{
    const group *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static bool make_groups(const reader *r, const section *s, group **groups, int *count)
{
    int n = 0;
    for (int i = 0; i < s->count; i++)
        n += !i || memcmp(s->entries[i].label, s->entries[i - 1].label, sizeof s->entries->label) != 0;
    group *g = OD_NEW(r->arena, group, (size_t)n, r->error);
    if (!g) return false;
    *groups = g;
    *count = n;
    for (int i = 0; i < s->count; i++) {
        const entry *e = &s->entries[i];
        if (i && memcmp(e->label, e[-1].label, sizeof e->label) != 0) g++;
        if (!g->count++) *g = (group){e, 1, e->at};
        if (e->at < g->at) g->at = e->at;
    }
    qsort(*groups, (size_t)n, sizeof **groups, by_first);
    return true;
}

/* Frames of a track; *frames stays NULL when key i is at frame i. */
static bool read_frames(const reader *r, const group *g, const unsigned **frames)
{
    if (g->entries[g->count - 1].frame == (unsigned)g->count - 1) return true;
    unsigned *f = OD_NEW(r->arena, unsigned, (size_t)g->count, r->error);
    if (!f) return false;
    for (int i = 0; i < g->count; i++) f[i] = g->entries[i].frame;
    *frames = f;
    return true;
}

/* Four bytes, each the fourth behind the one before. All zero is the straight line as well (x = y = s^3), for
 * which there is one way to write it. */
static void read_curve(const unsigned char *from, unsigned char curve[4])
{
    if (!from[0] && !from[4] && !from[8] && !from[12]) return;
    for (int i = 0; i < 4; i++) curve[i] = from[4 * i] > 127 ? 127 : from[4 * i];
}

/* Of four rows, each the first moved to the left by one byte more, the first has the switch of physics in
 * bytes 2 and 3; bytes 0, 4, 8 and 12 of row k are channel k in any file. Some programs write the first row
 * alone (hkrn/nanoem). */
static od_curves read_curves(const unsigned char bytes[CURVES])
{
    od_curves curves = OD_CURVES_LINEAR;
    bool one_row = true;
    for (int i = 16; i < CURVES; i++) one_row = one_row && !bytes[i];
    for (int k = 0; k < 4; k++) read_curve(bytes + (one_row ? k : 16 * k), curves.c[k]);
    return curves;
}

/* 99, 15 switches physics off, unless these are the curves' own bytes, as in files that did not pass through
 * MMD (miu200521358/mlib_go, noname0310/babylon-mmd). */
static bool is_still(const unsigned char bytes[CURVES])
{
    return bytes[2] == 99 && bytes[3] == 15 && !(bytes[32] == 99 && bytes[48] == 15);
}

typedef struct bone_key {
    vec3s position;
    versors rotation;
    od_curves curves;
    bool still;
} bone_key;

/* Rotations of all zeros are met in files: no rotation. What is unit already is kept to the bit. */
static versors make_unit(versors q)
{
    return fabsf(od_quat_dot(q, q) - 1) < 1e-6F ? q : od_quat_normalize(q);
}

static bone_key read_key(const reader *r, const section *s, const entry *e)
{
    bone_key k;
    od_cursor c = record_at(r, s, e->at, NAME + 4);
    for (int i = 0; i < 3; i++) k.position.raw[i] = od_cursor_f32(&c);
    for (int i = 0; i < 4; i++) k.rotation.raw[i] = od_cursor_f32(&c);
    k.rotation = make_unit(k.rotation);
    k.curves = read_curves(c.data + c.at);
    k.still = is_still(c.data + c.at);
    return k;
}

/* The arrays that a track needs. */
typedef struct arrays {
    vec3s *position;
    versors *rotation;
    od_curves *curves;
    bool *still;
} arrays;

/* To the bit: -0 is a number of its own in a file, and of a small turn w is 1. */
static bool differ(const float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i] || signbit(a[i]) != signbit(b[i])) return true;
    return false;
}

static bool make_arrays(const reader *r, const section *s, const group *g, arrays *a)
{
    static const float rest[] = {0, 0, 0, 1};
    static const od_curves linear = OD_CURVES_LINEAR;
    size_t count = (size_t)g->count;
    bool moves = false, turns = false, bends = false, still = false;
    for (int i = 0; i < g->count; i++) {
        bone_key k = read_key(r, s, &g->entries[i]);
        moves = moves || differ(k.position.raw, rest, 3);
        turns = turns || differ(k.rotation.raw, rest, 4);
        bends = bends || memcmp(&k.curves, &linear, sizeof linear) != 0;
        still = still || k.still;
    }
    *a = (arrays){0};
    return (!moves || (a->position = OD_NEW(r->arena, vec3s, count, r->error))) &&
           (!turns || (a->rotation = OD_NEW(r->arena, versors, count, r->error))) &&
           (!bends || (a->curves = OD_NEW(r->arena, od_curves, count, r->error))) &&
           (!still || (a->still = OD_NEW(r->arena, bool, count, r->error)));
}

static bool read_track(const reader *r, const section *s, const group *g, od_track *track)
{
    arrays a;
    *track = (od_track){.name = od_text_from_cp932(r->arena, g->entries->label, NAME, r->error), .count = g->count};
    if (!track->name || !read_frames(r, g, &track->frame) || !make_arrays(r, s, g, &a)) return false;
    versors before = od_quat_identity();
    for (int i = 0; i < g->count; i++) {
        bone_key k = read_key(r, s, &g->entries[i]);
        if (a.position) a.position[i] = k.position;
        if (a.rotation) before = a.rotation[i] = i ? od_quat_near(k.rotation, before) : k.rotation;
        if (a.curves) a.curves[i] = k.curves;
        if (a.still) a.still[i] = k.still;
    }
    track->position = a.position;
    track->rotation = a.rotation;
    track->curves = a.curves;
    track->still = a.still;
    return true;
}

static bool read_bones(reader *r, od_keys *keys)
{
    section s;
    group *groups;
    if (!read_section(r, &BONES, &s) || !make_groups(r, &s, &groups, &keys->track_count)) return false;
    keys->tracks = OD_NEW(r->arena, od_track, (size_t)keys->track_count, r->error);
    if (!keys->tracks) return false;
    for (int i = 0; i < keys->track_count; i++)
        if (!read_track(r, &s, &groups[i], &keys->tracks[i])) return false;
    return true;
}

static bool read_morph(const reader *r, const section *s, const group *g, od_morph_track *track)
{
    float *weight = OD_NEW(r->arena, float, (size_t)g->count, r->error);
    const char *name = od_text_from_cp932(r->arena, g->entries->label, NAME, r->error);
    *track = (od_morph_track){.name = name, .count = g->count, .weight = weight};
    if (!weight || !name || !read_frames(r, g, &track->frame)) return false;
    for (int i = 0; i < g->count; i++) {
        od_cursor c = record_at(r, s, g->entries[i].at, NAME + 4);
        weight[i] = od_cursor_f32(&c);
    }
    return true;
}

static bool read_morphs(reader *r, od_keys *keys)
{
    section s;
    group *groups;
    if (!read_section(r, &MORPHS, &s) || !make_groups(r, &s, &groups, &keys->morph_count)) return false;
    keys->morphs = OD_NEW(r->arena, od_morph_track, (size_t)keys->morph_count, r->error);
    if (!keys->morphs) return false;
    for (int i = 0; i < keys->morph_count; i++)
        if (!read_morph(r, &s, &groups[i], &keys->morphs[i])) return false;
    return true;
}

static vec3s read_vec3(od_cursor *c)
{
    float x = od_cursor_f32(c), y = od_cursor_f32(c), z = od_cursor_f32(c);
    return od_vec3(x, y, z);
}

static bool read_cameras(reader *r, od_keys *keys)
{
    section s;
    if (!read_section(r, &CAMERA, &s)) return false;
    keys->camera_count = s.count;
    keys->cameras = OD_NEW(r->arena, od_camera_key, (size_t)s.count, r->error);
    for (int i = 0; keys->cameras && i < s.count; i++) {
        od_camera_key *k = &keys->cameras[i];
        od_cursor c = record_at(r, &s, s.entries[i].at, 4);
        k->frame = s.entries[i].frame;
        k->distance = od_cursor_f32(&c);
        k->position = read_vec3(&c);
        k->rotation = read_vec3(&c);
        memcpy(k->curves, od_cursor_bytes(&c, sizeof k->curves), sizeof k->curves);
        k->angle = od_cursor_u32(&c);
        k->perspective = !od_cursor_u8(&c);
    }
    return keys->cameras != NULL;
}

static bool read_lights(reader *r, od_keys *keys)
{
    section s;
    if (!read_section(r, &LIGHT, &s)) return false;
    keys->light_count = s.count;
    keys->lights = OD_NEW(r->arena, od_light_key, (size_t)s.count, r->error);
    for (int i = 0; keys->lights && i < s.count; i++) {
        od_cursor c = record_at(r, &s, s.entries[i].at, 4);
        od_light_key *k = &keys->lights[i];
        k->frame = s.entries[i].frame;
        k->color = read_vec3(&c);
        k->direction = read_vec3(&c);
    }
    return keys->lights != NULL;
}

static bool read_shadows(reader *r, od_keys *keys)
{
    section s;
    if (!read_section(r, &SHADOW, &s)) return false;
    keys->shadow_count = s.count;
    keys->shadows = OD_NEW(r->arena, od_shadow_key, (size_t)s.count, r->error);
    for (int i = 0; keys->shadows && i < s.count; i++) {
        od_cursor c = record_at(r, &s, s.entries[i].at, 4);
        int mode = od_cursor_u8(&c);
        keys->shadows[i] = (od_shadow_key){s.entries[i].frame, mode, od_cursor_f32(&c)};
    }
    return keys->shadows != NULL;
}

static bool read_ik_key(reader *r, od_ik_key *key)
{
    key->frame = od_cursor_u32(&r->at);
    key->show = od_cursor_u8(&r->at);
    size_t count = od_cursor_u32(&r->at);
    if (r->at.failed) return od_cursor_fail(&r->at, r->error, "the file ends among its IK keys");
    if (count > od_cursor_left(&r->at) / IK_SWITCH)
        return od_fail(r->error, "%s@0x%zx: %zu IK switches cannot be in the %zu bytes that are left", r->at.file,
                       r->at.at, count, od_cursor_left(&r->at));
    key->switches = OD_NEW(r->arena, od_ik_switch, count, r->error);
    if (!key->switches) return false;
    key->count = (int)count;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *name = od_cursor_bytes(&r->at, IK_NAME);
        key->switches[i].name = od_text_from_cp932(r->arena, name, IK_NAME, r->error);
        key->switches[i].on = od_cursor_u8(&r->at);
        if (!key->switches[i].name) return false;
    }
    return true;
}

static bool read_ik(reader *r, od_keys *keys)
{
    size_t count;
    if (!read_count(r, "IK", IK_KEY, &count)) return false;
    od_ik_key *read = OD_NEW(r->arena, od_ik_key, count, r->error);
    entry *order = OD_NEW(r->arena, entry, count, r->error);
    keys->ik = OD_NEW(r->arena, od_ik_key, count, r->error);
    if (!read || !order || !keys->ik) return false;
    for (unsigned i = 0; i < count; i++) {
        if (!read_ik_key(r, &read[i])) return false;
        order[i].frame = read[i].frame;
        order[i].at = i;
    }
    keys->ik_count = settle(r, order, count, "IK");
    for (int i = 0; i < keys->ik_count; i++) keys->ik[i] = read[order[i].at];
    return true;
}

bool od_vmd_read(const od_file *file, od_keys *keys, od_report *report, od_arena *arena, od_error *error)
{
    reader r = {od_cursor_make(file->name, file->data, file->size), report, arena, error};
    *keys = (od_keys){0};
    if (!read_header(&r, keys) || !read_bones(&r, keys) || !read_morphs(&r, keys) || !read_cameras(&r, keys) ||
        !read_lights(&r, keys) || !read_shadows(&r, keys) || !read_ik(&r, keys))
        return false;
    size_t left = od_cursor_left(&r.at);
    if (left) od_warn(report, "%zu bytes behind the last section are left out", left);
    return true;
}
