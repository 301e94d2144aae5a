/* Input: a model at work whose arms are known, and an angle. Output: the model at rest with its arms so far
 * below the horizontal: bones, mesh, morphs, rigid bodies and joints.
 * Each arm turns about the front, at its shoulder, with all that hangs on it; vertices turn as they would
 * when the bones were posed. */
#include "rig/skin.h"
#include "rig/work.h"

/* How one bone moves the mesh. */
typedef struct turn {
    versors q;
    vec3s pivot;
} turn;

/* turns[bone]; identity for bones that stay. */
typedef struct turning {
    od_work *work;
    turn *turns;
} turning;

static vec3s turned(turn t, vec3s point)
{
    return glms_vec3_add(t.pivot, od_quat_rotate(t.q, glms_vec3_sub(point, t.pivot)));
}

static turn turn_of(const turning *all, int bone)
{
    bool known = bone >= 0 && bone < all->work->model->bone_count;
    return known ? all->turns[bone] : (turn){od_quat_identity(), od_vec3(0, 0, 0)};
}

static bool is_turned(turn t)
{
    return fabsf(t.q.w) < 1;
}

/* ---- mesh ------------------------------------------------------------------------------------- */

/* Blends what `apply` makes of `v` for the vertex's bones. */
static vec3s blend(const turning *all, const od_vertex *vertex, vec3s v, bool is_point)
{
    vec3s sum = od_vec3(0, 0, 0);
    for (int i = 0; i < od_weights_bones(vertex->kind); i++) {
        turn t = turn_of(all, vertex->bone[i]);
        vec3s to = is_point ? turned(t, v) : od_quat_rotate(t.q, v);
        sum = glms_vec3_add(sum, glms_vec3_scale(to, od_vertex_weight(vertex, i)));
    }
    return sum;
}

/* SDEF: the vertex turns about C by the mean rotation, C goes where its two bones take it
 * (benikabocha/saba PMXModel.cpp). */
static void turn_sdef(const turning *all, od_vertex *vertex)
{
    turn t[2] = {turn_of(all, vertex->bone[0]), turn_of(all, vertex->bone[1])};
    float w[2] = {od_vertex_weight(vertex, 0), od_vertex_weight(vertex, 1)};
    vec3s *c = &vertex->sdef[0], *r = &vertex->sdef[1], center = od_vec3(0, 0, 0);
    vec3s mean = glms_vec3_add(glms_vec3_scale(r[0], w[0]), glms_vec3_scale(r[1], w[1]));
    versors q = od_quat_slerp(t[0].q, t[1].q, w[1]);
    for (int i = 0; i < 2; i++) {
        vec3s own = glms_vec3_add(*c, glms_vec3_scale(glms_vec3_sub(r[i], mean), 0.5F));
        center = glms_vec3_add(center, glms_vec3_scale(turned(t[i], own), w[i]));
    }
    vertex->position = glms_vec3_add(center, od_quat_rotate(q, glms_vec3_sub(vertex->position, *c)));
    vertex->normal = od_quat_rotate(q, vertex->normal);
    for (int i = 0; i < 2; i++) r[i] = turned(t[i], r[i]);
    *c = center;
}

static bool moves(const turning *all, const od_vertex *vertex)
{
    for (int i = 0; i < od_weights_bones(vertex->kind); i++)
        if (od_vertex_weight(vertex, i) != 0 && is_turned(turn_of(all, vertex->bone[i]))) return true;
    return false;
}

static void turn_vertex(const turning *all, od_vertex *vertex)
{
    if (!moves(all, vertex)) return;
    if (vertex->kind == OD_SDEF) {
        turn_sdef(all, vertex);
        return;
    }
    float length = glms_vec3_norm(vertex->normal);
    vertex->position = blend(all, vertex, vertex->position, true);
    vertex->normal = glms_vec3_scale(od_vec3_normalize(blend(all, vertex, vertex->normal, false)), length);
}

/* ---- morphs, physics -------------------------------------------------------------------------- */

static void turn_morph(const turning *all, od_model_morph *morph)
{
    const od_model *model = all->work->model;
    for (int i = 0; morph->vertices && i < morph->count; i++) {
        od_vertex_shift *shift = &morph->vertices[i];
        if (shift->vertex < 0 || shift->vertex >= model->vertex_count) continue;
        const od_vertex *vertex = &model->vertices[shift->vertex];
        if (moves(all, vertex)) shift->offset = blend(all, vertex, shift->offset, false);
    }
    for (int i = 0; morph->bones && i < morph->count; i++) {
        od_bone_shift *shift = &morph->bones[i];
        turn t = turn_of(all, shift->bone);
        if (!is_turned(t)) continue;
        versors q = od_quat(shift->rotation[0], shift->rotation[1], shift->rotation[2], shift->rotation[3]);
        q = od_quat_mul(od_quat_mul(t.q, q), od_quat_conj(t.q));
        for (int k = 0; k < 4; k++) shift->rotation[k] = q.raw[k];
        int parent = od_work_bone(all->work, shift->bone)->parent;
        shift->position = od_quat_rotate(turn_of(all, parent).q, shift->position);
    }
}

/* Angles of bodies and joints: R = Ry Rx Rz. */
static vec3s turned_angles(versors q, vec3s angles)
{
    q = od_quat_mul(q, od_quat_euler("yxz", (float[]){angles.y, angles.x, angles.z}));
    float sine = 2 * (q.x * q.w - q.y * q.z);
    float x = asinf(sine > 1 ? 1 : sine < -1 ? -1 : sine);
    if (fabsf(sine) > 0.999999F) return od_vec3(x, 2 * atan2f(q.y, q.w), 0); /* y and z turn about one axis */
    return od_vec3(x, atan2f(2 * (q.x * q.z + q.y * q.w), 1 - 2 * (q.x * q.x + q.y * q.y)),
                   atan2f(2 * (q.x * q.y + q.z * q.w), 1 - 2 * (q.x * q.x + q.z * q.z)));
}

static void turn_physics(const turning *all)
{
    od_model *model = all->work->model;
    for (int i = 0; i < model->body_count; i++) {
        od_model_body *body = &model->bodies[i];
        turn t = turn_of(all, body->bone);
        if (!is_turned(t)) continue;
        body->position = turned(t, body->position);
        body->rotation = turned_angles(t.q, body->rotation);
    }
    for (int i = 0; i < model->joint_count; i++) {
        od_model_joint *joint = &model->joints[i];
        for (int k = 2; k--;) { /* a joint goes with its second body, which hangs on the first */
            bool known = joint->body[k] >= 0 && joint->body[k] < model->body_count;
            turn t = turn_of(all, known ? model->bodies[joint->body[k]].bone : -1);
            if (!is_turned(t)) continue;
            joint->position = turned(t, joint->position);
            joint->rotation = turned_angles(t.q, joint->rotation);
            break;
        }
    }
}

/* ---- bones ------------------------------------------------------------------------------------ */

static void turn_bone(const turning *all, int bone)
{
    od_model_bone *b = od_work_bone(all->work, bone);
    turn t = all->turns[bone];
    b->position = turned(t, b->position);
    b->tail = od_quat_rotate(t.q, b->tail);
    b->fixed_axis = od_quat_rotate(t.q, b->fixed_axis);
    b->local_x = od_quat_rotate(t.q, b->local_x);
    b->local_z = od_quat_rotate(t.q, b->local_z);
}

/* The turn of an arm; false when it is not known or hangs as it should. */
static bool find_turn(const od_work *work, int side, double degrees, turn *t)
{
    int arm = work->role[OD_ROLE_ARM_L + side], end = work->role[OD_ROLE_ELBOW_L + side];
    if (arm < 0 || end < 0) {
        od_warn(work->report, "%s and its elbow are not known, so the arm is not turned",
                od_role_name(OD_ROLE_ARM_L + side));
        return false;
    }
    vec3s way = glms_vec3_sub(od_work_bone(work, end)->position, od_work_bone(work, arm)->position);
    float out = side ? -way.x : way.x, angle = (float)degrees * (GLM_PIf / 180) - atan2f(-way.y, out);
    if (fabsf(angle) < 1e-5F || !(fabsf(way.x) + fabsf(way.y) > 0)) return false;
    *t = (turn){od_quat_axis_angle(od_vec3(0, 0, 1), side ? angle : -angle), od_work_bone(work, arm)->position};
    od_choice(work->report, "%s: turned by %.1f degrees, to %.1f below the horizontal",
              od_role_name(OD_ROLE_ARM_L + side), (double)angle * (180 / GLM_PI), degrees);
    return true;
}

/* What hangs on the arm, and the goals of IK that pulls something of it. */
static void turn_side(turning *all, int side, turn t)
{
    const od_work *work = all->work;
    int arm = work->role[OD_ROLE_ARM_L + side], count = work->model->bone_count;
    for (int b = 0; b < count; b++) {
        const od_model_bone *bone = od_work_bone(work, b);
        int effector = bone->flags & OD_BONE_IK ? bone->ik.effector : -1;
        bool pulls = effector >= 0 && effector < count && od_work_is_below(work, effector, arm);
        if (pulls || od_work_is_below(work, b, arm)) all->turns[b] = t;
    }
}

bool od_rig_turn_arms(od_work *work)
{
    od_model *model = work->model;
    turning all = {.work = work, .turns = OD_NEW(work->arena, turn, (size_t)model->bone_count, work->error)};
    bool any = false;
    if (!all.turns) return false;
    for (int b = 0; b < model->bone_count; b++) all.turns[b].q = od_quat_identity();
    for (int side = 0; side < 2; side++) {
        turn t;
        if (!find_turn(work, side, work->options->arm_angle, &t)) continue;
        turn_side(&all, side, t);
        any = true;
    }
    if (!any) return true;
    for (int i = 0; i < model->morph_count; i++) turn_morph(&all, &model->morphs[i]);
    for (int i = 0; i < model->vertex_count; i++) turn_vertex(&all, &model->vertices[i]);
    turn_physics(&all);
    for (int b = 0; b < model->bone_count; b++)
        if (is_turned(all.turns[b])) turn_bone(&all, b);
    return true;
}
