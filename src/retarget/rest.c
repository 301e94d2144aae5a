/* Input: a scene whose zero pose may be no pose at all, and the joints of the roles.
 * Output: a rest pose that stands upright and faces -Z, and the turn that brings the motion there.
 *
 * Everything is found from the joints' positions: readers cannot know up or facing (BVH does not
 * say), and some files have a zero pose in which every bone points the same way. */
#include "odori/rest.h"

#include <assert.h>

#include "math/rank.h"

static const float DEG = 57.2957795f;

enum { UP_SAMPLES = 64, POSE_SAMPLES = 2000 };

/* What a standing person shows. Angles in degrees. */
typedef struct pose {
    float trunk;   /* trunk against up */
    float legs;    /* largest of thighs and shins against down */
    float lateral; /* line through the hips against the horizontal */
    float feet;    /* mean of the feet's directions against the facing, in the plane; 0 without toes */
    float sum;     /* the score: 0 is a soldier */
    vec3s facing;  /* horizontal unit vector */
} pose;

static vec3s joint(const od_binding *binding, const od_xform *world, od_role role)
{
    return world[binding->source_of_role[role]].t;
}

static bool has(const od_binding *binding, od_role role)
{
    return binding->source_of_role[role] >= 0;
}

static vec3s middle(const od_binding *binding, const od_xform *world, od_role left)
{
    return glms_vec3_scale(glms_vec3_add(joint(binding, world, left), joint(binding, world, left + 1)), 0.5f);
}

/* The highest point of the trunk that the mapping knows. */
static vec3s trunk_top(const od_binding *binding, const od_xform *world)
{
    if (has(binding, OD_ROLE_NECK)) return joint(binding, world, OD_ROLE_NECK);
    if (has(binding, OD_ROLE_ARM_L) && has(binding, OD_ROLE_ARM_R)) return middle(binding, world, OD_ROLE_ARM_L);
    if (has(binding, OD_ROLE_HEAD)) return joint(binding, world, OD_ROLE_HEAD);
    if (has(binding, OD_ROLE_UPPER_BODY2)) return joint(binding, world, OD_ROLE_UPPER_BODY2);
    return has(binding, OD_ROLE_UPPER_BODY) ? joint(binding, world, OD_ROLE_UPPER_BODY)
                                            : middle(binding, world, OD_ROLE_LEG_L);
}

static vec3s flat(vec3s v, vec3s up)
{
    return od_vec3_normalize(glms_vec3_sub(v, glms_vec3_scale(up, glms_vec3_dot(v, up))));
}

/* The joint that shows where a foot points. A toe without a role is still there as a leaf: the child
 * of the ankle that reaches furthest. */
static int find_toe(const od_skeleton *skeleton, const od_binding *binding, int side)
{
    if (has(binding, OD_ROLE_TOE_EX_L + side)) return binding->source_of_role[OD_ROLE_TOE_EX_L + side];
    if (has(binding, OD_ROLE_TOE_L + side)) return binding->source_of_role[OD_ROLE_TOE_L + side];
    int ankle = binding->source_of_role[OD_ROLE_ANKLE_L + side], toe = -1;
    float furthest = 0;
    for (int i = ankle + 1; i < skeleton->count; i++) {
        float reach = glms_vec3_norm(skeleton->bones[i].rest.t);
        if (skeleton->bones[i].parent != ankle || reach <= furthest) continue;
        furthest = reach;
        toe = i;
    }
    return toe;
}

/* Looks at a pose. `up` is a unit vector. */
static pose look(const od_binding *binding, const int *toes, const od_xform *world, vec3s up)
{
    pose p = {0};
    vec3s down = glms_vec3_negate(up);
    vec3s hips = middle(binding, world, OD_ROLE_LEG_L);
    vec3s lateral = glms_vec3_sub(joint(binding, world, OD_ROLE_LEG_L), joint(binding, world, OD_ROLE_LEG_R));
    p.trunk = od_vec3_angle(glms_vec3_sub(trunk_top(binding, world), hips), up) * DEG;
    p.lateral = fabsf(90.0f - od_vec3_angle(lateral, up) * DEG);
    p.facing = od_vec3_normalize(glms_vec3_cross(up, lateral));
    float legs = 0;
    for (int side = 0; side < 2; side++) {
        vec3s leg = joint(binding, world, OD_ROLE_LEG_L + side), knee = joint(binding, world, OD_ROLE_KNEE_L + side);
        vec3s ankle = joint(binding, world, OD_ROLE_ANKLE_L + side);
        float thigh = od_vec3_angle(glms_vec3_sub(knee, leg), down) * DEG;
        float shin = od_vec3_angle(glms_vec3_sub(ankle, knee), down) * DEG;
        p.legs = fmaxf(p.legs, fmaxf(thigh, shin));
        legs += thigh + shin;
        if (toes[side] < 0) continue;
        vec3s foot = flat(glms_vec3_sub(world[toes[side]].t, ankle), up);
        p.feet += 0.5f * od_vec3_angle(foot, p.facing) * DEG;
    }
    p.sum = p.trunk + legs + p.lateral + p.feet;
    return p;
}

static bool stands(const pose *p)
{
    return p->trunk < 40 && p->legs < 40 && p->lateral < 30;
}

/* The coordinate axis nearest to v, as a unit vector. */
static vec3s nearest_axis(vec3s v)
{
    float x = fabsf(v.x), y = fabsf(v.y), z = fabsf(v.z);
    if (y >= x && y >= z) return od_vec3(0, v.y < 0 ? -1.0f : 1.0f, 0);
    return z >= x ? od_vec3(0, 0, v.z < 0 ? -1.0f : 1.0f) : od_vec3(v.x < 0 ? -1.0f : 1.0f, 0, 0);
}

/* Names the axis as the file has it: readers of right-handed files mirror z. */
static const char *axis_name(vec3s axis)
{
    if (axis.y != 0) return axis.y > 0 ? "y" : "-y";
    if (axis.z != 0) return axis.z < 0 ? "z" : "-z";
    return axis.x > 0 ? "x" : "-x";
}

/* The axis that a file calls so; OD_UP_AUTO: none. */
static vec3s axis_of(od_up up)
{
    static const float axes[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}};
    return od_vec3(axes[up][0], axes[up][1], axes[up][2]);
}

/* Where bodies are on the average. */
typedef struct bearing {
    vec3s up; /* where heads point; its length says how sure that is */
    vec3s hips, ankles;
} bearing;

static bearing mean_bearing(const od_scene *scene, const od_clip *clip, const od_binding *binding, od_xform *world)
{
    bearing sum = {.up = od_vec3(0, 0, 0)};
    int samples = clip->frames < UP_SAMPLES ? clip->frames : UP_SAMPLES;
    float share = 1.0f / (float)samples;
    for (int i = 0; i < samples; i++) {
        int frame = (int)((double)i * clip->frames / samples);
        od_clip_world(clip, frame, &scene->skeleton, world);
        vec3s ankles = middle(binding, world, OD_ROLE_ANKLE_L), hips = middle(binding, world, OD_ROLE_LEG_L);
        vec3s body = od_vec3_normalize(glms_vec3_sub(trunk_top(binding, world), ankles));
        sum.up = glms_vec3_add(sum.up, glms_vec3_scale(body, share));
        sum.hips = glms_vec3_add(sum.hips, glms_vec3_scale(hips, share));
        sum.ankles = glms_vec3_add(sum.ankles, glms_vec3_scale(ankles, share));
    }
    return sum;
}

/* Do feet stand on the origin's level and hips a leg above it, along `axis`? */
static bool stands_along(const bearing *b, vec3s axis, float leg)
{
    float hips = glms_vec3_dot(b->hips, axis) / leg, ankles = glms_vec3_dot(b->ankles, axis) / leg;
    return hips > 0.5f && hips < 1.6f && ankles > -0.3f && ankles < 0.6f;
}

/* The frame in which the person stands best; arms are free. */
static int best_frame(const od_scene *scene, const od_clip *clip, const od_binding *binding, const int *toes, vec3s up,
                      od_xform *world, pose *best)
{
    int chosen = 0, step = 1 + clip->frames / POSE_SAMPLES;
    for (int frame = 0; frame < clip->frames; frame += step) {
        od_clip_world(clip, frame, &scene->skeleton, world);
        pose p = look(binding, toes, world, up);
        if (frame && p.sum >= best->sum) continue;
        *best = p;
        chosen = frame;
    }
    return chosen;
}

static bool check_sides(const od_binding *binding, const od_rest *rest, od_report *report, od_error *error)
{
    float forward = 0;
    int feet = 0;
    for (int side = 0; side < 2; side++) {
        if (rest->toe_joint[side] < 0) continue;
        vec3s ankle = joint(binding, rest->world, OD_ROLE_ANKLE_L + side);
        vec3s foot = flat(glms_vec3_sub(rest->world[rest->toe_joint[side]].t, ankle), od_vec3(0, 1, 0));
        forward -= foot.z;
        feet++;
    }
    if (!feet) od_warn(report, "no toe joints: which way the source faces is taken from its hips alone");
    if (feet && forward < -0.5f * (float)feet)
        return od_fail_mapping(error, "left and right seem swapped: with the left hip on the left the toes point "
                                      "backwards; check the names in the mapping, or the file is mirrored");
    return true;
}

/* The up axis of motion and zero pose, which may differ: some exporters turn the root instead of
 * the skeleton. `up` is of the motion; a zero pose that stands shows its own. */
static void find_up(const od_scene *scene, const od_clip *clip, const od_binding *binding, const int *toes, od_up up,
                    od_xform *world, vec3s *zero_up, vec3s *motion_up, od_report *report)
{
    const od_bone *bones = scene->skeleton.bones;
    for (int i = 0; i < scene->skeleton.count; i++) world[i] = bones[i].rest_world;
    vec3s trunk = glms_vec3_sub(trunk_top(binding, world), middle(binding, world, OD_ROLE_LEG_L));
    *zero_up = nearest_axis(trunk);
    pose zero = look(binding, toes, world, *zero_up);
    bool is_pose = stands(&zero);
    *motion_up = up ? axis_of(up) : *zero_up;
    if (up && !is_pose) *zero_up = *motion_up;
    if (up || !clip) return;
    vec3s knee = joint(binding, world, OD_ROLE_KNEE_L);
    float leg = glms_vec3_distance(joint(binding, world, OD_ROLE_LEG_L), knee) +
                glms_vec3_distance(knee, joint(binding, world, OD_ROLE_ANKLE_L));
    bearing mean = mean_bearing(scene, clip, binding, world);
    float sure = glms_vec3_norm(mean.up);
    vec3s axis = sure > 0.3f ? nearest_axis(mean.up) : od_vec3(0, 1, 0);
    if (!is_pose) {
        *motion_up = axis;
        return;
    }
    if (glms_vec3_dot(axis, *zero_up) > 0.5f) return;
    /* A clip of somebody who lies on the floor is no reason to turn it; a root turned between the
     * two usual up axes is, and then people stand on the origin's level. */
    bool usual = axis.x == 0 && zero_up->x == 0;
    if (!usual || sure <= 0.9f) return;
    if (!stands_along(&mean, axis, leg)) {
        od_warn(report, "people lie along %s throughout the motion: if they should stand, use --up %s", axis_name(axis),
                axis_name(axis));
    } else {
        od_warn(report, "the zero pose stands along %s but the motion along %s: both were turned upright",
                axis_name(*zero_up), axis_name(axis));
        *motion_up = axis;
    }
}

/* Height that 2 % of the values do not reach. */
static float low_of(float *values, int count)
{
    return od_float_rank(values, count, count / 50);
}

/* An ankle is well above the ball of its foot, by this share of their distance at least, when that stands flat. */
static const float FLATTEST = 0.1f;

/* How far the ankles are above the toes when the feet stand flat. A zero pose that is a pose shows
 * it, unless its toes point ahead or up; a frame of the motion may have a heel raised. Then it is the
 * lowest that either gets. */
static bool find_drop(const od_scene *scene, const od_clip *clip, const od_binding *binding, od_rest *rest,
                      od_arena *arena, od_error *error)
{
    const int *ankle = &binding->source_of_role[OD_ROLE_ANKLE_L];
    bool flat = rest->bind.kind == OD_BIND_REST;
    for (int side = 0; side < 2; side++) {
        if (rest->toe_joint[side] < 0) continue;
        vec3s from = rest->world[ankle[side]].t, to = rest->world[rest->toe_joint[side]].t;
        rest->ankle_drop[side] = from.y - to.y;
        flat = flat && rest->ankle_drop[side] > FLATTEST * glms_vec3_distance(from, to);
    }
    if (flat || !clip) return true;
    od_xform *world = OD_NEW(arena, od_xform, (size_t)scene->skeleton.count, error);
    float *low[4];
    for (int i = 0; i < 4; i++) low[i] = OD_NEW(arena, float, (size_t)clip->frames, error);
    if (!world || !low[0] || !low[1] || !low[2] || !low[3]) return false;
    for (int f = 0; f < clip->frames; f++) {
        od_clip_world(clip, f, &scene->skeleton, world);
        for (int side = 0; side < 2; side++) {
            if (rest->toe_joint[side] < 0) continue;
            low[side][f] = od_quat_rotate(rest->turn, world[ankle[side]].t).y;
            low[2 + side][f] = od_quat_rotate(rest->turn, world[rest->toe_joint[side]].t).y;
        }
    }
    for (int side = 0; side < 2; side++)
        rest->ankle_drop[side] = low_of(low[side], clip->frames) - low_of(low[2 + side], clip->frames);
    return true;
}

/* Yaw that takes a horizontal direction to -Z. */
static versors face_front(vec3s facing)
{
    return od_quat_axis_angle(od_vec3(0, 1, 0), atan2f(facing.x, facing.z) * -1.0f + 3.14159265f);
}

static bool choose_frame(const od_scene *scene, const od_clip *clip, const od_binding *binding, od_bind bind, vec3s up,
                         bool zero_is_pose, od_xform *world, od_rest *rest, od_error *error)
{
    if (bind.kind == OD_BIND_FRAME) {
        if (!clip || bind.frame < 0 || bind.frame >= clip->frames)
            return od_fail(error, "rest frame %d is out of range: the clip has %d frames", bind.frame,
                           clip ? clip->frames : 0);
        rest->bind = bind;
        rest->reason = "as asked";
        return true;
    }
    if (bind.kind == OD_BIND_REST || zero_is_pose || !clip) {
        rest->bind = (od_bind){OD_BIND_REST, 0};
        rest->reason = bind.kind == OD_BIND_REST ? "as asked" : "the zero pose stands upright";
        if (!zero_is_pose) rest->reason = "as asked, although the zero pose is no standing pose";
        if (!zero_is_pose && bind.kind != OD_BIND_REST) rest->reason = "there is no motion to choose a frame from";
        return true;
    }
    pose best = {0};
    rest->bind = (od_bind){OD_BIND_FRAME, best_frame(scene, clip, binding, rest->toe_joint, up, world, &best)};
    rest->reason = "the zero pose is no standing pose; this frame stands best";
    return true;
}

bool od_rest_choose(const od_scene *scene, const od_clip *clip, const od_binding *binding,
                    const od_rest_options *options, od_rest *rest, od_report *report, od_arena *arena, od_error *error)
{
    const od_skeleton *skeleton = &scene->skeleton;
    if (clip && clip->frames < 1) clip = NULL;
    rest->world = OD_NEW(arena, od_xform, (size_t)skeleton->count, error);
    if (!rest->world) return false;
    for (int side = 0; side < 2; side++) rest->toe_joint[side] = find_toe(skeleton, binding, side);
    vec3s zero_up, motion_up;
    find_up(scene, clip, binding, rest->toe_joint, options->up, rest->world, &zero_up, &motion_up, report);
    for (int i = 0; i < skeleton->count; i++) rest->world[i] = skeleton->bones[i].rest_world;
    pose zero = look(binding, rest->toe_joint, rest->world, zero_up);
    rest->zero_is_pose = stands(&zero);
    if (!choose_frame(scene, clip, binding, options->bind, motion_up, rest->zero_is_pose, rest->world, rest, error))
        return false;
    assert(rest->bind.kind != OD_BIND_FRAME || clip);

    vec3s up = rest->bind.kind == OD_BIND_FRAME ? motion_up : zero_up;
    if (rest->bind.kind == OD_BIND_FRAME) od_clip_world(clip, rest->bind.frame, skeleton, rest->world);
    else
        for (int i = 0; i < skeleton->count; i++) rest->world[i] = skeleton->bones[i].rest_world;
    pose p = look(binding, rest->toe_joint, rest->world, up);
    if (glms_vec3_norm(p.facing) < 0.5f)
        return od_fail_mapping(error, "the hips of the source lie in one point or above each other in its rest pose: "
                                      "no facing can be found; try --bind frame:N");
    if (!stands(&p))
        od_warn(report,
                "the rest pose does not stand upright (trunk %.0f, legs %.0f degrees off): limbs may be wrong; "
                "choose another with --bind",
                (double)p.trunk, (double)p.legs);

    versors upright = od_quat_from_to(up, od_vec3(0, 1, 0));
    versors yaw = face_front(od_quat_rotate(upright, p.facing));
    versors turn = od_quat_normalize(od_quat_mul(yaw, upright));
    for (int i = 0; i < skeleton->count; i++) {
        rest->world[i].q = od_quat_normalize(od_quat_mul(turn, rest->world[i].q));
        rest->world[i].t = od_quat_rotate(turn, rest->world[i].t);
    }
    rest->up = axis_name(motion_up);
    rest->heading = od_quat_twist_angle(yaw, od_vec3(0, 1, 0)) * DEG;
    versors motion_upright = od_quat_from_to(motion_up, od_vec3(0, 1, 0));
    rest->turn = options->keep_heading ? motion_upright : od_quat_normalize(od_quat_mul(yaw, motion_upright));
    return find_drop(scene, clip, binding, rest, arena, error) && check_sides(binding, rest, report, error);
}

bool od_rest_is_straighter(const od_scene *scene, const od_clip *clip, const od_binding *binding, int frame,
                           bool *straighter, od_arena *arena, od_error *error)
{
    static const float CLEARLY = 20; /* degrees in all */
    const od_skeleton *skeleton = &scene->skeleton;
    od_xform *world = OD_NEW(arena, od_xform, (size_t)skeleton->count, error);
    if (!world) return false;
    int toes[2];
    for (int side = 0; side < 2; side++) toes[side] = find_toe(skeleton, binding, side);
    for (int i = 0; i < skeleton->count; i++) world[i] = skeleton->bones[i].rest_world;
    vec3s up = nearest_axis(glms_vec3_sub(trunk_top(binding, world), middle(binding, world, OD_ROLE_LEG_L)));
    pose zero = look(binding, toes, world, up);
    od_clip_world(clip, frame, skeleton, world);
    pose other = look(binding, toes, world, up);
    *straighter = stands(&other) && other.sum + CLEARLY < zero.sum;
    return true;
}
