/* Input: a source with a motion, a target. Output: keys for the target, played back. */
#include <string.h>

#include "cli/check_text.h"
#include "cli/job.h"
#include "cli/load.h"
#include "cli/print.h"
#include "cli/report.h"

/* Units by which IK may miss its goal in what we write; in dances made by hand it misses more. */
static const double SHORT_OF_GOAL = 0.01;

/* Plays the keys back, on every frame and reduced. Where IK would move the legs from where the keys have them it
 * is switched off. */
static bool check_keys(od_job *j)
{
    const od_check_options options = {.every = 10, .agreeing = j->cli->retarget.legs == OD_LEGS_BOTH};
    const od_reference *reference = &j->result.reference;
    if (!od_check_motion(j->target, &j->keys, reference, &options, &j->check, NULL, j->arena, j->error)) return false;
    if (od_check_mend(&j->check, &j->keys, j->report) &&
        !od_check_motion(j->target, &j->keys, reference, &options, &j->check, NULL, j->arena, j->error))
        return false;
    od_keys all = j->keys;
    if (!od_reduce_checked(j->target, &all, reference, &j->reduce, &options, &j->keys, &j->check, &j->reduction,
                           j->report, j->arena, j->error))
        return false;
    double limits[OD_MEASURE_COUNT];
    memcpy(limits, j->cli->limit, sizeof limits);
    limits[OD_MEASURE_RESIDUAL] = SHORT_OF_GOAL + j->reduction.way;
    if (j->cli->retarget.in_place) limits[OD_MEASURE_SLIDE] = (double)INFINITY; /* they march on the spot */
    od_check_judge(&j->check, limits, j->report);
    return true;
}

/* Without playing them. */
static bool reduce_keys(od_job *j)
{
    od_keys all = j->keys;
    return od_reduce(j->target, &all, &j->reduce, &j->keys, &j->reduction, j->arena, j->error);
}

int od_job_retarget(od_job *j, od_keys *keys)
{
    const od_cli *cli = j->cli;
    od_skeleton *skeleton = &j->scene.skeleton;
    int unmapped = cli->map ? EXIT_TARGET : EXIT_INPUT; /* whose fault it is that nothing fits */
    if (!od_load_mapping(cli, &j->scene, &j->mapping, j->report, j->arena, j->error)) return unmapped;
    if (!od_binding_make(&j->mapping, skeleton, j->target, &j->binding, j->report, j->arena, j->error)) return unmapped;
    j->options = cli->retarget;
    if (od_load_bind(cli, &j->mapping, j->clip, &j->options.bind, j->error) &&
        od_retarget(&j->scene, j->clip, &j->binding, j->target, &j->options, keys, &j->result, j->report, j->arena,
                    j->error))
        return EXIT_DONE;
    return j->error->mapping ? unmapped : EXIT_INPUT;
}

static bool smooth_keys(od_job *j)
{
    od_keys all = j->keys;
    od_smoothing s;
    if (j->cli->smooth == 0) return true;
    if (!od_smooth(j->target, &all, j->cli->smooth, &j->keys, &s, j->arena, j->error)) return false;
    if (s.most_bone)
        od_choice(j->report, "smoothed over %g frames: %d bones, by %.2f degrees on average, at most %.2f (%s)",
                  j->cli->smooth, s.tracks, s.mean, s.most, s.most_bone);
    return true;
}

/* The motion of the source for the target. */
static int make(od_job *j)
{
    od_keys all;
    if (!od_job_read(j)) return EXIT_INPUT;
    int status = od_job_retarget(j, &all);
    if (status != EXIT_DONE) od_load_blame_root(&j->scene, j->error);
    if (status != EXIT_DONE) return status;
    if (!od_vmd_keep(&all, &j->keys, j->report, j->arena, j->error) || !smooth_keys(j)) return EXIT_INPUT;
    j->reduce = j->cli->reduce;
    j->reduce.contacts = &j->result.footing;
    return (j->cli->no_check ? reduce_keys(j) : check_keys(j)) ? EXIT_DONE : EXIT_INPUT;
}

static void print_mapping(const od_job *j)
{
    for (int i = 0; i < j->binding.count; i++) {
        const od_bound *row = &j->binding.rows[i];
        const char *bone = row->bone >= 0   ? j->target->skeleton.bones[row->bone].name
                           : row->role >= 0 ? od_role_name(row->role)
                                            : NULL;
        if (!bone) continue;
        fputs("    ", j->out);
        od_print_text(j->out, j->scene.skeleton.bones[row->source].name);
        fputs(" -> ", j->out);
        od_print_text(j->out, bone);
        fprintf(j->out, "%s%s\n", row->use & OD_USE_TRANSLATION ? ", travel" : "",
                row->bone < 0 ? ", which the model lacks" : "");
    }
}

static void print(const od_job *j)
{
    const od_retarget_result *r = &j->result;
    if (j->detail > 1) print_mapping(j);
    fprintf(j->out, "  turned %.0f degrees to the front, up is %s, arms %.1f degrees apart at rest\n",
            (double)r->heading + 0.0, r->up, (double)r->arm_angle);
    fprintf(j->out, "  scale: %.4g units per unit of the source (%s), floor at %.4g\n", (double)r->scale, r->scale_kind,
            (double)r->ground);
    fprintf(j->out, "  feet: %d contacts, hips lowered by at most %.2f units\n", r->contacts, (double)r->reach_lowered);
    if (!j->cli->no_check) od_check_print_line(j->out, &j->check);
    size_t keys = od_keys_count(&j->keys);
    if (j->reduce.kind != OD_REDUCE_OFF)
        fprintf(j->out, "  keys: %.0f %% of those on all frames show the same within %g deg, %g units\n",
                100.0 * (double)keys / (double)j->reduction.before, j->reduction.angle, j->reduction.way);
    fprintf(j->out, "  written: %d frames, %.1f s, %zu keys of %d bones\n", r->frames, r->frames / 30.0, keys,
            j->keys.track_count);
}

static void report(const od_job *j, od_writer *w)
{
    od_report_clip(w, j->clip);
    od_report_mapping(w, &j->mapping, &j->binding, &j->scene.skeleton, j->target);
    od_report_result(w, &j->result);
    if (!j->cli->no_check) od_check_write(w, "check", &j->check, j->cli->limit);
    od_report_reduction(w, &j->reduction, j->reduce.kind);
    od_report_keys(w, &j->keys);
}

const od_job_kind od_job_motion = {make, od_job_write_keys, print, report};
