/* Input: a skeleton whose file knows what its joints are. Output: a mapping of them, names aside. */
#include "mapping/name.h"

/* Roles that a mapping drives: not those that the model moves itself, nor what only IK needs. */
static bool is_driven(int role)
{
    bool view = role == OD_ROLE_VIEW_CENTER, tip = role == OD_ROLE_TOE_L || role == OD_ROLE_TOE_R;
    return role > OD_ROLE_NONE && role < OD_ROLE_COUNT && !view && !tip && !od_role_follows((od_role)role) &&
           !od_role_is_leg_ik((od_role)role);
}

static void add(od_mapping *mapping, const od_skeleton *skeleton, int joint, od_role role)
{
    mapping->entries[mapping->entry_count++] = (od_map_entry){.source = skeleton->bones[joint].name,
                                                              .nth = od_name_nth(skeleton, joint),
                                                              .target = od_role_name(role),
                                                              .role = role,
                                                              .use = od_use_default(role)};
}

bool od_mapping_from_roles(const od_skeleton *skeleton, const int *roles, od_mapping *mapping, od_report *report,
                           od_arena *arena, od_error *error)
{
    *mapping = (od_mapping){.name = "model", .title = "what the source says of its joints", .verified = true};
    mapping->entries = OD_NEW(arena, od_map_entry, (size_t)skeleton->count + 1, error);
    if (!mapping->entries) return false;
    int hips = -1;
    bool travels = false; /* a joint of its own does */
    for (int i = 0; i < skeleton->count; i++) {
        if (!is_driven(roles[i])) continue;
        add(mapping, skeleton, i, (od_role)roles[i]);
        travels = travels || od_use_default((od_role)roles[i]) == OD_USE_TRANSLATION;
        if (roles[i] == OD_ROLE_LOWER_BODY) hips = i;
    }
    od_choice(report, "mapping: the source says which joint is which: %d of %d", mapping->entry_count, skeleton->count);
    if (!travels && hips >= 0) add(mapping, skeleton, hips, OD_ROLE_CENTER);
    return true;
}
