/* Input: inverse bind matrices. Output: rests of joints.
 *
 * A joint was at (world of the skinned mesh) * inverse(its matrix) when the skin was bound. Nodes may stand there
 * too, or where an animation began. Matrices may hold a scale and an offset besides (quantised meshes do), so that
 * the size is taken from the nodes and the place from the first joint. */
#include "format/gltf_skin.h"

#include <string.h>

#include "format/gltf_accessor.h"

/* Degrees, and lengths of the skeleton's bones, below which two poses are one. */
static const float SAME_TURN = 1, SAME_PLACE = 0.01f;

typedef struct binder {
    od_gltf *g;
    const od_gltf_tree *tree;
    od_skeleton *skeleton;
    mat4s *world;        /* world[node]: at rest, in the file's space */
    od_xform *pose;      /* pose[bone]: worlds as bound, canonical */
    bool *bound;         /* bound[bone] */
    float turned, moved; /* how far nodes stand from there at most */
} binder;

static mat4s matrix_of(const od_gltf_trs *trs)
{
    mat4s m = glms_quat_mat4(trs->q);
    for (int c = 0; c < 3; c++) m.col[c] = glms_vec4_scale(m.col[c], trs->s.raw[c]);
    m.col[3] = (vec4s){.x = trs->t.x, .y = trs->t.y, .z = trs->t.z, .w = 1};
    return m;
}

static bool find_worlds(binder *b)
{
    const od_gltf_tree *tree = b->tree;
    b->world = OD_NEW(b->g->document.arena, mat4s, (size_t)tree->count, b->g->document.error);
    if (!b->world) return false;
    for (int i = 0; i < tree->count; i++) {
        int node = tree->order[i], parent = tree->nodes[node].parent;
        b->world[node] = matrix_of(&tree->nodes[node].rest);
        if (parent >= 0) b->world[node] = glms_mat4_mul(b->world[parent], b->world[node]);
    }
    return true;
}

/* World of the node whose mesh a skin moves. */
static bool find_mesh(const binder *b, int skin, mat4s *world)
{
    *world = glms_mat4_identity();
    for (int n = b->tree->count - 1; n >= 0; n--) {
        od_place at = od_place_element(&b->g->nodes, n);
        int own = -1;
        if (!od_place_index(&at, "skin", b->g->skins.count, &own)) return false;
        if (own == skin && b->tree->nodes[n].mesh >= 0) *world = b->world[n];
    }
    return true;
}

/* Where a joint was; false when its matrix has no inverse. */
static bool place_joint(const binder *b, const mat4s *mesh, const float *inverse, od_xform *x)
{
    mat4s m;
    vec3s scale;
    memcpy(&m, inverse, sizeof m);
    float det = glms_mat4_det(m);
    if (!(fabsf(det) > 1e-30f && fabsf(det) < 1e30f)) return false;
    m = glms_mat4_mul(*mesh, glms_mat4_inv(m));
    mat3s turn = glms_mat4_pick3(m);
    *x = (od_xform){od_gltf_split(&turn, &scale), od_vec3(m.col[3].x, m.col[3].y, m.col[3].z)};
    *x = od_gltf_canonical(b->tree, *x);
    return od_gltf_is_near(*x);
}

/* Lengths of all bones of a skin, as the nodes have them and as bound. */
static float size_of(const binder *b, const int *bones, int count, bool as_bound)
{
    float sum = 0;
    for (int i = 0; i < count; i++) {
        int parent = b->skeleton->bones[bones[i]].parent;
        if (parent < 0 || !b->bound[parent]) continue;
        sum += as_bound ? glms_vec3_distance(b->pose[bones[i]].t, b->pose[parent].t)
                        : glms_vec3_norm(b->skeleton->bones[bones[i]].rest.t);
    }
    return sum;
}

/* Gives the joints of one skin the size of the nodes and the place of its first joint. Then compares, as seen from
 * the first joint: some files bind in a space that is turned as a whole. */
static void fit(binder *b, const int *bones, int count)
{
    float size = size_of(b, bones, count, false), bound = size_of(b, bones, count, true);
    float scale = size > 0 && bound > 0 ? size / bound : 1;
    int first = bones[0];
    for (int i = 1; i < count; i++)
        if (bones[i] < first) first = bones[i];
    vec3s from = b->pose[first].t, to = b->skeleton->bones[first].rest_world.t;
    versors whole = od_quat_mul(b->skeleton->bones[first].rest_world.q, od_quat_conj(b->pose[first].q));
    for (int i = 0; i < count; i++) {
        od_xform *x = &b->pose[bones[i]], rest = b->skeleton->bones[bones[i]].rest_world;
        vec3s way = glms_vec3_scale(glms_vec3_sub(x->t, from), scale);
        versors turn = od_quat_mul(od_quat_conj(rest.q), od_quat_mul(whole, x->q));
        x->t = glms_vec3_add(to, way);
        b->turned = fmaxf(b->turned, od_quat_angle(turn) * 180 / 3.14159265f);
        way = glms_vec3_add(to, od_quat_rotate(whole, way));
        if (size > 0) b->moved = fmaxf(b->moved, glms_vec3_distance(rest.t, way) / size);
    }
}

static bool bind_skin(binder *b, int index)
{
    const od_document *d = &b->g->document;
    od_place skin = od_place_element(&b->g->skins, index);
    od_place_list joints;
    int accessor = -1, count = 0;
    size_t matrices;
    mat4s mesh;
    if (!od_place_index(&skin, "inverseBindMatrices", b->g->accessors.count, &accessor)) return false;
    if (accessor < 0) return true;
    const float *inverse = od_gltf_numbers(b->g, accessor, 16, &matrices);
    if (!inverse || !od_place_list_make(&skin, "joints", &joints) || !find_mesh(b, index, &mesh)) return false;
    if (matrices < (size_t)joints.count)
        return od_place_fail(&skin, "expected %d inverse bind matrices, found %zu", joints.count, matrices);
    int *bones = OD_NEW(d->arena, int, (size_t)joints.count, d->error);
    if (!bones) return false;
    for (int i = 0; i < joints.count; i++) {
        int bone = b->tree->nodes[(int)od_json_number(joints.items[i])].bone;
        if (b->bound[bone] || !place_joint(b, &mesh, inverse + 16 * i, &b->pose[bone])) continue;
        b->bound[bone] = true;
        bones[count++] = bone;
    }
    if (count) fit(b, bones, count);
    return true;
}

/* Joints that no skin has go where their parents take them. */
static void take_pose(binder *b)
{
    for (int i = 0; i < b->skeleton->count; i++) {
        od_bone *bone = &b->skeleton->bones[i];
        od_xform above = bone->parent < 0 ? od_xform_identity() : b->skeleton->bones[bone->parent].rest_world;
        if (b->bound[i]) bone->rest = od_xform_mul(od_xform_inverse(above), b->pose[i]);
        bone->rest_world = od_xform_mul(above, bone->rest);
    }
    od_skeleton_finish(b->skeleton);
}

bool od_gltf_bind(od_gltf *g, const od_gltf_tree *tree, od_scene *scene)
{
    const od_document *d = &g->document;
    size_t count = (size_t)scene->skeleton.count;
    binder b = {.g = g, .tree = tree, .skeleton = &scene->skeleton};
    b.pose = OD_NEW(d->arena, od_xform, count, d->error);
    b.bound = OD_NEW(d->arena, bool, count, d->error);
    if (!b.pose || !b.bound || !find_worlds(&b)) return false;
    for (int i = 0; i < g->skins.count; i++)
        if (!bind_skin(&b, i)) return false;
    for (size_t i = 0; i < count; i++) scene->rest_is_bind = scene->rest_is_bind || b.bound[i];
    if (b.turned < SAME_TURN && b.moved < SAME_PLACE) return true;
    od_choice(g->report,
              "the joints were bound in another pose than their nodes have (%.0f degrees): it is the zero pose",
              (double)b.turned);
    take_pose(&b);
    return true;
}
