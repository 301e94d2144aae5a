/* Input: a chain, a goal. Output: rotations that bring the effector to it, by cyclic coordinate descent
 * as MMD does it (after the public reconstructions in babylon-mmd and mlib).
 *
 * Each joint is turned in the frame of its parent: there the goal and the effector are known without
 * the worlds of the joints, for joints further out have not moved yet in this loop, and of those
 * further in only the effector counts. A loop so is one pass inwards for the goal, one outwards. */
#include "odori/ik.h"

enum { MAX_LOOPS = 256 };

static const float NEAR = 1e-8F; /* squared distance at which the effector is there */
static const float FLAT = 1e-8F; /* squared sine at which a joint has nothing to turn */
static const float QUARTER_TURN = 1.57079632679F, HALF_TURN = 3.14159265359F;

static float get(vec3s v, int axis)
{
    return v.raw[axis];
}

static float low(const od_ik_joint *joint, int axis)
{
    float min = get(joint->min, axis), max = get(joint->max, axis);
    return min < max ? min : max;
}

static float high(const od_ik_joint *joint, int axis)
{
    float min = get(joint->min, axis), max = get(joint->max, axis);
    return min < max ? max : min;
}

/* The axes that the limits leave free, a bit each: 1 X, 2 Y, 4 Z. */
static int free_axes(const od_ik_joint *joint)
{
    int free = 0;
    for (int axis = 0; axis < 3; axis++)
        if (get(joint->min, axis) != 0 || get(joint->max, axis) != 0) free |= 1 << axis;
    return free;
}

/* An angle beyond a limit is mirrored at it in the first half of the loops, where that is legal: so a
 * knee that begins on the wrong side comes to the right one. */
static float limit_angle(float angle, float min, float max, bool first_half)
{
    if (angle < min) return first_half && 2 * min - angle <= max ? 2 * min - angle : min;
    if (angle > max) return first_half && 2 * max - angle >= min ? 2 * max - angle : max;
    return angle;
}

/* The order in which the Euler angles are taken, the outermost rotation first: the middle one is an
 * axis that stays within a quarter turn. */
static const int *euler_order(const od_ik_joint *joint)
{
    static const int orders[3][3] = {{1, 0, 2}, {2, 1, 0}, {0, 2, 1}};
    for (int axis = 0; axis < 2; axis++)
        if (-QUARTER_TURN < low(joint, axis) && high(joint, axis) < QUARTER_TURN) return orders[axis];
    return orders[2];
}

/* Angles of q = R_i(angles[0]) R_j(angles[1]) R_k(angles[2]); the three orders in use are all odd. */
static float euler_angle(versors q, const int order[3], int place)
{
    const float steepest = 1.53588974176F, sine_of_it = 0.99939082702F; /* 88 degrees and their sine */
    float i = q.raw[order[0]], j = q.raw[order[1]], k = q.raw[order[2]];
    switch (place) {
    case 0: return atan2f(2 * (q.w * i + j * k), 1 - 2 * (i * i + j * j));
    case 1: {
        float sine = 2 * (q.w * j - i * k);
        if (fabsf(sine) < sine_of_it) return asinf(sine);
        return sine < 0 ? -steepest : steepest;
    }
    default: return atan2f(2 * (q.w * k + i * j), 1 - 2 * (j * j + k * k));
    }
}

/* The rotation with its Euler angles within the limits. */
static versors limit_rotation(const od_ik_joint *joint, versors q, bool first_half)
{
    const int *order = euler_order(joint);
    versors limited = od_quat_identity();
    for (int place = 0; place < 3; place++) {
        int axis = order[place];
        float min = low(joint, axis), max = high(joint, axis);
        float angle = min < max ? limit_angle(euler_angle(q, order, place), min, max, first_half) : min;
        if (angle == 0) continue;
        versors turn = {.raw = {0, 0, 0, cosf(0.5F * angle)}};
        turn.raw[axis] = sinf(0.5F * angle);
        limited = od_quat_mul(limited, turn);
    }
    return limited;
}

/* The rotation by the angle between two directions, at most `limit`, about an axis: `across`, their cross
 * product, or `only`, unit, when it is not NULL. Halves of an angle of which sine and cosine are known
 * need no trigonometry; 1 - cosine has no digits where the angle is small. */
static versors step(vec3s across, float cosine, float limit, const vec3s *only)
{
    float c = sqrtf(0.5F * (1 + (cosine > -1 ? cosine : -1)));
    if (limit < HALF_TURN && cosine < cosf(limit)) return od_quat_axis_angle(only ? *only : across, limit);
    if (cosine > 0 && !only) {
        across = glms_vec3_scale(across, 0.5F / c);
        return od_quat(across.x, across.y, across.z, c);
    }
    float sine = glms_vec3_norm(across), s = cosine > 0 ? 0.5F * sine / c : sqrtf(0.5F * (1 - cosine));
    vec3s axis = only ? *only : glms_vec3_scale(across, 1 / sine);
    return od_quat(axis.x * s, axis.y * s, axis.z * s, c);
}

/* Turns one joint: `have` and `want` lead from it to the effector and to the goal, in its parent's
 * axes. Did it change? */
static bool turn(const od_ik_joint *joint, vec3s have, vec3s want, float limit, bool first_half, versors *whole)
{
    int free = joint->limited ? free_axes(joint) : 7;
    float size2 = glms_vec3_norm2(have) * glms_vec3_norm2(want);
    if (!free || !(size2 > 0)) return false;
    float scale = 1 / sqrtf(size2);
    vec3s across = glms_vec3_scale(glms_vec3_cross(have, want), scale);
    if (!(glms_vec3_norm2(across) >= FLAT)) return false;
    bool alone = first_half && (free & (free - 1)) == 0; /* one axis is free */
    vec3s only = od_vec3((float)(free & 1), (float)(free >> 1 & 1), (float)(free >> 2));
    if (glms_vec3_dot(across, only) < 0) only = glms_vec3_negate(only);
    versors q = step(across, glms_vec3_dot(have, want) * scale, limit, alone ? &only : NULL);
    q = od_quat_settle(od_quat_mul(q, *whole));
    if (joint->limited) q = limit_rotation(joint, q, first_half);
    bool changed = !od_quat_same(q, *whole);
    *whole = q;
    return changed;
}

/* Are the axes of a joint's frame other ones than those of the next joint's? Most links are each other's
 * children, then they are not. */
static bool is_turned(const od_ik_joint *joint)
{
    return joint->rest.q.x != 0 || joint->rest.q.y != 0 || joint->rest.q.z != 0;
}

/* From the axes of a joint's frame to those of the next joint outwards, and back. */
static vec3s rest_turn(const od_ik_joint *joint, vec3s v)
{
    return is_turned(joint) ? od_quat_rotate(joint->rest.q, v) : v;
}

static vec3s rest_turn_back(const od_ik_joint *joint, vec3s v)
{
    return is_turned(joint) ? od_quat_rotate(od_quat_conj(joint->rest.q), v) : v;
}

static vec3s reach(const od_ik_task *task, const versors *whole)
{
    vec3s p = task->effector;
    for (int i = 0; i < task->count; i++)
        p = glms_vec3_add(task->joints[i].rest.t, rest_turn(&task->joints[i], od_quat_rotate(whole[i], p)));
    return p;
}

/* One loop over the joints, from the effector outwards. `goal` and the effector's place that comes
 * back are in the frame of the base. Did any joint change? */
static bool turn_all(const od_ik_task *task, vec3s goal, bool first_half, versors *whole, vec3s *effector)
{
    bool changed = false;
    float limit = task->limit > 0 ? task->limit : 0;
    for (int i = task->count; i--;) {
        goal = rest_turn_back(&task->joints[i], glms_vec3_sub(goal, task->joints[i].rest.t));
        goal = od_quat_rotate(od_quat_conj(whole[i]), goal);
    }
    vec3s p = task->effector;
    for (int i = 0; i < task->count; i++) {
        const od_ik_joint *joint = &task->joints[i];
        vec3s want = od_quat_rotate(whole[i], goal), have = od_quat_rotate(whole[i], p);
        goal = glms_vec3_add(joint->rest.t, rest_turn(joint, want));
        if (turn(joint, have, want, limit * (float)(i + 1), first_half, &whole[i])) {
            changed = true;
            have = od_quat_rotate(whole[i], p);
        }
        p = glms_vec3_add(joint->rest.t, rest_turn(joint, have));
    }
    *effector = p;
    return changed;
}

od_ik_outcome od_ik_solve(const od_ik_task *task, versors *rotation)
{
    versors *whole = rotation; /* until the end */
    for (int i = 0; i < task->count; i++) {
        bool zero = task->start == OD_IK_START_ZERO && task->joints[i].limited && free_axes(&task->joints[i]);
        whole[i] = zero ? od_quat_identity() : task->joints[i].local;
    }
    vec3s goal = od_xform_point(od_xform_inverse(task->base), task->goal), effector = reach(task, whole);
    int loops = task->loops < MAX_LOOPS ? task->loops : MAX_LOOPS, half = loops / 2, loop = 0;
    od_ik_outcome outcome = {0};
    while (loop < loops && !(glms_vec3_distance2(effector, goal) < NEAR)) {
        bool changed = turn_all(task, goal, loop < half, whole, &effector);
        outcome.iterations++;
        loop++;
        /* What a loop leaves as it was the loops after it leave too, up to the second half. */
        if (!changed) loop = loop < half ? half : loops;
    }
    for (int i = 0; i < task->count; i++) {
        versors local = task->joints[i].local;
        rotation[i] = od_quat_same(whole[i], local) ? od_quat_identity()
                                                    : od_quat_normalize(od_quat_mul(whole[i], od_quat_conj(local)));
    }
    outcome.residual = glms_vec3_distance(effector, goal);
    return outcome;
}

float od_ik_excess(const od_ik_joint *joint)
{
    if (!joint->limited || !free_axes(joint)) return 0;
    versors within = limit_rotation(joint, joint->local, false);
    return od_quat_angle(od_quat_mul(od_quat_conj(within), joint->local));
}
