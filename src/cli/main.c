/* The program: finds the command, parses its options, runs it. */
#include <string.h>

#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"

static int run_formats(const od_cli *cli)
{
    int count;
    const od_format *formats = od_formats(&count);
    (void)cli;
    printf("formats:\n");
    for (int i = 0; i < count; i++) {
        const od_format *f = &formats[i];
        printf("  %-5s %-26s %s%s%s\n", f->name, f->title, f->read_scene ? "source" : "",
               f->read_target ? "target" : "", f->write_keys ? "output" : "");
    }
    printf("\npresets of mappings (-m NAME):\n");
    for (int i = 0; i < od_preset_count(); i++) printf("  %s\n", od_preset_name(i));
    return EXIT_DONE;
}

static int run_version(const od_cli *cli)
{
    (void)cli;
    printf("odori %s\n", od_version());
    return EXIT_DONE;
}

static int run_help(const od_cli *cli)
{
    const od_command *command = cli->input_count ? od_command_named(cli->inputs[0]) : NULL;
    if (!cli->input_count) {
        od_program_help(stdout);
        return EXIT_DONE;
    }
    if (!command) {
        fprintf(stderr, "odori: error: there is no command \"%s\"; `odori help` lists them\n", cli->inputs[0]);
        return EXIT_USAGE;
    }
    od_options_help(stdout, command);
    return EXIT_DONE;
}

static int run_completion(const od_cli *cli)
{
    if (strcmp(cli->inputs[0], "bash") != 0) {
        fprintf(stderr, "odori: error: there is a completion for bash only, not for \"%s\"\n", cli->inputs[0]);
        return EXIT_USAGE;
    }
    od_options_bash(stdout);
    return EXIT_DONE;
}

enum { MANY = 1 << 20 };

const od_command od_commands[] = {
    {"convert", "[OPTION]... SOURCE...", "make a VMD of each source's motion", 1, 1, MANY, od_run_convert},
    {"inspect", "[OPTION]... FILE", "show what is in a motion or a model", 2, 1, 1, od_run_inspect},
    {"map", "[OPTION]... [FILE] SOURCE", "write a mapping for editing, or check one", 4, 1, 2, od_run_map},
    {"formats", "", "list the formats and the presets", 8, 0, 0, run_formats},
    {"completion", "bash", "print the completion for a shell", 8, 1, 1, run_completion},
    {"help", "[COMMAND]", "tell about odori or a command", 8, 0, 1, run_help},
    {"version", "", "print the version", 8, 0, 0, run_version},
    {0},
};

const od_command *od_command_named(const char *name)
{
    for (const od_command *c = od_commands; c->name; c++)
        if (!strcmp(c->name, name)) return c;
    return NULL;
}

static const od_command *find_command(const char *word)
{
    const od_command *command = od_command_named(word);
    const char *names[16] = {NULL};
    if (command) return command;
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) return od_command_named("help");
    if (!strcmp(word, "--version")) return od_command_named("version");
    for (int i = 0; od_commands[i].name; i++) names[i] = od_commands[i].name;
    const char *near = od_nearest(word, names);
    if (near) fprintf(stderr, "odori: error: there is no command \"%s\"; did you mean %s?\n", word, near);
    else fprintf(stderr, "odori: error: there is no command \"%s\"; `odori help` lists them\n", word);
    return NULL;
}

static int run(const od_command *command, int argc, char **argv, od_arena *arena)
{
    od_error error = {0};
    od_cli cli = {0};
    if (!od_options_parse(command, argc, argv, &cli, arena, &error)) {
        od_print_error(&error);
        return EXIT_USAGE;
    }
    if (cli.help) {
        od_options_help(stdout, command);
        return EXIT_DONE;
    }
    if (cli.input_count < command->least_inputs || cli.input_count > command->most_inputs) {
        od_fail(&error, "usage: odori %s %s", command->name, command->arguments);
        od_print_error(&error);
        return EXIT_USAGE;
    }
    return command->run(&cli);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        od_program_help(stderr);
        return EXIT_USAGE;
    }
    const od_command *command = find_command(argv[1]);
    if (!command) return EXIT_USAGE;
    od_arena *arena = od_arena_new(0);
    if (!arena) return EXIT_INPUT;
    od_output_guard();
    int status = run(command, argc - 1, argv + 1, arena);
    od_arena_free(arena);
    if (fflush(stdout) && status == EXIT_DONE) {
        fprintf(stderr, "odori: error: standard output: cannot be written\n");
        status = EXIT_WRITE;
    }
    return status;
}
