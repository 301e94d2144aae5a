/* Model: a whole PMX model. What is changed when bones are added or turned is read into numbers; all
 * else stays the file's bytes, so that it is written as it was read. Indices are those of the file and
 * may be wrong (od_model_target refuses what cannot be played); -1: none. MMD units, the model's space. */
#ifndef ODORI_MODEL_H
#define ODORI_MODEL_H

#include "odori/target.h"

/* Bytes of the file, which must outlive the model, or of the arena. */
typedef struct od_span {
    const unsigned char *bytes;
    size_t size;
} od_span;

/* A name: for people and look-ups, and as it is in the file, in the model's encoding. */
typedef struct od_model_text {
    const char *utf8;
    od_span raw;
} od_model_text;

/* Kinds of indices, in the order of the header's sizes. */
typedef enum od_index {
    OD_INDEX_VERTEX,
    OD_INDEX_TEXTURE,
    OD_INDEX_MATERIAL,
    OD_INDEX_BONE,
    OD_INDEX_MORPH,
    OD_INDEX_BODY,
    OD_INDEX_COUNT
} od_index;

typedef enum od_weights { OD_BDEF1, OD_BDEF2, OD_BDEF4, OD_SDEF, OD_QDEF, OD_WEIGHTS_COUNT } od_weights;

/* Number of bones of a kind of weights; BDEF2 and SDEF give the first one's weight alone, BDEF1 none. */
OD_API int od_weights_bones(od_weights kind);

typedef struct od_vertex {
    vec3s position, normal;
    const unsigned char *uv; /* 2 + 4 * uvs numbers, as in the file */
    od_weights kind;
    int bone[4];
    float weight[4];
    vec3s sdef[3]; /* C, R0, R1 */
    float edge;
} od_vertex;

typedef struct od_model_bone {
    od_model_text name, name_en;
    vec3s position;
    int parent, deform_order;
    unsigned flags;
    int tail_bone; /* with OD_BONE_TAIL_IS_BONE */
    vec3s tail;    /* without it */
    int append_source;
    float append_ratio;
    vec3s fixed_axis, local_x, local_z;
    int external_key;
    od_ik_chain ik; /* with OD_BONE_IK; its `bone` is not used */
} od_model_bone;

enum { OD_MORPH_GROUP, OD_MORPH_VERTEX, OD_MORPH_BONE };

typedef struct od_vertex_shift {
    int vertex;
    vec3s offset;
} od_vertex_shift;

typedef struct od_bone_shift {
    int bone;
    vec3s position;
    float rotation[4]; /* x y z w, as in the file */
} od_bone_shift;

typedef struct od_group_part {
    int morph;
    float ratio;
} od_group_part;

typedef struct od_model_morph {
    od_model_text name, name_en;
    int panel, kind;
    int count; /* elements of whichever follows */
    od_group_part *parts;
    od_vertex_shift *vertices;
    od_bone_shift *bones;
    od_span others; /* elements of other kinds */
} od_model_morph;

typedef struct od_frame_item {
    int kind; /* 0: bone, 1: morph */
    int index;
} od_frame_item;

typedef struct od_model_frame {
    od_model_text name, name_en;
    int special;
    int count;
    od_frame_item *items;
} od_model_frame;

typedef struct od_model_body {
    od_model_text name, name_en;
    int bone;
    od_span shape; /* group, mask, shape */
    vec3s size, position, rotation;
    od_span physics; /* masses and mode */
} od_model_body;

typedef struct od_model_joint {
    od_model_text name, name_en;
    int kind;
    int body[2];
    vec3s position, rotation;
    od_span limits;
} od_model_joint;

typedef struct od_model {
    bool whole; /* false: bones and the morphs that move them are here, nothing else */
    float version;
    bool utf8; /* encoding of texts; else UTF-16 */
    int uvs;   /* additional vectors of a vertex */
    int index_size[OD_INDEX_COUNT];
    od_span surplus; /* settings behind the eight */
    od_model_text name, name_en;
    od_span comment, comment_en;
    od_vertex *vertices;
    int vertex_count;
    int corner_count; /* of faces */
    od_span corners;
    od_span materials; /* textures and materials with their counts */
    od_model_bone *bones;
    int bone_count;
    od_model_morph *morphs;
    int morph_count;
    od_model_frame *frames;
    int frame_count;
    od_model_body *bodies;
    int body_count;
    od_model_joint *joints;
    int joint_count;
    od_span rest; /* behind the joints: soft bodies of PMX 2.1, and what a program has added */
} od_model;

/* What of the model a motion is made for. Refuses what od_target_finish refuses. */
OD_API bool od_model_target(const od_model *model, od_target *target, od_report *report, od_arena *arena,
                            od_error *error);

/* A text in the model's encoding. */
OD_API bool od_model_text_make(const od_model *model, const char *utf8, od_model_text *text, od_arena *arena,
                               od_error *error);

/* Gives the bones another order: place[old] = new, a permutation. Everything that names a bone follows. */
OD_API bool od_model_reorder(od_model *model, const int *place, od_arena *arena, od_error *error);

#endif
