/* Pick: few places of a sequence, so that every step from one to the next is allowed. */
#ifndef ODORI_MATH_PICK_H
#define ODORI_MATH_PICK_H

#include "odori/arena.h"

/* May one step from place `from` over to `to`? Asked for from + 1 < to only: a step to the next place is
 * always allowed. */
typedef bool od_pick_step(void *context, int from, int to);

typedef struct od_picker {
    int *chosen; /* chosen[0 .. count - 1], ascending: first `from`, last `to` */
    int count;
} od_picker;

/* Room for `places` places. */
bool od_picker_make(od_picker *picker, int places, od_arena *arena, od_error *error);

/* Appends the places after `from` up to `to` (from <= to) to those chosen; when there are none yet, `from`
 * comes first. */
void od_pick(od_picker *picker, int from, int to, od_pick_step *step, void *context);

#endif
