/* Input: keys of MMD. Output: how long they last, what they move, which IK they switch. */
#include "cli/inspect_keys.h"

#include "cli/print.h"

static const char *moved_by(const od_track *track)
{
    if (track->position && track->rotation) return "moves and turns";
    if (track->position) return "moves";
    return track->rotation ? "turns" : "stays at rest";
}

/* The IK bones that the motion ever switches off. */
static void print_switches(const od_keys *keys)
{
    for (int i = 0; i < keys->ik_count; i++)
        for (int k = 0; k < keys->ik[i].count; k++) {
            if (keys->ik[i].switches[k].on) continue;
            printf("  frame %u switches off ", keys->ik[i].frame);
            od_print_text(stdout, keys->ik[i].switches[k].name);
            printf("\n");
        }
}

void od_inspect_print_keys(const char *path, const char *format, const od_keys *keys)
{
    unsigned last = od_keys_last(keys);
    od_print_text(stdout, path);
    printf(": %s, made for \"", format);
    od_print_text(stdout, keys->model);
    printf("\"\n");
    printf("  %u frames, %.1f s at 30 fps\n", last + 1, (double)last / 30);
    printf("  %zu keys of %d bones, %d morphs", od_keys_count(keys), keys->track_count, keys->morph_count);
    printf("; %d keys of the camera, %d of light, %d of shadow, %d of IK\n", keys->camera_count, keys->light_count,
           keys->shadow_count, keys->ik_count);
    print_switches(keys);
    if (keys->track_count) printf("bones:\n");
    for (int i = 0; i < keys->track_count; i++) {
        const od_track *track = &keys->tracks[i];
        printf("  ");
        od_print_text(stdout, track->name);
        printf(": %d keys to frame %u, %s%s\n", track->count, od_key_frame(track->frame, track->count - 1),
               moved_by(track), track->curves ? ", curved" : "");
    }
    if (keys->morph_count) printf("morphs:\n");
    for (int i = 0; i < keys->morph_count; i++) {
        printf("  ");
        od_print_text(stdout, keys->morphs[i].name);
        printf(": %d keys\n", keys->morphs[i].count);
    }
}

void od_inspect_write_keys(od_writer *w, const char *path, const char *format, const od_keys *keys)
{
    od_writer_begin(w, NULL, '{');
    od_writer_text(w, "file", path);
    od_writer_text(w, "format", format);
    od_writer_text(w, "model", keys->model);
    od_writer_number(w, "frames", (double)od_keys_last(keys) + 1);
    od_writer_number(w, "keys", (double)od_keys_count(keys));
    od_writer_begin(w, "bones", '[');
    for (int i = 0; i < keys->track_count; i++) {
        od_writer_begin(w, NULL, '{');
        od_writer_text(w, "name", keys->tracks[i].name);
        od_writer_number(w, "keys", keys->tracks[i].count);
        od_writer_bool(w, "moves", keys->tracks[i].position != NULL);
        od_writer_bool(w, "turns", keys->tracks[i].rotation != NULL);
        od_writer_end(w, '}');
    }
    od_writer_end(w, ']');
    od_writer_begin(w, "morphs", '[');
    for (int i = 0; i < keys->morph_count; i++) {
        od_writer_begin(w, NULL, '{');
        od_writer_text(w, "name", keys->morphs[i].name);
        od_writer_number(w, "keys", keys->morphs[i].count);
        od_writer_end(w, '}');
    }
    od_writer_end(w, ']');
    od_writer_number(w, "camera_keys", keys->camera_count);
    od_writer_number(w, "light_keys", keys->light_count);
    od_writer_number(w, "shadow_keys", keys->shadow_count);
    od_writer_number(w, "ik_keys", keys->ik_count);
    od_writer_end(w, '}');
}
