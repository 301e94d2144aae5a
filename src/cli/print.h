/* Print: names from files on streams, which may be terminals. */
#ifndef ODORI_CLI_PRINT_H
#define ODORI_CLI_PRINT_H

#include <stdio.h>

#include "odori/report.h"

/* `text` with control characters replaced. */
void od_print_text(FILE *out, const char *text);

/* `text` as a JSON string: control characters escaped, bytes that are no UTF-8 as U+FFFD. */
void od_print_json(FILE *out, const char *text);

/* One line. `name` (may be NULL) is put before a message that does not name it. */
void od_print_error(FILE *out, const char *name, const od_error *error);

/* The warnings of a report, each a line, and how many more when they are many;
 * `name` as above. */
void od_print_warnings(FILE *out, const char *name, const od_report *report);

/* What was found and decided, likewise. */
void od_print_choices(FILE *out, const od_report *report);

#endif
