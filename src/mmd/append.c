/* Input: a pose in the making and a bone. Output: its keys with what it takes from its source.
 * A source that appends itself passes on what it got, a link of an IK chain what IK did to it. With the
 * local flag the source's whole way from rest in the world counts (so noname0310/babylon-mmd; other
 * players differ, and such models are rare). */
#include "mmd/append.h"

versors od_quat_power(versors q, float ratio)
{
    if (ratio == 1) return q;
    if (ratio == -1) return od_quat_conj(q);
    if (q.w < 0) q = od_quat(-q.x, -q.y, -q.z, -q.w);
    vec3s v = od_vec3(q.x, q.y, q.z);
    float s = glms_vec3_norm(v);
    if (s < 1e-12F) return od_quat_identity();
    float half = ratio * atan2f(s, q.w);
    v = glms_vec3_scale(v, sinf(half) / s);
    return od_quat_normalize(od_quat(v.x, v.y, v.z, cosf(half)));
}

od_xform od_append(const od_pose *pose, int bone)
{
    const od_target_bone *b = &pose->target->bones[bone];
    od_xform own = pose->key[bone];
    int source = b->append_source;
    if (source < 0) return own;
    bool local = b->flags & OD_BONE_APPEND_LOCAL;
    if (b->flags & OD_BONE_APPEND_ROTATION) {
        versors from = local ? pose->world[source].q : od_quat_mul(pose->turn[source], pose->mixed[source].q);
        own.q = od_quat_normalize(od_quat_mul(own.q, od_quat_power(from, b->append_ratio)));
    }
    if (b->flags & OD_BONE_APPEND_TRANSLATION) {
        vec3s rest = pose->target->skeleton.bones[source].rest_world.t;
        vec3s from = local ? glms_vec3_sub(pose->world[source].t, rest) : pose->mixed[source].t;
        own.t = glms_vec3_add(own.t, glms_vec3_scale(from, b->append_ratio));
    }
    return own;
}
