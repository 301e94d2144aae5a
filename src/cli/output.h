/* Output: files appear whole or not at all. */
#ifndef ODORI_CLI_OUTPUT_H
#define ODORI_CLI_OUTPUT_H

#include "odori/format.h"

typedef struct od_output {
    const char *path; /* "-": standard output */
    bool force;
    int file;
    bool direct;     /* a pipe or device: written as it comes */
    char *temporary; /* name of the file until it is whole; NULL when direct */
} od_output;

/* Fails early when `path` may not be written: it exists and `force` is not set, or it is a terminal
 * and the data `binary`. */
bool od_output_allowed(const char *path, bool force, bool binary, od_error *error);

/* Opens a temporary file beside `path`. */
bool od_output_open(od_output *output, const char *path, bool force, od_error *error);

/* Sink for writers; the context is an od_output. */
bool od_output_write(void *output, const void *data, size_t size, od_error *error);

/* Gives the file its name (`good`), or removes it. False when it cannot be written whole. */
bool od_output_close(od_output *output, bool good, od_error *error);

/* Makes SIGINT, SIGTERM and SIGHUP remove the temporary file before they end the program. */
void od_output_guard(void);

#endif
