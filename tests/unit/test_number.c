/* Numbers: the nearest double, by comparison with the C library, and where a number ends. */
#include "check.h"

#include <locale.h>

#include "base/number.h"

static uint64_t next_random(uint64_t *state)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* The same bits, also of the sign of zero. */
static void check_same(const char *text, double have, double want)
{
    uint64_t a, b;
    memcpy(&a, &have, sizeof a);
    memcpy(&b, &want, sizeof b);
    if (a == b) return;
    print_error("%s: %.17g, expected %.17g\n", text, have, want);
    fail();
}

/* Parses a copy of just the text's size, so that a read past it is found by the sanitizer; then one
 * with a blank behind it, which goes another way and must come to the same. */
static size_t parse(const char *text, size_t size, double *value)
{
    double again = *value;
    char *copy = malloc(size + 2);
    assert_non_null(copy);
    char *start = copy + 2; /* the end of the copy is the end of the text */
    memcpy(start, text, size);
    const char *after = od_number_parse(start, start + size, value);
    size_t taken = after ? (size_t)(after - start) : 0;
    memmove(copy + 1, start, size);
    copy[1 + size] = '\n';
    after = od_number_parse(copy + 1, copy + 2 + size, &again);
    assert_int_equal(after ? (size_t)(after - copy) - 1 : 0, taken);
    if (taken) check_same(text, again, *value);
    free(copy);
    return taken;
}

static void check_as_strtod(const char *text)
{
    double value = 0;
    assert_int_equal(parse(text, strlen(text), &value), strlen(text));
    check_same(text, value, strtod(text, NULL));
}

static void plain_numbers_are_the_nearest_doubles(void **state)
{
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+0",
                                        "0.0",
                                        "-0.0",
                                        "1",
                                        "-1",
                                        "+1",
                                        ".5",
                                        "-.5",
                                        "5.",
                                        "007",
                                        "0.1",
                                        "-0.000001",
                                        "180",
                                        "-179.999999",
                                        "12345678",
                                        "123456789",
                                        "1234567890123456789",
                                        "0.12345678",
                                        "0.123456789",
                                        "1.5e3",
                                        "1E3",
                                        "1e+3",
                                        "1e-3",
                                        "1e22",
                                        "1e23",
                                        "-1e-22",
                                        "1e-23",
                                        "9007199254740991",
                                        "9007199254740992",
                                        "9007199254740993",
                                        "9007199254740993.0",
                                        "9007199254740995",
                                        "90071992547409930e-1",
                                        "0.30000000000000004",
                                        "100000000000000000000",
                                        "123456789012345678901234567890",
                                        "0.00000000000000000000000000000123",
                                        "17976931348623157e292",
                                        "1.7976931348623157e308",
                                        "1.7976931348623159e308",
                                        "1e309",
                                        "-1e400",
                                        "1e999999999999999999999",
                                        "4.9e-324",
                                        "2.4703282292062327e-324",
                                        "2.4703282292062328e-324",
                                        "2.2250738585072011e-308",
                                        "2.2250738585072014e-308",
                                        "1e-400",
                                        "0e999999999999999",
                                        "0.0e-999",
                                        "1e-99999999999999999999999",
                                        "8.5e0",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "9999999999999999999",
                                        "10000000000000000000",
                                        "0.000000000000000000001e21",
                                        "1.00000000000000011102230246251565404236316680908203125",
                                        "1.00000000000000011102230246251565404236316680908203124",
                                        "1.00000000000000011102230246251565404236316680908203126",
                                        "0.500000000000000166533453693773481063544750213623046875",
                                        "6929495644600919.5",
                                        "0.6929495644600919500"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check_as_strtod(texts[i]);
}

static void printed_doubles_come_back_exactly(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 200000; i++) {
        uint64_t bits = next_random(&seed);
        double want, value = 0;
        if (i % 2) memcpy(&want, &bits, sizeof want);
        else want = ((double)bits / 18446744073709551616.0 - 0.5) * 360; /* what motion files hold */
        if (!isfinite(want)) continue;
        char text[64];
        (void)snprintf(text, sizeof text, "%.17g", want);
        assert_int_equal(parse(text, strlen(text), &value), strlen(text));
        check_same(text, value, want);
    }
}

static void random_digits_are_the_nearest_doubles(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 200000; i++) {
        char text[64];
        size_t n = 0;
        int whole = (int)(next_random(&seed) % 12), fraction = (int)(next_random(&seed) % 22);
        if (next_random(&seed) % 2) text[n++] = '-';
        for (int k = 0; k < whole; k++) text[n++] = (char)('0' + next_random(&seed) % 10);
        if (fraction || !whole) text[n++] = '.';
        for (int k = 0; k < fraction + !whole; k++) text[n++] = (char)('0' + next_random(&seed) % 10);
        if (next_random(&seed) % 4 == 0) n += (size_t)sprintf(text + n, "e%d", (int)(next_random(&seed) % 60) - 30);
        text[n] = '\0';
        check_as_strtod(text);
    }
}

/* Between two neighbours half way lies one decimal number of up to 767 digits. */
static void a_thousand_digits_around_half_way_round_the_right_way(void **state)
{
    (void)state;
    uint64_t seed = 3;
    int tried = 0;
    for (int i = 0; i < 300; i++) {
        uint64_t bits = next_random(&seed) & ~(UINT64_C(1) << 63);
        if (i % 3 == 0) bits &= (UINT64_C(1) << 53) - 1; /* denormals, whose digits are the most */
        double low;
        memcpy(&low, &bits, sizeof low);
        if (!isfinite(low) || low > 1e300) continue;
        bits++;
        double high;
        memcpy(&high, &bits, sizeof high);
        long double middle = ((long double)low + (long double)high) / 2;
        if (middle <= (long double)low || middle >= (long double)high) continue; /* where long double is double */
        static char text[2048];
        (void)snprintf(text, sizeof text, "%.800Le", middle);
        check_as_strtod(text);
        char *e = strchr(text, 'e');
        assert_non_null(e);
        char exponent[16];
        (void)snprintf(exponent, sizeof exponent, "%s", e);
        (void)snprintf(e, 300, "%0200d1%s", 0, exponent); /* a one after a thousand digits: above the middle */
        double value = 0;
        assert_int_equal(parse(text, strlen(text), &value), strlen(text));
        check_same(text, value, high);
        tried++;
    }
    if (sizeof(long double) > sizeof(double)) assert_true(tried > 200);
}

static void a_number_ends_where_it_can_go_no_further(void **state)
{
    static const struct {
        const char *text;
        size_t taken;
        double value;
    } cases[] = {{"0.0-7.5", 3, 0},
                 {"1.5.2", 3, 1.5},
                 {"1e", 1, 1},
                 {"1e+", 1, 1},
                 {"1e-x", 1, 1},
                 {"12 13", 2, 12},
                 {"1,5", 1, 1},
                 {"0x10", 1, 0},
                 {"3}", 1, 3},
                 {"1-2", 1, 1},
                 {"12345678901x", 11, 12345678901.0},
                 {"1.\n", 2, 1},
                 {"2e3e4", 3, 2e3},
                 {"-1.#IND", 3, -1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = 99;
        assert_int_equal(parse(cases[i].text, strlen(cases[i].text), &value), cases[i].taken);
        check_same(cases[i].text, value, cases[i].value);
    }
}

static void what_is_no_number_is_refused(void **state)
{
    static const char *const texts[] = {"",     "-",   "+",        ".",  "-.",  "e5",  ".e5", "nan",  "inf", "-inf",
                                        "+nan", "NaN", "Infinity", " 1", "--1", "+-1", "x",   "\xFF", ",5"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value = 0;
        assert_int_equal(parse(texts[i], strlen(texts[i]), &value), 0);
    }
}

static void nothing_is_read_past_the_end(void **state)
{
    (void)state;
    const char *text = "-123.4567890123456789e-12";
    for (size_t size = 0; size <= strlen(text); size++) {
        char cut[32];
        memcpy(cut, text, size);
        cut[size] = '\0';
        double value = 0;
        size_t taken = parse(text, size, &value);
        if (size < 2) assert_int_equal(taken, 0);
        else check_same(cut, value, strtod(cut, NULL));
    }
}

static void the_locale_does_not_matter(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8", "de_DE.utf8", "fr_FR.utf8"};
    (void)state;
    const char *set = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !set; i++) set = setlocale(LC_ALL, names[i]);
    if (!set) print_message("no locale with a decimal comma is installed: the C locale is tried alone\n");
    double value = 0;
    const char *text = "1.2345678901234567890123";
    assert_int_equal(parse(text, strlen(text), &value), strlen(text));
    check_same(text, value, 1.2345678901234567890123);
    assert_int_equal(parse("1,5", 3, &value), 1);
    (void)setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_numbers_are_the_nearest_doubles),
        cmocka_unit_test(printed_doubles_come_back_exactly),
        cmocka_unit_test(random_digits_are_the_nearest_doubles),
        cmocka_unit_test(a_thousand_digits_around_half_way_round_the_right_way),
        cmocka_unit_test(a_number_ends_where_it_can_go_no_further),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(nothing_is_read_past_the_end),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
