/* The word that was meant: near ones are found, far ones are none. */
#include "check.h"

#include "base/nearest.h"

static const char *const words[] = {"source", "target", "use", "offset", "左ひじ", "左手首", NULL};

static void expect(const char *word, const char *meant)
{
    const char *near = od_nearest(word, words);
    if (!meant) assert_null(near);
    else {
        assert_non_null(near);
        assert_string_equal(near, meant);
    }
}

static void a_slip_is_seen_through(void **state)
{
    (void)state;
    expect("source", "source");
    expect("sorce", "source");
    expect("targett", "target");
    expect("ofsfet", "offset");
    expect("us", "use");
    expect("左ひぢ", "左ひじ");
}

static void other_words_are_none(void **state)
{
    (void)state;
    expect("", NULL);
    expect("x", NULL);
    expect("colour", NULL);
    expect("右足首", NULL);
}

static void long_words_do_no_harm(void **state)
{
    (void)state;
    char longest[300];
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    const char *const known[] = {longest, "use", NULL};
    assert_null(od_nearest("use me", (const char *const[]){longest, NULL}));
    assert_string_equal(od_nearest("usee", known), "use");
    assert_null(od_nearest(longest, (const char *const[]){"use", NULL}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slip_is_seen_through),
        cmocka_unit_test(other_words_are_none),
        cmocka_unit_test(long_words_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
