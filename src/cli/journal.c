/* Input: outputs. Output: a line for each in a file beside them, and which of them are still as they were made:
 *     KEY PART PARTS SIZE SECONDS.NANOSECONDS NAME
 * where the time is that of the last change, and NAME is below the folder, with % and two digits for bytes that
 * are no plain letters. What is no such line is passed over: a run may be killed in the midst of one.
 * Invariant: lines are added before the file gets its name, each by one write, so that several programs may share a
 * journal. */
#include "cli/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/input.h"
#include "cli/name_set.h"
#include "cli/option_table.h"

#define JOURNAL ".odori.done"

typedef struct record {
    uint64_t key;
    int part, parts;
    off_t size;
    struct timespec changed;
    const char *path;
    size_t order; /* the later line counts */
} record;

struct od_journal {
    int file;
    const char *folder;
    record *by_key, *by_path; /* sorted; the latest first */
    size_t count;
};

static bool is_plain(unsigned char c)
{
    return c > ' ' && c < 0x7F && c != '%';
}

static void put_name(FILE *out, const char *name)
{
    for (const unsigned char *c = (const unsigned char *)name; *c; c++)
        if (is_plain(*c)) fputc(*c, out);
        else fprintf(out, "%%%02x", *c);
}

/* The path of a name of `size` bytes as put_name writes it; NULL: it is none. */
static const char *take_name(const char *folder, const char *name, size_t size, od_arena *arena, od_error *error)
{
    size_t n = strlen(folder) + 1;
    char *path = OD_NEW(arena, char, n + size + 1, error);
    if (!path) return NULL;
    memcpy(path, folder, n - 1);
    path[n - 1] = '/';
    for (const char *c = name, *end = name + size; c < end; c++) {
        char digits[3] = "", *stop = digits;
        if (*c != '%') path[n++] = *c;
        else {
            if (end - c < 3) return NULL;
            memcpy(digits, c + 1, 2);
            path[n++] = (char)strtoul(digits, &stop, 16);
            if (stop != digits + 2) return NULL;
            c += 2;
        }
    }
    return path;
}

/* A whole line without its end. */
static bool take_line(const char *folder, char *line, record *r, od_arena *arena, od_error *error)
{
    char *at;
    errno = 0;
    r->key = strtoull(line, &at, 16);
    if (at != line + 16) return false;
    r->part = (int)strtol(at, &at, 10);
    r->parts = (int)strtol(at, &at, 10);
    r->size = (off_t)strtoll(at, &at, 10);
    r->changed.tv_sec = (time_t)strtoll(at, &at, 10);
    if (*at != '.') return false;
    r->changed.tv_nsec = strtol(at + 1, &at, 10);
    if (errno || *at != ' ' || !at[1] || r->part < 0 || r->parts <= r->part) return false;
    r->path = take_name(folder, at + 1, strlen(at + 1), arena, error);
    return r->path != NULL;
}

static bool add_record(od_journal *j, const record *r, size_t *room, od_arena *arena, od_error *error)
{
    if (!j->by_key || j->count == *room) {
        record *more = OD_NEW(arena, record, *room = 2 * *room + 64, error);
        if (!more) return false;
        if (j->by_key) memcpy(more, j->by_key, j->count * sizeof *more);
        j->by_key = more;
    }
    j->by_key[j->count++] = *r;
    return true;
}

static bool take_lines(od_journal *j, const od_file *file, size_t *room, od_arena *arena, od_error *error)
{
    char *at = (char *)(uintptr_t)file->data, *end = at + file->size, *stop;
    for (; at < end && (stop = memchr(at, '\n', (size_t)(end - at))); at = stop + 1) {
        record r = {.order = j->count};
        *stop = '\0';
        if (!take_line(j->folder, at, &r, arena, error)) continue;
        if (!add_record(j, &r, room, arena, error)) return false;
    }
    return !error->failed;
}

static int order_keys(const void *a, const void *b)
{
    const record *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    if (x->part != y->part) return x->part < y->part ? -1 : 1;
    return x->order > y->order ? -1 : x->order < y->order;
}

static int order_paths(const void *a, const void *b)
{
    const record *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    return order ? order : x->order > y->order ? -1 : x->order < y->order;
}

/* Reads the journals of all runs in the folder, of other shards too. */
static bool read_all(od_journal *j, od_arena *arena, od_error *error)
{
    DIR *list = opendir(j->folder);
    size_t room = 0;
    for (const struct dirent *entry; list && !error->failed && (entry = readdir(list));) {
        od_file file;
        if (strncmp(entry->d_name, JOURNAL, strlen(JOURNAL)) != 0) continue;
        const char *path = od_arena_format(arena, error, "%s/%s", j->folder, entry->d_name);
        if (!path || !od_input_read(path, &file, error)) continue;
        take_lines(j, &file, &room, arena, error);
        od_input_free(&file);
    }
    if (list) closedir(list);
    j->by_path = OD_NEW(arena, record, j->count, error);
    if (!j->by_path) return false;
    if (j->count) {
        memcpy(j->by_path, j->by_key, j->count * sizeof *j->by_path);
        qsort(j->by_key, j->count, sizeof *j->by_key, order_keys);
        qsort(j->by_path, j->count, sizeof *j->by_path, order_paths);
    }
    return !error->failed;
}

/* A line that was cut must not swallow the next. */
static void end_line(int file)
{
    char last = '\n';
    off_t size = lseek(file, 0, SEEK_END);
    if (size > 0 && pread(file, &last, 1, size - 1) == 1 && last != '\n') (void)!write(file, "\n", 1);
}

od_journal *od_journal_open(const od_cli *cli, od_arena *arena, od_error *error)
{
    od_journal *j = OD_NEW(arena, od_journal, 1, error);
    const char *path =
        cli->shards ? od_arena_format(arena, error, "%s/" JOURNAL ".%d-%d", cli->output_dir, cli->shard, cli->shards)
                    : od_arena_format(arena, error, "%s/" JOURNAL, cli->output_dir);
    if (!j || !path) return NULL;
    *j = (od_journal){.file = -1, .folder = cli->output_dir};
    if ((cli->resume || cli->retry) && !read_all(j, arena, error)) return NULL;
    j->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (j->file < 0) {
        od_fail(error, "%s: cannot be written: %s", path, strerror(errno));
        return NULL;
    }
    end_line(j->file);
    return j;
}

void od_journal_close(od_journal *j)
{
    if (j) close(j->file);
}

static uint64_t hash_text(uint64_t h, const char *text)
{
    return od_hash(h, text, strlen(text) + 1);
}

/* A file that is read: its name, size and time. */
static uint64_t hash_file(uint64_t h, const char *path)
{
    struct stat info;
    if (!path) return hash_text(h, "");
    h = hash_text(h, path);
    if (!strcmp(path, "-") || stat(path, &info)) return h;
    int64_t facts[3] = {info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
    return od_hash(h, facts, sizeof facts);
}

uint64_t od_journal_key(const od_cli *cli, const char *source, const char *output)
{
    uint64_t h = hash_text(hash_text(0, od_version()), output);
    h = hash_file(hash_file(h, source), cli->target);
    h = hash_file(hash_file(hash_file(h, cli->map), cli->source_model), cli->skeleton);
    for (int i = 0; i < OD_OPTIONS; i++)
        if (cli->given[i] && !(od_options[i].commands & OF_RUN))
            h = hash_text(hash_text(h, od_options[i].name), cli->given[i]);
    return h;
}

/* Is the file still what the record says? A copy may be younger. */
static bool stands(const record *r)
{
    struct stat info;
    if (lstat(r->path, &info) || !S_ISREG(info.st_mode) || info.st_size != r->size) return false;
    const struct timespec *a = &info.st_mtim, *b = &r->changed;
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec >= b->tv_nsec;
}

/* The latest record of a part. */
static const record *find(const od_journal *j, uint64_t key, int part)
{
    size_t low = 0, high = j->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const record *r = &j->by_key[middle];
        if (r->key < key || (r->key == key && r->part < part)) low = middle + 1;
        else high = middle;
    }
    const record *r = low < j->count ? &j->by_key[low] : NULL;
    return r && r->key == key && r->part == part ? r : NULL;
}

/* The latest record of a path. */
static const record *latest(const od_journal *j, const char *path)
{
    size_t low = 0, high = j->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(j->by_path[middle].path, path) < 0) low = middle + 1;
        else high = middle;
    }
    return low < j->count && !strcmp(j->by_path[low].path, path) ? &j->by_path[low] : NULL;
}

bool od_journal_made(const od_journal *j, const char *path)
{
    const record *r = latest(j, path);
    return r && stands(r);
}

const char *od_journal_part(const od_journal *j, uint64_t key, int part)
{
    const record *r = find(j, key, part);
    return r && latest(j, r->path)->key == key && od_journal_made(j, r->path) ? r->path : NULL;
}

bool od_journal_whole(const od_journal *j, uint64_t key, int *count)
{
    const record *first = find(j, key, 0);
    *count = first ? first->parts : 0;
    for (int i = 0; i < *count; i++)
        if (!od_journal_part(j, key, i)) return false;
    return *count > 0;
}

bool od_journal_add(od_journal *j, uint64_t key, int part, int parts, const char *path, int file, od_error *error)
{
    struct stat info;
    char *line = NULL;
    size_t size = 0;
    if (fstat(file, &info)) return od_fail(error, "%s: cannot be written: %s", path, strerror(errno));
    FILE *out = open_memstream(&line, &size);
    if (!out) return od_fail(error, "out of memory");
    fprintf(out, "%016llx %d %d %lld %lld.%09ld ", (unsigned long long)key, part, parts, (long long)info.st_size,
            (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
    put_name(out, path + strlen(j->folder) + 1);
    fputc('\n', out);
    bool good = !fclose(out) && write(j->file, line, size) == (ssize_t)size;
    if (!good) od_fail(error, "%s/" JOURNAL ": cannot be written: %s", j->folder, strerror(errno));
    free(line);
    return good;
}
