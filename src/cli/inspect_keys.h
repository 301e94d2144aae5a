/* What is in a motion of MMD's. */
#ifndef ODORI_CLI_INSPECT_KEYS_H
#define ODORI_CLI_INSPECT_KEYS_H

#include "cli/writer.h"
#include "odori/odori.h"

/* For people, on standard output. */
void od_inspect_print_keys(const char *path, const char *format, const od_keys *keys);

/* For programs. */
void od_inspect_write_keys(od_writer *w, const char *path, const char *format, const od_keys *keys);

#endif
