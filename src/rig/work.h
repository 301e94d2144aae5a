/* A model at work: its bones by role, and bones that are being added. Indices of bones stay as they are
 * until od_work_settle gives all their places. */
#ifndef ODORI_RIG_WORK_H
#define ODORI_RIG_WORK_H

#include "odori/rig.h"

enum { OD_WORK_ROOM = 96 }; /* bones that all parts together may add */

typedef struct od_work {
    od_model *model;         /* its list of bones has room for more */
    int given;               /* bones of the model as it was */
    int role[OD_ROLE_COUNT]; /* bone, -1: the model lacks it */
    int *next;               /* next[bone]: which one shall stand behind it, -1: none */
    int first, last;
    bool *touched;            /* touched[bone]: added, or hung elsewhere */
    const char *added, *kept; /* names, for the report of a part */
    int added_count;
    const od_rig_options *options;
    od_report *report;
    od_arena *arena;
    od_error *error;
} od_work;

/* A bone to add. */
typedef struct od_addition {
    od_role role; /* gives the names; OD_ROLE_NONE: `name`, `name_en` */
    const char *name, *name_en;
    int parent;
    vec3s position;
    unsigned flags;
    int before; /* stands before this bone; -1: last */
    int beside; /* shown behind this bone, when it can be chosen; -1: in the frame `frame` */
    const char *frame, *frame_en;
} od_addition;

/* Finds the bones of roles. */
bool od_work_begin(od_work *work, od_model *model, const od_mapping *mapping, od_report *report, od_arena *arena,
                   od_error *error);

/* Number of the new bone, -1 with a failure. */
int od_work_add(od_work *work, const od_addition *addition);

/* Adds the bone of a role unless it is there; the bone, -1 with a failure. */
int od_work_need(od_work *work, const od_addition *addition);

void od_work_hang(od_work *work, int child, int parent);

/* `bone` appends the rotation of `source` times `ratio`. */
void od_work_follow(od_work *work, int bone, int source, float ratio);

/* Gives the bones their places, and orders of evaluation in which none comes before what it needs. */
bool od_work_settle(od_work *work);

od_model_bone *od_work_bone(const od_work *work, int bone);

/* Is `bone` below `above`, or the same? */
bool od_work_is_below(const od_work *work, int bone, int above);

vec3s od_work_middle(const od_work *work, int a, int b);

/* ---- parts ------------------------------------------------------------------------------------ */

bool od_rig_parents(od_work *work);
bool od_rig_center(od_work *work);
bool od_rig_groove(od_work *work);
bool od_rig_waist(od_work *work);
bool od_rig_shoulders(od_work *work);
bool od_rig_twist(od_work *work);
bool od_rig_ik(od_work *work);
bool od_rig_dbones(od_work *work);
bool od_rig_toes(od_work *work);
bool od_rig_eyes(od_work *work);
bool od_rig_rename(od_work *work);
bool od_rig_turn_arms(od_work *work);

#endif
