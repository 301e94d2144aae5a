/* Input: a source with a motion. Output: the motion as it is seen (IK and append of MMD's played), in a
 * BVH. */
#include "cli/job.h"
#include "cli/load.h"
#include "cli/report.h"

/* The part that is asked for, at the source's own rate. */
static int make(od_job *j)
{
    od_resample_options part = j->cli->retarget.resample;
    if (!od_job_read(j)) return EXIT_INPUT;
    od_clip *clip = OD_NEW(j->arena, od_clip, 1, j->error);
    part.fps = j->clip->fps;
    if (!clip || !od_clip_resample(j->clip, &part, clip, j->error)) return EXIT_INPUT;
    j->clip = j->scene.clips = clip;
    j->scene.clip_count = 1;
    return EXIT_DONE;
}

/* Names of the bones: their own, or the English ones of those that the source knows. */
static bool name_bones(const od_job *j, const char **names)
{
    for (int i = 0; i < j->scene.skeleton.count; i++) {
        int role = j->scene.roles ? j->scene.roles[i] : OD_ROLE_NONE;
        bool english = j->cli->english && role != OD_ROLE_NONE;
        names[i] = english ? od_role_name_en((od_role)role) : j->scene.skeleton.bones[i].name;
    }
    return true;
}

static bool write(od_job *j, const od_sink *sink)
{
    const char **names = OD_NEW(j->arena, const char *, (size_t)j->scene.skeleton.count, j->error);
    od_write_options options = {.names = names, .tails = j->scene.tails};
    return names && name_bones(j, names) && od_bvh_write(&j->scene, &options, sink, j->report, j->error);
}

static void print(const od_job *j)
{
    fprintf(j->out, "  written: %d frames, %.1f s, %d joints\n", j->clip->frames, j->clip->frames / j->clip->fps,
            j->scene.skeleton.count);
}

static void report(const od_job *j, od_writer *w)
{
    od_report_clip(w, j->clip);
}

const od_job_kind od_job_scene = {make, write, print, report};
