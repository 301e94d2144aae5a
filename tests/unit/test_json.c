/* JSON: what RFC 8259 allows is read, what it forbids is refused at the right place. */
#include "check.h"

#include <pthread.h>

#include "base/json.h"

static od_json *parse(const char *text, od_error *error)
{
    *error = (od_error){0};
    return od_json_parse("a.json", text, strlen(text), error);
}

static void refuse(const char *text, const char *message)
{
    od_error error;
    od_json *root = parse(text, &error);
    if (root) {
        print_error("%s was taken\n", text);
        od_json_free(root);
        fail();
    }
    assert_string_equal(error.message, message);
}

static void all_kinds_are_read_in_order(void **state)
{
    (void)state;
    od_error error;
    od_json *root = parse(
        "\xEF\xBB\xBF {\"a\": null, \"B\": [true, false, -1.5e+2],\n\"b\": \"\\u3042\\ud83d\\udc83/\\/\"}\r\n", &error);
    assert_ok(root, error);
    const od_json *a = od_json_first(root), *upper = od_json_next(a), *lower = od_json_next(upper);
    assert_int_equal(od_json_kind_of(root), OD_JSON_OBJECT);
    assert_int_equal(od_json_kind_of(a), OD_JSON_NULL);
    assert_int_equal(od_json_kind_of(upper), OD_JSON_ARRAY);
    assert_string_equal(od_json_name(a), "a");
    assert_string_equal(od_json_name(upper), "B");
    assert_string_equal(od_json_name(lower), "b");
    assert_string_equal(od_json_text(lower), "あ💃//");
    assert_null(od_json_next(lower));
    const od_json *yes = od_json_first(upper), *no = od_json_next(yes), *number = od_json_next(no);
    assert_true(od_json_bool(yes));
    assert_false(od_json_bool(no));
    assert_int_equal(od_json_kind_of(no), OD_JSON_BOOL);
    assert_null(od_json_name(number));
    assert_near(od_json_number(number), -150, 0);
    od_json_free(root);
}

static void values_of_other_kinds_are_empty(void **state)
{
    (void)state;
    od_error error;
    od_json *root = parse("[\"12\", 12]", &error);
    assert_ok(root, error);
    const od_json *text = od_json_first(root), *number = od_json_next(text);
    assert_near(od_json_number(text), 0, 0);
    assert_false(od_json_bool(text));
    assert_string_equal(od_json_text(number), "");
    assert_null(od_json_first(text));
    od_json_free(root);
}

static void faults_of_syntax_name_line_and_column(void **state)
{
    (void)state;
    refuse("", "a.json:1:1: expected a JSON value, found the end of the text");
    refuse("{\n  \"あ\": 1,\n}", "a.json:3:1: expected '\"', found '}'");
    refuse("{\"あ\" 1}", "a.json:1:6: expected ':', found '1'");
    refuse("[1 2]", "a.json:1:4: expected ',' or ']', found '2'");
    refuse("{\"a\":1 \"b\":2}", "a.json:1:8: expected ',' or '}', found '\"'");
    refuse("[1,]", "a.json:1:4: expected a JSON value, found ']'");
    refuse("[1", "a.json:1:3: expected ',' or ']', found the end of the text");
    refuse("{}\n{}", "a.json:2:1: expected the end of the text, found '{'");
    refuse("nul", "a.json:1:4: expected true, false or null, found the end of the text");
    refuse("NaN", "a.json:1:1: expected a JSON value, found 'N'");
    refuse("'a'", "a.json:1:1: expected a JSON value, found '''");
    refuse("// c\n1", "a.json:1:1: expected a JSON value, found '/'");
    refuse("あ", "a.json:1:1: expected a JSON value, found 'あ'");
}

static void texts_are_strict(void **state)
{
    (void)state;
    refuse("\"a\tb\"", "a.json:1:3: expected an escape for a control character, found byte 0x09");
    refuse("\"a", "a.json:1:3: expected '\"', found the end of the text");
    refuse("\"\\x\"", "a.json:1:3: expected an escape such as \\n or \\u3042, found 'x'");
    refuse("\"\\u12g4\"", "a.json:1:6: expected four hexadecimal digits, found 'g'");
    refuse("\"\\u0000\"", "a.json:1:8: expected a text without NUL, found '\"'");
    refuse("\"\\udc00\"", "a.json:1:8: expected a high surrogate before a low one, found '\"'");
    refuse("\"\\ud83dx\"", "a.json:1:8: expected the low surrogate, found 'x'");
    refuse("\"\\ud83d\\u0041\"", "a.json:1:14: expected a low surrogate, found '\"'");
    refuse("\"\xff\"", "a.json:1:2: expected UTF-8, found byte 0xff");
    refuse("\"\xE3\x81\"", "a.json:1:2: expected UTF-8, found byte 0xe3");
    od_error error = {0};
    assert_null(od_json_parse("a.json", "\"a\0b\"", 5, &error));
    assert_null(od_json_parse("a.json", "1\0", 2, &error));
}

static void numbers_are_strict(void **state)
{
    (void)state;
    static const char *const wrong[] = {"01",  "-",   "1.",   ".5",   "+1",       "1e",
                                        "1e+", "-.5", "0x10", "1.e3", "Infinity", "--1"};
    static const char *const right[] = {"0", "-0", "0.5", "1E5", "1e-5", "-0.0e+0", "123456789012345678901234567890"};
    od_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(parse(wrong[i], &error));
        assert_true(error.failed);
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        od_json *root = parse(right[i], &error);
        assert_ok(root, error);
        assert_near(od_json_number(root), strtod(right[i], NULL), 0);
        od_json_free(root);
    }
    refuse("[1, 1e999]", "a.json: $[1]: expected a number below 1.8e308");
}

static void long_numbers_are_never_cut(void **state)
{
    (void)state;
    char text[80] = "0.";
    od_error error;
    memset(text + 2, '1', 61);
    od_json *root = parse(text, &error);
    assert_ok(root, error);
    assert_near(od_json_number(root), 1.0 / 9, 1e-16);
    od_json_free(root);
    strcat(text, "1");
    refuse(text, "a.json:1:65: expected a number of at most 63 characters, found the end of the text");
}

static void members_that_are_there_twice_are_named_by_place_and_path(void **state)
{
    (void)state;
    refuse("{\"a\": [0, {\"b\": 1, \"c\": 2, \"b\": 3}]}", "a.json:1:28: $.a[1].b is there twice");
    refuse("{\"\\u0061\": 0, \"a\": 1}", "a.json:1:15: $.a is there twice");
    refuse("{\n\"あ\": {\"x:\": \":\"},\n \"い\": \"あ\", \"あ\" : 1}", "a.json:3:12: $.あ is there twice");
    od_error error;
    od_json *root = parse("{\"a\": 0, \"A\": {\"a\": 1}}", &error);
    assert_ok(root, error);
    od_json_free(root);
}

static void depth_is_bounded(void **state)
{
    (void)state;
    enum { LIMIT = 100, HUGE = 1000000 };
    od_error error = {0};
    char *text = malloc(HUGE);
    assert_non_null(text);
    memset(text, '[', LIMIT);
    memset(text + LIMIT, ']', LIMIT);
    od_json *root = od_json_parse("a.json", text, 2 * LIMIT, &error);
    assert_ok(root, error);
    od_json_free(root);
    memset(text, '[', HUGE);
    root = od_json_parse("a.json", text, HUGE, &error);
    free(text);
    assert_null(root);
    assert_string_equal(error.message, "a.json:1:102: expected at most 100 levels, found '['");
}

/* A path longer than any buffer must be cut, not overrun. */
static void long_paths_are_cut(void **state)
{
    (void)state;
    enum { NAMES = 90, LENGTH = 40 };
    char text[NAMES * (LENGTH + 8)] = "", name[LENGTH + 1] = "";
    memset(name, 'n', LENGTH);
    for (int i = 0; i < NAMES; i++) {
        strcat(text, "{\"");
        strcat(text, name);
        strcat(text, "\":");
    }
    strcat(text, "1e999");
    for (int i = 0; i < NAMES; i++) strcat(text, "}");
    od_error error;
    assert_fails(parse(text, &error), error, "$.nnnn");
}

static void *parse_often(void *good)
{
    od_error error;
    for (int i = 0; i < 2000; i++) {
        od_json *root = parse("{\"a\": [1, 2.5, {\"b\": \"c\"}]}", &error);
        if (!root) *(bool *)good = false;
        od_json_free(root);
        if (parse("{\"a\": [1, 2.5, }", &error)) *(bool *)good = false;
    }
    return NULL;
}

static void threads_parse_at_once(void **state)
{
    (void)state;
    pthread_t threads[4];
    bool good[4] = {true, true, true, true};
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, parse_often, &good[i]), 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 4; i++) assert_true(good[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_are_read_in_order),
        cmocka_unit_test(values_of_other_kinds_are_empty),
        cmocka_unit_test(faults_of_syntax_name_line_and_column),
        cmocka_unit_test(texts_are_strict),
        cmocka_unit_test(numbers_are_strict),
        cmocka_unit_test(long_numbers_are_never_cut),
        cmocka_unit_test(members_that_are_there_twice_are_named_by_place_and_path),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(long_paths_are_cut),
        cmocka_unit_test(threads_parse_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
