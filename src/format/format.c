/* Input: a file's bytes and name. Output: its format, and what that reads.
 * A format is one row. */
#include "odori/format.h"

#include <string.h>
#include <strings.h>

#include "format/bvh.h"
#include "format/fbx.h"
#include "format/gltf.h"
#include "format/pmd.h"
#include "format/pmx.h"
#include "format/vmd.h"
#include "format/vpd.h"

static const od_format formats[] = {
    {"bvh", "BVH motion capture", "bvh", od_bvh_probe, od_bvh_read, NULL, NULL, NULL, od_bvh_write},
    {"fbx", "FBX, binary and text", "fbx", od_fbx_probe, od_fbx_read, NULL, NULL, NULL, NULL},
    {"gltf", "glTF 2.0, VRM, VRM animation", "gltf glb vrm vrma", od_gltf_probe, od_gltf_read, NULL, NULL, NULL, NULL},
    {"pmx", "PMX 2.0 and 2.1 model", "pmx", od_pmx_probe, NULL, od_pmx_read, NULL, NULL, NULL},
    {"pmd", "PMD model", "pmd", od_pmd_probe, NULL, od_pmd_read, NULL, NULL, NULL},
    {"vmd", "MikuMikuDance motion", "vmd", od_vmd_probe, NULL, NULL, od_vmd_read, od_vmd_write, NULL},
    {"vpd", "MikuMikuDance pose", "vpd", od_vpd_probe, NULL, NULL, od_vpd_read, NULL, NULL},
};

const od_format *od_formats(int *count)
{
    *count = sizeof formats / sizeof *formats;
    return formats;
}

const od_format *od_format_named(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(formats[i].name, name)) return &formats[i];
    return NULL;
}

/* Is `extension` one of the words of `list`? */
static bool listed(const char *list, const char *extension)
{
    size_t size = strlen(extension);
    for (const char *word = list; *word;) {
        size_t n = strcspn(word, " ");
        if (n == size && !strncasecmp(word, extension, n)) return true;
        word += n + strspn(word + n, " ");
    }
    return false;
}

/* By the content alone. */
static const od_format *recognise(const od_file *file)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].probe(file->data, file->size)) return &formats[i];
    return NULL;
}

const od_format *od_format_detect(const od_file *file)
{
    const od_format *format = recognise(file);
    if (format) return format;
    const char *dot = strrchr(file->name, '.');
    for (size_t i = 0; dot && i < sizeof formats / sizeof *formats; i++)
        if (listed(formats[i].extensions, dot + 1)) return &formats[i];
    return NULL;
}

static const od_format *find(const od_file *file, const od_format *format, od_error *error)
{
    const od_format *found = recognise(file);
    if (format && found && !format->probe(file->data, file->size)) {
        od_fail(error, "%s: expected %s, as asked, found %s", file->name, format->title, found->title);
        return NULL;
    }
    if (!format) format = od_format_detect(file);
    if (!format) od_fail(error, "%s: the format is not known%s", file->name, file->size ? "" : ": the file is empty");
    return format;
}

bool od_read_scene(const od_file *file, const od_format *format, const od_read_options *options, od_scene *scene,
                   od_report *report, od_arena *arena, od_error *error)
{
    static const od_read_options none = {0};
    format = find(file, format, error);
    if (!format) return false;
    if (!format->read_scene && format->read_model)
        return od_fail(error, "%s: expected a motion, found a %s", file->name, format->title);
    if (!format->read_scene)
        return od_fail(error, "%s: expected joints that move, found keys of a model: a %s", file->name, format->title);
    return format->read_scene(file, options ? options : &none, scene, report, arena, error);
}

static bool read_model(const od_file *file, const od_format *format, bool whole, od_model *model, od_report *report,
                       od_arena *arena, od_error *error)
{
    format = find(file, format, error);
    if (!format) return false;
    if (!format->read_model)
        return od_fail(error, "%s: expected a model (PMX or PMD), found a %s", file->name, format->title);
    return format->read_model(file, whole, model, report, arena, error);
}

bool od_read_target(const od_file *file, const od_format *format, od_target *target, od_report *report, od_arena *arena,
                    od_error *error)
{
    od_model model;
    od_error why = {0};
    if (!read_model(file, format, false, &model, report, arena, error)) return false;
    return od_model_target(&model, target, report, arena, &why) || od_fail(error, "%s: %s", file->name, why.message);
}

bool od_read_model(const od_file *file, const od_format *format, od_model *model, od_report *report, od_arena *arena,
                   od_error *error)
{
    return read_model(file, format, true, model, report, arena, error);
}

bool od_read_keys(const od_file *file, const od_format *format, od_keys *keys, od_report *report, od_arena *arena,
                  od_error *error)
{
    if (!(format = find(file, format, error))) return false;
    if (!format->read_keys) return od_fail(error, "%s: is no MMD motion", file->name);
    return format->read_keys(file, keys, report, arena, error);
}
