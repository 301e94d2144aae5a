/* Speed of the reducer: the sample dance on the standard model, forwards and backwards until a minute is full.
 * Printed: the time for a minute of its bones with curves (goal: 250 ms) and with lines, the keys that are left
 * of those on every frame, and how much longer ten minutes take (at most 11 times).
 * Best of several runs, for other work on the machine only adds time. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "odori/odori.h"

enum { RUNS = 5, MINUTE = 1800 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(bool done, const od_error *error)
{
    if (done) return;
    fprintf(stderr, "bench_reduce: %s\n", error->message);
    exit(1);
}

static char *read_file(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    if (!file) {
        perror(name);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *data = malloc(*size);
    if (!data || fread(data, 1, *size, file) != *size) exit(1);
    fclose(file);
    return data;
}

static void convert(const od_target *target, od_keys *keys, od_arena *arena)
{
    static od_scene scene; /* the keys name its morphs */
    od_error error = {0};
    od_mapping mapping;
    od_binding binding;
    od_retarget_result result;
    size_t size;
    char *data = read_file("samples/dance.bvh", &size);
    od_file file = {"samples/dance.bvh", (const unsigned char *)data, size};
    check(od_read_scene(&file, NULL, NULL, &scene, NULL, arena, &error), &error);
    check(od_mapping_detect(&scene.skeleton, &mapping, NULL, arena, &error), &error);
    check(od_binding_make(&mapping, &scene.skeleton, target, &binding, NULL, arena, &error), &error);
    check(od_retarget(&scene, &scene.clips[0], &binding, target, &(od_retarget_options){0}, keys, &result, NULL, arena,
                      &error),
          &error);
    free(data);
}

/* Tracks of so many frames: forwards, backwards, forwards, ... */
static od_keys lengthen(const od_keys *keys, int frames, od_arena *arena)
{
    od_error error = {0};
    od_keys out = *keys;
    out.tracks = OD_NEW(arena, od_track, (size_t)keys->track_count, &error);
    check(out.tracks != NULL, &error);
    for (int i = 0; i < keys->track_count; i++) {
        const od_track *track = &keys->tracks[i];
        out.tracks[i] = *track;
        if (track->count < 2) continue;
        versors *q = OD_NEW(arena, versors, (size_t)frames, &error);
        vec3s *p = OD_NEW(arena, vec3s, (size_t)frames, &error);
        check(q && p, &error);
        for (int f = 0; f < frames; f++) {
            int round = f % (2 * (track->count - 1)),
                at = round < track->count ? round : 2 * (track->count - 1) - round;
            if (track->rotation) q[f] = track->rotation[at];
            if (track->position) p[f] = track->position[at];
        }
        out.tracks[i].count = frames;
        if (track->rotation) out.tracks[i].rotation = q;
        if (track->position) out.tracks[i].position = p;
    }
    return out;
}

static double measure(const od_target *target, const od_keys *keys, od_reduce_kind kind, double *share)
{
    double best = 1e9;
    const od_reduce_options options = {.kind = kind};
    for (int run = 0; run < RUNS; run++) {
        od_arena *arena = od_arena_new(0);
        od_error error = {0};
        od_keys reduced;
        od_reduction reduction;
        double start = now();
        check(od_reduce(target, keys, &options, &reduced, &reduction, arena, &error), &error);
        double time = now() - start;
        if (time < best) best = time;
        *share = 100.0 * (double)od_keys_count(&reduced) / (double)od_keys_count(keys);
        od_arena_free(arena);
    }
    return best;
}

int main(void)
{
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    od_target target;
    od_keys keys;
    double share, lines, longer;
    check(arena && od_target_standard(&target, arena, &error), &error);
    convert(&target, &keys, arena);
    od_keys minute = lengthen(&keys, MINUTE, arena), ten = lengthen(&keys, 10 * MINUTE, arena);
    double curved = measure(&target, &minute, OD_REDUCE_BEZIER, &share);
    double straight = measure(&target, &minute, OD_REDUCE_LINEAR, &lines);
    double all = measure(&target, &ten, OD_REDUCE_BEZIER, &longer);
    printf("a minute of %d bones, %zu keys\n", minute.track_count, od_keys_count(&minute));
    printf("curves: %.0f ms (goal 250), %.1f %% of the keys are left\n", 1e3 * curved, share);
    printf("lines: %.0f ms, %.1f %%\n", 1e3 * straight, lines);
    printf("ten minutes: %.2f times as long (goal at most 11)\n", all / curved);
    od_arena_free(arena);
    return 0;
}
