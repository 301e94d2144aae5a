/* Skeletons: worlds are products down from the root, names are found. */
#include "check.h"

#include "odori/skeleton.h"

enum { DEEP = 300 };

static od_skeleton chain_of(int count, od_arena *arena)
{
    od_skeleton skeleton = {.bones = OD_NEW(arena, od_bone, (size_t)count, NULL), .count = count};
    for (int i = 0; i < count; i++) {
        skeleton.bones[i].name = od_arena_format(arena, NULL, "bone %d", i);
        skeleton.bones[i].parent = i - 1;
        skeleton.bones[i].rest = (od_xform){.q = od_quat_identity(), .t = od_vec3(0, 1, 0)};
    }
    return skeleton;
}

/* Two branches, worked out by hand: a quarter turn about Z sends +X to +Y and +Y to -X. */
static void worlds_are_products_from_the_root(void **state)
{
    (void)state;
    versors quarter = od_quat_axis_angle(od_vec3(0, 0, 1), 1.57079633f);
    od_bone bones[] = {
        {.name = "hips", .parent = -1, .rest = {.q = quarter, .t = od_vec3(1, 2, 3)}},
        {.name = "left", .parent = 0, .rest = {.q = quarter, .t = od_vec3(1, 0, 0)}},
        {.name = "right", .parent = 0, .rest = {.q = od_quat_identity(), .t = od_vec3(0, 1, 0)}},
        {.name = "left end", .parent = 1, .rest = {.q = od_quat_identity(), .t = od_vec3(1, 0, 5)}},
    };
    static const float expected[][3] = {{1, 2, 3}, {1, 3, 3}, {0, 2, 3}, {0, 3, 8}};
    od_skeleton skeleton = {.bones = bones, .count = 4};
    od_skeleton_finish(&skeleton);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) assert_near(bones[i].rest_world.t.raw[k], expected[i][k], 1e-6);
    assert_near(od_quat_angle(bones[1].rest_world.q), 3.14159265, 1e-6);
    assert_near(od_quat_angle(bones[2].rest_world.q), 1.57079633, 1e-6);
}

static void several_roots_stand_where_they_are(void **state)
{
    (void)state;
    od_bone bones[] = {
        {.name = "a", .parent = -1, .rest = {.q = od_quat_identity(), .t = od_vec3(1, 0, 0)}},
        {.name = "b", .parent = -1, .rest = {.q = od_quat_identity(), .t = od_vec3(0, 7, 0)}},
    };
    od_skeleton skeleton = {.bones = bones, .count = 2};
    od_skeleton_finish(&skeleton);
    assert_near(bones[1].rest_world.t.x, 0, 0);
    assert_near(bones[1].rest_world.t.y, 7, 0);
}

static void finishing_makes_rests_unit(void **state)
{
    (void)state;
    od_bone bone = {.name = "a", .parent = -1, .rest = {.q = od_quat(0, 3, 0, 4), .t = od_vec3(0, 0, 0)}};
    od_skeleton skeleton = {.bones = &bone, .count = 1};
    od_skeleton_finish(&skeleton);
    assert_near(bone.rest.q.y, 0.6, 1e-6);
    assert_near(bone.rest.q.w, 0.8, 1e-6);
    assert_near(bone.rest_world.q.w, 0.8, 1e-6);
}

static void locals_at_rest_give_the_rest_worlds(void **state)
{
    (void)state;
    uint32_t seed = 1;
    od_arena *arena = od_arena_new(0);
    od_skeleton skeleton = chain_of(40, arena);
    od_xform local[40], world[40];
    for (int i = 0; i < 40; i++) {
        od_bone *bone = &skeleton.bones[i];
        bone->parent = i - 1 - (int)(5 * fabs(check_random(&seed)));
        if (bone->parent < 0) bone->parent = -1;
        bone->rest.q = od_quat((float)check_random(&seed), (float)check_random(&seed), (float)check_random(&seed), 1);
    }
    od_skeleton_finish(&skeleton);
    for (int i = 0; i < 40; i++) local[i] = skeleton.bones[i].rest;
    od_skeleton_world(&skeleton, local, world);
    assert_memory_equal(&world[0], &skeleton.bones[0].rest_world, sizeof world[0]);
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 3; k++) assert_near(world[i].t.raw[k], skeleton.bones[i].rest_world.t.raw[k], 1e-5);
    od_arena_free(arena);
}

/* A turn of each bone by the same small angle adds up, and stays a rotation however deep it is. */
static void deep_chains_stay_rotations(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_skeleton skeleton = chain_of(DEEP, arena);
    od_xform local[DEEP], world[DEEP];
    double step = 2 * 3.14159265358979 / DEEP;
    versors turn = od_quat_axis_angle(od_vec3(1, 0, 0), (float)step);
    for (int i = 0; i < DEEP; i++) local[i] = (od_xform){.q = turn, .t = od_vec3(0, 0, 1)};
    od_skeleton_world(&skeleton, local, world);
    for (int i = 0; i < DEEP; i++) {
        assert_near(od_quat_dot(world[i].q, world[i].q), 1, 1e-6);
        double angle = step * (i + 1);
        if (angle > 3.14159265358979) angle = 2 * 3.14159265358979 - angle;
        assert_near(od_quat_angle(world[i].q), angle, 1e-4);
    }
    /* The bones of a whole turn form a closed ring: the next one would stand where the first does. */
    vec3s next = od_xform_point(world[DEEP - 1], od_vec3(0, 0, 1));
    assert_near(next.y, world[0].t.y, 5e-3);
    assert_near(next.z, world[0].t.z, 5e-3);
    od_arena_free(arena);
}

static void the_first_of_a_name_is_found(void **state)
{
    (void)state;
    od_bone bones[] = {
        {.name = "センター", .parent = -1}, {.name = "左腕", .parent = 0}, {.name = "左腕", .parent = 0}};
    od_skeleton skeleton = {.bones = bones, .count = 3};
    assert_int_equal(od_skeleton_find(&skeleton, "センター"), 0);
    assert_int_equal(od_skeleton_find(&skeleton, "左腕"), 1);
    assert_int_equal(od_skeleton_find(&skeleton, "右腕"), -1);
    assert_int_equal(od_skeleton_find(&skeleton, ""), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_are_products_from_the_root), cmocka_unit_test(several_roots_stand_where_they_are),
        cmocka_unit_test(finishing_makes_rests_unit),        cmocka_unit_test(locals_at_rest_give_the_rest_worlds),
        cmocka_unit_test(deep_chains_stay_rotations),        cmocka_unit_test(the_first_of_a_name_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
