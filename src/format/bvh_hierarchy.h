/* The tree of a BVH file: joints with their offsets and the columns that move them. */
#ifndef ODORI_FORMAT_BVH_HIERARCHY_H
#define ODORI_FORMAT_BVH_HIERARCHY_H

#include "format/bvh_text.h"
#include "odori/arena.h"
#include "odori/report.h"

/* A joint, or an End Site, which is kept as a leaf for the direction that it gives. In the file's
 * own axes and unit. A column is an index into the numbers of a frame, -1: none. */
typedef struct od_bvh_joint {
    const char *name; /* UTF-8, never empty */
    int parent;       /* smaller than the own index; -1: a ROOT */
    bool end;         /* an End Site */
    double offset[3];
    bool offset_given, channels_given;
    int channels;
    int position[3]; /* columns of x, y, z; they replace the offset */
    int rotation[3]; /* columns of degrees in the order of the product, first leftmost; -1: no turn */
    int axis[3];     /* what each rotation turns about (0: x); all three axes occur */
} od_bvh_joint;

typedef struct od_bvh_hierarchy {
    od_bvh_joint *joints; /* in the order of the file: a subtree is a range */
    int count;
    int roots;
    int columns; /* numbers in a frame, those of all joints */
} od_bvh_hierarchy;

/* Reads from the start of the text to the word MOTION and behind it. */
bool od_bvh_hierarchy_read(od_bvh_text *text, od_bvh_hierarchy *out, od_report *report, od_arena *arena,
                           od_error *error);

#endif
