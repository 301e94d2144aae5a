/* Roles by name and by structure, the order of bones, the built-in model, detection of formats. */
#include "check.h"

#include "base/text.h"
#include "model.h"
#include "odori/format.h"

static void every_role_is_found_by_its_names(void **state)
{
    (void)state;
    for (int r = 0; r < OD_ROLE_COUNT; r++) {
        assert_int_equal(od_role_find(od_role_name((od_role)r)), r);
        assert_int_equal(od_role_find(od_role_name_en((od_role)r)), r);
        assert_int_equal(od_role_mirror(od_role_mirror((od_role)r)), r);
    }
}

static void usual_spellings_are_understood(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        od_role role;
    } names[] = {{"左足IK", OD_ROLE_LEG_IK_L},      {"右足ＩＫ", OD_ROLE_LEG_IK_R},
                 {"左親指0", OD_ROLE_THUMB0_L},     {"上半身２", OD_ROLE_UPPER_BODY2},
                 {"右ヒジ", OD_ROLE_ELBOW_R},       {"左肘", OD_ROLE_ELBOW_L},
                 {"右膝", OD_ROLE_KNEE_R},          {"arm_R", OD_ROLE_ARM_R},
                 {"L_arm", OD_ROLE_ARM_L},          {"right arm", OD_ROLE_ARM_R},
                 {"ArmLeft", OD_ROLE_ARM_L},        {"upper body 2", OD_ROLE_UPPER_BODY2},
                 {"左腕捩り", OD_ROLE_ARM_TWIST_L}, {"腰キャンセル右", OD_ROLE_WAIST_CANCEL_R},
                 {"右足D", OD_ROLE_LEG_D_R},        {"左足ＩＫ親", OD_ROLE_LEG_IK_PARENT_L}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (od_role_find(names[i].name) != names[i].role) fail_msg("%s is not understood", names[i].name);
}

static void other_bones_have_no_role(void **state)
{
    (void)state;
    static const char *const names[] = {"",           "左腕捩1", "スカート前", "左髪１",  "hair_L",
                                        "左足ＩＫ先", "左手先",  "センター先", "頭先",    "左胸",
                                        "腕",         "足",      "L",          "ﾈｸﾀｲＩＫ"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (od_role_find(names[i]) != OD_ROLE_NONE)
            fail_msg("\"%s\" was taken for %s", names[i], od_role_name(od_role_find(names[i])));
}

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
    od_ik_link links[] = {{.bone = 1, .limited = true}, {.bone = 0}};
    t.ik[0] = (od_ik_chain){.bone = 3, .effector = 2, .links = links, .link_count = 2};
    t.ik_count = 1;
    assert_ok(od_target_finish(&t, NULL, arena, &error), error);
    assert_int_equal(t.role[OD_ROLE_LEG_L], 0);
    assert_int_equal(t.role[OD_ROLE_KNEE_L], 1);
    assert_int_equal(t.role[OD_ROLE_ANKLE_L], 2);
    assert_int_equal(t.role[OD_ROLE_LEG_IK_L], 3);
    od_arena_free(arena);
}

static vec3s at(const od_target *t, const char *name)
{
    int bone = od_skeleton_find(&t->skeleton, name);
    assert_true(bone >= 0);
    return t->skeleton.bones[bone].rest_world.t;
}

static void the_standard_model_is_as_described(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    od_target t;
    assert_ok(od_target_standard(&t, arena, &error), error);
    assert_int_equal(t.skeleton.count, 104);
    assert_int_equal(t.ik_count, 4);
    for (int i = 0; i < t.skeleton.count; i++) {
        unsigned char field[15];
        bool lost, cut;
        od_text_to_cp932(t.skeleton.bones[i].name, field, sizeof field, &lost, &cut);
        assert_false(lost || cut);
    }
    for (int r = OD_ROLE_SIDED; r < OD_ROLE_COUNT; r += 2) {
        assert_true(t.role[r] >= 0 && t.role[r + 1] >= 0);
        vec3s left = t.skeleton.bones[t.role[r]].rest_world.t, right = t.skeleton.bones[t.role[r + 1]].rest_world.t;
        assert_near(left.x, -right.x, 1e-6);
        assert_near(left.y, right.y, 1e-6);
        assert_near(left.z, right.z, 1e-6);
        assert_true(left.x > 0);
    }
    vec3s arm = glms_vec3_sub(at(&t, "左ひじ"), at(&t, "左腕"));
    assert_near(atan2f(-arm.y, arm.x) * 57.29578f, 35, 0.01);
    assert_near(glms_vec3_distance(at(&t, "左足"), at(&t, "左ひざ")), 4.85, 0.001);
    assert_near(glms_vec3_distance(at(&t, "右ひざ"), at(&t, "右足首")), 4.654, 0.001);
    assert_near(glms_vec3_norm(arm), 3.1, 0.001);
    assert_near(at(&t, "頭").y, 17.1, 1e-5);
    assert_near(at(&t, "左中指３").x, 7.452, 0.001);
    assert_near(at(&t, "右つま先ＩＫ").z, -1.45, 1e-5);
    const od_ik_chain *leg = &t.ik[t.bones[t.role[OD_ROLE_LEG_IK_R]].ik];
    assert_int_equal(leg->effector, t.role[OD_ROLE_ANKLE_R]);
    assert_int_equal(leg->links[0].bone, t.role[OD_ROLE_KNEE_R]);
    assert_near(leg->links[0].max.x, -0.00872664626, 1e-8);
    const od_target_bone *cancel = &t.bones[t.role[OD_ROLE_WAIST_CANCEL_R]];
    assert_int_equal(cancel->append_source, t.role[OD_ROLE_WAIST]);
    assert_near(cancel->append_ratio, -1, 0);
    assert_near(t.bones[t.role[OD_ROLE_ARM_TWIST_R]].fixed_axis.x, -0.8191520, 1e-6);
    od_arena_free(arena);
}

static const char *detected(const char *name, const void *data, size_t size)
{
    const od_format *format = od_format_detect(&(od_file){.name = name, .data = data, .size = size});
    return format ? format->name : "unknown";
}

static void formats_are_known_by_content_then_by_name(void **state)
{
    (void)state;
    bytes b;
    make_pmx(&b, &pmx_plain, NULL);
    assert_string_equal(detected("x.bvh", b.data, b.size), "pmx");
    make_pmd(&b);
    assert_string_equal(detected("x", b.data, b.size), "pmd");
    assert_string_equal(detected("-", "HIERARCHY\n", 10), "bvh");
    assert_string_equal(detected("x", "Vocaloid Motion Data 0002\0\0\0\0\0", 30), "vmd");
    assert_string_equal(detected("folder.pmx/x.BVH", "???", 3), "bvh");
    assert_string_equal(detected("x.jpg", "\xFF\xD8\xFF\xE0", 4), "unknown");
    assert_string_equal(detected("", "", 0), "unknown");
}

static void a_model_is_no_motion_and_a_motion_no_model(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    od_scene scene;
    od_target target;
    bytes b;
    make_pmx(&b, &pmx_plain, NULL);
    od_file model = {.name = "m.pmx", .data = b.data, .size = b.size};
    assert_fails(od_read_scene(&model, NULL, NULL, &scene, NULL, arena, &error), error, "expected a motion");
    error = (od_error){0};
    od_file motion = {.name = "m.bvh", .data = (const unsigned char *)"HIERARCHY", .size = 9};
    assert_fails(od_read_target(&motion, NULL, &target, NULL, arena, &error), error, "expected a model");
    od_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_role_is_found_by_its_names),
        cmocka_unit_test(usual_spellings_are_understood),
        cmocka_unit_test(other_bones_have_no_role),
        cmocka_unit_test(parents_come_first_and_indices_follow),
        cmocka_unit_test(cycles_and_wild_indices_are_refused),
        cmocka_unit_test(of_two_bones_of_a_name_the_first_has_the_role),
        cmocka_unit_test(nameless_legs_are_found_by_their_ik),
        cmocka_unit_test(the_standard_model_is_as_described),
        cmocka_unit_test(formats_are_known_by_content_then_by_name),
        cmocka_unit_test(a_model_is_no_motion_and_a_motion_no_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
