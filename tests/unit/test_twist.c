/* Twist of arms: moved into 腕捩 and 手捩 without changing what is seen. */
#include "rig.h"

static const rig_shape PLAIN = {0};

static quatd about(vecd axis, double degrees)
{
    return quatd_axis(axis, degrees);
}

static vecd axis_of(const rig *r, od_role twist)
{
    return vecd_of(r->target.bones[r->target.role[twist]].fixed_axis);
}

static void worlds_are_the_source_s_whether_there_are_twist_bones_or_not(void **state)
{
    (void)state;
    static const od_role twists[] = {OD_ROLE_ARM_TWIST_L, OD_ROLE_ARM_TWIST_R, OD_ROLE_WRIST_TWIST_L,
                                     OD_ROLE_WRIST_TWIST_R};
    rig with, without;
    rig_open(&with, &PLAIN, RIG_FRAMES);
    rig_open(&without, &PLAIN, RIG_FRAMES);
    rig_without(&without, twists, 4);
    rig_dance(&with, 1);
    rig_dance(&without, 1);
    rig_solve(&with);
    rig_solve(&without);
    static const od_role seen[] = {OD_ROLE_WRIST_L, OD_ROLE_WRIST_R, OD_ROLE_INDEX1_L, OD_ROLE_LITTLE3_R,
                                   OD_ROLE_THUMB2_L};
    for (int f = 0; f < RIG_FRAMES; f++) {
        for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
            xformd a = rig_played(&with, f, seen[i]), b = rig_played(&without, f, seen[i]);
            assert_near(vecd_distance(a.t, b.t), 0, 2e-3); /* twist bones stand where the table rounds them */
            assert_near(quatd_angle(a.q, b.q), 0, 2e-3);
        }
    }
    rig_close(&with);
    rig_close(&without);
}

/* The upper arm's roll comes out at the elbow's parent, the hand's at the hand. */
static void worlds_of_elbow_and_hand_do_not_change(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &(rig_shape){.turned_bind = true}, RIG_FRAMES);
    rig_dance(&r, 2);
    rig_solve(&r);
    quatd bend[2]; /* from the source's rest to the target's, constant */
    for (int f = 0; f < RIG_FRAMES; f++)
        for (int side = 0; side < 2; side++) {
            int joint = r.joint[OD_ROLE_ARM_L + side];
            quatd source = quatd_mul(rig_world(&r, f, joint).q, quatd_conj(r.bind[joint]));
            quatd played = quatd_mul(quatd_conj(source), rig_played(&r, f, OD_ROLE_ARM_TWIST_L + side).q);
            if (f == 0) bend[side] = played;
            assert_near(quatd_angle(played, bend[side]), 0, 2e-3);
            assert_near(quatd_angle(played, about(AXIS_Z, side ? -35 : 35)), 0, 0.02);
        }
    rig_close(&r);
}

static void check_pure_twist(const rig *r)
{
    for (int f = 0; f < r->result.frames; f++)
        for (int side = 0; side < 2; side++) {
            static const od_role twists[] = {OD_ROLE_ARM_TWIST_L, OD_ROLE_WRIST_TWIST_L};
            for (int i = 0; i < 2; i++) {
                od_role role = twists[i] + side;
                vecd axis = axis_of(r, role);
                quatd q = rig_key(r, f, role).q;
                double s = vecd_norm(vecd_cross((vecd){q.x, q.y, q.z}, axis));
                assert_near(s, 0, 1e-5);
                assert_true(fabs(quatd_twist_angle(q, axis)) <= 170.01);
            }
        }
}

static void check_pure_and_small(const rig *r)
{
    check_pure_twist(r);
    for (int f = 0; f < r->result.frames; f++)
        for (int side = 0; side < 2; side++) {
            /* what is left in 腕 and ひじ is swing alone */
            quatd arm = rig_key(r, f, OD_ROLE_ARM_L + side).q, elbow = rig_key(r, f, OD_ROLE_ELBOW_L + side).q;
            assert_near(quatd_twist_angle(elbow, axis_of(r, OD_ROLE_WRIST_TWIST_L + side)), 0, 0.02);
            double twist = fabs(
                quatd_twist_angle(rig_key(r, f, OD_ROLE_ARM_TWIST_L + side).q, axis_of(r, OD_ROLE_ARM_TWIST_L + side)));
            if (twist < 169) assert_near(quatd_twist_angle(arm, axis_of(r, OD_ROLE_ARM_TWIST_L + side)), 0, 0.02);
        }
}

static void twist_bones_hold_pure_twist_within_170_degrees(void **state)
{
    (void)state;
    for (uint32_t seed = 3; seed < 7; seed++) {
        rig r;
        rig_open(&r, &PLAIN, RIG_FRAMES);
        rig_dance(&r, seed);
        rig_solve(&r);
        check_pure_and_small(&r);
        rig_close(&r);
    }
}

/* Largest step between frames of a bone's rotation, degrees. */
static double largest_step(const rig *r, od_role role)
{
    double step = 0;
    for (int f = 1; f < r->result.frames; f++)
        step = fmax(step, quatd_angle(rig_key(r, f - 1, role).q, rig_key(r, f, role).q));
    return step;
}

/* Rolls one joint to and fro over +-180 degrees about the arm: 4 degrees a frame. */
static void roll(rig *r, od_role role, double from, double step)
{
    for (int f = 0; f < r->clip.frames; f++) {
        rig_pose pose = rig_rest();
        pose.turn[r->joint[OD_ROLE_ELBOW_L]] = about(AXIS_Y, 20 + 10 * sin(f * 0.1));
        pose.turn[r->joint[role]] = quatd_mul(pose.turn[r->joint[role]], about(AXIS_X, from + step * f));
        rig_put(r, f, &pose);
    }
}

static void a_roll_through_180_degrees_is_continuous(void **state)
{
    (void)state;
    static const od_role roles[] = {OD_ROLE_ARM_L, OD_ROLE_WRIST_L};
    for (int i = 0; i < 2; i++) {
        rig r;
        rig_open(&r, &PLAIN, 60);
        roll(&r, roles[i], 0, 4); /* 0 to 236 degrees */
        rig_solve(&r);
        check_pure_and_small(&r);
        od_role twist = i ? OD_ROLE_WRIST_TWIST_L : OD_ROLE_ARM_TWIST_L;
        assert_near(fabs(quatd_twist_angle(rig_key(&r, 40, twist).q, axis_of(&r, twist))), 160, 2.5);
        assert_true(largest_step(&r, twist) < 12);
        assert_true(largest_step(&r, OD_ROLE_ARM_L) < 12);
        assert_true(largest_step(&r, OD_ROLE_WRIST_L) < 12);
        /* what is seen is the source's all the same */
        for (int f = 0; f < 60; f++) {
            int joint = r.joint[OD_ROLE_WRIST_L];
            quatd source = quatd_mul(rig_world(&r, f, joint).q, quatd_conj(r.bind[joint]));
            quatd rest = quatd_mul(rig_world(&r, 0, joint).q, quatd_conj(r.bind[joint]));
            quatd have =
                quatd_mul(rig_played(&r, f, OD_ROLE_WRIST_L).q, quatd_conj(rig_played(&r, 0, OD_ROLE_WRIST_L).q));
            assert_near(quatd_angle(have, quatd_mul(source, quatd_conj(rest))), 0, 0.01);
        }
        rig_close(&r);
    }
}

static void a_roll_that_starts_beyond_180_degrees_turns_the_short_way(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, 20);
    roll(&r, OD_ROLE_WRIST_L, 270, 1);
    rig_solve(&r);
    assert_near(quatd_twist_angle(rig_key(&r, 0, OD_ROLE_WRIST_TWIST_L).q, axis_of(&r, OD_ROLE_WRIST_TWIST_L)), -90, 1);
    rig_close(&r);
}

/* A source with twist joints of its own in the chain. */
static void twist_of_source_joints_in_the_chain_stays_where_it_is(void **state)
{
    (void)state;
    rig r;
    rig_open_same(&r, 30, true);
    vecd arm = axis_of(&r, OD_ROLE_ARM_TWIST_L), hand = axis_of(&r, OD_ROLE_WRIST_TWIST_L);
    for (int f = 0; f < 30; f++) {
        rig_pose pose = rig_rest();
        pose.turn[r.joint[OD_ROLE_ARM_L]] = about(vecd_cross(arm, AXIS_Z), 2.0 * f);
        pose.turn[r.joint[OD_ROLE_ARM_TWIST_L]] = about(arm, 3.0 * f);
        pose.turn[r.joint[OD_ROLE_WRIST_TWIST_L]] = about(hand, -2.5 * f);
        rig_put(&r, f, &pose);
    }
    rig_solve(&r);
    for (int f = 0; f < 30; f++) {
        assert_near(quatd_twist_angle(rig_key(&r, f, OD_ROLE_ARM_TWIST_L).q, arm), 3.0 * f, 0.02);
        assert_near(quatd_twist_angle(rig_key(&r, f, OD_ROLE_WRIST_TWIST_L).q, hand), -2.5 * f, 0.02);
        assert_near(quatd_angle(rig_key(&r, f, OD_ROLE_WRIST_L).q, NO_TURN), 0, 0.02);
    }
    rig_close(&r);
}

/* There are models whose 腕捩 stands beside the line from shoulder to elbow, and whose axis is yet another. */
static void limbs_point_as_the_source_s_when_twist_bones_stand_beside_them(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, RIG_FRAMES);
    for (int side = 0; side < 2; side++) {
        vecd arm = vecd_of(r.target.skeleton.bones[r.target.role[OD_ROLE_ARM_TWIST_L + side]].rest_world.t);
        vecd hand = vecd_of(r.target.skeleton.bones[r.target.role[OD_ROLE_WRIST_TWIST_L + side]].rest_world.t);
        rig_move(&r, OD_ROLE_ARM_TWIST_L + side, vecd_add(arm, (vecd){0, 0.3, 0.1}));
        rig_move(&r, OD_ROLE_WRIST_TWIST_L + side, vecd_add(hand, (vecd){0, -0.1, 0.2}));
    }
    rig_dance(&r, 9);
    rig_solve(&r);
    check_pure_twist(&r);
    for (int f = 0; f < RIG_FRAMES; f++)
        for (int side = 0; side < 2; side++) {
            const od_role ends[] = {OD_ROLE_ARM_L + side, OD_ROLE_ELBOW_L + side, OD_ROLE_WRIST_L + side};
            for (int i = 0; i < 2; i++) {
                vecd source = rig_source_way(&r, f, ends[i], ends[i + 1]);
                assert_near(vecd_angle(source, rig_played_way(&r, f, ends[i], ends[i + 1])), 0, 0.01);
            }
        }
    rig_close(&r);
}

static void helpers_of_a_twist_bone_are_not_keyed(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, 30);
    rig_dance(&r, 8);
    rig_solve(&r);
    static const char *helpers[] = {"左腕捩1", "左腕捩2", "右腕捩3", "左手捩1", "右手捩2"};
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) assert_null(player_track(&r.keys, helpers[i]));
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_are_the_source_s_whether_there_are_twist_bones_or_not),
        cmocka_unit_test(worlds_of_elbow_and_hand_do_not_change),
        cmocka_unit_test(twist_bones_hold_pure_twist_within_170_degrees),
        cmocka_unit_test(a_roll_through_180_degrees_is_continuous),
        cmocka_unit_test(a_roll_that_starts_beyond_180_degrees_turns_the_short_way),
        cmocka_unit_test(twist_of_source_joints_in_the_chain_stays_where_it_is),
        cmocka_unit_test(limbs_point_as_the_source_s_when_twist_bones_stand_beside_them),
        cmocka_unit_test(helpers_of_a_twist_bone_are_not_keyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
