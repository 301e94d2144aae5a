/* Errors: the first failure wins and its message is fit for one line of a terminal. */
#include "check.h"

#include "odori/error.h"

static void first_failure_wins(void **state)
{
    (void)state;
    od_error error = {0};
    assert_false(od_fail(&error, "%s:%d: expected %s", "dance.bvh", 7, "a number"));
    assert_true(error.failed);
    assert_string_equal(error.message, "dance.bvh:7: expected a number");
    assert_false(od_fail(&error, "another"));
    assert_string_equal(error.message, "dance.bvh:7: expected a number");
}

static void nobody_needs_to_listen(void **state)
{
    (void)state;
    assert_false(od_fail(NULL, "lost"));
}

static void hostile_names_cannot_drive_a_terminal(void **state)
{
    (void)state;
    od_error error = {0};
    od_fail(&error, "bone '%s' is unknown",
            "\x1b[31m\r\n\x7f\xc2\x9b"
            "2J");
    assert_string_equal(error.message, "bone '?[31m???"
                                       "??"
                                       "2J' is unknown");
}

/* Whatever the place of the cut, what is left is whole characters. */
static void long_messages_are_cut_at_a_character(void **state)
{
    (void)state;
    static const char *const letters[] = {"x", "\xc3\xa9", "\xe8\xb8\x8a", "\xf0\x9f\x92\x83"};
    for (size_t kind = 0; kind < 4; kind++) {
        size_t size = strlen(letters[kind]);
        for (size_t shift = 0; shift < 4; shift++) {
            char text[2048] = {0};
            memset(text, '.', shift);
            for (size_t i = shift; i + size < sizeof text; i += size) memcpy(text + i, letters[kind], size);
            od_error error = {0};
            od_fail(&error, "%s", text);
            size_t length = strlen(error.message);
            assert_int_equal((length - shift) % size, 0);
            assert_in_range(length, sizeof error.message - size, sizeof error.message - 1);
            assert_memory_equal(error.message, text, length);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_failure_wins),
        cmocka_unit_test(nobody_needs_to_listen),
        cmocka_unit_test(hostile_names_cannot_drive_a_terminal),
        cmocka_unit_test(long_messages_are_cut_at_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
