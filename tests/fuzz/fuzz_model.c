/* Any bytes as a whole model: a message, or a model that is written as it was read, and read again. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "odori/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct output {
    unsigned char *data;
    size_t size, room;
} output;

static void check(bool condition)
{
    if (!condition) abort();
}

static bool keep(void *context, const void *data, size_t size, od_error *error)
{
    output *to = context;
    (void)error;
    if (to->size + size > to->room) {
        to->room = 2 * (to->size + size);
        to->data = realloc(to->data, to->room);
        check(to->data != NULL);
    }
    memcpy(to->data + to->size, data, size);
    to->size += size;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    od_arena *arena = od_arena_new((size_t)512 << 20);
    if (!arena) return 0;
    od_error error = {0};
    od_model model, again;
    output one = {0}, two = {0};
    od_file file = {.name = "fuzz", .data = data, .size = size};
    if (od_read_model(&file, NULL, &model, NULL, arena, &error)) {
        check(od_pmx_write(&model, &(od_sink){keep, &one}, &error));
        od_file written = {.name = "written", .data = one.data, .size = one.size};
        check(od_read_model(&written, od_format_named("pmx"), &again, NULL, arena, &error));
        check(od_pmx_write(&again, &(od_sink){keep, &two}, &error));
        check(one.size == two.size && !memcmp(one.data, two.data, one.size));
    } else check(error.failed && error.message[0]);
    free(one.data);
    free(two.data);
    od_arena_free(arena);
    return 0;
}
