/* Work: what a batch has to do, in order, and how its outputs are called. */
#ifndef ODORI_CLI_WORK_H
#define ODORI_CLI_WORK_H

#include <sys/stat.h>

#include "cli/name_set.h"
#include "cli/walk.h"

/* One source for one target. */
typedef struct od_task {
    const char *source;
    const char *name;    /* of the output, without the target's folder and without ending */
    const char *output;  /* path; that of a clip has its name before the ending */
    const char *trouble; /* why it cannot be done; NULL: it is tried */
    const char *note;    /* what a person should know of the output's name; NULL: nothing */
    int target;          /* index of the target */
    int number;          /* place in the list of all, from 1 */
} od_task;

typedef struct od_work {
    od_task *tasks;
    size_t count;
    const char **folders; /* of outputs, each after those that it is in */
    size_t folder_count;
    od_name_set *names; /* of outputs, without target and ending */
    const char *root;   /* the folder of all outputs */
    struct stat *files; /* of the sources, sorted by device and number */
    size_t file_count;
    od_report *notes;
} od_work;

/* Names the outputs: that of the source without its ending, with --output-dir-mirror below its folders; a name
 * that is taken gets a number. Several targets have a folder each. --shard keeps its share. */
bool od_work_plan(const od_cli *cli, const od_sources *sources, od_work *work, od_report *notes, od_arena *arena,
                  od_error *error);

/* Is this the name of a source? */
bool od_work_is_source(const od_work *work, const char *path);

/* The output for one of several clips in a file: `clip` behind the name, and a number when it is `index` that
 * tells it from others. */
const char *od_work_name_clip(const od_work *work, const od_task *task, const od_scene *scene, const od_clip *clip,
                              od_arena *arena, od_error *error);

#endif
