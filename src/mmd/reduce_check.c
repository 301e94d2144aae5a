/* Input: keys and their check. Output: fewer keys that play as well, and their check. */
#include <math.h>
#include <string.h>

#include "mmd/reduce.h"

enum { ROUNDS = 3 };

static float judged(const od_check *check, od_measure measure, const char *group)
{
    for (int i = 0; i < check->figure_count; i++)
        if (check->figures[i].measure == measure && !strcmp(check->figures[i].group, group))
            return od_figure_judged(&check->figures[i]);
    return 0;
}

/* What may grow: up to its limit what has one; sliding by what a foot moves when it goes through the tolerance
 * ten times a second, and by what nobody sees. */
static float allowed(const od_figure *figure, float before, double way)
{
    static const float cm = 8, often = 1.0f / 3, unseen = 0.02f;
    switch (figure->measure) {
    case OD_MEASURE_KNEE:
    case OD_MEASURE_PLAYER:
    case OD_MEASURE_UNDER:
    case OD_MEASURE_LIMIT: return fmaxf(before, od_measures()[figure->measure].limit);
    case OD_MEASURE_SLIDE: return before + fmaxf(cm * often * (float)way, unseen);
    default: return INFINITY;
    }
}

/* The first figure that is worse than before and too bad; NULL: there is none. */
static const od_figure *find_worse(const od_check *before, const od_check *after, double way)
{
    for (int i = 0; i < after->figure_count; i++) {
        const od_figure *figure = &after->figures[i];
        if (od_figure_judged(figure) > allowed(figure, judged(before, figure->measure, figure->group), way))
            return figure;
    }
    return NULL;
}

/* What carries the body, anew: with a budget all else has to give way. */
static bool reduce_again(od_reducer *reducer, double share, od_keys *reduced)
{
    if (reducer->options->budget) return od_reducer_all(reducer, share, reduced);
    for (int i = 0; i < reduced->track_count; i++) {
        if (!od_reducer_carries(reducer, i)) continue;
        if (share == 0) reduced->tracks[i] = reducer->keys->tracks[i];
        else if (!od_reducer_bone(reducer, i, share, &reduced->tracks[i])) return false;
    }
    return od_reducer_keep_length(reducer, reduced);
}

static void tell_round(const od_figure *worse, double share, od_report *report)
{
    const od_measure_row *row = &od_measures()[worse->measure];
    double value = (double)od_figure_judged(worse);
    if (share > 0)
        od_choice(report, "legs and hips were reduced again, within %g of the tolerance: %s (%s), %.3g %s", share,
                  row->title, worse->group, value, row->unit);
    else od_choice(report, "legs and hips keep all keys: %s (%s), %.3g %s", row->title, worse->group, value, row->unit);
}

static bool run(od_reducer *reducer, const od_target *target, const od_reference *reference,
                const od_check_options *options, od_keys *reduced, od_check *check, od_reduction *reduction,
                od_report *report)
{
    const od_check before = *check;
    double share = 1;
    if (!od_reducer_all(reducer, share, reduced)) return false;
    for (;;) {
        if (!od_check_motion(target, reduced, reference, options, check, NULL, reducer->arena, reducer->error))
            return false;
        const od_figure *worse = find_worse(&before, check, reducer->scale * reducer->way);
        bool last = reduction->rounds == ROUNDS && reducer->options->budget;
        if (!worse || share == 0 || last) return true;
        share = reduction->rounds++ < ROUNDS ? share / 2 : 0;
        tell_round(worse, share, report);
        if (!reduce_again(reducer, share, reduced)) return false;
    }
}

bool od_reduce_checked(const od_target *target, const od_keys *keys, const od_reference *reference,
                       const od_reduce_options *options, const od_check_options *check_options, od_keys *reduced,
                       od_check *check, od_reduction *reduction, od_report *report, od_arena *arena, od_error *error)
{
    od_reducer reducer;
    *reduced = *keys;
    *reduction = (od_reduction){.before = od_keys_count(keys)};
    if (options->kind == OD_REDUCE_OFF) return true;
    bool done = od_reducer_make(&reducer, target, keys, options, reduced, arena, error);
    done = done && run(&reducer, target, reference, check_options, reduced, check, reduction, report);
    od_reducer_tell(&reducer, reduction);
    if (done && reducer.over)
        od_warn(report, "%zu keys of bones are left, more than the %zu asked for", od_keys_count(reduced),
                options->budget);
    od_arena_free(reducer.scratch);
    return done;
}
