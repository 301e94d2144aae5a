/* Input: the bytes of a PMX. Output: its indices, counts and texts. */
#include "format/pmx_reader.h"

#include "base/text.h"

size_t od_pmx_index_size(const od_pmx_reader *r, od_index kind)
{
    return (size_t)r->model->index_size[kind];
}

int od_pmx_index(od_pmx_reader *r, od_index kind)
{
    bool is_signed = kind != OD_INDEX_VERTEX;
    switch (r->model->index_size[kind]) {
    case 1: {
        int value = od_cursor_u8(&r->at);
        return is_signed && value >= 0x80 ? value - 0x100 : value;
    }
    case 2: {
        int value = od_cursor_u16(&r->at);
        return is_signed && value >= 0x8000 ? value - 0x10000 : value;
    }
    default: return od_cursor_i32(&r->at);
    }
}

int od_pmx_count(od_pmx_reader *r, size_t least, const char *what)
{
    size_t at = r->at.at;
    int count = od_cursor_i32(&r->at);
    if (!r->at.failed && count >= 0 && (size_t)count <= od_cursor_left(&r->at) / least) return count;
    if (r->at.failed) od_fail(r->error, "%s@0x%zx: the file ends before the number of %s", r->at.file, at, what);
    else
        od_fail(r->error, "%s@0x%zx: %d %s cannot be in the %zu bytes that are left", r->at.file, at, count, what,
                od_cursor_left(&r->at));
    return -1;
}

od_span od_pmx_span(od_pmx_reader *r, size_t size)
{
    od_span span = {.bytes = od_cursor_bytes(&r->at, size)};
    span.size = span.bytes ? size : 0;
    return span;
}

od_span od_pmx_raw_text(od_pmx_reader *r)
{
    int length = od_cursor_i32(&r->at);
    if (length < 0) {
        od_fail(r->error, "%s@0x%zx: a text of %d bytes", r->at.file, r->at.at - 4, length);
        r->at.failed = true;
        r->at.failed_at = r->at.at;
    }
    return od_pmx_span(r, length > 0 ? (size_t)length : 0);
}

bool od_pmx_text(od_pmx_reader *r, od_model_text *text)
{
    *text = (od_model_text){"", od_pmx_raw_text(r)};
    if (!text->raw.size) return true;
    text->utf8 = r->model->utf8 ? od_text_from_utf8(r->arena, text->raw.bytes, text->raw.size, r->error)
                                : od_text_from_utf16(r->arena, text->raw.bytes, text->raw.size, r->error);
    return text->utf8 != NULL;
}

vec3s od_pmx_vec3(od_pmx_reader *r)
{
    vec3s v;
    v.x = od_cursor_f32(&r->at);
    v.y = od_cursor_f32(&r->at);
    v.z = od_cursor_f32(&r->at);
    return v;
}
