/* Input: the nodes of an FBX file. Output: what is asked of them.
 * Invariant: values of a binary file were walked once when the tree was read, so that they end where they
 * should; whatever they hold is still looked at with suspicion. */
#include "format/fbx_tree.h"

#include <string.h>

#include "base/number.h"

bool od_fbx_tree_read(const od_file *file, od_fbx_tree *tree, od_arena *arena, od_error *error)
{
    /* Arrays of numbers that do not change unpack to a thousand times their size, and baked motions are
     * full of them; a whole file is not. */
    size_t most = ((size_t)64 << 20) + (file->size < SIZE_MAX / 128 ? 64 * file->size : SIZE_MAX / 2);
    *tree = (od_fbx_tree){.file = file->name, .data = file->data, .size = file->size, .budget = most};
    if (!(tree->root = OD_NEW(arena, od_fbx_node, 1, error))) return false;
    if (!(od_fbx_is_binary(file->data, file->size) ? od_fbx_binary_read(tree, arena, error)
                                                   : od_fbx_ascii_read(tree, arena, error)))
        return false;
    if (tree->version >= 6000 && tree->version < 10000) return true;
    return od_fail(error, "%s: expected FBX of version 6.0 or newer, found version %u.%u: save it anew as FBX 2014",
                   tree->file, tree->version / 1000, tree->version / 100 % 10);
}

/* ---- nodes --------------------------------------------------------------------------------------- */

bool od_fbx_node_is(const od_fbx_node *node, const char *name)
{
    size_t size = strlen(name);
    return node->name_size == size && !memcmp(node->name, name, size);
}

const od_fbx_node *od_fbx_child(const od_fbx_node *node, const char *name)
{
    if (!node) return NULL;
    for (const od_fbx_node *child = node->children; child; child = child->next)
        if (od_fbx_node_is(child, name)) return child;
    return NULL;
}

/* ---- bytes --------------------------------------------------------------------------------------- */

float od_fbx_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double od_fbx_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The two's complement of `size` bytes. */
static int64_t to_signed(uint64_t bits, size_t size)
{
    if (size == 0) return 0;
    uint64_t sign = (uint64_t)1 << (8 * size - 1);
    int64_t value;
    bits = (bits ^ sign) - sign;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int64_t to_integer(double real)
{
    return real >= -9e18 && real <= 9e18 ? (int64_t)real : 0; /* false for NaN, too */
}

/* ---- values of a binary file --------------------------------------------------------------------- */

/* Bytes of a number or of an array's element; 0: the type is neither. */
static size_t size_of(unsigned char type)
{
    static const unsigned char SIZES[256] = {
        ['C'] = 1, ['B'] = 1, ['c'] = 1, ['b'] = 1, ['Y'] = 2, ['I'] = 4, ['F'] = 4,
        ['i'] = 4, ['f'] = 4, ['D'] = 8, ['L'] = 8, ['d'] = 8, ['l'] = 8,
    };
    return SIZES[type];
}

static bool is_real(char type)
{
    return type == 'F' || type == 'D' || type == 'f' || type == 'd';
}

/* A number of a type, at its bytes. */
static od_fbx_value number_at(const unsigned char *bytes, char type, bool big_endian)
{
    size_t size = size_of((unsigned char)type);
    uint64_t bits = od_fbx_unsigned(bytes, size, big_endian);
    od_fbx_value value = {.kind = OD_FBX_NUMBER};
    if (is_real(type)) {
        value.real = size == 4 ? (double)od_fbx_float((uint32_t)bits) : od_fbx_double(bits);
        value.integer = to_integer(value.real);
    } else {
        value.integer = to_signed(bits, size);
        value.real = (double)value.integer;
    }
    return value;
}

/* What a value has before its bytes, behind its type, and how many bytes there are. */
typedef struct extent {
    size_t head, size;
    bool text, array;
} extent;

/* False when the value does not end before `end`, or is of no known type. */
static bool find_extent(const od_fbx_tree *tree, const unsigned char *p, const unsigned char *end, extent *e)
{
    if (p == end) return false;
    unsigned char type = *p++;
    size_t left = (size_t)(end - p), size = size_of(type);
    *e = (extent){.size = size, .text = type == 'S' || type == 'R', .array = type >= 'a' && size};
    if (e->text || e->array) {
        e->head = e->text ? 4 : 12;
        if (left < e->head) return false;
        e->size = (size_t)od_fbx_unsigned(p + e->head - 4, 4, tree->big_endian);
    } else if (!size) {
        return false;
    }
    return left - e->head >= e->size;
}

/* `*at` goes behind the value. */
static bool next_binary(const od_fbx_tree *tree, const unsigned char **at, const unsigned char *end,
                        od_fbx_value *value)
{
    extent e;
    const unsigned char *p = *at;
    if (!find_extent(tree, p, end, &e)) return false;
    char type = (char)*p++;
    *at = p + e.head + e.size;
    if (e.text) *value = (od_fbx_value){.kind = OD_FBX_TEXT, .bytes = p + e.head, .size = e.size};
    else if (e.array)
        *value = (od_fbx_value){.kind = OD_FBX_ARRAY,
                                .bytes = p + e.head,
                                .size = e.size,
                                .count = (size_t)od_fbx_unsigned(p, 4, tree->big_endian),
                                .type = type,
                                .packed = od_fbx_unsigned(p + 4, 4, tree->big_endian) != 0};
    else *value = number_at(p, type, tree->big_endian);
    return true;
}

bool od_fbx_values_count(const od_fbx_tree *tree, const od_fbx_node *node, uint64_t *count)
{
    const unsigned char *p = node->values;
    extent e;
    for (*count = 0; find_extent(tree, p, node->values_end, &e); ++*count) p += 1 + e.head + e.size;
    return p == node->values_end;
}

/* ---- values of a text file ----------------------------------------------------------------------- */

static bool is_blank(unsigned char c)
{
    return c <= ' ' || c == ',';
}

/* Behind blanks, commas and comments. */
static const unsigned char *skip_blanks(const unsigned char *p, const unsigned char *end)
{
    while (p < end && (is_blank(*p) || *p == ';')) {
        if (*p == ';')
            while (p < end && *p != '\n') p++;
        else p++;
    }
    return p;
}

static bool next_ascii(const unsigned char **at, const unsigned char *end, od_fbx_value *value)
{
    const unsigned char *p = skip_blanks(*at, end), *start = p;
    if (p == end) return false;
    if (*p == '"') {
        start = ++p;
        while (p < end && *p != '"') p++;
        *value = (od_fbx_value){.kind = OD_FBX_TEXT, .bytes = start, .size = (size_t)(p - start)};
        *at = p < end ? p + 1 : p;
        return true;
    }
    bool whole = true; /* digits alone */
    while (p < end && !is_blank(*p) && *p != ';') {
        whole = whole && (od_number_digit((char)*p) || (p == start && *p == '-'));
        p++;
    }
    *at = p;
    double real;
    const char *number_end = od_number_parse((const char *)start, (const char *)p, &real);
    if (!number_end || number_end != (const char *)p) {
        *value = (od_fbx_value){.kind = OD_FBX_TEXT, .bytes = start, .size = (size_t)(p - start)};
        return true;
    }
    *value = (od_fbx_value){.kind = OD_FBX_NUMBER, .integer = to_integer(real), .real = real};
    if (whole && p - start < 20) { /* ids have more digits than a double */
        uint64_t digits = 0;
        bool negative = *start == '-';
        for (const unsigned char *c = start + negative; c < p; c++) digits = digits * 10 + (uint64_t)(*c - '0');
        value->integer = to_signed(negative ? 0 - digits : digits, 8);
    }
    return true;
}

/* ---- values -------------------------------------------------------------------------------------- */

od_fbx_values od_fbx_values_of(const od_fbx_tree *tree, const od_fbx_node *node)
{
    return (od_fbx_values){tree, node ? node->values : NULL, node ? node->values_end : NULL};
}

bool od_fbx_values_next(od_fbx_values *values, od_fbx_value *value)
{
    *value = (od_fbx_value){0};
    return values->tree->ascii ? next_ascii(&values->at, values->end, value)
                               : next_binary(values->tree, &values->at, values->end, value);
}

od_fbx_value od_fbx_value_of(const od_fbx_tree *tree, const od_fbx_node *node, int index)
{
    od_fbx_values values = od_fbx_values_of(tree, node);
    od_fbx_value value;
    for (int i = 0; od_fbx_values_next(&values, &value); i++)
        if (i == index) return value;
    return (od_fbx_value){0};
}

bool od_fbx_text_is(const od_fbx_value *value, const char *text)
{
    size_t size = strlen(text);
    return value->kind == OD_FBX_TEXT && value->size == size && !memcmp(value->bytes, text, size);
}
