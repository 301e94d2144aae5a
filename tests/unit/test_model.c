/* Whole models: written as they were read, whatever is in them; PMD as PMX; bones in another order. */
#include "check.h"

#include <dirent.h>

#include "file.h"
#include "model.h"
#include "odori/format.h"

typedef struct output {
    unsigned char *data;
    size_t size;
} output;

static bool keep(void *context, const void *data, size_t size, od_error *error)
{
    output *to = context;
    (void)error;
    to->data = realloc(to->data, to->size + size + 1);
    assert_non_null(to->data);
    memcpy(to->data + to->size, data, size);
    to->size += size;
    return true;
}

/* Free the data. */
static output write_model(const od_model *model)
{
    output to = {0};
    od_error error = {0};
    assert_ok(od_pmx_write(model, &(od_sink){keep, &to}, &error), error);
    return to;
}

static void read_model(const char *name, const unsigned char *data, size_t size, od_model *model, od_arena *arena)
{
    od_error error = {0};
    od_file file = {.name = name, .data = data, .size = size};
    assert_ok(od_read_model(&file, NULL, model, NULL, arena, &error), error);
}

static void check_same(const char *name, const unsigned char *data, size_t size)
{
    od_arena *arena = od_arena_new(0);
    od_model model;
    read_model(name, data, size, &model, arena);
    output to = write_model(&model);
    size_t same = 0;
    while (same < size && same < to.size && data[same] == to.data[same]) same++;
    if (same != size || to.size != size) fail_msg("%s: differs at 0x%zx of %zu (%zu)", name, same, size, to.size);
    free(to.data);
    od_arena_free(arena);
}

static void check_style(pmx_style style)
{
    bytes b;
    make_pmx(&b, &style, NULL);
    check_same("model.pmx", b.data, b.size);
}

static void a_model_is_written_as_it_was_read(void **state)
{
    (void)state;
    for (int version = 0; version < 2; version++) {
        pmx_style style = pmx_plain;
        style.version = version ? 2.1F : 2.0F;
        check_style(style);
        style.utf8 = true;
        check_style(style);
        for (style.uvs = 0; style.uvs <= 4; style.uvs++) check_style(style);
        style.uvs = 1;
        style.surplus = 3;
        check_style(style);
        for (unsigned i = 0; i < 6 * 3; i++) {
            style.index[i / 3] = 1u << i % 3;
            check_style(style);
        }
    }
}

static void what_stands_behind_a_model_is_written_too(void **state)
{
    (void)state;
    bytes b;
    make_pmx(&b, &pmx_plain, NULL);
    put_u32(&b, 0x12345678);
    check_same("model.pmx", b.data, b.size);
}

static void vertices_that_are_no_numbers_are_written_as_they_were(void **state)
{
    (void)state;
    bytes b;
    size_t bones;
    make_pmx(&b, &pmx_plain, &bones);
    od_arena *arena = od_arena_new(0);
    od_model model;
    read_model("model.pmx", b.data, b.size, &model, arena);
    size_t at = (size_t)(model.vertices[0].uv - b.data) - 24; /* the first one's position */
    memcpy(b.data + at, &(uint32_t){0x7FC12345}, 4);
    memcpy(b.data + at + 4, &(uint32_t){0xFF800000}, 4);
    od_arena_free(arena);
    check_same("model.pmx", b.data, b.size);
}

static void a_cut_or_broken_model_is_read_or_refused(void **state)
{
    (void)state;
    bytes b;
    uint32_t seed = 99;
    make_pmx(&b, &(pmx_style){2.1F, true, 1, {1, 1, 1, 1, 1, 1}, 0, false}, NULL);
    for (size_t i = 0; i < b.size + 4000; i++) {
        bytes broken = b;
        if (i < b.size) broken.size = i;
        for (size_t k = 0; i >= b.size && k < 1 + i % 3; k++) {
            seed = seed * 1664525u + 1013904223u;
            broken.data[(seed >> 8) % b.size] = (unsigned char)(seed & 0xFF);
        }
        od_error error = {0};
        od_arena *arena = od_arena_new((size_t)64 << 20);
        od_model model;
        unsigned char *copy = malloc(broken.size + 1); /* so that a sanitizer sees a byte too much */
        memcpy(copy, broken.data, broken.size);
        od_file file = {.name = "model.pmx", .data = copy, .size = broken.size};
        if (od_read_model(&file, od_format_named("pmx"), &model, NULL, arena, &error)) {
            output to = write_model(&model);
            if (i >= b.size) assert_int_equal(to.size, broken.size);
            free(to.data);
        } else {
            assert_non_null(strstr(error.message, "model.pmx"));
        }
        od_arena_free(arena);
        free(copy);
    }
}

static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    bytes b;
    make_pmx(&b, &pmx_plain, NULL);
    for (size_t n = 1; n < 1000; n++) {
        od_error error = {0};
        od_arena *arena = od_arena_new(0);
        od_model model;
        od_file file = {.name = "model.pmx", .data = b.data, .size = b.size};
        od_arena_fail_at(arena, n);
        bool ok = od_read_model(&file, NULL, &model, NULL, arena, &error);
        od_arena_free(arena);
        assert_true(ok == !error.failed);
        if (ok) return;
    }
    fail();
}

static void a_pmd_becomes_a_pmx_with_the_same_bones(void **state)
{
    (void)state;
    bytes b;
    make_pmd(&b);
    od_error error = {0};
    od_arena *arena = od_arena_new(0);
    od_model model;
    od_target before, after;
    read_model("model.pmd", b.data, b.size, &model, arena);
    output to = write_model(&model);
    od_file pmd = {.name = "model.pmd", .data = b.data, .size = b.size};
    od_file pmx = {.name = "model.pmx", .data = to.data, .size = to.size};
    assert_ok(od_read_target(&pmd, NULL, &before, NULL, arena, &error), error);
    assert_ok(od_read_target(&pmx, NULL, &after, NULL, arena, &error), error);
    assert_int_equal(before.skeleton.count, after.skeleton.count);
    assert_int_equal(before.ik_count, after.ik_count);
    assert_int_equal(before.morph_count, after.morph_count);
    for (int i = 0; i < before.skeleton.count; i++) {
        assert_string_equal(before.skeleton.bones[i].name, after.skeleton.bones[i].name);
        assert_string_equal(before.bones[i].name_en, after.bones[i].name_en);
        assert_int_equal(before.skeleton.bones[i].parent, after.skeleton.bones[i].parent);
        assert_int_equal(before.bones[i].flags, after.bones[i].flags);
        assert_int_equal(before.bones[i].append_source, after.bones[i].append_source);
        assert_near(glms_vec3_distance(before.bones[i].fixed_axis, after.bones[i].fixed_axis), 0, 1e-6);
        assert_near(glms_vec3_distance(before.skeleton.bones[i].rest_world.t, after.skeleton.bones[i].rest_world.t), 0,
                    0);
    }
    check_same("model.pmx", to.data, to.size);
    int shown = 0; /* the first bone, in one frame */
    for (int i = 0; i < model.frame_count; i++)
        for (int k = 0; k < model.frames[i].count; k++)
            shown += model.frames[i].items[k].kind == 0 && model.frames[i].items[k].index == 0;
    assert_int_equal(shown, 1);
    free(to.data);
    od_arena_free(arena);
}

static void bones_can_be_put_into_any_order_and_back(void **state)
{
    (void)state;
    bytes b;
    make_pmx(&b, &pmx_plain, NULL);
    od_error error = {0};
    od_arena *arena = od_arena_new(0);
    od_model model;
    od_target before, after;
    read_model("model.pmx", b.data, b.size, &model, arena);
    assert_ok(od_model_target(&model, &before, NULL, arena, &error), error);
    int place[10];
    for (int i = 0; i < 10; i++) place[i] = 9 - i;
    assert_ok(od_model_reorder(&model, place, arena, &error), error);
    assert_string_equal(model.bones[9].name.utf8, "センター");
    assert_int_equal(model.vertices[0].bone[0], 9);
    assert_int_equal(model.frames[1].items[0].index, 4);
    assert_int_equal(model.frames[0].items[1].index, 1); /* a morph */
    assert_int_equal(model.bodies[1].bone, 6);
    assert_int_equal(model.bodies[0].bone, -1);
    assert_ok(od_model_target(&model, &after, NULL, arena, &error), error);
    for (int r = 0; r < OD_ROLE_COUNT; r++) {
        assert_true((before.role[r] < 0) == (after.role[r] < 0));
        if (before.role[r] < 0) continue;
        const od_bone *x = &before.skeleton.bones[before.role[r]], *y = &after.skeleton.bones[after.role[r]];
        assert_string_equal(x->name, y->name);
        assert_near(glms_vec3_distance(x->rest_world.t, y->rest_world.t), 0, 0);
    }
    assert_ok(od_model_reorder(&model, place, arena, &error), error);
    output to = write_model(&model);
    assert_int_equal(to.size, b.size);
    assert_memory_equal(to.data, b.data, b.size);
    free(to.data);
    od_arena_free(arena);
}

/* Number of models below a folder; what no reader takes is left out. */
static int check_folder(const char *folder)
{
    int count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.') continue;
        od_error error = {0};
        od_arena *arena = od_arena_new(0);
        const char *path = od_arena_format(arena, &error, "%s/%s", folder, entry->d_name);
        const char *end = strrchr(entry->d_name, '.');
        od_model model;
        if (!end || strcmp(end, ".pmx") != 0) {
            count += check_folder(path);
        } else {
            od_file file = file_read(path, arena);
            if (od_read_model(&file, NULL, &model, NULL, arena, &error)) {
                check_same(entry->d_name, file.data, file.size);
                count++;
            }
        }
        od_arena_free(arena);
    }
    if (dir) closedir(dir);
    return count;
}

static void real_models_are_written_as_they_were_read(void **state)
{
    (void)state;
    od_error error = {0};
    const char *folder = test_data();
    od_arena *arena = od_arena_new(0);
    assert_true(check_folder(od_arena_format(arena, &error, "%s/pmx", folder)) >= 20);
    od_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_is_written_as_it_was_read),
        cmocka_unit_test(what_stands_behind_a_model_is_written_too),
        cmocka_unit_test(vertices_that_are_no_numbers_are_written_as_they_were),
        cmocka_unit_test(a_cut_or_broken_model_is_read_or_refused),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
        cmocka_unit_test(a_pmd_becomes_a_pmx_with_the_same_bones),
        cmocka_unit_test(bones_can_be_put_into_any_order_and_back),
        cmocka_unit_test(real_models_are_written_as_they_were_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
