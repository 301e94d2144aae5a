#include "sink.h"

static bool collect(void *context, const void *data, size_t size, od_error *error)
{
    memory *m = context;
    if (m->fail_behind && m->size + size > m->fail_behind) return od_fail(error, "the disk is full");
    if (m->size + size > m->room) {
        m->room = 2 * (m->size + size);
        m->data = realloc(m->data, m->room);
        assert_non_null(m->data);
    }
    memcpy(m->data + m->size, data, size);
    m->size += size;
    return true;
}

od_sink sink_into(memory *m)
{
    return (od_sink){collect, m};
}
