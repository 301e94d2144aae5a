/* Input: every frame of a motion. Output: directions of limbs and turns of the trunk against the
 * source, jerk, bones that flip. */
#include "mmd/check.h"

static const float DEGREES = 57.29577951f;

/* A limb from one bone to another. */
static const struct {
    const char *group;
    od_role from, to;
} limbs[] = {
    {"upper arms", OD_ROLE_ARM_L, OD_ROLE_ELBOW_L},    {"forearms", OD_ROLE_ELBOW_L, OD_ROLE_WRIST_L},
    {"hands", OD_ROLE_WRIST_L, OD_ROLE_MIDDLE1_L},     {"fingers", OD_ROLE_INDEX1_L, OD_ROLE_INDEX2_L},
    {"fingers", OD_ROLE_INDEX2_L, OD_ROLE_INDEX3_L},   {"fingers", OD_ROLE_MIDDLE1_L, OD_ROLE_MIDDLE2_L},
    {"fingers", OD_ROLE_MIDDLE2_L, OD_ROLE_MIDDLE3_L}, {"fingers", OD_ROLE_RING1_L, OD_ROLE_RING2_L},
    {"fingers", OD_ROLE_RING2_L, OD_ROLE_RING3_L},     {"fingers", OD_ROLE_LITTLE1_L, OD_ROLE_LITTLE2_L},
    {"fingers", OD_ROLE_LITTLE2_L, OD_ROLE_LITTLE3_L}, {"thighs", OD_ROLE_LEG_L, OD_ROLE_KNEE_L},
    {"shins", OD_ROLE_KNEE_L, OD_ROLE_ANKLE_L},
};

enum { LIMBS = sizeof limbs / sizeof *limbs };

/* Of each turn the first role that is there: chests have one to three bones. */
static const struct {
    const char *group;
    od_role roles[3];
} turns[] = {
    {"pelvis", {OD_ROLE_LOWER_BODY, OD_ROLE_NONE, OD_ROLE_NONE}},
    {"chest", {OD_ROLE_UPPER_BODY3, OD_ROLE_UPPER_BODY2, OD_ROLE_UPPER_BODY}},
    {"head", {OD_ROLE_HEAD, OD_ROLE_NONE, OD_ROLE_NONE}},
};

enum { TURNS = sizeof turns / sizeof *turns };

/* Joints whose way is looked at. */
static const od_role moving[] = {OD_ROLE_HEAD,   OD_ROLE_ELBOW_L, OD_ROLE_ELBOW_R, OD_ROLE_WRIST_L, OD_ROLE_WRIST_R,
                                 OD_ROLE_KNEE_L, OD_ROLE_KNEE_R,  OD_ROLE_ANKLE_L, OD_ROLE_ANKLE_R};

enum { MOVING = sizeof moving / sizeof *moving };

typedef struct pair {
    od_gauge *gauge;
    int bone, end, joint, joint_end; /* of a turn: only bone and joint */
} pair;

struct od_check_body {
    pair limb[2 * LIMBS], turn[TURNS];
    int limb_count, turn_count;
    od_gauge *jerk, *flip;
    vec3s before[MOVING][3]; /* places in the last three frames, newest first */
    versors *local;          /* local[bone] in the frame before */
    int seen;
};

static bool make_limbs(od_checker *checker, od_check_body *body)
{
    const int *joint = checker->reference->joint;
    for (int i = 0; i < 2 * LIMBS; i++) {
        od_role from = limbs[i / 2].from + (od_role)(i % 2), to = limbs[i / 2].to + (od_role)(i % 2);
        pair p = {NULL, od_checker_bone(checker, from), od_checker_bone(checker, to), joint[from], joint[to]};
        if (p.bone < 0 || p.end < 0 || p.joint < 0 || p.joint_end < 0 || p.joint == p.joint_end) continue;
        if (!(p.gauge = od_checker_gauge(checker, OD_MEASURE_DIRECTION, limbs[i / 2].group))) return false;
        body->limb[body->limb_count++] = p;
    }
    return true;
}

static bool make_turns(od_checker *checker, od_check_body *body)
{
    for (int i = 0; i < TURNS; i++) {
        pair p = {.bone = -1, .joint = -1};
        for (int k = 2; k >= 0; k--) {
            od_role role = turns[i].roles[k];
            if (role == OD_ROLE_NONE) continue;
            if (od_checker_bone(checker, role) >= 0) p.bone = od_checker_bone(checker, role);
            if (checker->reference->joint[role] >= 0) p.joint = checker->reference->joint[role];
        }
        if (p.bone < 0 || p.joint < 0) continue;
        if (!(p.gauge = od_checker_gauge(checker, OD_MEASURE_TURN, turns[i].group))) return false;
        body->turn[body->turn_count++] = p;
    }
    return true;
}

od_check_body *od_check_body_make(od_checker *checker)
{
    od_check_body *body = OD_NEW(checker->arena, od_check_body, 1, checker->error);
    if (!body) return NULL;
    body->local = OD_NEW(checker->arena, versors, (size_t)checker->target->skeleton.count, checker->error);
    body->jerk = od_checker_gauge(checker, OD_MEASURE_JERK, "all");
    body->flip = od_checker_gauge(checker, OD_MEASURE_FLIP, "all");
    if (!body->local || !body->jerk || !body->flip) return NULL;
    if (checker->reference && (!make_limbs(checker, body) || !make_turns(checker, body))) return NULL;
    return body;
}

static void see_source(const od_check_body *body, const od_checker *checker)
{
    const od_xform *world = checker->shown.world, *joints = checker->joints;
    for (int i = 0; i < body->limb_count; i++) {
        const pair *p = &body->limb[i];
        vec3s ours = glms_vec3_sub(world[p->end].t, world[p->bone].t);
        vec3s theirs = glms_vec3_sub(joints[p->joint_end].t, joints[p->joint].t);
        if (glms_vec3_norm(ours) < 1e-4f || glms_vec3_norm(theirs) < 1e-4f) continue;
        od_gauge_see(p->gauge, checker, DEGREES * od_vec3_angle(ours, theirs), p->bone);
    }
    for (int i = 0; i < body->turn_count; i++) {
        const pair *p = &body->turn[i];
        versors turned = od_quat_mul(joints[p->joint].q, od_quat_conj(checker->reference->rest[p->joint].q));
        versors off = od_quat_mul(od_quat_conj(turned), world[p->bone].q);
        od_gauge_see(p->gauge, checker, DEGREES * od_quat_angle(off), p->bone);
    }
}

/* Third differences of places, in metres and seconds. */
static void see_jerk(od_check_body *body, const od_checker *checker)
{
    static const float METRES_FPS3 = 0.01f * OD_CM * 30 * 30 * 30;
    for (int i = 0; i < MOVING; i++) {
        int bone = od_checker_bone(checker, moving[i]);
        if (bone < 0) continue;
        vec3s now = checker->shown.world[bone].t, *was = body->before[i];
        vec3s inner = glms_vec3_scale(glms_vec3_sub(was[1], was[0]), 3);
        vec3s third = glms_vec3_add(glms_vec3_sub(now, was[2]), inner);
        if (body->seen >= 3) od_gauge_see(body->jerk, checker, METRES_FPS3 * glms_vec3_norm(third), bone);
        was[2] = was[1];
        was[1] = was[0];
        was[0] = now;
    }
}

static void see_flips(od_check_body *body, const od_checker *checker)
{
    for (int b = 0; b < checker->target->skeleton.count; b++) {
        versors q = checker->shown.local[b].q;
        if (body->seen && checker->shown.track[b] >= 0) {
            float turn = DEGREES * od_quat_angle(od_quat_mul(od_quat_conj(body->local[b]), q));
            od_gauge_see(body->flip, checker, turn, b);
        }
        body->local[b] = q;
    }
}

void od_check_body_see(od_check_body *body, const od_checker *checker)
{
    if (checker->reference) see_source(body, checker);
    see_jerk(body, checker);
    see_flips(body, checker);
    body->seen++;
}
