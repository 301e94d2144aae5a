/* Input: numbers and JSON. Output: a glTF file, and what the reader makes of it. */
#include "gltf_made.h"

int made_view(made *m, const void *data, size_t size, const char *members)
{
    size_t used = strlen(m->views);
    m->size = (m->size + 3) / 4 * 4;
    assert_true(m->size + size <= MADE_BYTES);
    snprintf(m->views + used, MADE_TEXT - used, "%s{\"buffer\": 0, \"byteOffset\": %zu, \"byteLength\": %zu%s}",
             used ? ", " : "", m->size, size, members);
    memcpy(m->bytes + m->size, data, size);
    m->size += size;
    return m->view_count++;
}

int made_accessor(made *m, int view, int type, int count, const char *shape, const char *members)
{
    size_t used = strlen(m->accessors);
    char of[40] = "";
    if (view >= 0) snprintf(of, sizeof of, "\"bufferView\": %d, ", view);
    snprintf(m->accessors + used, MADE_TEXT - used, "%s{%s\"componentType\": %d, \"count\": %d, \"type\": \"%s\"%s}",
             used ? ", " : "", of, type, count, shape, members);
    return m->accessor_count++;
}

int made_floats(made *m, const float *numbers, int count, const char *shape)
{
    size_t width = !strcmp(shape, "SCALAR") ? 1 : !strcmp(shape, "VEC3") ? 3 : !strcmp(shape, "VEC4") ? 4 : 16;
    int view = made_view(m, numbers, (size_t)count * width * sizeof *numbers, "");
    return made_accessor(m, view, MADE_FLOAT, count, shape, "");
}

static void encode(const unsigned char *bytes, size_t size, char *to)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3, to += 4) {
        unsigned held = (unsigned)bytes[i] << 16;
        if (i + 1 < size) held |= (unsigned)bytes[i + 1] << 8;
        if (i + 2 < size) held |= bytes[i + 2];
        for (int k = 0; k < 4; k++) to[k] = i + (size_t)k > size ? '=' : digits[held >> (18 - 6 * k) & 63];
    }
    *to = '\0';
}

void made_finish(made *m, const char *body)
{
    char data[MADE_BYTES / 3 * 4 + 8];
    encode(m->bytes, m->size, data);
    int n = snprintf(m->text, sizeof m->text,
                     "{\"asset\": {\"version\": \"2.0\"}, \"buffers\": [{\"byteLength\": %zu, \"uri\": "
                     "\"data:application/octet-stream;base64,%s\"}], \"bufferViews\": [%s], \"accessors\": [%s], %s}",
                     m->size, data, m->views, m->accessors, body);
    assert_true(n > 0 && (size_t)n < sizeof m->text);
}

bool made_read(made *m)
{
    od_file file = {.name = "made.gltf", .data = (const unsigned char *)m->text, .size = strlen(m->text)};
    m->arena = od_arena_new(0);
    assert_non_null(m->arena);
    m->report = (od_report){.arena = m->arena};
    return od_read_scene(&file, NULL, NULL, &m->scene, &m->report, m->arena, &m->error);
}

void made_free(made *m)
{
    od_arena_free(m->arena);
    m->arena = NULL;
}

od_xform made_pose(const made *m, int clip, int frame, int bone)
{
    od_xform local[64];
    assert_true(clip < m->scene.clip_count && m->scene.skeleton.count <= 64);
    assert_true(frame < m->scene.clips[clip].frames);
    od_clip_pose(&m->scene.clips[clip], frame, local);
    return local[bone];
}
