/* Input: bones with rest poses relative to their parents. Output: worlds, look-ups.
 * Invariant: a parent's index is smaller than its child's, so one pass in order suffices. */
#include "odori/skeleton.h"

#include <assert.h>
#include <string.h>

void od_skeleton_finish(od_skeleton *skeleton)
{
    for (int i = 0; i < skeleton->count; i++) {
        od_bone *bone = &skeleton->bones[i];
        assert(bone->parent < i);
        bone->rest.q = od_quat_normalize(bone->rest.q);
        bone->rest_world =
            bone->parent < 0 ? bone->rest : od_xform_mul(skeleton->bones[bone->parent].rest_world, bone->rest);
        bone->rest_world.q = od_quat_normalize(bone->rest_world.q);
    }
}

int od_skeleton_find(const od_skeleton *skeleton, const char *name)
{
    for (int i = 0; i < skeleton->count; i++)
        if (!strcmp(skeleton->bones[i].name, name)) return i;
    return -1;
}

bool od_skeleton_is_below(const od_skeleton *skeleton, int bone, int above)
{
    if (bone < 0 || above < 0) return false;
    while (bone > above) bone = skeleton->bones[bone].parent;
    return bone == above;
}

void od_skeleton_world(const od_skeleton *skeleton, const od_xform *local, od_xform *world)
{
    for (int i = 0; i < skeleton->count; i++) {
        int parent = skeleton->bones[i].parent;
        world[i] = parent < 0 ? local[i] : od_xform_mul(world[parent], local[i]);
        world[i].q = od_quat_normalize(world[i].q);
    }
}
