/* Convert: one source becomes one file. */
#ifndef ODORI_CLI_CONVERT_H
#define ODORI_CLI_CONVERT_H

#include "cli/options.h"
#include "cli/writer.h"

/* Returns an exit code; what was chosen and what failed is printed, and written into `report` unless
 * that is NULL. */
int od_convert(const od_cli *cli, const od_target *target, const char *source, const char *output, od_writer *report);

/* What the command line asks to write: never OD_TO_AUTO. */
od_to od_convert_to(const od_cli *cli);

#endif
