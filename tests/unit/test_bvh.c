/* BVH: rotations against matrices, the skeleton, roots, positions. */
#include "bvh_reading.h"

/* ---- the arithmetic ------------------------------------------------------------------------------ */

typedef struct matrix {
    double m[3][3];
} matrix;

static matrix product(matrix a, matrix b)
{
    matrix c = {{{0}}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) c.m[i][j] += a.m[i][k] * b.m[k][j];
    return c;
}

static matrix turn_about(int axis, double degrees)
{
    double angle = fmod(degrees, 360) * acos(-1) / 180, s = sin(angle), c = cos(angle);
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    matrix r = {{{0}}};
    r.m[axis][axis] = 1;
    r.m[a][a] = r.m[b][b] = c;
    r.m[a][b] = -s;
    r.m[b][a] = s;
    return r;
}

/* What a turn in the file's space is in canonical space: z is mirrored on both sides. */
static void check_turn(matrix file, versors q)
{
    for (int column = 0; column < 3; column++) {
        vec3s unit = od_vec3(column == 0, column == 1, column == 2);
        vec3s have = od_quat_rotate(q, unit);
        for (int row = 0; row < 3; row++) {
            double sign = (row == 2) != (column == 2) ? -1 : 1;
            assert_near(have.raw[row], sign * file.m[row][column], 2e-6);
        }
    }
    assert_near(od_quat_dot(q, q), 1, 1e-6);
}

static void rotation_is_the_product_of_the_channels_in_file_order(void **state)
{
    static const char *const orders[] = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "X", "Y", "Z",
                                         "XY",  "XZ",  "YX",  "YZ",  "ZX",  "ZY",  "",  NULL};
    static const double angles[][3] = {{0, 0, 0},       {10, 20, 30},      {-170.5, 89.9, 90}, {180, -180, 360},
                                       {45, 135, -225}, {720, 1080.25, 1}, {1e6, -1e7, 1e9},   {1e-7, 0, -1e-5}};
    (void)state;
    for (int n = 0; orders[n]; n++) {
        for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
            char text[1024];
            size_t size = (size_t)snprintf(text, sizeof text,
                                           "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\nJOINT B\n{\n"
                                           "OFFSET 0 1 0\nCHANNELS %zu",
                                           strlen(orders[n]));
            matrix expected = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
            char row[128] = "5";
            for (int i = 0; orders[n][i]; i++) {
                size += (size_t)snprintf(text + size, sizeof text - size, " %crotation", orders[n][i]);
                (void)snprintf(row + strlen(row), sizeof row - strlen(row), " %.17g", angles[k][i]);
                expected = product(expected, turn_about(orders[n][i] - 'X', angles[k][i]));
            }
            (void)snprintf(text + size, sizeof text - size, "\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.04\n%s\n", row);
            reading r = read_text(text);
            assert_ok(r.ok, r.error);
            check_turn(expected, local_of(&r, 0, "B").q);
            done(&r);
        }
    }
}

static void whole_turns_leave_no_trace(void **state)
{
    (void)state;
    reading r = read_text(TREE "MOTION\nFrames: 2\nFrame Time: .04\n0 0 0 360 -720 0 0 0 0\n0 0 0 0 0 -180 0 0 0\n");
    assert_ok(r.ok, r.error);
    versors q = local_of(&r, 0, "Hips").q;
    assert_true(q.x == 0 && q.y == 0 && q.z == 0 && fabsf(q.w) == 1);
    q = local_of(&r, 1, "Hips").q;
    assert_true(q.x == 0 && fabsf(q.y) == 1 && q.z == 0);
    assert_near(q.w, 0, 1e-9);
    done(&r);
}

/* ---- the skeleton -------------------------------------------------------------------------------- */

static void positions_replace_the_offset_and_end_sites_are_leaves(void **state)
{
    (void)state;
    reading r = read_text(TREE HEAD ROWS);
    assert_ok(r.ok, r.error);
    const od_skeleton *skeleton = &r.scene.skeleton;
    assert_int_equal(skeleton->count, 3);
    assert_string_equal(skeleton->bones[0].name, "Hips");
    assert_string_equal(skeleton->bones[1].name, "Chest");
    assert_string_equal(skeleton->bones[2].name, "Chest_end");
    assert_int_equal(skeleton->bones[0].parent, -1);
    assert_int_equal(skeleton->bones[1].parent, 0);
    assert_int_equal(skeleton->bones[2].parent, 1);
    check_vector(skeleton->bones[1].rest.t, 1, 10, -2);
    check_vector(skeleton->bones[2].rest_world.t, 1, 15, -3);
    assert_true(r.scene.moves[0] && !r.scene.moves[1] && !r.scene.moves[2]);
    assert_false(r.scene.rest_is_bind);
    assert_string_equal(r.scene.format, "bvh");
    assert_string_equal(r.scene.clips[0].name, "dance");
    assert_int_equal(r.scene.clips[0].frames, 2);
    assert_near(r.scene.clips[0].fps, 30, 0);
    check_vector(local_of(&r, 1, "Hips").t, 2, 91, -4);
    check_vector(local_of(&r, 1, "Chest").t, 1, 10, -2);
    check_vector(local_of(&r, 1, "Chest_end").t, 0, 5, -1);
    check_turn(product(product(turn_about(2, 10), turn_about(0, 20)), turn_about(1, 30)), local_of(&r, 1, "Hips").q);
    assert_int_equal(r.report.warnings, 0);
    done(&r);
}

static void an_axis_without_position_channel_keeps_its_offset(void **state)
{
    (void)state;
    reading r = read_text("HIERARCHY\nROOT A\n{\nOFFSET 1 2 3\nCHANNELS 2 Yrotation Yposition\n}\nMOTION\n"
                          "Frames: 2\nFrame Time: 0.01\n90 7\n0 8\n");
    assert_ok(r.ok, r.error);
    check_vector(local_of(&r, 0, "A").t, 1, 7, -3);
    check_turn(turn_about(1, 90), local_of(&r, 0, "A").q);
    assert_true(r.scene.moves[0]);
    assert_near(r.scene.clips[0].fps, 100, 0);
    done(&r);
}

static void an_end_site_takes_no_name_from_a_joint(void **state)
{
    (void)state;
    reading r = read_text("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n"
                          "JOINT A_end\n{\nOFFSET 0 2 0\nCHANNELS 1 Yrotation\n}\n}\n"
                          "MOTION\nFrames: 1\nFrame Time: .04\n10 20\n");
    assert_ok(r.ok, r.error);
    check_vector(r.scene.skeleton.bones[od_skeleton_find(&r.scene.skeleton, "A_end")].rest.t, 0, 2, 0);
    check_vector(r.scene.skeleton.bones[od_skeleton_find(&r.scene.skeleton, "A_end_")].rest.t, 0, 1, 0);
    done(&r);
}

static void odd_and_missing_end_sites_are_read(void **state)
{
    (void)state;
    static const char *const ends[] = {"End Site\n{\nOFFSET 0 5 0\n}\n",         "End  \t site {OFFSET 0 5 0}\n",
                                       "End Effector toe 1\n{OFFSET 0 5 0\n}\n", "END\n{\nOFFSET 0 5 0\n}\n",
                                       "EndSite{\nOFFSET 0 5 0\nCHANNELS 0\n}",  "End Site-12\n{\nOFFSET 0 5 0 }"};
    static const char *const nothing[] = {"", "End Site\n", "End Site\n{\nOFFSET 0 0 0\n}\n", "End Site\n{\n}\n"};
    char text[1024];
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        (void)snprintf(text, sizeof text,
                       "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n%s}\n" HEAD "1\n2\n", ends[i]);
        reading r = read_text(text);
        assert_ok(r.ok, r.error);
        assert_int_equal(r.scene.skeleton.count, 2);
        check_vector(r.scene.skeleton.bones[od_skeleton_find(&r.scene.skeleton, "A_end")].rest.t, 0, 5, 0);
        done(&r);
    }
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        (void)snprintf(text, sizeof text,
                       "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n%s}\n" HEAD "1\n2\n", nothing[i]);
        reading r = read_text(text);
        assert_ok(r.ok, r.error);
        assert_int_equal(r.scene.skeleton.count, 1);
        done(&r);
    }
}

static void names_keep_blanks_colons_dots_and_other_scripts(void **state)
{
    (void)state;
    reading r = read_text("HIERARCHY\nROOT  mixamorig:Hips.001  \n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n"
                          "JOINT Left Upper Arm\t{\nOFFSET 0 1 0\nJOINT \xE5\xB7\xA6\xE8\x85\x95\n{\nOFFSET 0 1 0\n"
                          "JOINT bad\xFFname\n{\nOFFSET 0 1 0\nJOINT toe_End\n{\nOFFSET 0 0 0\n}\n}\n}\n}\n}\n"
                          "MOTION\nFrames: 1\nFrame Time: .04\n10\n");
    assert_ok(r.ok, r.error);
    assert_int_equal(r.scene.skeleton.count, 5);
    assert_string_equal(r.scene.skeleton.bones[0].name, "mixamorig:Hips.001");
    assert_string_equal(r.scene.skeleton.bones[1].name, "Left Upper Arm");
    assert_string_equal(r.scene.skeleton.bones[2].name, "\xE5\xB7\xA6\xE8\x85\x95");
    assert_string_equal(r.scene.skeleton.bones[3].name, "bad\xEF\xBF\xBDname");
    assert_string_equal(r.scene.skeleton.bones[4].name, "toe_End");
    done(&r);
}

/* Codes of two bytes may end with a brace's (0x7B in ボ). */
static void names_in_cp932_are_read_as_such(void **state)
{
    (void)state;
    static const char *const names[] = {"センター", "ボーン", "左腕"};
    reading r = read_text("HIERARCHY\nROOT \x83Z\x83\x93\x83^\x81[\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n"
                          "JOINT \x83{\x81[\x83\x93{\nOFFSET 0 1 0\nJOINT \x8D\xB6\x98r\n{\nOFFSET 0 1 0\n}\n}\n}\n"
                          "MOTION\nFrames: 1\nFrame Time: .04\n10\n");
    assert_ok(r.ok, r.error);
    assert_int_equal(r.scene.skeleton.count, 3);
    for (int i = 0; i < 3; i++) assert_string_equal(r.scene.skeleton.bones[i].name, names[i]);
    assert_true(warned(&r, "CP932"));
    done(&r);
}

/* One name that is no CP932 (0xFF is none) settles it for all. */
static void one_encoding_holds_for_all_names(void **state)
{
    (void)state;
    reading r = read_text("HIERARCHY\nROOT \x8D\xB6\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT a\xFF\n{\nOFFSET 0 1 "
                          "0\n}\n}\nMOTION\nFrames: 1\nFrame Time: .04\n10\n");
    assert_ok(r.ok, r.error);
    assert_string_equal(r.scene.skeleton.bones[0].name, "\xEF\xBF\xBD\xEF\xBF\xBD");
    assert_string_equal(r.scene.skeleton.bones[1].name, "a\xEF\xBF\xBD");
    assert_false(warned(&r, "CP932"));
    done(&r);
}

static void equal_names_are_kept_and_named(void **state)
{
    (void)state;
    reading r = read_text("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT B\n{\nOFFSET 1 0 0\n}\n"
                          "JOINT B\n{\nOFFSET 2 0 0\n}\n}\n" HEAD "1\n2\n");
    assert_ok(r.ok, r.error);
    assert_int_equal(r.scene.skeleton.count, 3);
    assert_true(warned(&r, "two joints are called B"));
    assert_int_equal(r.report.warnings, 1);
    done(&r);
}

/* ---- several roots ------------------------------------------------------------------------------- */

static void of_several_roots_the_first_that_moves_is_taken(void **state)
{
    (void)state;
    reading r = read_text(ROOTS HEAD "1 2 3 10 0\n1 2 3 10 30\n");
    assert_ok(r.ok, r.error);
    assert_int_equal(r.scene.skeleton.count, 2);
    assert_string_equal(r.scene.skeleton.bones[0].name, "Dancer");
    assert_int_equal(r.scene.skeleton.bones[1].parent, 0);
    check_turn(turn_about(1, 10), local_of(&r, 1, "Dancer").q);
    check_turn(turn_about(0, 30), local_of(&r, 1, "Head").q);
    assert_true(warned(&r, "Dancer is the first of 3 roots"));
    done(&r);
    r = read_text(ROOTS HEAD "1 2 3 10 0\n1 5 3 10 30\n");
    assert_string_equal(r.scene.skeleton.bones[0].name, "Still");
    assert_int_equal(r.scene.skeleton.count, 1);
    done(&r);
    r = read_text(ROOTS HEAD "1 2 3 10 0\n1 2 3 10 0\n");
    assert_string_equal(r.scene.skeleton.bones[0].name, "Still");
    done(&r);
}

static void a_root_is_taken_by_name(void **state)
{
    (void)state;
    const char *text = ROOTS HEAD "1 2 3 10 0\n1 2 3 10 30\n";
    reading r = read_bytes("dance.bvh", text, strlen(text), "Still");
    assert_ok(r.ok, r.error);
    assert_int_equal(r.scene.skeleton.count, 1);
    check_vector(local_of(&r, 1, "Still").t, 1, 2, -3);
    done(&r);
    r = read_bytes("dance.bvh", text, strlen(text), "Singer");
    assert_fails(r.ok, r.error, "expected a root joint called Singer, found Floor, Still, Dancer");
    done(&r);
}

/* ---- positions relative to OFFSET ---------------------------------------------------------------- */

#define MOVING \
    "HIERARCHY\nROOT A\n{\nOFFSET 0 90 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT B\n{\nOFFSET 0 10 3\n" \
    "CHANNELS 3 Xposition Yposition Zposition\n}\n}\n"

static void positions_that_are_zero_throughout_are_relative_to_the_offset(void **state)
{
    (void)state;
    reading r = read_text(MOVING HEAD "5 80 0 0 0.001 0\n6 81 0 0.002 0 0\n");
    assert_ok(r.ok, r.error);
    assert_true(warned(&r, "the positions of 1 joint (B) are about zero"));
    check_vector(local_of(&r, 0, "A").t, 5, 80, 0);
    check_vector(local_of(&r, 0, "B").t, 0, 10.001, -3);
    check_vector(local_of(&r, 1, "B").t, 0.002, 10, -3);
    done(&r);
    r = read_text(MOVING HEAD "0 0 0 0 10 3\n0 0 0 0 10 3\n");
    assert_ok(r.ok, r.error);
    assert_true(warned(&r, "the positions of 1 joint (A) are about zero"));
    check_vector(local_of(&r, 0, "A").t, 0, 90, 0);
    check_vector(local_of(&r, 1, "B").t, 0, 10, -3);
    done(&r);
}

static void positions_that_leave_zero_once_replace_the_offset(void **state)
{
    (void)state;
    reading r = read_text(MOVING HEAD "0 0 0 0 0 0\n0 10 0 0 1 0\n");
    assert_ok(r.ok, r.error);
    assert_int_equal(r.report.warnings, 0);
    check_vector(local_of(&r, 0, "A").t, 0, 0, 0);
    check_vector(local_of(&r, 1, "B").t, 0, 1, 0);
    done(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotation_is_the_product_of_the_channels_in_file_order),
        cmocka_unit_test(whole_turns_leave_no_trace),
        cmocka_unit_test(positions_replace_the_offset_and_end_sites_are_leaves),
        cmocka_unit_test(an_axis_without_position_channel_keeps_its_offset),
        cmocka_unit_test(an_end_site_takes_no_name_from_a_joint),
        cmocka_unit_test(odd_and_missing_end_sites_are_read),
        cmocka_unit_test(names_keep_blanks_colons_dots_and_other_scripts),
        cmocka_unit_test(names_in_cp932_are_read_as_such),
        cmocka_unit_test(one_encoding_holds_for_all_names),
        cmocka_unit_test(equal_names_are_kept_and_named),
        cmocka_unit_test(of_several_roots_the_first_that_moves_is_taken),
        cmocka_unit_test(a_root_is_taken_by_name),
        cmocka_unit_test(positions_that_are_zero_throughout_are_relative_to_the_offset),
        cmocka_unit_test(positions_that_leave_zero_once_replace_the_offset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
