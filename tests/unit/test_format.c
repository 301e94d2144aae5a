/* The table of formats: detection, and what each is for. */
#include "check.h"

#include "model.h"
#include "odori/format.h"

static const char *detected(const char *name, const void *data, size_t size)
{
    const od_format *format = od_format_detect(&(od_file){.name = name, .data = data, .size = size});
    return format ? format->name : "unknown";
}

static void formats_are_known_by_content_then_by_name(void **state)
{
    (void)state;
    bytes b;
    make_pmx(&b, &pmx_plain, NULL);
    assert_string_equal(detected("x.bvh", b.data, b.size), "pmx");
    make_pmd(&b);
    assert_string_equal(detected("x", b.data, b.size), "pmd");
    assert_string_equal(detected("-", "HIERARCHY\n", 10), "bvh");
    assert_string_equal(detected("x", "Vocaloid Motion Data 0002\0\0\0\0\0", 30), "vmd");
    assert_string_equal(detected("folder.pmx/x.BVH", "???", 3), "bvh");
    assert_string_equal(detected("x.jpg", "\xFF\xD8\xFF\xE0", 4), "unknown");
    assert_string_equal(detected("", "", 0), "unknown");
}

static void a_model_is_no_motion_and_a_motion_no_model(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    od_scene scene;
    od_target target;
    bytes b;
    make_pmx(&b, &pmx_plain, NULL);
    od_file model = {.name = "m.pmx", .data = b.data, .size = b.size};
    assert_fails(od_read_scene(&model, NULL, NULL, &scene, NULL, arena, &error), error, "expected a motion");
    error = (od_error){0};
    od_file motion = {.name = "m.bvh", .data = (const unsigned char *)"HIERARCHY", .size = 9};
    assert_fails(od_read_target(&motion, NULL, &target, NULL, arena, &error), error, "expected a model");
    od_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_known_by_content_then_by_name),
        cmocka_unit_test(a_model_is_no_motion_and_a_motion_no_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
