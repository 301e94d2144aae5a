/* The JSON Schema beside the presets says the same as the reader: both take the presets, and of changed
 * mappings both take or refuse the same. Validates with what the schema uses of draft 2020-12; a word that
 * is not known here fails the test. */
#include "check.h"

#include <dirent.h>
#include <regex.h>

#include "base/json.h"
#include "file.h"
#include "odori/mapping.h"

static od_json *read_schema(void)
{
    od_error error = {0};
    od_arena *arena = od_arena_new(0);
    assert_non_null(arena);
    od_file file = file_read("mappings/mapping.schema.json", arena);
    od_json *schema = od_json_parse(file.name, (const char *)file.data, file.size, &error);
    od_arena_free(arena);
    assert_ok(schema, error);
    return schema;
}

static const od_json *member(const od_json *object, const char *name)
{
    for (const od_json *m = od_json_first(object); m; m = od_json_next(m))
        if (!strcmp(od_json_name(m), name)) return m;
    return NULL;
}

static int length(const od_json *array)
{
    int n = 0;
    for (const od_json *e = od_json_first(array); e; e = od_json_next(e)) n++;
    return n;
}

static bool has_type(const od_json *value, const char *type)
{
    static const char *const types[] = {"null", "boolean", "number", "string", "array", "object"};
    double number = od_json_number(value);
    if (!strcmp(type, "integer")) return has_type(value, "number") && !(floor(number) < number);
    return !strcmp(types[od_json_kind_of(value)], type);
}

/* Equal scalars. */
static bool same(const od_json *a, const od_json *b)
{
    return od_json_kind_of(a) == od_json_kind_of(b) && !strcmp(od_json_text(a), od_json_text(b)) &&
           !(od_json_number(a) < od_json_number(b)) && !(od_json_number(a) > od_json_number(b));
}

static bool is_any(const od_json *value, const od_json *list)
{
    for (const od_json *e = od_json_first(list); e; e = od_json_next(e))
        if (same(value, e)) return true;
    return false;
}

static bool has_all(const od_json *object, const od_json *names)
{
    for (const od_json *e = od_json_first(names); e; e = od_json_next(e))
        if (!member(object, od_json_text(e))) return false;
    return true;
}

static bool matches(const char *text, const char *pattern)
{
    regex_t regex;
    assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
    bool found = !regexec(&regex, text, 0, NULL, 0);
    regfree(&regex);
    return found;
}

static bool fits(const od_json *value, const od_json *schema);

static bool members_fit(const od_json *value, const od_json *properties, const od_json *others)
{
    for (const od_json *m = od_json_first(value); m; m = od_json_next(m)) {
        const od_json *known = member(properties, od_json_name(m));
        if (known ? !fits(m, known) : others && !od_json_bool(others)) return false;
    }
    return true;
}

static bool elements_fit(const od_json *value, const od_json *schema)
{
    for (const od_json *e = od_json_first(value); e; e = od_json_next(e))
        if (!fits(e, schema)) return false;
    return true;
}

static bool keyword_fits(const od_json *value, const od_json *schema, const od_json *keyword)
{
    const char *word = od_json_name(keyword);
    bool object = has_type(value, "object"), array = has_type(value, "array"), text = has_type(value, "string");
    double limit = od_json_number(keyword);
    if (!strcmp(word, "type")) return has_type(value, od_json_text(keyword));
    if (!strcmp(word, "const")) return same(value, keyword);
    if (!strcmp(word, "enum")) return is_any(value, keyword);
    if (!strcmp(word, "required")) return !object || has_all(value, keyword);
    if (!strcmp(word, "properties"))
        return !object || members_fit(value, keyword, member(schema, "additionalProperties"));
    if (!strcmp(word, "items")) return !array || elements_fit(value, keyword);
    if (!strcmp(word, "minimum")) return !has_type(value, "number") || od_json_number(value) >= limit;
    if (!strcmp(word, "maximum")) return !has_type(value, "number") || od_json_number(value) <= limit;
    if (!strcmp(word, "minItems")) return !array || length(value) >= limit;
    if (!strcmp(word, "maxItems")) return !array || length(value) <= limit;
    if (!strcmp(word, "minLength")) return !text || (limit <= 1 && *od_json_text(value));
    if (!strcmp(word, "pattern")) return !text || matches(od_json_text(value), od_json_text(keyword));
    if (!strcmp(word, "additionalProperties") || !strcmp(word, "title") || !strcmp(word, "description") ||
        !strcmp(word, "$schema") || !strcmp(word, "$id"))
        return true;
    fail_msg("the schema uses \"%s\", which this test does not know", word);
    return false;
}

static bool fits(const od_json *value, const od_json *schema)
{
    for (const od_json *keyword = od_json_first(schema); keyword; keyword = od_json_next(keyword))
        if (!keyword_fits(value, schema, keyword)) return false;
    return true;
}

/* The schema's word and the reader's on one text. */
static bool schema_takes(const od_json *schema, const char *text)
{
    od_error error = {0};
    od_json *value = od_json_parse("a.json", text, strlen(text), &error);
    assert_ok(value, error);
    bool taken = fits(value, schema);
    od_json_free(value);
    return taken;
}

static bool reader_takes(const char *text)
{
    od_error error = {0};
    od_mapping mapping;
    od_arena *arena = od_arena_new(0);
    assert_non_null(arena);
    bool taken = od_mapping_parse("a.json", text, strlen(text), &mapping, NULL, arena, &error);
    od_arena_free(arena);
    return taken;
}

static void all_presets_follow_the_schema(void **state)
{
    (void)state;
    od_json *schema = read_schema();
    DIR *folder = opendir("mappings");
    assert_non_null(folder);
    int presets = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *end = strstr(entry->d_name, ".json");
        if (!end || end[5] || strstr(entry->d_name, ".schema.")) continue;
        char path[512];
        snprintf(path, sizeof path, "mappings/%s", entry->d_name);
        od_arena *arena = od_arena_new(0);
        assert_non_null(arena);
        if (!schema_takes(schema, (const char *)file_read(path, arena).data))
            fail_msg("the schema does not take %s", path);
        od_arena_free(arena);
        presets++;
    }
    closedir(folder);
    assert_int_equal(presets, od_preset_count());
    od_json_free(schema);
}

/* Members of a mapping, and bones of one, right and wrong. */
static const char *const top[] = {"\"odori\": 1",
                                  "\"odori\": 2",
                                  "\"odori\": 1.5",
                                  "\"odori\": \"1\"",
                                  "\"name\": \"a\"",
                                  "\"name\": 1",
                                  "\"name\": null",
                                  "\"title\": \"\"",
                                  "\"title\": []",
                                  "\"verified\": true",
                                  "\"verified\": \"yes\"",
                                  "\"bind\": \"auto\"",
                                  "\"bind\": \"rest\"",
                                  "\"bind\": \"frame:0\"",
                                  "\"bind\": \"frame:123456789\"",
                                  "\"bind\": \"frame:1234567890\"",
                                  "\"bind\": \"frame:\"",
                                  "\"bind\": \"frame:-1\"",
                                  "\"bind\": \"xrest\"",
                                  "\"bind\": 3",
                                  "\"detect\": {}",
                                  "\"detect\": {\"strip\": [\"a*\"], \"require\": [\"b\"]}",
                                  "\"detect\": {\"strip\": \"a\"}",
                                  "\"detect\": {\"require\": [1]}",
                                  "\"detect\": {\"striped\": []}",
                                  "\"detect\": []",
                                  "\"bones\": []",
                                  "\"bones\": {}",
                                  "\"bones\": [[]]",
                                  "\"morphs\": []",
                                  "\"morphs\": [{\"source\": \"a\", \"target\": \"b\"}]",
                                  "\"morphs\": [{\"source\": \"a\"}]",
                                  "\"morphs\": [{\"source\": \"a\", \"target\": 1}]",
                                  "\"morphs\": [{\"source\": \"a\", \"target\": \"b\", \"scale\": 1}]",
                                  "\"morphs\": [\"a\"]",
                                  "\"unmapped\": [\"a\", \"b\"]",
                                  "\"unmapped\": [1]",
                                  "\"unmapped\": \"a\"",
                                  "\"Odori\": 1",
                                  "\"$schema\": \"mapping.schema.json\"",
                                  "\"comment\": \"x\""};
static const char *const bones[] = {"{\"source\": \"a\", \"target\": \"頭\"}",
                                    "{\"source\": \"a\"}",
                                    "{\"target\": \"頭\"}",
                                    "{}",
                                    "1",
                                    "{\"source\": \"\", \"target\": \"頭\"}",
                                    "{\"source\": \"a\", \"target\": \"\"}",
                                    "{\"source\": 1, \"target\": \"頭\"}",
                                    "{\"source\": \"a\", \"nth\": 2, \"target\": \"頭\"}",
                                    "{\"source\": \"a\", \"nth\": 0, \"target\": \"頭\"}",
                                    "{\"source\": \"a\", \"nth\": 1.5, \"target\": \"頭\"}",
                                    "{\"source\": \"a\", \"nth\": 2e6, \"target\": \"頭\"}",
                                    "{\"source\": \"a\", \"nth\": \"2\", \"target\": \"頭\"}",
                                    "{\"source\": \"a\", \"target\": null}",
                                    "{\"source\": \"a\", \"target\": \"頭\", \"use\": \"rotation\"}",
                                    "{\"source\": \"a\", \"target\": \"頭\", \"use\": \"translation\"}",
                                    "{\"source\": \"a\", \"target\": \"頭\", \"use\": \"both\"}",
                                    "{\"source\": \"a\", \"target\": \"頭\", \"use\": \"Both\"}",
                                    "{\"source\": \"a\", \"target\": \"頭\", \"use\": 1}",
                                    "{\"source\": \"a\", \"target\": \"頭\", \"offset\": [0, 1.5, -90]}",
                                    "{\"source\": \"a\", \"target\": \"頭\", \"offset\": [0, 1]}",
                                    "{\"source\": \"a\", \"target\": \"頭\", \"offset\": [0, 1, 2, 3]}",
                                    "{\"source\": \"a\", \"target\": \"頭\", \"offset\": [0, \"1\", 2]}",
                                    "{\"source\": \"a\", \"target\": \"頭\", \"offset\": 3}",
                                    "{\"source\": \"a\", \"target\": \"頭\", \"weight\": 1}"};

static void schema_and_reader_agree(void **state)
{
    (void)state;
    enum { TOP = sizeof top / sizeof *top, ALL = TOP + sizeof bones / sizeof *bones };
    od_json *schema = read_schema();
    int taken = 0;
    for (size_t i = 0; i < ALL; i++) {
        /* A member stands in for the usual one of its name. */
        const char *given = i < TOP ? top[i] : "\"title\": \"\"";
        bool version = !strstr(given, "\"odori\""), name = !strstr(given, "\"name\""),
             list = !strstr(given, "\"bones\"");
        char text[512];
        snprintf(text, sizeof text, "{%s%s%s%s%s%s}", given, version ? ", \"odori\": 1" : "",
                 name ? ", \"name\": \"a\"" : "", list ? ", \"bones\": [" : "", i < TOP ? "" : bones[i - TOP],
                 list ? "]" : "");
        bool by_schema = schema_takes(schema, text), by_reader = reader_takes(text);
        if (by_schema != by_reader)
            fail_msg("%s is %s by the schema and %s by the reader", text, by_schema ? "taken" : "refused",
                     by_reader ? "taken" : "refused");
        taken += by_schema;
    }
    assert_true(taken > 10 && taken < ALL - 10);
    od_json_free(schema);
}

static void what_must_be_there_is_the_same(void **state)
{
    (void)state;
    static const char *const texts[] = {"{\"name\": \"a\", \"bones\": []}",
                                        "{\"odori\": 1, \"bones\": []}",
                                        "{\"odori\": 1, \"name\": \"a\"}",
                                        "[]",
                                        "1",
                                        "null",
                                        "\"a\""};
    od_json *schema = read_schema();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_false(schema_takes(schema, texts[i]));
        assert_false(reader_takes(texts[i]));
    }
    od_json_free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_presets_follow_the_schema),
        cmocka_unit_test(schema_and_reader_agree),
        cmocka_unit_test(what_must_be_there_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
