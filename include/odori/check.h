/* Check: a motion played back on a model, and what is wrong with it. */
#ifndef ODORI_CHECK_H
#define ODORI_CHECK_H

#include "odori/clip.h"
#include "odori/player.h"
#include "odori/report.h"

/* What the motion was made from, for comparison: a source's joints by role, frame by frame. */
typedef struct od_reference {
    const od_skeleton *skeleton;
    const od_xform *rest;     /* rest[joint]: world at rest, upright, facing -Z */
    od_clip clip;             /* at 30 fps: its frame is the motion's */
    int joint[OD_ROLE_COUNT]; /* joint of a role, -1: none */
    int toe[2];               /* joint that shows where a foot points, left and right; -1: none */
    versors turn;             /* turns the clip's worlds upright and to the front */
    float scale;              /* MMD units per unit of the source */
    vec3s origin;             /* point on the source's floor that comes to zero; turned, its unit */
} od_reference;

/* One row of measures, see od_measures. */
typedef enum od_measure {
    OD_MEASURE_DIRECTION,
    OD_MEASURE_TURN,
    OD_MEASURE_RESIDUAL,
    OD_MEASURE_KNEE,
    OD_MEASURE_PLAYER,
    OD_MEASURE_LIMIT,
    OD_MEASURE_FLIP,
    OD_MEASURE_SLIDE,
    OD_MEASURE_SOURCE_SLIDE,
    OD_MEASURE_FLOAT,
    OD_MEASURE_UNDER,
    OD_MEASURE_JERK,
    OD_MEASURE_LENGTH,
    OD_MEASURE_KEYS,
    OD_MEASURE_APPEND,
    OD_MEASURE_LACKING,
    OD_MEASURE_NAME,
    OD_MEASURE_COUNT
} od_measure;

/* Which statistic of a measure counts against its limit. */
typedef enum od_statistic { OD_STATISTIC_MEAN, OD_STATISTIC_P95, OD_STATISTIC_MAX } od_statistic;

typedef struct od_measure_row {
    const char *name;  /* one word, for programs */
    const char *title; /* for people */
    const char *unit;
    od_statistic judged;
    float limit; /* default; infinite: not judged */
} od_measure_row;

/* od_measures()[OD_MEASURE_COUNT] */
OD_API const od_measure_row *od_measures(void);

/* What was measured over the frames, of one group of bones. */
typedef struct od_figure {
    od_measure measure;
    const char *group;         /* "thighs", the name of an IK bone, "all" */
    bool is_sum;               /* of the groups before it */
    int count;                 /* of samples */
    float mean, p50, p95, max; /* p50 and p95 within 1 % */
    int frame;                 /* of the maximum; -1: of no frame */
    const char *bone;          /* of the maximum, NULL: none */
} od_figure;

/* The statistic that counts. */
OD_API float od_figure_judged(const od_figure *figure);

typedef struct od_check {
    int frames;         /* at 30 fps */
    size_t keys;        /* of bones */
    int iterations;     /* largest number of loops that an IK chain of the legs needed */
    od_figure *figures; /* by measure, then by group, "all" last */
    int figure_count;
} od_check;

typedef struct od_check_options {
    int every;     /* every how many frames the second solver is asked; 0: 1 */
    bool agreeing; /* the motion has keys of legs and of their IK that are meant to agree */
} od_check_options;

/* Plays `keys` on `target` and measures them; against `reference` when it is not NULL. What is wrong
 * with names goes to the report. Fails when the motion has more than
 * OD_CLIP_FRAMES frames: two keys can be four years apart. */
OD_API bool od_check_motion(const od_target *target, const od_keys *keys, const od_reference *reference,
                            const od_check_options *options, od_check *check, od_report *report, od_arena *arena,
                            od_error *error);

/* Switches off the IK of chains of which the check says that it moves what the keys show. True when there
 * were some; each is told. */
OD_API bool od_check_mend(const od_check *check, od_keys *keys, od_report *report);

#endif
