/* The whole solver on rigs of the tests' own making: what must come back, and what may not matter. */
#include "rig.h"

static const rig_shape PLAIN = {0};

/* The standard model in T-pose as the table of a source. */
static void open_t_pose(rig *r, int frames, double arm_angle)
{
    rig_open_same(r, frames, false);
    const od_skeleton *skeleton = &r->scene.skeleton;
    for (int side = 0; side < 2; side++) {
        int arm = r->joint[OD_ROLE_ARM_L + side];
        vecd shoulder = r->at[arm];
        quatd up = quatd_axis(AXIS_Z, side ? -arm_angle : arm_angle);
        for (int i = arm + 1; i < skeleton->count; i++) {
            int above = i;
            while (above > arm) above = skeleton->bones[above].parent;
            if (above == arm) r->at[i] = vecd_add(shoulder, quatd_rotate(up, vecd_sub(r->at[i], shoulder)));
        }
    }
    for (int i = 0; i < skeleton->count; i++) {
        int parent = skeleton->bones[i].parent;
        vecd way = parent < 0 ? r->at[i] : vecd_sub(r->at[i], r->at[parent]);
        skeleton->bones[i].rest.t = od_vec3((float)way.x, (float)way.y, (float)way.z);
    }
    od_skeleton_finish(&r->scene.skeleton);
    rig_pose rest = rig_rest();
    for (int f = 0; f < frames; f++) rig_put(r, f, &rest);
}

static bool is_leg(od_role role)
{
    return role >= OD_ROLE_LEG_L && role <= OD_ROLE_TOE_IK_R;
}

static void source_at_rest_gives_identity_keys_and_the_a_pose_constant_for_arms(void **state)
{
    (void)state;
    rig r;
    open_t_pose(&r, 3, 35);
    rig_solve(&r);
    for (int i = 0; i < r.keys.track_count; i++) {
        od_role role = od_role_find(r.keys.tracks[i].name);
        quatd want = NO_TURN;
        if (role == OD_ROLE_ARM_L) want = quatd_axis(AXIS_Z, 35);
        if (role == OD_ROLE_ARM_R) want = quatd_axis(AXIS_Z, -35);
        xformd key = player_key(&r.keys, r.keys.tracks[i].name, 1);
        /* A knee may not be straighter than -0.5 degrees, nor a leg reach further than 0.9999 of what
         * that allows: legs give by so much. */
        double off = quatd_angle(key.q, want), limit = is_leg(role) ? 1 : 0.02;
        if (!(off < limit)) print_error("%s is off by %g degrees\n", r.keys.tracks[i].name, off);
        assert_near(off, 0, limit);
        assert_near(vecd_norm(key.t), 0, 0.01);
    }
    rig_close(&r);
}

static void a_rig_with_vertical_legs_at_rest_keeps_the_center_at_its_place(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, 3);
    rig_solve(&r);
    assert_near(quatd_angle(rig_key(&r, 0, OD_ROLE_ARM_L).q, quatd_axis(AXIS_Z, 35)), 0, 0.02);
    assert_near(quatd_angle(rig_key(&r, 0, OD_ROLE_ARM_R).q, quatd_axis(AXIS_Z, -35)), 0, 0.02);
    assert_near(vecd_norm(rig_key(&r, 0, OD_ROLE_CENTER).t), 0, 0.01);
    static const od_role still[] = {OD_ROLE_UPPER_BODY,  OD_ROLE_UPPER_BODY2,  OD_ROLE_LOWER_BODY, OD_ROLE_NECK,
                                    OD_ROLE_HEAD,        OD_ROLE_SHOULDER_L,   OD_ROLE_SHOULDER_R, OD_ROLE_ELBOW_L,
                                    OD_ROLE_ARM_TWIST_L, OD_ROLE_WRIST_TWIST_R};
    for (size_t i = 0; i < sizeof still / sizeof *still; i++)
        assert_near(quatd_angle(rig_key(&r, 0, still[i]).q, NO_TURN), 0, 0.02);
    rig_close(&r);
}

static quatd about(vecd axis, double degrees)
{
    return quatd_axis(axis, degrees);
}

/* A rotation without twist about `axis`. */
static quatd random_swing(uint32_t *seed, vecd axis, double reach)
{
    vecd any = {check_random(seed), check_random(seed) + 0.01, check_random(seed)};
    return about(vecd_cross(axis, any), reach * check_random(seed));
}

static quatd random_turn(uint32_t *seed, double reach)
{
    vecd any = {check_random(seed), check_random(seed), check_random(seed) + 0.01};
    return about(any, reach * check_random(seed));
}

/* A pose as a dancer of the standard model could have it: twist in the twist bones alone, knees on
 * their hinge. Feet flat on the floor or well above it. */
static rig_pose dancer(const rig *r, uint32_t *seed, bool grounded)
{
    rig_pose pose = rig_rest();
    for (int i = 0; i < r->scene.skeleton.count; i++)
        if (r->role[i] != OD_ROLE_NONE && !is_leg(r->role[i])) pose.turn[i] = random_turn(seed, 40);
    pose.hips = (vecd){5 * check_random(seed), 6, 5 * check_random(seed)};
    for (int side = 0; side < 2; side++) {
        vecd arm = vecd_of(r->target.bones[r->joint[OD_ROLE_ARM_TWIST_L + side]].fixed_axis);
        vecd hand = vecd_of(r->target.bones[r->joint[OD_ROLE_WRIST_TWIST_L + side]].fixed_axis);
        pose.turn[r->joint[OD_ROLE_ARM_L + side]] = random_swing(seed, arm, 80);
        pose.turn[r->joint[OD_ROLE_ARM_TWIST_L + side]] = about(arm, 80 * check_random(seed));
        pose.turn[r->joint[OD_ROLE_ELBOW_L + side]] = random_swing(seed, hand, 100);
        pose.turn[r->joint[OD_ROLE_WRIST_TWIST_L + side]] = about(hand, 80 * check_random(seed));
        pose.turn[r->joint[OD_ROLE_WRIST_L + side]] = random_swing(seed, hand, 50);
        pose.turn[r->joint[OD_ROLE_LEG_L + side]] = random_turn(seed, 60);
        pose.turn[r->joint[OD_ROLE_KNEE_L + side]] = about(AXIS_X, -80 + 60 * check_random(seed));
        pose.turn[r->joint[OD_ROLE_ANKLE_L + side]] = random_turn(seed, 30);
        pose.turn[r->joint[OD_ROLE_TOE_EX_L + side]] = random_turn(seed, 10);
    }
    if (!grounded) return pose;
    pose.hips.y = -3;
    pose.turn[r->joint[OD_ROLE_LOWER_BODY]] = random_turn(seed, 10);
    for (int side = 0; side < 2; side++) {
        int ankle = r->joint[OD_ROLE_ANKLE_L + side];
        vecd at = vecd_add(r->at[ankle], (vecd){pose.hips.x + check_random(seed), 0, pose.hips.z + check_random(seed)});
        rig_reach(r, &pose, side, at, about(AXIS_Y, 30 * check_random(seed)));
        pose.turn[r->joint[OD_ROLE_TOE_EX_L + side]] = NO_TURN;
    }
    return pose;
}

/* Retargets the target's own skeleton and compares each key with the input. */
static void check_same(bool grounded)
{
    enum { FRAMES = 40 };
    uint32_t seed = grounded ? 5 : 3;
    rig r;
    rig_open_same(&r, FRAMES, false);
    rig_pose pose[FRAMES];
    for (int f = 0; f < FRAMES; f++) {
        pose[f] = dancer(&r, &seed, grounded);
        rig_put(&r, f, &pose[f]);
    }
    r.options.keep_origin = r.options.ground_set = true;
    r.options.ground = r.at[r.joint[OD_ROLE_TOE_EX_L]].y;
    rig_solve(&r);
    for (int f = 0; f < FRAMES; f++) {
        vecd way = rig_key(&r, f, OD_ROLE_CENTER).t;
        assert_near(vecd_distance(way, pose[f].hips), 0, 1e-4);
        for (int i = 0; i < r.scene.skeleton.count; i++) {
            if (r.role[i] == OD_ROLE_NONE || r.role[i] == OD_ROLE_UPPER_BODY3) continue;
            double off = quatd_angle(rig_key(&r, f, r.role[i]).q, pose[f].turn[i]);
            if (!(off < 2e-3)) print_error("frame %d, %s: off by %g degrees\n", f, od_role_name(r.role[i]), off);
            assert_near(off, 0, 2e-3);
        }
    }
    rig_close(&r);
}

static void target_skeleton_as_source_gives_the_input_back_in_the_air(void **state)
{
    (void)state;
    check_same(false);
}

static void target_skeleton_as_source_gives_the_input_back_on_the_floor(void **state)
{
    (void)state;
    check_same(true);
}

static double largest_difference(const rig *a, const rig *b, double *way)
{
    double turn = 0;
    *way = 0;
    assert_int_equal(a->keys.track_count, b->keys.track_count);
    for (int i = 0; i < a->keys.track_count; i++)
        for (int f = 0; f < a->result.frames; f++) {
            xformd x = player_key(&a->keys, a->keys.tracks[i].name, f);
            xformd y = player_key(&b->keys, a->keys.tracks[i].name, f);
            turn = fmax(turn, quatd_angle(x.q, y.q));
            *way = fmax(*way, vecd_distance(x.t, y.t));
        }
    return turn;
}

static void open_dance(rig *r, const rig_shape *shape)
{
    rig_open(r, shape, RIG_FRAMES);
    rig_dance(r, 1);
}

/* Two sources that show the same give the same keys. */
static void check_same_motion(rig *a, rig *b)
{
    double way;
    rig_solve(a);
    rig_solve(b);
    double turn = largest_difference(a, b, &way);
    assert_near(turn, 0, 5e-3);
    assert_near(way, 0, 5e-4);
    rig_close(a);
    rig_close(b);
}

static void rest_orientations_of_the_source_do_not_matter(void **state)
{
    (void)state;
    rig a, b;
    open_dance(&a, &PLAIN);
    open_dance(&b, &(rig_shape){.turned_bind = true});
    check_same_motion(&a, &b);
}

static void source_turned_by_any_yaw_gives_the_same_motion(void **state)
{
    (void)state;
    static const double yaws[] = {30, 90, -135, 180};
    for (int i = 0; i < 4; i++) {
        rig a, b;
        open_dance(&a, &PLAIN);
        open_dance(&b, &PLAIN);
        rig_turn(&b, about(AXIS_Y, yaws[i]), true);
        check_same_motion(&a, &b);
    }
}

static void source_in_another_unit_gives_the_same_motion(void **state)
{
    (void)state;
    static const double units[] = {0.01, 1 / 2.54, 100, 0.001};
    for (int i = 0; i < 4; i++) {
        rig a, b;
        open_dance(&a, &PLAIN);
        open_dance(&b, &(rig_shape){.unit = units[i]});
        check_same_motion(&a, &b);
    }
}

static void z_up_source_gives_the_same_motion(void **state)
{
    (void)state;
    static const double pitches[] = {90, -90};
    for (int i = 0; i < 2; i++) {
        rig a, b;
        open_dance(&a, &PLAIN);
        open_dance(&b, &PLAIN);
        rig_turn(&b, about(AXIS_X, pitches[i]), true);
        check_same_motion(&a, &b);
    }
}

static void motion_turned_against_an_upright_rest_is_stood_up(void **state)
{
    (void)state;
    rig a, b;
    open_dance(&a, &PLAIN);
    open_dance(&b, &PLAIN);
    rig_turn(&b, about(AXIS_X, -90), false);
    check_same_motion(&a, &b);
}

static void keep_heading_keeps_it(void **state)
{
    (void)state;
    const double yaw = 70;
    rig a, b;
    open_dance(&a, &PLAIN);
    open_dance(&b, &PLAIN);
    rig_turn(&b, about(AXIS_Y, yaw), true);
    b.options.keep_heading = true;
    rig_solve(&a);
    rig_solve(&b);
    for (int f = 0; f < RIG_FRAMES; f += 7)
        for (od_role role = OD_ROLE_LOWER_BODY; role < OD_ROLE_TOE_EX_L; role += 3) {
            if (a.target.role[role] < 0) continue;
            xformd x = rig_played(&a, f, role), y = rig_played(&b, f, role);
            assert_near(vecd_distance(quatd_rotate(about(AXIS_Y, yaw), x.t), y.t), 0, 1e-3);
            assert_near(quatd_angle(quatd_mul(about(AXIS_Y, yaw), x.q), y.q), 0, 5e-3);
        }
    rig_close(&a);
    rig_close(&b);
}

static rig_pose mirrored(const rig *r, const rig_pose *pose)
{
    rig_pose m = rig_rest();
    for (int i = 0; i < r->scene.skeleton.count; i++) {
        quatd q = pose->turn[i];
        m.turn[r->joint[od_role_mirror(r->role[i])]] = (quatd){q.x, -q.y, -q.z, q.w};
    }
    m.hips = (vecd){-pose->hips.x, pose->hips.y, pose->hips.z};
    return m;
}

static void mirrored_source_gives_the_mirrored_motion(void **state)
{
    (void)state;
    rig a, b;
    rig_open(&a, &PLAIN, RIG_FRAMES);
    rig_open(&b, &(rig_shape){.turned_bind = true}, RIG_FRAMES);
    for (int f = 0; f < RIG_FRAMES; f++) {
        rig_pose pose = rig_random(&a, 4, f), other = mirrored(&a, &pose);
        rig_put(&a, f, &pose);
        rig_put(&b, f, &other);
    }
    rig_solve(&a);
    rig_solve(&b);
    for (int i = 0; i < a.keys.track_count; i++) {
        od_role role = od_role_find(a.keys.tracks[i].name);
        for (int f = 0; f < RIG_FRAMES; f++) {
            xformd x = rig_key(&a, f, role), y = rig_key(&b, f, od_role_mirror(role));
            assert_near(quatd_angle((quatd){x.q.x, -x.q.y, -x.q.z, x.q.w}, y.q), 0, 5e-3);
            assert_near(vecd_distance((vecd){-x.t.x, x.t.y, x.t.z}, y.t), 0, 5e-4);
        }
    }
    rig_close(&a);
    rig_close(&b);
}

/* Largest angle between a segment of the source and of the output over all frames. */
static double off_by(const rig *r, od_role from, od_role to)
{
    double worst = 0;
    for (int f = 0; f < r->result.frames; f++)
        worst = fmax(worst, vecd_angle(rig_source_way(r, f, from, to), rig_played_way(r, f, from, to)));
    return worst;
}

static void limbs_point_where_the_source_points(void **state)
{
    (void)state;
    static const rig_shape shapes[] = {{.turned_bind = true},
                                       {.arms = 1.4, .legs = 0.7, .trunk = 1.2, .turned_bind = true},
                                       {.arms = 0.6, .legs = 1.5, .knee_up = 6, .arm_down = 50},
                                       {.arm_down = 80, .spines = 1, .turned_bind = true, .no_fingers = true}};
    static const od_role arms[][2] = {{OD_ROLE_ARM_L, OD_ROLE_ELBOW_L},
                                      {OD_ROLE_ELBOW_L, OD_ROLE_WRIST_L},
                                      {OD_ROLE_WRIST_L, OD_ROLE_MIDDLE1_L},
                                      {OD_ROLE_INDEX1_L, OD_ROLE_INDEX2_L},
                                      {OD_ROLE_LITTLE2_L, OD_ROLE_LITTLE3_L}};
    static const od_role legs[][2] = {{OD_ROLE_LEG_L, OD_ROLE_KNEE_L}, {OD_ROLE_KNEE_L, OD_ROLE_ANKLE_L}};
    for (int i = 0; i < 4; i++) {
        rig r;
        rig_open(&r, &shapes[i], RIG_FRAMES);
        rig_dance(&r, (uint32_t)i + 20);
        r.options.feet = OD_FEET_RELATIVE;
        rig_solve(&r);
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < (shapes[i].no_fingers ? 2 : 5); k++)
                assert_near(off_by(&r, arms[k][0] + side, arms[k][1] + side), 0, 0.05);
            for (int k = 0; k < 2; k++) assert_near(off_by(&r, legs[k][0] + side, legs[k][1] + side), 0, 0.05);
        }
        rig_close(&r);
    }
}

static void hips_travel_is_scaled_by_the_legs(void **state)
{
    (void)state;
    rig r;
    open_dance(&r, &PLAIN);
    r.options.feet = OD_FEET_RELATIVE;
    r.options.ground_set = true; /* so far down that no foot lifts the hips */
    r.options.ground = -300;
    rig_solve(&r);
    double scale = (vecd_norm(rig_played_way(&r, 0, OD_ROLE_LEG_L, OD_ROLE_KNEE_L)) +
                    vecd_norm(rig_played_way(&r, 0, OD_ROLE_KNEE_L, OD_ROLE_ANKLE_L))) /
                   (94.2207 - 8);
    assert_near(r.result.scale, scale, 1e-5);
    vecd first = {0, 0, 0};
    for (int f = 0; f < RIG_FRAMES; f += 11) {
        vecd source =
            vecd_scale(vecd_add(rig_world(&r, f, r.joint[OD_ROLE_LEG_L]).t, rig_world(&r, f, r.joint[OD_ROLE_LEG_R]).t),
                       scale / 2);
        vecd played = vecd_scale(vecd_add(rig_played(&r, f, OD_ROLE_LEG_L).t, rig_played(&r, f, OD_ROLE_LEG_R).t), 0.5);
        if (f == 0) first = vecd_sub(source, played);
        assert_near(vecd_distance(vecd_sub(source, played), first), 0, 1e-4);
    }
    rig_close(&r);
}

static void keys_are_unit_continuous_and_single_for_a_bone_at_rest(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, RIG_FRAMES);
    for (int f = 0; f < RIG_FRAMES; f++) { /* turns on and on, so that the sign would flip */
        rig_pose pose = rig_random(&r, 9, f);
        pose.turn[r.joint[OD_ROLE_LOWER_BODY]] = about(AXIS_Y, 12.0 * f);
        pose.turn[r.joint[OD_ROLE_HEAD]] = NO_TURN;
        rig_put(&r, f, &pose);
    }
    rig_solve(&r);
    rig_check_keys(&r);
    const od_track *head = player_track(&r.keys, od_role_name(OD_ROLE_HEAD));
    assert_non_null(head);
    assert_int_equal(head->count, 1);
    assert_int_equal(player_track(&r.keys, od_role_name(OD_ROLE_LOWER_BODY))->count, RIG_FRAMES);
    static const od_role alone[] = {OD_ROLE_LEG_D_L,      OD_ROLE_KNEE_D_R,     OD_ROLE_ANKLE_D_L,
                                    OD_ROLE_SHOULDER_P_L, OD_ROLE_SHOULDER_C_R, OD_ROLE_WAIST_CANCEL_L,
                                    OD_ROLE_EYE_L,        OD_ROLE_EYE_R};
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        assert_null(player_track(&r.keys, od_role_name(alone[i])));
    rig_close(&r);
}

static void bones_that_the_model_drives_itself_are_not_keyed_even_when_mapped(void **state)
{
    (void)state;
    rig r;
    open_dance(&r, &PLAIN);
    static const od_role wrong[] = {OD_ROLE_LEG_D_L, OD_ROLE_SHOULDER_P_L,   OD_ROLE_SHOULDER_C_L,
                                    OD_ROLE_EYE_L,   OD_ROLE_WAIST_CANCEL_L, OD_ROLE_LEG_IK_L};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        r.binding.source_of_role[wrong[i]] = r.joint[OD_ROLE_LEG_L];
    r.options.legs = OD_LEGS_FK;
    rig_solve(&r);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_null(player_track(&r.keys, od_role_name(wrong[i])));
    rig_close(&r);
}

static void a_rest_frame_before_the_motion_is_dropped_and_a_slow_start_is_not(void **state)
{
    (void)state;
    for (int jump = 0; jump < 2; jump++) {
        rig r;
        rig_open(&r, &PLAIN, 30);
        for (int f = 1; f < 30; f++) {
            rig_pose pose = rig_rest();
            pose.turn[r.joint[OD_ROLE_ARM_L]] = about(AXIS_Z, (jump ? -50 : 0) - 1.5 * f);
            rig_put(&r, f, &pose);
        }
        r.options.keep_first = false;
        rig_solve(&r);
        assert_int_equal(r.result.dropped, jump);
        assert_int_equal(r.result.frames, 30 - jump);
        rig_close(&r);
    }
}

/* As in the CMU library: a T-pose with straight legs before the motion, on a splayed zero pose. */
static void a_first_frame_near_the_rest_pose_is_dropped_too(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, 30);
    for (int f = 0; f < 30; f++) {
        rig_pose pose = rig_rest();
        pose.turn[r.joint[OD_ROLE_LEG_L]] = about(AXIS_Z, 20);
        if (f) pose.turn[r.joint[OD_ROLE_ARM_L]] = about(AXIS_Z, -70 - 1.5 * f);
        rig_put(&r, f, &pose);
    }
    r.options.keep_first = false;
    rig_solve(&r);
    assert_int_equal(r.result.dropped, 1);
    assert_int_equal(r.result.bind.kind, OD_BIND_REST); /* it stands no straighter than the zero pose */
    rig_close(&r);
}

static void a_straighter_first_frame_is_the_rest_of_a_splayed_zero_pose(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, 30);
    for (int f = 0; f < 30; f++) {
        rig_pose pose = rig_rest();
        if (f) pose.turn[r.joint[OD_ROLE_ARM_L]] = about(AXIS_Z, -70 - 1.5 * f);
        rig_put(&r, f, &pose);
    }
    for (int side = 0; side < 2; side++) {
        od_bone *leg = &r.scene.skeleton.bones[r.joint[OD_ROLE_LEG_L + side]];
        versors splay = od_quat_axis_angle(od_vec3(0, 0, 1), (side ? -20.0f : 20.0f) / 57.29578f);
        leg->rest.q = od_quat_mul(splay, leg->rest.q);
    }
    od_skeleton_finish(&r.scene.skeleton);
    r.options.keep_first = false;
    r.options.bind.kind = OD_BIND_AUTO;
    rig_solve(&r);
    assert_int_equal(r.result.bind.kind, OD_BIND_FRAME);
    assert_int_equal(r.result.bind.frame, 0);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(source_at_rest_gives_identity_keys_and_the_a_pose_constant_for_arms),
        cmocka_unit_test(a_rig_with_vertical_legs_at_rest_keeps_the_center_at_its_place),
        cmocka_unit_test(target_skeleton_as_source_gives_the_input_back_in_the_air),
        cmocka_unit_test(target_skeleton_as_source_gives_the_input_back_on_the_floor),
        cmocka_unit_test(rest_orientations_of_the_source_do_not_matter),
        cmocka_unit_test(mirrored_source_gives_the_mirrored_motion),
        cmocka_unit_test(source_turned_by_any_yaw_gives_the_same_motion),
        cmocka_unit_test(source_in_another_unit_gives_the_same_motion),
        cmocka_unit_test(z_up_source_gives_the_same_motion),
        cmocka_unit_test(motion_turned_against_an_upright_rest_is_stood_up),
        cmocka_unit_test(keep_heading_keeps_it),
        cmocka_unit_test(limbs_point_where_the_source_points),
        cmocka_unit_test(hips_travel_is_scaled_by_the_legs),
        cmocka_unit_test(keys_are_unit_continuous_and_single_for_a_bone_at_rest),
        cmocka_unit_test(bones_that_the_model_drives_itself_are_not_keyed_even_when_mapped),
        cmocka_unit_test(a_rest_frame_before_the_motion_is_dropped_and_a_slow_start_is_not),
        cmocka_unit_test(a_first_frame_near_the_rest_pose_is_dropped_too),
        cmocka_unit_test(a_straighter_first_frame_is_the_rest_of_a_splayed_zero_pose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
