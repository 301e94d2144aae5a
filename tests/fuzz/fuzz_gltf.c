/* Any bytes as a glTF file, JSON or GLB: a message, or a scene that is whole and without a NaN. A second file is
 * there for buffers that lie beside it: the bytes themselves. */
#include <stdint.h>

#include "check_scene.h"
#include "format/gltf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool open_same(void *context, const char *path, od_file *file, od_error *error)
{
    *file = *(const od_file *)context;
    check(path != NULL);
    return *path || od_fail(error, "a file without a name");
}

static void close_same(void *context, od_file *file)
{
    check(file->data == ((const od_file *)context)->data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    od_arena *arena = od_arena_new((size_t)512 << 20);
    if (!arena) return 0;
    od_file file = {.name = "fuzz.gltf", .data = data, .size = size};
    const od_read_options options = {.opener = {open_same, close_same, &file}};
    od_scene scene;
    od_report report = {.arena = arena};
    od_error error = {0};
    (void)od_gltf_probe(data, size);
    if (od_gltf_read(&file, &options, &scene, &report, arena, &error)) check_scene(&scene);
    else check(error.failed && error.message[0]);
    od_arena_free(arena);
    return 0;
}
