/* Input: tasks, targets. Output: files in a folder, a report, and what went wrong.
 * Invariant: what is printed and reported does not depend on the number of workers. */
#include "cli/batch.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/summary.h"
#include "cli/workers.h"

/* What a task printed and reported, until its turn comes. */
typedef struct result {
    char *text, *report;
    size_t text_size, report_size;
    od_outcomes outcomes;
} result;

typedef struct batch {
    od_batch *b;
    const od_work *work;
    od_cli *cli; /* for each target, with its name */
    od_journal *journal;
    od_report_file *report;
    result *results;
    od_progress progress;
    od_outcomes outcomes; /* of all, for the summary */
    int status;
    bool told; /* of an interruption */
} batch;

static od_conversion conversion_of(const batch *b, size_t index, FILE *out, od_writer *report)
{
    const od_task *task = &b->work->tasks[index];
    const od_cli *cli = &b->cli[task->target];
    return (od_conversion){.cli = cli,
                           .target = &b->b->targets[task->target],
                           .source = task->source,
                           .output = task->output,
                           .detail = cli->verbose,
                           .out = out,
                           .report = report->out ? report : NULL,
                           .work = b->work,
                           .task = task,
                           .journal = b->journal};
}

static bool work(void *context, size_t index)
{
    batch *b = context;
    result *r = &b->results[index];
    FILE *out = open_memstream(&r->text, &r->text_size);
    od_writer report = {.out = b->report ? open_memstream(&r->report, &r->report_size) : NULL, .depth = 2};
    bool good = out && (!b->report || report.out);
    if (good) {
        od_conversion one = conversion_of(b, index, out, &report);
        od_convert(&one, &r->outcomes);
    }
    if (out && fclose(out)) good = false;
    if (report.out && fclose(report.out)) good = false;
    r->outcomes.lost = r->outcomes.lost || !good;
    bool failed = r->outcomes.lost;
    for (int i = 0; i < r->outcomes.count; i++) failed = failed || r->outcomes.rows[i].status != EXIT_DONE;
    return !failed || !b->b->cli->fail_fast;
}

/* What was not begun stands in the report, too. */
static void report_left(batch *b, size_t done)
{
    for (size_t i = done; i < b->work->count && b->report; i++) {
        char *text = NULL;
        size_t size = 0;
        od_writer report = {.out = open_memstream(&text, &size), .depth = 2};
        od_conversion one = conversion_of(b, i, NULL, &report);
        if (report.out) od_convert_skip(&one);
        if (report.out && !fclose(report.out)) od_report_file_add(b->report, text, size);
        free(text);
    }
}

/* Failures of one kind end with its code, of several with that of sources. */
static void note_status(batch *b, int status)
{
    if (status != EXIT_DONE) b->status = b->status == EXIT_DONE || b->status == status ? status : EXIT_INPUT;
}

/* Keeps outcomes for the summary. */
static void keep_outcomes(batch *b, od_outcomes *outcomes)
{
    od_outcomes *all = &b->outcomes;
    size_t count = (size_t)all->count + (size_t)outcomes->count;
    od_outcome *rows = b->b->cli->summary && count ? realloc(all->rows, count * sizeof *rows) : NULL;
    if (!rows) {
        od_outcomes_free(outcomes);
        return;
    }
    memcpy(rows + all->count, outcomes->rows, (size_t)outcomes->count * sizeof *rows);
    *all = (od_outcomes){.rows = rows, .count = (int)count};
    free(outcomes->rows);
    *outcomes = (od_outcomes){0};
}

static void collect(void *context, size_t index)
{
    batch *b = context;
    result *r = &b->results[index];
    od_error error = {0};
    od_progress_clear(&b->progress);
    if (r->outcomes.lost) {
        od_fail(&error, "%s: out of memory", b->work->tasks[index].source);
        od_print_error(stderr, NULL, &error);
        note_status(b, EXIT_INPUT);
    }
    if (r->text && b->progress.kind != OD_PROGRESS_JSON) fwrite(r->text, 1, r->text_size, stderr);
    if (b->report && r->report) od_report_file_add(b->report, r->report, r->report_size);
    od_progress_note(&b->progress, &r->outcomes);
    for (int i = 0; i < r->outcomes.count; i++) note_status(b, r->outcomes.rows[i].status);
    free(r->text);
    free(r->report);
    keep_outcomes(b, &r->outcomes);
}

static bool tick(void *context)
{
    batch *b = context;
    od_progress_draw(&b->progress);
    if (!od_interrupt_noted()) return true;
    if (!b->told) {
        od_progress_clear(&b->progress);
        fputs("odori: interrupted: finishing what is begun; once more ends at once\n", stderr);
    }
    b->told = true;
    return false;
}

static bool make_folder(const char *path, od_error *error)
{
    struct stat info;
    if (!mkdir(path, 0777)) return true;
    if (errno == EEXIST && !stat(path, &info) && S_ISDIR(info.st_mode)) return true;
    return od_fail(error, "%s: no folder can be made here: %s", path, strerror(errno));
}

/* The folders, without what killed runs left there. */
static bool prepare_folders(const od_work *work, od_error *error)
{
    for (size_t i = 0; i < work->folder_count; i++) {
        if (!make_folder(work->folders[i], error)) return false;
        od_output_sweep(work->folders[i]);
    }
    return true;
}

/* What was left undone, and by whose will. */
static int end(batch *b, size_t done)
{
    const od_cli *cli = b->b->cli;
    size_t left = b->work->count - done;
    int number = od_interrupt_noted();
    od_progress_end(&b->progress, left);
    report_left(b, done);
    b->b->left = left;
    if (left && b->progress.kind != OD_PROGRESS_JSON)
        fprintf(stderr, "odori: %zu of %zu done, %zu left; --resume does the rest\n", done, b->work->count, left);
    if (cli->summary) {
        bool taken = cli->report && !strcmp(cli->report, "-");
        od_summary_print(taken ? stderr : stdout, &b->outcomes, cli->limit);
    }
    od_outcomes_free(&b->outcomes);
    return left && number ? 128 + number : b->status;
}

int od_batch_run(od_batch *settings, const od_work *list, od_report_file *report, od_arena *arena, od_error *error)
{
    const od_cli *cli = settings->cli;
    batch b = {.b = settings, .work = list, .report = report};
    int targets = cli->target_count > 1 ? cli->target_count : 1;
    b.cli = OD_NEW(arena, od_cli, (size_t)targets, error);
    b.results = OD_NEW(arena, result, list->count, error);
    if (!b.cli || !b.results) return EXIT_INPUT;
    for (int i = 0; i < targets; i++) {
        b.cli[i] = *cli;
        b.cli[i].shared = settings->shared;
        b.cli[i].target = cli->target_count ? cli->targets[i] : NULL;
        b.cli[i].input_count = 0; /* no output is one of them: the list of work knows */
    }
    if (!prepare_folders(list, error) || !(b.journal = od_journal_open(cli, arena, error))) return EXIT_WRITE;
    od_workers workers = {cli->jobs ? cli->jobs : od_workers_cores(), list->count, work, collect, tick, &b};
    if (cli->verbose) fprintf(stderr, "%zu conversions by %d workers\n", list->count, workers.threads);
    b.progress = od_progress_begin(cli, list->count);
    od_interrupt_defer(true);
    size_t done = od_workers_run(&workers);
    od_interrupt_defer(false);
    od_journal_close(b.journal);
    return end(&b, done);
}
