/* Input: a track and a frame. Output: the bone's offset and rotation, or the morph's weight, whatever
 * was asked before. */
#include "mmd/track.h"

#include "math/bezier.h"

int od_key_find(const unsigned *frames, int count, double frame, int near)
{
    if (!frames) return frame >= count ? count - 1 : (int)frame;
    int low = -1, high = count; /* frames[low] <= frame < frames[high] */
    if (near >= 0 && near < count) {
        if (frames[near] <= frame) low = near;
        else high = near;
        if (low == near && near + 1 < count) { /* playing forwards: this segment or the next */
            if (frames[near + 1] > frame) return near;
            low = near + 1;
        }
    }
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (frames[middle] <= frame) low = middle;
        else high = middle;
    }
    return low;
}

/* A key of a bone with a fixed axis turns it about that by the whole of its angle, in the sense that is
 * nearer to the key's own (noname0310/babylon-mmd: so MMD does when it loads a motion). */
static versors onto_axis(versors q, vec3s axis)
{
    float along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    float angle = od_quat_angle(q); /* short, so its axis is that of q with w >= 0 */
    return od_quat_axis_angle(axis, (along < 0) != (q.w < 0) ? -angle : angle);
}

static versors key_rotation(const od_track_reader *reader, int key)
{
    const versors *rotation = reader->track->rotation;
    if (!rotation) return od_quat_identity();
    versors q = od_quat_normalize(rotation[key]);
    return reader->axis ? onto_axis(q, *reader->axis) : q;
}

od_track_reader od_track_read(const od_track *track, const vec3s *axis)
{
    return (od_track_reader){.track = track && track->count > 0 ? track : NULL, .axis = axis, .key = -1, .arc_key = -1};
}

/* How far between the keys `key` and `key + 1`, 0 to 1. */
static double progress(const unsigned *frames, int key, double frame)
{
    double begin = od_key_frame(frames, key), end = od_key_frame(frames, key + 1);
    return (frame - begin) / (end - begin);
}

static double curve(const od_track *track, int key, int channel, double x)
{
    return track->curves ? od_bezier(track->curves[key].c[channel], x) : x;
}

static vec3s between(const od_track *track, int key, double x)
{
    vec3s a = track->position[key], b = track->position[key + 1];
    for (int axis = 0; axis < 3; axis++)
        if (a.raw[axis] != b.raw[axis])
            a.raw[axis] += (float)(((double)b.raw[axis] - (double)a.raw[axis]) * curve(track, key + 1, axis, x));
    return a;
}

static void prepare_arc(od_track_reader *reader, int key)
{
    versors from = key_rotation(reader, key), to = key_rotation(reader, key + 1);
    reader->arc = od_arc_make(from, od_quat_near(to, from));
    reader->arc_key = key;
}

od_xform od_track_sample(od_track_reader *reader, double frame)
{
    const od_track *track = reader->track;
    if (!track) return od_xform_identity();
    int key = reader->key = od_key_find(track->frame, track->count, frame, reader->key);
    bool held = key < 0 || key + 1 >= track->count || od_key_frame(track->frame, key) == frame;
    if (key < 0) key = 0;
    if (held) {
        vec3s t = track->position ? track->position[key] : od_vec3(0, 0, 0);
        return (od_xform){.q = key_rotation(reader, key), .t = t};
    }
    double x = progress(track->frame, key, frame);
    od_xform at = od_xform_identity();
    if (track->position) at.t = between(track, key, x);
    if (!track->rotation) return at;
    if (reader->arc_key != key) prepare_arc(reader, key);
    at.q = reader->arc.from;
    if (reader->arc.angle > 0) at.q = od_arc_at(&reader->arc, (float)curve(track, key + 1, 3, x));
    return at;
}

float od_morph_sample(od_morph_reader *reader, double frame)
{
    const od_morph_track *track = reader->track;
    if (!track || track->count < 1) return 0;
    int key = reader->key = od_key_find(track->frame, track->count, frame, reader->key);
    if (key < 0) return track->weight[0];
    if (key + 1 >= track->count) return track->weight[key];
    double a = (double)track->weight[key], b = (double)track->weight[key + 1];
    return (float)(a + (b - a) * progress(track->frame, key, frame));
}
