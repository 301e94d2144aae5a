/* What the parts of the PMX reader share: a cursor that knows the file's encoding and its indices. */
#ifndef ODORI_FORMAT_PMX_READER_H
#define ODORI_FORMAT_PMX_READER_H

#include "base/cursor.h"
#include "odori/model.h"

typedef struct od_pmx_reader {
    od_cursor at;
    od_model *model;
    od_arena *arena;
    od_error *error;
} od_pmx_reader;

size_t od_pmx_index_size(const od_pmx_reader *r, od_index kind);

/* A signed index, -1 for none. Those of vertices are unsigned in one and two bytes. */
int od_pmx_index(od_pmx_reader *r, od_index kind);

/* The number of records that follow, each of at least `least` bytes; -1 with a failure when they
 * cannot be there. */
int od_pmx_count(od_pmx_reader *r, size_t least, const char *what);

/* The bytes of a text. */
od_span od_pmx_raw_text(od_pmx_reader *r);

/* A text; false when memory is out. */
bool od_pmx_text(od_pmx_reader *r, od_model_text *text);

/* The next `size` bytes; none past the end. */
od_span od_pmx_span(od_pmx_reader *r, size_t size);

vec3s od_pmx_vec3(od_pmx_reader *r);

/* Vertices to materials, kept when the model is to be whole, else skipped. */
bool od_pmx_read_mesh(od_pmx_reader *r);

/* Display frames, rigid bodies, joints and what is behind them. */
bool od_pmx_read_physics(od_pmx_reader *r);

#endif
