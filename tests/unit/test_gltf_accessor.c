/* Accessors of glTF: every component type, strides, sparse elements, compressed views, and what is refused. */
#include "gltf_made.h"

static const float TIMES[] = {0, 1};

/* The poses of one node: translations of this accessor at the times 0 and 1. */
static void move(made *m, int input, int output, const char *path)
{
    char body[1024];
    snprintf(body, sizeof body,
             "\"nodes\": [{}], \"animations\": [{\"channels\": [{\"sampler\": 0, \"target\": {\"node\": 0, \"path\": "
             "\"%s\"}}], \"samplers\": [{\"input\": %d, \"output\": %d}]}]",
             path, input, output);
    made_finish(m, body);
}

/* Reads rotations of two keys and gives the last. */
static versors last_turn(made *m, int output)
{
    move(m, made_floats(m, TIMES, 2, "SCALAR"), output, "rotation");
    assert_ok(made_read(m), m->error);
    versors q = made_pose(m, 0, m->scene.clips[0].frames - 1, 0).q;
    made_free(m);
    return q;
}

static vec3s last_place(made *m, int output)
{
    move(m, made_floats(m, TIMES, 2, "SCALAR"), output, "translation");
    assert_ok(made_read(m), m->error);
    vec3s t = made_pose(m, 0, m->scene.clips[0].frames - 1, 0).t;
    made_free(m);
    return t;
}

static void assert_place(vec3s t, double a, double b, double c)
{
    assert_near(t.x, a, 1e-6);
    assert_near(t.y, b, 1e-6);
    assert_near(t.z, c, 1e-6);
}

static void normalised_integers_are_between_minus_one_and_one(void **state)
{
    (void)state;
    /* 90 degrees about x, and less than -1 is -1. */
    static const int8_t i8[] = {0, 0, 0, 127, 90, 0, 0, 90};
    static const int16_t i16[] = {0, 0, 0, 32767, 23170, 0, 0, 23170};
    static const uint8_t u8[] = {0, 0, 0, 255, 180, 0, 0, 180};
    static const uint16_t u16[] = {0, 0, 0, 65535, 46341, 0, 0, 46341};
    static const int8_t least[] = {0, 0, 0, 127, -128, 0, 0, 127};
    struct {
        const void *data;
        size_t size;
        int type;
    } kinds[] = {{i8, sizeof i8, MADE_I8},
                 {i16, sizeof i16, MADE_I16},
                 {u8, sizeof u8, MADE_U8},
                 {u16, sizeof u16, MADE_U16},
                 {least, sizeof least, MADE_I8}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        made m = {0};
        int view = made_view(&m, kinds[i].data, kinds[i].size, "");
        versors q = last_turn(&m, made_accessor(&m, view, kinds[i].type, 2, "VEC4", ", \"normalized\": true"));
        bool negative = i == 4;
        assert_near(fabsf(od_quat_dot(q, od_quat(negative ? 0.70710678f : -0.70710678f, 0, 0, 0.70710678f))), 1, 1e-6);
    }
}

static void strides_and_offsets_skip_what_is_between(void **state)
{
    (void)state;
    static const float data[] = {9, 9, 1, 2, 3, 9, 9, 9, 4, 5, 6};
    made m = {0};
    int view = made_view(&m, data, sizeof data, ", \"byteStride\": 24");
    assert_place(last_place(&m, made_accessor(&m, view, MADE_FLOAT, 2, "VEC3", ", \"byteOffset\": 8")), 4, 5, -6);
}

static void without_a_view_all_is_zero_but_what_is_sparse(void **state)
{
    (void)state;
    static const uint8_t at8[] = {1};
    static const uint16_t at16[] = {1};
    static const uint32_t at32[] = {1};
    static const float value[] = {1, 2, 3};
    const void *indices[] = {at8, at16, at32};
    static const int types[] = {MADE_U8, MADE_U16, MADE_U32};
    static const size_t sizes[] = {1, 2, 4};
    for (int i = 0; i < 3; i++) {
        made m = {0};
        char sparse[256];
        int view = made_view(&m, indices[i], sizes[i], ""), values = made_view(&m, value, sizeof value, "");
        snprintf(sparse, sizeof sparse,
                 ", \"sparse\": {\"count\": 1, \"indices\": {\"bufferView\": %d, \"componentType\": %d}, \"values\": "
                 "{\"bufferView\": %d}}",
                 view, types[i], values);
        assert_place(last_place(&m, made_accessor(&m, -1, MADE_FLOAT, 2, "VEC3", sparse)), 1, 2, -3);
    }
    made m = {0};
    assert_place(last_place(&m, made_accessor(&m, -1, MADE_FLOAT, 2, "VEC3", "")), 0, 0, 0);
}

static void sparse_elements_take_the_place_of_others(void **state)
{
    (void)state;
    static const float dense[] = {1, 1, 1, 2, 2, 2}, value[] = {7, 8, 9};
    static const uint8_t at[] = {0};
    made m = {0};
    int view = made_view(&m, dense, sizeof dense, ""), indices = made_view(&m, at, 1, "");
    int values = made_view(&m, value, sizeof value, "");
    char sparse[256];
    snprintf(sparse, sizeof sparse,
             ", \"sparse\": {\"count\": 1, \"indices\": {\"bufferView\": %d, \"componentType\": 5121}, \"values\": "
             "{\"bufferView\": %d}}",
             indices, values);
    move(&m, made_floats(&m, TIMES, 2, "SCALAR"), made_accessor(&m, view, MADE_FLOAT, 2, "VEC3", sparse),
         "translation");
    assert_ok(made_read(&m), m.error);
    assert_place(made_pose(&m, 0, 0, 0).t, 7, 8, -9);
    assert_place(made_pose(&m, 0, m.scene.clips[0].frames - 1, 0).t, 2, 2, -2);
    made_free(&m);
}

static void compressed_views_are_unpacked(void **state)
{
    (void)state;
    /* Two elements of 12 bytes: the second differs from the first, the baseline, in its first byte's fourth only:
     * 0x3f to 0x40 is a difference of one, thus 2. */
    static const unsigned char lane_of_change = 3;
    unsigned char packed[256] = {0xA0};
    size_t n = 1;
    for (unsigned lane = 0; lane < 12; lane++) {
        packed[n++] = lane == lane_of_change ? 1 : 0; /* two bits a number, or all zero */
        if (lane != lane_of_change) continue;
        packed[n++] = 0x20; /* 0, 2, 0, 0 */
        n += 3;
    }
    static const float first[] = {1, 2, 3};
    n += 20; /* the tail has 32 bytes */
    memcpy(packed + n, first, sizeof first);
    n += sizeof first;
    made m = {0};
    int view = made_view(&m, packed, n, "");
    char members[256];
    snprintf(members, sizeof members,
             ", \"extensions\": {\"EXT_meshopt_compression\": {\"buffer\": 0, \"byteLength\": %zu, \"byteStride\": 12, "
             "\"count\": 2, \"mode\": \"ATTRIBUTES\"}}",
             n);
    (void)view;
    int unpacked = made_view(&m, "", 0, members);
    /* 1.0f is 3f 80 00 00; 40 80 00 00 is 4. */
    assert_place(last_place(&m, made_accessor(&m, unpacked, MADE_FLOAT, 2, "VEC3", "")), 4, 2, -3);
}

/* An animation whose output is this accessor is refused with these words. */
static void assert_refused(const float *values, int count, const char *shape, int declared, const char *members,
                           const char *words)
{
    made m = {0};
    int view = made_view(&m, values, (size_t)count * sizeof *values, "");
    int output = made_accessor(&m, view, MADE_FLOAT, declared, shape, members);
    move(&m, made_floats(&m, TIMES, 2, "SCALAR"), output, "translation");
    assert_fails(made_read(&m), m.error, words);
    made_free(&m);
}

static void what_cannot_be_is_refused_by_its_place(void **state)
{
    (void)state;
    static const float six[6] = {0}, bad[] = {0, 0, 0, 0, NAN, 0};
    assert_refused(six, 6, "VEC3", 1000000000, "",
                   "$.accessors[0]: 1000000000 elements of 12 bytes from 0 on are beyond");
    assert_refused(six, 6, "VEC3", 2, ", \"byteOffset\": 4", "are beyond view 0, which has 24 bytes");
    assert_refused(six, 6, "VEC4", 1, "", "$.accessors[0]: expected 3 components in an element, found type \"VEC4\"");
    assert_refused(six, 6, "VEC3", 1, "",
                   "$.animations[0].samplers[0].output: expected 2 elements for 2 keys, found 1");
    assert_refused(bad, 6, "VEC3", 2, "", "$.accessors[0]: element 1 is no finite number");
    assert_refused(six, 6, "VEC3", 2, ", \"sparse\": {\"count\": 3}",
                   "$.accessors[0].sparse.count: expected a whole "
                   "number up to 2, found 3");
}

static void zeros_that_no_byte_pays_for_are_few(void **state)
{
    (void)state;
    made m = {0};
    int times = made_accessor(&m, -1, MADE_FLOAT, 1000000000, "SCALAR", "");
    move(&m, times, made_accessor(&m, -1, MADE_FLOAT, 1000000000, "VEC3", ""), "translation");
    assert_fails(made_read(&m), m.error, "$.accessors[0]: expected at most 65536 elements without bytes of their own");
    made_free(&m);
}

static void times_that_descend_or_last_for_days_are_refused(void **state)
{
    (void)state;
    static const float values[6] = {0}, down[] = {1, 0}, below[] = {-1, 0}, days[] = {0, 1e6f};
    const float *times[] = {down, below, days};
    static const char *const words[] = {
        "$.animations[0].samplers[0].input: expected ascending times from 0 on, found 0 as number 1",
        "found -1 as number 0", "are too many"};
    for (int i = 0; i < 3; i++) {
        made m = {0};
        move(&m, made_floats(&m, times[i], 2, "SCALAR"), made_floats(&m, values, 2, "VEC3"), "translation");
        assert_fails(made_read(&m), m.error, words[i]);
        made_free(&m);
    }
}

static void views_and_buffers_are_checked(void **state)
{
    (void)state;
    static const char *const buffers[] = {
        "4, \"uri\": \"data:;base64,AAA\"",
        "3, \"uri\": \"data:;base64,AA*A\"",
        "3, \"uri\": \"data:;base64,AAAA\"",
        "3, \"uri\": \"http://example.org/x.bin\"",
        "3, \"uri\": \"x.bin\"",
    };
    static const char *const words[] = {
        "$.buffers[0]: expected 4 bytes, as byteLength says, found 2",
        "$.buffers[0].uri: character 2 of the data is not of base64",
        "$.bufferViews[0]: bytes 1 to 5 are beyond buffer 0, which has 3",
        "$.buffers[0].uri: expected a file or data, found \"http://example.org/x.bin\"",
        "$.buffers[0].uri: the file needs \"x.bin\", and none can be opened beside it",
    };
    for (int i = 0; i < 5; i++) {
        made m = {0};
        snprintf(m.text, sizeof m.text,
                 "{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [{}], \"buffers\": [{\"byteLength\": %s}], "
                 "\"bufferViews\": [{\"buffer\": 0, \"byteOffset\": 1, \"byteLength\": 4}], \"accessors\": "
                 "[{\"bufferView\": 0, \"componentType\": 5126, \"count\": 1, \"type\": \"SCALAR\"}], \"animations\": "
                 "[{\"channels\": [{\"sampler\": 0, \"target\": {\"node\": 0, \"path\": \"scale\"}}], \"samplers\": "
                 "[{\"input\": 0, \"output\": 0}]}]}",
                 buffers[i]);
        assert_fails(made_read(&m), m.error, words[i]);
        made_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normalised_integers_are_between_minus_one_and_one),
        cmocka_unit_test(strides_and_offsets_skip_what_is_between),
        cmocka_unit_test(without_a_view_all_is_zero_but_what_is_sparse),
        cmocka_unit_test(sparse_elements_take_the_place_of_others),
        cmocka_unit_test(compressed_views_are_unpacked),
        cmocka_unit_test(what_cannot_be_is_refused_by_its_place),
        cmocka_unit_test(zeros_that_no_byte_pays_for_are_few),
        cmocka_unit_test(times_that_descend_or_last_for_days_are_refused),
        cmocka_unit_test(views_and_buffers_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
