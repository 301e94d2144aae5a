/* Formats: the table of what odori reads and writes. */
#ifndef ODORI_FORMAT_H
#define ODORI_FORMAT_H

#include "odori/keys.h"
#include "odori/model.h"
#include "odori/report.h"
#include "odori/scene.h"
#include "odori/target.h"

/* Bytes of a file and its name for messages. */
typedef struct od_file {
    const char *name;
    const unsigned char *data;
    size_t size;
} od_file;

/* How a reader gets at files beside the one that it reads. The library itself opens none. */
typedef struct od_opener {
    bool (*open)(void *context, const char *path, od_file *file, od_error *error); /* path: relative to the file */
    void (*close)(void *context, od_file *file);
    void *context;
} od_opener;

typedef struct od_read_options {
    const char *root_joint; /* of several roots the one to take; NULL: one with motion */
    od_opener opener;       /* glTF with bytes in other files; zero: those are refused */
} od_read_options;

/* Where a writer's bytes go; false when they cannot be written (the sink has filled `error`). */
typedef struct od_sink {
    bool (*write)(void *context, const void *data, size_t size, od_error *error);
    void *context;
} od_sink;

/* How to write a scene. The zero value is: all bones under their own names, the first clip. */
typedef struct od_write_options {
    const char *const *names; /* names[bone]; NULL elements are left out, with their motion in what is below */
    const vec3s *tails;       /* tails[bone]: what a bone without children points at, seen from it; NULL: unknown */
    int clip;
} od_write_options;

typedef struct od_format {
    const char *name;       /* "bvh" */
    const char *title;      /* one line for people */
    const char *extensions; /* separated by blanks, without dots */
    bool (*probe)(const unsigned char *data, size_t size);
    bool (*read_scene)(const od_file *, const od_read_options *, od_scene *, od_report *, od_arena *, od_error *);
    /* A whole model, or (false) its bones and what moves them alone. */
    bool (*read_model)(const od_file *, bool whole, od_model *, od_report *, od_arena *, od_error *);
    bool (*read_keys)(const od_file *, od_keys *, od_report *, od_arena *, od_error *);
    bool (*write_keys)(const od_keys *, const od_sink *, od_report *, od_error *);
    bool (*write_scene)(const od_scene *, const od_write_options *, const od_sink *, od_report *, od_error *);
} od_format;

/* All formats, `*count` of them. */
OD_API const od_format *od_formats(int *count);

/* The format of a file by its content, and by its name's extension when the content does not say.
 * NULL when unknown. */
OD_API const od_format *od_format_detect(const od_file *file);
OD_API const od_format *od_format_named(const char *name);

/* Reads with the format found (or `format` when not NULL). */
OD_API bool od_read_scene(const od_file *file, const od_format *format, const od_read_options *options, od_scene *scene,
                          od_report *report, od_arena *arena, od_error *error);
OD_API bool od_read_target(const od_file *file, const od_format *format, od_target *target, od_report *report,
                           od_arena *arena, od_error *error);

/* A whole model; the file's bytes must outlive it. A PMD becomes what a PMX would hold. */
OD_API bool od_read_model(const od_file *file, const od_format *format, od_model *model, od_report *report,
                          od_arena *arena, od_error *error);

OD_API bool od_read_keys(const od_file *file, const od_format *format, od_keys *keys, od_report *report,
                         od_arena *arena, od_error *error);

/* The keys that a VMD can hold: without tracks of which CP932 lacks the name, and of those that are one
 * in 15 bytes only the first. Warns of each that is left out. */
OD_API bool od_vmd_keep(const od_keys *keys, od_keys *kept, od_report *report, od_arena *arena, od_error *error);

/* Writes a VMD, byte for byte as MMD does; of the keys what od_vmd_keep keeps. */
OD_API bool od_vmd_write(const od_keys *keys, const od_sink *sink, od_report *report, od_error *error);

/* Writes a BVH: one root with six channels, the rotations as Z X Y in degrees, continuous from frame to
 * frame; position channels for those other joints that move. A joint's axes at rest are the world's: of the
 * scene's rest rotations nothing is left. `options` may be NULL. */
OD_API bool od_bvh_write(const od_scene *scene, const od_write_options *options, const od_sink *sink, od_report *report,
                         od_error *error);

/* Writes a whole model as PMX. What was read and not changed is written byte for byte. */
OD_API bool od_pmx_write(const od_model *model, const od_sink *sink, od_error *error);

#endif
