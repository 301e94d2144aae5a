/* Summary: a table of what was converted. */
#ifndef ODORI_CLI_SUMMARY_H
#define ODORI_CLI_SUMMARY_H

#include "cli/convert.h"

/* What failed, then what is nearest to its limits first. */
void od_summary_print(FILE *out, const od_outcomes *outcomes, const double *limits);

#endif
