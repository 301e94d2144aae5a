/* Input: an MMD motion, a model. Output: the motion with fewer keys, played back; in several files if asked for. */
#include <string.h>

#include "cli/check_text.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/print.h"

typedef struct job {
    const od_cli *cli;
    const char *output;
    od_target target;
    od_keys all, keys;
    od_check check;
    od_reduction reduction;
    int parts; /* files, when the motion is split */
    od_arena *arena;
    od_report *report;
    od_error *error;
} job;

/* With a check or without one. */
static bool reduce(job *j)
{
    static const od_check_options every = {.every = 10};
    const od_reduce_options *options = &j->cli->reduce;
    if (j->cli->no_check) return od_reduce(&j->target, &j->all, options, &j->keys, &j->reduction, j->arena, j->error);
    if (!od_check_motion(&j->target, &j->all, NULL, &every, &j->check, NULL, j->arena, j->error)) return false;
    return od_reduce_checked(&j->target, &j->all, NULL, options, &every, &j->keys, &j->check, &j->reduction, j->report,
                             j->arena, j->error);
}

static bool write_vmd(job *j, const od_keys *keys, const char *path)
{
    od_output output;
    od_sink sink = {od_output_write, &output};
    if (!od_output_open(&output, path, j->cli->force, j->error)) return false;
    bool good = od_vmd_write(keys, &sink, j->report, j->error);
    return od_output_close(&output, good, j->error);
}

/* "dance.vmd" -> "dance.1of3.vmd" */
static const char *name_part(job *j, int part, int count)
{
    const char *slash = strrchr(j->output, '/'), *base = slash ? slash + 1 : j->output, *dot = strrchr(base, '.');
    if (!dot || dot == base) dot = base + strlen(base);
    return od_arena_format(j->arena, j->error, "%.*s.%dof%d%s", (int)(dot - j->output), j->output, part, count, dot);
}

/* No file is written when one of them must not be. */
static bool write_parts(job *j)
{
    od_keys *parts;
    if (!od_split(&j->target, &j->keys, j->cli->split, &parts, &j->parts, j->arena, j->error)) return false;
    if (j->parts == 1) return write_vmd(j, parts, j->output);
    const char **names = OD_NEW(j->arena, const char *, (size_t)j->parts, j->error);
    if (!names) return false;
    for (int i = 0; i < j->parts; i++)
        if (!(names[i] = name_part(j, i + 1, j->parts)) ||
            !od_output_allowed(names[i], j->cli->force, true, j->error) || !od_load_spares(j->cli, names[i], j->error))
            return false;
    for (int i = 0; i < j->parts; i++)
        if (!write_vmd(j, &parts[i], names[i])) return false;
    return true;
}

static bool write_all(job *j)
{
    if (j->cli->model_name) j->keys.model = j->cli->model_name;
    return j->cli->split ? write_parts(j) : write_vmd(j, &j->keys, j->output);
}

static int run_stages(job *j)
{
    const od_cli *cli = j->cli;
    if (!od_output_allowed(j->output, cli->force, true, j->error) || !od_load_spares(cli, j->output, j->error))
        return EXIT_WRITE;
    if (!od_load_target(cli, &j->target, j->report, j->arena, j->error)) return EXIT_TARGET;
    if (!od_load_keys(cli->inputs[0], &j->all, j->report, j->arena, j->error) || !reduce(j)) return EXIT_INPUT;
    return write_all(j) ? EXIT_DONE : EXIT_WRITE;
}

static void print(job *j)
{
    size_t count = od_keys_count(&j->keys);
    od_print_choices(stderr, j->report);
    if (!j->cli->no_check) od_check_print_line(stderr, &j->check);
    fprintf(stderr, "  written: %zu of %zu keys of %d bones, within %g deg, %g units\n", count, j->reduction.before,
            j->keys.track_count, j->reduction.angle, j->reduction.way);
    if (j->parts > 1)
        fprintf(stderr, "  in %d files, to be loaded one after the other: %s ...\n", j->parts,
                name_part(j, 1, j->parts));
}

static int run(const od_cli *cli, od_report *report, od_arena *arena, od_error *error)
{
    job j = {.cli = cli, .output = cli->output ? cli->output : "-", .arena = arena, .report = report, .error = error};
    if (cli->split && !strcmp(j.output, "-")) {
        od_fail(error, "several files (--split) need a name: -o FILE");
        return EXIT_USAGE;
    }
    int status = run_stages(&j);
    if (status == EXIT_DONE && !cli->quiet) print(&j);
    if (!cli->quiet) od_print_warnings(stderr, od_load_name(cli->inputs[0]), report);
    return status;
}

int od_run_reduce(const od_cli *cli)
{
    return od_run_command(cli, NULL, run);
}
