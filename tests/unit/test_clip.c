/* Clips: resampling by time. The source moves so that every sample is known: bone 0 travels by its
 * time, bone 1 turns by its time. */
#include "check.h"

#include "odori/clip.h"

static const double SPEED_OF_TURN = 0.7; /* radians a second */

/* Local transforms at a time in seconds; x of bone 0 is the time, bone 1 turns about Y. */
static void pose(double seconds, od_xform local[2])
{
    local[0] = (od_xform){.q = od_quat_identity(), .t = od_vec3((float)seconds, (float)(-2 * seconds), 1)};
    local[1] = (od_xform){.q = od_quat_axis_angle(od_vec3(0, 1, 0), (float)(SPEED_OF_TURN * seconds))};
}

static od_clip clip_of(double fps, int frames, od_arena *arena)
{
    od_clip clip;
    assert_true(od_clip_make(&clip, 2, fps, arena, NULL));
    clip.name = "dance";
    for (int i = 0; i < frames; i++) {
        od_xform *local = od_clip_add(&clip, NULL);
        assert_non_null(local);
        pose(i / fps, local);
    }
    assert_int_equal(clip.frames, frames);
    return clip;
}

/* The frame shows the source at that time, give or take `slack` seconds. */
static void assert_pose(const od_clip *clip, int frame, double seconds, double slack)
{
    double tolerance = 2e-6 * (1 + seconds) + 2 * slack;
    od_xform want[2], have[2];
    pose(seconds, want);
    od_clip_pose(clip, frame, have);
    for (int k = 0; k < 3; k++) assert_near(have[0].t.raw[k], want[0].t.raw[k], tolerance);
    assert_near(od_quat_angle(od_quat_mul(od_quat_conj(want[1].q), have[1].q)), 0, tolerance);
    assert_near(od_quat_dot(have[1].q, have[1].q), 1, 1e-6);
}

/* Two frames agree to the last bit. */
static void assert_same(const od_clip *a, int i, const od_clip *b, int k)
{
    od_xform have[8], want[8];
    assert_int_equal(a->bones, b->bones);
    od_clip_pose(a, i, have);
    od_clip_pose(b, k, want);
    for (int n = 0; n < a->bones; n++) {
        assert_memory_equal(&have[n].q, &want[n].q, sizeof have->q);
        assert_memory_equal(&have[n].t, &want[n].t, sizeof have->t);
    }
}

/* Resamples a clip of `frames` at `fps` and checks the number of frames and each of them: output
 * frame k shows the source at start + k speed / rate, the last one the end of the part. */
static void check_within(double slack, double fps, int frames, od_resample_options options, int want_frames,
                         double want_end)
{
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    od_clip in = clip_of(fps, frames, arena), out;
    assert_ok(od_clip_resample(&in, &options, &out, &error), error);
    double rate = options.fps > 0 ? options.fps : 30, speed = options.speed > 0 ? options.speed : 1;
    assert_near(out.fps, rate, 0);
    assert_int_equal(out.bones, 2);
    assert_string_equal(out.name, "dance");
    assert_int_equal(out.frames, want_frames);
    for (int k = 0; k < out.frames - 1; k++) assert_pose(&out, k, options.start + k * speed / rate, slack);
    assert_pose(&out, out.frames - 1, want_end, slack);
    od_arena_free(arena);
}

static void check(double fps, int frames, od_resample_options options, int want_frames, double want_end)
{
    check_within(0, fps, frames, options, want_frames, want_end);
}

static void nothing_to_change_shares_the_frames(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_clip in = clip_of(30, 90, arena), out;
    size_t used = od_arena_used(arena);
    assert_true(od_clip_resample(&in, &(od_resample_options){0}, &out, NULL));
    assert_int_equal(out.frames, 90);
    for (int f = 0; f < 90; f++) assert_same(&out, f, &in, f);
    /* Twice as fast at half the rate is the same row of frames too. */
    in.fps = 15;
    assert_true(od_clip_resample(&in, &(od_resample_options){.speed = 2}, &out, NULL));
    for (int f = 0; f < 90; f++) assert_same(&out, f, &in, f);
    assert_near(out.fps, 30, 0);
    assert_int_equal(od_arena_used(arena), used);
    od_arena_free(arena);
}

static void a_multiple_of_the_rate_takes_samples_as_they_are(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_clip in = clip_of(120, 121, arena), out;
    assert_true(od_clip_resample(&in, &(od_resample_options){0}, &out, NULL));
    assert_int_equal(out.frames, 31);
    for (int k = 0; k < 31; k++) assert_same(&out, k, &in, 4 * k);
    od_arena_free(arena);
}

static void the_last_frame_is_kept_between_the_steps(void **state)
{
    (void)state;
    check(120, 121, (od_resample_options){0}, 31, 1.0);
    check(120, 122, (od_resample_options){0}, 32, 121 / 120.0);
    check(120, 124, (od_resample_options){0}, 32, 123 / 120.0);
    check(120, 125, (od_resample_options){0}, 32, 124 / 120.0);
}

static void lower_rates_are_filled_in_at_constant_speed(void **state)
{
    (void)state;
    check(24, 25, (od_resample_options){0}, 31, 1.0);
    check(24, 240, (od_resample_options){0}, 300, 239 / 24.0);
    check(25, 26, (od_resample_options){0}, 31, 1.0);
    check(60, 100, (od_resample_options){.fps = 24}, 41, 99 / 60.0);
}

/* Drop-frame rates drift against 30 fps. A sample that is nearer than a thousandth of a frame is taken
 * as it is, and none that is farther. */
static void odd_rates_keep_their_time(void **state)
{
    (void)state;
    double ntsc = 30000 / 1001.0;
    check_within(0.001 / ntsc, ntsc, 3000, (od_resample_options){0}, 3003, 2999 / ntsc);
    check_within(0.001 / 59.94, 59.94, 601, (od_resample_options){0}, 302, 600 / 59.94);
}

static void speed_shortens_or_stretches(void **state)
{
    (void)state;
    check(30, 61, (od_resample_options){.speed = 2}, 31, 2.0);
    check(30, 61, (od_resample_options){.speed = 0.5}, 121, 2.0);
    check(120, 361, (od_resample_options){.speed = 1.5}, 61, 3.0);
}

static void a_part_is_cut_by_time(void **state)
{
    (void)state;
    check(30, 91, (od_resample_options){.start = 1, .end = 2}, 31, 2.0);
    check(120, 361, (od_resample_options){.start = 0.5}, 76, 3.0);
    check(24, 73, (od_resample_options){.start = 0.51, .end = 1.03}, 17, 1.03);
    check(60, 181, (od_resample_options){.start = 1, .end = 2, .speed = 2}, 16, 2.0);
    check(30, 91, (od_resample_options){.end = 100}, 91, 3.0);
    check(30, 91, (od_resample_options){.start = 1.5, .end = 1.5}, 1, 1.5);
}

static void one_frame_is_a_clip(void **state)
{
    (void)state;
    check(30, 1, (od_resample_options){0}, 1, 0);
    check(120, 1, (od_resample_options){0}, 1, 0);
    check(120, 2, (od_resample_options){0}, 2, 1 / 120.0);
}

/* The sign of a key says nothing: turning goes the short way. */
static void rotations_go_the_short_way(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_clip in, out;
    assert_true(od_clip_make(&in, 2, 15, arena, NULL));
    for (int i = 0; i < 31; i++) {
        od_xform *local = od_clip_add(&in, NULL);
        pose(i / 15.0, local);
        versors *q = &local[1].q;
        if (i % 2) *q = od_quat(-q->x, -q->y, -q->z, -q->w);
    }
    assert_true(od_clip_resample(&in, &(od_resample_options){0}, &out, NULL));
    assert_int_equal(out.frames, 61);
    for (int k = 0; k < 61; k++) assert_pose(&out, k, k / 30.0, 0);
    od_arena_free(arena);
}

static void what_cannot_be_sampled_is_refused(void **state)
{
    (void)state;
    static const struct {
        od_resample_options options;
        const char *part;
    } bad[] = {
        {{.start = 4}, "is empty: the clip lasts 3 s"},
        {{.start = 2, .end = 1}, "is empty"},
        {{.start = -1}, "is empty"},
        {{.start = (double)NAN}, "is empty"},
        {{.speed = -1}, "speed must be above 0, found -1"},
        {{.speed = (double)NAN}, "speed must be above 0"},
        {{.speed = (double)INFINITY}, "speed must be above 0"},
        {{.speed = 1e-12}, "too many"},
        {{.speed = 90 / 1e6}, "1000001 frames"},
    };
    od_arena *arena = od_arena_new(0);
    od_clip in = clip_of(30, 91, arena), out;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        od_error error = {0};
        assert_fails(od_clip_resample(&in, &bad[i].options, &out, &error), error, bad[i].part);
    }
    od_error error = {0};
    in.frames = 0;
    assert_fails(od_clip_resample(&in, &(od_resample_options){0}, &out, &error), error, "no frames");
    od_arena_free(arena);
}

/* A part of a part is where it is in the whole, and the ends stay ends. */
static void a_resampled_clip_can_be_resampled(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_clip in = clip_of(120, 361, arena), part, out;
    assert_true(od_clip_resample(&in, &(od_resample_options){.start = 0.5, .end = 2.5, .fps = 60}, &part, NULL));
    assert_int_equal(part.frames, 121);
    assert_true(od_clip_resample(&part, &(od_resample_options){.start = 0.5, .speed = 1.5, .fps = 30}, &out, NULL));
    assert_int_equal(out.frames, 31);
    for (int k = 0; k < out.frames; k++) assert_pose(&out, k, 1 + k * 1.5 / 30, 0);
    od_arena_free(arena);
}

/* ---- what is held -------------------------------------------------------------------------------- */

enum { BONES = 7, LONG = 1000 };

/* Bones that never change, always, from some frame on, up to some frame, once, in place only, by the
 * sign of a zero only. */
static void put_mixed(int frame, od_xform local[BONES])
{
    for (int i = 0; i < BONES; i++) {
        double at = i == 0 ? 0 : i == 1 ? frame : i == 2 ? fmax(frame, 700) : fmin(frame, 200);
        if (i == 4) at = frame == 501;
        local[i] = (od_xform){.q = od_quat_axis_angle(od_vec3(1, 2, 3), (float)at * 0.01f),
                              .t = od_vec3((float)at, 1, (float)i)};
    }
    local[5] = (od_xform){.q = od_quat_identity(), .t = od_vec3((float)frame, 0, 0)};
    local[6] =
        (od_xform){.q = od_quat(frame % 2 ? 0.0f : -0.0f, 0, 0, 1), .t = od_vec3(frame % 3 ? 0.0f : -0.0f, 0, 0)};
}

static void frames_come_back_bit_for_bit_however_many_there_are(void **state)
{
    (void)state;
    for (int frames = 1; frames <= LONG; frames += frames < 260 ? 1 : 37) {
        od_arena *arena = od_arena_new(0);
        od_clip clip;
        assert_true(od_clip_make(&clip, BONES, 30, arena, NULL));
        for (int f = 0; f < frames; f++) put_mixed(f, od_clip_add(&clip, NULL));
        for (int f = frames - 1; f >= 0; f--) {
            od_xform want[BONES], have[BONES];
            put_mixed(f, want);
            od_clip_pose(&clip, f, have);
            for (int i = 0; i < BONES; i++) {
                assert_memory_equal(&have[i].q, &want[i].q, sizeof have->q);
                assert_memory_equal(&have[i].t, &want[i].t, sizeof have->t);
            }
        }
        od_arena_free(arena);
    }
}

static void a_moved_bone_is_moved_in_all_frames_and_no_other_is(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_clip clip;
    assert_true(od_clip_make(&clip, BONES, 30, arena, NULL));
    for (int f = 0; f < LONG; f++) put_mixed(f, od_clip_add(&clip, NULL));
    od_clip_move(&clip, 0, od_vec3(0, 5, 0));
    od_clip_move(&clip, 2, od_vec3(0, 7, 0));
    for (int f = 0; f < LONG; f++) {
        od_xform want[BONES], have[BONES];
        put_mixed(f, want);
        od_clip_pose(&clip, f, have);
        for (int i = 0; i < BONES; i++) {
            float by = i == 0 ? 5.0f : i == 2 ? 7.0f : 0.0f;
            assert_near(have[i].t.y, want[i].t.y + by, 0);
            assert_near(have[i].t.x, want[i].t.x, 0);
        }
    }
    od_arena_free(arena);
}

/* A rotation takes 16 bytes a frame, a way 12, and what stands still nearly nothing. */
static void what_stands_still_takes_no_memory(void **state)
{
    (void)state;
    enum { MANY = 100, FRAMES = 6400 };
    od_arena *arena = od_arena_new(0);
    od_clip clip;
    assert_true(od_clip_make(&clip, MANY, 30, arena, NULL));
    for (int f = 0; f < FRAMES; f++) {
        od_xform *local = od_clip_add(&clip, NULL);
        for (int i = 0; i < MANY; i++) local[i] = od_xform_identity();
        for (int i = 0; i < 20; i++) local[i].q = od_quat_axis_angle(od_vec3(0, 1, 0), 0.1f * (float)f);
        local[0].t.x = (float)f;
    }
    assert_true(od_arena_used(arena) < (size_t)FRAMES * (20 * 16 + 12 + MANY) + (512 << 10));
    od_arena_free(arena);
}

static void a_clip_of_many_bones_needs_little_to_start(void **state)
{
    (void)state;
    enum { MANY = 70000 };
    od_arena *arena = od_arena_new((size_t)32 << 20);
    od_clip clip;
    assert_true(od_clip_make(&clip, MANY, 30, arena, NULL));
    for (int f = 0; f < 5; f++) {
        od_xform *local = od_clip_add(&clip, NULL);
        assert_non_null(local);
        for (int i = 0; i < MANY; i++)
            local[i] = (od_xform){.q = od_quat_identity(), .t = od_vec3((float)i, (float)f, 0)};
    }
    od_xform *local = test_malloc(MANY * sizeof *local);
    for (int f = 0; f < 5; f++) {
        od_clip_pose(&clip, f, local);
        assert_near(local[MANY - 1].t.x, MANY - 1, 0);
        assert_near(local[MANY - 1].t.y, f, 0);
    }
    test_free(local);
    od_arena_free(arena);
}

static void memory_that_is_out_is_reported(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 2; n++) {
        od_arena *arena = od_arena_new(0);
        od_error error = {0};
        od_clip clip;
        od_arena_fail_at(arena, n);
        assert_fails(od_clip_make(&clip, BONES, 30, arena, &error), error, "out of memory");
        od_arena_free(arena);
    }
    for (size_t n = 1; n <= 4; n++) {
        od_arena *arena = od_arena_new(0);
        od_error error = {0};
        od_clip clip;
        assert_true(od_clip_make(&clip, BONES, 30, arena, &error));
        od_arena_fail_at(arena, n);
        int frames = 0;
        for (od_xform *local; frames < LONG && (local = od_clip_add(&clip, &error)) != NULL; frames++)
            put_mixed(frames, local);
        assert_fails(frames == LONG, error, "out of memory");
        assert_int_equal(clip.frames, frames);
        od_arena_free(arena);
    }
}

static void rounded_frame_times_become_common_rates(void **state)
{
    (void)state;
    static const struct {
        double time, fps; /* as files say it; as it is meant */
    } rows[] = {
        {.0083333, 120},
        {0.008333, 120},
        {0.0333333, 30},
        {0.033333, 30},
        {0.016667, 60},
        {0.0166667, 60},
        {0.041667, 24},
        {0.0416667, 24},
        {0.04, 25},
        {0.010000, 100},
        {0.0416667083, 24},
        {0.0417083750417, 24000 / 1001.0},
        {0.033366, 30000 / 1001.0},
        {0.01668335, 60000 / 1001.0},
        {0.02, 50},
        {0.0208333, 48},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_near(od_fps_snap(1 / rows[i].time), rows[i].fps, 1e-9);
}

static void uncommon_rates_stay(void **state)
{
    (void)state;
    assert_near(od_fps_snap(37), 37, 0);
    assert_near(od_fps_snap(30.5), 30.5, 0);
    assert_near(od_fps_snap(119), 119, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_change_shares_the_frames),
        cmocka_unit_test(a_multiple_of_the_rate_takes_samples_as_they_are),
        cmocka_unit_test(the_last_frame_is_kept_between_the_steps),
        cmocka_unit_test(lower_rates_are_filled_in_at_constant_speed),
        cmocka_unit_test(odd_rates_keep_their_time),
        cmocka_unit_test(speed_shortens_or_stretches),
        cmocka_unit_test(a_part_is_cut_by_time),
        cmocka_unit_test(one_frame_is_a_clip),
        cmocka_unit_test(rotations_go_the_short_way),
        cmocka_unit_test(what_cannot_be_sampled_is_refused),
        cmocka_unit_test(a_resampled_clip_can_be_resampled),
        cmocka_unit_test(frames_come_back_bit_for_bit_however_many_there_are),
        cmocka_unit_test(a_moved_bone_is_moved_in_all_frames_and_no_other_is),
        cmocka_unit_test(what_stands_still_takes_no_memory),
        cmocka_unit_test(a_clip_of_many_bones_needs_little_to_start),
        cmocka_unit_test(memory_that_is_out_is_reported),
        cmocka_unit_test(rounded_frame_times_become_common_rates),
        cmocka_unit_test(uncommon_rates_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
