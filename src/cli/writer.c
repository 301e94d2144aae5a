/* Input: values in order. Output: JSON text on a stream. */
#include "cli/writer.h"

#include <math.h>

#include "cli/print.h"

static void put_line(const od_writer *w)
{
    fprintf(w->out, "\n%*s", 2 * w->depth, "");
}

static void begin_value(od_writer *w, const char *name)
{
    if (w->inside) fputc(',', w->out);
    if (w->depth) put_line(w);
    w->inside = true;
    if (!name) return;
    od_print_json(w->out, name);
    fputs(": ", w->out);
}

void od_writer_begin(od_writer *w, const char *name, char bracket)
{
    begin_value(w, name);
    fputc(bracket, w->out);
    w->depth++;
    w->inside = false;
}

void od_writer_end(od_writer *w, char bracket)
{
    w->depth--;
    if (w->inside) put_line(w);
    fputc(bracket, w->out);
    w->inside = true;
    if (!w->depth) fputc('\n', w->out);
}

void od_writer_text(od_writer *w, const char *name, const char *text)
{
    begin_value(w, name);
    if (text) od_print_json(w->out, text);
    else fputs("null", w->out);
}

static void put_number(FILE *out, double number)
{
    if (!isfinite(number)) fputs("null", out);
    else if (number == floor(number) && fabs(number) < 1e15) fprintf(out, "%.0f", number + 0.0); /* -0 is 0 */
    else fprintf(out, "%.7g", number);
}

void od_writer_number(od_writer *w, const char *name, double number)
{
    begin_value(w, name);
    put_number(w->out, number);
}

void od_writer_numbers(od_writer *w, const char *name, const float *numbers, int count)
{
    begin_value(w, name);
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "[", w->out);
        put_number(w->out, (double)numbers[i]);
    }
    fputc(']', w->out);
}

void od_writer_bool(od_writer *w, const char *name, bool value)
{
    begin_value(w, name);
    fputs(value ? "true" : "false", w->out);
}
