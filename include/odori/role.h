/* Roles: the vocabulary of MMD's standard and semi-standard bones. */
#ifndef ODORI_ROLE_H
#define ODORI_ROLE_H

#include "odori/error.h"

/* Left and right roles alternate: the mirror of a sided role r is r ^ 1, see od_role_mirror. */
typedef enum od_role {
    OD_ROLE_NONE = -1,
    OD_ROLE_MOTHER,                /* 全ての親 */
    OD_ROLE_CENTER,                /* センター */
    OD_ROLE_GROOVE,                /* グルーブ */
    OD_ROLE_WAIST,                 /* 腰 */
    OD_ROLE_LOWER_BODY,            /* 下半身 */
    OD_ROLE_UPPER_BODY,            /* 上半身 */
    OD_ROLE_UPPER_BODY2,           /* 上半身2 */
    OD_ROLE_UPPER_BODY3,           /* 上半身3 */
    OD_ROLE_NECK,                  /* 首 */
    OD_ROLE_HEAD,                  /* 頭 */
    OD_ROLE_EYES,                  /* 両目 */
    OD_ROLE_VIEW_CENTER,           /* 操作中心 */
    OD_ROLE_SIDED,                 /* here begin the pairs: even left, odd right (OD_ROLE_SIDED itself is even) */
    OD_ROLE_EYE_L = OD_ROLE_SIDED, /* 目 */
    OD_ROLE_EYE_R,
    OD_ROLE_SHOULDER_P_L, /* 肩P */
    OD_ROLE_SHOULDER_P_R,
    OD_ROLE_SHOULDER_L, /* 肩 */
    OD_ROLE_SHOULDER_R,
    OD_ROLE_SHOULDER_C_L, /* 肩C */
    OD_ROLE_SHOULDER_C_R,
    OD_ROLE_ARM_L, /* 腕 */
    OD_ROLE_ARM_R,
    OD_ROLE_ARM_TWIST_L, /* 腕捩 */
    OD_ROLE_ARM_TWIST_R,
    OD_ROLE_ELBOW_L, /* ひじ */
    OD_ROLE_ELBOW_R,
    OD_ROLE_WRIST_TWIST_L, /* 手捩 */
    OD_ROLE_WRIST_TWIST_R,
    OD_ROLE_WRIST_L, /* 手首 */
    OD_ROLE_WRIST_R,
    OD_ROLE_THUMB0_L, /* 親指０ */
    OD_ROLE_THUMB0_R,
    OD_ROLE_THUMB1_L,
    OD_ROLE_THUMB1_R,
    OD_ROLE_THUMB2_L,
    OD_ROLE_THUMB2_R,
    OD_ROLE_INDEX1_L, /* 人指１ */
    OD_ROLE_INDEX1_R,
    OD_ROLE_INDEX2_L,
    OD_ROLE_INDEX2_R,
    OD_ROLE_INDEX3_L,
    OD_ROLE_INDEX3_R,
    OD_ROLE_MIDDLE1_L, /* 中指１ */
    OD_ROLE_MIDDLE1_R,
    OD_ROLE_MIDDLE2_L,
    OD_ROLE_MIDDLE2_R,
    OD_ROLE_MIDDLE3_L,
    OD_ROLE_MIDDLE3_R,
    OD_ROLE_RING1_L, /* 薬指１ */
    OD_ROLE_RING1_R,
    OD_ROLE_RING2_L,
    OD_ROLE_RING2_R,
    OD_ROLE_RING3_L,
    OD_ROLE_RING3_R,
    OD_ROLE_LITTLE1_L, /* 小指１ */
    OD_ROLE_LITTLE1_R,
    OD_ROLE_LITTLE2_L,
    OD_ROLE_LITTLE2_R,
    OD_ROLE_LITTLE3_L,
    OD_ROLE_LITTLE3_R,
    OD_ROLE_WAIST_CANCEL_L, /* 腰キャンセル左 */
    OD_ROLE_WAIST_CANCEL_R,
    OD_ROLE_LEG_L, /* 足 */
    OD_ROLE_LEG_R,
    OD_ROLE_KNEE_L, /* ひざ */
    OD_ROLE_KNEE_R,
    OD_ROLE_ANKLE_L, /* 足首 */
    OD_ROLE_ANKLE_R,
    OD_ROLE_TOE_L, /* つま先 (the toe IK's effector) */
    OD_ROLE_TOE_R,
    OD_ROLE_TOE_EX_L, /* 足先EX */
    OD_ROLE_TOE_EX_R,
    OD_ROLE_LEG_D_L, /* 足D */
    OD_ROLE_LEG_D_R,
    OD_ROLE_KNEE_D_L, /* ひざD */
    OD_ROLE_KNEE_D_R,
    OD_ROLE_ANKLE_D_L, /* 足首D */
    OD_ROLE_ANKLE_D_R,
    OD_ROLE_LEG_IK_PARENT_L, /* 足IK親 */
    OD_ROLE_LEG_IK_PARENT_R,
    OD_ROLE_LEG_IK_L, /* 足ＩＫ */
    OD_ROLE_LEG_IK_R,
    OD_ROLE_TOE_IK_L, /* つま先ＩＫ */
    OD_ROLE_TOE_IK_R,
    OD_ROLE_COUNT
} od_role;

/* Standard Japanese name (UTF-8) and English name of a role. */
OD_API const char *od_role_name(od_role role);
OD_API const char *od_role_name_en(od_role role);

/* The role that a bone's Japanese or English name means: any spelling (half-width or full-width
 * letters and digits, 左/右 before or after, ヒジ for ひじ, ...). OD_ROLE_NONE when it is none. */
OD_API od_role od_role_find(const char *name);

/* The role on the other side; unsided roles are their own mirror. */
OD_API od_role od_role_mirror(od_role role);

/* Does the model move this bone itself (肩C, 腰キャンセル, 足D and below), by append? */
OD_API bool od_role_follows(od_role role);

/* Is it an IK bone of the legs or the parent of one? */
OD_API bool od_role_is_leg_ik(od_role role);

#endif
