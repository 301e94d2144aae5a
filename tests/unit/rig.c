/* Input: a shape, poses. Output: a scene, a binding, a target and the keys that the solver makes. */
#include "rig.h"

typedef struct row {
    od_role role;
    int parent; /* row; of the left side for pairs */
    double x, y, z;
    bool pair;
} row;

enum { HIPS, SPINE, SPINE1, SPINE2, NECK, HEAD, SHOULDER, ARM, ELBOW, WRIST, UP_LEG = WRIST + 16, KNEE, ANKLE, TOE };

/* T-pose, centimetres, facing -Z. Thigh to shin as in the standard model. */
static const row ROWS[] = {
    {OD_ROLE_LOWER_BODY, -1, 0, 100, 0, false},         {OD_ROLE_UPPER_BODY, HIPS, 0, 108, 1, false},
    {OD_ROLE_UPPER_BODY2, SPINE, 0, 119, 1.5, false},   {OD_ROLE_UPPER_BODY3, SPINE1, 0, 131, 1, false},
    {OD_ROLE_NECK, SPINE2, 0, 148, 2, false},           {OD_ROLE_HEAD, NECK, 0, 157, 1, false},
    {OD_ROLE_SHOULDER_L, SPINE2, 4, 143, 1, true},      {OD_ROLE_ARM_L, SHOULDER, 17, 143, 2, true},
    {OD_ROLE_ELBOW_L, ARM, 45, 143, 2, true},           {OD_ROLE_WRIST_L, ELBOW, 70, 143, 2, true},
    {OD_ROLE_THUMB0_L, WRIST, 72, 142, -1, true},       {OD_ROLE_THUMB1_L, WRIST + 1, 75, 141, -4, true},
    {OD_ROLE_THUMB2_L, WRIST + 2, 77.5, 140, -6, true}, {OD_ROLE_INDEX1_L, WRIST, 79, 143, -1, true},
    {OD_ROLE_INDEX2_L, WRIST + 4, 83, 143, -1, true},   {OD_ROLE_INDEX3_L, WRIST + 5, 85.5, 143, -1, true},
    {OD_ROLE_MIDDLE1_L, WRIST, 79.5, 143, 1, true},     {OD_ROLE_MIDDLE2_L, WRIST + 7, 84, 143, 1, true},
    {OD_ROLE_MIDDLE3_L, WRIST + 8, 87, 143, 1, true},   {OD_ROLE_RING1_L, WRIST, 79, 143, 3, true},
    {OD_ROLE_RING2_L, WRIST + 10, 83, 143, 3, true},    {OD_ROLE_RING3_L, WRIST + 11, 85.5, 143, 3, true},
    {OD_ROLE_LITTLE1_L, WRIST, 78, 143, 5, true},       {OD_ROLE_LITTLE2_L, WRIST + 13, 81, 143, 5, true},
    {OD_ROLE_LITTLE3_L, WRIST + 14, 83, 143, 5, true},  {OD_ROLE_LEG_L, HIPS, 9, 94.2207, 0, true},
    {OD_ROLE_KNEE_L, UP_LEG, 9, 50.2207, 0, true},      {OD_ROLE_ANKLE_L, KNEE, 9, 8, 0, true},
    {OD_ROLE_TOE_EX_L, ANKLE, 9.4, 2, -13, true},
};
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };

static double stretch(double s)
{
    return s > 0 ? s : 1;
}

static bool is_finger(od_role role)
{
    return role >= OD_ROLE_THUMB0_L && role <= OD_ROLE_LITTLE3_R;
}

static bool is_toe(od_role role)
{
    return role == OD_ROLE_TOE_EX_L || role == OD_ROLE_TOE_EX_R;
}

/* Where a row of the table stands in a rig of this shape. */
static vecd place(const rig_shape *shape, int i)
{
    const vecd hip = {9, 94.2207, 0}, shoulder = {17, 143, 2};
    double legs = stretch(shape->legs), trunk = stretch(shape->trunk);
    vecd at = {ROWS[i].x, ROWS[i].y + (i == KNEE ? shape->knee_up : 0), ROWS[i].z};
    if (i >= UP_LEG) return (vecd){at.x, at.y * legs, at.z * legs};
    double lift = hip.y * (legs - 1);
    vecd arm = {shoulder.x, hip.y + (shoulder.y - hip.y) * trunk + lift, shoulder.z};
    if (i < ARM) return (vecd){at.x, hip.y + (at.y - hip.y) * trunk + lift, at.z};
    vecd way = vecd_scale(vecd_sub(at, shoulder), stretch(shape->arms));
    return vecd_add(arm, quatd_rotate(quatd_axis(AXIS_Z, -shape->arm_down), way));
}

static quatd random_turn(uint32_t *state)
{
    vecd axis = {check_random(state), check_random(state), check_random(state) + 1.1};
    return quatd_axis(axis, 180 * check_random(state));
}

static versors single_q(quatd q)
{
    return od_quat_normalize(od_quat((float)q.x, (float)q.y, (float)q.z, (float)q.w));
}

static vec3s single_v(vecd v)
{
    return od_vec3((float)v.x, (float)v.y, (float)v.z);
}

static void allocate(rig *r, int frames)
{
    od_skeleton *skeleton = &r->scene.skeleton;
    skeleton->bones = OD_NEW(r->arena, od_bone, RIG_JOINTS, &r->error);
    r->binding.rows = OD_NEW(r->arena, od_bound, RIG_JOINTS, &r->error);
    r->clip = (od_clip){.name = "dance", .fps = 30, .frames = frames};
    r->local = OD_NEW(r->arena, od_xform, (size_t)frames * RIG_JOINTS, &r->error);
    assert_false(r->error.failed);
    for (int i = 0; i < OD_ROLE_COUNT; i++) {
        r->joint[i] = r->binding.source_of_role[i] = -1;
        r->binding.offset_of_role[i] = od_quat_identity();
    }
}

static int add_joint(rig *r, const char *name, od_role role, int parent, vecd at, quatd bind)
{
    int i = r->scene.skeleton.count++;
    assert_true(i < RIG_JOINTS);
    r->scene.skeleton.bones[i] = (od_bone){.name = name, .parent = parent};
    r->at[i] = at;
    r->bind[i] = bind;
    r->role[i] = role;
    if (role == OD_ROLE_NONE) return i;
    r->joint[role] = r->binding.source_of_role[role] = i;
    r->binding.rows[r->binding.count++] = (od_bound){
        .source = i, .role = role, .bone = r->target.role[role], .use = OD_USE_ROTATION, .offset = od_quat_identity()};
    return i;
}

/* Local rest and clip from the places and binds. */
static void finish(rig *r)
{
    od_skeleton *skeleton = &r->scene.skeleton;
    r->clip.bones = skeleton->count;
    for (int i = 0; i < skeleton->count; i++) {
        int parent = skeleton->bones[i].parent;
        quatd above = parent < 0 ? NO_TURN : quatd_conj(r->bind[parent]);
        vecd way = parent < 0 ? r->at[i] : vecd_sub(r->at[i], r->at[parent]);
        skeleton->bones[i].rest.q = single_q(quatd_mul(above, r->bind[i]));
        skeleton->bones[i].rest.t = single_v(vecd_scale(quatd_rotate(above, way), r->unit));
    }
    od_skeleton_finish(skeleton);
    rig_pose rest = rig_rest();
    for (int f = 0; f < r->clip.frames; f++) rig_put(r, f, &rest);
}

static void begin(rig *r, int frames)
{
    memset(r, 0, sizeof *r);
    r->arena = od_arena_new(0);
    assert_non_null(r->arena);
    r->report.arena = r->arena;
    r->unit = 1;
    r->options.keep_first = true;
    assert_ok(od_target_standard(&r->target, r->arena, &r->error), r->error);
    r->scene.format = "test";
    allocate(r, frames);
}

void rig_open(rig *r, const rig_shape *shape, int frames)
{
    uint32_t state = 7;
    int added[ROW_COUNT][2], spines = shape->spines ? shape->spines : 3;
    begin(r, frames);
    r->unit = stretch(shape->unit);
    for (int i = 0; i < ROW_COUNT; i++) {
        const row *w = &ROWS[i];
        added[i][0] = added[i][1] = i ? added[w->parent][0] : -1;
        if (w->pair) added[i][1] = added[w->parent][1];
        if (i >= SPINE && i < SPINE + 3 && i >= SPINE + spines) continue;
        if ((is_finger(w->role) && shape->no_fingers) || (is_toe(w->role) && shape->no_toes)) continue;
        for (int side = 0; side < (w->pair ? 2 : 1); side++) {
            vecd at = place(shape, i);
            if (side) at.x = -at.x;
            od_role role = w->role + side;
            quatd bind = shape->turned_bind ? random_turn(&state) : NO_TURN;
            int parent = added[i][side];
            added[i][side] = add_joint(r, od_role_name_en(role), role, parent, at, bind);
            if (!w->pair) added[i][1] = added[i][0];
        }
    }
    r->binding.translation_source = r->joint[OD_ROLE_LOWER_BODY];
    finish(r);
}

/* Where a joint's bone points to: its first child, else on along its parent's. */
static vecd along(const rig *r, int joint)
{
    const od_skeleton *skeleton = &r->scene.skeleton;
    for (int i = joint + 1; i < skeleton->count; i++)
        if (skeleton->bones[i].parent == joint) return vecd_unit(vecd_sub(r->at[i], r->at[joint]));
    return vecd_unit(vecd_sub(r->at[joint], r->at[skeleton->bones[joint].parent]));
}

/* The smallest rotation from X to a direction. */
static quatd from_x(vecd way)
{
    if (way.x < -0.999999) return (quatd){0, 1, 0, 0};
    vecd axis = vecd_cross(AXIS_X, way);
    double n = sqrt(2 + 2 * way.x);
    return (quatd){axis.x / n, axis.y / n, axis.z / n, n / 2};
}

void rig_forget_rest(rig *r)
{
    od_skeleton *skeleton = &r->scene.skeleton;
    for (int i = 0; i < skeleton->count; i++) {
        bool right = r->role[i] >= OD_ROLE_SIDED && (r->role[i] - OD_ROLE_SIDED) % 2;
        r->bind[i] = from_x(vecd_scale(along(r, i), right ? -1 : 1));
    }
    finish(r);
    for (int i = 0; i < skeleton->count; i++) skeleton->bones[i].rest.q = od_quat_identity();
    od_skeleton_finish(skeleton);
}

/* Which bones of a model a person or a solver turns; the rest follows or helps. */
static bool is_posed(od_role role)
{
    return (role >= OD_ROLE_LOWER_BODY && role <= OD_ROLE_HEAD) || role == OD_ROLE_SHOULDER_L ||
           role == OD_ROLE_SHOULDER_R || (role >= OD_ROLE_ARM_L && role <= OD_ROLE_LITTLE3_R) ||
           (role >= OD_ROLE_LEG_L && role <= OD_ROLE_ANKLE_R) || is_toe(role);
}

void rig_open_same(rig *r, int frames, bool turned_bind)
{
    uint32_t state = 11;
    begin(r, frames);
    r->same = true;
    const od_skeleton *own = &r->target.skeleton;
    for (int i = 0; i < own->count; i++) {
        od_role role = r->target.bones[i].role;
        quatd bind = turned_bind ? random_turn(&state) : NO_TURN;
        int joint = add_joint(r, own->bones[i].name, is_posed(role) ? role : OD_ROLE_NONE, own->bones[i].parent,
                              vecd_of(own->bones[i].rest_world.t), bind);
        if (role == OD_ROLE_CENTER) r->binding.translation_source = joint;
    }
    finish(r);
}

void rig_close(rig *r)
{
    od_arena_free(r->arena);
    r->arena = NULL;
}

const od_clip *rig_clip(rig *r)
{
    int frames = r->clip.frames, joints = r->clip.bones;
    assert_ok(od_clip_make(&r->clip, joints, r->clip.fps, r->arena, &r->error), r->error);
    for (int f = 0; f < frames; f++) {
        od_xform *local = od_clip_add(&r->clip, &r->error);
        assert_ok(local != NULL, r->error);
        memcpy(local, r->local + (size_t)f * (size_t)joints, (size_t)joints * sizeof *local);
    }
    return &r->clip;
}

rig_pose rig_rest(void)
{
    rig_pose pose;
    for (int i = 0; i < RIG_JOINTS; i++) pose.turn[i] = NO_TURN;
    pose.hips = (vecd){0, 0, 0};
    return pose;
}

/* In the model's own skeleton the D bones turn with the bones that they follow. */
static quatd turn_of(const rig *r, const rig_pose *pose, int joint)
{
    bool follows = r->same && r->target.bones[joint].append_source >= 0 && r->target.bones[joint].append_ratio == 1;
    return pose->turn[follows ? r->target.bones[joint].append_source : joint];
}

void rig_put(rig *r, int frame, const rig_pose *pose)
{
    const od_skeleton *skeleton = &r->scene.skeleton;
    od_xform *local = r->local + (size_t)frame * (size_t)r->clip.bones;
    for (int i = 0; i < skeleton->count; i++) {
        int parent = skeleton->bones[i].parent;
        quatd above = parent < 0 ? NO_TURN : quatd_conj(r->bind[parent]);
        local[i] = skeleton->bones[i].rest;
        local[i].q = single_q(quatd_mul(quatd_mul(above, turn_of(r, pose, i)), r->bind[i]));
        if (i != r->binding.translation_source) continue;
        vecd way = vecd_add(vecd_sub(r->at[i], parent < 0 ? (vecd){0, 0, 0} : r->at[parent]), pose->hips);
        local[i].t = single_v(vecd_scale(quatd_rotate(above, way), r->unit));
    }
}

xformd rig_delta(const rig *r, const rig_pose *pose, int joint)
{
    int parent = r->scene.skeleton.bones[joint].parent;
    vecd way = vecd_sub(r->at[joint], parent < 0 ? (vecd){0, 0, 0} : r->at[parent]);
    if (joint == r->binding.translation_source) way = vecd_add(way, pose->hips);
    xformd local = {pose->turn[joint], way};
    return parent < 0 ? local : xformd_mul(rig_delta(r, pose, parent), local);
}

/* The rotation whose axes are x, y, z. */
static quatd quatd_of_axes(vecd x, vecd y, vecd z)
{
    double w = sqrt(fmax(0, 1 + x.x + y.y + z.z)) / 2;
    if (w > 0.1) return (quatd){(y.z - z.y) / (4 * w), (z.x - x.z) / (4 * w), (x.y - y.x) / (4 * w), w};
    /* near half a turn: by way of a quarter turn about the axis that keeps w large */
    quatd quarter = {sqrt(0.5), 0, 0, sqrt(0.5)};
    return quatd_mul(quatd_of_axes(x, z, vecd_scale(y, -1)), quatd_conj(quarter));
}

void rig_reach(const rig *r, rig_pose *pose, int side, vecd at, quatd foot)
{
    int leg = r->joint[OD_ROLE_LEG_L + side], knee = r->joint[OD_ROLE_KNEE_L + side];
    int ankle = r->joint[OD_ROLE_ANKLE_L + side];
    pose->turn[leg] = NO_TURN;
    xformd hip = rig_delta(r, pose, leg);
    double a = vecd_distance(r->at[leg], r->at[knee]), b = vecd_distance(r->at[knee], r->at[ankle]);
    double d = vecd_distance(at, hip.t);
    assert_true(d < a + b);
    vecd n = vecd_unit(vecd_sub(at, hip.t));
    vecd ahead = quatd_rotate(hip.q, (vecd){0, 0, -1});
    ahead = vecd_unit(vecd_sub(ahead, vecd_scale(n, vecd_dot(ahead, n))));
    double cosine = (a * a + d * d - b * b) / (2 * a * d);
    vecd bend = vecd_add(vecd_scale(n, a * cosine), vecd_scale(ahead, a * sqrt(1 - cosine * cosine)));
    vecd hinge = vecd_unit(vecd_cross(n, ahead));
    vecd up = vecd_scale(vecd_unit(bend), -1);
    quatd thigh = quatd_of_axes(hinge, up, vecd_cross(hinge, up));
    up = vecd_unit(vecd_sub(bend, vecd_sub(at, hip.t)));
    quatd shin = quatd_of_axes(hinge, up, vecd_cross(hinge, up));
    pose->turn[leg] = quatd_mul(quatd_conj(hip.q), thigh);
    pose->turn[knee] = quatd_mul(quatd_conj(thigh), shin);
    pose->turn[ankle] = quatd_mul(quatd_conj(shin), foot);
}

/* How far a role turns about any axis in a dance, degrees. */
static double reach_of(od_role role)
{
    if (role == OD_ROLE_ARM_L || role == OD_ROLE_ARM_R) return 60;
    if (role == OD_ROLE_ELBOW_L || role == OD_ROLE_ELBOW_R) return 45;
    if (role == OD_ROLE_LEG_L || role == OD_ROLE_LEG_R) return 25;
    if (role == OD_ROLE_KNEE_L || role == OD_ROLE_KNEE_R) return 0;
    return is_toe(role) ? 5 : 15;
}

rig_pose rig_random(const rig *r, uint32_t seed, int frame)
{
    rig_pose pose = rig_rest();
    double t = frame / 30.0;
    uint32_t state = seed * 2654435761u + 1;
    for (int i = 0; i < r->scene.skeleton.count; i++) {
        double wave[3];
        for (int k = 0; k < 3; k++) {
            double rate = 2 + check_random(&state), phase = 4 * check_random(&state);
            wave[k] = sin(rate * t + phase);
        }
        double reach = reach_of(r->role[i]);
        if (r->role[i] == OD_ROLE_NONE) continue;
        pose.turn[i] = quatd_mul(quatd_mul(quatd_axis(AXIS_Z, reach * wave[0]), quatd_axis(AXIS_Y, reach * wave[1])),
                                 quatd_axis(AXIS_X, reach * wave[2]));
        if (r->role[i] == OD_ROLE_KNEE_L || r->role[i] == OD_ROLE_KNEE_R)
            pose.turn[i] = quatd_axis(AXIS_X, -50 + 30 * wave[0]);
        if (r->role[i] == OD_ROLE_LOWER_BODY) pose.hips = (vecd){30 * wave[0], -12 + 8 * wave[1], 30 * wave[2]};
    }
    return pose;
}

void rig_dance(rig *r, uint32_t seed)
{
    for (int f = 0; f < r->clip.frames; f++) {
        rig_pose pose = rig_random(r, seed, f);
        rig_put(r, f, &pose);
    }
}

void rig_turn(rig *r, quatd q, bool rest_too)
{
    od_skeleton *skeleton = &r->scene.skeleton;
    od_xform by = {.q = single_q(q), .t = od_vec3(0, 0, 0)};
    for (int i = 0; i < skeleton->count; i++) {
        if (skeleton->bones[i].parent >= 0) continue;
        if (rest_too) skeleton->bones[i].rest = od_xform_mul(by, skeleton->bones[i].rest);
        for (int f = 0; f < r->clip.frames; f++) {
            od_xform *local = &r->local[(size_t)f * (size_t)r->clip.bones + (size_t)i];
            *local = od_xform_mul(by, *local);
        }
    }
    od_skeleton_finish(skeleton);
}

void rig_solve(rig *r)
{
    assert_ok(od_retarget(&r->scene, rig_clip(r), &r->binding, &r->target, &r->options, &r->keys, &r->result,
                          &r->report, r->arena, &r->error),
              r->error);
}

xformd rig_world(const rig *r, int frame, int joint)
{
    const od_xform *local = &r->local[(size_t)frame * (size_t)r->clip.bones + (size_t)joint];
    xformd own = {quatd_of(local->q), vecd_of(local->t)};
    int parent = r->scene.skeleton.bones[joint].parent;
    return parent < 0 ? own : xformd_mul(rig_world(r, frame, parent), own);
}

xformd rig_played(const rig *r, int frame, od_role role)
{
    xformd world[PLAYER_BONES];
    player_frame(&r->target, &r->keys, frame, false, world);
    return world[r->target.role[role]];
}

xformd rig_key(const rig *r, int frame, od_role role)
{
    return player_key(&r->keys, r->target.skeleton.bones[r->target.role[role]].name, frame);
}

vecd rig_source_way(const rig *r, int frame, od_role from, od_role to)
{
    return vecd_sub(rig_world(r, frame, r->joint[to]).t, rig_world(r, frame, r->joint[from]).t);
}

vecd rig_played_way(const rig *r, int frame, od_role from, od_role to)
{
    xformd world[PLAYER_BONES];
    player_frame(&r->target, &r->keys, frame, false, world);
    return vecd_sub(world[r->target.role[to]].t, world[r->target.role[from]].t);
}

void rig_check_keys(const rig *r)
{
    for (int i = 0; i < r->keys.track_count; i++) {
        const od_track *track = &r->keys.tracks[i];
        assert_true(track->count >= 1);
        for (int k = 0; k < track->count; k++) {
            if (track->position) assert_true(od_vec3_finite(track->position[k]));
            if (!track->rotation) continue;
            assert_near(od_quat_dot(track->rotation[k], track->rotation[k]), 1, 1e-5);
            if (k) assert_true(od_quat_dot(track->rotation[k], track->rotation[k - 1]) >= 0);
        }
    }
}

/* A copy of the target's arrays without some bones; the model's order stays. */
static void copy_target(rig *r, const bool *gone)
{
    od_target old = r->target, *new = &r->target;
    int count = old.skeleton.count, kept = 0, to[PLAYER_BONES];
    new->skeleton.bones = OD_NEW(r->arena, od_bone, (size_t)count, &r->error);
    new->bones = OD_NEW(r->arena, od_target_bone, (size_t)count, &r->error);
    new->ik = OD_NEW(r->arena, od_ik_chain, (size_t)old.ik_count, &r->error);
    assert_false(r->error.failed);
    for (int b = 0; b < count; b++) to[b] = gone[b] ? -1 : kept++;
    new->skeleton.count = kept;
    for (int b = 0; b < count; b++) {
        if (gone[b]) continue;
        od_bone *bone = &new->skeleton.bones[to[b]];
        od_target_bone *more = &new->bones[to[b]];
        *bone = old.skeleton.bones[b];
        *more = old.bones[b];
        int parent = bone->parent;
        while (parent >= 0 && gone[parent]) parent = old.skeleton.bones[parent].parent;
        bone->parent = parent < 0 ? -1 : to[parent];
        bone->rest.t = bone->rest_world.t;
        if (parent >= 0) bone->rest.t = glms_vec3_sub(bone->rest_world.t, old.skeleton.bones[parent].rest_world.t);
        more->model_index = to[b];
        more->append_source = more->append_source < 0 ? -1 : to[more->append_source];
        if (more->append_source < 0) more->flags &= ~(unsigned)OD_BONE_APPEND_ROTATION;
        more->ik = -1;
    }
    new->ik_count = 0;
    for (int i = 0; i < old.ik_count; i++) {
        od_ik_chain chain = old.ik[i];
        if (gone[chain.bone] || gone[chain.effector]) continue;
        chain.links = OD_NEW(r->arena, od_ik_link, (size_t)chain.link_count, &r->error);
        for (int k = 0; k < chain.link_count; k++) {
            chain.links[k] = old.ik[i].links[k];
            chain.links[k].bone = to[chain.links[k].bone];
        }
        chain.bone = to[chain.bone];
        chain.effector = to[chain.effector];
        new->bones[chain.bone].ik = new->ik_count;
        new->ik[new->ik_count++] = chain;
    }
}

static void finish_target(rig *r)
{
    assert_ok(od_target_finish(&r->target, &r->report, r->arena, &r->error), r->error);
    for (int i = 0; i < r->binding.count; i++)
        if (r->binding.rows[i].role != OD_ROLE_NONE) r->binding.rows[i].bone = r->target.role[r->binding.rows[i].role];
}

void rig_without(rig *r, const od_role *roles, int count)
{
    bool gone[PLAYER_BONES] = {false};
    for (int i = 0; i < count; i++) {
        assert_true(r->target.role[roles[i]] >= 0);
        gone[r->target.role[roles[i]]] = true;
    }
    copy_target(r, gone);
    finish_target(r);
}

void rig_hang(rig *r, od_role role, od_role parent)
{
    const bool gone[PLAYER_BONES] = {false};
    copy_target(r, gone);
    od_bone *bones = r->target.skeleton.bones;
    int bone = r->target.role[role];
    int above = parent == OD_ROLE_NONE ? -1 : r->target.role[parent];
    bones[bone].parent = above;
    bones[bone].rest.t = bones[bone].rest_world.t;
    if (above >= 0) bones[bone].rest.t = glms_vec3_sub(bones[bone].rest_world.t, bones[above].rest_world.t);
    finish_target(r);
}

void rig_move(rig *r, od_role role, vecd at)
{
    const bool gone[PLAYER_BONES] = {false};
    copy_target(r, gone);
    od_bone *bones = r->target.skeleton.bones;
    int bone = r->target.role[role];
    vec3s by = glms_vec3_sub(single_v(at), bones[bone].rest_world.t);
    bones[bone].rest.t = glms_vec3_add(bones[bone].rest.t, by);
    for (int b = bone + 1; b < r->target.skeleton.count; b++) /* only this bone moves */
        if (bones[b].parent == bone) bones[b].rest.t = glms_vec3_sub(bones[b].rest.t, by);
    finish_target(r);
}

void rig_insert(rig *r, od_role role, od_role parent, vecd at)
{
    od_target old = r->target, *new = &r->target;
    int count = old.skeleton.count, above = old.role[parent];
    const bool gone[PLAYER_BONES] = {false};
    copy_target(r, gone);
    od_bone *bones = OD_NEW(r->arena, od_bone, (size_t)count + 1, &r->error);
    od_target_bone *more = OD_NEW(r->arena, od_target_bone, (size_t)count + 1, &r->error);
    memcpy(bones, new->skeleton.bones, (size_t)count * sizeof *bones);
    memcpy(more, new->bones, (size_t)count * sizeof *more);
    vec3s rest = single_v(at), by = glms_vec3_sub(rest, bones[above].rest_world.t);
    for (int b = 0; b < count; b++) { /* the new bone comes last: od_target_finish orders parents first */
        if (bones[b].parent != above) continue;
        bones[b].parent = count;
        bones[b].rest.t = glms_vec3_sub(bones[b].rest.t, by);
    }
    bones[count] = (od_bone){.name = od_role_name(role), .parent = above, .rest = {od_quat_identity(), by}};
    more[count] = (od_target_bone){.name_en = od_role_name_en(role),
                                   .model_index = count,
                                   .append_source = -1,
                                   .ik = -1,
                                   .flags = OD_BONE_ROTATABLE | OD_BONE_VISIBLE | OD_BONE_OPERABLE};
    new->skeleton.bones = bones;
    new->skeleton.count = count + 1;
    new->bones = more;
    finish_target(r);
}
