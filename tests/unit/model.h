/* Small models as bytes, for tests of the readers of PMX and PMD. */
#ifndef ODORI_TESTS_MODEL_H
#define ODORI_TESTS_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bytes {
    unsigned char data[1 << 16];
    size_t size;
} bytes;

void put_u8(bytes *b, unsigned value);
void put_u16(bytes *b, unsigned value);
void put_u32(bytes *b, uint32_t value);
void put_f32(bytes *b, float value);
void put_zeros(bytes *b, size_t count);
/* CP932 or other raw bytes in a field. */
void put_field(bytes *b, const char *text, size_t size);

/* What a PMX is made with. */
typedef struct pmx_style {
    float version;
    bool utf8;
    unsigned uvs;        /* additional vectors a vertex */
    unsigned index[6];   /* sizes: vertex, texture, material, bone, morph, body */
    unsigned surplus;    /* settings behind the eight */
    bool without_morphs; /* the file ends behind its bones */
} pmx_style;

extern const pmx_style pmx_plain; /* 2.0, UTF-16, all indices of two bytes */

/* A model of ten bones: センター, 左足, 左ひざ, 左足首, 左つま先, 左足ＩＫ, 左つま先ＩＫ, 左足D (append),
 * 左腕捩 (fixed axis), 下半身 (parent of 左足, stored behind it); one vertex of each kind of weights, a
 * texture, two materials, morphs of all kinds, two display frames, two bodies, a joint, in 2.1 a soft body. `at_bones` gets where the bones begin. */
void make_pmx(bytes *b, const pmx_style *style, size_t *at_bones);

/* A bone of a PMD; `other` is what its type makes of it. */
void put_pmd_bone(bytes *b, const char *name, int parent, int tail, unsigned type, unsigned other, float x, float y,
                  float z);

/* A PMD of eight bones with types 0 1 2 4 5 6 8 9, two IK chains, two morphs, English names. */
void make_pmd(bytes *b);

#endif
