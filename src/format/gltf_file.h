/* A glTF file: its JSON and its bytes, be they in a GLB, in data URIs or in files beside it.
 * Facts: Khronos, glTF 2.0 specification, chapters 2 to 4. */
#ifndef ODORI_FORMAT_GLTF_FILE_H
#define ODORI_FORMAT_GLTF_FILE_H

#include "format/place.h"
#include "odori/format.h"

typedef struct od_gltf_buffer {
    od_file file; /* data NULL: nobody asked yet */
    bool opened;  /* by the opener of the options, which closes it */
} od_gltf_buffer;

typedef struct od_gltf {
    od_document document;
    const od_read_options *options;
    od_report *report;
    od_json *json;
    od_place root;
    od_place_list nodes, meshes, skins, accessors, views, buffers, animations;
    const unsigned char *binary; /* the GLB's chunk of bytes; NULL: none */
    size_t binary_size;
    od_gltf_buffer *loaded; /* loaded[buffers.count] */
    od_file *unpacked;      /* unpacked[views.count]: views that were compressed */
    float **numbers;        /* numbers[accessors.count]: accessors that were looked at */
    int pointers;           /* channels of KHR_animation_pointer */
    double poses;           /* transforms in all frames of the clips made so far, */
    double most_poses;      /* and how many there may be: a few keys can last for minutes, but not for days */
} od_gltf;

/* Parses the JSON and refuses what cannot be read: other versions, required extensions that are not
 * known. Close it whether it was opened or not. */
bool od_gltf_open(od_gltf *g, const od_file *file, const od_read_options *options, od_report *report, od_arena *arena,
                  od_error *error);
void od_gltf_close(od_gltf *g);

/* `size` bytes at `offset` of a buffer; `at` is who asks. NULL on failure. */
const unsigned char *od_gltf_bytes(od_gltf *g, const od_place *at, int buffer, size_t offset, size_t size);

#endif
