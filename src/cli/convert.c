/* Input: a source, a target, a mapping. Output: a file of another format, and what was chosen on the way. */
#include "cli/convert.h"

#include <string.h>
#include <strings.h>

#include "cli/job.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/report.h"

/* Before any work: may the output be written, and is it none of the files that are read? */
static bool check_output(const od_job *j)
{
    return od_output_allowed(j->output, j->cli->force, true, j->error) && od_load_spares(j->cli, j->output, j->error);
}

bool od_job_read(od_job *j)
{
    if (!od_load_scene(j->cli, j->source, &j->scene, j->report, j->arena, j->error)) return false;
    j->clip = od_load_clip(j->cli, &j->scene, j->source, j->error);
    return j->clip != NULL;
}

bool od_job_write_keys(od_job *j, const od_sink *sink)
{
    if (j->cli->model_name) j->keys.model = j->cli->model_name;
    return od_vmd_write(&j->keys, sink, j->report, j->error);
}

od_to od_convert_to(const od_cli *cli)
{
    const char *dot = cli->output ? strrchr(cli->output, '.') : NULL;
    if (cli->to != OD_TO_AUTO) return cli->to;
    return dot && !strcasecmp(dot, ".bvh") ? OD_TO_BVH : OD_TO_VMD;
}

static const od_job_kind *kind_of(const od_cli *cli)
{
    if (cli->camera) return &od_job_camera;
    return od_convert_to(cli) == OD_TO_BVH ? &od_job_scene : &od_job_motion;
}

/* The output is never in memory as a whole. */
static bool write_output(od_job *j, const od_job_kind *kind)
{
    od_output output;
    od_sink sink = {od_output_write, &output};
    if (!od_output_open(&output, j->output, j->cli->force, j->error)) return false;
    bool good = kind->write(j, &sink);
    return od_output_close(&output, good, j->error);
}

static int run(od_job *j, const od_job_kind *kind)
{
    if (!check_output(j)) return EXIT_WRITE;
    int status = kind->make(j);
    if (status != EXIT_DONE) return status;
    return write_output(j, kind) ? EXIT_DONE : EXIT_WRITE;
}

static void print_summary(const od_job *j, const od_job_kind *kind)
{
    od_print_text(stderr, od_load_name(j->source));
    fputs(" -> ", stderr);
    od_print_text(stderr, strcmp(j->output, "-") ? j->output : "standard output");
    fputc('\n', stderr);
    od_print_choices(j->report);
    kind->print(j);
}

static void report_job(const od_job *j, const od_job_kind *kind, od_writer *w, int status)
{
    od_writer_begin(w, NULL, '{');
    od_writer_text(w, "source", od_load_name(j->source));
    od_writer_text(w, "output", status == EXIT_DONE ? j->output : NULL);
    od_writer_number(w, "status", status);
    od_writer_text(w, "error", status == EXIT_DONE ? NULL : j->error->message);
    od_report_notes(w, j->report);
    if (status == EXIT_DONE) kind->report(j, w);
    od_writer_end(w, '}');
}

int od_convert(const od_cli *cli, const od_target *target, const char *source, const char *output, od_writer *report)
{
    const od_job_kind *kind = kind_of(cli);
    od_error error = {0};
    od_arena *arena = od_arena_new(0);
    od_report notes = {.arena = arena};
    od_job j = {.cli = cli,
                .target = target,
                .source = source,
                .output = output,
                .arena = arena,
                .report = &notes,
                .error = &error};
    int status = arena ? run(&j, kind) : EXIT_INPUT;
    if (!arena) od_fail(&error, "out of memory");
    if (status == EXIT_DONE && !cli->quiet) print_summary(&j, kind);
    if (!cli->quiet) od_print_warnings(od_load_name(source), &notes);
    if (status != EXIT_DONE) od_print_error(od_load_name(source), &error);
    if (report) report_job(&j, kind, report, status);
    od_arena_free(arena);
    return status;
}
