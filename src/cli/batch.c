/* Input: the command line of convert. Output: a VMD for each source, one after another, and a report. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "cli/convert.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/report.h"

static bool check_usage(const od_cli *cli, od_error *error)
{
    bool to_stdout = !cli->output_dir && (!cli->output || !strcmp(cli->output, "-"));
    if (cli->output && cli->output_dir) return od_fail(error, "-o and --output-dir exclude each other");
    if (cli->input_count > 1 && !cli->output_dir) return od_fail(error, "several sources need --output-dir");
    if (cli->report && !strcmp(cli->report, "-") && to_stdout)
        return od_fail(error, "the motion and the report cannot both go to standard output");
    if (cli->report && cli->output && od_output_same(cli->report, cli->output))
        return od_fail(error, "%s: cannot be the motion and the report", cli->report);
    return od_load_once(cli, error);
}

/* "folder/dance.bvh" -> "DIR/dance.vmd" */
static const char *name_output(const od_cli *cli, const char *source, od_arena *arena, od_error *error)
{
    const char *folder = cli->output_dir, *ending = od_convert_to(cli) == OD_TO_BVH ? "bvh" : "vmd";
    const char *slash = strrchr(source, '/');
    const char *base = slash ? slash + 1 : source, *dot = strrchr(base, '.');
    size_t size = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    if (!strcmp(source, "-")) return od_arena_format(arena, error, "%s/stdin.%s", folder, ending);
    return od_arena_format(arena, error, "%s/%.*s.%s", folder, (int)size, base, ending);
}

static bool make_folder(const char *path, od_error *error)
{
    struct stat info;
    if (!mkdir(path, 0777)) return true;
    if (errno == EEXIST && !stat(path, &info) && S_ISDIR(info.st_mode)) return true;
    return od_fail(error, "%s: no folder can be made here: %s", path, strerror(errno));
}

/* Two sources of one name would overwrite each other: the second is refused. So is what the report will be. */
static bool check_clash(const od_cli *cli, const char *const *outputs, int index)
{
    od_error error = {0};
    for (int i = 0; i < index; i++)
        if (!strcmp(outputs[i], outputs[index]))
            od_fail(&error, "%s: would become %s, which is the output of %s", cli->inputs[index], outputs[index],
                    cli->inputs[i]);
    if (cli->report && od_output_same(cli->report, outputs[index]))
        od_fail(&error, "%s: would become %s, which is the report", cli->inputs[index], outputs[index]);
    if (error.failed) od_print_error(NULL, &error);
    return !error.failed;
}

static int convert_all(const od_cli *cli, const od_target *target, od_writer *report, od_arena *arena, od_error *error)
{
    int status = EXIT_DONE;
    const char **outputs = OD_NEW(arena, const char *, (size_t)cli->input_count, error);
    if (!outputs) return EXIT_INPUT;
    if (!make_folder(cli->output_dir, error)) return EXIT_WRITE;
    for (int i = 0; i < cli->input_count; i++) {
        outputs[i] = name_output(cli, cli->inputs[i], arena, error);
        if (!outputs[i]) return EXIT_INPUT;
        int one =
            check_clash(cli, outputs, i) ? od_convert(cli, target, cli->inputs[i], outputs[i], report) : EXIT_INPUT;
        if (one != EXIT_DONE) status = status == EXIT_DONE || status == one ? one : EXIT_INPUT;
    }
    return status;
}

static int convert(const od_cli *cli, const od_target *target, od_writer *report, od_arena *arena, od_error *error)
{
    if (cli->output_dir) return convert_all(cli, target, report, arena, error);
    return od_convert(cli, target, cli->inputs[0], cli->output ? cli->output : "-", report);
}

/* The report is made in memory: it appears when all is done. */
static int convert_with_report(const od_cli *cli, const od_target *target, const od_report *notes, od_arena *arena,
                               od_error *error)
{
    char *text = NULL;
    size_t size = 0;
    if (!od_output_allowed(cli->report, cli->force, false, error)) return EXIT_WRITE;
    if (!od_load_spares(cli, cli->report, error)) return EXIT_WRITE;
    od_writer report = {.out = open_memstream(&text, &size)};
    if (!report.out) {
        od_fail(error, "out of memory");
        return EXIT_INPUT;
    }
    od_report_begin(&report, cli->target, target, notes);
    int status = convert(cli, target, &report, arena, error);
    od_report_end(&report);
    bool whole = !fclose(report.out) || od_fail(error, "out of memory");
    if (!whole || !od_output_text(cli->report, cli->force, text, size, error)) status = EXIT_WRITE;
    free(text);
    return status;
}

static int run(const od_cli *cli, od_arena *arena, od_error *error)
{
    od_report notes = {.arena = arena};
    od_target target;
    if (!od_load_target(cli, &target, &notes, arena, error)) return EXIT_TARGET;
    if (!cli->quiet) od_print_warnings(od_load_name(cli->target), &notes);
    return cli->report ? convert_with_report(cli, &target, &notes, arena, error)
                       : convert(cli, &target, NULL, arena, error);
}

int od_run_convert(const od_cli *cli)
{
    od_error error = {0};
    int status = EXIT_USAGE;
    if (check_usage(cli, &error)) {
        od_arena *arena = od_arena_new(0);
        status = arena ? run(cli, arena, &error) : EXIT_INPUT;
        if (!arena) od_fail(&error, "out of memory");
        od_arena_free(arena);
    }
    if (error.failed) od_print_error(NULL, &error);
    return status;
}
