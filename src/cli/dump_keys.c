/* Input: keys. Output: rows for each track, and in them one for each key; what is at rest or linear in a whole
 * track or key is left out. */
#include <string.h>

#include "cli/dump.h"

static bool is_shown(unsigned frame, int every)
{
    return frame % (unsigned)every == 0;
}

static void dump_track(od_sheet *s, const od_track *track, int every)
{
    static const od_curves linear = OD_CURVES_LINEAR;
    od_sheet_row(s, "bone");
    od_sheet_text(s, "name", track->name);
    od_sheet_number(s, "count", track->count);
    od_sheet_list(s, "keys");
    for (int i = 0; i < track->count; i++) {
        unsigned frame = od_key_frame(track->frame, i);
        if (!is_shown(frame, every)) continue;
        od_sheet_row(s, "");
        od_sheet_number(s, "frame", frame);
        if (track->position) od_sheet_vector(s, "at", track->position[i]);
        if (track->rotation) od_sheet_numbers(s, "turned", track->rotation[i].raw, 4);
        if (track->curves && memcmp(&track->curves[i], &linear, sizeof linear) != 0)
            od_sheet_bytes(s, "curves", track->curves[i].c[0], 16);
        if (track->still) od_sheet_flag(s, "physics", !track->still[i]);
        od_sheet_row_end(s);
    }
    od_sheet_list_end(s);
    od_sheet_row_end(s);
}

static void dump_morph(od_sheet *s, const od_morph_track *track, int every)
{
    od_sheet_row(s, "morph");
    od_sheet_text(s, "name", track->name);
    od_sheet_number(s, "count", track->count);
    od_sheet_list(s, "keys");
    for (int i = 0; i < track->count; i++) {
        unsigned frame = od_key_frame(track->frame, i);
        if (!is_shown(frame, every)) continue;
        od_sheet_row(s, "");
        od_sheet_number(s, "frame", frame);
        od_sheet_number(s, "weight", (double)track->weight[i]);
        od_sheet_row_end(s);
    }
    od_sheet_list_end(s);
    od_sheet_row_end(s);
}

void od_dump_morphs(od_sheet *s, const od_morph_track *morphs, int count, int every)
{
    od_sheet_list(s, "morphs");
    for (int i = 0; i < count; i++) dump_morph(s, &morphs[i], every);
    od_sheet_list_end(s);
}

static void dump_camera(od_sheet *s, const od_camera_key *key)
{
    od_sheet_row(s, "camera");
    od_sheet_number(s, "frame", key->frame);
    od_sheet_number(s, "distance", (double)key->distance);
    od_sheet_vector(s, "at", key->position);
    od_sheet_vector(s, "degrees", glms_vec3_scale(key->rotation, 57.2957795F));
    od_sheet_number(s, "angle", key->angle);
    od_sheet_flag(s, "perspective", key->perspective);
    od_sheet_bytes(s, "curves", key->curves, 24);
    od_sheet_row_end(s);
}

static void dump_ik(od_sheet *s, const od_ik_key *key)
{
    od_sheet_row(s, "ik");
    od_sheet_number(s, "frame", key->frame);
    od_sheet_flag(s, "shown", key->show);
    od_sheet_list(s, "switches");
    for (int i = 0; i < key->count; i++) {
        od_sheet_row(s, "switch");
        od_sheet_text(s, "name", key->switches[i].name);
        od_sheet_flag(s, "on", key->switches[i].on);
        od_sheet_row_end(s);
    }
    od_sheet_list_end(s);
    od_sheet_row_end(s);
}

static void dump_stage(od_sheet *s, const od_keys *keys, int every)
{
    od_sheet_list(s, "cameras");
    for (int i = 0; i < keys->camera_count; i++)
        if (is_shown(keys->cameras[i].frame, every)) dump_camera(s, &keys->cameras[i]);
    od_sheet_list_end(s);
    od_sheet_list(s, "lights");
    for (int i = 0; i < keys->light_count; i++) {
        const od_light_key *key = &keys->lights[i];
        if (!is_shown(key->frame, every)) continue;
        od_sheet_row(s, "light");
        od_sheet_number(s, "frame", key->frame);
        od_sheet_vector(s, "color", key->color);
        od_sheet_vector(s, "direction", key->direction);
        od_sheet_row_end(s);
    }
    od_sheet_list_end(s);
    od_sheet_list(s, "shadows");
    for (int i = 0; i < keys->shadow_count; i++) {
        const od_shadow_key *key = &keys->shadows[i];
        if (!is_shown(key->frame, every)) continue;
        od_sheet_row(s, "shadow");
        od_sheet_number(s, "frame", key->frame);
        od_sheet_number(s, "mode", key->mode);
        od_sheet_number(s, "distance", (double)key->distance);
        od_sheet_row_end(s);
    }
    od_sheet_list_end(s);
}

void od_dump_keys(od_sheet *s, const char *file, const char *format, const od_keys *keys, int every)
{
    od_sheet_row(s, "keys");
    od_sheet_text(s, "file", file);
    od_sheet_text(s, "format", format);
    od_sheet_text(s, "model", keys->model);
    od_sheet_list(s, "bones");
    for (int i = 0; i < keys->track_count; i++) dump_track(s, &keys->tracks[i], every);
    od_sheet_list_end(s);
    od_dump_morphs(s, keys->morphs, keys->morph_count, every);
    dump_stage(s, keys, every);
    od_sheet_list(s, "ik");
    for (int i = 0; i < keys->ik_count; i++)
        if (is_shown(keys->ik[i].frame, every)) dump_ik(s, &keys->ik[i]);
    od_sheet_list_end(s);
    od_sheet_row_end(s);
}
