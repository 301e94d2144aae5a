/* Sheet: one walk through what a file holds, two forms: lines for people and diffs, JSON for programs.
 *
 * A sheet is rows of fields; rows may have lists of rows in them. As text a row is a line, indented by its
 * depth, that begins with its tag; as JSON an object in the array of its list. */
#ifndef ODORI_CLI_SHEET_H
#define ODORI_CLI_SHEET_H

#include "cli/writer.h"
#include "odori/xform.h"

/* { .writer = { .out = stream }, .json = ... } begins one. */
typedef struct od_sheet {
    od_writer writer;
    bool json;
    int depth;
    bool begun, first; /* there is a line; the next field is the first behind the tag */
} od_sheet;

/* A row, and the end of its fields and lists. `tag` may be "". */
void od_sheet_row(od_sheet *s, const char *tag);
void od_sheet_row_end(od_sheet *s);

/* A list of rows in a row, behind its fields. */
void od_sheet_list(od_sheet *s, const char *name);
void od_sheet_list_end(od_sheet *s);

/* Fields. The name of a row is called "name"; as text it stands alone. */
void od_sheet_text(od_sheet *s, const char *name, const char *text);
void od_sheet_flag(od_sheet *s, const char *name, bool value);
void od_sheet_number(od_sheet *s, const char *name, double number);
void od_sheet_numbers(od_sheet *s, const char *name, const float *numbers, int count);
void od_sheet_bytes(od_sheet *s, const char *name, const unsigned char *bytes, int count);
void od_sheet_vector(od_sheet *s, const char *name, vec3s v);

/* Some words out of several: those whose bit is set. `words` ends with NULL. */
void od_sheet_words(od_sheet *s, const char *name, const char *const *words, unsigned bits);

#endif
