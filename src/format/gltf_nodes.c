/* Input: the nodes of a glTF file. Output: a tree, and poses of the bones in it.
 * Invariant: every node has one parent at most, and none is below itself.
 *
 * Bones are rigid, nodes have scales. What the scales above a node do to it is its stretch: the world of a node
 * without translation is its rigid rotation times its stretch. While scales are the same in all directions, that is
 * one number; else a matrix, and rotations are those of its columns. */
#include "format/gltf_nodes.h"

#include <string.h>

/* Scales that differ by less are the same in all directions: exporters round them. */
static const float SAME_SCALE = 1e-5f;

/* How a node stands: relative to the bone above, and its stretch. */
typedef struct od_gltf_way {
    od_xform x;
    bool plain;
    float k;
    mat3s matrix;
} od_gltf_way;

versors od_gltf_split(const mat3s *m, vec3s *scale)
{
    mat3s turn;
    float lengths[3];
    for (int c = 0; c < 3; c++) {
        lengths[c] = glms_vec3_norm(m->col[c]);
        turn.col[c] = glms_vec3_scale(m->col[c], lengths[c] > 0 ? 1 / lengths[c] : 0);
    }
    if (glms_mat3_det(turn) < 0) {
        lengths[0] = -lengths[0];
        turn.col[0] = glms_vec3_negate(turn.col[0]);
    }
    *scale = od_vec3(lengths[0], lengths[1], lengths[2]);
    return od_quat_normalize(glms_mat3_quat(turn));
}

static bool read_trs(const od_place *node, od_gltf_trs *trs)
{
    float m[16], t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    if (od_place_member(node, "matrix").value) {
        mat3s turn;
        if (!od_place_numbers(node, "matrix", 16, m)) return false;
        for (int c = 0; c < 3; c++) turn.col[c] = od_vec3(m[4 * c], m[4 * c + 1], m[4 * c + 2]);
        trs->q = od_gltf_split(&turn, &trs->s);
        trs->t = od_vec3(m[12], m[13], m[14]);
        return true;
    }
    if (!od_place_numbers(node, "translation", 3, t) || !od_place_numbers(node, "rotation", 4, q) ||
        !od_place_numbers(node, "scale", 3, s))
        return false;
    trs->t = od_vec3(t[0], t[1], t[2]);
    trs->q = od_quat_normalize(od_quat(q[0], q[1], q[2], q[3]));
    trs->s = od_vec3(s[0], s[1], s[2]);
    return true;
}

/* Finds the parents; `first` and `next` chain the children in the order of the file. */
static bool read_children(const od_gltf *g, const od_place *node, int index, od_gltf_node *nodes, int *first, int *next)
{
    od_place list = od_place_member(node, "children");
    int last = -1, i = 0;
    if (!list.value) return true;
    for (const od_json *item = od_json_first(list.value); item; item = od_json_next(item), i++) {
        od_place at = {.document = list.document, .above = &list, .index = i, .value = item};
        int child = -1;
        if (!od_place_as_index(&at, g->nodes.count, &child)) return false;
        if (nodes[child].parent >= 0)
            return od_place_fail(&at, "node %d is a child of node %d already", child, nodes[child].parent);
        nodes[child].parent = index;
        if (last < 0) first[index] = child;
        else next[last] = child;
        last = child;
    }
    return true;
}

/* Depth first, as files list them for people. What is not reached is below itself. */
static bool put_in_order(const od_gltf *g, od_gltf_tree *tree, const int *first, const int *next)
{
    int n = 0;
    for (int root = 0; root < tree->count; root++) {
        if (tree->nodes[root].parent >= 0) continue;
        for (int node = root; node >= 0;) {
            tree->order[n++] = node;
            if (first[node] >= 0) {
                node = first[node];
                continue;
            }
            while (node != root && next[node] < 0) node = tree->nodes[node].parent;
            node = node == root ? -1 : next[node];
        }
    }
    return n == tree->count || od_place_fail(&g->nodes.array, "some nodes are below themselves");
}

bool od_gltf_read_nodes(od_gltf *g, od_gltf_tree *tree)
{
    const od_document *d = &g->document;
    size_t count = (size_t)g->nodes.count;
    *tree = (od_gltf_tree){.count = g->nodes.count, .gaze = -1, .head = -1};
    tree->nodes = OD_NEW(d->arena, od_gltf_node, count, d->error);
    tree->order = OD_NEW(d->arena, int, count, d->error);
    tree->ways = OD_NEW(d->arena, od_gltf_way, count, d->error);
    int *first = OD_NEW(d->arena, int, count, d->error), *next = OD_NEW(d->arena, int, count, d->error);
    if (!tree->nodes || !tree->order || !tree->ways || !first || !next) return false;
    for (int i = 0; i < tree->count; i++) {
        tree->nodes[i] = (od_gltf_node){.parent = -1, .mesh = -1, .bone = -1, .clip = -1};
        first[i] = next[i] = -1;
    }
    for (int i = 0; i < tree->count; i++) {
        od_place at = od_place_element(&g->nodes, i);
        od_gltf_node *node = &tree->nodes[i];
        if (!read_trs(&at, &node->rest) || !od_place_index(&at, "mesh", g->meshes.count, &node->mesh)) return false;
        node->seen = node->mesh >= 0 || od_place_member(&at, "camera").value;
        if (!read_children(g, &at, i, tree->nodes, first, next)) return false;
    }
    return put_in_order(g, tree, first, next);
}

bool od_gltf_choose_bones(od_gltf *g, od_gltf_tree *tree, const bool *wanted)
{
    const od_document *d = &g->document;
    od_gltf_node *nodes = tree->nodes;
    int *below = OD_NEW(d->arena, int, (size_t)tree->count, d->error); /* children with something wanted */
    tree->bones = OD_NEW(d->arena, int, (size_t)tree->count + 1, d->error);
    tree->used = OD_NEW(d->arena, int, (size_t)tree->count, d->error);
    if (!below || !tree->bones || !tree->used) return false;
    for (int i = tree->count - 1; i >= 0; i--) {
        int node = tree->order[i], parent = nodes[node].parent;
        if (parent >= 0 && (wanted[node] || below[node])) below[parent]++;
    }
    for (int i = 0; i < tree->count; i++) {
        int node = tree->order[i], parent = nodes[node].parent;
        bool inside = parent >= 0 && nodes[parent].bone >= 0;
        if (wanted[node] || below[node]) tree->used[tree->used_count++] = node;
        if (!wanted[node] && below[node] < (inside ? 1 : 2)) continue;
        nodes[node].bone = tree->bone_count;
        tree->bones[tree->bone_count++] = node;
    }
    if (tree->gaze >= 0) tree->bones[tree->bone_count++] = tree->gaze;
    return true;
}

/* Goes one node down: its place from the bone above, and its stretch. */
static od_gltf_way descend(const od_gltf_way *above, const od_gltf_trs *trs)
{
    vec3s s = trs->s;
    float k = (s.x + s.y + s.z) / 3, most = fmaxf(fabsf(s.x - k), fmaxf(fabsf(s.y - k), fabsf(s.z - k)));
    bool uniform = most <= SAME_SCALE * k;
    od_gltf_way way = {.plain = above->plain && uniform, .k = above->k * k};
    od_xform step = {trs->q, glms_vec3_scale(trs->t, above->k)};
    if (!way.plain) {
        mat3s turn = glms_quat_mat3(trs->q), m = turn;
        for (int c = 0; c < 3; c++) m.col[c] = glms_vec3_scale(m.col[c], s.raw[c] * (above->plain ? above->k : 1));
        if (!above->plain) {
            step.t = glms_mat3_mulv(above->matrix, trs->t);
            m = glms_mat3_mul(above->matrix, m);
        }
        if (!above->plain || s.x < 0 || s.y < 0 || s.z < 0) step.q = od_gltf_split(&m, &s);
        way.matrix = glms_mat3_mul(glms_quat_mat3(od_quat_conj(step.q)), m);
    }
    way.x = od_xform_mul(above->x, step);
    return way;
}

bool od_gltf_is_near(od_xform x)
{
    static const float FAR = 1e12f;
    return fabsf(x.t.x) <= FAR && fabsf(x.t.y) <= FAR && fabsf(x.t.z) <= FAR;
}

od_xform od_gltf_canonical(const od_gltf_tree *tree, od_xform x)
{
    if (tree->mirror_x) return (od_xform){od_quat(x.q.x, -x.q.y, -x.q.z, x.q.w), od_vec3(-x.t.x, x.t.y, x.t.z)};
    return (od_xform){od_quat(-x.q.x, -x.q.y, x.q.z, x.q.w), od_vec3(x.t.x, x.t.y, -x.t.z)};
}

/* Eyes of MMD's models turn together and little: half of the way, and by ten degrees at most. */
static versors limit_gaze(versors q)
{
    static const float MOST = 10 * 3.14159265f / 180;
    float angle = od_quat_angle(q), share = angle > 2 * MOST ? MOST / angle : 0.5f;
    return od_quat_slerp(od_quat_identity(), q, share);
}

void od_gltf_pose(const od_gltf_tree *tree, const od_gltf_trs *trs, od_xform *local)
{
    const od_gltf_way ground = {.x = od_xform_identity(), .plain = true, .k = 1};
    for (int i = 0; i < tree->used_count; i++) {
        int node = tree->used[i], parent = tree->nodes[node].parent;
        od_gltf_way *way = &tree->ways[node];
        *way = descend(parent < 0 ? &ground : &tree->ways[parent], &trs[node]);
        if (tree->nodes[node].bone < 0) continue;
        local[tree->nodes[node].bone] = od_gltf_canonical(tree, way->x);
        way->x = od_xform_identity();
    }
    if (tree->gaze < 0) return;
    /* The gaze turns in the head, but by axes that are the world's at rest. */
    od_xform gaze = od_gltf_canonical(tree, (od_xform){trs[tree->gaze].q, od_vec3(0, 0, 0)});
    gaze.q = od_quat_mul(od_quat_conj(tree->head_rest), limit_gaze(gaze.q));
    local[tree->bone_count - 1] = gaze;
}
