/* What every reader of motions promises: a scene that is whole and without a NaN. */
#ifndef ODORI_TESTS_CHECK_SCENE_H
#define ODORI_TESTS_CHECK_SCENE_H

#include <stdlib.h>

#include "odori/scene.h"

static inline void check(bool condition)
{
    if (!condition) abort();
}

static inline void check_pose(const od_xform *local, int count)
{
    for (int i = 0; i < count; i++) {
        float norm = od_quat_dot(local[i].q, local[i].q);
        check(od_vec3_finite(local[i].t) && norm > 0.9999f && norm < 1.0001f);
    }
}

static inline void check_scene(const od_scene *scene)
{
    const od_skeleton *skeleton = &scene->skeleton;
    check(skeleton->count > 0);
    for (int i = 0; i < skeleton->count; i++) {
        check(skeleton->bones[i].name && skeleton->bones[i].parent < i);
        check_pose(&skeleton->bones[i].rest, 1);
    }
    od_xform *local = malloc((size_t)skeleton->count * sizeof *local);
    check(local != NULL);
    for (int c = 0; c < scene->clip_count; c++) {
        const od_clip *clip = &scene->clips[c];
        check(clip->name && clip->frames > 0 && clip->bones == skeleton->count);
        check(isfinite(clip->fps) && clip->fps > 0);
        for (int f = 0; f < clip->frames; f += 1 + clip->frames / 100) {
            od_clip_pose(clip, f, local);
            check_pose(local, clip->bones);
        }
        for (int m = 0; m < clip->morph_count; m++) {
            const od_morph_track *track = &clip->morphs[m];
            check(track->name && track->count > 0);
            for (int k = 0; k < track->count; k++) check(isfinite(track->weight[k]));
        }
    }
    free(local);
}

#endif
