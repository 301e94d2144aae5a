/* Load: what several commands read: sources, targets, mappings. */
#ifndef ODORI_CLI_LOAD_H
#define ODORI_CLI_LOAD_H

#include "cli/options.h"

/* A source's scene; the file's bytes are gone when it returns. */
bool od_load_scene(const od_cli *cli, const char *path, od_scene *scene, od_report *report, od_arena *arena,
                   od_error *error);

/* The model of --target, or the built-in one. */
bool od_load_target(const od_cli *cli, od_target *target, od_report *report, od_arena *arena, od_error *error);

/* The mapping of --map (a file when one of that name is there, else a preset), or the detected one. */
bool od_load_mapping(const od_cli *cli, const od_skeleton *skeleton, od_mapping *mapping, od_report *report,
                     od_arena *arena, od_error *error);

/* The clip of --clip by name or number (from 0), or the first; NULL with a failure when there is none. */
const od_clip *od_load_clip(const od_cli *cli, const od_scene *scene, const char *path, od_error *error);

/* Writes a report's notes to standard error as far as -q and -v ask for; `path` may be NULL. */
void od_print_notes(const od_cli *cli, const od_report *report, const char *path);

/* One line on standard error. */
void od_print_error(const od_error *error);

#endif
