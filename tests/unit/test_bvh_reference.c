/* BVH: real files against an independent evaluator, and what is said of those that are broken. */
#include "bvh_reading.h"

#include <cjson/cJSON.h>
#include <dirent.h>

#include "file.h"

static double number_at(const cJSON *array, int i)
{
    return cJSON_GetArrayItem(array, i)->valuedouble;
}

/* The scene's bone of each joint of the reference, which knows no End Sites. */
static void match_joints(const od_skeleton *skeleton, const cJSON *joints, int *bone)
{
    int next = 0, j = 0;
    const cJSON *joint;
    cJSON_ArrayForEach(joint, joints)
    {
        const char *name = cJSON_GetObjectItem(joint, "name")->valuestring;
        while (next < skeleton->count && strcmp(skeleton->bones[next].name, name) != 0) next++;
        assert_true(next < skeleton->count);
        int parent = cJSON_GetObjectItem(joint, "parent")->valueint;
        assert_int_equal(skeleton->bones[next].parent, parent < 0 ? -1 : bone[parent]);
        bone[j++] = next++;
    }
}

/* Where the reference's own worlds put a joint when OFFSET is added to the position channels. */
static vec3s with_offset(const od_skeleton *skeleton, const int *bone, int joint, const vec3s *worlds, int parent,
                         const cJSON *turn)
{
    vec3s offset = skeleton->bones[bone[joint]].rest.t;
    if (parent < 0) return offset;
    versors q = od_quat((float)-number_at(turn, 0), (float)-number_at(turn, 1), (float)number_at(turn, 2),
                        (float)number_at(turn, 3));
    return glms_vec3_add(worlds[parent], od_quat_rotate(q, offset));
}

typedef struct deviation {
    double place, turn; /* of the height; in a quaternion's components */
} deviation;

static void compare_frame(const reading *r, const cJSON *reference, int index, const int *bone, double height,
                          bool relative, deviation *worst)
{
    const od_clip *clip = &r->scene.clips[0];
    int frame = (int)number_at(cJSON_GetObjectItem(reference, "frames"), index);
    od_xform world[600];
    assert_true(clip->bones <= 600 && frame < clip->frames);
    od_clip_world(clip, frame, &r->scene.skeleton, world);
    const cJSON *places = cJSON_GetArrayItem(cJSON_GetObjectItem(reference, "position"), index);
    const cJSON *turns = cJSON_GetArrayItem(cJSON_GetObjectItem(reference, "rotation_xyzw"), index);
    const cJSON *joint, *joints = cJSON_GetObjectItem(reference, "joints");
    vec3s expected[600] = {{{0}}};
    int j = 0;
    cJSON_ArrayForEach(joint, joints)
    {
        const cJSON *p = cJSON_GetArrayItem(places, j), *q = cJSON_GetArrayItem(turns, j);
        int parent = cJSON_GetObjectItem(joint, "parent")->valueint;
        expected[j] = od_vec3((float)number_at(p, 0), (float)number_at(p, 1), (float)-number_at(p, 2));
        if (relative && (parent >= 0 || glms_vec3_norm(expected[j]) < 1e-3f)) /* one root is not at zero */
            expected[j] = with_offset(&r->scene.skeleton, bone, j, expected, parent,
                                      parent < 0 ? NULL : cJSON_GetArrayItem(turns, parent));
        od_xform have = world[bone[j]];
        double off = (double)glms_vec3_distance(have.t, expected[j]) / height;
        versors want =
            od_quat((float)-number_at(q, 0), (float)-number_at(q, 1), (float)number_at(q, 2), (float)number_at(q, 3));
        want = od_quat_near(want, have.q);
        double turned = 0;
        for (int k = 0; k < 4; k++) turned = fmax(turned, fabs((double)have.q.raw[k] - (double)want.raw[k]));
        assert_true(isfinite(off) && isfinite(turned));
        if (off > worst->place) worst->place = off;
        if (turned > worst->turn) worst->turn = turned;
        j++;
    }
}

/* The largest extent of the rest pose, End Sites included. */
static double rest_size(const od_skeleton *skeleton)
{
    double size = 0;
    for (int axis = 0; axis < 3; axis++) {
        double low = 0, high = 0;
        for (int i = 0; i < skeleton->count; i++) {
            double v = (double)skeleton->bones[i].rest_world.t.raw[axis];
            if (i == 0 || v < low) low = v;
            if (i == 0 || v > high) high = v;
        }
        if (high - low > size) size = high - low;
    }
    return size;
}

static void compare_file(const char *data, const char *path)
{
    char name[512];
    od_arena *arena = od_arena_new(0);
    assert_non_null(arena);
    (void)snprintf(name, sizeof name, "%s/reference/bvh/%s", data, path);
    od_file file = file_read(name, arena);
    cJSON *reference = cJSON_ParseWithLength((const char *)file.data, file.size);
    assert_non_null(reference);
    (void)snprintf(name, sizeof name, "%s/bvh/%.*s", data, (int)(strlen(path) - strlen(".json")), path);
    file = file_read(name, arena);
    reading r = read_bytes(name, file.data, file.size, NULL);
    assert_ok(r.ok, r.error);
    assert_int_equal(r.scene.clip_count, 1);

    const od_clip *clip = &r.scene.clips[0];
    const cJSON *fps = cJSON_GetObjectItem(reference, "fps");
    int declared = cJSON_GetObjectItem(reference, "total_frames")->valueint;
    bool surplus = strstr(path, "Boxing_Toes") != NULL; /* one row more than declared */
    assert_int_equal(clip->frames, declared + surplus);
    assert_near(round(clip->fps), cJSON_IsNumber(fps) ? fps->valuedouble : 30, 0); /* the reference rounds */

    /* These two hold positions relative to OFFSET, which the reference takes as they are written. */
    bool relative = strstr(path, "makehuman/tpose") || strstr(path, "makehuman/walk1");
    assert_true(relative == warned(&r, "relative to OFFSET"));
    int bone[600] = {0};
    match_joints(&r.scene.skeleton, cJSON_GetObjectItem(reference, "joints"), bone);
    double height = rest_size(&r.scene.skeleton);
    deviation worst = {0, 0};
    int frames = cJSON_GetArraySize(cJSON_GetObjectItem(reference, "frames"));
    for (int i = 0; i < frames; i++) compare_frame(&r, reference, i, bone, height, relative, &worst);
    if (worst.place > 1e-4 || worst.turn > 2e-5)
        print_error("%s: %g of the height, %g in rotation\n", path, worst.place, worst.turn);
    assert_near(worst.place, 0, 1e-4);
    assert_near(worst.turn, 0, 2e-5);
    cJSON_Delete(reference);
    od_arena_free(arena);
    done(&r);
}

static void real_files_agree_with_an_independent_evaluator(void **state)
{
    (void)state;
    assert_true(file_each(test_data(), "reference/bvh", compare_file) >= 39);
}

static void read_or_refuse(const char *data, const char *path)
{
    static const struct {
        const char *file, *message;
    } refused[] = {
        {"malformed-missing-hierarchy.bvh", ":1:1: expected HIERARCHY, found \"ROOT\""},
        {"malformed-no-motion.bvh", ":11:1: expected MOTION, found the end of the file"},
        {"malformed-unsupported-channel.bvh",
         ":5:43: expected a channel such as Xposition or Zrotation, found \"Wrotation\""},
    };
    char name[512];
    od_arena *arena = od_arena_new(0);
    assert_non_null(arena);
    (void)snprintf(name, sizeof name, "%s/bvh/%s", data, path);
    od_file file = file_read(name, arena);
    const char *message = NULL;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strstr(path, refused[i].file)) message = refused[i].message;
    reading r = read_bytes(name, file.data, file.size, NULL);
    if (message) assert_fails(r.ok, r.error, message);
    else assert_ok(r.ok, r.error);
    assert_true(od_bvh_probe(file.data, file.size) == !strstr(path, "missing-hierarchy"));
    od_arena_free(arena);
    done(&r);
}

static void each_real_file_is_read_or_refused_in_words(void **state)
{
    (void)state;
    assert_true(file_each(test_data(), "bvh", read_or_refuse) >= 44);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_files_agree_with_an_independent_evaluator),
        cmocka_unit_test(each_real_file_is_read_or_refused_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
