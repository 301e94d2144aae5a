/* Input: rows and fields in order. Output: text or JSON on a stream; the same input gives the same bytes. */
#include "cli/sheet.h"

#include <math.h>
#include <string.h>

#include "cli/print.h"

void od_sheet_row(od_sheet *s, const char *tag)
{
    if (s->json) {
        od_writer_begin(&s->writer, NULL, '{');
        return;
    }
    /* The row of the whole file stands above its lists, not around them. */
    if (s->begun) fprintf(s->writer.out, "\n%*s", s->depth > 1 ? 2 * (s->depth - 1) : 0, "");
    fputs(tag, s->writer.out);
    s->begun = true;
    s->first = !*tag;
    s->depth++;
}

void od_sheet_row_end(od_sheet *s)
{
    if (s->json) od_writer_end(&s->writer, '}');
    else if (!--s->depth) fputc('\n', s->writer.out);
}

void od_sheet_list(od_sheet *s, const char *name)
{
    if (s->json) od_writer_begin(&s->writer, name, '[');
}

void od_sheet_list_end(od_sheet *s)
{
    if (s->json) od_writer_end(&s->writer, ']');
}

/* What stands before a field's value. */
static void begin_field(od_sheet *s, const char *name)
{
    FILE *out = s->writer.out;
    bool is_name = !strcmp(name, "name");
    if (!s->first) fputs(is_name ? " " : "  ", out);
    if (!is_name) fprintf(out, "%s ", name);
    s->first = false;
}

void od_sheet_text(od_sheet *s, const char *name, const char *text)
{
    if (s->json) {
        od_writer_text(&s->writer, name, text);
        return;
    }
    begin_field(s, name);
    if (text) od_print_json(s->writer.out, text);
    else fputs("-", s->writer.out);
}

void od_sheet_flag(od_sheet *s, const char *name, bool value)
{
    if (s->json) {
        od_writer_bool(&s->writer, name, value);
        return;
    }
    begin_field(s, name);
    fputs(value ? "yes" : "no", s->writer.out);
}

/* Five places without the zeros at the end: a hundredth of a millimetre, and of a quaternion a thousandth of a
 * degree. */
static void print_number(FILE *out, double number)
{
    char text[400];
    int size = snprintf(text, sizeof text, "%.5f", number);
    while (size > 1 && text[size - 1] == '0') size--;
    if (text[size - 1] == '.') size--;
    text[size] = '\0';
    fputs(!strcmp(text, "-0") ? "0" : text, out);
}

void od_sheet_number(od_sheet *s, const char *name, double number)
{
    if (s->json) {
        od_writer_number(&s->writer, name, number);
        return;
    }
    begin_field(s, name);
    print_number(s->writer.out, number);
}

void od_sheet_numbers(od_sheet *s, const char *name, const float *numbers, int count)
{
    if (s->json) {
        od_writer_numbers(&s->writer, name, numbers, count);
        return;
    }
    begin_field(s, name);
    for (int i = 0; i < count; i++) {
        if (i) fputc(' ', s->writer.out);
        print_number(s->writer.out, (double)numbers[i]);
    }
}

void od_sheet_bytes(od_sheet *s, const char *name, const unsigned char *bytes, int count)
{
    float numbers[32];
    for (int i = 0; i < count; i++) numbers[i] = bytes[i];
    od_sheet_numbers(s, name, numbers, count);
}

void od_sheet_vector(od_sheet *s, const char *name, vec3s v)
{
    od_sheet_numbers(s, name, v.raw, 3);
}

void od_sheet_words(od_sheet *s, const char *name, const char *const *words, unsigned bits)
{
    if (s->json) od_writer_begin(&s->writer, name, '[');
    else begin_field(s, name);
    const char *before = "";
    for (int i = 0; words[i]; i++) {
        if (!(bits >> i & 1)) continue;
        if (s->json) od_writer_text(&s->writer, NULL, words[i]);
        else fprintf(s->writer.out, "%s%s", before, words[i]);
        before = " ";
    }
    if (s->json) od_writer_end(&s->writer, ']');
    else if (!*before) fputc('-', s->writer.out);
}
