/* FBX: real files against an independent reader, and what is said of those that are broken. */
#include "fbx_writing.h"

#include <cjson/cJSON.h>
#include <dirent.h>

#include "file.h"

/* Of a joint of the reference, a matrix of three rows and four columns; in canonical space. */
typedef struct placed {
    vec3s t;
    versors q;
    bool turned; /* q is there: the matrix is neither slanted nor mirrored nor flat */
} placed;

/* The file's axes for canonical x, y, z, and their signs. */
typedef struct axes {
    int axis[3];
    double sign[3];
} axes;

enum { MOST = 1000 };

typedef struct comparison {
    const char *path;
    const cJSON *bones; /* of the reference */
    axes axes;
    int match[MOST]; /* joint of the reference of each bone; -1: none */
    double size;     /* of all that moves */
    double place, turn, rest_place, rest_turn;
} comparison;

static double number_at(const cJSON *array, int i)
{
    return cJSON_GetArrayItem(array, i)->valuedouble;
}

static const char *text_of(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItem(object, name)->valuestring;
}

/* "+Y"; "?" for what the file does not say, which is the usual then. */
static void set_axis(axes *a, int i, const char *text, double sign)
{
    a->axis[i] = text[0] == '?' ? i : text[1] - 'X';
    a->sign[i] = text[0] == '-' ? -sign : sign;
}

static axes axes_of(const cJSON *reference)
{
    axes a;
    set_axis(&a, 0, text_of(reference, "right"), 1);
    set_axis(&a, 1, text_of(reference, "up"), 1);
    set_axis(&a, 2, text_of(reference, "front"), -1);
    return a;
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The columns with length 1; false when they are not at right angles, or mirrored. */
static bool straighten(double c[3][3])
{
    double cross[3];
    for (int i = 0; i < 3; i++) {
        double n = sqrt(dot(c[i], c[i]));
        if (!(n > 1e-12)) return false;
        for (int k = 0; k < 3; k++) c[i][k] /= n;
    }
    for (int k = 0; k < 3; k++)
        cross[k] = c[0][(k + 1) % 3] * c[1][(k + 2) % 3] - c[0][(k + 2) % 3] * c[1][(k + 1) % 3];
    return fabs(dot(c[0], c[1])) < 1e-5 && dot(cross, c[2]) > 1 - 1e-9;
}

static placed place_of(const axes *a, const cJSON *matrix)
{
    double m[12], columns[3][3];
    for (int i = 0; i < 12; i++) m[i] = number_at(matrix, i);
    placed p = {.t = od_vec3(0, 0, 0)};
    for (int i = 0; i < 3; i++) {
        p.t.raw[i] = (float)(a->sign[i] * m[4 * a->axis[i] + 3]);
        for (int k = 0; k < 3; k++) columns[i][k] = m[4 * k + i];
    }
    p.turned = straighten(columns);
    if (!p.turned) return p;
    mat3s rotation;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            rotation.raw[i][k] = (float)(a->sign[i] * a->sign[k] * columns[a->axis[i]][a->axis[k]]);
    p.q = od_quat_normalize(glms_mat3_quat(rotation));
    return p;
}

/* The joint of the reference with the bone's name and its parent's, that no bone has yet. */
static int find_joint(const comparison *c, const od_skeleton *skeleton, int bone, const bool *used)
{
    const char *name = skeleton->bones[bone].name;
    int parent = skeleton->bones[bone].parent, j = 0;
    const cJSON *joint;
    cJSON_ArrayForEach(joint, c->bones)
    {
        int above = cJSON_GetObjectItem(joint, "parent")->valueint;
        bool same = parent < 0 || (c->match[parent] >= 0 && above == c->match[parent]);
        if (same && !used[j] && !strcmp(text_of(joint, "name"), name)) return j;
        j++;
    }
    return -1;
}

static void match_joints(comparison *c, const od_skeleton *skeleton)
{
    bool used[MOST] = {false};
    int matched = 0;
    assert_true(skeleton->count <= MOST && cJSON_GetArraySize(c->bones) <= MOST);
    for (int i = 0; i < skeleton->count; i++) {
        c->match[i] = find_joint(c, skeleton, i, used);
        if (c->match[i] < 0) continue;
        used[c->match[i]] = true;
        matched++;
    }
    /* Names that are no UTF-8 are mended in different ways. */
    if (!strstr(c->path, "unicode_error")) assert_int_equal(matched, skeleton->count);
}

static void compare(const placed *want, od_xform have, double size, double *place, double *turn)
{
    double off = (double)glms_vec3_distance(have.t, want->t) / size;
    assert_true(isfinite(off));
    *place = fmax(*place, off);
    if (!want->turned) return;
    double angle = (double)od_quat_angle(od_quat_mul(od_quat_conj(want->q), have.q)) * 180 / 3.14159265358979;
    assert_true(isfinite(angle));
    *turn = fmax(*turn, angle);
}

/* The largest extent of the matched joints, or the farthest that one of them gets. */
static double size_of(const comparison *c, const od_skeleton *skeleton, const cJSON *world)
{
    double size = 1e-3;
    const cJSON *frame;
    cJSON_ArrayForEach(frame, world)
    {
        double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
        for (int i = 0; i < skeleton->count; i++) {
            if (c->match[i] < 0) continue;
            placed p = place_of(&c->axes, cJSON_GetArrayItem(frame, c->match[i]));
            for (int k = 0; k < 3; k++) {
                bool first = i == 0 && skeleton->count > 1;
                low[k] = first ? (double)p.t.raw[k] : fmin(low[k], (double)p.t.raw[k]);
                high[k] = first ? (double)p.t.raw[k] : fmax(high[k], (double)p.t.raw[k]);
                size = fmax(size, high[k] - low[k]);
            }
        }
    }
    return size;
}

static void compare_rest(comparison *c, const od_scene *scene)
{
    for (int i = 0; i < scene->skeleton.count; i++) {
        if (c->match[i] < 0) continue;
        const cJSON *joint = cJSON_GetArrayItem(c->bones, c->match[i]);
        const cJSON *bind = cJSON_GetObjectItem(joint, "bind"), *pose = cJSON_GetObjectItem(joint, "pose");
        if (!bind) bind = pose;
        if (!bind && scene->rest_is_bind) continue; /* relative to bones that are bound elsewhere */
        placed want = place_of(&c->axes, bind ? bind : cJSON_GetObjectItem(joint, "rest"));
        compare(&want, scene->skeleton.bones[i].rest_world, c->size, &c->rest_place, &c->rest_turn);
    }
}

static bool stands_still(const comparison *c, int bones, const cJSON *world)
{
    const cJSON *frame;
    cJSON_ArrayForEach(frame, world) for (int i = 0; i < bones; i++)
    {
        const cJSON *first = cJSON_GetArrayItem(cJSON_GetArrayItem(world, 0), c->match[i]);
        if (c->match[i] >= 0 && !cJSON_Compare(first, cJSON_GetArrayItem(frame, c->match[i]), true)) return false;
    }
    return true;
}

static void compare_motion(comparison *c, const od_scene *scene, const cJSON *reference)
{
    const cJSON *world = cJSON_GetObjectItem(reference, "world"), *frames = cJSON_GetObjectItem(reference, "frames");
    if (!scene->clip_count) {
        assert_true(stands_still(c, scene->skeleton.count, world));
        return;
    }
    const od_clip *clip = &scene->clips[0];
    od_xform now[MOST];
    assert_string_equal(clip->name, text_of(reference, "clip"));
    for (int f = 0; f < cJSON_GetArraySize(frames); f++) {
        double frame = number_at(frames, f) * clip->fps / 30; /* the reference is of 30 frames a second */
        if (frame != floor(frame)) continue;
        assert_true(frame < clip->frames);
        od_clip_world(clip, (int)frame, &scene->skeleton, now);
        for (int i = 0; i < scene->skeleton.count; i++) {
            if (c->match[i] < 0) continue;
            placed want = place_of(&c->axes, cJSON_GetArrayItem(cJSON_GetArrayItem(world, f), c->match[i]));
            compare(&want, now[i], c->size, &c->place, &c->turn);
        }
    }
}

/* Files of which no scene can be made, and why. */
static const struct {
    const char *file, *message;
} refused[] = {
    {"max7_skin_5000_binary", "expected FBX of version 6.0 or newer"},
    {"synthetic_legacy_unquoted_child_fail_5800", "expected"},
    {"synthetic_node_cycle_fail", "a model is connected below itself"},
    {"synthetic_node_depth_fail_7500_ascii", "nodes are nested too deeply"},
    {"synthetic_node_depth_fail_7400_binary", "the file is cut: a node ends at 0xffffff"},
    {"maya_anim_light_", "there is no skeleton in the file"}, /* a light alone */
    {"maya_camera_light_axes_", "there is no skeleton in the file"},
    {"blender_402_ortho_scale_unit", "there is no skeleton in the file"},    /* a camera alone */
    {"maya_huge_stepped_tangents", "10800001 frames of 1 joints: too many"}, /* of four days */
    {"maya_long_keyframes", "10000001 frames of 1 joints: too many"},
};

static const char *refusal_of(const char *path)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strstr(path, refused[i].file)) return refused[i].message;
    return NULL;
}

static void compare_scene(comparison *c, const od_scene *scene, const cJSON *reference)
{
    const cJSON *world = cJSON_GetObjectItem(reference, "world");
    c->bones = cJSON_GetObjectItem(reference, "bones");
    c->axes = axes_of(reference);
    match_joints(c, &scene->skeleton);
    c->size = size_of(c, &scene->skeleton, world);
    compare_rest(c, scene);
    compare_motion(c, scene, reference);
    bool good = c->place < 1e-4 && c->rest_place < 1e-4 && c->turn < 0.01 && c->rest_turn < 0.01;
    if (!good)
        print_error("%s: %g of %g and %g degrees, at rest %g and %g degrees\n", c->path, c->place, c->size, c->turn,
                    c->rest_place, c->rest_turn);
    assert_true(good);
}

static void compare_file(const char *data, const char *path)
{
    char name[512];
    if (strstr(path, "animation-pre-rotation")) return; /* there PreRotation itself has a curve, by hand */
    od_arena *arena = od_arena_new(0);
    assert_non_null(arena);
    (void)snprintf(name, sizeof name, "%s/fbx/%.*s", data, (int)(strlen(path) - strlen(".json")), path);
    od_file file = file_read(name, arena);
    fbx_reading r = fbx_read_bytes(file.data, file.size);
    if (refusal_of(path)) {
        assert_fails(r.ok, r.error, refusal_of(path));
    } else {
        (void)snprintf(name, sizeof name, "%s/reference/fbx/%s", data, path);
        file = file_read(name, arena);
        cJSON *reference = cJSON_ParseWithLength((const char *)file.data, file.size);
        static comparison c;
        c = (comparison){.path = path};
        assert_non_null(reference);
        assert_ok(r.ok, r.error);
        compare_scene(&c, &r.scene, reference);
        cJSON_Delete(reference);
    }
    fbx_done(&r);
    od_arena_free(arena);
}

static void real_files_agree_with_an_independent_reader(void **state)
{
    (void)state;
    assert_true(file_each(test_data(), "reference/fbx", compare_file) >= 263);
}

static void read_or_refuse(const char *data, const char *path)
{
    char name[512];
    if (!strstr(path, ".fbx") && !strstr(path, ".FBX")) return;
    od_arena *arena = od_arena_new(0);
    assert_non_null(arena);
    (void)snprintf(name, sizeof name, "%s/fbx/%s", data, path);
    od_file file = file_read(name, arena);
    fbx_reading r = fbx_read_bytes(file.data, file.size);
    if (refusal_of(path)) assert_fails(r.ok, r.error, refusal_of(path));
    else assert_ok(r.ok, r.error);
    assert_true(r.ok == !refusal_of(path));
    assert_true((r.ok && r.scene.roles) == (strstr(path, "maya_character_") != NULL)); /* of HumanIK */
    fbx_done(&r);
    od_arena_free(arena);
}

static void each_real_file_is_read_or_refused_in_words(void **state)
{
    (void)state;
    assert_true(file_each(test_data(), "fbx", read_or_refuse) >= 270);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_files_agree_with_an_independent_reader),
        cmocka_unit_test(each_real_file_is_read_or_refused_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
