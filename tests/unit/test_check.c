/* A check finds each fault that is planted in a good motion, and nothing in the good one. */
#include "odori/check.h"

#include "rig.h"

static const od_check_options ALL = {0}, OURS = {.agreeing = true};

static od_check check_of(rig *r, bool compared)
{
    od_check check;
    assert_ok(od_check_motion(&r->target, &r->keys, compared ? &r->result.reference : NULL, compared ? &OURS : &ALL,
                              &check, &r->report, r->arena, &r->error),
              r->error);
    return check;
}

/* The figure of a measure over all groups. */
static od_figure figure_of(const od_check *check, od_measure measure)
{
    od_figure figure = {.frame = -1};
    for (int i = 0; i < check->figure_count; i++)
        if (check->figures[i].measure == measure) figure = check->figures[i];
    return figure;
}

static bool is_above(const od_check *check, od_measure measure)
{
    for (int i = 0; i < check->figure_count; i++)
        if (check->figures[i].measure == measure && od_figure_judged(&check->figures[i]) > od_measures()[measure].limit)
            return true;
    return false;
}

/* `measure` is above its limit; OD_MEASURE_COUNT: none is. */
static void assert_only(const od_check *check, od_measure measure)
{
    for (int m = 0; m < OD_MEASURE_COUNT; m++) {
        if (m == (int)measure || !is_above(check, (od_measure)m)) continue;
        od_figure figure = figure_of(check, (od_measure)m);
        print_error("%s: %g at frame %d, %s\n", od_measures()[m].name, (double)od_figure_judged(&figure), figure.frame,
                    figure.bone ? figure.bone : "");
        fail();
    }
    if (measure < OD_MEASURE_COUNT) assert_true(is_above(check, measure));
}

static od_track *track_of(rig *r, od_role role)
{
    const char *name = r->target.skeleton.bones[r->target.role[role]].name;
    for (int i = 0; i < r->keys.track_count; i++)
        if (!strcmp(r->keys.tracks[i].name, name)) return &r->keys.tracks[i];
    fail();
    return NULL;
}

/* Copies of a track's keys for a fault to be put in; the bone at rest has them as well. */
static versors *rotations(rig *r, od_role role)
{
    od_track *track = track_of(r, role);
    versors *q = OD_NEW(r->arena, versors, RIG_FRAMES, &r->error);
    assert_non_null(q);
    for (int f = 0; f < RIG_FRAMES; f++) q[f] = track->rotation ? track->rotation[f] : od_quat_identity();
    track->rotation = q;
    track->count = r->result.frames;
    return q;
}

static vec3s *positions(rig *r, od_role role)
{
    od_track *track = track_of(r, role);
    vec3s *p = OD_NEW(r->arena, vec3s, RIG_FRAMES, &r->error);
    assert_non_null(p);
    for (int f = 0; f < RIG_FRAMES; f++) p[f] = track->position ? track->position[f] : od_vec3(0, 0, 0);
    track->position = p;
    track->count = r->result.frames;
    return p;
}

/* A dance in the air and on the floor, solved for the standard model. */
static void open_dance(rig *r)
{
    static const rig_shape shape = {0};
    rig_open(r, &shape, RIG_FRAMES);
    rig_dance(r, 3);
    rig_solve(r);
}

/* Somebody who stands, with the arms moving. */
static void open_stand(rig *r)
{
    static const rig_shape shape = {0};
    rig_open(r, &shape, RIG_FRAMES);
    for (int f = 0; f < RIG_FRAMES; f++) {
        rig_pose pose = rig_rest();
        pose.turn[r->joint[OD_ROLE_ARM_L]] = quatd_axis(AXIS_Z, -f);
        rig_put(r, f, &pose);
    }
    rig_solve(r);
}

static void a_good_motion_is_within_all_limits(void **state)
{
    rig r;
    (void)state;
    open_dance(&r);
    od_check check = check_of(&r, true);
    assert_only(&check, OD_MEASURE_COUNT);
    assert_int_equal(check.iterations, 0);
    assert_int_equal(check.frames, RIG_FRAMES);
    check = check_of(&r, false);
    assert_only(&check, OD_MEASURE_COUNT);
    rig_close(&r);
    open_stand(&r);
    check = check_of(&r, true);
    assert_only(&check, OD_MEASURE_COUNT);
    rig_close(&r);
}

static void directions_are_those_of_the_oracle(void **state)
{
    rig r;
    (void)state;
    open_dance(&r);
    versors *q = rotations(&r, OD_ROLE_ELBOW_L);
    for (int f = 0; f < RIG_FRAMES; f++)
        q[f] = od_quat_mul(q[f], od_quat_axis_angle(od_vec3(0, 1, 0), 0.01f * (float)f));
    od_check check = check_of(&r, true);
    double worst = 0;
    int frame = 0;
    for (int f = 0; f < RIG_FRAMES; f++)
        for (int side = 0; side < 2; side++) {
            od_role elbow = OD_ROLE_ELBOW_L + (od_role)side, wrist = OD_ROLE_WRIST_L + (od_role)side;
            double off = vecd_angle(rig_source_way(&r, f, elbow, wrist), rig_played_way(&r, f, elbow, wrist));
            if (off > worst) frame = f;
            worst = fmax(worst, off);
        }
    assert_true(worst > 20);
    for (int i = 0; i < check.figure_count; i++) {
        if (check.figures[i].measure != OD_MEASURE_DIRECTION || strcmp(check.figures[i].group, "forearms") != 0)
            continue;
        assert_near(check.figures[i].max, worst, 0.01);
        assert_int_equal(check.figures[i].frame, frame);
        assert_string_equal(check.figures[i].bone, "左ひじ");
    }
    assert_true(is_above(&check, OD_MEASURE_DIRECTION));
    rig_close(&r);
}

static void legs_with_fk_keys_and_unkeyed_ik_are_found(void **state)
{
    rig r;
    (void)state;
    open_dance(&r);
    for (int side = 0; side < 2; side++) {
        *track_of(&r, OD_ROLE_LEG_IK_L + (od_role)side) = (od_track){.name = "none", .count = 0};
    }
    od_check check = check_of(&r, false);
    assert_true(is_above(&check, OD_MEASURE_KNEE));
    assert_true(check.iterations > 0);
    rig_close(&r);
}

static void keys_on_bones_that_follow_are_found(void **state)
{
    rig r;
    (void)state;
    open_dance(&r);
    od_track *tracks = OD_NEW(r.arena, od_track, (size_t)r.keys.track_count + 1, &r.error);
    versors *q = OD_NEW(r.arena, versors, 1, &r.error);
    assert_true(tracks && q);
    memcpy(tracks, r.keys.tracks, (size_t)r.keys.track_count * sizeof *tracks);
    q[0] = od_quat_axis_angle(od_vec3(1, 0, 0), 0.02f);
    tracks[r.keys.track_count++] = (od_track){.name = "左足D", .count = 1, .rotation = q};
    r.keys.tracks = tracks;
    od_check check = check_of(&r, false);
    assert_true(is_above(&check, OD_MEASURE_APPEND));
    assert_string_equal(figure_of(&check, OD_MEASURE_APPEND).bone, "左足D");
    rig_close(&r);
}

static void a_knee_bent_sideways_is_found(void **state)
{
    rig r;
    (void)state;
    open_dance(&r);
    versors *q = rotations(&r, OD_ROLE_KNEE_R);
    q[40] = od_quat_mul(q[40], od_quat_axis_angle(od_vec3(0, 0, 1), 0.5f));
    od_check check = check_of(&r, false);
    assert_true(is_above(&check, OD_MEASURE_LIMIT));
    assert_int_equal(figure_of(&check, OD_MEASURE_LIMIT).frame, 40);
    rig_close(&r);
}

static void feet_through_the_floor_are_found(void **state)
{
    rig r;
    (void)state;
    open_stand(&r);
    positions(&r, OD_ROLE_CENTER)[50].y -= 0.6f;
    positions(&r, OD_ROLE_LEG_IK_L)[50].y -= 0.6f;
    positions(&r, OD_ROLE_LEG_IK_R)[50].y -= 0.6f;
    od_check check = check_of(&r, true);
    assert_only(&check, OD_MEASURE_UNDER);
    assert_near(figure_of(&check, OD_MEASURE_UNDER).max, 0.6, 0.02);
    assert_int_equal(figure_of(&check, OD_MEASURE_UNDER).frame, 50);
    rig_close(&r);
}

static void feet_above_the_floor_are_found(void **state)
{
    rig r;
    (void)state;
    open_stand(&r);
    vec3s *center = positions(&r, OD_ROLE_CENTER), *left = positions(&r, OD_ROLE_LEG_IK_L);
    vec3s *right = positions(&r, OD_ROLE_LEG_IK_R);
    for (int f = 0; f < RIG_FRAMES; f++) center[f].y += 1, left[f].y += 1, right[f].y += 1;
    od_check check = check_of(&r, true);
    assert_only(&check, OD_MEASURE_FLOAT);
    assert_near(figure_of(&check, OD_MEASURE_FLOAT).p95, 1, 0.02);
    rig_close(&r);
}

static void feet_that_slide_are_found(void **state)
{
    rig r;
    (void)state;
    for (int compared = 0; compared < 2; compared++) {
        open_stand(&r);
        vec3s *center = positions(&r, OD_ROLE_CENTER), *left = positions(&r, OD_ROLE_LEG_IK_L);
        vec3s *right = positions(&r, OD_ROLE_LEG_IK_R);
        for (int f = 0; f < RIG_FRAMES; f++)
            center[f].x += 0.2f * (float)f, left[f].x += 0.2f * (float)f, right[f].x += 0.2f * (float)f;
        od_check check = check_of(&r, compared);
        assert_only(&check, OD_MEASURE_SLIDE);
        assert_near(figure_of(&check, OD_MEASURE_SLIDE).mean, 1.6, 0.02);
        if (compared) assert_near(figure_of(&check, OD_MEASURE_SOURCE_SLIDE).mean, 0, 1e-3);
        rig_close(&r);
    }
}

static void a_motion_of_twice_the_frames_is_found(void **state)
{
    rig r;
    (void)state;
    open_dance(&r);
    unsigned *frames = OD_NEW(r.arena, unsigned, RIG_FRAMES, &r.error);
    assert_non_null(frames);
    for (unsigned f = 0; f < RIG_FRAMES; f++) frames[f] = 2 * f;
    for (int i = 0; i < r.keys.track_count; i++) r.keys.tracks[i].frame = frames;
    od_check check = check_of(&r, true);
    assert_true(is_above(&check, OD_MEASURE_LENGTH));
    assert_near(figure_of(&check, OD_MEASURE_LENGTH).max, 2, 0.02);
    rig_close(&r);
}

static void names_that_are_cut_wrong_are_found(void **state)
{
    static const char *const wrong[] = {"左つま先Ｉ", "左つま先ＩＫ２", "左\xEF\xBF\xBD"};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rig r;
        open_dance(&r);
        rotations(&r, OD_ROLE_TOE_IK_L)[1] = od_quat_axis_angle(od_vec3(1, 0, 0), 0.02f);
        track_of(&r, OD_ROLE_TOE_IK_L)->name = wrong[i];
        od_check check = check_of(&r, false);
        assert_only(&check, OD_MEASURE_NAME);
        assert_string_equal(figure_of(&check, OD_MEASURE_NAME).bone, wrong[i]);
        rig_close(&r);
    }
}

static void names_of_other_models_bones_are_counted_but_not_wrong(void **state)
{
    rig r;
    (void)state;
    open_dance(&r);
    rotations(&r, OD_ROLE_HEAD)[1] = od_quat_axis_angle(od_vec3(1, 0, 0), 0.02f);
    track_of(&r, OD_ROLE_HEAD)->name = "ネクタイ１";
    od_check check = check_of(&r, false);
    assert_only(&check, OD_MEASURE_COUNT);
    assert_near(figure_of(&check, OD_MEASURE_LACKING).max, 1, 0);
    rig_close(&r);
}

static void a_motion_for_quite_another_model_is_found(void **state)
{
    rig r;
    (void)state;
    open_stand(&r);
    versors q = od_quat_axis_angle(od_vec3(1, 0, 0), 0.5f);
    od_track track = {.name = "尻尾１", .count = 1, .rotation = &q};
    r.keys.tracks = &track;
    r.keys.track_count = 1;
    od_check check = check_of(&r, false);
    assert_only(&check, OD_MEASURE_NAME);
    rig_close(&r);
}

static void bones_that_flip_are_found(void **state)
{
    rig r;
    (void)state;
    open_stand(&r);
    versors *q = rotations(&r, OD_ROLE_WRIST_L);
    q[30] = od_quat_mul(q[30], od_quat_axis_angle(od_vec3(0, 1, 0), 2.8f));
    od_check check = check_of(&r, true);
    assert_true(is_above(&check, OD_MEASURE_FLIP));
    assert_near(figure_of(&check, OD_MEASURE_FLIP).max, 2.8 * 57.29578, 0.1);
    assert_string_equal(figure_of(&check, OD_MEASURE_FLIP).bone, "左手首");
    rig_close(&r);
}

static void more_keys_than_mmd_loads_are_found(void **state)
{
    enum { TRACKS = 6001 };
    rig r;
    (void)state;
    open_stand(&r);
    od_track *tracks = OD_NEW(r.arena, od_track, TRACKS, &r.error);
    assert_non_null(tracks);
    for (int i = 0; i < TRACKS; i++) tracks[i] = (od_track){.name = "ネクタイ１", .count = 100};
    r.keys.tracks = tracks;
    r.keys.track_count = TRACKS;
    od_check check = check_of(&r, false);
    assert_only(&check, OD_MEASURE_KEYS);
    assert_near(figure_of(&check, OD_MEASURE_KEYS).max, 600100, 0);
    rig_close(&r);
}

static void ik_that_moves_what_the_keys_show_is_switched_off(void **state)
{
    rig r;
    (void)state;
    open_dance(&r);
    vec3s *left = positions(&r, OD_ROLE_LEG_IK_L);
    for (int f = 0; f < RIG_FRAMES; f++) left[f].z -= 1;
    od_check check = check_of(&r, true);
    assert_true(is_above(&check, OD_MEASURE_KNEE));
    assert_true(od_check_mend(&check, &r.keys, &r.report));
    check = check_of(&r, true);
    assert_only(&check, OD_MEASURE_COUNT);
    assert_false(od_check_mend(&check, &r.keys, &r.report));
    rig_close(&r);
}

static void a_motion_of_four_years_is_refused(void **state)
{
    static const unsigned frames[] = {0, 4000000000u};
    rig r;
    od_check check;
    (void)state;
    open_stand(&r);
    od_track track = {.name = "頭", .count = 2, .frame = frames};
    od_keys keys = {.model = "", .tracks = &track, .track_count = 1};
    assert_fails(od_check_motion(&r.target, &keys, NULL, &ALL, &check, &r.report, r.arena, &r.error), r.error,
                 "too long");
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_motion_is_within_all_limits),
        cmocka_unit_test(directions_are_those_of_the_oracle),
        cmocka_unit_test(legs_with_fk_keys_and_unkeyed_ik_are_found),
        cmocka_unit_test(keys_on_bones_that_follow_are_found),
        cmocka_unit_test(a_knee_bent_sideways_is_found),
        cmocka_unit_test(feet_through_the_floor_are_found),
        cmocka_unit_test(feet_above_the_floor_are_found),
        cmocka_unit_test(feet_that_slide_are_found),
        cmocka_unit_test(a_motion_of_twice_the_frames_is_found),
        cmocka_unit_test(names_that_are_cut_wrong_are_found),
        cmocka_unit_test(names_of_other_models_bones_are_counted_but_not_wrong),
        cmocka_unit_test(a_motion_for_quite_another_model_is_found),
        cmocka_unit_test(bones_that_flip_are_found),
        cmocka_unit_test(more_keys_than_mmd_loads_are_found),
        cmocka_unit_test(ik_that_moves_what_the_keys_show_is_switched_off),
        cmocka_unit_test(a_motion_of_four_years_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
