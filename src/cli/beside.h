/* Beside: files that a source names, relative to its own folder. */
#ifndef ODORI_CLI_BESIDE_H
#define ODORI_CLI_BESIDE_H

#include "cli/options.h"

/* A source that may name others. */
typedef struct od_beside {
    const char *source; /* its path */
    bool anywhere;      /* also outside its folder */
} od_beside;

/* The options for reading a source, which may open such files; `beside` has to live as long. */
od_read_options od_beside_options(const od_cli *cli, const char *source, od_beside *beside);

#endif
