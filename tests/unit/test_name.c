/* Joint names: what exporters put around them does not hide the joint, and sides are read from them. */
#include "check.h"

#include "mapping/name.h"
#include "source.h"

enum { JOINTS = 8 };

typedef struct joints {
    od_arena *arena;
    od_skeleton skeleton;
    od_mapping mapping;
    od_names names;
    od_error error;
} joints;

/* Names end with NULL. `strip` may be NULL. */
static void open_joints(joints *j, const char *const *texts, const char **strip)
{
    *j = (joints){.arena = od_arena_new(0)};
    assert_non_null(j->arena);
    j->skeleton.bones = OD_NEW(j->arena, od_bone, JOINTS, &j->error);
    assert_non_null(j->skeleton.bones);
    for (; *texts; texts++)
        j->skeleton.bones[j->skeleton.count++] = (od_bone){.name = *texts, .parent = -1, .rest = od_xform_identity()};
    j->mapping.strip = strip;
    j->mapping.strip_count = strip != NULL;
    assert_ok(od_names_make(&j->mapping, &j->skeleton, &j->names, j->arena, &j->error), j->error);
}

static void expect(const char *const *texts, const char *strip, const char *name, int joint)
{
    joints j;
    open_joints(&j, texts, strip ? &strip : NULL);
    int found = od_names_find(&j.names, name, 0);
    if (found != joint) print_error("%s in %s, ...: %d\n", name, *texts, found);
    assert_int_equal(found, joint);
    od_arena_free(j.arena);
}

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

static void exact_names_come_before_similar_ones(void **state)
{
    (void)state;
    expect(NAMES("left_arm", "LeftArm", "leftarm"), NULL, "leftarm", 2);
    expect(NAMES("left_arm", "LeftArm"), NULL, "Left Arm", 0);
    expect(NAMES("a:hips", "a:Hips"), NULL, "Hips", 1);
    expect(NAMES("Arm", "Arm"), NULL, "Arm", 0);
    expect(NAMES("Arm"), NULL, "Leg", -1);
    expect(NAMES("..", "_"), NULL, "-", -1);
}

static void namespaces_paths_and_prefixes_are_seen_through(void **state)
{
    (void)state;
    expect(NAMES("scene:ns:LeftArm"), NULL, "left.arm", 0);
    expect(NAMES("Armature|LeftArm"), NULL, "LeftArm", 0);
    expect(NAMES("LeftArm"), NULL, "MODEL/BASE/LeftArm", 0);
    expect(NAMES("rig12_LeftArm"), "rig*_", "LeftArm", 0);
    expect(NAMES("rig_LeftArm"), "rig*_", "rig3_LeftArm", 0);
    expect(NAMES("scene:rig7:LeftArm"), "rig*:", "LeftArm", 0);
    expect(NAMES("rig_LeftArm"), NULL, "LeftArm", -1);
    expect(NAMES("rig_"), "rig_", "rig", 0); /* a prefix is not all of a name */
}

static void what_nearly_all_names_have_in_common_is_no_name(void **state)
{
    (void)state;
    expect(NAMES("Walk_1_Hips", "Walk_1_Spine", "Walk_1_Head", "Walk_1_LeftArm"), NULL, "LeftArm", 3);
    expect(NAMES("Camera", "Walk_Hips", "Walk_Spine", "Walk_Head", "Walk_LeftArm"), NULL, "Head", 3);
    expect(NAMES("Camera", "Light", "Walk_Hips", "Walk_Spine", "Walk_Head"), NULL, "Head", -1);
    expect(NAMES("Hips_00", "Spine_01", "Spine1_02", "Head_03"), NULL, "Spine1", 2);
    expect(NAMES("Hips-0", "Spine-1", "Head-12", "RightArm-7"), NULL, "RightArm", 3);
    expect(NAMES("spine_01", "spine_02", "head", "hips"), NULL, "spine", -1);
}

static void joints_that_carry_a_prefix_are_counted(void **state)
{
    (void)state;
    const char *strip = "mixamorig*:";
    joints j;
    open_joints(&j, NAMES("mixamorig1:Hips", "x:mixamorig:Head", "mixamorig:", "Hips"), &strip);
    assert_int_equal(j.names.stripped, 2);
    od_arena_free(j.arena);
}

static void sides_are_read_where_they_stand_apart(void **state)
{
    (void)state;
    static const char *const left[] = {"LeftArm", "arm_L",  "L_Arm",          "lHand",    "LThigh",   "Bip01 L Hand",
                                       "左腕",    "hand.l", "CC_Base_L_Hand", "ns:l_hip", "UpperLeft"};
    static const char *const right[] = {"RightArm",     "arm_R", "R_Arm",  "rHand",          "RThigh",
                                        "Bip01 R Hand", "右腕",  "hand.r", "CC_Base_R_Hand", "ns:r_hip"};
    static const char *const none[] = {"Hips", "Head", "LowerBack", "Root", "lowerarm", "rig:Hips", "頭", ""};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) assert_int_equal(od_name_side(left[i]), -1);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) assert_int_equal(od_name_side(right[i]), 1);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) assert_int_equal(od_name_side(none[i]), 0);
}

/* Deforming bones often hang on the root side by side; they are known by their names all the same. */
static void limbs_in_no_line_are_still_known(void **state)
{
    (void)state;
    od_error error = {0};
    od_mapping found;
    od_arena *arena = od_arena_new(0);
    od_mapping rigify = source_preset("rigify_deform", arena);
    od_skeleton skeleton = source_of_mapping(&rigify, "", "", arena);
    for (int i = 1; i < skeleton.count; i++) skeleton.bones[i].parent = 0;
    assert_ok(od_mapping_detect(&skeleton, &found, NULL, arena, &error), error);
    assert_string_equal(found.name, "rigify_deform");
    od_arena_free(arena);
}

static void a_number_tells_joints_of_one_name_apart(void **state)
{
    (void)state;
    static const char *const names[] = {"A", "B", "b", "B", "C", "B", NULL};
    static const int nth[] = {0, 1, 0, 2, 0, 3};
    joints j;
    open_joints(&j, names, NULL);
    for (int i = 0; names[i]; i++) {
        assert_int_equal(od_name_nth(&j.skeleton, i), nth[i]);
        assert_int_equal(od_names_find(&j.names, names[i], nth[i]), i);
    }
    assert_int_equal(od_names_find(&j.names, "B", 4), -1);
    assert_int_equal(od_names_find(&j.names, "Z", 1), -1);
    assert_int_equal(od_names_find(&j.names, "a", 1), -1); /* numbers are for names to the letter */
    od_arena_free(j.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_tells_joints_of_one_name_apart),
        cmocka_unit_test(exact_names_come_before_similar_ones),
        cmocka_unit_test(namespaces_paths_and_prefixes_are_seen_through),
        cmocka_unit_test(what_nearly_all_names_have_in_common_is_no_name),
        cmocka_unit_test(joints_that_carry_a_prefix_are_counted),
        cmocka_unit_test(sides_are_read_where_they_stand_apart),
        cmocka_unit_test(limbs_in_no_line_are_still_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
