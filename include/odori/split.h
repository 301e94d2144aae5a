/* Split: one motion in several files, for versions of MMD that load few keys at once. */
#ifndef ODORI_SPLIT_H
#define ODORI_SPLIT_H

#include "odori/keys.h"
#include "odori/target.h"

/* Parts of at most `limit` (1 or more) bone keys each, which MMD may load one after the other on one model in any
 * order: the trunk, the arms, the fingers, the legs, other bones. A group that fits into a part of its own is not
 * divided, and a track only when it alone is more than a part holds; what fits into one part is left as it is.
 * All that is no key of a bone is in the first part. The arrays are shared with `keys`. */
OD_API bool od_split(const od_target *target, const od_keys *keys, size_t limit, od_keys **parts, int *count,
                     od_arena *arena, od_error *error);

#endif
