/* Binding: names are resolved as files write them, what is missing is told, what cannot be done fails. */
#include "check.h"

#include "odori/binding.h"
#include "source.h"

typedef struct bound {
    od_arena *arena;
    od_target target;
    od_mapping mapping;
    od_skeleton source;
    od_binding binding;
    od_report report;
    od_error error;
} bound;

static const char LEGS[] =
    "{\"source\": \"Hips\", \"target\": \"センター\"}, {\"source\": \"Hips\", \"target\": \"下半身\"},"
    "{\"source\": \"LeftUpLeg\", \"target\": \"左足\"},"
    "{\"source\": \"LeftLeg\", \"target\": \"左ひざ\"},"
    "{\"source\": \"LeftFoot\", \"target\": \"左足首\"},"
    "{\"source\": \"RightUpLeg\", \"target\": \"右足\"},"
    "{\"source\": \"RightLeg\", \"target\": \"右ひざ\"},"
    "{\"source\": \"RightFoot\", \"target\": \"右足首\"}";
static const char *const JOINTS[] = {"Hips",     "LeftUpLeg",  "LeftLeg",  "LeftFoot",
                                     "LeftToes", "RightUpLeg", "RightLeg", "RightFoot"};
enum { JOINT_COUNT = 8 };

/* The legs, more bones behind them and strip patterns, on joints in one chain. */
static bound make(const char *more, const char *strip, const char *const *joints, int count)
{
    bound b = {.arena = od_arena_new(0)};
    assert_non_null(b.arena);
    b.report.arena = b.arena;
    assert_ok(od_target_standard(&b.target, b.arena, &b.error), b.error);
    char *text = od_arena_format(b.arena, &b.error,
                                 "{\"odori\": 1, \"name\": \"rig\", \"detect\": {\"strip\": [%s]}, \"bones\": [%s%s]}",
                                 strip, LEGS, more);
    assert_non_null(text);
    assert_ok(od_mapping_parse("a.json", text, strlen(text), &b.mapping, NULL, b.arena, &b.error), b.error);
    b.source = (od_skeleton){.bones = OD_NEW(b.arena, od_bone, (size_t)count, &b.error), .count = count};
    for (int i = 0; i < count; i++)
        b.source.bones[i] = (od_bone){.name = joints[i], .parent = i - 1, .rest = od_xform_identity()};
    od_skeleton_finish(&b.source);
    return b;
}

static bool bind(bound *b)
{
    return od_binding_make(&b->mapping, &b->source, &b->target, &b->binding, &b->report, b->arena, &b->error);
}

static bool says(const bound *b, const char *part)
{
    for (const od_note *note = b->report.first; note; note = note->next)
        if (strstr(note->text, part)) return true;
    return false;
}

static void rows_name_joint_role_and_bone(void **state)
{
    (void)state;
    bound b = make("", "", JOINTS, JOINT_COUNT);
    assert_ok(bind(&b), b.error);
    assert_int_equal(b.binding.count, 8);
    assert_int_equal(b.binding.translation_source, 0);
    assert_int_equal(b.binding.source_of_role[OD_ROLE_LOWER_BODY], 0);
    assert_int_equal(b.binding.source_of_role[OD_ROLE_CENTER], -1); /* it travels, it does not turn */
    assert_int_equal(b.binding.source_of_role[OD_ROLE_LEG_L], 1);
    assert_int_equal(b.binding.source_of_role[OD_ROLE_ANKLE_R], 7);
    assert_int_equal(b.binding.source_of_role[OD_ROLE_HEAD], -1);
    for (int i = 0; i < b.binding.count; i++) {
        const od_bound *row = &b.binding.rows[i];
        assert_int_equal(row->bone, b.target.role[row->role]);
        assert_int_equal(row->use, row->role == OD_ROLE_CENTER ? OD_USE_TRANSLATION : OD_USE_ROTATION);
        assert_near(row->offset.w, 1, 0);
    }
    od_arena_free(b.arena);
}

/* How exporters write the same joints. */
static void names_are_found_under_prefixes_and_other_spellings(void **state)
{
    (void)state;
    static const char *const forms[] = {"%s",           "rig:%s",         "a|b:%s",       "Armature/Hips/%s",
                                        "mixamorig:%s", "mixamorig12:%s", "mixamorig_%s", "mixamorig3_%s",
                                        "mixamorig%s",  "Robot_%s",       "f_take_07_%s"};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        char names[JOINT_COUNT][64];
        const char *joints[JOINT_COUNT];
        for (int i = 0; i < JOINT_COUNT; i++) {
            const char *hole = strchr(forms[f], '%');
            snprintf(names[i], sizeof names[i], "%.*s%s", (int)(hole - forms[f]), forms[f], JOINTS[i]);
            joints[i] = names[i];
        }
        bound b = make("", "\"mixamorig*_\", \"mixamorig*\"", joints, JOINT_COUNT);
        if (!bind(&b)) fail_msg("%s: %s", forms[f], b.error.message);
        assert_int_equal(b.binding.source_of_role[OD_ROLE_ANKLE_R], 7);
        od_arena_free(b.arena);
    }
    static const char *const odd[] = {"hips",      "left_up_leg", "Left.Leg",  "LEFT FOOT",
                                      "left-toes", "rightUpLeg",  "Right_Leg", "right foot"};
    bound b = make("", "", odd, JOINT_COUNT);
    assert_ok(bind(&b), b.error);
    assert_int_equal(b.binding.source_of_role[OD_ROLE_KNEE_R], 6);
    od_arena_free(b.arena);
}

static void a_name_that_is_written_exactly_so_goes_first(void **state)
{
    (void)state;
    static const char *const joints[] = {"hips",    "left_foot", "x:LeftFoot", "Hips",     "LeftUpLeg",
                                         "LeftLeg", "LeftFoot",  "RightUpLeg", "RightLeg", "RightFoot"};
    bound b = make("", "", joints, 10);
    assert_ok(bind(&b), b.error);
    assert_int_equal(b.binding.source_of_role[OD_ROLE_LOWER_BODY], 3);
    assert_int_equal(b.binding.source_of_role[OD_ROLE_ANKLE_L], 6);
    od_arena_free(b.arena);
}

/* A joint "12" must not be found for "3", nor "RightUpLeg" for "UpLeg". */
static void parts_of_names_are_no_match(void **state)
{
    (void)state;
    bound b = make(", {\"source\": \"Toes\", \"target\": \"左足先EX\"}, {\"source\": \"_\", \"target\": \"頭\"}", "",
                   JOINTS, JOINT_COUNT);
    assert_ok(bind(&b), b.error);
    assert_int_equal(b.binding.source_of_role[OD_ROLE_TOE_EX_L], -1);
    assert_int_equal(b.binding.source_of_role[OD_ROLE_HEAD], -1);
    assert_true(says(&b, "not in the source: Toes, _"));
    od_arena_free(b.arena);
}

static void a_missing_leg_is_a_failure_that_lists_it(void **state)
{
    (void)state;
    static const char *const joints[] = {"Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightFoot"};
    bound b = make("", "", joints, 6);
    assert_fails(bind(&b), b.error, "finds no joint for 右ひざ in");
    od_arena_free(b.arena);
    b = make("", "", joints, 1);
    assert_fails(bind(&b), b.error, "左足, 右足, 左ひざ, 右ひざ, 左足首, 右足首");
    od_arena_free(b.arena);
}

static void two_bones_of_a_leg_need_two_joints(void **state)
{
    (void)state;
    static const char *const joints[] = {"Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightFoot"};
    bound b = make("", "", joints, 6);
    for (int i = 0; i < b.mapping.entry_count; i++)
        if (b.mapping.entries[i].role == OD_ROLE_KNEE_R) b.mapping.entries[i].source = "RightUpLeg";
    assert_fails(bind(&b), b.error, "drives 右足 and 右ひざ by one joint");
    od_arena_free(b.arena);
}

static void roles_that_the_target_lacks_keep_their_row(void **state)
{
    (void)state;
    bound b = make(", {\"source\": \"LeftToes\", \"target\": \"左足先EX\"}", "", JOINTS, JOINT_COUNT);
    b.target.role[OD_ROLE_TOE_EX_L] = -1;
    assert_ok(bind(&b), b.error);
    const od_bound *row = &b.binding.rows[b.binding.count - 1];
    assert_int_equal(row->role, OD_ROLE_TOE_EX_L);
    assert_int_equal(row->bone, -1);
    assert_int_equal(b.binding.source_of_role[OD_ROLE_TOE_EX_L], 4);
    od_arena_free(b.arena);
}

static void plain_bones_are_found_by_their_own_name(void **state)
{
    (void)state;
    bound b = make(", {\"source\": \"LeftToes\", \"target\": \"しっぽ\"}, {\"source\": \"Hips\", \"target\": \"尻尾\"}",
                   "", JOINTS, JOINT_COUNT);
    od_bone *bone = &b.target.skeleton.bones[b.target.skeleton.count - 1];
    bone->name = "しっぽ";
    b.target.bones[b.target.skeleton.count - 1].flags = OD_BONE_ROTATABLE;
    assert_ok(bind(&b), b.error);
    assert_int_equal(b.binding.rows[8].bone, b.target.skeleton.count - 1);
    assert_int_equal(b.binding.rows[8].role, OD_ROLE_NONE);
    assert_int_equal(b.binding.rows[9].bone, -1);
    assert_true(says(&b, "the target has no bone \"尻尾\""));
    assert_false(says(&b, "しっぽ"));
    b.target.bones[b.target.skeleton.count - 1].flags |= OD_BONE_APPEND_ROTATION;
    assert_ok(bind(&b), b.error);
    assert_true(says(&b, "the target moves its bone \"しっぽ\" itself"));
    od_arena_free(b.arena);
}

/* Of a root and the hips below it the hips' travel is the body's, in whatever order they are listed. */
static void the_innermost_joint_that_travels_moves_the_body(void **state)
{
    (void)state;
    static const char *const joints[] = {"Root",     "Hips",       "LeftUpLeg", "LeftLeg",  "LeftFoot",
                                         "LeftToes", "RightUpLeg", "RightLeg",  "RightFoot"};
    bound b = make(", {\"source\": \"Root\", \"target\": \"全ての親\"}", "", joints, 9);
    assert_ok(bind(&b), b.error);
    assert_int_equal(b.binding.translation_source, 1);
    od_arena_free(b.arena);
    b = make(", {\"source\": \"LeftToes\", \"target\": \"飾り\", \"use\": \"translation\"}", "", joints, 9);
    assert_ok(bind(&b), b.error);
    assert_int_equal(b.binding.translation_source, 1);
    for (int i = 0; i < b.mapping.entry_count; i++)
        if (b.mapping.entries[i].role == OD_ROLE_CENTER) b.mapping.entries[i].source = "nothing";
    assert_ok(bind(&b), b.error);
    assert_int_equal(b.binding.translation_source, 1); /* no entry travels: the joint of the lower body does */
    od_arena_free(b.arena);
}

/* About X, then about Y as X has turned it, then Z: (i + 1)(j + 1) / 2 = (i + j + k + 1) / 2. */
static void offsets_are_degrees_about_x_y_z(void **state)
{
    (void)state;
    bound b = make(", {\"source\": \"LeftToes\", \"target\": \"左足先EX\", \"offset\": [0, 0, 90]},"
                   "{\"source\": \"LeftToes\", \"target\": \"右足先EX\", \"offset\": [-60, 0, 0]},"
                   "{\"source\": \"LeftToes\", \"target\": \"頭\", \"offset\": [90, 90, 0]}",
                   "", JOINTS, JOINT_COUNT);
    assert_ok(bind(&b), b.error);
    versors z = b.binding.offset_of_role[OD_ROLE_TOE_EX_L], x = b.binding.offset_of_role[OD_ROLE_TOE_EX_R];
    assert_near(z.z, sqrt(0.5), 1e-6);
    assert_near(z.w, sqrt(0.5), 1e-6);
    assert_near(x.x, -0.5, 1e-6);
    assert_near(x.w, sqrt(0.75), 1e-6);
    assert_near(b.binding.rows[8].offset.z, z.z, 0);
    for (int i = 0; i < 4; i++) assert_near(b.binding.offset_of_role[OD_ROLE_HEAD].raw[i], 0.5, 1e-6);
    assert_near(b.binding.offset_of_role[OD_ROLE_NECK].w, 1, 0);
    od_arena_free(b.arena);
}

static void limbs_that_nothing_drives_are_warned_about(void **state)
{
    (void)state;
    bound b = make(", {\"source\": \"LeftToes\", \"target\": \"頭\"}, {\"source\": \"LeftToes\", \"target\": \"左腕\"}",
                   "", JOINTS, JOINT_COUNT);
    b.target.role[OD_ROLE_ARM_L] = -1;
    assert_ok(bind(&b), b.error);
    assert_true(says(&b, "nothing drives 右腕"));
    assert_true(says(&b, "the target lacks 左腕"));
    assert_false(says(&b, "頭"));
    od_arena_free(b.arena);
}

static void running_out_of_memory_is_a_failure(void **state)
{
    (void)state;
    bound b = make("", "", JOINTS, JOINT_COUNT);
    bool done = false;
    for (size_t n = 1; !done; n++) {
        assert_true(n < 200);
        b.error = (od_error){0};
        od_arena_fail_at(b.arena, n);
        done = bind(&b);
        assert_int_equal(done, !b.error.failed);
        od_arena_fail_at(b.arena, 0);
    }
    od_arena_free(b.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_name_joint_role_and_bone),
        cmocka_unit_test(names_are_found_under_prefixes_and_other_spellings),
        cmocka_unit_test(a_name_that_is_written_exactly_so_goes_first),
        cmocka_unit_test(parts_of_names_are_no_match),
        cmocka_unit_test(a_missing_leg_is_a_failure_that_lists_it),
        cmocka_unit_test(two_bones_of_a_leg_need_two_joints),
        cmocka_unit_test(roles_that_the_target_lacks_keep_their_row),
        cmocka_unit_test(plain_bones_are_found_by_their_own_name),
        cmocka_unit_test(the_innermost_joint_that_travels_moves_the_body),
        cmocka_unit_test(offsets_are_degrees_about_x_y_z),
        cmocka_unit_test(limbs_that_nothing_drives_are_warned_about),
        cmocka_unit_test(running_out_of_memory_is_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
