/* Input: angles, directions, quaternions. Output: unit quaternions and angles.
 * The small operations are inline in the header; here is what needs a case distinction. */
#include "odori/xform.h"

#include "math/arc.h"

static const float PI_F = 3.14159265358979f;

versors od_quat_axis_angle(vec3s axis, float angle)
{
    vec3s a = glms_vec3_scale(od_vec3_normalize(axis), sinf(angle * 0.5f));
    return od_quat_normalize(od_quat(a.x, a.y, a.z, cosf(angle * 0.5f)));
}

/* Any direction at right angles to v. */
static vec3s perpendicular(vec3s v)
{
    vec3s axis = fabsf(v.x) < fabsf(v.y) ? od_vec3(1, 0, 0) : od_vec3(0, 1, 0);
    return od_vec3_normalize(glms_vec3_cross(v, axis));
}

versors od_quat_from_to(vec3s a, vec3s b)
{
    a = od_vec3_normalize(a);
    b = od_vec3_normalize(b);
    /* a x b = a x (a + b) and 1 + a b = |a + b|^2 / 2: the sum keeps its digits where the directions are
     * nearly opposite and the left sides lose theirs. */
    vec3s sum = glms_vec3_add(a, b);
    float w = 0.5f * glms_vec3_dot(sum, sum);
    vec3s c = glms_vec3_cross(a, sum);
    if (w < 1e-12f) { /* opposite: half a turn about any axis at right angles */
        c = perpendicular(a);
        w = 0;
    }
    return od_quat_normalize(od_quat(c.x, c.y, c.z, w));
}

versors od_quat_from_frames(vec3s primary_a, vec3s secondary_a, vec3s primary_b, vec3s secondary_b)
{
    versors swing = od_quat_from_to(primary_a, primary_b);
    vec3s axis = od_vec3_normalize(primary_b);
    vec3s have = od_quat_rotate(swing, secondary_a);
    have = glms_vec3_sub(have, glms_vec3_scale(axis, glms_vec3_dot(have, axis)));
    vec3s want = glms_vec3_sub(secondary_b, glms_vec3_scale(axis, glms_vec3_dot(secondary_b, axis)));
    if (glms_vec3_dot(have, have) < 1e-10f || glms_vec3_dot(want, want) < 1e-10f) return swing;
    float angle = atan2f(glms_vec3_dot(glms_vec3_cross(have, want), axis), glms_vec3_dot(have, want));
    return od_quat_normalize(od_quat_mul(od_quat_axis_angle(axis, angle), swing));
}

float od_quat_angle(versors q)
{
    return 2.0f * atan2f(sqrtf(q.x * q.x + q.y * q.y + q.z * q.z), fabsf(q.w));
}

float od_vec3_angle(vec3s a, vec3s b)
{
    /* The components of vectors read from files span many decades; unit vectors do not. */
    a = od_vec3_normalize(a);
    b = od_vec3_normalize(b);
    return atan2f(glms_vec3_norm(glms_vec3_cross(a, b)), glms_vec3_dot(a, b));
}

versors od_quat_slerp(versors a, versors b, float t)
{
    od_arc arc = od_arc_make(a, od_quat_near(b, a));
    return od_arc_at(&arc, t);
}

versors od_quat_slerp_long(versors a, versors b, float t)
{
    b = od_quat_near(b, a);
    od_arc arc = od_arc_make(a, od_quat(-b.x, -b.y, -b.z, -b.w));
    return od_arc_at(&arc, t);
}

versors od_quat_twist(versors q, vec3s axis)
{
    float d = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    if (d * d + q.w * q.w < 1e-12f) return od_quat_identity();
    if (q.w < 0) {
        d = -d;
        q.w = -q.w;
    }
    return od_quat_normalize(od_quat(axis.x * d, axis.y * d, axis.z * d, q.w));
}

float od_quat_twist_angle(versors q, vec3s axis)
{
    float d = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    float angle = 2.0f * atan2f(d, q.w);
    if (angle > PI_F) angle -= 2.0f * PI_F;
    if (angle <= -PI_F) angle += 2.0f * PI_F;
    return angle;
}

versors od_quat_euler(const char order[3], const float angles[3])
{
    versors q = od_quat_identity();
    for (int i = 0; i < 3; i++) {
        float s = sinf(angles[i] * 0.5f), c = cosf(angles[i] * 0.5f);
        q = od_quat_mul(q, od_quat(order[i] == 'x' ? s : 0, order[i] == 'y' ? s : 0, order[i] == 'z' ? s : 0, c));
    }
    return od_quat_normalize(q);
}

bool od_quat_finite(versors q)
{
    return isfinite(q.x) && isfinite(q.y) && isfinite(q.z) && isfinite(q.w);
}

bool od_vec3_finite(vec3s v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}
