/* Input: an ankle and the mesh. Output: the tip of the foot. */
#include "rig/foot.h"

#include <float.h>

#include "rig/skin.h"

/* The ankle, what hangs on it, and the bones that carry the foot's mesh in its place. */
static void mark_foot(const od_work *work, int side, bool *marked)
{
    int ankle = work->role[OD_ROLE_ANKLE_L + side], d = work->role[OD_ROLE_ANKLE_D_L + side];
    for (int b = 0; b < work->model->bone_count; b++)
        marked[b] = od_work_is_below(work, b, ankle) || (d >= 0 && od_work_is_below(work, b, d));
}

static bool belongs(const od_work *work, const od_vertex *vertex, const bool *marked)
{
    return od_vec3_finite(vertex->position) && od_vertex_share(vertex, marked, work->model->bone_count) > 0.5F;
}

/* The foremost part of the foot's mesh: the mean of what is within a twentieth of its length. */
static bool find_tip(const od_work *work, const bool *marked, vec3s *tip)
{
    const od_model *model = work->model;
    float front = FLT_MAX, back = -FLT_MAX, sole = FLT_MAX, sum = 0;
    int count = 0;
    for (int i = 0; i < model->vertex_count; i++) {
        vec3s at = model->vertices[i].position;
        if (!belongs(work, &model->vertices[i], marked)) continue;
        front = fminf(front, at.z);
        back = fmaxf(back, at.z);
        sole = fminf(sole, at.y);
    }
    for (int i = 0; i < model->vertex_count; i++) {
        vec3s at = model->vertices[i].position;
        if (!belongs(work, &model->vertices[i], marked) || at.z > front + 0.05F * (back - front)) continue;
        sum += at.x;
        count++;
    }
    if (!count) return false;
    *tip = od_vec3(sum / (float)count, sole, front);
    return true;
}

bool od_foot_tip(od_work *work, int side, vec3s *tip)
{
    vec3s ankle = od_work_bone(work, work->role[OD_ROLE_ANKLE_L + side])->position;
    vec3s knee = od_work_bone(work, work->role[OD_ROLE_KNEE_L + side])->position;
    float shin = glms_vec3_distance(ankle, knee);
    bool *marked = OD_NEW(work->arena, bool, (size_t)work->model->bone_count, work->error);
    if (!marked) return false;
    mark_foot(work, side, marked);
    bool found = find_tip(work, marked, tip);
    if (found && ankle.z - tip->z > 0.1F * shin) return true;
    float floor = ankle.y > 0 && ankle.y < 0.5F * shin ? 0 : ankle.y - 0.2F * shin;
    *tip = od_vec3(ankle.x, floor, ankle.z - 0.34F * shin);
    return true;
}
