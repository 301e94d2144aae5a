/* Output: files appear whole or not at all. */
#ifndef ODORI_CLI_OUTPUT_H
#define ODORI_CLI_OUTPUT_H

#include "odori/format.h"

typedef struct od_output {
    const char *name; /* for messages */
    char *path;       /* with links followed; NULL for standard output */
    char *temporary;  /* where the bytes go until they are all; NULL for a pipe or device, written as it comes */
    bool force;
    int file;
    /* May be set after opening: called when the bytes are on the disk and before they get their name. */
    bool (*seal)(void *context, int file, od_error *error);
    void *context;
    struct od_output *next; /* in the list of those that are open */
} od_output;

/* Fails early when `path` may not be written: it exists and `force` is not set, or it is a terminal
 * and the data `binary`. "-" is standard output. */
bool od_output_allowed(const char *path, bool force, bool binary, od_error *error);

/* Are these two names of one file? */
bool od_output_same(const char *a, const char *b);

/* Opens a temporary file beside `path`. The output must stay where it is until it is closed. */
bool od_output_open(od_output *output, const char *path, bool force, od_error *error);

/* Sink for writers; the context is an od_output. */
bool od_output_write(void *output, const void *data, size_t size, od_error *error);

/* Gives the file its name (`good`), or removes it. False when it is not there whole. */
bool od_output_close(od_output *output, bool good, od_error *error);

/* Writes a text that is in memory. */
bool od_output_text(const char *path, bool force, const char *text, size_t size, od_error *error);

/* Before the program ends by a signal: removes all temporary files; no other appears. */
void od_output_abandon(void);

/* Removes the temporary files that killed programs left in a folder. */
void od_output_sweep(const char *folder);

#endif
