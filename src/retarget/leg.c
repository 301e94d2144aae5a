/* Input: a leg's rest, a goal for the ankle, a wanted hinge axis. Output: the pose that MMD's IK
 * solver has nothing left to do with: its knee is limited to rotations about X. */
#include "retarget/leg.h"

/* Ankle in the thigh's frame with the knee at `angle`. */
static vec3s ankle_at(const od_leg *leg, float angle)
{
    float s = sinf(angle), c = cosf(angle);
    vec3s k = leg->shin;
    return glms_vec3_add(leg->thigh, od_vec3(k.x, c * k.y - s * k.z, s * k.y + c * k.z));
}

/* Knee angle at which the leg is longest: of |l + Rx(a) k| with c = ly ky + lz kz, q = lz ky - ly kz. */
static float straight_angle(const od_leg *leg)
{
    vec3s l = leg->thigh, k = leg->shin;
    return atan2f(l.z * k.y - l.y * k.z, l.y * k.y + l.z * k.z);
}

od_leg od_leg_make(vec3s thigh, vec3s shin, float knee_min, float knee_max)
{
    od_leg leg = {.thigh = thigh, .shin = shin, .knee_min = knee_min, .knee_max = knee_max};
    float straight = straight_angle(&leg);
    leg.reach_min = glms_vec3_norm(ankle_at(&leg, knee_min));
    leg.reach = glms_vec3_norm(ankle_at(&leg, fminf(fmaxf(straight, knee_min), knee_max)));
    return leg;
}

/* Knee angle at which the ankle is at distance d from the hip: |l + Rx(a) k| = d. With c and q as above
 * and K = (d^2 - l^2 - k^2) / 2 - lx kx this is c cos a + q sin a = K; of the two solutions the knee
 * bends backwards in the lesser one. */
static float knee_angle(const od_leg *leg, float d, bool forwards)
{
    vec3s l = leg->thigh, k = leg->shin;
    float c = l.y * k.y + l.z * k.z, q = l.z * k.y - l.y * k.z;
    float want = (d * d - glms_vec3_dot(l, l) - glms_vec3_dot(k, k)) * 0.5f - l.x * k.x;
    float cosine = want / sqrtf(c * c + q * q);
    float bend = acosf(fminf(fmaxf(cosine, -1), 1)), angle = straight_angle(leg) + (forwards ? bend : -bend);
    if (angle < -3.14159265f) angle += 6.28318531f;
    return fminf(fmaxf(angle, leg->knee_min), leg->knee_max);
}

od_leg_pose od_leg_solve(const od_leg *leg, vec3s goal, vec3s hinge, bool forwards)
{
    float d = glms_vec3_norm(goal);
    if (d < 1e-6f) {
        goal = od_vec3(0, -1, 0);
        d = 1;
    }
    vec3s n = glms_vec3_scale(goal, 1 / d);
    od_leg_pose pose = {.knee = knee_angle(leg, fminf(fmaxf(d, leg->reach_min), leg->reach), forwards)};
    vec3s e = ankle_at(leg, pose.knee);
    versors swing = od_quat_from_to(e, n);
    /* Roll about the line hip-ankle until the thigh's X axis points as the hinge does. */
    vec3s have = od_quat_rotate(swing, od_vec3(1, 0, 0));
    have = glms_vec3_sub(have, glms_vec3_scale(n, glms_vec3_dot(have, n)));
    vec3s want = glms_vec3_sub(hinge, glms_vec3_scale(n, glms_vec3_dot(hinge, n)));
    float roll = atan2f(glms_vec3_dot(glms_vec3_cross(have, want), n), glms_vec3_dot(have, want));
    pose.thigh = od_quat_normalize(od_quat_mul(od_quat_axis_angle(n, roll), swing));
    pose.ankle = od_quat_rotate(pose.thigh, e);
    return pose;
}
