/* The parts of a check. Each is made once for a motion and then sees every frame. */
#ifndef ODORI_MMD_CHECK_H
#define ODORI_MMD_CHECK_H

#include "odori/check.h"

#include "math/spread.h"
#include "mmd/sole.h"

/* Collects the values of one measure and group. */
typedef struct od_gauge {
    od_measure measure;
    const char *group;
    od_spread spread;
    int frame;
    const char *bone;
    struct od_gauge *next;
} od_gauge;

typedef struct od_checker {
    const od_target *target;
    const od_keys *keys;
    const od_reference *reference; /* NULL: none */
    const od_check_options *options;
    od_player shown; /* as the motion's switches say */
    od_player plain; /* without IK; only valid when `iterated` */
    od_player other; /* IK by the second solver; only valid when `asked` */
    bool iterated;   /* some leg's IK moved something in this frame: `plain` differs from `shown` */
    bool asked;
    od_xform *joints; /* joints[joint]: the source in this frame, in the stage's place, MMD units */
    int frame;
    od_gauge *gauges, *last;
    od_arena *arena;
    od_error *error;
} od_checker;

/* The gauge of a measure and group, made when it is not there; NULL when memory ends. */
od_gauge *od_checker_gauge(od_checker *checker, od_measure measure, const char *group);

/* `bone` is the target's, -1: none. */
void od_gauge_see(od_gauge *gauge, const od_checker *checker, float value, int bone);

/* The bone that shows where a role is: 足D when the model has it, else 足; -1: none. */
int od_checker_bone(const od_checker *checker, od_role role);

/* World of a bone by the keys alone. */
const od_xform *od_checker_keyed_world(const od_checker *checker);
const od_xform *od_checker_keyed_local(const od_checker *checker);

/* Do its keys move or turn the bone? */
bool od_check_track_moves(const od_track *track);

/* Limbs and trunk against the source; jerk; bones that flip. */
typedef struct od_check_body od_check_body;
od_check_body *od_check_body_make(od_checker *checker);
void od_check_body_see(od_check_body *body, const od_checker *checker);

/* IK chains of the legs, and whatever other chains the motion has keys for. */
typedef struct od_check_ik od_check_ik;
od_check_ik *od_check_ik_make(od_checker *checker);
bool od_check_ik_iterated(const od_check_ik *ik, const od_player *player);
void od_check_ik_see(od_check_ik *ik, const od_checker *checker);
int od_check_ik_iterations(const od_check_ik *ik);

/* Soles on the floor. */
typedef struct od_check_feet od_check_feet;
od_check_feet *od_check_feet_make(od_checker *checker);
void od_check_feet_see(od_check_feet *feet, const od_checker *checker);

/* Names and numbers of keys; no frame is played for it. */
bool od_check_keys(od_checker *checker, od_report *report);

#endif
