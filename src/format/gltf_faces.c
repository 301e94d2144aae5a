/* Input: curves of weights. Output: morph tracks, named as the file names the targets.
 * A face of a VRM animation is a node: its translation along x is the weight. */
#include "format/gltf_faces.h"

#include <stdio.h>
#include <string.h>

#include "odori/keys.h"

/* Weights that differ by less look the same. */
static const float SAME_WEIGHT = 1e-4f;

/* Keeps the frames between which straight lines show all others; returns how many. `lo` and `hi` are the slopes
 * from the last key kept that pass all frames since it. */
static int thin(const float *weights, int count, unsigned *frame, float *weight)
{
    int keys = 1, start = 0;
    float lo = -INFINITY, hi = INFINITY;
    frame[0] = 0;
    weight[0] = weights[0];
    for (int i = 1; i < count; i++) {
        float way = (float)(i - start), rise = weights[i] - weights[start];
        if (rise / way < lo || rise / way > hi) {
            start = i - 1;
            frame[keys] = (unsigned)start;
            weight[keys++] = weights[start];
            rise = weights[i] - weights[start];
            way = 1;
            lo = -INFINITY;
            hi = INFINITY;
        }
        lo = fmaxf(lo, (rise - SAME_WEIGHT) / way);
        hi = fminf(hi, (rise + SAME_WEIGHT) / way);
    }
    if (start == 0 && fabsf(weights[count - 1] - weights[0]) <= SAME_WEIGHT) return 1;
    frame[keys] = (unsigned)count - 1;
    weight[keys++] = weights[count - 1];
    return keys;
}

/* Appends the track of one weight unless it stays zero. */
static bool add_track(od_gltf *g, const char *name, const float *weights, od_clip *out, od_morph_track *tracks)
{
    const od_document *d = &g->document;
    float most = 0;
    for (int f = 0; f < out->frames; f++) most = fmaxf(most, fabsf(weights[f]));
    if (most <= SAME_WEIGHT) return true;
    unsigned *frame = OD_NEW(d->arena, unsigned, (size_t)out->frames + 1, d->error);
    float *weight = OD_NEW(d->arena, float, (size_t)out->frames + 1, d->error);
    if (!frame || !weight) return false;
    tracks[out->morph_count++] = (od_morph_track){
        .name = name, .count = thin(weights, out->frames, frame, weight), .frame = frame, .weight = weight};
    return true;
}

/* The name of a target: files keep them in the extras of the mesh. */
static const char *name_target(const od_gltf *g, int mesh, int target)
{
    const od_document *d = &g->document;
    od_place at = od_place_element(&g->meshes, mesh), extras = od_place_member(&at, "extras");
    const od_json *names = extras.value ? od_json_member(extras.value, "targetNames") : NULL;
    const od_json *name = names ? od_json_first(names) : NULL;
    for (int i = 0; name && i < target; i++) name = od_json_next(name);
    const char *text = name ? od_json_text(name) : "";
    return *text ? od_arena_text(d->arena, text, strlen(text), d->error)
                 : od_arena_format(d->arena, d->error, "morph_%d", target);
}

/* Numbers of a curve at all frames, side by side: values[number * frames + frame]. */
static float *sample_all(od_gltf *g, od_gltf_curve *curve, const od_clip *out)
{
    const od_document *d = &g->document;
    size_t width = (size_t)curve->width, frames = (size_t)out->frames;
    g->poses += (double)(width * frames) / 8; /* a pose takes as much as eight numbers */
    if (g->poses > g->most_poses) {
        od_fail(d->error, "%s: %s: %d frames of %d weights are too many", d->file, out->name, out->frames,
                curve->width);
        return NULL;
    }
    float *values = OD_NEW(d->arena, float, width *frames, d->error), *now = OD_NEW(d->arena, float, width, d->error);
    if (!values || !now) return NULL;
    curve->at = 0;
    for (size_t f = 0; f < frames; f++) {
        od_gltf_sample(curve, (double)f / out->fps, now);
        for (size_t i = 0; i < width; i++) values[i * frames + f] = now[i];
    }
    return values;
}

/* What a curve's `index`-th number is called; "" when it is no weight. */
static bool name_number(od_gltf *g, const od_gltf_tree *tree, const od_gltf_vrm *vrm, const od_gltf_curve *curve,
                        int index, const char **name)
{
    *name = "";
    if (curve->path == OD_GLTF_WEIGHTS) *name = name_target(g, tree->nodes[curve->node].mesh, index);
    for (int i = 0; i < vrm->face_count && curve->path == OD_GLTF_TRANSLATION && !index; i++)
        if (vrm->faces[i].node == curve->node) *name = vrm->faces[i].name;
    return *name != NULL;
}

bool od_gltf_bake_faces(od_gltf *g, const od_gltf_tree *tree, const od_gltf_vrm *vrm, od_gltf_clip *in, od_clip *out)
{
    const od_document *d = &g->document;
    size_t most = (size_t)vrm->face_count;
    for (int i = 0; i < in->curve_count; i++)
        if (in->curves[i].path == OD_GLTF_WEIGHTS) most += (size_t)in->curves[i].width;
    od_morph_track *tracks = OD_NEW(d->arena, od_morph_track, most, d->error);
    if (!tracks) return false;
    out->morphs = tracks;
    for (int i = 0; i < in->curve_count && most; i++) {
        od_gltf_curve *curve = &in->curves[i];
        const char *name;
        if (!name_number(g, tree, vrm, curve, 0, &name)) return false;
        if (!*name) continue;
        float *values = sample_all(g, curve, out);
        int numbers = curve->path == OD_GLTF_WEIGHTS ? curve->width : 1;
        if (!values) return false;
        for (int n = 0; n < numbers; n++) {
            float *weights = values + (size_t)n * (size_t)out->frames;
            for (int f = 0; f < out->frames && curve->path == OD_GLTF_TRANSLATION; f++)
                weights[f] = fminf(fmaxf(weights[f], 0), 1);
            if (n && !name_number(g, tree, vrm, curve, n, &name)) return false;
            if (!add_track(g, name, weights, out, tracks)) return false;
        }
    }
    return true;
}
