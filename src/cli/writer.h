/* JSON text for programs, piece by piece, indented so that people can read it too. */
#ifndef ODORI_CLI_WRITER_H
#define ODORI_CLI_WRITER_H

#include <stdbool.h>
#include <stdio.h>

/* { .out = stream } begins a document. */
typedef struct od_writer {
    FILE *out;
    int depth;
    bool inside; /* the object or array has a member already */
} od_writer;

/* In objects `name` is the member's; in arrays it is NULL. */
void od_writer_begin(od_writer *w, const char *name, char bracket);                      /* '{' or '[' */
void od_writer_end(od_writer *w, char bracket);                                          /* '}' or ']' */
void od_writer_text(od_writer *w, const char *name, const char *text);                   /* NULL: null */
void od_writer_number(od_writer *w, const char *name, double number);                    /* not finite: null */
void od_writer_numbers(od_writer *w, const char *name, const float *numbers, int count); /* on one line */
void od_writer_bool(od_writer *w, const char *name, bool value);

#endif
