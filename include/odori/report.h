/* Report: what a person should know although the work went on. The library prints nothing; the
 * program shows these lines and writes them into --report. */
#ifndef ODORI_REPORT_H
#define ODORI_REPORT_H

#include "odori/arena.h"

typedef enum od_note_kind { OD_NOTE_CHOICE, OD_NOTE_WARNING } od_note_kind;

typedef struct od_note {
    od_note_kind kind;
    const char *text; /* UTF-8, lower case, no final dot, no control characters */
    struct od_note *next;
} od_note;

/* A zeroed report with `arena` set is empty and ready. The arena must outlive it. */
typedef struct od_report {
    od_arena *arena;
    od_note *first, *last;
    int warnings; /* number of notes of kind OD_NOTE_WARNING */
} od_report;

/* Append a warning (something may be wrong) or a choice (what was found and decided).
 * `report` may be NULL. A note that does not fit into the arena is counted but lost. */
OD_API void od_warn(od_report *report, const char *format, ...) OD_PRINTF(2, 3);
OD_API void od_choice(od_report *report, const char *format, ...) OD_PRINTF(2, 3);

#endif
