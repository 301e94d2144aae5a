/* Walk: the sources that a command line, a list or a folder name. */
#ifndef ODORI_CLI_WALK_H
#define ODORI_CLI_WALK_H

#include "cli/name_set.h"
#include "cli/options.h"

typedef struct od_source {
    const char *path;
    const char *place;   /* its path below the folder that was given, or as it was given */
    const char *name;    /* its output's, from a report; NULL: is found from the place */
    const char *trouble; /* why it cannot be read at all; NULL: nothing known */
    struct od_source *next;
} od_source;

/* In order. A zeroed list with `arena` set is empty. */
typedef struct od_sources {
    od_arena *arena;
    od_source *first, *last;
    size_t count;
    od_name_set *wanted; /* "SOURCE\nTARGET" of what shall be done; NULL: all */
} od_sources;

od_source *od_sources_add(od_sources *sources, const char *path, const char *place, const char *trouble,
                          od_error *error);

/* The sources of the command line and of --filelist: of folders, with -r, the files that --include or else their
 * names' endings choose, in the order of their names. What begins with a dot, links to folders and the
 * output's folder are left out. */
bool od_walk(const od_cli *cli, od_sources *sources, od_error *error);

#endif
