/* Input: a source, a target, a mapping. Output: a file of another format, and what was chosen on the way. */
#include "cli/convert.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "cli/check_text.h"
#include "cli/job.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/report.h"

/* A part is what becomes one output: the source, or one of its clips. */
typedef struct part {
    const od_conversion *c;
    const od_job_kind *kind;
    uint64_t key; /* of the source in the journal */
    int index, count;
    od_job job;
} part;

bool od_job_read(od_job *j)
{
    if (!j->scene.clips && !od_load_scene(j->cli, j->source, &j->scene, j->report, j->arena, j->error)) return false;
    if (!j->clip) j->clip = od_load_clip(j->cli, &j->scene, j->source, j->error);
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

const char *od_convert_ending(const od_cli *cli)
{
    return od_convert_to(cli) == OD_TO_BVH && !cli->camera ? "bvh" : "vmd";
}

static const od_job_kind *kind_of(const od_cli *cli)
{
    if (cli->camera) return &od_job_camera;
    return od_convert_to(cli) == OD_TO_BVH ? &od_job_scene : &od_job_motion;
}

/* Before any work: may the output be written, and is it none of the files that are read? */
static bool check_output(od_job *j, const od_conversion *c)
{
    const char *report = j->cli->report;
    j->force = j->cli->force || (c->journal && od_journal_made(c->journal, j->output));
    if (report && od_output_same(report, j->output))
        return od_fail(j->error, "%s: would become %s, which is the report", od_load_name(j->source), j->output);
    if (c->work && od_work_is_source(c->work, j->output)) return od_fail(j->error, "%s: is a source itself", j->output);
    return od_output_allowed(j->output, j->force, true, j->error) && od_load_spares(j->cli, j->output, j->error);
}

static bool seal(void *context, int file, od_error *error)
{
    const part *p = context;
    return od_journal_add(p->c->journal, p->key, p->index, p->count, p->job.output, file, error);
}

/* The output is never in memory as a whole. */
static bool write_output(part *p)
{
    od_job *j = &p->job;
    od_output output;
    od_sink sink = {od_output_write, &output};
    if (!od_output_open(&output, j->output, j->force, j->error)) return false;
    output.seal = p->c->journal ? seal : NULL;
    output.context = p;
    bool good = p->kind->write(j, &sink);
    return od_output_close(&output, good, j->error);
}

static int run(part *p)
{
    if (!check_output(&p->job, p->c)) return EXIT_WRITE;
    int status = p->kind->make(&p->job);
    if (status != EXIT_DONE) return status;
    return write_output(p) ? EXIT_DONE : EXIT_WRITE;
}

static void print_part(const part *p, int status)
{
    const od_job *j = &p->job;
    const char *name = od_load_name(j->source);
    if (status == EXIT_DONE && !j->cli->quiet) {
        od_print_text(j->out, name);
        fputs(" -> ", j->out);
        od_print_text(j->out, strcmp(j->output, "-") ? j->output : "standard output");
        fputc('\n', j->out);
        if (j->detail) od_print_choices(j->out, j->report);
        if (j->detail) p->kind->print(j);
    }
    if (!j->cli->quiet) od_print_warnings(j->out, name, j->report);
    if (status != EXIT_DONE) od_print_error(j->out, name, j->error);
}

/* What names a part in the report. */
static void begin_report(const od_conversion *c, od_writer *w, const char *output, int status)
{
    od_writer_begin(w, NULL, '{');
    od_report_path(w, "source", c->source);
    od_report_path(w, "name", c->task ? c->task->name : NULL);
    od_report_path(w, "target", c->cli->target);
    od_report_path(w, "output", output);
    od_writer_number(w, "number", c->task ? c->task->number : 1);
    od_writer_number(w, "status", status);
}

static void report_part(const part *p, int status)
{
    const od_job *j = &p->job;
    od_writer *w = p->c->report;
    if (!w) return;
    begin_report(p->c, w, status == EXIT_DONE ? j->output : NULL, status);
    od_writer_text(w, "error", status == EXIT_DONE ? NULL : j->error->message);
    od_report_notes(w, j->report);
    if (status == EXIT_DONE) p->kind->report(j, w);
    od_writer_end(w, '}');
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static char *copy(const char *text)
{
    return text ? strdup(text) : NULL;
}

static void free_outcome(od_outcome *row)
{
    free(row->source);
    free(row->output);
    free(row->error);
}

static void add_outcome(od_outcomes *outcomes, od_outcome *row)
{
    od_outcome *rows = realloc(outcomes->rows, ((size_t)outcomes->count + 1) * sizeof *rows);
    if (!rows) {
        outcomes->lost = true;
        free_outcome(row);
        return;
    }
    outcomes->rows = rows;
    rows[outcomes->count++] = *row;
}

static void note_outcome(const part *p, int status, double seconds, od_outcomes *outcomes)
{
    const od_job *j = &p->job;
    bool done = status == EXIT_DONE;
    od_outcome row = {.source = copy(j->source),
                      .output = copy(done ? j->output : NULL),
                      .error = copy(done ? NULL : j->error->message),
                      .status = status,
                      .frames = j->result.frames,
                      .keys = done ? (double)od_keys_count(&j->keys) : -1,
                      .direction = od_check_worst(&j->check, OD_MEASURE_DIRECTION, NULL, NULL),
                      .slide = od_check_worst(&j->check, OD_MEASURE_SLIDE, NULL, NULL),
                      .residual = od_check_worst(&j->check, OD_MEASURE_RESIDUAL, NULL, NULL),
                      .seconds = seconds};
    if (j->mapping.name) snprintf(row.mapping, sizeof row.mapping, "%s", j->mapping.name);
    add_outcome(outcomes, &row);
}

/* What a run before made. */
static void keep(const od_conversion *c, const char *output, od_outcomes *outcomes)
{
    od_outcome row = {.source = copy(c->source), .output = copy(output), .kept = true};
    row.keys = row.direction = row.slide = row.residual = -1;
    add_outcome(outcomes, &row);
    if (!c->report) return;
    begin_report(c, c->report, output, EXIT_DONE);
    od_writer_bool(c->report, "kept", true);
    od_writer_end(c->report, '}');
}

static void finish(const part *p, int status, double begin, od_outcomes *outcomes)
{
    print_part(p, status);
    report_part(p, status);
    note_outcome(p, status, now() - begin, outcomes);
}

/* Some exporters put a still pose beside the motion. */
static int count_moving(const od_scene *scene)
{
    int count = 0;
    for (int i = 0; i < scene->clip_count; i++) count += scene->clips[i].frames > 1;
    return count;
}

/* A file of several clips, each with an arena that is gone before the next. What reading noted is told with
 * each. */
static void convert_clips(part *file, int count, double begin, od_outcomes *outcomes)
{
    const od_conversion *c = file->c;
    const od_scene *scene = &file->job.scene;
    for (int i = 0, index = 0; i < scene->clip_count; i++) {
        od_error error = {0};
        od_report notes = *file->job.report;
        if (scene->clips[i].frames < 2) continue;
        part p = *file;
        p.index = index++;
        p.count = count;
        p.job.clip = &scene->clips[i];
        p.job.error = &error;
        p.job.report = &notes;
        const char *kept = od_journal_part(c->journal, p.key, p.index);
        if (kept) keep(c, kept, outcomes);
        if (kept) continue;
        int status = EXIT_INPUT;
        p.job.arena = notes.arena = od_arena_child(file->job.arena, &error);
        const char *name =
            !p.job.arena ? NULL : od_work_name_clip(c->work, c->task, scene, p.job.clip, p.job.arena, &error);
        if (name) p.job.output = name;
        if (name) status = run(&p);
        finish(&p, status, begin, outcomes);
        if (notes.arena) od_arena_free(notes.arena);
        if (file->job.report->last) file->job.report->last->next = NULL; /* its notes went with the arena */
        begin = now();
    }
}

static bool has_clips(const od_conversion *c, const od_job_kind *kind)
{
    return c->task && !c->cli->clip && kind != &od_job_camera;
}

static void convert(part *p, od_outcomes *outcomes)
{
    od_job *j = &p->job;
    double begin = now();
    int count = 0;
    if (has_clips(p->c, p->kind) && od_load_scene(j->cli, j->source, &j->scene, j->report, j->arena, j->error))
        count = count_moving(&j->scene);
    if (count > 1) convert_clips(p, count, begin, outcomes);
    else finish(p, j->error->failed ? EXIT_INPUT : run(p), begin, outcomes);
}

void od_convert(const od_conversion *c, od_outcomes *outcomes)
{
    od_error error = {0};
    int parts;
    uint64_t key = c->journal ? od_journal_key(c->cli, c->source, c->output) : 0;
    *outcomes = (od_outcomes){0};
    if (c->journal && od_journal_whole(c->journal, key, &parts)) {
        for (int i = 0; i < parts; i++) keep(c, od_journal_part(c->journal, key, i), outcomes);
        return;
    }
    od_arena *arena = od_arena_new(0);
    od_report notes = {.arena = arena};
    od_job job = {.cli = c->cli,
                  .target = c->target,
                  .source = c->source,
                  .output = c->output,
                  .detail = c->detail,
                  .out = c->out,
                  .arena = arena,
                  .report = &notes,
                  .error = &error};
    part p = {.c = c, .kind = kind_of(c->cli), .key = key, .count = 1, .job = job};
    if (!arena) od_fail(&error, "out of memory");
    if (c->task && c->task->trouble) od_fail(&error, "%s", c->task->trouble);
    if (arena && c->task && c->task->note) od_warn(&notes, "%s", c->task->note);
    if (error.failed) finish(&p, EXIT_INPUT, now(), outcomes);
    else convert(&p, outcomes);
    od_arena_free(arena);
}

void od_convert_skip(const od_conversion *c)
{
    begin_report(c, c->report, NULL, OD_REPORT_LEFT);
    od_writer_text(c->report, "error", "not begun");
    od_writer_end(c->report, '}');
}

void od_outcomes_free(od_outcomes *outcomes)
{
    for (int i = 0; i < outcomes->count; i++) free_outcome(&outcomes->rows[i]);
    free(outcomes->rows);
    *outcomes = (od_outcomes){0};
}
