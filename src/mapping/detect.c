/* Input: a skeleton. Output: the preset that fits its names, or a mapping made from its shape. */
#include <string.h>

#include "mapping/name.h"
#include "mapping/structure.h"
#include "odori/mapping.h"

/* A mapping on a skeleton: its fit, and how good that is against other mappings. */
typedef struct trial {
    od_fit fit;
    float score;
} trial;

/* Thigh, shin and foot, upper arm and forearm of both sides must be there, each below the one before
 * it, and a hand, if any, below the forearm: names that mean another thing in another rig
 * (LeftShoulder) fail here. So must the hips and some joint of the trunk. */
static bool has_body(const od_skeleton *skeleton, const int *joint)
{
    static const od_role limbs[][3] = {{OD_ROLE_LEG_L, OD_ROLE_KNEE_L, OD_ROLE_ANKLE_L},
                                       {OD_ROLE_ARM_L, OD_ROLE_ELBOW_L, OD_ROLE_WRIST_L}};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 3; k++) {
                int here = joint[limbs[i][k] + side], above = k ? joint[limbs[i][k - 1] + side] : -1;
                bool hand = limbs[i][k] == OD_ROLE_WRIST_L;
                if (here < 0 && !hand) return false;
                if (here >= 0 && k && (here == above || !od_skeleton_is_below(skeleton, here, above))) return false;
            }
    bool trunk = joint[OD_ROLE_UPPER_BODY] >= 0 || joint[OD_ROLE_UPPER_BODY2] >= 0 || joint[OD_ROLE_UPPER_BODY3] >= 0;
    return trunk && (joint[OD_ROLE_LOWER_BODY] >= 0 || joint[OD_ROLE_CENTER] >= 0);
}

/* Is a joint seen earlier in the mapping? Hips stand in it twice. */
static bool repeated(const od_mapping *mapping, int index)
{
    for (int i = 0; i < index; i++)
        if (!strcmp(mapping->entries[i].source, mapping->entries[index].source)) return true;
    return false;
}

/* Joints found count, found to the letter more; a preset that knows a joint which only its rig has is
 * preferred, and of presets that find the same the one that misses less. */
static bool try_mapping(const od_mapping *mapping, const od_skeleton *skeleton, trial *t, od_arena *arena,
                        od_error *error)
{
    od_names names;
    int joint_of_role[OD_ROLE_COUNT];
    *t = (trial){.fit.required = true};
    if (!od_names_make(mapping, skeleton, &names, arena, error)) return false;
    for (int r = 0; r < OD_ROLE_COUNT; r++) joint_of_role[r] = -1;
    for (int i = 0; i < mapping->entry_count; i++) {
        const od_map_entry *entry = &mapping->entries[i];
        int joint = od_names_find(&names, entry->source);
        if (entry->role != OD_ROLE_NONE) joint_of_role[entry->role] = joint;
        if (repeated(mapping, i)) continue;
        t->fit.total++;
        t->fit.found += joint >= 0;
        if (joint >= 0) t->score += strcmp(skeleton->bones[joint].name, entry->source) ? 1 : 1.5f;
    }
    for (int i = 0; i < mapping->require_count; i++)
        if (od_names_find(&names, mapping->require[i]) < 0) t->fit.required = false;
    t->fit.required = t->fit.required && has_body(skeleton, joint_of_role);
    t->score += 2.0f * (float)mapping->require_count - 0.02f * (float)(t->fit.total - t->fit.found);
    return true;
}

od_fit od_mapping_fit(const od_mapping *mapping, const od_skeleton *skeleton)
{
    trial t = {0};
    od_arena *scratch = od_arena_new(0);
    if (!scratch || !try_mapping(mapping, skeleton, &t, scratch, NULL)) t.fit = (od_fit){0};
    od_arena_free(scratch);
    return t.fit;
}

static bool try_preset(int index, const od_skeleton *skeleton, trial *t, od_error *error)
{
    od_mapping preset;
    od_arena *scratch = od_arena_new(0);
    if (!scratch) return od_fail(error, "out of memory");
    bool done = od_preset_load(index, &preset, scratch, error) && try_mapping(&preset, skeleton, t, scratch, error);
    od_arena_free(scratch);
    return done;
}

bool od_mapping_detect(const od_skeleton *skeleton, od_mapping *mapping, od_report *report, od_arena *arena,
                       od_error *error)
{
    int best_index = -1;
    trial best = {0};
    for (int i = 0; i < od_preset_count(); i++) {
        trial t;
        if (!try_preset(i, skeleton, &t, error)) return false;
        if (!t.fit.required || (best_index >= 0 && t.score <= best.score)) continue;
        best = t;
        best_index = i;
    }
    if (best_index >= 0) {
        if (!od_preset_load(best_index, mapping, arena, error)) return false;
        od_choice(report, "mapping: %s: %d of %d joints found", mapping->name, best.fit.found, best.fit.total);
        return true;
    }
    if (!od_mapping_from_structure(skeleton, mapping, report, arena, error))
        return od_fail(error, "no preset fits the joints' names and the skeleton has no shape of a person; "
                              "write a mapping (`odori map`) and give it with -m");
    od_choice(report, "mapping: no preset fits; %d joints found by the shape of the skeleton", mapping->entry_count);
    return true;
}
