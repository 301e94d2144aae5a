/* BVH: the dialects of the text, counts of frames, and hostile input. */
#include "bvh_reading.h"

/* ---- the text ------------------------------------------------------------------------------------ */

static void check_same_motion(const char *text)
{
    reading expected = read_text(TREE HEAD ROWS), r = read_text(text);
    assert_ok(r.ok, r.error);
    assert_int_equal(r.scene.skeleton.count, 3);
    assert_int_equal(r.scene.clips[0].frames, 2);
    for (int f = 0; f < 2; f++) {
        od_xform have[3], want[3];
        od_clip_pose(&r.scene.clips[0], f, have);
        od_clip_pose(&expected.scene.clips[0], f, want);
        for (int i = 0; i < 3; i++) {
            assert_memory_equal(&have[i].q, &want[i].q, sizeof have->q);
            assert_memory_equal(&have[i].t, &want[i].t, sizeof have->t);
        }
    }
    done(&r);
    done(&expected);
}

/* `text` with each `from` written as `to`. */
static const char *rewritten(const char *text, char from, const char *to)
{
    static char out[4096];
    size_t n = 0;
    for (; *text; text++) {
        if (*text == from) n += (size_t)snprintf(out + n, sizeof out - n, "%s", to);
        else out[n++] = *text;
    }
    out[n] = '\0';
    return out;
}

static void line_ends_blanks_and_case_do_not_matter(void **state)
{
    (void)state;
    const char *plain = TREE HEAD ROWS;
    check_same_motion(plain);
    check_same_motion(rewritten(plain, '\n', "\r\n"));
    check_same_motion(rewritten(plain, '\n', "\r"));
    check_same_motion(rewritten(plain, '\n', "\n\n \t\n"));
    check_same_motion(rewritten(plain, '\n', " \r\n\t"));
    check_same_motion(rewritten(plain, ' ', "\t "));
    check_same_motion("\xEF\xBB\xBF" TREE HEAD ROWS);
    check_same_motion(TREE "MOTION\nFrames:2\nFrame Time:.0333333\n" ROWS);
    check_same_motion(TREE "motion\nFRAMES : 2\nframe  time : 3.33333e-2\n" ROWS);
    check_same_motion(TREE "MOTION Frames: 2 FrameTime 0.0333333 " ROWS);
    check_same_motion(TREE "MOTION\nFrame Time: 0.033333\nFrames: 2\n" ROWS);
    check_same_motion(TREE HEAD "1 90 3 0 0-0 0 0 0\n2.0+91 0.4e1+1.0E+01 20 30 40 50 .6e2");
    check_same_motion(TREE HEAD "1 90 3 0 0 0 0 0 0\n2 91 4 10 20 30 40 50 60");
    reading r = read_text("hierarchy\nroot Hips\n{\noffset 0 0 0\nchannels 3 xposition YPOSITION zPosition\n}\n"
                          "MOTION\nFrames: 1\nFrame Time: .04\n0.0-7.5 1\n");
    assert_ok(r.ok, r.error);
    check_vector(local_of(&r, 0, "Hips").t, 0, -7.5, -1);
    done(&r);
}

static void a_decimal_comma_is_refused_in_words(void **state)
{
    (void)state;
    check_refused(TREE HEAD "1,5 90 3 0 0 0 0 0 0\n",
                  "dance.bvh:19:2: expected a point as decimal sign, found a comma");
    check_refused(TREE "MOTION\nFrames: 2\nFrame Time: 0,0333\n" ROWS, "dance.bvh:18:14: expected a point");
    check_refused("HIERARCHY\nROOT A\n{\nOFFSET 0,0 1,5 0,0\n", "dance.bvh:4:9: expected a point as decimal sign");
}

static void what_is_no_number_is_refused_with_its_place(void **state)
{
    (void)state;
    check_refused(TREE HEAD "1 90 nan 0 0 0 0 0 0\n", "dance.bvh:19:6: expected a number, found \"nan\"");
    check_refused(TREE HEAD "1 90 3 -inf 0 0 0 0 0\n", "dance.bvh:19:8: expected a number, found \"-inf\"");
    check_refused(TREE HEAD "1 90 3 0 0x10 0 0 0 0\n", "dance.bvh:19:10: expected a number, found \"0x10\"");
    check_refused(TREE HEAD "1 90 3 0 1.5.2 0 0 0 0\n", "dance.bvh:19:10: expected a number, found \"1.5.2\"");
    check_refused(TREE HEAD "1 90 3 0 -1.#IND 0 0 0 0\n", "expected a number, found \"-1.#IND\"");
    check_refused(TREE HEAD "1e13 90 3 0 0 0 0 0 0\n", "dance.bvh:19:1: expected a number of at most 1e12");
    check_refused(TREE HEAD "1 90 3 1e999 0 0 0 0 0\n", "expected a number of at most 1e12, found \"1e999\"");
    check_refused(TREE "MOTION\nFrames: many\n", "dance.bvh:17:9: expected a number, found \"many\"");
    check_refused("HIERARCHY\nROOT A\n{\nOFFSET 0 nan 0\n", "dance.bvh:4:10: expected a number, found \"nan\"");
}

static void a_broken_hierarchy_is_refused_with_its_place(void **state)
{
    (void)state;
    check_refused("", "dance.bvh:1:1: expected HIERARCHY, found the end of the file");
    check_refused("\xFF\xFEH", "found UTF-16");
    check_refused("\xFF\xD8\xFF\xE0\x10JFIF", "expected HIERARCHY, found \"????\"");
    check_refused("HIERARCHY\nMOTION\n", "dance.bvh:2:1: expected ROOT, found \"MOTION\"");
    check_refused("HIERARCHY\nJOINT A\n{\n}\n", "dance.bvh:2:1: expected ROOT, found \"JOINT\"");
    check_refused("HIERARCHY\nROOT A\nOFFSET 0 0 0\n", "dance.bvh:3:1: expected \"{\", found \"OFFSET\"");
    check_refused("HIERARCHY\nROOT A\n{\nOFFSET 0 0\nCHANNELS 0\n}\n", "dance.bvh:5:1: expected a number");
    check_refused("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n",
                  "expected OFFSET, CHANNELS, JOINT, End Site or \"}\", found the "
                  "end of the file");
    check_refused("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nMOTION\n", "dance.bvh:5:1: expected OFFSET, CHANNELS");
    check_refused("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n}\n}\n", "dance.bvh:6:1: expected MOTION, found \"}\"");
    check_refused("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nOFFSET 1 0 0\n}\n", "expected one OFFSET in a joint");
    check_refused("HIERARCHY\nROOT A\n{\nCHANNELS 1 Xrotation\nCHANNELS 0\n}\n", "expected one CHANNELS in a joint");
    check_refused("HIERARCHY\nROOT A\n{\nCHANNELS 7 Xrotation\n}\n",
                  "dance.bvh:4:10: expected 0 to 6 channels, found \"7\"");
    check_refused("HIERARCHY\nROOT A\n{\nCHANNELS -1\n}\n", "expected 0 to 6 channels");
    check_refused("HIERARCHY\nROOT A\n{\nCHANNELS 2.5 Xrotation\n}\n", "expected 0 to 6 channels");
    check_refused("HIERARCHY\nROOT A\n{\nCHANNELS 3 Xrotation Yrotation Xrotation\n}\n",
                  "dance.bvh:4:32: expected each channel once, found \"Xrotation\"");
    check_refused("HIERARCHY\nROOT A\n{\nCHANNELS 3 Xrotation Yrotation\n}\n", "dance.bvh:5:1: expected a channel");
    check_refused("HIERARCHY\nROOT A\n{\nCHANNELS 1 Xrotation Yrotation\n}\n",
                  "dance.bvh:4:22: expected OFFSET, CHANNELS");
}

static void deep_nesting_and_many_joints_are_bounded(void **state)
{
    (void)state;
    char *text = malloc(1 << 20);
    assert_non_null(text);
    for (int depth = 511; depth <= 512; depth++) { /* below the root */
        char *p = text + sprintf(text, "HIERARCHY\nROOT r{CHANNELS 1 Xrotation\n");
        for (int i = 0; i < depth; i++) p += sprintf(p, "JOINT j%d{OFFSET 0 1 0\n", i);
        for (int i = 0; i <= depth; i++) *p++ = '}';
        (void)sprintf(p, HEAD "1\n2\n");
        reading r = read_text(text);
        if (depth == 511) assert_ok(r.ok, r.error);
        else assert_fails(r.ok, r.error, "expected at most 512 joints one in another, found \"j511{OFFSET\"");
        done(&r);
    }
    char *p = text + sprintf(text, "HIERARCHY\nROOT r{CHANNELS 1 Xrotation\n");
    for (int i = 0; i < 10000; i++) p += sprintf(p, "JOINT j%d{OFFSET 0 1 0}\n", i);
    (void)sprintf(p, "}" HEAD "1\n2\n");
    check_refused(text, "expected at most 10000 joints");
    free(text);
}

/* ---- frames -------------------------------------------------------------------------------------- */

static void the_rows_that_are_there_count_not_those_declared(void **state)
{
    (void)state;
    static const struct {
        const char *frames, *warning;
    } cases[] = {{"Frames: 3\n", "3 frames are declared, 2 are there"},
                 {"Frames: 1\n", "1 frames are declared, 2 are there"},
                 {"Frames: 1000000000\n", "1000000000 frames are declared, 2 are there"},
                 {"Frames: 0\n", "0 frames are declared, 2 are there"},
                 {"Frames: -2\n", "-2 is no number of frames"},
                 {"Frames: 1.5\n", "1.5 is no number of frames"},
                 {"Frames: 1e11\n", "1e+11 is no number of frames"},
                 {"", "the number of frames is missing"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text, TREE "MOTION\n%sFrame Time: 0.04\n" ROWS, cases[i].frames);
        check_same_motion(text);
        reading r = read_text(text);
        assert_true(warned(&r, cases[i].warning));
        assert_int_equal(r.report.warnings, 1);
        assert_near(r.scene.clips[0].fps, 25, 0);
        done(&r);
    }
}

static void an_unusable_frame_time_gives_30_frames_a_second_and_a_warning(void **state)
{
    (void)state;
    static const struct {
        const char *time;
        double fps;
        bool warned;
    } cases[] = {{"Frame Time: 0\n", 30, true},
                 {"Frame Time: -0.04\n", 30, true},
                 {"", 30, true},
                 {"Frame Time: 33.3\n", 30, true},
                 {"Frame Time: 1e-300\n", 30, true},
                 {"Frame Time: 1\n", 1, false},
                 {"Frame Time: .0083333\n", 120, false},
                 {"Frame Time: 0.041667\n", 24, false},
                 {"Frame Time: 0.0417083750417\n", 24000 / 1001.0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text, TREE "MOTION\nFrames: 2\n%s" ROWS, cases[i].time);
        reading r = read_text(text);
        assert_ok(r.ok, r.error);
        assert_near(r.scene.clips[0].fps, cases[i].fps, 1e-9);
        assert_int_equal(r.report.warnings, cases[i].warned);
        done(&r);
    }
}

static void without_frames_there_is_a_skeleton_but_no_clip(void **state)
{
    (void)state;
    static const char *const texts[] = {
        TREE "MOTION\nFrames: 0\nFrame Time: 0.04\n", TREE "MOTION\nFrames: 0\nFrame Time: 0.04", TREE "MOTION",
        ("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nJOINT B\n{\nOFFSET 0 1 0\n}\nJOINT C\n{\nOFFSET 1 1 0\n}\n}\n" HEAD)};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        reading r = read_text(texts[i]);
        assert_ok(r.ok, r.error);
        assert_int_equal(r.scene.skeleton.count, 3);
        assert_int_equal(r.scene.clip_count, 0);
        assert_true(warned(&r, "there are no frames"));
        done(&r);
    }
}

static void rows_may_be_broken_over_lines_when_the_numbers_add_up(void **state)
{
    (void)state;
    static const char *const texts[] = {TREE HEAD "1 90 3\n0 0 0\n0 0 0\n2 91 4\n10 20 30\n40 50 60\n",
                                        TREE HEAD "1 90 3 0 0 0 0 0 0 2 91 4 10 20 30 40 50 60\n",
                                        TREE HEAD "1 90 3 0 0\n0 0 0 0 2\n91 4 10 20 30\n40 50 60\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        check_same_motion(texts[i]);
        reading r = read_text(texts[i]);
        assert_true(warned(&r, "the rows are broken over lines"));
        done(&r);
    }
}

static void a_row_with_another_count_is_refused_with_its_line(void **state)
{
    (void)state;
    const char *want = "dance.bvh:20: expected 9 numbers in this row, one for each channel, found 8";
    check_refused(TREE HEAD "1 90 3 0 0 0 0 0 0\n2 91 4 10 20 30 40 50\n1 2 3 4 5 6 7 8 9\n", want);
    check_refused(TREE HEAD "1 90 3 0 0 0 0 0 0\n2 91 4 10 20 30 40 50\n1 2 3 4 5 6 7 8 9 10\n", want);
    /* The sum alone proves nothing: nine rows of eight are eight of nine. */
    char text[2048] = TREE "MOTION\nFrames: 9\nFrame Time: 0.04\n";
    for (int i = 0; i < 9; i++) (void)snprintf(text + strlen(text), sizeof text - strlen(text), "1 2 3 4 5 6 7 8\n");
    check_refused(text, "dance.bvh:19: expected 9 numbers in this row, one for each channel, found 8");
}

static void many_rows_in_a_line_need_the_right_number_of_frames(void **state)
{
    (void)state;
    const char *line = "1 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 2 3 3 3 3 3 3 3 3 3 4 4 4 4 4 4 4 4 4\n";
    static const struct {
        const char *frames, *refusal;
    } cases[] = {{"Frames: 4\n", NULL},
                 {"", NULL},
                 {"Frames: 3\n", "dance.bvh:19: expected 9 numbers in this row, one for each channel, found 36"},
                 {"Frames: 5\n", "dance.bvh:19: expected 9 numbers in this row, one for each channel, found 36"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text, TREE "MOTION\n%sFrame Time: 0.04\n%s", cases[i].frames, line);
        reading r = read_text(text);
        if (cases[i].refusal) {
            assert_fails(r.ok, r.error, cases[i].refusal);
        } else {
            assert_ok(r.ok, r.error);
            assert_int_equal(r.scene.clips[0].frames, 4);
            check_vector(local_of(&r, 3, "Hips").t, 4, 4, -4);
        }
        done(&r);
    }
}

static void an_incomplete_last_row_is_dropped(void **state)
{
    (void)state;
    check_same_motion(TREE "MOTION\nFrames: 3\nFrame Time: 0.04\n" ROWS "1 2 3 4");
    reading r = read_text(TREE "MOTION\nFrames: 3\nFrame Time: 0.04\n" ROWS "1 2 3 4\n");
    assert_true(warned(&r, "the last row has 4 of 9 numbers and is dropped"));
    assert_true(warned(&r, "3 frames are declared, 2 are there"));
    assert_int_equal(r.report.warnings, 2);
    done(&r);
}

static void what_follows_the_declared_frames_is_ignored(void **state)
{
    (void)state;
    check_same_motion(TREE HEAD ROWS "\n# made by hand\n");
    reading r = read_text(TREE HEAD ROWS "\nHIERARCHY\n");
    assert_true(warned(&r, "dance.bvh:22: what follows the last frame is ignored"));
    done(&r);
    check_refused(TREE HEAD "1 90 3 0 0 0 0 0 0\n# made by hand\n", "dance.bvh:20:1: expected a number, found \"#\"");
}

/* ---- hostile input ------------------------------------------------------------------------------- */

/* Either a message that names the file, or a scene without a NaN. */
static void check_outcome(const reading *r)
{
    if (!r->ok) {
        assert_non_null(strstr(r->error.message, "dance.bvh"));
        assert_non_null(strstr(r->error.message, "expected"));
        return;
    }
    const od_skeleton *skeleton = &r->scene.skeleton;
    assert_true(skeleton->count > 0);
    for (int i = 0; i < skeleton->count; i++) {
        assert_true(skeleton->bones[i].parent < i);
        assert_true(od_vec3_finite(skeleton->bones[i].rest_world.t));
    }
    for (int c = 0; c < r->scene.clip_count; c++) {
        const od_clip *clip = &r->scene.clips[c];
        assert_true(isfinite(clip->fps) && clip->fps > 0 && clip->frames > 0 && clip->bones == skeleton->count);
        od_xform *local = OD_NEW(r->arena, od_xform, (size_t)clip->bones, NULL);
        assert_non_null(local);
        for (int i = 0; i < clip->frames * clip->bones; i++) {
            if (i % clip->bones == 0) od_clip_pose(clip, i / clip->bones, local);
            od_xform at = local[i % clip->bones];
            assert_true(od_vec3_finite(at.t));
            assert_near(od_quat_dot(at.q, at.q), 1, 1e-5);
        }
    }
}

static void a_text_cut_at_any_byte_is_read_or_refused(void **state)
{
    (void)state;
    const char *whole = ROOTS HEAD "1 2 3 10 0\r\n1 2 3 10 30\r\n";
    for (size_t size = 0; size <= strlen(whole); size++) {
        char *text = malloc(size + 1); /* of just this size, so that a read past it is found */
        assert_non_null(text);
        memcpy(text, whole, size);
        reading r = read_bytes("dance.bvh", text, size, NULL);
        check_outcome(&r);
        if (size < strlen(ROOTS)) assert_false(r.ok);
        done(&r);
        free(text);
    }
}

static void flipped_bytes_are_read_or_refused(void **state)
{
    (void)state;
    char text[2048];
    uint32_t seed = 1;
    int refused = 0;
    for (int round = 0; round < 5000; round++) {
        size_t size = (size_t)snprintf(text, sizeof text, "%s", TREE HEAD ROWS);
        for (int flips = 1 + round % 4; flips > 0; flips--) {
            seed = seed * 1664525u + 1013904223u;
            size_t at = (seed >> 8) % size;
            seed = seed * 1664525u + 1013904223u;
            text[at] = (char)(round % 2 ? text[at] ^ (1 << (seed >> 29)) : "0-.e }{\n\t,Xn"[(seed >> 16) % 12]);
        }
        reading r = read_bytes("dance.bvh", text, size, NULL);
        check_outcome(&r);
        refused += !r.ok;
        done(&r);
    }
    assert_true(refused > 500 && refused < 4900);
}

static void a_small_file_cannot_ask_for_much_memory(void **state)
{
    (void)state;
    /* One moving joint, 5000 that stand still, and many short rows: 32 bytes each would be 16 GB. */
    size_t rows = 100000, size = 0, room = (size_t)5000 * 32 + rows * 2 + 1024;
    char *text = malloc(room);
    assert_non_null(text);
    size += (size_t)sprintf(text, "HIERARCHY\nROOT r{CHANNELS 1 Xrotation\n");
    for (int i = 0; i < 5000; i++) size += (size_t)sprintf(text + size, "JOINT j%d{OFFSET 0 1 0}\n", i);
    size += (size_t)sprintf(text + size, "}\n" HEAD);
    for (size_t i = 0; i < rows; i++) size += (size_t)sprintf(text + size, "%d\n", (int)(i % 9));
    reading r = read_bytes("dance.bvh", text, size, NULL);
    assert_fails(r.ok, r.error, "frames of 5001 joints are too many for a file of");
    assert_true(od_arena_used(r.arena) < 16 << 20);
    done(&r);
    free(text);
}

static void running_out_of_memory_is_reported_at_every_allocation(void **state)
{
    (void)state;
    const char *text = ROOTS HEAD "1 2 3 10 0\n1 2 3 10 30\n1 2";
    bool ok = false;
    int n = 1;
    for (; !ok && n < 1000; n++) {
        reading r = {.arena = od_arena_new(0)};
        od_file file = {.name = "dance.bvh", .data = (const unsigned char *)text, .size = strlen(text)};
        od_arena_fail_at(r.arena, (size_t)n);
        ok = od_bvh_read(&file, NULL, &r.scene, NULL, r.arena, &r.error);
        if (!ok) assert_non_null(strstr(r.error.message, "out of memory"));
        done(&r);
    }
    assert_true(ok && n > 10);
}

static void the_probe_knows_the_first_word(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is;
    } cases[] = {{"HIERARCHY\n", true}, {"\xEF\xBB\xBF\r\n hierarchy {", true},
                 {"HIERARCHYS", false}, {"HIERARCH", false},
                 {"", false},           {"ROOT", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(od_bvh_probe((const unsigned char *)cases[i].text, strlen(cases[i].text)) == cases[i].is);
    assert_false(od_bvh_probe(NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_ends_blanks_and_case_do_not_matter),
        cmocka_unit_test(a_decimal_comma_is_refused_in_words),
        cmocka_unit_test(what_is_no_number_is_refused_with_its_place),
        cmocka_unit_test(a_broken_hierarchy_is_refused_with_its_place),
        cmocka_unit_test(deep_nesting_and_many_joints_are_bounded),
        cmocka_unit_test(the_rows_that_are_there_count_not_those_declared),
        cmocka_unit_test(an_unusable_frame_time_gives_30_frames_a_second_and_a_warning),
        cmocka_unit_test(without_frames_there_is_a_skeleton_but_no_clip),
        cmocka_unit_test(rows_may_be_broken_over_lines_when_the_numbers_add_up),
        cmocka_unit_test(a_row_with_another_count_is_refused_with_its_line),
        cmocka_unit_test(many_rows_in_a_line_need_the_right_number_of_frames),
        cmocka_unit_test(an_incomplete_last_row_is_dropped),
        cmocka_unit_test(what_follows_the_declared_frames_is_ignored),
        cmocka_unit_test(a_text_cut_at_any_byte_is_read_or_refused),
        cmocka_unit_test(flipped_bytes_are_read_or_refused),
        cmocka_unit_test(a_small_file_cannot_ask_for_much_memory),
        cmocka_unit_test(running_out_of_memory_is_reported_at_every_allocation),
        cmocka_unit_test(the_probe_knows_the_first_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
