/* Input: a model at work. Output: 全ての親, センター, グルーブ, 腰 and 腰キャンセル above what they carry.
 * Places are those of miu200521358's tools (mlib_go, vroid2pmx): センター at 0.65 and グルーブ at 0.7 of the
 * height of 上半身, 腰 between 上半身 and 下半身. */
#include "rig/work.h"

enum {
    TURNS = OD_BONE_ROTATABLE | OD_BONE_VISIBLE | OD_BONE_OPERABLE,
    MOVES = TURNS | OD_BONE_MOVABLE,
    HIDDEN = OD_BONE_ROTATABLE
};

/* Bones that a new one of the trunk shall carry: the first two hang on none of each other. */
typedef struct tops {
    int bone[2];
    int count;
} tops;

/* What hangs lower than `role`: the next of グルーブ and 腰 that is there, else 上半身 and 下半身. */
static tops find_tops(const od_work *work, od_role role)
{
    tops found = {.count = 0};
    for (int r = role + 1; r <= OD_ROLE_WAIST && !found.count; r++)
        if (work->role[r] >= 0) found.bone[found.count++] = work->role[r];
    for (int r = OD_ROLE_LOWER_BODY; r <= OD_ROLE_UPPER_BODY && found.count < 2; r++) {
        if (found.count == 1 && found.bone[0] != work->role[OD_ROLE_LOWER_BODY]) break; /* グルーブ or 腰 */
        if (work->role[r] >= 0) found.bone[found.count++] = work->role[r];
    }
    return found;
}

/* On plain skeletons the hips carry the spine: then the parent of the hips is that of both. */
static int parent_of(const od_work *work, const tops *found)
{
    int top = found->bone[0];
    if (found->count > 1 && od_work_is_below(work, top, found->bone[1])) top = found->bone[1];
    return od_work_bone(work, top)->parent;
}

static int first_of(const od_work *work, const tops *found)
{
    int bone = work->first;
    while (bone != found->bone[0] && (found->count < 2 || bone != found->bone[1])) bone = work->next[bone];
    return bone;
}

/* A bone of the trunk above 上半身 and 下半身, unless it is there. */
static bool need_above(od_work *work, od_role role, vec3s position, unsigned flags)
{
    tops found = find_tops(work, role);
    bool there = work->role[role] >= 0;
    if (!there && !found.count) {
        od_warn(work->report, "no bone of the trunk is known, so %s cannot be added", od_role_name(role));
        return true;
    }
    od_addition bone = {.role = role, .position = position, .flags = flags, .frame = "センター", .frame_en = "center"};
    bone.parent = there ? -1 : parent_of(work, &found);
    bone.before = there ? -1 : first_of(work, &found);
    bone.beside = bone.parent;
    int added = od_work_need(work, &bone);
    if (added < 0) return false;
    for (int i = 0; !there && i < found.count; i++) od_work_hang(work, found.bone[i], added);
    return true;
}

/* A share of the height of 上半身, in the middle. */
static vec3s at_height(const od_work *work, float share)
{
    int upper = work->role[OD_ROLE_UPPER_BODY];
    if (upper < 0) upper = work->role[OD_ROLE_LOWER_BODY];
    return od_vec3(0, upper < 0 ? 0 : share * od_work_bone(work, upper)->position.y, 0);
}

bool od_rig_parents(od_work *work)
{
    bool there = work->role[OD_ROLE_MOTHER] >= 0;
    int given = work->model->bone_count;
    od_addition mother = {.role = OD_ROLE_MOTHER,
                          .parent = -1,
                          .flags = MOVES,
                          .before = work->first,
                          .beside = -1,
                          .frame = "Root",
                          .frame_en = "Root"};
    int bone = od_work_need(work, &mother);
    for (int i = 0; i < given && !there && bone >= 0; i++)
        if (od_work_bone(work, i)->parent < 0 && i != work->role[OD_ROLE_VIEW_CENTER]) od_work_hang(work, i, bone);
    return bone >= 0;
}

bool od_rig_center(od_work *work)
{
    return need_above(work, OD_ROLE_CENTER, at_height(work, 0.65F), MOVES);
}

/* All that センター carries goes with グルーブ. */
bool od_rig_groove(od_work *work)
{
    bool there = work->role[OD_ROLE_GROOVE] >= 0;
    if (!need_above(work, OD_ROLE_GROOVE, at_height(work, 0.7F), MOVES)) return false;
    int center = work->role[OD_ROLE_CENTER], groove = work->role[OD_ROLE_GROOVE];
    if (there || groove < 0 || center < 0 || od_work_bone(work, groove)->parent != center) return true;
    for (int i = 0; i < work->model->bone_count; i++) {
        bool is_ik = od_work_bone(work, i)->flags & OD_BONE_IK;
        if (i != groove && !is_ik && od_work_bone(work, i)->parent == center) od_work_hang(work, i, groove);
    }
    return true;
}

/* A bone that takes back for a leg what 腰 turns. */
static bool cancel(od_work *work, int side)
{
    int leg = work->role[OD_ROLE_LEG_L + side], d = work->role[OD_ROLE_LEG_D_L + side];
    int waist = work->role[OD_ROLE_WAIST];
    od_role role = OD_ROLE_WAIST_CANCEL_L + side;
    bool there = work->role[role] >= 0;
    if (!there && (leg < 0 || !od_work_is_below(work, leg, waist))) return true;
    od_addition addition = {.role = role, .flags = HIDDEN, .before = leg, .beside = -1};
    if (!there) {
        addition.parent = od_work_bone(work, leg)->parent;
        addition.position = od_work_bone(work, leg)->position;
    }
    int bone = od_work_need(work, &addition);
    if (bone < 0 || there) return bone >= 0;
    od_work_follow(work, bone, waist, -1);
    if (d >= 0 && od_work_bone(work, d)->parent == addition.parent) od_work_hang(work, d, bone);
    od_work_hang(work, leg, bone);
    return true;
}

/* A 腰 that was there turns the legs as it always did. */
bool od_rig_waist(od_work *work)
{
    int upper = work->role[OD_ROLE_UPPER_BODY], lower = work->role[OD_ROLE_LOWER_BODY];
    vec3s position = upper >= 0 && lower >= 0 ? od_work_middle(work, upper, lower) : at_height(work, 0.95F);
    bool there = work->role[OD_ROLE_WAIST] >= 0;
    if (!need_above(work, OD_ROLE_WAIST, position, TURNS)) return false;
    return there || work->role[OD_ROLE_WAIST] < 0 || (cancel(work, 0) && cancel(work, 1));
}
