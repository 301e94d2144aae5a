/* glTF: nodes, skins and curves of files made here, each with the value that the specification gives it. */
#include "gltf_made.h"

static const float TIMES[] = {0, 1};

/* One node "a" whose path is moved by two keys. */
static void animate(made *m, int input, int output, const char *path, const char *rule, const char *more)
{
    char body[2048];
    snprintf(body, sizeof body,
             "\"nodes\": [{\"name\": \"a\"}], \"animations\": [{\"name\": \"turn\", \"channels\": [{\"sampler\": 0, "
             "\"target\": {\"node\": 0, \"path\": \"%s\"}}], \"samplers\": [{\"input\": %d, \"output\": %d, "
             "\"interpolation\": \"%s\"}]}]%s",
             path, input, output, rule, more);
    made_finish(m, body);
}

static void assert_place(od_xform x, double a, double b, double c)
{
    assert_near(x.t.x, a, 4e-6); /* a few roundings of floats up to ten */
    assert_near(x.t.y, b, 4e-6);
    assert_near(x.t.z, c, 4e-6);
}

static void assert_turn(od_xform x, double a, double b, double c, double d)
{
    versors q = od_quat((float)a, (float)b, (float)c, (float)d);
    assert_near(od_quat_angle(od_quat_mul(od_quat_conj(q), x.q)), 0, 1e-5);
}

static void linear_places_are_mixed_and_z_is_mirrored(void **state)
{
    (void)state;
    static const float values[] = {1, 2, 3, 5, 2, -1};
    made m = {0};
    animate(&m, made_floats(&m, TIMES, 2, "SCALAR"), made_floats(&m, values, 2, "VEC3"), "translation", "LINEAR", "");
    assert_ok(made_read(&m), m.error);
    assert_int_equal(m.scene.clip_count, 1);
    assert_string_equal(m.scene.clips[0].name, "turn");
    int last = m.scene.clips[0].frames - 1;
    assert_near(last / m.scene.clips[0].fps, 1, 1e-9);
    assert_place(made_pose(&m, 0, 0, 0), 1, 2, -3);
    assert_place(made_pose(&m, 0, last / 4, 0), 2, 2, -2);
    assert_place(made_pose(&m, 0, last, 0), 5, 2, 1);
    made_free(&m);
}

static void rotations_take_the_short_path(void **state)
{
    (void)state;
    /* From none to 90 degrees about z, written with the other sign. */
    static const float values[] = {0, 0, 0, 1, 0, 0, -0.70710678f, -0.70710678f};
    made m = {0};
    animate(&m, made_floats(&m, TIMES, 2, "SCALAR"), made_floats(&m, values, 2, "VEC4"), "rotation", "LINEAR", "");
    assert_ok(made_read(&m), m.error);
    assert_turn(made_pose(&m, 0, m.scene.clips[0].frames / 2, 0), 0, 0, sin(0.392699082), cos(0.392699082));
    made_free(&m);
}

static void steps_hold_until_the_next_key(void **state)
{
    (void)state;
    static const float values[] = {1, 0, 0, 2, 0, 0};
    made m = {0};
    animate(&m, made_floats(&m, TIMES, 2, "SCALAR"), made_floats(&m, values, 2, "VEC3"), "translation", "STEP", "");
    assert_ok(made_read(&m), m.error);
    int last = m.scene.clips[0].frames - 1;
    assert_place(made_pose(&m, 0, last - 1, 0), 1, 0, 0);
    assert_place(made_pose(&m, 0, last, 0), 2, 0, 0);
    made_free(&m);
}

static void cubic_tangents_are_scaled_by_the_segment(void **state)
{
    (void)state;
    static const float times[] = {0, 2};
    /* In, value, out of each key. x(s) = h00 * 1 + h10 * 2 * 3 + h01 * 5 + h11 * 2 * -1; at s = 1/2: 3 + 1/8 * 6 +
     * 1/8 * 2. */
    static const float values[] = {9, 9, 9, 1, 0, 0, 3, 0, 0, -1, 0, 0, 5, 0, 0, 9, 9, 9};
    made m = {0};
    animate(&m, made_floats(&m, times, 2, "SCALAR"), made_floats(&m, values, 6, "VEC3"), "translation", "CUBICSPLINE",
            "");
    assert_ok(made_read(&m), m.error);
    int last = m.scene.clips[0].frames - 1;
    assert_true(m.scene.clips[0].fps >= 60);
    assert_place(made_pose(&m, 0, last / 2, 0), 4, 0, 0);
    assert_place(made_pose(&m, 0, last, 0), 5, 0, 0);
    made_free(&m);
}

static void before_the_first_key_it_holds(void **state)
{
    (void)state;
    static const float times[] = {0.5f, 1}, values[] = {1, 0, 0, 2, 0, 0};
    made m = {0};
    animate(&m, made_floats(&m, times, 2, "SCALAR"), made_floats(&m, values, 2, "VEC3"), "translation", "LINEAR", "");
    assert_ok(made_read(&m), m.error);
    assert_place(made_pose(&m, 0, 0, 0), 1, 0, 0);
    assert_place(made_pose(&m, 0, m.scene.clips[0].frames - 1, 0), 2, 0, 0);
    made_free(&m);
}

static void one_key_is_one_frame(void **state)
{
    (void)state;
    static const float values[] = {1, 2, 3};
    made m = {0};
    animate(&m, made_floats(&m, TIMES, 1, "SCALAR"), made_floats(&m, values, 1, "VEC3"), "translation", "LINEAR", "");
    assert_ok(made_read(&m), m.error);
    assert_int_equal(m.scene.clips[0].frames, 1);
    assert_place(made_pose(&m, 0, 0, 0), 1, 2, -3);
    made_free(&m);
}

static void keys_at_24_fps_stay_at_24_fps(void **state)
{
    (void)state;
    static const float times[] = {0, 1 / 24.0f, 7 / 24.0f}, values[9] = {0};
    made m = {0};
    animate(&m, made_floats(&m, times, 3, "SCALAR"), made_floats(&m, values, 3, "VEC3"), "translation", "LINEAR", "");
    assert_ok(made_read(&m), m.error);
    assert_near(m.scene.clips[0].fps, 24, 0);
    assert_int_equal(m.scene.clips[0].frames, 8);
    made_free(&m);
}

static void weights_are_tracks_named_by_the_mesh(void **state)
{
    (void)state;
    /* Two targets, three keys: the first rises and falls, the second stays at a half. */
    static const float times[] = {0, 1, 2}, values[] = {0, 0.5f, 1, 0.5f, 0, 0.5f};
    made m = {0};
    int input = made_floats(&m, times, 3, "SCALAR"), output = made_floats(&m, values, 6, "SCALAR");
    char body[1024];
    snprintf(body, sizeof body,
             "\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"extras\": {\"targetNames\": [\"aa\", \"oh\"]}, "
             "\"primitives\": [{\"targets\": [{}, {}]}]}], \"animations\": [{\"channels\": [{\"sampler\": 0, "
             "\"target\": {\"node\": 0, \"path\": \"weights\"}}], \"samplers\": [{\"input\": %d, \"output\": %d}]}]",
             input, output);
    made_finish(&m, body);
    assert_ok(made_read(&m), m.error);
    const od_clip *clip = &m.scene.clips[0];
    assert_int_equal(clip->morph_count, 2);
    assert_string_equal(clip->morphs[0].name, "aa");
    assert_int_equal(clip->morphs[0].count, 3);
    assert_near(clip->morphs[0].frame[1] / clip->fps, 1, 1e-9);
    assert_near(clip->morphs[0].weight[1], 1, 1e-6);
    assert_int_equal(clip->morphs[1].count, 1);
    assert_near(clip->morphs[1].weight[0], 0.5, 1e-6);
    made_free(&m);
}

static void what_is_above_the_joints_moves_and_scales_them(void **state)
{
    (void)state;
    made m = {0};
    /* A tenth of the size, turned by 90 degrees about x: y becomes z, thus -z. */
    made_finish(&m,
                "\"nodes\": [{\"name\": \"hand\"}, {\"name\": \"hips\", \"translation\": [0, 10, 0], \"children\": "
                "[2]}, {\"name\": \"chest\", \"translation\": [0, 5, 0], \"children\": [0]}, {\"name\": \"armature\", "
                "\"scale\": [0.1, 0.1, 0.1], \"rotation\": [0.70710678, 0, 0, 0.70710678], \"translation\": [1, 0, "
                "0], \"children\": [1]}, {\"name\": \"camera\", \"camera\": 0}], \"skins\": [{\"joints\": [2, 1]}]");
    assert_ok(made_read(&m), m.error);
    const od_skeleton *s = &m.scene.skeleton;
    assert_int_equal(s->count, 3);
    assert_string_equal(s->bones[0].name, "hips");
    assert_string_equal(s->bones[1].name, "chest");
    assert_string_equal(s->bones[2].name, "hand"); /* no joint, but the end of one */
    assert_place(s->bones[0].rest_world, 1, 0, -1);
    assert_place(s->bones[1].rest_world, 1, 0, -1.5);
    assert_int_equal(m.scene.clip_count, 0);
    assert_int_equal(m.report.warnings, 1);
    made_free(&m);
}

static void uneven_scales_move_what_is_below(void **state)
{
    (void)state;
    made m = {0};
    /* The parent's scale stretches along its x; the child is turned by 90 degrees about z in it. */
    made_finish(&m, "\"nodes\": [{\"name\": \"a\", \"scale\": [3, 1, 1], \"children\": [1]}, {\"name\": \"b\", "
                    "\"translation\": [1, 1, 0], \"rotation\": [0, 0, 0.70710678, 0.70710678], \"children\": [2]}, "
                    "{\"name\": \"c\", \"translation\": [0, 1, 0]}], \"skins\": [{\"joints\": [0, 1, 2]}]");
    assert_ok(made_read(&m), m.error);
    assert_place(m.scene.skeleton.bones[1].rest_world, 3, 1, 0);
    assert_place(m.scene.skeleton.bones[2].rest_world, 0, 1, 0);
    assert_turn(m.scene.skeleton.bones[2].rest_world, 0, 0, 0.70710678, 0.70710678);
    made_free(&m);
}

static void a_matrix_is_taken_apart(void **state)
{
    (void)state;
    made m = {0};
    /* 90 degrees about y, twice the size: x becomes -z. */
    made_finish(&m, "\"nodes\": [{\"matrix\": [0, 0, -2, 0, 0, 2, 0, 0, 2, 0, 0, 0, 7, 8, 9, 1], \"children\": [1]}, "
                    "{\"translation\": [1, 0, 0]}]");
    assert_ok(made_read(&m), m.error);
    assert_place(m.scene.skeleton.bones[0].rest, 7, 8, -9);
    assert_turn(m.scene.skeleton.bones[0].rest, 0, -0.70710678, 0, 0.70710678);
    assert_place(m.scene.skeleton.bones[1].rest_world, 7, 8, -7);
    assert_string_equal(m.scene.skeleton.bones[1].name, "node_1");
    made_free(&m);
}

static void trees_of_joints_hang_on_what_they_share(void **state)
{
    (void)state;
    made m = {0};
    made_finish(&m, "\"nodes\": [{\"name\": \"top\", \"children\": [1]}, {\"name\": \"both\", \"children\": [2, 3]}, "
                    "{\"name\": \"x\"}, {\"name\": \"y\"}], \"skins\": [{\"joints\": [2]}, {\"joints\": [3]}]");
    assert_ok(made_read(&m), m.error);
    assert_int_equal(m.scene.skeleton.count, 3);
    assert_string_equal(m.scene.skeleton.bones[0].name, "both");
    assert_int_equal(m.scene.skeleton.bones[2].parent, 0);
    made_free(&m);
}

/* Two joints, the upper turned by 90 degrees about z, with these inverse bind matrices. */
static void bind_joints(made *m, const float *inverse)
{
    char body[1024];
    snprintf(body, sizeof body,
             "\"nodes\": [{\"name\": \"hips\", \"translation\": [1, 2, 3], \"rotation\": [0, 0, 0.70710678, "
             "0.70710678], \"children\": [1]}, {\"name\": \"chest\", \"translation\": [0, 4, 0]}], \"skins\": "
             "[{\"joints\": [1, 0], \"inverseBindMatrices\": %d}]",
             made_floats(m, inverse, 2, "MAT4"));
    made_finish(m, body);
}

static void the_rest_is_where_joints_were_bound(void **state)
{
    (void)state;
    /* The chest not turned, 2 above the hips: the nodes' bones are twice as long, which is what counts. */
    static const float inverse[] = {1, 0,  0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  -4, 0, 1,
                                    0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, -2, 0,  0, 1};
    made m = {0};
    bind_joints(&m, inverse);
    assert_ok(made_read(&m), m.error);
    const od_bone *bones = m.scene.skeleton.bones;
    assert_true(m.scene.rest_is_bind);
    assert_place(bones[0].rest_world, 1, 2, -3);
    assert_turn(bones[0].rest_world, 0, 0, 0.70710678, 0.70710678);
    assert_place(bones[1].rest_world, 1, 6, -3);
    assert_turn(bones[1].rest_world, 0, 0, 0, 1);
    made_free(&m);
}

static void nodes_that_stand_as_bound_are_the_rest(void **state)
{
    (void)state;
    /* The pose of the nodes, but turned about y by 90 degrees as a whole and ten times the size. */
    static const float inverse[] = {0, 0, 0.1f, 0, -0.1f, 0, 0, 0, 0, -0.1f, 0, 0, 0, -4, 0, 1,
                                    0, 0, 0.1f, 0, -0.1f, 0, 0, 0, 0, -0.1f, 0, 0, 0, 0,  0, 1};
    made m = {0};
    bind_joints(&m, inverse);
    assert_ok(made_read(&m), m.error);
    const od_bone *bones = m.scene.skeleton.bones;
    assert_turn(bones[0].rest_world, 0, 0, 0.70710678, 0.70710678);
    assert_place(bones[1].rest_world, -3, 2, -3);
    assert_int_equal(m.report.warnings, 1); /* no animation */
    made_free(&m);
}

static void matrices_without_an_inverse_bind_nothing(void **state)
{
    (void)state;
    static const float inverse[32] = {0};
    made m = {0};
    bind_joints(&m, inverse);
    assert_ok(made_read(&m), m.error);
    assert_false(m.scene.rest_is_bind);
    assert_place(m.scene.skeleton.bones[1].rest_world, -3, 2, -3);
    made_free(&m);
}

/* The file is refused with these words. */
static void assert_refused(const char *body, const char *words)
{
    made m = {0};
    made_floats(&m, TIMES, 2, "SCALAR");
    made_finish(&m, body);
    assert_fails(made_read(&m), m.error, words);
    made_free(&m);
}

static void nodes_below_themselves_are_refused(void **state)
{
    (void)state;
    assert_refused("\"nodes\": [{\"children\": [1]}, {\"children\": [0]}]", "$.nodes: some nodes are below themselves");
    assert_refused("\"nodes\": [{\"children\": [0]}]", "below themselves");
    assert_refused("\"nodes\": [{\"children\": [2]}, {\"children\": [2]}, {}]",
                   "$.nodes[1].children[0]: node 2 is a child of node 0 already");
    assert_refused("\"nodes\": [{\"children\": [9]}]", "$.nodes[0].children[0]: expected an index below 1, found 9");
}

static void extensions_that_are_not_known_are_refused_by_name(void **state)
{
    (void)state;
    assert_refused("\"nodes\": [{}], \"extensionsRequired\": [\"KHR_materials_unlit\", \"ACME_bones\"]",
                   "$.extensionsRequired[1]: the file needs the extension \"ACME_bones\"");
}

static void memory_that_is_out_is_told(void **state)
{
    (void)state;
    static const float inverse[] = {1, 0,  0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  -4, 0, 1,
                                    0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, -2, 0,  0, 1};
    made m = {0};
    int times = made_floats(&m, TIMES, 2, "SCALAR"), weights = made_floats(&m, TIMES, 2, "SCALAR");
    char body[1024];
    snprintf(body, sizeof body,
             "\"nodes\": [{\"children\": [1]}, {\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"targets\": [{}]}]}], "
             "\"skins\": [{\"joints\": [0, 1], \"inverseBindMatrices\": %d}], \"animations\": [{\"channels\": "
             "[{\"sampler\": 0, \"target\": {\"node\": 1, \"path\": \"weights\"}}], \"samplers\": [{\"input\": %d, "
             "\"output\": %d}]}]",
             made_floats(&m, inverse, 2, "MAT4"), times, weights);
    made_finish(&m, body);
    od_file file = {.name = "made.gltf", .data = (const unsigned char *)m.text, .size = strlen(m.text)};
    bool done = false;
    for (size_t n = 1; !done && n < 200; n++) {
        od_arena *arena = od_arena_new(0);
        od_error error = {0};
        od_scene scene;
        assert_non_null(arena);
        od_arena_fail_at(arena, n);
        done = od_read_scene(&file, NULL, NULL, &scene, NULL, arena, &error);
        assert_true(done != error.failed);
        assert_true(done || n < 199);
        od_arena_free(arena);
    }
    assert_true(done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_places_are_mixed_and_z_is_mirrored),
        cmocka_unit_test(rotations_take_the_short_path),
        cmocka_unit_test(steps_hold_until_the_next_key),
        cmocka_unit_test(cubic_tangents_are_scaled_by_the_segment),
        cmocka_unit_test(before_the_first_key_it_holds),
        cmocka_unit_test(one_key_is_one_frame),
        cmocka_unit_test(keys_at_24_fps_stay_at_24_fps),
        cmocka_unit_test(weights_are_tracks_named_by_the_mesh),
        cmocka_unit_test(what_is_above_the_joints_moves_and_scales_them),
        cmocka_unit_test(uneven_scales_move_what_is_below),
        cmocka_unit_test(a_matrix_is_taken_apart),
        cmocka_unit_test(trees_of_joints_hang_on_what_they_share),
        cmocka_unit_test(the_rest_is_where_joints_were_bound),
        cmocka_unit_test(nodes_that_stand_as_bound_are_the_rest),
        cmocka_unit_test(matrices_without_an_inverse_bind_nothing),
        cmocka_unit_test(memory_that_is_out_is_told),
        cmocka_unit_test(nodes_below_themselves_are_refused),
        cmocka_unit_test(extensions_that_are_not_known_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
