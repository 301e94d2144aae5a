/* Input: bytes for a path. Output: the whole file under that name, or nothing: a temporary file in
 * the same folder is written and then gets the name.
 * Invariant: while a temporary file is there, its output is in the list, and the file is locked: one that
 * nobody has locked was left by a program that was killed. */
#define _XOPEN_SOURCE 700 /* for realpath; NOLINT(bugprone-reserved-identifier) */
#include "cli/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* Outputs whose temporary files are there. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static od_output *open_outputs;

void od_output_abandon(void)
{
    pthread_mutex_lock(&lock); /* for ever: nothing may appear between this and the end */
    for (const od_output *o = open_outputs; o; o = o->next) unlink(o->temporary);
}

static bool is_stdout(const char *path)
{
    return !strcmp(path, "-");
}

static bool fail(const char *name, od_error *error)
{
    return od_fail(error, "%s: cannot be written: %s", name, strerror(errno));
}

bool od_output_allowed(const char *path, bool force, bool binary, od_error *error)
{
    struct stat info;
    if (is_stdout(path)) {
        if (!binary || !isatty(STDOUT_FILENO)) return true;
        return od_fail(error, "a motion is not for the terminal: use -o FILE, or -o - and a pipe");
    }
    if (stat(path, &info)) return true;
    if (S_ISDIR(info.st_mode)) return od_fail(error, "%s: is a folder", path);
    if (S_ISREG(info.st_mode) && !force) return od_fail(error, "%s: exists already; -f overwrites it", path);
    return true;
}

bool od_output_same(const char *a, const char *b)
{
    struct stat one, other;
    if (is_stdout(a) || is_stdout(b)) return false;
    if (!strcmp(a, b)) return true;
    if (stat(a, &one) || stat(b, &other) || !S_ISREG(one.st_mode)) return false;
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

#define TEMPORARY ".odori-"

/* Creates the temporary file; false with errno EEXIST when the name is taken or somebody swept it away before it
 * was locked. */
static bool create(od_output *output)
{
    struct stat info;
    output->file = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (output->file < 0) return false;
    (void)flock(output->file, LOCK_EX | LOCK_NB); /* some file systems have no locks; there nobody sweeps */
    if (!fstat(output->file, &info) && info.st_nlink) return true;
    close(output->file);
    output->file = -1;
    errno = EEXIST;
    return false;
}

/* A new file beside output->path, in the list from the start. Its name is random: machines that share a folder
 * have processes of one number. */
static bool make_temporary(od_output *output)
{
    enum { TRIES = 100, DIGITS = 32 };
    const char *slash = strrchr(output->path, '/');
    int folder = slash ? (int)(slash - output->path) + 1 : 0;
    size_t room = (size_t)folder + DIGITS;
    output->temporary = malloc(room);
    if (!output->temporary) return false;
    bool made = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < TRIES && !made; i++) {
        uint64_t number = (uint64_t)getpid() * TRIES + (uint64_t)i;
        (void)!getrandom(&number, sizeof number, GRND_NONBLOCK);
        snprintf(output->temporary, room, "%.*s" TEMPORARY "%016llx", folder, output->path, (unsigned long long)number);
        made = create(output);
        if (!made && errno != EEXIST) break;
    }
    if (made) {
        output->next = open_outputs;
        open_outputs = output;
    }
    int reason = errno;
    pthread_mutex_unlock(&lock);
    errno = reason;
    return made;
}

/* The temporary file has its name, or is gone. */
static void leave_list(const od_output *output)
{
    pthread_mutex_lock(&lock);
    od_output **at = &open_outputs;
    while (*at && *at != output) at = &(*at)->next;
    if (*at) *at = output->next;
    pthread_mutex_unlock(&lock);
}

void od_output_sweep(const char *folder)
{
    DIR *list = opendir(folder);
    for (const struct dirent *entry; list && (entry = readdir(list));) {
        if (strncmp(entry->d_name, TEMPORARY, strlen(TEMPORARY)) != 0) continue;
        int file = openat(dirfd(list), entry->d_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (file < 0) continue;
        if (!flock(file, LOCK_EX | LOCK_NB)) unlinkat(dirfd(list), entry->d_name, 0);
        close(file);
    }
    if (list) closedir(list);
}

static void forget(od_output *output)
{
    free(output->path);
    free(output->temporary);
    output->path = output->temporary = NULL;
}

bool od_output_open(od_output *output, const char *path, bool force, od_error *error)
{
    struct stat info;
    *output = (od_output){.name = path, .force = force, .file = -1};
    if (is_stdout(path)) {
        output->name = "standard output";
        output->file = STDOUT_FILENO;
        return true;
    }
    bool there = !stat(path, &info);
    output->path = there ? realpath(path, NULL) : strdup(path); /* a link stays one */
    if (!output->path) return fail(path, error);
    bool regular = !there || S_ISREG(info.st_mode);
    if (!regular) output->file = open(output->path, O_WRONLY | O_CLOEXEC); /* /dev/null must stay what it is */
    if (regular ? make_temporary(output) : output->file >= 0) {
        if (there && regular) (void)fchmod(output->file, info.st_mode & 0777); /* a private file stays private */
        return true;
    }
    fail(path, error);
    forget(output);
    return false;
}

bool od_output_write(void *context, const void *data, size_t size, od_error *error)
{
    od_output *output = context;
    const char *at = data;
    while (size) {
        ssize_t n = write(output->file, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail(output->name, error);
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* The name is taken only when nobody else has it, unless it may be overwritten. */
static bool publish(const od_output *output)
{
    if (output->force) return !rename(output->temporary, output->path);
    if (!link(output->temporary, output->path)) return !unlink(output->temporary);
    if (errno == EEXIST) return false;
    return access(output->path, F_OK) && !rename(output->temporary, output->path); /* no hard links here */
}

/* On the disk before the name is taken, so that a crash leaves the old file or the new one, whole.
 * Some file systems cannot tell. */
static bool settle(const od_output *output)
{
    return !fsync(output->file) || errno == EINVAL || errno == ENOTSUP;
}

bool od_output_close(od_output *output, bool good, od_error *error)
{
    if (good && output->temporary && !settle(output)) good = fail(output->name, error);
    if (good && output->temporary && output->seal) good = output->seal(output->context, output->file, error);
    if (output->file != STDOUT_FILENO && close(output->file) && good) good = fail(output->name, error);
    if (!output->temporary) {
        forget(output);
        return good;
    }
    if (good && !publish(output)) good = fail(output->name, error);
    if (!good) unlink(output->temporary);
    leave_list(output);
    forget(output);
    return good;
}

bool od_output_text(const char *path, bool force, const char *text, size_t size, od_error *error)
{
    od_output output;
    if (!od_output_allowed(path, force, false, error) || !od_output_open(&output, path, force, error)) return false;
    return od_output_close(&output, od_output_write(&output, text, size, error), error);
}
