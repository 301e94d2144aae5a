/* Input: keys. Output: how many. */
#include "odori/keys.h"

size_t od_keys_count(const od_keys *keys)
{
    size_t count = 0;
    for (int i = 0; i < keys->track_count; i++) count += (size_t)keys->tracks[i].count;
    return count;
}
