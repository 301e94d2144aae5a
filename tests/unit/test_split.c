/* Splitting, by what it promises: all keys are there once, no part has too many, groups stay together. */
#include "check.h"

#include "odori/odori.h"

enum { TRACKS = 7, MOST = 100 };

typedef struct scene {
    od_arena *arena;
    od_error error;
    od_target target;
    od_track tracks[TRACKS];
    od_keys keys;
    od_morph_track morph;
    vec3s place[MOST];
    unsigned frame[MOST];
} scene;

static void open_scene(scene *s)
{
    static const char *const names[TRACKS] = {"左足", "センター", "左人指１", "左腕", "右ひじ", "髪", "右足ＩＫ"};
    static const int counts[TRACKS] = {30, 100, 10, 20, 25, 5, 40};
    *s = (scene){.arena = od_arena_new(0)};
    assert_ok(od_target_standard(&s->target, s->arena, &s->error), s->error);
    for (int i = 0; i < MOST; i++) {
        s->frame[i] = (unsigned)(3 * i);
        s->place[i] = od_vec3((float)i, 0, 0);
    }
    for (int i = 0; i < TRACKS; i++)
        s->tracks[i] =
            (od_track){.name = names[i], .count = counts[i], .frame = i % 2 ? NULL : s->frame, .position = s->place};
    s->morph = (od_morph_track){.name = "あ"};
    s->keys =
        (od_keys){.model = "model", .tracks = s->tracks, .track_count = TRACKS, .morphs = &s->morph, .morph_count = 1};
}

static unsigned frame_of(const od_track *track, int key)
{
    return track->frame ? track->frame[key] : (unsigned)key;
}

/* Every key of every track is in exactly one part, in order, with its value. */
static void assert_all_keys_are_there(const scene *s, const od_keys *parts, int count, size_t limit)
{
    for (int p = 0; p < count; p++) {
        assert_in_range(od_keys_count(&parts[p]), 1, limit);
        assert_string_equal(parts[p].model, "model");
        assert_int_equal(parts[p].morph_count, p == 0);
    }
    for (int i = 0; i < TRACKS; i++) {
        int seen = 0;
        for (int p = 0; p < count; p++)
            for (int k = 0; k < parts[p].track_count; k++) {
                const od_track *track = &parts[p].tracks[k];
                if (strcmp(track->name, s->tracks[i].name) != 0) continue;
                for (int n = 0; n < track->count; n++, seen++) {
                    assert_int_equal(frame_of(track, n), frame_of(&s->tracks[i], seen));
                    assert_near(track->position[n].x, s->tracks[i].position[seen].x, 0);
                }
            }
        assert_int_equal(seen, s->tracks[i].count);
    }
}

static void all_keys_are_in_one_part_each(void **state)
{
    (void)state;
    static const size_t limits[] = {1, 7, 33, 50, 100, 120, 229, 230, 1000};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        scene s;
        od_keys *parts;
        int count;
        open_scene(&s);
        assert_ok(od_split(&s.target, &s.keys, limits[i], &parts, &count, s.arena, &s.error), s.error);
        assert_all_keys_are_there(&s, parts, count, limits[i]);
        assert_int_equal(count == 1, limits[i] >= 230);
        od_arena_free(s.arena);
    }
}

static void groups_stay_together(void **state)
{
    (void)state;
    static const char *const expected[][3] = {{"センター"}, {"左腕", "右ひじ", "左人指１"}, {"左足", "右足ＩＫ", "髪"}};
    scene s;
    od_keys *parts;
    int count;
    open_scene(&s);
    assert_ok(od_split(&s.target, &s.keys, 100, &parts, &count, s.arena, &s.error), s.error);
    assert_int_equal(count, 3);
    for (int p = 0; p < 3; p++)
        for (int k = 0; k < parts[p].track_count; k++) assert_string_equal(parts[p].tracks[k].name, expected[p][k]);
    od_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_keys_are_in_one_part_each),
        cmocka_unit_test(groups_stay_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
