/* VMD: MMD's motions. The writer is public, see odori/format.h. */
#ifndef ODORI_FORMAT_VMD_H
#define ODORI_FORMAT_VMD_H

#include "odori/format.h"

bool od_vmd_probe(const unsigned char *data, size_t size);
bool od_vmd_read(const od_file *file, od_keys *keys, od_report *report, od_arena *arena, od_error *error);

#endif
