/* Shows a motion on a model, for play.mjs: play MODEL MOTION on|off|motion FIRST LAST STEP
 * Standard output gets, for each frame and each bone in the model's own order, where the bone is: three
 * floats, MMD units. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "odori/odori.h"
#include "odori/player.h"

static bool open_file(const char *name, od_file *file, od_arena *arena, od_error *error)
{
    FILE *in = fopen(name, "rb");
    *file = (od_file){.name = name};
    if (!in) return od_fail(error, "%s: cannot be read", name);
    fseek(in, 0, SEEK_END);
    long size = ftell(in);
    rewind(in);
    unsigned char *data = size > 0 ? OD_NEW(arena, unsigned char, (size_t)size, error) : NULL;
    bool read = data && fread(data, 1, (size_t)size, in) == (size_t)size;
    fclose(in);
    file->data = data;
    file->size = read ? (size_t)size : 0;
    return read || od_fail(error, "%s: cannot be read", name);
}

static void print(const od_player *player, const int *bones)
{
    for (int i = 0; i < player->target->skeleton.count; i++)
        fwrite(player->world[bones[i]].t.raw, sizeof(float), 3, stdout);
}

int main(int count, char **words)
{
    od_arena *arena = od_arena_new(0);
    od_error error = {0};
    od_file model, motion;
    od_target target;
    od_keys keys;
    od_player player;
    if (count != 7) {
        fprintf(stderr, "usage: play MODEL MOTION on|off|motion FIRST LAST STEP\n");
        return 2;
    }
    bool ready = open_file(words[1], &model, arena, &error) && open_file(words[2], &motion, arena, &error) &&
                 od_read_target(&model, NULL, &target, NULL, arena, &error) &&
                 od_read_keys(&motion, NULL, &keys, NULL, arena, &error) &&
                 od_player_make(&player, &target, &keys, arena, &error);
    int *bones = ready ? OD_NEW(arena, int, (size_t)target.skeleton.count, &error) : NULL;
    if (!bones) {
        fprintf(stderr, "play: %s\n", error.message);
        return 1;
    }
    for (int b = 0; b < target.skeleton.count; b++) bones[target.bones[b].model_index] = b;
    od_play_options options = {.ik = OD_PLAY_IK_KEYS};
    if (!strcmp(words[3], "on")) options.ik = OD_PLAY_IK_ON;
    if (!strcmp(words[3], "off")) options.ik = OD_PLAY_IK_OFF;
    double last = strtod(words[5], NULL), step = strtod(words[6], NULL);
    for (double frame = strtod(words[4], NULL); frame <= last && step > 0; frame += step) {
        od_player_show(&player, frame, options);
        print(&player, bones);
    }
    od_arena_free(arena);
    return 0;
}
