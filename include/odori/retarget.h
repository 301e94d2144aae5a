/* Retarget: a clip on one skeleton becomes keys for a target. */
#ifndef ODORI_RETARGET_H
#define ODORI_RETARGET_H

#include "odori/binding.h"
#include "odori/check.h"
#include "odori/keys.h"
#include "odori/reduce.h"
#include "odori/rest.h"

typedef enum od_align { OD_ALIGN_AUTO, OD_ALIGN_ALL, OD_ALIGN_NONE } od_align;
typedef enum od_scale_kind { OD_SCALE_AUTO, OD_SCALE_LEG, OD_SCALE_HIP, OD_SCALE_FIXED } od_scale_kind;
typedef enum od_legs { OD_LEGS_BOTH, OD_LEGS_FK, OD_LEGS_IK } od_legs;
typedef enum od_feet { OD_FEET_HYBRID, OD_FEET_ABSOLUTE, OD_FEET_RELATIVE } od_feet;
typedef enum od_foot_lock { OD_FOOT_LOCK_OFF, OD_FOOT_LOCK_SOFT, OD_FOOT_LOCK_HARD } od_foot_lock;

/* The zero value is the default. */
typedef struct od_retarget_options {
    od_bind bind;
    od_up up;
    od_align align;
    bool arm_angle_set; /* arms of the target hang `arm_angle` degrees below the horizontal at rest */
    float arm_angle;
    od_scale_kind scale_kind;
    double scale; /* for OD_SCALE_FIXED: MMD units per unit of the source */
    od_legs legs;
    od_feet feet;
    od_foot_lock foot_lock;
    bool keep_heading; /* do not turn the rig to face -Z */
    bool keep_origin;  /* do not move the first frame's hips to x = z = 0 */
    bool groove;       /* height into グルーブ, the rest into センター */
    bool mother;       /* travel of the ground plane into 全ての親 */
    bool in_place;     /* no travel in the ground plane */
    bool ground_set;
    double ground;   /* height of the floor, unit of the source; else it is measured */
    bool keep_first; /* do not drop a still rest frame before the motion */
    od_resample_options resample;
} od_retarget_options;

/* What was chosen and measured. Lengths in MMD units, angles in degrees. */
typedef struct od_retarget_result {
    od_bind bind; /* never OD_BIND_AUTO */
    const char *bind_reason;
    float heading;  /* degrees that the source was turned about Y */
    const char *up; /* "y", "z", ...: the source's up axis */
    float scale;    /* MMD units per unit of the source */
    const char *scale_kind;
    float ground;              /* unit of the source */
    float arm_angle;           /* of the left arm: target against source at rest */
    int frames;                /* at 30 fps */
    int dropped;               /* frames dropped at the start */
    int contacts;              /* intervals of a foot on the floor */
    od_contacts footing;       /* those intervals */
    float contact_share;       /* of the frames, mean of both feet */
    float reach_lowered;       /* largest lowering of the hips for feet out of reach */
    float slide_source, slide; /* cm a frame in contact, source scaled and output */
    od_reference reference;    /* what the keys should show; points into the scene and the arena */
} od_retarget_result;

/* Solves every frame of `clip` (of scene->skeleton) for `target`. `keys` lives in the arena. */
OD_API bool od_retarget(const od_scene *scene, const od_clip *clip, const od_binding *binding, const od_target *target,
                        const od_retarget_options *options, od_keys *keys, od_retarget_result *result,
                        od_report *report, od_arena *arena, od_error *error);

#endif
