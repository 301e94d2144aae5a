/* Input: values in order. Output: JSON text through a sink. */
#include "cli/writer.h"

#include <stdio.h>
#include <string.h>

static void put(od_writer *w, const char *text, size_t size)
{
    if (!w->failed && !w->sink->write(w->sink->context, text, size, w->error)) w->failed = true;
}

static void put_line(od_writer *w)
{
    put(w, "\n", 1);
    for (int i = 0; i < w->depth; i++) put(w, "  ", 2);
}

static void put_text(od_writer *w, const char *text)
{
    put(w, "\"", 1);
    for (const char *p = text; *p;) {
        size_t plain = 0;
        while ((unsigned char)p[plain] >= 0x20 && p[plain] != '"' && p[plain] != '\\') plain++;
        put(w, p, plain);
        p += plain;
        if (!*p) break;
        char code[8];
        int n = *p == '"' || *p == '\\' ? snprintf(code, sizeof code, "\\%c", *p)
                                        : snprintf(code, sizeof code, "\\u%04x", (unsigned)(unsigned char)*p);
        put(w, code, (size_t)n);
        p++;
    }
    put(w, "\"", 1);
}

static void begin_value(od_writer *w, const char *name)
{
    if (w->inside) put(w, ",", 1);
    if (w->depth) put_line(w);
    w->inside = true;
    if (!name) return;
    put_text(w, name);
    put(w, ": ", 2);
}

void od_writer_begin(od_writer *w, const char *name, char bracket)
{
    begin_value(w, name);
    put(w, &bracket, 1);
    w->depth++;
    w->inside = false;
}

void od_writer_end(od_writer *w, char bracket)
{
    w->depth--;
    if (w->inside) put_line(w);
    put(w, &bracket, 1);
    w->inside = true;
    if (!w->depth) put(w, "\n", 1);
}

void od_writer_text(od_writer *w, const char *name, const char *text)
{
    begin_value(w, name);
    if (text) put_text(w, text);
    else put(w, "null", 4);
}

void od_writer_number(od_writer *w, const char *name, double number)
{
    char text[32];
    begin_value(w, name);
    int n = number - number == 0 ? snprintf(text, sizeof text, "%.7g", number) : snprintf(text, sizeof text, "null");
    put(w, text, (size_t)n);
}

void od_writer_bool(od_writer *w, const char *name, bool value)
{
    begin_value(w, name);
    put(w, value ? "true" : "false", value ? 4 : 5);
}
