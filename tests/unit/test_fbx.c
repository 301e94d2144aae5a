/* FBX: files made here, of which every number is known. */
#include "fbx_writing.h"

#include "format/fbx.h"

static const int64_t TIMES[2] = {0, 30};
static const float TEN_TO_THIRTY[2] = {10, 30};
static const float TO_QUARTER[2] = {0, 90};
static const int32_t LINEAR = 0x4;

/* The hips rise from 10 to 30, the spine turns by 90 degrees about z, in a second. */
static fbx_scene rising(void)
{
    return (fbx_scene){.hips[1] = {.count = 2, .times = TIMES, .values = TEN_TO_THIRTY, .flags = LINEAR},
                       .spine[2] = {.count = 2, .times = TIMES, .values = TO_QUARTER, .flags = LINEAR}};
}

static const fbx_layout LAYOUTS[] = {
    {.version = 7400},
    {.version = 7400, .binary = true},
    {.version = 7500, .binary = true},
    {.version = 7700, .binary = true, .packed = true},
    {.version = 7400, .binary = true, .big_endian = true},
    {.version = 7500, .binary = true, .big_endian = true, .packed = true},
};

static void check_place(od_xform x, double px, double py, double pz)
{
    assert_near(x.t.x, px, 1e-4);
    assert_near(x.t.y, py, 1e-4);
    assert_near(x.t.z, pz, 1e-4);
}

/* ---- files --------------------------------------------------------------------------------------- */

static void every_layout_gives_the_same_scene(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof LAYOUTS / sizeof *LAYOUTS; i++) {
        fbx_scene scene = rising();
        scene.layout = LAYOUTS[i];
        fbx_reading r = fbx_read_scene(&scene);
        assert_ok(r.ok, r.error);
        assert_int_equal(r.scene.skeleton.count, 3);
        assert_string_equal(r.scene.skeleton.bones[0].name, "Hips");
        assert_int_equal(r.scene.clip_count, 1);
        assert_string_equal(r.scene.clips[0].name, "dance");
        assert_int_equal(r.scene.clips[0].frames, 31);
        assert_near(r.scene.clips[0].fps, 30, 0);
        check_place(fbx_world(&r, 0, "Head"), 0, 30, 0);
        check_place(fbx_world(&r, 15, "Hips"), 0, 20, 0);
        check_place(fbx_world(&r, 30, "Head"), -10, 40, 0);
        assert_int_equal(r.report.warnings, 0);
        fbx_done(&r);
    }
}

static void files_are_known_by_their_beginning(void **state)
{
    (void)state;
    static fbx_file f;
    for (size_t i = 0; i < sizeof LAYOUTS / sizeof *LAYOUTS; i++) {
        fbx_scene scene = rising();
        scene.layout = LAYOUTS[i];
        fbx_write_scene(&f, &scene);
        assert_true(od_fbx_probe(f.data, f.size));
        od_file file = {.name = "-", .data = f.data, .size = f.size};
        assert_string_equal(od_format_detect(&file)->name, "fbx");
    }
    assert_false(od_fbx_probe((const unsigned char *)"HIERARCHY", 9));
    assert_false(od_fbx_probe((const unsigned char *)"Kaydara FBX", 11));
    assert_false(od_fbx_probe((const unsigned char *)"", 0));
}

static void old_versions_are_refused_in_words(void **state)
{
    (void)state;
    static fbx_file f;
    fbx_start(&f, (fbx_layout){.version = 5000, .binary = true});
    fbx_finish(&f);
    fbx_reading r = fbx_read_bytes(f.data, f.size);
    assert_fails(r.ok, r.error, "expected FBX of version 6.0 or newer, found version 5.0");
    fbx_done(&r);
}

static void a_file_without_joints_is_refused_in_words(void **state)
{
    (void)state;
    static fbx_file f;
    fbx_start(&f, (fbx_layout){.version = 7400});
    fbx_header(&f);
    fbx_reading r = fbx_read_bytes(f.data, f.size);
    assert_fails(r.ok, r.error, "there is no skeleton in the file");
    fbx_done(&r);
}

/* Takes of version 6 hold mixed lists of numbers and letters. */
static void takes_of_version_6_are_read(void **state)
{
    (void)state;
    static const char text[] = "; FBX 6.1.0 project file\nFBXHeaderExtension: {\n FBXVersion: 6100\n}\nObjects: {\n"
                               " Model: \"Model::A:Hips\", \"LimbNode\" {\n  Properties60: {\n"
                               "   Property: \"Lcl Translation\", \"Lcl Translation\", \"A\",1,2,3\n  }\n }\n"
                               " Model: \"Model::Head\", \"Limb\" {\n  Properties60: {\n"
                               "   Property: \"Lcl Translation\", \"Lcl Translation\", \"A\",0,5,0\n  }\n }\n}\n"
                               "Connections: {\n Connect: \"OO\", \"Model::A:Hips\", \"Model::Scene\"\n"
                               " Connect: \"OO\", \"Model::Head\", \"Model::A:Hips\"\n}\n"
                               "Takes: {\n Current: \"Walk\"\n Take: \"Walk\" {\n  LocalTime: 0,92372316000\n"
                               "  Model: \"Model::A:Hips\" {\n   Channel: \"Transform\" {\n    Channel: \"T\" {\n"
                               "     Channel: \"X\" {\n      Default: 1\n      KeyCount: 3\n"
                               "      Key: 0,1,L,46186158000\n      ,3,U,s,0,0,n\n      ,92372316000,7,C,s\n     }\n"
                               "     Channel: \"Y\" {\n      Default: 2.5\n     }\n    }\n   }\n  }\n }\n}\n";
    fbx_reading r = fbx_read_bytes((const unsigned char *)text, sizeof text - 1);
    assert_ok(r.ok, r.error);
    assert_string_equal(r.scene.skeleton.bones[0].name, "A:Hips");
    assert_int_equal(r.scene.clips[0].frames, 61);
    assert_string_equal(r.scene.clips[0].name, "Walk");
    check_place(fbx_world(&r, 0, "Head"), 1, 7.5, -3);
    check_place(fbx_world(&r, 15, "Head"), 2, 7.5, -3);
    check_place(fbx_world(&r, 30, "Head"), 3, 7.5, -3);
    check_place(fbx_world(&r, 45, "Head"), 5, 7.5, -3); /* flat at both ends: half way in the middle */
    check_place(fbx_world(&r, 60, "Head"), 7, 7.5, -3);
    fbx_done(&r);
}

static void texts_may_be_untidy(void **state)
{
    (void)state;
    static const char text[] = "FBXHeaderExtension:\t{\r\n;comment }\r\nFBXVersion:7300 ; 7.3\r\n}Objects:{"
                               "Model: 5,\"Model::FBXASC032a&quot;b\",\"LimbNode\"{Shading:\nCulling: \"Off\"\n}"
                               "Model:\n6, \"Model::\", \"Root\"\n}Connections:{C:\"OO\",6,\n5\n}";
    fbx_reading r = fbx_read_bytes((const unsigned char *)text, sizeof text - 1);
    assert_ok(r.ok, r.error);
    assert_int_equal(r.scene.skeleton.count, 2);
    assert_string_equal(r.scene.skeleton.bones[0].name, " a\"b");
    assert_int_equal(r.scene.skeleton.bones[1].parent, 0);
    assert_int_equal(r.scene.clip_count, 0);
    assert_int_equal(r.report.warnings, 1); /* nothing moves */
    fbx_done(&r);
}

/* ---- space --------------------------------------------------------------------------------------- */

static void z_up_files_stand_up(void **state)
{
    (void)state;
    fbx_scene scene = rising();
    scene.hips[2] = scene.hips[1]; /* z is up, so the hips rise along it */
    scene.hips[1].count = 0;
    scene.up = 2;
    fbx_reading r = fbx_read_scene(&scene);
    check_place(fbx_world(&r, 0, "Head"), 0, 30, 0);
    check_place(fbx_world(&r, 30, "Hips"), 0, 30, 0);
    /* The spine turns about the file's z, which is canonical y, in a space that is mirrored. */
    od_xform spine = fbx_world(&r, 30, "Spine");
    assert_near(spine.q.y, -sqrt(0.5), 1e-6);
    assert_near(spine.q.w, sqrt(0.5), 1e-6);
    fbx_done(&r);
}

static void an_armature_scaled_by_a_hundredth_gives_metres(void **state)
{
    (void)state;
    static const double hundredth[3] = {0.01, 0.01, 0.01};
    fbx_scene scene = rising();
    scene.armature = hundredth;
    fbx_reading r = fbx_read_scene(&scene);
    check_place(fbx_world(&r, 0, "Head"), 0, 0.3, 0);
    check_place(fbx_world(&r, 30, "Head"), -0.1, 0.4, 0);
    assert_near(r.scene.skeleton.bones[2].rest_world.t.y, 0.3, 1e-6);
    fbx_done(&r);
}

static void uneven_scale_is_told(void **state)
{
    (void)state;
    static const double stretched[3] = {1, 2, 1};
    fbx_scene scene = rising();
    scene.armature = stretched;
    fbx_reading r = fbx_read_scene(&scene);
    check_place(fbx_world(&r, 0, "Head"), 0, 60, 0);
    assert_int_equal(r.report.warnings, 1);
    assert_non_null(strstr(r.report.first->text, "unevenly"));
    fbx_done(&r);
}

static void pre_rotation_turns_what_the_curves_turn(void **state)
{
    (void)state;
    fbx_scene scene = rising();
    scene.pre[0] = 90; /* first about x, which then takes the turn about z to one about -y */
    fbx_reading r = fbx_read_scene(&scene);
    od_xform still = fbx_world(&r, 0, "Spine");
    assert_near(still.q.x, -sqrt(0.5), 1e-6);
    od_xform head = fbx_world(&r, 30, "Head");
    check_place(head, -10, 40, 0); /* 10 along the spine's y, which is the world's -x now */
    fbx_done(&r);
}

/* R = Rz Ry Rx for XYZ: the first letter turns first. */
static void rotation_orders_are_kept_apart(void **state)
{
    (void)state;
    static const int64_t at[1] = {0};
    static const float angles[3][1] = {{30}, {50}, {70}};
    static const char *const products[6] = {"zyx", "yzx", "xzy", "zxy", "yxz", "xyz"};
    for (int order = 0; order < 6; order++) {
        fbx_scene scene = rising();
        scene.order = order;
        for (int i = 0; i < 3; i++) scene.spine[i] = (fbx_keys){.count = 1, .times = at, .values = angles[i]};
        fbx_reading r = fbx_read_scene(&scene);
        float turn[3];
        for (int i = 0; i < 3; i++) turn[i] = angles[products[order][i] - 'x'][0] * 3.14159265f / 180;
        versors want = od_quat_euler(products[order], turn);
        versors have = od_quat_near(fbx_world(&r, 0, "Spine").q, od_quat(-want.x, -want.y, want.z, want.w));
        assert_near(have.x, -want.x, 1e-6); /* mirrored at z */
        assert_near(have.y, -want.y, 1e-6);
        assert_near(have.z, want.z, 1e-6);
        assert_near(have.w, want.w, 1e-6);
        fbx_done(&r);
    }
}

/* ---- rest ---------------------------------------------------------------------------------------- */

static void a_skin_says_where_bones_are_at_rest(void **state)
{
    (void)state;
    fbx_scene scene = rising();
    fbx_reading r = fbx_read_scene(&scene);
    assert_false(r.scene.rest_is_bind);
    assert_near(r.scene.skeleton.bones[2].rest_world.t.y, 30, 1e-5);
    fbx_done(&r);
    scene.bind[0] = 3;
    scene.bind[1] = 29;
    scene.bind[2] = 4;
    r = fbx_read_scene(&scene);
    assert_ok(r.ok, r.error);
    assert_true(r.scene.rest_is_bind);
    od_xform head = r.scene.skeleton.bones[2].rest_world;
    check_place(head, 3, 29, -4);
    assert_near(od_quat_angle(head.q), 0, 1e-6); /* the matrix is scaled by 2 */
    assert_near(r.scene.skeleton.bones[1].rest_world.t.y, 20, 1e-5);
    fbx_done(&r);
}

static void bones_with_curves_of_places_are_said_to_move(void **state)
{
    (void)state;
    fbx_scene scene = rising();
    fbx_reading r = fbx_read_scene(&scene);
    assert_true(r.scene.moves[0]);
    assert_false(r.scene.moves[1] || r.scene.moves[2]);
    fbx_done(&r);
}

/* ---- time ---------------------------------------------------------------------------------------- */

static void the_stack_says_how_long_a_clip_is(void **state)
{
    (void)state;
    fbx_scene scene = rising();
    scene.stop = 45;
    fbx_reading r = fbx_read_scene(&scene);
    assert_ok(r.ok, r.error);
    assert_int_equal(r.scene.clips[0].frames, 46);
    check_place(fbx_world(&r, 45, "Hips"), 0, 30, 0); /* the last key holds */
    fbx_done(&r);
}

static void what_lasts_for_days_is_refused_in_words(void **state)
{
    (void)state;
    fbx_scene scene = rising();
    scene.stop = (int64_t)30 * 3600 * 24 * 365;
    fbx_reading r = fbx_read_scene(&scene);
    assert_fails(r.ok, r.error, "too many for a file of");
    fbx_done(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layout_gives_the_same_scene),
        cmocka_unit_test(files_are_known_by_their_beginning),
        cmocka_unit_test(old_versions_are_refused_in_words),
        cmocka_unit_test(a_file_without_joints_is_refused_in_words),
        cmocka_unit_test(takes_of_version_6_are_read),
        cmocka_unit_test(texts_may_be_untidy),
        cmocka_unit_test(z_up_files_stand_up),
        cmocka_unit_test(an_armature_scaled_by_a_hundredth_gives_metres),
        cmocka_unit_test(uneven_scale_is_told),
        cmocka_unit_test(pre_rotation_turns_what_the_curves_turn),
        cmocka_unit_test(rotation_orders_are_kept_apart),
        cmocka_unit_test(a_skin_says_where_bones_are_at_rest),
        cmocka_unit_test(bones_with_curves_of_places_are_said_to_move),
        cmocka_unit_test(the_stack_says_how_long_a_clip_is),
        cmocka_unit_test(what_lasts_for_days_is_refused_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
