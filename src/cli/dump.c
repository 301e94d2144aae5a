/* Input: a motion, a model or a mapping. Output: all of it, as text or (--json) as JSON. */
#include "cli/dump.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/load.h"
#include "cli/print.h"

static void dump_joints(od_sheet *s, const od_scene *scene)
{
    od_sheet_list(s, "joints");
    for (int i = 0; i < scene->skeleton.count; i++) {
        const od_bone *bone = &scene->skeleton.bones[i];
        od_sheet_row(s, "joint");
        od_sheet_text(s, "name", bone->name);
        od_sheet_text(s, "parent", bone->parent < 0 ? NULL : scene->skeleton.bones[bone->parent].name);
        od_sheet_vector(s, "at", bone->rest.t);
        od_sheet_numbers(s, "turned", bone->rest.q.raw, 4);
        if (scene->roles && scene->roles[i] != OD_ROLE_NONE)
            od_sheet_text(s, "role", od_role_name((od_role)scene->roles[i]));
        od_sheet_row_end(s);
    }
    od_sheet_list_end(s);
}

static bool is_other(const float *a, const float *b, int count)
{
    for (int i = 0; i < count; i++)
        if (a[i] != b[i]) return true;
    return false;
}

/* Joints that are not as in the frame that was shown before, the first time as at rest. */
static void dump_frame(od_sheet *s, const od_skeleton *skeleton, int frame, const od_xform *local, od_xform *shown)
{
    od_sheet_row(s, "");
    od_sheet_number(s, "frame", frame);
    od_sheet_list(s, "joints");
    for (int b = 0; b < skeleton->count; b++) {
        bool moves = is_other(local[b].t.raw, shown[b].t.raw, 3), turns = is_other(local[b].q.raw, shown[b].q.raw, 4);
        shown[b] = local[b];
        if (!moves && !turns) continue;
        od_sheet_row(s, "joint");
        od_sheet_text(s, "name", skeleton->bones[b].name);
        if (moves) od_sheet_vector(s, "at", local[b].t);
        if (turns) od_sheet_numbers(s, "turned", local[b].q.raw, 4);
        od_sheet_row_end(s);
    }
    od_sheet_list_end(s);
    od_sheet_row_end(s);
}

static void dump_clip(od_sheet *s, const od_skeleton *skeleton, const od_clip *clip, int every, od_xform *local,
                      od_xform *shown)
{
    for (int b = 0; b < skeleton->count; b++) shown[b] = skeleton->bones[b].rest;
    od_sheet_row(s, "clip");
    od_sheet_text(s, "name", clip->name);
    od_sheet_number(s, "fps", clip->fps);
    od_sheet_number(s, "count", clip->frames);
    od_sheet_list(s, "frames");
    for (int f = 0; f < clip->frames; f += every) {
        od_clip_pose(clip, f, local);
        dump_frame(s, skeleton, f, local, shown);
        if (f > clip->frames - every) break;
    }
    od_sheet_list_end(s);
    od_dump_morphs(s, clip->morphs, clip->morph_count, every);
    od_sheet_row_end(s);
}

bool od_dump_scene(od_sheet *s, const char *file, const od_scene *scene, int every, od_arena *arena, od_error *error)
{
    size_t count = (size_t)scene->skeleton.count;
    od_xform *local = OD_NEW(arena, od_xform, count, error), *shown = OD_NEW(arena, od_xform, count, error);
    if (!local || !shown) return false;
    od_sheet_row(s, "motion");
    od_sheet_text(s, "file", file);
    od_sheet_text(s, "format", scene->format);
    od_sheet_flag(s, "bind-pose", scene->rest_is_bind);
    if (scene->other_roots) od_sheet_text(s, "other-roots", scene->other_roots);
    dump_joints(s, scene);
    od_sheet_list(s, "clips");
    for (int i = 0; i < scene->clip_count; i++) dump_clip(s, &scene->skeleton, &scene->clips[i], every, local, shown);
    od_sheet_list_end(s);
    od_sheet_row_end(s);
    return true;
}

static void dump_texts(od_sheet *s, const char *list, const char *tag, const char *const *texts, int count)
{
    od_sheet_list(s, list);
    for (int i = 0; i < count; i++) {
        od_sheet_row(s, tag);
        od_sheet_text(s, "name", texts[i]);
        od_sheet_row_end(s);
    }
    od_sheet_list_end(s);
}

void od_dump_mapping(od_sheet *s, const char *file, const od_mapping *m)
{
    static const char *const uses[] = {"rotation", "translation", NULL}, *const binds[] = {"auto", "rest", "frame"};
    od_sheet_row(s, "mapping");
    od_sheet_text(s, "name", m->name);
    od_sheet_text(s, "title", m->title);
    od_sheet_text(s, "file", file);
    od_sheet_text(s, "bind", binds[m->bind.kind]);
    if (m->bind.kind == OD_BIND_FRAME) od_sheet_number(s, "frame", m->bind.frame);
    dump_texts(s, "strip", "strip", m->strip, m->strip_count);
    dump_texts(s, "require", "require", m->require, m->require_count);
    od_sheet_list(s, "bones");
    for (int i = 0; i < m->entry_count; i++) {
        const od_map_entry *entry = &m->entries[i];
        od_sheet_row(s, "joint");
        od_sheet_text(s, "name", entry->source);
        if (entry->nth) od_sheet_number(s, "nth", entry->nth);
        od_sheet_text(s, "target", entry->target);
        od_sheet_words(s, "use", uses, (unsigned)entry->use);
        od_sheet_vector(s, "offset", entry->offset);
        od_sheet_row_end(s);
    }
    od_sheet_list_end(s);
    od_sheet_list(s, "morphs");
    for (int i = 0; i < m->morph_count; i++) {
        od_sheet_row(s, "morph");
        od_sheet_text(s, "name", m->morphs[i].source);
        od_sheet_text(s, "target", m->morphs[i].target);
        od_sheet_row_end(s);
    }
    od_sheet_list_end(s);
    od_sheet_row_end(s);
}

/* A mapping is the only JSON that is no motion. */
static bool is_mapping(const od_file *file)
{
    size_t at = file->size >= 3 && !memcmp(file->data, "\xEF\xBB\xBF", 3) ? 3 : 0;
    while (at < file->size && strchr(" \t\r\n", file->data[at]) && file->data[at]) at++;
    return at < file->size && file->data[at] == '{';
}

static bool dump(const od_cli *cli, const od_file *file, od_report *report, od_arena *arena, od_error *error)
{
    const od_format *format = cli->from ? od_format_named(cli->from) : od_format_detect(file);
    od_sheet sheet = {.writer = {.out = stdout}, .json = cli->json};
    int every = cli->every ? cli->every : 1;
    if (!format && is_mapping(file)) {
        od_mapping mapping;
        if (!od_mapping_parse(file->name, (const char *)file->data, file->size, &mapping, report, arena, error))
            return false;
        od_dump_mapping(&sheet, file->name, &mapping);
    } else if (format && format->read_model) {
        od_target model;
        if (!od_read_target(file, format, &model, report, arena, error)) return false;
        od_dump_model(&sheet, file->name, format->name, &model);
    } else if (format && format->read_keys) {
        od_keys keys;
        if (!od_read_keys(file, format, &keys, report, arena, error)) return false;
        od_dump_keys(&sheet, file->name, format->name, &keys, every);
    } else {
        od_scene scene;
        if (!od_load_opened(cli, cli->inputs[0], file, format, &scene, report, arena, error)) return false;
        return od_dump_scene(&sheet, file->name, &scene, every, arena, error);
    }
    return true;
}

int od_run_dump(const od_cli *cli)
{
    od_error error = {0};
    od_file file = {.name = od_load_name(cli->inputs[0])};
    od_arena *arena = od_arena_new(0);
    od_report report = {.arena = arena};
    if (!arena) od_fail(&error, "out of memory");
    else if (od_input_read(cli->inputs[0], &file, &error)) (void)dump(cli, &file, &report, arena, &error);
    fflush(stdout); /* before what goes to the other stream */
    if (!cli->quiet) od_print_warnings(stderr, file.name, &report);
    if (error.failed) od_print_error(stderr, file.name, &error);
    int status = !error.failed ? EXIT_DONE : error.mapping ? EXIT_TARGET : EXIT_INPUT;
    od_input_free(&file);
    od_arena_free(arena);
    return status;
}
