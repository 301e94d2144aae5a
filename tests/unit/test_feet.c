/* Feet: IK keys that agree with FK, soles on the floor, planted feet that stay, hips that come down. */
#include "rig.h"

static const rig_shape PLAIN = {0};

static const double FLAT_TOE = 2; /* cm: height of the source's toe joint when the foot stands */

static quatd about(vecd axis, double degrees)
{
    return quatd_axis(axis, degrees);
}

/* The whole of it: with IK on no solver has anything to do, and every bone is where FK has it. */
static void check_ik_agrees(const rig *r)
{
    xformd fk[PLAYER_BONES], ik[PLAYER_BONES];
    for (int f = 0; f < r->result.frames; f++) {
        assert_int_equal(player_frame(&r->target, &r->keys, f, true, ik), 0);
        player_frame(&r->target, &r->keys, f, false, fk);
        for (int b = 0; b < r->target.skeleton.count; b++) {
            assert_near(vecd_distance(fk[b].t, ik[b].t), 0, 1e-6);
            assert_near(quatd_angle(fk[b].q, ik[b].q), 0, 1e-4);
        }
        for (int i = 0; i < r->target.ik_count; i++) {
            const od_ik_chain *chain = &r->target.ik[i];
            assert_near(vecd_distance(fk[chain->bone].t, fk[chain->effector].t), 0, 1e-4);
        }
        for (int side = 0; side < 2; side++) {
            int foot = r->target.role[OD_ROLE_LEG_IK_L + side], ankle = r->target.role[OD_ROLE_ANKLE_L + side];
            assert_near(quatd_angle(fk[foot].q, fk[ankle].q), 0, 0.01); /* つま先ＩＫ keeps the foot */
            xformd knee = rig_key(r, f, OD_ROLE_KNEE_L + side);
            assert_near(fabs(knee.q.y) + fabs(knee.q.z), 0, 1e-6);
            double bend = quatd_twist_angle(knee.q, AXIS_X);
            assert_true(bend <= -0.4999 && bend >= -180);
        }
    }
}

static void ik_agrees_with_fk_in_every_frame_of_a_wild_dance(void **state)
{
    (void)state;
    static const rig_shape shapes[] = {{0}, {.legs = 1.3, .trunk = 0.8, .turned_bind = true}, {.legs = 0.6}};
    static const od_feet feet[] = {OD_FEET_HYBRID, OD_FEET_ABSOLUTE, OD_FEET_RELATIVE};
    for (int i = 0; i < 3; i++) {
        rig r;
        rig_open(&r, &shapes[i], RIG_FRAMES);
        rig_dance(&r, (uint32_t)i + 40);
        r.options.feet = feet[i];
        rig_solve(&r);
        check_ik_agrees(&r);
        rig_check_keys(&r);
        rig_close(&r);
    }
}

static void ik_agrees_with_fk_when_feet_are_out_of_reach(void **state)
{
    (void)state;
    static const double scales[] = {0.14, 0.08}; /* the target's legs are worth 0.110 */
    for (int i = 0; i < 2; i++) {
        rig r;
        rig_open(&r, &PLAIN, RIG_FRAMES);
        rig_dance(&r, 45);
        r.options.feet = OD_FEET_ABSOLUTE;
        r.options.scale_kind = OD_SCALE_FIXED;
        r.options.scale = scales[i];
        rig_solve(&r);
        check_ik_agrees(&r);
        rig_close(&r);
    }
}

static void a_knee_bent_the_wrong_way_does_not_turn_the_leg_round(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, 30);
    for (int f = 0; f < 30; f++) { /* from 25 degrees as knees bend to 25 as they do not */
        rig_pose pose = rig_rest();
        for (int side = 0; side < 2; side++) {
            pose.turn[r.joint[OD_ROLE_LEG_L + side]] = about(AXIS_X, 20);
            pose.turn[r.joint[OD_ROLE_KNEE_L + side]] = about(AXIS_X, -25 + 50 * f / 29.0);
        }
        rig_put(&r, f, &pose);
    }
    rig_solve(&r);
    for (int f = 0; f < 30; f++)
        for (int side = 0; side < 2; side++)
            assert_near(vecd_angle(quatd_rotate(rig_played(&r, f, OD_ROLE_LEG_L + side).q, AXIS_X), AXIS_X), 0, 1);
    check_ik_agrees(&r);
    rig_close(&r);
}

static void ik_agrees_with_fk_whatever_the_ik_bones_hang_on(void **state)
{
    (void)state;
    static const od_role parents[] = {OD_ROLE_CENTER, OD_ROLE_NONE, OD_ROLE_MOTHER};
    for (int i = 0; i < 3; i++)
        for (int mother = 0; mother < 2; mother++) {
            rig r;
            rig_open(&r, &PLAIN, RIG_FRAMES);
            rig_hang(&r, OD_ROLE_LEG_IK_L, parents[i]);
            rig_hang(&r, OD_ROLE_LEG_IK_R, parents[i]);
            rig_dance(&r, 50);
            r.options.mother = mother;
            rig_solve(&r);
            check_ik_agrees(&r);
            rig_close(&r);
        }
}

static void ik_agrees_with_fk_when_the_toe_ik_is_no_child_of_the_leg_ik(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, RIG_FRAMES);
    rig_hang(&r, OD_ROLE_TOE_IK_L, OD_ROLE_MOTHER);
    rig_hang(&r, OD_ROLE_TOE_IK_R, OD_ROLE_MOTHER);
    rig_dance(&r, 51);
    rig_solve(&r);
    check_ik_agrees(&r);
    rig_close(&r);
}

/* Lowest point of a foot as played: the ankle's sole below heel, ball and tip. */
static double lowest(const rig *r, int frame, int side)
{
    xformd ankle = rig_played(r, frame, OD_ROLE_ANKLE_L + side), ball = rig_played(r, frame, OD_ROLE_TOE_EX_L + side);
    const od_bone *bones = r->target.skeleton.bones;
    vecd ankle_rest = vecd_of(bones[r->target.role[OD_ROLE_ANKLE_L + side]].rest_world.t);
    vecd ball_rest = vecd_of(bones[r->target.role[OD_ROLE_TOE_EX_L + side]].rest_world.t);
    vecd tip_rest = vecd_of(bones[r->target.role[OD_ROLE_TOE_L + side]].rest_world.t);
    vecd heel = {0, -ankle_rest.y, 0.3}, under = vecd_sub((vecd){ball_rest.x, 0, ball_rest.z}, ankle_rest);
    vecd tip = vecd_sub((vecd){tip_rest.x, 0, tip_rest.z}, ball_rest);
    double low =
        fmin(vecd_add(ankle.t, quatd_rotate(ankle.q, heel)).y, vecd_add(ankle.t, quatd_rotate(ankle.q, under)).y);
    return fmin(low, vecd_add(ball.t, quatd_rotate(ball.q, tip)).y);
}

static void no_sole_goes_under_the_floor(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        rig r;
        rig_open(&r, &(rig_shape){.legs = i == 2 ? 0.6 : 1}, RIG_FRAMES);
        rig_dance(&r, (uint32_t)i + 60);
        if (i == 3) { /* the floor of the source above some of its feet */
            r.options.ground_set = true;
            r.options.ground = 20;
        }
        rig_solve(&r);
        for (int f = 0; f < RIG_FRAMES; f++)
            for (int side = 0; side < 2; side++) assert_true(lowest(&r, f, side) > -1e-3);
        rig_close(&r);
    }
}

/* Where the ball of the target's foot is. */
static vecd ball_of(const rig *r, int frame, int side)
{
    return rig_played(r, frame, OD_ROLE_TOE_EX_L + side).t;
}

/* Both feet stand; the hips sway and sink. The right heel rolls up about its still ball by `roll`
 * degrees, the toes staying flat; its foot drifts by `drift` cm a frame. */
static void stand(rig *r, double roll, double drift)
{
    for (int f = 0; f < r->clip.frames; f++) {
        double t = f / 30.0;
        rig_pose pose = rig_rest();
        pose.hips = (vecd){6 * sin(2 * t), -9 + 3 * cos(3 * t), 4 * sin(t)};
        pose.turn[r->joint[OD_ROLE_LOWER_BODY]] = about(AXIS_Y, 10 * sin(2 * t));
        for (int side = 0; side < 2; side++) {
            int ankle = r->joint[OD_ROLE_ANKLE_L + side], toe = r->joint[OD_ROLE_TOE_EX_L + side];
            double up = side ? roll * (1 - cos(3 * t)) / 2 : 0;
            quatd foot = quatd_mul(about(AXIS_Y, side ? -10 : 15), about(AXIS_X, -up));
            vecd ball = vecd_add(r->at[toe], (vecd){side ? drift * f : 0, 0, side ? 3 : -3});
            vecd at = vecd_sub(ball, quatd_rotate(foot, vecd_sub(r->at[toe], r->at[ankle])));
            rig_reach(r, &pose, side, at, foot);
            pose.turn[toe] = about(AXIS_X, up);
        }
        rig_put(r, f, &pose);
    }
}

/* Largest way of the ball in the plane from where it is in the middle of the clip. */
static double slide(const rig *r, int side)
{
    vecd anchor = ball_of(r, r->result.frames / 2, side);
    double worst = 0;
    for (int f = 0; f < r->result.frames; f++) {
        vecd way = vecd_sub(ball_of(r, f, side), anchor);
        worst = fmax(worst, hypot(way.x, way.z));
    }
    return worst;
}

static void a_planted_foot_stays_while_its_heel_rolls_up(void **state)
{
    (void)state;
    static const rig_shape shapes[] = {{0}, {.legs = 1.2, .turned_bind = true}, {.legs = 0.8}};
    static const double rolls[] = {18, 35}; /* from 20 on the stiff つま先 would sink too deep */
    for (int i = 0; i < 6; i++) {
        rig r;
        rig_open(&r, &shapes[i / 2], RIG_FRAMES);
        stand(&r, rolls[i % 2], 0);
        rig_solve(&r);
        for (int side = 0; side < 2; side++) {
            assert_near(slide(&r, side), 0, 1e-3);
            for (int f = 0; f < RIG_FRAMES; f++) {
                double low = lowest(&r, f, side);
                assert_true(low > -1e-3 && low < (i % 2 ? 0.25 : 2e-3));
            }
        }
        check_ik_agrees(&r);
        rig_close(&r);
    }
}

static void a_stiff_foot_rolls_over_its_tip(void **state)
{
    (void)state;
    static const od_role toes[] = {OD_ROLE_TOE_EX_L, OD_ROLE_TOE_EX_R};
    rig r;
    rig_open(&r, &PLAIN, RIG_FRAMES);
    rig_without(&r, toes, 2);
    stand(&r, 35, 0);
    rig_solve(&r);
    vecd first = rig_played(&r, 0, OD_ROLE_TOE_R).t;
    for (int f = 0; f < RIG_FRAMES; f++) {
        vecd tip = rig_played(&r, f, OD_ROLE_TOE_R).t;
        assert_near(hypot(tip.x - first.x, tip.z - first.z), 0, 1e-3);
    }
    check_ik_agrees(&r);
    rig_close(&r);
}

/* Steps of 40 cm (of legs that are 86 long), 32 frames each foot: it comes down on its heel, stands, rolls over
 * its ball, swings. */
static void walk(rig *r)
{
    enum { CYCLE = 32, STANCE = 20 };
    double cm = (r->at[r->joint[OD_ROLE_LEG_L]].y - r->at[r->joint[OD_ROLE_ANKLE_L]].y) / 86.2;
    for (int f = 0; f < r->clip.frames; f++) {
        rig_pose pose = rig_rest();
        pose.hips = (vecd){0, cm * (cos(720 * DEGREE * f / CYCLE) - 5), -cm * 2.5 * f};
        for (int side = 0; side < 2; side++) {
            int ankle = r->joint[OD_ROLE_ANKLE_L + side], toe = r->joint[OD_ROLE_TOE_EX_L + side];
            int at = f + side * CYCLE / 2, step = at / CYCLE, phase = at % CYCLE;
            double swing = phase < STANCE ? 0 : (phase - STANCE + 1.0) / (CYCLE - STANCE + 1);
            double ease = swing * swing * (3 - 2 * swing);
            double up = swing > 0 ? 35 - 55 * ease : phase < 4 ? -20 + 5 * phase : fmax(phase - 13, 0) * 5;
            quatd foot = about(AXIS_X, -up);
            vecd sole = vecd_sub(r->at[toe], r->at[ankle]), ball = r->at[toe];
            ball.y += cm * 6 * sin(180 * DEGREE * swing) + (up < 0 ? cm * 15 * sin(-up * DEGREE) : 0);
            ball.z -= cm * (80 * (step + ease) + 25 - (side ? 40 : 0));
            rig_reach(r, &pose, side, vecd_sub(ball, quatd_rotate(foot, sole)), foot);
            pose.turn[toe] = about(AXIS_X, fmax(up, 0));
        }
        rig_put(r, f, &pose);
    }
}

static const rig_shape WALKERS[] = {
    {0}, {.legs = 1.2, .turned_bind = true}, {.legs = 0.85, .knee_up = 6}, {.knee_up = -6}};

static void no_foot_jumps_where_the_source_s_does_not(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        rig r;
        rig_open(&r, &WALKERS[i], 96);
        walk(&r);
        rig_solve(&r);
        double s = (double)r.result.scale;
        for (int side = 0; side < 2; side++) {
            int joint = r.joint[OD_ROLE_ANKLE_L + side];
            for (int f = 1; f < 96; f++) {
                vecd way = vecd_sub(rig_world(&r, f, joint).t, rig_world(&r, f - 1, joint).t);
                vecd a = rig_played(&r, f - 1, OD_ROLE_ANKLE_L + side).t,
                     b = rig_played(&r, f, OD_ROLE_ANKLE_L + side).t;
                assert_true(vecd_distance(a, b) - s * vecd_norm(way) < 0.08); /* 6 mm; a step of the swing: 0.9 */
            }
        }
        check_ik_agrees(&r);
        rig_close(&r);
    }
}

static void feet_slide_no_more_than_the_source_s(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        rig r;
        rig_open(&r, &WALKERS[i], 96);
        walk(&r);
        rig_solve(&r);
        double s = (double)r.result.scale, source = 0, output = 0;
        for (int side = 0; side < 2; side++)
            for (int f = 1; f < 96; f++) {
                vecd was = rig_world(&r, f - 1, r.joint[OD_ROLE_TOE_EX_L + side]).t;
                vecd is = rig_world(&r, f, r.joint[OD_ROLE_TOE_EX_L + side]).t;
                double weight = fmin(fmax(2 - exp2(8 * s * (is.y - (double)r.result.ground) / 3), 0), 1);
                vecd a = ball_of(&r, f - 1, side), b = ball_of(&r, f, side);
                output += weight * hypot(b.x - a.x, b.z - a.z);
                source += weight * s * hypot(is.x - was.x, is.z - was.z);
            }
        assert_true(source > 1);
        assert_true(output <= source * 1.001);
        rig_close(&r);
    }
}

static void relative_feet_keep_their_directions_and_stay_above_the_floor(void **state)
{
    (void)state;
    static const od_role roles[] = {OD_ROLE_LEG_L, OD_ROLE_LEG_R, OD_ROLE_KNEE_L, OD_ROLE_KNEE_R};
    for (int i = 0; i < 4; i++) {
        rig r;
        rig_open(&r, &WALKERS[i], RIG_FRAMES);
        rig_dance(&r, (uint32_t)i + 60);
        r.options.feet = OD_FEET_RELATIVE;
        r.options.ground_set = true; /* above some of the source's feet */
        r.options.ground = 10;
        rig_solve(&r);
        double before = 0, fastest = 0;
        for (int f = 0; f < RIG_FRAMES; f++) {
            for (int side = 0; side < 2; side++) assert_true(lowest(&r, f, side) > -1e-3);
            for (int k = 0; k < 4; k++) {
                vecd source = rig_source_way(&r, f, roles[k], roles[k] + 2);
                assert_near(vecd_angle(source, rig_played_way(&r, f, roles[k], roles[k] + 2)), 0, 0.05);
            }
            double hips = rig_played(&r, f, OD_ROLE_LEG_L).t.y;
            double lift = hips - (double)r.result.scale * rig_world(&r, f, r.joint[OD_ROLE_LEG_L]).t.y;
            if (f) fastest = fmax(fastest, fabs(lift - before));
            before = lift;
        }
        assert_true(fastest < 0.3); /* of the body, that some soles lift by more than a unit */
        check_ik_agrees(&r);
        rig_close(&r);
    }
}

static void absolute_feet_are_exactly_where_the_source_s_are(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        rig r;
        rig_open(&r, &WALKERS[i], 96);
        walk(&r);
        r.options.feet = OD_FEET_ABSOLUTE;
        r.options.keep_origin = true;
        rig_solve(&r);
        for (int f = 0; f < 96; f++)
            for (int side = 0; side < 2; side++) {
                vecd ball = ball_of(&r, f, side);
                vecd toe = vecd_scale(rig_world(&r, f, r.joint[OD_ROLE_TOE_EX_L + side]).t, (double)r.result.scale);
                assert_near(hypot(ball.x - toe.x, ball.z - toe.z), 0, 1e-3);
            }
        check_ik_agrees(&r);
        rig_close(&r);
    }
}

static void toes_that_point_ahead_at_rest_do_not_tilt_the_feet(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, RIG_FRAMES);
    od_bone *bones = r.scene.skeleton.bones;
    for (int side = 0; side < 2; side++) { /* the zero pose has toe joints as high as ankles, toes level */
        int ankle = r.joint[OD_ROLE_ANKLE_L + side], toe = r.joint[OD_ROLE_TOE_EX_L + side];
        vecd sole = vecd_sub(r.at[toe], r.at[ankle]), ahead = {sole.x, 0, sole.z};
        quatd up = about(vecd_cross(ahead, AXIS_Y), vecd_angle(sole, ahead));
        bones[ankle].rest.q = od_quat((float)up.x, (float)up.y, (float)up.z, (float)up.w);
        bones[toe].rest.q = od_quat_conj(bones[ankle].rest.q);
        od_skeleton_finish(&r.scene.skeleton);
        assert_near((double)(bones[ankle].rest_world.t.y - bones[toe].rest_world.t.y), 0, 1e-3);
    }
    stand(&r, 0, 0);
    rig_solve(&r);
    for (int f = 0; f < RIG_FRAMES; f += 5)
        for (int side = 0; side < 2; side++) {
            vecd up = quatd_rotate(rig_played(&r, f, OD_ROLE_ANKLE_L + side).q, AXIS_Y);
            assert_near(vecd_angle(up, AXIS_Y), 0, 0.1);
            assert_near(lowest(&r, f, side), 0, 2e-3);
        }
    rig_close(&r);
}

static void the_turn_of_a_foot_is_the_source_s(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &(rig_shape){.turned_bind = true}, RIG_FRAMES);
    stand(&r, 25, 0);
    rig_solve(&r);
    for (int f = 0; f < RIG_FRAMES; f += 5)
        for (int side = 0; side < 2; side++) {
            int joint = r.joint[OD_ROLE_ANKLE_L + side], toe = r.joint[OD_ROLE_TOE_EX_L + side];
            quatd foot = quatd_mul(rig_world(&r, f, joint).q, quatd_conj(r.bind[joint]));
            quatd ball = quatd_mul(rig_world(&r, f, toe).q, quatd_conj(r.bind[toe]));
            assert_near(quatd_angle(rig_played(&r, f, OD_ROLE_ANKLE_L + side).q, foot), 0, 0.01);
            assert_near(quatd_angle(rig_played(&r, f, OD_ROLE_TOE_EX_L + side).q, ball), 0, 0.01);
        }
    rig_close(&r);
}

static void a_foot_in_the_air_keeps_its_place_relative_to_the_hip(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, RIG_FRAMES);
    for (int f = 0; f < RIG_FRAMES; f++) {
        rig_pose pose = rig_random(&r, 70, f);
        pose.hips.y = 120; /* flies */
        rig_put(&r, f, &pose);
    }
    r.options.ground_set = true;
    r.options.ground = FLAT_TOE;
    rig_solve(&r);
    for (int f = 0; f < RIG_FRAMES; f++)
        for (int side = 0; side < 2; side++) {
            vecd source = rig_source_way(&r, f, OD_ROLE_LEG_L + side, OD_ROLE_ANKLE_L + side);
            vecd played = rig_played_way(&r, f, OD_ROLE_LEG_L + side, OD_ROLE_ANKLE_L + side);
            assert_near(vecd_distance(vecd_scale(source, (double)r.result.scale), played), 0, 2e-3);
        }
    rig_close(&r);
}

static void hips_come_down_smoothly_when_a_standing_foot_is_out_of_reach(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, RIG_FRAMES);
    for (int f = 0; f < RIG_FRAMES; f++) { /* legs all but straight and spread for a while */
        double spread = f >= 30 && f < 60 ? 26 : 4;
        rig_pose pose = rig_rest();
        pose.hips.y = f >= 30 && f < 60 ? -4.1 : -1;
        for (int side = 0; side < 2; side++) {
            vecd at = r.at[r.joint[OD_ROLE_ANKLE_L + side]];
            at.x += side ? -spread : spread;
            rig_reach(&r, &pose, side, at, NO_TURN);
        }
        rig_put(&r, f, &pose);
    }
    r.options.scale_kind = OD_SCALE_FIXED;
    r.options.scale = 0.112; /* a step too long for the target's legs: 0.110 */
    rig_solve(&r);
    double most = 0, fastest = 0, before = 0;
    for (int f = 0; f < RIG_FRAMES; f++) {
        for (int side = 0; side < 2; side++) assert_near(lowest(&r, f, side), 0, 5e-3);
        double scaled = 0.112 * (rig_world(&r, f, r.joint[OD_ROLE_LEG_L]).t.y - 8) + 1.1; /* ankles: 8 cm, 1.1 units */
        double lowered = scaled - rig_played(&r, f, OD_ROLE_LEG_L).t.y;
        most = fmax(most, lowered);
        if (f) fastest = fmax(fastest, fabs(lowered - before));
        before = lowered;
    }
    assert_true(most > 0.02);
    assert_true(fastest < 0.35 * most);
    check_ik_agrees(&r);
    rig_close(&r);
}

static bool ik_is_on(const rig *r, od_role role)
{
    const char *name = od_role_name(role);
    assert_int_equal(r->keys.ik_count, 1);
    assert_int_equal(r->keys.ik[0].frame, 0);
    assert_true(r->keys.ik[0].show);
    assert_int_equal(r->keys.ik[0].count, r->target.ik_count); /* every IK bone is named */
    for (int i = 0; i < r->keys.ik[0].count; i++)
        if (!strcmp(r->keys.ik[0].switches[i].name, name)) return r->keys.ik[0].switches[i].on;
    fail();
    return false;
}

static bool has_track(const rig *r, od_role role)
{
    return player_track(&r->keys, od_role_name(role)) != NULL;
}

static void legs_option_chooses_keys_and_switches(void **state)
{
    (void)state;
    for (int legs = OD_LEGS_BOTH; legs <= OD_LEGS_IK; legs++) {
        rig r;
        rig_open(&r, &PLAIN, 30);
        rig_dance(&r, 80);
        r.options.legs = (od_legs)legs;
        rig_solve(&r);
        for (int side = 0; side < 2; side++) {
            assert_true(has_track(&r, OD_ROLE_LEG_L + side) == (legs != OD_LEGS_IK));
            assert_true(has_track(&r, OD_ROLE_KNEE_L + side) == (legs != OD_LEGS_IK));
            assert_true(has_track(&r, OD_ROLE_ANKLE_L + side) == (legs != OD_LEGS_IK));
            assert_true(has_track(&r, OD_ROLE_LEG_IK_L + side) == (legs != OD_LEGS_FK));
            assert_true(has_track(&r, OD_ROLE_TOE_IK_L + side) == (legs != OD_LEGS_FK));
            assert_true(has_track(&r, OD_ROLE_TOE_EX_L + side));
            assert_true(ik_is_on(&r, OD_ROLE_LEG_IK_L + side) == (legs != OD_LEGS_FK));
            assert_true(ik_is_on(&r, OD_ROLE_TOE_IK_L + side) == (legs != OD_LEGS_FK));
        }
        rig_close(&r);
    }
}

static void ik_alone_brings_the_ankles_to_the_same_place(void **state)
{
    (void)state;
    rig both, ik;
    rig_open(&both, &PLAIN, 30);
    rig_open(&ik, &PLAIN, 30);
    rig_dance(&both, 81);
    rig_dance(&ik, 81);
    ik.options.legs = OD_LEGS_IK;
    rig_solve(&both);
    rig_solve(&ik);
    for (int f = 0; f < 30; f++)
        for (int side = 0; side < 2; side++) {
            xformd a = rig_key(&both, f, OD_ROLE_LEG_IK_L + side), b = rig_key(&ik, f, OD_ROLE_LEG_IK_L + side);
            assert_near(vecd_distance(a.t, b.t), 0, 1e-6);
            assert_near(quatd_angle(a.q, b.q), 0, 1e-4);
        }
    rig_close(&both);
    rig_close(&ik);
}

static void check_worlds(const rig *a, const rig *b)
{
    static const od_role roles[] = {OD_ROLE_LEG_L,   OD_ROLE_LEG_R,   OD_ROLE_KNEE_L, OD_ROLE_ANKLE_L, OD_ROLE_ANKLE_R,
                                    OD_ROLE_WRIST_L, OD_ROLE_WRIST_R, OD_ROLE_HEAD,   OD_ROLE_LEG_IK_L};
    for (int f = 0; f < a->result.frames; f++)
        for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
            xformd x = rig_played(a, f, roles[i]), y = rig_played(b, f, roles[i]);
            assert_near(vecd_distance(x.t, y.t), 0, 5e-4);
            assert_near(quatd_angle(x.q, y.q), 0, 5e-3);
        }
}

static void mother_and_groove_carry_the_travel_and_keep_the_worlds(void **state)
{
    (void)state;
    for (int i = 1; i < 4; i++) {
        rig a, b;
        rig_open(&a, &PLAIN, 60);
        rig_open(&b, &PLAIN, 60);
        rig_dance(&a, 90);
        rig_dance(&b, 90);
        b.options.mother = i & 1;
        b.options.groove = i & 2;
        rig_solve(&a);
        rig_solve(&b);
        check_worlds(&a, &b);
        check_ik_agrees(&b);
        for (int f = 0; f < 60; f += 13) {
            vecd center = rig_key(&b, f, OD_ROLE_CENTER).t;
            if (b.options.groove) {
                assert_near(center.y, 0, 1e-6);
                assert_near(rig_key(&b, f, OD_ROLE_GROOVE).t.x, 0, 1e-6);
            }
            if (!b.options.mother) continue;
            assert_near(hypot(center.x, center.z), 0, 1e-6);
            assert_near(rig_key(&b, f, OD_ROLE_MOTHER).t.y, 0, 1e-6);
        }
        rig_close(&a);
        rig_close(&b);
    }
}

static void in_place_takes_only_the_travel_in_the_plane_away(void **state)
{
    (void)state;
    rig a, b;
    rig_open(&a, &PLAIN, 60);
    rig_open(&b, &PLAIN, 60);
    rig_dance(&a, 91);
    rig_dance(&b, 91);
    b.options.in_place = true;
    rig_solve(&a);
    rig_solve(&b);
    for (int f = 0; f < 60; f++) {
        vecd hips = vecd_scale(vecd_add(rig_played(&b, f, OD_ROLE_LEG_L).t, rig_played(&b, f, OD_ROLE_LEG_R).t), 0.5);
        vecd free = vecd_scale(vecd_add(rig_played(&a, f, OD_ROLE_LEG_L).t, rig_played(&a, f, OD_ROLE_LEG_R).t), 0.5);
        assert_near(hypot(hips.x, hips.z), 0, 1e-3);
        for (int side = 0; side < 2; side++) {
            vecd x = vecd_sub(rig_played(&a, f, OD_ROLE_ANKLE_L + side).t, free);
            vecd y = vecd_sub(rig_played(&b, f, OD_ROLE_ANKLE_L + side).t, hips);
            assert_near(vecd_distance(x, y), 0, 2e-3);
        }
    }
    check_ik_agrees(&b);
    rig_close(&a);
    rig_close(&b);
}

static void the_first_frame_stands_at_the_origin_unless_it_is_kept(void **state)
{
    (void)state;
    for (int keep = 0; keep < 2; keep++) {
        rig r;
        rig_open(&r, &PLAIN, 30);
        stand(&r, 0, 0);
        rig_turn(&r, NO_TURN, false);
        for (int f = 0; f < 30; f++) r.local[(size_t)f * (size_t)r.clip.bones].t.x += 200;
        r.options.keep_origin = keep;
        rig_solve(&r);
        vecd hips = vecd_scale(vecd_add(rig_played(&r, 0, OD_ROLE_LEG_L).t, rig_played(&r, 0, OD_ROLE_LEG_R).t), 0.5);
        double at = 0.5 * (rig_world(&r, 0, r.joint[OD_ROLE_LEG_L]).t.x + rig_world(&r, 0, r.joint[OD_ROLE_LEG_R]).t.x);
        assert_near(hips.x, keep ? at * (double)r.result.scale : 0, 1e-3);
        rig_close(&r);
    }
}

static void hard_lock_holds_a_drifting_foot(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, 60);
    stand(&r, 0, 0.1); /* 3 cm a second */
    r.options.foot_lock = OD_FOOT_LOCK_HARD;
    rig_solve(&r);
    assert_true(r.result.contacts >= 2);
    assert_near(slide(&r, 1), 0, 1e-3);
    check_ik_agrees(&r);
    rig_close(&r);
}

static void without_lock_a_drifting_foot_drifts(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, 60);
    stand(&r, 0, 0.1);
    rig_solve(&r);
    double half = 0.1 * 30 * (double)r.result.scale;
    assert_near(slide(&r, 1), half, 0.02 * half);
    rig_close(&r);
}

static void soft_lock_takes_small_drifts_away_and_leaves_larger_ones(void **state)
{
    (void)state;
    static const double drift[] = {0.05, 0.3}; /* from the middle: 1.5 and 9 cm */
    for (int i = 0; i < 2; i++) {
        rig r;
        rig_open(&r, &PLAIN, 60);
        stand(&r, 0, drift[i]);
        r.options.foot_lock = OD_FOOT_LOCK_SOFT;
        rig_solve(&r);
        double half = drift[i] * 30 * (double)r.result.scale;
        if (i) assert_near(slide(&r, 1), half, 0.02 * half);
        else assert_near(slide(&r, 1), 0, 1e-3);
        rig_close(&r);
    }
}

static void a_standing_dancer_has_two_contacts_and_a_flying_one_none(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &PLAIN, 60);
    stand(&r, 0, 0);
    rig_solve(&r);
    assert_int_equal(r.result.contacts, 2);
    assert_near(r.result.contact_share, 1, 1e-3);
    assert_near(r.result.ground, FLAT_TOE, 1e-3);
    rig_close(&r);

    rig_open(&r, &PLAIN, 60);
    for (int f = 0; f < 60; f++) {
        rig_pose pose = rig_random(&r, 95, f);
        pose.hips.y = 100;
        rig_put(&r, f, &pose);
    }
    r.options.ground_set = true;
    r.options.ground = FLAT_TOE;
    rig_solve(&r);
    assert_int_equal(r.result.contacts, 0);
    assert_near(r.result.contact_share, 0, 1e-6);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ik_agrees_with_fk_in_every_frame_of_a_wild_dance),
        cmocka_unit_test(ik_agrees_with_fk_when_feet_are_out_of_reach),
        cmocka_unit_test(a_knee_bent_the_wrong_way_does_not_turn_the_leg_round),
        cmocka_unit_test(ik_agrees_with_fk_whatever_the_ik_bones_hang_on),
        cmocka_unit_test(ik_agrees_with_fk_when_the_toe_ik_is_no_child_of_the_leg_ik),
        cmocka_unit_test(no_sole_goes_under_the_floor),
        cmocka_unit_test(a_planted_foot_stays_while_its_heel_rolls_up),
        cmocka_unit_test(a_stiff_foot_rolls_over_its_tip),
        cmocka_unit_test(no_foot_jumps_where_the_source_s_does_not),
        cmocka_unit_test(feet_slide_no_more_than_the_source_s),
        cmocka_unit_test(relative_feet_keep_their_directions_and_stay_above_the_floor),
        cmocka_unit_test(absolute_feet_are_exactly_where_the_source_s_are),
        cmocka_unit_test(toes_that_point_ahead_at_rest_do_not_tilt_the_feet),
        cmocka_unit_test(the_turn_of_a_foot_is_the_source_s),
        cmocka_unit_test(a_foot_in_the_air_keeps_its_place_relative_to_the_hip),
        cmocka_unit_test(hips_come_down_smoothly_when_a_standing_foot_is_out_of_reach),
        cmocka_unit_test(legs_option_chooses_keys_and_switches),
        cmocka_unit_test(ik_alone_brings_the_ankles_to_the_same_place),
        cmocka_unit_test(mother_and_groove_carry_the_travel_and_keep_the_worlds),
        cmocka_unit_test(in_place_takes_only_the_travel_in_the_plane_away),
        cmocka_unit_test(the_first_frame_stands_at_the_origin_unless_it_is_kept),
        cmocka_unit_test(hard_lock_holds_a_drifting_foot),
        cmocka_unit_test(without_lock_a_drifting_foot_drifts),
        cmocka_unit_test(soft_lock_takes_small_drifts_away_and_leaves_larger_ones),
        cmocka_unit_test(a_standing_dancer_has_two_contacts_and_a_flying_one_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
