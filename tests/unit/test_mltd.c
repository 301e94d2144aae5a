/* The figures that an independent implementation of the MLTD converter's formulas must give. */
#include "rig.h"

static const double ARM_DOWN = 34.5; /* degrees, the A-pose of the article's models */

static void assert_turn(quatd q, double x, double y, double z, double w, double tolerance)
{
    double sign = q.x * x + q.y * y + q.z * z + q.w * w < 0 ? -1 : 1;
    assert_near(sign * q.x, x, tolerance);
    assert_near(sign * q.y, y, tolerance);
    assert_near(sign * q.z, z, tolerance);
    assert_near(sign * q.w, w, tolerance);
}

/* 1. Unity's axes are turned half about Y, 12.5 units are a metre. */
static void a_way_of_one_two_three_metres_is_that_of_the_reference(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &(rig_shape){.unit = 0.01}, 2); /* metres */
    vecd unity = {1, 2, 3};
    rig_pose pose = rig_rest();
    pose.hips = (vecd){-100 * unity.x, 100 * unity.y, -100 * unity.z};
    rig_put(&r, 1, &pose);
    r.options.scale_kind = OD_SCALE_FIXED;
    r.options.scale = 12.5;
    r.options.feet = OD_FEET_RELATIVE; /* the hips alone; no floor */
    rig_solve(&r);
    vecd way = vecd_sub(rig_key(&r, 1, OD_ROLE_CENTER).t, rig_key(&r, 0, OD_ROLE_CENTER).t);
    assert_near(way.x, -12.5, 1e-4);
    assert_near(way.y, 25, 1e-4);
    assert_near(way.z, -37.5, 1e-4);
    rig_close(&r);
}

/* 2. Same joints, arbitrary source bind rotations, random poses: the skin moves the same. */
static void skin_matrices_of_the_same_joints_are_the_same(void **state)
{
    (void)state;
    static const od_role chain[] = {OD_ROLE_LOWER_BODY, OD_ROLE_UPPER_BODY,  OD_ROLE_UPPER_BODY2, OD_ROLE_SHOULDER_L,
                                    OD_ROLE_ARM_L,      OD_ROLE_ARM_TWIST_L, OD_ROLE_ELBOW_L,     OD_ROLE_WRIST_L,
                                    OD_ROLE_INDEX1_L,   OD_ROLE_INDEX2_L,    OD_ROLE_INDEX3_L};
    rig r;
    rig_open_same(&r, 40, true);
    uint32_t seed = 4;
    for (int f = 0; f < 40; f++) {
        rig_pose pose = rig_random(&r, 77, f);
        for (int side = 0; side < 2; side++) { /* what the model's twist bones can show */
            vecd arm = vecd_of(r.target.bones[r.target.role[OD_ROLE_ARM_TWIST_L + side]].fixed_axis);
            vecd hand = vecd_of(r.target.bones[r.target.role[OD_ROLE_WRIST_TWIST_L + side]].fixed_axis);
            vecd any = {check_random(&seed), 1.1 + check_random(&seed), check_random(&seed)};
            pose.turn[r.joint[OD_ROLE_ARM_L + side]] = quatd_axis(vecd_cross(arm, any), 70 * check_random(&seed));
            pose.turn[r.joint[OD_ROLE_ARM_TWIST_L + side]] = quatd_axis(arm, 60 * check_random(&seed));
            pose.turn[r.joint[OD_ROLE_ELBOW_L + side]] = quatd_axis(vecd_cross(hand, any), 90 * check_random(&seed));
            pose.turn[r.joint[OD_ROLE_WRIST_TWIST_L + side]] = quatd_axis(hand, 60 * check_random(&seed));
        }
        pose.hips = (vecd){check_random(&seed), 5, check_random(&seed)};
        rig_put(&r, f, &pose);
    }
    r.options.keep_origin = r.options.ground_set = true;
    r.options.ground = r.at[r.joint[OD_ROLE_TOE_EX_L]].y;
    rig_solve(&r);
    for (int f = 0; f < 40; f++)
        for (size_t i = 0; i < sizeof chain / sizeof *chain; i++) {
            int joint = r.joint[chain[i]];
            xformd source = rig_world(&r, f, joint), played = rig_played(&r, f, chain[i]);
            source.q = quatd_mul(source.q, quatd_conj(r.bind[joint])); /* the skin's rotation */
            assert_near(quatd_angle(source.q, played.q), 0, 2e-3);
            assert_near(vecd_distance(source.t, played.t), 0, 2e-4);
            vecd moved = rig_key(&r, f, chain[i]).t; /* bones that turn only have no travel at all */
            assert_near(vecd_norm(moved), 0, 1e-5);
        }
    rig_close(&r);
}

/* The arms of the article: shoulder, T elbow, T wrist; the target's hang 34.5 degrees. */
static void open_arms(rig *r, int frames)
{
    const vecd shoulder = {1, 16, 0};
    rig_open(r, &(rig_shape){.unit = 1, .no_fingers = true}, frames);
    for (int side = 0; side < 2; side++) {
        double sign = side ? -1 : 1;
        quatd down = quatd_axis(AXIS_Z, -sign * ARM_DOWN);
        static const od_role roles[] = {OD_ROLE_ARM_L, OD_ROLE_ELBOW_L, OD_ROLE_WRIST_L};
        static const double reach[] = {0, 2.5, 4.5};
        for (int i = 0; i < 3; i++) {
            vecd way = quatd_rotate(down, (vecd){sign * reach[i], 0, 0});
            rig_move(r, roles[i] + side, vecd_add((vecd){sign * shoulder.x, shoulder.y, shoulder.z}, way));
        }
    }
    static const od_role twists[] = {OD_ROLE_ARM_TWIST_L, OD_ROLE_ARM_TWIST_R, OD_ROLE_WRIST_TWIST_L,
                                     OD_ROLE_WRIST_TWIST_R};
    rig_without(r, twists, 4);
}

/* 3 and 4. */
static void an_a_pose_target_shows_the_arms_of_a_t_pose_source(void **state)
{
    (void)state;
    rig r;
    open_arms(&r, 4);
    rig_pose pose = rig_rest();
    pose.turn[r.joint[OD_ROLE_ARM_L]] = quatd_axis(AXIS_Z, -60);
    rig_put(&r, 1, &pose);
    pose.turn[r.joint[OD_ROLE_ELBOW_L]] = quatd_axis(AXIS_Y, -45);
    rig_put(&r, 2, &pose);
    rig_solve(&r);
    assert_turn(rig_key(&r, 0, OD_ROLE_ARM_L).q, 0, 0, 0.29654157, 0.95501994, 2e-6);
    assert_turn(rig_key(&r, 0, OD_ROLE_ELBOW_L).q, 0, 0, 0, 1, 2e-6);
    assert_turn(rig_key(&r, 1, OD_ROLE_ARM_L).q, 0, 0, -0.22069744, 0.97534232, 2e-6);
    assert_turn(rig_key(&r, 2, OD_ROLE_ELBOW_L).q, -0.21675428, -0.31537944, 0, 0.92387953, 2e-6);
    xformd shoulder = rig_played(&r, 2, OD_ROLE_ARM_L);
    vecd elbow = vecd_sub(rig_played(&r, 2, OD_ROLE_ELBOW_L).t, shoulder.t);
    vecd wrist = vecd_sub(rig_played(&r, 2, OD_ROLE_WRIST_L).t, shoulder.t);
    assert_near(vecd_distance(elbow, (vecd){2.25 - 1, 13.834936 - 16, 0}), 0, 1e-5);
    assert_near(vecd_distance(wrist, (vecd){2.957107 - 1, 12.610192 - 16, 1.414214}), 0, 1e-5);
    rig_close(&r);
}

/* 3. The source at bind gives identity keys on a target whose rest is the source's. */
static void source_at_bind_gives_identity_keys(void **state)
{
    (void)state;
    rig r;
    rig_open_same(&r, 2, true);
    rig_solve(&r);
    for (int i = 0; i < r.keys.track_count; i++) {
        od_role role = od_role_find(r.keys.tracks[i].name);
        if (role >= OD_ROLE_LEG_L && role <= OD_ROLE_TOE_IK_R)
            continue; /* a knee is never straight, see the legs' tests */
        xformd key = player_key(&r.keys, r.keys.tracks[i].name, 1);
        assert_near(quatd_angle(key.q, NO_TURN), 0, 2e-3);
        assert_near(vecd_norm(key.t), 0, 0.01);
    }
    rig_close(&r);
}

/* 5. The IK key is the ankle of the emitted FK keys, less its rest, in the frame of the IK's parent. */
static void ik_keys_are_the_ankles_of_the_fk_keys(void **state)
{
    (void)state;
    static const od_role parents[] = {OD_ROLE_LEG_IK_PARENT_L, OD_ROLE_CENTER};
    for (int i = 0; i < 2; i++) {
        rig r;
        rig_open(&r, &(rig_shape){.turned_bind = true}, 40);
        if (i) rig_hang(&r, OD_ROLE_LEG_IK_L, parents[i]);
        rig_dance(&r, 78);
        r.options.mother = true;
        rig_solve(&r);
        int ik = r.target.role[OD_ROLE_LEG_IK_L];
        vecd rest = vecd_of(r.target.skeleton.bones[ik].rest.t);
        for (int f = 0; f < 40; f++) {
            xformd parent = rig_played(&r, f, parents[i]), ankle = rig_played(&r, f, OD_ROLE_ANKLE_L);
            vecd want = vecd_sub(quatd_rotate(quatd_conj(parent.q), vecd_sub(ankle.t, parent.t)), rest);
            assert_near(vecd_distance(rig_key(&r, f, OD_ROLE_LEG_IK_L).t, want), 0, 2e-5);
        }
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_way_of_one_two_three_metres_is_that_of_the_reference),
        cmocka_unit_test(skin_matrices_of_the_same_joints_are_the_same),
        cmocka_unit_test(an_a_pose_target_shows_the_arms_of_a_t_pose_source),
        cmocka_unit_test(source_at_bind_gives_identity_keys),
        cmocka_unit_test(ik_keys_are_the_ankles_of_the_fk_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
