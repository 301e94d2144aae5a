/* Input: a plan and a clip. Output: the local rotation of every active bone in every frame.
 *
 *     world = turn * source_world * offset
 *     local = inverse(target_world[parent]) * world
 *     target_world[bone] = world
 *
 * The world is kept as the formula gives it: multiplying parent and local again would double the
 * quaternions' error at each level. */
#include "retarget/solution.h"

versors *od_solution_rotation(od_solution *solution, int bone, od_arena *arena, od_error *error)
{
    if (!solution->rotation[bone]) {
        versors *q = OD_NEW(arena, versors, (size_t)solution->frames, error);
        for (int f = 0; q && f < solution->frames; f++) q[f] = od_quat_identity();
        solution->rotation[bone] = q;
    }
    return solution->rotation[bone];
}

vec3s *od_solution_position(od_solution *solution, int bone, od_arena *arena, od_error *error)
{
    if (!solution->position[bone]) solution->position[bone] = OD_NEW(arena, vec3s, (size_t)solution->frames, error);
    return solution->position[bone];
}

od_xform od_solution_world(const od_solution *solution, int bone, int frame)
{
    if (bone < 0) return od_xform_identity();
    const od_bone *b = &solution->plan->target->skeleton.bones[bone];
    od_xform local = b->rest;
    if (solution->rotation[bone]) local.q = solution->rotation[bone][frame];
    if (solution->position[bone]) local.t = glms_vec3_add(local.t, solution->position[bone][frame]);
    return od_xform_mul(od_solution_world(solution, b->parent, frame), local);
}

/* The part of a rotation that an append takes over; the short way, any ratio. */
static versors power(versors q, float ratio)
{
    if (q.w < 0) q = od_quat(-q.x, -q.y, -q.z, -q.w);
    return od_quat_axis_angle(od_vec3(q.x, q.y, q.z), od_quat_angle(q) * ratio);
}

/* The turn from where a joint's rotation says that its limb points to where it does. */
static versors deviation(const od_driver *driver, const od_xform *source, const od_rest *rest)
{
    int joint = driver->source;
    versors since = od_quat_mul(od_quat_mul(rest->turn, source[joint].q), od_quat_conj(rest->world[joint].q));
    vec3s at_rest = glms_vec3_sub(rest->world[driver->end].t, rest->world[joint].t);
    vec3s have = od_quat_rotate(rest->turn, glms_vec3_sub(source[driver->end].t, source[joint].t));
    if (glms_vec3_norm(at_rest) < 1e-6f || glms_vec3_norm(have) < 1e-6f) return od_quat_identity();
    return od_quat_from_to(od_quat_rotate(since, at_rest), have);
}

static versors driven_world(const od_driver *driver, const od_xform *source, const od_rest *rest)
{
    versors q = od_quat_mul(source[driver->source].q, driver->offset);
    if (driver->source2 >= 0)
        q = od_quat_slerp(q, od_quat_mul(source[driver->source2].q, driver->offset2), driver->mix);
    q = od_quat_mul(rest->turn, q);
    if (driver->end >= 0) q = od_quat_mul(deviation(driver, source, rest), q);
    return od_quat_normalize(q);
}

/* One frame: worlds top-down, out go locals of bones that carry the body, or of the others. */
static void solve_frame(od_solution *solution, const od_xform *source, versors *world, bool carries, int frame)
{
    const od_plan *plan = solution->plan;
    const od_target *target = plan->target;
    for (int i = 0; i < plan->active_count; i++) {
        int b = plan->active[i], parent = target->skeleton.bones[b].parent;
        const od_driver *driver = &plan->driver[b];
        if (carries && !solution->carries[b]) continue; /* and none of those that do hangs on it */
        versors above = parent < 0 ? od_quat_identity() : world[parent];
        if (driver->kind == OD_DRIVE_SOURCE) {
            world[b] = driven_world(driver, source, plan->rest);
            if (solution->carries[b] != carries) continue;
            solution->rotation[b][frame] = od_quat_normalize(od_quat_mul(od_quat_conj(above), world[b]));
        } else if (solution->rotation[b]) {                                           /* append */
            const versors *from = solution->rotation[target->bones[b].append_source]; /* NULL in the other turn */
            if (solution->carries[b] == carries)
                solution->rotation[b][frame] = power(from[frame], target->bones[b].append_ratio);
            world[b] = od_quat_normalize(od_quat_mul(above, solution->rotation[b][frame]));
        } else {
            world[b] = above;
        }
    }
}

static vec3s toe_of(const od_plan *plan, const od_xform *source, int side)
{
    int toe = plan->rest->toe_joint[side], ankle = plan->joint[OD_ROLE_ANKLE_L + side];
    if (toe >= 0) return source[toe].t;
    /* No toe at all: a point a third of the shin ahead and a fifth below, from the rest pose. */
    const od_xform *rest = plan->rest->world;
    float shin = glms_vec3_distance(rest[plan->joint[OD_ROLE_KNEE_L + side]].t, rest[ankle].t);
    vec3s local = od_quat_rotate(od_quat_conj(rest[ankle].q), od_vec3(0, -0.2f * shin, -0.33f * shin));
    return od_xform_point(source[ankle], local);
}

static void keep_legs(od_solution *solution, const od_xform *source, const versors *world, int frame)
{
    const od_plan *plan = solution->plan;
    versors turn = plan->rest->turn;
    for (int side = 0; side < 2; side++) {
        od_leg_frame *leg = &solution->legs[side][frame];
        const od_leg_bones *bones = &plan->legs[side];
        leg->hip = od_quat_rotate(turn, source[plan->joint[OD_ROLE_LEG_L + side]].t);
        leg->knee = od_quat_rotate(turn, source[plan->joint[OD_ROLE_KNEE_L + side]].t);
        leg->ankle = od_quat_rotate(turn, source[plan->joint[OD_ROLE_ANKLE_L + side]].t);
        leg->toe = od_quat_rotate(turn, toe_of(plan, source, side));
        if (!plan->has_legs) continue;
        leg->thigh = world[bones->leg];
        leg->foot = leg->ball = world[bones->ankle];
        if (bones->toe_ex >= 0 && plan->driver[bones->toe_ex].kind == OD_DRIVE_SOURCE) leg->ball = world[bones->toe_ex];
    }
}

/* Trunk and legs: all that is not above the waist, legs and travel wherever they are, what these hang on and
 * what they follow. */
static void find_carriers(od_solution *solution)
{
    const od_plan *plan = solution->plan;
    const od_target *target = plan->target;
    const od_leg_bones *l = &plan->legs[0], *r = &plan->legs[1];
    const int used[] = {l->leg,
                        l->knee,
                        l->ankle,
                        l->toe,
                        l->toe_ex,
                        l->leg_ik,
                        l->toe_ik,
                        r->leg,
                        r->knee,
                        r->ankle,
                        r->toe,
                        r->toe_ex,
                        r->leg_ik,
                        r->toe_ik,
                        plan->travel,
                        plan->travel_plane,
                        plan->travel_height};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        if (used[i] >= 0) solution->carries[used[i]] = true;
    for (int b = target->skeleton.count - 1; b >= 0; b--) {
        int on[2] = {target->skeleton.bones[b].parent, target->bones[b].append_source};
        if (!od_skeleton_is_below(&target->skeleton, b, target->role[OD_ROLE_UPPER_BODY])) solution->carries[b] = true;
        for (int i = 0; i < 2 && solution->carries[b]; i++)
            if (on[i] >= 0) solution->carries[on[i]] = true;
    }
}

/* Arrays of the bones that carry the body, or of the others. */
static bool make_rotations(od_solution *solution, bool carries, od_arena *arena, od_error *error)
{
    const od_plan *plan = solution->plan;
    for (int i = 0; i < plan->active_count; i++) {
        int b = plan->active[i], append = plan->target->bones[b].append_source;
        od_drive kind = plan->driver[b].kind;
        if (solution->carries[b] != carries) continue;
        solution->keyed[b] = kind == OD_DRIVE_SOURCE;
        /* An append from a bone that is evaluated later or stays at rest adds nothing. */
        bool follows = kind == OD_DRIVE_APPEND && append < b && solution->rotation[append];
        if ((kind == OD_DRIVE_SOURCE || follows) && !od_solution_rotation(solution, b, arena, error)) return false;
    }
    return true;
}

static bool solve(od_solution *solution, const od_skeleton *source, const od_clip *clip, bool carries, od_arena *arena,
                  od_error *error)
{
    od_xform *joints = OD_NEW(arena, od_xform, (size_t)source->count, error);
    versors *world = OD_NEW(arena, versors, (size_t)solution->plan->target->skeleton.count, error);
    if (!joints || !world || !make_rotations(solution, carries, arena, error)) return false;
    for (int f = 0; f < clip->frames; f++) {
        od_clip_world(clip, f, source, joints);
        solve_frame(solution, joints, world, carries, f);
        if (carries) keep_legs(solution, joints, world, f);
    }
    return true;
}

bool od_solve_body(const od_plan *plan, const od_skeleton *source, const od_clip *clip, od_solution *solution,
                   od_arena *scratch, od_arena *arena, od_error *error)
{
    *solution = (od_solution){.plan = plan, .frames = clip->frames};
    size_t bones = (size_t)plan->target->skeleton.count;
    solution->rotation = OD_NEW(arena, versors *, bones, error);
    solution->position = OD_NEW(arena, vec3s *, bones, error);
    solution->keyed = OD_NEW(arena, bool, bones, error);
    solution->carries = OD_NEW(arena, bool, bones, error);
    if (!solution->rotation || !solution->position || !solution->keyed || !solution->carries) return false;
    for (int side = 0; side < 2; side++) {
        solution->legs[side] = OD_NEW(scratch, od_leg_frame, (size_t)solution->frames, error);
        if (!solution->legs[side]) return false;
    }
    find_carriers(solution);
    return solve(solution, source, clip, true, arena, error);
}

bool od_solve_others(od_solution *solution, const od_skeleton *source, const od_clip *clip, od_arena *arena,
                     od_error *error)
{
    return solve(solution, source, clip, false, arena, error);
}
