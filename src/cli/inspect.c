/* Input: a motion or a model. Output: what is in it, for a person or (--json) for programs. */
#include <string.h>

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/writer.h"
#include "odori/rest.h"

/* What can be said of a motion. */
typedef struct view {
    const char *path;
    od_scene scene;
    od_mapping mapping;
    od_binding binding;
    od_rest rest;
    bool mapped, rested;
    const char *why; /* why it is not mapped or has no rest */
    float leg;       /* length of a leg at rest, unit of the file; 0: not known */
    const char *unit;
} view;

/* Names the unit in which a leg of this length is one of a person. */
static const char *guess_unit(float leg)
{
    static const struct {
        const char *name;
        float metres;
    } units[] = {
        {"metres", 1},       {"decimetres", 0.1f},   {"MMD units (8 cm)", 0.08f}, {"1/0.45 inches (CMU)", 0.0564444f},
        {"inches", 0.0254f}, {"centimetres", 0.01f}, {"millimetres", 0.001f}};
    const char *best = "not known";
    float least = 0.35f; /* as a logarithm: about 40 % off */
    for (size_t i = 0; leg > 0 && i < sizeof units / sizeof *units; i++) {
        float off = fabsf(logf(leg * units[i].metres / 0.82f)); /* an adult's leg, hip to ankle, in metres */
        if (off >= least) continue;
        least = off;
        best = units[i].name;
    }
    return best;
}

static float leg_of(const view *v)
{
    float sum = 0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 2; i++) {
            int upper = v->binding.source_of_role[OD_ROLE_LEG_L + 2 * i + side];
            int lower = v->binding.source_of_role[OD_ROLE_LEG_L + 2 * i + 2 + side];
            sum += 0.5f * glms_vec3_distance(v->rest.world[upper].t, v->rest.world[lower].t);
        }
    return sum;
}

/* Mapping and rest pose, as far as they can be found; failures are part of the answer. */
static bool look(const od_cli *cli, view *v, od_report *report, od_arena *arena, od_error *error)
{
    od_target target;
    od_error why = {0};
    const od_clip *clip = NULL;
    if (v->scene.clip_count && !(clip = od_load_clip(cli, &v->scene, v->path, error))) return false;
    if (!od_target_standard(&target, arena, error)) return false;
    v->mapped = od_load_mapping(cli, &v->scene.skeleton, &v->mapping, report, arena, &why) &&
                od_binding_make(&v->mapping, &v->scene.skeleton, &target, &v->binding, report, arena, &why);
    v->rested = v->mapped &&
                od_rest_choose(&v->scene, clip, &v->binding, cli->retarget.bind, false, &v->rest, report, arena, &why);
    if (v->rested) v->leg = leg_of(v);
    v->unit = guess_unit(v->leg);
    v->why = why.failed ? od_arena_format(arena, error, "%s", why.message) : NULL;
    return !error->failed;
}

static int depth_of(const od_skeleton *skeleton, int bone)
{
    int depth = 0;
    while ((bone = skeleton->bones[bone].parent) >= 0) depth++;
    return depth;
}

/* What a joint drives, by its roles. */
static void print_roles(const view *v, int joint)
{
    const char *before = "   -> ";
    for (int i = 0; v->mapped && i < v->binding.count; i++) {
        if (v->binding.rows[i].source != joint) continue;
        printf("%s%s", before, od_role_name(v->binding.rows[i].role));
        before = ", ";
    }
}

static void print_scene(const view *v)
{
    const od_skeleton *skeleton = &v->scene.skeleton;
    printf("%s: %s, %d joints, %d clip%s\n", v->path, v->scene.format, skeleton->count, v->scene.clip_count,
           v->scene.clip_count == 1 ? "" : "s");
    for (int i = 0; i < v->scene.clip_count; i++) {
        const od_clip *clip = &v->scene.clips[i];
        printf("  clip %d \"%s\": %d frames at %.6g fps, %.2f s\n", i, clip->name, clip->frames, clip->fps,
               clip->frames / clip->fps);
    }
    if (v->mapped) {
        od_fit fit = od_mapping_fit(&v->mapping, skeleton);
        printf("  mapping: %s, %d of %d joints found\n", v->mapping.name, fit.found, fit.total);
    }
    if (v->rested) {
        printf("  up: %s, facing: %.0f degrees from the front\n", v->rest.up, (double)v->rest.heading);
        printf("  legs of %.4g: the unit seems to be %s\n", (double)v->leg, v->unit);
        printf("  rest pose: ");
        if (v->rest.bind.kind == OD_BIND_FRAME) printf("frame %d", v->rest.bind.frame);
        else printf("the zero pose");
        printf(" (%s)\n", v->rest.reason);
    }
    if (v->why) printf("  cannot be converted as it is: %s\n", v->why);
    for (int i = 0; i < skeleton->count; i++) {
        printf("  %*s%s", 2 * depth_of(skeleton, i), "", skeleton->bones[i].name);
        print_roles(v, i);
        printf("\n");
    }
}

static void write_scene(od_writer *w, const view *v)
{
    const od_skeleton *skeleton = &v->scene.skeleton;
    od_writer_begin(w, NULL, '{');
    od_writer_text(w, "file", v->path);
    od_writer_text(w, "format", v->scene.format);
    od_writer_begin(w, "clips", '[');
    for (int i = 0; i < v->scene.clip_count; i++) {
        const od_clip *clip = &v->scene.clips[i];
        od_writer_begin(w, NULL, '{');
        od_writer_text(w, "name", clip->name);
        od_writer_number(w, "frames", clip->frames);
        od_writer_number(w, "fps", clip->fps);
        od_writer_number(w, "seconds", clip->frames / clip->fps);
        od_writer_end(w, '}');
    }
    od_writer_end(w, ']');
    if (v->mapped) {
        od_fit fit = od_mapping_fit(&v->mapping, skeleton);
        od_writer_text(w, "mapping", v->mapping.name);
        od_writer_number(w, "joints_found", fit.found);
        od_writer_number(w, "joints_named", fit.total);
    }
    if (v->rested) {
        od_writer_text(w, "up", v->rest.up);
        od_writer_number(w, "heading", (double)v->rest.heading);
        od_writer_number(w, "leg", (double)v->leg);
        od_writer_text(w, "unit", v->unit);
        od_writer_bool(w, "zero_pose_is_a_pose", v->rest.zero_is_pose);
        od_writer_text(w, "rest", v->rest.bind.kind == OD_BIND_FRAME ? "frame" : "rest");
        od_writer_number(w, "rest_frame", v->rest.bind.frame);
        od_writer_text(w, "rest_reason", v->rest.reason);
    }
    od_writer_text(w, "problem", v->why);
    od_writer_begin(w, "joints", '[');
    for (int i = 0; i < skeleton->count; i++) {
        const od_bone *bone = &skeleton->bones[i];
        od_writer_begin(w, NULL, '{');
        od_writer_text(w, "name", bone->name);
        od_writer_text(w, "parent", bone->parent < 0 ? NULL : skeleton->bones[bone->parent].name);
        od_writer_end(w, '}');
    }
    od_writer_end(w, ']');
    od_writer_end(w, '}');
}

static void print_target(const char *path, const od_target *target)
{
    const od_skeleton *skeleton = &target->skeleton;
    printf("%s: model \"%s\", %d bones, %d IK chains, %d morphs\n", path, target->name, skeleton->count,
           target->ik_count, target->morph_count);
    printf("  standard bones that it lacks:");
    for (int r = 0; r < OD_ROLE_COUNT; r++)
        if (target->role[r] < 0) printf(" %s", od_role_name((od_role)r));
    printf("\n");
    for (int i = 0; i < skeleton->count; i++) {
        const od_target_bone *b = &target->bones[i];
        printf("  %*s%s", 2 * depth_of(skeleton, i), "", skeleton->bones[i].name);
        if (*b->name_en) printf(" (%s)", b->name_en);
        if (b->append_source >= 0)
            printf(", follows %s x %g", skeleton->bones[b->append_source].name, (double)b->append_ratio);
        if (b->ik >= 0) printf(", IK of %s", skeleton->bones[target->ik[b->ik].effector].name);
        printf("\n");
    }
}

static void write_target(od_writer *w, const char *path, const od_target *target)
{
    const od_skeleton *skeleton = &target->skeleton;
    od_writer_begin(w, NULL, '{');
    od_writer_text(w, "file", path);
    od_writer_text(w, "model", target->name);
    od_writer_begin(w, "bones", '[');
    for (int i = 0; i < skeleton->count; i++) {
        const od_bone *bone = &skeleton->bones[i];
        const od_target_bone *b = &target->bones[i];
        od_writer_begin(w, NULL, '{');
        od_writer_text(w, "name", bone->name);
        od_writer_text(w, "english", b->name_en);
        od_writer_text(w, "parent", bone->parent < 0 ? NULL : skeleton->bones[bone->parent].name);
        od_writer_text(w, "role", b->role == OD_ROLE_NONE ? NULL : od_role_name(b->role));
        if (b->append_source >= 0) od_writer_text(w, "append", skeleton->bones[b->append_source].name);
        if (b->ik >= 0) od_writer_text(w, "effector", skeleton->bones[target->ik[b->ik].effector].name);
        od_writer_end(w, '}');
    }
    od_writer_end(w, ']');
    od_writer_begin(w, "missing", '[');
    for (int r = 0; r < OD_ROLE_COUNT; r++)
        if (target->role[r] < 0) od_writer_text(w, NULL, od_role_name((od_role)r));
    od_writer_end(w, ']');
    od_writer_begin(w, "morphs", '[');
    for (int i = 0; i < target->morph_count; i++) od_writer_text(w, NULL, target->morphs[i]);
    od_writer_end(w, ']');
    od_writer_end(w, '}');
}

static bool inspect(const od_cli *cli, const od_file *file, od_report *report, od_arena *arena, od_error *error)
{
    const od_format *format = cli->from ? od_format_named(cli->from) : od_format_detect(file);
    od_output out = {.path = "-", .file = 1, .direct = true};
    od_sink sink = {od_output_write, &out};
    od_writer writer = {.sink = &sink, .error = error};
    if (format && format->read_target) {
        od_target target;
        if (!od_read_target(file, format, &target, report, arena, error)) return false;
        if (cli->json) write_target(&writer, file->name, &target);
        else print_target(file->name, &target);
        return !writer.failed;
    }
    view v = {.path = file->name};
    if (!od_read_scene(file, format, &cli->read, &v.scene, report, arena, error)) return false;
    if (!look(cli, &v, report, arena, error)) return false;
    if (cli->json) write_scene(&writer, &v);
    else print_scene(&v);
    return !writer.failed;
}

int od_run_inspect(const od_cli *cli)
{
    od_error error = {0};
    od_file file;
    if (!od_input_read(cli->inputs[0], &file, &error)) {
        od_print_error(&error);
        return EXIT_INPUT;
    }
    od_arena *arena = od_arena_new(0);
    od_report report = {.arena = arena};
    bool done = arena ? inspect(cli, &file, &report, arena, &error) : od_fail(&error, "out of memory");
    fflush(stdout);
    for (od_note *note = report.first; note; note = note->next)
        if (note->kind == OD_NOTE_WARNING && !cli->quiet) fprintf(stderr, "odori: warning: %s\n", note->text);
    if (!done) od_print_error(&error);
    od_input_free(&file);
    od_arena_free(arena);
    return done ? EXIT_DONE : EXIT_INPUT;
}
