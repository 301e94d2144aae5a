/* Input: a model at work whose arms are known. Output: 肩P and 肩C; 腕捩 and 手捩 with three helpers each,
 * and the mesh of arm and forearm shared between them, so that a turn of the hand spreads along the arm. */
#include "rig/skin.h"
#include "rig/work.h"

enum { TURNS = OD_BONE_ROTATABLE | OD_BONE_VISIBLE | OD_BONE_OPERABLE, HIDDEN = OD_BONE_ROTATABLE };

/* ---- shoulders -------------------------------------------------------------------------------- */

static bool add_shoulder(od_work *work, int side)
{
    int shoulder = work->role[OD_ROLE_SHOULDER_L + side], arm = work->role[OD_ROLE_ARM_L + side];
    if (shoulder < 0 || arm < 0 || !od_work_is_below(work, arm, shoulder)) {
        od_warn(work->report, "%s and %s are not known, so no bone of the shoulder is added",
                od_role_name(OD_ROLE_SHOULDER_L + side), od_role_name(OD_ROLE_ARM_L + side));
        return true;
    }
    bool had_p = work->role[OD_ROLE_SHOULDER_P_L + side] >= 0, had_c = work->role[OD_ROLE_SHOULDER_C_L + side] >= 0;
    od_addition p = {.role = OD_ROLE_SHOULDER_P_L + side,
                     .parent = od_work_bone(work, shoulder)->parent,
                     .position = od_work_bone(work, shoulder)->position,
                     .flags = TURNS,
                     .before = shoulder,
                     .beside = shoulder,
                     .frame = "腕",
                     .frame_en = "arms"};
    int parent = od_work_need(work, &p);
    if (parent < 0) return false;
    if (!had_p) od_work_hang(work, shoulder, parent);
    od_addition c = {.role = OD_ROLE_SHOULDER_C_L + side,
                     .parent = od_work_bone(work, arm)->parent,
                     .position = od_work_bone(work, arm)->position,
                     .flags = HIDDEN,
                     .before = arm};
    int cancel = od_work_need(work, &c);
    if (cancel < 0 || had_c) return cancel >= 0;
    od_work_follow(work, cancel, parent, -1);
    od_work_hang(work, arm, cancel);
    return true;
}

bool od_rig_shoulders(od_work *work)
{
    return add_shoulder(work, 0) && add_shoulder(work, 1);
}

/* ---- twist ------------------------------------------------------------------------------------ */

enum { HELPERS = 3, STOPS = HELPERS + 2 };

/* The axes of a bone along `x`: Z ahead as far as it can. */
static void set_axes(od_model_bone *bone, vec3s x)
{
    vec3s ahead = od_vec3(0, 0, -1);
    bone->fixed_axis = bone->local_x = x;
    bone->local_z = od_vec3_normalize(glms_vec3_sub(ahead, glms_vec3_scale(x, glms_vec3_dot(ahead, x))));
    bone->flags |= OD_BONE_FIXED_AXIS | OD_BONE_LOCAL_AXES;
}

/* Helpers take a quarter, a half and three quarters of the twist, where they stand on the way. */
static bool add_helpers(od_work *work, int twist, int end, vec3s from, vec3s to, int *stops)
{
    for (int i = 1; i <= HELPERS; i++) {
        const od_model_bone *b = od_work_bone(work, twist);
        float share = (float)i / (HELPERS + 1);
        od_addition helper = {.role = OD_ROLE_NONE,
                              .name = od_arena_format(work->arena, work->error, "%s%d", b->name.utf8, i),
                              .name_en = od_arena_format(work->arena, work->error, "%s%d", b->name_en.utf8, i),
                              .parent = b->parent,
                              .position = glms_vec3_lerp(from, to, share),
                              .flags = HIDDEN,
                              .before = end};
        if (!helper.name || !helper.name_en || (stops[i] = od_work_add(work, &helper)) < 0) return false;
        od_work_follow(work, stops[i], twist, share);
    }
    return true;
}

/* The twist of a segment from bone `start` to bone `end`, between them. */
static bool add_twist(od_work *work, od_role role, int start, int end)
{
    bool there = work->role[role] >= 0;
    if (!there && (start < 0 || end < 0 || !od_work_is_below(work, end, start) || start == end)) {
        od_warn(work->report, "the bones at the ends of %s are not known, so it is not added", od_role_name(role));
        return true;
    }
    vec3s from = there ? od_vec3(0, 0, 0) : od_work_bone(work, start)->position;
    vec3s to = there ? from : od_work_bone(work, end)->position;
    vec3s axis = od_vec3_normalize(glms_vec3_sub(to, from));
    if (!there && glms_vec3_norm(axis) < 0.5F) {
        od_warn(work->report, "the bones at the ends of %s are in one place, so it is not added", od_role_name(role));
        return true;
    }
    od_addition addition = {.role = role,
                            .parent = there ? -1 : od_work_bone(work, end)->parent,
                            .position = glms_vec3_lerp(from, to, 0.5F),
                            .flags = TURNS,
                            .before = end,
                            .beside = start,
                            .frame = "腕",
                            .frame_en = "arms"};
    int twist = od_work_need(work, &addition);
    if (twist < 0 || there) return twist >= 0;
    int stops[STOPS] = {[0] = start, [STOPS - 1] = twist};
    set_axes(od_work_bone(work, twist), axis);
    if (!add_helpers(work, twist, end, from, to, stops)) return false;
    od_work_hang(work, end, twist);
    od_skin_spread(work->model, start, from, to, stops, STOPS);
    return true;
}

bool od_rig_twist(od_work *work)
{
    for (int side = 0; side < 2; side++) {
        int arm = work->role[OD_ROLE_ARM_L + side], elbow = work->role[OD_ROLE_ELBOW_L + side];
        int wrist = work->role[OD_ROLE_WRIST_L + side];
        if (!add_twist(work, OD_ROLE_ARM_TWIST_L + side, arm, elbow) ||
            !add_twist(work, OD_ROLE_WRIST_TWIST_L + side, elbow, wrist))
            return false;
    }
    return true;
}
