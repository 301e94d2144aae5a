/* Input: the rest poses of source and target. Output: for every driven bone the constant rotation
 * that takes the joint's world rotation to the bone's: offset = inverse(source rest) * correction.
 *
 * Corrections: arms and legs by direction (the A against T offset falls out of it), hands and
 * fingers by direction and palm, trunk, neck, shoulders and feet not at all: aligning those bends
 * the back of rigs with other proportions. */
#include "retarget/plan.h"

static const float DEG = 57.2957795f;
static const float BENT = 0.1745329f; /* 10 degrees: below it a hinge axis at rest is noise */

/* Directions of one segment in both rests; false when a joint is missing on one side. */
typedef struct segment {
    vec3s source, target;
} segment;

static bool find_segment(const od_plan *plan, od_role from, od_role to, segment *s)
{
    int a = plan->joint[from], b = plan->joint[to];
    int c = plan->target->role[from], d = plan->target->role[to];
    if (a < 0 || b < 0 || c < 0 || d < 0) return false;
    const od_bone *bones = plan->target->skeleton.bones;
    s->source = od_vec3_normalize(glms_vec3_sub(plan->rest->world[b].t, plan->rest->world[a].t));
    s->target = od_vec3_normalize(glms_vec3_sub(bones[d].rest_world.t, bones[c].rest_world.t));
    return glms_vec3_dot(s->source, s->source) > 0.5f && glms_vec3_dot(s->target, s->target) > 0.5f;
}

/* Arms that are said to hang by an angle: their direction in the target's rest. */
static vec3s stated_arm(const od_plan *plan, int side)
{
    float down = plan->options->arm_angle / DEG;
    return od_vec3((side ? -1.0f : 1.0f) * cosf(down), -sinf(down), 0);
}

/* Corrections of the two segments of a limb. With both rests bent the hinge says how they roll. */
static void align_limb(const od_plan *plan, od_role upper, od_role lower, od_role end, int side, versors *correction)
{
    segment s, t;
    bool arm = upper == OD_ROLE_ARM_L;
    bool has_upper = find_segment(plan, upper + side, lower + side, &s);
    bool has_lower = find_segment(plan, lower + side, end + side, &t);
    if (arm && plan->options->arm_angle_set) s.target = t.target = stated_arm(plan, side);
    if (has_upper) correction[upper + side] = od_quat_from_to(s.target, s.source);
    if (has_lower) correction[lower + side] = od_quat_from_to(t.target, t.source);
    if (!has_upper || !has_lower) return;
    if (od_vec3_angle(s.source, t.source) < BENT || od_vec3_angle(s.target, t.target) < BENT) return;
    vec3s hinge_source = glms_vec3_cross(s.source, t.source), hinge_target = glms_vec3_cross(s.target, t.target);
    correction[upper + side] = od_quat_from_frames(s.target, hinge_target, s.source, hinge_source);
    correction[lower + side] = od_quat_from_frames(t.target, hinge_target, t.source, hinge_source);
}

/* Palm normals in both rests, from the outer knuckles; false without them. */
static bool find_palm(const od_plan *plan, int side, segment *palm)
{
    segment index, little;
    od_role outer = OD_ROLE_LITTLE1_L + side;
    if (plan->joint[outer] < 0 || plan->target->role[outer] < 0) outer = OD_ROLE_RING1_L + side;
    if (!find_segment(plan, OD_ROLE_WRIST_L + side, OD_ROLE_INDEX1_L + side, &index)) return false;
    if (!find_segment(plan, OD_ROLE_WRIST_L + side, outer, &little)) return false;
    palm->source = glms_vec3_cross(index.source, little.source);
    palm->target = glms_vec3_cross(index.target, little.target);
    return glms_vec3_norm(palm->source) > 1e-3f && glms_vec3_norm(palm->target) > 1e-3f;
}

/* A hand has no direction of its own unless both rigs have a knuckle; then it follows the forearm. */
static void align_hand(const od_plan *plan, int side, versors *correction)
{
    od_role wrist = OD_ROLE_WRIST_L + side;
    correction[wrist] = correction[OD_ROLE_ELBOW_L + side];
    segment hand, palm;
    if (!find_segment(plan, wrist, OD_ROLE_MIDDLE1_L + side, &hand)) return;
    if (find_palm(plan, side, &palm)) {
        correction[wrist] = od_quat_from_frames(hand.target, palm.target, hand.source, palm.source);
        return;
    }
    vec3s have = od_quat_rotate(correction[wrist], hand.target);
    correction[wrist] = od_quat_normalize(od_quat_mul(od_quat_from_to(have, hand.source), correction[wrist]));
}

/* Where the last bone of a finger points: at its tail or leaf, else on along the finger. */
static vec3s tip_source(const od_plan *plan, const od_skeleton *source, int joint, vec3s along)
{
    for (int i = joint + 1; i < source->count; i++)
        if (source->bones[i].parent == joint)
            return od_vec3_normalize(glms_vec3_sub(plan->rest->world[i].t, plan->rest->world[joint].t));
    return along;
}

static vec3s tip_target(const od_plan *plan, int bone, vec3s along)
{
    vec3s tail = od_vec3_normalize(plan->target->bones[bone].tail);
    if (glms_vec3_dot(tail, tail) > 0.5f) return tail;
    const od_skeleton *skeleton = &plan->target->skeleton;
    for (int i = bone + 1; i < skeleton->count; i++)
        if (skeleton->bones[i].parent == bone) return od_vec3_normalize(skeleton->bones[i].rest.t);
    return along;
}

/* A finger: three bones in a row, each by its direction, rolled by the palm. */
static void align_finger(const od_plan *plan, const od_skeleton *source, od_role first, int side, versors *correction)
{
    segment palm, s = {0};
    bool has_palm = find_palm(plan, side, &palm);
    bool has_direction = false;
    for (int i = 0; i < 3; i++) {
        od_role role = first + 2 * i + side;
        if (plan->joint[role] < 0 || plan->target->role[role] < 0) continue;
        if (i < 2 && find_segment(plan, role, role + 2, &s)) {
            has_direction = true;
        } else if (has_direction) {
            s.source = tip_source(plan, source, plan->joint[role], s.source);
            s.target = tip_target(plan, plan->target->role[role], s.target);
        } else {
            correction[role] = correction[OD_ROLE_WRIST_L + side];
            continue;
        }
        correction[role] = has_palm ? od_quat_from_frames(s.target, palm.target, s.source, palm.source)
                                    : od_quat_from_to(s.target, s.source);
    }
}

/* In a frame that was chosen as rest the feet stand as they happened to: turned out, a heel raised; in
 * some zero poses the toes point ahead. The target's flat foot gets the same yaw (of a zero pose it is
 * the body's shape), and the pitch by which the source's is not flat. */
static void align_feet(const od_plan *plan, versors *correction)
{
    bool frame = plan->rest->bind.kind == OD_BIND_FRAME;
    for (int side = 0; side < 2; side++) {
        int ankle = plan->joint[OD_ROLE_ANKLE_L + side], toe = plan->rest->toe_joint[side];
        int bone = plan->legs[side].ankle;
        int tip = plan->legs[side].toe >= 0 ? plan->legs[side].toe : plan->legs[side].toe_ex;
        if (ankle < 0 || toe < 0 || bone < 0 || tip < 0) continue;
        const od_bone *bones = plan->target->skeleton.bones;
        vec3s foot = glms_vec3_sub(plan->rest->world[toe].t, plan->rest->world[ankle].t);
        vec3s own = glms_vec3_sub(bones[tip].rest_world.t, bones[bone].rest_world.t);
        vec3s ahead = od_vec3_normalize(od_vec3(foot.x, 0, foot.z));
        own.y = 0;
        if (glms_vec3_norm(ahead) < 0.5f || glms_vec3_norm(own) < 1e-6f) continue;
        float flat = asinf(fminf(fmaxf(-plan->rest->ankle_drop[side] / glms_vec3_norm(foot), -1), 1));
        float pitch = atan2f(foot.y, hypotf(foot.x, foot.z)) - flat;
        versors yaw = frame ? od_quat_from_to(own, ahead) : od_quat_identity();
        versors raise = od_quat_axis_angle(glms_vec3_cross(ahead, od_vec3(0, 1, 0)), pitch);
        correction[OD_ROLE_ANKLE_L + side] = od_quat_normalize(od_quat_mul(raise, yaw));
        correction[OD_ROLE_TOE_EX_L + side] = yaw;
    }
}

/* --align all: the trunk, shoulders and feet too, by direction. */
static void align_rest(const od_plan *plan, versors *correction)
{
    static const od_role chain[][2] = {{OD_ROLE_UPPER_BODY, OD_ROLE_UPPER_BODY2}, {OD_ROLE_UPPER_BODY2, OD_ROLE_NECK},
                                       {OD_ROLE_UPPER_BODY3, OD_ROLE_NECK},       {OD_ROLE_NECK, OD_ROLE_HEAD},
                                       {OD_ROLE_SHOULDER_L, OD_ROLE_ARM_L},       {OD_ROLE_SHOULDER_R, OD_ROLE_ARM_R},
                                       {OD_ROLE_ANKLE_L, OD_ROLE_TOE_EX_L},       {OD_ROLE_ANKLE_R, OD_ROLE_TOE_EX_R}};
    segment s;
    for (size_t i = 0; i < sizeof chain / sizeof *chain; i++)
        if (find_segment(plan, chain[i][0], chain[i][1], &s))
            correction[chain[i][0]] = od_quat_from_to(s.target, s.source);
}

static void warn_corrections(const versors *correction, od_report *report)
{
    for (int side = 0; side < 2; side++) {
        float leg = od_quat_angle(correction[OD_ROLE_LEG_L + side]) * DEG;
        if (leg > 60)
            od_warn(report, "%s of the source is turned %.0f degrees from the target's at rest: is this its rest pose?",
                    od_role_name(OD_ROLE_LEG_L + side), (double)leg);
    }
    float left = od_quat_angle(correction[OD_ROLE_ARM_L]) * DEG, right = od_quat_angle(correction[OD_ROLE_ARM_R]) * DEG;
    if (fabsf(left - right) > 15)
        od_warn(report, "the arms of the rest pose differ (left %.0f, right %.0f degrees from the target's)",
                (double)left, (double)right);
}

static void align_all(const od_plan *plan, const od_skeleton *source, versors *correction)
{
    static const od_role fingers[] = {OD_ROLE_THUMB0_L, OD_ROLE_INDEX1_L, OD_ROLE_MIDDLE1_L, OD_ROLE_RING1_L,
                                      OD_ROLE_LITTLE1_L};
    for (int side = 0; side < 2; side++) {
        align_limb(plan, OD_ROLE_ARM_L, OD_ROLE_ELBOW_L, OD_ROLE_WRIST_L, side, correction);
        align_limb(plan, OD_ROLE_LEG_L, OD_ROLE_KNEE_L, OD_ROLE_ANKLE_L, side, correction);
        align_hand(plan, side, correction);
        for (int i = 0; i < 5; i++) align_finger(plan, source, fingers[i], side, correction);
    }
    align_feet(plan, correction);
    if (plan->options->align == OD_ALIGN_ALL) align_rest(plan, correction);
    for (int side = 0; side < 2; side++) { /* twist bones lie in the limbs */
        correction[OD_ROLE_ARM_TWIST_L + side] = correction[OD_ROLE_ARM_L + side];
        correction[OD_ROLE_WRIST_TWIST_L + side] = correction[OD_ROLE_ELBOW_L + side];
    }
}

static versors offset_of(const od_plan *plan, int joint, versors correction, versors user)
{
    versors source = od_quat_conj(plan->rest->world[joint].q);
    return od_quat_normalize(od_quat_mul(od_quat_mul(source, correction), user));
}

void od_plan_align(od_plan *plan, const od_skeleton *source, od_retarget_result *result, od_report *report)
{
    versors correction[OD_ROLE_COUNT];
    for (int r = 0; r < OD_ROLE_COUNT; r++) correction[r] = od_quat_identity();
    if (plan->options->align != OD_ALIGN_NONE) align_all(plan, source, correction);
    warn_corrections(correction, report);
    result->arm_angle = od_quat_angle(correction[OD_ROLE_ARM_L]) * DEG;
    for (int b = 0; b < plan->target->skeleton.count; b++) {
        od_driver *driver = &plan->driver[b];
        if (driver->kind != OD_DRIVE_SOURCE) continue;
        od_role role = plan->target->bones[b].role;
        versors c = role == OD_ROLE_NONE ? od_quat_identity() : correction[role];
        versors user = role == OD_ROLE_NONE ? od_quat_identity() : plan->binding->offset_of_role[role];
        for (int i = 0; role == OD_ROLE_NONE && i < plan->binding->count; i++)
            if (plan->binding->rows[i].bone == b) user = plan->binding->rows[i].offset;
        driver->offset = offset_of(plan, driver->source, c, user);
        if (driver->source2 >= 0) driver->offset2 = offset_of(plan, driver->source2, c, user);
    }
}
