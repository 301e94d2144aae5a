/* Input: a path as a source writes it. Output: that file's bytes.
 * Without --allow-external no path leads out of the source's folder: whoever made a file shall not choose what
 * is read of another person's disk. */
#include "cli/beside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/input.h"

/* Is the path absolute, or does one of its steps go up? */
static bool leads_out(const char *path)
{
    if (*path == '/') return true;
    for (const char *step = path; step; step = strchr(step, '/')) {
        step += *step == '/';
        if (!strncmp(step, "..", 2) && (step[2] == '/' || !step[2])) return true;
    }
    return false;
}

static bool open_beside(void *context, const char *path, od_file *file, od_error *error)
{
    const od_beside *beside = context;
    const char *slash = strrchr(beside->source, '/');
    size_t folder = *path != '/' && slash ? (size_t)(slash + 1 - beside->source) : 0, size = folder + strlen(path) + 1;
    if (!beside->anywhere && !strcmp(beside->source, "-"))
        return od_fail(error, "standard input needs \"%s\", and has no folder; --allow-external reads it", path);
    if (!beside->anywhere && leads_out(path))
        return od_fail(error, "%s: needs \"%s\", which is not in its folder; --allow-external reads it", beside->source,
                       path);
    char *full = malloc(size);
    if (!full) return od_fail(error, "out of memory");
    snprintf(full, size, "%.*s%s", (int)folder, beside->source, path);
    bool done = strcmp(full, "-") != 0 ? od_input_read(full, file, error)
                                       : od_fail(error, "%s: needs a file \"-\"", beside->source);
    if (done) file->name = path;
    free(full);
    return done;
}

static void close_beside(void *context, od_file *file)
{
    (void)context;
    od_input_free(file);
}

od_read_options od_beside_options(const od_cli *cli, const char *source, od_beside *beside)
{
    od_read_options options = cli->read;
    *beside = (od_beside){source, cli->allow_external};
    options.opener = (od_opener){.open = open_beside, .close = close_beside, .context = beside};
    return options;
}
