/* Input: whole files, or standard input, into memory. */
#ifndef ODORI_CLI_INPUT_H
#define ODORI_CLI_INPUT_H

#include "odori/format.h"

/* Reads `path` ("-": standard input), at most 2 GiB: an endless stream must not fill the memory. Free
 * with od_input_free. */
bool od_input_read(const char *path, od_file *file, od_error *error);
void od_input_free(od_file *file);

#endif
