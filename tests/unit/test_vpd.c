/* Reading VPD: what the format's description says, what other programs make of it, damaged texts, a real one. */
#include "check.h"

#include "file.h"

typedef struct reading {
    od_arena *arena;
    od_report report;
    od_error error;
    od_keys keys;
    bool ok;
} reading;

static reading read_bytes(const char *text, size_t size)
{
    reading r = {.arena = od_arena_new((size_t)64 << 20)};
    r.report.arena = r.arena;
    od_file file = {.name = "pose.vpd", .data = (const unsigned char *)text, .size = size};
    r.ok = od_read_keys(&file, NULL, &r.keys, &r.report, r.arena, &r.error);
    return r;
}

static reading read_text(const char *text)
{
    return read_bytes(text, strlen(text));
}

static void done(reading *r)
{
    od_arena_free(r->arena);
}

#define HEAD "Vocaloid Pose Data file\r\n\r\nmodel.osm;\t// name\r\n2;\t\t// bones\r\n\r\n"
#define BONE_0 "Bone0{\x8D\xB6\x98\x72\r\n  1.5,-2,3e-1;\t// trans\r\n  0,0,0.6,0.8;\r\n}\r\n\r\n" /* 左腕 */
#define BONE_1 "Bone1{b {x}\r\n  0,0,0;\r\n  0,0,0,0;\r\n}\r\n"

static void bones_are_keys_at_frame_0(void **state)
{
    (void)state;
    reading r = read_text(HEAD BONE_0 BONE_1);
    assert_ok(r.ok, r.error);
    assert_int_equal(r.report.warnings, 0);
    assert_string_equal(r.keys.model, "model");
    assert_int_equal(r.keys.track_count, 2);
    const od_track *t = r.keys.tracks;
    assert_string_equal(t[0].name, "左腕");
    assert_int_equal(t[0].count, 1);
    assert_null(t[0].frame);
    assert_near(t[0].position->x, 1.5, 0);
    assert_near(t[0].position->y, -2, 0);
    assert_near(t[0].position->z, 0.3F, 0);
    assert_near(t[0].rotation->z, 0.6F, 1e-7);
    assert_near(t[0].rotation->w, 0.8F, 1e-7);
    assert_string_equal(t[1].name, "b {x}");
    assert_near(t[1].rotation->w, 1, 0); /* zeros are no rotation */
    done(&r);
}

static void a_second_byte_that_looks_like_a_brace_is_part_of_its_character(void **state)
{
    (void)state;
    reading r = read_text(HEAD "Bone0{\x83\x7B\x83\x7D\x83\x5C\n0,0,0;\n0,0,0,1;\n}\n" BONE_0); /* ボマソ */
    assert_ok(r.ok, r.error);
    assert_string_equal(r.keys.tracks[0].name, "ボマソ");
    done(&r);
}

static void morphs_of_mikumikumoving_are_read(void **state)
{
    (void)state;
    reading r = read_text(HEAD BONE_0 BONE_1 "Morph0{\x82\xA0\r\n  0.25;\r\n}\r\nMorph1{x\n 1; // full\n}");
    assert_ok(r.ok, r.error);
    assert_int_equal(r.keys.morph_count, 2);
    assert_string_equal(r.keys.morphs[0].name, "あ");
    assert_near(r.keys.morphs[0].weight[0], 0.25, 0);
    assert_near(r.keys.morphs[1].weight[0], 1, 0);
    done(&r);
}

static void comments_blanks_and_line_ends_do_not_matter(void **state)
{
    (void)state;
    reading one = read_text(HEAD BONE_0 BONE_1);
    reading two =
        read_text("Vocaloid Pose Data file\rmodel.osm;anything\r// a line\r 2 ; x\r\rBone 0{ \x8D\xB6\x98\x72 "
                  "// arm\r1.5 , -2.0 ,0.30; trans\r\r\t0,0,.6,.8;\r} // end\rBone1{b {x}\r0,0,0;\r0,0,0,0;\r}");
    assert_ok(one.ok && two.ok, two.error);
    assert_int_equal(two.keys.track_count, 2);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(one.keys.tracks[i].name, two.keys.tracks[i].name);
        assert_memory_equal(one.keys.tracks[i].position->raw, two.keys.tracks[i].position->raw, sizeof(vec3s));
        assert_memory_equal(one.keys.tracks[i].rotation->raw, two.keys.tracks[i].rotation->raw, sizeof(versors));
    }
    done(&one);
    done(&two);
}

static void a_text_in_utf8_is_read_too(void **state)
{
    (void)state;
    reading r = read_text("\xEF\xBB\xBFVocaloid Pose Data file\n初音.osm;\n1;\nBone0{左腕\n0,0,0;\n0,0,0,1;\n}\n");
    assert_ok(r.ok, r.error);
    assert_string_equal(r.keys.model, "初音");
    assert_string_equal(r.keys.tracks[0].name, "左腕");
    done(&r);
}

static void another_number_of_bones_than_the_file_says_is_told(void **state)
{
    (void)state;
    reading r = read_text(HEAD BONE_0);
    assert_ok(r.ok, r.error);
    assert_int_equal(r.report.warnings, 1);
    assert_int_equal(r.keys.track_count, 1);
    done(&r);
}

static void of_two_blocks_of_a_name_the_last_counts(void **state)
{
    (void)state;
    reading r =
        read_text(HEAD "Bone0{a\n1,0,0;\n0,0,0,1;\n}\nBone1{b\n2,0,0;\n0,0,0,1;\n}\nBone2{a\n3,0,0;\n0,0,0,1;\n}\n"
                       "Morph0{a\n1;\n}\nMorph1{a\n2;\n}\n");
    assert_ok(r.ok, r.error);
    assert_int_equal(r.keys.track_count, 2);
    assert_string_equal(r.keys.tracks[0].name, "b");
    assert_near(r.keys.tracks[1].position->x, 3, 0);
    assert_int_equal(r.keys.morph_count, 1);
    assert_near(r.keys.morphs[0].weight[0], 2, 0);
    assert_int_equal(r.report.warnings, 3); /* and the number of bones */
    done(&r);
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {{HEAD "Bone0{a\r\n1,2;\r\n", "pose.vpd:7:4: expected \",\", found \";\""},
                 {HEAD "Bone0{a\r\n1,2,nan;\r\n", "pose.vpd:7:5: expected three numbers, found \"nan;\""},
                 {HEAD "Bone0{a\r\n1,2,1e30;\r\n", "pose.vpd:7:5: expected three numbers, found \"1e30;\""},
                 {HEAD "Bone0{a\r\n1,2,3;\r\n1,2,3;\r\n", "pose.vpd:8:6: expected \",\", found \";\""},
                 {HEAD "Bone0{a\r\n1,2,3;\r\n1,2,3,4\r\n", "pose.vpd:8:8: expected \";\", found the end of the line"},
                 {HEAD "Bone0{a\r\n1,2,3;\r\n1,2,3,4;\r\nBone1{", "pose.vpd:9:1: expected \"}\", found \"Bone1{\""},
                 {HEAD "Bone0{a\r\n", "expected three numbers, found the end of the file"},
                 {HEAD "Body{a\r\n", "expected \"Bone0{name\" or \"Morph0{name\", found \"Body{a\""},
                 {HEAD BONE_0 "Morph0{a\r\nx;\r\n", "expected a number, found \"x;\""},
                 {"Vocaloid Pose Data file\nmodel.osm\n", "pose.vpd:2:10: expected \";\""},
                 {"Vocaloid Pose Data file\nmodel.osm;\nmany;", "expected the number of bones, found \"many;\""},
                 {"Vocaloid Pose Data file\n", "expected the model's name, found the end of the file"},
                 {"Vocaloid Pose Data file of another kind;\n", "expected the model's name"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reading r = read_text(cases[i].text);
        assert_fails(r.ok, r.error, cases[i].part);
        done(&r);
    }
}

static void check_sound(const od_keys *keys)
{
    assert_non_null(keys->model);
    for (int i = 0; i < keys->track_count; i++) {
        assert_true(keys->tracks[i].name && keys->tracks[i].count == 1);
        assert_true(od_vec3_finite(*keys->tracks[i].position));
        assert_near(od_quat_dot(*keys->tracks[i].rotation, *keys->tracks[i].rotation), 1, 1e-5);
    }
    for (int i = 0; i < keys->morph_count; i++) assert_true(keys->morphs[i].name && isfinite(*keys->morphs[i].weight));
}

static void a_text_cut_or_flipped_anywhere_is_read_or_refused(void **state)
{
    (void)state;
    char text[] = HEAD BONE_0 BONE_1 "Morph0{\x82\xA0\r\n  0.25;\r\n}\r\n";
    for (size_t size = 23; size < sizeof text; size++) {
        char *copy = malloc(size); /* so that a sanitizer sees a step too far */
        assert_non_null(copy);
        memcpy(copy, text, size);
        reading r = read_bytes(copy, size);
        if (r.ok) check_sound(&r.keys);
        else assert_true(r.error.failed && r.error.message[0]);
        done(&r);
        free(copy);
    }
    static const char masks[] = {0x01, 0x10, 0x7F};
    for (size_t i = 23; i + 1 < sizeof text; i++)
        for (int m = 0; m < 3; m++) {
            text[i] ^= masks[m];
            reading r = read_bytes(text, sizeof text - 1);
            if (r.ok) check_sound(&r.keys);
            else assert_true(r.error.failed && r.error.message[0]);
            done(&r);
            text[i] ^= masks[m];
        }
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    static const char text[] = HEAD BONE_0 BONE_1 "Morph0{a\n1;\n}\n";
    od_file file = {.name = "pose.vpd", .data = (const unsigned char *)text, .size = sizeof text - 1};
    for (size_t n = 1;; n++) {
        od_error error = {0};
        od_keys keys;
        od_arena *arena = od_arena_new(0);
        od_arena_fail_at(arena, n);
        bool good = od_read_keys(&file, NULL, &keys, NULL, arena, &error);
        od_arena_free(arena);
        assert_true(good || error.failed);
        if (good) break;
        assert_true(n < 100);
    }
}

static void a_real_pose_is_read(void **state)
{
    (void)state;
    char name[512];
    snprintf(name, sizeof name, "%s/vpd/MMD-Blender_blender_mmd_tools/test.vpd", test_data());
    od_arena *arena = od_arena_new(0);
    od_file file = file_read(name, arena);
    reading r = read_bytes((const char *)file.data, file.size);
    assert_ok(r.ok, r.error);
    assert_int_equal(r.report.warnings, 0);
    assert_int_equal(r.keys.track_count, 188);
    assert_string_equal(r.keys.tracks[1].name, "全ての親");
    check_sound(&r.keys);
    done(&r);
    od_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bones_are_keys_at_frame_0),
        cmocka_unit_test(a_second_byte_that_looks_like_a_brace_is_part_of_its_character),
        cmocka_unit_test(morphs_of_mikumikumoving_are_read),
        cmocka_unit_test(comments_blanks_and_line_ends_do_not_matter),
        cmocka_unit_test(a_text_in_utf8_is_read_too),
        cmocka_unit_test(another_number_of_bones_than_the_file_says_is_told),
        cmocka_unit_test(of_two_blocks_of_a_name_the_last_counts),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(a_text_cut_or_flipped_anywhere_is_read_or_refused),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(a_real_pose_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
