/* Rotations, directions and rigid transforms.
 *
 * Quaternions are x y z w, Hamilton product, column vectors: q1 q2 applies q2 first. Quaternions
 * in an od_xform are unit. Space is MMD's: left-handed, Y up, facing -Z, the character's left is
 * +X; the formulas are the same in both handednesses. Angles in radians. */
#ifndef ODORI_XFORM_H
#define ODORI_XFORM_H

#include <cglm/struct.h>
#include <math.h>

#include "odori/error.h"

/* Rotate by q, then translate by t. */
typedef struct od_xform {
    versors q;
    vec3s t;
} od_xform;

static inline vec3s od_vec3(float x, float y, float z)
{
    return (vec3s){.x = x, .y = y, .z = z};
}

static inline versors od_quat(float x, float y, float z, float w)
{
    return (versors){.x = x, .y = y, .z = z, .w = w};
}

static inline versors od_quat_identity(void)
{
    return od_quat(0, 0, 0, 1);
}

static inline od_xform od_xform_identity(void)
{
    return (od_xform){.q = od_quat_identity(), .t = od_vec3(0, 0, 0)};
}

/* q1 q2: q2 first, then q1. */
static inline versors od_quat_mul(versors a, versors b)
{
    return od_quat(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                   a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

/* The inverse of a unit quaternion. */
static inline versors od_quat_conj(versors q)
{
    return od_quat(-q.x, -q.y, -q.z, q.w);
}

static inline float od_quat_dot(versors a, versors b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static inline bool od_quat_same(versors a, versors b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

/* q / |q|; identity when q is zero or not finite. */
static inline versors od_quat_normalize(versors q)
{
    float n = od_quat_dot(q, q);
    if (!(n > 1e-30f && n < 1e30f)) return od_quat_identity();
    n = 1.0f / sqrtf(n);
    return od_quat(q.x * n, q.y * n, q.z * n, q.w * n);
}

/* The same for a quaternion that is unit but for rounding, as products of unit ones are; faster. */
static inline versors od_quat_settle(versors q)
{
    float n = 1.5f - 0.5f * od_quat_dot(q, q);
    return od_quat(q.x * n, q.y * n, q.z * n, q.w * n);
}

/* -q when q lies on the other half sphere than `near`: the same rotation, continuous in sign. */
static inline versors od_quat_near(versors q, versors near)
{
    return od_quat_dot(q, near) < 0 ? od_quat(-q.x, -q.y, -q.z, -q.w) : q;
}

/* q v q^-1 for a unit quaternion. */
static inline vec3s od_quat_rotate(versors q, vec3s v)
{
    vec3s u = od_vec3(q.x, q.y, q.z);
    vec3s c = glms_vec3_scale(glms_vec3_cross(u, v), 2.0f);
    return glms_vec3_add(glms_vec3_add(v, glms_vec3_scale(c, q.w)), glms_vec3_cross(u, c));
}

/* a b: b first, then a. */
static inline od_xform od_xform_mul(od_xform a, od_xform b)
{
    return (od_xform){.q = od_quat_mul(a.q, b.q), .t = glms_vec3_add(a.t, od_quat_rotate(a.q, b.t))};
}

static inline od_xform od_xform_inverse(od_xform a)
{
    versors q = od_quat_conj(a.q);
    return (od_xform){.q = q, .t = od_quat_rotate(q, glms_vec3_negate(a.t))};
}

static inline vec3s od_xform_point(od_xform a, vec3s p)
{
    return glms_vec3_add(a.t, od_quat_rotate(a.q, p));
}

/* v / |v|; zero when v is (nearly) zero. */
static inline vec3s od_vec3_normalize(vec3s v)
{
    float n = glms_vec3_dot(v, v);
    return n > 1e-24f ? glms_vec3_scale(v, 1.0f / sqrtf(n)) : od_vec3(0, 0, 0);
}

/* Rotation by `angle` about `axis` (need not be unit; identity for a zero axis). */
OD_API versors od_quat_axis_angle(vec3s axis, float angle);

/* The smallest rotation that takes direction a to direction b (lengths do not matter). For opposite
 * directions the axis is any one at right angles; identity when one is zero. */
OD_API versors od_quat_from_to(vec3s a, vec3s b);

/* The rotation that takes the right-handed frame (x, y ~ secondary) of a to that of b: primary onto
 * primary exactly, secondary as near as it can. Falls back to od_quat_from_to when a secondary is
 * parallel to its primary. */
OD_API versors od_quat_from_frames(vec3s primary_a, vec3s secondary_a, vec3s primary_b, vec3s secondary_b);

/* Angle of a rotation in [0, pi]; exact for small angles. */
OD_API float od_quat_angle(versors q);

/* Angle between directions in [0, pi]; exact for small angles; 0 when one is zero. */
OD_API float od_vec3_angle(vec3s a, vec3s b);

/* Spherical interpolation at constant angular speed, by the short path (od_quat_slerp) or by the
 * long one (od_quat_slerp_long, for turns beyond 180 degrees). Linear where the sine vanishes.
 * The result is unit for any t. */
OD_API versors od_quat_slerp(versors a, versors b, float t);
OD_API versors od_quat_slerp_long(versors a, versors b, float t);

/* Twist of q about a unit axis, w >= 0, so that q = swing * twist. Identity when undefined (a swing
 * of 180 degrees). */
OD_API versors od_quat_twist(versors q, vec3s axis);

/* Signed angle in (-pi, pi] of a rotation about `axis` (unit), by its twist. */
OD_API float od_quat_twist_angle(versors q, vec3s axis);

/* Rotation from three angles about the axes order[0..2] ('x','y','z'), first leftmost:
 * "zxy" gives Rz Rx Ry. Angles are in that order too. */
OD_API versors od_quat_euler(const char order[3], const float angles[3]);

OD_API bool od_quat_finite(versors q);
OD_API bool od_vec3_finite(vec3s v);

#endif
