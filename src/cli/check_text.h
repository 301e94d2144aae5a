/* The figures of a check, for people and for programs. */
#ifndef ODORI_CLI_CHECK_TEXT_H
#define ODORI_CLI_CHECK_TEXT_H

#include "cli/options.h"
#include "cli/writer.h"

/* How many figures are above their limits; each becomes a warning that names the worst frame. */
int od_check_judge(const od_check *check, const double *limits, od_report *report);

/* A table of all figures; those above their limits are marked. */
void od_check_print(FILE *out, const od_check *check, const double *limits);

/* One line: legs, feet, IK. */
void od_check_print_line(FILE *out, const od_check *check);

/* The largest judged value of a measure in some groups (NULL: in all); below 0: it was not measured. */
double od_check_worst(const od_check *check, od_measure measure, const char *group, const char *other);

/* The member "check" of a report. */
void od_check_write(od_writer *w, const char *name, const od_check *check, const double *limits);

#endif
