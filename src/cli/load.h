/* Load: what several commands read: sources, targets, mappings. */
#ifndef ODORI_CLI_LOAD_H
#define ODORI_CLI_LOAD_H

#include "cli/options.h"

/* What a batch has read already, for all its conversions; NULL: it is not asked for. */
typedef struct od_shared {
    const od_mapping *mapping;     /* of --map */
    const od_target *source_model; /* of --source-model */
    od_file skeleton;              /* the bytes of --skeleton */
} od_shared;

/* Reads what conversions share. Returns an exit code. Free with od_load_free. */
int od_load_shared(const od_cli *cli, od_shared *shared, od_report *report, od_arena *arena, od_error *error);
void od_load_free(od_shared *shared);

/* A PMX or PMD model. */
bool od_load_model(const char *path, od_target *target, od_report *report, od_arena *arena, od_error *error);

/* The model of --source-model. */
bool od_load_source_model(const od_cli *cli, od_target *model, od_report *report, od_arena *arena, od_error *error);

/* The keys of an MMD motion. */
bool od_load_keys(const char *path, od_keys *keys, od_report *report, od_arena *arena, od_error *error);

/* A source's scene; an MMD motion is played on the model of --source-model. the file's bytes are gone when it returns. */
bool od_load_scene(const od_cli *cli, const char *path, od_scene *scene, od_report *report, od_arena *arena,
                   od_error *error);

/* The same for a file that has been read and is no motion of keys. With --skeleton the motion is put onto that one. */
bool od_load_opened(const od_cli *cli, const char *path, const od_file *file, const od_format *format, od_scene *scene,
                    od_report *report, od_arena *arena, od_error *error);

/* The model of --target, or the built-in one. */
bool od_load_target(const od_cli *cli, od_target *target, od_report *report, od_arena *arena, od_error *error);

/* A mapping file. */
bool od_load_mapping_file(const char *path, od_mapping *mapping, od_report *report, od_arena *arena, od_error *error);

/* The mapping of --map (a file when one of that name is there, else a preset), or the detected one. */
bool od_load_mapping(const od_cli *cli, const od_scene *scene, od_mapping *mapping, od_report *report, od_arena *arena,
                     od_error *error);

/* Adds to a failure that the source has other roots, which may be the person. */
void od_load_blame_root(const od_scene *scene, od_error *error);

/* The rest pose that --bind or else the mapping asks for. Fails when the clip (may be NULL) lacks the
 * mapping's frame. */
bool od_load_bind(const od_cli *cli, const od_mapping *mapping, const od_clip *clip, od_bind *bind, od_error *error);

/* The clip of --clip by name or number (from 0), or the first of several frames; NULL with a failure when there is none. */
const od_clip *od_load_clip(const od_cli *cli, const od_scene *scene, const char *path, od_error *error);

/* Fails when standard input would be read more than once. */
bool od_load_once(const od_cli *cli, od_error *error);

/* Fails when writing `path` would overwrite a file that the command reads. */
bool od_load_spares(const od_cli *cli, const char *path, od_error *error);

/* A path as messages name it. */
const char *od_load_name(const char *path);

#endif
