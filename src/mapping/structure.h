/* Structure: a mapping from the shape of a skeleton, whatever its joints are called. */
#ifndef ODORI_MAPPING_STRUCTURE_H
#define ODORI_MAPPING_STRUCTURE_H

#include "odori/mapping.h"

/* Two mirrored legs, a trunk, two mirrored arms, a head. Lengths and ties alone decide, so the rest
 * pose may be no pose; only where names do not tell left from right it is looked at. False without a
 * failure when the skeleton has no such shape (`error` is set only when memory is out). */
bool od_mapping_from_structure(const od_skeleton *skeleton, od_mapping *mapping, od_report *report, od_arena *arena,
                               od_error *error);

/* The direction to the figure's left at rest, found from these joints; false when the rest pose is
 * none that a person stands in. */
bool od_structure_left(const od_skeleton *skeleton, int hips, int chest, int ankle, int toe, vec3s *left);

/* A joint that only shows where the one before it ends: a leaf called so ("Head_end", "LToeNub"). */
bool od_structure_is_end(const od_skeleton *skeleton, int joint);

#endif
