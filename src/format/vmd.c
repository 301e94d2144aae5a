/* Input: keys. Output: a VMD file, byte for byte as MMD writes it, through a sink.
 * Records go out through one small buffer: a long dance is larger as a file than in memory. */
#include "format/vmd.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "format/out.h"

enum { MAGIC = 30, MODEL = 20, NAME = 15, IK_NAME = 20, CURVES = 64 };
/* Bone keys that old and newer MMD load (ButzYung/SystemAnimatorOnline issue 6; the splitting rule of
 * miu200521358's tools). */
enum { OLD_LIMIT = 20000, NEW_LIMIT = 600000 };

bool od_vmd_probe(const unsigned char *data, size_t size)
{
    return size >= 25 && !memcmp(data, "Vocaloid Motion Data ", 21);
}

static unsigned char *pack_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> 8 * i);
    return to + 4;
}

static unsigned char *pack_f32(unsigned char *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return pack_u32(to, bits);
}

static bool put_u32(od_out *out, size_t value)
{
    unsigned char bytes[4];
    pack_u32(bytes, (uint32_t)value);
    return od_out_bytes(out, bytes, sizeof bytes);
}

/* 16 bytes x1 of X Y Z R, then y1, x2, y2, four times, each row moved one byte further to the left;
 * bytes 2 and 3 are the physics switch, 0: on; 99, 15: off. */
static void pack_curves(const od_curves *curves, bool still, unsigned char bytes[CURVES])
{
    memset(bytes, 0, CURVES);
    for (int row = 0; row < 4; row++)
        for (int i = row; i < 16; i++) bytes[16 * row + i - row] = curves->c[i % 4][i / 4];
    bytes[2] = still ? 99 : 0;
    bytes[3] = still ? 15 : 0;
}

/* A name that CP932 lacks becomes empty in MMD's own files; no model's bone is found by that, so such
 * a track is left out. */
typedef struct field {
    const char *name;
    unsigned char bytes[NAME];
    bool lost, cut;
} field;

static field make_label(const char *name, const char *what, od_report *report)
{
    field l = {.name = name};
    od_text_to_cp932(name, l.bytes, NAME, &l.lost, &l.cut);
    if (l.lost) od_warn(report, "%s \"%s\" cannot be written: MMD's character set lacks its name", what, name);
    return l;
}

typedef struct entry {
    field *label;
} entry;

/* By name, then by place in the list. */
static int by_label(const void *a, const void *b)
{
    const field *x = ((const entry *)a)->label, *y = ((const entry *)b)->label;
    int order = memcmp(x->bytes, y->bytes, NAME);
    return order ? order : (x > y) - (x < y);
}

/* Two tracks of one cut name would be keys on one bone or morph: the first wins. */
static void drop_collisions(field *labels, size_t count, entry *sorted, const char *what, od_report *report)
{
    for (size_t i = 0; i < count; i++) sorted[i].label = &labels[i];
    qsort(sorted, count, sizeof *sorted, by_label);
    for (size_t i = 1, first = 0; i < count; i++) {
        if (memcmp(sorted[i].label->bytes, sorted[first].label->bytes, NAME) != 0) {
            first = i;
            continue;
        }
        if (sorted[i].label->lost) continue;
        sorted[i].label->lost = true;
        od_warn(report, "%ss \"%s\" and \"%s\" are one name in 15 bytes: the first is written", what,
                sorted[first].label->name, sorted[i].label->name);
    }
}

/* The fields of all tracks, those of morphs behind those of bones. `sorted` is room for as many. */
static void make_labels(const od_keys *keys, field *labels, entry *sorted, od_report *report)
{
    size_t bones = (size_t)keys->track_count, morphs = (size_t)keys->morph_count;
    for (size_t i = 0; i < bones; i++) labels[i] = make_label(keys->tracks[i].name, "bone", report);
    for (size_t i = 0; i < morphs; i++) labels[bones + i] = make_label(keys->morphs[i].name, "morph", report);
    drop_collisions(labels, bones, sorted, "bone", report);
    drop_collisions(labels + bones, morphs, sorted, "morph", report);
}

bool od_vmd_keep(const od_keys *keys, od_keys *kept, od_report *report, od_arena *arena, od_error *error)
{
    size_t bones = (size_t)keys->track_count, morphs = (size_t)keys->morph_count;
    field *labels = OD_NEW(arena, field, bones + morphs, error);
    entry *sorted = OD_NEW(arena, entry, bones + morphs, error);
    od_keys k = *keys;
    k.tracks = OD_NEW(arena, od_track, bones, error);
    k.morphs = OD_NEW(arena, od_morph_track, morphs, error);
    k.track_count = k.morph_count = 0;
    if (!labels || !sorted || !k.tracks || !k.morphs) return false;
    make_labels(keys, labels, sorted, report);
    for (size_t i = 0; i < bones; i++)
        if (!labels[i].lost) k.tracks[k.track_count++] = keys->tracks[i];
    for (size_t i = 0; i < morphs; i++)
        if (!labels[bones + i].lost) k.morphs[k.morph_count++] = keys->morphs[i];
    *kept = k;
    return true;
}

static void warn_cut(const field *labels, size_t count, const char *what, od_report *report)
{
    for (size_t i = 0; i < count; i++)
        if (labels[i].cut && !labels[i].lost)
            od_warn(report, "%s \"%s\" has a name longer than 15 bytes: written as MMD cuts it", what, labels[i].name);
}

/* The frame of key `i`; false when it does not come after the one before: MMD would keep one of two
 * keys of a frame, and which one is not known. */
static bool next_frame(od_out *out, const unsigned *frames, int i, const char *name, uint32_t *frame)
{
    *frame = od_key_frame(frames, i);
    if (!frames || !i || frames[i] > frames[i - 1]) return true;
    return od_fail(out->error, "key %d of \"%s\" is at frame %u, not after %u", i, name, frames[i], frames[i - 1]);
}

static bool put_key(od_out *out, const od_track *track, const field *name, int i)
{
    static const od_curves linear = OD_CURVES_LINEAR;
    unsigned char record[NAME + 4 + 28 + CURVES], *p = record;
    vec3s at = track->position ? track->position[i] : od_vec3(0, 0, 0);
    versors q = track->rotation ? track->rotation[i] : od_quat_identity();
    if (!od_vec3_finite(at) || !od_quat_finite(q))
        return od_fail(out->error, "key %d of bone \"%s\" is not a number", i, track->name);
    uint32_t frame;
    if (!next_frame(out, track->frame, i, track->name, &frame)) return false;
    memcpy(p, name->bytes, NAME);
    p = pack_u32(p + NAME, frame);
    for (int k = 0; k < 3; k++) p = pack_f32(p, at.raw[k]);
    for (int k = 0; k < 4; k++) p = pack_f32(p, q.raw[k]);
    pack_curves(track->curves ? &track->curves[i] : &linear, track->still && track->still[i], p);
    return od_out_bytes(out, record, sizeof record);
}

static bool put_bones(od_out *out, const od_keys *keys, const field *labels, od_report *report)
{
    size_t count = 0;
    for (int i = 0; i < keys->track_count; i++)
        if (!labels[i].lost) count += (size_t)keys->tracks[i].count;
    if (count > UINT32_MAX) return od_fail(out->error, "%zu bone keys are more than a VMD can hold", count);
    if (count > NEW_LIMIT) od_warn(report, "%zu bone keys: MMD loads at most %d", count, NEW_LIMIT);
    else if (count > OLD_LIMIT) od_warn(report, "%zu bone keys: old versions of MMD load at most %d", count, OLD_LIMIT);
    if (!put_u32(out, count)) return false;
    for (int i = 0; i < keys->track_count; i++)
        for (int k = 0; !labels[i].lost && k < keys->tracks[i].count; k++)
            if (!put_key(out, &keys->tracks[i], &labels[i], k)) return false;
    return true;
}

static bool put_morphs(od_out *out, const od_keys *keys, const field *labels)
{
    size_t count = 0;
    for (int i = 0; i < keys->morph_count; i++)
        if (!labels[i].lost) count += (size_t)keys->morphs[i].count;
    if (count > UINT32_MAX) return od_fail(out->error, "%zu morph keys are more than a VMD can hold", count);
    if (!put_u32(out, count)) return false;
    for (int i = 0; i < keys->morph_count; i++) {
        const od_morph_track *track = &keys->morphs[i];
        for (int k = 0; !labels[i].lost && k < track->count; k++) {
            unsigned char record[NAME + 8];
            if (!isfinite(track->weight[k]))
                return od_fail(out->error, "key %d of morph \"%s\" is not a number", k, track->name);
            uint32_t frame;
            if (!next_frame(out, track->frame, k, track->name, &frame)) return false;
            memcpy(record, labels[i].bytes, NAME);
            pack_f32(pack_u32(record + NAME, frame), track->weight[k]);
            if (!od_out_bytes(out, record, sizeof record)) return false;
        }
    }
    return true;
}

/* One key; switches whose names CP932 lacks are left out of it. */
static bool put_ik_key(od_out *out, const od_ik_key *key, od_report *report)
{
    unsigned char show = key->show, record[IK_NAME + 1];
    size_t count = 0;
    bool lost;
    for (int k = 0; k < key->count; k++) {
        od_text_to_cp932(key->switches[k].name, record, IK_NAME, &lost, NULL);
        count += !lost;
        if (lost)
            od_warn(report, "the IK switch of \"%s\" cannot be written: MMD's character set lacks its name",
                    key->switches[k].name);
    }
    if (!put_u32(out, key->frame) || !od_out_bytes(out, &show, 1) || !put_u32(out, count)) return false;
    for (int k = 0; k < key->count; k++) {
        od_text_to_cp932(key->switches[k].name, record, IK_NAME, &lost, NULL);
        record[IK_NAME] = key->switches[k].on;
        if (!lost && !od_out_bytes(out, record, sizeof record)) return false;
    }
    return true;
}

static bool put_ik(od_out *out, const od_keys *keys, od_report *report)
{
    if (!put_u32(out, (size_t)keys->ik_count)) return false;
    for (int i = 0; i < keys->ik_count; i++)
        if (!put_ik_key(out, &keys->ik[i], report)) return false;
    return true;
}

static unsigned char *pack_vec3(unsigned char *to, vec3s v)
{
    for (int i = 0; i < 3; i++) to = pack_f32(to, v.raw[i]);
    return to;
}

/* Key `i` of a section without names: its numbers are some and its frame comes after the one before. */
static bool check_key(const od_out *out, const char *what, int i, unsigned frame, unsigned before, bool finite)
{
    if (!finite) return od_fail(out->error, "%s key %d is not a number", what, i);
    return !i || frame > before ||
           od_fail(out->error, "%s key %d is at frame %u, not after %u", what, i, frame, before);
}

static bool put_cameras(od_out *out, const od_keys *keys)
{
    if (!put_u32(out, (size_t)keys->camera_count)) return false;
    for (int i = 0; i < keys->camera_count; i++) {
        const od_camera_key *key = &keys->cameras[i];
        bool finite = isfinite(key->distance) && od_vec3_finite(key->position) && od_vec3_finite(key->rotation);
        if (!check_key(out, "camera", i, key->frame, i ? key[-1].frame : 0, finite)) return false;
        unsigned char record[61], *p = pack_f32(pack_u32(record, key->frame), key->distance);
        p = pack_vec3(pack_vec3(p, key->position), key->rotation);
        memcpy(p, key->curves, sizeof key->curves);
        p = pack_u32(p + sizeof key->curves, key->angle);
        *p = !key->perspective;
        if (!od_out_bytes(out, record, sizeof record)) return false;
    }
    return true;
}

static bool put_lights(od_out *out, const od_keys *keys)
{
    if (!put_u32(out, (size_t)keys->light_count)) return false;
    for (int i = 0; i < keys->light_count; i++) {
        const od_light_key *key = &keys->lights[i];
        bool finite = od_vec3_finite(key->color) && od_vec3_finite(key->direction);
        if (!check_key(out, "light", i, key->frame, i ? key[-1].frame : 0, finite)) return false;
        unsigned char record[28];
        pack_vec3(pack_vec3(pack_u32(record, key->frame), key->color), key->direction);
        if (!od_out_bytes(out, record, sizeof record)) return false;
    }
    return true;
}

static bool put_shadows(od_out *out, const od_keys *keys)
{
    if (!put_u32(out, (size_t)keys->shadow_count)) return false;
    for (int i = 0; i < keys->shadow_count; i++) {
        const od_shadow_key *key = &keys->shadows[i];
        if (!check_key(out, "self shadow", i, key->frame, i ? key[-1].frame : 0, isfinite(key->distance))) return false;
        unsigned char record[9];
        pack_u32(record, key->frame)[0] = (unsigned char)key->mode;
        pack_f32(record + 5, key->distance);
        if (!od_out_bytes(out, record, sizeof record)) return false;
    }
    return true;
}

/* MMD asks when the name is not that of the model on which the motion is loaded. Motions of the camera have a
 * name of their own, behind whose end MMD leaves the rest of another (MMD-Blender/blender_mmd_tools). */
static bool put_header(od_out *out, const od_keys *keys, od_report *report)
{
    unsigned char header[MAGIC + MODEL] = "Vocaloid Motion Data 0002";
    bool lost, cut;
    od_text_to_cp932(keys->model ? keys->model : "", header + MAGIC, MODEL, &lost, &cut);
    if (lost) od_warn(report, "the model's name \"%s\" is left empty: MMD's character set lacks it", keys->model);
    else if (cut) od_warn(report, "the model's name \"%s\" is cut to %d bytes", keys->model, MODEL);
    static const unsigned char stage[] = {0x83, 0x4A, 0x83, 0x81, 0x83, 0x89, 0x81, 0x45, 0x8F, 0xC6,
                                          0x96, 0xBE, 0,    'o',  'n',  ' ',  'D',  'a',  't',  'a'};
    if (!memcmp(header + MAGIC, stage, 13)) memcpy(header + MAGIC, stage, sizeof stage);
    return od_out_bytes(out, header, sizeof header);
}

bool od_vmd_write(const od_keys *keys, const od_sink *sink, od_report *report, od_error *error)
{
    size_t bones = (size_t)keys->track_count, morphs = (size_t)keys->morph_count;
    od_out *out = calloc(1, sizeof *out);
    field *labels = calloc(bones + morphs + 1, sizeof *labels);
    entry *sorted = calloc(bones + morphs + 1, sizeof *sorted);
    bool done = out && labels && sorted;
    if (!done) od_fail(error, "out of memory");
    if (done) {
        out->sink = sink;
        out->error = error;
        make_labels(keys, labels, sorted, report);
        warn_cut(labels, bones, "bone", report);
        warn_cut(labels + bones, morphs, "morph", report);
        done = put_header(out, keys, report) && put_bones(out, keys, labels, report) &&
               put_morphs(out, keys, labels + bones) && put_cameras(out, keys) && put_lights(out, keys) &&
               put_shadows(out, keys) && put_ik(out, keys, report) && od_out_end(out);
    }
    free(sorted);
    free(labels);
    free(out);
    return done;
}
