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

uint64_t od_fbx_unsigned(const unsigned char *bytes, size_t size, bool big_endian)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) value = value << 8 | bytes[big_endian ? i : size - 1 - i];
    return value;
}

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

static size_t size_of(unsigned char type)
{
    switch (type) {
    case 'C':
    case 'B':
    case 'c':
    case 'b': return 1;
    case 'Y': return 2;
    case 'I':
    case 'F':
    case 'i':
    case 'f': return 4;
    case 'D':
    case 'L':
    case 'd':
    case 'l': return 8;
    default: return 0;
    }
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

/* `*at` goes behind the value; false when it does not end before `end`. */
static bool next_binary(const od_fbx_tree *tree, const unsigned char **at, const unsigned char *end,
                        od_fbx_value *value)
{
    const unsigned char *p = *at;
    if (p == end) return false;
    unsigned char type = *p++;
    size_t left = (size_t)(end - p), head = 0, size = size_of(type);
    bool text = type == 'S' || type == 'R', array = type >= 'a' && size;
    if (text) head = 4;
    else if (array) head = 12;
    if ((!text && !size) || left < head) return false;
    if (text) size = (size_t)od_fbx_unsigned(p, 4, tree->big_endian);
    if (array) size = (size_t)od_fbx_unsigned(p + 8, 4, tree->big_endian);
    if (left - head < size) return false;
    *at = p + head + size;
    if (text) *value = (od_fbx_value){.kind = OD_FBX_TEXT, .bytes = p + head, .size = size};
    else if (array)
        *value = (od_fbx_value){.kind = OD_FBX_ARRAY,
                                .bytes = p + head,
                                .size = size,
                                .count = (size_t)od_fbx_unsigned(p, 4, tree->big_endian),
                                .type = (char)type,
                                .packed = od_fbx_unsigned(p + 4, 4, tree->big_endian) != 0};
    else *value = number_at(p, (char)type, tree->big_endian);
    return true;
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
