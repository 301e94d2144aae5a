/* Input: a file's name. Output: its bytes. */
#include "file.h"

od_file file_read(const char *name, od_arena *arena)
{
    od_error error = {0};
    FILE *in = fopen(name, "rb");
    if (!in) fail_msg("%s cannot be read", name);
    assert_int_equal(fseek(in, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(in);
    rewind(in);
    unsigned char *data = od_arena_alloc(arena, size + 1, 1, &error);
    assert_ok(data, error);
    assert_int_equal(fread(data, 1, size, in), size);
    fclose(in);
    return (od_file){.name = name, .data = data, .size = size};
}
