/* The built-in standard model: its measures, its mirror, its rigging. */
#include "check.h"

#include "base/text.h"
#include "odori/target.h"

static vec3s at(const od_target *t, const char *name)
{
    int bone = od_skeleton_find(&t->skeleton, name);
    assert_true(bone >= 0);
    return t->skeleton.bones[bone].rest_world.t;
}

static void the_standard_model_is_as_described(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    od_target t;
    assert_ok(od_target_standard(&t, arena, &error), error);
    assert_int_equal(t.skeleton.count, 104);
    assert_int_equal(t.ik_count, 4);
    for (int i = 0; i < t.skeleton.count; i++) {
        unsigned char field[15];
        bool lost, cut;
        od_text_to_cp932(t.skeleton.bones[i].name, field, sizeof field, &lost, &cut);
        assert_false(lost || cut);
    }
    for (int r = OD_ROLE_SIDED; r < OD_ROLE_COUNT; r += 2) {
        assert_true(t.role[r] >= 0 && t.role[r + 1] >= 0);
        vec3s left = t.skeleton.bones[t.role[r]].rest_world.t, right = t.skeleton.bones[t.role[r + 1]].rest_world.t;
        assert_near(left.x, -right.x, 1e-6);
        assert_near(left.y, right.y, 1e-6);
        assert_near(left.z, right.z, 1e-6);
        assert_true(left.x > 0);
    }
    vec3s arm = glms_vec3_sub(at(&t, "左ひじ"), at(&t, "左腕"));
    assert_near(atan2f(-arm.y, arm.x) * 57.29578f, 35, 0.01);
    assert_near(glms_vec3_distance(at(&t, "左足"), at(&t, "左ひざ")), 4.85, 0.001);
    assert_near(glms_vec3_distance(at(&t, "右ひざ"), at(&t, "右足首")), 4.654, 0.001);
    assert_near(glms_vec3_norm(arm), 3.1, 0.001);
    assert_near(at(&t, "頭").y, 17.1, 1e-5);
    assert_near(at(&t, "左中指３").x, 7.452, 0.001);
    assert_near(at(&t, "右つま先ＩＫ").z, -1.45, 1e-5);
    const od_ik_chain *leg = &t.ik[t.bones[t.role[OD_ROLE_LEG_IK_R]].ik];
    assert_int_equal(leg->effector, t.role[OD_ROLE_ANKLE_R]);
    assert_int_equal(leg->links[0].bone, t.role[OD_ROLE_KNEE_R]);
    assert_near(leg->links[0].max.x, -0.00872664626, 1e-8);
    const od_target_bone *cancel = &t.bones[t.role[OD_ROLE_WAIST_CANCEL_R]];
    assert_int_equal(cancel->append_source, t.role[OD_ROLE_WAIST]);
    assert_near(cancel->append_ratio, -1, 0);
    assert_near(t.bones[t.role[OD_ROLE_ARM_TWIST_R]].fixed_axis.x, -0.8191520, 1e-6);
    od_arena_free(arena);
}

/* 左 for 右 and back; the name itself when it has no side. */
static const char *other_side(const char *name, char *other, size_t size)
{
    static const char *const marks[] = {"左", "右"};
    snprintf(other, size, "%s", name);
    for (int i = 0; i < 2; i++) {
        const char *at = strstr(name, marks[i]);
        if (!at) continue;
        snprintf(other, size, "%.*s%s%s", (int)(at - name), name, marks[!i], at + strlen(marks[i]));
        break;
    }
    return other;
}

static void every_bone_of_the_standard_model_has_its_mirror(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    od_target t;
    assert_ok(od_target_standard(&t, arena, &error), error);
    const od_skeleton *s = &t.skeleton;
    for (int i = 0; i < s->count; i++) {
        char other[64];
        int m = od_skeleton_find(s, other_side(s->bones[i].name, other, sizeof other));
        assert_true(m >= 0);
        vec3s a = s->bones[i].rest_world.t, b = s->bones[m].rest_world.t;
        const od_target_bone *x = &t.bones[i], *y = &t.bones[m];
        assert_near(a.x, -b.x, 0);
        assert_near(a.y, b.y, 1e-6);
        assert_near(a.z, b.z, 1e-6);
        assert_near(x->tail.x, -y->tail.x, 1e-6);
        assert_near(x->fixed_axis.x, -y->fixed_axis.x, 0);
        assert_near(x->fixed_axis.y, y->fixed_axis.y, 0);
        assert_near(x->append_ratio, y->append_ratio, 0);
        assert_int_equal(x->flags, y->flags);
        assert_int_equal(x->deform_order, y->deform_order);
        assert_int_equal(x->ik >= 0, y->ik >= 0);
        if (s->bones[i].parent >= 0)
            assert_string_equal(other_side(s->bones[s->bones[i].parent].name, other, sizeof other),
                                s->bones[s->bones[m].parent].name);
        if (x->append_source >= 0)
            assert_string_equal(other_side(s->bones[x->append_source].name, other, sizeof other),
                                s->bones[y->append_source].name);
    }
    od_arena_free(arena);
}

/* The order of evaluation that MMD needs: IK after the legs, what follows the legs after IK. */
static void the_standard_model_is_evaluated_in_order(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    od_target t;
    assert_ok(od_target_standard(&t, arena, &error), error);
    int turn[OD_ROLE_COUNT] = {0};
    for (int k = 0; k < t.skeleton.count; k++)
        if (t.bones[t.deform[k]].role != OD_ROLE_NONE) turn[t.bones[t.deform[k]].role] = k;
    for (int side = 0; side < 2; side++) {
        assert_true(turn[OD_ROLE_TOE_L + side] < turn[OD_ROLE_LEG_IK_L + side]);
        assert_true(turn[OD_ROLE_LEG_IK_L + side] < turn[OD_ROLE_TOE_IK_L + side]);
        assert_true(turn[OD_ROLE_TOE_IK_L + side] < turn[OD_ROLE_LEG_D_L + side]);
        assert_true(turn[OD_ROLE_LEG_D_L + side] < turn[OD_ROLE_TOE_EX_L + side]);
        assert_true(turn[OD_ROLE_EYES] < turn[OD_ROLE_EYE_L + side]);
    }
    od_arena_free(arena);
}

static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        od_error error = {0};
        od_arena *arena = od_arena_new(0);
        od_target t;
        od_arena_fail_at(arena, n);
        bool ok = od_target_standard(&t, arena, &error);
        od_arena_free(arena);
        assert_true(ok == !error.failed);
        if (ok) break;
        assert_true(n < 10000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_standard_model_is_as_described),
        cmocka_unit_test(every_bone_of_the_standard_model_has_its_mirror),
        cmocka_unit_test(the_standard_model_is_evaluated_in_order),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
