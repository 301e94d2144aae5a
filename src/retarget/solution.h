/* Solution: what the stages hand on, by bone and frame. */
#ifndef ODORI_RETARGET_SOLUTION_H
#define ODORI_RETARGET_SOLUTION_H

#include "mmd/sole.h"
#include "retarget/leg.h"
#include "retarget/plan.h"

/* One leg of the source in one frame: upright, the source's unit; and what the target's should do. */
typedef struct od_leg_frame {
    vec3s hip, knee, ankle, toe;
    versors thigh; /* world rotation of 足 by FK: its X axis is the wanted hinge */
    versors foot;  /* world rotation of 足首 */
    versors ball;  /* world rotation of the toes: 足先EX, or the foot's */
} od_leg_frame;

typedef struct od_solution {
    const od_plan *plan;
    int frames;
    versors **rotation;    /* rotation[bone][frame], local; NULL: identity in all frames */
    vec3s **position;      /* position[bone][frame], offset from rest, MMD units; NULL: zero */
    bool *keyed;           /* keyed[bone]: goes into the output */
    bool *carries;         /* carries[bone]: trunk and legs; their stages look at no other bone */
    od_leg_frame *legs[2]; /* legs[side][frame]; there while the legs are solved */
    bool copied;           /* the legs are the source's, scaled: they stand as they are */
} od_solution;

/* Top-down solve of every frame: rotations of the active bones. First those that carry the body, and the
 * legs' frames into `scratch`; then all others. What the stages of the legs need beside is much, and can be
 * given back before the others take room. */
bool od_solve_body(const od_plan *plan, const od_skeleton *source, const od_clip *clip, od_solution *solution,
                   od_arena *scratch, od_arena *arena, od_error *error);
bool od_solve_others(od_solution *solution, const od_skeleton *source, const od_clip *clip, od_arena *arena,
                     od_error *error);

/* World of a bone in a frame, from the locals as they are now. */
od_xform od_solution_world(const od_solution *solution, int bone, int frame);

/* The arrays of a bone, made when they are not there yet (identity, zero). */
versors *od_solution_rotation(od_solution *solution, int bone, od_arena *arena, od_error *error);
vec3s *od_solution_position(od_solution *solution, int bone, od_arena *arena, od_error *error);

/* Moves the twist of arms and forearms into 腕捩 and 手捩; products stay as they are. */
bool od_split_twist(od_solution *solution, od_arena *arena, od_error *error);

/* Figures of the travel: where the source stands and how far a step is. */
typedef struct od_travel {
    float scale;      /* MMD units per unit of the source */
    float ground;     /* height of the source's toe joints when the foot stands, its unit */
    float ankle_drop; /* source's ankle above its toe joint at rest, its unit */
    vec3s origin;     /* horizontal position of the source that comes to x = z = 0, its unit */
} od_travel;

/* Scale and ground; moves the body so that the hips are where the source's are. */
bool od_move_root(od_solution *solution, od_travel *travel, od_retarget_result *result, od_report *report,
                  od_arena *arena, od_error *error);

typedef struct od_footing {
    vec3s *goal[2];   /* goal[side][frame]: where the ankle should be, world */
    float *weight[2]; /* weight[side][frame]: 1 on the floor, 0 in the air */
    od_contact *contact[2];
    int contact_count[2];
} od_footing;

/* Contacts of the source's feet with the floor, by height and speed. */
bool od_find_contacts(const od_solution *solution, const od_travel *travel, od_footing *footing, od_arena *arena,
                      od_error *error);

/* Goals of the ankles; lowers the hips where a standing foot is out of reach. */
bool od_place_feet(od_solution *solution, const od_travel *travel, od_footing *footing, od_retarget_result *result,
                   od_arena *arena, od_error *error);

/* Rest of a leg and the limits of its knee. */
od_leg od_leg_of(const od_plan *plan, int side);

/* Legs to the goals, IK keys that agree with them. */
bool od_solve_legs(od_solution *solution, const od_footing *footing, od_arena *arena, od_error *error);

/* The source's morph tracks that the target has, by the mapping's names, in the time of the motion. */
bool od_pass_morphs(const od_clip *motion, const od_binding *binding, const od_target *target, od_keys *keys,
                    od_report *report, od_arena *arena, od_error *error);

/* Tracks in the order of the model's bones, IK switches. */
bool od_make_keys(const od_solution *solution, od_keys *keys, od_arena *arena, od_error *error);

#endif
