/* Input: a mapping, a source skeleton, a target. Output: rows of indices, and for each role the joint
 * that drives it. What is not there is told; what is essential and not there is a failure. */
#include "odori/binding.h"

#include <stdio.h>
#include <string.h>

#include "mapping/name.h"

static versors offset_of(vec3s degrees)
{
    const float radians[3] = {degrees.x * 0.0174532925f, degrees.y * 0.0174532925f, degrees.z * 0.0174532925f};
    return od_quat_euler("xyz", radians);
}

/* Bones without a role that no key moves or that are no business of a mapping. */
static void warn_bone(const od_target *target, const od_map_entry *entry, int bone, od_report *report)
{
    unsigned flags = bone < 0 ? 0 : target->bones[bone].flags;
    if (bone < 0) od_warn(report, "the target has no bone \"%s\"", entry->target);
    else if (flags & OD_BONE_IK || (flags & OD_BONE_APPEND_ROTATION && entry->use & OD_USE_ROTATION))
        od_warn(report, "the target moves its bone \"%s\" itself", entry->target);
}

/* Of joints that travel the innermost moves the body: a root's travel is in the hips' as well. */
static void choose_travel(od_binding *binding, const od_skeleton *source, const od_map_entry *entry, int joint)
{
    int now = binding->translation_source;
    bool body = entry->role >= OD_ROLE_MOTHER && entry->role <= OD_ROLE_LOWER_BODY;
    if (!body || !(entry->use & OD_USE_TRANSLATION)) return;
    if (now < 0 || od_skeleton_is_below(source, joint, now)) binding->translation_source = joint;
}

static void add_row(od_binding *binding, const od_map_entry *entry, int source, int bone)
{
    versors offset = offset_of(entry->offset);
    binding->rows[binding->count++] =
        (od_bound){.source = source, .role = entry->role, .bone = bone, .use = entry->use, .offset = offset};
    if (entry->role == OD_ROLE_NONE || !(entry->use & OD_USE_ROTATION)) return;
    binding->source_of_role[entry->role] = source;
    binding->offset_of_role[entry->role] = offset;
}

/* One more name in a list of names; one that does not fit is left out. */
static void append(char *list, size_t size, const char *name)
{
    size_t used = strlen(list);
    int n = snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
    if (n < 0 || (size_t)n >= size - used) list[used] = '\0';
}

static bool check_essential(const od_binding *binding, const od_mapping *mapping, od_error *error)
{
    static const od_role essential[] = {OD_ROLE_LEG_L,  OD_ROLE_LEG_R,   OD_ROLE_KNEE_L,
                                        OD_ROLE_KNEE_R, OD_ROLE_ANKLE_L, OD_ROLE_ANKLE_R};
    char missing[256] = "";
    for (size_t i = 0; i < sizeof essential / sizeof *essential; i++) {
        if (binding->source_of_role[essential[i]] >= 0) continue;
        append(missing, sizeof missing, od_role_name(essential[i]));
    }
    if (*missing)
        return od_fail(error, "mapping \"%s\" finds no joint for %s in this source; `odori map` writes one for editing",
                       mapping->name, missing);
    for (int r = OD_ROLE_LEG_L; r <= OD_ROLE_ANKLE_R; r++)
        for (int k = OD_ROLE_LEG_L; k < r; k++)
            if (binding->source_of_role[r] == binding->source_of_role[k])
                return od_fail(error, "mapping \"%s\" drives %s and %s by one joint", mapping->name, od_role_name(k),
                               od_role_name(r));
    return true;
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

/* Names what the source lacks in one line, however much that is (fingers mostly). */
static void tell_missing(const od_mapping *mapping, const od_names *names, od_report *report)
{
    char list[256] = "";
    int missing = 0;
    for (int i = 0; i < mapping->entry_count; i++) {
        const od_map_entry *entry = &mapping->entries[i];
        if (od_names_find(names, entry->source, entry->nth) >= 0) continue;
        if (missing++ < 4) append(list, sizeof list, entry->source);
    }
    if (missing > 4) od_choice(report, "%d joints of the mapping are not in the source: %s, ...", missing, list);
    else if (missing) od_choice(report, "joints of the mapping that are not in the source: %s", list);
}

bool od_binding_make(const od_mapping *mapping, const od_skeleton *source, const od_target *target, od_binding *binding,
                     od_report *report, od_arena *arena, od_error *error)
{
    od_names names;
    *binding = (od_binding){.translation_source = -1, .morphs = mapping->morphs, .morph_count = mapping->morph_count};
    for (int r = 0; r < OD_ROLE_COUNT; r++) {
        binding->source_of_role[r] = -1;
        binding->offset_of_role[r] = od_quat_identity();
    }
    binding->rows = OD_NEW(arena, od_bound, (size_t)mapping->entry_count, error);
    if (!binding->rows || !od_names_make(mapping, source, &names, arena, error)) return false;
    for (int i = 0; i < mapping->entry_count; i++) {
        const od_map_entry *entry = &mapping->entries[i];
        int joint = od_names_find(&names, entry->source, entry->nth);
        int bone = od_entry_bone(entry, target);
        if (entry->role == OD_ROLE_NONE) warn_bone(target, entry, bone, report);
        if (joint < 0) continue;
        add_row(binding, entry, joint, bone);
        choose_travel(binding, source, entry, joint);
    }
    if (binding->translation_source < 0) binding->translation_source = binding->source_of_role[OD_ROLE_LOWER_BODY];
    if (!check_essential(binding, mapping, error)) return false;
    tell_missing(mapping, &names, report);
    warn_roles(binding, target, report);
    return true;
}
