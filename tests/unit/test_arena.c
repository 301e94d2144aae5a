/* Arena: zeroed, aligned, separate pieces up to a limit. */
#include "check.h"

#include "odori/arena.h"

static const size_t sizes[] = {0, 1, 31, 32, 33, 100, 4096, 16383, 16384, 16385, 65536, 65537, 1000000};
#define SIZES (sizeof sizes / sizeof *sizes)

static void pieces_are_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    unsigned char *piece[8 * SIZES];
    for (size_t i = 0; i < 8 * SIZES; i++) {
        size_t size = sizes[i * 5 % SIZES];
        piece[i] = od_arena_alloc(arena, size, 1, &error);
        assert_non_null(piece[i]);
        assert_int_equal((uintptr_t)piece[i] % 32, 0);
        for (size_t k = 0; k < size; k++) assert_int_equal(piece[i][k], 0);
        memset(piece[i], (int)i + 1, size);
    }
    for (size_t i = 0; i < 8 * SIZES; i++)
        for (size_t k = 0; k < sizes[i * 5 % SIZES]; k++) assert_int_equal(piece[i][k], i + 1);
    assert_false(error.failed);
    od_arena_free(arena);
}

static void the_limit_is_reached_but_never_passed(void **state)
{
    (void)state;
    for (size_t i = 0; i < SIZES; i++) {
        od_arena *arena = od_arena_new(300000);
        od_error error = {0};
        size_t got = 0;
        while (od_arena_alloc(arena, 1, sizes[i], &error)) got++;
        assert_true(error.failed);
        assert_non_null(strstr(error.message, "300000"));
        assert_true(od_arena_used(arena) <= 300000);
        assert_true(od_arena_used(arena) >= got * sizes[i]);
        /* What did not fit would have passed the limit, padding included. */
        assert_true(od_arena_used(arena) + sizes[i] + 32 > 300000);
        od_arena_free(arena);
    }
}

static void a_refused_piece_leaves_room_for_a_smaller_one(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(1024);
    od_error error = {0};
    assert_null(od_arena_alloc(arena, 1025, 1, &error));
    assert_non_null(od_arena_alloc(arena, 1024, 1, NULL));
    assert_null(od_arena_alloc(arena, 1, 1, NULL));
    od_arena_free(arena);
}

static void a_product_that_overflows_fails(void **state)
{
    (void)state;
    static const size_t pairs[][2] = {
        {SIZE_MAX, 2}, {2, SIZE_MAX}, {SIZE_MAX / 2 + 1, 2}, {SIZE_MAX, SIZE_MAX}, {SIZE_MAX, 1}, {1, SIZE_MAX - 32},
    };
    od_arena *arena = od_arena_new(0);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        od_error error = {0};
        assert_null(od_arena_alloc(arena, pairs[i][0], pairs[i][1], &error));
        assert_non_null(strstr(error.message, "out of memory"));
    }
    assert_int_equal(od_arena_used(arena), 0);
    od_arena_free(arena);
}

static void more_than_the_machine_has_fails(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    assert_null(od_arena_alloc(arena, SIZE_MAX / 4, 1, &error));
    assert_non_null(strstr(error.message, "out of memory"));
    assert_non_null(od_arena_alloc(arena, 1, 1, NULL));
    od_arena_free(arena);
}

static void the_nth_allocation_fails_and_all_after_it(void **state)
{
    (void)state;
    for (size_t n = 1; n < 6; n++) {
        od_arena *arena = od_arena_new(0);
        od_arena_fail_at(arena, n);
        for (size_t i = 1; i < 10; i++) {
            od_error error = {0};
            void *piece = od_arena_alloc(arena, 8, 8, &error);
            if (i < n) assert_non_null(piece);
            else assert_null(piece);
            assert_int_equal(error.failed, i >= n);
        }
        od_arena_fail_at(arena, 0);
        assert_non_null(od_arena_alloc(arena, 8, 8, NULL));
        od_arena_free(arena);
    }
}

static void text_is_copied_up_to_its_size(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    assert_string_equal(od_arena_text(arena, "センターxyz", strlen("センター"), NULL), "センター");
    assert_string_equal(od_arena_text(arena, NULL, 0, NULL), "");
    od_arena_free(arena);
}

static void formatted_text_has_any_length(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(0);
    assert_string_equal(od_arena_format(arena, NULL, "%s: %d of %d", "mixamo", 52, 53), "mixamo: 52 of 53");
    char *wide = od_arena_format(arena, NULL, "%*d", 100000, 7);
    assert_int_equal(strlen(wide), 100000);
    od_arena_fail_at(arena, 1);
    od_error error = {0};
    assert_null(od_arena_format(arena, &error, "%d", 1));
    assert_null(od_arena_text(arena, "x", 1, &error));
    assert_true(error.failed);
    od_arena_free(arena);
}

static void no_arena_can_be_freed(void **state)
{
    (void)state;
    od_arena_free(NULL);
}

/* What a child takes counts in those above it as long as it is there. */
static void a_child_takes_of_its_parents_limit_and_gives_back(void **state)
{
    (void)state;
    od_arena *arena = od_arena_new(1000000);
    assert_non_null(od_arena_alloc(arena, 100000, 1, NULL));
    for (int round = 0; round < 20; round++) {
        od_error error = {0};
        od_arena *child = od_arena_child(arena, &error), *below = od_arena_child(child, &error);
        assert_non_null(below);
        assert_non_null(od_arena_alloc(child, 300000, 1, &error));
        unsigned char *piece = od_arena_alloc(below, 300000, 1, &error);
        assert_non_null(piece);
        for (int i = 0; i < 300000; i++) assert_int_equal(piece[i], 0);
        memset(piece, 1, 300000);
        assert_true(od_arena_used(arena) >= 700000);
        assert_null(od_arena_alloc(below, 500000, 1, &error));
        assert_non_null(strstr(error.message, "memory limit of 1000000 bytes"));
        od_arena_free(below);
        assert_non_null(od_arena_alloc(child, 500000, 1, NULL));
        od_arena_free(child);
        assert_int_equal(od_arena_used(arena), 100000);
    }
    od_arena_free(arena);
}

static void a_child_fails_when_its_parent_is_told_to(void **state)
{
    (void)state;
    for (size_t n = 1; n < 4; n++) {
        od_arena *arena = od_arena_new(0);
        od_error error = {0};
        od_arena_fail_at(arena, n);
        od_arena *child = od_arena_child(arena, &error);
        assert_int_equal(child == NULL, n == 1);
        if (child) assert_int_equal(od_arena_alloc(child, 8, 8, &error) == NULL, n == 2);
        assert_null(n == 3 ? od_arena_alloc(child, 8, 8, &error) : NULL);
        assert_true(error.failed);
        od_arena_free(child);
        od_arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
        cmocka_unit_test(the_limit_is_reached_but_never_passed),
        cmocka_unit_test(a_refused_piece_leaves_room_for_a_smaller_one),
        cmocka_unit_test(a_product_that_overflows_fails),
        cmocka_unit_test(more_than_the_machine_has_fails),
        cmocka_unit_test(the_nth_allocation_fails_and_all_after_it),
        cmocka_unit_test(text_is_copied_up_to_its_size),
        cmocka_unit_test(formatted_text_has_any_length),
        cmocka_unit_test(no_arena_can_be_freed),
        cmocka_unit_test(a_child_takes_of_its_parents_limit_and_gives_back),
        cmocka_unit_test(a_child_fails_when_its_parent_is_told_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
