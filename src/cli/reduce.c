/* Input: an MMD motion, a model. Output: the motion with fewer keys, played back. */
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

static bool write_vmd(job *j)
{
    od_output output;
    od_sink sink = {od_output_write, &output};
    if (j->cli->model_name) j->keys.model = j->cli->model_name;
    if (!od_output_open(&output, j->output, j->cli->force, j->error)) return false;
    bool good = od_vmd_write(&j->keys, &sink, j->report, j->error);
    return od_output_close(&output, good, j->error);
}

static int run_stages(job *j)
{
    const od_cli *cli = j->cli;
    if (!od_output_allowed(j->output, cli->force, true, j->error) || !od_load_spares(cli, j->output, j->error))
        return EXIT_WRITE;
    if (!od_load_target(cli, &j->target, j->report, j->arena, j->error)) return EXIT_TARGET;
    if (!od_load_keys(cli->inputs[0], &j->all, j->report, j->arena, j->error) || !reduce(j)) return EXIT_INPUT;
    return write_vmd(j) ? EXIT_DONE : EXIT_WRITE;
}

static void print(const job *j)
{
    size_t count = od_keys_count(&j->keys);
    od_print_choices(stderr, j->report);
    if (!j->cli->no_check) od_check_print_line(stderr, &j->check);
    fprintf(stderr, "  written: %zu of %zu keys of %d bones, within %g deg, %g units\n", count, j->reduction.before,
            j->keys.track_count, j->reduction.angle, j->reduction.way);
}

int od_run_reduce(const od_cli *cli)
{
    od_error error = {0};
    int status = EXIT_USAGE;
    if (od_load_once(cli, &error)) {
        od_arena *arena = od_arena_new(0);
        od_report report = {.arena = arena};
        job j = {
            .cli = cli, .output = cli->output ? cli->output : "-", .arena = arena, .report = &report, .error = &error};
        status = arena ? run_stages(&j) : EXIT_INPUT;
        if (!arena) od_fail(&error, "out of memory");
        if (status == EXIT_DONE && !cli->quiet) print(&j);
        if (!cli->quiet) od_print_warnings(stderr, od_load_name(cli->inputs[0]), &report);
        od_arena_free(arena);
    }
    if (error.failed) od_print_error(stderr, NULL, &error);
    return status;
}
