/* Input: the command line of report. Output: one report of several. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/load.h"
#include "cli/merge.h"
#include "cli/output.h"
#include "cli/print.h"

static int merge(const od_cli *cli, od_report *report, od_arena *arena, od_error *error)
{
    (void)report;
    if (strcmp(cli->inputs[0], "merge") != 0) {
        od_fail(error, "report can merge, not \"%s\": odori report merge REPORT...", cli->inputs[0]);
        return EXIT_USAGE;
    }
    const char *path = cli->output ? cli->output : "-";
    char *text = NULL;
    size_t size = 0;
    if (!od_load_spares(cli, path, error)) return EXIT_WRITE;
    FILE *out = open_memstream(&text, &size);
    bool good = out || od_fail(error, "out of memory");
    good = good && od_merge(cli->inputs + 1, cli->input_count - 1, out, arena, error);
    if (out && fclose(out)) good = od_fail(error, "out of memory");
    int status = !good ? EXIT_INPUT : od_output_text(path, cli->force, text, size, error) ? EXIT_DONE : EXIT_WRITE;
    free(text);
    return status;
}

int od_run_report(const od_cli *cli)
{
    return od_run_command(cli, NULL, merge);
}
