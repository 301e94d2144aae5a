/* The presets that are compiled in: each one is whole, and a source of its own names is known by it. */
#include "check.h"

#include "odori/binding.h"
#include "source.h"

typedef void (*preset_check)(const od_mapping *preset, const od_skeleton *own, od_arena *arena);

static void for_each_preset(preset_check check)
{
    assert_true(od_preset_count() > 30);
    for (int i = 0; i < od_preset_count(); i++) {
        od_error error = {0};
        od_mapping preset;
        od_arena *arena = od_arena_new(0);
        assert_non_null(arena);
        assert_ok(od_preset_load(i, &preset, arena, &error), error);
        assert_string_equal(preset.name, od_preset_name(i));
        od_skeleton own = source_of_mapping(&preset, "", "", arena);
        check(&preset, &own, arena);
        od_arena_free(arena);
    }
}

static void check_titles(const od_mapping *preset, const od_skeleton *own, od_arena *arena)
{
    (void)own;
    (void)arena;
    assert_true(*preset->title);
    assert_int_equal(!preset->verified, strstr(preset->title, "(unverified)") != NULL);
}

static void unverified_presets_say_so_in_their_title(void **state)
{
    (void)state;
    for_each_preset(check_titles);
}

static bool drives(const od_mapping *mapping, od_role role)
{
    for (int i = 0; i < mapping->entry_count; i++)
        if (mapping->entries[i].role == role && mapping->entries[i].use & OD_USE_ROTATION) return true;
    return false;
}

static void check_sides(const od_mapping *preset, const od_skeleton *own, od_arena *arena)
{
    (void)own;
    (void)arena;
    for (int i = 0; i < preset->entry_count; i++) {
        const od_map_entry *entry = &preset->entries[i];
        if (entry->role == OD_ROLE_NONE) print_error("%s: %s is no role\n", preset->name, entry->target);
        assert_int_not_equal(entry->role, OD_ROLE_NONE);
        if (entry->role >= OD_ROLE_SIDED && !drives(preset, od_role_mirror(entry->role)))
            fail_msg("%s drives %s but not the other side", preset->name, entry->target);
    }
}

static void presets_drive_both_sides_by_bones_of_the_standard(void **state)
{
    (void)state;
    for_each_preset(check_sides);
}

static void check_lint(const od_mapping *preset, const od_skeleton *own, od_arena *arena)
{
    od_error error = {0};
    od_target target;
    od_finding *findings;
    int count, wrong = 0;
    assert_ok(od_target_standard(&target, arena, &error), error);
    od_scene scene = {.skeleton = *own};
    assert_ok(od_mapping_lint(preset, &scene, &target, &findings, &count, arena, &error), error);
    for (int i = 0; i < count; i++) {
        if (!findings[i].wrong) continue;
        print_error("%s: %s: %s\n", preset->name, findings[i].path, findings[i].text);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void nothing_is_wrong_with_a_preset_on_its_own_rig(void **state)
{
    (void)state;
    for_each_preset(check_lint);
}

static void check_detection(const od_mapping *preset, const od_skeleton *own, od_arena *arena)
{
    od_error error = {0};
    od_mapping found;
    od_report report = {.arena = arena};
    od_skeleton skeleton = *own;
    /* What a preset asks for may be a joint that it does not map. */
    skeleton.bones = OD_NEW(arena, od_bone, (size_t)(own->count + preset->require_count), &error);
    assert_non_null(skeleton.bones);
    memcpy(skeleton.bones, own->bones, (size_t)own->count * sizeof *own->bones);
    for (int i = 0; i < preset->require_count; i++)
        if (od_skeleton_find(own, preset->require[i]) < 0)
            skeleton.bones[skeleton.count++] =
                (od_bone){.name = preset->require[i], .parent = 0, .rest = od_xform_identity()};
    od_skeleton_finish(&skeleton);
    assert_ok(od_mapping_detect(&skeleton, &found, &report, arena, &error), error);
    for (int r = 0; r < OD_ROLE_COUNT; r++) {
        int meant = source_joint(preset, &skeleton, r, arena), got = source_joint(&found, &skeleton, r, arena);
        if (meant != got)
            print_error("%s is taken for %s: %s is %s, not %s\n", preset->name, found.name, od_role_name(r),
                        got < 0 ? "nothing" : skeleton.bones[got].name,
                        meant < 0 ? "nothing" : skeleton.bones[meant].name);
        assert_int_equal(meant, got);
    }
}

/* By itself or by one that means the same. */
static void a_rig_is_known_by_its_own_names(void **state)
{
    (void)state;
    for_each_preset(check_detection);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unverified_presets_say_so_in_their_title),
        cmocka_unit_test(presets_drive_both_sides_by_bones_of_the_standard),
        cmocka_unit_test(nothing_is_wrong_with_a_preset_on_its_own_rig),
        cmocka_unit_test(a_rig_is_known_by_its_own_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
