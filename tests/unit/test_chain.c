/* Chains of different length: spines, necks, and models that lack bones of the standard. */
#include "rig.h"

static const vecd HIGH_CHEST = {0, 14.8, 0.1};

/* What a joint of the source shows: its world turned from rest. */
static quatd shown(const rig *r, int frame, od_role role)
{
    int joint = r->joint[role];
    return quatd_mul(rig_world(r, frame, joint).q, quatd_conj(r->bind[joint]));
}

/* A source with `joints` spine joints on a target with `bones` spine bones. */
static void open_spine(rig *r, int joints, int bones)
{
    static const od_role second[] = {OD_ROLE_UPPER_BODY2};
    rig_open(r, &(rig_shape){.spines = joints, .turned_bind = true}, 30);
    if (bones == 1) rig_without(r, second, 1);
    if (bones == 3) rig_insert(r, OD_ROLE_UPPER_BODY3, OD_ROLE_UPPER_BODY2, HIGH_CHEST);
    rig_dance(r, (uint32_t)(10 * joints + bones));
    rig_solve(r);
}

static void shoulders_follow_the_top_of_any_spine(void **state)
{
    (void)state;
    for (int joints = 1; joints <= 3; joints++)
        for (int bones = 1; bones <= 3; bones++) {
            rig r;
            open_spine(&r, joints, bones);
            od_role top = OD_ROLE_UPPER_BODY + joints - 1, last = OD_ROLE_UPPER_BODY + bones - 1;
            for (int f = 0; f < 30; f++) {
                assert_near(quatd_angle(rig_played(&r, f, last).q, shown(&r, f, top)), 0, 2e-3);
                assert_near(quatd_angle(rig_played(&r, f, OD_ROLE_LOWER_BODY).q, shown(&r, f, OD_ROLE_LOWER_BODY)), 0,
                            2e-3);
                assert_near(quatd_angle(rig_played(&r, f, OD_ROLE_SHOULDER_L).q, shown(&r, f, OD_ROLE_SHOULDER_L)), 0,
                            2e-3);
            }
            rig_close(&r);
        }
}

static void spines_of_equal_length_go_one_to_one(void **state)
{
    (void)state;
    for (int n = 1; n <= 3; n++) {
        rig r;
        open_spine(&r, n, n);
        for (int f = 0; f < 30; f++)
            for (int i = 0; i < n; i++)
                assert_near(
                    quatd_angle(rig_played(&r, f, OD_ROLE_UPPER_BODY + i).q, shown(&r, f, OD_ROLE_UPPER_BODY + i)), 0,
                    2e-3);
        rig_close(&r);
    }
}

static void a_missing_third_spine_bone_replaces_the_second(void **state)
{
    (void)state;
    rig r;
    open_spine(&r, 3, 2);
    for (int f = 0; f < 30; f++) {
        assert_near(quatd_angle(rig_played(&r, f, OD_ROLE_UPPER_BODY).q, shown(&r, f, OD_ROLE_UPPER_BODY)), 0, 2e-3);
        assert_near(quatd_angle(rig_played(&r, f, OD_ROLE_UPPER_BODY2).q, shown(&r, f, OD_ROLE_UPPER_BODY3)), 0, 2e-3);
    }
    rig_close(&r);
}

static void one_spine_joint_turns_the_first_bone_alone(void **state)
{
    (void)state;
    for (int bones = 2; bones <= 3; bones++) {
        rig r;
        open_spine(&r, 1, bones);
        for (int f = 0; f < 30; f++)
            for (int i = 1; i < bones; i++)
                assert_near(quatd_angle(rig_key(&r, f, OD_ROLE_UPPER_BODY + i).q, NO_TURN), 0, 2e-3);
        rig_close(&r);
    }
}

static void a_longer_spine_takes_what_lies_between(void **state)
{
    (void)state;
    rig r;
    open_spine(&r, 2, 3);
    for (int f = 0; f < 30; f++) {
        quatd low = shown(&r, f, OD_ROLE_UPPER_BODY), high = shown(&r, f, OD_ROLE_UPPER_BODY2);
        quatd middle = rig_played(&r, f, OD_ROLE_UPPER_BODY2).q;
        double whole = quatd_angle(low, high), up = quatd_angle(low, middle), down = quatd_angle(middle, high);
        assert_near(up + down, whole, 0.01);
        assert_near(quatd_angle(rig_played(&r, f, OD_ROLE_UPPER_BODY).q, low), 0, 2e-3);
    }
    rig_close(&r);
}

static void a_head_without_a_neck_takes_all_of_it(void **state)
{
    (void)state;
    static const od_role neck[] = {OD_ROLE_NECK};
    rig r;
    rig_open(&r, &(rig_shape){0}, 30);
    rig_without(&r, neck, 1);
    rig_dance(&r, 5);
    rig_solve(&r);
    for (int f = 0; f < 30; f++)
        assert_near(quatd_angle(rig_played(&r, f, OD_ROLE_HEAD).q, shown(&r, f, OD_ROLE_HEAD)), 0, 2e-3);
    rig_close(&r);
}

typedef struct lack {
    const char *what;
    od_role roles[12];
    int count;
} lack;

static const lack LACKS[] = {
    {"groove", {OD_ROLE_GROOVE}, 1},
    {"waist", {OD_ROLE_WAIST}, 1},
    {"groove and waist", {OD_ROLE_GROOVE, OD_ROLE_WAIST, OD_ROLE_WAIST_CANCEL_L, OD_ROLE_WAIST_CANCEL_R}, 4},
    {"second spine bone", {OD_ROLE_UPPER_BODY2}, 1},
    {"shoulder P and C", {OD_ROLE_SHOULDER_P_L, OD_ROLE_SHOULDER_P_R, OD_ROLE_SHOULDER_C_L, OD_ROLE_SHOULDER_C_R}, 4},
    {"shoulders", {OD_ROLE_SHOULDER_L, OD_ROLE_SHOULDER_R}, 2},
    {"twist", {OD_ROLE_ARM_TWIST_L, OD_ROLE_ARM_TWIST_R, OD_ROLE_WRIST_TWIST_L, OD_ROLE_WRIST_TWIST_R}, 4},
    {"twist of one arm", {OD_ROLE_ARM_TWIST_L, OD_ROLE_WRIST_TWIST_R}, 2},
    {"D bones",
     {OD_ROLE_LEG_D_L, OD_ROLE_LEG_D_R, OD_ROLE_KNEE_D_L, OD_ROLE_KNEE_D_R, OD_ROLE_ANKLE_D_L, OD_ROLE_ANKLE_D_R},
     6},
    {"thumb 0", {OD_ROLE_THUMB0_L, OD_ROLE_THUMB0_R}, 2},
    {"toe EX", {OD_ROLE_TOE_EX_L, OD_ROLE_TOE_EX_R}, 2},
    {"parents of leg IK", {OD_ROLE_LEG_IK_PARENT_L, OD_ROLE_LEG_IK_PARENT_R}, 2},
    {"mother: the center is the root", {OD_ROLE_MOTHER}, 1},
    {"toe IK", {OD_ROLE_TOE_IK_L, OD_ROLE_TOE_IK_R}, 2},
    {"all IK", {OD_ROLE_TOE_IK_L, OD_ROLE_TOE_IK_R, OD_ROLE_LEG_IK_L, OD_ROLE_LEG_IK_R}, 4},
    {"center", {OD_ROLE_CENTER}, 1},
    {"center and groove", {OD_ROLE_CENTER, OD_ROLE_GROOVE}, 2},
    {"head", {OD_ROLE_HEAD, OD_ROLE_EYES, OD_ROLE_EYE_L, OD_ROLE_EYE_R}, 4},
};

static const od_role SEGMENTS[][2] = {{OD_ROLE_ARM_L, OD_ROLE_ELBOW_L},     {OD_ROLE_ELBOW_L, OD_ROLE_WRIST_L},
                                      {OD_ROLE_WRIST_L, OD_ROLE_MIDDLE1_L}, {OD_ROLE_INDEX1_L, OD_ROLE_INDEX2_L},
                                      {OD_ROLE_THUMB1_L, OD_ROLE_THUMB2_L}, {OD_ROLE_LEG_L, OD_ROLE_KNEE_L},
                                      {OD_ROLE_KNEE_L, OD_ROLE_ANKLE_L}};

static bool compare_pose(const od_target *a, const xformd *x, const od_target *b, const xformd *y)
{
    bool same = true;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < sizeof SEGMENTS / sizeof *SEGMENTS; i++) {
            od_role from = SEGMENTS[i][0] + side, to = SEGMENTS[i][1] + side;
            double off = vecd_angle(vecd_sub(x[a->role[to]].t, x[a->role[from]].t),
                                    vecd_sub(y[b->role[to]].t, y[b->role[from]].t));
            same = same && off < 0.02;
        }
        od_role points[] = {OD_ROLE_LEG_L + side, OD_ROLE_ANKLE_L + side};
        for (int i = 0; i < 2; i++) {
            same = same && vecd_distance(x[a->role[points[i]]].t, y[b->role[points[i]]].t) < 2e-3;
            if (i) same = same && quatd_angle(x[a->role[points[i]]].q, y[b->role[points[i]]].q) < 0.01;
        }
    }
    return same;
}

static void models_that_lack_bones_show_the_same_limbs(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof LACKS / sizeof *LACKS; i++) {
        rig full, part;
        xformd x[PLAYER_BONES], y[PLAYER_BONES];
        rig_open(&full, &(rig_shape){.turned_bind = true}, 30);
        rig_open(&part, &(rig_shape){.turned_bind = true}, 30);
        rig_without(&part, LACKS[i].roles, LACKS[i].count);
        rig_dance(&full, 30);
        rig_dance(&part, 30);
        /* Where the sole is depends on 足先EX: without it only legs far above the floor are the same. */
        if (LACKS[i].roles[0] == OD_ROLE_TOE_EX_L) {
            full.options.ground_set = part.options.ground_set = true;
            full.options.ground = part.options.ground = -300;
        }
        rig_solve(&full);
        rig_solve(&part);
        rig_check_keys(&part);
        bool same = true;
        for (int f = 0; f < 30 && same; f++) {
            player_frame(&full.target, &full.keys, f, true, x);
            int loops = player_frame(&part.target, &part.keys, f, true, y);
            same = !loops && compare_pose(&full.target, x, &part.target, y);
        }
        if (!same) print_error("without %s the limbs are not the same\n", LACKS[i].what);
        wrong += !same;
        rig_close(&full);
        rig_close(&part);
    }
    assert_int_equal(wrong, 0);
}

static void a_driven_waist_is_cancelled_for_the_legs(void **state)
{
    (void)state;
    rig a, b;
    xformd x[PLAYER_BONES], y[PLAYER_BONES];
    rig_open(&a, &(rig_shape){0}, 30);
    rig_open(&b, &(rig_shape){0}, 30);
    b.binding.source_of_role[OD_ROLE_WAIST] = b.joint[OD_ROLE_LOWER_BODY];
    rig_dance(&a, 34);
    rig_dance(&b, 34);
    rig_solve(&a);
    rig_solve(&b);
    assert_int_equal(player_track(&b.keys, od_role_name(OD_ROLE_WAIST))->count, 30);
    for (int f = 0; f < 30; f++) {
        player_frame(&a.target, &a.keys, f, false, x);
        assert_int_equal(player_frame(&b.target, &b.keys, f, true, y), 0);
        for (size_t i = 0; i < sizeof SEGMENTS / sizeof *SEGMENTS; i++) {
            int from = a.target.role[SEGMENTS[i][0]], to = a.target.role[SEGMENTS[i][1]];
            assert_near(vecd_angle(vecd_sub(x[to].t, x[from].t), vecd_sub(y[to].t, y[from].t)), 0, 0.02);
        }
        int ankle = a.target.role[OD_ROLE_ANKLE_L];
        assert_near(vecd_distance(x[ankle].t, y[ankle].t), 0, 2e-3);
    }
    rig_close(&a);
    rig_close(&b);
}

static void a_center_below_another_bone_carries_the_same_travel(void **state)
{
    (void)state;
    rig a, b;
    rig_open(&a, &(rig_shape){0}, 30);
    rig_open(&b, &(rig_shape){0}, 30);
    rig_insert(&b, OD_ROLE_VIEW_CENTER, OD_ROLE_MOTHER, (vecd){0, 3, 1});
    rig_dance(&a, 31);
    rig_dance(&b, 31);
    rig_solve(&a);
    rig_solve(&b);
    for (int f = 0; f < 30; f++) {
        assert_near(vecd_distance(rig_played(&a, f, OD_ROLE_LEG_L).t, rig_played(&b, f, OD_ROLE_LEG_L).t), 0, 5e-4);
        assert_near(vecd_distance(rig_played(&a, f, OD_ROLE_ANKLE_R).t, rig_played(&b, f, OD_ROLE_ANKLE_R).t), 0, 5e-4);
    }
    assert_null(player_track(&b.keys, od_role_name(OD_ROLE_VIEW_CENTER)));
    rig_close(&a);
    rig_close(&b);
}

static bool warned(const rig *r, const char *part)
{
    for (const od_note *note = r->report.first; note; note = note->next)
        if (strstr(note->text, part)) return true;
    return false;
}

/* Without センター, グルーブ and 全ての親 the bone that trunk and legs hang on takes the travel, whatever it
 * is called; without that one as well the trunk stays behind, which is told. */
static void travel_needs_a_bone_above_trunk_and_legs(void **state)
{
    (void)state;
    static const od_role gone[] = {OD_ROLE_CENTER, OD_ROLE_GROOVE, OD_ROLE_MOTHER, OD_ROLE_WAIST};
    for (int count = 3; count <= 4; count++) {
        rig a, b;
        rig_open(&a, &(rig_shape){0}, 30);
        rig_open(&b, &(rig_shape){0}, 30);
        rig_without(&b, gone, count);
        rig_dance(&a, 35);
        rig_dance(&b, 35);
        rig_solve(&a);
        rig_solve(&b);
        double head = 0;
        for (int f = 0; f < 30; f++) {
            assert_near(vecd_distance(rig_played(&a, f, OD_ROLE_LEG_L).t, rig_played(&b, f, OD_ROLE_LEG_L).t), 0, 2e-3);
            head = fmax(head, vecd_distance(rig_played(&a, f, OD_ROLE_HEAD).t, rig_played(&b, f, OD_ROLE_HEAD).t));
        }
        assert_false(warned(&a, "carries both trunk and legs"));
        assert_int_equal(warned(&b, "carries both trunk and legs"), count == 4);
        assert_true(count == 4 ? head > 0.1 : head < 2e-3);
        rig_close(&a);
        rig_close(&b);
    }
}

static void fingers_without_a_source_stay_unkeyed(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &(rig_shape){.no_fingers = true}, 10);
    rig_dance(&r, 32);
    rig_solve(&r);
    for (od_role role = OD_ROLE_THUMB0_L; role <= OD_ROLE_LITTLE3_R; role++)
        assert_null(player_track(&r.keys, od_role_name(role)));
    rig_close(&r);
}

/* The source's tracks may come in the model's own order, whatever it is. */
static void tracks_are_in_the_order_of_the_model_s_bones(void **state)
{
    (void)state;
    rig r;
    rig_open(&r, &(rig_shape){0}, 10);
    rig_insert(&r, OD_ROLE_UPPER_BODY3, OD_ROLE_UPPER_BODY2, HIGH_CHEST); /* last in the model's list */
    rig_dance(&r, 33);
    rig_solve(&r);
    int before = -1;
    for (int i = 0; i < r.keys.track_count; i++) {
        int index = r.target.bones[od_skeleton_find(&r.target.skeleton, r.keys.tracks[i].name)].model_index;
        assert_true(index > before);
        before = index;
    }
    assert_string_equal(r.keys.tracks[r.keys.track_count - 1].name, od_role_name(OD_ROLE_UPPER_BODY3));
    rig_close(&r);
}

/* Worlds do not depend on what a bone hangs on. */
static void legs_that_hang_on_the_upper_body_are_where_they_would_be(void **state)
{
    (void)state;
    rig a, b;
    rig_open(&a, &(rig_shape){0}, RIG_FRAMES);
    rig_open(&b, &(rig_shape){0}, RIG_FRAMES);
    rig_hang(&b, OD_ROLE_LOWER_BODY, OD_ROLE_UPPER_BODY);
    assert_true(b.target.role[OD_ROLE_UPPER_BODY] < b.target.role[OD_ROLE_LOWER_BODY]);
    rig_dance(&a, 52);
    rig_dance(&b, 52);
    rig_solve(&a);
    rig_solve(&b);
    rig_check_keys(&b);
    for (int f = 0; f < RIG_FRAMES; f++)
        for (int i = 0; i < 2; i++) {
            assert_near(vecd_distance(rig_played(&a, f, OD_ROLE_KNEE_L + i).t, rig_played(&b, f, OD_ROLE_KNEE_L + i).t),
                        0, 2e-3);
            assert_near(
                vecd_distance(rig_played(&a, f, OD_ROLE_WRIST_L + i).t, rig_played(&b, f, OD_ROLE_WRIST_L + i).t), 0,
                2e-3);
        }
    rig_close(&a);
    rig_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shoulders_follow_the_top_of_any_spine),
        cmocka_unit_test(spines_of_equal_length_go_one_to_one),
        cmocka_unit_test(a_missing_third_spine_bone_replaces_the_second),
        cmocka_unit_test(one_spine_joint_turns_the_first_bone_alone),
        cmocka_unit_test(a_longer_spine_takes_what_lies_between),
        cmocka_unit_test(a_head_without_a_neck_takes_all_of_it),
        cmocka_unit_test(models_that_lack_bones_show_the_same_limbs),
        cmocka_unit_test(a_driven_waist_is_cancelled_for_the_legs),
        cmocka_unit_test(a_center_below_another_bone_carries_the_same_travel),
        cmocka_unit_test(travel_needs_a_bone_above_trunk_and_legs),
        cmocka_unit_test(fingers_without_a_source_stay_unkeyed),
        cmocka_unit_test(tracks_are_in_the_order_of_the_model_s_bones),
        cmocka_unit_test(legs_that_hang_on_the_upper_body_are_where_they_would_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
