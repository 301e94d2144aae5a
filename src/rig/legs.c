/* Input: a model at work whose legs are known. Output: 足D, ひざD, 足首D, which follow the legs and carry the
 * mesh, so that a motion can turn legs on top of IK; 足先EX, which bends the tip of the foot. */
#include "rig/foot.h"
#include "rig/skin.h"

enum { TURNS = OD_BONE_ROTATABLE | OD_BONE_VISIBLE | OD_BONE_OPERABLE, JOINTS = 3 };

/* Is the bone part of how IK moves legs? */
static bool belongs_to_ik(const od_work *work, int bone)
{
    const od_model *model = work->model;
    if (model->bones[bone].flags & OD_BONE_IK) return true;
    for (int i = 0; i < model->bone_count; i++) {
        const od_ik_chain *ik = &model->bones[i].ik;
        if (!(model->bones[i].flags & OD_BONE_IK)) continue;
        if (ik->effector == bone) return true;
        for (int k = 0; k < ik->link_count; k++)
            if (ik->links[k].bone == bone) return true;
    }
    return false;
}

/* What hangs on a joint, but for the leg itself and its IK, goes with the mesh. */
static void rehang(od_work *work, int joint, int d, int next, int toe)
{
    for (int i = 0; i < work->model->bone_count; i++) {
        bool is_leg = i == d || i == toe || (next >= 0 && od_work_is_below(work, next, i));
        if (od_work_bone(work, i)->parent == joint && !is_leg && !belongs_to_ik(work, i)) od_work_hang(work, i, d);
    }
}

/* The tip of the foot takes over from the ankle within a third of the foot's length. */
static bool need_toe(od_work *work, int side)
{
    od_role role = OD_ROLE_TOE_EX_L + side;
    int ankle = work->role[OD_ROLE_ANKLE_L + side], d = work->role[OD_ROLE_ANKLE_D_L + side];
    int toe = work->role[OD_ROLE_TOE_L + side], carrier = d >= 0 ? d : ankle;
    bool there = work->role[role] >= 0;
    od_addition addition = {.role = role, .parent = carrier, .flags = TURNS, .before = -1};
    addition.beside = carrier;
    addition.frame = "足";
    addition.frame_en = "legs";
    if (there) return od_work_need(work, &addition) >= 0;
    vec3s at = od_work_bone(work, ankle)->position, tip;
    if (toe >= 0) tip = od_work_bone(work, toe)->position;
    else if (!od_foot_tip(work, side, &tip)) return false;
    addition.position = glms_vec3_lerp(at, tip, 0.5F);
    int bone = od_work_add(work, &addition);
    if (bone < 0) return false;
    vec3s reach = glms_vec3_scale(od_vec3(tip.x - at.x, 0, tip.z - at.z), 1.0F / 6);
    if (glms_vec3_norm(reach) > 0)
        od_skin_spread(work->model, carrier, glms_vec3_sub(addition.position, reach),
                       glms_vec3_add(addition.position, reach), (int[]){carrier, bone}, 2);
    return true;
}

static bool knows_leg(const od_work *work, int side)
{
    int leg = work->role[OD_ROLE_LEG_L + side], knee = work->role[OD_ROLE_KNEE_L + side];
    int ankle = work->role[OD_ROLE_ANKLE_L + side];
    if (leg >= 0 && knee >= 0 && ankle >= 0 && od_work_is_below(work, ankle, knee) && od_work_is_below(work, knee, leg))
        return true;
    od_warn(work->report, "%s, knee and ankle are not known, so nothing is added to them",
            od_role_name(OD_ROLE_LEG_L + side));
    return false;
}

static bool add_side(od_work *work, int side)
{
    static const od_role joints[JOINTS] = {OD_ROLE_LEG_L, OD_ROLE_KNEE_L, OD_ROLE_ANKLE_L};
    static const od_role ds[JOINTS] = {OD_ROLE_LEG_D_L, OD_ROLE_KNEE_D_L, OD_ROLE_ANKLE_D_L};
    int toe = work->role[OD_ROLE_TOE_L + side];
    int parent = od_work_bone(work, work->role[OD_ROLE_LEG_L + side])->parent;
    for (int i = 0; i < JOINTS; i++) {
        int joint = work->role[joints[i] + side], next = i + 1 < JOINTS ? work->role[joints[i + 1] + side] : -1;
        bool there = work->role[ds[i] + side] >= 0;
        od_addition addition = {.role = ds[i] + side,
                                .parent = parent,
                                .position = od_work_bone(work, joint)->position,
                                .flags = TURNS,
                                .before = -1,
                                .beside = joint,
                                .frame = "足",
                                .frame_en = "legs"};
        int d = od_work_need(work, &addition);
        if (d < 0) return false;
        parent = d;
        if (there) continue;
        od_work_follow(work, d, joint, 1);
        od_skin_move(work->model, joint, d);
        rehang(work, joint, d, next, toe);
    }
    return need_toe(work, side);
}

bool od_rig_dbones(od_work *work)
{
    for (int side = 0; side < 2; side++)
        if (knows_leg(work, side) && !add_side(work, side)) return false;
    return true;
}

bool od_rig_toes(od_work *work)
{
    for (int side = 0; side < 2; side++)
        if (knows_leg(work, side) && !need_toe(work, side)) return false;
    return true;
}
