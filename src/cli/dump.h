/* Dump: all that a file holds, as rows of a sheet. `file` and `format` are named in the first row. */
#ifndef ODORI_CLI_DUMP_H
#define ODORI_CLI_DUMP_H

#include "cli/sheet.h"
#include "odori/odori.h"

/* Of motions every n-th frame only. */
void od_dump_keys(od_sheet *s, const char *file, const char *format, const od_keys *keys, int every);
void od_dump_morphs(od_sheet *s, const od_morph_track *morphs, int count, int every);
bool od_dump_scene(od_sheet *s, const char *file, const od_scene *scene, int every, od_arena *arena, od_error *error);
void od_dump_model(od_sheet *s, const char *file, const char *format, const od_target *model);
void od_dump_mapping(od_sheet *s, const char *file, const od_mapping *mapping);

#endif
