/* Writing BVH: what is written is read back, and stands where it stood. */
#define _XOPEN_SOURCE 700 /* for nftw; NOLINT(bugprone-reserved-identifier) */
#include "check.h"

#include <ftw.h>
#include <locale.h>

#include "file.h"
#include "format/bvh.h"
#include "format/out.h"
#include "odori/target.h"
#include "sink.h"

typedef struct stage {
    od_arena *arena;
    od_error error;
    od_report report;
    od_scene scene;
    od_clip clip;
    memory out;
    od_scene again; /* what was written, read */
} stage;

static void open_stage(stage *s)
{
    *s = (stage){.arena = od_arena_new(0)};
    s->report.arena = s->arena;
}

static void close_stage(stage *s)
{
    free(s->out.data);
    od_arena_free(s->arena);
}

static versors random_turn(uint32_t *seed, float most)
{
    vec3s axis = od_vec3((float)check_random(seed), (float)check_random(seed), (float)check_random(seed));
    return od_quat_axis_angle(axis, most * (float)check_random(seed));
}

/* A tree of bones that hang one below another or two, with any rest rotations, and frames in which those
 * joints move that `moves` has. */
static void make_scene(stage *s, int bones, int frames, const char *moves, uint32_t seed)
{
    od_bone *list = OD_NEW(s->arena, od_bone, (size_t)bones, &s->error);
    assert_ok(od_clip_make(&s->clip, bones, 60, s->arena, &s->error), s->error);
    for (int b = 0; b < bones; b++) {
        list[b].name = od_arena_format(s->arena, &s->error, "b%d", b);
        list[b].parent = b < 2 ? b - 1 : b - 1 - (b % 3 == 0);
        list[b].rest.q = random_turn(&seed, 3);
        list[b].rest.t = od_vec3((float)check_random(&seed), 2, (float)check_random(&seed));
    }
    s->scene.skeleton = (od_skeleton){list, bones};
    od_skeleton_finish(&s->scene.skeleton);
    for (int f = 0; f < frames; f++) {
        od_xform *local = od_clip_add(&s->clip, &s->error);
        assert_non_null(local);
        for (int b = 0; b < bones; b++) {
            local[b].q = od_quat_mul(list[b].rest.q, random_turn(&seed, 3));
            local[b].t = list[b].rest.t;
            if (!moves || strchr(moves, 'a' + b))
                local[b].t = glms_vec3_add(local[b].t, od_vec3((float)check_random(&seed), 5, 100));
        }
    }
    s->clip.name = "dance";
    s->scene.clips = &s->clip;
    s->scene.clip_count = 1;
}

static void write_scene(stage *s, const od_write_options *options)
{
    od_sink sink = sink_into(&s->out);
    assert_ok(od_bvh_write(&s->scene, options, &sink, &s->report, &s->error), s->error);
    od_file file = {.name = "dance.bvh", .data = s->out.data, .size = s->out.size};
    assert_ok(od_bvh_read(&file, NULL, &s->again, &s->report, s->arena, &s->error), s->error);
}

static float extent(const od_skeleton *skeleton)
{
    float most = 0;
    for (int b = 0; b < skeleton->count; b++) {
        float far = glms_vec3_distance(skeleton->bones[b].rest_world.t, skeleton->bones[0].rest_world.t);
        if (far > most) most = far;
    }
    return most;
}

/* All bones that were written stand and turn as they did, at rest and in every frame. */
static void check_same(const stage *s, const char *const *names)
{
    const od_skeleton *was = &s->scene.skeleton, *is = &s->again.skeleton;
    float height = extent(was);
    od_xform *a = OD_NEW(s->arena, od_xform, (size_t)was->count, NULL);
    od_xform *b = OD_NEW(s->arena, od_xform, (size_t)is->count, NULL);
    const od_clip *clip = &s->scene.clips[0], *clip_again = &s->again.clips[0];
    assert_int_equal(clip_again->frames, clip->frames);
    assert_near(clip_again->fps, clip->fps, 1e-9 * clip->fps);
    int seen = 0;
    for (int f = 0; f < clip->frames; f++) {
        od_clip_world(clip, f, was, a);
        od_clip_world(clip_again, f, is, b);
        for (int i = 0; i < was->count; i++) {
            const char *name = names ? names[i] : was->bones[i].name;
            int k = name ? od_skeleton_find(is, name) : -1;
            if (k < 0) continue;
            seen += !f;
            versors turned = od_quat_mul(a[i].q, od_quat_conj(was->bones[i].rest_world.q));
            assert_near(od_quat_angle(od_quat_mul(od_quat_conj(turned), b[k].q)), 0, 0.01 * 3.14159 / 180);
            assert_near(glms_vec3_distance(a[i].t, b[k].t), 0, 1e-4F * height);
            if (f) continue;
            assert_near(glms_vec3_distance(was->bones[i].rest_world.t, is->bones[k].rest_world.t), 0, 1e-4F * height);
        }
    }
    int wanted = 0;
    for (int i = 0; i < was->count; i++) wanted += !names || names[i];
    assert_int_equal(seen, wanted);
}

static bool has(const stage *s, const char *part)
{
    size_t size = strlen(part);
    for (size_t i = 0; i + size <= s->out.size; i++)
        if (!memcmp(s->out.data + i, part, size)) return true;
    return false;
}

static void any_rest_pose_comes_back_in_the_same_places(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed < 6; seed++) {
        stage s;
        open_stage(&s);
        make_scene(&s, 20, 30, "a", seed);
        write_scene(&s, NULL);
        check_same(&s, NULL);
        assert_int_equal(s.again.skeleton.count, 20);
        for (int b = 1; b < 20; b++) assert_false(s.again.moves[b]);
        assert_int_equal(s.report.warnings, 0);
        close_stage(&s);
    }
}

static void joints_that_move_get_position_channels(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    make_scene(&s, 12, 10, "ceh", 3);
    write_scene(&s, NULL);
    check_same(&s, NULL);
    for (int b = 1; b < 12; b++) {
        int k = od_skeleton_find(&s.again.skeleton, s.scene.skeleton.bones[b].name);
        assert_int_equal(s.again.moves[k], strchr("ceh", 'a' + b) != NULL);
    }
    close_stage(&s);
}

static void bones_that_are_left_out_take_nothing_from_those_below(void **state)
{
    (void)state;
    static const char *const names[12] = {"hips", NULL,  "chest", NULL, NULL, "neck",
                                          "head", "arm", NULL,    NULL, "x",  "y"};
    stage s;
    open_stage(&s);
    make_scene(&s, 12, 10, NULL, 5);
    write_scene(&s, &(od_write_options){.names = names});
    assert_int_equal(s.again.skeleton.count, 7);
    check_same(&s, names);
    close_stage(&s);
}

static void several_roots_get_one_above_them(void **state)
{
    (void)state;
    static const char *const names[6] = {NULL, "one", "two", "three", "four", "five"};
    stage s;
    open_stage(&s);
    make_scene(&s, 6, 5, NULL, 5);
    s.scene.skeleton.bones[3].parent = s.scene.skeleton.bones[1].parent = 0;
    od_skeleton_finish(&s.scene.skeleton);
    write_scene(&s, &(od_write_options){.names = names});
    assert_int_equal(s.again.skeleton.count, 6);
    assert_string_equal(s.again.skeleton.bones[0].name, "root");
    assert_null(s.again.other_roots);
    check_same(&s, names);
    close_stage(&s);
}

static void angles_go_on_from_frame_to_frame(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    make_scene(&s, 2, 0, "a", 1);
    for (int f = 0; f < 400; f++) { /* turns and tumbles, also through right angles about x */
        od_xform *local = od_clip_add(&s.clip, &s.error);
        float t = 0.05F * (float)f;
        versors spin =
            od_quat_mul(od_quat_axis_angle(od_vec3(0, 1, 0), t), od_quat_axis_angle(od_vec3(1, 0, 0.3F), 2 * t));
        for (int b = 0; b < 2; b++)
            local[b] =
                (od_xform){od_quat_mul(s.scene.skeleton.bones[b].rest.q, spin), s.scene.skeleton.bones[b].rest.t};
    }
    write_scene(&s, NULL);
    check_same(&s, NULL);
    s.out.data = realloc(s.out.data, s.out.size + 1);
    assert_non_null(s.out.data);
    s.out.data[s.out.size] = 0;
    char *p = strstr((char *)s.out.data, "Frame Time:");
    p = strchr(p, '\n');
    double before[9] = {0};
    for (int f = 0; f < 400; f++)
        for (int i = 0; i < 9; i++) {
            double value = strtod(p, &p);
            assert_true(!f || fabs(value - before[i]) < 100);
            before[i] = value;
        }
    close_stage(&s);
}

/* b = 90 degrees exactly, both ways. */
static void right_angles_are_written_right(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    make_scene(&s, 1, 0, "a", 1);
    s.scene.skeleton.bones[0].rest = od_xform_identity();
    od_skeleton_finish(&s.scene.skeleton);
    for (int f = 0; f < 40; f++) {
        float angles[3] = {0.3F * (float)f, f % 2 ? 1.57079637F : -1.57079637F, 0.7F * (float)f};
        *od_clip_add(&s.clip, &s.error) = (od_xform){od_quat_euler("zxy", angles), od_vec3(0, 0, 0)};
    }
    write_scene(&s, NULL);
    check_same(&s, NULL);
    close_stage(&s);
}

static void ends_of_the_reader_become_end_sites_again(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    od_file file = file_read("samples/dance.bvh", s.arena);
    assert_ok(od_bvh_read(&file, NULL, &s.scene, &s.report, s.arena, &s.error), s.error);
    write_scene(&s, NULL);
    check_same(&s, NULL);
    assert_int_equal(s.again.skeleton.count, s.scene.skeleton.count);
    for (int b = 0; b < s.scene.skeleton.count; b++) {
        assert_string_equal(s.again.skeleton.bones[b].name, s.scene.skeleton.bones[b].name);
        assert_int_equal(s.again.skeleton.bones[b].parent, s.scene.skeleton.bones[b].parent);
    }
    assert_true(has(&s, "End Site"));
    close_stage(&s);
}

static void tails_and_odd_names_are_written(void **state)
{
    (void)state;
    static const char *const names[3] = {"左 腕{1}", "", "tip\t"};
    static const vec3s tails[3] = {{{0, 0, 0}}, {{0, 0, 0}}, {{1, 2, -3}}};
    stage s;
    open_stage(&s);
    make_scene(&s, 3, 1, "a", 9);
    write_scene(&s, &(od_write_options){.names = names, .tails = tails});
    assert_true(has(&s, "ROOT 左_腕_1_\n") && has(&s, "JOINT joint_1\n") && has(&s, "JOINT tip_\n"));
    assert_true(has(&s, "End Site\n\t\t\t{\n\t\t\t\tOFFSET 1 2 3\n"));
    close_stage(&s);
}

static void a_skeleton_without_frames_is_written(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    make_scene(&s, 3, 0, "a", 9);
    s.scene.clip_count = 0;
    write_scene(&s, NULL);
    assert_true(has(&s, "Frames: 0\n"));
    assert_int_equal(s.again.skeleton.count, 3);
    close_stage(&s);
}

static void small_skeletons_get_more_digits(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    make_scene(&s, 10, 0, "a", 9);
    for (int b = 0; b < 10; b++)
        s.scene.skeleton.bones[b].rest.t = glms_vec3_scale(s.scene.skeleton.bones[b].rest.t, 1e-6F);
    od_skeleton_finish(&s.scene.skeleton);
    od_xform *local = od_clip_add(&s.clip, &s.error);
    for (int b = 0; b < 10; b++) local[b] = s.scene.skeleton.bones[b].rest;
    write_scene(&s, NULL);
    check_same(&s, NULL);
    close_stage(&s);
}

static void what_is_no_number_or_has_no_bones_is_refused(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    make_scene(&s, 3, 0, "a", 9);
    od_xform *local = od_clip_add(&s.clip, &s.error);
    for (int b = 0; b < 3; b++) local[b] = s.scene.skeleton.bones[b].rest;
    local[1].t.y = NAN;
    od_sink sink = sink_into(&s.out);
    assert_fails(od_bvh_write(&s.scene, NULL, &sink, NULL, &s.error), s.error, "frame 0 of \"b1\"");
    s.error = (od_error){0};
    const char *const names[3] = {NULL};
    assert_fails(od_bvh_write(&s.scene, &(od_write_options){.names = names}, &sink, NULL, &s.error), s.error,
                 "no bones");
    close_stage(&s);
}

static void a_sink_that_fails_ends_the_writing(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    make_scene(&s, 20, 1000, "a", 9);
    s.out.fail_behind = 100000;
    od_sink sink = sink_into(&s.out);
    assert_fails(od_bvh_write(&s.scene, NULL, &sink, NULL, &s.error), s.error, "the disk is full");
    assert_true(s.out.size <= 100000);
    close_stage(&s);
}

static void numbers_are_rounded_and_short_in_any_locale(void **state)
{
    (void)state;
    static const struct {
        double value;
        int places;
        const char *text;
    } cases[] = {{0, 6, "0"},
                 {-1e-9, 6, "0"},
                 {1.5, 6, "1.5"},
                 {-2.25, 1, "-2.3"},
                 {100, 6, "100"},
                 {0.000001, 6, "0.000001"},
                 {-0.0625, 6, "-0.0625"},
                 {123456789.0625, 4, "123456789.0625"},
                 {999.9999999, 6, "1000"},
                 {7, 0, "7"},
                 {1.0 / 3, 12, "0.333333333333"},
                 {999999999999999872.0, 0, "999999999999999872"}};
    memory m = {0};
    od_error error = {0};
    od_sink sink = sink_into(&m);
    od_out *out = calloc(1, sizeof *out);
    assert_non_null(out);
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) print_message("the locale de_DE.UTF-8 is not there: another is used\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        m.size = 0;
        out->sink = &sink;
        out->error = &error;
        assert_true(od_out_number(out, cases[i].value, cases[i].places) && od_out_end(out));
        assert_int_equal(m.size, strlen(cases[i].text));
        assert_memory_equal(m.data, cases[i].text, m.size);
    }
    setlocale(LC_ALL, "C");
    const double bad[] = {(double)NAN, (double)INFINITY, 1e13, -1e300};
    for (int i = 0; i < 4; i++) {
        error = (od_error){0};
        out->failed = false;
        assert_fails(od_out_number(out, bad[i], 6), error, "cannot be written");
        assert_false(od_out_text(out, "x") && od_out_end(out));
    }
    free(out);
    free(m.data);
}

static int real_count;

static int check_real(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)place;
    static const char *const kinds[] = {".bvh", ".fbx", ".glb", ".gltf", ".vrma"};
    const char *dot = strrchr(path, '.');
    bool known = false;
    for (int i = 0; dot && i < 5; i++) known = known || !strcmp(dot, kinds[i]);
    if (type != FTW_F || !known || info->st_size > 1 << 20) return 0;
    stage s;
    open_stage(&s);
    od_file file = file_read(path, s.arena);
    if (od_read_scene(&file, NULL, NULL, &s.scene, NULL, s.arena, &s.error) && s.scene.clip_count) {
        bool unique = extent(&s.scene.skeleton) > 0;
        for (int b = 0; b < s.scene.skeleton.count; b++) {
            const char *name = s.scene.skeleton.bones[b].name;
            unique = unique && od_skeleton_find(&s.scene.skeleton, name) == b && !strpbrk(name, " \t{}");
        }
        write_scene(&s, NULL);
        if (unique) check_same(&s, NULL);
        real_count += unique;
    }
    close_stage(&s);
    return 0;
}

static void real_motions_come_back_as_they_were(void **state)
{
    (void)state;
    real_count = 0;
    assert_int_equal(nftw(test_data(), check_real, 16, FTW_PHYS), 0);
    print_message("%d files\n", real_count);
    assert_true(real_count > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_rest_pose_comes_back_in_the_same_places),
        cmocka_unit_test(joints_that_move_get_position_channels),
        cmocka_unit_test(bones_that_are_left_out_take_nothing_from_those_below),
        cmocka_unit_test(several_roots_get_one_above_them),
        cmocka_unit_test(angles_go_on_from_frame_to_frame),
        cmocka_unit_test(right_angles_are_written_right),
        cmocka_unit_test(ends_of_the_reader_become_end_sites_again),
        cmocka_unit_test(tails_and_odd_names_are_written),
        cmocka_unit_test(a_skeleton_without_frames_is_written),
        cmocka_unit_test(small_skeletons_get_more_digits),
        cmocka_unit_test(what_is_no_number_or_has_no_bones_is_refused),
        cmocka_unit_test(a_sink_that_fails_ends_the_writing),
        cmocka_unit_test(numbers_are_rounded_and_short_in_any_locale),
        cmocka_unit_test(real_motions_come_back_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
