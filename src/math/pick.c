/* Input: a sequence of places and which steps are allowed. Output: a chain of few steps.
 *
 * Each step goes as far as it can. The best of all chains is shorter by 1 % in dances, and takes several times
 * as long to find. How far a step can go is found by doubling and halving, then a little farther, for a longer
 * step may be allowed where a shorter one is not. */
#include "math/pick.h"

enum { BEYOND = 2 };

bool od_picker_make(od_picker *picker, int places, od_arena *arena, od_error *error)
{
    *picker = (od_picker){.chosen = OD_NEW(arena, int, (size_t)places, error)};
    return picker->chosen != NULL;
}

static int find_reach(int from, int to, od_pick_step *step, void *context)
{
    int reach = from + 1, fail = to + 1;
    for (int way = 2; reach < to && fail > to; way *= 2) {
        int place = from + way < to ? from + way : to;
        if (step(context, from, place)) reach = place;
        else fail = place;
    }
    while (fail - reach > 1) {
        int middle = reach + (fail - reach) / 2;
        if (step(context, from, middle)) reach = middle;
        else fail = middle;
    }
    for (int place = reach + 2; place <= to && place <= reach + 1 + BEYOND; place++)
        if (step(context, from, place)) reach = place;
    return reach;
}

void od_pick(od_picker *picker, int from, int to, od_pick_step *step, void *context)
{
    if (!picker->count) picker->chosen[picker->count++] = from;
    while (from < to) picker->chosen[picker->count++] = from = find_reach(from, to, step, context);
}
