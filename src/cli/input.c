/* Input: a path or standard input. Output: its bytes. */
#include "cli/input.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FIRST_ROOM = 1 << 16 };
static const size_t MOST = (size_t)2 << 30; /* bytes; no motion of MMD's and no model needs as many */

static bool fail_large(const char *name, od_error *error)
{
    return od_fail(error, "%s: expected at most 2 GiB, found more", name);
}

/* Bytes until the end of a stream of unknown length. */
static bool read_all(FILE *in, size_t room, od_file *file, od_error *error)
{
    unsigned char *data = NULL;
    size_t size = 0;
    for (;;) {
        if (size > MOST) {
            free(data);
            return fail_large(file->name, error);
        }
        unsigned char *more = realloc(data, room);
        if (!more) {
            free(data);
            return od_fail(error, "%s: out of memory", file->name);
        }
        data = more;
        size += fread(data + size, 1, room - size, in);
        if (size < room) break;
        room = room + room / 2 > MOST ? MOST + 1 : room + room / 2;
    }
    if (ferror(in)) {
        free(data);
        return od_fail(error, "%s: cannot be read: %s", file->name, strerror(errno));
    }
    file->data = data;
    file->size = size;
    return true;
}

bool od_input_read(const char *path, od_file *file, od_error *error)
{
    if (!*path) return od_fail(error, "expected a file's name, found an empty text");
    bool standard = !strcmp(path, "-");
    *file = (od_file){.name = standard ? "standard input" : path};
    if (standard) return read_all(stdin, FIRST_ROOM, file, error);
    FILE *in = fopen(path, "rb");
    struct stat info;
    if (!in || fstat(fileno(in), &info)) {
        od_fail(error, "%s: cannot be read: %s", path, strerror(errno));
        if (in) fclose(in);
        return false;
    }
    if (S_ISDIR(info.st_mode)) {
        fclose(in);
        return od_fail(error, "%s: is a folder", path);
    }
    if (S_ISREG(info.st_mode) && (uintmax_t)info.st_size > MOST) {
        fclose(in);
        return fail_large(path, error);
    }
    /* One byte more than the file, so that its end is seen without growing. */
    size_t room = S_ISREG(info.st_mode) && info.st_size > 0 ? (size_t)info.st_size + 1 : FIRST_ROOM;
    bool done = read_all(in, room, file, error);
    fclose(in);
    return done;
}

void od_input_free(od_file *file)
{
    free((void *)(uintptr_t)file->data);
    file->data = NULL;
}
