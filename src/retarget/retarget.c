/* Input: a clip on one skeleton, a binding, a target. Output: keys for the target.
 * The order of the stages; what each does stands in its own file. */
#include "odori/retarget.h"

#include "retarget/solution.h"

/* A frame that shows the rest pose, or nearly: the CMU library's first frames are a T-pose with straight
 * legs, 17 to 21 degrees off its splayed zero pose. Nobody turns a joint by 30 degrees in one frame. */
static const float NEAR_REST = 0.4538f; /* 26 degrees */
static const float JUMP = 0.5236f;      /* 30 degrees */

/* Joints that count, and room for two poses. */
typedef struct start {
    const od_skeleton *skeleton;
    const od_clip *clip;
    bool *used;
    od_xform *from, *to;
} start;

/* Largest turn of a joint between two frames, or against the rest when `b` is negative. */
static float largest_turn(const start *s, int a, int b)
{
    float largest = 0;
    od_clip_pose(s->clip, a, s->from);
    if (b >= 0) od_clip_pose(s->clip, b, s->to);
    for (int i = 0; i < s->skeleton->count; i++) {
        if (!s->used[i]) continue;
        versors other = b >= 0 ? s->to[i].q : s->skeleton->bones[i].rest.q;
        largest = fmaxf(largest, od_quat_angle(od_quat_mul(od_quat_conj(s->from[i].q), other)));
    }
    return largest;
}

/* Number of frames at the start that show the rest pose, before the motion jumps away from it: some
 * exporters put their bind pose there. */
static bool count_first(const od_skeleton *skeleton, const od_clip *clip, const od_binding *binding, int *count,
                        od_arena *arena, od_error *error)
{
    *count = 0;
    size_t joints = (size_t)skeleton->count;
    start s = {skeleton, clip, OD_NEW(arena, bool, joints, error), OD_NEW(arena, od_xform, joints, error),
               OD_NEW(arena, od_xform, joints, error)};
    if (!s.used || !s.from || !s.to) return false;
    for (int i = 0; i < binding->count; i++)
        if (binding->rows[i].use & OD_USE_ROTATION) s.used[binding->rows[i].source] = true;
    int still = 0;
    while (still + 2 < clip->frames && largest_turn(&s, still, -1) < NEAR_REST) still++;
    if (!still || still + 2 >= clip->frames) return true;
    float jump = largest_turn(&s, still - 1, still);
    float next = largest_turn(&s, still, still + 1);
    if (jump > JUMP && jump > 4 * next) *count = still;
    return true;
}

static bool resample(const od_clip *clip, const od_retarget_options *options, od_clip *out, od_retarget_result *result,
                     od_report *report, od_error *error)
{
    od_resample_options part = options->resample;
    if (result->dropped) {
        part.start = result->dropped / clip->fps;
        od_choice(report, "dropped %d frame%s at the start that show%s the rest pose", result->dropped,
                  result->dropped == 1 ? "" : "s", result->dropped == 1 ? "s" : "");
    }
    return od_clip_resample(clip, &part, out, error);
}

/* The rest pose. A first frame that shows it, before the motion, is taken when it stands straighter:
 * in the CMU library the zero pose has splayed legs and tilted feet. */
static bool choose_rest(const od_scene *scene, const od_clip *clip, const od_binding *binding,
                        const od_retarget_options *options, od_rest *rest, od_retarget_result *result,
                        od_report *report, od_arena *arena, od_error *error)
{
    od_rest_options chosen = {options->bind, options->up, options->keep_heading};
    bool straighter = false;
    if (!options->keep_first && options->resample.start <= 0 &&
        !count_first(&scene->skeleton, clip, binding, &result->dropped, arena, error))
        return false;
    if (chosen.bind.kind == OD_BIND_AUTO && result->dropped &&
        !od_rest_is_straighter(scene, clip, binding, 0, &straighter, arena, error))
        return false;
    if (straighter) chosen.bind = (od_bind){OD_BIND_FRAME, 0};
    if (!od_rest_choose(scene, clip, binding, &chosen, rest, report, arena, error)) return false;
    if (straighter) rest->reason = "it comes before the motion and stands straighter than the zero pose";
    return true;
}

static void report_rest(const od_rest *rest, od_retarget_result *result, od_report *report)
{
    result->bind = rest->bind;
    result->bind_reason = rest->reason;
    result->heading = rest->heading;
    result->up = rest->up;
    if (rest->bind.kind == OD_BIND_FRAME) od_choice(report, "rest pose: frame %d (%s)", rest->bind.frame, rest->reason);
    else od_choice(report, "rest pose: the file's zero pose (%s)", rest->reason);
}

static bool keep_contacts(const od_solution *solution, const od_footing *footing, od_retarget_result *result,
                          od_arena *arena, od_error *error)
{
    double weight = 0;
    for (int side = 0; side < 2; side++) {
        int count = result->footing.count[side] = footing->contact_count[side];
        od_contact *list = OD_NEW(arena, od_contact, (size_t)count, error);
        if (!list) return false;
        for (int i = 0; i < count; i++) list[i] = footing->contact[side][i];
        result->footing.list[side] = list;
        result->contacts += count;
        for (int f = 0; f < solution->frames; f++) weight += (double)footing->weight[side][f];
    }
    result->contact_share = solution->frames ? (float)(weight / (2.0 * solution->frames)) : 0;
    return true;
}

/* On MMD's stage nothing is turned, moved or dropped. */
static od_retarget_options stay_on_stage(const od_scene *scene, const od_retarget_options *options)
{
    od_retarget_options own = *options;
    if (scene->on_stage) own.keep_heading = own.keep_origin = own.keep_first = true;
    return own;
}

/* The floor of the stage is where the model stands at rest. */
static void keep_floor(const od_scene *scene, const od_rest *rest, od_retarget_options *options)
{
    const int *toe = rest->toe_joint;
    if (!scene->on_stage || options->ground_set || toe[0] < 0 || toe[1] < 0) return;
    options->ground_set = true;
    options->ground = 0.5 * (double)(rest->world[toe[0]].t.y + rest->world[toe[1]].t.y);
}

/* What a check compares the keys with. Feet that march on the spot have no like in the source. */
static od_reference refer(const od_plan *plan, const od_skeleton *source, const od_clip *motion,
                          const od_travel *travel)
{
    od_reference reference = {.skeleton = source,
                              .rest = plan->rest->world,
                              .clip = *motion,
                              .turn = plan->rest->turn,
                              .scale = travel->scale,
                              .origin = od_vec3(travel->origin.x, travel->ground, travel->origin.z)};
    for (int r = 0; r < OD_ROLE_COUNT; r++) reference.joint[r] = plan->joint[r];
    for (int side = 0; side < 2; side++)
        reference.toe[side] = plan->options->in_place ? -1 : plan->rest->toe_joint[side];
    return reference;
}

/* Trunk and legs: travel, feet, IK. What that takes beside the keys is given back. */
static bool solve_body(const od_plan *plan, const od_skeleton *source, const od_clip *motion, od_solution *solution,
                       od_travel *travel, od_retarget_result *result, od_report *report, od_arena *arena,
                       od_error *error)
{
    od_footing footing = {0};
    od_arena *scratch = od_arena_child(arena, error);
    bool done = scratch && od_solve_body(plan, source, motion, solution, scratch, arena, error) &&
                od_move_root(solution, travel, result, report, arena, error);
    if (done && plan->has_legs) {
        done = od_find_contacts(solution, travel, &footing, scratch, error) &&
               od_place_feet(solution, travel, &footing, result, scratch, error) &&
               od_solve_legs(solution, &footing, arena, error) &&
               keep_contacts(solution, &footing, result, arena, error);
    }
    solution->legs[0] = solution->legs[1] = NULL;
    od_arena_free(scratch);
    return done;
}

bool od_retarget(const od_scene *scene, const od_clip *clip, const od_binding *binding, const od_target *target,
                 const od_retarget_options *given, od_keys *keys, od_retarget_result *result, od_report *report,
                 od_arena *arena, od_error *error)
{
    od_retarget_options options = stay_on_stage(scene, given);
    *result = (od_retarget_result){0};
    od_rest rest;
    od_clip motion;
    od_solution solution;
    od_travel travel;
    if (!choose_rest(scene, clip, binding, &options, &rest, result, report, arena, error)) return false;
    report_rest(&rest, result, report);
    keep_floor(scene, &rest, &options);
    if (!resample(clip, &options, &motion, result, report, error)) return false;
    result->frames = motion.frames;

    od_plan plan = {
        .target = target, .binding = binding, .rest = &rest, .options = &options, .on_stage = scene->on_stage};
    if (!od_plan_chains(&plan, report, arena, error)) return false;
    od_plan_align(&plan, &scene->skeleton, result, report);

    if (!solve_body(&plan, &scene->skeleton, &motion, &solution, &travel, result, report, arena, error)) return false;
    result->reference = refer(&plan, &scene->skeleton, &motion, &travel);
    if (!od_solve_others(&solution, &scene->skeleton, &motion, arena, error)) return false;
    if (!od_split_twist(&solution, arena, error)) return false;
    return od_make_keys(&solution, keys, arena, error) &&
           od_pass_morphs(&motion, binding, target, keys, report, arena, error);
}
