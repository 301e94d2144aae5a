/* One conversion, and the kinds that there are. */
#ifndef ODORI_CLI_JOB_H
#define ODORI_CLI_JOB_H

#include "cli/options.h"
#include "cli/writer.h"

/* What the stages of a conversion hand on. */
typedef struct od_job {
    const od_cli *cli;
    const od_target *target;
    const char *source, *output;
    bool force; /* an existing output may be replaced */
    int detail; /* how much is printed: 0 a line, 1 what was chosen, 2 what each joint drives, 3 keys of each bone */
    FILE *out;  /* where it is printed */
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
    od_reduce_options reduce;
    od_reduction reduction;
} od_job;

/* A kind of conversion. */
typedef struct od_job_kind {
    int (*make)(od_job *); /* all that comes before the output; returns an exit code */
    bool (*write)(od_job *, const od_sink *);
    void (*print)(const od_job *);                /* what a person should know of it */
    void (*report)(const od_job *, od_writer *w); /* members of its report */
} od_job_kind;

/* A motion for the target, as VMD. */
extern const od_job_kind od_job_motion;
/* The camera of a VMD (--camera). */
extern const od_job_kind od_job_camera;
/* The source's motion as it is seen, as BVH. */
extern const od_job_kind od_job_scene;

/* Scene and clip of the source, unless they are there. */
bool od_job_read(od_job *job);

/* From a scene to keys for the target: mapping, rest pose, solver. Returns an exit code. */
int od_job_retarget(od_job *job, od_keys *keys);

/* Writes job->keys. */
bool od_job_write_keys(od_job *job, const od_sink *sink);

#endif
