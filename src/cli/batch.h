/* Batch: many sources at once. */
#ifndef ODORI_CLI_BATCH_H
#define ODORI_CLI_BATCH_H

#include "cli/load.h"
#include "cli/report_file.h"
#include "cli/work.h"

typedef struct od_batch {
    const od_cli *cli;
    const od_target *targets; /* as many as the command line names, or the built-in one */
    const od_shared *shared;
    size_t left; /* result: tasks that were not begun */
} od_batch;

/* Does the work; returns an exit code. `report` may be NULL. */
int od_batch_run(od_batch *settings, const od_work *list, od_report_file *report, od_arena *arena, od_error *error);

#endif
