/* The frames of a BVH file. */
#ifndef ODORI_FORMAT_BVH_MOTION_H
#define ODORI_FORMAT_BVH_MOTION_H

#include "format/bvh_hierarchy.h"
#include "odori/clip.h"

/* What stands between MOTION and the first row. */
typedef struct od_bvh_head {
    int declared; /* number of frames; -1: not said, or no count */
    double fps;
} od_bvh_head;

/* The rows of numbers, one by one. */
typedef struct od_bvh_rows {
    od_bvh_text text;
    const char *blank; /* behind the last blank of the text: numbers before it are read faster */
    int columns;
    int declared;
    double *row;       /* `columns` numbers, the newest row */
    int frames;        /* whole rows so far */
    int filled;        /* numbers of a row that is not whole yet */
    int on_line;       /* numbers in the line being read */
    int lines;         /* lines with numbers */
    const char *odd;   /* the end of the first line with another count than `columns`; NULL: none */
    int odd_count;     /* that count */
    int odd_line;      /* lines with numbers before it */
    bool rest_ignored; /* something else follows the declared frames */
} od_bvh_rows;

typedef enum od_bvh_step { OD_BVH_ROW, OD_BVH_END, OD_BVH_FAILED } od_bvh_step;

/* Reads "Frames:" and "Frame Time:"; warns of what is missing or cannot be. */
bool od_bvh_head_read(od_bvh_text *text, od_bvh_head *out, od_report *report, od_error *error);

/* Rows from where the text stands. */
bool od_bvh_rows_make(const od_bvh_text *text, int columns, int declared, od_bvh_rows *out, od_arena *arena,
                      od_error *error);
od_bvh_step od_bvh_rows_next(od_bvh_rows *rows, od_error *error);

/* Axes and unit of a position or an offset of the file as a vector in canonical space. */
vec3s od_bvh_vector(const double v[3]);

/* All frames of the joints [first, first + count) as locals; 0 frames are no failure. The clip's name is
 * the caller's. */
bool od_bvh_motion_read(const od_bvh_text *text, const od_bvh_hierarchy *hierarchy, int first, int count, int declared,
                        double fps, od_clip *clip, od_report *report, od_arena *arena, od_error *error);

#endif
