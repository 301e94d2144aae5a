/* Input: a rig and the motions of the file. Output: clips of the bones' locals in canonical space, and weights
 * of blend shapes. Curves are sampled by their own rules, three angles apart, before they become rotations.
 * Invariant: everything is finite. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/fbx_scene.h"

/* Channels of one part that change, and the values of those that do not. */
typedef struct track {
    od_fbx_channel *first[OD_FBX_TRS];
    double values[OD_FBX_TRS][3];
} track;

typedef struct sampler {
    od_fbx_tree *tree;
    const od_fbx_objects *objects;
    const od_fbx_motion *motion;
    const od_fbx_rig *rig;
    const od_fbx_settings *settings;
    int *part;            /* of an object; -1: none */
    track *tracks;        /* tracks[part], of the stack at hand */
    od_fbx_world *worlds; /* worlds[part] at the newest time */
    bool *moves;          /* moves[bone] */
    uint64_t budget;      /* transforms that may still be made */
    bool rigid;           /* the stack at hand scales nothing */
    bool uneven;          /* a scale that is not the same along all axes was met */
    od_report *report;
    od_arena *arena;   /* of the scene */
    od_arena *scratch; /* of the stack at hand */
    od_error *error;
} sampler;

/* ---- channels ------------------------------------------------------------------------------------ */

static int by_layer(const void *a, const void *b)
{
    const od_fbx_channel *x = a, *y = b;
    if (x->layer != y->layer) return x->layer < y->layer ? -1 : 1;
    return (x->object > y->object) - (x->object < y->object);
}

static bool has_curve(const od_fbx_channel *channel)
{
    return channel->curves[0] || channel->curves[1] || channel->curves[2];
}

/* What moves only the root's ancestors moves the root. */
static void note_move(sampler *s, const od_fbx_channel *channel)
{
    int bone = s->rig->parts[s->part[channel->object]].bone;
    if (!has_curve(channel)) return;
    if (bone < 0) s->moves[0] = true;
    else if (channel->kind == OD_FBX_TRANSLATION) s->moves[bone] = true;
}

/* Reads the curves of the rig and hangs channels on its parts. */
static bool load_channels(sampler *s, od_fbx_stack *stack)
{
    memset(s->tracks, 0, (size_t)s->rig->count * sizeof *s->tracks);
    qsort(stack->channels, (size_t)stack->channel_count, sizeof *stack->channels, by_layer);
    for (int c = stack->channel_count - 1; c >= 0; c--) { /* lower layers come to stand before */
        od_fbx_channel *channel = &stack->channels[c];
        bool deform = channel->kind == OD_FBX_DEFORM;
        int part = s->part[channel->object];
        if (part < 0 && !deform) continue;
        if (!od_fbx_channel_load(s->tree, s->motion, channel, s->scratch, s->error)) return false;
        if (deform) continue;
        od_fbx_channel **first = &s->tracks[part].first[channel->kind];
        channel->next = *first;
        *first = channel;
        note_move(s, channel);
    }
    return true;
}

static bool is_uneven(const double scale[3])
{
    double least = 1e-3 * fabs(scale[0]);
    return fabs(scale[1] - scale[0]) > least || fabs(scale[2] - scale[0]) > least;
}

/* Exporters write 0.99999994 for 1. */
static bool is_one(const double scale[3])
{
    return fabs(scale[0] - 1) < 1e-6 && fabs(scale[1] - 1) < 1e-6 && fabs(scale[2] - 1) < 1e-6;
}

/* Settles what does not change: of most joints all but the rotation. */
static void settle(sampler *s)
{
    s->rigid = true;
    for (int i = 0; i < s->rig->count; i++) {
        const od_fbx_transform *transform = &s->rig->parts[i].transform;
        track *t = &s->tracks[i];
        memcpy(t->values, transform->values, sizeof t->values);
        for (int kind = 0; kind < OD_FBX_TRS; kind++) {
            if (!od_fbx_channel_is_still(t->first[kind])) continue;
            od_fbx_channel_at(t->first[kind], transform->order, 0, t->values[kind]);
            t->first[kind] = NULL;
        }
        double *scale = t->values[OD_FBX_SCALING];
        if (is_one(scale)) scale[0] = scale[1] = scale[2] = 1;
        s->uneven = s->uneven || is_uneven(scale);
        s->rigid = s->rigid && !t->first[OD_FBX_SCALING] && is_one(scale);
    }
}

static bool has_motion(const sampler *s, const od_fbx_stack *stack)
{
    for (int c = 0; c < stack->channel_count; c++)
        if (s->part[stack->channels[c].object] >= 0 && has_curve(&stack->channels[c])) return true;
    return false;
}

/* ---- frames -------------------------------------------------------------------------------------- */

/* What a clip is sampled at. */
typedef struct range {
    int64_t start;
    double step; /* from frame to frame */
    int frames;
} range;

static bool find_range(sampler *s, const od_fbx_stack *stack, range *out)
{
    int64_t start = stack->start, stop = stack->stop;
    uint64_t each = (uint64_t)s->rig->count + (uint64_t)stack->channel_count, most = s->budget / each;
    if (!stack->ranged && !od_fbx_stack_extent(stack, &start, &stop)) return true;
    *out = (range){.start = start, .step = s->motion->second / s->settings->fps};
    double frames = ceil(((double)stop - (double)start) / out->step - 1e-3) + 1;
    if (!(frames <= (double)most) || frames > INT_MAX)
        return od_fail(s->error, "%s: the motion \"%s\" has %.0f frames of %d joints: too many for a file of %zu bytes",
                       s->tree->file, stack->name, frames, s->rig->bones, s->tree->size);
    out->frames = (int)frames;
    /* Even a short clip takes the room of some frames. */
    uint64_t spent = each * (uint64_t)(out->frames > 64 ? out->frames : 64);
    s->budget -= spent < s->budget ? spent : s->budget;
    return true;
}

static int64_t time_of(const range *at, int frame)
{
    return at->start + llrint(frame * at->step);
}

/* The values of a part's channels at a time. */
static void look(sampler *s, int part, int64_t time, double values[OD_FBX_TRS][3])
{
    const track *t = &s->tracks[part];
    memcpy(values, t->values, sizeof t->values);
    for (int kind = 0; kind < OD_FBX_TRS; kind++)
        if (t->first[kind]) od_fbx_channel_at(t->first[kind], s->rig->parts[part].transform.order, time, values[kind]);
    if (t->first[OD_FBX_SCALING]) s->uneven = s->uneven || is_uneven(values[OD_FBX_SCALING]);
}

static od_fbx_place place_of(const od_fbx_world *world)
{
    return (od_fbx_place){.q = world->q, .p = {world->p[0], world->p[1], world->p[2]}};
}

/* The place of a part at a time: of a bone below the root relative to its parent, else in the world, of which
 * `*above` is what is above the part. Without scale no worlds are needed. */
static od_fbx_place pose(sampler *s, int part, int64_t time, od_fbx_place *above)
{
    const od_fbx_part *p = &s->rig->parts[part];
    double values[OD_FBX_TRS][3];
    look(s, part, time, values);
    if (s->rigid) {
        od_fbx_place local = od_fbx_local_of(&p->transform, values);
        if (p->bone <= 0) local = *above = od_fbx_below(above, &local);
        return local;
    }
    s->worlds[part] = od_fbx_world_of(&p->transform, values, p->parent < 0 ? NULL : &s->worlds[p->parent]);
    od_fbx_place place = place_of(&s->worlds[part]);
    if (p->bone <= 0) return place;
    od_fbx_place parent = place_of(&s->worlds[p->parent]);
    return od_fbx_relative(&parent, &place);
}

static bool write_locals(sampler *s, int64_t time, od_xform *local)
{
    od_fbx_place above = {.q = {0, 0, 0, 1}};
    for (int i = 0; i < s->rig->count; i++) {
        const od_fbx_part *part = &s->rig->parts[i];
        od_fbx_place place = pose(s, i, time, &above);
        if (part->bone < 0) continue;
        local[part->bone] = od_fbx_canonical(s->settings, &place);
        if (!od_vec3_finite(local[part->bone].t))
            return od_fail(s->error, "%s: the joint %s is out of reach: its scales or positions are too large",
                           s->tree->file, part->name);
    }
    return true;
}

static bool sample_clip(sampler *s, const od_fbx_stack *stack, const range *at, od_clip *clip)
{
    if (!od_clip_make(clip, s->rig->bones, s->settings->fps, s->arena, s->error)) return false;
    for (int f = 0; f < at->frames; f++) {
        od_xform *local = od_clip_add(clip, s->error);
        if (!local || !write_locals(s, time_of(at, f), local)) return false;
    }
    clip->name = od_arena_text(s->arena, stack->name, strlen(stack->name), s->error);
    return clip->name != NULL;
}

/* ---- blend shapes -------------------------------------------------------------------------------- */

/* Maya puts the deformer's name before: "blendShape1.smile". */
static const char *morph_name(const sampler *s, const od_fbx_channel *channel)
{
    od_fbx_object shape = s->objects->all[channel->object];
    const od_fbx_object *all = channel->shapes < 0 ? NULL : &s->objects->all[channel->shapes];
    size_t n = all ? all->label_size : 0;
    if (n && shape.label_size > n + 1 && shape.label[n] == '.' && !memcmp(shape.label, all->label, n)) {
        shape.label += n + 1;
        shape.label_size -= n + 1;
    }
    return od_fbx_object_name(s->tree, &shape, s->arena, s->error);
}

static bool sample_morph(sampler *s, const od_fbx_channel *channel, const range *at, od_morph_track *out)
{
    unsigned *frames = OD_NEW(s->arena, unsigned, (size_t)at->frames, s->error);
    float *weights = OD_NEW(s->arena, float, (size_t)at->frames, s->error);
    out->name = morph_name(s, channel);
    if (!frames || !weights || !out->name) return false;
    for (int f = 0; f < at->frames; f++) {
        double percent[3] = {0, 0, 0};
        od_fbx_channel_at(channel, 0, time_of(at, f), percent);
        frames[f] = (unsigned)f;
        weights[f] = (float)(percent[0] / 100);
    }
    out->frame = frames;
    out->weight = weights;
    out->count = at->frames;
    return true;
}

static bool sample_morphs(sampler *s, const od_fbx_stack *stack, const range *at, od_clip *clip)
{
    size_t count = 0;
    for (int c = 0; c < stack->channel_count; c++) count += stack->channels[c].kind == OD_FBX_DEFORM;
    od_morph_track *tracks = OD_NEW(s->arena, od_morph_track, count, s->error);
    if (!tracks) return false;
    clip->morphs = tracks;
    for (int c = 0; c < stack->channel_count; c++) {
        const od_fbx_channel *channel = &stack->channels[c];
        if (channel->kind != OD_FBX_DEFORM || !channel->layer->base || !has_curve(channel)) continue;
        if (!sample_morph(s, channel, at, &tracks[clip->morph_count++])) return false;
    }
    return true;
}

/* ---- stacks -------------------------------------------------------------------------------------- */

static bool sample_stack(sampler *s, od_fbx_stack *stack, od_scene *scene)
{
    range frames = {.frames = 0};
    if (!load_channels(s, stack)) return false;
    if (!has_motion(s, stack)) return true; /* "Take 001" is empty in many files */
    settle(s);
    if (!find_range(s, stack, &frames)) return false;
    od_clip *clip = &scene->clips[scene->clip_count];
    if (!sample_clip(s, stack, &frames, clip) || !sample_morphs(s, stack, &frames, clip)) return false;
    scene->clip_count++;
    return true;
}

static bool sample_stacks(sampler *s, od_scene *scene)
{
    bool done = true;
    for (int i = 0; done && i < s->motion->stack_count; i++) {
        s->scratch = od_arena_new(0);
        done = s->scratch ? sample_stack(s, &s->motion->stacks[i], scene) : od_fail(s->error, "out of memory");
        od_arena_free(s->scratch);
    }
    return done;
}

bool od_fbx_sample(od_fbx_tree *tree, const od_fbx_objects *objects, const od_fbx_motion *motion, const od_fbx_rig *rig,
                   const od_fbx_settings *settings, od_scene *scene, od_report *report, od_arena *arena,
                   od_error *error)
{
    sampler s = {.tree = tree, .objects = objects, .motion = motion, .rig = rig, .settings = settings};
    s.report = report;
    s.arena = arena;
    s.error = error;
    /* A few keys may last for minutes, but not for days. */
    s.budget = 16 * (uint64_t)tree->size + (4 << 20);
    s.part = OD_NEW(arena, int, (size_t)objects->count, error);
    s.tracks = OD_NEW(arena, track, (size_t)rig->count, error);
    s.worlds = OD_NEW(arena, od_fbx_world, (size_t)rig->count, error);
    s.moves = OD_NEW(arena, bool, (size_t)rig->bones, error);
    scene->clips = OD_NEW(arena, od_clip, (size_t)motion->stack_count, error);
    scene->moves = s.moves;
    if (!s.part || !s.tracks || !s.worlds || !s.moves || !scene->clips) return false;
    for (int i = 0; i < objects->count; i++) s.part[i] = -1;
    for (int i = 0; i < rig->count; i++) s.part[rig->parts[i].object] = i;
    if (!sample_stacks(&s, scene)) return false;
    if (s.uneven)
        od_warn(report, "%s: joints are scaled unevenly: their children are placed as the file says, not slanted",
                tree->file);
    return true;
}
