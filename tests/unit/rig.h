/* Rigs for the solver's tests: a source whose bind, unit and proportions a test chooses, with poses
 * given as rotations from its rest; targets with bones taken out or put elsewhere. */
#ifndef ODORI_TESTS_RIG_H
#define ODORI_TESTS_RIG_H

#include "check.h"
#include "odori/retarget.h"
#include "player.h"

enum { RIG_JOINTS = 128, RIG_FRAMES = 90 };

/* What a source looks like. The zero value: 94 cm of legs, T-pose, three spine joints, unit 1 cm,
 * all rest rotations identity. */
typedef struct rig_shape {
    double unit;              /* length of a centimetre in the file; 0: 1 */
    double arms, legs, trunk; /* stretch; 0: 1 */
    double knee_up;           /* cm that the knees are higher: other proportions of thigh and shin */
    double arm_down;          /* degrees below the horizontal at rest */
    int spines;               /* 1..3; 0: 3 */
    bool turned_bind;         /* each joint has an arbitrary rest rotation */
    bool no_fingers, no_toes;
} rig_shape;

/* A pose: each joint's rotation relative to its parent, in axes that are the world's at rest; the
 * hips' way from rest, cm. */
typedef struct rig_pose {
    quatd turn[RIG_JOINTS];
    vecd hips;
} rig_pose;

typedef struct rig {
    od_arena *arena;
    od_error error;
    od_scene scene;
    od_clip clip;    /* made of `local` by rig_clip */
    od_xform *local; /* local[frame * clip.bones + joint] */
    od_binding binding;
    od_target target;
    od_retarget_options options;
    od_keys keys;
    od_retarget_result result;
    od_report report;
    int joint[OD_ROLE_COUNT]; /* -1: none */
    od_role role[RIG_JOINTS]; /* OD_ROLE_NONE: none */
    vecd at[RIG_JOINTS];      /* rest positions, cm */
    quatd bind[RIG_JOINTS];   /* world rest rotations */
    double unit;
    bool same; /* the source is the target's own skeleton */
} rig;

/* A source of a shape on the standard model, its clip at rest in all frames. */
void rig_open(rig *r, const rig_shape *shape, int frames);

/* The target's own skeleton as source, one to one, bones' rest rotations as they are or turned. */
void rig_open_same(rig *r, int frames, bool turned_bind);
void rig_close(rig *r);

/* The clip as the poses are now. */
const od_clip *rig_clip(rig *r);

/* Makes the zero pose no pose at all, as some motion capture files have it: every offset runs along
 * +X, on the right side along -X, and no joint is turned. Call before rig_put; the motion shows the
 * same as before. */
void rig_forget_rest(rig *r);

rig_pose rig_rest(void);
void rig_put(rig *r, int frame, const rig_pose *pose);

/* World rotation from rest of a joint in a pose, and its place (cm). */
xformd rig_delta(const rig *r, const rig_pose *pose, int joint);

/* Legs of a pose so that the ankle comes to `at` (cm) and the foot turns by `foot` from rest. */
void rig_reach(const rig *r, rig_pose *pose, int side, vecd at, quatd foot);

/* A smooth random pose: everything moves, knees bend 20 to 80 degrees. */
rig_pose rig_random(const rig *r, uint32_t seed, int frame);
void rig_dance(rig *r, uint32_t seed);

/* Turns the whole source (rest and motion) or only its motion about the origin, after rig_put. */
void rig_turn(rig *r, quatd q, bool rest_too);

/* Retargets, fails the test when that fails. */
void rig_solve(rig *r);

/* World of the source's joint as the clip has it, the file's unit. */
xformd rig_world(const rig *r, int frame, int joint);

/* World of the target's bone of a role as the keys have it, IK off. */
xformd rig_played(const rig *r, int frame, od_role role);

/* The key of a role's bone. */
xformd rig_key(const rig *r, int frame, od_role role);

/* Direction between two roles, in the source and as played. */
vecd rig_source_way(const rig *r, int frame, od_role from, od_role to);
vecd rig_played_way(const rig *r, int frame, od_role from, od_role to);

/* All numbers of the keys are finite, quaternions unit and continuous in sign. */
void rig_check_keys(const rig *r);

/* Puts a copy of the target in its place that lacks some bones (their children go to their
 * parents) or whose bones hang on others or stand elsewhere. */
void rig_without(rig *r, const od_role *roles, int count);
void rig_hang(rig *r, od_role role, od_role parent);
void rig_move(rig *r, od_role role, vecd at);

/* Puts a new bone below another; the children of that hang on the new one then. */
void rig_insert(rig *r, od_role role, od_role parent, vecd at);

#endif
