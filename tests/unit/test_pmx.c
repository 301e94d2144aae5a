/* PMX: every size, encoding and kind of record; and what is broken. */
#include "check.h"

#include "model_reading.h"

static bool read_pmx(const od_file *file, od_target *target, od_report *report, od_arena *arena, od_error *error)
{
    return od_read_target(file, od_format_named("pmx"), target, report, arena, error);
}

static model_reading read_bytes(const unsigned char *data, size_t size)
{
    return model_read(read_pmx, "model.pmx", data, size);
}

/* What make_pmx writes, however it writes it. */
static void check_model(const model_reading *r, int morphs)
{
    const od_target *t = &r->target;
    const od_skeleton *s = &t->skeleton;
    if (!r->ok) fail_msg("%s", r->error.message);
    assert_string_equal(t->name, "試験");
    assert_string_equal(t->name_en, "test");
    assert_int_equal(s->count, 10);
    int leg = od_skeleton_find(s, "左足"), lower = od_skeleton_find(s, "下半身"), knee = od_skeleton_find(s, "左ひざ");
    assert_int_equal(s->bones[leg].parent, lower); /* stored behind it */
    assert_true(lower < leg);
    assert_int_equal(t->bones[lower].model_index, 9);
    assert_near(s->bones[knee].rest.t.y, -5, 1e-6);
    assert_near(s->bones[knee].rest_world.t.z, -0.1, 1e-6);
    assert_int_equal(t->role[OD_ROLE_LEG_L], leg);
    assert_near(model_bone(r, "左足")->tail.y, -5, 1e-6); /* the tail is 左ひざ */

    assert_int_equal(t->ik_count, 2);
    const od_ik_chain *chain = &t->ik[model_bone(r, "左足ＩＫ")->ik];
    assert_int_equal(chain->effector, od_skeleton_find(s, "左足首"));
    assert_int_equal(chain->loops, 40);
    assert_near(chain->limit, 2, 1e-6);
    assert_int_equal(chain->link_count, 2);
    assert_int_equal(chain->links[0].bone, knee);
    assert_true(chain->links[0].limited && !chain->links[1].limited);
    assert_near(chain->links[0].min.x, -3.14159265, 1e-6);
    assert_near(chain->links[0].max.x, -0.00872664626, 1e-9);
    assert_int_equal(model_bone(r, "左足ＩＫ")->external_key, 7);

    assert_int_equal(model_bone(r, "左足D")->append_source, leg);
    assert_near(model_bone(r, "左足D")->append_ratio, 0.75, 1e-7);
    assert_near(model_bone(r, "左腕捩")->fixed_axis.x, 0.6, 1e-6);
    assert_near(model_bone(r, "左腕捩")->fixed_axis.y, -0.8, 1e-6);
    /* 下半身 is evaluated after physics: last of all. IK (order 1) and D (2) come before it. */
    assert_int_equal(t->deform[9], lower);
    assert_int_equal(t->deform[8], od_skeleton_find(s, "左足D"));
    assert_int_equal(t->morph_count, morphs);
    if (!morphs) return;

    assert_int_equal(t->move_count, 2);
    assert_int_equal(t->moves[0].morph, 2);
    assert_int_equal(t->moves[0].bone, leg);
    assert_near(t->moves[0].position.y, 0.25, 1e-7);
    assert_int_equal(t->moves[1].bone, lower);
    assert_near(t->moves[1].rotation.z, 0.6, 1e-6);
    assert_near(t->moves[1].rotation.w, 0.8, 1e-6);
    assert_int_equal(t->member_count, 2);
    assert_int_equal(t->members[0].group, 0);
    assert_int_equal(t->members[0].morph, 2);
    assert_near(t->members[0].ratio, 0.5, 1e-7);
}

static void check_style(pmx_style style, int morphs)
{
    bytes b;
    make_pmx(&b, &style, NULL);
    model_reading r = read_bytes(b.data, b.size);
    check_model(&r, morphs);
    od_arena_free(r.arena);
}

static void both_encodings_are_read(void **state)
{
    (void)state;
    pmx_style style = pmx_plain;
    check_style(style, 9);
    style.utf8 = true;
    check_style(style, 9);
}

static void indices_of_all_sizes_are_read(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 6 * 3; i++) {
        pmx_style style = pmx_plain;
        style.index[i / 3] = 1u << i % 3;
        check_style(style, 9);
    }
}

static void additional_vectors_of_vertices_are_skipped(void **state)
{
    (void)state;
    for (unsigned uvs = 0; uvs <= 4; uvs++) {
        pmx_style style = pmx_plain;
        style.uvs = uvs;
        check_style(style, 9);
    }
}

static void version_2_1_has_more_kinds_of_weights_and_morphs(void **state)
{
    (void)state;
    pmx_style style = pmx_plain;
    style.version = 2.1f;
    check_style(style, 11);
}

static void surplus_settings_are_skipped(void **state)
{
    (void)state;
    pmx_style style = pmx_plain;
    style.surplus = 3;
    check_style(style, 9);
}

static void a_file_may_end_behind_its_bones(void **state)
{
    (void)state;
    pmx_style style = pmx_plain;
    style.without_morphs = true;
    bytes b;
    make_pmx(&b, &style, NULL);
    model_reading r = read_bytes(b.data, b.size);
    check_model(&r, 0);
    assert_int_equal(r.report.warnings, 1);
    od_arena_free(r.arena);
}

static void a_file_cut_anywhere_is_an_error_that_says_where(void **state)
{
    (void)state;
    bytes b;
    size_t bones;
    make_pmx(&b, &pmx_plain, &bones);
    pmx_style brief = pmx_plain;
    brief.without_morphs = true;
    bytes whole;
    make_pmx(&whole, &brief, NULL);
    for (size_t size = 0; size < whole.size; size++) {
        unsigned char *copy = malloc(size + 1); /* so that a sanitizer sees a byte too much */
        memcpy(copy, b.data, size);
        model_reading r = read_bytes(copy, size);
        assert_false(r.ok);
        assert_non_null(strstr(r.error.message, "model.pmx"));
        od_arena_free(r.arena);
        free(copy);
    }
}

static void flipped_bytes_never_crash(void **state)
{
    (void)state;
    bytes b;
    make_pmx(&b, &pmx_plain, NULL);
    model_check_flips(read_pmx, &b, 12345);
}

/* The bytes of `pattern` in the model, the n-th time. */
static size_t find(const bytes *b, const void *pattern, size_t size, int n)
{
    for (size_t i = 0; i + size <= b->size; i++)
        if (!memcmp(b->data + i, pattern, size) && !n--) return i;
    fail_msg("the pattern is not in the model");
    return 0;
}

static void counts_that_lie_are_refused(void **state)
{
    (void)state;
    bytes b;
    size_t bones;
    static const uint32_t lies[] = {0x7FFFFFFF, 0xFFFFFFFF, 1000000, 0x80000000};
    for (size_t i = 0; i < 4; i++) {
        make_pmx(&b, &pmx_plain, &bones);
        for (size_t k = 0; k < 4; k++) b.data[bones + k] = (unsigned char)(lies[i] >> 8 * k);
        model_reading r = read_bytes(b.data, b.size);
        assert_false(r.ok);
        assert_non_null(strstr(r.error.message, "bones"));
        od_arena_free(r.arena);
    }
}

static void a_position_that_is_no_number_is_refused(void **state)
{
    (void)state;
    bytes b;
    const float eight = 8;
    make_pmx(&b, &pmx_plain, NULL);
    size_t at = find(&b, &eight, 4, 0);
    memcpy(b.data + at, &(uint32_t){0x7FC00000}, 4);
    model_reading r = read_bytes(b.data, b.size);
    assert_fails(r.ok, r.error, "センター");
    od_arena_free(r.arena);
}

static void a_cycle_of_parents_is_refused(void **state)
{
    (void)state;
    bytes b;
    /* センター (0, 8, 0) hangs on 左足 (1), which hangs on 下半身, which hangs on センター. */
    const unsigned char position[] = {0, 0, 0, 0, 0, 0, 0, 0x41, 0, 0, 0, 0, 0xFF, 0xFF};
    make_pmx(&b, &pmx_plain, NULL);
    size_t at = find(&b, position, sizeof position, 0) + 12;
    b.data[at] = 1;
    b.data[at + 1] = 0;
    model_reading r = read_bytes(b.data, b.size);
    assert_fails(r.ok, r.error, "ancestor");
    assert_non_null(strstr(r.error.message, "model.pmx"));
    od_arena_free(r.arena);
}

static void a_text_of_negative_size_is_refused(void **state)
{
    (void)state;
    bytes b;
    make_pmx(&b, &pmx_plain, NULL);
    memcpy(b.data + 17, &(uint32_t){0xFFFFFFFF}, 4); /* of the model's name */
    model_reading r = read_bytes(b.data, b.size);
    assert_fails(r.ok, r.error, "@0x11: a text of -1 bytes");
    od_arena_free(r.arena);
}

static void an_ik_bone_without_a_target_spoils_nothing_else(void **state)
{
    (void)state;
    bytes b;
    /* 左足ＩＫ: effector 3, 40 loops */
    const unsigned char ik[] = {3, 0, 40, 0, 0, 0};
    make_pmx(&b, &pmx_plain, NULL);
    size_t at = find(&b, ik, sizeof ik, 0);
    b.data[at] = b.data[at + 1] = 0xFF;
    model_reading r = read_bytes(b.data, b.size);
    assert_ok(r.ok, r.error);
    assert_int_equal(r.target.ik_count, 1);
    assert_int_equal(r.report.warnings, 1);
    assert_non_null(strstr(r.report.first->text, "左足ＩＫ"));
    od_arena_free(r.arena);
}

static void foreign_bytes_are_refused(void **state)
{
    (void)state;
    const unsigned char jpeg[] = {0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 'J', 'F', 'I', 'F'};
    model_reading r = read_bytes(jpeg, sizeof jpeg);
    assert_fails(r.ok, r.error, "PMX");
    od_arena_free(r.arena);
    r = read_bytes(jpeg, 0);
    assert_false(r.ok);
    od_arena_free(r.arena);
}

static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    bytes b;
    make_pmx(&b, &pmx_plain, NULL);
    model_check_memory(read_pmx, &b);
}

static void real_models_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int bones, ik, morphs;
    } models[] = {{"mmdagent-ex_gene/Gene.pmx", 224, 6, 184},
                  {"yohawing_unity-mmd-loader/mmt_test_model.pmx", 114, 4, 0},
                  {"yohawing_three-mmd-loader/test_semi_basic_bone.pmx", 100, 4, 0},
                  {"hkrn_nanoem/main.pmx", 140, 7, 30}};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        model_check_real(read_pmx, models[i].name, models[i].bones, models[i].ik, models[i].morphs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_encodings_are_read),
        cmocka_unit_test(indices_of_all_sizes_are_read),
        cmocka_unit_test(additional_vectors_of_vertices_are_skipped),
        cmocka_unit_test(version_2_1_has_more_kinds_of_weights_and_morphs),
        cmocka_unit_test(surplus_settings_are_skipped),
        cmocka_unit_test(a_file_may_end_behind_its_bones),
        cmocka_unit_test(a_file_cut_anywhere_is_an_error_that_says_where),
        cmocka_unit_test(flipped_bytes_never_crash),
        cmocka_unit_test(counts_that_lie_are_refused),
        cmocka_unit_test(a_position_that_is_no_number_is_refused),
        cmocka_unit_test(a_cycle_of_parents_is_refused),
        cmocka_unit_test(a_text_of_negative_size_is_refused),
        cmocka_unit_test(an_ik_bone_without_a_target_spoils_nothing_else),
        cmocka_unit_test(foreign_bytes_are_refused),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
        cmocka_unit_test(real_models_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
