/* Roles that no mapping may drive: odori makes their keys itself, or the model moves them. */
#ifndef ODORI_MAPPING_GENERATED_H
#define ODORI_MAPPING_GENERATED_H

#include "odori/role.h"

static inline bool od_role_is_generated(od_role role)
{
    switch (role) {
    case OD_ROLE_SHOULDER_C_L:
    case OD_ROLE_SHOULDER_C_R:
    case OD_ROLE_WAIST_CANCEL_L:
    case OD_ROLE_WAIST_CANCEL_R:
    case OD_ROLE_LEG_D_L:
    case OD_ROLE_LEG_D_R:
    case OD_ROLE_KNEE_D_L:
    case OD_ROLE_KNEE_D_R:
    case OD_ROLE_ANKLE_D_L:
    case OD_ROLE_ANKLE_D_R:
    case OD_ROLE_LEG_IK_PARENT_L:
    case OD_ROLE_LEG_IK_PARENT_R:
    case OD_ROLE_LEG_IK_L:
    case OD_ROLE_LEG_IK_R:
    case OD_ROLE_TOE_IK_L:
    case OD_ROLE_TOE_IK_R: return true;
    default: return false;
    }
}

#endif
