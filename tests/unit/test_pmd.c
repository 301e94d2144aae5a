/* PMD: types of bones, implicit limits, English names, early ends; and what is broken. */
#include "check.h"

#include "model_reading.h"

static bool read_pmd(const od_file *file, od_target *target, od_report *report, od_arena *arena, od_error *error)
{
    return od_read_target(file, od_format_named("pmd"), target, report, arena, error);
}

static model_reading read_bytes(const unsigned char *data, size_t size)
{
    return model_read(read_pmd, "model.pmd", data, size);
}

static void types_of_bones_become_flags(void **state)
{
    (void)state;
    bytes b;
    make_pmd(&b);
    model_reading r = read_bytes(b.data, b.size);
    if (!r.ok) fail_msg("%s", r.error.message);
    const od_skeleton *s = &r.target.skeleton;
    assert_int_equal(s->count, 8);
    assert_true(model_bone(&r, "センター")->flags & OD_BONE_MOVABLE);
    assert_int_equal(model_bone(&r, "左目")->append_source, od_skeleton_find(s, "左足"));
    assert_near(model_bone(&r, "左目")->append_ratio, 1, 1e-7);
    assert_int_equal(model_bone(&r, "左袖")->append_source, od_skeleton_find(s, "左腕捩"));
    assert_near(model_bone(&r, "左袖")->append_ratio, 0.5, 1e-7);
    assert_near(glms_vec3_norm(model_bone(&r, "左腕捩")->fixed_axis), 1, 1e-6);
    assert_near(model_bone(&r, "左腕捩")->fixed_axis.y, -1, 1e-6);
    assert_true(model_bone(&r, "左足ＩＫ")->flags & OD_BONE_IK);
    assert_int_equal(model_bone(&r, "左足ＩＫ")->deform_order, 1);
    assert_int_equal(model_bone(&r, "左目")->deform_order, 2);
    od_arena_free(r.arena);
}

/* A chain whose bones stand before their parents in the file, the last one, their root, evaluated late; or on a
 * cycle. */
static model_reading read_chain_of_bones(int count, bool cycle)
{
    bytes b = {.size = 0};
    for (const char *p = "Pmd"; *p; p++) put_u8(&b, (unsigned char)*p);
    put_f32(&b, 1);
    put_zeros(&b, 20 + 256 + 3 * 4);
    put_u16(&b, (unsigned)count);
    for (int i = 0; i < count; i++) {
        char name[16];
        int parent = i + 1 < count ? i + 1 : cycle ? 0 : -1;
        snprintf(name, sizeof name, "b%d", i);
        put_pmd_bone(&b, name, parent, 0, i == count - 1 ? 5 : i % 2 ? 2 : 0, 1, 0, (float)i, 0);
    }
    return read_bytes(b.data, b.size);
}

static void a_long_chain_of_bones_is_as_late_as_its_root(void **state)
{
    (void)state;
    enum { BONES = 1000 };
    model_reading r = read_chain_of_bones(BONES, false);
    assert_ok(r.ok, r.error);
    for (int i = 0; i < BONES; i++) assert_int_equal(r.target.bones[i].deform_order, 2);
    od_arena_free(r.arena);
    r = read_chain_of_bones(BONES, true);
    assert_fails(r.ok, r.error, "its own ancestor");
    od_arena_free(r.arena);
}

static void knees_get_their_limits(void **state)
{
    (void)state;
    bytes b;
    make_pmd(&b);
    model_reading r = read_bytes(b.data, b.size);
    assert_int_equal(r.target.ik_count, 1);
    const od_ik_chain *chain = &r.target.ik[0];
    assert_near(chain->limit, 2, 1e-6); /* four times the file's */
    assert_int_equal(chain->loops, 40);
    assert_true(chain->links[0].limited && !chain->links[1].limited);
    assert_near(chain->links[0].min.x, -3.14159265, 1e-6);
    assert_near(chain->links[0].max.x, -0.00872664626, 1e-9);
    assert_near(chain->links[0].max.y, 0, 0);
    od_arena_free(r.arena);
}

static void english_names_and_morphs_are_read(void **state)
{
    (void)state;
    bytes b;
    make_pmd(&b);
    model_reading r = read_bytes(b.data, b.size);
    assert_string_equal(r.target.name_en, "test");
    assert_string_equal(model_bone(&r, "左袖")->name_en, "sleeve");
    assert_int_equal(r.target.morph_count, 1);
    assert_string_equal(r.target.morphs[0], "あ");
    od_arena_free(r.arena);
}

/* Old files end behind their bones, their chains, their morphs: nothing else may be missing. */
static void a_file_cut_anywhere_is_read_or_refused(void **state)
{
    (void)state;
    bytes b;
    int whole = 0;
    make_pmd(&b);
    for (size_t size = 0; size < b.size; size++) {
        unsigned char *copy = malloc(size + 1);
        memcpy(copy, b.data, size);
        model_reading r = read_bytes(copy, size);
        if (r.ok) assert_int_equal(r.target.skeleton.count, 8);
        else assert_non_null(strstr(r.error.message, "model.pmd"));
        whole += r.ok;
        od_arena_free(r.arena);
        free(copy);
    }
    assert_true(whole > 0 && whole < (int)b.size / 2);
}

static void flipped_bytes_never_crash(void **state)
{
    (void)state;
    bytes b;
    make_pmd(&b);
    model_check_flips(read_pmd, &b, 54321);
}

static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    bytes b;
    make_pmd(&b);
    model_check_memory(read_pmd, &b);
}

/* Where the record of bone `index` of make_pmd begins. */
static size_t bone_record(int index)
{
    return 283 + 4 + 38 + 4 + 6 + 4 + 70 + 2 + 39 * (size_t)index;
}

static void broken_bones_are_refused_with_their_name(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        unsigned char value[4];
        size_t size;
        const char *part;
    } cases[] = {
        {31, {0, 0, 0xC0, 0x7F}, 4, "not a number"}, /* y of the position */
        {20, {2, 0}, 2, "ancestor"},                 /* 左足 hangs on 左ひざ, which hangs on it */
        {20, {99, 0}, 2, "parent is bone 99"},
        {24, {200}, 1, "unknown type 200"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes b;
        make_pmd(&b);
        memcpy(b.data + bone_record(1) + cases[i].at, cases[i].value, cases[i].size);
        model_reading r = read_bytes(b.data, b.size);
        assert_fails(r.ok, r.error, cases[i].part);
        assert_non_null(strstr(r.error.message, "model.pmd"));
        assert_true(strstr(r.error.message, "左足") || strstr(r.error.message, "左ひざ"));
        od_arena_free(r.arena);
    }
}

static void counts_that_lie_are_refused(void **state)
{
    (void)state;
    static const size_t counts[] = {283, 283 + 4 + 38, 283 + 4 + 38 + 4 + 6};
    for (size_t i = 0; i < 3; i++) {
        bytes b;
        make_pmd(&b);
        memset(b.data + counts[i], 0xFF, 4);
        model_reading r = read_bytes(b.data, b.size);
        assert_fails(r.ok, r.error, "4294967295");
        od_arena_free(r.arena);
    }
    bytes b;
    make_pmd(&b);
    memset(b.data + bone_record(0) - 2, 0xFF, 2);
    model_reading r = read_bytes(b.data, b.size);
    assert_fails(r.ok, r.error, "65535 bones");
    od_arena_free(r.arena);
}

static void real_models_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int bones, ik, morphs;
    } models[] = {{"mmdagent-ex_gene/Gene.pmd", 224, 6, 177},
                  {"takahirox_mmd-viewer-js/low_miku__miku.pmd", 83, 7, 13}};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        model_check_real(read_pmd, models[i].name, models[i].bones, models[i].ik, models[i].morphs);
}

static void foreign_bytes_are_refused(void **state)
{
    (void)state;
    model_reading r = read_bytes((const unsigned char *)"Pmx", 3);
    assert_fails(r.ok, r.error, "PMD");
    od_arena_free(r.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_of_bones_become_flags),
        cmocka_unit_test(a_long_chain_of_bones_is_as_late_as_its_root),
        cmocka_unit_test(knees_get_their_limits),
        cmocka_unit_test(english_names_and_morphs_are_read),
        cmocka_unit_test(a_file_cut_anywhere_is_read_or_refused),
        cmocka_unit_test(flipped_bytes_never_crash),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
        cmocka_unit_test(broken_bones_are_refused_with_their_name),
        cmocka_unit_test(counts_that_lie_are_refused),
        cmocka_unit_test(foreign_bytes_are_refused),
        cmocka_unit_test(real_models_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
