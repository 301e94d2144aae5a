/* Input: records of a PMD: vertices, faces, materials, toons. Output: the same as PMX has them.
 * Textures and materials are built as the bytes of a PMX. */
#include <string.h>

#include "base/text.h"
#include "format/pmd_reader.h"

enum { TOONS = 10, TOON = 100, TEXTURE = 20, ALL_TEXTURES = 127, NO_TOON = 0xFF };

static float weight_of(int percent)
{
    return 0.01F * (float)percent;
}

static bool make_vertices(od_pmd_reader *r)
{
    od_model *model = r->model;
    od_cursor at = od_cursor_make(r->at.file, r->vertices.bytes, r->vertices.size);
    size_t count = r->vertices.size / OD_PMD_VERTEX;
    model->vertices = OD_NEW(r->arena, od_vertex, count, r->error);
    if (!model->vertices) return false;
    model->vertex_count = (int)count;
    for (size_t i = 0; i < count; i++) {
        od_vertex *v = &model->vertices[i];
        for (int k = 0; k < 3; k++) v->position.raw[k] = od_cursor_f32(&at);
        for (int k = 0; k < 3; k++) v->normal.raw[k] = od_cursor_f32(&at);
        v->uv = od_cursor_bytes(&at, 2 * 4);
        for (int k = 0; k < 2; k++) v->bone[k] = od_pmd_index(&at);
        int percent = od_cursor_u8(&at);
        v->edge = od_cursor_u8(&at) ? 0 : 1; /* the flag forbids the edge */
        v->weight[0] = weight_of(percent > 100 ? 100 : percent);
        if (percent == 0) v->bone[0] = v->bone[1];
        v->kind = percent == 0 || percent >= 100 || v->bone[0] == v->bone[1] ? OD_BDEF1 : OD_BDEF2;
    }
    return true;
}

/* ---- textures and materials ------------------------------------------------------------------- */

/* Bytes of a PMX in the making; room was made for all that can come. */
typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

static void put(bytes *to, const void *data, size_t size)
{
    if (size) memcpy(to->data + to->size, data, size);
    to->size += size;
}

static void put_u8(bytes *to, int value)
{
    to->data[to->size++] = (unsigned char)value;
}

static void put_u32(bytes *to, size_t value)
{
    for (int i = 0; i < 4; i++) put_u8(to, (int)(value >> 8 * i & 0xFF));
}

static void put_f32(bytes *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(to, bits);
}

static void put_text(bytes *to, const od_model_text *text)
{
    put_u32(to, text->raw.size);
    put(to, text->raw.bytes, text->raw.size);
}

/* Names of files, each once. */
typedef struct textures {
    od_model_text list[ALL_TEXTURES];
    int count;
} textures;

/* Number of a texture, -1 for an empty name and for one too many. */
static bool texture_of(od_pmd_reader *r, textures *all, const char *name, int *index)
{
    *index = -1;
    if (!*name) return true;
    for (int i = 0; i < all->count; i++)
        if (!strcmp(all->list[i].utf8, name)) *index = i;
    if (*index >= 0 || all->count == ALL_TEXTURES) return true;
    *index = all->count++;
    return od_pmd_set_text(r, name, &all->list[*index]);
}

/* The part of a PMX material behind its texture. */
typedef struct look {
    int texture, sphere, sphere_mode, toon, shared_toon;
} look;

/* "body.bmp*shine.sph": a texture, a sphere map that multiplies (sph) or adds (spa), or both. */
static bool find_textures(od_pmd_reader *r, textures *all, char *name, look *out)
{
    char *star = strchr(name, '*'), *parts[2] = {name, star ? star + 1 : NULL};
    if (star) *star = '\0';
    out->texture = out->sphere = -1;
    for (int i = 0; i < 2 && parts[i]; i++) {
        size_t size = strlen(parts[i]);
        const char *end = size > 4 ? parts[i] + size - 4 : "";
        int mode = !strcmp(end, ".sph") ? 1 : !strcmp(end, ".spa") ? 2 : 0;
        if (mode) out->sphere_mode = mode;
        if (!texture_of(r, all, parts[i], mode ? &out->sphere : &out->texture)) return false;
    }
    return true;
}

/* Toons of the usual names are those that every MMD has. */
static bool find_toon(od_pmd_reader *r, textures *all, const od_model_text *toons, int toon, look *out)
{
    out->shared_toon = -1;
    out->toon = -1;
    if (toon >= TOONS) return true;
    char usual[16] = "toon00.bmp";
    usual[4] = (char)('0' + (toon + 1) / 10);
    usual[5] = (char)('0' + (toon + 1) % 10);
    if (!*toons[toon].utf8 || !strcmp(toons[toon].utf8, usual)) out->shared_toon = toon;
    else return texture_of(r, all, toons[toon].utf8, &out->toon);
    return true;
}

static int flags_of(float alpha, int edge)
{
    enum { BOTH_SIDES = 1, GROUND_SHADOW = 2, CASTS = 4, RECEIVES = 8, EDGE = 16 };
    int flags = CASTS | RECEIVES;
    if (alpha < 1) flags |= BOTH_SIDES;
    if (fabsf(alpha - 0.98F) < 1e-4F) flags &= ~(CASTS | RECEIVES); /* how PMD says so */
    return edge ? flags | GROUND_SHADOW | EDGE : flags;
}

static bool put_material(od_pmd_reader *r, bytes *to, textures *all, const od_model_text *toons, od_cursor *at,
                         int number)
{
    od_model_text text;
    const char *name = od_arena_format(r->arena, r->error, "材質%d", number + 1);
    if (!name || !od_pmd_set_text(r, name, &text)) return false;
    put_text(to, &text);
    put_u32(to, 0); /* no English name */
    const unsigned char *diffuse = od_cursor_bytes(at, 4 * 4), *power = od_cursor_bytes(at, 4);
    const unsigned char *specular = od_cursor_bytes(at, 3 * 4), *ambient = od_cursor_bytes(at, 3 * 4);
    od_cursor alpha = od_cursor_make(r->at.file, diffuse + 12, 4);
    int toon = od_cursor_u8(at), edge = od_cursor_u8(at);
    size_t corners = od_cursor_u32(at);
    char *path = od_text_from_cp932(r->arena, od_cursor_bytes(at, TEXTURE), TEXTURE, r->error);
    look found = {0};
    if (!path || !find_textures(r, all, path, &found) || !find_toon(r, all, toons, toon, &found)) return false;
    put(to, diffuse, 4 * 4);
    put(to, specular, 3 * 4);
    put(to, power, 4);
    put(to, ambient, 3 * 4);
    put_u8(to, flags_of(od_cursor_f32(&alpha), edge));
    for (int i = 0; i < 5; i++) put_f32(to, i < 3 ? 0 : 1); /* edge: black, opaque, of usual width */
    put_u8(to, found.texture);
    put_u8(to, found.sphere);
    put_u8(to, found.sphere_mode);
    put_u8(to, found.shared_toon >= 0);
    put_u8(to, found.shared_toon >= 0 ? found.shared_toon : found.toon);
    put_u32(to, 0); /* no memo */
    put_u32(to, corners);
    return true;
}

static bool make_bytes(od_pmd_reader *r, bytes *to, size_t size)
{
    to->size = 0;
    to->data = od_arena_alloc(r->arena, size, 1, r->error);
    return to->data != NULL;
}

static bool make_materials(od_pmd_reader *r, const od_model_text *toons)
{
    enum { MOST = 160 }; /* bytes of a material whose name has ten digits */
    size_t count = r->materials.size / OD_PMD_MATERIAL, size = 0;
    od_cursor at = od_cursor_make(r->at.file, r->materials.bytes, r->materials.size);
    textures *all = OD_NEW(r->arena, textures, 1, r->error);
    bytes materials, whole;
    if (!all || !make_bytes(r, &materials, MOST * count)) return false;
    for (size_t i = 0; i < count; i++)
        if (!put_material(r, &materials, all, toons, &at, (int)i)) return false;
    for (int i = 0; i < all->count; i++) size += 4 + all->list[i].raw.size;
    if (!make_bytes(r, &whole, size + 2 * 4 + materials.size)) return false;
    put_u32(&whole, (size_t)all->count);
    for (int i = 0; i < all->count; i++) put_text(&whole, &all->list[i]);
    put_u32(&whole, count);
    put(&whole, materials.data, materials.size);
    r->model->materials = (od_span){whole.data, whole.size};
    return true;
}

bool od_pmd_make_mesh(od_pmd_reader *r)
{
    od_model_text toons[TOONS];
    r->model->corners = r->corners;
    r->model->corner_count = (int)(r->corners.size / OD_PMD_CORNER);
    for (int i = 0; i < TOONS; i++)
        if (!od_pmd_text(r, &r->at, TOON, &toons[i])) return false;
    return make_vertices(r) && make_materials(r, toons);
}
