/* Input: a view. Output: its bytes when an extension has compressed it.
 * Invariant: what unpacking costs is in proportion to the packed bytes. */
#include "format/gltf_meshopt.h"

#include <string.h>

#include "format/meshopt.h"

static int find_word(const char *const *words, int count, const char *word)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(words[i], word)) return i;
    return -1;
}

static bool read_kind(const od_place *at, od_meshopt *packed)
{
    static const char *const modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
    static const char *const filters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"};
    const char *mode = "", *filter = filters[0];
    if (!od_place_text(at, "mode", &mode) || !od_place_text(at, "filter", &filter)) return false;
    int found = find_word(modes, 3, mode), found_filter = find_word(filters, 4, filter);
    if (found < 0) return od_place_fail(at, "the mode \"%.20s\" is not known", mode);
    if (found_filter < 0) return od_place_fail(at, "the filter \"%.20s\" is not known", filter);
    packed->mode = (od_meshopt_mode)found;
    packed->filter = (od_meshopt_filter)found_filter;
    return true;
}

static bool unpack(od_gltf *g, const od_place *at, od_file *bytes)
{
    const od_document *d = &g->document;
    od_meshopt packed = {.mode = OD_MESHOPT_ATTRIBUTES};
    int buffer = -1;
    size_t offset = 0, most = SIZE_MAX / OD_MESHOPT_MOST_RATIO / OD_MESHOPT_STRIDE;
    if (!od_place_index(at, "buffer", g->buffers.count, &buffer)) return false;
    if (buffer < 0) return od_place_fail(at, "there is no buffer");
    if (!od_place_size(at, "byteOffset", most, &offset) || !od_place_size(at, "byteLength", most, &packed.size) ||
        !od_place_size(at, "byteStride", OD_MESHOPT_STRIDE, &packed.stride) ||
        !od_place_size(at, "count", most, &packed.count) || !read_kind(at, &packed))
        return false;
    packed.data = od_gltf_bytes(g, at, buffer, offset, packed.size);
    if (!packed.data) return false;
    if (packed.count * packed.stride > packed.size * OD_MESHOPT_MOST_RATIO)
        return od_place_fail(at, "%zu elements of %zu bytes cannot be in %zu", packed.count, packed.stride,
                             packed.size);
    unsigned char *to = OD_NEW(d->arena, unsigned char, packed.count *packed.stride, d->error);
    if (!to) return false;
    const char *wrong = od_meshopt_decode(&packed, to);
    if (wrong) return od_place_fail(at, "%s", wrong);
    bytes->data = to;
    bytes->size = packed.count * packed.stride;
    return true;
}

bool od_gltf_meshopt(od_gltf *g, const od_place *view, od_file *bytes)
{
    static const char *const names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
    od_place extensions = od_place_member(view, "extensions");
    for (int i = 0; i < 2; i++) {
        od_place at = od_place_member(&extensions, names[i]);
        if (at.value) return unpack(g, &at, bytes);
    }
    return true;
}
