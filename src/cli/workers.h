/* Workers: threads that share a list of tasks. */
#ifndef ODORI_CLI_WORKERS_H
#define ODORI_CLI_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct od_workers {
    int threads; /* at least 1 */
    size_t count;
    bool (*work)(void *context, size_t task);    /* on any thread; false: begin no more tasks */
    void (*collect)(void *context, size_t task); /* on the caller's thread, in order */
    bool (*tick)(void *context); /* likewise, every tenth of a second or oftener; false: begin no more tasks */
    void *context;
} od_workers;

/* Does the tasks; returns how many were done and collected: the first ones of the list. */
size_t od_workers_run(const od_workers *workers);

/* Processors that this process may use: its affinity and the quota of its control groups. */
int od_workers_cores(void);

#endif
