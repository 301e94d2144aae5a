/* Text: CP932, UTF-16 and UTF-8, whole and broken. */
#include "check.h"

#include "base/text.h"

typedef struct bytes {
    const char *utf8;
    unsigned char cp932[16];
} bytes;

static const bytes NAMES[] = {
    {"全ての親", {0x91, 0x53, 0x82, 0xC4, 0x82, 0xCC, 0x90, 0x65}},
    {"センター", {0x83, 0x5A, 0x83, 0x93, 0x83, 0x5E, 0x81, 0x5B}},
    {"左ひじ", {0x8D, 0xB6, 0x82, 0xD0, 0x82, 0xB6}},
    {"左足先EX", {0x8D, 0xB6, 0x91, 0xAB, 0x90, 0xE6, 0x45, 0x58}},
    {"左人指１", {0x8D, 0xB6, 0x90, 0x6C, 0x8E, 0x77, 0x82, 0x50}},
    {"①髙", {0x87, 0x40, 0xFB, 0xFC}}, /* NEC's and IBM's additions, which SHIFT_JIS lacks */
    {"ﾈｸﾀｲ", {0xC8, 0xB8, 0xC0, 0xB2}},
};

static void names_go_to_cp932_and_back(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        unsigned char field[16];
        bool lost, cut;
        od_text_to_cp932(NAMES[i].utf8, field, sizeof field, &lost, &cut);
        assert_false(lost || cut);
        assert_memory_equal(field, NAMES[i].cp932, sizeof field);
        assert_string_equal(od_text_from_cp932(arena, NAMES[i].cp932, 16, NULL), NAMES[i].utf8);
    }
    od_arena_free(arena);
}

static void wave_dash_and_full_width_tilde_are_one_code(void **state)
{
    (void)state;
    unsigned char field[4];
    od_text_to_cp932("\xE3\x80\x9C", field, 4, NULL, NULL);
    assert_memory_equal(field, "\x81\x60\0\0", 4);
    od_text_to_cp932("\xEF\xBD\x9E", field, 4, NULL, NULL);
    assert_memory_equal(field, "\x81\x60\0\0", 4);
}

static void a_name_is_cut_at_a_character(void **state)
{
    (void)state;
    unsigned char field[5];
    bool lost, cut;
    od_text_to_cp932("ああa", field, 5, &lost, &cut);
    assert_false(cut);
    od_text_to_cp932("あああ", field, 5, &lost, &cut);
    assert_true(cut && !lost);
    assert_memory_equal(field, "\x82\xA0\x82\xA0\0", 5);
}

static void what_cp932_lacks_empties_the_field(void **state)
{
    (void)state;
    static const char *const lost_names[] = {"a\xF0\x9F\x92\x83", "\xE2\x82\xAC", "\xFF", "\xE3\x81"};
    for (size_t i = 0; i < 4; i++) {
        unsigned char field[8];
        bool lost;
        od_text_to_cp932(lost_names[i], field, 8, &lost, NULL);
        assert_true(lost);
        assert_memory_equal(field, "\0\0\0\0\0\0\0\0", 8);
    }
}

static void broken_cp932_becomes_valid_text(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    const unsigned char cut[] = {0x82, 0xA0, 0x82}, nul[] = {'a', 0, 'b'}, wrong[] = {0x82, 0x20, 'x'};
    assert_string_equal(od_text_from_cp932(arena, cut, 3, NULL), "あ");
    assert_string_equal(od_text_from_cp932(arena, nul, 3, NULL), "a");
    assert_non_null(strstr(od_text_from_cp932(arena, wrong, 3, NULL), "x"));
    for (unsigned first = 0; first < 256; first++)
        for (unsigned second = 0; second < 256; second += 5) {
            const unsigned char pair[] = {(unsigned char)first, (unsigned char)second};
            const char *text = od_text_from_cp932(arena, pair, 2, NULL);
            for (size_t i = 0, size = strlen(text); i < size;) {
                size_t n = od_utf8_length((const unsigned char *)text + i, size - i);
                assert_true(n > 0);
                i += n;
            }
        }
    od_arena_free(arena);
}

static void utf16_is_read_with_pairs_and_without_lone_halves(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    const unsigned char dancer[] = {0x3D, 0xD8, 0x83, 0xDC, 'a', 0, 0x42, 0x30};
    assert_string_equal(od_text_from_utf16(arena, dancer, 8, NULL), "\xF0\x9F\x92\x83"
                                                                    "aあ");
    const unsigned char lone[] = {0x3D, 0xD8, 'a', 0, 0x83, 0xDC, 'b'};
    assert_string_equal(od_text_from_utf16(arena, lone, 7, NULL), "\xEF\xBF\xBD"
                                                                  "a\xEF\xBF\xBD");
    od_arena_free(arena);
}

static void utf8_is_checked(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    assert_string_equal(od_text_from_utf8(arena, (const unsigned char *)"a\xC0\x80z", 4, NULL),
                        "a\xEF\xBF\xBD\xEF\xBF\xBDz");                                 /* overlong */
    assert_int_equal(od_utf8_length((const unsigned char *)"\xED\xA0\x80", 3), 0);     /* surrogate */
    assert_int_equal(od_utf8_length((const unsigned char *)"\xF4\x90\x80\x80", 4), 0); /* beyond Unicode */
    assert_int_equal(od_utf8_length((const unsigned char *)"\xE3\x81\x82", 2), 0);     /* cut */
    assert_int_equal(od_utf8_length((const unsigned char *)"\xE3\x81\x82", 3), 3);
    od_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_go_to_cp932_and_back),
        cmocka_unit_test(wave_dash_and_full_width_tilde_are_one_code),
        cmocka_unit_test(a_name_is_cut_at_a_character),
        cmocka_unit_test(what_cp932_lacks_empties_the_field),
        cmocka_unit_test(broken_cp932_becomes_valid_text),
        cmocka_unit_test(utf16_is_read_with_pairs_and_without_lone_halves),
        cmocka_unit_test(utf8_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
