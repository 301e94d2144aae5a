/* VMD: bytes against published layouts, names, limits, and a strict parser that shares nothing with
 * the writer. */
#include "sink.h"

typedef struct writing {
    memory out;
    od_arena *arena;
    od_report report;
    od_error error;
    bool ok;
} writing;

static writing write_keys(const od_keys *keys)
{
    writing w = {.arena = od_arena_new(0)};
    w.report.arena = w.arena;
    od_sink sink = sink_into(&w.out);
    w.ok = od_vmd_write(keys, &sink, &w.report, &w.error);
    return w;
}

static void done(writing *w)
{
    free(w->out.data);
    od_arena_free(w->arena);
}

static unsigned u32_at(const writing *w, size_t at)
{
    assert_true(at + 4 <= w->out.size);
    const unsigned char *p = w->out.data + at;
    return p[0] | (unsigned)p[1] << 8 | (unsigned)p[2] << 16 | (unsigned)p[3] << 24;
}

static float f32_at(const writing *w, size_t at)
{
    unsigned bits = u32_at(w, at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool warned(const writing *w, const char *part)
{
    for (const od_note *note = w->report.first; note; note = note->next)
        if (strstr(note->text, part)) return true;
    return false;
}

/* One track with one key at rest. */
static od_keys one_track(od_track *track, const char *name)
{
    *track = (od_track){.name = name, .count = 1};
    return (od_keys){.model = "初音ミク", .tracks = track, .track_count = 1};
}

static void an_empty_motion_is_a_header_and_six_counts(void **state)
{
    (void)state;
    writing w = write_keys(&(od_keys){.model = ""});
    assert_true(w.ok);
    assert_int_equal(w.out.size, 74);
    assert_memory_equal(w.out.data, "Vocaloid Motion Data 0002\0\0\0\0\0", 30);
    for (size_t i = 30; i < 74; i++) assert_int_equal(w.out.data[i], 0);
    done(&w);
}

static void the_size_follows_from_the_keys(void **state)
{
    (void)state;
    od_ik_switch switches[] = {{"左足ＩＫ", true}, {"右足ＩＫ", false}, {"左つま先ＩＫ", true}};
    od_ik_key ik = {.frame = 0, .show = true, .switches = switches, .count = 3};
    od_track tracks[] = {{.name = "センター", .count = 5}, {.name = "左腕", .count = 2}};
    od_keys keys = {.model = "m", .tracks = tracks, .track_count = 2, .ik = &ik, .ik_count = 1};
    writing w = write_keys(&keys);
    assert_true(w.ok);
    assert_int_equal(w.out.size, 74 + 111 * 7 + 9 + 21 * 3);
    size_t at = w.out.size - (9 + 21 * 3);
    assert_int_equal(u32_at(&w, at - 4), 1);
    assert_int_equal(w.out.data[at + 4], 1);
    assert_int_equal(u32_at(&w, at + 5), 3);
    const unsigned char leg_ik[] = {0x8D, 0xB6, 0x91, 0xAB, 0x82, 0x68, 0x82, 0x6A, 0};
    assert_memory_equal(w.out.data + at + 9, leg_ik, sizeof leg_ik);
    assert_int_equal(w.out.data[at + 9 + 20], 1);
    assert_int_equal(w.out.data[at + 9 + 21 + 20], 0);
    done(&w);
}

static void curves_are_laid_out_in_four_rows(void **state)
{
    (void)state;
    static const unsigned char numbered[64] = {
        0x01, 0x02, 0x00, 0x00, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10,
        0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x00,
        0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x00, 0x00,
        0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x00, 0x00, 0x00};
    static const unsigned char linear[64] = {
        0x14, 0x14, 0x00, 0x00, 0x14, 0x14, 0x14, 0x14, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B,
        0x14, 0x14, 0x14, 0x14, 0x14, 0x14, 0x14, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x00,
        0x14, 0x14, 0x14, 0x14, 0x14, 0x14, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x00, 0x00,
        0x14, 0x14, 0x14, 0x14, 0x14, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x6B, 0x00, 0x00, 0x00};
    od_curves curves = {{{1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}, {4, 8, 12, 16}}};
    od_track track;
    od_keys keys = one_track(&track, "左腕");
    track.curves = &curves;
    writing w = write_keys(&keys);
    assert_memory_equal(w.out.data + 54 + 47, numbered, 64);
    done(&w);
    track.curves = NULL;
    w = write_keys(&keys);
    assert_memory_equal(w.out.data + 54 + 47, linear, 64);
    done(&w);
}

static void names_are_those_of_cp932(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned char bytes[15];
    } names[] = {
        {"全ての親", {0x91, 0x53, 0x82, 0xC4, 0x82, 0xCC, 0x90, 0x65}},
        {"センター", {0x83, 0x5A, 0x83, 0x93, 0x83, 0x5E, 0x81, 0x5B}},
        {"グルーブ", {0x83, 0x4F, 0x83, 0x8B, 0x81, 0x5B, 0x83, 0x75}},
        {"左腕捩", {0x8D, 0xB6, 0x98, 0x72, 0x9D, 0x80}},
        {"左つま先ＩＫ", {0x8D, 0xB6, 0x82, 0xC2, 0x82, 0xDC, 0x90, 0xE6, 0x82, 0x68, 0x82, 0x6A}},
        {"左足IK親", {0x8D, 0xB6, 0x91, 0xAB, 0x49, 0x4B, 0x90, 0x65}},
        {"左親指０", {0x8D, 0xB6, 0x90, 0x65, 0x8E, 0x77, 0x82, 0x4F}},
        {"腰キャンセル左", {0x8D, 0x98, 0x83, 0x4C, 0x83, 0x83, 0x83, 0x93, 0x83, 0x5A, 0x83, 0x8B, 0x8D, 0xB6}},
        /* 16 bytes: cut at a character, not through it */
        {"あいうえおかきく", {0x82, 0xA0, 0x82, 0xA2, 0x82, 0xA4, 0x82, 0xA6, 0x82, 0xA8, 0x82, 0xA9, 0x82, 0xAB}}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        od_track track;
        od_keys keys = one_track(&track, names[i].name);
        writing w = write_keys(&keys);
        assert_memory_equal(w.out.data + 54, names[i].bytes, 15);
        assert_true(warned(&w, "longer") == (strlen(names[i].name) == 24 && i == 8));
        done(&w);
    }
}

static void a_name_that_cp932_lacks_is_left_out_with_a_warning(void **state)
{
    (void)state;
    od_track tracks[] = {{.name = "bone \xF0\x9F\x92\x83", .count = 3}, {.name = "頭", .count = 2}};
    writing w = write_keys(&(od_keys){.model = "m", .tracks = tracks, .track_count = 2});
    assert_true(w.ok);
    assert_int_equal(u32_at(&w, 50), 2);
    assert_true(warned(&w, "character set"));
    done(&w);
}

static void names_that_are_one_in_15_bytes_are_told_and_the_first_wins(void **state)
{
    (void)state;
    od_track tracks[] = {{.name = "スカートのすそ左前", .count = 3}, {.name = "スカートのすそ左後", .count = 2}};
    writing w = write_keys(&(od_keys){.model = "m", .tracks = tracks, .track_count = 2});
    assert_true(w.ok);
    assert_int_equal(u32_at(&w, 50), 3);
    assert_true(warned(&w, "左後"));
    done(&w);
}

static void what_is_kept_is_what_is_written(void **state)
{
    (void)state;
    od_track tracks[] = {{.name = "🎵", .count = 7},
                         {.name = "左腕", .count = 3},
                         {.name = "とてもながいなまえ１", .count = 2},
                         {.name = "とてもながいなまえ２", .count = 5}};
    float weight[] = {0, 1};
    od_morph_track morphs[] = {{.name = "🙂", .count = 1, .weight = weight},
                               {.name = "あ", .count = 2, .weight = weight}};
    od_keys keys = {.model = "m", .tracks = tracks, .track_count = 4, .morphs = morphs, .morph_count = 2}, kept;
    writing all = write_keys(&keys);
    assert_ok(od_vmd_keep(&keys, &kept, &all.report, all.arena, &all.error), all.error);
    assert_int_equal(kept.track_count, 2);
    assert_int_equal(kept.morph_count, 1);
    assert_int_equal(od_keys_count(&kept), u32_at(&all, 50));
    writing same = write_keys(&kept);
    assert_int_equal(all.out.size, same.out.size);
    assert_memory_equal(all.out.data, same.out.data, all.out.size);
    assert_int_equal(same.report.warnings, 1); /* of the name that is cut */
    done(&all);
    done(&same);
}

static void the_models_name_is_cut_at_a_character(void **state)
{
    (void)state;
    od_keys keys = {.model = "あいうえおかきくけAこ"}; /* こ would begin at byte 19 of 20 */
    writing w = write_keys(&keys);
    assert_int_equal(w.out.data[30 + 18], 'A');
    assert_int_equal(w.out.data[30 + 19], 0);
    done(&w);
}

/* Reads a VMD as its description has it: every count, every record, the exact end. */
static void keys_read_back_are_the_keys_written(void **state)
{
    (void)state;
    enum { KEYS = 7 };
    unsigned frames[KEYS] = {0, 3, 4, 10, 11, 100, 4000};
    vec3s positions[KEYS];
    versors rotations[KEYS];
    float weights[3] = {0, 0.5f, 1};
    for (int i = 0; i < KEYS; i++) {
        positions[i] = od_vec3((float)i, -0.5f * (float)i, 1e-3f);
        rotations[i] = od_quat_axis_angle(od_vec3(1, 2, 3), 0.3f * (float)i);
    }
    od_track tracks[] = {{.name = "右腕", .count = KEYS, .frame = frames, .rotation = rotations},
                         {.name = "左腕", .count = KEYS, .position = positions}};
    od_morph_track morph = {.name = "あ", .count = 3, .weight = weights};
    writing w = write_keys(&(od_keys){.tracks = tracks, .track_count = 2, .morphs = &morph, .morph_count = 1});
    assert_true(w.ok);
    size_t at = 50;
    assert_int_equal(u32_at(&w, at), 2 * KEYS);
    at += 4;
    for (int k = 0; k < 2 * KEYS; k++, at += 111) {
        int i = k % KEYS;
        assert_int_equal(w.out.data[at + 1], k < KEYS ? 0x45 : 0xB6); /* 右, then 左: in the order given */
        assert_int_equal(u32_at(&w, at + 15), k < KEYS ? frames[i] : (unsigned)i);
        for (size_t c = 0; c < 3; c++) assert_near(f32_at(&w, at + 19 + 4 * c), k < KEYS ? 0 : positions[i].raw[c], 0);
        for (size_t c = 0; c < 4; c++)
            assert_near(f32_at(&w, at + 31 + 4 * c), k < KEYS ? rotations[i].raw[c] : c == 3, 0);
    }
    assert_int_equal(u32_at(&w, at), 3);
    at += 4;
    for (int i = 0; i < 3; i++, at += 23) {
        assert_int_equal(u32_at(&w, at + 15), i);
        assert_near(f32_at(&w, at + 19), weights[i], 0);
    }
    for (int i = 0; i < 4; i++, at += 4) assert_int_equal(u32_at(&w, at), 0);
    assert_int_equal(at, w.out.size);
    done(&w);
}

static void a_key_that_is_no_number_is_refused(void **state)
{
    (void)state;
    vec3s position = od_vec3(0, NAN, 0);
    od_track track;
    od_keys keys = one_track(&track, "左腕");
    track.position = &position;
    writing w = write_keys(&keys);
    assert_fails(w.ok, w.error, "左腕");
    done(&w);
}

static void frames_that_do_not_ascend_are_refused(void **state)
{
    (void)state;
    const unsigned twice[] = {0, 5, 5}, back[] = {0, 5, 4};
    const float weights[3] = {0};
    const unsigned *frames[] = {twice, back};
    for (int i = 0; i < 2; i++) {
        od_track track;
        od_keys keys = one_track(&track, "左腕");
        track.count = 3;
        track.frame = frames[i];
        writing w = write_keys(&keys);
        assert_fails(w.ok, w.error, "key 2 of \"左腕\"");
        done(&w);
        od_morph_track morph = {.name = "あ", .count = 3, .frame = frames[i], .weight = weights};
        w = write_keys(&(od_keys){.morphs = &morph, .morph_count = 1});
        assert_fails(w.ok, w.error, "key 2 of \"あ\"");
        done(&w);
    }
}

static void morphs_of_one_cut_name_are_told_and_the_first_wins(void **state)
{
    (void)state;
    const float weights[3] = {0};
    od_morph_track morphs[] = {{.name = "あいうえおかきくけ", .count = 3, .weight = weights},
                               {.name = "あ", .count = 1, .weight = weights},
                               {.name = "あいうえおかきくこ", .count = 2, .weight = weights}};
    od_track track;
    od_keys keys = one_track(&track, "あ"); /* a bone may be named like a morph */
    keys.morphs = morphs;
    keys.morph_count = 3;
    writing w = write_keys(&keys);
    assert_true(w.ok);
    assert_int_equal(u32_at(&w, 50 + 4 + 111), 4);
    assert_true(warned(&w, "morphs \"あいうえおかきくけ\" and \"あいうえおかきくこ\""));
    done(&w);
}

static void a_switch_whose_name_cp932_lacks_is_left_out_of_its_key(void **state)
{
    (void)state;
    od_ik_switch switches[] = {{"IK \xF0\x9F\x92\x83", true}, {"右足ＩＫ", true}};
    od_ik_key ik = {.show = true, .switches = switches, .count = 2};
    writing w = write_keys(&(od_keys){.ik = &ik, .ik_count = 1});
    assert_true(w.ok);
    assert_int_equal(w.out.size, 74 + 9 + 21);
    assert_int_equal(u32_at(&w, 74 + 5), 1);
    assert_int_equal(w.out.data[74 + 9], 0x89); /* 右 */
    assert_true(warned(&w, "IK switch"));
    done(&w);
}

static void the_same_keys_give_the_same_bytes(void **state)
{
    (void)state;
    od_track tracks[] = {{.name = "センター", .count = 3000}, {.name = "左腕", .count = 1}};
    od_keys keys = {.model = "m", .tracks = tracks, .track_count = 2};
    writing a = write_keys(&keys), b = write_keys(&keys);
    assert_int_equal(a.out.size, b.out.size);
    assert_memory_equal(a.out.data, b.out.data, a.out.size);
    done(&a);
    done(&b);
}

static void too_many_keys_are_told(void **state)
{
    (void)state;
    static const struct {
        int count;
        const char *part;
    } cases[] = {{20000, NULL}, {20001, "20000"}, {600001, "600000"}};
    for (size_t i = 0; i < 3; i++) {
        od_track track;
        od_keys keys = one_track(&track, "左腕");
        track.count = cases[i].count;
        writing w = write_keys(&keys);
        assert_true(w.ok);
        assert_int_equal(w.out.size, 74 + 111 * (size_t)cases[i].count);
        assert_int_equal(w.report.warnings, cases[i].part != NULL);
        if (cases[i].part) assert_true(warned(&w, cases[i].part));
        done(&w);
    }
}

static void a_sink_that_fails_ends_the_writing(void **state)
{
    (void)state;
    od_track track;
    od_keys keys = one_track(&track, "左腕");
    track.count = 5000;
    od_error error = {0};
    memory out = {.fail_behind = 100000};
    od_sink sink = sink_into(&out);
    assert_fails(od_vmd_write(&keys, &sink, NULL, &error), error, "the disk is full");
    assert_true(out.size <= 100000);
    free(out.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_motion_is_a_header_and_six_counts),
        cmocka_unit_test(the_size_follows_from_the_keys),
        cmocka_unit_test(curves_are_laid_out_in_four_rows),
        cmocka_unit_test(names_are_those_of_cp932),
        cmocka_unit_test(a_name_that_cp932_lacks_is_left_out_with_a_warning),
        cmocka_unit_test(names_that_are_one_in_15_bytes_are_told_and_the_first_wins),
        cmocka_unit_test(what_is_kept_is_what_is_written),
        cmocka_unit_test(the_models_name_is_cut_at_a_character),
        cmocka_unit_test(keys_read_back_are_the_keys_written),
        cmocka_unit_test(a_key_that_is_no_number_is_refused),
        cmocka_unit_test(frames_that_do_not_ascend_are_refused),
        cmocka_unit_test(morphs_of_one_cut_name_are_told_and_the_first_wins),
        cmocka_unit_test(a_switch_whose_name_cp932_lacks_is_left_out_of_its_key),
        cmocka_unit_test(the_same_keys_give_the_same_bytes),
        cmocka_unit_test(too_many_keys_are_told),
        cmocka_unit_test(a_sink_that_fails_ends_the_writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
