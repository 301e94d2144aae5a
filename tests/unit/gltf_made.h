/* glTF files for the tests: a JSON text whose bytes are in one data URI. */
#ifndef ODORI_TESTS_GLTF_MADE_H
#define ODORI_TESTS_GLTF_MADE_H

#include "check.h"
#include "odori/format.h"

enum { MADE_BYTES = 1 << 12, MADE_TEXT = 1 << 14 };

typedef struct made {
    unsigned char bytes[MADE_BYTES];
    size_t size;
    char views[MADE_TEXT], accessors[MADE_TEXT], text[4 * MADE_TEXT];
    int view_count, accessor_count;
    /* What reading gave. */
    od_arena *arena;
    od_report report;
    od_error error;
    od_scene scene;
} made;

enum { MADE_FLOAT = 5126, MADE_I8 = 5120, MADE_U8, MADE_I16, MADE_U16, MADE_U32 = 5125 };

/* Appends bytes as a view of their own; `members` are more members of it, ", \"byteStride\": 8". */
int made_view(made *m, const void *data, size_t size, const char *members);

/* An accessor; `view` -1: none. */
int made_accessor(made *m, int view, int type, int count, const char *shape, const char *members);

/* Floats as a view and an accessor of one; `count` elements. */
int made_floats(made *m, const float *numbers, int count, const char *shape);

/* Puts the file together, `body` has its other members: "\"nodes\": [...]". */
void made_finish(made *m, const char *body);

/* Reads what was put together. Free with made_free whatever comes. */
bool made_read(made *m);
void made_free(made *m);

/* A bone's transform relative to its parent. */
od_xform made_pose(const made *m, int clip, int frame, int bone);

#endif
