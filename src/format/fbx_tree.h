/* The tree of an FBX file: named nodes with values and children, the same for binary and text files. */
#ifndef ODORI_FORMAT_FBX_TREE_H
#define ODORI_FORMAT_FBX_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "odori/arena.h"
#include "odori/format.h"

/* Values stay in the file's bytes and are looked at when they are asked for: of most files nearly all
 * is meshes, which nobody asks for. */
typedef struct od_fbx_node {
    const unsigned char *name; /* in the file, not terminated */
    const unsigned char *values, *values_end;
    struct od_fbx_node *children, *next;
    uint32_t name_size;
} od_fbx_node;

typedef struct od_fbx_tree {
    const char *file; /* name for messages */
    const unsigned char *data;
    size_t size;
    size_t budget;     /* bytes that arrays may still unpack to */
    unsigned version;  /* 7400: 7.4 */
    bool ascii;        /* a text file */
    bool big_endian;   /* of numbers in a binary file */
    od_fbx_node *root; /* without a name and values */
} od_fbx_tree;

/* Depths beyond this are no FBX file's: takes of version 6 need eight. */
enum { OD_FBX_DEPTH = 32 };

/* Reads the nodes of a file of either kind, version 6.0 or newer. */
bool od_fbx_tree_read(const od_file *file, od_fbx_tree *tree, od_arena *arena, od_error *error);

bool od_fbx_is_binary(const unsigned char *data, size_t size);
bool od_fbx_binary_read(od_fbx_tree *tree, od_arena *arena, od_error *error);
bool od_fbx_ascii_read(od_fbx_tree *tree, od_arena *arena, od_error *error);

/* ---- nodes ---- */

bool od_fbx_node_is(const od_fbx_node *node, const char *name);

/* The first child of this name; NULL when there is none or `node` is NULL. */
const od_fbx_node *od_fbx_child(const od_fbx_node *node, const char *name);

/* ---- values ---- */

typedef enum od_fbx_kind { OD_FBX_NONE, OD_FBX_NUMBER, OD_FBX_TEXT, OD_FBX_ARRAY } od_fbx_kind;

typedef struct od_fbx_value {
    od_fbx_kind kind;
    int64_t integer; /* of a number, cut when it is a fraction */
    double real;
    const unsigned char *bytes; /* of a text or array, in the file */
    size_t size;                /* of those bytes */
    size_t count;               /* of an array's elements */
    char type;                  /* of an array's elements in a binary file: one of fdlibc */
    bool packed;                /* an array's bytes are deflated */
} od_fbx_value;

/* Values of a node one by one. */
typedef struct od_fbx_values {
    const od_fbx_tree *tree;
    const unsigned char *at, *end;
} od_fbx_values;

od_fbx_values od_fbx_values_of(const od_fbx_tree *tree, const od_fbx_node *node);

/* The next value; false at the end. */
bool od_fbx_values_next(od_fbx_values *values, od_fbx_value *value);

/* Walks the values of a node of a binary file; false when one does not end within the node. */
bool od_fbx_values_count(const od_fbx_tree *tree, const od_fbx_node *node, uint64_t *count);

/* The value number `index`; its kind is OD_FBX_NONE when there is none or `node` is NULL. */
od_fbx_value od_fbx_value_of(const od_fbx_tree *tree, const od_fbx_node *node, int index);

bool od_fbx_text_is(const od_fbx_value *value, const char *text);

/* Numbers of a node, an array or listed one by one; doubles, or integers. `*count` 0: there are none.
 * Memory is from the arena. */
bool od_fbx_reals(od_fbx_tree *tree, const od_fbx_node *node, double **out, size_t *count, od_arena *arena,
                  od_error *error);
bool od_fbx_floats(od_fbx_tree *tree, const od_fbx_node *node, float **out, size_t *count, od_arena *arena,
                   od_error *error);
bool od_fbx_integers(od_fbx_tree *tree, const od_fbx_node *node, int64_t **out, size_t *count, od_arena *arena,
                     od_error *error);

/* 32-bit patterns: text files list floats so where they hold packed numbers. */
bool od_fbx_patterns(od_fbx_tree *tree, const od_fbx_node *node, uint32_t **out, size_t *count, od_arena *arena,
                     od_error *error);

/* ---- bytes ---- */

static inline uint64_t od_fbx_unsigned(const unsigned char *bytes, size_t size, bool big_endian)
{
    uint64_t value = 0;
    if (size == 4 && !big_endian) /* which is nearly all: compilers make one instruction of it */
        return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    for (size_t i = 0; i < size; i++) value = value << 8 | bytes[big_endian ? i : size - 1 - i];
    return value;
}

float od_fbx_float(uint32_t bits);
double od_fbx_double(uint64_t bits);

#endif
