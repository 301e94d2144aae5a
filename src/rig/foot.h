/* Foot: where a shoe ends. */
#ifndef ODORI_RIG_FOOT_H
#define ODORI_RIG_FOOT_H

#include "rig/work.h"

/* Where つま先 belongs, 0: left, 1: right: at the tip of the mesh below the ankle, on the height of its sole;
 * without a mesh a third of the shin ahead of the ankle, on the floor. The ankle and the knee are known. */
bool od_foot_tip(od_work *work, int side, vec3s *tip);

#endif
