/* Input: sizes. Output: zeroed pieces of larger blocks, freed together.
 * Invariant: the sum of what was handed out never exceeds the limit. */
#include "odori/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 32, BLOCK = 64 * 1024 };

typedef struct block {
    struct block *next;
    void *memory; /* as malloc gave it */
} block;

struct od_arena {
    od_arena *parent; /* NULL: none */
    block *blocks;
    unsigned char *at, *end; /* what is left of the newest small block */
    size_t limit, used;
    size_t fail_at; /* 0: never; else counts down to 1 and stays there */
};

od_arena *od_arena_new(size_t limit)
{
    od_arena *arena = calloc(1, sizeof *arena);
    if (arena) arena->limit = limit;
    return arena;
}

/* The arena whose limit counts, and that tests tell to fail. */
static od_arena *top_of(od_arena *arena)
{
    while (arena->parent) arena = arena->parent;
    return arena;
}

static bool told_to_fail(od_arena *arena)
{
    if (arena->fail_at > 1) arena->fail_at--;
    else if (arena->fail_at == 1) return true;
    return false;
}

od_arena *od_arena_child(od_arena *parent, od_error *error)
{
    od_arena *child = told_to_fail(top_of(parent)) ? NULL : od_arena_new(0);
    if (child) child->parent = parent;
    else od_fail(error, "out of memory");
    return child;
}

void od_arena_free(od_arena *arena)
{
    if (!arena) return;
    for (od_arena *above = arena->parent; above; above = above->parent) above->used -= arena->used;
    for (block *b = arena->blocks, *next; b; b = next) {
        next = b->next;
        free(b->memory);
    }
    free(arena);
}

/* A block with `size` usable bytes, aligned; calloc keeps large untouched pages free of cost. */
static unsigned char *new_block(od_arena *arena, size_t size)
{
    size_t head = (sizeof(block) + ALIGN - 1) / ALIGN * ALIGN;
    if (size > SIZE_MAX - head - ALIGN) return NULL;
    void *memory = calloc(1, size + head + ALIGN);
    if (!memory) return NULL;
    block *b = (block *)(((uintptr_t)memory + ALIGN - 1) / ALIGN * ALIGN);
    b->memory = memory;
    b->next = arena->blocks;
    arena->blocks = b;
    return (unsigned char *)b + head;
}

void *od_arena_alloc(od_arena *arena, size_t count, size_t size, od_error *error)
{
    if (size && count > (SIZE_MAX - 2 * (size_t)ALIGN) / size) {
        od_fail(error, "out of memory: %zu elements of %zu bytes", count, size);
        return NULL;
    }
    size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
    if (!bytes) bytes = ALIGN;
    od_arena *top = top_of(arena);
    if (told_to_fail(top)) {
        od_fail(error, "out of memory");
        return NULL;
    }
    if (top->limit && bytes > top->limit - top->used) {
        od_fail(error, "memory limit of %zu bytes reached", top->limit);
        return NULL;
    }
    unsigned char *p;
    if (bytes <= (size_t)(arena->end - arena->at)) {
        p = arena->at;
        arena->at += bytes;
    } else if (bytes >= BLOCK / 4) {
        p = new_block(arena, bytes);
    } else {
        p = new_block(arena, BLOCK);
        if (p) {
            arena->at = p + bytes;
            arena->end = p + BLOCK;
        }
    }
    if (!p) {
        od_fail(error, "out of memory: %zu bytes", bytes);
        return NULL;
    }
    for (od_arena *a = arena; a; a = a->parent) a->used += bytes;
    return p;
}

char *od_arena_text(od_arena *arena, const char *text, size_t size, od_error *error)
{
    if (size == SIZE_MAX) return NULL;
    char *copy = od_arena_alloc(arena, size + 1, 1, error);
    if (copy && size) memcpy(copy, text, size);
    return copy;
}

char *od_arena_format(od_arena *arena, od_error *error, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    char *text = n < 0 ? NULL : od_arena_alloc(arena, (size_t)n + 1, 1, error);
    if (text) (void)vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

size_t od_arena_used(const od_arena *arena)
{
    return arena->used;
}

void od_arena_fail_at(od_arena *arena, size_t n)
{
    arena->fail_at = n;
}
