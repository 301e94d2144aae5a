/* The text of a mapping file. */
#ifndef ODORI_CLI_MAPPING_TEXT_H
#define ODORI_CLI_MAPPING_TEXT_H

#include <stdio.h>

#include "odori/mapping.h"

/* Writes a mapping, with a list of the joints that it leaves out. */
void od_print_mapping(FILE *out, const od_mapping *m, const char *const *unmapped, int unmapped_count);

#endif
