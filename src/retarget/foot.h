/* Foot: one foot of the target over a whole clip. */
#ifndef ODORI_RETARGET_FOOT_H
#define ODORI_RETARGET_FOOT_H

#include "math/band.h"
#include "retarget/solution.h"

/* Where the ankle is by each of two wishes, and what is made of them; by frame, world, MMD units. */
typedef struct od_foot {
    od_sole sole;
    od_leg leg;
    int frames;
    vec3s *hip;    /* joint of the thigh */
    vec3s *copied; /* ankle when the leg points as the source's does */
    vec3s *placed; /* ankle when the foot is where the source's is */
    vec3s *ball;   /* from the ankle to the ball */
    float *least;  /* height of the ankle below which the sole would be under the floor */
    float *low;    /* 1 while the source's toe joint is on the floor, 0 from 3 cm on */
    float *step;   /* way of the placed ball in the plane since the frame before */
    float *strain; /* how much the copied leg's segments turn when the ankle is moved away: most in a straight one */
    vec3s *by;     /* what is added to `copied` */
} od_foot;

bool od_foot_make(od_foot *foot, const od_solution *solution, const od_travel *travel, int side, od_arena *arena,
                  od_error *error);

/* Where the ankle comes to be. */
static inline vec3s od_foot_goal(const od_foot *foot, int frame)
{
    vec3s goal = glms_vec3_add(foot->copied[frame], foot->by[frame]);
    return od_vec3(goal.x, fmaxf(goal.y, foot->least[frame]), goal.z);
}

/* Memory that easing needs, for any number of times. */
typedef struct od_ease {
    od_band band;
    double *x, *y, *z;
} od_ease;

bool od_ease_make(od_ease *ease, int frames, od_arena *arena, od_error *error);

/* Find `by`: in the plane, and in height. `weight`: how much the foot is on the floor; `firm` (0, 1, ...): how
 * much a standing foot keeps to the source's way, at the cost of the legs' directions. */
void od_foot_ease_plane(od_foot *foot, const float *weight, int firm, od_ease *ease);
void od_foot_ease_height(od_foot *foot, const float *weight, od_ease *ease);

/* Finds the way by which the hips should go along with feet that stand: weight[side][frame], way[frame]. */
void od_hips_ease(const od_foot foot[2], float *const weight[2], vec3s *way, od_ease *ease);

/* --foot-lock: goals[frame] of the ankle so that the ball stays in one place while the foot stands. */
bool od_foot_hold(vec3s *goal, const od_foot *foot, const od_footing *footing, int side, bool soft, od_arena *arena,
                  od_error *error);

#endif
