/* The words and numbers of a BVH text, and where they stand. */
#ifndef ODORI_FORMAT_BVH_TEXT_H
#define ODORI_FORMAT_BVH_TEXT_H

#include <stddef.h>

#include "odori/error.h"

typedef struct od_bvh_text {
    const char *file; /* name for messages */
    const char *start, *at, *end;
    bool cp932; /* names are in CP932, as Japanese programs write them; else in UTF-8 */
} od_bvh_text;

/* All of a file's bytes, behind the byte order mark if there is one. */
od_bvh_text od_bvh_text_make(const char *file, const unsigned char *data, size_t size);

/* "file:line:column: expected ..., found ..." for the place `at`; always false. */
bool od_bvh_expected(const od_bvh_text *text, const char *at, const char *what, od_error *error);

/* Finds out in what the names are written: in CP932 when the text up to MOTION is that and no UTF-8. */
void od_bvh_find_encoding(od_bvh_text *text);

/* The line of `at`, counted from 1. Lines end with LF, CR LF or CR. */
int od_bvh_line(const od_bvh_text *text, const char *at);

/* Moves behind blanks and line ends (and all other control characters); false at the end. */
bool od_bvh_skip(od_bvh_text *text);

/* Takes the next word if it is `word`, in any case, and no letter follows. */
bool od_bvh_word(od_bvh_text *text, const char *word);

/* Takes the character if it is the next one that is not blank. */
bool od_bvh_mark(od_bvh_text *text, char mark);

/* Takes the rest of the line up to a '{', without the blanks around it. */
const char *od_bvh_rest(od_bvh_text *text, size_t *size);

/* Takes a number of moderate size. */
bool od_bvh_number(od_bvh_text *text, double *value, od_error *error);

/* Says why there is no number at `at`: a decimal comma, nan, too large, or something else. */
bool od_bvh_no_number(const od_bvh_text *text, const char *at, od_error *error);

/* Values beyond are no angles and no positions, and their squares would leave a float's range. */
#define OD_BVH_LARGEST 1e12

/* What may follow a number: a blank, the sign of the next number, a brace, the end. */
static inline bool od_bvh_separated(const char *at, const char *end)
{
    return at == end || (unsigned char)*at <= ' ' || *at == '-' || *at == '+' || *at == '{' || *at == '}';
}

#endif
