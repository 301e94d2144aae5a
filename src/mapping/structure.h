/* Structure: a mapping from the shape of a skeleton, whatever its joints are called. */
#ifndef ODORI_MAPPING_STRUCTURE_H
#define ODORI_MAPPING_STRUCTURE_H

#include "odori/mapping.h"

/* Two mirrored legs, a trunk, two mirrored arms, a head. False without a failure when the skeleton has
 * no such shape (`error` is set only when memory is out). */
bool od_mapping_from_structure(const od_skeleton *skeleton, od_mapping *mapping, od_report *report, od_arena *arena,
                               od_error *error);

#endif
