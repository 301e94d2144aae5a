/* Input: a source, a target, a mapping. Output: a VMD, and what was chosen on the way. */
#include "cli/convert.h"

#include <string.h>

#include "cli/check_text.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/report.h"

/* One conversion: what its stages hand on. */
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
    od_retarget_options options;
    od_keys keys;
    od_retarget_result result;
    od_check check;
} job;

/* Before any work: may the output be written, and is it none of the files that are read? */
static bool check_output(const job *j)
{
    return od_output_allowed(j->output, j->cli->force, true, j->error) && od_load_spares(j->cli, j->output, j->error);
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

/* Units by which IK may miss its goal in what we write; in dances made by hand it misses more. */
static const double SHORT_OF_GOAL = 0.01;

/* Plays the keys back. Where IK would move the legs from where the keys have them it is switched off. */
static bool check_keys(job *j)
{
    const od_check_options options = {.every = 10, .agreeing = j->cli->retarget.legs == OD_LEGS_BOTH};
    const od_reference *reference = &j->result.reference;
    if (!od_check_motion(j->target, &j->keys, reference, &options, &j->check, NULL, j->arena, j->error)) return false;
    if (od_check_mend(&j->check, &j->keys, j->report) &&
        !od_check_motion(j->target, &j->keys, reference, &options, &j->check, NULL, j->arena, j->error))
        return false;
    double limits[OD_MEASURE_COUNT];
    memcpy(limits, j->cli->limit, sizeof limits);
    limits[OD_MEASURE_RESIDUAL] = SHORT_OF_GOAL;
    if (j->cli->retarget.in_place) limits[OD_MEASURE_SLIDE] = (double)INFINITY; /* they march on the spot */
    od_check_judge(&j->check, limits, j->report);
    return true;
}

/* From a scene to keys. */
static int make_keys(job *j)
{
    const od_cli *cli = j->cli;
    od_skeleton *skeleton = &j->scene.skeleton;
    od_keys all;
    int unmapped = cli->map ? EXIT_TARGET : EXIT_INPUT; /* whose fault it is that nothing fits */
    if (!(j->clip = od_load_clip(cli, &j->scene, j->source, j->error))) return EXIT_INPUT;
    if (!od_load_mapping(cli, &j->scene, &j->mapping, j->report, j->arena, j->error)) return unmapped;
    if (!od_binding_make(&j->mapping, skeleton, j->target, &j->binding, j->report, j->arena, j->error)) return unmapped;
    j->options = cli->retarget;
    if (od_load_bind(cli, &j->mapping, j->clip, &j->options.bind, j->error) &&
        od_retarget(&j->scene, j->clip, &j->binding, j->target, &j->options, &all, &j->result, j->report, j->arena,
                    j->error) &&
        od_vmd_keep(&all, &j->keys, j->report, j->arena, j->error))
        return EXIT_DONE;
    return j->error->mapping ? unmapped : EXIT_INPUT;
}

/* The camera of the source's dancer for the target, who may be taller. */
static int make_camera(job *j)
{
    const od_cli *cli = j->cli;
    od_target model;
    od_keys all;
    if (!od_load_keys(j->source, &all, j->report, j->arena, j->error)) return EXIT_INPUT;
    if (!all.camera_count) {
        od_fail(j->error, "%s: there are no camera keys in the file", od_load_name(j->source));
        return EXIT_INPUT;
    }
    if (cli->retarget.scale_kind == OD_SCALE_FIXED) j->result.scale = (float)cli->retarget.scale;
    else if (!cli->source_model) {
        od_fail(j->error, "--camera needs the model of the source's dancer (--source-model) or a ratio (--scale N)");
        return EXIT_INPUT;
    } else if (od_load_model(cli->source_model, &model, j->report, j->arena, j->error)) {
        j->result.scale = od_target_height(j->target) / od_target_height(&model);
    } else return EXIT_INPUT;
    if (!(j->result.scale > 0) || !isfinite(j->result.scale)) {
        od_fail(j->error, "one of the models has no height: give the ratio with --scale N");
        return EXIT_INPUT;
    }
    return od_camera_scale(&all, j->result.scale, &j->keys, j->arena, j->error) ? EXIT_DONE : EXIT_INPUT;
}

/* The motion of the source for the target. */
static int make_motion(job *j)
{
    if (!od_load_scene(j->cli, j->source, &j->scene, j->report, j->arena, j->error)) return EXIT_INPUT;
    int status = make_keys(j);
    if (status != EXIT_DONE) od_load_blame_root(&j->scene, j->error);
    if (status != EXIT_DONE || j->cli->no_check) return status;
    return check_keys(j) ? EXIT_DONE : EXIT_INPUT;
}

/* The conversion, one stage a line. The text of the source is gone when its scene is there; the VMD is
 * never in memory as a whole. */
static int run_stages(job *j)
{
    if (!check_output(j)) return EXIT_WRITE;
    int status = j->cli->camera ? make_camera(j) : make_motion(j);
    if (status != EXIT_DONE) return status;
    return write_vmd(j) ? EXIT_DONE : EXIT_WRITE;
}

static void print_mapping(const job *j)
{
    for (int i = 0; i < j->binding.count; i++) {
        const od_bound *row = &j->binding.rows[i];
        const char *bone = row->bone >= 0   ? j->target->skeleton.bones[row->bone].name
                           : row->role >= 0 ? od_role_name(row->role)
                                            : NULL;
        if (!bone) continue;
        fputs("    ", stderr);
        od_print_text(stderr, j->scene.skeleton.bones[row->source].name);
        fputs(" -> ", stderr);
        od_print_text(stderr, bone);
        fprintf(stderr, "%s%s\n", row->use & OD_USE_TRANSLATION ? ", travel" : "",
                row->bone < 0 ? ", which the model lacks" : "");
    }
}

static void print_motion(const job *j)
{
    const od_retarget_result *r = &j->result;
    if (j->cli->verbose) print_mapping(j);
    fprintf(stderr, "  turned %.0f degrees to the front, up is %s, arms %.1f degrees apart at rest\n",
            (double)r->heading + 0.0, r->up, (double)r->arm_angle);
    fprintf(stderr, "  scale: %.4g units per unit of the source (%s), floor at %.4g\n", (double)r->scale, r->scale_kind,
            (double)r->ground);
    fprintf(stderr, "  feet: %d contacts, hips lowered by at most %.2f units\n", r->contacts, (double)r->reach_lowered);
    if (!j->cli->no_check) od_check_print_line(stderr, &j->check);
    fprintf(stderr, "  written: %d frames, %.1f s, %zu keys of %d bones\n", r->frames, r->frames / 30.0,
            od_keys_count(&j->keys), j->keys.track_count);
}

static void print_summary(const job *j)
{
    od_print_text(stderr, od_load_name(j->source));
    fputs(" -> ", stderr);
    od_print_text(stderr, strcmp(j->output, "-") ? j->output : "standard output");
    fputc('\n', stderr);
    od_print_choices(j->report);
    if (!j->cli->camera) print_motion(j);
    else
        fprintf(stderr, "  written: %d keys of the camera, scaled by %.4g\n", j->keys.camera_count,
                (double)j->result.scale);
}

static void report_job(const job *j, od_writer *w, int status)
{
    od_writer_begin(w, NULL, '{');
    od_writer_text(w, "source", od_load_name(j->source));
    od_writer_text(w, "output", status == EXIT_DONE ? j->output : NULL);
    od_writer_number(w, "status", status);
    od_writer_text(w, "error", status == EXIT_DONE ? NULL : j->error->message);
    od_report_notes(w, j->report);
    if (status == EXIT_DONE && j->cli->camera) {
        od_writer_number(w, "scale", (double)j->result.scale);
        od_writer_number(w, "camera_keys", j->keys.camera_count);
    } else if (status == EXIT_DONE) {
        od_report_clip(w, j->clip);
        od_report_mapping(w, &j->mapping, &j->binding, &j->scene.skeleton, j->target);
        od_report_result(w, &j->result);
        if (!j->cli->no_check) od_check_write(w, "check", &j->check, j->cli->limit);
        od_report_keys(w, &j->keys);
    }
    od_writer_end(w, '}');
}

int od_convert(const od_cli *cli, const od_target *target, const char *source, const char *output, od_writer *report)
{
    od_error error = {0};
    od_arena *arena = od_arena_new(0);
    od_report notes = {.arena = arena};
    job j = {.cli = cli,
             .target = target,
             .source = source,
             .output = output,
             .arena = arena,
             .report = &notes,
             .error = &error};
    int status = arena ? run_stages(&j) : EXIT_INPUT;
    if (!arena) od_fail(&error, "out of memory");
    if (status == EXIT_DONE && !cli->quiet) print_summary(&j);
    if (!cli->quiet) od_print_warnings(od_load_name(source), &notes);
    if (status != EXIT_DONE) od_print_error(od_load_name(source), &error);
    if (report) report_job(&j, report, status);
    od_arena_free(arena);
    return status;
}
