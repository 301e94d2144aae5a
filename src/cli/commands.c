/* The table of commands, and those that only tell about the program. */
#include "cli/commands.h"

#include <string.h>

#include "base/nearest.h"
#include "cli/load.h"
#include "cli/print.h"

enum { MANY = 1 << 20 };

const od_command od_commands[] = {
    {"convert", "[OPTION]... SOURCE...", "make a VMD of each source's motion", FOR_CONVERT, 0, MANY, od_run_convert},
    {"check", "[OPTION]... MOTION [SOURCE]", "play an MMD motion and tell what is wrong with it", FOR_CHECK, 1, 2,
     od_run_check},
    {"inspect", "[OPTION]... FILE", "show what is in a motion or a model", FOR_INSPECT, 1, 1, od_run_inspect},
    {"dump", "[OPTION]... FILE", "write all of a motion, model or mapping as text", FOR_DUMP, 1, 1, od_run_dump},
    {"map", "[OPTION]... [FILE] SOURCE", "write a mapping for editing, or check one", FOR_MAP, 1, 2, od_run_map},
    {"reduce", "[OPTION]... MOTION", "make an MMD motion with fewer keys", FOR_REDUCE, 1, 1, od_run_reduce},
    {"rig", "[OPTION]... MODEL", "add the bones of MMD to a model that lacks them", FOR_RIG, 1, 1, od_run_rig},
    {"report", "merge [OPTION]... REPORT...", "join the reports of several runs", FOR_REPORT, 2, MANY, od_run_report},
    {"formats", "", "list the formats and the presets of mappings", FOR_OTHERS, 0, 0, od_run_formats},
    {"completion", "bash", "print the completion for a shell", FOR_OTHERS, 1, 1, od_run_completion},
    {"help", "[COMMAND]", "tell about odori or a command", FOR_OTHERS, 0, 1, od_run_help},
    {"version", "", "print the version", FOR_OTHERS, 0, 0, od_run_version},
    {0},
};

enum { COMMANDS = sizeof od_commands / sizeof *od_commands };

const od_command *od_command_find(const char *name, od_error *error)
{
    const char *names[COMMANDS] = {NULL};
    for (int i = 0; od_commands[i].name; i++) {
        if (!strcmp(od_commands[i].name, name)) return &od_commands[i];
        names[i] = od_commands[i].name;
    }
    const char *near = od_nearest(name, names);
    if (near) od_fail(error, "there is no command \"%s\"; did you mean %s?", name, near);
    else od_fail(error, "there is no command \"%s\"; `odori help` lists them", name);
    return NULL;
}

void od_print_help(FILE *out)
{
    fprintf(out, "odori makes a dance for one rig into a motion for any MikuMikuDance model.\n\n"
                 "usage: odori COMMAND [OPTION]... [FILE]...\n\ncommands:\n");
    for (const od_command *c = od_commands; c->name; c++) fprintf(out, "  %-12s%s\n", c->name, c->help);
    fprintf(out, "\nexample:\n  odori convert dance.bvh -t model.pmx -o dance.vmd\n\n"
                 "`odori help COMMAND` tells more; so does `man odori`.\n");
}

int od_run_command(const od_cli *cli, const char *name, od_command_body *body)
{
    od_error error = {0};
    int status = EXIT_USAGE;
    if (od_load_once(cli, &error)) {
        od_arena *arena = od_arena_new(0);
        od_report report = {.arena = arena};
        status = arena ? body(cli, &report, arena, &error) : EXIT_INPUT;
        if (!arena) od_fail(&error, "out of memory");
        od_arena_free(arena);
    }
    if (error.failed) od_print_error(stderr, name, &error);
    return status;
}

int od_run_formats(const od_cli *cli)
{
    od_error error = {0};
    od_arena *arena = od_arena_new(0);
    (void)cli;
    if (!arena) return EXIT_INPUT;
    int count;
    const od_format *formats = od_formats(&count);
    printf("formats:\n");
    for (int i = 0; i < count; i++) {
        const od_format *f = &formats[i];
        const char *use = f->read_scene || f->read_keys ? "motion" : f->read_model ? "model" : "output";
        printf("  %-24s%-8s%s (.%s)\n", f->name, use, f->title, f->extensions);
    }
    printf("\npresets of mappings:\n");
    for (int i = 0; i < od_preset_count(); i++) {
        od_mapping mapping;
        bool good = od_preset_load(i, &mapping, arena, &error);
        printf("  %-24s%s\n", od_preset_name(i), good ? mapping.title : "");
    }
    od_arena_free(arena);
    return EXIT_DONE;
}

int od_run_completion(const od_cli *cli)
{
    od_error error = {0};
    if (!strcmp(cli->inputs[0], "bash")) {
        od_options_bash(stdout);
        return EXIT_DONE;
    }
    od_fail(&error, "there is a completion for bash only, not for \"%s\"", cli->inputs[0]);
    od_print_error(stderr, NULL, &error);
    return EXIT_USAGE;
}

int od_run_help(const od_cli *cli)
{
    od_error error = {0};
    const od_command *command = cli->input_count ? od_command_find(cli->inputs[0], &error) : NULL;
    if (error.failed) {
        od_print_error(stderr, NULL, &error);
        return EXIT_USAGE;
    }
    if (command) od_options_help(stdout, command);
    else od_print_help(stdout);
    return EXIT_DONE;
}

int od_run_version(const od_cli *cli)
{
    (void)cli;
    printf("odori %s\n", od_version());
    return EXIT_DONE;
}
