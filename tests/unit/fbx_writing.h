/* FBX files made by tests: one series of calls gives a binary file of any layout, or a text file. */
#ifndef ODORI_TESTS_FBX_WRITING_H
#define ODORI_TESTS_FBX_WRITING_H

#include "check.h"
#include "odori/format.h"

/* How a file is written; the zero value is text. */
typedef struct fbx_layout {
    unsigned version; /* 7400, 7500 (64 bit), 6100; 0: 7400 */
    bool binary, big_endian, packed;
} fbx_layout;

enum { FBX_ROOM = 1 << 18, FBX_LEVELS = 64 };

typedef struct fbx_file {
    fbx_layout layout;
    unsigned char data[FBX_ROOM];
    size_t size;
    int depth;
    struct {
        size_t head, values; /* places in `data` */
        unsigned count;
        bool open; /* it has children */
    } level[FBX_LEVELS];
} fbx_file;

/* The header and, in text, nothing else; the caller writes FBXHeaderExtension with fbx_header. */
void fbx_start(fbx_file *f, fbx_layout layout);
void fbx_header(fbx_file *f);

/* A node: its values, then its children, each in pairs of begin and end. */
void fbx_begin(fbx_file *f, const char *name);
void fbx_end(fbx_file *f);

void fbx_integer(fbx_file *f, int64_t value);
void fbx_real(fbx_file *f, double value);
void fbx_text(fbx_file *f, const char *text);

/* A name with its class, or in text the class before it. */
void fbx_name(fbx_file *f, const char *name, const char *class_name);

/* Arrays; in text a child "a". */
void fbx_integers(fbx_file *f, const int64_t *values, int count);
void fbx_reals(fbx_file *f, const double *values, int count);
void fbx_floats(fbx_file *f, const float *values, int count);
void fbx_words(fbx_file *f, const int32_t *values, int count);

/* "P" with numbers; "Property" in version 6. */
void fbx_property(fbx_file *f, const char *name, const double *values, int count);

/* The end of a binary file's list of nodes. */
void fbx_finish(fbx_file *f);

/* ---- a scene of three joints ---- */

/* What is written of a curve: nothing when count is 0. */
typedef struct fbx_keys {
    int count;
    const int64_t *times; /* in thirtieths of a second */
    const float *values;
    int32_t flags;
    float data[4];
    char after, before; /* extrapolation; 0: none */
} fbx_keys;

/* An array that is packed already. */
typedef struct fbx_packed {
    const unsigned char *bytes;
    size_t size;
    uint32_t count;
} fbx_packed;

/* Hips, Spine and Head, each 10 above the other; the armature above them is a null. */
typedef struct fbx_scene {
    fbx_layout layout;
    fbx_keys hips[3], spine[3]; /* Lcl Translation of the hips, Lcl Rotation of the spine */
    const double *armature;     /* Lcl Scaling of the armature; NULL: 1 */
    double pre[3];              /* PreRotation of the spine */
    int order;                  /* RotationOrder of the spine */
    int up;                     /* UpAxis: 1, or 2 with the front at -y */
    double bind[3];             /* where the head's TransformLink is, when not all zero */
    bool circle;                /* the hips are below the head */
    int64_t stop;               /* of the stack, in thirtieths; 0: not said */
    const char *hips_name;      /* NULL: "Hips" */
    const fbx_packed *times;    /* instead of the curves' own, in a binary file */
} fbx_scene;

void fbx_write_scene(fbx_file *f, const fbx_scene *scene);

typedef struct fbx_reading {
    od_arena *arena;
    od_scene scene;
    od_report report;
    od_error error;
    bool ok;
} fbx_reading;

fbx_reading fbx_read_bytes(const unsigned char *data, size_t size);
fbx_reading fbx_read_scene(const fbx_scene *scene);
void fbx_done(fbx_reading *r);

/* World of a bone in a frame of the first clip. */
od_xform fbx_world(const fbx_reading *r, int frame, const char *bone);

#endif
