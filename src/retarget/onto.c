/* Input: a motion whose joints are known, and another skeleton whose joints are known. Output: the motion on that
 * skeleton.
 *
 * What a joint turns by is seen from its rest in the world, so that joints which only one of the two has need
 * nothing: their turns are in what is below them. The hips travel in the ratio of their heights (the VRM
 * Consortium's "How to transform human pose" says the same with normalised bones). */
#include <math.h>

#include "odori/role.h"
#include "odori/scene.h"

typedef struct plan {
    const od_scene *motion;
    od_skeleton skeleton; /* the result's */
    int *source;          /* source[bone]: the motion's joint of the same role, -1: none */
    int hips;             /* bone that travels */
    float scale;
} plan;

static int find_role(const od_scene *scene, int role)
{
    for (int i = 0; i < scene->skeleton.count; i++)
        if (scene->roles[i] == role) return i;
    return -1;
}

/* A gaze that only the motion has hangs on the body's head as it does on its own. */
static void add_gaze(plan *p, const od_scene *body, int *roles)
{
    int gaze = find_role(p->motion, OD_ROLE_EYES), head = find_role(body, OD_ROLE_HEAD);
    if (gaze < 0 || head < 0 || find_role(body, OD_ROLE_EYES) >= 0) return;
    od_bone *bone = &p->skeleton.bones[p->skeleton.count];
    roles[p->skeleton.count++] = OD_ROLE_EYES;
    *bone = (od_bone){.name = p->motion->skeleton.bones[gaze].name, .parent = head};
    bone->rest = (od_xform){od_quat_conj(p->skeleton.bones[head].rest_world.q), od_vec3(0, 0, 0)};
}

static bool make_plan(plan *p, const od_scene *body, od_scene *out, od_arena *arena, od_error *error)
{
    size_t most = (size_t)body->skeleton.count + 1;
    od_bone *bones = OD_NEW(arena, od_bone, most, error);
    int *roles = OD_NEW(arena, int, most, error);
    p->source = OD_NEW(arena, int, most, error);
    if (!bones || !roles || !p->source) return false;
    p->skeleton = (od_skeleton){.bones = bones, .count = body->skeleton.count};
    for (int b = 0; b < body->skeleton.count; b++) {
        bones[b] = body->skeleton.bones[b];
        roles[b] = body->roles[b];
    }
    add_gaze(p, body, roles);
    od_skeleton_finish(&p->skeleton);
    for (int b = 0; b < p->skeleton.count; b++)
        p->source[b] = roles[b] == OD_ROLE_NONE ? -1 : find_role(p->motion, roles[b]);
    p->hips = find_role(body, OD_ROLE_LOWER_BODY);
    if (p->hips < 0 || p->source[p->hips] < 0) return od_fail(error, "the motion or the skeleton has no hips");
    float have = p->motion->skeleton.bones[p->source[p->hips]].rest_world.t.y, want = bones[p->hips].rest_world.t.y;
    p->scale = have > 0 && want > 0 ? want / have : 1;
    out->skeleton = p->skeleton;
    out->roles = roles;
    return true;
}

/* `from` and `world` have room for the joints of both. */
static void move_frame(const plan *p, const od_xform *from, od_xform *world, od_xform *local)
{
    const od_bone *joints = p->motion->skeleton.bones;
    for (int b = 0; b < p->skeleton.count; b++) {
        const od_bone *bone = &p->skeleton.bones[b];
        od_xform above = bone->parent < 0 ? od_xform_identity() : world[bone->parent];
        int s = p->source[b];
        world[b] = od_xform_mul(above, bone->rest);
        if (s >= 0) {
            versors turned = od_quat_mul(from[s].q, od_quat_conj(joints[s].rest_world.q));
            world[b].q = od_quat_normalize(od_quat_mul(turned, bone->rest_world.q));
        }
        if (b == p->hips) {
            vec3s way = glms_vec3_sub(from[s].t, joints[s].rest_world.t);
            world[b].t = glms_vec3_add(bone->rest_world.t, glms_vec3_scale(way, p->scale));
        }
        local[b] = od_xform_mul(od_xform_inverse(above), world[b]);
        if (b != p->hips) local[b].t = bone->rest.t; /* the very number */
    }
}

static bool move_clip(const plan *p, const od_clip *in, od_clip *out, od_arena *arena, od_error *error)
{
    od_xform *from = OD_NEW(arena, od_xform, (size_t)in->bones, error);
    od_xform *world = OD_NEW(arena, od_xform, (size_t)p->skeleton.count, error);
    if (!from || !world || !od_clip_make(out, p->skeleton.count, in->fps, arena, error)) return false;
    out->name = in->name;
    out->morphs = in->morphs;
    out->morph_count = in->morph_count;
    for (int f = 0; f < in->frames; f++) {
        od_xform *local = od_clip_add(out, error);
        if (!local) return false;
        od_clip_world(in, f, &p->motion->skeleton, from);
        move_frame(p, from, world, local);
    }
    return true;
}

bool od_scene_onto(const od_scene *motion, const od_scene *body, od_scene *out, od_arena *arena, od_error *error)
{
    plan p = {.motion = motion};
    if (!motion->roles || !body->roles)
        return od_fail(error, "the %s does not say what its joints are, as VRM does",
                       motion->roles ? "skeleton" : "motion");
    *out = (od_scene){.format = motion->format, .rest_is_bind = body->rest_is_bind, .clip_count = motion->clip_count};
    out->clips = OD_NEW(arena, od_clip, (size_t)motion->clip_count, error);
    if (!out->clips || !make_plan(&p, body, out, arena, error)) return false;
    for (int c = 0; c < motion->clip_count; c++)
        if (!move_clip(&p, &motion->clips[c], &out->clips[c], arena, error)) return false;
    return true;
}
