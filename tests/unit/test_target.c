/* Targets: the order of bones, roles by name and by structure, what is refused and what is dropped. */
#include "check.h"

#include "odori/target.h"

static od_target small_target(od_arena *arena, int count, const char *const *names, const int *parents)
{
    od_target target = {.name = "m", .name_en = ""};
    target.skeleton.count = count;
    target.skeleton.bones = OD_NEW(arena, od_bone, (size_t)count, NULL);
    target.bones = OD_NEW(arena, od_target_bone, (size_t)count, NULL);
    target.ik = OD_NEW(arena, od_ik_chain, 1, NULL);
    for (int i = 0; i < count; i++) {
        target.skeleton.bones[i] = (od_bone){.name = names[i], .parent = parents[i], .rest = od_xform_identity()};
        target.skeleton.bones[i].rest.t = od_vec3(1, -1, 0);
        target.bones[i].name_en = "";
        target.bones[i].append_source = -1;
    }
    return target;
}

static void parents_come_first_and_indices_follow(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    static const char *const names[] = {"c", "b", "x", "a", "y"};
    static const int parents[] = {1, 3, -1, -1, 2};
    od_target t = small_target(arena, 5, names, parents);
    t.bones[2].append_source = 0;
    t.bones[4].deform_order = -1;
    t.bones[3].flags = OD_BONE_AFTER_PHYSICS;
    assert_ok(od_target_finish(&t, NULL, arena, &error), error);
    static const char *const order[] = {"a", "b", "c", "x", "y"};
    for (int i = 0; i < 5; i++) assert_string_equal(t.skeleton.bones[i].name, order[i]);
    assert_int_equal(t.bones[0].model_index, 3);
    assert_int_equal(t.bones[3].append_source, 2);
    assert_int_equal(t.skeleton.bones[2].parent, 1);
    assert_near(t.skeleton.bones[2].rest_world.t.x, 3, 1e-6);
    /* y has order -1, then c b x in the model's order, a after physics */
    static const char *const turns[] = {"y", "c", "b", "x", "a"};
    for (int i = 0; i < 5; i++) assert_string_equal(t.skeleton.bones[t.deform[i]].name, turns[i]);
    od_arena_free(arena);
}

static void cycles_and_wild_indices_are_refused(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    static const char *const names[] = {"a", "b", "c"};
    static const int cycle[] = {2, 0, 1}, self[] = {-1, 1, -1}, wild[] = {-1, 7, -1}, below[] = {-1, -2, -1};
    const int *parents[] = {cycle, self, wild, below};
    for (int i = 0; i < 4; i++) {
        od_error error = {0};
        od_target t = small_target(arena, 3, names, parents[i]);
        assert_false(od_target_finish(&t, NULL, arena, &error));
        assert_non_null(strchr(error.message, '"'));
    }
    od_arena_free(arena);
}

static void of_two_bones_of_a_name_the_first_has_the_role(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    od_report report = {.arena = arena};
    static const char *const names[] = {"頭", "左腕", "左腕"};
    static const int parents[] = {-1, 2, -1}; /* the second is placed before the first */
    od_target t = small_target(arena, 3, names, parents);
    assert_ok(od_target_finish(&t, &report, arena, &error), error);
    assert_int_equal(t.bones[t.role[OD_ROLE_ARM_L]].model_index, 1);
    assert_int_equal(report.warnings, 1);
    od_arena_free(arena);
}

static void nameless_legs_are_found_by_their_ik(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    static const char *const names[] = {"b0", "b1", "b2", "b3"};
    static const int parents[] = {-1, 0, 1, -1};
    od_target t = small_target(arena, 4, names, parents);
    od_ik_link links[] = {{.bone = 1, .limited = true, .min = {{-3.14f, 0, 0}}, .max = {{-0.01f, 0, 0}}}, {.bone = 0}};
    t.ik[0] = (od_ik_chain){.bone = 3, .effector = 2, .links = links, .link_count = 2};
    t.ik_count = 1;
    assert_ok(od_target_finish(&t, NULL, arena, &error), error);
    assert_int_equal(t.role[OD_ROLE_LEG_L], 0);
    assert_int_equal(t.role[OD_ROLE_KNEE_L], 1);
    assert_int_equal(t.role[OD_ROLE_ANKLE_L], 2);
    assert_int_equal(t.role[OD_ROLE_LEG_IK_L], 3);
    links[0] = (od_ik_link){.bone = 1, .limited = true, .min = {{-3.14f, -1, 0}}, .max = {{-0.01f, 1, 0}}};
    t = small_target(arena, 4, names, parents);
    t.ik[0] = (od_ik_chain){.bone = 3, .effector = 2, .links = links, .link_count = 2};
    t.ik_count = 1;
    assert_ok(od_target_finish(&t, NULL, arena, &error), error);
    assert_int_equal(t.role[OD_ROLE_LEG_L], -1); /* a skirt, a tail: no knee turns aside */
    od_arena_free(arena);
}

static void a_standard_name_goes_before_other_spellings_and_japanese_before_english(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    static const char *const names[] = {"左肘", "左ひじ", "elbow", "b", "右ヒジ"};
    static const int parents[] = {-1, -1, -1, -1, -1};
    od_target t = small_target(arena, 5, names, parents);
    t.bones[2].name_en = "elbow_R";
    t.bones[3].name_en = "knee_R";
    assert_ok(od_target_finish(&t, NULL, arena, &error), error);
    assert_int_equal(t.role[OD_ROLE_ELBOW_L], 1);
    assert_int_equal(t.bones[0].role, OD_ROLE_NONE);
    assert_int_equal(t.role[OD_ROLE_ELBOW_R], 4);
    assert_int_equal(t.role[OD_ROLE_KNEE_R], 3);
    od_arena_free(arena);
}

static void chains_that_name_no_bone_are_dropped_with_a_warning(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c"};
    static const int parents[] = {-1, 0, 1};
    static const struct {
        int bone, effector, link;
        const char *part;
    } cases[] = {
        {2, -1, 0, "\"c\""}, {2, 7, 0, "\"c\""}, {2, 1, -1, "\"c\""}, {2, 1, 3, "\"c\""}, {9, 1, 0, "chain 0"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        od_arena *arena = od_arena_new(0);
        od_error error = {0};
        od_report report = {.arena = arena};
        od_target t = small_target(arena, 3, names, parents);
        od_ik_link bad = {.bone = cases[i].link}, good = {.bone = 0};
        od_ik_chain chains[] = {
            {.bone = cases[i].bone, .effector = cases[i].effector, .links = &bad, .link_count = 1},
            {.bone = 2, .effector = 1, .links = &good, .link_count = 1},
        };
        t.ik = chains;
        t.ik_count = 2;
        assert_ok(od_target_finish(&t, &report, arena, &error), error);
        assert_int_equal(t.ik_count, 1);
        assert_int_equal(t.bones[2].ik, 0);
        assert_int_equal(t.ik[0].links[0].bone, 0);
        assert_int_equal(report.warnings, 1);
        assert_non_null(strstr(report.first->text, cases[i].part));
        od_arena_free(arena);
    }
}

static void parts_of_morphs_that_name_nothing_are_dropped_and_others_follow_their_bones(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    od_report report = {.arena = arena};
    static const char *const names[] = {"c", "b", "a"};
    static const int parents[] = {1, 2, -1};
    static const char *morphs[] = {"one", "two"};
    od_morph_move moves[] = {
        {0, -1, {{0, 0, 0}}, {{0, 0, 0, 1}}}, {0, 0, {{0, 1, 0}}, {{0, 0, 0, 1}}}, {0, 3, {{0, 0, 0}}, {{0, 0, 0, 1}}}};
    od_morph_member members[] = {{1, -1, 1}, {1, 2, 1}, {1, 0, 0.5F}};
    od_target t = small_target(arena, 3, names, parents);
    t.morphs = morphs;
    t.morph_count = 2;
    t.moves = moves;
    t.members = members;
    t.move_count = t.member_count = 3;
    assert_ok(od_target_finish(&t, &report, arena, &error), error);
    assert_int_equal(report.warnings, 1);
    assert_non_null(strstr(report.first->text, "4 parts of morphs"));
    assert_int_equal(t.move_count, 1);
    assert_int_equal(t.moves[0].bone, 2); /* c, which was first */
    assert_near(t.moves[0].position.y, 1, 0);
    assert_int_equal(t.member_count, 1);
    assert_near(t.members[0].ratio, 0.5, 0);
    od_arena_free(arena);
}

static void a_fixed_axis_is_unit_or_none(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    od_report report = {.arena = arena};
    static const char *const names[] = {"a", "b"};
    static const int parents[] = {-1, 0};
    od_target t = small_target(arena, 2, names, parents);
    t.bones[0].flags = t.bones[1].flags = OD_BONE_FIXED_AXIS | OD_BONE_ROTATABLE;
    t.bones[1].fixed_axis = od_vec3(0, 30, -40);
    assert_ok(od_target_finish(&t, &report, arena, &error), error);
    assert_int_equal(t.bones[0].flags, OD_BONE_ROTATABLE);
    assert_near(t.bones[1].fixed_axis.z, -0.8, 1e-6);
    assert_int_equal(report.warnings, 1);
    od_arena_free(arena);
}

static void places_beyond_the_range_of_numbers_are_refused(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    static const char *const names[] = {"a", "b"};
    static const int parents[] = {-1, 0}, none[] = {-1, -1}, tail[] = {-1, 0};
    for (int i = 0; i < 2; i++) {
        od_error error = {0};
        od_target t = small_target(arena, 2, names, i ? none : parents);
        t.skeleton.bones[0].rest.t = od_vec3(3e38f, 0, 0);
        t.skeleton.bones[1].rest.t = od_vec3(-3e38f, 0, 0);
        od_target_relative(&t, i ? tail : none);
        assert_fails(od_target_finish(&t, NULL, arena, &error), error, "\"b\"");
    }
    od_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parents_come_first_and_indices_follow),
        cmocka_unit_test(cycles_and_wild_indices_are_refused),
        cmocka_unit_test(of_two_bones_of_a_name_the_first_has_the_role),
        cmocka_unit_test(nameless_legs_are_found_by_their_ik),
        cmocka_unit_test(a_standard_name_goes_before_other_spellings_and_japanese_before_english),
        cmocka_unit_test(chains_that_name_no_bone_are_dropped_with_a_warning),
        cmocka_unit_test(parts_of_morphs_that_name_nothing_are_dropped_and_others_follow_their_bones),
        cmocka_unit_test(a_fixed_axis_is_unit_or_none),
        cmocka_unit_test(places_beyond_the_range_of_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
