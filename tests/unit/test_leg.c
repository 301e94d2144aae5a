/* The two-bone leg: exact, within the knee's limits, hinge where it is wanted. */
#include "check.h"
#include "player.h"
#include "retarget/leg.h"

static const float HALF_DEGREE = 0.00872664626f, HALF_TURN = 3.14159265f;

static od_leg standard(void)
{
    return od_leg_make(od_vec3(0, -4.85f, -0.06f), od_vec3(0, -4.65f, 0.20f), -HALF_TURN, -HALF_DEGREE);
}

/* Ankle in world, in double precision. */
static vecd ankle_of(const od_leg *leg, const od_leg_pose *pose)
{
    quatd thigh = quatd_of(pose->thigh), knee = quatd_axis(AXIS_X, (double)pose->knee / DEGREE);
    vecd shin = quatd_rotate(quatd_mul(thigh, knee), vecd_of(leg->shin));
    return vecd_add(quatd_rotate(thigh, vecd_of(leg->thigh)), shin);
}

static void knee_angles_and_reaches_are_those_of_the_reference(void **state)
{
    (void)state;
    static const double vectors[][4] = {/* knee degrees, |e|, e.y, e.z */
                                        {-0.5, 9.499794, -9.49808, 0.18057},
                                        {-30, 9.109385, -8.77702, 2.43821},
                                        {-90, 6.533804, -4.65, 4.59},
                                        {-150, 2.213212, 0, 0}};
    od_leg leg = standard();
    for (int i = 0; i < 4; i++) {
        const double *v = vectors[i];
        od_leg_pose pose = od_leg_solve(&leg, od_vec3(0, (float)-v[1], 0), od_vec3(1, 0, 0), false);
        assert_near((double)pose.knee / DEGREE, v[0], i ? 0.001 : 0.02); /* all but straight is ill conditioned */
        if (i == 3) continue;
        vecd e = vecd_add(vecd_of(leg.thigh), quatd_rotate(quatd_axis(AXIS_X, v[0]), vecd_of(leg.shin)));
        assert_near(e.y, v[2], 1e-5);
        assert_near(e.z, v[3], 1e-5);
        /* and the thigh turns e onto the goal */
        assert_near(vecd_angle(quatd_rotate(quatd_of(pose.thigh), e), (vecd){0, -1, 0}), 0, 0.005);
    }
    assert_near(leg.reach, 9.499794, 1e-5);
}

/* Checks one leg over a grid of goals and hinges. */
static void check_grid(const od_leg *leg)
{
    uint32_t seed = 1;
    for (int i = 0; i < 4000; i++) {
        vecd n = vecd_unit((vecd){check_random(&seed), check_random(&seed) - 0.3, check_random(&seed) + 0.001});
        double share = 0.5 + 0.4999 * check_random(&seed);
        double d = (double)leg->reach_min + share * (double)(leg->reach - leg->reach_min);
        vecd hinge = vecd_unit((vecd){1, 0.6 * check_random(&seed), 0.6 * check_random(&seed)});
        vec3s goal = od_vec3((float)(n.x * d), (float)(n.y * d), (float)(n.z * d));
        od_leg_pose pose = od_leg_solve(leg, goal, od_vec3((float)hinge.x, (float)hinge.y, (float)hinge.z), false);
        assert_near(vecd_distance(ankle_of(leg, &pose), vecd_of(goal)), 0, 5e-5);
        assert_near(vecd_distance(vecd_of(pose.ankle), vecd_of(goal)), 0, 5e-5);
        assert_true(pose.knee >= leg->knee_min && pose.knee <= leg->knee_max);
        assert_near(od_quat_dot(pose.thigh, pose.thigh), 1, 1e-5);
        /* The thigh's X axis points as the hinge does, seen along the line from hip to ankle. */
        vecd x = quatd_rotate(quatd_of(pose.thigh), AXIS_X);
        vecd have = vecd_sub(x, vecd_scale(n, vecd_dot(x, n))),
             want = vecd_sub(hinge, vecd_scale(n, vecd_dot(hinge, n)));
        if (vecd_norm(have) > 0.1 && vecd_norm(want) > 0.1) assert_near(vecd_angle(have, want), 0, 0.02);
    }
}

static void goal_in_reach_is_met_exactly_with_the_hinge_as_wanted(void **state)
{
    (void)state;
    od_leg leg = standard();
    check_grid(&leg);
}

static void thigh_and_shin_with_offsets_in_x_are_solved_too(void **state)
{
    (void)state;
    static const float x[][2] = {{0.2f, -0.15f}, {-0.4f, 0.4f}, {0.3f, 0.3f}};
    for (int i = 0; i < 3; i++) {
        od_leg leg =
            od_leg_make(od_vec3(x[i][0], -4.85f, -0.06f), od_vec3(x[i][1], -4.65f, 0.20f), -HALF_TURN, -HALF_DEGREE);
        check_grid(&leg);
    }
}

static void out_of_reach_gives_the_nearest_leg_in_the_same_direction(void **state)
{
    (void)state;
    od_leg leg = standard();
    static const double far[] = {9.6, 20, 1000};
    for (int i = 0; i < 3; i++) {
        vecd n = vecd_unit((vecd){0.2, -1, -0.4});
        vecd goal = vecd_scale(n, far[i]);
        od_leg_pose pose =
            od_leg_solve(&leg, od_vec3((float)goal.x, (float)goal.y, (float)goal.z), od_vec3(1, 0, 0), false);
        assert_near(vecd_distance(ankle_of(&leg, &pose), vecd_scale(n, (double)leg.reach)), 0, 5e-5);
        assert_near((double)pose.knee / DEGREE, -0.5, 1e-4);
    }
    od_leg_pose near = od_leg_solve(&leg, od_vec3(0, -0.001f, 0), od_vec3(1, 0, 0), false);
    assert_near(vecd_distance(ankle_of(&leg, &near), (vecd){0, (double)-leg.reach_min, 0}), 0, 5e-5);
}

static void knee_limits_of_the_model_are_kept(void **state)
{
    (void)state;
    od_leg leg = od_leg_make(od_vec3(0, -4.85f, -0.06f), od_vec3(0, -4.65f, 0.20f), (float)(-120 * DEGREE),
                             (float)(-10 * DEGREE));
    check_grid(&leg);
    od_leg_pose pose = od_leg_solve(&leg, od_vec3(0, -1, 0), od_vec3(1, 0, 0), false);
    assert_near((double)pose.knee / DEGREE, -120, 1e-3);
    pose = od_leg_solve(&leg, od_vec3(0, -20, 0), od_vec3(1, 0, 0), false);
    assert_near((double)pose.knee / DEGREE, -10, 1e-3);
}

static void the_knee_bends_forward_for_a_goal_straight_below(void **state)
{
    (void)state;
    od_leg leg = standard();
    for (int i = 1; i < 9; i++) {
        od_leg_pose pose = od_leg_solve(&leg, od_vec3(0, (float)-i, 0), od_vec3(1, 0, 0), false);
        assert_true(quatd_rotate(quatd_of(pose.thigh), vecd_of(leg.thigh)).z < 0);
    }
}

static void odd_goals_and_hinges_give_finite_poses(void **state)
{
    (void)state;
    static const vec3s goals[] = {{{0, 0, 0}}, {{0, -5, 0}}, {{0, 5, 0}}, {{5, 0, 0}}, {{0, 0, 1e-7f}}, {{1e6f, 0, 0}}};
    static const vec3s hinges[] = {{{0, 0, 0}}, {{0, -1, 0}}, {{0, 1, 0}}, {{1, 0, 0}}, {{-1, 0, 0}}};
    const od_leg legs[] = {standard(), od_leg_make(od_vec3(0, 0, 0), od_vec3(0, -4, 0), -HALF_TURN, -HALF_DEGREE),
                           od_leg_make(od_vec3(0, -4, 0), od_vec3(0, 0, 0), -HALF_TURN, -HALF_DEGREE),
                           od_leg_make(od_vec3(0, 0, 0), od_vec3(0, 0, 0), -HALF_TURN, -HALF_DEGREE)};
    for (int i = 0; i < 4; i++)
        for (int g = 0; g < 6; g++)
            for (int h = 0; h < 5; h++) {
                od_leg_pose pose = od_leg_solve(&legs[i], goals[g], hinges[h], false);
                assert_true(od_quat_finite(pose.thigh) && isfinite(pose.knee) && od_vec3_finite(pose.ankle));
                assert_near(od_quat_dot(pose.thigh, pose.thigh), 1, 1e-5);
                assert_true(pose.knee >= legs[i].knee_min && pose.knee <= legs[i].knee_max);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knee_angles_and_reaches_are_those_of_the_reference),
        cmocka_unit_test(goal_in_reach_is_met_exactly_with_the_hinge_as_wanted),
        cmocka_unit_test(thigh_and_shin_with_offsets_in_x_are_solved_too),
        cmocka_unit_test(out_of_reach_gives_the_nearest_leg_in_the_same_direction),
        cmocka_unit_test(knee_limits_of_the_model_are_kept),
        cmocka_unit_test(the_knee_bends_forward_for_a_goal_straight_below),
        cmocka_unit_test(odd_goals_and_hinges_give_finite_poses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
