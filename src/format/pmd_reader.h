/* What the parts of the PMD reader share. */
#ifndef ODORI_FORMAT_PMD_READER_H
#define ODORI_FORMAT_PMD_READER_H

#include "base/cursor.h"
#include "odori/model.h"

/* Bytes of fields and records. */
enum { OD_PMD_NAME = 20, OD_PMD_FRAME = 50, OD_PMD_VERTEX = 38, OD_PMD_CORNER = 2, OD_PMD_MATERIAL = 70 };

typedef struct od_pmd_reader {
    od_cursor at;
    od_model *model;
    od_span vertices, corners, materials;      /* records as they are in the file */
    od_span facials, frames, shown, frames_en; /* what the display frames are made of */
    od_arena *arena;
    od_error *error;
} od_pmd_reader;

/* A text of the model in the making. */
bool od_pmd_set_text(od_pmd_reader *r, const char *utf8, od_model_text *text);

/* The same from a field of `size` bytes. */
bool od_pmd_text(od_pmd_reader *r, od_cursor *at, size_t size, od_model_text *text);

/* 0xFFFF is none. */
int od_pmd_index(od_cursor *at);

/* Display frames. */
bool od_pmd_make_frames(od_pmd_reader *r);

/* Vertices, faces, textures and materials; toons are read here. */
bool od_pmd_make_mesh(od_pmd_reader *r);

/* Rigid bodies and joints; old files lack them. */
bool od_pmd_read_physics(od_pmd_reader *r);

#endif
