/* Input: a binary FBX file. Output: its tree.
 * Invariants: a node lies within its parent, its values within the node; the file ends behind them. */
#include <inttypes.h>
#include <string.h>

#include "format/fbx_tree.h"

static const char MAGIC[] = "Kaydara FBX Binary  "; /* and its NUL */

enum { ENDIAN_AT = 22, VERSION_AT = 23, HEADER = 27 };

bool od_fbx_is_binary(const unsigned char *data, size_t size)
{
    return size >= sizeof MAGIC && !memcmp(data, MAGIC, sizeof MAGIC);
}

typedef struct reader {
    od_fbx_tree *tree;
    size_t word; /* bytes of a size: 4, from version 7.5 on 8 */
    od_arena *arena;
    od_error *error;
} reader;

/* What stands before a node's values. */
typedef struct head {
    uint64_t end, count, values;
    size_t name, name_size;
} head;

static bool fail_at(const reader *r, size_t at, const char *what)
{
    return od_fail(r->error, "%s@0x%zx: %s", r->tree->file, at, what);
}

/* Reads the head at `at`, of a node that ends before `limit`. */
static bool read_head(const reader *r, size_t at, size_t limit, head *h)
{
    const unsigned char *p = r->tree->data + at;
    size_t size = 3 * r->word + 1;
    bool big = r->tree->big_endian;
    if (limit - at < size) return fail_at(r, at, "the file is cut: a node ends in its head");
    h->end = od_fbx_unsigned(p, r->word, big);
    h->count = od_fbx_unsigned(p + r->word, r->word, big);
    h->values = od_fbx_unsigned(p + 2 * r->word, r->word, big);
    h->name_size = p[size - 1];
    h->name = at + size;
    if (!h->end) return true;
    if (h->end > r->tree->size)
        return od_fail(r->error, "%s@0x%zx: the file is cut: a node ends at 0x%" PRIx64 ", the file at 0x%zx",
                       r->tree->file, at, h->end, r->tree->size);
    if (h->end > limit || h->end < h->name || h->end - h->name < h->name_size ||
        h->end - h->name - h->name_size < h->values)
        return fail_at(r, at, "the sizes of a node contradict each other");
    return true;
}

/* Walks the values once: each must end within them, and so many must be there. */
static bool check_values(const reader *r, const od_fbx_node *node, uint64_t count)
{
    uint64_t found;
    if (od_fbx_values_count(r->tree, node, &found) && found == count) return true;
    return od_fail(r->error, "%s@0x%tx: expected %" PRIu64 " values in %td bytes, found %" PRIu64, r->tree->file,
                   node->values - r->tree->data, count, node->values_end - node->values, found);
}

/* Meshes and images have many nodes, and nothing that moves a bone. */
static bool is_skipped(const od_fbx_node *node)
{
    return od_fbx_node_is(node, "Geometry") || od_fbx_node_is(node, "Material") || od_fbx_node_is(node, "Texture") ||
           od_fbx_node_is(node, "Video");
}

/* Nodes from `at` up to an empty head or to `limit`. */
static bool read_nodes(const reader *r, size_t at, size_t limit, int depth, od_fbx_node **first)
{
    if (depth > OD_FBX_DEPTH) return fail_at(r, at, "nodes are nested too deeply");
    while (at < limit) {
        head h = {0};
        if (!read_head(r, at, limit, &h)) return false;
        if (!h.end) return true;
        od_fbx_node *node = OD_NEW(r->arena, od_fbx_node, 1, r->error);
        if (!node) return false;
        size_t values = h.name + h.name_size, children = values + (size_t)h.values;
        *node = (od_fbx_node){.name = r->tree->data + h.name,
                              .name_size = (uint32_t)h.name_size,
                              .values = r->tree->data + values,
                              .values_end = r->tree->data + children};
        if (!check_values(r, node, h.count)) return false;
        if (!is_skipped(node) && !read_nodes(r, children, (size_t)h.end, depth + 1, &node->children)) return false;
        *first = node;
        first = &node->next;
        at = (size_t)h.end;
    }
    return depth > 0 || fail_at(r, at, "the file is cut: it ends without an empty node");
}

bool od_fbx_binary_read(od_fbx_tree *tree, od_arena *arena, od_error *error)
{
    if (tree->size < HEADER) return od_fail(error, "%s@0x%zx: the file ends in its header", tree->file, tree->size);
    tree->big_endian = tree->data[ENDIAN_AT] != 0;
    tree->version = (unsigned)od_fbx_unsigned(tree->data + VERSION_AT, 4, tree->big_endian);
    reader r = {.tree = tree, .word = tree->version >= 7500 ? 8 : 4, .arena = arena, .error = error};
    return read_nodes(&r, HEADER, tree->size, 0, &tree->root->children);
}
