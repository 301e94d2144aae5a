/* Input: keys, a limit. Output: the same keys in parts of at most so many. */
#include "odori/split.h"

/* In the order of the parts. */
typedef enum group { GROUP_TRUNK, GROUP_ARMS, GROUP_FINGERS, GROUP_LEGS, GROUP_OTHERS, GROUPS } group;

typedef struct splitter {
    const od_keys *keys;
    size_t limit, room; /* keys of a part; those that the last still takes */
    od_keys *parts;
    int count;
    od_arena *arena;
    od_error *error;
} splitter;

static group group_of(od_role role)
{
    if (role == OD_ROLE_NONE) return GROUP_OTHERS;
    if (role >= OD_ROLE_WAIST_CANCEL_L) return GROUP_LEGS;
    if (role >= OD_ROLE_THUMB0_L) return GROUP_FINGERS;
    return role >= OD_ROLE_SHOULDER_P_L ? GROUP_ARMS : GROUP_TRUNK;
}

static group group_of_track(const od_target *target, const od_track *track)
{
    int bone = od_skeleton_find(&target->skeleton, track->name);
    return group_of(bone >= 0 ? target->bones[bone].role : od_role_find(track->name));
}

/* A part holds each track once at most. */
static bool begin_part(splitter *s)
{
    od_keys *part = &s->parts[s->count];
    *part = (od_keys){.model = s->keys->model};
    if (s->count++ == 0) *part = *s->keys;
    part->track_count = 0;
    part->tracks = OD_NEW(s->arena, od_track, (size_t)s->keys->track_count, s->error);
    s->room = s->limit;
    return part->tracks != NULL;
}

/* Keys `from` to `from + count - 1` of a track; a curve belongs to the key at its end, so it stays with that. */
static bool add_slice(splitter *s, const od_track *track, int from, int count)
{
    od_keys *part = &s->parts[s->count - 1];
    od_track slice = *track;
    slice.count = count;
    if (!track->frame && from) {
        unsigned *frame = OD_NEW(s->arena, unsigned, (size_t)count, s->error);
        if (!frame) return false;
        for (int i = 0; i < count; i++) frame[i] = (unsigned)(from + i);
        slice.frame = frame;
    } else if (track->frame) slice.frame += from;
    if (track->position) slice.position += from;
    if (track->rotation) slice.rotation += from;
    if (track->curves) slice.curves += from;
    if (track->still) slice.still += from;
    part->tracks[part->track_count++] = slice;
    s->room -= (size_t)count;
    return true;
}

static bool add_track(splitter *s, const od_track *track)
{
    size_t count = (size_t)track->count;
    if (count > s->room && count <= s->limit && !begin_part(s)) return false;
    for (size_t from = 0; from < count;) {
        if (!s->room && !begin_part(s)) return false;
        size_t n = count - from < s->room ? count - from : s->room;
        if (!add_slice(s, track, (int)from, (int)n)) return false;
        from += n;
    }
    return true;
}

bool od_split(const od_target *target, const od_keys *keys, size_t limit, od_keys **parts, int *count, od_arena *arena,
              od_error *error)
{
    size_t all = od_keys_count(keys), size[GROUPS] = {0};
    splitter s = {.keys = keys, .limit = limit, .arena = arena, .error = error};
    /* A part is begun when the one before is full, or for a track or a group. */
    s.parts = OD_NEW(arena, od_keys, all / limit + (size_t)keys->track_count + GROUPS + 1, error);
    if (!s.parts || !begin_part(&s)) return false;
    if (all <= limit) {
        s.parts[0] = *keys;
        *parts = s.parts;
        *count = 1;
        return true;
    }
    for (int i = 0; i < keys->track_count; i++)
        size[group_of_track(target, &keys->tracks[i])] += (size_t)keys->tracks[i].count;
    for (int g = 0; g < GROUPS; g++) {
        if (size[g] > s.room && size[g] <= limit && !begin_part(&s)) return false;
        for (int i = 0; i < keys->track_count; i++)
            if ((int)group_of_track(target, &keys->tracks[i]) == g && !add_track(&s, &keys->tracks[i])) return false;
    }
    *parts = s.parts;
    *count = s.count;
    return true;
}
