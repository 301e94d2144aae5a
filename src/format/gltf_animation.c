/* Input: the animations of a glTF file. Output: clips, every frame the exact value of all curves at its time.
 *
 * The rate of a clip is the keys' own when all keys lie on one of the usual rates: then what is linear between
 * keys is so between frames, and nothing is lost at any time. Else, and where cubic curves lie between keys that
 * are further apart, it is 60 frames a second: every frame of MMD is one of them. */
#include "format/gltf_animation.h"

#include <stdio.h>
#include <string.h>

#include "format/gltf_accessor.h"

static const double EASY_RATE = 60;

/* Of a segment: so near to a key its value is the key's, since times are rounded. */
static const float ON_KEY = 1e-4f;

static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
static const char *const rules[] = {"LINEAR", "STEP", "CUBICSPLINE"};

static int find_word(const char *const *words, int count, const char *word)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(words[i], word)) return i;
    return -1;
}

static bool read_times(od_gltf *g, const od_place *sampler, od_gltf_curve *curve)
{
    od_place input = od_place_member(sampler, "input");
    int accessor = -1;
    size_t count = 0;
    if (!od_place_index(sampler, "input", g->accessors.count, &accessor)) return false;
    if (accessor < 0) return od_place_fail(sampler, "there is no input");
    curve->time = od_gltf_numbers(g, accessor, 1, &count);
    curve->keys = (int)count;
    if (!curve->time) return false;
    for (int i = 0; i < curve->keys; i++) {
        if (curve->time[i] < 0 || (i && curve->time[i] < curve->time[i - 1]))
            return od_place_fail(&input, "expected ascending times from 0 on, found %g as number %d",
                                 (double)curve->time[i], i);
    }
    return true;
}

/* How many targets the mesh of a node has. */
static int count_targets(const od_gltf *g, const od_gltf_node *node)
{
    if (node->mesh < 0) return 0;
    od_place mesh = od_place_element(&g->meshes, node->mesh), primitives = od_place_member(&mesh, "primitives");
    const od_json *first = primitives.value ? od_json_first(primitives.value) : NULL;
    const od_json *targets = first ? od_json_member(first, "targets") : NULL;
    return targets ? od_json_count(targets) : 0;
}

static bool read_values(od_gltf *g, const od_place *sampler, const od_gltf_node *node, od_gltf_curve *curve)
{
    static const int widths[] = {3, 4, 3, 1};
    od_place output = od_place_member(sampler, "output");
    int accessor = -1, targets = curve->path == OD_GLTF_WEIGHTS ? count_targets(g, node) : 1;
    size_t count = 0, wanted = (size_t)curve->keys * (size_t)targets * (curve->rule == OD_GLTF_CUBIC ? 3 : 1);
    if (!od_place_index(sampler, "output", g->accessors.count, &accessor)) return false;
    if (accessor < 0) return od_place_fail(sampler, "there is no output");
    curve->value = od_gltf_numbers(g, accessor, widths[curve->path], &count);
    curve->width = widths[curve->path] * targets;
    if (!curve->value) return false;
    return count == wanted ||
           od_place_fail(&output, "expected %zu elements for %d keys, found %zu", wanted, curve->keys, count);
}

/* A channel; `curve->keys` stays 0 when it moves nothing that is known. */
static bool read_channel(od_gltf *g, const od_place *channel, const od_place_list *samplers, const od_gltf_tree *tree,
                         od_gltf_curve *curve)
{
    od_place target = od_place_member(channel, "target");
    const char *path = "", *rule = rules[OD_GLTF_LINEAR];
    int sampler = -1;
    *curve = (od_gltf_curve){.node = -1};
    if (!od_place_index(&target, "node", tree->count, &curve->node) || !od_place_text(&target, "path", &path) ||
        !od_place_index(channel, "sampler", samplers->count, &sampler))
        return false;
    if (!strcmp(path, "pointer")) {
        g->pointers++;
        return true;
    }
    int found = find_word(paths, 4, path);
    if (curve->node < 0 || found < 0) return true;
    curve->path = (od_gltf_path)found;
    if (sampler < 0) return od_place_fail(channel, "there is no sampler");
    od_place at = od_place_element(samplers, sampler);
    if (!od_place_text(&at, "interpolation", &rule)) return false;
    found = find_word(rules, 3, rule);
    if (found < 0) return od_place_fail(&at, "expected LINEAR, STEP or CUBICSPLINE, found \"%.20s\"", rule);
    curve->rule = (od_gltf_rule)found;
    return read_times(g, &at, curve) && read_values(g, &at, &tree->nodes[curve->node], curve);
}

/* Does another channel of the clip move the same thing? */
static bool is_double(od_gltf_node *node, int clip, od_gltf_path path)
{
    unsigned bit = 1u << path;
    if (node->clip != clip) node->moved = 0;
    bool moved = node->moved & bit;
    node->clip = clip;
    node->moved |= bit;
    return moved;
}

static bool read_clip(od_gltf *g, int index, od_gltf_tree *tree, od_gltf_clip *clip)
{
    const od_document *d = &g->document;
    od_place at = od_place_element(&g->animations, index);
    od_place_list channels, samplers;
    *clip = (od_gltf_clip){0};
    if (!od_place_text(&at, "name", &clip->name) || !od_place_list_make(&at, "channels", &channels) ||
        !od_place_list_make(&at, "samplers", &samplers))
        return false;
    clip->name = clip->name ? od_arena_text(d->arena, clip->name, strlen(clip->name), d->error)
                            : od_arena_format(d->arena, d->error, "animation_%d", index);
    clip->curves = OD_NEW(d->arena, od_gltf_curve, (size_t)channels.count, d->error);
    if (!clip->name || !clip->curves) return false;
    for (int i = 0; i < channels.count; i++) {
        od_place channel = od_place_element(&channels, i);
        od_gltf_curve curve;
        if (!read_channel(g, &channel, &samplers, tree, &curve)) return false;
        if (!curve.keys || !curve.width) continue;
        if (is_double(&tree->nodes[curve.node], index, curve.path)) {
            od_warn(g->report, "%s: %s: two channels move one thing: the first is taken", d->file, clip->name);
            continue;
        }
        clip->curves[clip->curve_count++] = curve;
        clip->end = fmaxf(clip->end, curve.time[curve.keys - 1]);
        if (curve.path != OD_GLTF_WEIGHTS) tree->nodes[curve.node].animated = true;
    }
    return true;
}

bool od_gltf_read_clips(od_gltf *g, od_gltf_tree *tree, od_gltf_clip **clips)
{
    *clips = OD_NEW(g->document.arena, od_gltf_clip, (size_t)g->animations.count, g->document.error);
    if (!*clips) return false;
    for (int i = 0; i < g->animations.count; i++)
        if (!read_clip(g, i, tree, &(*clips)[i])) return false;
    if (g->pointers)
        od_warn(g->report, "%s: what KHR_animation_pointer moves is left out, %d times", g->document.file, g->pointers);
    return true;
}

/* ---- values -------------------------------------------------------------------------------------- */

static versors quat_of(const float *v)
{
    return od_quat(v[0], v[1], v[2], v[3]);
}

static void put_quat(versors q, float *to)
{
    q = od_quat_normalize(q);
    for (int i = 0; i < 4; i++) to[i] = q.raw[i];
}

/* Hermite between two keys, their tangents per second. A key is three values: tangent in, value, tangent out. */
static void sample_cubic(const od_gltf_curve *c, const float *a, const float *b, float step, float t, float *to)
{
    float t2 = t * t, t3 = t2 * t;
    for (int i = 0; i < c->width; i++)
        to[i] = (2 * t3 - 3 * t2 + 1) * a[c->width + i] + step * (t3 - 2 * t2 + t) * a[2 * c->width + i] +
                (3 * t2 - 2 * t3) * b[c->width + i] + step * (t3 - t2) * b[i];
}

void od_gltf_sample(od_gltf_curve *c, double time, float *to)
{
    int size = c->width * (c->rule == OD_GLTF_CUBIC ? 3 : 1), middle = c->rule == OD_GLTF_CUBIC ? c->width : 0;
    double late = 1e-6 * (1 + time); /* times are floats: a key that is meant for a frame may be behind it */
    while (c->at + 1 < c->keys && (double)c->time[c->at + 1] <= time + late) c->at++;
    const float *a = c->value + (size_t)c->at * (size_t)size, *b = a + size;
    double begin = (double)c->time[c->at], step = c->at + 1 < c->keys ? (double)c->time[c->at + 1] - begin : 0;
    float t = step > 0 ? (float)((time - begin) / step) : 0;
    if (t <= ON_KEY || c->rule == OD_GLTF_STEP) memcpy(to, a + middle, (size_t)c->width * sizeof *to);
    else if (c->rule == OD_GLTF_CUBIC) sample_cubic(c, a, b, (float)step, t, to);
    else if (c->path == OD_GLTF_ROTATION)
        put_quat(od_quat_slerp(od_quat_normalize(quat_of(a)), od_quat_normalize(quat_of(b)), t), to);
    else
        for (int i = 0; i < c->width; i++) to[i] = (1 - t) * a[i] + t * b[i];
    if (c->path == OD_GLTF_ROTATION) put_quat(quat_of(to), to);
}

/* ---- frames -------------------------------------------------------------------------------------- */

static bool fits(const od_gltf_curve *c, double fps)
{
    for (int i = 0; i < c->keys; i++) {
        double frame = (double)c->time[i] * fps;
        if (fabs(frame - round(frame)) > 0.01) return false;
    }
    return true;
}

double od_gltf_rate(const od_gltf_clip *clip)
{
    static const double rates[] = {24, 25, 30, 48, 50, 60, 72, 75, 90, 100, 120};
    bool cubic = false;
    for (int i = 0; i < clip->curve_count; i++) cubic = cubic || clip->curves[i].rule == OD_GLTF_CUBIC;
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        bool all = !cubic || rates[r] >= EASY_RATE;
        for (int i = 0; i < clip->curve_count && all; i++) all = fits(&clip->curves[i], rates[r]);
        if (all) return rates[r];
    }
    return EASY_RATE;
}

static void put(const od_gltf_curve *c, const float *value, od_gltf_trs *trs)
{
    vec3s v = od_vec3(value[0], value[1], value[2]);
    if (c->path == OD_GLTF_TRANSLATION) trs->t = v;
    else if (c->path == OD_GLTF_SCALE) trs->s = v;
    else trs->q = quat_of(value);
}

bool od_gltf_bake(od_gltf *g, const od_gltf_tree *tree, od_gltf_clip *in, od_clip *out)
{
    const od_document *d = &g->document;
    double fps = od_gltf_rate(in), frames = ceil((double)in->end * fps - 0.011) + 1;
    od_gltf_trs *trs = OD_NEW(d->arena, od_gltf_trs, (size_t)tree->count, d->error);
    if (!trs || !od_clip_make(out, tree->bone_count, fps, d->arena, d->error)) return false;
    out->name = in->name;
    g->poses += frames * tree->bone_count;
    if (frames > OD_CLIP_FRAMES || g->poses > g->most_poses)
        return od_fail(d->error, "%s: %s: %.0f frames of %d joints are too many", d->file, in->name, frames,
                       tree->bone_count);
    for (int i = 0; i < tree->count; i++) trs[i] = tree->nodes[i].rest;
    for (int i = 0; i < in->curve_count; i++) in->curves[i].at = 0;
    for (int f = 0; f < (int)frames; f++) {
        float value[4] = {0};
        od_xform *local = od_clip_add(out, d->error);
        if (!local) return false;
        for (int i = 0; i < in->curve_count; i++) {
            od_gltf_curve *c = &in->curves[i];
            if (c->path == OD_GLTF_WEIGHTS) continue;
            od_gltf_sample(c, f / fps, value);
            put(c, value, &trs[c->node]);
        }
        od_gltf_pose(tree, trs, local);
        for (int b = 0; b < tree->bone_count; b++)
            if (!od_gltf_is_near(local[b]))
                return od_fail(d->error, "%s: %s: a joint leaves the world in frame %d", d->file, in->name, f);
    }
    return true;
}
