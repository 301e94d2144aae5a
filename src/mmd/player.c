/* Input: keys and a model, then frames. Output: the model's bones as MMD shows them. */
#include "odori/player.h"

#include "mmd/append.h"
#include "mmd/name_list.h"
#include "mmd/track.h"

/* Where the switch of an IK chain is set, ascending in frame. */
typedef struct switches {
    unsigned *frames;
    bool *on;
    int count, at;
} switches;

struct od_player_state {
    od_pose pose;
    od_track_reader *tracks; /* [bone] */
    od_morph_reader *morphs; /* [morph] */
    float *keyed, *weight;   /* [morph] by its own track, with groups */
    switches *ik;            /* [chain] */
};

/* ---- matching --------------------------------------------------------------------------------- */

/* index[i]: which of the keys' names is the model's i-th, -1 when none is. */
static bool match(const char *const *model, int count, const char *const *named, int names, int *index, od_arena *arena,
                  od_error *error)
{
    od_name_list list;
    if (!od_name_list_make(&list, model, count, OD_LABEL, arena, error)) return false;
    for (int i = 0; i < count; i++) index[i] = -1;
    for (int i = names; i--;) { /* of two tracks of one name the first wins */
        int found = od_name_list_find(&list, named[i]);
        if (found >= 0) index[found] = i;
    }
    return true;
}

/* Names of bones in the model's own order, which says which of two is the first: that is not the
 * skeleton's order. */
static bool match_bones(const od_target *target, const od_keys *keys, int *track, od_arena *arena, od_error *error)
{
    int count = target->skeleton.count;
    const char **model = OD_NEW(arena, const char *, (size_t)count, error);
    const char **named = OD_NEW(arena, const char *, (size_t)keys->track_count, error);
    int *index = OD_NEW(arena, int, (size_t)count, error);
    if (!model || !named || !index) return false;
    for (int b = 0; b < count; b++) model[target->bones[b].model_index] = target->skeleton.bones[b].name;
    for (int i = 0; i < keys->track_count; i++) named[i] = keys->tracks[i].name;
    if (!match(model, count, named, keys->track_count, index, arena, error)) return false;
    for (int b = 0; b < count; b++) track[b] = index[target->bones[b].model_index];
    return true;
}

static bool match_morphs(od_player_state *state, const od_target *target, const od_keys *keys, od_arena *arena,
                         od_error *error)
{
    const char **named = OD_NEW(arena, const char *, (size_t)keys->morph_count, error);
    int *index = OD_NEW(arena, int, (size_t)target->morph_count, error);
    if (!named || !index) return false;
    for (int i = 0; i < keys->morph_count; i++) named[i] = keys->morphs[i].name;
    if (!match(target->morphs, target->morph_count, named, keys->morph_count, index, arena, error)) return false;
    for (int m = 0; m < target->morph_count; m++)
        state->morphs[m] = (od_morph_reader){.track = index[m] < 0 ? NULL : &keys->morphs[index[m]], .key = -1};
    return true;
}

/* Indices of the chains that all switches name, one after the other, -1 for those that the model lacks. */
static bool match_switches(const od_target *target, const od_keys *keys, int *chain, od_arena *arena, od_error *error)
{
    const char **names = OD_NEW(arena, const char *, (size_t)target->ik_count, error);
    od_name_list list;
    if (!names) return false;
    for (int i = 0; i < target->ik_count; i++) names[i] = target->skeleton.bones[target->ik[i].bone].name;
    if (!od_name_list_make(&list, names, target->ik_count, OD_IK_LABEL, arena, error)) return false;
    for (int i = 0; i < keys->ik_count; i++)
        for (int k = 0; k < keys->ik[i].count; k++) *chain++ = od_name_list_find(&list, keys->ik[i].switches[k].name);
    return true;
}

static bool collect_switches(od_player_state *state, const od_target *target, const od_keys *keys, od_arena *arena,
                             od_error *error)
{
    size_t all = 0;
    for (int i = 0; i < keys->ik_count; i++) all += (size_t)keys->ik[i].count;
    int *chain = OD_NEW(arena, int, all, error);
    unsigned *frames = OD_NEW(arena, unsigned, all, error);
    bool *on = OD_NEW(arena, bool, all, error);
    if (!chain || !frames || !on || !match_switches(target, keys, chain, arena, error)) return false;
    for (size_t i = 0; i < all; i++)
        if (chain[i] >= 0) state->ik[chain[i]].count++;
    for (int c = 0; c < target->ik_count; c++) {
        switches *s = &state->ik[c];
        *s = (switches){.frames = frames, .on = on, .count = 0, .at = s->count};
        frames += s->at;
        on += s->at;
    }
    for (int i = 0; i < keys->ik_count; i++)
        for (int k = 0; k < keys->ik[i].count; k++, chain++) {
            if (*chain < 0) continue;
            switches *s = &state->ik[*chain];
            s->frames[s->count] = keys->ik[i].frame;
            s->on[s->count++] = keys->ik[i].switches[k].on;
        }
    return true;
}

static bool make_state(od_player_state *state, const od_target *target, const od_keys *keys, int *track,
                       od_arena *arena, od_error *error)
{
    size_t bones = (size_t)target->skeleton.count, morphs = (size_t)target->morph_count;
    state->tracks = OD_NEW(arena, od_track_reader, bones, error);
    state->morphs = OD_NEW(arena, od_morph_reader, morphs, error);
    state->keyed = OD_NEW(arena, float, morphs, error);
    state->weight = OD_NEW(arena, float, morphs, error);
    state->ik = OD_NEW(arena, switches, (size_t)target->ik_count, error);
    if (!state->tracks || !state->morphs || !state->keyed || !state->weight || !state->ik) return false;
    if (!od_pose_make(&state->pose, target, arena, error) || !match_bones(target, keys, track, arena, error) ||
        !match_morphs(state, target, keys, arena, error) || !collect_switches(state, target, keys, arena, error))
        return false;
    for (size_t b = 0; b < bones; b++) {
        const vec3s *axis = target->bones[b].flags & OD_BONE_FIXED_AXIS ? &target->bones[b].fixed_axis : NULL;
        state->tracks[b] = od_track_read(track[b] < 0 ? NULL : &keys->tracks[track[b]], axis);
    }
    return true;
}

bool od_player_make(od_player *player, const od_target *target, const od_keys *keys, od_arena *arena, od_error *error)
{
    *player = (od_player){.target = target, .keys = keys};
    int *track = OD_NEW(arena, int, (size_t)target->skeleton.count, error);
    od_player_state *state = OD_NEW(arena, od_player_state, 1, error);
    player->ik_on = OD_NEW(arena, bool, (size_t)target->ik_count, error);
    if (!track || !state || !player->ik_on || !make_state(state, target, keys, track, arena, error)) return false;
    player->track = track;
    player->state = state;
    player->local = state->pose.local;
    player->world = state->pose.world;
    player->ik = state->pose.outcome;
    return true;
}

/* ---- showing ---------------------------------------------------------------------------------- */

/* Groups pass on the weight of their own track; a group in a group is nothing (PMX forbids it). */
static void weigh_morphs(od_player_state *state, const od_target *target, double frame)
{
    for (int m = 0; m < target->morph_count; m++)
        state->weight[m] = state->keyed[m] = od_morph_sample(&state->morphs[m], frame);
    for (int i = 0; i < target->member_count; i++) {
        const od_morph_member *member = &target->members[i];
        state->weight[member->morph] += member->ratio * state->keyed[member->group];
    }
}

static void move_bones(od_player_state *state, const od_target *target)
{
    for (int i = 0; i < target->move_count; i++) {
        const od_morph_move *move = &target->moves[i];
        float weight = state->weight[move->morph];
        if (weight == 0) continue;
        od_xform *key = &state->pose.key[move->bone];
        key->t = glms_vec3_add(key->t, glms_vec3_scale(move->position, weight));
        key->q = od_quat_normalize(od_quat_mul(od_quat_power(move->rotation, weight), key->q));
    }
}

static bool is_on(switches *ik, double frame)
{
    ik->at = od_key_find(ik->frames, ik->count, frame, ik->at);
    return ik->at < 0 || ik->on[ik->at];
}

void od_player_show(od_player *player, double frame, od_play_options options)
{
    od_player_state *state = player->state;
    const od_target *target = player->target;
    if (!(frame > 0)) frame = 0;
    for (int b = 0; b < target->skeleton.count; b++) state->pose.key[b] = od_track_sample(&state->tracks[b], frame);
    if (target->move_count) {
        weigh_morphs(state, target, frame);
        move_bones(state, target);
    }
    for (int c = 0; c < target->ik_count; c++) {
        switches *ik = &state->ik[target->bones[target->ik[c].bone].ik]; /* all chains of a bone have one switch */
        player->ik_on[c] = options.ik == OD_PLAY_IK_KEYS ? is_on(ik, frame) : options.ik == OD_PLAY_IK_ON;
    }
    od_pose_evaluate(&state->pose, player->ik_on, options.start);
}
