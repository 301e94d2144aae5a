/* Rig: bones of MMD for models that lack them. */
#ifndef ODORI_RIG_H
#define ODORI_RIG_H

#include "odori/mapping.h"
#include "odori/model.h"

/* What can be added, in the order in which it is. */
typedef enum od_rig_part {
    OD_RIG_PARENTS,   /* 全ての親 */
    OD_RIG_CENTER,    /* センター */
    OD_RIG_GROOVE,    /* グルーブ */
    OD_RIG_WAIST,     /* 腰, 腰キャンセル */
    OD_RIG_SHOULDERS, /* 肩P, 肩C */
    OD_RIG_TWIST,     /* 腕捩, 手捩 and their helpers */
    OD_RIG_IK,        /* 足IK親, 足ＩＫ, つま先ＩＫ */
    OD_RIG_DBONES,    /* 足D, ひざD, 足首D, 足先EX */
    OD_RIG_TOES,      /* 足先EX */
    OD_RIG_EYES,      /* 両目 */
    OD_RIG_PARTS
} od_rig_part;

/* Word for a part: "ik". */
OD_API const char *od_rig_part_name(od_rig_part part);

typedef enum od_rig_style { OD_RIG_MMD, OD_RIG_MLTD } od_rig_style;

typedef struct od_rig_options {
    bool add[OD_RIG_PARTS];
    od_rig_style style; /* loops and limits of IK */
    bool rename;        /* bones get their MMD names */
    bool turn_arms;     /* the rest pose gets arms that hang `arm_angle` degrees below the horizontal */
    double arm_angle;   /* 35 in an A-pose, 0 in a T-pose */
} od_rig_options;

/* Changes a whole model. Bones are known by names, IK chains, or `mapping` (NULL: it is found when
 * names do not tell). Bones that are there already stay as they are, and what is added and what is there is
 * told; done twice, it changes nothing the second time. The mesh at rest moves only when arms are turned. */
OD_API bool od_rig(od_model *model, const od_mapping *mapping, const od_rig_options *options, od_report *report,
                   od_arena *arena, od_error *error);

#endif
