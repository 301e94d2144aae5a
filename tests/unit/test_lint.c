/* Lint finds what a person got wrong and nothing in what is right; a completed mapping is one that fits. */
#include "check.h"

#include "odori/binding.h"
#include "source.h"

typedef struct linted {
    od_arena *arena;
    od_target target;
    od_mapping mapping;
    od_skeleton source;
    int frames; /* of the source's clip; 0: it has none */
    od_finding *findings;
    int count;
    od_error error;
} linted;

/* HumanIK's preset on a source of its names. */
static linted open_rig(void)
{
    linted l = {.arena = od_arena_new(0)};
    assert_non_null(l.arena);
    assert_ok(od_target_standard(&l.target, l.arena, &l.error), l.error);
    l.mapping = source_preset("humanik", l.arena);
    l.source = source_of_mapping(&l.mapping, "", "", l.arena);
    return l;
}

static od_map_entry *entry_of(linted *l, od_role role)
{
    for (int i = 0; i < l->mapping.entry_count; i++)
        if (l->mapping.entries[i].role == role) return &l->mapping.entries[i];
    fail();
    return NULL;
}

static void lint(linted *l)
{
    od_clip clip = {.frames = l->frames};
    od_scene scene = {.skeleton = l->source, .clips = &clip, .clip_count = l->frames > 0};
    assert_ok(od_mapping_lint(&l->mapping, &scene, &l->target, &l->findings, &l->count, l->arena, &l->error), l->error);
}

/* How many findings have a text in them; -1: one of them is not as wrong as expected. */
static int found(const linted *l, bool wrong, const char *part)
{
    int n = 0;
    for (int i = 0; i < l->count; i++) {
        if (!strstr(l->findings[i].text, part)) continue;
        if (l->findings[i].wrong != wrong) return -1;
        n++;
    }
    return n;
}

static int count_wrong(const linted *l)
{
    int n = 0;
    for (int i = 0; i < l->count; i++) n += l->findings[i].wrong;
    return n;
}

static void a_mapping_that_fits_has_nothing_wrong(void **state)
{
    (void)state;
    linted l = open_rig();
    lint(&l);
    assert_int_equal(count_wrong(&l), 0);
    assert_int_equal(found(&l, false, "stand at rest"), 0);
    assert_int_equal(found(&l, false, "is not mapped"), 0);
    od_arena_free(l.arena);
}

static void joints_that_are_not_there_are_wrong(void **state)
{
    (void)state;
    linted l = open_rig();
    od_map_entry *head = entry_of(&l, OD_ROLE_HEAD);
    head->source = "Haed";
    lint(&l);
    assert_int_equal(found(&l, true, "the source has no joint \"Haed\""), 1);
    assert_int_equal(found(&l, false, "nothing drives 頭"), 1);
    char path[32];
    snprintf(path, sizeof path, "$.bones[%d]", (int)(head - l.mapping.entries));
    for (int i = 0; i < l.count; i++)
        if (strstr(l.findings[i].text, "Haed")) assert_string_equal(l.findings[i].path, path);
    od_arena_free(l.arena);
}

static void a_leg_that_nothing_drives_is_wrong(void **state)
{
    (void)state;
    linted l = open_rig();
    entry_of(&l, OD_ROLE_KNEE_L)->source = "Nee";
    lint(&l);
    assert_int_equal(found(&l, true, "nothing drives 左ひざ"), 1);
    od_arena_free(l.arena);
}

static void a_joint_that_drives_two_bones_is_noted(void **state)
{
    (void)state;
    linted l = open_rig();
    entry_of(&l, OD_ROLE_NECK)->source = "Head";
    lint(&l);
    assert_int_equal(found(&l, false, "joint \"Head\" drives"), 1);
    assert_int_equal(count_wrong(&l), 0);
    od_arena_free(l.arena);
}

static void one_joint_for_both_legs_is_wrong(void **state)
{
    (void)state;
    linted l = open_rig();
    entry_of(&l, OD_ROLE_LEG_R)->source = entry_of(&l, OD_ROLE_LEG_L)->source;
    entry_of(&l, OD_ROLE_HEAD)->source = entry_of(&l, OD_ROLE_NECK)->source;
    lint(&l);
    assert_int_equal(found(&l, true, "joint \"LeftUpLeg\" drives"), 1);
    assert_int_equal(found(&l, false, "joint \"Neck\" drives"), 1);
    od_arena_free(l.arena);
}

static void a_rest_frame_that_no_clip_has_is_wrong(void **state)
{
    (void)state;
    for (int frame = 9; frame < 12; frame++) {
        linted l = open_rig();
        l.mapping.bind = (od_bind){OD_BIND_FRAME, frame};
        l.frames = 10;
        lint(&l);
        assert_int_equal(found(&l, true, "there is no frame"), frame >= 10);
        od_arena_free(l.arena);
    }
}

static void a_long_name_that_the_model_has_is_noted(void **state)
{
    (void)state;
    linted l = open_rig();
    od_map_entry *eye = entry_of(&l, OD_ROLE_EYE_L);
    l.target.skeleton.bones[0].name = eye->target = "しっぽしっぽしっぽ";
    eye->role = OD_ROLE_NONE;
    lint(&l);
    assert_int_equal(found(&l, false, "longer than the 15 bytes"), 1);
    assert_int_equal(count_wrong(&l), 0);
    od_arena_free(l.arena);
}

static void sides_swapped_by_name_are_wrong(void **state)
{
    (void)state;
    linted l = open_rig();
    entry_of(&l, OD_ROLE_ARM_L)->source = "RightArm";
    entry_of(&l, OD_ROLE_ARM_R)->source = "LeftArm";
    lint(&l);
    assert_int_equal(found(&l, true, "left and right are swapped"), 2);
    od_arena_free(l.arena);
}

/* Names that say nothing: only the places at rest can tell. */
static void sides_swapped_at_rest_are_noted(void **state)
{
    (void)state;
    linted l = open_rig();
    int left = od_skeleton_find(&l.source, "LeftArm"), right = od_skeleton_find(&l.source, "RightArm");
    l.source.bones[left].name = "a";
    l.source.bones[right].name = "b";
    entry_of(&l, OD_ROLE_ARM_L)->source = "a";
    entry_of(&l, OD_ROLE_ARM_R)->source = "b";
    lint(&l);
    assert_int_equal(found(&l, false, "stand at rest"), 0);
    entry_of(&l, OD_ROLE_ARM_L)->source = "b";
    entry_of(&l, OD_ROLE_ARM_R)->source = "a";
    lint(&l);
    assert_int_equal(found(&l, false, "左腕 and 右腕 stand at rest"), 1);
    assert_int_equal(found(&l, false, "stand at rest"), 1);
    od_arena_free(l.arena);
}

static void joints_left_out_between_others_are_noted(void **state)
{
    (void)state;
    linted l = open_rig();
    entry_of(&l, OD_ROLE_UPPER_BODY2)->source = "Spine";
    entry_of(&l, OD_ROLE_UPPER_BODY)->source = "Hips";
    lint(&l);
    assert_int_equal(found(&l, false, "joint \"Spine1\" between"), 1);
    assert_int_equal(found(&l, false, "is not mapped"), 1);
    od_arena_free(l.arena);
}

static void names_that_a_vmd_cannot_hold_are_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *name, *fault;
    } names[] = {{"しっぽしっぽしっ", "longer than the 15 bytes"},
                 {"1234567890123456", "longer than the 15 bytes"},
                 {"尻尾💃", "not in MMD's character set"},
                 {"123456789012345", NULL},
                 {"しっぽしっぽし", NULL}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        linted l = open_rig();
        od_map_entry *eye = entry_of(&l, OD_ROLE_EYE_L);
        eye->role = OD_ROLE_NONE;
        eye->target = names[i].name;
        lint(&l);
        char lacking[64];
        snprintf(lacking, sizeof lacking, "the target has no \"%s\"", names[i].name);
        assert_int_equal(found(&l, false, lacking), 1);
        assert_int_equal(count_wrong(&l), names[i].fault ? 1 : 0);
        if (names[i].fault) assert_int_equal(found(&l, true, names[i].fault), 1);
        od_arena_free(l.arena);
    }
}

static void a_completed_mapping_has_the_names_of_the_file(void **state)
{
    (void)state;
    linted l = open_rig();
    od_mapping complete;
    const char **unmapped;
    int count;
    l.source = source_of_mapping(&l.mapping, "rig:", "", l.arena);
    int tail = od_skeleton_find(&l.source, "rig:LeftEye");
    l.source.bones[tail].name = "rig:Tail";
    assert_ok(od_mapping_complete(&l.mapping, &l.source, &complete, &unmapped, &count, l.arena, &l.error), l.error);
    assert_int_equal(complete.entry_count, l.mapping.entry_count - 1);
    for (int i = 0; i < complete.entry_count; i++)
        assert_true(od_skeleton_find(&l.source, complete.entries[i].source) >= 0);
    assert_int_equal(count, 1);
    assert_string_equal(unmapped[0], "rig:Tail");
    od_fit fit = od_mapping_fit(&complete, &l.source);
    assert_int_equal(fit.found, fit.total);
    assert_true(fit.required);
    for (int r = 0; r < OD_ROLE_COUNT; r++)
        assert_int_equal(source_joint(&complete, &l.source, r, l.arena),
                         source_joint(&l.mapping, &l.source, r, l.arena));
    od_arena_free(l.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mapping_that_fits_has_nothing_wrong),
        cmocka_unit_test(joints_that_are_not_there_are_wrong),
        cmocka_unit_test(a_leg_that_nothing_drives_is_wrong),
        cmocka_unit_test(a_joint_that_drives_two_bones_is_noted),
        cmocka_unit_test(one_joint_for_both_legs_is_wrong),
        cmocka_unit_test(a_rest_frame_that_no_clip_has_is_wrong),
        cmocka_unit_test(a_long_name_that_the_model_has_is_noted),
        cmocka_unit_test(sides_swapped_by_name_are_wrong),
        cmocka_unit_test(sides_swapped_at_rest_are_noted),
        cmocka_unit_test(joints_left_out_between_others_are_noted),
        cmocka_unit_test(names_that_a_vmd_cannot_hold_are_wrong),
        cmocka_unit_test(a_completed_mapping_has_the_names_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
