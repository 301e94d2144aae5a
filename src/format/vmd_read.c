/* Input: a VMD's bytes. Output: keys by bone and morph, ascending in frame; camera, light, shadow and IK
 * keys. Files come from many programs: sections may be missing at the end, keys stand in any order, some
 * hold no numbers.
 *
 * Of two keys of a bone on one frame the first in the file counts, as in Saba's viewer; MMD's own
 * choice is not known. */
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/text.h"
#include "format/vmd.h"

enum { MAGIC = 30, NAME = 15, IK_NAME = 20, BONE = 111, MORPH = 23, CAMERA = 61, LIGHT = 28, SHADOW = 9 };

typedef struct reader {
    od_cursor c;
    od_report *report;
    od_arena *arena;
    od_error *error;
    int broken; /* keys left out because they are no numbers */
    int double_keys;
} reader;

/* A record of a bone or a morph. */
typedef struct record {
    const unsigned char *label; /* at its beginning */
    const unsigned char *data;  /* behind the frame */
    uint32_t frame;
    int index; /* place in the file */
} record;

/* The number of records of a section, which are there; 0 when the file ends before it. */
static bool read_count(reader *r, size_t size, const char *what, int *count)
{
    *count = 0;
    if (od_cursor_left(&r->c) < 4) return true;
    uint32_t n = od_cursor_u32(&r->c);
    if (n > od_cursor_left(&r->c) / size)
        return od_fail(r->error, "%s@0x%zx: expected %u %s keys, found the bytes of %zu", r->c.file, r->c.at - 4, n,
                       what, od_cursor_left(&r->c) / size);
    *count = (int)n; /* records have 9 bytes and more, and files less than 2^32 of them */
    return true;
}

/* ---- bones and morphs ---------------------------------------------------------------------------- */

/* Names are compared up to their NUL: what stands behind it may be anything. */
static int compare_labels(const unsigned char *a, const unsigned char *b)
{
    return strncmp((const char *)a, (const char *)b, NAME);
}

/* By name, by frame, by place. */
static int by_label(const void *a, const void *b)
{
    const record *x = a, *y = b;
    int order = compare_labels(x->label, y->label);
    if (order) return order;
    if (x->frame != y->frame) return x->frame < y->frame ? -1 : 1;
    return x->index - y->index;
}

/* A run of records of one name. */
typedef struct run {
    record *first;
    int count;
    int index; /* of its first record in the file */
} run;

static int by_index(const void *a, const void *b)
{
    return ((const run *)a)->index - ((const run *)b)->index;
}

/* Reads the records of a section, sorted; of two on one frame the first. */
static bool read_records(reader *r, size_t size, const char *what, record **records, int *count)
{
    int n, kept = 0;
    if (!read_count(r, size, what, &n)) return false;
    record *list = OD_NEW(r->arena, record, (size_t)n, r->error);
    if (!list) return false;
    for (int i = 0; i < n; i++) {
        const unsigned char *label = od_cursor_bytes(&r->c, NAME);
        uint32_t frame = od_cursor_u32(&r->c);
        list[i] = (record){label, od_cursor_bytes(&r->c, size - NAME - 4), frame, i};
    }
    qsort(list, (size_t)n, sizeof *list, by_label);
    for (int i = 0; i < n; i++) {
        const record *before = kept ? &list[kept - 1] : NULL;
        bool twice = before && before->frame == list[i].frame && !compare_labels(before->label, list[i].label);
        if (!twice) list[kept++] = list[i];
    }
    r->double_keys += n - kept;
    *records = list;
    *count = kept;
    return true;
}

/* Runs of one name, in the order in which the names come up in the file. */
static bool find_runs(reader *r, record *records, int count, run **runs, int *run_count)
{
    int n = 0;
    for (int i = 0; i < count; i++) n += !i || compare_labels(records[i - 1].label, records[i].label) != 0;
    *runs = OD_NEW(r->arena, run, (size_t)n, r->error);
    if (!*runs) return false;
    *run_count = n;
    n = 0;
    for (int i = 0; i < count; i++) {
        if (!i || compare_labels(records[i - 1].label, records[i].label) != 0)
            (*runs)[n++] = (run){.first = &records[i], .index = records[i].index};
        run *last = &(*runs)[n - 1];
        last->count++;
        if (records[i].index < last->index) last->index = records[i].index;
    }
    qsort(*runs, (size_t)n, sizeof **runs, by_index);
    return true;
}

static float float_at(const unsigned char *p)
{
    od_cursor c = od_cursor_make("", p, 4);
    return od_cursor_f32(&c);
}

/* Is key i of frame i? Then frames need not be kept. */
static bool is_dense(const unsigned *frames, int count)
{
    for (int i = 0; i < count; i++)
        if (frames[i] != (unsigned)i) return false;
    return true;
}

/* The curves of a key. Each is read where the physics switch of bytes 2 and 3 does not lie; some
 * programs write the first row only. Zeros throughout are no curve: a line. */
static od_curves read_curves(const unsigned char *p)
{
    static const unsigned char zeros[48];
    static const od_curves line = OD_CURVES_LINEAR;
    od_curves curves = line;
    bool first_row = !memcmp(p + 16, zeros, sizeof zeros);
    for (int channel = 0; channel < 4; channel++) {
        unsigned char points[4], any = 0;
        for (int i = 0; i < 4; i++) {
            points[i] = p[(first_row ? channel : 16 * channel) + 4 * i];
            any |= points[i];
            if (points[i] > 127) points[i] = 127;
        }
        if (any) memcpy(curves.c[channel], points, sizeof points);
    }
    return curves;
}

/* A rotation as the file has it when it is unit to the last digits, so that it is written back as it
 * was; all zero means none. */
static versors read_rotation(const unsigned char *p)
{
    versors q = od_quat(float_at(p), float_at(p + 4), float_at(p + 8), float_at(p + 12));
    float square = od_quat_dot(q, q);
    if (!(square > 1e-12f)) return od_quat_identity();
    return fabsf(square - 1) < 1e-4f ? q : od_quat_normalize(q);
}

/* Keys of one bone, in place of what is the same in all of them nothing. */
static bool read_track(reader *r, const run *keys, od_track *track)
{
    static const od_curves line = OD_CURVES_LINEAR;
    size_t n = (size_t)keys->count;
    unsigned *frame = OD_NEW(r->arena, unsigned, n, r->error);
    vec3s *position = OD_NEW(r->arena, vec3s, n, r->error);
    versors *rotation = OD_NEW(r->arena, versors, n, r->error);
    od_curves *curves = OD_NEW(r->arena, od_curves, n, r->error);
    bool moves = false, turns = false, curved = false;
    track->name = od_text_from_cp932(r->arena, keys->first->label, NAME, r->error);
    if (!frame || !position || !rotation || !curves || !track->name) return false;
    for (int i = 0; i < keys->count; i++) {
        const unsigned char *p = keys->first[i].data;
        int k = track->count;
        position[k] = od_vec3(float_at(p), float_at(p + 4), float_at(p + 8));
        rotation[k] = read_rotation(p + 12);
        if (!od_vec3_finite(position[k]) || !od_quat_finite(rotation[k])) {
            r->broken++;
            continue;
        }
        frame[k] = keys->first[i].frame;
        curves[k] = read_curves(p + 28);
        moves |= position[k].x != 0 || position[k].y != 0 || position[k].z != 0;
        turns |= rotation[k].w != 1;
        curved |= memcmp(&curves[k], &line, sizeof line) != 0;
        track->count++;
    }
    track->frame = is_dense(frame, track->count) ? NULL : frame;
    track->position = moves ? position : NULL;
    track->rotation = turns ? rotation : NULL;
    track->curves = curved ? curves : NULL;
    return true;
}

static bool read_bones(reader *r, od_keys *keys)
{
    record *records;
    run *runs;
    int count, n;
    if (!read_records(r, BONE, "bone", &records, &count) || !find_runs(r, records, count, &runs, &n)) return false;
    keys->tracks = OD_NEW(r->arena, od_track, (size_t)n, r->error);
    if (!keys->tracks) return false;
    for (int i = 0; i < n; i++) {
        if (!read_track(r, &runs[i], &keys->tracks[keys->track_count])) return false;
        keys->track_count += keys->tracks[keys->track_count].count > 0;
    }
    return true;
}

static bool read_morph(reader *r, const run *keys, od_morph_track *track)
{
    unsigned *frame = OD_NEW(r->arena, unsigned, (size_t)keys->count, r->error);
    float *weight = OD_NEW(r->arena, float, (size_t)keys->count, r->error);
    track->name = od_text_from_cp932(r->arena, keys->first->label, NAME, r->error);
    if (!frame || !weight || !track->name) return false;
    for (int i = 0; i < keys->count; i++) {
        float value = float_at(keys->first[i].data);
        if (!isfinite(value)) {
            r->broken++;
            continue;
        }
        frame[track->count] = keys->first[i].frame;
        weight[track->count++] = value;
    }
    track->frame = is_dense(frame, track->count) ? NULL : frame;
    track->weight = weight;
    return true;
}

static bool read_morphs(reader *r, od_keys *keys)
{
    record *records;
    run *runs;
    int count, n;
    if (!read_records(r, MORPH, "morph", &records, &count) || !find_runs(r, records, count, &runs, &n)) return false;
    keys->morphs = OD_NEW(r->arena, od_morph_track, (size_t)n, r->error);
    if (!keys->morphs) return false;
    for (int i = 0; i < n; i++) {
        if (!read_morph(r, &runs[i], &keys->morphs[keys->morph_count])) return false;
        keys->morph_count += keys->morphs[keys->morph_count].count > 0;
    }
    return true;
}

/* ---- camera, light, shadow, IK -------------------------------------------------------------------- */

static vec3s read_vec3(od_cursor *c)
{
    float x = od_cursor_f32(c), y = od_cursor_f32(c), z = od_cursor_f32(c);
    return od_vec3(x, y, z);
}

/* The keys of these sections begin with their frame: one comparison serves for all. */
static int by_frame(const void *a, const void *b)
{
    unsigned x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static bool read_cameras(reader *r, od_keys *keys)
{
    int count;
    if (!read_count(r, CAMERA, "camera", &count)) return false;
    keys->cameras = OD_NEW(r->arena, od_camera_key, (size_t)count, r->error);
    if (!keys->cameras) return false;
    for (int i = 0; i < count; i++) {
        od_camera_key key = {.frame = od_cursor_u32(&r->c), .distance = od_cursor_f32(&r->c)};
        key.position = read_vec3(&r->c);
        key.rotation = read_vec3(&r->c);
        memcpy(key.curves, od_cursor_bytes(&r->c, sizeof key.curves), sizeof key.curves);
        key.angle = od_cursor_u32(&r->c);
        key.perspective = !od_cursor_u8(&r->c);
        bool good = isfinite(key.distance) && od_vec3_finite(key.position) && od_vec3_finite(key.rotation);
        if (good) keys->cameras[keys->camera_count++] = key;
        else r->broken++;
    }
    qsort(keys->cameras, (size_t)keys->camera_count, sizeof *keys->cameras, by_frame);
    return true;
}

static bool read_lights(reader *r, od_keys *keys)
{
    int count;
    if (!read_count(r, LIGHT, "light", &count)) return false;
    keys->lights = OD_NEW(r->arena, od_light_key, (size_t)count, r->error);
    if (!keys->lights) return false;
    for (int i = 0; i < count; i++) {
        od_light_key key = {.frame = od_cursor_u32(&r->c)};
        key.color = read_vec3(&r->c);
        key.direction = read_vec3(&r->c);
        if (od_vec3_finite(key.color) && od_vec3_finite(key.direction)) keys->lights[keys->light_count++] = key;
        else r->broken++;
    }
    qsort(keys->lights, (size_t)keys->light_count, sizeof *keys->lights, by_frame);
    return true;
}

static bool read_shadows(reader *r, od_keys *keys)
{
    int count;
    if (!read_count(r, SHADOW, "shadow", &count)) return false;
    keys->shadows = OD_NEW(r->arena, od_shadow_key, (size_t)count, r->error);
    if (!keys->shadows) return false;
    for (int i = 0; i < count; i++) {
        od_shadow_key key = {.frame = od_cursor_u32(&r->c)};
        key.mode = od_cursor_u8(&r->c);
        key.distance = od_cursor_f32(&r->c);
        if (isfinite(key.distance)) keys->shadows[keys->shadow_count++] = key;
        else r->broken++;
    }
    qsort(keys->shadows, (size_t)keys->shadow_count, sizeof *keys->shadows, by_frame);
    return true;
}

static bool read_switches(reader *r, od_ik_key *key, int count)
{
    key->switches = OD_NEW(r->arena, od_ik_switch, (size_t)count, r->error);
    if (!key->switches) return false;
    for (int i = 0; i < count; i++) {
        const unsigned char *name = od_cursor_bytes(&r->c, IK_NAME);
        key->switches[i].name = od_text_from_cp932(r->arena, name, IK_NAME, r->error);
        key->switches[i].on = od_cursor_u8(&r->c);
        if (!key->switches[i].name) return false;
    }
    key->count = count;
    return true;
}

static bool read_ik(reader *r, od_keys *keys)
{
    int count, switches;
    if (!read_count(r, 9, "IK", &count)) return false;
    keys->ik = OD_NEW(r->arena, od_ik_key, (size_t)count, r->error);
    if (!keys->ik) return false;
    for (int i = 0; i < count; i++) {
        od_ik_key *key = &keys->ik[i];
        *key = (od_ik_key){.frame = od_cursor_u32(&r->c), .show = od_cursor_u8(&r->c)};
        if (od_cursor_left(&r->c) < 4) return od_cursor_fail(&r->c, r->error, "the file ends in an IK key");
        if (!read_count(r, IK_NAME + 1, "IK switch", &switches) || !read_switches(r, key, switches)) return false;
    }
    keys->ik_count = count;
    qsort(keys->ik, (size_t)count, sizeof *keys->ik, by_frame);
    return true;
}

/* ---- the file -------------------------------------------------------------------------------------- */

static bool read_header(reader *r, od_keys *keys)
{
    const unsigned char *magic = od_cursor_bytes(&r->c, MAGIC);
    if (!magic || !od_vmd_probe(magic, MAGIC)) return od_cursor_fail(&r->c, r->error, "is no VMD motion");
    bool old = !memcmp(magic + 21, "file", 4);
    size_t size = old ? 10 : 20;
    const unsigned char *model = od_cursor_bytes(&r->c, size);
    if (!model) return od_cursor_fail(&r->c, r->error, "the file ends in its header");
    keys->model = od_text_from_cp932(r->arena, model, size, r->error);
    return keys->model != NULL;
}

bool od_vmd_read(const od_file *file, od_keys *keys, od_report *report, od_arena *arena, od_error *error)
{
    reader r = {
        .c = od_cursor_make(file->name, file->data, file->size), .report = report, .arena = arena, .error = error};
    *keys = (od_keys){0};
    if (!read_header(&r, keys) || !read_bones(&r, keys) || !read_morphs(&r, keys) || !read_cameras(&r, keys) ||
        !read_lights(&r, keys) || !read_shadows(&r, keys) || !read_ik(&r, keys))
        return false;
    if (r.broken) od_warn(report, "%d keys are left out: they hold no numbers", r.broken);
    if (r.double_keys) od_warn(report, "%d keys are left out: they come on a frame that has one", r.double_keys);
    return true;
}
