/* Input: a mapping. Output: a skeleton that it fits, in the standard model's pose. */
#include "source.h"

#include "odori/target.h"

static const od_map_entry *entry_of(const od_mapping *mapping, od_role role)
{
    for (int i = 0; i < mapping->entry_count; i++)
        if (mapping->entries[i].role == role) return &mapping->entries[i];
    return NULL;
}

static int joint_of(const od_mapping *mapping, const od_skeleton *skeleton, od_role role)
{
    const od_map_entry *entry = role == OD_ROLE_NONE ? NULL : entry_of(mapping, role);
    return entry ? od_skeleton_find(skeleton, entry->source) : -1;
}

/* The joint of the nearest bone above that has one, else the root. */
static int parent_of(const od_mapping *mapping, const od_target *target, const od_skeleton *skeleton, int bone)
{
    for (int b = target->skeleton.bones[bone].parent; b >= 0; b = target->skeleton.bones[b].parent) {
        od_role role = target->bones[b].role;
        if (role >= OD_ROLE_LEG_D_L && role <= OD_ROLE_ANKLE_D_R) role -= OD_ROLE_LEG_D_L - OD_ROLE_LEG_L;
        int top = role == OD_ROLE_UPPER_BODY2 ? joint_of(mapping, skeleton, OD_ROLE_UPPER_BODY3) : -1;
        int joint = top >= 0 ? top : joint_of(mapping, skeleton, role);
        if (joint >= 0) return joint;
    }
    return skeleton->count ? 0 : -1;
}

static void put(const od_mapping *mapping, od_skeleton *skeleton, od_role role, int parent, vec3s at)
{
    const od_map_entry *entry = role == OD_ROLE_NONE ? NULL : entry_of(mapping, role);
    if (!entry || od_skeleton_find(skeleton, entry->source) >= 0) return;
    vec3s above = parent < 0 ? od_vec3(0, 0, 0) : skeleton->bones[parent].rest_world.t;
    od_bone *bone = &skeleton->bones[skeleton->count++];
    *bone = (od_bone){.name = entry->source, .parent = parent, .rest = od_xform_identity()};
    bone->rest.t = glms_vec3_sub(at, above);
    bone->rest_world.t = at;
}

od_skeleton source_of_mapping(const od_mapping *mapping, const char *prefix, const char *suffix, od_arena *arena)
{
    od_error error = {0};
    od_target target;
    assert_ok(od_target_standard(&target, arena, &error), error);
    od_skeleton skeleton = {.bones = OD_NEW(arena, od_bone, OD_ROLE_COUNT, &error)};
    assert_non_null(skeleton.bones);
    /* The hips are where they are in a person, whatever bone at the ground they drive as well. */
    put(mapping, &skeleton, OD_ROLE_LOWER_BODY, -1,
        target.skeleton.bones[target.role[OD_ROLE_LOWER_BODY]].rest_world.t);
    for (int b = 0; b < target.skeleton.count; b++) {
        od_role role = target.bones[b].role;
        vec3s at = target.skeleton.bones[b].rest_world.t;
        put(mapping, &skeleton, role, parent_of(mapping, &target, &skeleton, b), at);
        if (role != OD_ROLE_UPPER_BODY2) continue;
        /* The standard model has no third spine. */
        vec3s neck = target.skeleton.bones[target.role[OD_ROLE_NECK]].rest_world.t;
        put(mapping, &skeleton, OD_ROLE_UPPER_BODY3, joint_of(mapping, &skeleton, OD_ROLE_UPPER_BODY2),
            glms_vec3_lerp(at, neck, 0.5f));
    }
    for (int i = 0; i < skeleton.count; i++) {
        skeleton.bones[i].name = od_arena_format(arena, &error, "%s%s%s", prefix, skeleton.bones[i].name, suffix);
        assert_non_null(skeleton.bones[i].name);
    }
    od_skeleton_finish(&skeleton);
    return skeleton;
}

int source_joint(const od_mapping *mapping, const od_skeleton *skeleton, od_role role, od_arena *arena)
{
    od_error error = {0};
    od_target target;
    od_binding binding;
    assert_ok(od_target_standard(&target, arena, &error), error);
    assert_ok(od_binding_make(mapping, skeleton, &target, &binding, NULL, arena, &error), error);
    return binding.source_of_role[role];
}

od_mapping source_preset(const char *name, od_arena *arena)
{
    od_error error = {0};
    od_mapping mapping = {0};
    int i = 0;
    while (i < od_preset_count() && strcmp(od_preset_name(i), name) != 0) i++;
    if (i == od_preset_count()) fail_msg("there is no preset %s", name);
    assert_ok(od_preset_load(i, &mapping, arena, &error), error);
    return mapping;
}
