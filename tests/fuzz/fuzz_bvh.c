/* Any bytes as a BVH file: a message, or a scene that is whole and without a NaN, and that is written again
 * unless its numbers are too large for that. */
#include <stdint.h>
#include <stdlib.h>

#include "format/bvh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition)
{
    if (!condition) abort();
}

static void check_scene(const od_scene *scene)
{
    const od_skeleton *skeleton = &scene->skeleton;
    check(skeleton->count > 0);
    for (int i = 0; i < skeleton->count; i++) {
        check(skeleton->bones[i].name && skeleton->bones[i].parent < i);
        check(od_vec3_finite(skeleton->bones[i].rest_world.t));
    }
    od_xform *local = malloc((size_t)skeleton->count * sizeof *local);
    check(local != NULL);
    for (int c = 0; c < scene->clip_count; c++) {
        const od_clip *clip = &scene->clips[c];
        check(clip->name && clip->frames > 0 && clip->bones == skeleton->count);
        check(isfinite(clip->fps) && clip->fps > 0);
        for (int f = 0; f < clip->frames; f++) {
            od_clip_pose(clip, f, local);
            for (int i = 0; i < clip->bones; i++) {
                float norm = od_quat_dot(local[i].q, local[i].q);
                check(od_vec3_finite(local[i].t) && norm > 0.99999f && norm < 1.00001f);
            }
        }
    }
    free(local);
}

static bool forget(void *context, const void *data, size_t size, od_error *error)
{
    (void)data, (void)error;
    *(size_t *)context += size;
    return true;
}

static void check_writing(const od_scene *scene, od_report *report)
{
    size_t written = 0;
    od_error error = {0};
    bool done = od_bvh_write(scene, NULL, &(od_sink){forget, &written}, report, &error);
    check(done ? written > 0 : error.failed && error.message[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    od_arena *arena = od_arena_new((size_t)512 << 20);
    if (!arena) return 0;
    od_file file = {.name = "fuzz.bvh", .data = data, .size = size};
    od_scene scene;
    od_report report = {.arena = arena};
    od_error error = {0};
    (void)od_bvh_probe(data, size);
    if (od_bvh_read(&file, NULL, &scene, &report, arena, &error)) {
        check_scene(&scene);
        check_writing(&scene, &report);
    } else {
        check(error.failed && error.message[0]);
    }
    od_arena_free(arena);
    return 0;
}
