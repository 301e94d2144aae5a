/* Objects of an FBX file, their properties, and what is connected to what. */
#ifndef ODORI_FORMAT_FBX_OBJECTS_H
#define ODORI_FORMAT_FBX_OBJECTS_H

#include "format/fbx_tree.h"

/* Objects that have to do with bones and their motion; the others are left out. */
typedef enum od_fbx_class {
    OD_FBX_MODEL,
    OD_FBX_ATTRIBUTE, /* of a model: what it is */
    OD_FBX_STACK,     /* a motion */
    OD_FBX_LAYER,     /* of a motion */
    OD_FBX_CURVE_NODE,
    OD_FBX_CURVE,
    OD_FBX_POSE,
    OD_FBX_CLUSTER, /* a bone's part of a skin */
    OD_FBX_SHAPES,  /* a blend shape deformer */
    OD_FBX_MORPH,   /* a channel of one */
    OD_FBX_CHARACTER
} od_fbx_class;

typedef struct od_fbx_object {
    const od_fbx_node *node;
    od_fbx_class what;
    const unsigned char *label; /* its name in the file, without the class */
    size_t label_size;
    od_fbx_value type; /* a text: "LimbNode", "Cluster" */
} od_fbx_object;

/* `from` is part of `to`, or of a property of it. Objects by index; OD_FBX_SCENE is the scene itself. */
enum { OD_FBX_SCENE = -1 };
typedef struct od_fbx_link {
    int from, to;
    od_fbx_value property; /* a text, or OD_FBX_NONE */
} od_fbx_link;

typedef struct od_fbx_key {
    uint64_t key; /* an id; in files of version 6 a hash of name and class */
    int object;
} od_fbx_key;

typedef struct od_fbx_objects {
    od_fbx_object *all; /* in the order of the file */
    int count;
    od_fbx_key *keys; /* keys[count], ascending */
    od_fbx_link *links;
    int link_count;
} od_fbx_objects;

bool od_fbx_objects_read(const od_fbx_tree *tree, od_fbx_objects *out, od_arena *arena, od_error *error);

/* The object that a value names, by id or in old files by name; -1: none. */
int od_fbx_object_find(const od_fbx_tree *tree, const od_fbx_objects *objects, const od_fbx_value *value);

/* A name of the file as UTF-8: names of old Japanese programs are in CP932, and some exporters write
 * FBXASC032 for a blank. */
const char *od_fbx_text(const unsigned char *bytes, size_t size, bool ascii, od_arena *arena, od_error *error);
const char *od_fbx_object_name(const od_fbx_tree *tree, const od_fbx_object *object, od_arena *arena, od_error *error);

/* ---- properties ---- */

/* One that is asked for: at most three numbers. */
typedef struct od_fbx_property {
    double v[3];
    int64_t integer; /* the first, exact */
    bool set;
} od_fbx_property;

/* Those of a node by name, `count` of them; what the file does not set stays as it is. */
void od_fbx_properties(const od_fbx_tree *tree, const od_fbx_node *node, const char *const *names, int count,
                       od_fbx_property *out);

/* The node with the defaults of a class of objects ("Model"); NULL when the file gives none. */
const od_fbx_node *od_fbx_template(const od_fbx_tree *tree, const char *what);

#endif
