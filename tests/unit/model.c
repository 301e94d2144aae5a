#include "model.h"

#include <string.h>

#include "base/text.h"
#include "check.h"

void put_u8(bytes *b, unsigned value)
{
    assert_true(b->size < sizeof b->data);
    b->data[b->size++] = (unsigned char)value;
}

void put_u16(bytes *b, unsigned value)
{
    put_u8(b, value & 0xFF);
    put_u8(b, value >> 8 & 0xFF);
}

void put_u32(bytes *b, uint32_t value)
{
    put_u16(b, value & 0xFFFF);
    put_u16(b, value >> 16);
}

void put_f32(bytes *b, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(b, bits);
}

void put_zeros(bytes *b, size_t count)
{
    while (count--) put_u8(b, 0);
}

void put_field(bytes *b, const char *text, size_t size)
{
    unsigned char field[256];
    bool lost;
    od_text_to_cp932(text, field, size, &lost, NULL);
    assert_false(lost);
    for (size_t i = 0; i < size; i++) put_u8(b, field[i]);
}

const pmx_style pmx_plain = {2.0f, false, 0, {2, 2, 2, 2, 2, 2}, 0, false};

/* UTF-8 of the basic plane as UTF-16LE. */
static void put_text(bytes *b, const pmx_style *style, const char *text)
{
    bytes out = {.size = 0};
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        unsigned code = *p;
        size_t n = 1;
        if (code >= 0xE0) code = (code & 0x0F) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu), n = 3;
        else if (code >= 0xC0) code = (code & 0x1F) << 6 | (p[1] & 0x3Fu), n = 2;
        if (style->utf8)
            for (size_t i = 0; i < n; i++) put_u8(&out, p[i]);
        else put_u16(&out, code);
        p += n;
    }
    put_u32(b, (uint32_t)out.size);
    for (size_t i = 0; i < out.size; i++) put_u8(b, out.data[i]);
}

static void put_index(bytes *b, unsigned size, int index)
{
    unsigned value = (unsigned)index;
    if (size == 1) put_u8(b, value & 0xFF);
    else if (size == 2) put_u16(b, value & 0xFFFF);
    else put_u32(b, value);
}

static void put_vertices(bytes *b, const pmx_style *s)
{
    unsigned kinds = s->version > 2.0f ? 5 : 4, bone = s->index[3];
    put_u32(b, kinds);
    for (unsigned kind = 0; kind < kinds; kind++) {
        put_zeros(b, 8 * 4 + 16 * (size_t)s->uvs);
        put_u8(b, kind);
        switch (kind) {
        case 0: put_index(b, bone, 0); break;
        case 1: put_zeros(b, 2 * (size_t)bone + 4); break;
        case 3: put_zeros(b, 2 * (size_t)bone + 40); break;
        default: put_zeros(b, 4 * (size_t)bone + 16); break;
        }
        put_f32(b, 1);
    }
}

static void put_materials(bytes *b, const pmx_style *s)
{
    put_u32(b, 3); /* corners of one face */
    for (int i = 0; i < 3; i++) put_index(b, s->index[0], i);
    put_u32(b, 1);
    put_text(b, s, "肌.png");
    put_u32(b, 2);
    for (int shared = 0; shared < 2; shared++) {
        put_text(b, s, "肌");
        put_text(b, s, "skin");
        put_zeros(b, 11 * 4 + 1 + 5 * 4);
        put_index(b, s->index[1], 0);
        put_index(b, s->index[1], -1);
        put_u8(b, 0);
        put_u8(b, (unsigned)shared);
        if (shared) put_u8(b, 3);
        else put_index(b, s->index[1], -1);
        put_text(b, s, "memo");
        put_u32(b, 3);
    }
}

static void put_bone(bytes *b, const pmx_style *s, const char *ja, const char *en, float x, float y, float z,
                     int parent, int order, unsigned flags)
{
    put_text(b, s, ja);
    put_text(b, s, en);
    put_f32(b, x);
    put_f32(b, y);
    put_f32(b, z);
    put_index(b, s->index[3], parent);
    put_u32(b, (uint32_t)order);
    put_u16(b, flags);
    if (flags & 1) put_index(b, s->index[3], 2);
    else put_zeros(b, 12);
}

static void put_ik(bytes *b, const pmx_style *s, int effector, int loops, float limit, int first, int second)
{
    put_index(b, s->index[3], effector);
    put_u32(b, (uint32_t)loops);
    put_f32(b, limit);
    put_u32(b, second >= 0 ? 2 : 1);
    put_index(b, s->index[3], first);
    put_u8(b, second >= 0);
    if (second < 0) return;
    put_f32(b, -3.14159265f);
    put_zeros(b, 8);
    put_f32(b, -0.00872664626f);
    put_zeros(b, 8);
    put_index(b, s->index[3], second);
    put_u8(b, 0);
}

static void put_bones(bytes *b, const pmx_style *s)
{
    unsigned bone = s->index[3];
    put_u32(b, 10);
    put_bone(b, s, "センター", "center", 0, 8, 0, -1, 0, 0x1E);
    put_bone(b, s, "左足", "leg_L", 1, 10, 0, 9, 0, 0x1B);
    put_bone(b, s, "左ひざ", "knee_L", 1, 5, -0.1f, 1, 0, 0x1A);
    put_bone(b, s, "左足首", "ankle_L", 1, 1, 0, 2, 0, 0x1A);
    put_bone(b, s, "左つま先", "toe_L", 1, 0, -1.5f, 3, 0, 0x1A);
    put_bone(b, s, "左足ＩＫ", "leg IK_L", 1, 1, 0, -1, 1, 0x203E); /* with an external parent */
    put_u32(b, 7);
    put_ik(b, s, 3, 40, 2, 2, 1);
    put_bone(b, s, "左つま先ＩＫ", "toe IK_L", 1, 0, -1.5f, 5, 1, 0x3E);
    put_ik(b, s, 4, 3, 4, 3, -1);
    put_bone(b, s, "左足D", "legD_L", 1, 10, 0, 9, 2, 0x011A);
    put_index(b, bone, 1);
    put_f32(b, 0.75f);
    put_bone(b, s, "左腕捩", "arm twist_L", 2, 14, 0, 0, 0, 0x0C1A); /* fixed axis and local axes */
    put_f32(b, 3);
    put_f32(b, -4);
    put_f32(b, 0);
    put_zeros(b, 24);
    put_bone(b, s, "下半身", "lower body", 0, 12, 0, 0, 0, 0x101A); /* after physics */
}

/* A group of the bone morph, by half, and of itself. */
static void put_members(bytes *b, const pmx_style *s)
{
    put_index(b, s->index[4], 2);
    put_f32(b, 0.5f);
    put_index(b, s->index[4], 0);
    put_f32(b, 1);
}

/* 左足 goes up, 下半身 turns about Z by a quaternion that is not unit. */
static void put_moves(bytes *b, const pmx_style *s)
{
    static const float values[2][7] = {{0, 0.25f, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 3, 4}};
    static const int bones[2] = {1, 9};
    for (int i = 0; i < 2; i++) {
        put_index(b, s->index[3], bones[i]);
        for (int k = 0; k < 7; k++) put_f32(b, values[i][k]);
    }
}

static void put_morphs(bytes *b, const pmx_style *s)
{
    unsigned kinds = s->version > 2.0f ? 11 : 9;
    const size_t sizes[] = {s->index[4] + 4,   s->index[0] + 12, s->index[3] + 28, s->index[0] + 16,
                            s->index[0] + 16,  s->index[0] + 16, s->index[0] + 16, s->index[0] + 16,
                            s->index[2] + 113, s->index[4] + 4,  s->index[5] + 25};
    put_u32(b, kinds);
    for (unsigned kind = 0; kind < kinds; kind++) {
        char name[8] = "あ0";
        name[3] = (char)('0' + (int)kind % 10);
        put_text(b, s, name);
        put_text(b, s, "a");
        put_u8(b, 3);
        put_u8(b, kind);
        put_u32(b, 2);
        if (kind == 0) put_members(b, s);
        else if (kind == 2) put_moves(b, s);
        else put_zeros(b, 2 * sizes[kind]);
    }
}

static void put_frames(bytes *b, const pmx_style *s)
{
    put_u32(b, 2);
    for (unsigned special = 2; special--;) {
        put_text(b, s, special ? "Root" : "足");
        put_text(b, s, special ? "Root" : "legs");
        put_u8(b, special);
        put_u32(b, 2);
        put_u8(b, 0);
        put_index(b, s->index[3], special ? 0 : 5);
        put_u8(b, special);
        put_index(b, s->index[3 + special], special ? 1 : 2);
    }
}

/* Bytes that are all different from their neighbours. */
static void put_pattern(bytes *b, size_t count)
{
    for (size_t i = 0; i < count; i++) put_u8(b, (unsigned)(i * 37 + 11) & 0xFF);
}

static void put_physics(bytes *b, const pmx_style *s)
{
    put_u32(b, 2);
    for (int i = 0; i < 2; i++) {
        put_text(b, s, "剛体");
        put_text(b, s, "body");
        put_index(b, s->index[3], i ? 3 : -1);
        put_pattern(b, 4 + 9 * 4 + 21);
    }
    put_u32(b, 1);
    put_text(b, s, "関節");
    put_text(b, s, "");
    put_u8(b, 0);
    put_index(b, s->index[5], 0);
    put_index(b, s->index[5], 1);
    put_pattern(b, 24 * 4);
    if (!(s->version > 2.0f)) return;
    put_u32(b, 1); /* a soft body */
    put_text(b, s, "布");
    put_text(b, s, "cloth");
    put_u8(b, 0);
    put_index(b, s->index[2], 0);
    put_pattern(b, 4 + 2 * 4 + 2 * 4 + 4 + 12 * 4 + 6 * 4 + 4 * 4 + 3 * 4);
    put_u32(b, 1);
    put_index(b, s->index[5], 1);
    put_index(b, s->index[0], 2);
    put_u8(b, 1);
    put_u32(b, 1);
    put_index(b, s->index[0], 0);
}

void make_pmx(bytes *b, const pmx_style *s, size_t *at_bones)
{
    b->size = 0;
    for (const char *p = "PMX "; *p; p++) put_u8(b, (unsigned char)*p);
    put_f32(b, s->version);
    put_u8(b, 8 + s->surplus);
    put_u8(b, s->utf8);
    put_u8(b, s->uvs);
    for (int i = 0; i < 6; i++) put_u8(b, s->index[i]);
    put_zeros(b, s->surplus);
    put_text(b, s, "試験");
    put_text(b, s, "test");
    put_text(b, s, "comment");
    put_text(b, s, "");
    put_vertices(b, s);
    put_materials(b, s);
    if (at_bones) *at_bones = b->size;
    put_bones(b, s);
    if (s->without_morphs) return;
    put_morphs(b, s);
    put_frames(b, s);
    put_physics(b, s);
}

void put_pmd_bone(bytes *b, const char *name, int parent, int tail, unsigned type, unsigned other, float x, float y,
                  float z)
{
    put_field(b, name, 20);
    put_u16(b, (unsigned)parent & 0xFFFF);
    put_u16(b, (unsigned)tail & 0xFFFF);
    put_u8(b, type);
    put_u16(b, other);
    put_f32(b, x);
    put_f32(b, y);
    put_f32(b, z);
}

void make_pmd(bytes *b)
{
    b->size = 0;
    for (const char *p = "Pmd"; *p; p++) put_u8(b, (unsigned char)*p);
    put_f32(b, 1);
    put_field(b, "試験", 20);
    put_zeros(b, 256);
    put_u32(b, 1);
    put_zeros(b, 38);
    put_u32(b, 3);
    put_zeros(b, 6);
    put_u32(b, 1);
    put_zeros(b, 70);
    put_u16(b, 8);
    put_pmd_bone(b, "センター", -1, 1, 1, 0, 0, 8, 0);
    put_pmd_bone(b, "左足", 0, 2, 4, 0, 1, 10, 0);
    put_pmd_bone(b, "左ひざ", 1, 3, 4, 0, 1, 5, -0.1f);
    put_pmd_bone(b, "左足首", 2, 0, 6, 5, 1, 1, 0);
    put_pmd_bone(b, "左目", 0, 0, 5, 1, 0, 18, 0); /* follows 左足 */
    put_pmd_bone(b, "左足ＩＫ", -1, 0, 2, 0, 1, 1, 0);
    put_pmd_bone(b, "左腕捩", 0, 1, 8, 0, 1, 14, 0); /* fixed axis towards 左足 */
    put_pmd_bone(b, "左袖", 0, 6, 9, 50, 1, 13, 0);  /* half of 左腕捩 */
    put_u16(b, 1);
    put_u16(b, 5);
    put_u16(b, 3);
    put_u8(b, 2);
    put_u16(b, 40);
    put_f32(b, 0.5f);
    put_u16(b, 2);
    put_u16(b, 1);
    put_u16(b, 2);
    for (int i = 0; i < 2; i++) {
        put_field(b, i ? "あ" : "base", 20);
        put_u32(b, 1);
        put_u8(b, (unsigned)i);
        put_zeros(b, 16);
    }
    put_u8(b, 1);
    put_u16(b, 1);
    put_u8(b, 1);
    put_zeros(b, 50);
    put_u32(b, 1);
    put_zeros(b, 3);
    put_u8(b, 1); /* English */
    put_field(b, "test", 20);
    put_zeros(b, 256);
    static const char *const names[] = {"center", "leg_L",    "knee_L",      "ankle_L",
                                        "eye_L",  "leg IK_L", "arm twist_L", "sleeve"};
    for (int i = 0; i < 8; i++) put_field(b, names[i], 20);
}
