/* Commands: each runs with what the command line gave it and returns an exit code. */
#ifndef ODORI_CLI_COMMANDS_H
#define ODORI_CLI_COMMANDS_H

#include "cli/options.h"

int od_run_convert(const od_cli *cli);
int od_run_check(const od_cli *cli);
int od_run_inspect(const od_cli *cli);
int od_run_dump(const od_cli *cli);
int od_run_map(const od_cli *cli);
int od_run_reduce(const od_cli *cli);
int od_run_rig(const od_cli *cli);
int od_run_report(const od_cli *cli);
int od_run_formats(const od_cli *cli);
int od_run_completion(const od_cli *cli);
int od_run_help(const od_cli *cli);
int od_run_version(const od_cli *cli);

/* The program's help: what it is for and its commands. */
void od_print_help(FILE *out);

#endif
