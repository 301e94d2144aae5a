/* Speed of the player: the sample dance on the standard model, 3,000 frames.
 * Printed: the time for 3,000 frames of 114 bones with IK (goal: 60 ms); what IK costs beside FK when the keys
 * are its solution (at most 1.3 times), with legs that only IK moves, and when keys lie 5 frames apart.
 * Best of several runs, for other work on the machine only adds time. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "odori/odori.h"
#include "odori/player.h"

enum { RUNS = 7, FRAMES = 3000, APART = 5 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(const char *what, const od_error *error)
{
    fprintf(stderr, "bench_player: %s: %s\n", what, error->message);
    exit(1);
}

/* Seconds that FRAMES frames take, played again and again; `*loops`: of the solver, a frame. */
static double play(const od_target *target, const od_keys *keys, od_play_ik ik, double *loops)
{
    double best = 1e9;
    unsigned length = od_keys_last(keys) + 1;
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    od_player player;
    if (!od_player_make(&player, target, keys, arena, &error)) stop("player", &error);
    for (int run = 0; run < RUNS; run++) {
        long sum = 0;
        double start = now();
        for (unsigned f = 0; f < FRAMES; f++) {
            od_player_show(&player, f % length, (od_play_options){.ik = ik});
            for (int c = 0; c < target->ik_count; c++) sum += player.ik[c].iterations;
        }
        double time = now() - start;
        if (time < best) best = time;
        *loops = (double)sum / FRAMES;
    }
    od_arena_free(arena);
    return best;
}

/* The same without keys of the legs. */
static od_keys without_legs(const od_keys *keys, const od_target *target, od_arena *arena, od_error *error)
{
    od_keys out = *keys;
    out.track_count = 0;
    out.tracks = OD_NEW(arena, od_track, (size_t)keys->track_count, error);
    if (!out.tracks) stop("memory", error);
    for (int i = 0; i < keys->track_count; i++) {
        int bone = od_skeleton_find(&target->skeleton, keys->tracks[i].name);
        od_role role = bone < 0 ? OD_ROLE_NONE : target->bones[bone].role;
        if (role < OD_ROLE_LEG_L || role > OD_ROLE_ANKLE_R) out.tracks[out.track_count++] = keys->tracks[i];
    }
    return out;
}

/* Every APART-th key, with curves that are no lines. */
static void thin(od_keys *keys, od_arena *arena, od_error *error)
{
    static const od_curves curve = {{{40, 10, 80, 120}, {30, 0, 90, 127}, {64, 0, 64, 127}, {50, 20, 70, 110}}};
    for (int i = 0; i < keys->track_count; i++) {
        od_track *track = &keys->tracks[i];
        size_t count = (size_t)(track->count + APART - 1) / APART;
        unsigned *frame = OD_NEW(arena, unsigned, count, error);
        vec3s *position = OD_NEW(arena, vec3s, count, error);
        versors *rotation = OD_NEW(arena, versors, count, error);
        od_curves *curves = OD_NEW(arena, od_curves, count, error);
        if (!frame || !position || !rotation || !curves) stop("memory", error);
        for (size_t k = 0; k < count; k++) {
            frame[k] = (unsigned)k * APART;
            if (track->position) position[k] = track->position[k * APART];
            rotation[k] = track->rotation ? track->rotation[k * APART] : od_quat_identity();
            curves[k] = curve;
        }
        *track = (od_track){.name = track->name,
                            .count = (int)count,
                            .frame = frame,
                            .position = track->position ? position : NULL,
                            .rotation = rotation,
                            .curves = curves};
    }
}

static unsigned char *read_all(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = malloc(*size + 1);
    if (data && fread(data, 1, *size, file) != *size) *size = 0;
    fclose(file);
    return data;
}

static void print(const char *what, const od_target *target, const od_keys *keys, const char *goal)
{
    double none, loops, fk = play(target, keys, OD_PLAY_IK_OFF, &none), ik = play(target, keys, OD_PLAY_IK_ON, &loops);
    double scale = 1e3 * 114 / target->skeleton.count;
    printf("player: %s: %.1f ms for 3,000 frames of 114 bones, %.2f x pure FK, %.1f loops a frame%s\n", what,
           scale * ik, ik / fk, loops, goal);
}

int main(void)
{
    od_error error = {0};
    od_arena *arena = od_arena_new(0);
    od_file file = {.name = "samples/dance.bvh"};
    unsigned char *data = read_all(file.name, &file.size);
    if (!data) {
        fprintf(stderr, "bench_player: %s cannot be read; run it from the project's folder\n", file.name);
        return 1;
    }
    file.data = data;
    od_scene scene;
    od_target target;
    od_mapping mapping;
    od_binding binding;
    od_keys keys;
    od_retarget_result result;
    od_retarget_options options = {0};
    if (!od_read_scene(&file, NULL, NULL, &scene, NULL, arena, &error) || !od_target_standard(&target, arena, &error) ||
        !od_mapping_detect(&scene.skeleton, &mapping, NULL, arena, &error) ||
        !od_binding_make(&mapping, &scene.skeleton, &target, &binding, NULL, arena, &error) ||
        !od_retarget(&scene, &scene.clips[0], &binding, &target, &options, &keys, &result, NULL, arena, &error))
        stop("sample", &error);
    print("keys that solve IK", &target, &keys, " (goal: 60 ms, 1.3 x)");
    od_keys bare = without_legs(&keys, &target, arena, &error);
    print("legs by IK alone", &target, &bare, "");
    thin(&keys, arena, &error);
    print("keys 5 frames apart", &target, &keys, " (goal: 60 ms)");
    free(data);
    od_arena_free(arena);
    return 0;
}
