/* Input: keys. Output: how many, and the last frame. */
#include "odori/keys.h"

size_t od_keys_count(const od_keys *keys)
{
    size_t count = 0;
    for (int i = 0; i < keys->track_count; i++) count += (size_t)keys->tracks[i].count;
    return count;
}

/* Of a track of bones or morphs: frames may be NULL. */
static unsigned last_of(const unsigned *frame, int count)
{
    return count ? od_key_frame(frame, count - 1) : 0;
}

unsigned od_keys_last(const od_keys *keys)
{
    unsigned last = 0;
    for (int i = 0; i < keys->track_count; i++) {
        unsigned end = last_of(keys->tracks[i].frame, keys->tracks[i].count);
        if (end > last) last = end;
    }
    for (int i = 0; i < keys->morph_count; i++) {
        unsigned end = last_of(keys->morphs[i].frame, keys->morphs[i].count);
        if (end > last) last = end;
    }
    return last;
}
