/* Input: a source, maybe a mapping file. Output: a mapping for editing, or what is wrong with one. */
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/load.h"
#include "cli/mapping_text.h"
#include "cli/output.h"
#include "cli/print.h"

/* The text in memory, so that a failing disk leaves no half of it. */
static bool print(const od_mapping *mapping, const char *const *unmapped, int count, const od_cli *cli, od_error *error)
{
    const char *path = cli->output ? cli->output : "-";
    char *text = NULL;
    size_t size = 0;
    if (!od_load_spares(cli, path, error)) return false;
    FILE *out = open_memstream(&text, &size);
    if (!out) return od_fail(error, "out of memory");
    od_print_mapping(out, mapping, unmapped, count);
    bool done =
        (!fclose(out) || od_fail(error, "out of memory")) && od_output_text(path, cli->force, text, size, error);
    free(text);
    return done;
}

/* With a model, what of the mapping does not suit it. */
static bool warn_about_target(const od_cli *cli, const od_mapping *mapping, const od_scene *source, od_report *report,
                              od_arena *arena, od_error *error)
{
    od_target target;
    od_finding *findings;
    int count;
    if (!cli->target) return true;
    if (!od_load_target(cli, &target, report, arena, error)) return false;
    if (!od_mapping_lint(mapping, source, &target, &findings, &count, arena, error)) return false;
    for (int i = 0; i < count; i++) od_warn(report, "%s: %s", findings[i].path, findings[i].text);
    return true;
}

/* The mapping to begin with: when none was asked for and none fits, one without bones, so that all
 * joints are listed for whoever writes it. */
static bool begin_mapping(const od_cli *cli, const od_scene *scene, od_mapping *mapping, od_report *report,
                          od_arena *arena, od_error *error)
{
    od_error why = {0}, none = {0};
    if (cli->map) return od_load_mapping(cli, scene, mapping, report, arena, error);
    if (od_load_mapping(cli, scene, mapping, report, arena, &why)) return true;
    od_fail(&none, "no preset fits and the skeleton has no shape of a person: no bone is mapped");
    od_load_blame_root(scene, &none);
    od_warn(report, "%s", none.message);
    *mapping = (od_mapping){.name = "mine", .title = "", .verified = true};
    return true;
}

static int write_mapping(const od_cli *cli, const od_scene *scene, od_report *report, od_arena *arena, od_error *error)
{
    od_mapping mapping, complete;
    const char **unmapped;
    int count;
    if (!begin_mapping(cli, scene, &mapping, report, arena, error)) return EXIT_TARGET;
    if (!od_mapping_complete(&mapping, &scene->skeleton, &complete, &unmapped, &count, arena, error)) return EXIT_INPUT;
    if (!warn_about_target(cli, &complete, scene, report, arena, error)) return EXIT_TARGET;
    return print(&complete, unmapped, count, cli, error) ? EXIT_DONE : EXIT_WRITE;
}

static int check_mapping(const od_cli *cli, const od_scene *scene, od_report *report, od_arena *arena, od_error *error)
{
    const char *path = od_load_name(cli->inputs[0]);
    od_mapping mapping;
    od_target target;
    od_finding *findings;
    int count, wrong = 0;
    /* What reading warns about is among the findings. */
    if (!od_load_mapping_file(cli->inputs[0], &mapping, NULL, arena, error)) return EXIT_TARGET;
    if (!od_load_target(cli, &target, report, arena, error)) return EXIT_TARGET;
    if (!od_mapping_lint(&mapping, scene, &target, &findings, &count, arena, error)) return EXIT_INPUT;
    for (int i = 0; i < count; i++) {
        od_print_text(stdout, path);
        printf(": %s: %s", findings[i].path, findings[i].wrong ? "" : "note: ");
        od_print_text(stdout, findings[i].text);
        printf("\n");
        wrong += findings[i].wrong;
    }
    if (!cli->quiet) printf("%d wrong, %d to look at\n", wrong, count - wrong);
    return wrong ? EXIT_TARGET : EXIT_DONE;
}

static int run(const od_cli *cli, od_report *report, od_arena *arena, od_error *error)
{
    const char *source = cli->inputs[cli->input_count - 1];
    od_scene scene;
    if (cli->input_count != 1 + cli->check) {
        od_fail(error, cli->check ? "usage: odori map --check FILE SOURCE [-t MODEL]"
                                  : "usage: odori map [-t MODEL] [-o FILE] SOURCE");
        return EXIT_USAGE;
    }
    if (!od_load_scene(cli, source, &scene, report, arena, error)) return EXIT_INPUT;
    int status = cli->check ? check_mapping(cli, &scene, report, arena, error)
                            : write_mapping(cli, &scene, report, arena, error);
    fflush(stdout); /* before what goes to the other stream */
    if (!cli->quiet) {
        od_print_choices(stderr, report);
        od_print_warnings(stderr, od_load_name(source), report);
    }
    return status;
}

int od_run_map(const od_cli *cli)
{
    return od_run_command(cli, NULL, run);
}
