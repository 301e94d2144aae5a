/* PMX 2.0 and 2.1: MMD's models. */
#ifndef ODORI_FORMAT_PMX_H
#define ODORI_FORMAT_PMX_H

#include "odori/format.h"

bool od_pmx_probe(const unsigned char *data, size_t size);

/* A whole model, or its bones and what moves them. A file that ends behind its bones is read with a
 * warning. */
bool od_pmx_read(const od_file *file, bool whole, od_model *model, od_report *report, od_arena *arena, od_error *error);

#endif
