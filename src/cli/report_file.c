/* Input: objects of a report. Output: the report, with what is around them.
 * Invariant: after a failure nothing more is written, and the report does not appear. */
#include "cli/report_file.h"

#include <stdlib.h>

#include "cli/report.h"

bool od_report_file_open(od_report_file *file, const od_cli *cli, const od_target *targets, const od_report *notes,
                         od_error *error)
{
    char *text = NULL;
    size_t size = 0;
    *file = (od_report_file){0};
    if (!od_output_allowed(cli->report, cli->force || cli->resume, false, error)) return false;
    if (!od_load_spares(cli, cli->report, error)) return false;
    od_writer w = {.out = open_memstream(&text, &size)};
    if (!w.out) return od_fail(error, "out of memory");
    od_report_begin(&w, cli);
    for (int i = 0; i < (cli->target_count ? cli->target_count : 1); i++)
        od_report_target(&w, cli->target_count ? cli->targets[i] : NULL, &targets[i], &notes[i]);
    od_report_files(&w);
    bool good = !fclose(w.out) || od_fail(error, "out of memory");
    good = good && od_output_open(&file->output, cli->report, cli->force || cli->resume, error);
    if (good) od_output_write(&file->output, text, size, &file->error);
    free(text);
    return good;
}

static void put(od_report_file *file, const char *text, size_t size)
{
    if (!file->error.failed) od_output_write(&file->output, text, size, &file->error);
}

void od_report_file_add(od_report_file *file, const char *text, size_t size)
{
    if (file->any && size) put(file, ",", 1);
    file->any = file->any || size;
    put(file, text, size);
}

bool od_report_file_close(od_report_file *file, size_t left, od_error *error)
{
    char *text = NULL;
    size_t size = 0;
    od_writer w = {.out = open_memstream(&text, &size), .depth = 2, .inside = file->any};
    if (w.out) od_report_end(&w, left);
    if (!w.out || fclose(w.out)) od_fail(&file->error, "out of memory");
    put(file, text, size);
    free(text);
    bool good = !file->error.failed;
    if (!good) *error = file->error;
    return od_output_close(&file->output, good, error);
}
