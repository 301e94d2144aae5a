/* Mapping files: what is meant is read, what cannot be meant is refused with the member's path. */
#include "check.h"

#include "odori/mapping.h"

typedef struct parsed {
    od_arena *arena;
    od_mapping mapping;
    od_report report;
    od_error error;
    bool done;
} parsed;

static parsed parse(const char *text)
{
    parsed p = {.arena = od_arena_new(0)};
    assert_non_null(p.arena);
    p.report.arena = p.arena;
    p.done = od_mapping_parse("a.json", text, strlen(text), &p.mapping, &p.report, p.arena, &p.error);
    return p;
}

/* A mapping with these bones, and more members before them. */
static parsed parse_bones(const char *more, const char *bones)
{
    char text[4096];
    assert_true(snprintf(text, sizeof text, "{\"odori\": 1, \"name\": \"a\", %s \"bones\": [%s]}", more, bones) < 4096);
    return parse(text);
}

static void refuse(parsed p, const char *message)
{
    assert_false(p.done);
    assert_true(p.error.failed);
    assert_string_equal(p.error.message, message);
    od_arena_free(p.arena);
}

static void a_whole_mapping_is_read(void **state)
{
    (void)state;
    parsed p = parse("{\"odori\": 1, \"name\": \"rig\", \"title\": \"My rig\", \"verified\": false,"
                     "\"detect\": {\"strip\": [\"x*_\"], \"require\": [\"Hips\", \"Head\"]}, \"bind\": \"frame:12\","
                     "\"bones\": [{\"source\": \"Hips\", \"target\": \"センター\"},"
                     "{\"source\": \"Arm\", \"target\": \"arm_L\", \"use\": \"both\", \"offset\": [1, -2.5, 90]}],"
                     "\"morphs\": [{\"source\": \"aa\", \"target\": \"あ\"}], \"unmapped\": [\"Tail\"]}");
    const od_mapping *m = &p.mapping;
    assert_ok(p.done, p.error);
    assert_string_equal(m->name, "rig");
    assert_string_equal(m->title, "My rig");
    assert_false(m->verified);
    assert_int_equal(m->strip_count, 1);
    assert_string_equal(m->strip[0], "x*_");
    assert_int_equal(m->require_count, 2);
    assert_string_equal(m->require[1], "Head");
    assert_int_equal(m->bind.kind, OD_BIND_FRAME);
    assert_int_equal(m->bind.frame, 12);
    assert_int_equal(m->entry_count, 2);
    assert_int_equal(m->entries[0].role, OD_ROLE_CENTER);
    assert_int_equal(m->entries[0].use, OD_USE_TRANSLATION);
    assert_string_equal(m->entries[1].source, "Arm");
    assert_int_equal(m->entries[1].role, OD_ROLE_ARM_L);
    assert_int_equal(m->entries[1].use, OD_USE_BOTH);
    assert_near(m->entries[1].offset.y, -2.5, 0);
    assert_near(m->entries[1].offset.z, 90, 0);
    assert_int_equal(m->morph_count, 1);
    assert_string_equal(m->morphs[0].target, "あ");
    assert_null(p.report.first);
    od_arena_free(p.arena);
}

static void what_is_left_out_has_its_default(void **state)
{
    (void)state;
    parsed p =
        parse_bones("", "{\"source\": \"a\", \"target\": \"全ての親\"}, {\"source\": \"a\", \"target\": \"グルーブ\"},"
                        "{\"source\": \"a\", \"target\": \"頭\"}, {\"source\": \"a\", \"target\": \"しっぽ\"}");
    assert_ok(p.done, p.error);
    assert_true(p.mapping.verified);
    assert_string_equal(p.mapping.title, "");
    assert_int_equal(p.mapping.bind.kind, OD_BIND_AUTO);
    assert_int_equal(p.mapping.entries[0].use, OD_USE_TRANSLATION);
    assert_int_equal(p.mapping.entries[1].use, OD_USE_TRANSLATION);
    assert_int_equal(p.mapping.entries[2].use, OD_USE_ROTATION);
    assert_int_equal(p.mapping.entries[3].use, OD_USE_ROTATION);
    assert_int_equal(p.mapping.entries[3].role, OD_ROLE_NONE);
    assert_string_equal(p.mapping.entries[3].target, "しっぽ");
    od_arena_free(p.arena);
}

static void names_of_targets_are_japanese_or_english(void **state)
{
    (void)state;
    int refused = 0;
    for (int r = 0; r < OD_ROLE_COUNT; r++) {
        const char *names[] = {od_role_name(r), od_role_name_en(r)};
        for (int i = 0; i < 2; i++) {
            char bone[256];
            snprintf(bone, sizeof bone, "{\"source\": \"a\", \"target\": \"%s\"}", names[i]);
            parsed p = parse_bones("", bone);
            if (p.done) assert_int_equal(p.mapping.entries[0].role, r);
            refused += !p.done;
            od_arena_free(p.arena);
        }
    }
    assert_int_equal(refused, 2 * 16); /* bones that odori makes itself */
}

static void bones_that_odori_makes_cannot_be_mapped(void **state)
{
    (void)state;
    static const char *const names[] = {"左足ＩＫ", "右つま先ＩＫ", "左足IK親", "右肩C",   "腰キャンセル左",
                                        "左足D",    "右ひざD",      "左足首D",  "leg_IK_L"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char bone[256];
        snprintf(bone, sizeof bone, "{\"source\": \"a\", \"target\": \"%s\"}", names[i]);
        parsed p = parse_bones("", bone);
        if (p.done) print_error("%s was taken\n", names[i]);
        assert_false(p.done);
        assert_non_null(strstr(p.error.message, "a.json: $.bones[0].target: "));
        assert_non_null(strstr(p.error.message, names[i]));
        od_arena_free(p.arena);
    }
}

static void faults_name_the_member(void **state)
{
    (void)state;
    refuse(parse("[]"), "a.json: $: expected an object, found an array");
    refuse(parse("{\"odori\": 1,\n \"name\": }"), "a.json:2:10: expected a JSON value, found '}'");
    refuse(parse("{\"name\": \"a\", \"bones\": []}"), "a.json: $: member \"odori\" is missing");
    refuse(parse("{\"odori\": 1, \"bones\": []}"), "a.json: $: member \"name\" is missing");
    refuse(parse("{\"odori\": 1, \"name\": \"a\"}"), "a.json: $: member \"bones\" is missing");
    refuse(parse("{\"odori\": 2, \"name\": \"a\", \"bones\": []}"),
           "a.json: $.odori: this mapping is of version 2, newer than version 1 that is known");
    refuse(parse("{\"odori\": \"1\", \"name\": \"a\", \"bones\": []}"),
           "a.json: $.odori: expected a number, found a text");
    refuse(parse_bones("\"bind\": \"frame\",", ""), "a.json: $.bind: expected auto, rest or frame:N, found \"frame\"");
    refuse(parse_bones("\"detect\": {\"strip\": [1]},", ""),
           "a.json: $.detect.strip[0]: expected a text, found a number");
    refuse(parse_bones("", "{\"source\": \"a\", \"target\": \"頭\"}, {\"source\": \"b\"}"),
           "a.json: $.bones[1]: member \"target\" is missing");
    refuse(parse_bones("", "{\"source\": \"\", \"target\": \"頭\"}"),
           "a.json: $.bones[0].source: expected a joint's name, found an empty text");
    refuse(parse_bones("", "{\"source\": \"a\", \"target\": \"頭\", \"use\": \"turn\"}"),
           "a.json: $.bones[0].use: expected rotation, translation or both, found \"turn\"");
    refuse(parse_bones("", "{\"source\": \"a\", \"target\": \"頭\", \"offset\": [1, 2]}"),
           "a.json: $.bones[0].offset: expected three angles, found 2");
    refuse(parse_bones("", "{\"source\": \"a\", \"target\": \"頭\", \"offset\": [1, 2, null]}"),
           "a.json: $.bones[0].offset[2]: expected a number, found null");
    refuse(parse_bones("", "{\"source\": \"a\", \"target\": \"頭\", \"offset\": [1, 1e300, 0]}"),
           "a.json: $.bones[0].offset[1]: expected a number of degrees");
    refuse(parse_bones("", "{\"source\": \"a\", \"source\": \"b\", \"target\": \"頭\"}"),
           "a.json:1:54: $.bones[0].source is there twice");
}

static void unknown_members_are_refused_with_those_that_are_known(void **state)
{
    (void)state;
    parsed p = parse_bones("", "{\"source\": \"a\", \"taget\": \"頭\"}");
    assert_false(p.done);
    assert_non_null(strstr(p.error.message, "a.json: $.bones[0]: unknown member \"taget\" (did you mean target?)"));
    assert_non_null(strstr(p.error.message, "target"));
    od_arena_free(p.arena);
    p = parse_bones("\"Title\": \"case counts\",", "");
    assert_false(p.done);
    od_arena_free(p.arena);
}

static void a_bone_has_one_source_for_each_use(void **state)
{
    (void)state;
    refuse(parse_bones("", "{\"source\": \"a\", \"target\": \"左腕\"}, {\"source\": \"b\", \"target\": \"arm_L\"}"),
           "a.json: $.bones[1].target: arm_L is driven by $.bones[0] already");
    refuse(parse_bones("", "{\"source\": \"a\", \"target\": \"x\", \"use\": \"both\"},"
                           "{\"source\": \"b\", \"target\": \"x\", \"use\": \"translation\"}"),
           "a.json: $.bones[1].target: x is driven by $.bones[0] already");
    parsed p = parse_bones("", "{\"source\": \"a\", \"target\": \"x\", \"use\": \"translation\"},"
                               "{\"source\": \"b\", \"target\": \"x\", \"use\": \"rotation\"}");
    assert_ok(p.done, p.error);
    od_arena_free(p.arena);
}

static void binds_are_auto_rest_or_a_frame(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "Rest", "frame:", "frame:-1", "frame: 1", "frame:1 ", "frame:99999999999"};
    char more[64];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(more, sizeof more, "\"bind\": \"%s\",", wrong[i]);
        parsed p = parse_bones(more, "");
        assert_false(p.done);
        od_arena_free(p.arena);
    }
    parsed p = parse_bones("\"bind\": \"rest\",", "");
    assert_int_equal(p.mapping.bind.kind, OD_BIND_REST);
    od_arena_free(p.arena);
    p = parse_bones("\"bind\": \"frame:0\",", "");
    assert_int_equal(p.mapping.bind.kind, OD_BIND_FRAME);
    assert_int_equal(p.mapping.bind.frame, 0);
    od_arena_free(p.arena);
}

static void swapped_sides_are_warned_about(void **state)
{
    (void)state;
    parsed p = parse_bones("", "{\"source\": \"LeftArm\", \"target\": \"左腕\"},"
                               "{\"source\": \"rig:R_Hand\", \"target\": \"左手首\"},"
                               "{\"source\": \"Lower\", \"target\": \"右ひざ\"}");
    assert_ok(p.done, p.error);
    assert_int_equal(p.report.warnings, 1);
    assert_string_equal(p.report.first->text,
                        "a.json: $.bones[1]: \"rig:R_Hand\" drives 左手首: left and right are swapped");
    od_arena_free(p.arena);
}

static void ten_thousand_bones_are_too_many(void **state)
{
    (void)state;
    enum { BONES = 10000, SIZE = BONES * 48 };
    char *text = malloc(SIZE), *at = text;
    assert_non_null(text);
    at += sprintf(at, "{\"odori\": 1, \"name\": \"a\", \"bones\": [");
    for (int i = 0; i < BONES; i++) at += sprintf(at, "%s{\"source\": \"a\", \"target\": \"b%d\"}", i ? "," : "", i);
    sprintf(at, "]}");
    parsed p = parse(text);
    free(text);
    refuse(p, "a.json: $.bones: expected at most 4096 bones");
}

/* Whatever allocation fails, the failure is told and nothing is lost. */
static void running_out_of_memory_is_a_failure(void **state)
{
    (void)state;
    const char *text =
        "{\"odori\": 1, \"name\": \"a\", \"detect\": {\"require\": [\"x\"]}, \"bones\": [{\"source\": "
        "\"a\", \"target\": \"頭\", \"offset\": [1, 2, 3]}], \"morphs\": [{\"source\": \"a\", \"target\": "
        "\"b\"}]}";
    bool done = false;
    for (size_t n = 1; !done; n++) {
        od_arena *arena = od_arena_new(0);
        od_mapping mapping;
        od_error error = {0};
        assert_non_null(arena);
        assert_true(n < 100);
        od_arena_fail_at(arena, n);
        done = od_mapping_parse("a.json", text, strlen(text), &mapping, NULL, arena, &error);
        assert_int_equal(done, !error.failed);
        od_arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_mapping_is_read),
        cmocka_unit_test(what_is_left_out_has_its_default),
        cmocka_unit_test(names_of_targets_are_japanese_or_english),
        cmocka_unit_test(bones_that_odori_makes_cannot_be_mapped),
        cmocka_unit_test(faults_name_the_member),
        cmocka_unit_test(unknown_members_are_refused_with_those_that_are_known),
        cmocka_unit_test(a_bone_has_one_source_for_each_use),
        cmocka_unit_test(binds_are_auto_rest_or_a_frame),
        cmocka_unit_test(swapped_sides_are_warned_about),
        cmocka_unit_test(ten_thousand_bones_are_too_many),
        cmocka_unit_test(running_out_of_memory_is_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
