/* Input: the command line of convert. Output: one conversion, or a batch of them, and a report. */
#include <stdlib.h>
#include <string.h>

#include "cli/batch.h"
#include "cli/commands.h"
#include "cli/convert.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/retry.h"

/* Options that make sense with --output-dir only. */
static const char *only_for_batches(const od_cli *cli)
{
    if (cli->recursive) return "-r";
    if (cli->filelist) return "--filelist";
    if (cli->mirror) return "--output-dir-mirror";
    if (cli->resume) return "--resume";
    if (cli->retry) return "--retry-failed";
    if (cli->shards) return "--shard";
    if (cli->all_clips) return "--clip all";
    return NULL;
}

static bool check_usage(const od_cli *cli, od_error *error)
{
    bool to_stdout = !cli->output_dir && (!cli->output || !strcmp(cli->output, "-"));
    const char *option = only_for_batches(cli);
    if (!cli->input_count && !cli->filelist && !cli->retry)
        return od_fail(error, "usage: odori convert [OPTION]... SOURCE...");
    if (cli->output && cli->output_dir) return od_fail(error, "-o and --output-dir exclude each other");
    if (cli->input_count > 1 && !cli->output_dir) return od_fail(error, "several sources need --output-dir");
    if (cli->target_count > 1 && !cli->output_dir) return od_fail(error, "several targets need --output-dir");
    if (option && !cli->output_dir) return od_fail(error, "%s needs --output-dir", option);
    if (cli->include_count && !cli->recursive) return od_fail(error, "--include needs -r");
    if (cli->retry && (cli->input_count || cli->filelist))
        return od_fail(error, "--retry-failed takes its sources from the report: give no other");
    if (cli->report && !strcmp(cli->report, "-") && to_stdout)
        return od_fail(error, "the motion and the report cannot both go to standard output");
    if (cli->report && cli->output && od_output_same(cli->report, cli->output))
        return od_fail(error, "%s: cannot be the motion and the report", cli->report);
    return od_load_once(cli, error);
}

/* What the command begins with. */
typedef struct run {
    const od_cli *cli;
    od_target *targets;
    od_report *notes; /* of each target */
    od_arena *arena;
    od_error *error;
} run;

static bool load_targets(run *r)
{
    const od_cli *cli = r->cli;
    size_t count = cli->target_count ? (size_t)cli->target_count : 1;
    r->targets = OD_NEW(r->arena, od_target, count, r->error);
    r->notes = OD_NEW(r->arena, od_report, count, r->error);
    if (!r->targets || !r->notes) return false;
    for (size_t i = 0; i < count; i++) {
        od_cli one = *cli;
        if (cli->target_count) one.target = cli->targets[i];
        r->notes[i].arena = r->arena;
        if (!od_load_target(&one, &r->targets[i], &r->notes[i], r->arena, r->error)) return false;
        if (!cli->quiet) od_print_warnings(stderr, od_load_name(one.target), &r->notes[i]);
    }
    return true;
}

static int convert_one(run *r, od_report_file *report)
{
    const od_cli *cli = r->cli;
    char *text = NULL;
    size_t size = 0;
    od_outcomes outcomes;
    od_writer w = {.out = report ? open_memstream(&text, &size) : NULL, .depth = 2};
    if (report && !w.out) {
        od_fail(r->error, "out of memory");
        return EXIT_INPUT;
    }
    od_conversion one = {.cli = cli,
                         .target = &r->targets[0],
                         .source = cli->inputs[0],
                         .output = cli->output ? cli->output : "-",
                         .detail = 1 + cli->verbose,
                         .out = stderr,
                         .report = report ? &w : NULL};
    od_convert(&one, &outcomes);
    int status = outcomes.count ? outcomes.rows[0].status : EXIT_INPUT;
    od_outcomes_free(&outcomes);
    if (report && !fclose(w.out)) od_report_file_add(report, text, size);
    free(text);
    return status;
}

static int convert_list(run *r, const od_shared *shared, od_report_file *report, size_t *left)
{
    const od_cli *cli = r->cli;
    od_sources sources = {.arena = r->arena};
    od_report notes = {.arena = r->arena};
    od_work work = {0};
    if (!(cli->retry ? od_retry_read(cli, &sources, r->error) : od_walk(cli, &sources, r->error))) return EXIT_INPUT;
    if (!od_work_plan(cli, &sources, &work, &notes, r->arena, r->error)) return EXIT_INPUT;
    if (!cli->quiet) od_print_warnings(stderr, NULL, &notes);
    if (!sources.count && !cli->retry) {
        od_fail(r->error, "there is nothing to convert");
        return EXIT_INPUT;
    }
    od_batch batch = {.cli = cli, .targets = r->targets, .shared = shared};
    int status = od_batch_run(&batch, &work, report, r->arena, r->error);
    *left = batch.left;
    return status;
}

static int convert_many(run *r, od_report_file *report, size_t *left)
{
    const od_cli *cli = r->cli;
    od_report notes = {.arena = r->arena};
    od_shared shared = {0};
    int status = od_load_shared(cli, &shared, &notes, r->arena, r->error);
    if (status == EXIT_DONE && !cli->quiet) od_print_warnings(stderr, NULL, &notes);
    if (status == EXIT_DONE) status = convert_list(r, &shared, report, left);
    od_load_free(&shared);
    return status;
}

static int convert(run *r)
{
    const od_cli *cli = r->cli;
    od_report_file report;
    size_t left = 0;
    if (!load_targets(r)) return EXIT_TARGET;
    if (cli->report && !od_report_file_open(&report, cli, r->targets, r->notes, r->error)) return EXIT_WRITE;
    od_report_file *file = cli->report ? &report : NULL;
    int status = cli->output_dir ? convert_many(r, file, &left) : convert_one(r, file);
    if (!file || od_report_file_close(file, left, r->error)) return status;
    return EXIT_WRITE;
}

int od_run_convert(const od_cli *cli)
{
    od_error error = {0};
    int status = EXIT_USAGE;
    if (check_usage(cli, &error)) {
        od_arena *arena = od_arena_new(0);
        run r = {.cli = cli, .arena = arena, .error = &error};
        status = arena ? convert(&r) : EXIT_INPUT;
        if (!arena) od_fail(&error, "out of memory");
        od_arena_free(arena);
    }
    if (error.failed) od_print_error(stderr, NULL, &error);
    return status;
}
