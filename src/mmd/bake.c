/* Input: keys on a model. Output: the motion as it is seen, every bone a joint: a source like any other. */
#include "odori/bake.h"

#include "odori/player.h"

/* Which role a bone plays as a joint: what is seen of a leg is 足D where the model has it. */
static od_role role_of(const od_target *target, int bone)
{
    od_role role = target->bones[bone].role;
    if (role >= OD_ROLE_LEG_D_L && role <= OD_ROLE_ANKLE_D_R) return role - OD_ROLE_LEG_D_L + OD_ROLE_LEG_L;
    bool leg = role >= OD_ROLE_LEG_L && role <= OD_ROLE_ANKLE_R;
    if (leg && target->role[role - OD_ROLE_LEG_L + OD_ROLE_LEG_D_L] >= 0) return OD_ROLE_NONE;
    return role;
}

static bool describe(const od_target *target, od_scene *scene, od_arena *arena, od_error *error)
{
    int *roles = OD_NEW(arena, int, (size_t)target->skeleton.count, error);
    vec3s *tails = OD_NEW(arena, vec3s, (size_t)target->skeleton.count, error);
    if (!roles || !tails) return false;
    for (int b = 0; b < target->skeleton.count; b++) {
        roles[b] = role_of(target, b);
        tails[b] = target->bones[b].tail;
    }
    scene->roles = roles;
    scene->tails = tails;
    return true;
}

bool od_bake(const od_target *target, const od_keys *keys, od_scene *scene, od_arena *arena, od_error *error)
{
    od_player player;
    od_clip *clip = OD_NEW(arena, od_clip, 1, error);
    unsigned last = od_keys_last(keys);
    *scene = (od_scene){
        .format = "vmd", .skeleton = target->skeleton, .on_stage = true, .rest_is_bind = true, .clips = clip};
    if (!clip || !describe(target, scene, arena, error)) return false;
    if (last >= OD_CLIP_FRAMES) return od_fail(error, "a motion with a key at frame %u is too long to be played", last);
    if (!od_player_make(&player, target, keys, arena, error)) return false;
    if (!od_clip_make(clip, target->skeleton.count, 30, arena, error)) return false;
    for (int f = 0; f <= (int)last; f++) {
        od_xform *local = od_clip_add(clip, error);
        if (!local) return false;
        od_player_show(&player, f, (od_play_options){0});
        for (int b = 0; b < target->skeleton.count; b++) {
            int parent = target->skeleton.bones[b].parent;
            od_xform above = parent < 0 ? od_xform_identity() : player.world[parent];
            local[b] = od_xform_mul(od_xform_inverse(above), player.world[b]);
        }
    }
    scene->clip_count = 1;
    clip->morphs = keys->morphs;
    clip->morph_count = keys->morph_count;
    return true;
}
