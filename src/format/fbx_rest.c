/* Input: a rig. Output: where its bones stand at rest, without scale.
 *
 * In the order of trust: the matrix with which a bone was bound to a skin (TransformLink of a cluster), that of
 * a bind pose, the model's own values relative to its parent. */
#include <math.h>
#include <string.h>

#include "format/fbx_rig.h"

/* A matrix of sixteen numbers, columns one after the other, as a place. */
static bool place_of(const double *m, size_t count, od_fbx_place *place)
{
    if (count != 16) return false;
    const double rows[9] = {m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]};
    for (int i = 0; i < 3; i++) {
        place->p[i] = m[12 + i];
        if (!(fabs(m[12 + i]) <= 1e12)) return false; /* true for NaN, too */
    }
    return od_fbx_matrix_rotation(rows, &place->q);
}

/* What is said of the bones so far; of two matrices for one the first counts. */
typedef struct bindings {
    od_fbx_tree *tree;
    const int *bone; /* of an object; -1: none */
    od_fbx_place *place;
    bool *bound;
    od_arena *scratch;
    od_error *error;
} bindings;

static bool bind_bone(bindings *b, int bone, const od_fbx_node *matrix)
{
    double *numbers;
    size_t count;
    if (bone < 0 || b->bound[bone]) return true;
    if (!od_fbx_reals(b->tree, matrix, &numbers, &count, b->scratch, b->error)) return false;
    b->bound[bone] = place_of(numbers, count, &b->place[bone]);
    return true;
}

static bool bind_to_skins(bindings *b, const od_fbx_objects *objects)
{
    for (int i = 0; i < objects->link_count; i++) {
        const od_fbx_link *link = &objects->links[i];
        if (link->to < 0 || objects->all[link->to].what != OD_FBX_CLUSTER) continue;
        if (!bind_bone(b, b->bone[link->from], od_fbx_child(objects->all[link->to].node, "TransformLink")))
            return false;
    }
    return true;
}

static bool bind_to_poses(bindings *b, const od_fbx_objects *objects)
{
    for (int i = 0; i < objects->count; i++) {
        const od_fbx_object *pose = &objects->all[i];
        if (pose->what != OD_FBX_POSE || !od_fbx_text_is(&pose->type, "BindPose")) continue;
        for (const od_fbx_node *node = pose->node->children; node; node = node->next) {
            if (!od_fbx_node_is(node, "PoseNode")) continue;
            od_fbx_value key = od_fbx_value_of(b->tree, od_fbx_child(node, "Node"), 0);
            int object = od_fbx_object_find(b->tree, objects, &key);
            if (object >= 0 && !bind_bone(b, b->bone[object], od_fbx_child(node, "Matrix"))) return false;
        }
    }
    return true;
}

/* Places of bones that nothing was said of: as far from their parents as the models' own values have them. */
static void place_rest(const od_fbx_rig *rig, const od_fbx_world *still, const bool *bound, od_fbx_place *place)
{
    for (int i = 0; i < rig->count; i++) {
        const od_fbx_part *part = &rig->parts[i];
        if (part->bone < 0 || bound[part->bone]) continue;
        od_fbx_place *own = &place[part->bone];
        int parent = part->parent < 0 ? -1 : rig->parts[part->parent].bone;
        *own = (od_fbx_place){.q = still[i].q, .p = {still[i].p[0], still[i].p[1], still[i].p[2]}};
        if (parent < 0) continue;
        const od_fbx_world *above = &still[part->parent];
        od_fbx_quat back = {-above->q.x, -above->q.y, -above->q.z, above->q.w};
        od_fbx_quat turn = od_fbx_quat_mul(place[parent].q, back);
        for (int k = 0; k < 3; k++) own->p[k] -= above->p[k];
        od_fbx_rotate(turn, own->p, own->p);
        for (int k = 0; k < 3; k++) own->p[k] += place[parent].p[k];
        own->q = od_fbx_quat_mul(turn, own->q);
    }
}

static bool find_rest(bindings *b, const od_fbx_objects *objects, const od_fbx_rig *rig, bool *any)
{
    int *bone = OD_NEW(b->scratch, int, (size_t)objects->count, b->error);
    od_fbx_world *still = OD_NEW(b->scratch, od_fbx_world, (size_t)rig->count, b->error);
    b->bound = OD_NEW(b->scratch, bool, (size_t)rig->bones, b->error);
    if (!bone || !still || !b->bound) return false;
    for (int i = 0; i < objects->count; i++) bone[i] = -1;
    for (int i = 0; i < rig->count; i++) {
        od_fbx_part *part = &rig->parts[i];
        bone[part->object] = part->bone;
        still[i] =
            od_fbx_world_of(&part->transform, part->transform.values, part->parent < 0 ? NULL : &still[part->parent]);
    }
    b->bone = bone;
    if (!bind_to_skins(b, objects) || !bind_to_poses(b, objects)) return false;
    for (int i = 0; i < rig->bones; i++) *any = *any || b->bound[i];
    place_rest(rig, still, b->bound, b->place);
    return true;
}

bool od_fbx_rig_rest(od_fbx_tree *tree, const od_fbx_objects *objects, const od_fbx_rig *rig, od_fbx_place *place,
                     bool *bound, od_arena *arena, od_error *error)
{
    bindings b = {.tree = tree, .place = place, .scratch = arena, .error = error};
    *bound = false;
    return find_rest(&b, objects, rig, bound);
}
