/* Input: the text behind MOTION. Output: local transforms in canonical space, frame by frame.
 * The numbers of one row are held, never those of all. Invariant: every number is finite.
 *
 * BVH is right-handed: p' = (x, y, -z), q' = (-x, -y, z, w) make it canonical. */
#include "format/bvh_motion.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "math/half_angle.h"

/* ---- head ---------------------------------------------------------------------------------------- */

bool od_bvh_head_read(od_bvh_text *text, od_bvh_head *out, od_report *report, od_error *error)
{
    double count = -1, time = -1;
    bool counted = false, timed = false;
    for (;;) {
        if (od_bvh_word(text, "frames")) {
            od_bvh_mark(text, ':');
            if (!od_bvh_number(text, &count, error)) return false;
            counted = true;
        } else if (od_bvh_word(text, "frametime") || (od_bvh_word(text, "frame") && od_bvh_word(text, "time"))) {
            od_bvh_mark(text, ':');
            if (!od_bvh_number(text, &time, error)) return false;
            timed = true;
        } else {
            break;
        }
    }
    bool whole = count >= 0 && count <= INT_MAX && count == (double)(int)count;
    out->declared = whole ? (int)count : -1;
    if (!counted) od_warn(report, "%s: the number of frames is missing: all rows are taken", text->file);
    else if (!whole) od_warn(report, "%s: %g is no number of frames: all rows are taken", text->file, count);

    /* From ten thousand frames a second to one in ten seconds: beyond, the number means something else. */
    bool usable = time >= 1e-4 && time <= 10;
    out->fps = usable ? od_fps_snap(1 / time) : 30;
    if (!timed) od_warn(report, "%s: the frame time is missing: 30 frames a second are assumed", text->file);
    else if (!usable)
        od_warn(report, "%s: a frame time of %g s cannot be: 30 frames a second are assumed", text->file, time);
    return true;
}

/* ---- rows ---------------------------------------------------------------------------------------- */

bool od_bvh_rows_make(const od_bvh_text *text, int columns, int declared, od_bvh_rows *out, od_arena *arena,
                      od_error *error)
{
    const char *blank = text->end;
    while (blank > text->at && (unsigned char)blank[-1] > ' ') blank--;
    *out = (od_bvh_rows){.text = *text, .blank = blank, .columns = columns, .declared = declared};
    out->row = OD_NEW(arena, double, (size_t)columns, error);
    return out->row != NULL;
}

static void end_line(od_bvh_rows *rows, const char *at)
{
    if (rows->on_line == 0) return;
    if (rows->on_line != rows->columns && !rows->odd) {
        rows->odd = at;
        rows->odd_count = rows->on_line;
        rows->odd_line = rows->lines;
    }
    rows->lines++;
    rows->on_line = 0;
}

od_bvh_step od_bvh_rows_next(od_bvh_rows *rows, od_error *error)
{
    const char *p = rows->text.at, *end = rows->text.end;
    for (;;) {
        for (; p < end && (unsigned char)*p <= ' '; p++)
            if (*p == '\n' || *p == '\r') end_line(rows, p);
        rows->text.at = p;
        if (p == end) {
            end_line(rows, p);
            return OD_BVH_END;
        }
        double *value = &rows->row[rows->filled];
        p = od_number_parse(p, p < rows->blank ? rows->blank : end, value);
        if (!p || !od_bvh_separated(p, end) || !(fabs(*value) <= OD_BVH_LARGEST)) break;
        rows->on_line++;
        if (++rows->filled == rows->columns) {
            rows->filled = 0;
            rows->frames++;
            rows->text.at = p;
            return OD_BVH_ROW;
        }
    }
    /* Behind the last declared frame some files go on with other things. */
    if (rows->filled == 0 && rows->on_line == 0 && rows->declared > 0 && rows->frames >= rows->declared) {
        rows->rest_ignored = true;
        return OD_BVH_END;
    }
    od_bvh_no_number(&rows->text, rows->text.at, error);
    return OD_BVH_FAILED;
}

/* Judges lines that do not hold one frame each, once all are read. Rows broken over lines are
 * believed when the numbers make up exactly the declared frames and the lines do not; else one
 * number too few or too many would shift all after it. An incomplete last row is dropped. */
static bool check_lines(const od_bvh_rows *rows, od_report *report, od_error *error)
{
    const char *file = rows->text.file;
    bool cut = rows->odd_line == rows->lines - 1 && rows->odd_count == rows->filled;
    if (rows->odd && !cut) {
        bool broken =
            rows->filled == 0 && rows->lines != rows->frames && (rows->declared == rows->frames || rows->declared < 0);
        if (!broken)
            return od_fail(error, "%s:%d: expected %d numbers in this row, one for each channel, found %d", file,
                           od_bvh_line(&rows->text, rows->odd), rows->columns, rows->odd_count);
        od_warn(report, "%s: the rows are broken over lines", file);
    } else if (rows->filled > 0) {
        od_warn(report, "%s: the last row has %d of %d numbers and is dropped", file, rows->filled, rows->columns);
    }
    if (rows->rest_ignored)
        od_warn(report, "%s:%d: what follows the last frame is ignored", file, od_bvh_line(&rows->text, rows->text.at));
    if (rows->declared >= 0 && rows->declared != rows->frames)
        od_warn(report, "%s: %d frames are declared, %d are there and used", file, rows->declared, rows->frames);
    return true;
}

/* ---- transforms ---------------------------------------------------------------------------------- */

vec3s od_bvh_vector(const double v[3])
{
    return od_vec3((float)v[0], (float)v[1], (float)-v[2]);
}

/* The product of three turns about different axes i, j, k, the first leftmost, already mirrored.
 * Each part goes straight to its place: putting them in order on the way costs as much as the rest. */
static void turn(const od_bvh_joint *joint, const double *row, versors *q)
{
    static const double MIRROR[3] = {-1, -1, 1};
    double s[3] = {0, 0, 0}, c[3] = {1, 1, 1};
    for (int n = 0; n < 3; n++)
        if (joint->rotation[n] >= 0) od_half_angle(row[joint->rotation[n]], &s[n], &c[n]);
    int i = joint->axis[0], j = joint->axis[1], k = joint->axis[2];
    double even = (i + 1) % 3 == j ? 1 : -1; /* is (i, j, k) a rotation of (x, y, z)? */
    q->raw[i] = (float)(MIRROR[i] * (s[0] * c[1] * c[2] + even * c[0] * s[1] * s[2]));
    q->raw[j] = (float)(MIRROR[j] * (c[0] * s[1] * c[2] - even * s[0] * c[1] * s[2]));
    q->raw[k] = (float)(MIRROR[k] * (c[0] * c[1] * s[2] + even * s[0] * s[1] * c[2]));
    q->raw[3] = (float)(c[0] * c[1] * c[2] - even * s[0] * s[1] * s[2]);
}

static vec3s place(const od_bvh_joint *joint, const double *row)
{
    double p[3];
    for (int i = 0; i < 3; i++) p[i] = joint->position[i] >= 0 ? row[joint->position[i]] : joint->offset[i];
    return od_bvh_vector(p);
}

static void convert(const od_bvh_joint *joints, int count, const double *row, od_xform *local)
{
    for (int i = 0; i < count; i++) {
        turn(&joints[i], row, &local[i].q);
        local[i].t = place(&joints[i], row);
    }
}

/* ---- positions relative to OFFSET ---------------------------------------------------------------- */

/* The part of OFFSET along the axes that have position channels. */
static vec3s replaced_offset(const od_bvh_joint *joint)
{
    double v[3];
    for (int i = 0; i < 3; i++) v[i] = joint->position[i] >= 0 ? joint->offset[i] : 0;
    return od_bvh_vector(v);
}

/* A joint whose positions were about zero in all frames so far although its OFFSET is not. */
typedef struct relative {
    int joint;
    vec3s offset, fixed; /* the part that has position channels, and the other */
} relative;

static int find_offsets(const od_bvh_joint *joints, int count, relative *out)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        vec3s offset = replaced_offset(&joints[i]);
        vec3s fixed = glms_vec3_sub(od_bvh_vector(joints[i].offset), offset);
        if (glms_vec3_norm(offset) > 0) out[n++] = (relative){.joint = i, .offset = offset, .fixed = fixed};
    }
    return n;
}

/* Leaves those for which the frame says so too. */
static int keep_relative(relative *joints, int count, const od_xform *local)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        float away = glms_vec3_distance(local[joints[i].joint].t, joints[i].fixed);
        if (away <= 0.01f * glms_vec3_norm(joints[i].offset)) joints[kept++] = joints[i];
    }
    return kept;
}

/* Position channels replace OFFSET; but some exporters write them relative to it, and then all
 * joints would fall into one point. */
static void add_offsets(const relative *added, int count, const od_bvh_joint *joints, const char *file, od_clip *clip,
                        od_report *report)
{
    for (int i = 0; i < count; i++) od_clip_move(clip, added[i].joint, added[i].offset);
    if (count > 0)
        od_warn(report,
                "%s: the positions of %d joint%s (%s) are about zero in all frames although OFFSET is not: the "
                "exporter wrote them relative to OFFSET, which is added",
                file, count, count > 1 ? "s" : "", joints[added[0].joint].name);
}

/* ---- clip ---------------------------------------------------------------------------------------- */

/* The most transforms that a file of a size may ask for: far more than any real one does. Joints without
 * channels cost no text. */
static uint64_t most_transforms(const od_bvh_text *text)
{
    return 2 * (uint64_t)(text->end - text->start) + (1 << 20);
}

bool od_bvh_motion_read(const od_bvh_text *text, const od_bvh_hierarchy *hierarchy, int first, int count, int declared,
                        double fps, od_clip *clip, od_report *report, od_arena *arena, od_error *error)
{
    if (!od_clip_make(clip, count, fps, arena, error)) return false;
    if (hierarchy->columns == 0) return true;
    const od_bvh_joint *joints = hierarchy->joints + first;
    relative *added = OD_NEW(arena, relative, (size_t)count, error);
    od_bvh_rows rows;
    if (!added || !od_bvh_rows_make(text, hierarchy->columns, declared, &rows, arena, error)) return false;
    int adding = find_offsets(joints, count, added);
    uint64_t most = most_transforms(text);
    od_bvh_step step;
    while ((step = od_bvh_rows_next(&rows, error)) == OD_BVH_ROW) {
        if ((uint64_t)rows.frames * (uint64_t)count > most)
            return od_fail(error, "%s: %d and more frames of %d joints are too many for a file of %td bytes",
                           text->file, rows.frames, count, text->end - text->start);
        od_xform *local = od_clip_add(clip, error);
        if (!local) return false;
        convert(joints, count, rows.row, local);
        adding = keep_relative(added, adding, local);
    }
    if (step == OD_BVH_FAILED || !check_lines(&rows, report, error)) return false;
    if (clip->frames > 0) add_offsets(added, adding, joints, text->file, clip, report);
    return true;
}
