/* Input: a mapping, a source, a target. Output: what a person who wrote it should look at. */
#include <string.h>

#include "base/text.h"
#include "mapping/name.h"
#include "odori/binding.h"

enum { NAME_BYTES = 15 };

typedef struct finder {
    od_finding *findings;
    int count;
    od_arena *arena;
    od_error *error;
} finder;

static bool find(finder *f, bool wrong, int index, const char *text)
{
    od_finding *finding = &f->findings[f->count++];
    finding->wrong = wrong;
    finding->path = index < 0 ? "$.bones" : od_arena_format(f->arena, f->error, "$.bones[%d]", index);
    finding->text = text;
    return finding->path && text;
}

#define TELL(f, wrong, index, ...) find((f), (wrong), (index), od_arena_format((f)->arena, (f)->error, __VA_ARGS__))

static bool check_target(finder *f, int index, const od_map_entry *entry, const od_target *target)
{
    bool lost, cut;
    unsigned char field[NAME_BYTES];
    bool there = entry->role != OD_ROLE_NONE ? target->role[entry->role] >= 0
                                             : od_skeleton_find(&target->skeleton, entry->target) >= 0;
    od_text_to_cp932(entry->target, field, sizeof field, &lost, &cut);
    if (entry->role == OD_ROLE_NONE && (lost || cut) &&
        !TELL(f, true, index, "\"%s\" is %s", entry->target,
              cut ? "longer than the 15 bytes of a VMD" : "not in MMD's character set"))
        return false;
    return there || TELL(f, false, index, "the target has no \"%s\"", entry->target);
}

/* Sides by name, and by where the joint is at rest when both sides of a role are there. */
static bool check_side(finder *f, int index, const od_map_entry *entry)
{
    if (entry->role < OD_ROLE_SIDED) return true;
    int said = od_name_side(entry->source), meant = (entry->role - OD_ROLE_SIDED) % 2 ? 1 : -1;
    if (!said || said == meant) return true;
    return TELL(f, true, index, "\"%s\" drives %s: left and right are swapped", entry->source,
                od_role_name(entry->role));
}

static bool check_entry(finder *f, int index, const od_mapping *mapping, const od_skeleton *source,
                        const od_target *target)
{
    const od_map_entry *entry = &mapping->entries[index];
    int joint = od_mapping_joint(mapping, source, entry->source);
    if (joint < 0 && !TELL(f, true, index, "the source has no joint \"%s\"", entry->source)) return false;
    for (int i = 0; i < index; i++)
        if (joint >= 0 && mapping->entries[i].use & entry->use &&
            od_mapping_joint(mapping, source, mapping->entries[i].source) == joint &&
            !TELL(f, false, index, "joint \"%s\" drives %s too", entry->source, mapping->entries[i].target))
            return false;
    return check_side(f, index, entry) && check_target(f, index, entry, target);
}

static bool check_roles(finder *f, const od_mapping *mapping, const od_target *target)
{
    static const od_role body[] = {OD_ROLE_LOWER_BODY, OD_ROLE_UPPER_BODY, OD_ROLE_HEAD,    OD_ROLE_ARM_L,
                                   OD_ROLE_ARM_R,      OD_ROLE_ELBOW_L,    OD_ROLE_ELBOW_R, OD_ROLE_WRIST_L,
                                   OD_ROLE_WRIST_R,    OD_ROLE_LEG_L,      OD_ROLE_LEG_R,   OD_ROLE_KNEE_L,
                                   OD_ROLE_KNEE_R,     OD_ROLE_ANKLE_L,    OD_ROLE_ANKLE_R};
    for (size_t i = 0; i < sizeof body / sizeof *body; i++) {
        bool driven = false;
        for (int k = 0; k < mapping->entry_count; k++) driven = driven || mapping->entries[k].role == body[i];
        bool leg = body[i] >= OD_ROLE_LEG_L;
        if (!driven && target->role[body[i]] >= 0 && !TELL(f, leg, -1, "nothing drives %s", od_role_name(body[i])))
            return false;
    }
    return true;
}

bool od_mapping_lint(const od_mapping *mapping, const od_skeleton *source, const od_target *target,
                     od_finding **findings, int *count, od_arena *arena, od_error *error)
{
    enum { EACH = 8, ROLES = 16 };
    size_t entries = (size_t)mapping->entry_count;
    finder f = {.arena = arena, .error = error};
    f.findings = OD_NEW(arena, od_finding, entries * (EACH + entries) + ROLES, error);
    if (!f.findings) return false;
    for (int i = 0; i < mapping->entry_count; i++)
        if (!check_entry(&f, i, mapping, source, target)) return false;
    if (!check_roles(&f, mapping, target)) return false;
    *findings = f.findings;
    *count = f.count;
    return true;
}

bool od_mapping_complete(const od_mapping *mapping, const od_skeleton *source, od_mapping *complete,
                         const char ***unmapped, int *unmapped_count, od_arena *arena, od_error *error)
{
    bool *used = OD_NEW(arena, bool, (size_t)source->count, error);
    od_map_entry *entries = OD_NEW(arena, od_map_entry, (size_t)mapping->entry_count, error);
    *unmapped = OD_NEW(arena, const char *, (size_t)source->count, error);
    if (!used || !entries || !*unmapped) return false;
    *complete = *mapping;
    complete->entries = entries;
    complete->entry_count = 0;
    complete->verified = true;
    complete->strip_count = complete->require_count = 0; /* the names are the file's own */
    for (int i = 0; i < mapping->entry_count; i++) {
        int joint = od_mapping_joint(mapping, source, mapping->entries[i].source);
        if (joint < 0) continue;
        used[joint] = true;
        entries[complete->entry_count] = mapping->entries[i];
        entries[complete->entry_count++].source = source->bones[joint].name;
    }
    *unmapped_count = 0;
    for (int i = 0; i < source->count; i++)
        if (!used[i]) (*unmapped)[(*unmapped_count)++] = source->bones[i].name;
    return true;
}
