/* Input: the source's leg, the target's bones. Output: where the target's ankle is when the leg is copied, and
 * where it is when the foot is placed on the source's place. */
#include "retarget/foot.h"

/* Where the ankle is when the foot is placed on the floor. */
static vec3s placed(const od_foot *foot, const od_leg_frame *leg, const od_travel *travel, float lowest, vec3s ball)
{
    float s = travel->scale;
    vec3s heel = od_vec3(0, -travel->ankle_drop, foot->sole.heel.z / s);
    float heel_y = leg->ankle.y + od_quat_rotate(leg->foot, heel).y;
    float height = fmaxf(s * (fminf(leg->toe.y, heel_y) - travel->ground), 0);
    return od_vec3(s * (leg->toe.x - travel->origin.x) - ball.x, height - lowest,
                   s * (leg->toe.z - travel->origin.z) - ball.z);
}

/* Where the ankle is when the leg is copied: each segment as long as the target's, so that its direction is
 * the source's whatever the proportions. */
static vec3s copied(const od_leg *bones, const od_leg_frame *leg, vec3s hip)
{
    vec3s thigh = od_vec3_normalize(glms_vec3_sub(leg->knee, leg->hip));
    vec3s shin = od_vec3_normalize(glms_vec3_sub(leg->ankle, leg->knee));
    vec3s knee = glms_vec3_add(hip, glms_vec3_scale(thigh, glms_vec3_norm(bones->thigh)));
    return glms_vec3_add(knee, glms_vec3_scale(shin, glms_vec3_norm(bones->shin)));
}

/* Thigh and shin of a knee bent by an angle turn by 1 / sin(half of it), when the ankle is moved along the leg:
 * a straight leg cannot be made longer, and its knee shoots ahead when it is made shorter. */
static float strain(const od_leg_frame *leg)
{
    float bend = od_vec3_angle(glms_vec3_sub(leg->knee, leg->hip), glms_vec3_sub(leg->ankle, leg->knee));
    float sine = sinf(0.5f * bend);
    return 1 / (sine * sine + 0.05f);
}

bool od_foot_make(od_foot *foot, const od_solution *solution, const od_travel *travel, int side, od_arena *arena,
                  od_error *error)
{
    const od_plan *plan = solution->plan;
    size_t n = (size_t)solution->frames;
    *foot = (od_foot){.sole = od_sole_of(plan->target, side),
                      .leg = od_leg_of(plan, side),
                      .frames = solution->frames,
                      .hip = OD_NEW(arena, vec3s, n, error),
                      .copied = OD_NEW(arena, vec3s, n, error),
                      .placed = OD_NEW(arena, vec3s, n, error),
                      .ball = OD_NEW(arena, vec3s, n, error),
                      .least = OD_NEW(arena, float, n, error),
                      .low = OD_NEW(arena, float, n, error),
                      .step = OD_NEW(arena, float, n, error),
                      .strain = OD_NEW(arena, float, n, error),
                      .by = OD_NEW(arena, vec3s, n, error)};
    if (!foot->hip || !foot->copied || !foot->placed || !foot->ball || !foot->by) return false;
    if (!foot->least || !foot->low || !foot->step || !foot->strain) return false;
    for (int f = 0; f < foot->frames; f++) {
        const od_leg_frame *leg = &solution->legs[side][f];
        float lowest = od_sole_lowest(&foot->sole, leg->foot, leg->ball);
        foot->hip[f] = od_solution_world(solution, plan->legs[side].leg, f).t;
        foot->copied[f] = copied(&foot->leg, leg, foot->hip[f]);
        foot->ball[f] = od_quat_rotate(leg->foot, foot->sole.ball);
        foot->placed[f] = placed(foot, leg, travel, lowest, foot->ball[f]);
        foot->least[f] = -lowest;
        foot->low[f] = od_contact_weight(OD_CM * travel->scale * (leg->toe.y - travel->ground));
        vec3s before = f ? leg[-1].toe : leg->toe;
        foot->step[f] = travel->scale * hypotf(leg->toe.x - before.x, leg->toe.z - before.z);
        foot->strain[f] = strain(leg);
    }
    return true;
}
