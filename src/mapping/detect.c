/* Input: a skeleton. Output: the preset that fits its names, or a mapping made from its shape. */
#include <string.h>

#include "mapping/name.h"
#include "mapping/structure.h"
#include "odori/mapping.h"

/* How well a mapping fits against others: what comes first counts most. */
enum { LINKS, JOINTS, EXACT, VERIFIED, RANKS };

/* A sign is a joint or a prefix that only one rig has. It counts as so many joints: rigs with names that
 * many have in common (Hips, LeftArm) differ by eyes and fingers that come and go. */
enum { SIGN = 3 };

typedef struct trial {
    od_fit fit;
    int rank[RANKS];
} trial;

static bool is_better(const trial *a, const trial *b)
{
    for (int i = 0; i < RANKS; i++)
        if (a->rank[i] != b->rank[i]) return a->rank[i] > b->rank[i];
    return false;
}

/* 1: `lower` hangs below `upper`; 0: they are in no line, as in rigs whose deforming bones lie side by
 * side; -1: it is the other way round, or one of them is not there. */
static int link_of(const od_skeleton *skeleton, int upper, int lower)
{
    if (upper < 0 || lower < 0 || od_skeleton_is_below(skeleton, upper, lower)) return -1;
    return od_skeleton_is_below(skeleton, lower, upper);
}

/* Thigh, shin and foot, upper arm and forearm of both sides must be there, the hips and some joint of
 * the trunk. Returns how many neighbours in limbs hang together, -1 when something is missing: names
 * that mean another joint in another rig (LeftShoulder) come to light here. */
static int count_links(const od_skeleton *skeleton, const int *joint)
{
    static const od_role pairs[][2] = {{OD_ROLE_LEG_L, OD_ROLE_KNEE_L},
                                       {OD_ROLE_KNEE_L, OD_ROLE_ANKLE_L},
                                       {OD_ROLE_ARM_L, OD_ROLE_ELBOW_L},
                                       {OD_ROLE_ELBOW_L, OD_ROLE_WRIST_L}};
    bool trunk = joint[OD_ROLE_UPPER_BODY] >= 0 || joint[OD_ROLE_UPPER_BODY2] >= 0 || joint[OD_ROLE_UPPER_BODY3] >= 0;
    int links = 0;
    if (!trunk || (joint[OD_ROLE_LOWER_BODY] < 0 && joint[OD_ROLE_CENTER] < 0)) return -1;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int side = 0; side < 2; side++) {
            int above = joint[pairs[i][0] + side], below = joint[pairs[i][1] + side];
            if (below < 0 && pairs[i][1] == OD_ROLE_WRIST_L) continue; /* there are rigs without hands */
            int link = link_of(skeleton, above, below);
            if (link < 0 || joint[pairs[i][0]] == joint[pairs[i][0] + 1]) return -1;
            links += link;
        }
    return links;
}

/* Is a joint seen earlier in the mapping? Hips stand in it twice. */
static bool repeated(const od_mapping *mapping, int index)
{
    const od_map_entry *entry = &mapping->entries[index];
    for (const od_map_entry *e = mapping->entries; e < entry; e++)
        if (e->nth == entry->nth && !strcmp(e->source, entry->source)) return true;
    return false;
}

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
        int joint = od_names_find(&names, entry->source, entry->nth);
        if (entry->role != OD_ROLE_NONE) joint_of_role[entry->role] = joint;
        if (repeated(mapping, i)) continue;
        t->fit.total++;
        t->fit.found += joint >= 0;
        t->rank[EXACT] += joint >= 0 && !strcmp(skeleton->bones[joint].name, entry->source);
    }
    for (int i = 0; i < mapping->require_count; i++)
        if (od_names_find(&names, mapping->require[i], 0) < 0) t->fit.required = false;
    t->rank[LINKS] = count_links(skeleton, joint_of_role);
    t->rank[JOINTS] = t->fit.found + SIGN * (mapping->require_count + (names.stripped * 2 > t->fit.found));
    t->rank[VERIFIED] = mapping->verified;
    t->fit.required = t->fit.required && t->rank[LINKS] >= 0;
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

/* Names of MMD's bones in spellings that its preset does not list, English ones too. */
static bool detect_mmd(const od_skeleton *skeleton, od_mapping *mapping, od_arena *arena, od_error *error)
{
    trial t;
    int *roles = OD_NEW(arena, int, (size_t)skeleton->count, error);
    if (!roles) return false;
    for (int i = 0; i < skeleton->count; i++) roles[i] = od_role_find(skeleton->bones[i].name);
    return od_mapping_from_roles(skeleton, roles, mapping, NULL, arena, error) &&
           try_mapping(mapping, skeleton, &t, arena, error) && t.fit.required;
}

bool od_mapping_detect(const od_skeleton *skeleton, od_mapping *mapping, od_report *report, od_arena *arena,
                       od_error *error)
{
    int best_index = -1;
    trial best = {0};
    for (int i = 0; i < od_preset_count(); i++) {
        trial t = {0};
        if (!try_preset(i, skeleton, &t, error)) return false;
        if (!t.fit.required || (best_index >= 0 && !is_better(&t, &best))) continue;
        best = t;
        best_index = i;
    }
    if (best_index >= 0) {
        if (!od_preset_load(best_index, mapping, arena, error)) return false;
        od_choice(report, "mapping: %s: %d of %d joints found", mapping->name, best.fit.found, best.fit.total);
        if (!mapping->verified)
            od_warn(report, "the preset %s was not tried on real files: look at the result", mapping->name);
        return true;
    }
    if (detect_mmd(skeleton, mapping, arena, error)) {
        od_choice(report, "mapping: names of MMD's bones: %d joints found", mapping->entry_count);
        return true;
    }
    if (error && error->failed) return false;
    if (!od_mapping_from_structure(skeleton, mapping, report, arena, error))
        return od_fail(error, "no preset fits the joints' names and the skeleton has no shape of a person; "
                              "write a mapping (`odori map`) and give it with -m");
    od_choice(report, "mapping: no preset fits; %d joints found by the shape of the skeleton", mapping->entry_count);
    return true;
}
