/* The sample dance on the sample models, against texts that a person can read (tests/golden/).
 * GOLDEN=write makes them anew; look at the difference before you keep it. Numbers are compared
 * within 0.002, so that another compiler's rounding does not fail them. */
#include "file.h"

#include "odori/odori.h"

enum { STEP = 60 };

static void print_keys(FILE *out, const od_keys *keys)
{
    for (int i = 0; i < keys->track_count; i++) {
        const od_track *track = &keys->tracks[i];
        fprintf(out, "%s: %d keys\n", track->name, track->count);
        for (int f = 0; f < track->count && track->count > 1; f += STEP) {
            vec3s p = track->position ? track->position[f] : od_vec3(0, 0, 0);
            versors q = track->rotation ? track->rotation[f] : od_quat_identity();
            fprintf(out, "  %4d", f);
            if (track->position) fprintf(out, "  at %.3f %.3f %.3f", (double)p.x, (double)p.y, (double)p.z);
            if (track->rotation)
                fprintf(out, "  turned %.3f %.3f %.3f %.3f", (double)q.x, (double)q.y, (double)q.z, (double)q.w);
            fprintf(out, "\n");
        }
    }
    for (int i = 0; i < keys->ik_count; i++)
        for (int k = 0; k < keys->ik[i].count; k++)
            fprintf(out, "IK %s: %s\n", keys->ik[i].switches[k].name, keys->ik[i].switches[k].on ? "on" : "off");
}

static void convert(const char *dance, const char *model, FILE *out)
{
    od_error error = {0};
    od_arena *arena = od_arena_new(0);
    od_file source = file_read(dance, arena), target_file = file_read(model, arena);
    od_scene scene;
    od_target target;
    od_mapping mapping;
    od_binding binding;
    od_keys keys;
    od_retarget_result result;
    assert_ok(od_read_scene(&source, NULL, NULL, &scene, NULL, arena, &error), error);
    assert_ok(od_read_target(&target_file, NULL, &target, NULL, arena, &error), error);
    assert_ok(od_mapping_detect(&scene.skeleton, &mapping, NULL, arena, &error), error);
    assert_ok(od_binding_make(&mapping, &scene.skeleton, &target, &binding, NULL, arena, &error), error);
    assert_ok(od_retarget(&scene, &scene.clips[0], &binding, &target, &(od_retarget_options){0}, &keys, &result, NULL,
                          arena, &error),
              error);
    print_keys(out, &keys);
    od_arena_free(arena);
}

/* Equal texts, numbers within 0.002. */
static bool same_line(const char *a, const char *b)
{
    while (*a && *b) {
        char *after_a, *after_b;
        double x = strtod(a, &after_a), y = strtod(b, &after_b);
        if (after_a != a && after_b != b) {
            if (!(fabs(x - y) <= 0.002)) return false;
            a = after_a;
            b = after_b;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}

static void check_golden(const char *dance, const char *model, const char *golden)
{
    const char *mode = getenv("GOLDEN");
    FILE *now = mode && !strcmp(mode, "write") ? fopen(golden, "w+") : tmpfile();
    assert_non_null(now);
    convert(dance, model, now);
    FILE *then = fopen(golden, "r");
    if (!then) fail_msg("%s cannot be read", golden);
    rewind(now);
    char a[512], b[512];
    for (int line = 1;; line++) {
        char *x = fgets(a, sizeof a, now), *y = fgets(b, sizeof b, then);
        if (!x && !y) break;
        if (!x || !y || !same_line(a, b))
            fail_msg("%s:%d differs\nis:     %swas:    %s", golden, line, x ? a : "(end)\n", y ? b : "(end)\n");
    }
    fclose(now);
    fclose(then);
}

static void dance_on_the_pmx_is_as_it_was(void **state)
{
    (void)state;
    check_golden("samples/dance.bvh", "samples/model.pmx", "tests/golden/dance-pmx.txt");
}

static void second_rig_on_the_pmd_is_as_it_was(void **state)
{
    (void)state;
    check_golden("samples/second.bvh", "samples/model.pmd", "tests/golden/second-pmd.txt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dance_on_the_pmx_is_as_it_was),
        cmocka_unit_test(second_rig_on_the_pmd_is_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
