/* Input: a mapping, a source skeleton, a target. Output: rows of indices, and for each role the joint
 * that drives it. What is not there is told; what is essential and not there is a failure. */
#include "odori/binding.h"

#include <string.h>

#include "mapping/name.h"

int od_mapping_joint(const od_mapping *mapping, const od_skeleton *source, const char *name)
{
    int exact = od_skeleton_find(source, name);
    if (exact >= 0) return exact;
    /* A path (of a game's transforms) is matched by its last part when the file has no paths. */
    const char *slash = strrchr(name, '/');
    if (slash && slash[1]) {
        exact = od_skeleton_find(source, slash + 1);
        if (exact >= 0) return exact;
    }
    char wanted[OD_NAME_SIZE], folded[OD_NAME_SIZE];
    od_name_fold(mapping, slash && slash[1] ? slash + 1 : name, wanted);
    for (size_t prefix = 0, pass = 0; pass < 2; pass++, prefix = od_name_prefix(source))
        for (int i = 0; i < source->count && (prefix || !pass); i++) {
            od_name_fold(mapping, source->bones[i].name + prefix, folded);
            if (!strcmp(folded, wanted)) return i;
        }
    return -1;
}

static versors offset_of(vec3s degrees)
{
    const float radians[3] = {degrees.x * 0.0174532925f, degrees.y * 0.0174532925f, degrees.z * 0.0174532925f};
    return od_quat_euler("xyz", radians);
}

/* Target bone of an entry: by role, else by its own name. */
static int find_bone(const od_target *target, const od_map_entry *entry)
{
    if (entry->role != OD_ROLE_NONE) return target->role[entry->role];
    return od_skeleton_find(&target->skeleton, entry->target);
}

static void add_row(od_binding *binding, const od_map_entry *entry, int source, int bone, od_report *report)
{
    versors offset = offset_of(entry->offset);
    binding->rows[binding->count++] =
        (od_bound){.source = source, .role = entry->role, .bone = bone, .use = entry->use, .offset = offset};
    if (entry->use & OD_USE_TRANSLATION && binding->translation_source < 0) binding->translation_source = source;
    if (entry->role == OD_ROLE_NONE) {
        if (bone < 0) od_warn(report, "the target has no bone \"%s\"", entry->target);
        return;
    }
    if (!(entry->use & OD_USE_ROTATION) || binding->source_of_role[entry->role] >= 0) return;
    binding->source_of_role[entry->role] = source;
    binding->offset_of_role[entry->role] = offset;
}

static bool check_essential(const od_binding *binding, const od_mapping *mapping, od_error *error)
{
    static const od_role essential[] = {OD_ROLE_LEG_L,  OD_ROLE_LEG_R,   OD_ROLE_KNEE_L,
                                        OD_ROLE_KNEE_R, OD_ROLE_ANKLE_L, OD_ROLE_ANKLE_R};
    char missing[256] = "";
    for (size_t i = 0; i < sizeof essential / sizeof *essential; i++) {
        if (binding->source_of_role[essential[i]] >= 0) continue;
        size_t used = strlen(missing);
        const char *name = od_role_name(essential[i]);
        if (used + strlen(name) + 3 < sizeof missing) {
            if (used) strcat(missing, ", ");
            strcat(missing, name);
        }
    }
    if (!*missing) return true;
    return od_fail(error, "mapping \"%s\" finds no joint for %s in this source; `odori map` writes one for editing",
                   mapping->name, missing);
}

static void warn_roles(const od_binding *binding, const od_target *target, od_report *report)
{
    static const od_role body[] = {OD_ROLE_UPPER_BODY, OD_ROLE_HEAD,    OD_ROLE_ARM_L,   OD_ROLE_ARM_R,
                                   OD_ROLE_ELBOW_L,    OD_ROLE_ELBOW_R, OD_ROLE_WRIST_L, OD_ROLE_WRIST_R};
    for (size_t i = 0; i < sizeof body / sizeof *body; i++) {
        bool driven = binding->source_of_role[body[i]] >= 0, there = target->role[body[i]] >= 0;
        if (driven && !there)
            od_warn(report, "the target lacks %s: what the source does there is lost", od_role_name(body[i]));
        if (!driven && there)
            od_warn(report, "nothing drives %s: the mapping finds no joint for it", od_role_name(body[i]));
    }
}

bool od_binding_make(const od_mapping *mapping, const od_skeleton *source, const od_target *target, od_binding *binding,
                     od_report *report, od_arena *arena, od_error *error)
{
    *binding = (od_binding){.translation_source = -1};
    for (int r = 0; r < OD_ROLE_COUNT; r++) {
        binding->source_of_role[r] = -1;
        binding->offset_of_role[r] = od_quat_identity();
    }
    binding->rows = OD_NEW(arena, od_bound, (size_t)mapping->entry_count, error);
    if (!binding->rows) return false;
    for (int i = 0; i < mapping->entry_count; i++) {
        const od_map_entry *entry = &mapping->entries[i];
        int joint = od_mapping_joint(mapping, source, entry->source);
        if (joint >= 0) add_row(binding, entry, joint, find_bone(target, entry), report);
    }
    if (binding->translation_source < 0) binding->translation_source = binding->source_of_role[OD_ROLE_LOWER_BODY];
    if (!check_essential(binding, mapping, error)) return false;
    warn_roles(binding, target, report);
    return true;
}
