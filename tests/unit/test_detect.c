/* Detection: by names as exporters write them, by neighbours where names mean two things, by shape where
 * names mean nothing. */
#include "check.h"

#include "file.h"
#include "format/bvh.h"
#include "odori/binding.h"
#include "source.h"

static od_mapping detect(const od_skeleton *skeleton, od_report *report, od_arena *arena)
{
    od_error error = {0};
    od_mapping mapping = {0};
    if (report) report->arena = arena;
    assert_ok(od_mapping_detect(skeleton, &mapping, report, arena, &error), error);
    return mapping;
}

static bool says(const od_report *report, const char *part)
{
    for (const od_note *note = report->first; note; note = note->next)
        if (strstr(note->text, part)) return true;
    return false;
}

/* `skeleton` with other names: each name without its first `skip` bytes, behind `prefix`, some letters
 * replaced. */
static void rename_joints(od_skeleton *skeleton, size_t skip, const char *prefix, const char *from, char to,
                          od_arena *arena)
{
    od_error error = {0};
    for (int i = 0; i < skeleton->count; i++) {
        char *name = od_arena_format(arena, &error, "%s%s", prefix, skeleton->bones[i].name + skip);
        assert_non_null(name);
        for (char *p = name; *p; p++)
            if (strchr(from, *p)) *p = to;
        skeleton->bones[i].name = name;
    }
}

static void the_note_counts_what_was_found(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_mapping mixamo = source_preset("mixamo", arena);
    od_skeleton skeleton = source_of_mapping(&mixamo, "", "", arena);
    od_report report = {0};
    detect(&skeleton, &report, arena);
    assert_true(says(&report, "mapping: mixamo: 52 of 52 joints found"));
    skeleton.bones[od_skeleton_find(&skeleton, "mixamorig:LeftToeBase")].name = "something else";
    detect(&skeleton, &report, arena);
    assert_true(says(&report, "mapping: mixamo: 51 of 52 joints found"));
    od_arena_free(arena);
}

static void mixamo_is_known_under_all_its_prefixes(void **state)
{
    (void)state;
    static const char *const prefixes[] = {
        "mixamorig:", "mixamorig1:", "mixamorig9:", "mixamorig_", "mixamorig2_", "mixamorig", "", "scene|mixamorig:"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        od_arena *arena = od_arena_new(0);
        od_mapping mixamo = source_preset("mixamo", arena);
        od_skeleton skeleton = source_of_mapping(&mixamo, "", "", arena);
        rename_joints(&skeleton, strlen("mixamorig:"), prefixes[i], "", ' ', arena);
        od_mapping found = detect(&skeleton, NULL, arena);
        for (int r = 0; r < OD_ROLE_COUNT; r++)
            assert_int_equal(source_joint(&found, &skeleton, r, arena), source_joint(&mixamo, &skeleton, r, arena));
        od_arena_free(arena);
    }
}

/* Importers and exporters turn blanks, dots and dashes into underscores or drop the namespace's colon. */
static void rigs_are_known_in_the_spelling_of_other_programs(void **state)
{
    (void)state;
    static const struct {
        const char *preset, *prefix, *from;
    } forms[] = {{"biped_bip001", "", " "},           {"biped_bip01", "", " "},
                 {"rigify_deform", "", ".-"},         {"rigify_metarig", "", "."},
                 {"auto_rig_pro", "", "."},           {"xsens_bvh", "Take_001_", ""},
                 {"perception_neuron", "Robot_", ""}, {"smpl_fbx", "f_avg_", ""},
                 {"smpl_fbx", "m_avg_", ""},          {"lafan1", "f_mosh_cmu05_0511_", ""},
                 {"unreal_ue4", "body:", ""},         {"vroid", "Armature|", ""}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        od_arena *arena = od_arena_new(0);
        od_mapping preset = source_preset(forms[i].preset, arena);
        od_skeleton skeleton = source_of_mapping(&preset, "", "", arena);
        rename_joints(&skeleton, 0, forms[i].prefix, forms[i].from, '_', arena);
        od_mapping found = detect(&skeleton, NULL, arena);
        for (int r = 0; r < OD_ROLE_COUNT; r++) {
            int meant = source_joint(&preset, &skeleton, r, arena), got = source_joint(&found, &skeleton, r, arena);
            if (meant != got) print_error("%s is taken for %s at %s\n", preset.name, found.name, od_role_name(r));
            assert_int_equal(meant, got);
        }
        od_arena_free(arena);
    }
}

/* LeftShoulder is the collarbone, but the upper arm where a LeftCollar stands before it. */
static void a_shoulder_is_what_its_neighbours_make_it(void **state)
{
    (void)state;
    static const struct {
        const char *preset;
        od_role role;
    } rigs[] = {{"humanik", OD_ROLE_SHOULDER_L}, {"xsens_bvh", OD_ROLE_ARM_L}};
    for (int i = 0; i < 2; i++) {
        od_arena *arena = od_arena_new(0);
        od_mapping preset = source_preset(rigs[i].preset, arena);
        od_skeleton skeleton = source_of_mapping(&preset, "", "", arena);
        od_mapping found = detect(&skeleton, NULL, arena);
        int joint = source_joint(&found, &skeleton, rigs[i].role, arena);
        assert_true(joint >= 0);
        assert_string_equal(skeleton.bones[joint].name, "LeftShoulder");
        od_arena_free(arena);
    }
}

static void swap_names(od_skeleton *skeleton, const char *a, const char *b)
{
    int i = od_skeleton_find(skeleton, a), k = od_skeleton_find(skeleton, b);
    assert_true(i >= 0 && k >= 0);
    skeleton->bones[i].name = b;
    skeleton->bones[k].name = a;
}

/* A thigh below its shin means something else in this rig; then the shape decides, which finds the leg. */
static void names_against_the_chain_do_not_count(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_mapping lafan = source_preset("lafan1", arena);
    od_skeleton skeleton = source_of_mapping(&lafan, "", "", arena);
    int thigh = od_skeleton_find(&skeleton, "LeftUpLeg");
    assert_true(od_mapping_fit(&lafan, &skeleton).required);
    swap_names(&skeleton, "LeftUpLeg", "LeftLeg");
    assert_false(od_mapping_fit(&lafan, &skeleton).required);
    od_mapping found = detect(&skeleton, NULL, arena);
    assert_string_equal(found.name, "structure");
    assert_int_equal(source_joint(&found, &skeleton, OD_ROLE_LEG_L, arena), thigh);
    od_arena_free(arena);
}

static void required_joints_are_required(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_mapping xsens = source_preset("xsens_bvh", arena);
    od_skeleton skeleton = source_of_mapping(&xsens, "", "", arena);
    assert_true(od_mapping_fit(&xsens, &skeleton).required);
    skeleton.bones[od_skeleton_find(&skeleton, "LeftCollar")].name = "x";
    od_fit fit = od_mapping_fit(&xsens, &skeleton);
    assert_false(fit.required);
    assert_int_equal(fit.found, fit.total - 1);
    od_arena_free(arena);
}

/* ---- by shape ------------------------------------------------------------------------------------ */

/* A person in the standard model's pose of the roles that a shape can tell. */
static od_skeleton nameless(od_mapping *truth, const char *left, const char *right, od_arena *arena)
{
    static const od_role roles[] = {OD_ROLE_LOWER_BODY, OD_ROLE_UPPER_BODY, OD_ROLE_UPPER_BODY2, OD_ROLE_NECK,
                                    OD_ROLE_HEAD,       OD_ROLE_SHOULDER_L, OD_ROLE_SHOULDER_R,  OD_ROLE_ARM_L,
                                    OD_ROLE_ARM_R,      OD_ROLE_ELBOW_L,    OD_ROLE_ELBOW_R,     OD_ROLE_WRIST_L,
                                    OD_ROLE_WRIST_R,    OD_ROLE_MIDDLE1_L,  OD_ROLE_MIDDLE1_R,   OD_ROLE_LEG_L,
                                    OD_ROLE_LEG_R,      OD_ROLE_KNEE_L,     OD_ROLE_KNEE_R,      OD_ROLE_ANKLE_L,
                                    OD_ROLE_ANKLE_R,    OD_ROLE_TOE_L,      OD_ROLE_TOE_R};
    enum { COUNT = sizeof roles / sizeof *roles };
    od_error error = {0};
    *truth = (od_mapping){.name = "truth", .entries = OD_NEW(arena, od_map_entry, COUNT, &error), .entry_count = COUNT};
    assert_non_null(truth->entries);
    for (int i = 0; i < COUNT; i++) {
        const char *side = roles[i] < OD_ROLE_SIDED ? "" : (roles[i] - OD_ROLE_SIDED) % 2 ? right : left;
        truth->entries[i] = (od_map_entry){.source = od_arena_format(arena, &error, "j%d%s", i * 7 % COUNT, side),
                                           .target = od_role_name(roles[i]),
                                           .role = roles[i],
                                           .use = OD_USE_ROTATION};
    }
    return source_of_mapping(truth, "", "", arena);
}

static void expect_body(const od_mapping *found, const od_mapping *truth, const od_skeleton *skeleton, od_arena *arena)
{
    static const od_role told[] = {OD_ROLE_LOWER_BODY, OD_ROLE_UPPER_BODY, OD_ROLE_UPPER_BODY2, OD_ROLE_NECK,
                                   OD_ROLE_HEAD,       OD_ROLE_SHOULDER_L, OD_ROLE_SHOULDER_R,  OD_ROLE_ARM_L,
                                   OD_ROLE_ARM_R,      OD_ROLE_ELBOW_L,    OD_ROLE_ELBOW_R,     OD_ROLE_WRIST_L,
                                   OD_ROLE_WRIST_R,    OD_ROLE_LEG_L,      OD_ROLE_LEG_R,       OD_ROLE_KNEE_L,
                                   OD_ROLE_KNEE_R,     OD_ROLE_ANKLE_L,    OD_ROLE_ANKLE_R};
    assert_string_equal(found->name, "structure");
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        int meant = source_joint(truth, skeleton, told[i], arena), got = source_joint(found, skeleton, told[i], arena);
        if (meant != got)
            print_error("%s is %s, not %s\n", od_role_name(told[i]), got < 0 ? "nothing" : skeleton->bones[got].name,
                        skeleton->bones[meant].name);
        assert_int_equal(meant, got);
    }
}

/* Every bone of the standard model by its English name, with blanks as programs write them. */
static void bones_of_mmd_are_known_by_their_english_names(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    od_report report = {0};
    od_target model;
    assert_ok(od_target_standard(&model, arena, &error), error);
    for (int i = 0; i < model.skeleton.count; i++) {
        const char *english = model.bones[i].role >= 0 ? od_role_name_en(model.bones[i].role) : "helper";
        char *name = od_arena_format(arena, &error, "%s", english);
        for (char *c = name; *c; c++)
            if (*c == ' ') *c = '_';
        model.skeleton.bones[i].name = name;
    }
    od_mapping found = detect(&model.skeleton, &report, arena);
    assert_true(says(&report, "names of MMD's bones"));
    static const od_role roles[] = {OD_ROLE_LEG_L, OD_ROLE_KNEE_R, OD_ROLE_ELBOW_L, OD_ROLE_HEAD, OD_ROLE_LITTLE2_R};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        assert_int_equal(source_joint(&found, &model.skeleton, roles[i], arena), model.role[roles[i]]);
    od_arena_free(arena);
}

static void a_body_is_found_whatever_its_joints_are_called(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_mapping truth;
    od_skeleton skeleton = nameless(&truth, "", "", arena);
    od_report report = {0};
    od_mapping found = detect(&skeleton, &report, arena);
    expect_body(&found, &truth, &skeleton, arena);
    assert_true(says(&report, "by the shape of the skeleton"));
    assert_int_equal(report.warnings, 0);
    od_arena_free(arena);
}

static void a_body_is_found_wherever_it_looks_and_lies(void **state)
{
    (void)state;
    uint32_t seed = 5;
    for (int n = 0; n < 20; n++) {
        od_arena *arena = od_arena_new(0);
        od_mapping truth;
        od_skeleton skeleton = nameless(&truth, "", "", arena);
        versors q = od_quat_normalize((versors){{(float)check_random(&seed), (float)check_random(&seed),
                                                 (float)check_random(&seed), (float)check_random(&seed)}});
        for (int i = 0; i < skeleton.count; i++)
            skeleton.bones[i].rest.t = glms_vec3_scale(od_quat_rotate(q, skeleton.bones[i].rest.t), 8.0f);
        od_skeleton_finish(&skeleton);
        od_mapping found = detect(&skeleton, NULL, arena);
        expect_body(&found, &truth, &skeleton, arena);
        od_arena_free(arena);
    }
}

/* Every offset along +X: lengths and ties are all there is, and names that say left and right. */
static void a_rest_that_is_no_pose_still_tells_the_limbs(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_mapping truth;
    od_skeleton skeleton = nameless(&truth, "_l", "_r", arena);
    for (int i = 1; i < skeleton.count; i++)
        skeleton.bones[i].rest.t = od_vec3(glms_vec3_norm(skeleton.bones[i].rest.t), 0, 0);
    od_skeleton_finish(&skeleton);
    od_report report = {0};
    od_mapping found = detect(&skeleton, &report, arena);
    expect_body(&found, &truth, &skeleton, arena);
    assert_int_equal(report.warnings, 0);
    od_arena_free(arena);
}

static void a_guess_of_sides_is_warned_about(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_mapping truth;
    od_skeleton skeleton = nameless(&truth, "", "", arena);
    for (int i = 1; i < skeleton.count; i++)
        skeleton.bones[i].rest.t = od_vec3(glms_vec3_norm(skeleton.bones[i].rest.t), 0, 0);
    od_skeleton_finish(&skeleton);
    od_report report = {0};
    detect(&skeleton, &report, arena);
    assert_true(says(&report, "left from right"));
    assert_int_equal(report.warnings, 1);
    od_arena_free(arena);
}

static void what_is_no_person_is_a_failure(void **state)
{
    (void)state;
    od_error error = {0};
    od_arena *arena = od_arena_new(0);
    od_mapping mapping;
    od_bone chain[40];
    for (int i = 0; i < 40; i++)
        chain[i] = (od_bone){.name = "tail", .parent = i - 1, .rest = {.q = od_quat_identity(), .t = {{0, 1, 0}}}};
    od_skeleton tail = {.bones = chain, .count = 40};
    od_skeleton_finish(&tail);
    assert_fails(od_mapping_detect(&tail, &mapping, NULL, arena, &error), error, "no shape of a person");
    error = (od_error){0};
    od_skeleton nothing = {.bones = chain, .count = 1};
    assert_fails(od_mapping_detect(&nothing, &mapping, NULL, arena, &error), error, "no shape of a person");
    od_arena_free(arena);
}

/* ---- real files ---------------------------------------------------------------------------------- */

static od_skeleton read_bvh(const char *folder, const char *name, od_arena *arena)
{
    od_error error = {0};
    char *path = od_arena_format(arena, &error, "%s/bvh/%s", folder, name);
    assert_non_null(path);
    od_file file = file_read(path, arena);
    od_scene scene;
    od_report report = {.arena = arena};
    assert_ok(od_bvh_read(&file, NULL, &scene, &report, arena, &error), error);
    return scene.skeleton;
}

/* Which joints a person sees in the file for the arm, the knee and the top of the trunk. */
static void real_files_are_known(void **state)
{
    (void)state;
    static const struct {
        const char *file, *arm, *knee, *chest;
    } files[] = {
        {"20tab_bvh-python/test_freebvh.bvh", "mixamorig:LeftArm", "mixamorig:RightLeg", "mixamorig:Spine2"},
        {"20tab_bvh-python/test_mocapbank.bvh", "LeftShoulder", "RightKnee", "Chest2"},
        {"BandaiNamcoResearchInc_Bandai-Namco-Research-Motiondataset/dataset-1_walk_normal_001.bvh", "UpperArm_L",
         "LowerLeg_R", "Chest"},
        {"EmptyBlueBox_BVH2SMPL/SMPL.bvh", "f_mosh_cmu05_0511_L_Shoulder", "f_mosh_cmu05_0511_R_Knee",
         "f_mosh_cmu05_0511_Spine3"},
        {"EmptyBlueBox_BVH2SMPL/src_bvh_hierarchy.bvh", "LeftShoulder-14", "RightKnee-19", "Chest4-4"},
        {"JonathanAlderson_BVH-Animation-Software/05_02.bvh", "LeftArm", "RightLeg", "Spine1"},
        {"KevinLTT_video2bvh/cxk.bvh", "LeftArm", "RightLeg", "Spine1"},
        {"OlafHaag_bvh-toolbox/walk01.bvh", "LeftArm", "RightLeg", "Spine1"},
        {"assimp_assimp/Boxing_Toes.bvh", "LeftShoulder", "RightKnee", "Chest"},
        {"lo-th_olympe/root.bvh", "LeftUpArm", "RightLowLeg", "Chest"},
        {"makehumancommunity_makehuman/dance1.bvh", "UpArm_L", "LoLeg_R", "Spine3"},
        {"makehumancommunity_makehuman/tpose.bvh", "upperarm01.L", "lowerleg01.R", "spine01"},
        {"omimo_PyMO/AV_8Walk_Meredith_HVHA_Rep1.bvh", "LeftArm", "RightLeg", "Spine"},
        {"orangeduck_GenoView/Geno_stance.bvh", "LeftArm", "RightLeg", "Spine3"},
    };
    const char *folder = test_data();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        od_arena *arena = od_arena_new(0);
        od_skeleton skeleton = read_bvh(folder, files[i].file, arena);
        od_mapping found = detect(&skeleton, NULL, arena);
        int arm = source_joint(&found, &skeleton, OD_ROLE_ARM_L, arena);
        int knee = source_joint(&found, &skeleton, OD_ROLE_KNEE_R, arena);
        int chest = -1;
        for (int r = OD_ROLE_UPPER_BODY; r <= OD_ROLE_UPPER_BODY3; r++) {
            int joint = source_joint(&found, &skeleton, r, arena);
            if (joint >= 0) chest = joint;
        }
        if (arm < 0 || knee < 0 || chest < 0) fail_msg("%s: %s lacks limbs", files[i].file, found.name);
        if (strcmp(skeleton.bones[arm].name, files[i].arm) || strcmp(skeleton.bones[knee].name, files[i].knee) ||
            strcmp(skeleton.bones[chest].name, files[i].chest))
            fail_msg("%s: %s finds %s, %s and %s", files[i].file, found.name, skeleton.bones[arm].name,
                     skeleton.bones[knee].name, skeleton.bones[chest].name);
        od_arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_note_counts_what_was_found),
        cmocka_unit_test(mixamo_is_known_under_all_its_prefixes),
        cmocka_unit_test(rigs_are_known_in_the_spelling_of_other_programs),
        cmocka_unit_test(a_shoulder_is_what_its_neighbours_make_it),
        cmocka_unit_test(names_against_the_chain_do_not_count),
        cmocka_unit_test(required_joints_are_required),
        cmocka_unit_test(bones_of_mmd_are_known_by_their_english_names),
        cmocka_unit_test(a_body_is_found_whatever_its_joints_are_called),
        cmocka_unit_test(a_body_is_found_wherever_it_looks_and_lies),
        cmocka_unit_test(a_rest_that_is_no_pose_still_tells_the_limbs),
        cmocka_unit_test(a_guess_of_sides_is_warned_about),
        cmocka_unit_test(what_is_no_person_is_a_failure),
        cmocka_unit_test(real_files_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
