/* Input: a VMD's camera, heights of two models. Output: the camera for the second. */
#include <math.h>

#include "cli/job.h"
#include "cli/load.h"

/* The camera of the source's dancer for the target, who may be taller. */
static int make(od_job *j)
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
    } else if (od_load_source_model(cli, &model, j->report, j->arena, j->error)) {
        j->result.scale = od_target_height(j->target) / od_target_height(&model);
    } else return EXIT_INPUT;
    if (!(j->result.scale > 0) || !isfinite(j->result.scale)) {
        od_fail(j->error, "one of the models has no height: give the ratio with --scale N");
        return EXIT_INPUT;
    }
    return od_camera_scale(&all, j->result.scale, &j->keys, j->arena, j->error) ? EXIT_DONE : EXIT_INPUT;
}

static void print(const od_job *j)
{
    fprintf(j->out, "  written: %d keys of the camera, scaled by %.4g\n", j->keys.camera_count,
            (double)j->result.scale);
}

static void report(const od_job *j, od_writer *w)
{
    od_writer_number(w, "scale", (double)j->result.scale);
    od_writer_number(w, "camera_keys", j->keys.camera_count);
}

const od_job_kind od_job_camera = {make, od_job_write_keys, print, report};
