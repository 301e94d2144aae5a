/* Sole: the points of a model's foot that touch the floor. */
#ifndef ODORI_MMD_SOLE_H
#define ODORI_MMD_SOLE_H

#include "odori/target.h"

/* Centimetres in a unit of MMD. */
#define OD_CM 8.0f

/* Points relative to the ankle at rest. Heel and tip lie on the floor; the ball is the joint about
 * which the tip turns, above the floor: 足先EX, or in a model without it つま先, for a stiff foot rolls
 * over its tip. */
typedef struct od_sole {
    vec3s heel, ball, tip;
} od_sole;

/* `side` 0: left. All zero when the model has no ankle. */
od_sole od_sole_of(const od_target *target, int side);

/* Height of the lowest point of the sole above the ankle's height (negative), when the foot and its
 * toes are turned so since rest. */
float od_sole_lowest(const od_sole *sole, versors foot, versors toes);

/* How much a point at a height (cm) is on the floor: 1 at 0, 0 from 3 cm on. */
static inline float od_contact_weight(float height)
{
    return fminf(fmaxf(2 - exp2f(height / 3), 0), 1);
}

#endif
