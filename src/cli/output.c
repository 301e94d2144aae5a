/* Input: bytes for a path. Output: the whole file under that name, or nothing: a temporary file in
 * the same folder is written and then gets the name.
 * Invariant: while a temporary file is there, `pending` names it. */
#define _XOPEN_SOURCE 700 /* for realpath; NOLINT(bugprone-reserved-identifier) */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The temporary file that a signal has to remove. */
static char *volatile pending;

static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING = sizeof ending / sizeof *ending };

static void on_signal(int number)
{
    char *name = pending;
    if (name) unlink(name);
    signal(number, SIG_DFL);
    raise(number); /* takes effect when this returns: whoever waits sees that a signal ended us */
}

void od_output_guard(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < ENDING; i++) {
        struct sigaction before;
        if (!sigaction(ending[i], NULL, &before) && before.sa_handler == SIG_IGN) continue; /* nohup */
        sigaction(ending[i], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    /* With a standard stream closed, the next file opened would take its place and messages would go
     * into it. */
    for (int file = 0; file <= 2; file++)
        if (fcntl(file, F_GETFD) < 0) (void)open("/dev/null", file ? O_RDONLY : O_WRONLY); /* fails when used */
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

/* A new file beside output->path, of which a signal knows from the start. */
static bool make_temporary(od_output *output)
{
    enum { TRIES = 100, DIGITS = 32 };
    const char *slash = strrchr(output->path, '/');
    int folder = slash ? (int)(slash - output->path) + 1 : 0;
    size_t room = (size_t)folder + DIGITS;
    output->temporary = malloc(room);
    if (!output->temporary) return false;
    sigset_t block, before;
    sigemptyset(&block);
    for (int i = 0; i < ENDING; i++) sigaddset(&block, ending[i]);
    sigprocmask(SIG_BLOCK, &block, &before);
    for (int i = 0; i < TRIES; i++) {
        snprintf(output->temporary, room, "%.*s.odori-%ld-%d", folder, output->path, (long)getpid(), i);
        output->file = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (output->file >= 0 || errno != EEXIST) break;
    }
    if (output->file >= 0) pending = output->temporary;
    int reason = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return output->file >= 0;
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
    if (output->file != STDOUT_FILENO && close(output->file) && good) good = fail(output->name, error);
    if (!output->temporary) {
        forget(output);
        return good;
    }
    if (good && !publish(output)) good = fail(output->name, error);
    if (!good) unlink(output->temporary);
    pending = NULL;
    forget(output);
    return good;
}

bool od_output_text(const char *path, bool force, const char *text, size_t size, od_error *error)
{
    od_output output;
    if (!od_output_allowed(path, force, false, error) || !od_output_open(&output, path, force, error)) return false;
    return od_output_close(&output, od_output_write(&output, text, size, error), error);
}
