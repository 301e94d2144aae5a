/* Any bytes as an FBX file, binary or text: a message, or a scene that is whole and without a NaN. */
#include <stdint.h>

#include "check_scene.h"
#include "format/fbx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    od_arena *arena = od_arena_new((size_t)512 << 20);
    if (!arena) return 0;
    od_file file = {.name = "fuzz.fbx", .data = data, .size = size};
    od_scene scene;
    od_report report = {.arena = arena};
    od_error error = {0};
    (void)od_fbx_probe(data, size);
    if (od_fbx_read(&file, NULL, &scene, &report, arena, &error)) check_scene(&scene);
    else check(error.failed && error.message[0]);
    od_arena_free(arena);
    return 0;
}
