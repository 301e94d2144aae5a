/* Input: vertices and bones. Output: their weights; vertices with other bones. */
#include "rig/skin.h"

float od_vertex_weight(const od_vertex *vertex, int n)
{
    switch (vertex->kind) {
    case OD_BDEF1: return 1;
    case OD_BDEF2:
    case OD_SDEF: return n ? 1 - vertex->weight[0] : vertex->weight[0];
    default: return vertex->weight[n];
    }
}

float od_vertex_share(const od_vertex *vertex, const bool *marked, int bones)
{
    float share = 0;
    for (int i = 0; i < od_weights_bones(vertex->kind); i++)
        if (vertex->bone[i] >= 0 && vertex->bone[i] < bones && marked[vertex->bone[i]])
            share += od_vertex_weight(vertex, i);
    return share;
}

void od_skin_move(od_model *model, int from, int to)
{
    for (int i = 0; i < model->vertex_count; i++)
        for (int k = 0; k < od_weights_bones(model->vertices[i].kind); k++)
            if (model->vertices[i].bone[k] == from) model->vertices[i].bone[k] = to;
    for (int i = 0; i < model->body_count; i++)
        if (model->bodies[i].bone == from) model->bodies[i].bone = to;
}

/* Bones and weights of a vertex in the making. */
enum { MOST = 8 };
typedef struct blend {
    int bone[MOST];
    float weight[MOST];
    int count;
} blend;

static void give(blend *to, int bone, float weight)
{
    int i = 0;
    if (!(weight > 0)) return;
    while (i < to->count && to->bone[i] != bone) i++;
    if (i == to->count) {
        to->bone[to->count] = bone;
        to->weight[to->count++] = 0;
    }
    to->weight[i] += weight;
}

/* The four strongest bones, with the weight of those that are left out. */
static void reduce(blend *b)
{
    float before = 0, after = 0;
    for (int i = 0; i < b->count; i++) before += b->weight[i];
    for (int i = 0; i < b->count; i++) /* strongest first */
        for (int k = i; k > 0 && b->weight[k] > b->weight[k - 1]; k--) {
            float weight = b->weight[k];
            int bone = b->bone[k];
            b->weight[k] = b->weight[k - 1], b->bone[k] = b->bone[k - 1];
            b->weight[k - 1] = weight, b->bone[k - 1] = bone;
        }
    if (b->count <= 4) return;
    b->count = 4;
    for (int i = 0; i < b->count; i++) after += b->weight[i];
    for (int i = 0; i < b->count; i++) b->weight[i] *= before / after;
}

static void set_blend(od_vertex *vertex, blend *b)
{
    reduce(b);
    od_weights kind = b->count == 1 ? OD_BDEF1 : b->count == 2 ? OD_BDEF2 : OD_BDEF4;
    if (vertex->kind == OD_QDEF || vertex->kind == OD_BDEF4) kind = vertex->kind; /* its sum may be another than 1 */
    vertex->kind = kind;
    for (int i = 0; i < od_weights_bones(kind); i++) {
        vertex->bone[i] = i < b->count ? b->bone[i] : 0;
        vertex->weight[i] = i < b->count ? b->weight[i] : 0;
    }
}

/* Place of a vertex on the way from 0 to `steps`. */
static float place_of(vec3s position, vec3s start, vec3s end, int steps)
{
    vec3s way = glms_vec3_sub(end, start);
    float t = glms_vec3_dot(glms_vec3_sub(position, start), way) / glms_vec3_dot(way, way);
    return (float)steps * (t > 0 ? (t < 1 ? t : 1) : 0); /* no number: 0 */
}

void od_skin_spread(od_model *model, int from, vec3s start, vec3s end, const int *stops, int count)
{
    for (int i = 0; i < model->vertex_count; i++) {
        od_vertex *vertex = &model->vertices[i];
        blend b = {.count = 0};
        bool moves = false;
        float place = place_of(vertex->position, start, end, count - 1);
        int step = (int)place, bones = od_weights_bones(vertex->kind);
        float share = place - (float)step;
        for (int k = 0; k < bones; k++) {
            float weight = od_vertex_weight(vertex, k);
            bool here = vertex->bone[k] == from;
            moves = moves || here;
            if (here && vertex->kind == OD_SDEF) vertex->bone[k] = stops[(int)(place + 0.5F)];
            give(&b, here ? stops[step] : vertex->bone[k], here ? (1 - share) * weight : weight);
            if (here && share > 0) give(&b, stops[step + 1], share * weight);
        }
        bool changed = b.count > 1 || b.bone[0] != from;
        if (moves && changed && b.count && vertex->kind != OD_SDEF) set_blend(vertex, &b);
    }
}
