/* Input: a skeleton. Output: the preset that fits its names, or a mapping made from its shape. */
#include <string.h>

#include "mapping/name.h"
#include "mapping/structure.h"
#include "odori/binding.h"

/* Is `joint` below `above`? */
static bool is_below(const od_skeleton *skeleton, int joint, int above)
{
    while (joint > above) joint = skeleton->bones[joint].parent;
    return joint == above;
}

static void find_joints(const od_mapping *mapping, const od_skeleton *skeleton, int *joint)
{
    for (int r = 0; r < OD_ROLE_COUNT; r++) joint[r] = -1;
    for (int i = 0; i < mapping->entry_count; i++) {
        const od_map_entry *entry = &mapping->entries[i];
        if (entry->role == OD_ROLE_NONE || !(entry->use & OD_USE_ROTATION)) continue;
        joint[entry->role] = od_mapping_joint(mapping, skeleton, entry->source);
    }
}

/* Thigh, shin and foot, upper arm, forearm and hand of both sides must be there, each below the one
 * before it: names that mean another thing in another rig (LeftShoulder) fail here. */
static bool has_limbs(const od_skeleton *skeleton, const int *joint)
{
    static const od_role limbs[][3] = {{OD_ROLE_LEG_L, OD_ROLE_KNEE_L, OD_ROLE_ANKLE_L},
                                       {OD_ROLE_ARM_L, OD_ROLE_ELBOW_L, OD_ROLE_WRIST_L}};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 3; k++) {
                int here = joint[limbs[i][k] + side], above = k ? joint[limbs[i][k - 1] + side] : -1;
                if (here < 0 || (k && (here == above || !is_below(skeleton, here, above)))) return false;
            }
    return true;
}

/* Is a joint seen earlier in the mapping? Hips stand in it twice. */
static bool repeated(const od_mapping *mapping, int index)
{
    for (int i = 0; i < index; i++)
        if (!strcmp(mapping->entries[i].source, mapping->entries[index].source)) return true;
    return false;
}

od_fit od_mapping_fit(const od_mapping *mapping, const od_skeleton *skeleton)
{
    int joint[OD_ROLE_COUNT];
    od_fit fit = {.required = true};
    for (int i = 0; i < mapping->entry_count; i++) {
        if (repeated(mapping, i)) continue;
        fit.total++;
        fit.found += od_mapping_joint(mapping, skeleton, mapping->entries[i].source) >= 0;
    }
    for (int i = 0; i < mapping->require_count; i++)
        if (od_mapping_joint(mapping, skeleton, mapping->require[i]) < 0) fit.required = false;
    find_joints(mapping, skeleton, joint);
    fit.required = fit.required && has_limbs(skeleton, joint);
    return fit;
}

/* Joints found count, found to the letter more; a preset that knows a joint which only its rig has is
 * preferred, and of presets that find the same the one that misses less. */
static float score(const od_mapping *mapping, const od_skeleton *skeleton, const od_fit *fit)
{
    float exact = 0;
    for (int i = 0; i < mapping->entry_count; i++) exact += od_skeleton_find(skeleton, mapping->entries[i].source) >= 0;
    return (float)fit->found + 0.5f * exact + 2.0f * (float)mapping->require_count -
           0.02f * (float)(fit->total - fit->found);
}

bool od_mapping_detect(const od_skeleton *skeleton, od_mapping *mapping, od_report *report, od_arena *arena,
                       od_error *error)
{
    float best = 0;
    od_fit best_fit = {0};
    for (int i = 0; i < od_preset_count(); i++) {
        od_mapping preset;
        if (!od_preset_load(i, &preset, arena, error)) return false;
        od_fit fit = od_mapping_fit(&preset, skeleton);
        float now = score(&preset, skeleton, &fit);
        if (!fit.required || now <= best) continue;
        best = now;
        best_fit = fit;
        *mapping = preset;
    }
    if (best > 0) {
        od_choice(report, "mapping: %s: %d of %d joints found", mapping->name, best_fit.found, best_fit.total);
        return true;
    }
    if (!od_mapping_from_structure(skeleton, mapping, report, arena, error))
        return od_fail(error, "no preset fits the joints' names and the skeleton has no shape of a person; "
                              "write a mapping (`odori map`) and give it with -m");
    od_choice(report, "mapping: no preset fits; %d joints found by the shape of the skeleton", mapping->entry_count);
    return true;
}
