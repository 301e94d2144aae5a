/* Smoothing, by what it promises: less tremble, even turns unchanged, legs and ends as they were. */
#include "check.h"

#include "odori/odori.h"

enum { FRAMES = 120 };
static const double DEG = 0.017453292519943295;

typedef struct scene {
    od_arena *arena;
    od_error error;
    od_target target;
    od_track tracks[3];
    od_keys keys, smoothed;
    od_smoothing smoothing;
    versors q[FRAMES];
} scene;

/* Turns of `step` degrees a frame and a tremble, on an arm, a thigh and the lower body. */
static void smooth(scene *s, double step, double tremble, double sigma)
{
    uint32_t random = 4;
    *s = (scene){.arena = od_arena_new(0)};
    assert_ok(od_target_standard(&s->target, s->arena, &s->error), s->error);
    for (int f = 0; f < FRAMES; f++) {
        double angle = DEG * (step * f + tremble * check_random(&random));
        s->q[f] = od_quat_axis_angle(od_vec3(1, 2, 3), (float)angle);
        if (f) s->q[f] = od_quat_near(s->q[f], s->q[f - 1]);
    }
    static const char *const names[] = {"左腕", "左足", "下半身"};
    for (int i = 0; i < 3; i++) s->tracks[i] = (od_track){.name = names[i], .count = FRAMES, .rotation = s->q};
    s->keys = (od_keys){.tracks = s->tracks, .track_count = 3};
    assert_ok(od_smooth(&s->target, &s->keys, sigma, &s->smoothed, &s->smoothing, s->arena, &s->error), s->error);
}

/* Mean of the second differences, degrees. */
static double roughness(const versors *q)
{
    double sum = 0;
    for (int f = 1; f + 1 < FRAMES; f++) {
        versors before = od_quat_mul(od_quat_conj(q[f - 1]), q[f]), after = od_quat_mul(od_quat_conj(q[f]), q[f + 1]);
        sum += (double)od_quat_angle(od_quat_mul(od_quat_conj(before), after)) / DEG;
    }
    return sum / (FRAMES - 2);
}

static void tremble_becomes_less(void **state)
{
    (void)state;
    scene s;
    smooth(&s, 1, 0.5, 1.5);
    assert_true(5 * roughness(s.smoothed.tracks[0].rotation) < roughness(s.q));
    assert_int_equal(s.smoothing.tracks, 1);
    assert_true(s.smoothing.most > s.smoothing.mean && s.smoothing.most < 1 && s.smoothing.mean > 0.1);
    assert_string_equal(s.smoothing.most_bone, "左腕");
    od_arena_free(s.arena);
}

static void even_turns_stay(void **state)
{
    (void)state;
    scene s;
    smooth(&s, 7, 0, 2);
    for (int f = 0; f < FRAMES; f++) {
        versors off = od_quat_mul(od_quat_conj(s.q[f]), s.smoothed.tracks[0].rotation[f]);
        assert_near(od_quat_angle(off) / (float)DEG, 0, 1e-3);
    }
    od_arena_free(s.arena);
}

static void legs_hips_and_ends_stay(void **state)
{
    (void)state;
    scene s;
    smooth(&s, 1, 3, 3);
    assert_ptr_equal(s.smoothed.tracks[1].rotation, s.q);
    assert_ptr_equal(s.smoothed.tracks[2].rotation, s.q);
    for (int f = 0; f < FRAMES; f += FRAMES - 1)
        assert_near(od_quat_dot(s.smoothed.tracks[0].rotation[f], s.q[f]), 1, 1e-6);
    od_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tremble_becomes_less),
        cmocka_unit_test(even_turns_stay),
        cmocka_unit_test(legs_hips_and_ends_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
