/* Input: a model at work whose legs are known. Output: 足IK親, 足ＩＫ and つま先ＩＫ of both sides.
 * Loops and limits are those of MMD's own models, or of OpenMLTD's MillionDance. */
#include "rig/foot.h"

enum { TURNS = OD_BONE_ROTATABLE | OD_BONE_VISIBLE | OD_BONE_OPERABLE, MOVES = TURNS | OD_BONE_MOVABLE };

typedef struct solver {
    int loops;
    float limit; /* radians a step */
} solver;

static const solver LEG[] = {[OD_RIG_MMD] = {40, 2}, [OD_RIG_MLTD] = {10, 2}};
static const solver TOE[] = {[OD_RIG_MMD] = {3, 4}, [OD_RIG_MLTD] = {10, 2}};

static const char *const sides[] = {"left", "right"};

/* The bones of a leg below each other. */
static bool has_leg(const od_work *work, int side)
{
    int chain[] = {work->role[OD_ROLE_LEG_L + side], work->role[OD_ROLE_KNEE_L + side],
                   work->role[OD_ROLE_ANKLE_L + side]};
    for (int i = 0; i < 3; i++)
        if (chain[i] < 0 || (i && !od_work_is_below(work, chain[i], chain[i - 1]))) return false;
    return true;
}

/* IK turns a knee about X alone, and cannot begin at one that is straight: the knee goes ahead of the line
 * from hip to ankle by a thousandth of the leg, which nobody sees. */
static void bend_knee(od_work *work, int side)
{
    static const float hair = 1e-3F;
    od_model_bone *knee = od_work_bone(work, work->role[OD_ROLE_KNEE_L + side]);
    vec3s hip = od_work_bone(work, work->role[OD_ROLE_LEG_L + side])->position;
    vec3s ankle = od_work_bone(work, work->role[OD_ROLE_ANKLE_L + side])->position;
    float length = glms_vec3_distance(hip, ankle), height = hip.y - ankle.y;
    if (!(length > 0) || !(height > 0)) return;
    float share = (hip.y - knee->position.y) / height;
    float ahead = hip.z + share * (ankle.z - hip.z) - knee->position.z;
    if (ahead >= 0.9F * hair * length) return;
    if (ahead < -0.02F * length) {
        od_warn(work->report, "bone \"%s\" is behind the line from hip to ankle: IK will bend it the other way",
                knee->name.utf8);
        return;
    }
    float by = ahead - hair * length;
    int d = work->role[OD_ROLE_KNEE_D_L + side];
    od_choice(work->report, "bone \"%s\" is straight at rest: it is moved ahead by %.4f units so that IK can bend it",
              knee->name.utf8, -(double)by);
    if (d >= 0 && glms_vec3_distance(od_work_bone(work, d)->position, knee->position) < 1e-5F)
        od_work_bone(work, d)->position.z += by;
    knee->position.z += by;
}

static int need_toe(od_work *work, int side)
{
    int ankle = work->role[OD_ROLE_ANKLE_L + side], toe = work->role[OD_ROLE_TOE_L + side];
    vec3s tip;
    if (toe >= 0 && od_work_is_below(work, toe, ankle)) return toe;
    if (toe >= 0) {
        od_warn(work->report, "bone \"%s\" does not hang on the ankle, so the %s foot gets no IK of its toe",
                od_work_bone(work, toe)->name.utf8, sides[side]);
        return ankle;
    }
    if (!od_foot_tip(work, side, &tip)) return -1;
    return od_work_add(work, &(od_addition){.role = OD_ROLE_TOE_L + side,
                                            .parent = ankle,
                                            .position = tip,
                                            .flags = TURNS,
                                            .before = -1,
                                            .beside = ankle,
                                            .frame = "足",
                                            .frame_en = "legs"});
}

static bool set_chain(od_work *work, int bone, int effector, solver numbers, int link, int second)
{
    od_ik_chain *ik = &od_work_bone(work, bone)->ik;
    *ik = (od_ik_chain){.effector = effector,
                        .loops = numbers.loops,
                        .limit = numbers.limit,
                        .links = OD_NEW(work->arena, od_ik_link, 2, work->error),
                        .link_count = second >= 0 ? 2 : 1};
    if (!ik->links) return false;
    ik->links[0].bone = link;
    ik->links[1].bone = second;
    ik->links[0].limited = second >= 0;
    ik->links[0].min.x = second >= 0 ? -3.14159265F : 0;
    ik->links[0].max.x = second >= 0 ? -0.00872664626F : 0; /* half a degree bent: no knee turns over */
    return true;
}

/* An IK bone of the legs, in their frame; shows whether it is new. */
static int need_bone(od_work *work, od_role role, int parent, vec3s position, unsigned flags, bool *is_new)
{
    *is_new = work->role[role] < 0;
    return od_work_need(work, &(od_addition){.role = role,
                                             .parent = parent,
                                             .position = position,
                                             .flags = flags,
                                             .before = -1,
                                             .beside = parent,
                                             .frame = "ＩＫ",
                                             .frame_en = "IK"});
}

/* Tails say what MMD draws: the parent points to its child; IK bones of MMD's models point back and down. */
static void set_tail(od_work *work, int bone, int tail_bone, vec3s tail)
{
    od_model_bone *b = od_work_bone(work, bone);
    if (tail_bone >= 0) b->flags |= OD_BONE_TAIL_IS_BONE;
    b->tail_bone = tail_bone;
    b->tail = tail;
}

/* 足IK親 on the floor below the ankle. Where 足ＩＫ is there already, it comes between that and its parent. */
static int need_parent(od_work *work, int side, vec3s ankle)
{
    int ik = work->role[OD_ROLE_LEG_IK_L + side];
    int parent = ik >= 0 ? od_work_bone(work, ik)->parent : work->role[OD_ROLE_MOTHER];
    bool is_new;
    int bone = need_bone(work, OD_ROLE_LEG_IK_PARENT_L + side, parent, od_vec3(ankle.x, 0, ankle.z), MOVES, &is_new);
    if (bone >= 0 && is_new && ik >= 0) od_work_hang(work, ik, bone);
    return bone;
}

static bool add_side(od_work *work, int side)
{
    od_rig_style style = work->options->style;
    int leg = work->role[OD_ROLE_LEG_L + side], knee = work->role[OD_ROLE_KNEE_L + side];
    int ankle = work->role[OD_ROLE_ANKLE_L + side];
    vec3s at = od_work_bone(work, ankle)->position;
    bool new_leg, new_toe, straight = work->role[OD_ROLE_LEG_IK_L + side] < 0;
    if (straight) bend_knee(work, side);
    int parent = need_parent(work, side, at);
    if (parent < 0) return false;
    int ik = need_bone(work, OD_ROLE_LEG_IK_L + side, parent, at, MOVES | OD_BONE_IK, &new_leg);
    if (ik < 0 || (new_leg && !set_chain(work, ik, ankle, LEG[style], knee, leg))) return false;
    if (new_leg) set_tail(work, ik, -1, od_vec3(0, 0, 1.3F));
    if (od_work_bone(work, ik)->parent == parent && parent >= work->given) set_tail(work, parent, ik, od_vec3(0, 0, 0));
    bool there = work->role[OD_ROLE_TOE_IK_L + side] >= 0;
    int toe = there ? ankle : need_toe(work, side);
    if (toe < 0 || (toe == ankle && !there)) return toe >= 0;
    vec3s tip = od_work_bone(work, toe)->position;
    int toe_ik = need_bone(work, OD_ROLE_TOE_IK_L + side, ik, tip, MOVES | OD_BONE_IK, &new_toe);
    if (toe_ik < 0 || !new_toe) return toe_ik >= 0;
    set_tail(work, toe_ik, -1, od_vec3(0, -1.3F, 0));
    return set_chain(work, toe_ik, toe, TOE[style], ankle, -1);
}

bool od_rig_ik(od_work *work)
{
    for (int side = 0; side < 2; side++) {
        if (has_leg(work, side)) {
            if (!add_side(work, side)) return false;
        } else {
            od_warn(work->report, "the %s leg, knee and ankle are not known, so it gets no IK", sides[side]);
        }
    }
    return true;
}
