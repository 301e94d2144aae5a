/* Input: an MMD motion, a model, maybe the source that the motion was made from. Output: how well it
 * plays. */
#include "cli/check_text.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/print.h"
#include "cli/report.h"

/* What the motion should show: the source, converted again for the same model. */
static int load_reference(const od_cli *cli, const od_target *target, const char *path, od_retarget_result *result,
                          od_report *report, od_arena *arena, od_error *error)
{
    od_scene *scene = OD_NEW(arena, od_scene, 1, error);
    od_mapping mapping;
    od_binding binding;
    od_keys keys;
    const od_clip *clip;
    int unmapped = cli->map ? EXIT_TARGET : EXIT_INPUT;
    od_retarget_options options = cli->retarget;
    if (!scene || !od_load_scene(cli, path, scene, report, arena, error)) return EXIT_INPUT;
    if (!(clip = od_load_clip(cli, scene, path, error))) return EXIT_INPUT;
    if (!od_load_mapping(cli, scene, &mapping, report, arena, error)) return unmapped;
    if (!od_binding_make(&mapping, &scene->skeleton, target, &binding, report, arena, error)) return unmapped;
    if (!od_load_bind(cli, &mapping, clip, &options.bind, error)) return unmapped;
    bool done = od_retarget(scene, clip, &binding, target, &options, &keys, result, report, arena, error);
    return done ? EXIT_DONE : EXIT_INPUT;
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
    od_retarget_result result;
    od_check check;
    bool compared = cli->input_count > 1;
    if (!od_load_target(cli, &target, report, arena, error)) return EXIT_TARGET;
    if (!od_load_keys(cli->inputs[0], &keys, report, arena, error)) return EXIT_INPUT;
    int status = compared ? load_reference(cli, &target, cli->inputs[1], &result, report, arena, error) : EXIT_DONE;
    if (status != EXIT_DONE) return status;
    if (!od_check_motion(&target, &keys, compared ? &result.reference : NULL, &all, &check, report, arena, error))
        return EXIT_INPUT;
    int above = od_check_judge(&check, cli->limit, report);
    print(cli, &check, report);
    if (!cli->quiet || above) od_print_warnings(stderr, od_load_name(cli->inputs[0]), report);
    return above ? EXIT_INPUT : EXIT_DONE;
}

int od_run_check(const od_cli *cli)
{
    od_error error = {0};
    int status = EXIT_USAGE;
    if (od_load_once(cli, &error)) {
        od_arena *arena = od_arena_new(0);
        od_report report = {.arena = arena};
        status = arena ? run(cli, &report, arena, &error) : EXIT_INPUT;
        if (!arena) od_fail(&error, "out of memory");
        od_arena_free(arena);
    }
    if (error.failed) od_print_error(stderr, NULL, &error);
    return status;
}
