/* Input: notes as they come. Output: a list in that order. */
#include "odori/report.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/line.h"

static void OD_PRINTF(3, 0) add(od_report *report, od_note_kind kind, const char *format, va_list args)
{
    char text[1024];
    int n = vsnprintf(text, sizeof text, format, args);
    od_line_clean(text, n >= (int)sizeof text);
    if (kind == OD_NOTE_WARNING) report->warnings++;
    od_note *note = OD_NEW(report->arena, od_note, 1, NULL);
    if (!note) return;
    note->kind = kind;
    note->text = od_arena_format(report->arena, NULL, "%s", text);
    if (!note->text) return;
    if (report->last) report->last->next = note;
    else report->first = note;
    report->last = note;
}

void od_warn(od_report *report, const char *format, ...)
{
    if (!report) return;
    va_list args;
    va_start(args, format);
    add(report, OD_NOTE_WARNING, format, args);
    va_end(args);
}

void od_choice(od_report *report, const char *format, ...)
{
    if (!report) return;
    va_list args;
    va_start(args, format);
    add(report, OD_NOTE_CHOICE, format, args);
    va_end(args);
}
