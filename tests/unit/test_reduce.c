/* Reduction, by what it promises: an oracle plays the reduced keys as a file holds them and compares every
 * frame. Motions are made of sums of waves, of noise, and of keys set by hand. */
#include "file.h"
#include "player.h"
#include "sink.h"

#include "odori/odori.h"

enum { FRAMES = 240 };
static const double FULL = 0.5, WAY = 0.02; /* the default tolerances; elsewhere 0.05 */

typedef struct scene {
    od_arena *arena;
    od_error error;
    od_target target;
    od_keys keys, reduced;
    od_track tracks[4];
    od_reduce_options options;
    od_reduction reduction;
} scene;

static void open_scene(scene *s)
{
    *s = (scene){.arena = od_arena_new(0)};
    assert_ok(od_target_standard(&s->target, s->arena, &s->error), s->error);
    s->keys = (od_keys){.model = "model", .tracks = s->tracks};
}

static void close_scene(scene *s)
{
    od_arena_free(s->arena);
}

static void reduce(scene *s)
{
    assert_ok(od_reduce(&s->target, &s->keys, &s->options, &s->reduced, &s->reduction, s->arena, &s->error), s->error);
}

/* The keys as MMD gets them. */
static od_keys through_file(scene *s, const od_keys *keys)
{
    memory m = {0};
    od_sink sink = sink_into(&m);
    od_keys read;
    assert_ok(od_vmd_write(keys, &sink, NULL, &s->error), s->error);
    unsigned char *kept = OD_NEW(s->arena, unsigned char, m.size, &s->error);
    memcpy(kept, m.data, m.size);
    od_file file = {"memory.vmd", kept, m.size};
    assert_ok(od_read_keys(&file, NULL, &read, NULL, s->arena, &s->error), s->error);
    free(m.data);
    return read;
}

static double turn_between(quatd a, quatd b)
{
    quatd d = quatd_mul(quatd_conj(a), b);
    return 2 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w)) / DEGREE;
}

/* Every frame of every track, within `angle` degrees and `way` units. */
static void assert_same_motion(scene *s, double angle, double way)
{
    od_keys played = through_file(s, &s->reduced);
    unsigned last = od_keys_last(&s->keys);
    assert_int_equal(od_keys_last(&played), last);
    for (int i = 0; i < s->keys.track_count; i++)
        for (unsigned f = 0; f <= last; f++) {
            const char *name = s->keys.tracks[i].name;
            xformd a = player_key(&s->keys, name, f), b = player_key(&played, name, f);
            assert_near(turn_between(a.q, b.q), 0, angle * 1.001 + 1e-3);
            assert_near(vecd_distance(a.t, b.t), 0, way * 1.001 + 1e-5);
        }
}

static versors *add_turning(scene *s, const char *name, int frames)
{
    versors *q = OD_NEW(s->arena, versors, (size_t)frames, &s->error);
    s->tracks[s->keys.track_count++] = (od_track){.name = name, .count = frames, .rotation = q};
    return q;
}

static vec3s *add_moving(scene *s, const char *name, int frames)
{
    vec3s *p = OD_NEW(s->arena, vec3s, (size_t)frames, &s->error);
    s->tracks[s->keys.track_count++] = (od_track){.name = name, .count = frames, .position = p};
    return p;
}

static versors turn(double x, double y, double z)
{
    quatd q = quatd_mul(quatd_mul(quatd_axis(AXIS_Y, y), quatd_axis(AXIS_X, x)), quatd_axis(AXIS_Z, z));
    return od_quat((float)q.x, (float)q.y, (float)q.z, (float)q.w);
}

static versors dance(int frame, double noise, uint32_t *random)
{
    double t = frame / 30.0;
    return turn(40 * sin(3 * t) + noise * check_random(random), 30 * sin(1.7 * t + 1) + noise * check_random(random),
                25 * sin(4.1 * t + 2) + noise * check_random(random));
}

static void make_dance(scene *s, double noise)
{
    uint32_t random = 1;
    versors *arm = add_turning(s, "左腕", FRAMES), *head = add_turning(s, "頭", FRAMES);
    vec3s *hips = add_moving(s, "センター", FRAMES), *bone = add_moving(s, "左髪", FRAMES);
    for (int f = 0; f < FRAMES; f++) {
        double t = f / 30.0;
        arm[f] = dance(f, noise, &random);
        head[f] = dance(f / 2, noise, &random);
        if (f) {
            arm[f] = od_quat_near(arm[f], arm[f - 1]);
            head[f] = od_quat_near(head[f], head[f - 1]);
        }
        hips[f] = od_vec3((float)(3 * sin(t)), (float)(fabs(sin(2.5 * t)) + 0.01 * noise * check_random(&random)),
                          (float)(2 * cos(1.3 * t)));
        bone[f] = od_vec3((float)sin(7 * t), 0, (float)(t < 3 ? t : 3));
    }
}

static void every_frame_is_within_the_tolerance(void **state)
{
    (void)state;
    static const double angles[] = {0.1, 0.5, 2}, noises[] = {0, 0.3, 3};
    for (int kind = 0; kind < 2; kind++)
        for (int a = 0; a < 3; a++)
            for (int n = 0; n < 3; n++) {
                scene s;
                open_scene(&s);
                make_dance(&s, noises[n]);
                s.options = (od_reduce_options){.kind = kind ? OD_REDUCE_LINEAR : OD_REDUCE_BEZIER,
                                                .tolerance_set = true,
                                                .angle = angles[a],
                                                .way = 0.04 * angles[a]};
                reduce(&s);
                assert_same_motion(&s, angles[a], 0.1 * angles[a]);
                assert_true(od_keys_count(&s.reduced) < od_keys_count(&s.keys));
                assert_int_equal(s.reduction.before, 4 * FRAMES);
                close_scene(&s);
            }
}

static void feet_and_travel_are_held_closer_than_other_bones(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    make_dance(&s, 1);
    reduce(&s);
    assert_same_motion(&s, FULL, 0.05);
    s.keys.tracks = &s.tracks[2]; /* センター */
    s.keys.track_count = 1;
    reduce(&s);
    assert_same_motion(&s, FULL, WAY);
    close_scene(&s);
}

static void curves_need_fewer_keys_than_lines(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    make_dance(&s, 0);
    reduce(&s);
    size_t curved = od_keys_count(&s.reduced);
    s.options.kind = OD_REDUCE_LINEAR;
    reduce(&s);
    size_t straight = od_keys_count(&s.reduced);
    for (int i = 0; i < s.reduced.track_count; i++) assert_null(s.reduced.tracks[i].curves);
    assert_true(3 * curved < 2 * straight);
    assert_true(4 * curved < od_keys_count(&s.keys));
    close_scene(&s);
}

static void off_keeps_all_keys(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    make_dance(&s, 0);
    s.options.kind = OD_REDUCE_OFF;
    reduce(&s);
    assert_ptr_equal(s.reduced.tracks, s.keys.tracks);
    close_scene(&s);
}

static void bone_that_trembles_within_the_tolerance_keeps_one_key(void **state)
{
    (void)state;
    scene s;
    uint32_t random = 7;
    open_scene(&s);
    versors *q = add_turning(&s, "左腕", FRAMES), *moving = add_turning(&s, "右腕", FRAMES);
    vec3s *p = add_moving(&s, "センター", FRAMES);
    for (int f = 0; f < FRAMES; f++) {
        q[f] = turn(30 + 0.2 * check_random(&random), 0.2 * check_random(&random), 10);
        p[f] = od_vec3(1, (float)(2 + 0.009 * check_random(&random)), 3);
        moving[f] = turn(f, 0, 0);
    }
    reduce(&s);
    assert_int_equal(s.reduced.tracks[0].count, 1);
    assert_int_equal(s.reduced.tracks[2].count, 1);
    assert_same_motion(&s, FULL, WAY);
    close_scene(&s);
}

static void motion_that_stands_still_keeps_its_length(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    versors *q = add_turning(&s, "左腕", FRAMES), *other = add_turning(&s, "右腕", FRAMES);
    for (int f = 0; f < FRAMES; f++) q[f] = other[f] = turn(30, 0, 0);
    reduce(&s);
    assert_int_equal(od_keys_count(&s.reduced), 3);
    assert_same_motion(&s, 0.001, 0);
    close_scene(&s);
}

static void even_motion_gives_two_keys(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    versors *q = add_turning(&s, "左腕", FRAMES);
    vec3s *p = add_moving(&s, "センター", FRAMES);
    for (int f = 0; f < FRAMES; f++) {
        q[f] = turn(-50 + 0.4 * f, 0, 0);
        p[f] = od_vec3((float)(0.05 * f), (float)(-0.01 * f), 7);
    }
    reduce(&s);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(s.reduced.tracks[i].count, 2);
        assert_null(s.reduced.tracks[i].curves);
    }
    assert_same_motion(&s, FULL, WAY);
    close_scene(&s);
}

/* All keys of a track, on every frame. */
static od_track fill(scene *s, const od_track *track)
{
    od_keys keys = {.tracks = s->tracks, .track_count = 1};
    size_t frames = (size_t)track->frame[track->count - 1] + 1;
    versors *q = OD_NEW(s->arena, versors, frames, &s->error);
    vec3s *p = OD_NEW(s->arena, vec3s, frames, &s->error);
    s->tracks[0] = *track;
    for (size_t f = 0; f < frames; f++) {
        xformd at = player_key(&keys, track->name, (double)f);
        q[f] = od_quat((float)at.q.x, (float)at.q.y, (float)at.q.z, (float)at.q.w);
        if (f) q[f] = od_quat_near(q[f], q[f - 1]);
        p[f] = od_vec3((float)at.t.x, (float)at.t.y, (float)at.t.z);
    }
    return (od_track){.name = track->name,
                      .count = (int)frames,
                      .rotation = track->rotation ? q : NULL,
                      .position = track->position ? p : NULL};
}

/* Keys as a person sets them: from 6 to 24 frames apart, eased in and out. */
static od_track set_by_hand(scene *s, int count, uint32_t seed)
{
    unsigned *frame = OD_NEW(s->arena, unsigned, (size_t)count, &s->error);
    versors *q = OD_NEW(s->arena, versors, (size_t)count, &s->error);
    vec3s *p = OD_NEW(s->arena, vec3s, (size_t)count, &s->error);
    od_curves *curves = OD_NEW(s->arena, od_curves, (size_t)count, &s->error);
    for (int i = 0; i < count; i++) {
        if (i) frame[i] = frame[i - 1] + 15 + (unsigned)(int)(9 * check_random(&seed));
        q[i] = turn(50 * check_random(&seed), 40 * check_random(&seed), 30 * check_random(&seed));
        p[i] = od_vec3((float)check_random(&seed), (float)check_random(&seed), (float)check_random(&seed));
        for (int c = 0; c < 4; c++) {
            unsigned char in = (unsigned char)(40 + 30 * check_random(&seed));
            unsigned char points[4] = {in, (unsigned char)(in / 3), (unsigned char)(127 - in), 127};
            memcpy(curves[i].c[c], points, sizeof points);
        }
    }
    return (od_track){.name = "左腕", .count = count, .frame = frame, .position = p, .rotation = q, .curves = curves};
}

static void dance_set_by_hand_comes_back_with_hardly_more_keys(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed < 6; seed++) {
        scene s;
        open_scene(&s);
        od_track track = set_by_hand(&s, 30, seed);
        s.tracks[0] = fill(&s, &track);
        s.keys.track_count = 1;
        reduce(&s);
        assert_same_motion(&s, FULL, 0.05);
        assert_true(s.reduced.tracks[0].count <= 39); /* 1.3 times */
        close_scene(&s);
    }
}

static void sparse_track_stays_as_it_is(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    s.tracks[0] = set_by_hand(&s, 30, 9);
    s.keys.track_count = 1;
    reduce(&s);
    assert_ptr_equal(s.reduced.tracks[0].rotation, s.tracks[0].rotation);
    assert_int_equal(s.reduced.tracks[0].count, 30);
    close_scene(&s);
}

/* Keys that a line or a curve through their neighbours shows as well. */
static void needless_keys_of_a_sparse_track_go(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    versors *q = add_turning(&s, "左腕", 20);
    unsigned *frame = OD_NEW(s.arena, unsigned, 20, &s.error);
    for (int i = 0; i < 20; i++) {
        frame[i] = (unsigned)(10 * i);
        q[i] = turn(i < 10 ? 5 * i : 45 - 5 * (i - 9), 0, 0);
    }
    s.tracks[0].frame = frame;
    reduce(&s);
    assert_int_equal(s.reduced.tracks[0].count, 3);
    assert_same_motion(&s, FULL, 0);
    close_scene(&s);
}

static void reduction_of_a_reduction_changes_nothing(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    make_dance(&s, 0.3);
    reduce(&s);
    od_keys once = s.reduced;
    s.keys = once;
    reduce(&s);
    for (int i = 0; i < once.track_count; i++) {
        assert_int_equal(s.reduced.tracks[i].count, once.tracks[i].count);
        assert_ptr_equal(s.reduced.tracks[i].frame, once.tracks[i].frame);
    }
    close_scene(&s);
}

static void tolerance_of_nothing_is_exact(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    make_dance(&s, 0.3);
    s.options.tolerance_set = true;
    reduce(&s);
    assert_same_motion(&s, 1e-3, 1e-5);
    close_scene(&s);
}

static void budget_is_kept_with_the_smallest_tolerance(void **state)
{
    (void)state;
    static const size_t budgets[] = {60, 150, 300, 600};
    double before = 90;
    for (int i = 0; i < 4; i++) {
        scene s;
        open_scene(&s);
        make_dance(&s, 0.3);
        s.options.budget = budgets[i];
        reduce(&s);
        assert_in_range(od_keys_count(&s.reduced), budgets[i] * 9 / 10, budgets[i]);
        assert_false(s.reduction.over);
        assert_true(s.reduction.angle < before);
        assert_near(s.reduction.way / s.reduction.angle, WAY / FULL, 1e-9);
        assert_same_motion(&s, s.reduction.angle, 2.5 * s.reduction.way);
        before = s.reduction.angle;
        close_scene(&s);
    }
}

static void budget_that_nothing_keeps_is_told(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    make_dance(&s, 0.3);
    s.options.budget = 1;
    reduce(&s);
    assert_true(s.reduction.over);
    assert_true(od_keys_count(&s.reduced) > 1);
    close_scene(&s);
}

static void turns_of_many_rounds_keep_their_way(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    versors *q = add_turning(&s, "左腕", FRAMES);
    for (int f = 0; f < FRAMES; f++) {
        q[f] = turn(0, 9 * f, 0); /* six rounds */
        if (f) q[f] = od_quat_near(q[f], q[f - 1]);
    }
    reduce(&s);
    const od_track *track = &s.reduced.tracks[0];
    for (int i = 1; i < track->count; i++)
        assert_true(turn_between(quatd_of(track->rotation[i - 1]), quatd_of(track->rotation[i])) < 120.01);
    assert_in_range(track->count, 19, 22);
    assert_same_motion(&s, FULL, 0);
    close_scene(&s);
}

static bool has_key(const od_track *track, unsigned frame)
{
    for (int i = 0; i < track->count; i++)
        if (track->frame[i] == frame) return true;
    return false;
}

static void feet_have_keys_where_they_begin_and_cease_to_stand(void **state)
{
    (void)state;
    static const od_contact left[] = {{10, 31}, {77, 99}}, right[] = {{40, 70}};
    static const od_contacts contacts = {{left, right}, {2, 1}};
    static const unsigned lefts[] = {10, 30, 77, 98}, rights[] = {40, 69};
    scene s;
    open_scene(&s);
    vec3s *foot[3] = {add_moving(&s, "左足ＩＫ", FRAMES), add_moving(&s, "右足ＩＫ", FRAMES),
                      add_moving(&s, "センター", FRAMES)};
    for (int f = 0; f < FRAMES; f++)
        for (int i = 0; i < 3; i++) foot[i][f] = od_vec3((float)(0.01 * f), 0, (float)(0.1 * i));
    s.options.contacts = &contacts;
    reduce(&s);
    assert_int_equal(s.reduced.tracks[0].count, 2 + 4);
    assert_int_equal(s.reduced.tracks[1].count, 2 + 2);
    assert_int_equal(s.reduced.tracks[2].count, 2 + 6);
    for (int i = 0; i < 4; i++) {
        assert_true(has_key(&s.reduced.tracks[0], lefts[i]));
        assert_true(has_key(&s.reduced.tracks[2], lefts[i]));
    }
    for (int i = 0; i < 2; i++) {
        assert_true(has_key(&s.reduced.tracks[1], rights[i]));
        assert_true(has_key(&s.reduced.tracks[2], rights[i]));
    }
    close_scene(&s);
}

static void legs_have_keys_where_ik_is_switched(void **state)
{
    (void)state;
    scene s;
    od_ik_key switched[2] = {{.frame = 0, .show = true}, {.frame = 111, .show = true}};
    open_scene(&s);
    versors *q = add_turning(&s, "左足", FRAMES);
    for (int f = 0; f < FRAMES; f++) q[f] = turn(0.4 * f, 0, 0);
    s.keys.ik = switched;
    s.keys.ik_count = 2;
    reduce(&s);
    assert_true(has_key(&s.reduced.tracks[0], 111));
    close_scene(&s);
}

static void switches_of_physics_stay(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    versors *q = add_turning(&s, "左腕", FRAMES);
    bool *still = OD_NEW(s.arena, bool, FRAMES, &s.error);
    for (int f = 0; f < FRAMES; f++) {
        q[f] = turn(0, 0, 0);
        still[f] = f >= 50 && f < 60;
    }
    s.tracks[0].still = still;
    reduce(&s);
    const od_track *track = &s.reduced.tracks[0];
    assert_int_equal(track->count, 4);
    assert_int_equal(track->frame[1], 50);
    assert_int_equal(track->frame[2], 60);
    assert_true(!track->still[0] && track->still[1] && !track->still[2]);
    close_scene(&s);
}

/* Left and right changed: x of places, y and z of rotations. */
static void mirrored_motion_gives_mirrored_keys(void **state)
{
    (void)state;
    scene s, m;
    open_scene(&s);
    open_scene(&m);
    make_dance(&s, 0.3);
    for (int i = 0; i < 4; i++) {
        const od_track *track = &s.tracks[i];
        versors *q = track->rotation ? add_turning(&m, track->name, FRAMES) : NULL;
        vec3s *p = track->position ? add_moving(&m, track->name, FRAMES) : NULL;
        for (int f = 0; f < FRAMES; f++) {
            if (q)
                q[f] =
                    od_quat(track->rotation[f].x, -track->rotation[f].y, -track->rotation[f].z, track->rotation[f].w);
            if (p) p[f] = od_vec3(-track->position[f].x, track->position[f].y, track->position[f].z);
        }
    }
    reduce(&s);
    reduce(&m);
    for (int i = 0; i < 4; i++) {
        const od_track *a = &s.reduced.tracks[i], *b = &m.reduced.tracks[i];
        assert_int_equal(a->count, b->count);
        assert_memory_equal(a->frame, b->frame, (size_t)a->count * sizeof *a->frame);
        assert_memory_equal(a->curves, b->curves, (size_t)a->count * sizeof *a->curves);
    }
    close_scene(&s);
    close_scene(&m);
}

static void morphs_keep_their_weights(void **state)
{
    (void)state;
    scene s;
    float weight[FRAMES], blink[FRAMES];
    od_morph_track morphs[2] = {{"あ", FRAMES, NULL, weight}, {"まばたき", FRAMES, NULL, blink}};
    open_scene(&s);
    for (int f = 0; f < FRAMES; f++) {
        weight[f] = f < 100 ? 0 : f < 110 ? (float)(f - 100) / 10 : 1;
        blink[f] = 0.25f;
    }
    s.keys.morphs = morphs;
    s.keys.morph_count = 2;
    reduce(&s);
    assert_int_equal(s.reduced.morphs[0].count, 4);
    assert_int_equal(s.reduced.morphs[1].count, 1);
    const od_morph_track *track = &s.reduced.morphs[0];
    for (int f = 0, k = 0; f < FRAMES; f++) {
        while (k + 1 < track->count && (int)track->frame[k + 1] <= f) k++;
        double a = (double)track->weight[k], at = a;
        if (k + 1 < track->count)
            at += ((double)track->weight[k + 1] - a) * (f - (double)track->frame[k]) /
                  ((double)track->frame[k + 1] - (double)track->frame[k]);
        assert_near(at, weight[f], 0.0101);
    }
    close_scene(&s);
}

/* Of a key four years after the last there is nothing to sample. */
static void tracks_without_end_stay(void **state)
{
    (void)state;
    static const unsigned frame[] = {0, 1, 4000000000u};
    static const versors q[] = {{{0, 0, 0, 1}}, {{0, 0, 0, 1}}, {{0, 0, 0, 1}}};
    scene s;
    open_scene(&s);
    s.tracks[0] = (od_track){.name = "左腕", .count = 3, .frame = frame, .rotation = q};
    s.tracks[1] = (od_track){.name = "右腕"};
    s.keys.track_count = 2;
    reduce(&s);
    assert_int_equal(s.reduced.tracks[0].count, 3);
    assert_int_equal(s.reduced.tracks[1].count, 0);
    close_scene(&s);
}

static void memory_that_ends_is_told(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    make_dance(&s, 0.3);
    bool done = false;
    for (size_t n = 1; !done; n++) {
        od_error error = {0};
        od_arena *arena = od_arena_new(0);
        od_arena_fail_at(arena, n);
        done = od_reduce(&s.target, &s.keys, &s.options, &s.reduced, &s.reduction, arena, &error);
        assert_true(done != error.failed);
        od_arena_free(arena);
        assert_true(n < 20000);
    }
    close_scene(&s);
}

/* ---- whole conversions --------------------------------------------------------------------------- */

static float judged(const od_check *check, od_measure measure)
{
    float most = 0;
    for (int i = 0; i < check->figure_count; i++)
        if (check->figures[i].measure == measure) most = fmaxf(most, od_figure_judged(&check->figures[i]));
    return most;
}

/* Converts a dance for the standard model; the reduced keys hold what the program promises. `share`: of the
 * keys on every frame. */
static void assert_dance_is_reduced(const char *name, double share)
{
    static const od_check_options ours = {.every = 10, .agreeing = true};
    scene s;
    od_scene source;
    od_mapping mapping;
    od_binding binding;
    od_retarget_result result;
    od_check check;
    open_scene(&s);
    od_file file = file_read(name, s.arena);
    assert_ok(od_read_scene(&file, NULL, NULL, &source, NULL, s.arena, &s.error), s.error);
    assert_ok(od_mapping_detect(&source.skeleton, &mapping, NULL, s.arena, &s.error), s.error);
    assert_ok(od_binding_make(&mapping, &source.skeleton, &s.target, &binding, NULL, s.arena, &s.error), s.error);
    assert_ok(od_retarget(&source, &source.clips[0], &binding, &s.target, &(od_retarget_options){.bind = mapping.bind},
                          &s.keys, &result, NULL, s.arena, &s.error),
              s.error);
    assert_ok(od_check_motion(&s.target, &s.keys, &result.reference, &ours, &check, NULL, s.arena, &s.error), s.error);
    double slide = (double)judged(&check, OD_MEASURE_SLIDE);
    s.options.contacts = &result.footing;
    assert_ok(od_reduce_checked(&s.target, &s.keys, &result.reference, &s.options, &ours, &s.reduced, &check,
                                &s.reduction, NULL, s.arena, &s.error),
              s.error);
    assert_same_motion(&s, FULL, 0.05);
    assert_true((double)od_keys_count(&s.reduced) < share * (double)od_keys_count(&s.keys));
    assert_true((double)judged(&check, OD_MEASURE_KNEE) <= 0.1);
    assert_true((double)judged(&check, OD_MEASURE_RESIDUAL) <= 0.01);
    assert_true((double)judged(&check, OD_MEASURE_UNDER) <= 0.25);
    assert_true((double)judged(&check, OD_MEASURE_SLIDE) <= slide + 0.05);
    close_scene(&s);
}

static void sample_dance_plays_as_before(void **state)
{
    (void)state;
    assert_dance_is_reduced("samples/dance.bvh", 0.2);
}

static void real_dances_play_as_before(void **state)
{
    (void)state;
    static const char *const names[] = {"assimp_assimp/01_01.bvh",
                                        "BandaiNamcoResearchInc_Bandai-Namco-Research-Motiondataset/"
                                        "dataset-1_dance-short_normal_001.bvh"};
    const char *folder = test_data();
    for (int i = 0; i < 2; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/bvh/%s", folder, names[i]);
        assert_dance_is_reduced(path, 0.4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_frame_is_within_the_tolerance),
        cmocka_unit_test(feet_and_travel_are_held_closer_than_other_bones),
        cmocka_unit_test(curves_need_fewer_keys_than_lines),
        cmocka_unit_test(off_keeps_all_keys),
        cmocka_unit_test(bone_that_trembles_within_the_tolerance_keeps_one_key),
        cmocka_unit_test(motion_that_stands_still_keeps_its_length),
        cmocka_unit_test(even_motion_gives_two_keys),
        cmocka_unit_test(dance_set_by_hand_comes_back_with_hardly_more_keys),
        cmocka_unit_test(sparse_track_stays_as_it_is),
        cmocka_unit_test(needless_keys_of_a_sparse_track_go),
        cmocka_unit_test(reduction_of_a_reduction_changes_nothing),
        cmocka_unit_test(tolerance_of_nothing_is_exact),
        cmocka_unit_test(budget_is_kept_with_the_smallest_tolerance),
        cmocka_unit_test(budget_that_nothing_keeps_is_told),
        cmocka_unit_test(turns_of_many_rounds_keep_their_way),
        cmocka_unit_test(feet_have_keys_where_they_begin_and_cease_to_stand),
        cmocka_unit_test(legs_have_keys_where_ik_is_switched),
        cmocka_unit_test(switches_of_physics_stay),
        cmocka_unit_test(mirrored_motion_gives_mirrored_keys),
        cmocka_unit_test(morphs_keep_their_weights),
        cmocka_unit_test(tracks_without_end_stay),
        cmocka_unit_test(memory_that_ends_is_told),
        cmocka_unit_test(sample_dance_plays_as_before),
        cmocka_unit_test(real_dances_play_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
