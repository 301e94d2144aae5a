/* Append: a bone that takes part in the motion of another one. */
#ifndef ODORI_MMD_APPEND_H
#define ODORI_MMD_APPEND_H

#include "mmd/pose.h"

/* Rotation and offset of a bone, its own and what it takes from its source, as that stands now. */
od_xform od_append(const od_pose *pose, int bone);

/* q to the power of `ratio`: its axis, `ratio` times its angle (which is taken within a half turn). */
versors od_quat_power(versors q, float ratio);

#endif
