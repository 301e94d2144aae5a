/* Keys: a motion as MMD holds it. */
#ifndef ODORI_KEYS_H
#define ODORI_KEYS_H

#include "odori/arena.h"
#include "odori/xform.h"

/* Control points of the four curves X, Y, Z, R of a bone key: x1 y1 x2 y2, 0..127 each. The curve
 * belongs to the segment that ends at its key. */
typedef struct od_curves {
    unsigned char c[4][4];
} od_curves;

/* clang-format off */
#define OD_CURVES_LINEAR {{{20, 20, 107, 107}, {20, 20, 107, 107}, {20, 20, 107, 107}, {20, 20, 107, 107}}}
/* clang-format on */

/* Keys of one bone, ascending in frame. Structure of arrays: dense tracks of long dances must stay
 * small, so what is constant is not stored. */
typedef struct od_track {
    const char *name;        /* bone or morph, the target's own spelling, UTF-8 */
    int count;               /* number of keys */
    const unsigned *frame;   /* frame[count] at 30 fps; NULL: key i is at frame i */
    const vec3s *position;   /* offset from rest in the parent's axes, MMD units; NULL: zero */
    const versors *rotation; /* relative to rest, unit, continuous in sign; NULL: identity */
    const od_curves *curves; /* NULL: linear */
    const bool *still;       /* still[count]: rigid bodies on the bone follow it from this key on; NULL: physics */
} od_track;

typedef struct od_morph_track {
    const char *name;
    int count;
    const unsigned *frame; /* NULL: key i is at frame i */
    const float *weight;
} od_morph_track;

typedef struct od_ik_switch {
    const char *name; /* IK bone */
    bool on;
} od_ik_switch;

/* One frame that sets visibility and IK switches. */
typedef struct od_ik_key {
    unsigned frame;
    bool show;
    od_ik_switch *switches;
    int count;
} od_ik_key;

/* Camera: looks at `position` from `distance` (negative: from in front), turned by Euler angles. */
typedef struct od_camera_key {
    unsigned frame;
    float distance; /* MMD units */
    vec3s position;
    vec3s rotation;           /* radians */
    unsigned char curves[24]; /* X Y Z R distance angle, each x1 x2 y1 y2 */
    unsigned angle;           /* of view, degrees */
    bool perspective;
} od_camera_key;

typedef struct od_light_key {
    unsigned frame;
    vec3s color, direction;
} od_light_key;

typedef struct od_shadow_key {
    unsigned frame;
    int mode;       /* 0 off, 1, 2 */
    float distance; /* as the file has it: 0.1 - d / 100000 of what MMD shows */
} od_shadow_key;

/* All lists ascend in frame. */
/* The model's name in files that move camera and light; MMD refuses them on a model. */
#define OD_CAMERA_MODEL "カメラ・照明"

typedef struct od_keys {
    const char *model; /* name of the model, UTF-8 */
    od_track *tracks;
    int track_count;
    od_morph_track *morphs;
    int morph_count;
    od_ik_key *ik;
    int ik_count;
    od_camera_key *cameras;
    int camera_count;
    od_light_key *lights;
    int light_count;
    od_shadow_key *shadows;
    int shadow_count;
} od_keys;

/* The frame of a key of a track of bones or morphs. */
static inline unsigned od_key_frame(const unsigned *frames, int key)
{
    return frames ? frames[key] : (unsigned)key;
}

/* Number of bone keys in all tracks. */
OD_API size_t od_keys_count(const od_keys *keys);

/* The last frame with a key. */
OD_API unsigned od_keys_last(const od_keys *keys);

#endif
