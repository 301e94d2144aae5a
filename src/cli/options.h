/* Options: one table from which parsing, --help, completion and the tests derive. */
#ifndef ODORI_CLI_OPTIONS_H
#define ODORI_CLI_OPTIONS_H

#include <stdio.h>

#include "odori/odori.h"

/* Exit codes. */
enum { EXIT_DONE, EXIT_INPUT, EXIT_USAGE, EXIT_TARGET, EXIT_WRITE };

/* Commands that an option belongs to. */
enum {
    FOR_CONVERT = 1,
    FOR_INSPECT = 2,
    FOR_MAP = 4,
    FOR_OTHERS = 8,
    FOR_CHECK = 16,
    FOR_DUMP = 32,
    FOR_RIG = 64,
    FOR_REPORT = 128,
    FOR_REDUCE = 512,
    OF_RUN = 256, /* of the row: it says how to work, not what comes out */
    FOR_FILES = FOR_CONVERT | FOR_INSPECT | FOR_MAP | FOR_CHECK,
    FOR_ALL = FOR_FILES | FOR_OTHERS | FOR_DUMP | FOR_RIG | FOR_REPORT | FOR_REDUCE
};

/* When progress is shown: OD_PROGRESS_AUTO on a terminal. */
typedef enum od_progress_kind { OD_PROGRESS_AUTO, OD_PROGRESS_BAR, OD_PROGRESS_JSON } od_progress_kind;

/* What convert writes; OD_TO_AUTO: by the name of the output, else VMD. */
typedef enum od_to { OD_TO_AUTO, OD_TO_VMD, OD_TO_BVH } od_to;

typedef struct od_cli {
    const char **inputs;
    int input_count;
    const char *target, *map, *output, *output_dir, *from, *report, *clip, *model_name, *source_model, *skeleton;
    od_to to;
    bool all_clips, allow_external, camera, english, force, quiet, json, check, no_check, dry_run, help;
    int verbose; /* how many times */
    /* Of a batch. The last of `targets` is `target`; `shard` counts from 1, `shards` 0 is none. */
    const char **targets, **includes, *filelist, *retry;
    int target_count, include_count, jobs, shard, shards;
    bool recursive, mirror, fail_fast, resume, summary;
    od_progress_kind progress;
    const struct od_shared *shared; /* load.h; NULL: nothing is read yet */
    const char **given; /* given[row of the table]: the option's argument, "" without; NULL: it was not given */
    int every;          /* n-th frame of a dump; 0: not said */
    double limit[OD_MEASURE_COUNT]; /* of a check */
    bool bind_set;                  /* --bind was given: it counts more than what a mapping says */
    od_read_options read;
    od_retarget_options retarget;
    od_reduce_options reduce;
    double smooth; /* frames; 0: not at all */
    size_t split;  /* keys in a file at most; 0: any number */
    od_rig_options rig;
} od_cli;

typedef struct od_command {
    const char *name, *arguments, *help;
    unsigned bit;
    int least_inputs, most_inputs;
    int (*run)(const od_cli *cli); /* returns an exit code */
} od_command;

/* All commands; ends with a row without a name. */
extern const od_command od_commands[];

/* The command of this name; on failure `error` suggests the nearest. */
const od_command *od_command_find(const char *name, od_error *error);

/* Parses the words behind the command. On failure `error` says what is wrong, with the nearest name
 * for a misspelt one. `cli->inputs` points into a list from the arena. */
bool od_options_parse(const od_command *command, int argc, char **argv, od_cli *cli, od_arena *arena, od_error *error);

/* The help of one command. */
void od_options_help(FILE *out, const od_command *command);

/* The completion for bash. */
void od_options_bash(FILE *out);

#endif
