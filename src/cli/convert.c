/* Input: sources, a target, a mapping. Output: a VMD for each source. */
#include "cli/commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/load.h"
#include "cli/output.h"
#include "cli/report.h"

/* One conversion: what its stages hand on. The three arenas end at different times, so that a long
 * dance is never in memory as text, as source and as keys at once. */
typedef struct job {
    const od_cli *cli;
    const od_target *target;
    const char *source, *output;
    od_arena *arena;
    od_report *report;
    od_error *error;
    od_scene scene;
    const od_clip *clip;
    od_mapping mapping;
    od_binding binding;
    od_keys keys;
    od_retarget_result result;
} job;

static int write_vmd(job *j)
{
    od_output output;
    od_sink sink = {od_output_write, &output};
    if (j->cli->model_name) j->keys.model = j->cli->model_name;
    if (!od_output_open(&output, j->output, j->cli->force, j->error)) return EXIT_WRITE;
    bool good = od_vmd_write(&j->keys, &sink, j->report, j->error);
    return od_output_close(&output, good, j->error) ? EXIT_DONE : EXIT_WRITE;
}

/* The conversion itself, one stage a line. */
static int run_job(job *j)
{
    const od_retarget_options *options = &j->cli->retarget;
    if (!od_output_allowed(j->output, j->cli->force, true, j->error)) return EXIT_WRITE;
    if (!od_load_scene(j->cli, j->source, &j->scene, j->report, j->arena, j->error)) return EXIT_INPUT;
    if (!(j->clip = od_load_clip(j->cli, &j->scene, j->source, j->error))) return EXIT_INPUT;
    if (!od_load_mapping(j->cli, &j->scene.skeleton, &j->mapping, j->report, j->arena, j->error)) return EXIT_TARGET;
    if (!od_binding_make(&j->mapping, &j->scene.skeleton, j->target, &j->binding, j->report, j->arena, j->error))
        return EXIT_TARGET;
    if (!od_retarget(&j->scene, j->clip, &j->binding, j->target, options, &j->keys, &j->result, j->report, j->arena,
                     j->error))
        return EXIT_INPUT;
    return write_vmd(j);
}

static void print_summary(const job *j)
{
    const od_retarget_result *r = &j->result;
    if (j->cli->quiet) return;
    fprintf(stderr, "%s -> %s\n", j->source, strcmp(j->output, "-") ? j->output : "standard output");
    od_print_notes(j->cli, j->report, j->source);
    fprintf(stderr, "  turned %.0f degrees to the front, up is %s, arms %.1f degrees apart at rest\n",
            (double)r->heading, r->up, (double)r->arm_angle);
    fprintf(stderr, "  scale %.4g units per unit of the source (%s), floor at %.4g\n", (double)r->scale, r->scale_kind,
            (double)r->ground);
    fprintf(stderr, "  %d contacts, feet slide %.2f cm a frame (source %.2f), hips lowered by at most %.2f\n",
            r->contacts, (double)r->slide, (double)r->slide_source, (double)r->reach_lowered);
    fprintf(stderr, "  %d frames, %.1f s, %zu keys of %d bones\n", r->frames, r->frames / 30.0, od_keys_count(&j->keys),
            j->keys.track_count);
}

static void report_job(const job *j, od_writer *report, int status)
{
    od_writer_begin(report, NULL, '{');
    od_writer_text(report, "source", j->source);
    od_writer_text(report, "output", status == EXIT_DONE ? j->output : NULL);
    od_writer_text(report, "error", status == EXIT_DONE ? NULL : j->error->message);
    od_report_notes(report, j->report);
    if (status == EXIT_DONE) {
        od_report_mapping(report, &j->mapping, &j->binding, &j->scene.skeleton, j->target);
        od_report_result(report, &j->result);
        od_report_keys(report, &j->keys);
    }
    od_writer_end(report, '}');
}

static int convert_one(const od_cli *cli, const od_target *target, const char *source, const char *output,
                       od_writer *report)
{
    od_error error = {0};
    od_arena *arena = od_arena_new(0);
    od_report notes = {.arena = arena};
    if (!arena) {
        od_fail(&error, "out of memory");
        od_print_error(&error);
        return EXIT_INPUT;
    }
    job j = {.cli = cli,
             .target = target,
             .source = source,
             .output = output,
             .arena = arena,
             .report = &notes,
             .error = &error};
    int status = run_job(&j);
    if (status == EXIT_DONE) {
        print_summary(&j);
    } else {
        od_print_notes(cli, &notes, source);
        od_print_error(&error);
    }
    if (report) report_job(&j, report, status);
    od_arena_free(arena);
    return status;
}

/* "folder/dance.bvh" -> "DIR/dance.vmd" */
static const char *name_output(const char *folder, const char *source, od_arena *arena, od_error *error)
{
    const char *slash = strrchr(source, '/');
    const char *base = slash ? slash + 1 : source, *dot = strrchr(base, '.');
    size_t size = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    if (!strcmp(source, "-")) return od_arena_format(arena, error, "%s/stdin.vmd", folder);
    return od_arena_format(arena, error, "%s/%.*s.vmd", folder, (int)size, base);
}

/* Two sources of one name would overwrite each other: the second is refused. */
static int earlier_of(const char *const *names, int index)
{
    for (int i = 0; i < index; i++)
        if (names[i] && !strcmp(names[i], names[index])) return i;
    return -1;
}

static int convert_all(const od_cli *cli, const od_target *target, od_writer *report, od_arena *arena, od_error *error)
{
    int worst = EXIT_DONE;
    const char **outputs = OD_NEW(arena, const char *, (size_t)cli->input_count, error);
    if (!outputs) return EXIT_INPUT;
    if (mkdir(cli->output_dir, 0777) && errno != EEXIST) {
        od_fail(error, "%s: cannot be made: %s", cli->output_dir, strerror(errno));
        return EXIT_WRITE;
    }
    for (int i = 0; i < cli->input_count; i++) {
        outputs[i] = name_output(cli->output_dir, cli->inputs[i], arena, error);
        if (!outputs[i]) return EXIT_INPUT;
        int earlier = earlier_of(outputs, i), status = EXIT_INPUT;
        if (earlier >= 0) {
            od_error clash = {0};
            od_fail(&clash, "%s: would be written to %s like %s", cli->inputs[i], outputs[i], cli->inputs[earlier]);
            od_print_error(&clash);
        } else {
            status = convert_one(cli, target, cli->inputs[i], outputs[i], report);
        }
        if (status > worst) worst = status;
    }
    /* Something failed and something may be done: that is 1, whatever it was, unless nothing could be written. */
    return worst == EXIT_DONE ? EXIT_DONE : cli->input_count > 1 ? EXIT_INPUT : worst;
}

static int convert_with_report(const od_cli *cli, const od_target *target, od_arena *arena, od_error *error)
{
    od_output output;
    od_sink sink = {od_output_write, &output};
    od_writer writer = {.sink = &sink, .error = error};
    if (cli->report &&
        (!od_output_allowed(cli->report, true, false, error) || !od_output_open(&output, cli->report, true, error)))
        return EXIT_WRITE;
    od_writer *report = cli->report ? &writer : NULL;
    if (report) od_report_begin(report);
    const char *single = cli->output ? cli->output : "-";
    int status = cli->output_dir ? convert_all(cli, target, report, arena, error)
                                 : convert_one(cli, target, cli->inputs[0], single, report);
    if (!report) return status;
    od_report_end(report);
    return od_output_close(&output, !writer.failed, error) ? status : EXIT_WRITE;
}

int od_run_convert(const od_cli *cli)
{
    od_error error = {0};
    if (cli->output && cli->output_dir) od_fail(&error, "-o and --output-dir exclude each other");
    else if (cli->input_count > 1 && !cli->output_dir) od_fail(&error, "several sources need --output-dir");
    if (error.failed) {
        od_print_error(&error);
        return EXIT_USAGE;
    }
    od_arena *arena = od_arena_new(0);
    od_report notes = {.arena = arena};
    od_target target;
    int status = EXIT_TARGET;
    if (!arena) od_fail(&error, "out of memory");
    else if (od_load_target(cli, &target, &notes, arena, &error)) {
        od_print_notes(cli, &notes, cli->target);
        status = convert_with_report(cli, &target, arena, &error);
    }
    if (error.failed) od_print_error(&error);
    od_arena_free(arena);
    return status;
}
