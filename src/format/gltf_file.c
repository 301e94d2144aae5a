/* Input: a .gltf or .glb file. Output: its JSON tree, and the bytes of its buffers when they are asked for.
 * Invariant: meshes, images and materials are never looked at, and buffers of theirs never loaded. */
#include "format/gltf_file.h"

#include <limits.h>
#include <string.h>

#include "base/cursor.h"

enum { CHUNK_JSON = 0x4E4F534A, CHUNK_BINARY = 0x004E4942, HEAD = 12, CHUNK_HEAD = 8 };
static const char MAGIC[] = "glTF";

/* The JSON chunk, and where the binary one is. */
static bool read_glb(od_gltf *g, const od_file *file, const unsigned char **text, size_t *size)
{
    od_error *error = g->document.error;
    od_cursor c = od_cursor_make(file->name, file->data, file->size);
    od_cursor_skip(&c, 4);
    uint32_t version = od_cursor_u32(&c), length = od_cursor_u32(&c);
    if (c.failed) return od_cursor_fail(&c, error, "the file ends in its head");
    if (version != 2) return od_fail(error, "%s: expected GLB version 2, found %u", file->name, (unsigned)version);
    if (length < HEAD)
        return od_fail(error, "%s: expected a length of 12 or more, found %u", file->name, (unsigned)length);
    if (length > file->size)
        return od_fail(error, "%s: expected %u bytes, as its head says, found %zu: the file is cut", file->name,
                       (unsigned)length, file->size);
    c.size = length;
    const unsigned char *json = NULL;
    while (!c.failed && od_cursor_left(&c) >= CHUNK_HEAD) {
        uint32_t bytes = od_cursor_u32(&c), type = od_cursor_u32(&c);
        const unsigned char *data = od_cursor_bytes(&c, bytes);
        if (!data) return od_cursor_fail(&c, error, "the file ends in a chunk");
        if (!json && type != CHUNK_JSON) return od_cursor_fail(&c, error, "expected the JSON chunk first");
        if (!json) {
            json = *text = data;
            *size = bytes;
        } else if (type == CHUNK_BINARY && !g->binary) {
            g->binary = data;
            g->binary_size = bytes;
        }
    }
    return json || od_cursor_fail(&c, error, "there is no JSON chunk");
}

/* Extensions that a file may require: those that are read, and those that concern only looks. */
static bool is_known(const char *name)
{
    static const char *const known[] = {"KHR_mesh_quantization",
                                        "EXT_meshopt_compression",
                                        "KHR_meshopt_compression",
                                        "KHR_animation_pointer",
                                        "VRM",
                                        "VRMC_", /* all of VRM 1.0 */
                                        "KHR_draco_mesh_compression",
                                        "KHR_texture_",
                                        "EXT_texture_",
                                        "KHR_materials_",
                                        "KHR_lights_punctual",
                                        "KHR_xmp",
                                        "KHR_node_visibility",
                                        "EXT_mesh_gpu_instancing",
                                        "MSFT_texture_dds"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t n = strlen(known[i]);
        if (!strncmp(name, known[i], n) && (known[i][n - 1] == '_' || !name[n])) return true;
    }
    return false;
}

static bool check_required(const od_gltf *g)
{
    od_place_list list;
    if (!od_place_list_make(&g->root, "extensionsRequired", &list)) return false;
    for (int i = 0; i < list.count; i++) {
        od_place at = od_place_element(&list, i);
        const char *name = od_json_text(at.value);
        if (!is_known(name)) return od_place_fail(&at, "the file needs the extension \"%s\", which is not known", name);
    }
    return true;
}

static bool check_version(const od_gltf *g)
{
    od_place asset = od_place_member(&g->root, "asset"), version = od_place_member(&asset, "version");
    const char *text = version.value ? od_json_text(version.value) : "";
    return (text[0] == '2' && text[1] == '.') ||
           od_place_fail(&version, "expected version \"2.0\", found \"%s\"", text);
}

bool od_gltf_open(od_gltf *g, const od_file *file, const od_read_options *options, od_report *report, od_arena *arena,
                  od_error *error)
{
    const unsigned char *text = file->data;
    size_t size = file->size;
    *g = (od_gltf){.document = {file->name, arena, error}, .options = options, .report = report};
    g->most_poses = 16 * (double)size + (4 << 20);
    if (size >= HEAD - 8 && !memcmp(text, MAGIC, 4) && !read_glb(g, file, &text, &size)) return false;
    while (text != file->data && size && (text[size - 1] == ' ' || text[size - 1] == '\0')) size--; /* padding */
    g->json = od_json_parse(file->name, (const char *)text, size, error);
    if (!g->json) return false;
    g->root = od_place_root(&g->document, g->json);
    struct {
        const char *name;
        od_place_list *list;
    } lists[] = {{"nodes", &g->nodes},          {"meshes", &g->meshes},     {"skins", &g->skins},
                 {"accessors", &g->accessors},  {"bufferViews", &g->views}, {"buffers", &g->buffers},
                 {"animations", &g->animations}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!od_place_list_make(&g->root, lists[i].name, lists[i].list)) return false;
    g->loaded = OD_NEW(arena, od_gltf_buffer, (size_t)g->buffers.count, error);
    g->unpacked = OD_NEW(arena, od_file, (size_t)g->views.count, error);
    g->numbers = OD_NEW(arena, float *, (size_t)g->accessors.count, error);
    return g->loaded && g->unpacked && g->numbers && check_version(g) && check_required(g);
}

void od_gltf_close(od_gltf *g)
{
    for (int i = 0; g->loaded && i < g->buffers.count; i++)
        if (g->loaded[i].opened) g->options->opener.close(g->options->opener.context, &g->loaded[i].file);
    if (g->json) od_json_free(g->json);
    g->json = NULL;
}

/* ---- buffers ------------------------------------------------------------------------------------- */

static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static bool decode_base64(const od_place *at, const char *text, od_file *bytes)
{
    const od_document *d = at->document;
    size_t size = strlen(text), n = 0;
    unsigned held = 0;
    int bits = 0;
    while (size && text[size - 1] == '=') size--;
    unsigned char *data = OD_NEW(d->arena, unsigned char, size / 4 * 3 + 3, d->error);
    if (!data) return false;
    for (size_t i = 0; i < size; i++) {
        int digit = digit_of(text[i]);
        if (digit < 0) return od_place_fail(at, "character %zu of the data is not of base64", i);
        held = (held << 6 | (unsigned)digit) & 0xFFFF;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        data[n++] = (unsigned char)(held >> bits);
    }
    bytes->data = data;
    bytes->size = n;
    return true;
}

static int hex_of(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* "%20" to " ". */
static char *decode_percents(const od_place *at, const char *uri)
{
    const od_document *d = at->document;
    char *path = od_arena_text(d->arena, uri, strlen(uri), d->error), *to = path;
    for (const char *from = path; path && *from; from++) {
        int high = *from == '%' ? hex_of(from[1]) : -1, low = high >= 0 ? hex_of(from[2]) : -1;
        if (low < 0) {
            *to++ = *from;
            continue;
        }
        if (!high && !low) {
            od_place_fail(at, "the name of a file has a NUL");
            return NULL;
        }
        *to++ = (char)(high * 16 + low);
        from += 2;
    }
    if (path) *to = '\0';
    return path;
}

/* Is there a scheme, as in http://...? */
static bool has_scheme(const char *uri)
{
    size_t n = strspn(uri, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
    return n > 1 && uri[n] == ':';
}

static bool open_beside(od_gltf *g, const od_place *at, const char *uri, od_gltf_buffer *buffer)
{
    const od_opener *opener = &g->options->opener;
    if (has_scheme(uri)) return od_place_fail(at, "expected a file or data, found \"%.100s\"", uri);
    if (!opener->open) return od_place_fail(at, "the file needs \"%.100s\", and none can be opened beside it", uri);
    char *path = decode_percents(at, uri);
    if (!path || !opener->open(opener->context, path, &buffer->file, g->document.error)) return false;
    buffer->opened = true;
    return true;
}

static bool load(od_gltf *g, int index)
{
    od_gltf_buffer *buffer = &g->loaded[index];
    od_place object = od_place_element(&g->buffers, index), at = od_place_member(&object, "uri");
    size_t declared = 0;
    const char *uri = NULL;
    if (!od_place_size(&object, "byteLength", SIZE_MAX >> 12, &declared) || !od_place_text(&object, "uri", &uri))
        return false;
    if (!uri && (index || !g->binary)) return od_place_fail(&object, "the buffer has neither a uri nor bytes in a GLB");
    if (!uri) buffer->file = (od_file){.data = g->binary, .size = g->binary_size};
    else if (!strncmp(uri, "data:", 5)) {
        const char *comma = strchr(uri, ',');
        if (!comma || comma - uri < 7 || memcmp(comma - 7, ";base64", 7) != 0)
            return od_place_fail(&at, "expected data in base64");
        if (!decode_base64(&at, comma + 1, &buffer->file)) return false;
    } else if (!open_beside(g, &at, uri, buffer)) return false;
    if (buffer->file.size >= declared) return true;
    return od_place_fail(&object, "expected %zu bytes, as byteLength says, found %zu", declared, buffer->file.size);
}

const unsigned char *od_gltf_bytes(od_gltf *g, const od_place *at, int buffer, size_t offset, size_t size)
{
    od_file *file = &g->loaded[buffer].file;
    if (!file->data && !g->loaded[buffer].opened && !load(g, buffer)) return NULL;
    if (offset <= file->size && size <= file->size - offset) return file->data + offset;
    od_place_fail(at, "bytes %zu to %zu are beyond buffer %d, which has %zu", offset, offset + size, buffer,
                  file->size);
    return NULL;
}
