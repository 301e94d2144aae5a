/* VPD: MMD's poses, as text. */
#ifndef ODORI_FORMAT_VPD_H
#define ODORI_FORMAT_VPD_H

#include "odori/format.h"

bool od_vpd_probe(const unsigned char *data, size_t size);

/* The pose as one key for each bone and morph, at frame 0. */
bool od_vpd_read(const od_file *file, od_keys *keys, od_report *report, od_arena *arena, od_error *error);

#endif
