/* Input: packed indices, of triangles or in any order. Output: indices of two or four bytes.
 * A triangle is a byte that says how much of it was seen lately: an edge or vertices of the last sixteen. */
#include "format/meshopt_index.h"

enum { RECENT = 16, EXPLICIT = 0xF, TABLE = 16 };

typedef struct reader {
    const unsigned char *at, *end;
    bool failed;
    uint32_t next, last;
    uint32_t edges[RECENT][2], vertices[RECENT]; /* rings */
    unsigned edge_count, vertex_count;           /* pushed so far */
} reader;

static unsigned read_byte(reader *r)
{
    if (r->at < r->end) return *r->at++;
    r->failed = true;
    return 0;
}

/* Seven bits a byte, the low ones first; five bytes at most. */
static uint32_t read_number(reader *r)
{
    uint32_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        unsigned byte = read_byte(r);
        value |= (uint32_t)(byte & 127) << shift;
        if (byte < 128) return value;
    }
    r->failed = true;
    return 0;
}

static uint32_t unzigzag(uint32_t v)
{
    return v & 1 ? ~(v >> 1) : v >> 1;
}

static void write_index(unsigned char *to, size_t stride, uint32_t index)
{
    for (size_t i = 0; i < stride; i++) to[i] = (unsigned char)(index >> (8 * i));
}

static void push_edge(reader *r, uint32_t a, uint32_t b)
{
    uint32_t *edge = r->edges[r->edge_count++ % RECENT];
    edge[0] = a;
    edge[1] = b;
}

static void push_vertex(reader *r, uint32_t v)
{
    r->vertices[r->vertex_count++ % RECENT] = v;
}

/* The n-th vertex back, 0 the newest. */
static uint32_t recent_vertex(reader *r, unsigned n)
{
    if (n >= r->vertex_count) r->failed = true;
    return r->vertices[(r->vertex_count - 1 - n) % RECENT];
}

static uint32_t read_index(reader *r)
{
    r->last += unzigzag(read_number(r));
    return r->last;
}

/* A vertex by half a byte: 0 a new one, 15 one that is written out, else a recent one. */
static uint32_t read_vertex(reader *r, unsigned code)
{
    if (code == 0) return r->next++;
    return code == EXPLICIT ? read_index(r) : recent_vertex(r, code - 1);
}

/* A triangle on a recent edge. */
static void read_on_edge(reader *r, unsigned edge, unsigned code, uint32_t *t)
{
    if (edge >= r->edge_count) r->failed = true;
    const uint32_t *pair = r->edges[(r->edge_count - 1 - edge) % RECENT];
    t[0] = pair[0];
    t[1] = pair[1];
    if (code == 0xD || code == 0xE) t[2] = r->last += code == 0xD ? UINT32_MAX : 1;
    else if (code == 0 || code == EXPLICIT) t[2] = read_vertex(r, code);
    else t[2] = recent_vertex(r, code);
    push_edge(r, t[2], t[1]);
    push_edge(r, t[0], t[2]);
    if (code == 0 || code >= 0xD) push_vertex(r, t[2]);
}

/* A triangle of three vertices; `pair` has the codes of the second and the third. */
static void read_whole(reader *r, bool first_is_new, unsigned pair, uint32_t *t)
{
    unsigned second = pair >> 4, third = pair & 15;
    t[0] = first_is_new ? r->next++ : read_index(r);
    t[1] = read_vertex(r, second);
    t[2] = read_vertex(r, third);
    push_edge(r, t[1], t[0]);
    push_edge(r, t[2], t[1]);
    push_edge(r, t[0], t[2]);
    push_vertex(r, t[0]);
    if (second == 0 || second == EXPLICIT) push_vertex(r, t[1]);
    if (third == 0 || third == EXPLICIT) push_vertex(r, t[2]);
}

static const char *decode_triangles(const od_meshopt *m, unsigned char *bytes)
{
    size_t triangles = m->count / 3;
    if (m->count % 3) return "expected three indices for each triangle";
    if (!m->size || m->data[0] != 0xE1) return "expected 0xe1 before triangles";
    if (m->size < 1 + TABLE || m->size - 1 - TABLE < triangles) return "the packed data is cut";
    const unsigned char *codes = m->data + 1, *table = m->data + m->size - TABLE;
    reader r = {.at = codes + triangles, .end = table};
    for (int i = 0; i < TABLE; i++)
        if (table[i] >> 4 == EXPLICIT || (table[i] & 15) == EXPLICIT || (i >= TABLE - 2 && table[i]))
            return "the table of the packed data has codes that it cannot have";
    for (size_t i = 0; i < triangles && !r.failed; i++) {
        unsigned high = codes[i] >> 4, low = codes[i] & 15;
        uint32_t t[3];
        if (high < EXPLICIT) read_on_edge(&r, high, low, t);
        else if (low < 0xE) read_whole(&r, true, table[low], t);
        else {
            unsigned pair = read_byte(&r);
            if (!pair) r.next = 0;
            read_whole(&r, low == 0xE, pair, t);
        }
        for (int k = 0; k < 3; k++, bytes += m->stride) write_index(bytes, m->stride, t[k]);
    }
    if (r.failed) return "the packed data is cut, or means what was not seen";
    return r.at == r.end ? NULL : "there are bytes behind the packed data";
}

static const char *decode_sequence(const od_meshopt *m, unsigned char *bytes)
{
    enum { TAIL = 4 };
    uint32_t last[2] = {0, 0};
    if (!m->size || m->data[0] != 0xD1) return "expected 0xd1 before indices";
    if (m->size < 1 + TAIL) return "the packed data is cut";
    reader r = {.at = m->data + 1, .end = m->data + m->size - TAIL};
    for (size_t i = 0; i < m->count && !r.failed; i++, bytes += m->stride) {
        uint32_t v = read_number(&r);
        last[v & 1] += unzigzag(v >> 1);
        write_index(bytes, m->stride, last[v & 1]);
    }
    if (r.failed) return "the packed data is cut";
    return r.at == r.end ? NULL : "there are bytes behind the packed data";
}

const char *od_meshopt_decode_indices(const od_meshopt *m, unsigned char *bytes)
{
    if (m->stride != 2 && m->stride != 4) return "expected indices of 2 or 4 bytes";
    return m->mode == OD_MESHOPT_TRIANGLES ? decode_triangles(m, bytes) : decode_sequence(m, bytes);
}
