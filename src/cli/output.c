/* Input: bytes for a path. Output: the whole file under that name, or nothing: a temporary file in
 * the same folder is written and then renamed. */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The temporary file that a signal has to remove; one at a time. */
static char *volatile pending;

static void on_signal(int number)
{
    char *name = pending;
    if (name) unlink(name);
    signal(number, SIG_DFL);
    raise(number);
}

void od_output_guard(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before;
        if (!sigaction(numbers[i], NULL, &before) && before.sa_handler == SIG_IGN) continue; /* nohup */
        sigaction(numbers[i], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a write error like others */
}

static bool is_stdout(const char *path)
{
    return !strcmp(path, "-");
}

bool od_output_allowed(const char *path, bool force, bool binary, od_error *error)
{
    struct stat info;
    if (is_stdout(path)) {
        if (!binary || !isatty(STDOUT_FILENO)) return true;
        return od_fail(error, "refusing to write a motion to the terminal; use -o FILE");
    }
    if (stat(path, &info)) return true;
    if (S_ISDIR(info.st_mode)) return od_fail(error, "%s: is a folder", path);
    if (S_ISREG(info.st_mode) && !force) return od_fail(error, "%s: exists already; -f overwrites it", path);
    return true;
}

bool od_output_open(od_output *output, const char *path, bool force, od_error *error)
{
    struct stat info;
    *output = (od_output){.path = path, .force = force, .file = -1};
    if (is_stdout(path)) {
        output->direct = true;
        output->file = STDOUT_FILENO;
        return true;
    }
    if (!stat(path, &info) && !S_ISREG(info.st_mode)) { /* /dev/null must stay what it is */
        output->direct = true;
        output->file = open(path, O_WRONLY);
        return output->file >= 0 || od_fail(error, "%s: cannot be written: %s", path, strerror(errno));
    }
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    size_t room = folder + sizeof ".odori-XXXXXX";
    output->temporary = malloc(room);
    if (!output->temporary) return od_fail(error, "out of memory");
    snprintf(output->temporary, room, "%.*s.odori-XXXXXX", (int)folder, path);
    output->file = mkstemp(output->temporary);
    if (output->file < 0) {
        od_fail(error, "%s: cannot be written: %s", path, strerror(errno));
        free(output->temporary);
        output->temporary = NULL;
        return false;
    }
    pending = output->temporary;
    mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(output->file, 0666 & ~mask); /* mkstemp makes private files */
    return true;
}

bool od_output_write(void *context, const void *data, size_t size, od_error *error)
{
    od_output *output = context;
    const char *at = data;
    while (size) {
        ssize_t n = write(output->file, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            const char *name = is_stdout(output->path) ? "standard output" : output->path;
            return od_fail(error, "%s: cannot be written: %s", name, strerror(errno));
        }
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

bool od_output_close(od_output *output, bool good, od_error *error)
{
    if (output->file < 0) return good;
    bool closed = is_stdout(output->path) || !close(output->file);
    output->file = -1;
    if (!closed) good = od_fail(error, "%s: cannot be written: %s", output->path, strerror(errno));
    if (!output->temporary) return good;
    if (good && !publish(output)) good = od_fail(error, "%s: cannot be written: %s", output->path, strerror(errno));
    if (!good) unlink(output->temporary);
    pending = NULL;
    free(output->temporary);
    output->temporary = NULL;
    return good;
}
