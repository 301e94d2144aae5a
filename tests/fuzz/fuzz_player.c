/* Any bytes as a small odd model and keys for it: every bone has a place at any frame, in time. Bones hang
 * on each other in any order, append in circles, are links of chains that pull themselves. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "odori/bake.h"
#include "odori/check.h"
#include "odori/player.h"

enum { BONES = 24, CHAINS = 4, LINKS = 6, MORPHS = 4, PARTS = 6, TRACKS = 8, KEYS = 5, SWITCHES = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition)
{
    if (!condition) abort();
}

typedef struct source {
    const uint8_t *data;
    size_t size;
} source;

static unsigned take(source *s)
{
    if (!s->size) return 0;
    s->size--;
    return *s->data++;
}

static int take_below(source *s, int count)
{
    return (int)take(s) % count;
}

/* Any finite number: bytes as they are, or a tame one. */
static float take_float(source *s)
{
    unsigned kind = take(s);
    float value = ((float)kind - 128) / 16;
    uint32_t bits = 0;
    if (kind != 0) return value;
    for (int i = 0; i < 4; i++) bits = bits << 8 | take(s);
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 3e38F;
}

static vec3s take_vec3(source *s)
{
    float x = take_float(s), y = take_float(s);
    return od_vec3(x, y, take_float(s));
}

static versors take_quat(source *s)
{
    float x = take_float(s), y = take_float(s), z = take_float(s);
    return od_quat(x, y, z, take_float(s));
}

static const char *const names[] = {"a", "b", "c", "d", "センター", "左足", "한", "", "a name that is too long"};
enum { NAMES = sizeof names / sizeof *names };

static void take_bones(source *s, od_target *target)
{
    for (int i = 0; i < target->skeleton.count; i++) {
        od_bone *bone = &target->skeleton.bones[i];
        od_target_bone *b = &target->bones[i];
        *bone = (od_bone){.name = names[take_below(s, NAMES)], .parent = take_below(s, BONES + 1) - 1};
        bone->rest = od_xform_identity();
        bone->rest.t = take_vec3(s);
        if (bone->parent >= i) bone->parent = i - 1; /* else most inputs are circles, which are refused */
        *b = (od_target_bone){.name_en = "", .append_source = take_below(s, target->skeleton.count + 1) - 1};
        b->flags = take(s) << 8 | take(s);
        b->deform_order = take_below(s, 4) - 1;
        b->append_ratio = take_float(s);
        if (b->flags & OD_BONE_FIXED_AXIS) b->fixed_axis = take_vec3(s);
    }
}

static void take_chains(source *s, od_target *target)
{
    int count = target->skeleton.count;
    for (int i = 0; i < target->ik_count; i++) {
        od_ik_chain *chain = &target->ik[i];
        chain->bone = take_below(s, count + 1);
        chain->effector = take_below(s, count);
        chain->loops = take_below(s, 24) - 4; /* more of them find nothing new */
        chain->limit = take_float(s);
        chain->link_count = take_below(s, LINKS + 1);
        for (int k = 0; k < chain->link_count; k++) {
            od_ik_link *link = &chain->links[k];
            *link = (od_ik_link){.bone = take_below(s, count), .limited = take(s) & 1};
            if (!link->limited) continue;
            link->min = take_vec3(s);
            link->max = take_vec3(s);
        }
    }
}

static void take_morphs(source *s, od_target *target)
{
    for (int i = 0; i < MORPHS; i++) target->morphs[i] = names[i];
    for (int i = 0; i < target->move_count; i++) {
        od_morph_move *move = &target->moves[i];
        *move = (od_morph_move){take_below(s, MORPHS), take_below(s, BONES), take_vec3(s), take_quat(s)};
        move->rotation = od_quat_normalize(move->rotation);
    }
    for (int i = 0; i < target->member_count; i++)
        target->members[i] = (od_morph_member){take_below(s, MORPHS), take_below(s, MORPHS + 1), take_float(s)};
}

static bool take_target(source *s, od_target *target, od_arena *arena, od_error *error)
{
    *target = (od_target){.name = "", .name_en = ""};
    target->skeleton.count = 1 + take_below(s, BONES);
    target->ik_count = take_below(s, CHAINS + 1);
    target->morph_count = MORPHS;
    target->move_count = take_below(s, PARTS);
    target->member_count = take_below(s, PARTS);
    target->skeleton.bones = OD_NEW(arena, od_bone, BONES, error);
    target->bones = OD_NEW(arena, od_target_bone, BONES, error);
    target->ik = OD_NEW(arena, od_ik_chain, CHAINS, error);
    target->morphs = OD_NEW(arena, const char *, MORPHS, error);
    target->moves = OD_NEW(arena, od_morph_move, PARTS, error);
    target->members = OD_NEW(arena, od_morph_member, PARTS, error);
    for (int i = 0; i < CHAINS; i++) target->ik[i].links = OD_NEW(arena, od_ik_link, LINKS, error);
    take_bones(s, target);
    take_chains(s, target);
    take_morphs(s, target);
    return od_target_finish(target, NULL, arena, error);
}

static void take_track(source *s, od_track *track, od_arena *arena)
{
    vec3s *position = OD_NEW(arena, vec3s, KEYS, NULL);
    versors *rotation = OD_NEW(arena, versors, KEYS, NULL);
    unsigned *frame = OD_NEW(arena, unsigned, KEYS, NULL), shape = take(s), at = 0;
    od_curves *curves = OD_NEW(arena, od_curves, KEYS, NULL);
    *track = (od_track){.name = names[take_below(s, NAMES)], .count = take_below(s, KEYS + 1)};
    for (int i = 0; i < track->count; i++) {
        frame[i] = at += take(s) << (take(s) & 15); /* equal frames, too */
        position[i] = take_vec3(s);
        rotation[i] = take_quat(s);
        for (int k = 0; k < 16; k++) curves[i].c[k / 4][k % 4] = (unsigned char)take(s);
    }
    if (shape & 1) track->frame = frame;
    if (shape & 2) track->position = position;
    if (shape & 4) track->rotation = rotation;
    if (shape & 8) track->curves = curves;
}

static void take_keys(source *s, od_keys *keys, od_arena *arena)
{
    *keys = (od_keys){.model = "", .track_count = take_below(s, TRACKS), .morph_count = take_below(s, MORPHS)};
    keys->tracks = OD_NEW(arena, od_track, TRACKS, NULL);
    keys->morphs = OD_NEW(arena, od_morph_track, MORPHS, NULL);
    keys->ik = OD_NEW(arena, od_ik_key, KEYS, NULL);
    keys->ik_count = take_below(s, KEYS);
    for (int i = 0; i < keys->track_count; i++) take_track(s, &keys->tracks[i], arena);
    for (int i = 0; i < keys->morph_count; i++) {
        float *weight = OD_NEW(arena, float, KEYS, NULL);
        for (int k = 0; k < KEYS; k++) weight[k] = take_float(s);
        keys->morphs[i] = (od_morph_track){.name = names[take_below(s, NAMES)], .count = 1 + i, .weight = weight};
    }
    for (int i = 0; i < keys->ik_count; i++) {
        od_ik_switch *switches = OD_NEW(arena, od_ik_switch, SWITCHES, NULL);
        for (int k = 0; k < SWITCHES; k++) switches[k] = (od_ik_switch){names[take_below(s, NAMES)], take(s) & 1};
        keys->ik[i] = (od_ik_key){.frame = 3 * (unsigned)i, .switches = switches, .count = take_below(s, SWITCHES)};
    }
}

static void check_pose(const od_player *player)
{
    for (int b = 0; b < player->target->skeleton.count; b++) {
        check(od_vec3_finite(player->world[b].t) && od_vec3_finite(player->local[b].t));
        check(fabsf(od_quat_dot(player->world[b].q, player->world[b].q) - 1) < 1e-3F);
        check(fabsf(od_quat_dot(player->local[b].q, player->local[b].q) - 1) < 1e-3F);
    }
    for (int c = 0; c < player->target->ik_count; c++)
        check(isfinite(player->ik[c].residual) && player->ik[c].iterations >= 0 && player->ik[c].iterations <= 256);
}

/* What stands on the player: figures, and the motion as a source. */
static void check_users(const od_target *target, const od_keys *keys, od_arena *arena)
{
    static const od_check_options all = {.agreeing = true};
    od_error error = {0};
    od_check figures;
    od_scene scene;
    od_report report = {.arena = arena};
    if (od_keys_last(keys) > 100) return; /* each frame would be played */
    check(od_check_motion(target, keys, NULL, &all, &figures, &report, arena, &error));
    for (int i = 0; i < figures.figure_count; i++)
        check(isfinite(figures.figures[i].mean) && isfinite(figures.figures[i].p95) && figures.figures[i].count > 0);
    check(od_bake(target, keys, &scene, arena, &error));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    source s = {data, size};
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    od_target target;
    od_keys keys;
    od_player player;
    if (take_target(&s, &target, arena, &error)) {
        take_keys(&s, &keys, arena);
        check(od_player_make(&player, &target, &keys, arena, &error));
        for (int i = 0; i < 6; i++) {
            od_play_options options = {(od_play_ik)(i % 3), (od_ik_start)(i / 3)};
            od_player_show(&player, (double)take_float(&s), options);
            check_pose(&player);
        }
        check_users(&target, &keys, arena);
    }
    od_arena_free(arena);
    return 0;
}
