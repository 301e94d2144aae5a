/* VMD: MMD's motions. The writer is public, see odori/format.h. */
#ifndef ODORI_FORMAT_VMD_H
#define ODORI_FORMAT_VMD_H

#include "odori/format.h"

bool od_vmd_probe(const unsigned char *data, size_t size);

/* Versions 1 and 2. What can be mended is, with a warning: keys that are no numbers are left out, and of
 * keys on one frame the last counts. */
bool od_vmd_read(const od_file *file, od_keys *keys, od_report *report, od_arena *arena, od_error *error);

#endif
