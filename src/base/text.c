/* Input: names as files hold them. Output: valid UTF-8, and the way back into CP932 fields.
 * Conversion is iconv's; "CP932" and not "SHIFT_JIS", which lacks what MMD's names use. */
#include "base/text.h"

#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <string.h>

static const char REPLACEMENT[] = "\xEF\xBF\xBD"; /* U+FFFD */

size_t od_utf8_length(const unsigned char *text, size_t size)
{
    if (!size) return 0;
    unsigned char c = text[0];
    size_t n = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
    if (!n || n > size) return 0;
    for (size_t i = 1; i < n; i++)
        if ((text[i] & 0xC0) != 0x80) return 0;
    bool overlong = (c == 0xE0 && text[1] < 0xA0) || (c == 0xF0 && text[1] < 0x90);
    bool surrogate = c == 0xED && text[1] >= 0xA0;
    bool beyond = c == 0xF4 && text[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : n;
}

bool od_text_is_utf8(const unsigned char *bytes, size_t size)
{
    while (size) {
        size_t n = od_utf8_length(bytes, size);
        if (!n) return false;
        bytes += n;
        size -= n;
    }
    return true;
}

bool od_cp932_is_lead(unsigned char byte)
{
    return (byte >= 0x81 && byte <= 0x9F) || (byte >= 0xE0 && byte <= 0xFC);
}

bool od_text_is_cp932(const unsigned char *bytes, size_t size)
{
    iconv_t to_utf8 = iconv_open("UTF-8", "CP932");
    bool good = to_utf8 != (iconv_t)-1;
    char *in = (char *)(uintptr_t)bytes, text[1024]; /* iconv does not write to `in` */
    size_t left = size;
    while (good && left) {
        char *out = text;
        size_t space = sizeof text;
        good = iconv(to_utf8, &in, &left, &out, &space) != (size_t)-1 || errno == E2BIG;
    }
    if (to_utf8 != (iconv_t)-1) iconv_close(to_utf8);
    return good;
}

/* Room for `size` input bytes that may each grow to a replacement. */
static char *room(od_arena *arena, size_t size, od_error *error)
{
    if (size > (SIZE_MAX - 1) / 3) {
        od_fail(error, "out of memory: a text of %zu bytes", size);
        return NULL;
    }
    return od_arena_alloc(arena, 3 * size + 1, 1, error);
}

static char *put(char *out, const char *bytes, size_t size)
{
    memcpy(out, bytes, size);
    return out + size;
}

char *od_text_from_utf8(od_arena *arena, const unsigned char *bytes, size_t size, od_error *error)
{
    char *text = room(arena, size, error), *out = text;
    if (!text) return NULL;
    for (size_t i = 0; i < size;) {
        size_t n = od_utf8_length(bytes + i, size - i);
        bool good = n && bytes[i];
        out = good ? put(out, (const char *)bytes + i, n) : put(out, REPLACEMENT, 3);
        i += n ? n : 1;
    }
    *out = '\0';
    return text;
}

/* One code point as UTF-8; 0 and surrogates become U+FFFD. */
static char *put_code(char *out, uint32_t code)
{
    if (!code || (code >= 0xD800 && code < 0xE000)) return put(out, REPLACEMENT, 3);
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *out++ = (char)(0xE0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    } else {
        *out++ = (char)(0xF0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 0x3F));
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    }
    return out;
}

char *od_text_from_utf16(od_arena *arena, const unsigned char *bytes, size_t size, od_error *error)
{
    char *text = room(arena, size, error), *out = text;
    if (!text) return NULL;
    for (size_t i = 0; i + 1 < size; i += 2) {
        uint32_t code = (uint32_t)bytes[i] | (uint32_t)bytes[i + 1] << 8;
        if (code >= 0xD800 && code < 0xDC00 && i + 3 < size) {
            uint32_t low = (uint32_t)bytes[i + 2] | (uint32_t)bytes[i + 3] << 8;
            if (low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                i += 2;
            }
        }
        out = put_code(out, code);
    }
    *out = '\0';
    return text;
}

/* Code point of a UTF-8 character of `size` bytes. */
static uint32_t code_of(const unsigned char *character, size_t size)
{
    static const unsigned char lead[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = character[0] & lead[size];
    for (size_t i = 1; i < size; i++) code = code << 6 | (character[i] & 0x3F);
    return code;
}

static unsigned char *put_unit(unsigned char *out, uint32_t unit)
{
    *out++ = (unsigned char)unit;
    *out++ = (unsigned char)(unit >> 8);
    return out;
}

unsigned char *od_text_to_utf16(od_arena *arena, const char *utf8, size_t *size, od_error *error)
{
    size_t left = strlen(utf8);
    unsigned char *text = od_arena_alloc(arena, left, 2, error), *out = text;
    if (!text) return NULL;
    for (const unsigned char *at = (const unsigned char *)utf8; left;) {
        size_t n = od_utf8_length(at, left);
        uint32_t code = n ? code_of(at, n) : 0xFFFD;
        if (!n) n = 1;
        if (code >= 0x10000) {
            out = put_unit(out, 0xD800 + ((code - 0x10000) >> 10));
            code = 0xDC00 + (code & 0x3FF);
        }
        out = put_unit(out, code);
        at += n;
        left -= n;
    }
    *size = (size_t)(out - text);
    return text;
}

char *od_text_from_cp932(od_arena *arena, const unsigned char *bytes, size_t size, od_error *error)
{
    const unsigned char *nul = memchr(bytes, 0, size);
    if (nul) size = (size_t)(nul - bytes);
    char *text = room(arena, size, error), *out = text;
    if (!text) return NULL;
    iconv_t to_utf8 = iconv_open("UTF-8", "CP932");
    if (to_utf8 == (iconv_t)-1) {
        od_fail(error, "this system's iconv lacks CP932");
        return NULL;
    }
    char *in = (char *)(uintptr_t)bytes; /* iconv does not write there; its type is older than const */
    size_t left = size;
    while (left) {
        size_t space = 3 * left;
        if (iconv(to_utf8, &in, &left, &out, &space) != (size_t)-1) break;
        if (left == 1 && od_cp932_is_lead((unsigned char)*in)) break; /* it was cut */
        out = put(out, REPLACEMENT, 3);
        in++;
        left--;
    }
    *out = '\0';
    iconv_close(to_utf8);
    return text;
}

/* One UTF-8 character as CP932; 0 when there is none. Wave dash and full-width tilde are both 8160. */
static size_t encode(iconv_t to_cp932, const char *character, size_t size, char code[2])
{
    if (size == 3 && !memcmp(character, "\xE3\x80\x9C", 3)) character = "\xEF\xBD\x9E";
    char *in = (char *)(uintptr_t)character, *out = code;
    size_t left = size, space = 2;
    if (iconv(to_cp932, &in, &left, &out, &space) == (size_t)-1 || left) return 0;
    return 2 - space;
}

void od_text_to_cp932(const char *utf8, unsigned char *field, size_t size, bool *lost, bool *cut)
{
    memset(field, 0, size);
    if (lost) *lost = false;
    if (cut) *cut = false;
    size_t left = strlen(utf8), used = 0;
    iconv_t to_cp932 = iconv_open("CP932", "UTF-8");
    bool failed = to_cp932 == (iconv_t)-1;
    while (left && !failed) {
        char code[2];
        size_t n = od_utf8_length((const unsigned char *)utf8, left);
        size_t m = n ? encode(to_cp932, utf8, n, code) : 0;
        if (!m) {
            failed = true;
        } else if (used + m > size) {
            if (cut) *cut = true;
            break;
        } else {
            memcpy(field + used, code, m);
            used += m;
        }
        utf8 += n;
        left -= n;
    }
    if (failed) {
        memset(field, 0, size);
        if (lost) *lost = true;
    }
    if (to_cp932 != (iconv_t)-1) iconv_close(to_cp932);
}
