/* Input: texts of any origin. Output: the same on a stream, without what could drive a terminal. */
#include "cli/print.h"

#include <string.h>

#include "base/text.h"

/* Bytes of the control character at `p`: C0, DEL, or C1 in UTF-8; 0: it is none. */
static size_t control(const unsigned char *p)
{
    if (*p < 0x20 || *p == 0x7F) return 1;
    return *p == 0xC2 && p[1] >= 0x80 && p[1] <= 0x9F ? 2 : 0;
}

void od_print_text(FILE *out, const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        size_t skip = control(p);
        fputc(skip ? '?' : *p, out);
        p += skip ? skip : 1;
    }
}

void od_print_json(FILE *out, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t left = strlen(text);
    fputc('"', out);
    while (left) {
        size_t hidden = control(p), whole = od_utf8_length(p, left);
        if (hidden) fprintf(out, "\\u%04x", (unsigned)p[hidden - 1]);
        else if (*p == '"' || *p == '\\') fprintf(out, "\\%c", *p);
        else if (whole) fwrite(p, 1, whole, out);
        else fputs("\xEF\xBF\xBD", out);
        size_t size = hidden ? hidden : whole ? whole : 1;
        p += size;
        left -= size;
    }
    fputc('"', out);
}

static void print_line(FILE *out, const char *kind, const char *name, const char *text)
{
    fprintf(out, "odori: %s: ", kind);
    if (name && !strstr(text, name)) {
        od_print_text(out, name);
        fputs(": ", out);
    }
    od_print_text(out, text);
    fputc('\n', out);
}

void od_print_error(FILE *out, const char *name, const od_error *error)
{
    print_line(out, "error", name, error->message);
}

void od_print_warnings(FILE *out, const char *name, const od_report *report)
{
    enum { SHOWN = 20 }; /* more would push what matters off the screen */
    int count = 0;
    for (const od_note *note = report->first; note; note = note->next)
        if (note->kind == OD_NOTE_WARNING && count++ < SHOWN) print_line(out, "warning", name, note->text);
    if (count > SHOWN) fprintf(out, "odori: warning: and %d more\n", count - SHOWN);
}

void od_print_choices(FILE *out, const od_report *report)
{
    for (const od_note *note = report->first; note; note = note->next)
        if (note->kind == OD_NOTE_CHOICE) fprintf(out, "  %s\n", note->text);
}
