/* Convert: one source becomes one file, or one for each of its clips. */
#ifndef ODORI_CLI_CONVERT_H
#define ODORI_CLI_CONVERT_H

#include "cli/journal.h"
#include "cli/work.h"
#include "cli/writer.h"

/* What to do. */
typedef struct od_conversion {
    const od_cli *cli; /* its target is this one's */
    const od_target *target;
    const char *source, *output;
    int detail;        /* see od_job */
    FILE *out;         /* what was chosen and what failed is printed here */
    od_writer *report; /* gets an object for each output; NULL: none */
    /* Of a batch, in which each clip of a file gets an output; NULL: of none. */
    const od_work *work;
    const od_task *task;
    od_journal *journal;
} od_conversion;

/* What became of an output. What was not measured is below 0. */
typedef struct od_outcome {
    char *source, *output, *error; /* `output` is NULL when there is none, `error` when there is one */
    int status;                    /* exit code */
    bool kept;                     /* a run before had made it */
    char mapping[32];
    int frames;
    double keys, direction, slide, residual, seconds;
} od_outcome;

typedef struct od_outcomes {
    od_outcome *rows;
    int count;
    bool lost; /* there was no memory for one */
} od_outcomes;

/* Converts; all there is to know is in `outcomes`, which is to be freed. */
void od_convert(const od_conversion *conversion, od_outcomes *outcomes);
/* Only tells the report that it was not begun. */
void od_convert_skip(const od_conversion *conversion);

void od_outcomes_free(od_outcomes *outcomes);

/* What the command line asks to write: never OD_TO_AUTO. */
od_to od_convert_to(const od_cli *cli);

/* Its files' ending, "vmd". */
const char *od_convert_ending(const od_cli *cli);

#endif
