/* MMD motions as sources: given back on the model that they were made for, planted on others. */
#include "odori/bake.h"

#include "odori/check.h"
#include "rig.h"

static const od_check_options OURS = {.agreeing = true};

/* A dance on the standard model: the output of a conversion. */
static void open_dance(rig *r, uint32_t seed)
{
    static const rig_shape shape = {0};
    rig_open(r, &shape, RIG_FRAMES);
    rig_dance(r, seed);
    rig_solve(r);
}

/* Converts the keys of `from`, played on its model, for the target of `to`. */
static void convert(rig *from, rig *to, od_retarget_result *result, od_keys *keys)
{
    od_scene *scene = OD_NEW(from->arena, od_scene, 1, &from->error);
    od_mapping mapping;
    od_binding binding;
    assert_non_null(scene);
    assert_ok(od_bake(&from->target, &from->keys, scene, from->arena, &from->error), from->error);
    assert_ok(od_mapping_from_roles(&scene->skeleton, scene->roles, &mapping, &from->report, from->arena, &from->error),
              from->error);
    assert_ok(
        od_binding_make(&mapping, &scene->skeleton, &to->target, &binding, &from->report, from->arena, &from->error),
        from->error);
    assert_ok(od_retarget(scene, &scene->clips[0], &binding, &to->target, &from->options, keys, result, &from->report,
                          from->arena, &from->error),
              from->error);
}

static void a_baked_motion_stands_as_the_oracle_plays_it(void **state)
{
    rig r;
    od_scene scene;
    od_xform world[RIG_JOINTS];
    (void)state;
    open_dance(&r, 1);
    assert_ok(od_bake(&r.target, &r.keys, &scene, r.arena, &r.error), r.error);
    assert_int_equal(scene.clips[0].frames, RIG_FRAMES);
    for (int f = 0; f < RIG_FRAMES; f += 7) {
        od_clip_world(&scene.clips[0], f, &scene.skeleton, world);
        for (int role = 0; role < OD_ROLE_COUNT; role++) {
            int bone = r.target.role[role];
            if (bone < 0) continue;
            xformd have = {quatd_of(world[bone].q), vecd_of(world[bone].t)}, want = rig_played(&r, f, (od_role)role);
            assert_near(vecd_distance(have.t, want.t), 0, 2e-4);
            assert_near(quatd_angle(have.q, want.q), 0, 0.01);
        }
    }
    rig_close(&r);
}

static void the_same_model_gets_the_same_motion(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed < 4; seed++) {
        rig r;
        od_retarget_result result;
        od_keys before;
        open_dance(&r, seed);
        before = r.keys;
        convert(&r, &r, &result, &r.keys);
        static const od_role seen[] = {OD_ROLE_HEAD,   OD_ROLE_WRIST_L, OD_ROLE_WRIST_R, OD_ROLE_KNEE_L,
                                       OD_ROLE_KNEE_R, OD_ROLE_ANKLE_L, OD_ROLE_ANKLE_R, OD_ROLE_LITTLE3_L};
        for (int f = 0; f < RIG_FRAMES; f++)
            for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
                od_keys after = r.keys;
                xformd have = rig_played(&r, f, seen[i]);
                r.keys = before;
                xformd want = rig_played(&r, f, seen[i]);
                r.keys = after;
                assert_near(vecd_distance(have.t, want.t), 0, 1e-3);
                assert_near(quatd_angle(have.q, want.q), 0, 0.01);
            }
        rig_close(&r);
    }
}

/* On a model with longer legs and shorter arms: feet stay on the floor and in place, limbs point as before. */
static void another_model_stands_and_points_as_the_first(void **state)
{
    rig from, to;
    od_retarget_result result;
    od_keys keys;
    od_check check;
    (void)state;
    open_dance(&from, 2);
    rig_open(&to, &(rig_shape){0}, 1);
    for (int side = 0; side < 2; side++) {
        static const od_role legs[] = {OD_ROLE_KNEE_L, OD_ROLE_ANKLE_L, OD_ROLE_TOE_L};
        vecd elbow = vecd_of(to.target.skeleton.bones[to.target.role[OD_ROLE_ELBOW_L + side]].rest_world.t);
        rig_move(&to, OD_ROLE_ELBOW_L + side, vecd_add(elbow, (vecd){side ? 0.3 : -0.3, 0.2, 0}));
        for (int i = 0; i < 1; i++) {
            vecd knee = vecd_of(to.target.skeleton.bones[to.target.role[legs[i] + side]].rest_world.t);
            rig_move(&to, legs[i] + side, vecd_add(knee, (vecd){0, 0.4, 0}));
        }
    }
    convert(&from, &to, &result, &keys);
    assert_ok(od_check_motion(&to.target, &keys, &result.reference, &OURS, &check, &to.report, to.arena, &to.error),
              to.error);
    assert_int_equal(check.iterations, 0);
    for (int i = 0; i < check.figure_count; i++) {
        const od_figure *f = &check.figures[i];
        if (f->measure == OD_MEASURE_DIRECTION && (!strcmp(f->group, "upper arms") || !strcmp(f->group, "forearms")))
            assert_true(f->max < 0.05f);
        assert_true(od_figure_judged(f) <= od_measures()[f->measure].limit);
    }
    rig_close(&from);
    rig_close(&to);
}

static void morphs_pass_to_models_that_have_them(void **state)
{
    static const float weights[] = {0, 1, 0.25f};
    static const unsigned frames[] = {0, 20, 80};
    static const char *have[] = {"まばたき", "あ"};
    rig r;
    od_retarget_result result;
    od_keys keys;
    (void)state;
    open_dance(&r, 3);
    od_morph_track morphs[] = {{"あ", 3, frames, weights}, {"ない", 3, frames, weights}};
    r.keys.morphs = morphs;
    r.keys.morph_count = 2;
    r.target.morphs = have;
    r.target.morph_count = 2;
    r.options.resample = (od_resample_options){.start = 10 / 30.0, .end = 50 / 30.0, .speed = 2};
    convert(&r, &r, &result, &keys);
    assert_int_equal(keys.morph_count, 1);
    assert_string_equal(keys.morphs[0].name, "あ");
    assert_int_equal(result.frames, 21);
    /* Source frames 10, 20 and 50 are frames 0, 5 and 20. */
    static const unsigned want_frames[] = {0, 5, 20};
    static const double want[] = {0.5, 1, 1 - 0.75 * 30 / 60};
    assert_int_equal(keys.morphs[0].count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(keys.morphs[0].frame[i], want_frames[i]);
        assert_near(keys.morphs[0].weight[i], want[i], 1e-6);
    }
    rig_close(&r);
}

static void faces_of_vrm_find_the_models_own_names(void **state)
{
    static const float weights[] = {0, 1};
    static const char *have[] = {"い", "にこり", "あ"};
    rig r;
    od_retarget_result result;
    od_keys keys;
    (void)state;
    open_dance(&r, 4);
    /* The first name for happy is not in the model, the second is; い has its own name and none else. */
    od_morph_track morphs[] = {{"aa", 2, NULL, weights},
                               {"happy", 2, NULL, weights},
                               {"relaxed", 2, NULL, weights},
                               {"い", 2, NULL, weights},
                               {"surprised", 2, NULL, weights}};
    r.keys.morphs = morphs;
    r.keys.morph_count = 5;
    r.target.morphs = have;
    r.target.morph_count = 3;
    convert(&r, &r, &result, &keys);
    assert_int_equal(keys.morph_count, 3);
    assert_string_equal(keys.morphs[0].name, "あ");
    assert_string_equal(keys.morphs[1].name, "にこり");
    assert_string_equal(keys.morphs[2].name, "い");
    rig_close(&r);
}

static void the_floor_and_the_place_on_the_stage_are_kept(void **state)
{
    rig r;
    od_retarget_result result;
    od_keys keys;
    (void)state;
    rig_open(&r, &(rig_shape){0}, 10);
    for (int f = 0; f < 10; f++) {
        rig_pose pose = rig_rest();
        rig_put(&r, f, &pose);
    }
    rig_solve(&r);
    /* Five units to the left, two up, turned to the back. */
    vec3s *way = OD_NEW(r.arena, vec3s, 10, &r.error);
    versors *turn = OD_NEW(r.arena, versors, 10, &r.error);
    assert_true(way && turn);
    for (int f = 0; f < 10; f++) {
        way[f] = od_vec3(5, 2, 0);
        turn[f] = od_quat_axis_angle(od_vec3(0, 1, 0), 3.14159265f);
    }
    od_track track = {.name = "全ての親", .count = 10, .position = way, .rotation = turn};
    r.keys.tracks = &track;
    r.keys.track_count = 1;
    xformd want = rig_played(&r, 5, OD_ROLE_HEAD), foot = rig_played(&r, 5, OD_ROLE_ANKLE_L);
    convert(&r, &r, &result, &keys);
    r.keys = keys;
    assert_near(vecd_distance(rig_played(&r, 5, OD_ROLE_HEAD).t, want.t), 0, 0.01);
    assert_near(vecd_distance(rig_played(&r, 5, OD_ROLE_ANKLE_L).t, foot.t), 0, 0.02);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_baked_motion_stands_as_the_oracle_plays_it),
        cmocka_unit_test(the_same_model_gets_the_same_motion),
        cmocka_unit_test(another_model_stands_and_points_as_the_first),
        cmocka_unit_test(morphs_pass_to_models_that_have_them),
        cmocka_unit_test(faces_of_vrm_find_the_models_own_names),
        cmocka_unit_test(the_floor_and_the_place_on_the_stage_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
