/* Input: an accessor of a glTF file. Output: its elements as floats.
 * Invariant: what an accessor costs is in proportion to the bytes that the file has for it. */
#include "format/gltf_accessor.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/cursor.h"
#include "format/gltf_meshopt.h"

enum { BYTE = 5120, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, UNSIGNED_INT = 5125, FLOAT };

/* Elements that an accessor without bytes may have: they are all zero, and nothing in the file pays for them. */
enum { MOST_ZEROS = 1 << 16 };

typedef struct layout {
    int type;       /* of a component */
    int components; /* of an element */
    bool normalized;
    size_t count;
} layout;

static size_t size_of(int type)
{
    return type <= UNSIGNED_BYTE ? 1 : type <= UNSIGNED_SHORT ? 2 : 4;
}

/* Bytes of a view, and the distance of its elements when it says one. */
static bool open_view(od_gltf *g, int index, od_file *bytes, size_t *stride)
{
    od_place view = od_place_element(&g->views, index);
    od_file *unpacked = &g->unpacked[index];
    int buffer = -1;
    size_t offset = 0, size = 0;
    if (!od_place_size(&view, "byteStride", 65536, stride)) return false;
    if (!unpacked->data && !od_gltf_meshopt(g, &view, unpacked)) return false;
    if (unpacked->data) {
        *bytes = *unpacked;
        return true;
    }
    if (!od_place_index(&view, "buffer", g->buffers.count, &buffer)) return false;
    if (buffer < 0) return od_place_fail(&view, "there is no buffer");
    if (!od_place_size(&view, "byteOffset", INT_MAX, &offset)) return false;
    if (!od_place_size(&view, "byteLength", INT_MAX, &size)) return false;
    bytes->size = size;
    bytes->data = od_gltf_bytes(g, &view, buffer, offset, size);
    return bytes->data != NULL;
}

static float component(const unsigned char *at, int type, bool normalized)
{
    unsigned u = at[0], most = 0;
    if (size_of(type) > 1) u |= (unsigned)at[1] << 8;
    if (size_of(type) > 2) u |= (unsigned)at[2] << 16 | (unsigned)at[3] << 24;
    float value = (float)u;
    switch (type) {
    case BYTE: value = (float)(int8_t)u, most = INT8_MAX; break;
    case UNSIGNED_BYTE: most = UINT8_MAX; break;
    case SHORT: value = (float)(int16_t)u, most = INT16_MAX; break;
    case UNSIGNED_SHORT: most = UINT16_MAX; break;
    case FLOAT: memcpy(&value, &u, sizeof value); break;
    default: break;
    }
    return normalized && most ? fmaxf(value / (float)most, -1) : value;
}

/* The elements of a view: checks that they are in it. `at` is who asks. */
static bool find_elements(od_gltf *g, const od_place *at, const layout *l, const unsigned char **data, size_t *stride)
{
    int view = -1;
    size_t offset = 0, size = size_of(l->type) * (size_t)l->components;
    od_file bytes = {0};
    *stride = 0;
    *data = NULL;
    if (!od_place_index(at, "bufferView", g->views.count, &view) || view < 0) return !at->document->error->failed;
    if (!od_place_size(at, "byteOffset", INT_MAX, &offset) || !open_view(g, view, &bytes, stride)) return false;
    assert(size > 0);
    if (!*stride) *stride = size;
    if (*stride < size) return od_place_fail(at, "elements of %zu bytes are only %zu apart", size, *stride);
    *data = bytes.data + (offset < bytes.size ? offset : 0);
    if (!l->count) return true;
    if (offset <= bytes.size && size <= bytes.size - offset && (l->count - 1) <= (bytes.size - offset - size) / *stride)
        return true;
    return od_place_fail(at, "%zu elements of %zu bytes from %zu on are beyond view %d, which has %zu bytes", l->count,
                         *stride, offset, view, bytes.size);
}

static void decode(const layout *l, const unsigned char *data, size_t stride, float *to)
{
    size_t size = size_of(l->type);
    for (size_t i = 0; i < l->count; i++, data += stride)
        for (int c = 0; c < l->components; c++) *to++ = component(data + (size_t)c * size, l->type, l->normalized);
}

/* Puts the elements of `sparse` in their places. */
static bool decode_sparse(od_gltf *g, const od_place *sparse, const layout *l, float *numbers)
{
    od_place indices = od_place_member(sparse, "indices"), values = od_place_member(sparse, "values");
    layout places = {.components = 1}, elements = *l;
    size_t type = 0, stride, value_stride, last = 0;
    const unsigned char *data, *value;
    if (!od_place_size(sparse, "count", l->count, &places.count)) return false;
    if (!od_place_size(&indices, "componentType", FLOAT, &type)) return false;
    places.type = (int)type;
    if (places.type != UNSIGNED_BYTE && places.type != UNSIGNED_SHORT && places.type != UNSIGNED_INT)
        return od_place_fail(&indices, "expected the component type 5121, 5123 or 5125, found %d", places.type);
    elements.count = places.count;
    if (!find_elements(g, &indices, &places, &data, &stride) ||
        !find_elements(g, &values, &elements, &value, &value_stride))
        return !g->document.error->failed;
    if (!data || !value) return od_place_fail(sparse, "expected indices and values with views");
    for (size_t i = 0; i < places.count; i++, data += stride, value += value_stride) {
        layout one = {l->type, l->components, l->normalized, 1};
        unsigned at = data[0];
        if (type != UNSIGNED_BYTE) at |= (unsigned)data[1] << 8;
        if (type == UNSIGNED_INT) at |= (unsigned)data[2] << 16 | (unsigned)data[3] << 24;
        if (at >= l->count || (i && at <= last))
            return od_place_fail(&indices, "expected ascending indices below %zu, found %u behind %zu", l->count, at,
                                 last);
        decode(&one, value, 0, numbers + at * (size_t)l->components);
        last = at;
    }
    return true;
}

static bool read_layout(const od_place *at, int components, layout *l)
{
    static const struct {
        const char *name;
        int components;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT2", 4}, {"MAT3", 9}, {"MAT4", 16}};
    size_t type = 0;
    const char *shape = "";
    *l = (layout){0};
    if (!od_place_size(at, "componentType", FLOAT, &type) || !od_place_text(at, "type", &shape) ||
        !od_place_size(at, "count", INT_MAX, &l->count) || !od_place_flag(at, "normalized", &l->normalized))
        return false;
    l->type = (int)type;
    if (type < BYTE || type > FLOAT || type == UNSIGNED_INT - 1)
        return od_place_fail(at, "expected a component type of 5120 to 5126, found %zu", type);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i].name, shape) && strncmp(shape, "MAT2", 4) != 0) l->components = types[i].components;
    return l->components == components ||
           od_place_fail(at, "expected %d components in an element, found type \"%.20s\"", components, shape);
}

static bool check_finite(const od_place *at, const layout *l, const float *numbers)
{
    for (size_t i = 0; i < l->count * (size_t)l->components; i++)
        if (!isfinite(numbers[i]))
            return od_place_fail(at, "element %zu is no finite number", i / (size_t)l->components);
    return true;
}

const float *od_gltf_numbers(od_gltf *g, int accessor, int components, size_t *count)
{
    od_place at = od_place_element(&g->accessors, accessor), sparse = od_place_member(&at, "sparse");
    const od_document *d = &g->document;
    layout l;
    const unsigned char *data;
    size_t stride;
    if (!read_layout(&at, components, &l)) return NULL;
    *count = l.count;
    if (g->numbers[accessor]) return g->numbers[accessor];
    if (!find_elements(g, &at, &l, &data, &stride)) return NULL;
    if (!data && l.count > MOST_ZEROS) {
        od_place_fail(&at, "expected at most %d elements without bytes of their own, found %zu", MOST_ZEROS, l.count);
        return NULL;
    }
    float *numbers = OD_NEW(d->arena, float, l.count *(size_t)components, d->error);
    if (!numbers) return NULL;
    if (data) decode(&l, data, stride, numbers);
    if (sparse.value && !decode_sparse(g, &sparse, &l, numbers)) return NULL;
    if (!check_finite(&at, &l, numbers)) return NULL;
    g->numbers[accessor] = numbers;
    return numbers;
}
