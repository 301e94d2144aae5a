/* Input: a node whose values are numbers: one array, packed or not, or numbers listed one by one.
 * Output: the numbers. What they unpack to is bounded by the size of the file. */
#include <string.h>

#include "base/inflate.h"
#include "format/fbx_tree.h"

/* The numbers of a text file are in a child "a" behind "*count", or in the node itself. */
static const od_fbx_node *holder(const od_fbx_tree *tree, const od_fbx_node *node)
{
    const od_fbx_node *inner = tree->ascii ? od_fbx_child(node, "a") : NULL;
    return inner ? inner : node;
}

static size_t count_values(const od_fbx_tree *tree, const od_fbx_node *node)
{
    od_fbx_values values = od_fbx_values_of(tree, node);
    od_fbx_value value;
    size_t count = 0;
    while (od_fbx_values_next(&values, &value)) count++;
    return count;
}

static size_t element_size(char type)
{
    return type == 'd' || type == 'l' ? 8 : type == 'f' || type == 'i' ? 4 : 1;
}

static bool fail_at(const od_fbx_tree *tree, const unsigned char *at, const char *what, od_error *error)
{
    return od_fail(error, "%s@0x%tx: %s", tree->file, at - tree->data, what);
}

static bool spend(od_fbx_tree *tree, const unsigned char *at, size_t bytes, od_error *error)
{
    if (bytes > tree->budget)
        return fail_at(tree, at, "the arrays of this file unpack to more than 64 times its size and 64 MiB", error);
    tree->budget -= bytes;
    return true;
}

/* The bytes of an array, unpacked into `scratch` when they are packed. */
static const unsigned char *unpack(od_fbx_tree *tree, const od_fbx_value *array, od_arena *scratch, od_error *error)
{
    size_t element = element_size(array->type), bytes = array->count * element; /* count is of 32 bits */
    if (!array->packed) {
        if (bytes <= array->size) return array->bytes;
        fail_at(tree, array->bytes, "an array has more elements than bytes", error);
        return NULL;
    }
    if (array->count > array->size * (size_t)OD_INFLATE_MOST / element) {
        fail_at(tree, array->bytes, "an array has more elements than its packed bytes can hold", error);
        return NULL;
    }
    if (!spend(tree, array->bytes, bytes, error)) return NULL;
    unsigned char *out = OD_NEW(scratch, unsigned char, bytes, error);
    if (!out) return NULL;
    if (od_inflate(array->bytes, array->size, out, bytes)) return out;
    fail_at(tree, array->bytes, "a packed array is broken", error);
    return NULL;
}

/* What a number becomes. */
typedef void put_function(void *out, size_t i, const od_fbx_value *number);

static void put_real(void *out, size_t i, const od_fbx_value *number)
{
    ((double *)out)[i] = number->real;
}

static void put_float(void *out, size_t i, const od_fbx_value *number)
{
    ((float *)out)[i] = (float)number->real;
}

static void put_integer(void *out, size_t i, const od_fbx_value *number)
{
    ((int64_t *)out)[i] = number->integer;
}

static void put_pattern(void *out, size_t i, const od_fbx_value *number)
{
    ((uint32_t *)out)[i] = (uint32_t)number->integer;
}

typedef struct target {
    size_t size;
    put_function *put;
    char same; /* elements of this type are copied */
} target;

static const target REALS = {sizeof(double), put_real, 'd'};
static const target FLOATS = {sizeof(float), put_float, 'f'};
static const target INTEGERS = {sizeof(int64_t), put_integer, 'l'};
static const target PATTERNS = {sizeof(uint32_t), put_pattern, 'i'};

static od_fbx_value element_at(const unsigned char *bytes, char type, bool big_endian)
{
    size_t size = element_size(type);
    uint64_t bits = od_fbx_unsigned(bytes, size, big_endian);
    od_fbx_value v = {.kind = OD_FBX_NUMBER, .integer = size == 4 ? (int32_t)(uint32_t)bits : (int64_t)bits};
    if (type == 'f') v.real = (double)od_fbx_float((uint32_t)bits);
    else if (type == 'd') v.real = od_fbx_double(bits);
    else v.real = (double)v.integer;
    if (type == 'd' || type == 'f') v.integer = v.real >= -9e18 && v.real <= 9e18 ? (int64_t)v.real : 0;
    return v;
}

/* Is the machine's order of bytes the little one? */
static bool is_little(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static bool convert(const od_fbx_tree *tree, const od_fbx_value *array, const unsigned char *bytes, const target *to,
                    void *out)
{
    size_t size = element_size(array->type);
    bool same = array->type == to->same || (to == &PATTERNS && array->type == 'f');
    if (same && is_little() != tree->big_endian) {
        if (array->count) memcpy(out, bytes, array->count * size);
        return true;
    }
    for (size_t i = 0; i < array->count; i++) {
        od_fbx_value number = element_at(bytes + i * size, array->type, tree->big_endian);
        if (to == &PATTERNS && array->type == 'f')
            number.integer = (int64_t)od_fbx_unsigned(bytes + i * size, size, tree->big_endian);
        to->put(out, i, &number);
    }
    return true;
}

static bool read_array(od_fbx_tree *tree, const od_fbx_value *array, const target *to, void **out, size_t *count,
                       od_arena *arena, od_error *error)
{
    od_arena *scratch = od_arena_new(0);
    const unsigned char *bytes = scratch ? unpack(tree, array, scratch, error) : NULL;
    bool done = bytes && spend(tree, array->bytes, array->count * to->size, error) &&
                (*out = od_arena_alloc(arena, array->count, to->size, error)) != NULL &&
                convert(tree, array, bytes, to, *out);
    if (!scratch) od_fail(error, "out of memory");
    *count = array->count;
    od_arena_free(scratch);
    return done;
}

static bool read_numbers(od_fbx_tree *tree, const od_fbx_node *node, const target *to, void **out, size_t *count,
                         od_arena *arena, od_error *error)
{
    *out = NULL;
    *count = 0;
    if (!node) return true;
    node = holder(tree, node);
    od_fbx_value value = od_fbx_value_of(tree, node, 0);
    if (value.kind == OD_FBX_ARRAY) return read_array(tree, &value, to, out, count, arena, error);
    size_t values = count_values(tree, node), used = 0;
    if (!(*out = od_arena_alloc(arena, values, to->size, error))) return false;
    od_fbx_values list = od_fbx_values_of(tree, node);
    while (od_fbx_values_next(&list, &value))
        if (value.kind == OD_FBX_NUMBER) to->put(*out, used++, &value);
    *count = used;
    return true;
}

bool od_fbx_reals(od_fbx_tree *tree, const od_fbx_node *node, double **out, size_t *count, od_arena *arena,
                  od_error *error)
{
    void *numbers;
    bool done = read_numbers(tree, node, &REALS, &numbers, count, arena, error);
    *out = numbers;
    return done;
}

bool od_fbx_floats(od_fbx_tree *tree, const od_fbx_node *node, float **out, size_t *count, od_arena *arena,
                   od_error *error)
{
    void *numbers;
    bool done = read_numbers(tree, node, &FLOATS, &numbers, count, arena, error);
    *out = numbers;
    return done;
}

bool od_fbx_integers(od_fbx_tree *tree, const od_fbx_node *node, int64_t **out, size_t *count, od_arena *arena,
                     od_error *error)
{
    void *numbers;
    bool done = read_numbers(tree, node, &INTEGERS, &numbers, count, arena, error);
    *out = numbers;
    return done;
}

bool od_fbx_patterns(od_fbx_tree *tree, const od_fbx_node *node, uint32_t **out, size_t *count, od_arena *arena,
                     od_error *error)
{
    void *numbers;
    bool done = read_numbers(tree, node, &PATTERNS, &numbers, count, arena, error);
    *out = numbers;
    return done;
}
