/* Input: an MMD motion, a model, maybe the source that the motion was made from. Output: how well it
 * plays. */
#include "cli/check_text.h"
#include "cli/commands.h"
#include "cli/job.h"
#include "cli/load.h"
#include "cli/print.h"
#include "cli/report.h"

/* What the motion should show: the source, converted again for the same model. */
static int load_reference(od_job *job)
{
    od_keys keys;
    return od_job_read(job) ? od_job_retarget(job, &keys) : EXIT_INPUT;
}

static void print(const od_cli *cli, const od_check *check, const od_report *report)
{
    od_writer w = {.out = stdout};
    if (cli->json) {
        od_writer_begin(&w, NULL, '{');
        od_writer_text(&w, "motion", od_load_name(cli->inputs[0]));
        od_writer_text(&w, "target", cli->target);
        od_writer_text(&w, "source", cli->input_count > 1 ? od_load_name(cli->inputs[1]) : NULL);
        od_report_notes(&w, report);
        od_check_write(&w, "check", check, cli->limit);
        od_writer_end(&w, '}');
    } else if (!cli->quiet) {
        od_check_print(stdout, check, cli->limit);
    }
    fflush(stdout); /* before what goes to the other stream */
}

static int run(const od_cli *cli, od_report *report, od_arena *arena, od_error *error)
{
    static const od_check_options all = {0};
    od_target target;
    od_keys keys;
    od_check check;
    bool compared = cli->input_count > 1;
    od_job job = {.cli = cli,
                  .target = &target,
                  .source = compared ? cli->inputs[1] : NULL,
                  .arena = arena,
                  .report = report,
                  .error = error};
    if (!od_load_target(cli, &target, report, arena, error)) return EXIT_TARGET;
    if (!od_load_keys(cli->inputs[0], &keys, report, arena, error)) return EXIT_INPUT;
    int status = compared ? load_reference(&job) : EXIT_DONE;
    if (status != EXIT_DONE) return status;
    if (!od_check_motion(&target, &keys, compared ? &job.result.reference : NULL, &all, &check, report, arena, error))
        return EXIT_INPUT;
    int above = od_check_judge(&check, cli->limit, report);
    print(cli, &check, report);
    if (!cli->quiet || above) od_print_warnings(stderr, od_load_name(cli->inputs[0]), report);
    return above ? EXIT_INPUT : EXIT_DONE;
}

int od_run_check(const od_cli *cli)
{
    return od_run_command(cli, NULL, run);
}
