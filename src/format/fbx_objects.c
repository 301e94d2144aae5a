/* Input: the tree of an FBX file. Output: the objects that matter here, and the links between them.
 * Invariant: links name objects that exist. They may form cycles. */
#include "format/fbx_objects.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const struct {
    const char *name, *type; /* type NULL: any */
    od_fbx_class what;
} classes[] = {
    {"Model", NULL, OD_FBX_MODEL},
    {"NodeAttribute", NULL, OD_FBX_ATTRIBUTE},
    {"AnimationStack", NULL, OD_FBX_STACK},
    {"AnimationLayer", NULL, OD_FBX_LAYER},
    {"AnimationCurveNode", NULL, OD_FBX_CURVE_NODE},
    {"AnimationCurve", NULL, OD_FBX_CURVE},
    {"Pose", NULL, OD_FBX_POSE},
    {"Deformer", "Cluster", OD_FBX_CLUSTER},
    {"Deformer", "BlendShape", OD_FBX_SHAPES},
    {"Deformer", "BlendShapeChannel", OD_FBX_MORPH},
    {"Constraint", "Character", OD_FBX_CHARACTER},
    {"Character", NULL, OD_FBX_CHARACTER},
};

/* ---- keys ---------------------------------------------------------------------------------------- */

/* Objects of version 6 have names alone. FNV-1a: names that clash are no danger, only confused. */
static uint64_t hash(const unsigned char *bytes, size_t size)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < size; i++) h = (h ^ bytes[i]) * 1099511628211u;
    return h;
}

static uint64_t key_of(const od_fbx_value *value)
{
    return value->kind == OD_FBX_TEXT ? hash(value->bytes, value->size) : (uint64_t)value->integer;
}

static int by_key(const void *a, const void *b)
{
    const od_fbx_key *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->object > y->object) - (x->object < y->object);
}

int od_fbx_object_find(const od_fbx_tree *tree, const od_fbx_objects *objects, const od_fbx_value *value)
{
    if (value->kind != (tree->version < 7000 ? OD_FBX_TEXT : OD_FBX_NUMBER)) return -1;
    uint64_t key = key_of(value);
    int low = 0, high = objects->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (objects->keys[middle].key < key) low = middle + 1;
        else high = middle;
    }
    return low < objects->count && objects->keys[low].key == key ? objects->keys[low].object : -1;
}

/* ---- names --------------------------------------------------------------------------------------- */

static const unsigned char *find_bytes(const unsigned char *in, size_t size, const char *what)
{
    for (size_t i = 0; i + 2 <= size; i++)
        if (!memcmp(in + i, what, 2)) return in + i;
    return NULL;
}

/* The name without its class: "Name\0\1Class" in binary files, "Class::Name" in text. */
static void set_label(od_fbx_object *object, const od_fbx_value *name, bool ascii)
{
    const unsigned char *cut = find_bytes(name->bytes, name->size, ascii ? "::" : "\0\1");
    const unsigned char *end = name->bytes + name->size;
    object->label = ascii && cut ? cut + 2 : name->bytes;
    object->label_size = (size_t)((!ascii && cut ? cut : end) - object->label);
}

/* "FBXASC" and three digits stand for one character. */
static unsigned escaped(const unsigned char *p, size_t left)
{
    unsigned code = 0;
    if (left < 9 || memcmp(p, "FBXASC", 6) != 0) return 0;
    for (int i = 6; i < 9; i++) {
        if (p[i] < '0' || p[i] > '9') return 0;
        code = code * 10 + (unsigned)(p[i] - '0');
    }
    return code < 256 ? code : 0;
}

const char *od_fbx_text(const unsigned char *bytes, size_t size, bool ascii, od_arena *arena, od_error *error)
{
    unsigned char *text = OD_NEW(arena, unsigned char, size + 1, error);
    size_t used = 0;
    if (!text) return NULL;
    for (size_t i = 0; i < size;) {
        unsigned code = escaped(bytes + i, size - i);
        bool quote = ascii && size - i >= 6 && !memcmp(bytes + i, "&quot;", 6);
        text[used++] = code ? (unsigned char)code : quote ? '"' : bytes[i];
        i += code ? 9 : quote ? 6 : 1;
    }
    if (!od_text_is_utf8(text, used) && od_text_is_cp932(text, used))
        return od_text_from_cp932(arena, text, used, error);
    return od_text_from_utf8(arena, text, used, error);
}

const char *od_fbx_object_name(const od_fbx_tree *tree, const od_fbx_object *object, od_arena *arena, od_error *error)
{
    return od_fbx_text(object->label, object->label_size, tree->ascii, arena, error);
}

/* ---- objects ------------------------------------------------------------------------------------- */

/* False when the node is none of the objects that matter. */
static bool make_object(const od_fbx_tree *tree, const od_fbx_node *node, od_fbx_object *object, uint64_t *key)
{
    bool old = tree->version < 7000;
    od_fbx_value id = od_fbx_value_of(tree, node, 0), name = old ? id : od_fbx_value_of(tree, node, 1);
    *object = (od_fbx_object){.node = node, .type = od_fbx_value_of(tree, node, old ? 1 : 2)};
    if (id.kind != (old ? OD_FBX_TEXT : OD_FBX_NUMBER)) return false;
    *key = key_of(&id);
    if (name.kind == OD_FBX_TEXT) set_label(object, &name, tree->ascii);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (!od_fbx_node_is(node, classes[i].name)) continue;
        if (classes[i].type && !od_fbx_text_is(&object->type, classes[i].type)) continue;
        object->what = classes[i].what;
        return true;
    }
    return false;
}

static bool count_children(const od_fbx_tree *tree, const od_fbx_node *node, int *count, od_error *error)
{
    *count = 0;
    for (const od_fbx_node *child = node ? node->children : NULL; child; child = child->next)
        if ((*count)++ == INT_MAX - 1) return od_fail(error, "%s: there are too many objects", tree->file);
    return true;
}

static bool read_objects(const od_fbx_tree *tree, od_fbx_objects *out, od_arena *arena, od_error *error)
{
    const od_fbx_node *list = od_fbx_child(tree->root, "Objects");
    int most;
    if (!count_children(tree, list, &most, error)) return false;
    out->all = OD_NEW(arena, od_fbx_object, (size_t)most, error);
    out->keys = OD_NEW(arena, od_fbx_key, (size_t)most, error);
    if (!out->all || !out->keys) return false;
    for (const od_fbx_node *node = list ? list->children : NULL; node; node = node->next) {
        od_fbx_key *key = &out->keys[out->count];
        if (!make_object(tree, node, &out->all[out->count], &key->key)) continue;
        key->object = out->count++;
    }
    qsort(out->keys, (size_t)out->count, sizeof *out->keys, by_key);
    return true;
}

/* ---- links --------------------------------------------------------------------------------------- */

/* What stands at the other end of a link to the scene. */
static bool is_scene(const od_fbx_tree *tree, const od_fbx_value *key)
{
    if (tree->version >= 7000) return key->kind == OD_FBX_NUMBER && key->integer == 0;
    return od_fbx_text_is(key, "Model::Scene") ||
           (key->kind == OD_FBX_TEXT && key->size == 12 && !memcmp(key->bytes, "Scene\0\1Model", 12));
}

/* "OO", from, to, or "OP", from, to, property. */
static bool make_link(const od_fbx_tree *tree, const od_fbx_objects *objects, const od_fbx_node *node,
                      od_fbx_link *link)
{
    od_fbx_values values = od_fbx_values_of(tree, node);
    od_fbx_value kind, from, to;
    if (!od_fbx_values_next(&values, &kind) || !od_fbx_values_next(&values, &from) || !od_fbx_values_next(&values, &to))
        return false;
    bool whole = od_fbx_text_is(&kind, "OO");
    if (!whole && !od_fbx_text_is(&kind, "OP")) return false;
    if (!od_fbx_values_next(&values, &link->property) || whole) link->property = (od_fbx_value){0};
    link->from = od_fbx_object_find(tree, objects, &from);
    link->to = od_fbx_object_find(tree, objects, &to);
    return link->from >= 0 && (link->to >= 0 || is_scene(tree, &to));
}

static bool read_links(const od_fbx_tree *tree, od_fbx_objects *out, od_arena *arena, od_error *error)
{
    const od_fbx_node *list = od_fbx_child(tree->root, "Connections");
    int most;
    if (!count_children(tree, list, &most, error)) return false;
    if (!(out->links = OD_NEW(arena, od_fbx_link, (size_t)most, error))) return false;
    for (const od_fbx_node *node = list ? list->children : NULL; node; node = node->next)
        out->link_count += make_link(tree, out, node, &out->links[out->link_count]);
    return true;
}

bool od_fbx_objects_read(const od_fbx_tree *tree, od_fbx_objects *out, od_arena *arena, od_error *error)
{
    *out = (od_fbx_objects){0};
    return read_objects(tree, out, arena, error) && read_links(tree, out, arena, error);
}

/* ---- properties ---------------------------------------------------------------------------------- */

/* P: name, type, label, flags, numbers; in files of version 6 without the label. */
static void read_property(const od_fbx_tree *tree, const od_fbx_node *node, int before, const char *const *names,
                          int count, od_fbx_property *out)
{
    od_fbx_values values = od_fbx_values_of(tree, node);
    od_fbx_value value;
    int at = 0;
    if (!od_fbx_values_next(&values, &value)) return;
    while (at < count && !od_fbx_text_is(&value, names[at])) at++;
    if (at == count) return;
    for (int i = 1; i < before; i++)
        if (!od_fbx_values_next(&values, &value)) return;
    for (int i = 0; i < 3 && od_fbx_values_next(&values, &value) && value.kind == OD_FBX_NUMBER; i++) {
        out[at].v[i] = value.real;
        if (i == 0) out[at].integer = value.integer;
        out[at].set = true;
    }
}

void od_fbx_properties(const od_fbx_tree *tree, const od_fbx_node *node, const char *const *names, int count,
                       od_fbx_property *out)
{
    const od_fbx_node *newer = od_fbx_child(node, "Properties70"), *older = od_fbx_child(node, "Properties60");
    const od_fbx_node *list = newer ? newer : older;
    for (const od_fbx_node *p = list ? list->children : NULL; p; p = p->next)
        read_property(tree, p, newer ? 4 : 3, names, count, out);
}

const od_fbx_node *od_fbx_template(const od_fbx_tree *tree, const char *what)
{
    const od_fbx_node *definitions = od_fbx_child(tree->root, "Definitions");
    for (const od_fbx_node *type = definitions ? definitions->children : NULL; type; type = type->next) {
        od_fbx_value name = od_fbx_value_of(tree, type, 0);
        if (od_fbx_text_is(&name, what)) return od_fbx_child(type, "PropertyTemplate");
    }
    return NULL;
}
