/* Mappings by shape: bodies are found whatever their joints are called and however they lie, and what
 * is no body is not taken for one. */
#include "check.h"

#include "file.h"
#include "mapping/name.h"
#include "mapping/structure.h"
#include "odori/format.h"
#include "source.h"

static const od_role limbs[] = {OD_ROLE_LOWER_BODY, OD_ROLE_LEG_L,   OD_ROLE_LEG_R,   OD_ROLE_KNEE_L, OD_ROLE_KNEE_R,
                                OD_ROLE_ANKLE_L,    OD_ROLE_ANKLE_R, OD_ROLE_ARM_L,   OD_ROLE_ARM_R,  OD_ROLE_ELBOW_L,
                                OD_ROLE_ELBOW_R,    OD_ROLE_WRIST_L, OD_ROLE_WRIST_R, OD_ROLE_HEAD};
enum { LIMBS = sizeof limbs / sizeof *limbs };

typedef struct figure {
    od_arena *arena;
    od_skeleton skeleton;
    od_mapping mapping;
    od_report report;
    od_error error;
} figure;

static figure new_figure(void)
{
    figure f = {.arena = od_arena_new(0)};
    assert_non_null(f.arena);
    f.report.arena = f.arena;
    f.skeleton.bones = OD_NEW(f.arena, od_bone, 4096, &f.error);
    assert_non_null(f.skeleton.bones);
    return f;
}

static int add(figure *f, const char *name, int parent, float x, float y, float z)
{
    od_bone *bone = &f->skeleton.bones[f->skeleton.count];
    *bone = (od_bone){.name = name, .parent = parent, .rest = od_xform_identity()};
    bone->rest.t = od_vec3(x, y, z);
    return f->skeleton.count++;
}

/* A figure of a preset's joints in the standard model's pose, named "0", "1", ... when `mute`. */
static figure figure_of(const char *preset, bool mute)
{
    figure f = new_figure();
    od_mapping mapping = source_preset(preset, f.arena);
    f.skeleton = source_of_mapping(&mapping, "", "", f.arena);
    for (int i = 0; mute && i < f.skeleton.count; i++)
        f.skeleton.bones[i].name = od_arena_format(f.arena, &f.error, "%d", i);
    return f;
}

static bool find(figure *f)
{
    od_skeleton_finish(&f->skeleton);
    return od_mapping_from_structure(&f->skeleton, &f->mapping, &f->report, f->arena, &f->error);
}

/* Index of the joint that turns a role, -1: none. */
static int joint_of(const figure *f, od_role role)
{
    od_error error = {0};
    od_names names;
    assert_ok(od_names_make(&f->mapping, &f->skeleton, &names, f->arena, &error), error);
    for (int i = 0; i < f->mapping.entry_count; i++) {
        const od_map_entry *entry = &f->mapping.entries[i];
        if (entry->role == role && entry->use & OD_USE_ROTATION)
            return od_names_find(&names, entry->source, entry->nth);
    }
    return -1;
}

/* The same joints as the preset has, left for right when `mirrored`. */
static void assert_same_limbs(const figure *f, const char *preset, bool mirrored)
{
    figure named = figure_of(preset, false);
    od_mapping mapping = source_preset(preset, f->arena);
    for (int i = 0; i < LIMBS; i++) {
        od_role role = mirrored ? od_role_mirror(limbs[i]) : limbs[i];
        assert_int_equal(joint_of(f, limbs[i]), source_joint(&mapping, &named.skeleton, role, f->arena));
    }
    od_arena_free(named.arena);
}

static const char *const presets[] = {"mixamo", "xsens_bvh", "smpl", "lafan1", "bandai_namco", "biped_bip001"};
enum { PRESETS = sizeof presets / sizeof *presets };

static void bodies_are_found_without_names(void **state)
{
    (void)state;
    for (int i = 0; i < PRESETS; i++) {
        figure f = figure_of(presets[i], true);
        assert_true(find(&f));
        assert_same_limbs(&f, presets[i], false);
        assert_int_equal(f.report.warnings, 0);
        assert_int_equal(f.mapping.entries[0].use, OD_USE_TRANSLATION);
        od_arena_free(f.arena);
    }
}

static void joints_of_one_name_are_told_apart(void **state)
{
    (void)state;
    for (int i = 0; i < PRESETS; i++) {
        figure f = figure_of(presets[i], true);
        for (int k = 0; k < f.skeleton.count; k++) f.skeleton.bones[k].name = k % 5 ? "Bone" : "Object";
        assert_true(find(&f));
        assert_same_limbs(&f, presets[i], false);
        od_arena_free(f.arena);
    }
}

static void the_rest_pose_tells_left_from_right(void **state)
{
    (void)state;
    for (int i = 0; i < PRESETS; i++) {
        figure f = figure_of(presets[i], true);
        for (int k = 0; k < f.skeleton.count; k++) f.skeleton.bones[k].rest.t.x *= -1;
        assert_true(find(&f));
        assert_same_limbs(&f, presets[i], true);
        od_arena_free(f.arena);
    }
}

static void figures_may_lie_or_face_anywhere(void **state)
{
    (void)state;
    static const float turns[][3] = {{1.5708f, 0, 0}, {0, 2.5f, 0}, {0.3f, -2, 1.2f}};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        figure f = figure_of("mixamo", true);
        versors q = od_quat_euler("xyz", turns[i]);
        for (int k = 0; k < f.skeleton.count; k++)
            f.skeleton.bones[k].rest.t = od_quat_rotate(q, f.skeleton.bones[k].rest.t);
        assert_true(find(&f));
        assert_same_limbs(&f, "mixamo", false);
        od_arena_free(f.arena);
    }
}

static void lengths_are_enough_when_the_zero_pose_is_no_pose(void **state)
{
    (void)state;
    for (int mute = 0; mute < 2; mute++) {
        figure f = figure_of("lafan1", mute);
        for (int k = 0; k < f.skeleton.count; k++)
            f.skeleton.bones[k].rest.t = od_vec3(glms_vec3_norm(f.skeleton.bones[k].rest.t), 0, 0);
        assert_true(find(&f));
        if (mute) assert_true(f.report.warnings > 0 && strstr(f.report.first->text, "left from right"));
        else assert_same_limbs(&f, "lafan1", false);
        od_arena_free(f.arena);
    }
}

/* One side of a figure with motion capture's helper joints: lengths of collarbone, upper arm, forearm. */
static void add_side(figure *f, int hips, int chest, float side, const float arm[3])
{
    int hip = add(f, side > 0 ? "LHip" : "RHip", hips, 0, 0, 0);
    int thigh = add(f, side > 0 ? "LThigh" : "RThigh", hip, 2 * side, -2, 0);
    int shin = add(f, side > 0 ? "LShin" : "RShin", thigh, 2 * side, -7, 0);
    int foot = add(f, side > 0 ? "LFoot" : "RFoot", shin, 2 * side, -7, 0);
    add(f, "", add(f, side > 0 ? "LToe" : "RToe", foot, 0, -1, -2), 0, 0, -1);
    int collar = add(f, side > 0 ? "LCollar" : "RCollar", chest, 0, 0, 0);
    int upper = add(f, side > 0 ? "LArm" : "RArm", collar, arm[0] * side, 0, 0);
    int lower = add(f, side > 0 ? "LElbow" : "RElbow", upper, arm[1] * side, 0, 0);
    int hand = add(f, side > 0 ? "LHand" : "RHand", lower, arm[2] * side, 0, 0);
    add(f, side > 0 ? "LHand_end" : "RHand_end", hand, 0.6f * side, 0, 0);
}

static void assert_joint(const figure *f, od_role role, const char *name)
{
    int joint = joint_of(f, role);
    assert_true(joint >= 0);
    assert_string_equal(f->skeleton.bones[joint].name, name);
}

static void a_long_collarbone_is_no_upper_arm(void **state)
{
    (void)state;
    static const float arms[][3] = {{3.5f, 5.4f, 2.4f}, {0.5f, 5, 5}, {2, 3, 3.4f}};
    for (size_t i = 0; i < sizeof arms / sizeof *arms; i++) {
        figure f = new_figure();
        int hips = add(&f, "Hips", -1, 0, 20, 0), chest = add(&f, "Chest", hips, 0, 4, 0);
        add(&f, "Head", add(&f, "Neck", chest, 0, 2, 0), 0, 2, 0);
        add_side(&f, hips, chest, 1, arms[i]);
        add_side(&f, hips, chest, -1, arms[i]);
        assert_true(find(&f));
        assert_joint(&f, OD_ROLE_SHOULDER_L, "LCollar");
        assert_joint(&f, OD_ROLE_ARM_L, "LArm");
        assert_joint(&f, OD_ROLE_WRIST_R, "RHand");
        assert_joint(&f, OD_ROLE_LEG_R, "RThigh");
        assert_joint(&f, OD_ROLE_TOE_EX_L, "LToe");
        assert_joint(&f, OD_ROLE_NECK, "Neck");
        assert_joint(&f, OD_ROLE_HEAD, "Head");
        od_arena_free(f.arena);
    }
}

static void the_trunk_may_hang_beside_the_legs(void **state)
{
    (void)state;
    static const float arm[3] = {1, 4, 4};
    figure f = new_figure();
    int root = add(&f, "Root", -1, 0, 20, 0), hips = add(&f, "Hips", root, 0, -1, 0);
    int spine = add(&f, "Spine", root, 0, 1, 0), chest = add(&f, "Chest", spine, 0, 4, 0);
    int head = add(&f, "Skull", add(&f, "Neck", chest, 0, 2, 0), 0, 2, 0);
    add(&f, "LEye", head, 0.3f, 0.5f, -0.5f);
    add(&f, "REye", head, -0.3f, 0.5f, -0.5f);
    add_side(&f, hips, chest, 1, arm);
    add_side(&f, hips, chest, -1, arm);
    assert_true(find(&f));
    assert_joint(&f, OD_ROLE_LOWER_BODY, "Hips");
    assert_joint(&f, OD_ROLE_UPPER_BODY, "Spine");
    assert_joint(&f, OD_ROLE_UPPER_BODY2, "Chest");
    assert_joint(&f, OD_ROLE_HEAD, "Skull");
    od_arena_free(f.arena);
}

static int add_chain(figure *f, int parent, int count, float length)
{
    for (int i = 0; i < count; i++) parent = add(f, "", parent, 0, length, 0);
    return parent;
}

static void what_is_no_body_is_refused(void **state)
{
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        figure f = new_figure();
        int root = add(&f, "", -1, 0, 0, 0);
        if (kind == 1) add_chain(&f, root, 1000, 1);
        if (kind == 2)
            for (int i = 0; i < 1000; i++) add(&f, "", root, (float)i, 0, 0);
        if (kind == 3) /* an octopus on two others */
            for (int i = 0; i < 4; i++)
                for (int k = 0, end = add_chain(&f, root, 10, 1); k < 4; k++) add_chain(&f, end, 10, 1);
        if (kind == 4) /* legs and a trunk without arms */
            for (int i = 0; i < 3; i++) add_chain(&f, root, i < 2 ? 4 : 5, i < 2 ? 1 : 2);
        if (kind == 5) /* points */
            for (int i = 0; i < 6; i++) add_chain(&f, root, 4, 0);
        assert_false(find(&f));
        assert_false(f.error.failed);
        od_arena_free(f.arena);
    }
}

static void memory_that_is_out_is_told(void **state)
{
    (void)state;
    figure f = figure_of("mixamo", true);
    od_skeleton_finish(&f.skeleton);
    for (size_t n = 1; n < 20; n++) {
        od_error error = {0};
        od_arena_fail_at(f.arena, n);
        bool done = od_mapping_from_structure(&f.skeleton, &f.mapping, NULL, f.arena, &error);
        assert_int_equal(done, !error.failed);
        od_arena_fail_at(f.arena, 0);
    }
    od_arena_free(f.arena);
}

/* Real files of which the names tell the joints: their shapes tell the same. */
static void shapes_of_real_files_agree_with_their_names(void **state)
{
    (void)state;
    static const char *const files[] = {
        "20tab_bvh-python/test_freebvh.bvh",
        "20tab_bvh-python/test_mocapbank.bvh",
        "BandaiNamcoResearchInc_Bandai-Namco-Research-Motiondataset/dataset-1_dance-short_normal_001.bvh",
        "EmptyBlueBox_BVH2SMPL/Armchair1-preprocessed.bvh",
        "EmptyBlueBox_BVH2SMPL/SMPL.bvh",
        "JonathanAlderson_BVH-Animation-Software/05_02.bvh",
        "OlafHaag_bvh-toolbox/walk01.bvh",
        "VictorS-67_pybvh/bvh_test2.bvh",
        "VictorS-67_pybvh/bvh_test3.bvh",
        "VictorS-67_pybvh/standard_skeleton.bvh",
        "akjava_BVH-Motion-Creator/14_08.bvh",
        "assimp_assimp/01_01.bvh",
        "assimp_assimp/Boxing_Toes.bvh",
        "facebookresearch_fairmotion/pfnn_hierarchy.bvh",
        "makehumancommunity_makehuman/dance1.bvh",
        "omimo_PyMO/AV_8Walk_Meredith_HVHA_Rep1.bvh",
        "orangeduck_GenoView/Geno_stance.bvh",
    };
    const char *folder = test_data();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        figure f = new_figure();
        od_scene scene;
        od_mapping named;
        od_read_options options = {0};
        od_file file = file_read(od_arena_format(f.arena, &f.error, "%s/bvh/%s", folder, files[i]), f.arena);
        assert_ok(od_read_scene(&file, NULL, &options, &scene, NULL, f.arena, &f.error), f.error);
        assert_ok(od_mapping_detect(&scene.skeleton, &named, NULL, f.arena, &f.error), f.error);
        assert_string_not_equal(named.name, "structure");
        f.skeleton = scene.skeleton;
        assert_true(find(&f));
        for (int k = 0; k < LIMBS; k++) {
            int meant = source_joint(&named, &scene.skeleton, limbs[k], f.arena), got = joint_of(&f, limbs[k]);
            if (meant != got) print_error("%s: %s\n", files[i], od_role_name(limbs[k]));
            assert_int_equal(got, meant);
        }
        od_arena_free(f.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_found_without_names),
        cmocka_unit_test(joints_of_one_name_are_told_apart),
        cmocka_unit_test(the_rest_pose_tells_left_from_right),
        cmocka_unit_test(figures_may_lie_or_face_anywhere),
        cmocka_unit_test(lengths_are_enough_when_the_zero_pose_is_no_pose),
        cmocka_unit_test(a_long_collarbone_is_no_upper_arm),
        cmocka_unit_test(the_trunk_may_hang_beside_the_legs),
        cmocka_unit_test(what_is_no_body_is_refused),
        cmocka_unit_test(memory_that_is_out_is_told),
        cmocka_unit_test(shapes_of_real_files_agree_with_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
