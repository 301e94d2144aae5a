/* Cursor: the one way to read a file's bytes. Little endian, sticky error: after the first read
 * past the end every read gives zero and `failed` stays set, so a reader checks once a record. */
#ifndef ODORI_BASE_CURSOR_H
#define ODORI_BASE_CURSOR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "odori/error.h"

typedef struct od_cursor {
    const char *file; /* name for messages */
    const unsigned char *data;
    size_t size, at;
    bool failed;
    size_t failed_at;
} od_cursor;

static inline od_cursor od_cursor_make(const char *file, const void *data, size_t size)
{
    return (od_cursor){.file = file, .data = data, .size = size};
}

static inline size_t od_cursor_left(const od_cursor *c)
{
    return c->failed ? 0 : c->size - c->at;
}

/* The next `size` bytes, NULL past the end. */
static inline const unsigned char *od_cursor_bytes(od_cursor *c, size_t size)
{
    if (c->failed || c->size - c->at < size) {
        if (!c->failed) c->failed_at = c->at;
        c->failed = true;
        return NULL;
    }
    const unsigned char *p = c->data + c->at;
    c->at += size;
    return p;
}

static inline void od_cursor_skip(od_cursor *c, size_t size)
{
    (void)od_cursor_bytes(c, size);
}

/* Fails with the place where reading stopped, or else where it is. */
static inline bool od_cursor_fail(const od_cursor *c, od_error *error, const char *what)
{
    return od_fail(error, "%s@0x%zx: %s", c->file, c->failed ? c->failed_at : c->at, what);
}

static inline uint8_t od_cursor_u8(od_cursor *c)
{
    const unsigned char *p = od_cursor_bytes(c, 1);
    return p ? p[0] : 0;
}

static inline uint16_t od_cursor_u16(od_cursor *c)
{
    const unsigned char *p = od_cursor_bytes(c, 2);
    return p ? (uint16_t)(p[0] | (unsigned)p[1] << 8) : 0;
}

static inline uint32_t od_cursor_u32(od_cursor *c)
{
    const unsigned char *p = od_cursor_bytes(c, 4);
    return p ? (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24 : 0;
}

static inline int32_t od_cursor_i32(od_cursor *c)
{
    uint32_t u = od_cursor_u32(c);
    int32_t i;
    memcpy(&i, &u, sizeof i);
    return i;
}

static inline float od_cursor_f32(od_cursor *c)
{
    uint32_t u = od_cursor_u32(c);
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

#endif
