/* The rest pose of the source: found, checked, turned upright and to the front. */
#include "odori/rest.h"

#include "rig.h"

static const rig_shape PLAIN = {0};

static bool choose(rig *r, od_bind bind, bool keep_heading, od_rest *rest)
{
    od_rest_options options = {.bind = bind, .keep_heading = keep_heading};
    return od_rest_choose(&r->scene, rig_clip(r), &r->binding, &options, rest, &r->report, r->arena, &r->error);
}

static od_rest choose_ok(rig *r)
{
    od_rest rest;
    assert_ok(choose(r, (od_bind){OD_BIND_AUTO, 0}, false, &rest), r->error);
    return rest;
}

/* The rest stands upright and faces -Z, its left hip on +X. */
static void check_upright(const rig *r, const od_rest *rest, double tolerance)
{
    vecd left = vecd_of(rest->world[r->joint[OD_ROLE_LEG_L]].t),
         right = vecd_of(rest->world[r->joint[OD_ROLE_LEG_R]].t);
    vecd neck = vecd_of(rest->world[r->joint[OD_ROLE_NECK]].t);
    vecd hips = vecd_scale(vecd_add(left, right), 0.5), side = vecd_sub(left, right);
    side.y = 0;
    assert_near(vecd_angle(side, AXIS_X), 0, 0.05);
    assert_near(vecd_angle(vecd_sub(neck, hips), AXIS_Y), 0, tolerance);
}

static void a_t_pose_is_taken_as_it_is(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &(rig_shape){.turned_bind = true}, 10);
    rig_dance(&r, 1);
    od_rest rest = choose_ok(&r);
    assert_int_equal(rest.bind.kind, OD_BIND_REST);
    assert_true(rest.zero_is_pose);
    assert_string_equal(rest.up, "y");
    assert_near(rest.heading, 0, 0.05);
    assert_near(quatd_angle(quatd_of(rest.turn), NO_TURN), 0, 0.05);
    check_upright(&r, &rest, 3);
    rig_close(&r);
}

static void up_is_found_from_the_rig(void **state)
{
    (void)state;
    static const struct {
        vecd axis;
        double angle;
        const char *up; /* as a right-handed file has it: readers mirror z */
    } cases[] = {{{1, 0, 0}, -90, "z"}, {{1, 0, 0}, 90, "-z"},  {{0, 0, 1}, -90, "x"},
                 {{0, 0, 1}, 90, "-x"}, {{0, 0, 1}, 180, "-y"}, {{0, 1, 0}, 40, "y"}};
    for (int i = 0; i < 6; i++) {
        rig r;
        rig_open(&r, &(rig_shape){.turned_bind = true}, 10);
        rig_dance(&r, 2);
        rig_turn(&r, quatd_axis(cases[i].axis, cases[i].angle), true);
        od_rest rest = choose_ok(&r);
        assert_string_equal(rest.up, cases[i].up);
        check_upright(&r, &rest, 3);
        rig_close(&r);
    }
}

/* A source whose root alone is turned, and moved by `way` cm. */
static void turn_motion(rig *r, quatd q, vecd way)
{
    rig_turn(r, q, false);
    for (int f = 0; f < r->clip.frames; f++) {
        od_xform *root = &r->local[(size_t)f * (size_t)r->clip.bones];
        root->t = glms_vec3_add(root->t,
                                od_vec3((float)(way.x * r->unit), (float)(way.y * r->unit), (float)(way.z * r->unit)));
    }
}

static void up_can_be_told_where_the_floor_is_far(void **state)
{
    (void)state;
    static const struct {
        double angle;
        od_up up;
        const char *name;
    } cases[] = {{-90, OD_UP_Z, "z"}, {90, OD_UP_MINUS_Z, "-z"}, {180, OD_UP_MINUS_Y, "-y"}};
    for (int i = 0; i < 3; i++) {
        rig r;
        od_rest rest = {.up = NULL};
        rig_open(&r, &PLAIN, 10);
        turn_motion(&r, quatd_axis(AXIS_X, cases[i].angle), (vecd){0, 500, 700});
        assert_string_equal(choose_ok(&r).up, "y");
        assert_true(i == 2 || strstr(r.report.last->text, "--up"));
        od_rest_options options = {.up = cases[i].up};
        assert_ok(od_rest_choose(&r.scene, &r.clip, &r.binding, &options, &rest, &r.report, r.arena, &r.error),
                  r.error);
        assert_string_equal(rest.up, cases[i].name);
        check_upright(&r, &rest, 3);
        vecd neck = rig_world(&r, 5, r.joint[OD_ROLE_NECK]).t, hips = rig_world(&r, 5, r.joint[OD_ROLE_LOWER_BODY]).t;
        assert_near(vecd_angle(quatd_rotate(quatd_of(rest.turn), vecd_sub(neck, hips)), AXIS_Y), 0, 3);
        rig_close(&r);
    }
}

static void heading_is_what_the_source_was_turned_by(void **state)
{
    (void)state;
    for (int yaw = -170; yaw <= 180; yaw += 35) {
        rig r;
        od_rest rest;
        rig_open(&r, &PLAIN, 10);
        rig_turn(&r, quatd_axis(AXIS_Y, yaw), true);
        rest = choose_ok(&r);
        double off = fmod((double)rest.heading + yaw + 540, 360) - 180;
        assert_near(off, 0, 0.05);
        assert_near(quatd_angle(quatd_of(rest.turn), quatd_axis(AXIS_Y, -yaw)), 0, 0.05);
        assert_ok(choose(&r, (od_bind){OD_BIND_AUTO, 0}, true, &rest), r.error);
        assert_near(quatd_angle(quatd_of(rest.turn), NO_TURN), 0, 0.05); /* kept */
        check_upright(&r, &rest, 3);
        rig_close(&r);
    }
}

/* A dance in which one frame stands straight, arms anywhere. */
static void dance_and_stand(rig *r, int stand)
{
    rig_dance(r, 12);
    rig_pose pose = rig_rest();
    pose.hips = (vecd){20, 0, -10};
    pose.turn[r->joint[OD_ROLE_ARM_L]] = quatd_axis(AXIS_Z, -60);
    pose.turn[r->joint[OD_ROLE_ARM_R]] = quatd_axis(AXIS_Z, 50);
    rig_put(r, stand, &pose);
}

static void a_zero_pose_that_is_no_pose_is_detected_and_a_standing_frame_taken(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, RIG_FRAMES);
    rig_forget_rest(&r);
    dance_and_stand(&r, 37);
    od_rest rest = choose_ok(&r);
    assert_false(rest.zero_is_pose);
    assert_int_equal(rest.bind.kind, OD_BIND_FRAME);
    assert_int_equal(rest.bind.frame, 37);
    assert_string_equal(rest.up, "y");
    check_upright(&r, &rest, 3);
    rig_close(&r);
}

/* Largest angle between a segment of the source and of the output, but for one frame. */
static double off_by(const rig *r, od_role from, od_role to, int but)
{
    double worst = 0;
    for (int f = 0; f < r->result.frames; f++)
        if (f != but) worst = fmax(worst, vecd_angle(rig_source_way(r, f, from, to), rig_played_way(r, f, from, to)));
    return worst;
}

static void check_directions(rig *r, int but)
{
    static const od_role limbs[][2] = {{OD_ROLE_ARM_L, OD_ROLE_ELBOW_L},
                                       {OD_ROLE_ELBOW_L, OD_ROLE_WRIST_L},
                                       {OD_ROLE_WRIST_L, OD_ROLE_MIDDLE1_L},
                                       {OD_ROLE_LEG_L, OD_ROLE_KNEE_L},
                                       {OD_ROLE_KNEE_L, OD_ROLE_ANKLE_L}};
    r->options.feet = OD_FEET_RELATIVE;
    r->options.keep_heading = true; /* compared with the source as it is */
    rig_solve(r);
    assert_int_equal(r->result.bind.kind, OD_BIND_FRAME);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 5; i++) assert_near(off_by(r, limbs[i][0] + side, limbs[i][1] + side, but), 0, 0.05);
}

static void directions_from_a_chosen_frame_are_as_good_as_from_a_rest_pose(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, RIG_FRAMES);
    rig_forget_rest(&r);
    dance_and_stand(&r, 37);
    check_directions(&r, 37); /* its legs are straighter than the model's can be */
    rig_close(&r);
}

static void directions_are_good_even_when_no_frame_stands_straight(void **state)
{
    (void)state;
    for (uint32_t seed = 13; seed < 16; seed++) {
        rig r;
        rig_open(&r, &PLAIN, RIG_FRAMES);
        rig_forget_rest(&r);
        rig_dance(&r, seed);
        check_directions(&r, -1);
        rig_close(&r);
    }
}

static void a_frame_can_be_asked_for(void **state)
{
    (void)state;
    rig r;
    od_rest rest;
    rig_open(&r, &(rig_shape){.turned_bind = true}, 10);
    rig_dance(&r, 3);
    rig_pose pose = rig_rest();
    pose.turn[r.joint[OD_ROLE_ARM_L]] = quatd_axis(AXIS_Z, -75);
    rig_put(&r, 4, &pose);
    assert_ok(choose(&r, (od_bind){OD_BIND_FRAME, 4}, false, &rest), r.error);
    assert_int_equal(rest.bind.kind, OD_BIND_FRAME);
    assert_int_equal(rest.bind.frame, 4);
    vecd arm = vecd_sub(vecd_of(rest.world[r.joint[OD_ROLE_ELBOW_L]].t), vecd_of(rest.world[r.joint[OD_ROLE_ARM_L]].t));
    assert_near(vecd_angle(arm, (vecd){cos(75 * DEGREE), -sin(75 * DEGREE), 0}), 0, 0.05);
    rig_close(&r);
}

static void a_frame_out_of_range_is_an_error(void **state)
{
    (void)state;
    static const int frames[] = {10, -1, 100000};
    for (int i = 0; i < 3; i++) {
        rig r;
        od_rest rest;
        rig_open(&r, &PLAIN, 10);
        assert_fails(choose(&r, (od_bind){OD_BIND_FRAME, frames[i]}, false, &rest), r.error, "out of range");
        rig_close(&r);
    }
    rig r;
    od_rest rest;
    rig_open(&r, &PLAIN, 10);
    od_rest_options options = {.bind = {OD_BIND_FRAME, 0}};
    assert_fails(od_rest_choose(&r.scene, NULL, &r.binding, &options, &rest, &r.report, r.arena, &r.error), r.error,
                 "out of range");
    rig_close(&r);
}

static void the_zero_pose_can_be_insisted_on(void **state)
{
    (void)state;
    rig r;
    od_rest rest;
    rig_open(&r, &(rig_shape){.turned_bind = true}, 10);
    rig_dance(&r, 3);
    assert_ok(choose(&r, (od_bind){OD_BIND_REST, 0}, false, &rest), r.error);
    assert_int_equal(rest.bind.kind, OD_BIND_REST);
    rig_close(&r);
}

static void a_rest_without_motion_is_judged_alone(void **state)
{
    (void)state;
    rig r;
    od_rest rest;
    rig_open(&r, &PLAIN, 1);
    od_rest_options options = {.up = OD_UP_AUTO};
    assert_ok(od_rest_choose(&r.scene, NULL, &r.binding, &options, &rest, &r.report, r.arena, &r.error), r.error);
    check_upright(&r, &rest, 3);
    rig_close(&r);
}

static void swapped_sides_are_an_error(void **state)
{
    (void)state;
    rig r;
    od_rest rest;
    rig_open(&r, &PLAIN, 10);
    for (int i = OD_ROLE_SIDED; i < OD_ROLE_COUNT; i += 2) {
        int left = r.binding.source_of_role[i];
        r.binding.source_of_role[i] = r.binding.source_of_role[i + 1];
        r.binding.source_of_role[i + 1] = left;
    }
    assert_fails(choose(&r, (od_bind){OD_BIND_AUTO, 0}, false, &rest), r.error, "swapped");
    rig_close(&r);
}

static void a_rig_without_toes_is_warned_about_not_refused(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &(rig_shape){.no_toes = true}, 10);
    choose_ok(&r);
    assert_true(r.report.warnings >= 1);
    rig_close(&r);
}

static void a_dancer_who_lies_down_for_half_the_clip_is_not_turned(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, 60);
    for (int f = 0; f < 60; f++) {
        rig_pose pose = rig_random(&r, 6, f);
        if (f >= 30) pose.turn[r.joint[OD_ROLE_LOWER_BODY]] = quatd_axis(AXIS_X, 90);
        rig_put(&r, f, &pose);
    }
    od_rest rest = choose_ok(&r);
    assert_string_equal(rest.up, "y");
    assert_near(quatd_angle(quatd_of(rest.turn), NO_TURN), 0, 0.05);
    rig_close(&r);
}

static void no_frame_is_dropped_that_is_the_rest_pose_asked_for(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, 30);
    rig_dance(&r, 7);
    rig_pose rest = rig_rest();
    rig_put(&r, 0, &rest);
    r.options.keep_first = false;
    r.options.bind = (od_bind){OD_BIND_FRAME, 0};
    rig_solve(&r);
    assert_int_equal(r.result.bind.frame, 0);
    assert_int_equal(r.result.frames, 30 - r.result.dropped);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_t_pose_is_taken_as_it_is),
        cmocka_unit_test(up_is_found_from_the_rig),
        cmocka_unit_test(up_can_be_told_where_the_floor_is_far),
        cmocka_unit_test(heading_is_what_the_source_was_turned_by),
        cmocka_unit_test(a_zero_pose_that_is_no_pose_is_detected_and_a_standing_frame_taken),
        cmocka_unit_test(directions_from_a_chosen_frame_are_as_good_as_from_a_rest_pose),
        cmocka_unit_test(directions_are_good_even_when_no_frame_stands_straight),
        cmocka_unit_test(a_frame_can_be_asked_for),
        cmocka_unit_test(a_frame_out_of_range_is_an_error),
        cmocka_unit_test(the_zero_pose_can_be_insisted_on),
        cmocka_unit_test(a_rest_without_motion_is_judged_alone),
        cmocka_unit_test(swapped_sides_are_an_error),
        cmocka_unit_test(a_rig_without_toes_is_warned_about_not_refused),
        cmocka_unit_test(a_dancer_who_lies_down_for_half_the_clip_is_not_turned),
        cmocka_unit_test(no_frame_is_dropped_that_is_the_rest_pose_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
