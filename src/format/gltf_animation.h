/* The animations of a glTF file as clips.
 * Facts: Khronos, glTF 2.0 specification, 3.11 and appendix C. */
#ifndef ODORI_FORMAT_GLTF_ANIMATION_H
#define ODORI_FORMAT_GLTF_ANIMATION_H

#include "format/gltf_nodes.h"

/* What a curve moves. */
typedef enum od_gltf_path { OD_GLTF_TRANSLATION, OD_GLTF_ROTATION, OD_GLTF_SCALE, OD_GLTF_WEIGHTS } od_gltf_path;

typedef enum od_gltf_rule { OD_GLTF_LINEAR, OD_GLTF_STEP, OD_GLTF_CUBIC } od_gltf_rule;

/* A channel with its sampler. */
typedef struct od_gltf_curve {
    int node;
    od_gltf_path path;
    od_gltf_rule rule;
    int keys;
    int width;          /* numbers of a value */
    const float *time;  /* time[keys], seconds, ascending */
    const float *value; /* value[keys * width], three times as many for OD_GLTF_CUBIC */
    int at;             /* the key before the time that was sampled last */
} od_gltf_curve;

typedef struct od_gltf_clip {
    const char *name;
    od_gltf_curve *curves;
    int curve_count;
    float end; /* seconds: the last key */
} od_gltf_clip;

/* Reads all animations, without a look at which bones there are. Marks the nodes that they move. */
bool od_gltf_read_clips(od_gltf *g, od_gltf_tree *tree, od_gltf_clip **clips);

/* The value of a curve at a time, `to` with room for its width. Times of a sampled curve do not descend. */
void od_gltf_sample(od_gltf_curve *curve, double time, float *to);

/* Frames of a clip. */
double od_gltf_rate(const od_gltf_clip *clip);
bool od_gltf_bake(od_gltf *g, const od_gltf_tree *tree, od_gltf_clip *in, od_clip *out);

#endif
