/* FBX: files that lie. Each is refused in words or read into a scene that is whole. */
#include "fbx_writing.h"

#include <zlib.h>

static const int64_t TIMES[2] = {0, 30};
static const float VALUES[2] = {10, 30};

static fbx_scene simple(fbx_layout layout)
{
    return (fbx_scene){
        .layout = layout, .hips[1] = {.count = 2, .times = TIMES, .values = VALUES, .flags = 0x8}, .bind = {0, 30, 0}};
}

static void check_scene(const fbx_reading *r)
{
    od_xform world[8];
    if (!r->ok) {
        assert_true(r->error.message[0] != 0);
        return;
    }
    assert_true(r->scene.skeleton.count > 0 && r->scene.skeleton.count <= 8);
    for (int i = 0; i < r->scene.skeleton.count; i++) {
        assert_true(r->scene.skeleton.bones[i].parent < i);
        assert_true(od_vec3_finite(r->scene.skeleton.bones[i].rest_world.t));
    }
    for (int c = 0; c < r->scene.clip_count; c++)
        for (int f = 0; f < r->scene.clips[c].frames; f++) {
            od_clip_world(&r->scene.clips[c], f, &r->scene.skeleton, world);
            for (int i = 0; i < r->scene.skeleton.count; i++)
                assert_true(od_vec3_finite(world[i].t) && od_quat_finite(world[i].q));
        }
}

/* In memory of its own, so that sanitizers see a read beyond the end. */
static bool read_part(const fbx_file *f, size_t size)
{
    unsigned char *part = malloc(size ? size : 1);
    assert_non_null(part);
    memcpy(part, f->data, size);
    fbx_reading r = fbx_read_bytes(part, size);
    check_scene(&r);
    bool ok = r.ok;
    fbx_done(&r);
    free(part);
    return ok;
}

static void a_binary_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    static fbx_file f;
    const fbx_layout layouts[] = {{.version = 7400, .binary = true}, {.version = 7500, .binary = true, .packed = true}};
    for (size_t i = 0; i < 2; i++) {
        fbx_scene scene = simple(layouts[i]);
        fbx_write_scene(&f, &scene);
        size_t whole = f.size;
        assert_true(read_part(&f, whole));
        for (size_t size = 0; size < whole; size++)
            if (read_part(&f, size)) fail_msg("cut at %zu of %zu bytes it is read", size, whole);
    }
}

static void a_text_cut_anywhere_is_refused_or_read(void **state)
{
    (void)state;
    static fbx_file f;
    fbx_scene scene = simple((fbx_layout){.version = 7400});
    fbx_write_scene(&f, &scene);
    for (size_t size = 0; size < f.size; size += 3) read_part(&f, size);
}

static void any_changed_byte_is_refused_or_read(void **state)
{
    (void)state;
    static fbx_file f;
    static const unsigned char values[] = {0, 1, 0x7F, 0x80, 0xFF, '{', '}', '"', ','};
    const fbx_layout layouts[] = {{.version = 7400}, {.version = 7400, .binary = true, .packed = true}};
    for (size_t i = 0; i < 2; i++) {
        fbx_scene scene = simple(layouts[i]);
        fbx_write_scene(&f, &scene);
        for (size_t at = 0; at < f.size; at++) {
            unsigned char was = f.data[at];
            f.data[at] = values[at % sizeof values];
            read_part(&f, f.size);
            f.data[at] = was;
        }
    }
}

static void models_in_a_circle_are_refused(void **state)
{
    (void)state;
    fbx_scene scene = simple((fbx_layout){.version = 7400});
    scene.circle = true;
    fbx_reading r = fbx_read_scene(&scene);
    assert_fails(r.ok, r.error, "a model is connected below itself: 3 of 4");
    fbx_done(&r);
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    static fbx_file f;
    for (int binary = 0; binary < 2; binary++) {
        fbx_start(&f, (fbx_layout){.version = 7400, .binary = binary});
        for (int i = 0; i < 40; i++) fbx_begin(&f, "n");
        for (int i = 0; i < 40; i++) fbx_end(&f);
        fbx_finish(&f);
        fbx_reading r = fbx_read_bytes(f.data, f.size);
        assert_fails(r.ok, r.error, "nodes are nested too deeply");
        fbx_done(&r);
    }
    static char braces[200000];
    for (size_t i = 0; i < sizeof braces; i++) braces[i] = "a:{"[i % 3];
    fbx_reading r = fbx_read_bytes((const unsigned char *)braces, sizeof braces);
    assert_fails(r.ok, r.error, "nodes are nested too deeply");
    fbx_done(&r);
}

static void empty_nodes_without_end_are_refused(void **state)
{
    (void)state;
    static char nodes[300000];
    for (size_t i = 0; i < sizeof nodes; i++) nodes[i] = "a:\n"[i % 3];
    fbx_reading r = fbx_read_bytes((const unsigned char *)nodes, sizeof nodes);
    assert_fails(r.ok, r.error, "more nodes than a file of this size has");
    fbx_done(&r);
}

/* The first KeyTime's array of a packed binary file: type, count, encoding, size, bytes. */
static unsigned char *find_array(fbx_file *f)
{
    for (size_t i = 0; i + 7 < f->size; i++)
        if (!memcmp(f->data + i, "KeyTimel", 8)) return f->data + i + 8;
    fail_msg("there is no array");
    return NULL;
}

static void counts_of_arrays_are_not_believed(void **state)
{
    (void)state;
    static fbx_file f;
    for (int packed = 0; packed < 2; packed++) {
        fbx_scene scene = simple((fbx_layout){.version = 7400, .binary = true, .packed = packed});
        fbx_write_scene(&f, &scene);
        memset(find_array(&f), 0xFF, 4);
        fbx_reading r = fbx_read_bytes(f.data, f.size);
        assert_fails(r.ok, r.error,
                     packed ? "more elements than its packed bytes can hold" : "more elements than bytes");
        assert_true(od_arena_used(r.arena) < 1 << 20);
        fbx_done(&r);
        fbx_write_scene(&f, &scene);
        unsigned char *array = find_array(&f);
        array[0] = 1; /* fewer than there are */
        r = fbx_read_bytes(f.data, f.size);
        assert_fails(r.ok, r.error, packed ? "a packed array is broken" : "as many values as times");
        fbx_done(&r);
    }
}

static void bombs_are_refused(void **state)
{
    (void)state;
    enum { SIZE = 128 << 20, ROOM = 1 << 17 };
    static unsigned char small[ROOM + 100];
    unsigned char *zeros = calloc(SIZE, 1);
    uLongf size = sizeof small;
    assert_non_null(zeros);
    assert_int_equal(compress2(small, &size, zeros, SIZE, 9), Z_OK);
    free(zeros);
    fbx_packed times = {.bytes = small, .size = size, .count = SIZE / 8};
    fbx_scene scene = simple((fbx_layout){.version = 7400, .binary = true});
    scene.times = &times;
    fbx_reading r = fbx_read_scene(&scene);
    assert_fails(r.ok, r.error, "unpack to more than 64 times its size");
    fbx_done(&r);
    times.count = 8; /* less than it unpacks to */
    r = fbx_read_scene(&scene);
    assert_fails(r.ok, r.error, "a packed array is broken");
    fbx_done(&r);
}

static void numbers_that_are_none_never_leave(void **state)
{
    (void)state;
    static const float odd[2] = {(float)NAN, (float)INFINITY};
    const double scales[][3] = {{(double)NAN, 1, 1}, {1e300, 1e300, 1e300}, {1e12, 1e12, 1e12}, {0, 0, 0}, {-1, 1, 1}};
    fbx_scene scene = simple((fbx_layout){.version = 7400, .binary = true});
    scene.hips[1].values = odd;
    scene.hips[1].data[0] = scene.hips[1].data[1] = (float)NAN;
    scene.bind[0] = (double)INFINITY;
    scene.pre[0] = (double)NAN;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        scene.armature = scales[i];
        fbx_reading r = fbx_read_scene(&scene);
        check_scene(&r);
        fbx_done(&r);
    }
}

static void times_that_go_back_are_refused(void **state)
{
    (void)state;
    static const int64_t back[2] = {30, 0};
    fbx_scene scene = simple((fbx_layout){.version = 7400});
    scene.hips[1].times = back;
    fbx_reading r = fbx_read_scene(&scene);
    assert_fails(r.ok, r.error, "expected times of keys that ascend");
    fbx_done(&r);
}

static void failing_memory_is_told(void **state)
{
    (void)state;
    static fbx_file f;
    fbx_scene scene = simple((fbx_layout){.version = 7400, .binary = true});
    fbx_write_scene(&f, &scene);
    od_file file = {.name = "dance.fbx", .data = f.data, .size = f.size};
    bool done = false;
    for (size_t n = 1; !done && n < 1000; n++) {
        od_arena *arena = od_arena_new(0);
        od_report report = {.arena = arena};
        od_error error = {0};
        od_scene read;
        od_arena_fail_at(arena, n);
        done = od_read_scene(&file, NULL, NULL, &read, &report, arena, &error);
        assert_true(done != error.failed);
        od_arena_free(arena);
    }
    assert_true(done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_binary_file_cut_anywhere_is_refused),
        cmocka_unit_test(a_text_cut_anywhere_is_refused_or_read),
        cmocka_unit_test(any_changed_byte_is_refused_or_read),
        cmocka_unit_test(models_in_a_circle_are_refused),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(empty_nodes_without_end_are_refused),
        cmocka_unit_test(counts_of_arrays_are_not_believed),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(numbers_that_are_none_never_leave),
        cmocka_unit_test(times_that_go_back_are_refused),
        cmocka_unit_test(failing_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
