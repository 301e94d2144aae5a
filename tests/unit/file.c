/* Input: names of files and folders. Output: bytes, files one after another. */
#include "file.h"

#include <dirent.h>

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

int file_each(const char *data, const char *folder, void (*visit)(const char *data, const char *path))
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", data, folder);
    DIR *top = opendir(path);
    assert_non_null(top);
    int count = 0;
    for (struct dirent *dir; (dir = readdir(top)) != NULL;) {
        if (dir->d_name[0] == '.') continue;
        (void)snprintf(path, sizeof path, "%s/%s/%s", data, folder, dir->d_name);
        DIR *inner = opendir(path);
        if (!inner) continue;
        for (struct dirent *entry; (entry = readdir(inner)) != NULL;) {
            if (entry->d_name[0] == '.') continue;
            (void)snprintf(path, sizeof path, "%s/%s", dir->d_name, entry->d_name);
            visit(data, path);
            count++;
        }
        (void)closedir(inner);
    }
    (void)closedir(top);
    return count;
}
