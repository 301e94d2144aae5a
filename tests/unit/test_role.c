/* Roles: the names that bones have in models. */
#include "check.h"

#include "odori/role.h"

static void every_role_is_found_by_its_names(void **state)
{
    (void)state;
    for (int r = 0; r < OD_ROLE_COUNT; r++) {
        assert_int_equal(od_role_find(od_role_name((od_role)r)), r);
        assert_int_equal(od_role_find(od_role_name_en((od_role)r)), r);
        assert_int_equal(od_role_mirror(od_role_mirror((od_role)r)), r);
    }
}

static void usual_spellings_are_understood(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        od_role role;
    } names[] = {{"左足IK", OD_ROLE_LEG_IK_L},
                 {"右足ＩＫ", OD_ROLE_LEG_IK_R},
                 {"左親指0", OD_ROLE_THUMB0_L},
                 {"上半身２", OD_ROLE_UPPER_BODY2},
                 {"右ヒジ", OD_ROLE_ELBOW_R},
                 {"左肘", OD_ROLE_ELBOW_L},
                 {"右膝", OD_ROLE_KNEE_R},
                 {"arm_R", OD_ROLE_ARM_R},
                 {"L_arm", OD_ROLE_ARM_L},
                 {"right arm", OD_ROLE_ARM_R},
                 {"ArmLeft", OD_ROLE_ARM_L},
                 {"upper body 2", OD_ROLE_UPPER_BODY2},
                 {"左腕捩り", OD_ROLE_ARM_TWIST_L},
                 {"腰キャンセル右", OD_ROLE_WAIST_CANCEL_R},
                 {"右足D", OD_ROLE_LEG_D_R},
                 {"左足ＩＫ親", OD_ROLE_LEG_IK_PARENT_L},
                 {"腕.L", OD_ROLE_ARM_L},
                 {"left leg IK", OD_ROLE_LEG_IK_L},
                 {"Leg.IK.R", OD_ROLE_LEG_IK_R},
                 {"ToeTipIK.L", OD_ROLE_TOE_IK_L},
                 {"LegIKParent.R", OD_ROLE_LEG_IK_PARENT_R},
                 {"ParentNode", OD_ROLE_MOTHER},
                 {"IndexFinger1.L", OD_ROLE_INDEX1_L},
                 {"ring finger2_R", OD_ROLE_RING2_R},
                 {"pinky3_L", OD_ROLE_LITTLE3_L},
                 {"全ての親　", OD_ROLE_MOTHER}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (od_role_find(names[i].name) != names[i].role) fail_msg("%s is not understood", names[i].name);
}

static void half_width_katakana_is_katakana(void **state)
{
    (void)state;
    assert_int_equal(od_role_find("ｾﾝﾀｰ"), OD_ROLE_CENTER);
    assert_int_equal(od_role_find("ｸﾞﾙｰﾌﾞ"), OD_ROLE_GROOVE);
    assert_int_equal(od_role_find("左ﾋｼﾞ"), OD_ROLE_ELBOW_L);
    assert_int_equal(od_role_find("右ﾋｻﾞ"), OD_ROLE_KNEE_R);
    assert_int_equal(od_role_find("腰ｷｬﾝｾﾙ左"), OD_ROLE_WAIST_CANCEL_L);
    assert_int_equal(od_role_find("ﾞ"), OD_ROLE_NONE);
    assert_int_equal(od_role_find("ｸ\xEF\xBE"), OD_ROLE_NONE); /* cut in a character */
}

static void names_of_any_length_and_bytes_are_looked_up(void **state)
{
    (void)state;
    char name[200];
    uint32_t random = 7;
    for (int i = 0; i < 20000; i++) {
        size_t size = (size_t)(fabs(check_random(&random)) * 198);
        for (size_t k = 0; k < size; k++) name[k] = (char)(1 + (int)(fabs(check_random(&random)) * 254));
        name[size] = '\0';
        char *copy = malloc(size + 1); /* so that a sanitizer sees a byte too much */
        memcpy(copy, name, size + 1);
        od_role role = od_role_find(copy);
        assert_true(role >= OD_ROLE_NONE && role < OD_ROLE_COUNT);
        free(copy);
    }
    assert_int_equal(od_role_find(NULL), OD_ROLE_NONE);
}

static void other_bones_have_no_role(void **state)
{
    (void)state;
    static const char *const names[] = {"",           "左腕捩1", "スカート前", "左髪１",   "hair_L",
                                        "左足ＩＫ先", "左手先",  "センター先", "頭先",     "左胸",
                                        "腕",         "足",      "L",          "ﾈｸﾀｲＩＫ", "胸"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (od_role_find(names[i]) != OD_ROLE_NONE)
            fail_msg("\"%s\" was taken for %s", names[i], od_role_name(od_role_find(names[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_role_is_found_by_its_names),
        cmocka_unit_test(usual_spellings_are_understood),
        cmocka_unit_test(half_width_katakana_is_katakana),
        cmocka_unit_test(other_bones_have_no_role),
        cmocka_unit_test(names_of_any_length_and_bytes_are_looked_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
