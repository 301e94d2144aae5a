/* Commands: each runs with what the command line gave it and returns an exit code. */
#ifndef ODORI_CLI_COMMANDS_H
#define ODORI_CLI_COMMANDS_H

#include "cli/options.h"

int od_run_convert(const od_cli *cli);
int od_run_inspect(const od_cli *cli);
int od_run_map(const od_cli *cli);

#endif
