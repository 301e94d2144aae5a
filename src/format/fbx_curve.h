/* Curves of FBX: one number over time. */
#ifndef ODORI_FORMAT_FBX_CURVE_H
#define ODORI_FORMAT_FBX_CURVE_H

#include "format/fbx_tree.h"

/* How a key goes on to the next one. `right` and `next_left` are slopes in units a second, or what makes
 * automatic ones: a bias, or tension and continuity with `bias` as the third. Weights are shares of the
 * time between the two keys. */
typedef struct od_fbx_tangent {
    uint32_t flags;
    float right, next_left, bias;
    float right_weight, next_left_weight;
} od_fbx_tangent;

/* What a curve does beyond its keys. */
typedef struct od_fbx_beyond {
    char mode;     /* 'C' constant, 'K' keeps the slope, 'R' repeats, 'A' repeats relative, 'M' mirrors */
    int64_t times; /* so often; below 0: for ever */
} od_fbx_beyond;

/* Slopes in units a second and weights on both sides of a key. */
typedef struct od_fbx_sides {
    double left, right;
    double left_weight, right_weight;
} od_fbx_sides;

/* One piece between two keys, as a curve over [0, 1] in time. */
typedef struct od_fbx_piece {
    double start, rise; /* value at the first key; to the second */
    double x1, x2;      /* times of the control points */
    double y1, y2;      /* values of the control points, from the start */
    bool cubic;
} od_fbx_piece;

/* Looked at mostly forward in time: the place of the last look is kept, and the piece there. */
typedef struct od_fbx_curve {
    int count;
    const int64_t *time; /* ascending */
    const float *value;
    const od_fbx_tangent *tangents; /* tangent r is of the keys up to ends[r] */
    const int *ends;
    int tangent_count;
    double second; /* the time of a second */
    od_fbx_beyond before, after;
    bool still; /* the value is the same at all times */
    int at;     /* time[at] <= the last look */
    int piece;  /* number of the piece that is ready; -1: none */
    od_fbx_piece ready;
    int sided; /* the key that `sides` is of: the piece's second; -1: none */
    od_fbx_sides sides;
} od_fbx_curve;

/* An AnimationCurve of version 7. `second`: the time of one. NULL in `*curve` when it has no keys. */
bool od_fbx_curve_read(od_fbx_tree *tree, const od_fbx_node *node, double second, od_fbx_curve **curve, od_arena *arena,
                       od_error *error);

/* A Channel of version 6. */
bool od_fbx_curve_read_old(od_fbx_tree *tree, const od_fbx_node *node, double second, od_fbx_curve **curve,
                           od_arena *arena, od_error *error);

/* The value at a time; finite when the keys are of moderate size. */
double od_fbx_curve_at(od_fbx_curve *curve, int64_t time);

enum {
    OD_FBX_CONSTANT = 0x2,
    OD_FBX_LINEAR = 0x4,
    OD_FBX_CUBIC = 0x8,
    OD_FBX_AUTO = 0x100,
    OD_FBX_NEXT = 0x100, /* with OD_FBX_CONSTANT: the value of the next key */
    OD_FBX_TCB = 0x200,
    OD_FBX_USER = 0x400,
    OD_FBX_CLAMP = 0x1000,
    OD_FBX_TIME_INDEPENDENT = 0x2000,
    OD_FBX_PROGRESSIVE = 0x4000,
    OD_FBX_WEIGHTED_RIGHT = 0x1000000,
    OD_FBX_WEIGHTED_NEXT_LEFT = 0x2000000
};

#endif
