/* Reports: notes in the order they came, warnings counted, lines fit for a terminal. */
#include "check.h"

#include "odori/report.h"

static void notes_keep_their_order_and_kind(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_report report = {.arena = arena};
    od_choice(&report, "%s: %d of %d joints found", "mixamo", 52, 53);
    od_warn(&report, "bone '%s' is there twice", "左腕");
    od_choice(&report, "third");
    static const struct {
        od_note_kind kind;
        const char *text;
    } expected[] = {
        {OD_NOTE_CHOICE, "mixamo: 52 of 53 joints found"},
        {OD_NOTE_WARNING, "bone '左腕' is there twice"},
        {OD_NOTE_CHOICE, "third"},
    };
    const od_note *note = report.first;
    for (size_t i = 0; i < 3; i++, note = note->next) {
        assert_non_null(note);
        assert_int_equal(note->kind, expected[i].kind);
        assert_string_equal(note->text, expected[i].text);
    }
    assert_null(note);
    assert_string_equal(report.last->text, "third");
    assert_int_equal(report.warnings, 1);
    od_arena_free(arena);
}

static void nobody_needs_to_listen(void **state)
{
    (void)state;
    od_warn(NULL, "lost");
    od_choice(NULL, "lost");
}

static void hostile_names_cannot_drive_a_terminal(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_report report = {.arena = arena};
    od_warn(&report, "%s",
            "a\x1b]0;b\nc\xc2\x9b"
            "d");
    assert_string_equal(report.first->text, "a?]0;b?c??d");
    od_arena_free(arena);
}

static void long_notes_are_cut_at_a_character(void **state)
{
    (void)state;
    char text[3001] = {0};
    for (size_t i = 0; i < 3000; i++) text[i] = "\xe8\xb8\x8a"[i % 3];
    od_arena *arena = od_arena_new(0);
    od_report report = {.arena = arena};
    od_warn(&report, "%s", text);
    size_t length = strlen(report.first->text);
    assert_true(length > 900 && length % 3 == 0);
    assert_memory_equal(report.first->text, text, length);
    od_arena_free(arena);
}

/* The count is right even when the words are lost. */
static void warnings_are_counted_when_memory_is_out(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_report report = {.arena = arena};
    od_warn(&report, "kept");
    for (size_t n = 1; n <= 2; n++) {
        od_arena_fail_at(arena, n);
        od_warn(&report, "lost");
    }
    assert_int_equal(report.warnings, 3);
    assert_null(report.first->next);
    od_arena_fail_at(arena, 0);
    od_warn(&report, "kept too");
    assert_string_equal(report.first->next->text, "kept too");
    od_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_keep_their_order_and_kind),         cmocka_unit_test(nobody_needs_to_listen),
        cmocka_unit_test(hostile_names_cannot_drive_a_terminal),   cmocka_unit_test(long_notes_are_cut_at_a_character),
        cmocka_unit_test(warnings_are_counted_when_memory_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
