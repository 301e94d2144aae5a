/* Where a model of an FBX file is: its stack of transforms. */
#ifndef ODORI_FORMAT_FBX_TRANSFORM_H
#define ODORI_FORMAT_FBX_TRANSFORM_H

#include "format/fbx_objects.h"

/* In double, since positions are products of many, some scaled by 100 and then by 0.01. */
typedef struct od_fbx_quat {
    double x, y, z, w;
} od_fbx_quat;

/* Where something stands: without scale. */
typedef struct od_fbx_place {
    od_fbx_quat q;
    double p[3];
} od_fbx_place;

typedef enum od_fbx_channel_kind {
    OD_FBX_TRANSLATION,
    OD_FBX_ROTATION,
    OD_FBX_SCALING,
    OD_FBX_TRS
} od_fbx_channel_kind;

/* What of a model does not move, and the values of what may. */
typedef struct od_fbx_transform {
    double values[OD_FBX_TRS][3]; /* Lcl Translation, Rotation (degrees), Scaling */
    double before[3];             /* RotationOffset + RotationPivot */
    double pivot[3];              /* ScalingOffset + ScalingPivot - RotationPivot */
    double scaling_pivot[3];
    od_fbx_quat pre, post; /* PreRotation, the inverse of PostRotation */
    bool turned;           /* these two are not the identity */
    bool pivoted;          /* pivot or scaling_pivot is not zero */
    int order;             /* of the rotation: an index into XYZ, XZY, YZX, YXZ, ZXY, ZYX */
    int inherit;           /* how its parent's scale comes to it: 0 RrSs, 1 RSrs, 2 Rrs */
} od_fbx_transform;

/* Of a model, with the file's defaults and those of FBX. */
od_fbx_transform od_fbx_transform_read(const od_fbx_tree *tree, const od_fbx_node *defaults, const od_fbx_node *model);

/* World of a model. While no scale but 1 is met on the way down, q and p are all. */
typedef struct od_fbx_world {
    od_fbx_quat q; /* product of the rotations alone; unit */
    double p[3];
    bool scaled;         /* the rest is set */
    double linear[9];    /* rows; with its own scale */
    double unscaled[9];  /* without */
    double inherited[3]; /* the scale that a child takes over which does not inherit the matrix */
} od_fbx_world;

/* Place of a model relative to its parent with these values of its channels. */
od_fbx_place od_fbx_local_of(const od_fbx_transform *transform, double values[OD_FBX_TRS][3]);

/* A place in the space of another, and back. */
od_fbx_place od_fbx_below(const od_fbx_place *parent, const od_fbx_place *local);
od_fbx_place od_fbx_relative(const od_fbx_place *parent, const od_fbx_place *place);

/* World of a model with these values of its channels below a parent (NULL: the scene). */
od_fbx_world od_fbx_world_of(const od_fbx_transform *transform, double values[OD_FBX_TRS][3],
                             const od_fbx_world *parent);

/* A rotation of three angles in degrees, in one of the orders above (the first axis turns first). */
od_fbx_quat od_fbx_euler(const double degrees[3], int order);

/* The way back, for a quaternion of any length. */
void od_fbx_quat_to_euler(od_fbx_quat q, int order, double degrees[3]);

od_fbx_quat od_fbx_quat_mul(od_fbx_quat a, od_fbx_quat b);
void od_fbx_rotate(od_fbx_quat q, const double v[3], double out[3]);

/* The rotation of a matrix (rows of three, columns of any lengths): nearest by its columns in turn.
 * False when a column is zero or not finite, or all lie in a plane. */
bool od_fbx_matrix_rotation(const double m[9], od_fbx_quat *q);

#endif
