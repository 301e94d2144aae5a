/* The player against an oracle in double precision that shares no code with it, feature by feature on
 * small models, all of them together on the standard model. */
#include "odori/player.h"

#include "check.h"
#include "player.h"

enum { BONES = 40, TRACKS = 128, KEYS = 8 };

/* A model in the making, keys in the making. */
typedef struct stage {
    od_arena *arena;
    od_error error;
    od_target target;
    od_bone bones[BONES];
    od_target_bone more[BONES];
    od_ik_chain chains[4];
    od_ik_link links[4][8];
    od_keys keys;
    od_track tracks[TRACKS];
    od_morph_track morphs[4];
    od_player player;
} stage;

static void open_stage(stage *s)
{
    memset(s, 0, sizeof *s);
    s->arena = od_arena_new(0);
    s->target = (od_target){.name = "", .name_en = ""};
    s->target.skeleton.bones = s->bones;
    s->target.bones = s->more;
    s->target.ik = s->chains;
    s->keys = (od_keys){.model = "", .tracks = s->tracks, .morphs = s->morphs};
}

static void close_stage(stage *s)
{
    od_arena_free(s->arena);
}

/* A bone `t` from its parent. Returns its index in the model. */
static int add_bone(stage *s, const char *name, int parent, float x, float y, float z)
{
    int i = s->target.skeleton.count++;
    s->bones[i] = (od_bone){.name = name, .parent = parent, .rest = {.q = od_quat_identity(), .t = {{x, y, z}}}};
    s->more[i] = (od_target_bone){.name_en = "", .flags = 0x1E, .append_source = -1};
    return i;
}

static od_ik_chain *add_chain(stage *s, int bone, int effector, int loops, float limit)
{
    od_ik_chain *chain = &s->chains[s->target.ik_count];
    *chain = (od_ik_chain){bone, effector, loops, limit, s->links[s->target.ik_count++], 0};
    s->more[bone].flags |= OD_BONE_IK;
    return chain;
}

static od_ik_link *add_link(od_ik_chain *chain, int bone)
{
    chain->links[chain->link_count] = (od_ik_link){.bone = bone};
    return &chain->links[chain->link_count++];
}

static void set_append(stage *s, int bone, int source, float ratio, unsigned flags)
{
    s->more[bone].append_source = source;
    s->more[bone].append_ratio = ratio;
    s->more[bone].flags |= flags;
}

static void finish(stage *s)
{
    assert_ok(od_target_finish(&s->target, NULL, s->arena, &s->error), s->error);
}

static void make_player(stage *s)
{
    assert_ok(od_player_make(&s->player, &s->target, &s->keys, s->arena, &s->error), s->error);
}

static versors random_turn(uint32_t *seed, double radians)
{
    float x = (float)check_random(seed), y = (float)check_random(seed), z = (float)check_random(seed);
    return od_quat_axis_angle(od_vec3(x, y, z), (float)(radians * check_random(seed)));
}

/* Keys at uneven frames with curves of all shapes. */
static od_track *add_track(stage *s, const char *name, uint32_t *seed, double radians, double units)
{
    od_track *track = &s->tracks[s->keys.track_count++];
    unsigned *frame = OD_NEW(s->arena, unsigned, KEYS, &s->error), at = 0;
    vec3s *position = OD_NEW(s->arena, vec3s, KEYS, &s->error);
    versors *rotation = OD_NEW(s->arena, versors, KEYS, &s->error);
    od_curves *curves = OD_NEW(s->arena, od_curves, KEYS, &s->error);
    for (int i = 0; i < KEYS; i++) {
        for (int k = 0; k < 3; k++) position[i].raw[k] = (float)(units * check_random(seed));
        rotation[i] = random_turn(seed, radians);
        for (int k = 0; k < 16; k++) curves[i].c[k / 4][k % 4] = (unsigned char)(63.5 + 64 * check_random(seed));
        if (i % 3 == 0) curves[i] = (od_curves)OD_CURVES_LINEAR;
        frame[i] = at;
        at += 2 + (unsigned)(4 + 4 * check_random(seed));
    }
    *track = (od_track){name, KEYS, frame, units > 0 ? position : NULL, rotation, curves, NULL};
    return track;
}

static void add_tracks(stage *s, uint32_t seed, double radians, double units)
{
    for (int i = 0; i < s->target.skeleton.count; i++)
        add_track(s, s->target.skeleton.bones[i].name, &seed, radians, units);
}

/* Largest distance between the worlds of player and oracle over the frames of the keys, whole frames and
 * others; angles count as a unit's lever. */
static double compare(stage *s, bool ik, float step)
{
    double worst = 0;
    xformd world[PLAYER_BONES];
    od_play_options options = {.ik = ik ? OD_PLAY_IK_KEYS : OD_PLAY_IK_OFF};
    for (float frame = 0; frame < 70; frame += step) {
        player_frame(&s->target, &s->keys, (double)frame, ik, world);
        od_player_show(&s->player, (double)frame, options);
        for (int b = 0; b < s->target.skeleton.count; b++) {
            double far = vecd_distance(vecd_of(s->player.world[b].t), world[b].t);
            double turned = quatd_angle(quatd_of(s->player.world[b].q), world[b].q) * DEGREE;
            assert_true(isfinite(far) && isfinite(turned));
            worst = fmax(worst, fmax(far, turned));
        }
    }
    return worst;
}

static void keys_are_met_between_them_and_held_outside(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    int root = add_bone(&s, "root", -1, 0, 1, 0);
    add_bone(&s, "tip", add_bone(&s, "arm", root, 1, 0, 0), 1, 0, 0);
    finish(&s);
    add_tracks(&s, 1, 3, 2);
    s.tracks[2].frame = NULL; /* dense */
    s.tracks[1].curves = NULL;
    make_player(&s);
    assert_near(compare(&s, false, 0.25F), 0, 1e-5);
    const od_track *track = &s.tracks[0];
    unsigned last = track->frame[KEYS - 1];
    od_player_show(&s.player, (double)last + 1000, (od_play_options){0});
    assert_memory_equal(&s.player.local[0].q, &track->rotation[KEYS - 1], sizeof(versors));
    for (int i = 0; i < KEYS; i++) {
        od_player_show(&s.player, (double)track->frame[i], (od_play_options){0});
        vec3s offset = glms_vec3_sub(s.player.local[0].t, od_vec3(0, 1, 0));
        assert_near(glms_vec3_distance(offset, track->position[i]), 0, 1e-6);
        assert_near(quatd_angle(quatd_of(s.player.local[0].q), quatd_of(track->rotation[i])), 0, 1e-4);
    }
    od_player_show(&s.player, -7, (od_play_options){0});
    assert_near(glms_vec3_distance(s.player.local[0].t, glms_vec3_add(od_vec3(0, 1, 0), track->position[0])), 0, 1e-6);
    od_player_show(&s.player, (double)NAN, (od_play_options){0});
    assert_true(od_vec3_finite(s.player.world[2].t));
    close_stage(&s);
}

static void frames_in_any_order_show_the_same(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    assert_ok(od_target_standard(&s.target, s.arena, &s.error), s.error);
    add_tracks(&s, 2, 0.5, 0.5);
    make_player(&s);
    od_xform straight[64][PLAYER_BONES];
    size_t size = (size_t)s.target.skeleton.count * sizeof(od_xform);
    for (int f = 0; f < 64; f++) {
        od_player_show(&s.player, f * 0.9, (od_play_options){0});
        memcpy(straight[f], s.player.world, size);
    }
    for (int i = 0; i < 64; i++) {
        int f = i * 37 % 64;
        od_player_show(&s.player, f * 0.9, (od_play_options){0});
        assert_memory_equal(straight[f], s.player.world, size);
    }
    close_stage(&s);
}

static void rotations_take_the_short_way(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    add_bone(&s, "root", -1, 0, 0, 0);
    finish(&s);
    static const unsigned frames[2] = {0, 10};
    versors q[2] = {{{0, 0, 0, 1}}, {{0, 0, -0.382683432f, -0.923879533f}}}; /* 45 degrees, signed the long way */
    s.tracks[0] = (od_track){.name = "root", .count = 2, .frame = frames, .rotation = q};
    s.keys.track_count = 1;
    make_player(&s);
    od_player_show(&s.player, 4, (od_play_options){0});
    assert_near(quatd_twist_angle(quatd_of(s.player.world[0].q), AXIS_Z), 18, 1e-4);
    close_stage(&s);
}

static void append_takes_part_by_any_ratio_and_through_chains(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    int root = add_bone(&s, "root", -1, 0, 1, 0), a = add_bone(&s, "a", root, 1, 0, 0);
    int half = add_bone(&s, "half", root, 0, 1, 0), minus = add_bone(&s, "minus", a, 0, 1, 0);
    int much = add_bone(&s, "much", root, 0, 0, 1), chained = add_bone(&s, "chained", root, 0, 2, 1);
    int moved = add_bone(&s, "moved", root, 2, 0, 0), twice = add_bone(&s, "twice", half, 2, 0, 0);
    int local = add_bone(&s, "local", root, 3, 0, 0);
    set_append(&s, half, a, 0.5F, OD_BONE_APPEND_ROTATION);
    set_append(&s, minus, a, -1, OD_BONE_APPEND_ROTATION);
    set_append(&s, much, a, 2.5F, OD_BONE_APPEND_ROTATION);
    set_append(&s, chained, half, -0.75F, OD_BONE_APPEND_ROTATION);
    set_append(&s, moved, a, -1.5F, OD_BONE_APPEND_TRANSLATION);
    set_append(&s, twice, moved, 2, OD_BONE_APPEND_TRANSLATION | OD_BONE_APPEND_ROTATION);
    set_append(&s, local, chained, 0.7F, OD_BONE_APPEND_TRANSLATION | OD_BONE_APPEND_ROTATION | OD_BONE_APPEND_LOCAL);
    finish(&s);
    add_tracks(&s, 3, 1, 1);
    make_player(&s);
    assert_near(compare(&s, false, 0.5F), 0, 3e-5);
    close_stage(&s);
}

static void append_of_minus_one_undoes_the_source(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    int a = add_bone(&s, "a", -1, 0, 1, 0), cancel = add_bone(&s, "cancel", a, 0, 1, 0);
    set_append(&s, cancel, a, -1, OD_BONE_APPEND_ROTATION);
    finish(&s);
    uint32_t seed = 4;
    add_track(&s, "a", &seed, 3, 0);
    make_player(&s);
    for (int f = 0; f < 60; f++) {
        od_player_show(&s.player, f, (od_play_options){0});
        assert_near(quatd_angle(quatd_of(s.player.world[cancel].q), NO_TURN), 0, 1e-3);
    }
    close_stage(&s);
}

static void fixed_axes_turn_keys_into_twist_of_the_same_angle(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    int twist = add_bone(&s, "twist", -1, 0, 1, 0);
    add_bone(&s, "tip", twist, 0.3F, 1, 0);
    s.more[twist].flags |= OD_BONE_FIXED_AXIS;
    s.more[twist].fixed_axis = od_vec3(3, -2, 0.5F); /* not unit: the target makes it so */
    finish(&s);
    add_tracks(&s, 5, 2.5, 0);
    make_player(&s);
    assert_near(compare(&s, false, 0.5F), 0, 2e-5);
    vecd axis = vecd_of(s.target.bones[twist].fixed_axis);
    for (int i = 0; i < KEYS; i++) {
        od_player_show(&s.player, (double)s.tracks[0].frame[i], (od_play_options){0});
        quatd q = quatd_of(s.player.local[twist].q), key = quatd_of(s.tracks[0].rotation[i]);
        assert_near(fabs(quatd_twist_angle(q, axis)), quatd_angle(key, NO_TURN), 1e-3);
        assert_near(quatd_angle(quatd_twist(q, axis), q), 0, 1e-3);
    }
    close_stage(&s);
}

static void bones_are_evaluated_by_physics_then_layer_then_place(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    int root = add_bone(&s, "root", -1, 0, 1, 0), late = add_bone(&s, "late", root, 1, 0, 0);
    int early = add_bone(&s, "early", late, 1, 0, 0), a = add_bone(&s, "a", root, 0, 0, 1);
    int b = add_bone(&s, "b", root, 0, 1, 1), c = add_bone(&s, "c", root, 1, 1, 1);
    set_append(&s, late, a, 1, OD_BONE_APPEND_ROTATION);
    set_append(&s, b, late, 0.5F, OD_BONE_APPEND_ROTATION); /* comes before its source's append */
    set_append(&s, c, late, 0.5F, OD_BONE_APPEND_ROTATION); /* comes after */
    s.more[late].flags |= OD_BONE_AFTER_PHYSICS;
    s.more[c].flags |= OD_BONE_AFTER_PHYSICS;
    s.more[c].deform_order = 3;
    s.more[early].deform_order = -1; /* before its own parent: sees it by its keys alone */
    finish(&s);
    add_tracks(&s, 6, 1, 0.5);
    make_player(&s);
    assert_near(compare(&s, false, 0.5F), 0, 2e-5);
    od_player_show(&s.player, 20, (od_play_options){0});
    quatd turned_b = quatd_of(s.player.local[b].q), key_b = player_key(&s.keys, "b", 20).q;
    quatd half_key = player_key(&s.keys, "late", 20).q;
    assert_near(2 * quatd_angle(turned_b, key_b), quatd_angle(half_key, NO_TURN), 1e-3);
    close_stage(&s);
}

/* A leg with toe and IK, D bones behind it: the standard model's in small. */
static void make_leg(stage *s)
{
    const float half_degree = 0.00872664626F, half_turn = 3.14159265F;
    int root = add_bone(s, "root", -1, 0, 10, 0), leg = add_bone(s, "leg", root, 1, 0, 0);
    int knee = add_bone(s, "knee", leg, 0, -4.8F, -0.1F), ankle = add_bone(s, "ankle", knee, 0, -4.5F, 0.3F);
    int toe = add_bone(s, "toe", ankle, 0, -0.8F, -1.4F);
    int ik = add_bone(s, "ik", -1, 1, 0.7F, 0.2F), toe_ik = add_bone(s, "toe ik", ik, 0, -0.8F, -1.4F);
    int leg_d = add_bone(s, "leg D", root, 1, 0, 0), knee_d = add_bone(s, "knee D", leg_d, 0, -4.8F, -0.1F);
    od_ik_chain *chain = add_chain(s, ik, ankle, 40, 2);
    *add_link(chain, knee) = (od_ik_link){knee, true, {{-half_turn, 0, 0}}, {{-half_degree, 0, 0}}};
    add_link(chain, leg);
    add_link(add_chain(s, toe_ik, toe, 3, 4), ankle);
    set_append(s, leg_d, leg, 1, OD_BONE_APPEND_ROTATION);
    set_append(s, knee_d, knee, 1, OD_BONE_APPEND_ROTATION);
    s->more[leg_d].deform_order = s->more[knee_d].deform_order = 1;
    finish(s);
}

static void legs_follow_their_ik_and_d_bones_follow_the_legs(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    make_leg(&s);
    uint32_t seed = 7;
    add_track(&s, "ik", &seed, 0.4, 0.8);
    add_track(&s, "leg", &seed, 0.3, 0);
    add_track(&s, "root", &seed, 0.1, 0.3);
    make_player(&s);
    assert_near(compare(&s, true, 0.5F), 0, 2e-3);
    const od_skeleton *bones = &s.target.skeleton;
    int leg = od_skeleton_find(bones, "leg"), knee = od_skeleton_find(bones, "knee");
    for (int f = 0; f < 60; f++) {
        od_player_show(&s.player, f, (od_play_options){0});
        const od_xform *world = s.player.world;
        assert_near(quatd_angle(quatd_of(world[od_skeleton_find(bones, "leg D")].q), quatd_of(world[leg].q)), 0, 1e-3);
        assert_near(quatd_angle(quatd_of(world[od_skeleton_find(bones, "knee D")].q), quatd_of(world[knee].q)), 0,
                    1e-3);
        assert_near(s.player.ik[0].residual,
                    vecd_distance(vecd_of(world[od_skeleton_find(bones, "ankle")].t),
                                  vecd_of(world[od_skeleton_find(bones, "ik")].t)),
                    1e-4);
    }
    close_stage(&s);
}

static void switches_are_steps(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    make_leg(&s);
    uint32_t seed = 8;
    add_track(&s, "ik", &seed, 0.4, 0.8);
    add_track(&s, "leg", &seed, 0.3, 0);
    od_ik_switch off[] = {{"toe ik", true}, {"no such bone", true}, {"ik", false}}, on[] = {{"ik", true}};
    od_ik_key switches[] = {{10, true, off, 3}, {30, true, on, 1}};
    s.keys.ik = switches;
    s.keys.ik_count = 2;
    make_player(&s);
    assert_near(compare(&s, true, 0.25F), 0, 2e-3);
    static const struct {
        double frame;
        bool on;
    } steps[] = {{29.99, false}, {0, true}, {9.99, true}, {10, false}, {20, false}, {30, true}, {999, true}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        od_player_show(&s.player, steps[i].frame, (od_play_options){0});
        assert_int_equal(s.player.ik_on[0], steps[i].on);
        assert_true(s.player.ik_on[1]);
        od_player_show(&s.player, steps[i].frame, (od_play_options){.ik = OD_PLAY_IK_ON});
        assert_true(s.player.ik_on[0]);
        od_player_show(&s.player, steps[i].frame, (od_play_options){.ik = OD_PLAY_IK_OFF});
        assert_false(s.player.ik_on[0] || s.player.ik_on[1]);
        assert_int_equal(s.player.ik[0].iterations, 0);
    }
    close_stage(&s);
}

static void bone_morphs_move_bones_alone_and_in_groups(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    int root = add_bone(&s, "root", -1, 0, 1, 0), arm = add_bone(&s, "arm", root, 1, 0, 0);
    int copy = add_bone(&s, "copy", root, 2, 0, 0);
    set_append(&s, copy, arm, 0.5F, OD_BONE_APPEND_ROTATION | OD_BONE_APPEND_TRANSLATION);
    static const char *names[] = {"lift", "turn", "both", "vertices"};
    uint32_t seed = 9;
    od_morph_move moves[] = {{0, arm, {{0, 1.5F, 0}}, {{0, 0, 0, 1}}},
                             {1, arm, {{0.2F, 0, 0}}, random_turn(&seed, 2)},
                             {1, root, {{0, 0, 0.3F}}, random_turn(&seed, 2)}};
    od_morph_member members[] = {{2, 0, -0.5F}, {2, 1, 1.5F}, {2, 3, 1}};
    s.target.morphs = names;
    s.target.morph_count = 4;
    s.target.moves = moves;
    s.target.move_count = 3;
    s.target.members = members;
    s.target.member_count = 3;
    finish(&s);
    add_tracks(&s, 10, 0.5, 0.5);
    static const unsigned frames[] = {0, 12, 20, 47};
    static const float weights[3][4] = {{0, 1, 0.3F, 0.3F}, {0.2F, -0.4F, 1.3F, 0}, {0, 0, 1, 0.5F}};
    for (int i = 0; i < 3; i++) s.morphs[i] = (od_morph_track){names[i], 4, frames, weights[i]};
    s.keys.morph_count = 3;
    make_player(&s);
    assert_near(compare(&s, false, 0.5F), 0, 3e-5);
    close_stage(&s);
}

static void names_are_one_when_their_first_15_bytes_are(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    int a = add_bone(&s, "ながいなまえのボーン", -1, 0, 0, 0); /* 20 bytes, cut through the eighth */
    int b = add_bone(&s, "short", a, 0, 0, 0), c = add_bone(&s, "한글", a, 0, 0, 0); /* not in CP932 */
    int d = add_bone(&s, "short", a, 0, 0, 0), none = add_bone(&s, "", a, 0, 0, 0);
    finish(&s);
    uint32_t seed = 11;
    add_track(&s, "ながいなまえの", &seed, 1, 0);
    add_track(&s, "short", &seed, 1, 0);
    add_track(&s, "short", &seed, 1, 0);
    add_track(&s, "한글", &seed, 1, 0);
    add_track(&s, "", &seed, 1, 0);
    add_track(&s, "글", &seed, 1, 0);
    make_player(&s);
    assert_int_equal(s.player.track[a], 0);
    assert_int_equal(s.player.track[b], 1);
    assert_int_equal(s.player.track[c], 3);
    assert_int_equal(s.player.track[d], -1);
    assert_int_equal(s.player.track[none], -1);
    close_stage(&s);
}

static void a_chain_may_have_bones_between_its_links(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    int last = add_bone(&s, "0", -1, 0, 8, 0);
    static const char *names[] = {"1", "2", "3", "4", "5", "6", "7"};
    for (int i = 0; i < 7; i++) last = add_bone(&s, names[i], last, 0.1F, -1, 0.2F);
    int goal = add_bone(&s, "goal", -1, 1, 4, 1);
    od_ik_chain *chain = add_chain(&s, goal, last, 8, 0.5F);
    add_link(chain, 6);
    add_link(chain, 4); /* 5 lies between */
    *add_link(chain, 1) = (od_ik_link){1, true, {{-1, -1, -1}}, {{1, 1, 1}}};
    s.more[7].deform_order = 5; /* the effector comes after the IK bone */
    finish(&s);
    add_tracks(&s, 12, 0.6, 0.2);
    make_player(&s);
    assert_near(compare(&s, true, 0.5F), 0, 2e-3);
    close_stage(&s);
}

static void a_bone_may_pull_several_chains_with_one_switch(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    int root = add_bone(&s, "root", -1, 0, 8, 0), goal = add_bone(&s, "goal", -1, 0, 5, 1);
    for (int side = -1; side <= 1; side += 2) {
        int upper = add_bone(&s, side < 0 ? "a" : "b", root, (float)side, 0, 0);
        int lower = add_bone(&s, side < 0 ? "c" : "d", upper, 0, -2, 0.1F);
        int end = add_bone(&s, side < 0 ? "e" : "f", lower, 0, -2, 0);
        od_ik_chain *chain = add_chain(&s, goal, end, 100, 1);
        add_link(chain, lower);
        add_link(chain, upper);
    }
    finish(&s);
    od_ik_switch off = {"goal", false};
    od_ik_key key = {.frame = 20, .switches = &off, .count = 1};
    s.keys.ik = &key;
    s.keys.ik_count = 1;
    add_tracks(&s, 15, 0.3, 0.3);
    make_player(&s);
    assert_near(compare(&s, true, 0.5F), 0, 2e-3);
    od_player_show(&s.player, 19, (od_play_options){0});
    assert_true(s.player.ik_on[0] && s.player.ik_on[1]);
    assert_near(s.player.ik[0].residual, 0, 1e-3);
    assert_near(s.player.ik[1].residual, 0, 1e-3);
    od_player_show(&s.player, 20, (od_play_options){0});
    assert_false(s.player.ik_on[0] || s.player.ik_on[1]);
    close_stage(&s);
}

static void the_standard_model_plays_as_the_oracle_says(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    assert_ok(od_target_standard(&s.target, s.arena, &s.error), s.error);
    add_tracks(&s, 13, 0.25, 0.2);
    make_player(&s);
    assert_near(compare(&s, false, 0.5F), 0, 1e-4);
    assert_near(compare(&s, true, 1), 0, 5e-3);
    close_stage(&s);
}

static void no_memory_is_a_failure(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    assert_ok(od_target_standard(&s.target, s.arena, &s.error), s.error);
    add_tracks(&s, 14, 0.25, 0.2);
    for (size_t n = 1;; n++) {
        assert_true(n < 100);
        od_error error = {0};
        od_player player;
        od_arena_fail_at(s.arena, n);
        bool made = od_player_make(&player, &s.target, &s.keys, s.arena, &error);
        od_arena_fail_at(s.arena, 0);
        assert_int_equal(made, !error.failed);
        if (made) break;
    }
    close_stage(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_met_between_them_and_held_outside),
        cmocka_unit_test(frames_in_any_order_show_the_same),
        cmocka_unit_test(rotations_take_the_short_way),
        cmocka_unit_test(append_takes_part_by_any_ratio_and_through_chains),
        cmocka_unit_test(append_of_minus_one_undoes_the_source),
        cmocka_unit_test(fixed_axes_turn_keys_into_twist_of_the_same_angle),
        cmocka_unit_test(bones_are_evaluated_by_physics_then_layer_then_place),
        cmocka_unit_test(legs_follow_their_ik_and_d_bones_follow_the_legs),
        cmocka_unit_test(switches_are_steps),
        cmocka_unit_test(bone_morphs_move_bones_alone_and_in_groups),
        cmocka_unit_test(names_are_one_when_their_first_15_bytes_are),
        cmocka_unit_test(a_chain_may_have_bones_between_its_links),
        cmocka_unit_test(a_bone_may_pull_several_chains_with_one_switch),
        cmocka_unit_test(the_standard_model_plays_as_the_oracle_says),
        cmocka_unit_test(no_memory_is_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
