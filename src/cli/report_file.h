/* Report file: a report that is written piece by piece and appears when it is whole. */
#ifndef ODORI_CLI_REPORT_FILE_H
#define ODORI_CLI_REPORT_FILE_H

#include "cli/load.h"
#include "cli/output.h"

typedef struct od_report_file {
    od_output output;
    bool any; /* there is an object */
    od_error error;
} od_report_file;

/* Begins it: all but the files. `notes[target]` and `targets[target]` belong to the targets of the command line. */
bool od_report_file_open(od_report_file *file, const od_cli *cli, const od_target *targets, const od_report *notes,
                         od_error *error);

/* Adds objects; `text` begins with the line feed before the first. */
void od_report_file_add(od_report_file *file, const char *text, size_t size);

/* Ends it; false when it could not be written. */
bool od_report_file_close(od_report_file *file, size_t left, od_error *error);

#endif
