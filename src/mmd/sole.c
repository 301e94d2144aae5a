/* Input: a target at rest, standing on y = 0. Output: the points of its soles. */
#include "mmd/sole.h"

od_sole od_sole_of(const od_target *target, int side)
{
    const od_bone *bones = target->skeleton.bones;
    int foot = target->role[OD_ROLE_ANKLE_L + side], toes = target->role[OD_ROLE_TOE_EX_L + side];
    int tip = target->role[OD_ROLE_TOE_L + side] >= 0 ? target->role[OD_ROLE_TOE_L + side] : toes;
    int ball = toes >= 0 ? toes : tip;
    if (foot < 0) return (od_sole){0};
    vec3s ankle = bones[foot].rest_world.t;
    float drop = -fmaxf(ankle.y, 0);
    vec3s reach = od_vec3(0, drop, 1.3f * drop);
    if (tip >= 0) reach = glms_vec3_sub(bones[tip].rest_world.t, ankle);
    return (od_sole){.heel = od_vec3(0, drop, -0.4f * drop),
                     .ball = ball >= 0 ? glms_vec3_sub(bones[ball].rest_world.t, ankle) : reach,
                     .tip = od_vec3(reach.x, drop, reach.z)};
}

float od_sole_lowest(const od_sole *sole, versors foot, versors toes)
{
    float heel = od_quat_rotate(foot, sole->heel).y;
    float middle = od_quat_rotate(foot, od_vec3(sole->ball.x, sole->heel.y, sole->ball.z)).y;
    float tip = od_quat_rotate(foot, sole->ball).y + od_quat_rotate(toes, glms_vec3_sub(sole->tip, sole->ball)).y;
    return fminf(heel, fminf(middle, tip));
}
