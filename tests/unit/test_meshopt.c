/* Meshopt: streams put together here by the published description of the format. */
#include "check.h"
#include "format/meshopt.h"

/* Decodes attributes; `stream` gets its tail here. */
static const char *unpack(const unsigned char *head, size_t size, const unsigned char *base, size_t stride,
                          const unsigned char *channels, size_t count, unsigned char *bytes)
{
    unsigned char stream[512];
    size_t tail = stride + (channels ? stride / 4 : 0), least = channels ? 24 : 32;
    memset(stream, 0, sizeof stream);
    memcpy(stream, head, size);
    if (tail < least) size += least - tail;
    memcpy(stream + size, base, stride);
    size += stride;
    if (channels) memcpy(stream + size, channels, stride / 4);
    if (channels) size += stride / 4;
    od_meshopt m = {.count = count, .stride = stride, .data = stream, .size = size};
    return od_meshopt_decode(&m, bytes);
}

static void four_bits_with_two_bytes_behind_are_these_differences(void **state)
{
    (void)state;
    /* The example in appendix A of EXT_meshopt_compression, as the first byte of elements of four. */
    static const unsigned char head[] = {0xA0, 2, 0x17, 0x5F, 0xF0, 0xBC, 0x77, 0xA9, 0x21, 0x00, 0x34, 0xB5, 0, 0, 0};
    static const int differences[] = {-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0};
    static const unsigned char base[] = {100, 7, 8, 9};
    unsigned char bytes[64];
    assert_null(unpack(head, sizeof head, base, 4, NULL, 16, bytes));
    int value = 100;
    for (int i = 0; i < 16; i++) {
        value += differences[i];
        assert_int_equal(bytes[4 * i], value & 255);
        assert_memory_equal(bytes + 4 * i + 1, base + 1, 3);
    }
}

static void literal_bytes_pairs_and_turned_words_are_added(void **state)
{
    (void)state;
    /* Version 1, two elements of twelve bytes, all lanes literal: bytes, pairs, words turned by four bits. */
    static const unsigned char head[] = {0xA1, 0xFF, 0xFF, 0xFF,             /* */
                                         0,    2,    0,    1,    0, 4, 0, 3, /* +1, -1, +2, -2 */
                                         0,    0xFE, 0,    3,    0, 1, 0, 0, /* +0x1ff, -1 */
                                         0,    0xF0, 0,    0,    0, 0, 0, 0x12 /* xor */};
    static const unsigned char base[] = {10, 20, 30, 255, 1, 0, 0, 0, 1, 2, 3, 4}, channels[] = {0, 1, 2 | 4 << 4};
    static const unsigned char second[] = {11, 19, 32, 253, 0, 2, 0xFF, 0xFF, 1 ^ 0x0F, 2, 3 ^ 0, 4 ^ 0x01};
    unsigned char bytes[24], expected[24];
    assert_null(unpack(head, sizeof head, base, 12, channels, 2, bytes));
    memcpy(expected, base, 12);
    memcpy(expected + 12, second, 12);
    expected[22] = 3 ^ 0x20; /* 0x120000f0 turned right by four is 0x0120000f */
    assert_memory_equal(bytes, expected, 24);
}

static void triangles_share_edges_and_vertices(void **state)
{
    (void)state;
    /* Three new vertices; a new one on the last edge; the edge before that with a written one. */
    static const unsigned char stream[] = {0xE1, 0xF0, 0x00, 0x1F, 0x80, 0x01, 0, 0, 0, 0, 0,
                                           0,    0,    0,    0,    0,    0,    0, 0, 0, 0, 0};
    unsigned char bytes[18];
    od_meshopt m = {.mode = OD_MESHOPT_TRIANGLES, .count = 9, .stride = 2, .data = stream, .size = sizeof stream};
    assert_null(od_meshopt_decode(&m, bytes));
    /* Edges, newest first, after (0 1 2): 0-2, 2-1, 1-0; after (0 2 3): 0-3, 3-2, ... The second is 3-2; 64 is 128
     * as zigzag. */
    static const unsigned char expected[] = {0, 0, 1, 0, 2, 0, 0, 0, 2, 0, 3, 0, 3, 0, 2, 0, 64, 0};
    assert_memory_equal(bytes, expected, sizeof expected);
}

static void indices_follow_one_of_two_others(void **state)
{
    (void)state;
    /* +5 on the first, +1000 on the second, -1 on the first, +1 on the second. */
    static const unsigned char stream[] = {0xD1, 20, 0xA1, 0x1F, 2, 5, 0, 0, 0, 0};
    static const uint32_t expected[] = {5, 1000, 4, 1001};
    unsigned char bytes[16];
    od_meshopt m = {.mode = OD_MESHOPT_INDICES, .count = 4, .stride = 4, .data = stream, .size = sizeof stream};
    assert_null(od_meshopt_decode(&m, bytes));
    for (int i = 0; i < 4; i++) {
        assert_int_equal(bytes[4 * i] | bytes[4 * i + 1] << 8, expected[i]);
        assert_int_equal(bytes[4 * i + 2] | bytes[4 * i + 3], 0);
    }
}

/* One element through a filter. */
static void filter(od_meshopt_filter kind, const void *element, size_t stride, void *result)
{
    unsigned char stream[64] = {0xA0};
    size_t size = 1 + stride + (32 - stride);
    memcpy(stream + size, element, stride);
    size += stride;
    od_meshopt m = {.filter = kind, .count = 1, .stride = stride, .data = stream, .size = size};
    assert_null(od_meshopt_decode(&m, result));
}

static void filters_undo_what_encoders_do(void **state)
{
    (void)state;
    static const int16_t quaternion[] = {0, 2047, 0, (2047 & ~3) | 3}; /* w is left out, y is sqrt(1/2) */
    static const int8_t direction[] = {0, -127, 127, 5}, folded[] = {127, 127, 127, 5};
    static const uint32_t number = 0xFE000003; /* 3 * 2^-2 */
    int16_t q[4];
    int8_t d[4];
    float f;
    filter(OD_MESHOPT_QUATERNION, quaternion, sizeof quaternion, q);
    assert_int_equal(q[0], 0);
    assert_near(q[1], 32767 * 0.70710678, 1);
    assert_int_equal(q[2], 0);
    assert_near(q[3], 32767 * 0.70710678, 1);
    filter(OD_MESHOPT_OCTAHEDRAL, direction, sizeof direction, d);
    assert_int_equal(d[0], 0);
    assert_int_equal(d[1], -127);
    assert_int_equal(d[2], 0);
    assert_int_equal(d[3], 5);
    filter(OD_MESHOPT_OCTAHEDRAL, folded, sizeof folded, d); /* a corner of the square is -z */
    assert_int_equal(d[0], 0);
    assert_int_equal(d[1], 0);
    assert_int_equal(d[2], -127);
    filter(OD_MESHOPT_EXPONENTIAL, &number, sizeof number, &f);
    assert_near(f, 0.75, 0);
}

static void cut_and_overlong_streams_are_refused(void **state)
{
    (void)state;
    static const unsigned char head[] = {0xA0, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0, 0, 0};
    static const unsigned char base[4] = {0};
    unsigned char bytes[64];
    assert_null(unpack(head, sizeof head, base, 4, NULL, 16, bytes));
    for (size_t size = 1; size < sizeof head; size++) assert_non_null(unpack(head, size, base, 4, NULL, 16, bytes));
    unsigned char longer[sizeof head + 1] = {0};
    memcpy(longer, head, sizeof head);
    assert_string_equal(unpack(longer, sizeof longer, base, 4, NULL, 16, bytes),
                        "there are bytes behind the packed data");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_bits_with_two_bytes_behind_are_these_differences),
        cmocka_unit_test(literal_bytes_pairs_and_turned_words_are_added),
        cmocka_unit_test(triangles_share_edges_and_vertices),
        cmocka_unit_test(indices_follow_one_of_two_others),
        cmocka_unit_test(filters_undo_what_encoders_do),
        cmocka_unit_test(cut_and_overlong_streams_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
