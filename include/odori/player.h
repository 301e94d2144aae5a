/* Player: keys on a model, played back as MikuMikuDance does. */
#ifndef ODORI_PLAYER_H
#define ODORI_PLAYER_H

#include "odori/ik.h"
#include "odori/keys.h"
#include "odori/target.h"

/* Whether IK is solved: as the motion's switches say, always, or never. */
typedef enum od_play_ik { OD_PLAY_IK_KEYS, OD_PLAY_IK_ON, OD_PLAY_IK_OFF } od_play_ik;

typedef struct od_play_options {
    od_play_ik ik;
    od_ik_start start;
} od_play_options;

/* What the player keeps between frames; only its own file looks inside. */
typedef struct od_player_state od_player_state;

/* One motion on one model. The pose that od_player_show made last is in `world` and `local`, all
 * indexed by bone of the target's skeleton. */
typedef struct od_player {
    const od_target *target;
    const od_keys *keys;
    const int *track;  /* track[bone]: index in keys->tracks, -1 when the motion has none for it */
    od_xform *world;   /* world[bone] */
    od_xform *local;   /* local[bone]: rest, keys, morphs, append and IK together */
    od_ik_outcome *ik; /* ik[chain]: how the chain was solved */
    bool *ik_on;       /* ik_on[chain]: was it solved? */
    od_player_state *state;
} od_player;

/* Matches tracks to bones and morphs by their names in CP932, cut to 15 bytes (of bones of one name the
 * first has it). Tracks that match nothing are left out. `target` and `keys` must outlive the player. */
OD_API bool od_player_make(od_player *player, const od_target *target, const od_keys *keys, od_arena *arena,
                           od_error *error);

/* Shows a frame, whole or between two, in any order (ascending is fastest). Physics is not played. */
OD_API void od_player_show(od_player *player, double frame, od_play_options options);

#endif
