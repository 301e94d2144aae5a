/* Input: a sequence of places and which steps are allowed. Output: a chain of few steps.
 *
 * Places are taken step by step: those that k steps reach, of them the farthest few, from which k + 1 steps
 * go on. One alone would be the greedy way; most of what the best chain saves against it is found with three.
 * The reach of a place is found by doubling and halving, then a little farther, for a longer step may be
 * allowed where a shorter one is not. */
#include "math/pick.h"

enum { FRONT = 3, BEYOND = 2 };

typedef struct search {
    od_picker *picker;
    od_pick_step *step;
    void *context;
    int to;
    int next[FRONT], count; /* farthest places found for the next step, descending */
} search;

bool od_picker_make(od_picker *picker, int places, od_arena *arena, od_error *error)
{
    *picker = (od_picker){.parent = OD_NEW(arena, int, (size_t)places, error),
                          .chosen = OD_NEW(arena, int, (size_t)places, error)};
    return picker->parent && picker->chosen;
}

static bool is_found(const search *s, int place)
{
    for (int i = 0; i < s->count; i++)
        if (s->next[i] == place) return true;
    return false;
}

/* Would a place be among the farthest? */
static bool is_wanted(const search *s, int place)
{
    return !is_found(s, place) && (s->count < FRONT || place > s->next[FRONT - 1]);
}

static void keep(search *s, int place, int parent)
{
    int i = s->count < FRONT ? s->count++ : FRONT - 1;
    for (; i > 0 && s->next[i - 1] < place; i--) s->next[i] = s->next[i - 1];
    s->next[i] = place;
    s->picker->parent[place] = parent;
}

/* Can one step from `from` to `place`? */
static bool reaches(const search *s, int from, int place)
{
    return place == from + 1 || s->step(s->context, from, place);
}

static int find_reach(const search *s, int from)
{
    int reach = from + 1, fail = s->to + 1;
    for (int way = 2; reach < s->to; way *= 2) {
        int place = from + way < s->to ? from + way : s->to;
        if (!reaches(s, from, place)) {
            fail = place;
            break;
        }
        reach = place;
    }
    while (fail - reach > 1) {
        int middle = reach + (fail - reach) / 2;
        if (reaches(s, from, middle)) reach = middle;
        else fail = middle;
    }
    for (int place = reach + 2; place <= s->to && place <= reach + 1 + BEYOND; place++)
        if (place != fail && reaches(s, from, place)) reach = place;
    return reach;
}

static void expand(search *s, int from, int farthest)
{
    int reach = find_reach(s, from);
    if (is_wanted(s, reach) && reach > farthest) keep(s, reach, from);
    for (int place = reach - 1; place > reach - FRONT && place > farthest; place--)
        if (is_wanted(s, place) && reaches(s, from, place)) keep(s, place, from);
}

void od_pick(od_picker *picker, int from, int to, od_pick_step *step, void *context)
{
    search s = {.picker = picker, .step = step, .context = context, .to = to};
    int front[FRONT] = {from}, count = 1, steps = 0;
    if (!picker->count) picker->chosen[picker->count++] = from;
    while (front[0] < to) {
        s.count = 0;
        for (int i = 0; i < count; i++) expand(&s, front[i], front[0]);
        count = s.count;
        for (int i = 0; i < count; i++) front[i] = s.next[i];
        steps++;
    }
    picker->count += steps;
    for (int place = to, i = picker->count; steps; steps--, place = picker->parent[place]) picker->chosen[--i] = place;
}
