/* Picking: allowed steps only, and as few as there can be. */
#include "check.h"
#include "math/pick.h"

enum { PLACES = 60 };

/* reach[from]: the farthest place that one step comes to. */
static bool step_to_reach(void *context, int from, int to)
{
    const int *reach = context;
    assert_true(from + 1 < to && to < PLACES);
    return to <= reach[from];
}

static bool step_by_table(void *context, int from, int to)
{
    const bool(*allowed)[PLACES] = context;
    return allowed[from][to];
}

static void pick_all(od_picker *picker, od_pick_step *step, void *context, od_arena *arena)
{
    od_error error = {0};
    assert_ok(od_picker_make(picker, PLACES, arena, &error), error);
    od_pick(picker, 0, PLACES - 1, step, context);
    assert_int_equal(picker->chosen[0], 0);
    assert_int_equal(picker->chosen[picker->count - 1], PLACES - 1);
    for (int i = 1; i < picker->count; i++) {
        assert_true(picker->chosen[i - 1] < picker->chosen[i]);
        if (picker->chosen[i] - picker->chosen[i - 1] > 1)
            assert_true(step(context, picker->chosen[i - 1], picker->chosen[i]));
    }
}

/* Where parts of an allowed step are allowed too, going as far as one can needs the fewest steps. */
static void fewest_steps_where_parts_of_steps_are_allowed(void **state)
{
    (void)state;
    uint32_t random = 5;
    for (int round = 0; round < 200; round++) {
        int reach[PLACES], fewest = 1;
        for (int i = PLACES; i--;) {
            reach[i] = i + 1 + (int)(6 + 6 * check_random(&random));
            if (i + 1 < PLACES && reach[i] > reach[i + 1]) reach[i] = reach[i + 1];
        }
        for (int at = 0; at<PLACES - 1; at = reach[at]> at + 1 ? reach[at] : at + 1) fewest++;
        od_arena *arena = od_arena_new(0);
        od_picker picker;
        pick_all(&picker, step_to_reach, reach, arena);
        assert_int_equal(picker.count, fewest);
        od_arena_free(arena);
    }
}

/* Any table at all: never more than every place, never a step that is not allowed. */
static void only_allowed_steps(void **state)
{
    (void)state;
    static bool allowed[PLACES][PLACES];
    uint32_t random = 17;
    for (int round = 0; round < 100; round++) {
        for (int a = 0; a < PLACES; a++)
            for (int b = 0; b < PLACES; b++) allowed[a][b] = check_random(&random) > 0.01 * round;
        od_arena *arena = od_arena_new(0);
        od_picker picker;
        pick_all(&picker, step_by_table, allowed, arena);
        assert_in_range(picker.count, 2, PLACES);
        od_arena_free(arena);
    }
}

static void stretches_are_joined(void **state)
{
    (void)state;
    int reach[PLACES];
    od_error error = {0};
    od_arena *arena = od_arena_new(0);
    od_picker picker;
    for (int i = 0; i < PLACES; i++) reach[i] = PLACES;
    assert_ok(od_picker_make(&picker, PLACES, arena, &error), error);
    od_pick(&picker, 0, 20, step_to_reach, reach);
    od_pick(&picker, 20, 21, step_to_reach, reach);
    od_pick(&picker, 21, PLACES - 1, step_to_reach, reach);
    static const int expected[] = {0, 20, 21, PLACES - 1};
    assert_int_equal(picker.count, 4);
    assert_memory_equal(picker.chosen, expected, sizeof expected);
    od_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fewest_steps_where_parts_of_steps_are_allowed),
        cmocka_unit_test(only_allowed_steps),
        cmocka_unit_test(stretches_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
