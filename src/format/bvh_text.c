/* Input: the bytes of a BVH file. Output: its words and numbers one by one, or a message that says
 * where the text is not as expected. */
#include "format/bvh_text.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

od_bvh_text od_bvh_text_make(const char *file, const unsigned char *data, size_t size)
{
    const char *start = size ? (const char *)data : "";
    od_bvh_text text = {.file = file, .start = start, .at = start, .end = start + size};
    if (size >= 3 && !memcmp(data, "\xEF\xBB\xBF", 3)) text.at += 3;
    return text;
}

static bool is_blank(char c)
{
    return (unsigned char)c <= ' ';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Is there `word` at `at`, in any case? */
static bool begins(const char *at, const char *end, const char *word)
{
    for (; *word; word++, at++)
        if (at == end || lower(*at) != *word) return false;
    return true;
}

static const char *line_start(const od_bvh_text *text, const char *at)
{
    while (at > text->start && at[-1] != '\n' && at[-1] != '\r') at--;
    return at;
}

int od_bvh_line(const od_bvh_text *text, const char *at)
{
    int line = 1;
    for (const char *p = text->start; p < at; p++)
        if (*p == '\n' || (*p == '\r' && (p + 1 == text->end || p[1] != '\n'))) line++;
    return line;
}

/* "file:line:column" fits any message; the words after it differ. */
static bool fail_at(const od_bvh_text *text, const char *at, od_error *error, const char *what)
{
    int column = (int)(at - line_start(text, at)) + 1;
    return od_fail(error, "%s:%d:%d: %s", text->file, od_bvh_line(text, at), column, what);
}

bool od_bvh_expected(const od_bvh_text *text, const char *at, const char *what, od_error *error)
{
    while (at < text->end && is_blank(*at)) at++;
    char found[28] = "the end of the file";
    if (at < text->end) {
        size_t n = 0;
        found[n++] = '"';
        for (const char *p = at; p < text->end && !is_blank(*p) && n < sizeof found - 2; p++)
            found[n++] = (char)((unsigned char)*p < 0x7F ? *p : '?');
        found[n++] = '"';
        found[n] = '\0';
    }
    int column = (int)(at - line_start(text, at)) + 1;
    return od_fail(error, "%s:%d:%d: expected %s, found %s", text->file, od_bvh_line(text, at), column, what, found);
}

bool od_bvh_skip(od_bvh_text *text)
{
    while (text->at < text->end && is_blank(*text->at)) text->at++;
    return text->at < text->end;
}

bool od_bvh_word(od_bvh_text *text, const char *word)
{
    od_bvh_skip(text);
    if (!begins(text->at, text->end, word)) return false;
    const char *after = text->at + strlen(word);
    if (after < text->end && is_letter(*after)) return false;
    text->at = after;
    return true;
}

bool od_bvh_mark(od_bvh_text *text, char mark)
{
    if (!od_bvh_skip(text) || *text->at != mark) return false;
    text->at++;
    return true;
}

/* The line that begins with MOTION, or the end: no names come behind it. */
static const char *names_end(const od_bvh_text *text)
{
    od_bvh_text at = *text;
    while (od_bvh_skip(&at) && !begins(at.at, at.end, "motion")) {
        const char *line = memchr(at.at, '\n', (size_t)(at.end - at.at));
        at.at = line ? line : at.end;
    }
    return at.at;
}

void od_bvh_find_encoding(od_bvh_text *text)
{
    const unsigned char *names = (const unsigned char *)text->at;
    size_t size = (size_t)(names_end(text) - text->at);
    text->cp932 = !od_text_is_utf8(names, size) && od_text_is_cp932(names, size);
}

const char *od_bvh_rest(od_bvh_text *text, size_t *size)
{
    const char *p = text->at;
    while (p < text->end && *p != '\n' && *p != '\r' && *p != '{')
        p += text->cp932 && text->end - p > 1 && od_cp932_is_lead((unsigned char)*p) ? 2 : 1;
    const char *first = text->at, *last = p;
    while (first < last && is_blank(*first)) first++;
    while (last > first && is_blank(last[-1])) last--;
    text->at = p;
    *size = (size_t)(last - first);
    return first;
}

bool od_bvh_no_number(const od_bvh_text *text, const char *at, od_error *error)
{
    double value;
    const char *after = od_number_parse(at, text->end, &value);
    if (!after) return od_bvh_expected(text, at, "a number", error);
    if (after < text->end && *after == ',')
        return fail_at(text, after, error,
                       "expected a point as decimal sign, found a comma: write 1.5, not 1,5, and set numbers apart by "
                       "blanks");
    if (!od_bvh_separated(after, text->end)) return od_bvh_expected(text, at, "a number", error);
    return od_bvh_expected(text, at, "a number of at most 1e12", error);
}

bool od_bvh_number(od_bvh_text *text, double *value, od_error *error)
{
    od_bvh_skip(text);
    const char *after = od_number_parse(text->at, text->end, value);
    if (!after || !od_bvh_separated(after, text->end) || !(fabs(*value) <= OD_BVH_LARGEST))
        return od_bvh_no_number(text, text->at, error);
    text->at = after;
    return true;
}
