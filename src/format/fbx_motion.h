/* The motions of an FBX file: stacks of layers (takes in files of version 6) that move properties. */
#ifndef ODORI_FORMAT_FBX_MOTION_H
#define ODORI_FORMAT_FBX_MOTION_H

#include "format/fbx_curve.h"
#include "format/fbx_objects.h"
#include "format/fbx_transform.h"

/* The percentage of a blend shape, beside the channels of a model. */
enum { OD_FBX_DEFORM = OD_FBX_TRS, OD_FBX_CHANNELS };

/* How a layer's values join those of the layers below it. */
typedef struct od_fbx_layer {
    int object;      /* of the layer; -1: the one layer of a take */
    bool base;       /* the first of its stack: it replaces what the model says */
    bool muted;      /* it counts for nothing */
    bool additive;   /* adds */
    bool blended;    /* mixes by its weight (neither: replaces) */
    bool turns;      /* adds or mixes rotations as such and not as three angles */
    bool multiplies; /* of scales, the product */
    double weight;   /* 0 to 1 */
    const od_fbx_node *weight_node;
    od_fbx_curve *weight_curve;
} od_fbx_layer;

/* One property of one object in one layer. */
typedef struct od_fbx_channel {
    int shapes;       /* of a blend shape, the deformer that it belongs to; -1: not said */
    int object, kind; /* od_fbx_channel_kind or OD_FBX_DEFORM */
    od_fbx_layer *layer;
    od_fbx_property value[3]; /* where there is no curve */
    const od_fbx_node *nodes[3];
    od_fbx_curve *curves[3];     /* once they are read; NULL: none */
    struct od_fbx_channel *next; /* of the same object and kind, in the same layer or one above */
} od_fbx_channel;

typedef struct od_fbx_stack {
    const char *name;
    int64_t start, stop;
    bool ranged; /* the file says start and stop */
    od_fbx_layer *layers;
    int layer_count;
    od_fbx_channel *channels; /* in the order of layers */
    int channel_count;
} od_fbx_stack;

typedef struct od_fbx_motion {
    double second; /* units of time in one */
    od_fbx_stack *stacks;
    int stack_count;
} od_fbx_motion;

/* Stacks and their channels; no curve is read yet. Names are from the arena. */
bool od_fbx_motion_read(const od_fbx_tree *tree, const od_fbx_objects *objects, od_fbx_motion *out, od_arena *arena,
                        od_error *error);

/* The time of the first and the last key of the channels whose curves are there; false: there is none. */
bool od_fbx_stack_extent(const od_fbx_stack *stack, int64_t *start, int64_t *stop);

/* Reads the curves of a channel and of its layer's weight. */
bool od_fbx_channel_load(od_fbx_tree *tree, const od_fbx_motion *motion, od_fbx_channel *channel, od_arena *arena,
                         od_error *error);

/* Do the channels from `first` on say the same at all times? */
bool od_fbx_channel_is_still(const od_fbx_channel *first);

/* The values of a property at a time, from what the object says (`values`) through all layers from
 * `first` on (NULL: none). `order`: of a model's rotation. */
void od_fbx_channel_at(const od_fbx_channel *first, int order, int64_t time, double values[3]);

#endif
