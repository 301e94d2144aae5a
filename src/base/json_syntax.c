/* Input: bytes. Output: whether they are JSON, or where and why they are not.
 * Stricter than the RFC where a C text or cJSON would lose something: no NUL in texts, no number
 * that is longer than cJSON's buffer. */
#include "base/json_syntax.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { DEPTH = 100, DIGITS = 63 };

typedef struct scanner {
    const char *file, *text, *at, *end;
    int depth;
    od_error *error;
} scanner;

static bool scan_value(scanner *s);

/* Describes what stands at the place of a fault. */
static const char *found(const scanner *s, char word[24])
{
    if (s->at >= s->end) return "the end of the text";
    size_t n = od_utf8_length((const unsigned char *)s->at, (size_t)(s->end - s->at));
    bool shown = n > 1 || (n && *s->at > ' ' && *s->at < 0x7F);
    if (shown) snprintf(word, 24, "'%.*s'", (int)n, s->at);
    else snprintf(word, 24, "byte 0x%02x", (unsigned)(unsigned char)*s->at);
    return word;
}

static bool say_at(const scanner *s, const char *what)
{
    int line = 1, column = 1;
    for (const char *p = s->text; p < s->at; p++) {
        if (*p == '\n') {
            line++;
            column = 1;
        } else if ((*p & 0xC0) != 0x80) {
            column++;
        }
    }
    return od_fail(s->error, "%s:%d:%d: %s", s->file, line, column, what);
}

static bool fail_at(const scanner *s, const char *expected)
{
    char word[24], what[128];
    snprintf(what, sizeof what, "expected %s, found %s", expected, found(s, word));
    return say_at(s, what);
}

static bool is_digit(const scanner *s)
{
    return s->at < s->end && *s->at >= '0' && *s->at <= '9';
}

static bool take(scanner *s, char c)
{
    if (s->at >= s->end || *s->at != c) return false;
    s->at++;
    return true;
}

static void skip_blanks(scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r')) s->at++;
}

static bool scan_digits(scanner *s)
{
    if (!is_digit(s)) return fail_at(s, "a digit");
    while (is_digit(s)) s->at++;
    return true;
}

static bool scan_number(scanner *s)
{
    const char *start = s->at;
    take(s, '-');
    if (!take(s, '0') && !scan_digits(s)) return false;
    if (take(s, '.') && !scan_digits(s)) return false;
    if (take(s, 'e') || take(s, 'E')) {
        if (!take(s, '+')) take(s, '-');
        if (!scan_digits(s)) return false;
    }
    return s->at - start <= DIGITS || fail_at(s, "a number of at most 63 characters");
}

/* The four digits behind \u; -1: there are none. */
static int scan_hex(scanner *s)
{
    int code = 0;
    for (int i = 0; i < 4; i++, s->at++) {
        const char *digits = "0123456789abcdefABCDEF";
        const char *digit = s->at < s->end && *s->at ? strchr(digits, *s->at) : NULL;
        if (!digit) {
            fail_at(s, "four hexadecimal digits");
            return -1;
        }
        int value = (int)(digit - digits);
        code = code * 16 + (value < 16 ? value : value - 6);
    }
    return code;
}

static bool scan_escape(scanner *s)
{
    if (s->at < s->end && *s->at && strchr("\"\\/bfnrt", *s->at)) {
        s->at++;
        return true;
    }
    if (!take(s, 'u')) return fail_at(s, "an escape such as \\n or \\u3042");
    int code = scan_hex(s);
    if (code < 0) return false;
    if (code == 0) return fail_at(s, "a text without NUL");
    if (code >= 0xDC00 && code < 0xE000) return fail_at(s, "a high surrogate before a low one");
    if (code < 0xD800 || code >= 0xE000) return true;
    if (!take(s, '\\') || !take(s, 'u')) return fail_at(s, "the low surrogate");
    code = scan_hex(s);
    return code >= 0xDC00 && code < 0xE000 ? true : code >= 0 && fail_at(s, "a low surrogate");
}

static bool scan_text(scanner *s)
{
    if (!take(s, '"')) return fail_at(s, "'\"'");
    while (!take(s, '"')) {
        if (take(s, '\\')) {
            if (!scan_escape(s)) return false;
            continue;
        }
        size_t n = od_utf8_length((const unsigned char *)s->at, (size_t)(s->end - s->at));
        if (s->at >= s->end) return fail_at(s, "'\"'");
        if (n == 1 && (unsigned char)*s->at < 0x20) return fail_at(s, "an escape for a control character");
        if (!n) return fail_at(s, "UTF-8");
        s->at += n;
    }
    return true;
}

static bool scan_members(scanner *s, char close, bool named)
{
    s->at++;
    if (++s->depth > DEPTH) return fail_at(s, "at most 100 levels");
    skip_blanks(s);
    bool more = !take(s, close);
    while (more) {
        skip_blanks(s);
        if (named) {
            if (!scan_text(s)) return false;
            skip_blanks(s);
            if (!take(s, ':')) return fail_at(s, "':'");
        }
        if (!scan_value(s)) return false;
        more = take(s, ',');
        if (!more && !take(s, close)) return fail_at(s, named ? "',' or '}'" : "',' or ']'");
    }
    s->depth--;
    return true;
}

static bool scan_word(scanner *s, const char *word)
{
    for (; *word; word++)
        if (!take(s, *word)) return fail_at(s, "true, false or null");
    return true;
}

static bool scan_value(scanner *s)
{
    bool good;
    skip_blanks(s);
    switch (s->at < s->end ? *s->at : '\0') {
    case '{': good = scan_members(s, '}', true); break;
    case '[': good = scan_members(s, ']', false); break;
    case '"': good = scan_text(s); break;
    case 't': good = scan_word(s, "true"); break;
    case 'f': good = scan_word(s, "false"); break;
    case 'n': good = scan_word(s, "null"); break;
    default:
        if (!is_digit(s) && (s->at >= s->end || *s->at != '-')) return fail_at(s, "a JSON value");
        good = scan_number(s);
    }
    skip_blanks(s);
    return good;
}

bool od_json_check(const char *file, const char *text, size_t size, od_error *error)
{
    scanner s = {.file = file, .text = text, .at = text, .end = text + size, .error = error};
    return scan_value(&s) && (s.at == s.end || fail_at(&s, "the end of the text"));
}

bool od_json_fail_at_name(const char *file, const char *text, size_t size, int n, const char *what, od_error *error)
{
    scanner s = {.file = file, .text = text, .at = text, .end = text + size, .error = error};
    while (s.at < s.end) {
        const char *quote = s.at;
        if (*s.at != '"') {
            s.at++;
            continue;
        }
        if (!scan_text(&s)) return false;
        skip_blanks(&s);
        if (s.at == s.end || *s.at != ':' || n-- > 0) continue;
        s.at = quote;
        return say_at(&s, what);
    }
    return od_fail(error, "%s: %s", file, what);
}
