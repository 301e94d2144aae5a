/* Input: a scene. Output: a BVH file through a sink.
 *
 * A joint of a BVH has no rest rotation, so what is written is V = W R^-1, with the world rotation W and that
 * at rest R; relative to the joint above, V(p)^-1 V(b) = R(p) local(b) R(b)^-1, and places are R(p) t. Worlds
 * never come in: far from the origin they are rough. Axes are the reader's: (x, y, -z), (-x, -y, z, w). */
#include <stdlib.h>
#include <string.h>

#include "format/out.h"

/* A joint as it is written. */
typedef struct joint {
    int bone;     /* of the scene; -1: the root over several */
    int parent;   /* joint, smaller than the own index; -1: none */
    int children; /* number */
    bool moves, turns;
    bool end;         /* is the End Site of its parent */
    double before[3]; /* angles of the frame before, radians: about z, x, y */
} joint;

typedef struct writer {
    od_out out;
    const od_scene *scene;
    const od_write_options *options;
    const od_clip *clip; /* NULL: no frames */
    joint *joints;       /* depth first */
    int count;
    bool joined;     /* joint 0 is no bone, but the root over several */
    int *joint_of;   /* joint_of[bone], -1: left out */
    int *above;      /* above[bone]: the nearest bone above that is written, -1: none */
    od_xform *local; /* local[bone], then below the joint above */
    int places;      /* behind the point of a length */
    bool begun;      /* there is a number on the line */
    float height;    /* of the skeleton: the extent of its rest */
    od_arena *arena;
} writer;

static const od_bone *bone_of(const writer *w, int bone)
{
    return &w->scene->skeleton.bones[bone];
}

static bool is_kept(const writer *w, int bone)
{
    return !w->options->names || w->options->names[bone];
}

/* ---- which joints, in which order ----------------------------------------------------------------- */

/* Depth first, children in the order of the skeleton. `first[parent + 1]` and `next[bone]` chain the children
 * of each bone, those of none at index 0. */
static void order_joints(writer *w, const int *first, const int *next)
{
    int bone = first[0];
    while (bone >= 0) {
        int above = w->above[bone];
        joint *j = &w->joints[w->count];
        *j = (joint){.bone = bone, .parent = above >= 0 ? w->joint_of[above] : w->joined ? 0 : -1};
        if (j->parent >= 0) w->joints[j->parent].children++;
        w->joint_of[bone] = w->count++;
        if (first[bone + 1] >= 0) {
            bone = first[bone + 1];
            continue;
        }
        while (bone >= 0 && next[bone] < 0) bone = w->above[bone];
        if (bone >= 0) bone = next[bone];
    }
}

static bool make_joints(writer *w, od_error *error)
{
    size_t count = (size_t)w->scene->skeleton.count;
    int *first = OD_NEW(w->arena, int, count + 1, error), *next = OD_NEW(w->arena, int, count, error);
    w->joints = OD_NEW(w->arena, joint, count + 1, error);
    w->joint_of = OD_NEW(w->arena, int, count, error);
    w->above = OD_NEW(w->arena, int, count, error);
    if (!first || !next || !w->joints || !w->joint_of || !w->above) return false;
    for (int b = 0; b < (int)count; b++) {
        int parent = bone_of(w, b)->parent;
        w->above[b] = parent < 0 || is_kept(w, parent) ? parent : w->above[parent];
    }
    int roots = 0;
    for (size_t i = 0; i <= count; i++) first[i] = -1;
    for (int b = (int)count - 1; b >= 0; b--) {
        w->joint_of[b] = -1;
        if (!is_kept(w, b)) continue;
        next[b] = first[w->above[b] + 1];
        first[w->above[b] + 1] = b;
        roots += w->above[b] < 0;
    }
    if (!roots) return od_fail(error, "there are no bones to write");
    w->joined = roots > 1;
    if (w->joined) w->joints[w->count++] = (joint){.bone = -1, .parent = -1};
    order_joints(w, first, next);
    return true;
}

/* ---- what moves ------------------------------------------------------------------------------------ */

/* Locals of all bones become relative to the joint above: of those that are left out, nothing is lost. */
static void fold(const writer *w)
{
    for (int b = 0; b < w->scene->skeleton.count; b++) {
        int parent = bone_of(w, b)->parent;
        if (parent >= 0 && !is_kept(w, parent)) w->local[b] = od_xform_mul(w->local[parent], w->local[b]);
    }
}

/* Relative to the joint above, in axes that are the world's at rest. */
static od_xform turned(const writer *w, int bone)
{
    versors above = w->above[bone] < 0 ? od_quat_identity() : bone_of(w, w->above[bone])->rest_world.q;
    od_xform local = w->local[bone];
    versors own = od_quat_conj(bone_of(w, bone)->rest_world.q);
    return (od_xform){.q = od_quat_mul(od_quat_mul(above, local.q), own), .t = od_quat_rotate(above, local.t)};
}

/* The place at rest, relative to the joint above. */
static vec3s offset_of(const writer *w, int bone)
{
    vec3s at = bone_of(w, bone)->rest_world.t;
    return w->above[bone] < 0 ? at : glms_vec3_sub(at, bone_of(w, w->above[bone])->rest_world.t);
}

static void measure(writer *w)
{
    vec3s low = bone_of(w, 0)->rest_world.t, high = low;
    for (int b = 1; b < w->scene->skeleton.count; b++) {
        low = glms_vec3_minv(low, bone_of(w, b)->rest_world.t);
        high = glms_vec3_maxv(high, bone_of(w, b)->rest_world.t);
    }
    w->height = glms_vec3_distance(low, high);
    w->places = 6;
    for (float unit = w->height; unit > 0 && unit < 1 && w->places < 12; unit *= 10) w->places++;
}

/* A joint stands still when it is off by less than rounding makes it. */
static bool find_moves(writer *w, od_error *error)
{
    w->local = OD_NEW(w->arena, od_xform, (size_t)w->scene->skeleton.count, error);
    if (!w->local) return false;
    for (int f = 0; w->clip && f < w->clip->frames; f++) {
        od_clip_pose(w->clip, f, w->local);
        fold(w);
        for (int i = w->joined; i < w->count; i++) {
            joint *j = &w->joints[i];
            if (!od_vec3_finite(w->local[j->bone].t) || !od_quat_finite(w->local[j->bone].q))
                return od_fail(error, "frame %d of \"%s\" is not a number", f, bone_of(w, j->bone)->name);
            od_xform at = turned(w, j->bone);
            j->moves = j->moves || glms_vec3_distance(at.t, offset_of(w, j->bone)) > 3e-6F * w->height;
            j->turns = j->turns || od_quat_angle(at.q) > 1e-6F;
        }
    }
    w->joints[0].moves = true;
    return true;
}

/* A leaf that does nothing and is named so by the reader. */
static void find_ends(writer *w)
{
    for (int i = 1; i < w->count; i++) {
        joint *j = &w->joints[i];
        const joint *parent = &w->joints[j->parent];
        if (j->children || j->moves || j->turns || parent->children != 1 || parent->bone < 0) continue;
        const char *name = bone_of(w, j->bone)->name, *above = bone_of(w, parent->bone)->name;
        size_t size = strlen(above);
        j->end = !strncmp(name, above, size) && !strncmp(name + size, "_end", 4);
    }
}

/* ---- the text -------------------------------------------------------------------------------------- */

static void put_indent(writer *w, int depth)
{
    while (depth-- > 0) od_out_text(&w->out, "\t");
}

static void put_number(writer *w, double value, int places)
{
    if (w->begun) od_out_text(&w->out, " ");
    od_out_number(&w->out, value, places);
    w->begun = true;
}

static void put_vector(writer *w, vec3s v)
{
    put_number(w, (double)v.x, w->places);
    put_number(w, (double)v.y, w->places);
    put_number(w, -(double)v.z, w->places);
}

/* Most programs end a name at a blank, and all at a brace. */
static void put_name(writer *w, const joint *j)
{
    const char *name = j->bone < 0         ? "root"
                       : w->options->names ? w->options->names[j->bone]
                                           : bone_of(w, j->bone)->name;
    if (!*name) od_out_text(&w->out, "joint_");
    if (!*name) od_out_number(&w->out, j->bone, 0);
    for (const char *p = name; *p; p++) {
        bool spoils = (unsigned char)*p <= ' ' || *p == 0x7F || *p == '{' || *p == '}';
        od_out_bytes(&w->out, spoils ? "_" : p, 1);
    }
}

static void put_offset(writer *w, int depth, vec3s offset)
{
    put_indent(w, depth);
    od_out_text(&w->out, "OFFSET ");
    w->begun = false;
    put_vector(w, offset);
    od_out_text(&w->out, "\n");
}

static void put_end(writer *w, int depth, vec3s offset)
{
    put_indent(w, depth);
    od_out_text(&w->out, "End Site\n");
    put_indent(w, depth);
    od_out_text(&w->out, "{\n");
    put_offset(w, depth + 1, offset);
    put_indent(w, depth);
    od_out_text(&w->out, "}\n");
}

static void put_joint(writer *w, const joint *j, int depth)
{
    put_indent(w, depth);
    od_out_text(&w->out, j->parent < 0 ? "ROOT " : "JOINT ");
    put_name(w, j);
    od_out_text(&w->out, "\n");
    put_indent(w, depth);
    od_out_text(&w->out, "{\n");
    put_offset(w, depth + 1, j->bone < 0 ? od_vec3(0, 0, 0) : offset_of(w, j->bone));
    put_indent(w, depth + 1);
    od_out_text(&w->out, j->moves ? "CHANNELS 6 Xposition Yposition Zposition " : "CHANNELS 3 ");
    od_out_text(&w->out, "Zrotation Xrotation Yrotation\n");
    bool known = j->bone >= 0 && w->options->tails;
    if (!j->children) put_end(w, depth + 1, known ? w->options->tails[j->bone] : od_vec3(0, 0, 0));
}

static bool put_hierarchy(writer *w, od_error *error)
{
    int *depth = OD_NEW(w->arena, int, (size_t)w->count, error), open = 0;
    if (!depth) return false;
    od_out_text(&w->out, "HIERARCHY\n");
    for (int i = 0; i < w->count; i++) {
        const joint *j = &w->joints[i];
        depth[i] = j->parent < 0 ? 0 : depth[j->parent] + 1;
        if (j->end) {
            put_end(w, depth[i], offset_of(w, j->bone));
            continue;
        }
        for (; open > depth[i]; open--) {
            put_indent(w, open - 1);
            od_out_text(&w->out, "}\n");
        }
        put_joint(w, j, open++);
    }
    for (; open > 0; open--) {
        put_indent(w, open - 1);
        od_out_text(&w->out, "}\n");
    }
    return true;
}

/* Angles a, b, c of q = Rz(a) Rx(b) Ry(c) in the file's axes. Where b is a right angle, a and c turn about one
 * axis; c then stays as it was. */
static void find_angles(versors q, double c, double angles[3])
{
    double x = -(double)q.x, y = -(double)q.y, z = (double)q.z, w = (double)q.w;
    double n = x * x + y * y + z * z + w * w, s = n > 0 ? 2 / n : 0;
    double sine = s * (y * z + w * x);
    double cosine = hypot(s * (x * z - w * y), 1 - s * (x * x + y * y));
    angles[1] = atan2(sine, cosine);
    if (cosine > 1e-9) {
        angles[0] = atan2(-s * (x * y - w * z), 1 - s * (x * x + z * z));
        angles[2] = atan2(-s * (x * z - w * y), 1 - s * (x * x + y * y));
    } else {
        angles[0] = atan2(s * (x * y + w * z), 1 - s * (y * y + z * z)) - (sine < 0 ? -c : c);
        angles[2] = c;
    }
}

static const double PI = 3.14159265358979323846;

/* Whole turns are added until they are next to those before; sum of the differences. */
static double approach(double angles[3], const double before[3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        angles[i] -= 2 * PI * round((angles[i] - before[i]) / (2 * PI));
        sum += fabs(angles[i] - before[i]);
    }
    return sum;
}

/* Of the two ways to turn so, the one nearer to the frame before: programs interpolate each angle alone. */
static void put_angles(writer *w, joint *j, versors q)
{
    double one[3];
    find_angles(q, j->before[2], one);
    double other[3] = {one[0] + PI, PI - one[1], one[2] + PI};
    double near = approach(one, j->before), far = approach(other, j->before);
    memcpy(j->before, near <= far ? one : other, sizeof j->before);
    for (int i = 0; i < 3; i++) put_number(w, j->before[i] * (180 / PI), 6);
}

static void put_frame(writer *w, int frame)
{
    od_clip_pose(w->clip, frame, w->local);
    fold(w);
    w->begun = false;
    for (int i = 0; i < w->count; i++) {
        joint *j = &w->joints[i];
        if (j->end) continue;
        od_xform at = j->bone < 0 ? od_xform_identity() : turned(w, j->bone);
        if (j->moves) put_vector(w, at.t);
        put_angles(w, j, at.q);
    }
    od_out_text(&w->out, "\n");
}

static bool put_motion(writer *w)
{
    int frames = w->clip ? w->clip->frames : 0;
    od_out_text(&w->out, "MOTION\nFrames: ");
    od_out_number(&w->out, frames, 0);
    od_out_text(&w->out, "\nFrame Time: ");
    od_out_number(&w->out, w->clip && w->clip->fps > 0 ? 1 / w->clip->fps : 1.0 / 30, 12);
    od_out_text(&w->out, "\n");
    for (int f = 0; f < frames && !w->out.failed; f++) put_frame(w, f);
    return od_out_end(&w->out);
}

static bool write_all(writer *w, od_report *report, od_error *error)
{
    const od_scene *scene = w->scene;
    if (w->options->clip < scene->clip_count) w->clip = &scene->clips[w->options->clip];
    if (w->clip && w->clip->morph_count)
        od_warn(report, "%d morphs are left out: a BVH has none", w->clip->morph_count);
    if (!make_joints(w, error)) return false;
    measure(w);
    if (!find_moves(w, error)) return false;
    find_ends(w);
    return put_hierarchy(w, error) && put_motion(w);
}

bool od_bvh_write(const od_scene *scene, const od_write_options *options, const od_sink *sink, od_report *report,
                  od_error *error)
{
    static const od_write_options none = {0};
    od_arena *arena = od_arena_new(0);
    writer *w = arena ? OD_NEW(arena, writer, 1, error) : NULL;
    bool done = w || od_fail(error, "out of memory");
    if (w) {
        w->out.sink = sink;
        w->out.error = error;
        w->scene = scene;
        w->options = options ? options : &none;
        w->arena = arena;
        done = write_all(w, report, error);
    }
    od_arena_free(arena);
    return done;
}
