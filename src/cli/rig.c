/* Input: a model and what to add to it. Output: the model as a PMX. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/report.h"

typedef struct job {
    const od_cli *cli;
    const char *output;
    od_file file;
    od_arena *arena;
    od_report *report;
    od_error *error;
} job;

/* The mapping of --map, told apart by the model's skeleton. */
static bool load_mapping(const job *j, const od_model *model, od_mapping *mapping)
{
    od_target target;
    od_scene scene = {0};
    if (!od_model_target(model, &target, NULL, j->arena, j->error)) return false;
    scene.skeleton = target.skeleton;
    return od_load_mapping(j->cli, &scene, mapping, j->report, j->arena, j->error);
}

/* Holds what is written against what was read. */
typedef struct tee {
    od_sink to;
    const od_file *file;
    size_t at, differs; /* first place of another byte; SIZE_MAX: none */
} tee;

static bool write_both(void *context, const void *data, size_t size, od_error *error)
{
    tee *t = context;
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size && t->differs == SIZE_MAX; i++)
        if (t->at + i >= t->file->size || t->file->data[t->at + i] != bytes[i]) t->differs = t->at + i;
    t->at += size;
    return t->to.write(t->to.context, data, size, error);
}

/* A model that nothing was added to is written byte for byte, or it is told where not. */
static void tell_difference(const job *j, const tee *t)
{
    bool same = t->differs == SIZE_MAX && t->at == t->file->size;
    size_t at = t->differs < t->file->size ? t->differs : t->file->size;
    if (same) od_choice(j->report, "written byte for byte as it was read");
    else od_choice(j->report, "written: %zu bytes, of which the first at 0x%zx differs from what was read", t->at, at);
}

static bool write_model(const job *j, const od_model *model)
{
    od_output output;
    tee both = {{od_output_write, &output}, &j->file, 0, SIZE_MAX};
    if (!od_output_open(&output, j->output, j->cli->force, j->error)) return false;
    bool good = od_pmx_write(model, &(od_sink){write_both, &both}, j->error);
    if (!od_output_close(&output, good, j->error)) return false;
    tell_difference(j, &both);
    return true;
}

static int run_stages(const job *j)
{
    const od_cli *cli = j->cli;
    od_model model;
    od_mapping mapping;
    if (!cli->dry_run &&
        (!od_output_allowed(j->output, cli->force, true, j->error) || !od_load_spares(cli, j->output, j->error)))
        return EXIT_WRITE;
    if (!od_read_model(&j->file, NULL, &model, j->report, j->arena, j->error)) return EXIT_INPUT;
    if (cli->map && !load_mapping(j, &model, &mapping)) return EXIT_TARGET;
    if (!od_rig(&model, cli->map ? &mapping : NULL, &cli->rig, j->report, j->arena, j->error)) return EXIT_INPUT;
    return cli->dry_run || write_model(j, &model) ? EXIT_DONE : EXIT_WRITE;
}

static bool write_report(const job *j, int status, od_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return od_fail(error, "out of memory");
    od_writer w = {.out = out};
    od_writer_begin(&w, NULL, '{');
    od_writer_number(&w, "odori", 1);
    od_writer_text(&w, "version", od_version());
    od_writer_text(&w, "model", od_load_name(j->cli->inputs[0]));
    od_writer_text(&w, "output", status == EXIT_DONE && !j->cli->dry_run ? j->output : NULL);
    od_writer_number(&w, "status", status);
    od_writer_text(&w, "error", j->error->failed ? j->error->message : NULL);
    od_report_notes(&w, j->report);
    od_writer_end(&w, '}');
    bool done = (!fclose(out) || od_fail(error, "out of memory")) &&
                od_output_text(j->cli->report, j->cli->force, text, size, error);
    free(text);
    return done;
}

static int run_job(job *j)
{
    const char *path = j->cli->inputs[0];
    od_error late = {0};
    if (!od_input_read(path, &j->file, j->error)) return EXIT_INPUT;
    int status = run_stages(j);
    if (!j->cli->quiet) {
        od_print_choices(stderr, j->report);
        od_print_warnings(stderr, od_load_name(path), j->report);
    }
    if (j->cli->report && !write_report(j, status, &late)) {
        od_print_error(stderr, NULL, &late);
        if (status == EXIT_DONE) status = EXIT_WRITE;
    }
    od_input_free(&j->file);
    return status;
}

static int run(const od_cli *cli, od_report *report, od_arena *arena, od_error *error)
{
    job j = {.cli = cli, .output = cli->output ? cli->output : "-", .arena = arena, .report = report, .error = error};
    return run_job(&j);
}

int od_run_rig(const od_cli *cli)
{
    return od_run_command(cli, NULL, run);
}
