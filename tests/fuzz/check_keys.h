/* What must hold of all keys that a reader hands on. */
#ifndef ODORI_FUZZ_CHECK_KEYS_H
#define ODORI_FUZZ_CHECK_KEYS_H

#include <stdint.h>
#include <stdlib.h>

#include "odori/format.h"

static void check(bool condition)
{
    if (!condition) abort();
}

static void check_track(const od_track *t)
{
    check(t->name && t->count > 0);
    for (int k = 0; k < t->count; k++) {
        check(!t->frame || !k || t->frame[k] > t->frame[k - 1]);
        check(!t->position || od_vec3_finite(t->position[k]));
        for (int c = 0; t->curves && c < 16; c++) check(t->curves[k].c[c / 4][c % 4] <= 127);
        if (!t->rotation) continue;
        float norm = od_quat_dot(t->rotation[k], t->rotation[k]);
        check(norm > 0.9999F && norm < 1.0001F);
        check(!k || od_quat_dot(t->rotation[k], t->rotation[k - 1]) >= 0);
    }
}

static void check_stage(const od_keys *keys)
{
    for (int i = 0; i < keys->camera_count; i++) {
        const od_camera_key *k = &keys->cameras[i];
        check(!i || k->frame > k[-1].frame);
        check(isfinite(k->distance) && od_vec3_finite(k->position) && od_vec3_finite(k->rotation));
    }
    for (int i = 0; i < keys->light_count; i++) {
        const od_light_key *k = &keys->lights[i];
        check(!i || k->frame > k[-1].frame);
        check(od_vec3_finite(k->color) && od_vec3_finite(k->direction));
    }
    for (int i = 0; i < keys->shadow_count; i++) {
        const od_shadow_key *k = &keys->shadows[i];
        check((!i || k->frame > k[-1].frame) && isfinite(k->distance));
    }
}

static void check_keys(const od_keys *keys)
{
    check(keys->model != NULL);
    for (int i = 0; i < keys->track_count; i++) check_track(&keys->tracks[i]);
    for (int i = 0; i < keys->morph_count; i++) {
        const od_morph_track *t = &keys->morphs[i];
        check(t->name && t->count > 0);
        for (int k = 0; k < t->count; k++)
            check(isfinite(t->weight[k]) && (!t->frame || !k || t->frame[k] > t->frame[k - 1]));
    }
    for (int i = 0; i < keys->ik_count; i++) {
        check(!i || keys->ik[i].frame > keys->ik[i - 1].frame);
        for (int k = 0; k < keys->ik[i].count; k++) check(keys->ik[i].switches[k].name != NULL);
    }
    check_stage(keys);
}

/* Whatever was read can be written. */
static bool forget(void *context, const void *data, size_t size, od_error *error)
{
    (void)data, (void)error;
    *(size_t *)context += size;
    return true;
}

static int read_any(const uint8_t *data, size_t size, const char *format)
{
    od_arena *arena = od_arena_new((size_t)512 << 20);
    if (!arena) return 0;
    od_file file = {.name = "fuzz", .data = data, .size = size};
    od_keys keys;
    od_report report = {.arena = arena};
    od_error error = {0};
    size_t written = 0;
    if (od_read_keys(&file, od_format_named(format), &keys, &report, arena, &error)) {
        check_keys(&keys);
        check(od_vmd_write(&keys, &(od_sink){forget, &written}, &report, &error) && written > 0);
    } else {
        check(error.failed && error.message[0]);
    }
    od_arena_free(arena);
    return 0;
}

#endif
