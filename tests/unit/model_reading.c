/* Input: a reader and a model's bytes. Output: what it makes of them, whole or broken. */
#include "model_reading.h"

#include "file.h"

model_reading model_read(model_reader *read, const char *name, const unsigned char *data, size_t size)
{
    model_reading r = {.arena = od_arena_new((size_t)64 << 20)};
    assert_non_null(r.arena);
    r.report.arena = r.arena;
    od_file file = {.name = name, .data = data, .size = size};
    r.ok = read(&file, &r.target, &r.report, r.arena, &r.error);
    assert_true(r.ok == !r.error.failed);
    return r;
}

const od_target_bone *model_bone(const model_reading *r, const char *name)
{
    int i = od_skeleton_find(&r->target.skeleton, name);
    assert_true(i >= 0);
    return &r->target.bones[i];
}

void model_check_flips(model_reader *read, const bytes *model, uint32_t seed)
{
    for (int i = 0; i < 4000; i++) {
        bytes broken = *model;
        for (int k = 0; k < 1 + i % 4; k++) {
            seed = seed * 1664525u + 1013904223u;
            broken.data[(seed >> 8) % model->size] = (unsigned char)(seed & 0xFF);
        }
        model_reading r = model_read(read, "model", broken.data, broken.size);
        for (int n = 0; r.ok && n < r.target.skeleton.count; n++)
            assert_true(od_vec3_finite(r.target.skeleton.bones[n].rest_world.t));
        od_arena_free(r.arena);
    }
}

void model_check_memory(model_reader *read, const bytes *model)
{
    for (size_t n = 1;; n++) {
        od_error error = {0};
        od_arena *arena = od_arena_new(0);
        od_target target;
        od_file file = {.name = "model", .data = model->data, .size = model->size};
        od_arena_fail_at(arena, n);
        bool ok = read(&file, &target, NULL, arena, &error);
        od_arena_free(arena);
        assert_true(ok == !error.failed);
        if (ok) break;
        assert_true(n < 1000);
    }
}

void model_check_real(model_reader *read, const char *name, int bones, int ik, int morphs)
{
    od_error error = {0};
    const char *folder = test_data();
    od_arena *arena = od_arena_new(0);
    assert_non_null(arena);
    od_file file = file_read(od_arena_format(arena, &error, "%s/pmx/%s", folder, name), arena);
    model_reading r = model_read(read, name, file.data, file.size);
    assert_ok(r.ok, r.error);
    assert_int_equal(r.target.skeleton.count, bones);
    assert_int_equal(r.target.ik_count, ik);
    assert_int_equal(r.target.morph_count, morphs);
    assert_true(r.target.role[OD_ROLE_ANKLE_R] >= 0);
    od_arena_free(r.arena);
    od_arena_free(arena);
}
