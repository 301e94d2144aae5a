/* Input: models and the links between them. Output: the parts of one skeleton, parents first.
 *
 * Bones are joints (LimbNode, Root), and nulls and other models below or between them. Models above the first
 * joint only carry it. Where several joints stand directly in one null they are one skeleton and the null is its
 * root, as Blender's armatures are, unless they are figures of one kind, with the same names.
 * Files without any joint are taken to be skeletons of plain models. */
#include "format/fbx_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct model {
    int object;
    int parent, first, next; /* models; -1: none */
    bool joint;
    bool kept;  /* a bone if a tree that contains it is taken */
    bool above; /* a joint is below, and it is below none */
    bool root;  /* of a skeleton */
    bool moved; /* it has a channel */
    int bones;  /* of a root: how many there are */
} model;

typedef struct builder {
    const od_fbx_tree *tree;
    const od_fbx_objects *objects;
    model *models;
    int count;
    int *order;  /* of the models: parents first */
    int *number; /* of the model that an object is; -1 */
    int top;     /* the first model that is in none */
    od_report *report;
    od_arena *arena;
    od_error *error;
} builder;

/* ---- models -------------------------------------------------------------------------------------- */

static bool is_joint(const od_fbx_value *type)
{
    return od_fbx_text_is(type, "LimbNode") || od_fbx_text_is(type, "Limb") || od_fbx_text_is(type, "Root");
}

static bool is_device(const od_fbx_value *type)
{
    return od_fbx_text_is(type, "Camera") || od_fbx_text_is(type, "Light") || od_fbx_text_is(type, "CameraSwitcher") ||
           od_fbx_text_is(type, "CameraStereo");
}

static bool find_models(builder *b)
{
    b->models = OD_NEW(b->arena, model, (size_t)b->objects->count, b->error);
    b->number = OD_NEW(b->arena, int, (size_t)b->objects->count, b->error);
    if (!b->models || !b->number) return false;
    for (int i = 0; i < b->objects->count; i++) {
        const od_fbx_object *object = &b->objects->all[i];
        b->number[i] = -1;
        if (object->what != OD_FBX_MODEL) continue;
        b->number[i] = b->count;
        b->models[b->count++] =
            (model){.object = i, .parent = -1, .first = -1, .next = -1, .joint = is_joint(&object->type)};
    }
    return true;
}

/* Parents, and what attributes say. A model that is in several is where it was put first. */
static bool follow_links(builder *b)
{
    bool *placed = OD_NEW(b->arena, bool, (size_t)b->count, b->error);
    if (!placed) return false;
    for (int i = 0; i < b->objects->link_count; i++) {
        const od_fbx_link *link = &b->objects->links[i];
        const od_fbx_object *from = &b->objects->all[link->from];
        int to = link->to < 0 ? -1 : b->number[link->to], child = b->number[link->from];
        if (link->property.kind != OD_FBX_NONE) continue;
        if (from->what == OD_FBX_ATTRIBUTE && to >= 0 && is_joint(&from->type)) b->models[to].joint = true;
        if (child < 0 || placed[child] || (link->to >= 0 && to < 0)) continue;
        placed[child] = true;
        b->models[child].parent = to;
    }
    return true;
}

/* Children in the order of the file; models that nothing leads to stand in a circle. */
static bool sort_models(builder *b)
{
    b->order = OD_NEW(b->arena, int, (size_t)b->count, b->error);
    if (!b->order) return false;
    b->top = -1;
    for (int i = b->count - 1; i >= 0; i--) {
        model *m = &b->models[i];
        int *first = m->parent < 0 ? &b->top : &b->models[m->parent].first;
        m->next = *first;
        *first = i;
    }
    int sorted = 0;
    for (int at = b->top; at >= 0;) {
        b->order[sorted++] = at;
        if (b->models[at].first >= 0) {
            at = b->models[at].first;
            continue;
        }
        while (at >= 0 && b->models[at].next < 0) at = b->models[at].parent;
        if (at >= 0) at = b->models[at].next;
    }
    return sorted == b->count || od_fail(b->error, "%s: a model is connected below itself: %d of %d are in no scene",
                                         b->tree->file, b->count - sorted, b->count);
}

/* ---- bones --------------------------------------------------------------------------------------- */

static const od_fbx_value *type_of(const builder *b, const model *m)
{
    return &b->objects->all[m->object].type;
}

static void call_all_joints(builder *b)
{
    for (int i = 0; i < b->count; i++)
        if (b->models[i].joint) return;
    for (int i = 0; i < b->count; i++) b->models[i].joint = !is_device(type_of(b, &b->models[i]));
}

/* Sets `kept` (below a joint, or one), `above` and `root`. */
static void find_bones(builder *b)
{
    for (int n = 0; n < b->count; n++) {
        model *m = &b->models[b->order[n]];
        bool below = m->parent >= 0 && (b->models[m->parent].kept || b->models[m->parent].joint);
        m->root = m->joint && !below;
        m->kept = m->joint || below;
    }
    for (int n = b->count - 1; n >= 0; n--) { /* children first */
        model *m = &b->models[b->order[n]];
        bool wanted = m->joint || od_fbx_text_is(type_of(b, m), "Null");
        for (int c = m->first; c >= 0; c = b->models[c].next) {
            wanted = wanted || b->models[c].kept;
            m->above = m->above || b->models[c].above || b->models[c].root;
        }
        m->above = m->above && !m->kept;
        m->kept = m->kept && wanted;
    }
}

/* ---- several joints in one null ------------------------------------------------------------------ */

typedef struct named {
    const unsigned char *name;
    size_t size;
    int root;
} named;

static int by_name(const void *a, const void *b)
{
    const named *x = a, *y = b;
    int order = memcmp(x->name, y->name, x->size < y->size ? x->size : y->size);
    if (order) return order;
    if (x->size != y->size) return x->size < y->size ? -1 : 1;
    return (x->root > y->root) - (x->root < y->root);
}

/* The model's name without its namespaces. */
static named name_of(const builder *b, int at, int root)
{
    const od_fbx_object *object = &b->objects->all[b->models[at].object];
    named n = {object->label, object->label_size, root};
    for (size_t i = object->label_size; i-- > 0;)
        if (object->label[i] == ':') {
            n.name += i + 1;
            n.size -= i + 1;
            break;
        }
    return n;
}

/* Do trees of this null have three names in common? `root[model]`: the root above a model. */
static bool are_figures(const builder *b, int null, const int *root, named *names)
{
    size_t count = 0;
    int common = 0;
    for (int i = 0; i < b->count; i++)
        if (root[i] >= 0 && b->models[i].kept && b->models[root[i]].parent == null)
            names[count++] = name_of(b, i, root[i]);
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 1; i < count; i++)
        common += names[i].root != names[i - 1].root && names[i].size == names[i - 1].size &&
                  !memcmp(names[i].name, names[i - 1].name, names[i].size);
    return common >= 3;
}

static int roots_in(const builder *b, const model *m)
{
    int roots = 0;
    for (int c = m->first; c >= 0; c = b->models[c].next) roots += b->models[c].root;
    return roots;
}

static bool unite_roots(builder *b)
{
    int *root = OD_NEW(b->arena, int, (size_t)b->count, b->error);
    named *names = OD_NEW(b->arena, named, (size_t)b->count, b->error);
    if (!root || !names) return false;
    for (int n = 0; n < b->count; n++) {
        int i = b->order[n], parent = b->models[i].parent;
        root[i] = b->models[i].root ? i : parent >= 0 ? root[parent] : -1;
    }
    int looked = 0;
    for (int n = 0; n < b->count && looked < 100; n++) {
        model *m = &b->models[b->order[n]];
        if (!m->above || roots_in(b, m) < 2) continue;
        looked++; /* of hostile files with thousands of armatures only the first ones are */
        if (are_figures(b, b->order[n], root, names)) continue;
        for (int c = m->first; c >= 0; c = b->models[c].next) b->models[c].root = false;
        m->root = m->kept = true;
    }
    return true;
}

/* ---- the choice ---------------------------------------------------------------------------------- */

static void count_bones(builder *b, const od_fbx_motion *motion)
{
    for (int s = 0; s < motion->stack_count; s++)
        for (int c = 0; c < motion->stacks[s].channel_count; c++) {
            int m = b->number[motion->stacks[s].channels[c].object];
            if (m >= 0) b->models[m].moved = true;
        }
    for (int n = b->count - 1; n >= 0; n--) {
        model *m = &b->models[b->order[n]];
        m->bones += m->kept;
        if (m->root || m->parent < 0) continue;
        b->models[m->parent].bones += m->bones;
        b->models[m->parent].moved = b->models[m->parent].moved || m->moved;
    }
}

static bool is_better(const model *a, const model *than)
{
    return a->moved != than->moved ? a->moved : a->bones > than->bones;
}

/* Names of the roots but one, as many as fit. */
static const char *list_roots(const builder *b, int except)
{
    char text[384] = "";
    for (int n = 0; n < b->count; n++) {
        const model *m = &b->models[b->order[n]];
        if (!m->root || b->order[n] == except) continue;
        const char *name = od_fbx_object_name(b->tree, &b->objects->all[m->object], b->arena, b->error);
        size_t used = strlen(text), left = sizeof text - used;
        if (!name) return NULL;
        if (strlen(name) + sizeof ", , ..." > left) {
            snprintf(text + used, left, "%s...", used ? ", " : "");
            break;
        }
        snprintf(text + used, left, "%s%s", used ? ", " : "", name);
    }
    return od_arena_text(b->arena, text, strlen(text), b->error);
}

static bool choose_root(const builder *b, const char *wanted, int *root, const char **others)
{
    int roots = 0, found = -1, best = -1;
    for (int n = 0; n < b->count; n++) {
        int i = b->order[n];
        const model *m = &b->models[i];
        if (!m->root) continue;
        if (best < 0 || is_better(m, &b->models[best])) best = i;
        roots++;
        if (!wanted || found >= 0) continue;
        const char *name = od_fbx_object_name(b->tree, &b->objects->all[m->object], b->arena, b->error);
        if (!name) return false;
        if (!strcmp(name, wanted)) found = i;
    }
    if (!roots) return od_fail(b->error, "%s: there is no skeleton in the file: it has no joints", b->tree->file);
    *root = wanted ? found : best;
    *others = NULL;
    if ((roots > 1 || *root < 0) && !(*others = list_roots(b, *root))) return false;
    if (*root < 0)
        return od_fail(b->error, "%s: expected a root joint called %s, found %s", b->tree->file, wanted, *others);
    return true;
}

/* ---- parts --------------------------------------------------------------------------------------- */

static bool add_part(builder *b, od_fbx_rig *rig, int at, const od_fbx_node *defaults, int *part)
{
    const model *m = &b->models[at];
    const od_fbx_object *object = &b->objects->all[m->object];
    od_fbx_part *p = &rig->parts[rig->count];
    *p = (od_fbx_part){.object = m->object, .parent = m->parent < 0 ? -1 : part[m->parent], .bone = -1};
    p->name = od_fbx_object_name(b->tree, object, b->arena, b->error);
    p->transform = od_fbx_transform_read(b->tree, defaults, object->node);
    part[at] = rig->count++;
    return p->name != NULL;
}

/* What is above the root, then the root and all bones below it. */
static bool make_parts(builder *b, int root, od_fbx_rig *rig)
{
    const od_fbx_node *defaults = od_fbx_template(b->tree, "Model");
    int *part = OD_NEW(b->arena, int, (size_t)b->count, b->error), above = 0;
    rig->parts = OD_NEW(b->arena, od_fbx_part, (size_t)b->count, b->error);
    if (!part || !rig->parts) return false;
    for (int i = 0; i < b->count; i++) part[i] = -1;
    for (int i = root; i >= 0; i = b->models[i].parent) part[i] = above++; /* marks them */
    for (int n = 0; n < b->count; n++) {
        int i = b->order[n], parent = b->models[i].parent;
        bool below = parent >= 0 && part[parent] >= 0 && rig->parts[part[parent]].bone >= 0;
        if (part[i] < 0 && !(below && b->models[i].kept)) continue;
        if (!add_part(b, rig, i, defaults, part)) return false;
        if (i == root || below) rig->parts[rig->count - 1].bone = rig->bones++;
    }
    return true;
}

bool od_fbx_rig_read(const od_fbx_tree *tree, const od_fbx_objects *objects, const od_fbx_motion *motion,
                     const char *root, od_fbx_rig *rig, od_report *report, od_arena *arena, od_error *error)
{
    builder b = {.tree = tree, .objects = objects, .report = report, .arena = arena, .error = error};
    int chosen = -1;
    *rig = (od_fbx_rig){0};
    if (!find_models(&b) || !follow_links(&b) || !sort_models(&b)) return false;
    call_all_joints(&b);
    find_bones(&b);
    if (!unite_roots(&b)) return false;
    count_bones(&b, motion);
    if (!choose_root(&b, root, &chosen, &rig->others) || !make_parts(&b, chosen, rig)) return false;
    if (rig->others && !root)
        od_choice(report, "%s: of the roots %s and %s the first is taken: it moves and has the most joints", tree->file,
                  rig->parts[rig->count - rig->bones].name, rig->others);
    return true;
}
