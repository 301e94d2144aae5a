/* Input: paths and names of the command line. Output: what they stand for. */
#include "cli/load.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/nearest.h"
#include "cli/beside.h"
#include "cli/input.h"
#include "cli/output.h"

bool od_load_model(const char *path, od_target *target, od_report *report, od_arena *arena, od_error *error)
{
    od_file file;
    if (!od_input_read(path, &file, error)) return false;
    bool done = od_read_target(&file, NULL, target, report, arena, error);
    od_input_free(&file);
    return done;
}

bool od_load_source_model(const od_cli *cli, od_target *model, od_report *report, od_arena *arena, od_error *error)
{
    if (!cli->shared || !cli->shared->source_model)
        return od_load_model(cli->source_model, model, report, arena, error);
    *model = *cli->shared->source_model;
    return true;
}

bool od_load_keys(const char *path, od_keys *keys, od_report *report, od_arena *arena, od_error *error)
{
    od_file file;
    if (!od_input_read(path, &file, error)) return false;
    bool done = od_read_keys(&file, NULL, keys, report, arena, error);
    od_input_free(&file);
    return done;
}

/* A motion of keys, as its own model shows it. */
static bool play(const od_cli *cli, const od_file *file, const od_format *format, od_scene *scene, od_report *report,
                 od_arena *arena, od_error *error)
{
    od_target *model = OD_NEW(arena, od_target, 1, error);
    od_keys keys;
    if (!model || !od_read_keys(file, format, &keys, report, arena, error)) return false;
    if (!keys.track_count && !keys.morph_count && keys.camera_count)
        return od_fail(error, "%s: moves the camera alone; --camera converts it", file->name);
    if (!cli->source_model)
        return od_fail(error,
                       "%s: keys of MMD mean nothing without the model that they were made for: give it with "
                       "--source-model",
                       file->name);
    if (!od_load_source_model(cli, model, report, arena, error)) return false;
    return od_bake(model, &keys, scene, arena, error);
}

static bool read_scene(const od_cli *cli, const char *path, const od_file *file, const od_format *format,
                       od_scene *scene, od_report *report, od_arena *arena, od_error *error)
{
    od_beside beside;
    od_read_options options = od_beside_options(cli, path, &beside);
    return od_read_scene(file, format, &options, scene, report, arena, error);
}

bool od_load_opened(const od_cli *cli, const char *path, const od_file *file, const od_format *format, od_scene *scene,
                    od_report *report, od_arena *arena, od_error *error)
{
    od_scene motion, body;
    od_file other;
    if (!cli->skeleton) return read_scene(cli, path, file, format, scene, report, arena, error);
    if (!read_scene(cli, path, file, format, &motion, report, arena, error)) return false;
    bool shared = cli->shared && cli->shared->skeleton.data;
    if (shared) other = cli->shared->skeleton;
    else if (!od_input_read(cli->skeleton, &other, error)) return false;
    bool done = read_scene(cli, cli->skeleton, &other, NULL, &body, NULL, arena, error);
    if (!shared) od_input_free(&other);
    return done && od_scene_onto(&motion, &body, scene, arena, error);
}

bool od_load_scene(const od_cli *cli, const char *path, od_scene *scene, od_report *report, od_arena *arena,
                   od_error *error)
{
    od_file file;
    if (!od_input_read(path, &file, error)) return false;
    const od_format *format = cli->from ? od_format_named(cli->from) : NULL;
    if (!format) format = od_format_detect(&file);
    bool done = format && format->read_keys ? play(cli, &file, format, scene, report, arena, error)
                                            : od_load_opened(cli, path, &file, format, scene, report, arena, error);
    od_input_free(&file);
    return done;
}

bool od_load_target(const od_cli *cli, od_target *target, od_report *report, od_arena *arena, od_error *error)
{
    return cli->target ? od_load_model(cli->target, target, report, arena, error)
                       : od_target_standard(target, arena, error);
}

static bool load_preset(const char *name, od_mapping *mapping, od_arena *arena, od_error *error)
{
    int count = od_preset_count();
    const char **names = OD_NEW(arena, const char *, (size_t)count + 1, error);
    if (!names) return false;
    for (int i = 0; i < count; i++) {
        names[i] = od_preset_name(i);
        if (!strcmp(names[i], name)) return od_preset_load(i, mapping, arena, error);
    }
    const char *near = od_nearest(name, names);
    return near
               ? od_fail(error, "there is neither a file nor a preset \"%s\"; did you mean %s?", name, near)
               : od_fail(error, "there is neither a file nor a preset \"%s\"; `odori formats` lists the presets", name);
}

bool od_load_mapping_file(const char *path, od_mapping *mapping, od_report *report, od_arena *arena, od_error *error)
{
    od_file file;
    if (!od_input_read(path, &file, error)) return false;
    bool done = od_mapping_parse(file.name, (const char *)file.data, file.size, mapping, report, arena, error);
    od_input_free(&file);
    return done;
}

/* Files count more than presets; a folder of a preset's name is neither. */
static bool is_file(const char *name)
{
    struct stat info;
    return !strcmp(name, "-") || strpbrk(name, "./") || (!stat(name, &info) && !S_ISDIR(info.st_mode));
}

static bool load_asked(const char *map, od_mapping *mapping, od_report *report, od_arena *arena, od_error *error)
{
    return is_file(map) ? od_load_mapping_file(map, mapping, report, arena, error)
                        : load_preset(map, mapping, arena, error);
}

int od_load_shared(const od_cli *cli, od_shared *shared, od_report *report, od_arena *arena, od_error *error)
{
    od_mapping *mapping = OD_NEW(arena, od_mapping, 1, error);
    od_target *model = OD_NEW(arena, od_target, 1, error);
    *shared = (od_shared){0};
    if (!mapping || !model) return EXIT_INPUT;
    if (cli->map && !load_asked(cli->map, mapping, report, arena, error)) return EXIT_TARGET;
    if (cli->map) shared->mapping = mapping;
    if (cli->source_model && !od_load_model(cli->source_model, model, report, arena, error)) return EXIT_INPUT;
    if (cli->source_model) shared->source_model = model;
    return !cli->skeleton || od_input_read(cli->skeleton, &shared->skeleton, error) ? EXIT_DONE : EXIT_INPUT;
}

void od_load_free(od_shared *shared)
{
    od_input_free(&shared->skeleton);
}

bool od_load_mapping(const od_cli *cli, const od_scene *scene, od_mapping *mapping, od_report *report, od_arena *arena,
                     od_error *error)
{
    const od_skeleton *skeleton = &scene->skeleton;
    if (!cli->map && scene->roles) return od_mapping_from_roles(skeleton, scene->roles, mapping, report, arena, error);
    if (!cli->map) return od_mapping_detect(skeleton, mapping, report, arena, error);
    if (cli->shared && cli->shared->mapping) *mapping = *cli->shared->mapping;
    else if (!load_asked(cli->map, mapping, report, arena, error)) return false;
    od_fit fit = od_mapping_fit(mapping, skeleton);
    od_choice(report, "mapping: %s: %d of %d joints found", mapping->name, fit.found, fit.total);
    return true;
}

void od_load_blame_root(const od_scene *scene, od_error *error)
{
    od_error why = *error;
    if (!why.failed || !scene->other_roots) return;
    *error = (od_error){.mapping = why.mapping};
    od_fail(error, "%s; only the root %s was read: --root-joint takes another (%s)", why.message,
            scene->skeleton.bones[0].name, scene->other_roots);
}

bool od_load_bind(const od_cli *cli, const od_mapping *mapping, const od_clip *clip, od_bind *bind, od_error *error)
{
    *bind = cli->bind_set ? cli->retarget.bind : mapping->bind;
    if (cli->bind_set || !clip || bind->kind != OD_BIND_FRAME || bind->frame < clip->frames) return true;
    return od_fail_mapping(error, "mapping \"%s\": $.bind: frame %d is out of range: the clip has %d frames",
                           mapping->name, bind->frame, clip->frames);
}

const od_clip *od_load_clip(const od_cli *cli, const od_scene *scene, const char *path, od_error *error)
{
    if (!scene->clip_count) {
        od_fail(error, "%s: there is no motion in the file", od_load_name(path));
        return NULL;
    }
    /* Some exporters put a still pose first. */
    for (int i = 0; !cli->clip && i < scene->clip_count; i++)
        if (scene->clips[i].frames > 1) return &scene->clips[i];
    if (!cli->clip) return &scene->clips[0];
    for (int i = 0; i < scene->clip_count; i++)
        if (!strcmp(scene->clips[i].name, cli->clip)) return &scene->clips[i];
    char *end;
    long number = strtol(cli->clip, &end, 10);
    if (*cli->clip && !*end && number >= 0 && number < scene->clip_count) return &scene->clips[number];
    od_fail(error, "%s: there is no clip \"%s\" among %d; `odori inspect` lists them", od_load_name(path), cli->clip,
            scene->clip_count);
    return NULL;
}

bool od_load_once(const od_cli *cli, od_error *error)
{
    int count = 0;
    for (int i = 0; i < cli->target_count; i++) count += !strcmp(cli->targets[i], "-");
    count += cli->source_model && !strcmp(cli->source_model, "-");
    count += cli->skeleton && !strcmp(cli->skeleton, "-");
    count += cli->map && !strcmp(cli->map, "-");
    count += cli->filelist && !strcmp(cli->filelist, "-");
    count += cli->retry && !strcmp(cli->retry, "-");
    for (int i = 0; i < cli->input_count; i++) count += !strcmp(cli->inputs[i], "-");
    return count < 2 || od_fail(error, "standard input (-) can be read only once");
}

bool od_load_spares(const od_cli *cli, const char *path, od_error *error)
{
    if (cli->target && od_output_same(path, cli->target)) return od_fail(error, "%s: is the target itself", path);
    if (cli->skeleton && od_output_same(path, cli->skeleton)) return od_fail(error, "%s: is the skeleton itself", path);
    if (cli->source_model && od_output_same(path, cli->source_model))
        return od_fail(error, "%s: is the source's model itself", path);
    if (cli->map && od_output_same(path, cli->map)) return od_fail(error, "%s: is the mapping itself", path);
    for (int i = 0; i < cli->input_count; i++)
        if (od_output_same(path, cli->inputs[i])) return od_fail(error, "%s: is the source itself", path);
    return true;
}

const char *od_load_name(const char *path)
{
    return path && !strcmp(path, "-") ? "standard input" : path;
}
