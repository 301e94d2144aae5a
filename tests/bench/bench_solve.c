/* Speed of the solver, all stages: the sample dance, repeated until it is long.
 * Printed: microseconds per output bone and frame (at most 0.25), cost of ten times the frames (at
 * most 10.5 times the time). Best of several runs, for other work on the machine only adds time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "odori/odori.h"

enum { RUNS = 5, SHORT = 3000, LONG = 10 * SHORT };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(const char *what, const od_error *error)
{
    fprintf(stderr, "bench_solve: %s: %s\n", what, error->message);
    exit(1);
}

/* The clip, played again and again at 30 fps. */
static od_clip repeat(const od_clip *clip, int frames, od_arena *arena, od_error *error)
{
    od_clip at30, longer;
    if (!od_clip_resample(clip, &(od_resample_options){0}, &at30, error)) stop("resample", error);
    if (!od_clip_make(&longer, clip->bones, 30, arena, error)) stop("memory", error);
    for (int f = 0; f < frames; f++) {
        od_xform *local = od_clip_add(&longer, error);
        if (!local) stop("memory", error);
        od_clip_pose(&at30, f % at30.frames, local);
    }
    return longer;
}

/* Seconds of one solve; `*keys` counts its keys. */
static double solve(const od_scene *scene, const od_clip *clip, const od_binding *binding, const od_target *target,
                    size_t *keys)
{
    double best = 1e9;
    for (int run = 0; run < RUNS; run++) {
        od_error error = {0};
        od_arena *arena = od_arena_new(0);
        od_report report = {.arena = arena};
        od_keys out;
        od_retarget_result result;
        double start = now();
        if (!od_retarget(scene, clip, binding, target, &(od_retarget_options){0}, &out, &result, &report, arena,
                         &error))
            stop("solve", &error);
        double time = now() - start;
        *keys = od_keys_count(&out);
        if (time < best) best = time;
        od_arena_free(arena);
    }
    return best;
}

static unsigned char *read_all(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    if (!file) return NULL;
    unsigned char *data = NULL;
    *size = 0;
    for (size_t room = 1 << 20, got = 1; got; room *= 2) {
        unsigned char *more = realloc(data, room);
        if (!more) break;
        data = more;
        got = fread(data + *size, 1, room - *size, file);
        *size += got;
    }
    fclose(file);
    return data;
}

int main(void)
{
    od_error error = {0};
    od_arena *arena = od_arena_new(0);
    od_file file = {.name = "samples/dance.bvh"};
    unsigned char *data = read_all(file.name, &file.size);
    if (!data) {
        fprintf(stderr, "bench_solve: %s cannot be read; run it from the project's folder\n", file.name);
        return 1;
    }
    file.data = data;
    od_scene scene;
    od_target target;
    od_mapping mapping;
    od_binding binding;
    if (!od_read_scene(&file, NULL, NULL, &scene, NULL, arena, &error) || !od_target_standard(&target, arena, &error) ||
        !od_mapping_detect(&scene.skeleton, &mapping, NULL, arena, &error) ||
        !od_binding_make(&mapping, &scene.skeleton, &target, &binding, NULL, arena, &error))
        stop("sample", &error);
    od_clip brief = repeat(&scene.clips[0], SHORT, arena, &error);
    od_clip whole = repeat(&scene.clips[0], LONG, arena, &error);
    size_t brief_keys, whole_keys;
    double brief_time = solve(&scene, &brief, &binding, &target, &brief_keys);
    double whole_time = solve(&scene, &whole, &binding, &target, &whole_keys);
    printf("solve: %.3f us per output bone and frame (%zu keys of %d frames; goal: 0.25)\n",
           brief_time / (double)brief_keys * 1e6, brief_keys, SHORT);
    printf("solve: 10 x the frames in %.2f x the time (goal: 10.5)\n", whole_time / brief_time);
    free(data);
    od_arena_free(arena);
    return 0;
}
