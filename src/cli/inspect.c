/* Input: a motion or a model. Output: what is in it, for a person or (--json) for programs. */
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/inspect_keys.h"
#include "cli/load.h"
#include "cli/print.h"
#include "cli/tree.h"
#include "cli/writer.h"

/* What can be said of a motion. */
typedef struct view {
    const char *path;
    od_scene scene;
    od_mapping mapping;
    od_binding binding;
    od_rest rest;
    od_tree tree;
    bool mapped, bound, rested;
    const char *why; /* why not */
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

/* Mapping and rest pose, as far as they can be found: that they cannot is part of the answer, unless
 * the mapping was asked for. Returns an exit code. */
static int look(const od_cli *cli, view *v, od_report *report, od_arena *arena, od_error *error)
{
    const od_skeleton *skeleton = &v->scene.skeleton;
    od_target target;
    od_error why = {0};
    const od_clip *clip = NULL;
    od_rest_options options = {.up = cli->retarget.up};
    if (v->scene.clip_count && !(clip = od_load_clip(cli, &v->scene, v->path, error))) return EXIT_INPUT;
    if (!od_tree_make(skeleton, &v->tree, arena, error)) return EXIT_INPUT;
    if (!od_target_standard(&target, arena, error)) return EXIT_INPUT;
    v->mapped = od_load_mapping(cli, &v->scene, &v->mapping, report, arena, cli->map ? error : &why);
    if (error->failed) return EXIT_TARGET;
    v->bound = v->mapped && od_binding_make(&v->mapping, skeleton, &target, &v->binding, report, arena, &why);
    v->rested = v->bound && od_load_bind(cli, &v->mapping, clip, &options.bind, &why) &&
                od_rest_choose(&v->scene, clip, &v->binding, &options, &v->rest, report, arena, &why);
    od_load_blame_root(&v->scene, &why);
    if (v->rested) v->leg = leg_of(v);
    v->unit = guess_unit(v->leg);
    v->why = why.failed ? od_arena_format(arena, error, "%s", why.message) : NULL;
    return error->failed ? EXIT_INPUT : EXIT_DONE;
}

/* What a binding's row drives: a role or a bone by name. */
static const char *driven_by(const view *v, int row)
{
    od_role role = v->binding.rows[row].role;
    return role == OD_ROLE_NONE ? "a bone of its own name" : od_role_name(role);
}

static void print_joints(const view *v)
{
    const od_skeleton *skeleton = &v->scene.skeleton;
    for (int i = 0; i < skeleton->count; i++) {
        int joint = v->tree.order[i];
        const char *before = "   -> ";
        od_tree_print(skeleton, &v->tree, joint);
        for (int row = 0; v->bound && row < v->binding.count; row++) {
            if (v->binding.rows[row].source != joint) continue;
            printf("%s%s", before, driven_by(v, row));
            before = ", ";
        }
        printf("\n");
    }
}

static void print_rest(const od_rest *rest)
{
    printf("  up: %s, facing: %.0f degrees from the front\n", rest->up, (double)rest->heading + 0.0);
    printf("  rest pose: ");
    if (rest->bind.kind == OD_BIND_FRAME) printf("frame %d", rest->bind.frame);
    else printf("the zero pose");
    printf(" (%s)\n", rest->reason);
}

static void print_scene(const view *v)
{
    const od_skeleton *skeleton = &v->scene.skeleton;
    od_print_text(stdout, v->path);
    printf(": %s, %d joints, %d clip%s\n", v->scene.format, skeleton->count, v->scene.clip_count,
           v->scene.clip_count == 1 ? "" : "s");
    for (int i = 0; i < v->scene.clip_count; i++) {
        const od_clip *clip = &v->scene.clips[i];
        printf("  clip %d \"", i);
        od_print_text(stdout, clip->name);
        printf("\": %d frames at %.6g fps, %.2f s\n", clip->frames, clip->fps, clip->frames / clip->fps);
    }
    if (v->scene.other_roots) {
        printf("  other roots (--root-joint): ");
        od_print_text(stdout, v->scene.other_roots);
        printf("\n");
    }
    if (v->mapped) {
        od_fit fit = od_mapping_fit(&v->mapping, skeleton);
        printf("  mapping: ");
        od_print_text(stdout, v->mapping.name);
        printf(", %d of %d joints found\n", fit.found, fit.total);
    }
    if (v->rested) print_rest(&v->rest);
    if (v->leg > 0) printf("  legs of %.4g: the unit seems to be %s\n", (double)v->leg, v->unit);
    if (v->why) printf("  cannot be converted as it is: %s\n", v->why);
    print_joints(v);
}

static void write_clips(od_writer *w, const od_scene *scene)
{
    od_writer_begin(w, "clips", '[');
    for (int i = 0; i < scene->clip_count; i++) {
        const od_clip *clip = &scene->clips[i];
        od_writer_begin(w, NULL, '{');
        od_writer_text(w, "name", clip->name);
        od_writer_number(w, "frames", clip->frames);
        od_writer_number(w, "fps", clip->fps);
        od_writer_number(w, "seconds", clip->frames / clip->fps);
        od_writer_end(w, '}');
    }
    od_writer_end(w, ']');
}

static void write_joints(od_writer *w, const view *v)
{
    const od_skeleton *skeleton = &v->scene.skeleton;
    od_writer_begin(w, "joints", '[');
    for (int joint = 0; joint < skeleton->count; joint++) {
        const od_bone *bone = &skeleton->bones[joint];
        od_writer_begin(w, NULL, '{');
        od_writer_text(w, "name", bone->name);
        od_writer_text(w, "parent", bone->parent < 0 ? NULL : skeleton->bones[bone->parent].name);
        od_writer_begin(w, "roles", '[');
        for (int row = 0; v->bound && row < v->binding.count; row++)
            if (v->binding.rows[row].source == joint && v->binding.rows[row].role != OD_ROLE_NONE)
                od_writer_text(w, NULL, driven_by(v, row));
        od_writer_end(w, ']');
        od_writer_end(w, '}');
    }
    od_writer_end(w, ']');
}

static void write_scene(od_writer *w, const view *v)
{
    od_writer_begin(w, NULL, '{');
    od_writer_text(w, "file", v->path);
    od_writer_text(w, "format", v->scene.format);
    write_clips(w, &v->scene);
    if (v->scene.other_roots) od_writer_text(w, "other_roots", v->scene.other_roots);
    if (v->mapped) {
        od_fit fit = od_mapping_fit(&v->mapping, &v->scene.skeleton);
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
    write_joints(w, v);
    od_writer_end(w, '}');
}

static void print_bone(const od_target *target, const od_tree *tree, int bone)
{
    const od_target_bone *b = &target->bones[bone];
    od_tree_print(&target->skeleton, tree, bone);
    if (*b->name_en) {
        printf(" (");
        od_print_text(stdout, b->name_en);
        printf(")");
    }
    if (b->append_source >= 0) {
        printf(", follows ");
        od_print_text(stdout, target->skeleton.bones[b->append_source].name);
        printf(" x %g", (double)b->append_ratio);
    }
    if (b->ik >= 0) {
        const od_ik_chain *chain = &target->ik[b->ik];
        printf(", IK of ");
        od_print_text(stdout, target->skeleton.bones[chain->effector].name);
        printf(" over %d bone%s", chain->link_count, chain->link_count == 1 ? "" : "s");
    }
    printf("\n");
}

static void print_target(const char *path, const char *format, const od_target *target, const od_tree *tree)
{
    int lacking = 0;
    for (int r = 0; r < OD_ROLE_COUNT; r++) lacking += target->role[r] < 0;
    od_print_text(stdout, path);
    printf(": %s, model \"", format);
    od_print_text(stdout, target->name);
    printf("\", %d bones, %d IK chains, %d morphs\n", target->skeleton.count, target->ik_count, target->morph_count);
    printf("  standard bones: %d of %d%s", OD_ROLE_COUNT - lacking, OD_ROLE_COUNT, lacking ? "; it lacks" : "");
    for (int r = 0; r < OD_ROLE_COUNT; r++)
        if (target->role[r] < 0) printf(" %s", od_role_name((od_role)r));
    printf("\n  head at %.2f units: %.0f cm\n", (double)od_target_height(target), 8 * (double)od_target_height(target));
    for (int i = 0; i < target->skeleton.count; i++) print_bone(target, tree, tree->order[i]);
}

static void write_ik(od_writer *w, const od_target *target, const od_ik_chain *chain)
{
    const od_bone *bones = target->skeleton.bones;
    od_writer_begin(w, "ik", '{');
    od_writer_text(w, "effector", bones[chain->effector].name);
    od_writer_begin(w, "links", '[');
    for (int i = 0; i < chain->link_count; i++) od_writer_text(w, NULL, bones[chain->links[i].bone].name);
    od_writer_end(w, ']');
    od_writer_end(w, '}');
}

static void write_bone(od_writer *w, const od_target *target, int bone)
{
    const od_bone *bones = target->skeleton.bones;
    const od_target_bone *b = &target->bones[bone];
    od_writer_begin(w, NULL, '{');
    od_writer_text(w, "name", bones[bone].name);
    od_writer_text(w, "english", b->name_en);
    od_writer_text(w, "parent", bones[bone].parent < 0 ? NULL : bones[bones[bone].parent].name);
    od_writer_text(w, "role", b->role == OD_ROLE_NONE ? NULL : od_role_name(b->role));
    if (b->append_source >= 0) {
        od_writer_begin(w, "append", '{');
        od_writer_text(w, "source", bones[b->append_source].name);
        od_writer_number(w, "ratio", (double)b->append_ratio);
        od_writer_end(w, '}');
    }
    if (b->ik >= 0) write_ik(w, target, &target->ik[b->ik]);
    od_writer_end(w, '}');
}

static void write_target(od_writer *w, const char *path, const char *format, const od_target *target)
{
    od_writer_begin(w, NULL, '{');
    od_writer_text(w, "file", path);
    od_writer_text(w, "format", format);
    od_writer_text(w, "model", target->name);
    od_writer_number(w, "height", (double)od_target_height(target));
    od_writer_begin(w, "bones", '[');
    for (int i = 0; i < target->skeleton.count; i++) write_bone(w, target, i);
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

/* Returns an exit code. */
static int inspect(const od_cli *cli, const od_file *file, od_report *report, od_arena *arena, od_error *error)
{
    const od_format *format = cli->from ? od_format_named(cli->from) : od_format_detect(file);
    od_writer writer = {.out = stdout};
    if (format && format->read_model) {
        od_target target;
        od_tree tree;
        if (!od_read_target(file, format, &target, report, arena, error)) return EXIT_INPUT;
        if (!od_tree_make(&target.skeleton, &tree, arena, error)) return EXIT_INPUT;
        if (cli->json) write_target(&writer, file->name, format->name, &target);
        else print_target(file->name, format->name, &target, &tree);
        return EXIT_DONE;
    }
    if (format && format->read_keys) {
        od_keys keys;
        if (!od_read_keys(file, format, &keys, report, arena, error)) return EXIT_INPUT;
        if (cli->json) od_inspect_write_keys(&writer, file->name, format->name, &keys);
        else od_inspect_print_keys(file->name, format->name, &keys);
        return EXIT_DONE;
    }
    view v = {.path = file->name};
    if (!od_load_opened(cli, cli->inputs[0], file, format, &v.scene, report, arena, error)) return EXIT_INPUT;
    int status = look(cli, &v, report, arena, error);
    if (status != EXIT_DONE) return status;
    if (cli->json) write_scene(&writer, &v);
    else print_scene(&v);
    return EXIT_DONE;
}

static int run(const od_cli *cli, od_report *report, od_arena *arena, od_error *error)
{
    od_file file;
    if (!od_input_read(cli->inputs[0], &file, error)) return EXIT_INPUT;
    int status = inspect(cli, &file, report, arena, error);
    fflush(stdout); /* before what goes to the other stream */
    if (!cli->quiet) od_print_warnings(stderr, file.name, report);
    od_input_free(&file);
    return status;
}

int od_run_inspect(const od_cli *cli)
{
    return od_run_command(cli, od_load_name(cli->inputs[0]), run);
}
