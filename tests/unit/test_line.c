/* Lines: control characters go, whole characters of any script stay. */
#include "check.h"

#include "base/line.h"

static void assert_cleaned(const char *before, bool cut, const char *after)
{
    char text[64];
    assert_true(strlen(before) < sizeof text);
    memcpy(text, before, strlen(before) + 1);
    od_line_clean(text, cut);
    assert_string_equal(text, after);
}

static void every_ascii_control_character_becomes_a_question_mark(void **state)
{
    (void)state;
    for (int c = 1; c < 128; c++) {
        char before[] = {'a', (char)c, 'b', 0}, after[] = {'a', (char)c, 'b', 0};
        if (c < 32 || c == 127) after[1] = '?';
        assert_cleaned(before, false, after);
    }
}

static void controls_of_the_second_block_become_question_marks(void **state)
{
    (void)state;
    assert_cleaned("a\xc2\x80"
                   "b\xc2\x9f",
                   false, "a??b??");
    assert_cleaned("\xc2\xa0", false, "\xc2\xa0"); /* the first that is no control character */
}

/* あ is e3 81 82, 左 is e5 b7 a6: bytes of the second block's range inside longer characters. */
static void japanese_stays_as_it_is(void **state)
{
    (void)state;
    assert_cleaned("左あ腕", false, "左あ腕");
    assert_cleaned("左あ腕", true, "左あ腕");
}

static void an_incomplete_last_character_is_removed_when_cut(void **state)
{
    (void)state;
    static const char *const whole[] = {"\xc3\xa9", "\xe8\xb8\x8a", "\xf0\x9f\x92\x83"};
    for (size_t i = 0; i < 3; i++) {
        size_t size = strlen(whole[i]);
        for (size_t have = 1; have <= size; have++) {
            char before[16] = "ab", after[16] = "ab";
            memcpy(before + 2, whole[i], have);
            if (have == size) memcpy(after + 2, whole[i], size);
            assert_cleaned(before, true, after);
        }
    }
}

static void nothing_is_nothing(void **state)
{
    (void)state;
    assert_cleaned("", true, "");
    assert_cleaned("", false, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_ascii_control_character_becomes_a_question_mark),
        cmocka_unit_test(controls_of_the_second_block_become_question_marks),
        cmocka_unit_test(japanese_stays_as_it_is),
        cmocka_unit_test(an_incomplete_last_character_is_removed_when_cut),
        cmocka_unit_test(nothing_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
