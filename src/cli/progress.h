/* Progress: what a batch tells while it works. */
#ifndef ODORI_CLI_PROGRESS_H
#define ODORI_CLI_PROGRESS_H

#include "cli/convert.h"

typedef struct od_progress {
    od_progress_kind kind;
    bool shown;   /* the line is on the terminal */
    bool enabled; /* there is something to show it to */
    double begin, drawn;
    size_t total, done, failed, kept;
    double frames;
} od_progress;

od_progress od_progress_begin(const od_cli *cli, size_t total);

/* One more source is done. */
void od_progress_note(od_progress *progress, const od_outcomes *outcomes);

/* Draws the line anew, at most ten times a second. */
void od_progress_draw(od_progress *progress);

/* Takes the line away, so that something else may be printed. */
void od_progress_clear(od_progress *progress);

void od_progress_end(od_progress *progress, size_t left);

/* Seconds of a clock that only goes on. */
double od_progress_now(void);

#endif
