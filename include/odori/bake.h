/* Bake: an MMD motion as a source. */
#ifndef ODORI_BAKE_H
#define ODORI_BAKE_H

#include "odori/keys.h"
#include "odori/scene.h"
#include "odori/target.h"

/* Plays `keys` on `target`, IK and append included, and keeps every frame: joints are the model's
 * bones in canonical space, MMD units. The scene knows the joints' roles. */
OD_API bool od_bake(const od_target *target, const od_keys *keys, od_scene *scene, od_arena *arena, od_error *error);

#endif
