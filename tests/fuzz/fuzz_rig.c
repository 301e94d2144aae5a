/* Any bytes as a model that gets all that can be added: a message, or a model that still is one. */
#include <stdint.h>
#include <stdlib.h>

#include "odori/format.h"
#include "odori/rig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition)
{
    if (!condition) abort();
}

static bool ignore(void *context, const void *data, size_t size, od_error *error)
{
    (void)context;
    (void)data;
    (void)size;
    (void)error;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    od_arena *arena = od_arena_new((size_t)512 << 20);
    if (!arena) return 0;
    od_error error = {0};
    od_report report = {.arena = arena};
    od_model model;
    od_target target;
    od_file file = {.name = "fuzz", .data = data, .size = size};
    od_rig_options options = {.rename = true, .turn_arms = size % 2, .arm_angle = 35};
    for (int i = 0; i < OD_RIG_PARTS; i++) options.add[i] = true;
    if (od_read_model(&file, NULL, &model, NULL, arena, &error)) {
        bool done = od_rig(&model, NULL, &options, &report, arena, &error);
        check(done == !error.failed);
        check(!done || od_model_target(&model, &target, NULL, arena, &error));
        check(od_pmx_write(&model, &(od_sink){ignore, NULL}, &error) || error.failed);
    }
    od_arena_free(arena);
    return 0;
}
