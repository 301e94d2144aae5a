/* Reduce: fewer keys that show the same motion. */
#ifndef ODORI_REDUCE_H
#define ODORI_REDUCE_H

#include "odori/check.h"
#include "odori/keys.h"
#include "odori/report.h"
#include "odori/target.h"

typedef enum od_reduce_kind {
    OD_REDUCE_BEZIER, /* curves between keys */
    OD_REDUCE_LINEAR, /* straight lines */
    OD_REDUCE_OFF     /* all keys stay */
} od_reduce_kind;

/* Where a foot stands. */
typedef struct od_contact {
    int start, end; /* frames, end excluded */
} od_contact;

typedef struct od_contacts {
    const od_contact *list[2]; /* left and right, ascending */
    int count[2];
} od_contacts;

/* The zero value is: curves, 0.5 degrees, 0.02 units. */
typedef struct od_reduce_options {
    od_reduce_kind kind;
    bool tolerance_set; /* the two below count */
    double angle;       /* degrees that a bone may be off in any frame */
    double way;         /* MMD units that a bone of IK or of the travel may be off; others two and a half times */
    size_t budget;      /* keys of bones at most, within the smallest tolerance of these proportions; 0: any number */
    const od_contacts *contacts; /* keys where they begin and end; NULL: none are known */
} od_reduce_options;

/* What was done. */
typedef struct od_reduction {
    double angle, way; /* the tolerances, as in od_reduce_options */
    bool over;         /* no tolerance gives so few keys as the budget has */
    size_t before;     /* keys of bones */
    int rounds;        /* how often what carries the body was done again, each time with half the tolerance */
} od_reduction;

/* Each track of bones with as few of its own keys as show it within the tolerance in every frame from its first
 * key to its last; their values are moved within the tolerance too. Tracks that are sparse already and would
 * lose less than half of their keys stay as they are. Morphs stay within 0.02 for each degree. All else
 * is shared with `keys`. */
OD_API bool od_reduce(const od_target *target, const od_keys *keys, const od_reduce_options *options, od_keys *reduced,
                      od_reduction *reduction, od_arena *arena, od_error *error);

/* The same, played back. `check` is that of `keys`, and becomes that of `reduced`. Where IK moves knees, feet
 * slide or soles are under the floor, and it was not so before, the bones that carry the body are done again
 * with half the tolerance; in the end they keep all keys. */
OD_API bool od_reduce_checked(const od_target *target, const od_keys *keys, const od_reference *reference,
                              const od_reduce_options *options, const od_check_options *check_options, od_keys *reduced,
                              od_check *check, od_reduction *reduction, od_report *report, od_arena *arena,
                              od_error *error);

#endif
