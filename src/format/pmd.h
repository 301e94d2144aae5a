/* PMD: MMD's older models. */
#ifndef ODORI_FORMAT_PMD_H
#define ODORI_FORMAT_PMD_H

#include "odori/format.h"

bool od_pmd_probe(const unsigned char *data, size_t size);

/* Bones as PMX would have them, IK chains with the knees' implicit limits, names of morphs, English
 * names when the file has them. The file may end before any section behind the bones. */
bool od_pmd_read(const od_file *file, od_target *target, od_report *report, od_arena *arena, od_error *error);

#endif
