/* The program: finds the command, parses its options, runs it. */
#include <string.h>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/print.h"

static int run(int argc, char **argv, od_arena *arena, od_error *error)
{
    const char *word = argv[1];
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) word = "help";
    if (!strcmp(word, "--version")) word = "version";
    od_cli cli = {0};
    const od_command *command = od_command_find(word, error);
    if (!command || !od_options_parse(command, argc - 1, argv + 1, &cli, arena, error)) return EXIT_USAGE;
    if (cli.help) {
        od_options_help(stdout, command);
        return EXIT_DONE;
    }
    if (cli.input_count < command->least_inputs || cli.input_count > command->most_inputs) {
        od_fail(error, "usage: odori %s%s%s", command->name, *command->arguments ? " " : "", command->arguments);
        return EXIT_USAGE;
    }
    return command->run(&cli);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        od_print_help(stderr);
        return EXIT_USAGE;
    }
    od_interrupt_guard();
    od_error error = {0};
    od_arena *arena = od_arena_new(0);
    int status = arena ? run(argc, argv, arena, &error) : EXIT_INPUT;
    od_arena_free(arena);
    bool lost = fflush(stdout) || ferror(stdout);
    if (lost && status == EXIT_DONE) {
        od_fail(&error, "standard output: cannot be written");
        status = EXIT_WRITE;
    }
    if (error.failed) od_print_error(stderr, NULL, &error);
    return status;
}
