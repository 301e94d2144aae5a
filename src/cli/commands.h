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

/* Runs what a command does with memory and a report of its own; prints its failure, with `name` as
 * od_print_error has it. Returns an exit code. */
typedef int od_command_body(const od_cli *cli, od_report *report, od_arena *arena, od_error *error);
int od_run_command(const od_cli *cli, const char *name, od_command_body *body);

/* The program's help: what it is for and its commands. */
void od_print_help(FILE *out);

#endif
