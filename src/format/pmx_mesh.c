/* Input: a PMX from its vertices on. Output: vertices in numbers; faces, textures and materials as bytes.
 * A model that is not to be whole gets none of them. Values of vertices that are no numbers are kept: a
 * model with some can be drawn all the same, and is written as it was. */
#include "format/pmx_reader.h"

/* Bytes of a vertex behind its kind of weights; 0 for an unknown kind. */
static size_t weight_size(const od_pmx_reader *r, int kind)
{
    size_t bone = od_pmx_index_size(r, OD_INDEX_BONE);
    switch (kind) {
    case OD_BDEF1: return bone;
    case OD_BDEF2: return 2 * bone + 4;
    case OD_BDEF4:
    case OD_QDEF: return 4 * bone + 4 * 4;
    case OD_SDEF: return 2 * bone + 4 + 9 * 4;
    default: return 0;
    }
}

static void read_weights(od_pmx_reader *r, od_vertex *vertex)
{
    int bones = od_weights_bones(vertex->kind), weights = bones == 4 ? 4 : bones - 1;
    for (int i = 0; i < bones; i++) vertex->bone[i] = od_pmx_index(r, OD_INDEX_BONE);
    for (int i = 0; i < weights; i++) vertex->weight[i] = od_cursor_f32(&r->at);
    for (int i = 0; vertex->kind == OD_SDEF && i < 3; i++) vertex->sdef[i] = od_pmx_vec3(r);
    vertex->edge = od_cursor_f32(&r->at);
}

/* One vertex, into `vertex` when it is not NULL. */
static bool read_vertex(od_pmx_reader *r, int index, od_vertex *vertex)
{
    size_t uv = 4 * (2 + 4 * (size_t)r->model->uvs);
    if (vertex) {
        vertex->position = od_pmx_vec3(r);
        vertex->normal = od_pmx_vec3(r);
        vertex->uv = od_pmx_span(r, uv).bytes;
    } else {
        od_cursor_skip(&r->at, 6 * 4 + uv);
    }
    size_t at = r->at.at;
    int kind = od_cursor_u8(&r->at);
    size_t size = weight_size(r, kind);
    if (!size && !r->at.failed)
        return od_fail(r->error, "%s@0x%zx: vertex %d has unknown weights %d", r->at.file, at, index, kind);
    if (vertex) {
        vertex->kind = (od_weights)kind;
        read_weights(r, vertex);
    } else {
        od_cursor_skip(&r->at, size + 4);
    }
    return !r->at.failed || od_cursor_fail(&r->at, r->error, "the file ends among its vertices");
}

static bool read_vertices(od_pmx_reader *r)
{
    od_model *model = r->model;
    size_t least = 4 * (8 + 4 * (size_t)model->uvs) + 1 + od_pmx_index_size(r, OD_INDEX_BONE) + 4;
    int count = od_pmx_count(r, least, "vertices");
    if (count < 0) return false;
    if (model->whole) {
        model->vertices = OD_NEW(r->arena, od_vertex, (size_t)count, r->error);
        if (!model->vertices) return false;
        model->vertex_count = count;
    }
    for (int i = 0; i < count; i++)
        if (!read_vertex(r, i, model->vertices ? &model->vertices[i] : NULL)) return false;
    return true;
}

static bool skip_material(od_pmx_reader *r)
{
    size_t texture = od_pmx_index_size(r, OD_INDEX_TEXTURE);
    od_pmx_raw_text(r);
    od_pmx_raw_text(r);
    od_cursor_skip(&r->at, 11 * 4 + 1 + 5 * 4 + 2 * texture + 1);
    bool shared = od_cursor_u8(&r->at) != 0;
    od_cursor_skip(&r->at, shared ? 1 : texture);
    od_pmx_raw_text(r);
    od_cursor_skip(&r->at, 4);
    return !r->at.failed || od_cursor_fail(&r->at, r->error, "the file ends among its materials");
}

static bool skip_materials(od_pmx_reader *r)
{
    int count = od_pmx_count(r, 4, "textures");
    if (count < 0) return false;
    for (int i = 0; i < count; i++) od_pmx_raw_text(r);
    if (r->at.failed) return od_cursor_fail(&r->at, r->error, "the file ends among its textures");
    count = od_pmx_count(r, 3 * 4 + 11 * 4, "materials");
    for (int i = 0; i < count; i++)
        if (!skip_material(r)) return false;
    return count >= 0;
}

bool od_pmx_read_mesh(od_pmx_reader *r)
{
    od_model *model = r->model;
    if (!read_vertices(r)) return false;
    size_t size = od_pmx_index_size(r, OD_INDEX_VERTEX);
    model->corner_count = od_pmx_count(r, size, "corners of faces");
    if (model->corner_count < 0) return false;
    model->corners = od_pmx_span(r, (size_t)model->corner_count * size);
    od_span *materials = &model->materials;
    materials->bytes = r->at.data + r->at.at;
    size_t from = r->at.at;
    if (!skip_materials(r)) return false;
    materials->size = r->at.at - from;
    return true;
}
