/* Reading VMD: files made byte by byte after the published layout, what the writer wrote, damaged files,
 * real ones. */
#define _XOPEN_SOURCE 700 /* for nftw; NOLINT(bugprone-reserved-identifier) */
#include "check.h"

#include <ftw.h>

#include "file.h"
#include "model.h"
#include "sink.h"

typedef struct reading {
    od_arena *arena;
    od_report report;
    od_error error;
    od_keys keys;
    bool ok;
} reading;

static reading read_bytes(const unsigned char *data, size_t size)
{
    reading r = {.arena = od_arena_new((size_t)64 << 20)};
    r.report.arena = r.arena;
    od_file file = {.name = "dance.vmd", .data = data, .size = size};
    r.ok = od_read_keys(&file, NULL, &r.keys, &r.report, r.arena, &r.error);
    return r;
}

static void done(reading *r)
{
    od_arena_free(r->arena);
}

static bool warned(const reading *r, const char *part)
{
    for (const od_note *note = r->report.first; note; note = note->next)
        if (note->kind == OD_NOTE_WARNING && strstr(note->text, part)) return true;
    return false;
}

/* A name as it stands in files, of bytes that need not be characters. */
static void put_name(bytes *b, const char *name, size_t size)
{
    char field[32] = {0};
    memcpy(field, name, strnlen(name, size));
    for (size_t i = 0; i < size; i++) put_u8(b, (unsigned char)field[i]);
}

static void put_head(bytes *b)
{
    b->size = 0;
    put_field(b, "Vocaloid Motion Data 0002", 30);
    put_field(b, "model", 20);
}

static const unsigned char LINEAR[64] = {0x14, 0x14, 0x00, 0x00, 0x14, 0x14, 0x14, 0x14, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B,
                                         0x6B, 0x6B, 0x6B, 0x14, 0x14, 0x14, 0x14, 0x14, 0x14, 0x14, 0x6B, 0x6B, 0x6B,
                                         0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x01, 0x14, 0x14, 0x14, 0x14, 0x14, 0x14, 0x6B,
                                         0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x01, 0x00, 0x14, 0x14, 0x14, 0x14,
                                         0x14, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x01, 0x00, 0x00};

/* A bone key without its curves. */
static void put_key_head(bytes *b, const char *name, unsigned frame, vec3s at, versors q)
{
    put_name(b, name, 15);
    put_u32(b, frame);
    for (int i = 0; i < 3; i++) put_f32(b, at.raw[i]);
    for (int i = 0; i < 4; i++) put_f32(b, q.raw[i]);
}

static void put_raw(bytes *b, const unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) put_u8(b, data[i]);
}

static void put_key(bytes *b, const char *name, unsigned frame, float x, versors q)
{
    put_key_head(b, name, frame, od_vec3(x, 0, 0), q);
    put_raw(b, LINEAR, 64);
}

static void put_morph(bytes *b, const char *name, unsigned frame, float weight)
{
    put_name(b, name, 15);
    put_u32(b, frame);
    put_f32(b, weight);
}

static void put_camera(bytes *b, unsigned frame, float distance)
{
    put_u32(b, frame);
    put_f32(b, distance);
    for (int i = 0; i < 6; i++) put_f32(b, (float)i);
    for (unsigned i = 0; i < 24; i++) put_u8(b, 1 + i);
    put_u32(b, 45);
    put_u8(b, 1);
}

static void put_light(bytes *b, unsigned frame, float red)
{
    put_u32(b, frame);
    put_f32(b, red);
    for (int i = 1; i < 6; i++) put_f32(b, 0.25F * (float)i);
}

static void put_shadow(bytes *b, unsigned frame, unsigned mode, float distance)
{
    put_u32(b, frame);
    put_u8(b, mode);
    put_f32(b, distance);
}

static void put_switches(bytes *b, unsigned frame, unsigned show, const char *name, unsigned on)
{
    put_u32(b, frame);
    put_u8(b, show);
    put_u32(b, 1);
    put_name(b, name, 20);
    put_u8(b, on);
}

/* A key or two of everything; ends[i] is where section i ends. */
static void make_all(bytes *b, size_t ends[6])
{
    const versors q = od_quat_identity(), turned = od_quat(0.6F, 0, 0, 0.8F);
    put_head(b);
    put_u32(b, 3);
    put_key(b, "A", 0, 0, q);
    put_key(b, "B", 5, 1, turned);
    put_key(b, "A", 7, 2, q);
    ends[0] = b->size;
    put_u32(b, 2);
    put_morph(b, "m", 0, 0.5F);
    put_morph(b, "m", 3, 1);
    ends[1] = b->size;
    put_u32(b, 1);
    put_camera(b, 4, -45);
    ends[2] = b->size;
    put_u32(b, 1);
    put_light(b, 2, 0.5F);
    ends[3] = b->size;
    put_u32(b, 1);
    put_shadow(b, 1, 2, 0.0125F);
    ends[4] = b->size;
    put_u32(b, 2);
    put_switches(b, 0, 1, "\x8D\xB6\x91\xAB\x82\x68\x82\x6A", 0); /* 左足ＩＫ */
    put_switches(b, 9, 0, "x", 1);
    ends[5] = b->size;
}

static void every_section_is_read(void **state)
{
    (void)state;
    bytes b;
    size_t ends[6];
    make_all(&b, ends);
    reading r = read_bytes(b.data, b.size);
    const od_keys *k = &r.keys;
    assert_ok(r.ok, r.error);
    assert_int_equal(r.report.warnings, 0);
    assert_string_equal(k->model, "model");
    assert_int_equal(k->track_count, 2);
    assert_string_equal(k->tracks[0].name, "A");
    assert_int_equal(k->tracks[0].count, 2);
    assert_int_equal(k->tracks[0].frame[1], 7);
    assert_near(k->tracks[0].position[1].x, 2, 0);
    assert_null(k->tracks[0].rotation); /* identity, linear: not held */
    assert_null(k->tracks[0].curves);
    assert_null(k->tracks[0].still);
    assert_int_equal(k->tracks[1].frame[0], 5);
    assert_near(k->tracks[1].rotation[0].w, 0.8F, 0);
    assert_int_equal(k->morph_count, 1);
    assert_near(k->morphs[0].weight[1], 1, 0);
    assert_int_equal(k->camera_count, 1);
    assert_near(k->cameras[0].distance, -45, 0);
    assert_near(k->cameras[0].position.z, 2, 0);
    assert_near(k->cameras[0].rotation.y, 4, 0);
    for (int i = 0; i < 24; i++) assert_int_equal(k->cameras[0].curves[i], 1 + i);
    assert_int_equal(k->cameras[0].angle, 45);
    assert_false(k->cameras[0].perspective);
    assert_near(k->lights[0].color.x, 0.5F, 0);
    assert_near(k->lights[0].direction.z, 1.25F, 0);
    assert_int_equal(k->shadows[0].mode, 2);
    assert_near(k->shadows[0].distance, 0.0125F, 0);
    assert_int_equal(k->ik_count, 2);
    assert_string_equal(k->ik[0].switches[0].name, "左足ＩＫ");
    assert_false(k->ik[0].switches[0].on);
    assert_true(k->ik[0].show && !k->ik[1].show && k->ik[1].switches[0].on);
    assert_int_equal(k->ik[1].frame, 9);
    done(&r);
}

static void sections_that_are_not_there_are_empty(void **state)
{
    (void)state;
    bytes b;
    size_t ends[6];
    make_all(&b, ends);
    for (int i = 0; i < 6; i++) {
        reading r = read_bytes(b.data, ends[i]);
        assert_ok(r.ok, r.error);
        assert_int_equal(r.keys.track_count, 2);
        assert_int_equal(r.keys.morph_count, i >= 1);
        assert_int_equal(r.keys.camera_count, i >= 2);
        assert_int_equal(r.keys.light_count, i >= 3);
        assert_int_equal(r.keys.shadow_count, i >= 4);
        assert_int_equal(r.keys.ik_count, i >= 5 ? 2 : 0);
        done(&r);
    }
    reading r = read_bytes(b.data, 50);
    assert_ok(r.ok, r.error);
    assert_int_equal(r.keys.track_count, 0);
    done(&r);
}

static void the_first_version_has_a_shorter_name(void **state)
{
    (void)state;
    static bytes b;
    b.size = 0;
    put_field(&b, "Vocaloid Motion Data file", 30);
    put_field(&b, "0123456789", 10); /* not ended */
    put_u32(&b, 1);
    put_key(&b, "A", 3, 1, od_quat_identity());
    put_u32(&b, 0);
    reading r = read_bytes(b.data, b.size);
    assert_ok(r.ok, r.error);
    assert_string_equal(r.keys.model, "0123456789");
    assert_int_equal(r.keys.tracks[0].frame[0], 3);
    done(&r);
}

static void other_versions_are_refused(void **state)
{
    (void)state;
    static bytes b;
    b.size = 0;
    put_field(&b, "Vocaloid Motion Data 0003", 30);
    put_zeros(&b, 100);
    reading r = read_bytes(b.data, b.size);
    assert_fails(r.ok, r.error, "dance.vmd@0x0: expected");
    done(&r);
}

static void bytes_behind_the_last_section_are_told(void **state)
{
    (void)state;
    bytes b;
    size_t ends[6];
    make_all(&b, ends);
    put_field(&b, "made with care", 14);
    reading r = read_bytes(b.data, b.size);
    assert_ok(r.ok, r.error);
    assert_true(warned(&r, "14 bytes"));
    done(&r);
}

static void keys_are_sorted_and_of_two_on_a_frame_the_last_counts(void **state)
{
    (void)state;
    static bytes b;
    const versors q = od_quat_identity();
    put_head(&b);
    put_u32(&b, 6);
    put_key(&b, "A", 4294967295U, 5, q);
    put_key(&b, "A", 9, 1, q);
    put_key(&b, "B", 2, 2, q);
    put_key(&b, "A", 4, 3, q);
    put_key(&b, "A", 9, 4, q);
    put_key(&b, "A", 4, 6, q);
    put_u32(&b, 3);
    put_morph(&b, "m", 1, 1);
    put_morph(&b, "m", 0, 2);
    put_morph(&b, "m", 1, 3);
    reading r = read_bytes(b.data, b.size);
    assert_ok(r.ok, r.error);
    const od_track *a = &r.keys.tracks[0];
    assert_string_equal(a->name, "A");
    assert_int_equal(a->count, 3);
    assert_true(a->frame[0] == 4 && a->frame[1] == 9 && a->frame[2] == 4294967295U);
    assert_near(a->position[0].x, 6, 0);
    assert_near(a->position[1].x, 4, 0);
    assert_true(warned(&r, "2 bone keys"));
    assert_int_equal(r.keys.morphs[0].count, 2);
    assert_near(r.keys.morphs[0].weight[1], 3, 0);
    assert_true(warned(&r, "1 morph keys"));
    done(&r);
}

static void rotations_become_unit_and_continuous(void **state)
{
    (void)state;
    static bytes b;
    put_head(&b);
    put_u32(&b, 5);
    put_key(&b, "A", 0, 0, od_quat(0, 0, 0, 0)); /* none */
    put_key(&b, "A", 1, 0, od_quat(0, 0, 3, 4));
    put_key(&b, "A", 2, 0, od_quat(0, 0, -0.6F, -0.8F)); /* the same rotation */
    put_key(&b, "A", 3, 0, od_quat(1e9F, 0, 0, 0));
    put_key(&b, "A", 4, 0, od_quat(1e-9F, 0, 0, 0));
    reading r = read_bytes(b.data, b.size);
    assert_ok(r.ok, r.error);
    const versors *q = r.keys.tracks[0].rotation;
    assert_near(q[0].w, 1, 0);
    assert_near(q[1].z, 0.6, 1e-6);
    assert_near(q[2].z, 0.6, 1e-6);
    assert_near(fabsf(q[3].x), 1, 1e-6);
    for (int i = 0; i < 5; i++) assert_near(od_quat_dot(q[i], q[i]), 1, 1e-5);
    assert_null(r.keys.tracks[0].frame); /* 0, 1, 2, ... */
    done(&r);
}

/* The curves of one key with these 64 bytes; r stays open. */
static const od_track *read_curves(reading *r, const unsigned char curves[64])
{
    static bytes b;
    put_head(&b);
    put_u32(&b, 1);
    put_key_head(&b, "A", 0, od_vec3(0, 0, 0), od_quat_identity());
    put_raw(&b, curves, 64);
    *r = read_bytes(b.data, b.size);
    assert_ok(r->ok, r->error);
    return &r->keys.tracks[0];
}

/* Four shifted rows of X=1,5,9,13 Y=2,6,10,14 Z=3,7,11,15 R=4,8,12,16; bytes 2 and 3 as given. */
static void make_numbered(unsigned char curves[64], int two, int three)
{
    for (int row = 0; row < 4; row++)
        for (int i = 0; i < 16; i++) curves[16 * row + i] = (unsigned char)(i + row < 16 ? i + row + 1 : 0);
    curves[2] = (unsigned char)two;
    curves[3] = (unsigned char)three;
}

static const od_curves NUMBERED = {{{1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}, {4, 8, 12, 16}}};

static void curves_are_read_where_the_switch_of_physics_is_not(void **state)
{
    (void)state;
    static const int switches[][3] = {{0, 0, 0}, {99, 15, 1}, {3, 4, 0}};
    for (int i = 0; i < 3; i++) {
        unsigned char curves[64];
        reading r;
        make_numbered(curves, switches[i][0], switches[i][1]);
        const od_track *track = read_curves(&r, curves);
        assert_memory_equal(track->curves, &NUMBERED, sizeof NUMBERED);
        assert_int_equal(track->still != NULL, switches[i][2]);
        done(&r);
    }
    unsigned char curves[64]; /* the curves' own 99 and 15 switch nothing */
    reading r;
    make_numbered(curves, 99, 15);
    curves[32] = 99;
    curves[48] = 15;
    assert_null(read_curves(&r, curves)->still);
    done(&r);
}

static void one_row_of_curves_is_enough(void **state)
{
    (void)state;
    unsigned char curves[64];
    reading r;
    make_numbered(curves, 3, 4);
    memset(curves + 16, 0, 48);
    assert_memory_equal(read_curves(&r, curves)->curves, &NUMBERED, sizeof NUMBERED);
    done(&r);
}

static void curves_of_zeros_are_straight_and_large_bytes_are_cut(void **state)
{
    (void)state;
    unsigned char curves[64] = {0};
    reading r;
    assert_null(read_curves(&r, curves)->curves);
    done(&r);
    assert_null(read_curves(&r, LINEAR)->curves);
    done(&r);
    memset(curves, 255, sizeof curves);
    const od_track *track = read_curves(&r, curves);
    for (int i = 0; i < 16; i++) assert_int_equal(track->curves->c[i / 4][i % 4], 127);
    done(&r);
}

static void names_end_at_a_nul_or_a_whole_character(void **state)
{
    (void)state;
    static bytes b;
    const versors q = od_quat_identity();
    put_head(&b);
    put_u32(&b, 5);
    /* あいうえおかき and the first byte of a character */
    put_key(&b, "\x82\xA0\x82\xA2\x82\xA4\x82\xA6\x82\xA8\x82\xA9\x82\xAB\x82", 0, 0, q);
    put_key(&b, "\x82\xA0\x82\xA2\x82\xA4\x82\xA6\x82\xA8\x82\xA9\x82\xAB", 1, 0, q);
    put_key(&b, "A", 0, 0, q);
    memcpy(b.data + b.size - 111 + 2, "one", 3); /* behind the end: of no account */
    put_key(&b, "A", 1, 0, q);
    put_key(&b, "", 0, 0, q); /* a name that MMD could not write */
    reading r = read_bytes(b.data, b.size);
    assert_ok(r.ok, r.error);
    assert_int_equal(r.keys.track_count, 3);
    assert_string_equal(r.keys.tracks[0].name, "あいうえおかき");
    assert_int_equal(r.keys.tracks[0].count, 2);
    assert_string_equal(r.keys.tracks[1].name, "A");
    assert_int_equal(r.keys.tracks[1].count, 2);
    assert_string_equal(r.keys.tracks[2].name, "");
    done(&r);
}

static void keys_that_are_no_numbers_are_left_out_and_told(void **state)
{
    (void)state;
    static bytes b;
    const versors q = od_quat_identity();
    const float bad[] = {NAN, INFINITY, -INFINITY, 1e30F};
    for (int i = 0; i < 4; i++) {
        put_head(&b);
        put_u32(&b, 3);
        put_key(&b, "A", 0, 1, q);
        put_key(&b, "A", 1, bad[i], q);
        put_key(&b, "B", 2, 0, od_quat(0, bad[i], 0, 1));
        put_u32(&b, 1);
        put_morph(&b, "m", 0, bad[i]);
        put_u32(&b, 1);
        put_camera(&b, 0, bad[i]);
        put_u32(&b, 1);
        put_light(&b, 0, bad[i]);
        put_u32(&b, 1);
        put_shadow(&b, 0, 0, bad[i]);
        reading r = read_bytes(b.data, b.size);
        assert_ok(r.ok, r.error);
        assert_int_equal(r.keys.track_count, 1);
        assert_int_equal(r.keys.tracks[0].count, 1);
        assert_int_equal(r.keys.morph_count + r.keys.camera_count + r.keys.light_count + r.keys.shadow_count, 0);
        assert_true(warned(&r, "2 bone keys") && warned(&r, "1 morph keys") && warned(&r, "1 camera keys"));
        assert_true(warned(&r, "1 light keys") && warned(&r, "1 self shadow keys"));
        done(&r);
    }
}

static void counts_beyond_the_file_are_refused(void **state)
{
    (void)state;
    bytes b;
    size_t ends[6];
    make_all(&b, ends);
    size_t counts[6] = {50};
    for (int i = 1; i < 6; i++) counts[i] = ends[i - 1];
    static const char *const what[] = {"bone", "morph", "camera", "light", "self shadow", "IK"};
    for (int i = 0; i < 6; i++) {
        unsigned char was[4];
        memcpy(was, b.data + counts[i], 4);
        memset(b.data + counts[i], 0xFF, 4);
        reading r = read_bytes(b.data, b.size);
        assert_fails(r.ok, r.error, what[i]);
        assert_fails(r.ok, r.error, "4294967295");
        assert_true(od_arena_used(r.arena) < 100000);
        done(&r);
        memcpy(b.data + counts[i], was, 4);
    }
    memset(b.data + counts[5] + 4 + 5, 0xFF, 4); /* switches of a key */
    reading r = read_bytes(b.data, b.size);
    assert_fails(r.ok, r.error, "IK switches");
    done(&r);
}

/* Whatever was read: tracks with names, ascending frames, finite numbers. */
static void check_sound(const od_keys *keys)
{
    assert_non_null(keys->model);
    for (int i = 0; i < keys->track_count; i++) {
        const od_track *t = &keys->tracks[i];
        assert_true(t->name && t->count > 0);
        for (int k = 0; k < t->count; k++) {
            assert_true(!t->frame || !k || t->frame[k] > t->frame[k - 1]);
            assert_true(!t->position || od_vec3_finite(t->position[k]));
            if (t->rotation) assert_near(od_quat_dot(t->rotation[k], t->rotation[k]), 1, 1e-5);
            if (t->rotation && k) assert_true(od_quat_dot(t->rotation[k], t->rotation[k - 1]) >= 0);
            for (int c = 0; t->curves && c < 16; c++) assert_true(t->curves[k].c[c / 4][c % 4] <= 127);
        }
    }
    for (int i = 0; i < keys->morph_count; i++) {
        const od_morph_track *t = &keys->morphs[i];
        assert_true(t->name && t->count > 0);
        for (int k = 0; k < t->count; k++) assert_true(isfinite(t->weight[k]));
    }
    for (int i = 0; i < keys->camera_count; i++) {
        const od_camera_key *k = &keys->cameras[i];
        assert_true(isfinite(k->distance) && od_vec3_finite(k->position) && od_vec3_finite(k->rotation));
        assert_true(!i || k->frame > k[-1].frame);
    }
    for (int i = 0; i < keys->ik_count; i++) {
        assert_true(!i || keys->ik[i].frame > keys->ik[i - 1].frame);
        for (int k = 0; k < keys->ik[i].count; k++) assert_non_null(keys->ik[i].switches[k].name);
    }
}

static void a_file_cut_anywhere_is_read_or_refused(void **state)
{
    (void)state;
    bytes b;
    size_t ends[6];
    make_all(&b, ends);
    for (size_t size = 0; size < b.size; size++) {
        unsigned char *copy = malloc(size + 1); /* so that a sanitizer sees a step too far */
        assert_non_null(copy);
        memcpy(copy, b.data, size);
        reading r = read_bytes(copy, size);
        bool whole = size >= 50 && size < 54; /* no count, or not all of it */
        for (int i = 0; i < 6; i++) whole = whole || (size >= ends[i] && size < ends[i] + 4);
        assert_int_equal(r.ok, whole);
        if (r.ok) check_sound(&r.keys);
        else assert_true(r.error.failed && strlen(r.error.message) > 10);
        done(&r);
        free(copy);
    }
}

static void any_flipped_byte_gives_sound_keys_or_a_failure(void **state)
{
    (void)state;
    bytes b;
    size_t ends[6];
    make_all(&b, ends);
    static const unsigned char masks[] = {0x01, 0x7F, 0x80, 0xFF};
    for (size_t i = 0; i < b.size; i++)
        for (int m = 0; m < 4; m++) {
            b.data[i] ^= masks[m];
            reading r = read_bytes(b.data, b.size);
            if (r.ok) check_sound(&r.keys);
            else assert_true(r.error.failed && r.error.message[0]);
            done(&r);
            b.data[i] ^= masks[m];
        }
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    bytes b;
    size_t ends[6];
    make_all(&b, ends);
    od_file file = {.name = "dance.vmd", .data = b.data, .size = b.size};
    for (size_t n = 1;; n++) {
        od_error error = {0};
        od_keys keys;
        od_arena *arena = od_arena_new(0);
        od_arena_fail_at(arena, n);
        bool good = od_read_keys(&file, NULL, &keys, NULL, arena, &error);
        od_arena_free(arena);
        assert_true(good || error.failed);
        if (good) break;
        assert_true(n < 200);
    }
}

/* What is read of `file`, written. */
static memory write_again(const reading *r)
{
    memory out = {0};
    od_error error = {0};
    od_sink sink = sink_into(&out);
    assert_ok(od_vmd_write(&r->keys, &sink, NULL, &error), error);
    return out;
}

enum { KEYS = 40 };

/* Keys of every kind. */
typedef struct motion {
    unsigned frames[KEYS];
    vec3s positions[KEYS];
    versors rotations[KEYS];
    od_curves curves[KEYS];
    bool still[KEYS];
    float weights[KEYS];
    od_track tracks[4];
    od_morph_track morphs[2];
    od_camera_key cameras[2];
    od_light_key light;
    od_shadow_key shadow;
    od_ik_switch switches[2];
    od_ik_key ik[2];
} motion;

static void fill(motion *m)
{
    uint32_t seed = 7;
    for (int i = 0; i < KEYS; i++) {
        m->frames[i] = (unsigned)(i * i);
        m->positions[i] = od_vec3((float)check_random(&seed), -0.0F, 1e-20F);
        vec3s axis = od_vec3((float)check_random(&seed), 1, (float)check_random(&seed));
        m->rotations[i] = od_quat_axis_angle(axis, 0.1F * (float)i);
        for (int c = 0; c < 16; c++) m->curves[i].c[c / 4][c % 4] = (unsigned char)(1 + (i + 7 * c) % 127);
        m->still[i] = i % 3 == 0;
        m->weights[i] = (float)check_random(&seed);
    }
    for (int i = 0; i < 24; i++) m->cameras[1].curves[i] = (unsigned char)i;
}

static od_keys make_keys(motion *m)
{
    fill(m);
    od_track tracks[] = {
        {.name = "センター", .count = KEYS, .frame = m->frames, .position = m->positions},
        {.name = "左腕", .count = KEYS, .rotation = m->rotations, .curves = m->curves, .still = m->still},
        {.name = "右腕", .count = KEYS, .frame = m->frames, .rotation = m->rotations, .position = m->positions},
        {.name = "頭", .count = 1}};
    memcpy(m->tracks, tracks, sizeof tracks);
    m->morphs[0] = (od_morph_track){.name = "あ", .count = KEYS, .frame = m->frames, .weight = m->weights};
    m->morphs[1] = (od_morph_track){.name = "い", .count = 2, .weight = m->weights};
    m->cameras[0] = (od_camera_key){.distance = -45, .position = {{0, 10, 0}}, .angle = 30, .perspective = true};
    m->cameras[1].frame = 9;
    m->cameras[1].rotation = od_vec3(0.1F, 3.2F, 0);
    m->light = (od_light_key){3, {{0.6F, 0.6F, 0.6F}}, {{-0.5F, -1, 0.5F}}};
    m->shadow = (od_shadow_key){5, 1, 0.01F};
    m->switches[0] = (od_ik_switch){"左足ＩＫ", true};
    m->switches[1] = (od_ik_switch){"右足ＩＫ", false};
    m->ik[0] = (od_ik_key){0, true, m->switches, 2};
    m->ik[1] = (od_ik_key){7, false, m->switches, 1};
    od_keys keys = {.tracks = m->tracks, .track_count = 4, .morphs = m->morphs, .morph_count = 2};
    keys.cameras = m->cameras;
    keys.lights = &m->light;
    keys.shadows = &m->shadow;
    keys.ik = m->ik;
    keys.camera_count = keys.ik_count = 2;
    keys.light_count = keys.shadow_count = 1;
    return keys;
}

static void what_was_written_comes_back_byte_for_byte(void **state)
{
    (void)state;
    static const char *const models[] = {"初音ミク", "カメラ・照明"};
    for (int i = 0; i < 2; i++) {
        motion m = {0};
        od_keys keys = make_keys(&m);
        keys.model = models[i];
        memory first = {0};
        od_error error = {0};
        od_sink sink = sink_into(&first);
        assert_ok(od_vmd_write(&keys, &sink, NULL, &error), error);
        assert_int_equal(first.size, 50 + 24 + 111 * (3 * KEYS + 1) + 23 * (KEYS + 2) + 61 * 2 + 28 + 9 + 18 + 21 * 3);
        reading r = read_bytes(first.data, first.size);
        assert_ok(r.ok, r.error);
        assert_int_equal(r.report.warnings, 0);
        assert_string_equal(r.keys.model, models[i]);
        memory second = write_again(&r);
        assert_int_equal(first.size, second.size);
        assert_memory_equal(first.data, second.data, first.size);
        done(&r);
        free(first.data);
        free(second.data);
    }
}

static void keys_of_stage_that_cannot_be_are_not_written(void **state)
{
    (void)state;
    od_camera_key cameras[2] = {{.frame = 4}, {.frame = 4}};
    od_light_key light = {.color = {{0, NAN, 0}}};
    od_shadow_key shadow[2] = {{.frame = 4}, {.frame = 3}};
    const struct {
        od_keys keys;
        const char *part;
    } cases[] = {{{.cameras = cameras, .camera_count = 2}, "camera key 1 is at frame 4"},
                 {{.lights = &light, .light_count = 1}, "light key 0 is not a number"},
                 {{.shadows = shadow, .shadow_count = 2}, "self shadow key 1 is at frame 3"}};
    for (int i = 0; i < 3; i++) {
        memory out = {0};
        od_error error = {0};
        od_sink sink = sink_into(&out);
        assert_fails(od_vmd_write(&cases[i].keys, &sink, NULL, &error), error, cases[i].part);
        free(out.data);
    }
}

static int real_count;

/* Reads a real file, checks it, and that a second reading of what is written of it is the first. */
static int check_real(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info, (void)place;
    size_t size = strlen(path);
    if (type != FTW_F || size < 4 || strcmp(path + size - 4, ".vmd") != 0) return 0;
    od_arena *arena = od_arena_new(0);
    od_file file = file_read(path, arena);
    reading one = read_bytes(file.data, file.size);
    if (!one.ok && strstr(one.error.message, "expected \"Vocaloid")) { /* one calls itself something else */
        done(&one);
        od_arena_free(arena);
        return 0;
    }
    assert_ok(one.ok, one.error);
    check_sound(&one.keys);
    memory first = write_again(&one);
    reading two = read_bytes(first.data, first.size);
    assert_ok(two.ok, two.error);
    memory second = write_again(&two);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    free(first.data);
    free(second.data);
    done(&one);
    done(&two);
    od_arena_free(arena);
    real_count++;
    return 0;
}

static void real_motions_are_read(void **state)
{
    (void)state;
    const char *folder = test_data();
    real_count = 0;
    assert_int_equal(nftw(folder, check_real, 16, FTW_PHYS), 0);
    assert_true(real_count > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_section_is_read),
        cmocka_unit_test(sections_that_are_not_there_are_empty),
        cmocka_unit_test(the_first_version_has_a_shorter_name),
        cmocka_unit_test(other_versions_are_refused),
        cmocka_unit_test(bytes_behind_the_last_section_are_told),
        cmocka_unit_test(keys_are_sorted_and_of_two_on_a_frame_the_last_counts),
        cmocka_unit_test(rotations_become_unit_and_continuous),
        cmocka_unit_test(curves_are_read_where_the_switch_of_physics_is_not),
        cmocka_unit_test(one_row_of_curves_is_enough),
        cmocka_unit_test(curves_of_zeros_are_straight_and_large_bytes_are_cut),
        cmocka_unit_test(names_end_at_a_nul_or_a_whole_character),
        cmocka_unit_test(keys_that_are_no_numbers_are_left_out_and_told),
        cmocka_unit_test(counts_beyond_the_file_are_refused),
        cmocka_unit_test(a_file_cut_anywhere_is_read_or_refused),
        cmocka_unit_test(any_flipped_byte_gives_sound_keys_or_a_failure),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(what_was_written_comes_back_byte_for_byte),
        cmocka_unit_test(keys_of_stage_that_cannot_be_are_not_written),
        cmocka_unit_test(real_motions_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
