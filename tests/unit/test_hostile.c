/* Degenerate rigs, models and options: finite keys or a clear error, never anything else. */
#include "rig.h"

static const rig_shape PLAIN = {0};

static bool solve_clip(rig *r)
{
    return od_retarget(&r->scene, &r->clip, &r->binding, &r->target, &r->options, &r->keys, &r->result, &r->report,
                       r->arena, &r->error);
}

static bool solve(rig *r)
{
    rig_clip(r);
    return solve_clip(r);
}

/* Good keys, or a failure with a sentence. */
static bool check_either(rig *r)
{
    if (solve(r)) {
        rig_check_keys(r);
        assert_false(r->error.failed);
        return true;
    }
    assert_true(r->error.failed);
    assert_true(strlen(r->error.message) > 10);
    return false;
}

/* Puts a joint onto another's place, at rest and in the motion. */
static void collapse(rig *r, od_role role)
{
    int joint = r->joint[role];
    r->scene.skeleton.bones[joint].rest.t = od_vec3(0, 0, 0);
    for (int f = 0; f < r->clip.frames; f++)
        r->local[(size_t)f * (size_t)r->clip.bones + (size_t)joint].t = od_vec3(0, 0, 0);
    od_skeleton_finish(&r->scene.skeleton);
}

static void all_joints_in_one_point_are_an_error(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, 10);
    for (int i = 0; i < OD_ROLE_COUNT; i++)
        if (r.joint[i] >= 0) collapse(&r, (od_role)i);
    assert_false(check_either(&r));
    rig_close(&r);
}

static void hips_in_one_point_are_an_error(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, 10);
    collapse(&r, OD_ROLE_LEG_L);
    collapse(&r, OD_ROLE_LEG_R);
    assert_fails(solve(&r), r.error, "hips");
    rig_close(&r);
}

static void any_joint_on_its_parent_gives_finite_keys_or_an_error(void **state)
{
    (void)state;
    for (int i = 0; i < OD_ROLE_COUNT; i++) {
        rig r;
        rig_open(&r, &PLAIN, 10);
        rig_dance(&r, 1);
        if (r.joint[i] >= 0) collapse(&r, (od_role)i);
        check_either(&r);
        rig_close(&r);
    }
}

static void legs_without_length_give_finite_keys_or_an_error(void **state)
{
    (void)state;
    static const od_role pairs[][2] = {{OD_ROLE_KNEE_L, OD_ROLE_KNEE_R}, {OD_ROLE_ANKLE_L, OD_ROLE_ANKLE_R}};
    for (int i = 0; i < 3; i++) {
        rig r;
        rig_open(&r, &PLAIN, 10);
        rig_dance(&r, 2);
        for (int k = 0; k < 2; k++) {
            if (i == 2) collapse(&r, pairs[0][k]);
            collapse(&r, pairs[i % 2][k]);
        }
        check_either(&r);
        rig_close(&r);
    }
}

static void a_target_that_lacks_any_one_bone_gives_finite_keys_or_an_error(void **state)
{
    (void)state;
    for (int i = 0; i < OD_ROLE_COUNT; i++) {
        rig r;
        rig_open(&r, &PLAIN, 5);
        rig_dance(&r, 3);
        od_role role = (od_role)i;
        if (r.target.role[role] >= 0) {
            bool linked = false; /* links of IK chains are what the chain is made of */
            for (int c = 0; c < r.target.ik_count; c++)
                for (int k = 0; k < r.target.ik[c].link_count; k++)
                    linked = linked || r.target.ik[c].links[k].bone == r.target.role[role];
            if (!linked) rig_without(&r, &role, 1);
        }
        check_either(&r);
        rig_close(&r);
    }
}

static void a_target_with_any_bone_on_its_parent_gives_finite_keys_or_an_error(void **state)
{
    (void)state;
    for (int i = 0; i < OD_ROLE_COUNT; i++) {
        rig r;
        rig_open(&r, &PLAIN, 5);
        rig_dance(&r, 4);
        int bone = r.target.role[i];
        int parent = bone >= 0 ? r.target.skeleton.bones[bone].parent : -1;
        if (parent >= 0) rig_move(&r, (od_role)i, vecd_of(r.target.skeleton.bones[parent].rest_world.t));
        check_either(&r);
        rig_close(&r);
    }
}

static void a_source_that_lacks_any_role_but_the_legs_is_solved(void **state)
{
    (void)state;
    for (int i = 0; i < OD_ROLE_COUNT; i++) {
        bool leg = i >= OD_ROLE_LEG_L && i <= OD_ROLE_ANKLE_R;
        if (leg) continue;
        rig r;
        rig_open(&r, &PLAIN, 5);
        rig_dance(&r, 5);
        r.binding.source_of_role[i] = -1;
        r.binding.translation_source = i % 2 ? -1 : r.binding.translation_source;
        assert_ok(solve(&r), r.error);
        rig_check_keys(&r);
        rig_close(&r);
    }
}

static void legs_alone_are_solved(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, 5);
    rig_dance(&r, 6);
    for (int i = 0; i < OD_ROLE_COUNT; i++)
        if (i < OD_ROLE_LEG_L || i > OD_ROLE_ANKLE_R) r.binding.source_of_role[i] = -1;
    check_either(&r);
    rig_close(&r);
}

static void clips_of_one_and_two_frames_are_solved(void **state)
{
    (void)state;
    for (int frames = 1; frames <= 2; frames++)
        for (int lock = OD_FOOT_LOCK_OFF; lock <= OD_FOOT_LOCK_HARD; lock++) {
            rig r;
            rig_open(&r, &PLAIN, frames);
            rig_dance(&r, 7);
            r.options.foot_lock = (od_foot_lock)lock;
            r.options.keep_first = false;
            rig_solve(&r);
            assert_int_equal(r.result.frames, frames);
            rig_check_keys(&r);
            rig_close(&r);
        }
}

static void extreme_units_are_solved(void **state)
{
    (void)state;
    static const double units[] = {1e-5, 1e5};
    for (int i = 0; i < 2; i++) {
        rig r;
        rig_open(&r, &(rig_shape){.unit = units[i]}, 20);
        rig_dance(&r, 8);
        rig_solve(&r);
        rig_check_keys(&r);
        rig_close(&r);
    }
}

static void wrong_options_are_errors(void **state)
{
    (void)state;
    static const double scales[] = {0, -1, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 4; i++) {
        rig r;
        rig_open(&r, &PLAIN, 5);
        r.options.scale_kind = OD_SCALE_FIXED;
        r.options.scale = scales[i];
        assert_fails(solve(&r), r.error, "scale");
        rig_close(&r);
    }
    rig r;
    rig_open(&r, &PLAIN, 5);
    r.options.resample.speed = -1;
    assert_fails(solve(&r), r.error, "speed");
    rig_close(&r);
    rig_open(&r, &PLAIN, 5);
    r.options.resample.start = 100;
    assert_fails(solve(&r), r.error, "empty");
    rig_close(&r);
    rig_open(&r, &PLAIN, 5);
    r.options.ground_set = true;
    r.options.ground = (double)NAN;
    check_either(&r);
    rig_close(&r);
    rig_open(&r, &PLAIN, 5);
    r.options.arm_angle_set = true;
    r.options.arm_angle = NAN;
    check_either(&r);
    rig_close(&r);
}

static void memory_that_runs_out_anywhere_is_an_error(void **state)
{
    (void)state;
    size_t n = 1;
    for (;; n++) {
        rig r;
        rig_open(&r, &(rig_shape){.no_fingers = true}, 8);
        rig_dance(&r, 9);
        r.options.resample.speed = 1.3;
        r.options.foot_lock = OD_FOOT_LOCK_HARD;
        r.options.mother = r.options.groove = true;
        rig_clip(&r);
        od_arena_fail_at(r.arena, n);
        bool done = solve_clip(&r);
        assert_true(done == !r.error.failed);
        rig_close(&r);
        if (done) break;
        assert_true(n < 5000);
    }
    assert_true(n > 50); /* the solver does allocate */
}

static void the_same_input_gives_the_same_bytes(void **state)
{
    (void)state;
    rig a, b;
    rig_open(&a, &PLAIN, 30);
    rig_open(&b, &PLAIN, 30);
    rig_dance(&a, 10);
    rig_dance(&b, 10);
    rig_solve(&a);
    rig_solve(&b);
    assert_int_equal(a.keys.track_count, b.keys.track_count);
    for (int i = 0; i < a.keys.track_count; i++) {
        const od_track *x = &a.keys.tracks[i], *y = &b.keys.tracks[i];
        assert_int_equal(x->count, y->count);
        if (x->rotation) assert_memory_equal(x->rotation, y->rotation, (size_t)x->count * sizeof *x->rotation);
        if (x->position) assert_memory_equal(x->position, y->position, (size_t)x->count * sizeof *x->position);
    }
    rig_close(&a);
    rig_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_joints_in_one_point_are_an_error),
        cmocka_unit_test(hips_in_one_point_are_an_error),
        cmocka_unit_test(any_joint_on_its_parent_gives_finite_keys_or_an_error),
        cmocka_unit_test(legs_without_length_give_finite_keys_or_an_error),
        cmocka_unit_test(a_target_that_lacks_any_one_bone_gives_finite_keys_or_an_error),
        cmocka_unit_test(a_target_with_any_bone_on_its_parent_gives_finite_keys_or_an_error),
        cmocka_unit_test(a_source_that_lacks_any_role_but_the_legs_is_solved),
        cmocka_unit_test(legs_alone_are_solved),
        cmocka_unit_test(clips_of_one_and_two_frames_are_solved),
        cmocka_unit_test(extreme_units_are_solved),
        cmocka_unit_test(wrong_options_are_errors),
        cmocka_unit_test(memory_that_runs_out_anywhere_is_an_error),
        cmocka_unit_test(the_same_input_gives_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
