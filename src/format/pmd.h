/* PMD: MMD's older models. */
#ifndef ODORI_FORMAT_PMD_H
#define ODORI_FORMAT_PMD_H

#include "odori/format.h"

bool od_pmd_probe(const unsigned char *data, size_t size);

/* The model that a PMX of it would be, whole or of its bones and what moves them. A file may end behind
 * its bones and behind each section that follows. */
bool od_pmd_read(const od_file *file, bool whole, od_model *model, od_report *report, od_arena *arena, od_error *error);

#endif
