/* VRM and VRM animations: slots, faces of both versions, gaze. */
#include "gltf_made.h"
#include "odori/mapping.h"
#include "odori/role.h"

static const float TIMES[] = {0, 1};

/* The role of the bone of this name. */
static int role_of(const made *m, const char *name)
{
    int bone = od_skeleton_find(&m->scene.skeleton, name);
    assert_true(bone >= 0 && m->scene.roles);
    return m->scene.roles[bone];
}

static void thumbs_are_told_apart_by_version(void **state)
{
    (void)state;
    made old = {0}, new = {0};
    made_finish(&old, "\"nodes\": [{\"name\": \"x\", \"children\": [1]}, {\"name\": \"y\"}], \"extensions\": {\"VRM\": "
                      "{\"humanoid\": {\"humanBones\": [{\"bone\": \"leftThumbProximal\", \"node\": 0}, {\"bone\": "
                      "\"leftThumbIntermediate\", \"node\": 1}]}}}");
    assert_ok(made_read(&old), old.error);
    assert_int_equal(role_of(&old, "x"), OD_ROLE_THUMB0_L);
    assert_int_equal(role_of(&old, "y"), OD_ROLE_THUMB1_L);
    made_free(&old);
    made_finish(&new, "\"nodes\": [{\"name\": \"x\", \"children\": [1]}, {\"name\": \"y\"}], \"extensions\": "
                      "{\"VRMC_vrm\": {\"humanoid\": {\"humanBones\": {\"rightThumbMetacarpal\": {\"node\": 0}, "
                      "\"rightThumbProximal\": {\"node\": 1}}}}}");
    assert_ok(made_read(&new), new.error);
    assert_int_equal(role_of(&new, "x"), OD_ROLE_THUMB0_R);
    assert_int_equal(role_of(&new, "y"), OD_ROLE_THUMB1_R);
    made_free(&new);
}

static void the_left_of_both_versions_is_x(void **state)
{
    (void)state;
    /* In VRM 0 the left hand is on -X and the front at -Z, in VRM 1 on +X and at +Z. */
    made old = {0}, new = {0};
    made_finish(&old, "\"nodes\": [{\"name\": \"hips\", \"children\": [1]}, {\"name\": \"hand\", \"translation\": [-2, "
                      "3, -1]}], \"extensions\": {\"VRM\": {\"humanoid\": {\"humanBones\": [{\"bone\": \"hips\", "
                      "\"node\": 0}, {\"bone\": \"leftHand\", \"node\": 1}]}}}");
    made_finish(&new,
                "\"nodes\": [{\"name\": \"hips\", \"children\": [1]}, {\"name\": \"hand\", \"translation\": [2, 3, "
                "1]}], \"extensions\": {\"VRMC_vrm\": {\"humanoid\": {\"humanBones\": {\"hips\": {\"node\": 0}, "
                "\"leftHand\": {\"node\": 1}}}}}");
    made *both[] = {&old, &new};
    for (int i = 0; i < 2; i++) {
        assert_ok(made_read(both[i]), both[i]->error);
        vec3s hand = both[i]->scene.skeleton.bones[1].rest_world.t;
        assert_near(hand.x, 2, 1e-6);
        assert_near(hand.y, 3, 1e-6);
        assert_near(hand.z, -1, 1e-6); /* the front is -Z */
        assert_true(both[i]->scene.rest_is_bind);
        made_free(both[i]);
    }
}

static void hips_turn_the_lower_body_and_travel(void **state)
{
    (void)state;
    made m = {0};
    made_finish(&m, "\"nodes\": [{\"name\": \"hips\"}], \"extensions\": {\"VRMC_vrm\": {\"humanoid\": {\"humanBones\": "
                    "{\"hips\": {\"node\": 0}}}}}");
    assert_ok(made_read(&m), m.error);
    od_mapping mapping;
    assert_ok(od_mapping_from_roles(&m.scene.skeleton, m.scene.roles, &mapping, NULL, m.arena, &m.error), m.error);
    assert_int_equal(mapping.entry_count, 2);
    assert_int_equal(mapping.entries[0].role, OD_ROLE_LOWER_BODY);
    assert_int_equal(mapping.entries[0].use, OD_USE_ROTATION);
    assert_int_equal(mapping.entries[1].role, OD_ROLE_CENTER);
    assert_int_equal(mapping.entries[1].use, OD_USE_TRANSLATION);
    made_free(&m);
}

static void a_node_in_two_slots_keeps_the_first(void **state)
{
    (void)state;
    made m = {0};
    made_finish(&m, "\"nodes\": [{\"name\": \"hips\"}], \"extensions\": {\"VRM\": {\"humanoid\": {\"humanBones\": "
                    "[{\"bone\": \"hips\", \"node\": 0}, {\"bone\": \"spine\", \"node\": 0}]}}}");
    assert_ok(made_read(&m), m.error);
    assert_int_equal(role_of(&m, "hips"), OD_ROLE_LOWER_BODY);
    assert_non_null(strstr(m.report.first->text, "the slot spine is left out"));
    made_free(&m);
}

/* A VRM animation of a turned head, a face and a gaze. */
static void make_animation(made *m, const float *face, const float *gaze)
{
    int times = made_floats(m, TIMES, 2, "SCALAR"), faces = made_floats(m, face, 2, "VEC3");
    int gazes = made_floats(m, gaze, 2, "VEC4");
    char body[2048];
    snprintf(body, sizeof body,
             "\"nodes\": [{\"name\": \"head\", \"rotation\": [0.70710678, 0, 0, 0.70710678]}, {\"name\": \"happy\"}, "
             "{\"name\": \"look\"}], \"animations\": [{\"channels\": [{\"sampler\": 0, \"target\": {\"node\": 1, "
             "\"path\": \"translation\"}}, {\"sampler\": 1, \"target\": {\"node\": 2, \"path\": \"rotation\"}}], "
             "\"samplers\": [{\"input\": %d, \"output\": %d}, {\"input\": %d, \"output\": %d}]}], \"extensions\": "
             "{\"VRMC_vrm_animation\": {\"humanoid\": {\"humanBones\": {\"head\": {\"node\": 0}}}, \"lookAt\": "
             "{\"node\": 2}, \"expressions\": {\"preset\": {\"happy\": {\"node\": 1}}}}}",
             times, faces, times, gazes);
    made_finish(m, body);
}

static void faces_are_morph_tracks_between_0_and_1(void **state)
{
    (void)state;
    static const float face[] = {-1, 0, 0, 3, 0, 0}, gaze[] = {0, 0, 0, 1, 0, 0, 0, 1};
    made m = {0};
    make_animation(&m, face, gaze);
    assert_ok(made_read(&m), m.error);
    const od_clip *clip = &m.scene.clips[0];
    assert_int_equal(clip->morph_count, 1);
    const od_morph_track *track = &clip->morphs[0];
    assert_string_equal(track->name, "happy");
    /* Zero for a quarter of the time, one from its half on: four keys. */
    assert_int_equal(track->count, 4);
    assert_near(track->weight[0], 0, 0);
    assert_near(track->weight[3], 1, 0);
    assert_near(track->frame[1] / clip->fps, 0.25, 1e-6);
    assert_near(track->frame[2] / clip->fps, 0.5, 1e-6);
    made_free(&m);
}

static void the_gaze_turns_by_the_axes_of_the_world_and_little(void **state)
{
    (void)state;
    /* Up to 60 degrees to the left about y: the eyes turn by ten. */
    static const float face[6] = {0}, gaze[] = {0, 0, 0, 1, 0, 0.5f, 0, 0.8660254f};
    made m = {0};
    make_animation(&m, face, gaze);
    assert_ok(made_read(&m), m.error);
    const od_skeleton *s = &m.scene.skeleton;
    int eyes = od_skeleton_find(s, "look");
    assert_int_equal(m.scene.roles[eyes], OD_ROLE_EYES);
    assert_string_equal(s->bones[s->bones[eyes].parent].name, "head");
    assert_near(od_quat_angle(s->bones[eyes].rest_world.q), 0, 1e-6);
    od_xform world[8];
    const od_clip *clip = &m.scene.clips[0];
    od_clip_world(clip, clip->frames - 1, s, world);
    /* Mirrored: about -y. */
    assert_near(od_quat_twist_angle(world[eyes].q, od_vec3(0, 1, 0)), -10 * 3.14159265 / 180, 1e-5);
    assert_near(od_quat_angle(world[eyes].q), 10 * 3.14159265 / 180, 1e-5);
    assert_int_equal(clip->morph_count, 0);
    made_free(&m);
}

static void a_motion_goes_onto_the_joints_of_a_model(void **state)
{
    (void)state;
    /* The motion's hips turn by 90 degrees about z and rise by a half; its chest turns back. The model is twice as
     * high, its joints stand turned at rest, and it has no chest but a head. */
    static const float turns[] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
    static const float back[] = {0, 0, 0, 1, 0, 0, -0.70710678f, 0.70710678f}, ways[] = {0, 1, 0, 0, 1.5f, 0};
    made motion = {0}, body = {0};
    int times = made_floats(&motion, TIMES, 2, "SCALAR"), turn = made_floats(&motion, turns, 2, "VEC4");
    int undo = made_floats(&motion, back, 2, "VEC4"), way = made_floats(&motion, ways, 2, "VEC3");
    char text[2048];
    snprintf(text, sizeof text,
             "\"nodes\": [{\"name\": \"a\", \"translation\": [0, 1, 0], \"children\": [1]}, {\"name\": \"b\", "
             "\"translation\": [0, 1, 0], \"children\": [2]}, {\"name\": \"c\", \"translation\": [0, 1, 0]}], "
             "\"animations\": [{\"channels\": [{\"sampler\": 0, \"target\": {\"node\": 0, \"path\": \"rotation\"}}, "
             "{\"sampler\": 1, \"target\": {\"node\": 1, \"path\": \"rotation\"}}, {\"sampler\": 2, \"target\": "
             "{\"node\": 0, \"path\": \"translation\"}}], \"samplers\": [{\"input\": %d, \"output\": %d}, "
             "{\"input\": %d, \"output\": %d}, {\"input\": %d, \"output\": %d}]}], \"extensions\": "
             "{\"VRMC_vrm_animation\": {\"humanoid\": {\"humanBones\": {\"hips\": {\"node\": 0}, \"chest\": {\"node\": "
             "1}, \"head\": {\"node\": 2}}}}}",
             times, turn, times, undo, times, way);
    made_finish(&motion, text);
    made_finish(&body,
                "\"nodes\": [{\"name\": \"h\", \"translation\": [0, 2, 0.25], \"rotation\": [0.70710678, 0, 0, "
                "0.70710678], \"children\": [1]}, {\"name\": \"k\", \"translation\": [0, 0, -3]}], \"extensions\": "
                "{\"VRMC_vrm\": {\"humanoid\": {\"humanBones\": {\"hips\": {\"node\": 0}, \"head\": {\"node\": "
                "1}}}}}");
    assert_ok(made_read(&motion), motion.error);
    assert_ok(made_read(&body), body.error);
    od_scene both;
    od_xform world[4];
    assert_ok(od_scene_onto(&motion.scene, &body.scene, &both, body.arena, &body.error), body.error);
    assert_int_equal(both.skeleton.count, 2);
    const od_clip *clip = &both.clips[0];
    od_clip_world(clip, 0, &both.skeleton, world);
    for (int b = 0; b < 2; b++)
        assert_near(glms_vec3_distance(world[b].t, both.skeleton.bones[b].rest_world.t), 0, 1e-6);
    od_clip_world(clip, clip->frames - 1, &both.skeleton, world);
    /* At rest the head is 3 above the hips; both turn about z, which turns it to -x; hips rise by twice a half. */
    assert_near(world[0].t.y, 3, 1e-5);
    assert_near(world[0].t.z, -0.25, 1e-5);
    assert_near(world[1].t.x, -3, 1e-5);
    assert_near(world[1].t.y, 3, 1e-5);
    versors head = od_quat_mul(world[1].q, od_quat_conj(both.skeleton.bones[1].rest_world.q));
    assert_near(od_quat_angle(head), 0, 1e-5); /* what the chest undid */
    od_scene none = {.skeleton = body.scene.skeleton};
    od_error error = {0};
    assert_fails(od_scene_onto(&motion.scene, &none, &both, body.arena, &error), error, "the skeleton does not say");
    made_free(&motion);
    made_free(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thumbs_are_told_apart_by_version),
        cmocka_unit_test(the_left_of_both_versions_is_x),
        cmocka_unit_test(hips_turn_the_lower_body_and_travel),
        cmocka_unit_test(a_node_in_two_slots_keeps_the_first),
        cmocka_unit_test(faces_are_morph_tracks_between_0_and_1),
        cmocka_unit_test(a_motion_goes_onto_the_joints_of_a_model),
        cmocka_unit_test(the_gaze_turns_by_the_axes_of_the_world_and_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
