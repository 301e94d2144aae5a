/* Input: a source, maybe a mapping file. Output: a mapping for editing, or what is wrong with one. */
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/load.h"
#include "cli/mapping_text.h"
#include "cli/output.h"

/* The text in memory, so that a failing disk leaves no half of it. */
static bool print(const od_mapping *mapping, const char *const *unmapped, int count, const od_cli *cli, od_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return od_fail(error, "out of memory");
    od_print_mapping(out, mapping, unmapped, count);
    bool done = !fclose(out) || od_fail(error, "out of memory");
    const char *path = cli->output ? cli->output : "-";
    od_output output;
    done =
        done && od_output_allowed(path, cli->force, false, error) && od_output_open(&output, path, cli->force, error);
    if (done) done = od_output_close(&output, od_output_write(&output, text, size, error), error);
    free(text);
    return done;
}

static int write_mapping(const od_cli *cli, const od_scene *scene, od_report *report, od_arena *arena, od_error *error)
{
    od_mapping mapping, complete;
    const char **unmapped;
    int count;
    if (!od_load_mapping(cli, &scene->skeleton, &mapping, report, arena, error)) return EXIT_TARGET;
    if (!od_mapping_complete(&mapping, &scene->skeleton, &complete, &unmapped, &count, arena, error)) return EXIT_INPUT;
    if (!print(&complete, unmapped, count, cli, error)) return EXIT_WRITE;
    od_print_notes(cli, report, NULL);
    return EXIT_DONE;
}

static int check_mapping(const od_cli *cli, const od_scene *scene, od_report *report, od_arena *arena, od_error *error)
{
    od_file file;
    od_mapping mapping;
    od_target target;
    od_finding *findings;
    int count, wrong = 0;
    if (!od_input_read(cli->inputs[0], &file, error)) return EXIT_INPUT;
    bool parsed = od_mapping_parse(file.name, (const char *)file.data, file.size, &mapping, report, arena, error);
    od_input_free(&file);
    if (!parsed || !od_load_target(cli, &target, report, arena, error)) return EXIT_TARGET;
    if (!od_mapping_lint(&mapping, &scene->skeleton, &target, &findings, &count, arena, error)) return EXIT_INPUT;
    for (int i = 0; i < count; i++) {
        printf("%s: %s: %s%s\n", cli->inputs[0], findings[i].path, findings[i].wrong ? "" : "note: ", findings[i].text);
        wrong += findings[i].wrong;
    }
    if (!cli->quiet) printf("%s: %d wrong, %d to look at\n", cli->inputs[0], wrong, count - wrong);
    return wrong ? EXIT_TARGET : EXIT_DONE;
}

int od_run_map(const od_cli *cli)
{
    od_error error = {0};
    if (cli->input_count != 1 + cli->check)
        od_fail(&error, cli->check ? "usage: odori map --check FILE SOURCE [-t MODEL]"
                                   : "usage: odori map [-t MODEL] [-o FILE] SOURCE");
    if (error.failed) {
        od_print_error(&error);
        return EXIT_USAGE;
    }
    od_arena *arena = od_arena_new(0);
    od_report report = {.arena = arena};
    od_scene scene;
    int status = EXIT_INPUT;
    if (!arena) od_fail(&error, "out of memory");
    else if (od_load_scene(cli, cli->inputs[cli->input_count - 1], &scene, &report, arena, &error))
        status = cli->check ? check_mapping(cli, &scene, &report, arena, &error)
                            : write_mapping(cli, &scene, &report, arena, &error);
    if (error.failed) od_print_error(&error);
    od_arena_free(arena);
    return status;
}
