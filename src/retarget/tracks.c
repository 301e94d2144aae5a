/* Input: a solution. Output: keys as MMD wants them: bones in the model's order, quaternions
 * continuous in sign, one key for a bone that never leaves its rest, all IK bones switched. */
#include <string.h>

#include "retarget/solution.h"

static const float STILL_ANGLE = 1e-5f; /* radians */
static const float STILL_WAY = 1e-5f;   /* MMD units */

static bool moves(const vec3s *position, int frames)
{
    for (int f = 0; position && f < frames; f++)
        if (glms_vec3_norm(position[f]) > STILL_WAY) return true;
    return false;
}

static bool turns(const versors *rotation, int frames)
{
    for (int f = 0; rotation && f < frames; f++)
        if (od_quat_angle(rotation[f]) > STILL_ANGLE) return true;
    return false;
}

/* Players take the short path between keys, but curve fitting and editors want one branch. */
static void make_continuous(versors *rotation, int frames)
{
    if (frames && rotation[0].w < 0) rotation[0] = od_quat_near(rotation[0], od_quat_identity());
    for (int f = 1; f < frames; f++) rotation[f] = od_quat_near(rotation[f], rotation[f - 1]);
}

static od_track make_track(const od_solution *solution, int bone)
{
    versors *rotation = solution->rotation[bone];
    const vec3s *position = solution->position[bone];
    od_track track = {.name = solution->plan->target->skeleton.bones[bone].name, .count = solution->frames};
    if (turns(rotation, solution->frames)) {
        make_continuous(rotation, solution->frames);
        track.rotation = rotation;
    }
    if (moves(position, solution->frames)) track.position = position;
    if (!track.rotation && !track.position) track.count = solution->frames ? 1 : 0;
    return track;
}

static bool make_ik_key(const od_solution *solution, od_keys *keys, od_arena *arena, od_error *error)
{
    const od_plan *plan = solution->plan;
    const od_target *target = plan->target;
    bool legs = plan->has_legs && plan->options->legs != OD_LEGS_FK;
    od_ik_switch *switches = OD_NEW(arena, od_ik_switch, (size_t)target->ik_count, error);
    keys->ik = OD_NEW(arena, od_ik_key, 1, error);
    if (!switches || !keys->ik) return false;
    for (int i = 0; i < target->ik_count; i++) {
        int bone = target->ik[i].bone;
        switches[i].name = target->skeleton.bones[bone].name;
        switches[i].on = legs || !od_role_is_leg_ik(target->bones[bone].role);
    }
    keys->ik[0] = (od_ik_key){.frame = 0, .show = true, .switches = switches, .count = target->ik_count};
    keys->ik_count = 1;
    return true;
}

bool od_make_keys(const od_solution *solution, od_keys *keys, od_arena *arena, od_error *error)
{
    const od_target *target = solution->plan->target;
    int count = target->skeleton.count;
    int *order = OD_NEW(arena, int, (size_t)count, error); /* order[model_index] = bone */
    *keys = (od_keys){.model = target->name ? target->name : ""};
    keys->tracks = OD_NEW(arena, od_track, (size_t)count, error);
    if (!order || !keys->tracks) return false;
    for (int b = 0; b < count; b++) order[target->bones[b].model_index] = b;
    for (int i = 0; i < count; i++) {
        int bone = order[i];
        if (!solution->keyed[bone]) continue;
        keys->tracks[keys->track_count++] = make_track(solution, bone);
    }
    return make_ik_key(solution, keys, arena, error);
}
