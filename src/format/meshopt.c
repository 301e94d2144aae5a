/* Input: a packed array of vertex attributes. Output: its bytes, and what filters make of them.
 * Invariant: nothing is read or written beyond the two arrays, whatever the bytes say.
 *
 * Attributes come in blocks of up to 256 elements. In a block each byte of the elements has its own stream of
 * differences to the byte of the element before, in groups of 16. */
#include "format/meshopt.h"

#include <math.h>
#include <string.h>

#include "format/meshopt_index.h"

enum { BLOCK = 256, GROUP = 16, LANES = 4 };

static const char CUT[] = "the packed data is cut";
static const char LONG[] = "there are bytes behind the packed data";

typedef struct attributes {
    const unsigned char *at, *end; /* what is left before the tail */
    int version;
    size_t stride;
    const unsigned char *channels; /* version 1: how differences of each four bytes are meant */
    unsigned char last[OD_MESHOPT_STRIDE];
} attributes;

static const unsigned char *take(attributes *a, size_t size)
{
    if ((size_t)(a->end - a->at) < size) return NULL;
    const unsigned char *p = a->at;
    a->at += size;
    return p;
}

/* The i-th number of so many bits: single bits count from the low end of a byte, others from the high one. */
static unsigned bits_at(const unsigned char *p, int i, int bits)
{
    int in_byte = 8 / bits, place = i % in_byte;
    int shift = bits == 1 ? place : 8 - bits - bits * place;
    return (unsigned)(p[i / in_byte] >> shift) & ((1u << bits) - 1);
}

/* Sixteen numbers; one with all bits set stands as a byte behind them. */
static bool read_group(attributes *a, int bits, unsigned char *to)
{
    const unsigned char *packed = take(a, (size_t)bits * GROUP / 8);
    if (!packed) return false;
    if (bits == 0) memset(to, 0, GROUP);
    else if (bits == 8) memcpy(to, packed, GROUP);
    for (int i = 0; i < GROUP && bits > 0 && bits < 8; i++) {
        unsigned value = bits_at(packed, i, bits);
        const unsigned char *whole = value == (1u << bits) - 1 ? take(a, 1) : NULL;
        if (value == (1u << bits) - 1 && !whole) return false;
        to[i] = whole ? *whole : (unsigned char)value;
    }
    return true;
}

/* The differences of one byte of a block's elements. Controls 0 to 3 are of version 1, 4 is version 0. */
static bool read_lane(attributes *a, size_t elements, int control, unsigned char *to)
{
    static const int bits[][4] = {{0, 1, 2, 4}, {1, 2, 4, 8}, {0}, {0}, {0, 2, 4, 8}};
    size_t groups = (elements + GROUP - 1) / GROUP;
    if (control == 2) {
        memset(to, 0, elements);
        return true;
    }
    if (control == 3) {
        const unsigned char *literal = take(a, elements);
        if (literal) memcpy(to, literal, elements);
        return literal != NULL;
    }
    const unsigned char *head = take(a, (groups + 3) / 4);
    for (size_t g = 0; head && g < groups; g++)
        if (!read_group(a, bits[control][head[g / 4] >> (g % 4 * 2) & 3], to + g * GROUP)) return false;
    return head != NULL;
}

static unsigned unzigzag(unsigned v)
{
    return v & 1 ? ~(v >> 1) : v >> 1;
}

/* Four bytes of an element from their differences: single bytes, pairs, or all together. */
static void add(unsigned char channel, const unsigned char *difference, unsigned char *last)
{
    int mode = channel & 3, turn = channel >> 4;
    for (int i = 0; i < LANES && mode == 0; i++) last[i] = (unsigned char)(last[i] + unzigzag(difference[i]));
    for (int i = 0; i < LANES && mode == 1; i += 2) {
        unsigned v = unzigzag(difference[i] | (unsigned)difference[i + 1] << 8);
        v += last[i] | (unsigned)last[i + 1] << 8;
        last[i] = (unsigned char)v;
        last[i + 1] = (unsigned char)(v >> 8);
    }
    if (mode != 2) return;
    uint32_t v = 0;
    for (int i = 0; i < LANES; i++) v |= (uint32_t)difference[i] << (8 * i);
    v = v >> turn | v << ((32 - turn) & 31);
    for (int i = 0; i < LANES; i++) last[i] ^= (unsigned char)(v >> (8 * i));
}

static bool read_block(attributes *a, size_t elements, unsigned char *bytes)
{
    unsigned char lanes[LANES][BLOCK], difference[LANES];
    const unsigned char *control = a->version ? take(a, a->stride / LANES) : NULL;
    if (a->version && !control) return false;
    for (size_t c = 0; c < a->stride / LANES; c++) {
        unsigned char *last = a->last + c * LANES, channel = a->channels ? a->channels[c] : 0;
        for (int i = 0; i < LANES; i++)
            if (!read_lane(a, elements, control ? control[c] >> (2 * i) & 3 : 4, lanes[i])) return false;
        for (size_t e = 0; e < elements; e++) {
            for (int i = 0; i < LANES; i++) difference[i] = lanes[i][e];
            add(channel, difference, last);
            memcpy(bytes + e * a->stride + c * LANES, last, LANES);
        }
    }
    return true;
}

static const char *decode_attributes(const od_meshopt *m, unsigned char *bytes)
{
    if (!m->stride || m->stride % LANES || m->stride > OD_MESHOPT_STRIDE)
        return "expected elements of 4 to 256 bytes, a multiple of 4";
    if (!m->size || (m->data[0] != 0xA0 && m->data[0] != 0xA1)) return "expected 0xa0 or 0xa1 before attributes";
    attributes a = {.version = m->data[0] & 1, .stride = m->stride};
    size_t channels = a.version ? m->stride / LANES : 0, least = a.version ? 24 : 32, tail = m->stride + channels;
    if (tail < least) tail = least;
    if (m->size < 1 + tail) return CUT;
    a.at = m->data + 1;
    a.end = m->data + m->size - tail;
    if (a.version) a.channels = m->data + m->size - channels;
    for (size_t c = 0; c < channels; c++)
        if ((a.channels[c] & 15) > 2 || ((a.channels[c] & 15) < 2 && a.channels[c] > 1))
            return "the packed data has an unknown kind of differences";
    memcpy(a.last, m->data + m->size - channels - m->stride, m->stride);
    size_t most = 8192 / m->stride & ~(size_t)15;
    if (most > BLOCK) most = BLOCK;
    for (size_t done = 0; done < m->count;) {
        size_t elements = m->count - done < most ? m->count - done : most;
        if (!read_block(&a, elements, bytes + done * m->stride)) return CUT;
        done += elements;
    }
    return a.at == a.end ? NULL : LONG;
}

/* ---- filters ------------------------------------------------------------------------------------- */

static int read16(const unsigned char *p)
{
    return (int16_t)(p[0] | (unsigned)p[1] << 8);
}

static void write16(unsigned char *p, double value)
{
    int v = (int)lround(value);
    p[0] = (unsigned char)v;
    p[1] = (unsigned char)((unsigned)v >> 8);
}

/* Directions on an octahedron; the third number is what one is written as. */
static void unfold(unsigned char *p, size_t size)
{
    double v[3], most = size == 1 ? 127 : 32767;
    for (int i = 0; i < 3; i++) v[i] = size == 1 ? (int8_t)p[i] : read16(p + 2 * i);
    double one = v[2] != 0 ? v[2] : 1, x = v[0] / one, y = v[1] / one, z = 1 - fabs(x) - fabs(y), t = fmin(z, 0);
    x -= copysign(t, x);
    y -= copysign(t, y);
    double length = sqrt(x * x + y * y + z * z);
    if (!(length > 0)) length = 1;
    v[0] = x / length * most;
    v[1] = y / length * most;
    v[2] = z / length * most;
    for (int i = 0; i < 3; i++) {
        if (size == 1) p[i] = (unsigned char)lround(v[i]);
        else write16(p + 2 * i, v[i]);
    }
}

/* Quaternions without their largest component: the fourth number is what one is written as, and its last two bits
 * say which component that is. */
static void complete(unsigned char *p)
{
    int last = read16(p + 6), largest = last & 3, one = last | 3;
    double v[3], left = 1;
    for (int i = 0; i < 3; i++) {
        v[i] = read16(p + 2 * i) / (double)one * sqrt(0.5);
        left -= v[i] * v[i];
    }
    for (int i = 0; i < 3; i++) write16(p + 2 * ((largest + 1 + i) % 4), fmin(fmax(v[i] * 32767, -32768), 32767));
    write16(p + 2 * largest, sqrt(fmax(left, 0)) * 32767);
}

/* Numbers of an exponent in the high byte and a mantissa. */
static void raise(unsigned char *p)
{
    uint32_t u = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
    int mantissa = (int)u - (u & 0x800000 ? 0x1000000 : 0);
    float value = (float)ldexp(mantissa, (int8_t)p[3]);
    memcpy(&u, &value, sizeof u);
    for (int i = 0; i < 4; i++) p[i] = (unsigned char)(u >> (8 * i));
}

static const char *apply_filter(const od_meshopt *m, unsigned char *bytes)
{
    bool octahedral = m->filter == OD_MESHOPT_OCTAHEDRAL, quaternion = m->filter == OD_MESHOPT_QUATERNION;
    if (octahedral && m->stride != 4 && m->stride != 8) return "expected elements of 4 or 8 bytes for its filter";
    if (quaternion && m->stride != 8) return "expected elements of 8 bytes for its filter";
    for (size_t i = 0; i < m->count; i++, bytes += m->stride) {
        if (octahedral) unfold(bytes, m->stride / 4);
        else if (quaternion) complete(bytes);
        else
            for (size_t k = 0; k < m->stride; k += 4) raise(bytes + k);
    }
    return NULL;
}

const char *od_meshopt_decode(const od_meshopt *m, unsigned char *bytes)
{
    if (m->mode != OD_MESHOPT_ATTRIBUTES) {
        if (m->filter != OD_MESHOPT_NONE) return "expected no filter on indices";
        return od_meshopt_decode_indices(m, bytes);
    }
    const char *wrong = decode_attributes(m, bytes);
    return wrong || m->filter == OD_MESHOPT_NONE ? wrong : apply_filter(m, bytes);
}
