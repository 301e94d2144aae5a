/* Input: objects and links, or in files of version 6 the takes. Output: stacks with their channels. */
#include "format/fbx_motion.h"

#include <math.h>
#include <string.h>

static const char *const KINDS[OD_FBX_CHANNELS] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling", "DeformPercent"};

/* ---- time ---------------------------------------------------------------------------------------- */

/* Up to FBX 7 a second has 46186158000 units, after that 141120000 if a file says nothing else (ufbx). */
static double second_of(const od_fbx_tree *tree)
{
    static const double OLD = 46186158000.0, NEW = 141120000.0;
    const od_fbx_node *header = od_fbx_child(tree->root, "FBXHeaderExtension");
    od_fbx_value version = od_fbx_value_of(tree, od_fbx_child(header, "FBXHeaderVersion"), 0);
    const od_fbx_node *definition = od_fbx_child(od_fbx_child(header, "OtherFlags"), "TCDefinition");
    od_fbx_value definition_value = od_fbx_value_of(tree, definition, 0);
    if (version.integer >= 1004 && definition_value.kind == OD_FBX_NUMBER)
        return definition_value.integer == 127 ? OLD : NEW;
    return tree->version < 8000 ? OLD : NEW;
}

static bool is_time(int64_t time)
{
    return time > -(INT64_MAX / 4) && time < INT64_MAX / 4;
}

static void set_range(od_fbx_stack *stack, int64_t start, int64_t stop)
{
    stack->ranged = is_time(start) && is_time(stop) && start < stop;
    stack->start = stack->ranged ? start : 0;
    stack->stop = stack->ranged ? stop : 0;
}

/* LocalTime: start, stop. */
static void read_take_range(const od_fbx_tree *tree, const od_fbx_node *take, od_fbx_stack *stack)
{
    static const char *const names[] = {"LocalTime", "ReferenceTime"};
    for (int i = 0; i < 2 && !stack->ranged; i++) {
        const od_fbx_node *node = od_fbx_child(take, names[i]);
        od_fbx_value start = od_fbx_value_of(tree, node, 0), stop = od_fbx_value_of(tree, node, 1);
        if (start.kind == OD_FBX_NUMBER && stop.kind == OD_FBX_NUMBER) set_range(stack, start.integer, stop.integer);
    }
}

/* Among the first thousand: hostile files have many of both. */
static const od_fbx_node *find_take(const od_fbx_tree *tree, const unsigned char *name, size_t size)
{
    const od_fbx_node *takes = od_fbx_child(tree->root, "Takes"), *take = takes ? takes->children : NULL;
    for (int i = 0; take && i < 1000; take = take->next, i++) {
        od_fbx_value value = od_fbx_value_of(tree, take, 0);
        if (!od_fbx_node_is(take, "Take") || value.kind != OD_FBX_TEXT) continue;
        if (value.size == size && !memcmp(value.bytes, name, size)) return take;
    }
    return NULL;
}

static void read_stack_range(const od_fbx_tree *tree, const od_fbx_object *object, od_fbx_stack *stack)
{
    static const char *const names[] = {"LocalStart", "LocalStop", "ReferenceStart", "ReferenceStop"};
    od_fbx_property p[4] = {{.set = false}};
    const od_fbx_node *defaults = od_fbx_template(tree, "AnimationStack");
    if (defaults) od_fbx_properties(tree, defaults, names, 4, p);
    od_fbx_properties(tree, object->node, names, 4, p);
    for (int i = 0; i < 4 && !stack->ranged; i += 2)
        if (p[i].set || p[i + 1].set) set_range(stack, p[i].integer, p[i + 1].integer);
    if (!stack->ranged) read_take_range(tree, find_take(tree, object->label, object->label_size), stack);
}

/* ---- version 7 ----------------------------------------------------------------------------------- */

/* What links say of a curve node, a layer, ...; by number of the object. -1: nothing. */
typedef struct role {
    int stack;  /* of a layer: the object */
    int layer;  /* of a curve node: the object; of a layer: its number in the stack */
    int target; /* of a curve node: whose property it moves; of a blend shape: its deformer */
    int kind;   /* which */
    int curves[3];
} role;

static int kind_of(const od_fbx_value *property)
{
    for (int kind = 0; kind < OD_FBX_CHANNELS; kind++)
        if (od_fbx_text_is(property, KINDS[kind])) return kind;
    return -1;
}

/* "d|X", "d|Y" and "d|Z" are three, anything else is the first. */
static int component_of(const od_fbx_value *property)
{
    unsigned char last = property->kind == OD_FBX_TEXT && property->size ? property->bytes[property->size - 1] : 0;
    return last == 'Y' ? 1 : last == 'Z' ? 2 : 0;
}

static void follow_link(const od_fbx_objects *objects, const od_fbx_link *link, role *roles)
{
    if (link->to < 0) return;
    od_fbx_class from = objects->all[link->from].what, to = objects->all[link->to].what;
    role *r = &roles[link->from];
    bool weight = from == OD_FBX_CURVE_NODE && to == OD_FBX_LAYER && od_fbx_text_is(&link->property, "Weight");
    if (from == OD_FBX_LAYER && to == OD_FBX_STACK) {
        r->stack = link->to;
        r->layer = roles[link->to].layer++; /* of a stack: how many it has */
    } else if (from == OD_FBX_CURVE_NODE && to == OD_FBX_LAYER && link->property.kind == OD_FBX_NONE) {
        r->layer = link->to;
    } else if (weight || (from == OD_FBX_MORPH && to == OD_FBX_SHAPES)) {
        r->target = link->to;
    } else if (from == OD_FBX_CURVE_NODE && (to == OD_FBX_MODEL || to == OD_FBX_MORPH)) {
        int kind = kind_of(&link->property);
        if (kind < 0 || (kind == OD_FBX_DEFORM) != (to == OD_FBX_MORPH)) return;
        r->kind = kind;
        r->target = link->to;
    } else if (from == OD_FBX_CURVE && to == OD_FBX_CURVE_NODE) {
        roles[link->to].curves[component_of(&link->property)] = link->from;
    }
}

static role *find_roles(const od_fbx_objects *objects, od_arena *arena, od_error *error)
{
    role *roles = OD_NEW(arena, role, (size_t)objects->count, error);
    for (int i = 0; roles && i < objects->count; i++) {
        bool stack = objects->all[i].what == OD_FBX_STACK;
        roles[i] = (role){.stack = -1, .layer = stack ? 0 : -1, .target = -1, .kind = -1, .curves = {-1, -1, -1}};
    }
    for (int i = 0; roles && i < objects->link_count; i++) follow_link(objects, &objects->links[i], roles);
    return roles;
}

static void read_layer(const od_fbx_tree *tree, const od_fbx_node *defaults, const od_fbx_node *node,
                       od_fbx_layer *layer)
{
    static const char *const names[] = {"Weight", "Mute", "BlendMode", "RotationAccumulationMode",
                                        "ScaleAccumulationMode"};
    od_fbx_property p[5] = {{.v = {100}}};
    if (defaults) od_fbx_properties(tree, defaults, names, 5, p);
    od_fbx_properties(tree, node, names, 5, p);
    layer->weight = p[0].v[0] >= 0 ? fmin(p[0].v[0] / 100, 1) : 0; /* false for NaN, too */
    layer->muted = p[1].integer != 0;
    layer->additive = p[2].integer == 0;
    layer->blended = p[2].integer == 2;
    layer->turns = p[3].integer == 0;
    layer->multiplies = p[4].integer == 0;
}

/* Stacks in the order of the file, with their layers. */
static bool make_stacks(const od_fbx_tree *tree, const od_fbx_objects *objects, const role *roles, int *number,
                        od_fbx_motion *out, od_arena *arena, od_error *error)
{
    const od_fbx_node *defaults = od_fbx_template(tree, "AnimationLayer");
    for (int i = 0; i < objects->count; i++) {
        const od_fbx_object *object = &objects->all[i];
        if (object->what != OD_FBX_STACK) continue;
        od_fbx_stack *stack = &out->stacks[out->stack_count];
        number[i] = out->stack_count++;
        stack->layer_count = roles[i].layer;
        stack->name = od_fbx_object_name(tree, object, arena, error);
        stack->layers = OD_NEW(arena, od_fbx_layer, (size_t)stack->layer_count, error);
        if (!stack->name || !stack->layers) return false;
        read_stack_range(tree, object, stack);
    }
    for (int i = 0; i < objects->count; i++) {
        const od_fbx_object *object = &objects->all[i];
        if (object->what != OD_FBX_LAYER || roles[i].stack < 0) continue;
        od_fbx_layer *layer = &out->stacks[number[roles[i].stack]].layers[roles[i].layer];
        layer->object = i;
        layer->base = roles[i].layer == 0;
        read_layer(tree, defaults, object->node, layer);
    }
    return true;
}

static const od_fbx_node *curve_of(const od_fbx_objects *objects, int curve)
{
    return curve < 0 ? NULL : objects->all[curve].node;
}

static void read_channel(const od_fbx_tree *tree, const od_fbx_objects *objects, int node, const role *roles,
                         od_fbx_channel *channel)
{
    const role *r = &roles[node];
    static const char *const names[] = {"d|X", "d|Y", "d|Z"};
    static const char *const percent[] = {"d|DeformPercent"};
    channel->object = r->target;
    channel->kind = r->kind;
    bool morph = r->kind == OD_FBX_DEFORM;
    channel->shapes = morph ? roles[r->target].target : -1;
    od_fbx_properties(tree, objects->all[node].node, morph ? percent : names, morph ? 1 : 3, channel->value);
    for (int i = 0; i < 3; i++) channel->nodes[i] = curve_of(objects, r->curves[i]);
}

/* Where a curve node belongs; NULL: nowhere that matters. */
static od_fbx_layer *layer_of(const od_fbx_objects *objects, const role *roles, const int *number, int node,
                              od_fbx_motion *motion, od_fbx_stack **stack)
{
    const role *r = &roles[node];
    if (objects->all[node].what != OD_FBX_CURVE_NODE || r->target < 0) return NULL;
    bool weight = objects->all[r->target].what == OD_FBX_LAYER;
    int layer = weight ? r->target : r->layer;
    if (layer < 0 || roles[layer].stack < 0) return NULL;
    *stack = &motion->stacks[number[roles[layer].stack]];
    return &(*stack)->layers[roles[layer].layer];
}

static bool make_channels(const od_fbx_tree *tree, const od_fbx_objects *objects, const role *roles, const int *number,
                          od_fbx_motion *out, od_arena *arena, od_error *error)
{
    od_fbx_stack *stack;
    for (int i = 0; i < objects->count; i++) {
        od_fbx_layer *layer = layer_of(objects, roles, number, i, out, &stack);
        if (layer && roles[i].kind >= 0) stack->channel_count++;
        else if (layer) layer->weight_node = curve_of(objects, roles[i].curves[0]);
    }
    for (int i = 0; i < out->stack_count; i++) {
        stack = &out->stacks[i];
        stack->channels = OD_NEW(arena, od_fbx_channel, (size_t)stack->channel_count, error);
        if (!stack->channels) return false;
        stack->channel_count = 0;
    }
    for (int i = 0; i < objects->count; i++) {
        od_fbx_layer *layer = layer_of(objects, roles, number, i, out, &stack);
        if (!layer || roles[i].kind < 0) continue;
        od_fbx_channel *channel = &stack->channels[stack->channel_count++];
        channel->layer = layer;
        read_channel(tree, objects, i, roles, channel);
    }
    return true;
}

static bool read_stacks(const od_fbx_tree *tree, const od_fbx_objects *objects, od_fbx_motion *out, od_arena *arena,
                        od_error *error)
{
    size_t stacks = 0;
    for (int i = 0; i < objects->count; i++) stacks += objects->all[i].what == OD_FBX_STACK;
    role *roles = find_roles(objects, arena, error);
    int *number = OD_NEW(arena, int, (size_t)objects->count, error);
    out->stacks = OD_NEW(arena, od_fbx_stack, stacks, error);
    return roles && number && out->stacks && make_stacks(tree, objects, roles, number, out, arena, error) &&
           make_channels(tree, objects, roles, number, out, arena, error);
}

/* ---- version 6 ----------------------------------------------------------------------------------- */

static bool is_channel(const od_fbx_tree *tree, const od_fbx_node *node, const char *name)
{
    od_fbx_value value = od_fbx_value_of(tree, node, 0);
    return od_fbx_node_is(node, "Channel") && od_fbx_text_is(&value, name);
}

/* Of a child: a curve, or at least a value. */
static void read_old_component(const od_fbx_tree *tree, const od_fbx_node *node, int i, od_fbx_channel *channel)
{
    od_fbx_value value = od_fbx_value_of(tree, od_fbx_child(node, "Default"), 0);
    channel->nodes[i] = node;
    channel->value[i] = (od_fbx_property){.v = {value.real}, .set = value.kind == OD_FBX_NUMBER};
}

/* Take, Model, Channel "Transform", Channel "T", Channel "X". With `channels` NULL they are only counted. */
static int read_take_model(const od_fbx_tree *tree, const od_fbx_node *model, int object, od_fbx_layer *layer,
                           od_fbx_channel *channels)
{
    static const char *const kinds[] = {"T", "R", "S"}, *const axes[] = {"X", "Y", "Z"};
    int count = 0;
    for (const od_fbx_node *outer = model->children; outer; outer = outer->next) {
        if (!is_channel(tree, outer, "Transform")) continue;
        for (const od_fbx_node *inner = outer->children; inner; inner = inner->next)
            for (int kind = 0; kind < OD_FBX_TRS; kind++) {
                if (!is_channel(tree, inner, kinds[kind])) continue;
                od_fbx_channel *channel = channels ? &channels[count] : NULL;
                count++;
                if (!channel) continue;
                *channel = (od_fbx_channel){.object = object, .kind = kind, .layer = layer};
                for (const od_fbx_node *leaf = inner->children; leaf; leaf = leaf->next)
                    for (int i = 0; i < 3; i++)
                        if (is_channel(tree, leaf, axes[i])) read_old_component(tree, leaf, i, channel);
            }
    }
    return count;
}

static int read_take_channels(const od_fbx_tree *tree, const od_fbx_objects *objects, const od_fbx_node *take,
                              od_fbx_layer *layer, od_fbx_channel *channels)
{
    int count = 0;
    for (const od_fbx_node *model = take->children; model; model = model->next) {
        od_fbx_value name = od_fbx_value_of(tree, model, 0);
        if (!od_fbx_node_is(model, "Model")) continue;
        int object = od_fbx_object_find(tree, objects, &name);
        if (object < 0) continue;
        count += read_take_model(tree, model, object, layer, channels ? channels + count : NULL);
    }
    return count;
}

static bool read_takes(const od_fbx_tree *tree, const od_fbx_objects *objects, od_fbx_motion *out, od_arena *arena,
                       od_error *error)
{
    const od_fbx_node *takes = od_fbx_child(tree->root, "Takes");
    size_t count = 0;
    for (const od_fbx_node *take = takes ? takes->children : NULL; take; take = take->next) count++;
    if (!(out->stacks = OD_NEW(arena, od_fbx_stack, count, error))) return false;
    for (const od_fbx_node *take = takes ? takes->children : NULL; take; take = take->next) {
        od_fbx_value name = od_fbx_value_of(tree, take, 0);
        if (!od_fbx_node_is(take, "Take")) continue;
        od_fbx_stack *stack = &out->stacks[out->stack_count++];
        stack->name = od_fbx_text(name.bytes, name.kind == OD_FBX_TEXT ? name.size : 0, tree->ascii, arena, error);
        stack->layers = OD_NEW(arena, od_fbx_layer, 1, error);
        if (!stack->name || !stack->layers) return false;
        stack->layer_count = 1;
        *stack->layers = (od_fbx_layer){.object = -1, .base = true, .weight = 1};
        read_take_range(tree, take, stack);
        stack->channel_count = read_take_channels(tree, objects, take, stack->layers, NULL);
        stack->channels = OD_NEW(arena, od_fbx_channel, (size_t)stack->channel_count, error);
        if (!stack->channels) return false;
        read_take_channels(tree, objects, take, stack->layers, stack->channels);
    }
    return true;
}

/* ---- curves -------------------------------------------------------------------------------------- */

bool od_fbx_motion_read(const od_fbx_tree *tree, const od_fbx_objects *objects, od_fbx_motion *out, od_arena *arena,
                        od_error *error)
{
    *out = (od_fbx_motion){.second = second_of(tree)};
    return tree->version < 7000 ? read_takes(tree, objects, out, arena, error)
                                : read_stacks(tree, objects, out, arena, error);
}

static bool load(od_fbx_tree *tree, const od_fbx_motion *motion, const od_fbx_node *node, od_fbx_curve **curve,
                 od_arena *arena, od_error *error)
{
    *curve = NULL;
    if (!node) return true;
    return tree->version < 7000 ? od_fbx_curve_read_old(tree, node, motion->second, curve, arena, error)
                                : od_fbx_curve_read(tree, node, motion->second, curve, arena, error);
}

bool od_fbx_channel_load(od_fbx_tree *tree, const od_fbx_motion *motion, od_fbx_channel *channel, od_arena *arena,
                         od_error *error)
{
    od_fbx_layer *layer = channel->layer;
    for (int i = 0; i < 3; i++)
        if (!load(tree, motion, channel->nodes[i], &channel->curves[i], arena, error)) return false;
    return layer->weight_curve || load(tree, motion, layer->weight_node, &layer->weight_curve, arena, error);
}

bool od_fbx_stack_extent(const od_fbx_stack *stack, int64_t *start, int64_t *stop)
{
    bool found = false;
    for (int c = 0; c < stack->channel_count; c++)
        for (int i = 0; i < 3; i++) {
            const od_fbx_curve *curve = stack->channels[c].curves[i];
            if (!curve) continue;
            int64_t first = curve->time[0], last = curve->time[curve->count - 1];
            *start = found && *start < first ? *start : first;
            *stop = found && *stop > last ? *stop : last;
            found = true;
        }
    return found;
}
