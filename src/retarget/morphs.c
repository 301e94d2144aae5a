/* Input: morph tracks of the source. Output: those that the target has, in the motion's time. */
#include <string.h>

#include "mmd/label.h"
#include "mmd/morph_alias.h"
#include "retarget/solution.h"

static const char *find_morph(const od_target *target, const char *name)
{
    for (int i = 0; i < target->morph_count; i++)
        if (od_label_same(target->morphs[i], name)) return target->morphs[i];
    return NULL;
}

/* The target's morph for one of the source: by the mapping, else of the same name, else by what is usual. NULL
 * when the target has none; `wanted` says what it would be called. */
static const char *find_match(const od_binding *binding, const od_target *target, const char *name, const char **wanted)
{
    *wanted = name;
    for (int i = 0; i < binding->morph_count; i++)
        if (!strcmp(binding->morphs[i].source, name)) return find_morph(target, *wanted = binding->morphs[i].target);
    const char *found = find_morph(target, name), *alias;
    for (int n = 0; !found && (alias = od_morph_alias(name, n)); n++) found = find_morph(target, alias);
    return found;
}

/* The weight at a time in frames of the source; before the first key and after the last it holds. */
static float weight_at(const od_morph_track *track, double frame)
{
    int next = 0;
    while (next < track->count && od_key_frame(track->frame, next) <= frame) next++;
    if (!next) return track->weight[0];
    if (next == track->count) return track->weight[next - 1];
    double from = od_key_frame(track->frame, next - 1), to = od_key_frame(track->frame, next),
           t = (frame - from) / (to - from);
    return (float)((1 - t) * (double)track->weight[next - 1] + t * (double)track->weight[next]);
}

/* The part that the clip shows: its keys, and one at each end where the part cuts between keys. */
static bool cut(const od_morph_track *in, const od_clip *motion, od_morph_track *out, od_arena *arena, od_error *error)
{
    unsigned *frames = OD_NEW(arena, unsigned, (size_t)in->count + 2, error);
    float *weights = OD_NEW(arena, float, (size_t)in->count + 2, error);
    if (!frames || !weights) return false;
    out->frame = frames;
    out->weight = weights;
    frames[0] = 0;
    weights[0] = weight_at(in, motion->first);
    out->count = 1;
    for (int i = 0; i < in->count; i++) {
        double at = (od_key_frame(in->frame, i) - motion->first) / motion->step;
        if (at < 0 || at > motion->frames - 1) continue;
        unsigned frame = (unsigned)lround(at);
        if (frame > frames[out->count - 1]) out->count++;
        frames[out->count - 1] = frame; /* of two keys on one frame the later counts */
        weights[out->count - 1] = in->weight[i];
    }
    unsigned last = (unsigned)motion->frames - 1;
    bool more = in->count && (od_key_frame(in->frame, in->count - 1) - motion->first) / motion->step > last;
    if (!more || frames[out->count - 1] == last) return true;
    frames[out->count] = last;
    weights[out->count++] = weight_at(in, motion->first + last * motion->step);
    return true;
}

enum { NAMED = 4 }; /* of the morphs that the target lacks */

static bool is_taken(const od_keys *keys, const char *name)
{
    for (int i = 0; i < keys->morph_count; i++)
        if (keys->morphs[i].name == name) return true;
    return false;
}

bool od_pass_morphs(const od_clip *motion, const od_binding *binding, const od_target *target, od_keys *keys,
                    od_report *report, od_arena *arena, od_error *error)
{
    const char *lacking = "";
    int lost = 0;
    keys->morphs = OD_NEW(arena, od_morph_track, (size_t)motion->morph_count, error);
    if (!keys->morphs) return false;
    for (int i = 0; i < motion->morph_count; i++) {
        const od_morph_track *in = &motion->morphs[i];
        const char *wanted, *name = find_match(binding, target, in->name, &wanted);
        if (!in->count || (name && is_taken(keys, name))) continue;
        if (!name) {
            if (lost++ < NAMED)
                lacking = od_arena_format(arena, error, "%s%s%s", lacking, lost > 1 ? ", " : "", wanted);
            if (!lacking) return false;
            continue;
        }
        od_morph_track *out = &keys->morphs[keys->morph_count++];
        out->name = name;
        if (!cut(in, motion, out, arena, error)) return false;
    }
    if (lost)
        od_choice(report, "%d morphs of the source are not in the model: %s%s", lost, lacking,
                  lost > NAMED ? ", ..." : "");
    return true;
}
