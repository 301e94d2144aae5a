/* Input: two unit quaternions. Output: places on the arc from one to the other. */
#include "math/arc.h"

static versors combine(float ka, versors a, float kb, versors b)
{
    return od_quat(ka * a.x + kb * b.x, ka * a.y + kb * b.y, ka * a.z + kb * b.z, ka * a.w + kb * b.w);
}

static const float SHORT = 1e-3f; /* here the chord is the arc */

/* Along the arc from a to b: cos a + sin side. Unlike the quotients of sines this neither divides by a
 * sine that vanishes nor adds large opposite terms, so the speed stays constant up to b = -a. */
od_arc od_arc_make(versors a, versors b)
{
    od_arc arc = {.from = a, .to = b};
    versors difference = combine(-1, a, 1, b), sum = combine(1, a, 1, b);
    arc.angle = 2.0f * atan2f(sqrtf(od_quat_dot(difference, difference)), sqrtf(od_quat_dot(sum, sum)));
    if (arc.angle < SHORT) return arc;
    /* The shorter of the two has the digits. */
    versors gap = od_quat_dot(a, b) < 0 ? sum : difference;
    arc.side = combine(1, gap, -od_quat_dot(gap, a), a);
    float n = od_quat_dot(arc.side, arc.side);
    if (n > 1e-24f) arc.side = combine(1.0f / sqrtf(n), arc.side, 0, arc.side);
    else arc.side = od_quat(-a.y, a.x, -a.w, a.z); /* a and -a: a whole turn about an arbitrary axis */
    return arc;
}

versors od_arc_at(const od_arc *arc, float t)
{
    if (arc->angle < SHORT) return od_quat_normalize(combine(1.0f - t, arc->from, t, arc->to));
    return od_quat_normalize(combine(cosf(t * arc->angle), arc->from, sinf(t * arc->angle), arc->side));
}
