/* Input: an FBX file in text form. Output: its tree.
 * A node is `Name: value, value, ... { children }`; values may go on over lines behind or before a comma.
 * Invariant: all pointers lie within the file. */
#include <string.h>

#include "format/fbx_tree.h"

typedef struct reader {
    od_fbx_tree *tree;
    const unsigned char *at, *end;
    size_t room; /* nodes that may still come: a node of a real file has 8 bytes and more */
    od_arena *arena;
    od_error *error;
} reader;

static bool fail(const reader *r, const unsigned char *at, const char *what)
{
    int line = 1;
    const unsigned char *start = r->tree->data;
    for (const unsigned char *p = r->tree->data; p < at; p++)
        if (*p == '\n') {
            line++;
            start = p + 1;
        }
    return od_fail(r->error, "%s:%d:%td: %s", r->tree->file, line, at - start + 1, what);
}

static void skip_line(reader *r)
{
    while (r->at < r->end && *r->at != '\n') r->at++;
}

/* Behind blanks, line ends and comments. */
static void skip(reader *r)
{
    while (r->at < r->end && (*r->at <= ' ' || *r->at == ';')) {
        if (*r->at == ';') skip_line(r);
        else r->at++;
    }
}

/* Behind the blanks of the line. */
static void skip_in_line(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t')) r->at++;
}

static bool ends_word(unsigned char c)
{
    return c <= ' ' || c == ',' || c == '{' || c == '}' || c == ';' || c == '"';
}

/* Behind one value. */
static bool skip_value(reader *r)
{
    if (r->at < r->end && *r->at == '"') {
        const unsigned char *quote = memchr(r->at + 1, '"', (size_t)(r->end - r->at - 1));
        if (!quote) return fail(r, r->at, "a text has no closing quote");
        r->at = quote + 1;
        return true;
    }
    const unsigned char *start = r->at;
    while (r->at < r->end && !ends_word(*r->at)) r->at++;
    return r->at > start || fail(r, r->at, "expected a value");
}

/* A first value may stand on the next line only when it cannot be a name. */
static bool has_value(reader *r)
{
    skip_in_line(r);
    if (r->at < r->end && !ends_word(*r->at)) return true;
    if (r->at < r->end && *r->at == '"') return true;
    reader ahead = *r;
    skip(&ahead);
    if (ahead.at == ahead.end) return false;
    unsigned char c = *ahead.at;
    if ((c < '0' || c > '9') && c != '-' && c != '"' && c != '*') return false;
    *r = ahead;
    return true;
}

/* Values, each but the first behind a comma. */
static bool skip_values(reader *r, od_fbx_node *node)
{
    node->values = node->values_end = r->at;
    if (!has_value(r)) return true;
    node->values = r->at;
    for (;;) {
        if (!skip_value(r)) return false;
        node->values_end = r->at;
        skip(r);
        if (r->at == r->end || *r->at != ',') return true;
        while (r->at < r->end && *r->at == ',') { /* an empty value between commas is none */
            r->at++;
            skip(r);
        }
        if (r->at == r->end || *r->at == '{' || *r->at == '}') return true;
    }
}

static bool read_name(reader *r, od_fbx_node *node)
{
    node->name = r->at;
    while (r->at < r->end && *r->at != ':' && !ends_word(*r->at)) r->at++;
    size_t size = (size_t)(r->at - node->name);
    skip_in_line(r);
    if (r->at == r->end || *r->at != ':') return fail(r, node->name, "expected a name and a colon");
    if (size > 255) return fail(r, node->name, "the name of a node is too long");
    node->name_size = (uint32_t)size;
    r->at++;
    return true;
}

/* Nodes up to a closing brace, or to the end of the file outside of all. */
static bool read_nodes(reader *r, int depth, od_fbx_node **first)
{
    if (depth > OD_FBX_DEPTH) return fail(r, r->at, "nodes are nested too deeply");
    for (;;) {
        skip(r);
        if (r->at == r->end) return depth == 0 || fail(r, r->at, "the file is cut: a brace is not closed");
        if (*r->at == '}') {
            if (depth == 0) return fail(r, r->at, "a brace closes nothing");
            r->at++;
            return true;
        }
        if (r->room-- == 0) return fail(r, r->at, "there are more nodes than a file of this size has");
        od_fbx_node *node = OD_NEW(r->arena, od_fbx_node, 1, r->error);
        if (!node || !read_name(r, node) || !skip_values(r, node)) return false;
        skip(r);
        if (r->at < r->end && *r->at == '{') {
            r->at++;
            if (!read_nodes(r, depth + 1, &node->children)) return false;
        }
        *first = node;
        first = &node->next;
    }
}

bool od_fbx_ascii_read(od_fbx_tree *tree, od_arena *arena, od_error *error)
{
    reader r = {.tree = tree, .at = tree->data, .end = tree->data + tree->size, .arena = arena, .error = error};
    r.room = 4096 + tree->size / 8;
    if (tree->size >= 3 && !memcmp(tree->data, "\xEF\xBB\xBF", 3)) r.at += 3;
    tree->ascii = true;
    if (!read_nodes(&r, 0, &tree->root->children)) return false;
    const od_fbx_node *header = od_fbx_child(tree->root, "FBXHeaderExtension");
    od_fbx_value version = od_fbx_value_of(tree, od_fbx_child(header, "FBXVersion"), 0);
    if (version.integer <= 0 || version.integer > 1000000)
        return od_fail(error, "%s: expected an FBX file, found a text without FBXVersion", tree->file);
    tree->version = (unsigned)version.integer;
    return true;
}
