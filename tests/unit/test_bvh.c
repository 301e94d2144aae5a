/* BVH: the dialects, the arithmetic against an independent evaluator, and hostile input. */
#include "check.h"

#include <cjson/cJSON.h>
#include <dirent.h>

#include "format/bvh.h"

/* ---- helpers ------------------------------------------------------------------------------------- */

typedef struct reading {
    od_arena *arena;
    od_scene scene;
    od_report report;
    od_error error;
    bool ok;
} reading;

static reading read_bytes(const char *name, const void *data, size_t size, const char *root)
{
    reading r = {.arena = od_arena_new(0)};
    r.report.arena = r.arena;
    od_file file = {.name = name, .data = data, .size = size};
    od_read_options options = {.root_joint = root};
    r.ok = od_bvh_read(&file, &options, &r.scene, &r.report, r.arena, &r.error);
    assert_true(r.ok == !r.error.failed);
    return r;
}

static reading read_text(const char *text)
{
    return read_bytes("dance.bvh", text, strlen(text), NULL);
}

static void done(reading *r)
{
    od_arena_free(r->arena);
}

static bool warned(const reading *r, const char *part)
{
    for (const od_note *note = r->report.first; note; note = note->next)
        if (strstr(note->text, part)) return true;
    return false;
}

static void check_refused(const char *text, const char *part)
{
    reading r = read_text(text);
    assert_fails(r.ok, r.error, part);
    done(&r);
}

static unsigned char *load(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    unsigned char *data = malloc((size_t)1 << 25);
    assert_non_null(data);
    *size = fread(data, 1, (size_t)1 << 25, f);
    (void)fclose(f);
    return data;
}

static const od_xform *local_of(const reading *r, int frame, const char *bone)
{
    int i = od_skeleton_find(&r->scene.skeleton, bone);
    assert_true(i >= 0);
    assert_int_equal(r->scene.clip_count, 1);
    assert_true(frame < r->scene.clips[0].frames);
    return &r->scene.clips[0].local[frame * r->scene.clips[0].bones + i];
}

/* A root with six channels, one child of three with an End Site. */
#define TREE \
    "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation " \
    "Yrotation\n\tJOINT Chest\n\t{\n\t\tOFFSET 1 10 2\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n\t\tEnd " \
    "Site\n\t\t{\n\t\t\tOFFSET 0 5 1\n\t\t}\n\t}\n}\n"
#define HEAD "MOTION\nFrames: 2\nFrame Time: .0333333\n"
#define ROWS "1 90 3 0 0 0 0 0 0\n2 91 4 10 20 30 40 50 60\n"

/* ---- against the reference ----------------------------------------------------------------------- */

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
    od_skeleton_world(&r->scene.skeleton, clip->local + (size_t)frame * (size_t)clip->bones, world);
    const cJSON *places = cJSON_GetArrayItem(cJSON_GetObjectItem(reference, "position"), index);
    const cJSON *turns = cJSON_GetArrayItem(cJSON_GetObjectItem(reference, "rotation_xyzw"), index);
    const cJSON *joint, *joints = cJSON_GetObjectItem(reference, "joints");
    vec3s expected[600];
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
    size_t size;
    (void)snprintf(name, sizeof name, "%s/reference/bvh/%s", data, path);
    unsigned char *text = load(name, &size);
    cJSON *reference = cJSON_ParseWithLength((const char *)text, size);
    assert_non_null(reference);
    free(text);
    (void)snprintf(name, sizeof name, "%s/bvh/%.*s", data, (int)(strlen(path) - strlen(".json")), path);
    text = load(name, &size);
    reading r = read_bytes(name, text, size, NULL);
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
    int bone[600];
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
    free(text);
    done(&r);
}

/* Calls `visit` for each file of each folder below `folder`; returns their number. */
static int each_file(const char *data, const char *folder, void (*visit)(const char *data, const char *path))
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", data, folder);
    DIR *top = opendir(path);
    assert_non_null(top);
    int count = 0;
    for (struct dirent *dir; (dir = readdir(top)) != NULL;) {
        if (dir->d_name[0] == '.') continue;
        (void)snprintf(path, sizeof path, "%s/%s/%s", data, folder, dir->d_name);
        DIR *inner = opendir(path);
        if (!inner) continue;
        for (struct dirent *entry; (entry = readdir(inner)) != NULL;) {
            if (entry->d_name[0] == '.') continue;
            (void)snprintf(path, sizeof path, "%s/%s", dir->d_name, entry->d_name);
            visit(data, path);
            count++;
        }
        (void)closedir(inner);
    }
    (void)closedir(top);
    return count;
}

static void real_files_agree_with_an_independent_evaluator(void **state)
{
    (void)state;
    assert_true(each_file(test_data(), "reference/bvh", compare_file) >= 39);
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
    size_t size;
    (void)snprintf(name, sizeof name, "%s/bvh/%s", data, path);
    unsigned char *text = load(name, &size);
    const char *message = NULL;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strstr(path, refused[i].file)) message = refused[i].message;
    reading r = read_bytes(name, text, size, NULL);
    if (message) assert_fails(r.ok, r.error, message);
    else assert_ok(r.ok, r.error);
    assert_true(od_bvh_probe(text, size) == !strstr(path, "missing-hierarchy"));
    free(text);
    done(&r);
}

static void each_real_file_is_read_or_refused_in_words(void **state)
{
    (void)state;
    assert_true(each_file(test_data(), "bvh", read_or_refuse) >= 44);
}

/* ---- the arithmetic ------------------------------------------------------------------------------ */

typedef struct matrix {
    double m[3][3];
} matrix;

static matrix product(matrix a, matrix b)
{
    matrix c = {{{0}}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) c.m[i][j] += a.m[i][k] * b.m[k][j];
    return c;
}

static matrix turn_about(int axis, double degrees)
{
    double angle = fmod(degrees, 360) * acos(-1) / 180, s = sin(angle), c = cos(angle);
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    matrix r = {{{0}}};
    r.m[axis][axis] = 1;
    r.m[a][a] = r.m[b][b] = c;
    r.m[a][b] = -s;
    r.m[b][a] = s;
    return r;
}

/* What a turn in the file's space is in canonical space: z is mirrored on both sides. */
static void check_turn(matrix file, versors q)
{
    for (int column = 0; column < 3; column++) {
        vec3s unit = od_vec3(column == 0, column == 1, column == 2);
        vec3s have = od_quat_rotate(q, unit);
        for (int row = 0; row < 3; row++) {
            double sign = (row == 2) != (column == 2) ? -1 : 1;
            assert_near(have.raw[row], sign * file.m[row][column], 2e-6);
        }
    }
    assert_near(od_quat_dot(q, q), 1, 1e-6);
}

static void rotation_is_the_product_of_the_channels_in_file_order(void **state)
{
    static const char *const orders[] = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "X", "Y", "Z",
                                         "XY",  "XZ",  "YX",  "YZ",  "ZX",  "ZY",  "",  NULL};
    static const double angles[][3] = {{0, 0, 0},       {10, 20, 30},      {-170.5, 89.9, 90}, {180, -180, 360},
                                       {45, 135, -225}, {720, 1080.25, 1}, {1e6, -1e7, 1e9},   {1e-7, 0, -1e-5}};
    (void)state;
    for (int n = 0; orders[n]; n++) {
        for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
            char text[1024];
            size_t size = (size_t)snprintf(text, sizeof text,
                                           "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\nJOINT B\n{\n"
                                           "OFFSET 0 1 0\nCHANNELS %zu",
                                           strlen(orders[n]));
            matrix expected = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
            char row[128] = "5";
            for (int i = 0; orders[n][i]; i++) {
                size += (size_t)snprintf(text + size, sizeof text - size, " %crotation", orders[n][i]);
                (void)snprintf(row + strlen(row), sizeof row - strlen(row), " %.17g", angles[k][i]);
                expected = product(expected, turn_about(orders[n][i] - 'X', angles[k][i]));
            }
            (void)snprintf(text + size, sizeof text - size, "\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.04\n%s\n", row);
            reading r = read_text(text);
            assert_ok(r.ok, r.error);
            check_turn(expected, local_of(&r, 0, "B")->q);
            done(&r);
        }
    }
}

static void whole_turns_leave_no_trace(void **state)
{
    (void)state;
    reading r = read_text(TREE "MOTION\nFrames: 2\nFrame Time: .04\n0 0 0 360 -720 0 0 0 0\n0 0 0 0 0 -180 0 0 0\n");
    assert_ok(r.ok, r.error);
    versors q = local_of(&r, 0, "Hips")->q;
    assert_true(q.x == 0 && q.y == 0 && q.z == 0 && fabsf(q.w) == 1);
    q = local_of(&r, 1, "Hips")->q;
    assert_true(q.x == 0 && fabsf(q.y) == 1 && q.z == 0);
    assert_near(q.w, 0, 1e-9);
    done(&r);
}

/* ---- the skeleton -------------------------------------------------------------------------------- */

static void check_vector(vec3s v, double x, double y, double z)
{
    assert_near(v.x, x, 1e-6);
    assert_near(v.y, y, 1e-6);
    assert_near(v.z, z, 1e-6);
}

static void positions_replace_the_offset_and_end_sites_are_leaves(void **state)
{
    (void)state;
    reading r = read_text(TREE HEAD ROWS);
    assert_ok(r.ok, r.error);
    const od_skeleton *skeleton = &r.scene.skeleton;
    assert_int_equal(skeleton->count, 3);
    assert_string_equal(skeleton->bones[0].name, "Hips");
    assert_string_equal(skeleton->bones[1].name, "Chest");
    assert_string_equal(skeleton->bones[2].name, "Chest_end");
    assert_int_equal(skeleton->bones[0].parent, -1);
    assert_int_equal(skeleton->bones[1].parent, 0);
    assert_int_equal(skeleton->bones[2].parent, 1);
    check_vector(skeleton->bones[1].rest.t, 1, 10, -2);
    check_vector(skeleton->bones[2].rest_world.t, 1, 15, -3);
    assert_true(r.scene.moves[0] && !r.scene.moves[1] && !r.scene.moves[2]);
    assert_false(r.scene.rest_is_bind);
    assert_string_equal(r.scene.format, "bvh");
    assert_string_equal(r.scene.clips[0].name, "dance");
    assert_int_equal(r.scene.clips[0].frames, 2);
    assert_near(r.scene.clips[0].fps, 30, 0);
    check_vector(local_of(&r, 1, "Hips")->t, 2, 91, -4);
    check_vector(local_of(&r, 1, "Chest")->t, 1, 10, -2);
    check_vector(local_of(&r, 1, "Chest_end")->t, 0, 5, -1);
    check_turn(product(product(turn_about(2, 10), turn_about(0, 20)), turn_about(1, 30)), local_of(&r, 1, "Hips")->q);
    assert_int_equal(r.report.warnings, 0);
    done(&r);
}

static void an_axis_without_position_channel_keeps_its_offset(void **state)
{
    (void)state;
    reading r = read_text("HIERARCHY\nROOT A\n{\nOFFSET 1 2 3\nCHANNELS 2 Yrotation Yposition\n}\nMOTION\n"
                          "Frames: 2\nFrame Time: 0.01\n90 7\n0 8\n");
    assert_ok(r.ok, r.error);
    check_vector(local_of(&r, 0, "A")->t, 1, 7, -3);
    check_turn(turn_about(1, 90), local_of(&r, 0, "A")->q);
    assert_true(r.scene.moves[0]);
    assert_near(r.scene.clips[0].fps, 100, 0);
    done(&r);
}

static void an_end_site_takes_no_name_from_a_joint(void **state)
{
    (void)state;
    reading r = read_text("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n"
                          "JOINT A_end\n{\nOFFSET 0 2 0\nCHANNELS 1 Yrotation\n}\n}\n"
                          "MOTION\nFrames: 1\nFrame Time: .04\n10 20\n");
    assert_ok(r.ok, r.error);
    check_vector(r.scene.skeleton.bones[od_skeleton_find(&r.scene.skeleton, "A_end")].rest.t, 0, 2, 0);
    check_vector(r.scene.skeleton.bones[od_skeleton_find(&r.scene.skeleton, "A_end_")].rest.t, 0, 1, 0);
    done(&r);
}

static void odd_and_missing_end_sites_are_read(void **state)
{
    (void)state;
    static const char *const ends[] = {"End Site\n{\nOFFSET 0 5 0\n}\n",         "End  \t site {OFFSET 0 5 0}\n",
                                       "End Effector toe 1\n{OFFSET 0 5 0\n}\n", "END\n{\nOFFSET 0 5 0\n}\n",
                                       "EndSite{\nOFFSET 0 5 0\nCHANNELS 0\n}",  "End Site-12\n{\nOFFSET 0 5 0 }"};
    static const char *const nothing[] = {"", "End Site\n", "End Site\n{\nOFFSET 0 0 0\n}\n", "End Site\n{\n}\n"};
    char text[1024];
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        (void)snprintf(text, sizeof text,
                       "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n%s}\n" HEAD "1\n2\n", ends[i]);
        reading r = read_text(text);
        assert_ok(r.ok, r.error);
        assert_int_equal(r.scene.skeleton.count, 2);
        check_vector(r.scene.skeleton.bones[od_skeleton_find(&r.scene.skeleton, "A_end")].rest.t, 0, 5, 0);
        done(&r);
    }
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        (void)snprintf(text, sizeof text,
                       "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n%s}\n" HEAD "1\n2\n", nothing[i]);
        reading r = read_text(text);
        assert_ok(r.ok, r.error);
        assert_int_equal(r.scene.skeleton.count, 1);
        done(&r);
    }
}

static void names_keep_blanks_colons_dots_and_other_scripts(void **state)
{
    (void)state;
    reading r = read_text("HIERARCHY\nROOT  mixamorig:Hips.001  \n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n"
                          "JOINT Left Upper Arm\t{\nOFFSET 0 1 0\nJOINT \xE5\xB7\xA6\xE8\x85\x95\n{\nOFFSET 0 1 0\n"
                          "JOINT bad\xFFname\n{\nOFFSET 0 1 0\nJOINT toe_End\n{\nOFFSET 0 0 0\n}\n}\n}\n}\n}\n"
                          "MOTION\nFrames: 1\nFrame Time: .04\n10\n");
    assert_ok(r.ok, r.error);
    assert_int_equal(r.scene.skeleton.count, 5);
    assert_string_equal(r.scene.skeleton.bones[0].name, "mixamorig:Hips.001");
    assert_string_equal(r.scene.skeleton.bones[1].name, "Left Upper Arm");
    assert_string_equal(r.scene.skeleton.bones[2].name, "\xE5\xB7\xA6\xE8\x85\x95");
    assert_string_equal(r.scene.skeleton.bones[3].name, "bad\xEF\xBF\xBDname");
    assert_string_equal(r.scene.skeleton.bones[4].name, "toe_End");
    done(&r);
}

static void equal_names_are_kept_and_named(void **state)
{
    (void)state;
    reading r = read_text("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT B\n{\nOFFSET 1 0 0\n}\n"
                          "JOINT B\n{\nOFFSET 2 0 0\n}\n}\n" HEAD "1\n2\n");
    assert_ok(r.ok, r.error);
    assert_int_equal(r.scene.skeleton.count, 3);
    assert_true(warned(&r, "two joints are called B"));
    assert_int_equal(r.report.warnings, 1);
    done(&r);
}

/* ---- several roots ------------------------------------------------------------------------------- */

#define ROOTS \
    "HIERARCHY\nROOT Floor\n{\nOFFSET 0 0 0\n}\nROOT Still\n{\nOFFSET 1 0 0\nCHANNELS 3 Xposition Yposition " \
    "Zposition\n}\nROOT Dancer\n{\nOFFSET 2 0 0\nCHANNELS 1 Yrotation\nJOINT Head\n{\nOFFSET 0 1 0\nCHANNELS 1 " \
    "Xrotation\n}\n}\n"

static void of_several_roots_the_first_that_moves_is_taken(void **state)
{
    (void)state;
    reading r = read_text(ROOTS HEAD "1 2 3 10 0\n1 2 3 10 30\n");
    assert_ok(r.ok, r.error);
    assert_int_equal(r.scene.skeleton.count, 2);
    assert_string_equal(r.scene.skeleton.bones[0].name, "Dancer");
    assert_int_equal(r.scene.skeleton.bones[1].parent, 0);
    check_turn(turn_about(1, 10), local_of(&r, 1, "Dancer")->q);
    check_turn(turn_about(0, 30), local_of(&r, 1, "Head")->q);
    assert_true(warned(&r, "Dancer is the first of 3 roots"));
    done(&r);
    r = read_text(ROOTS HEAD "1 2 3 10 0\n1 5 3 10 30\n");
    assert_string_equal(r.scene.skeleton.bones[0].name, "Still");
    assert_int_equal(r.scene.skeleton.count, 1);
    done(&r);
    r = read_text(ROOTS HEAD "1 2 3 10 0\n1 2 3 10 0\n");
    assert_string_equal(r.scene.skeleton.bones[0].name, "Still");
    done(&r);
}

static void a_root_is_taken_by_name(void **state)
{
    (void)state;
    const char *text = ROOTS HEAD "1 2 3 10 0\n1 2 3 10 30\n";
    reading r = read_bytes("dance.bvh", text, strlen(text), "Still");
    assert_ok(r.ok, r.error);
    assert_int_equal(r.scene.skeleton.count, 1);
    check_vector(local_of(&r, 1, "Still")->t, 1, 2, -3);
    done(&r);
    r = read_bytes("dance.bvh", text, strlen(text), "Singer");
    assert_fails(r.ok, r.error, "expected a root joint called Singer, found Floor, Still, Dancer");
    done(&r);
}

/* ---- the text ------------------------------------------------------------------------------------ */

static void check_same_motion(const char *text)
{
    reading expected = read_text(TREE HEAD ROWS), r = read_text(text);
    assert_ok(r.ok, r.error);
    assert_int_equal(r.scene.skeleton.count, 3);
    assert_int_equal(r.scene.clips[0].frames, 2);
    assert_memory_equal(r.scene.clips[0].local, expected.scene.clips[0].local, 6 * sizeof(od_xform));
    done(&r);
    done(&expected);
}

/* `text` with each `from` written as `to`. */
static const char *rewritten(const char *text, char from, const char *to)
{
    static char out[4096];
    size_t n = 0;
    for (; *text; text++) {
        if (*text == from) n += (size_t)snprintf(out + n, sizeof out - n, "%s", to);
        else out[n++] = *text;
    }
    out[n] = '\0';
    return out;
}

static void line_ends_blanks_and_case_do_not_matter(void **state)
{
    (void)state;
    const char *plain = TREE HEAD ROWS;
    check_same_motion(plain);
    check_same_motion(rewritten(plain, '\n', "\r\n"));
    check_same_motion(rewritten(plain, '\n', "\r"));
    check_same_motion(rewritten(plain, '\n', "\n\n \t\n"));
    check_same_motion(rewritten(plain, '\n', " \r\n\t"));
    check_same_motion(rewritten(plain, ' ', "\t "));
    check_same_motion("\xEF\xBB\xBF" TREE HEAD ROWS);
    check_same_motion(TREE "MOTION\nFrames:2\nFrame Time:.0333333\n" ROWS);
    check_same_motion(TREE "motion\nFRAMES : 2\nframe  time : 3.33333e-2\n" ROWS);
    check_same_motion(TREE "MOTION Frames: 2 FrameTime 0.0333333 " ROWS);
    check_same_motion(TREE "MOTION\nFrame Time: 0.033333\nFrames: 2\n" ROWS);
    check_same_motion(TREE HEAD "1 90 3 0 0-0 0 0 0\n2.0+91 0.4e1+1.0E+01 20 30 40 50 .6e2");
    check_same_motion(TREE HEAD "1 90 3 0 0 0 0 0 0\n2 91 4 10 20 30 40 50 60");
    reading r = read_text("hierarchy\nroot Hips\n{\noffset 0 0 0\nchannels 3 xposition YPOSITION zPosition\n}\n"
                          "MOTION\nFrames: 1\nFrame Time: .04\n0.0-7.5 1\n");
    assert_ok(r.ok, r.error);
    check_vector(local_of(&r, 0, "Hips")->t, 0, -7.5, -1);
    done(&r);
}

static void a_decimal_comma_is_refused_in_words(void **state)
{
    (void)state;
    check_refused(TREE HEAD "1,5 90 3 0 0 0 0 0 0\n",
                  "dance.bvh:19:2: expected a point as decimal sign, found a comma");
    check_refused(TREE "MOTION\nFrames: 2\nFrame Time: 0,0333\n" ROWS, "dance.bvh:18:14: expected a point");
    check_refused("HIERARCHY\nROOT A\n{\nOFFSET 0,0 1,5 0,0\n", "dance.bvh:4:9: expected a point as decimal sign");
}

static void what_is_no_number_is_refused_with_its_place(void **state)
{
    (void)state;
    check_refused(TREE HEAD "1 90 nan 0 0 0 0 0 0\n", "dance.bvh:19:6: expected a number, found \"nan\"");
    check_refused(TREE HEAD "1 90 3 -inf 0 0 0 0 0\n", "dance.bvh:19:8: expected a number, found \"-inf\"");
    check_refused(TREE HEAD "1 90 3 0 0x10 0 0 0 0\n", "dance.bvh:19:10: expected a number, found \"0x10\"");
    check_refused(TREE HEAD "1 90 3 0 1.5.2 0 0 0 0\n", "dance.bvh:19:10: expected a number, found \"1.5.2\"");
    check_refused(TREE HEAD "1 90 3 0 -1.#IND 0 0 0 0\n", "expected a number, found \"-1.#IND\"");
    check_refused(TREE HEAD "1e13 90 3 0 0 0 0 0 0\n", "dance.bvh:19:1: expected a number of at most 1e12");
    check_refused(TREE HEAD "1 90 3 1e999 0 0 0 0 0\n", "expected a number of at most 1e12, found \"1e999\"");
    check_refused(TREE "MOTION\nFrames: many\n", "dance.bvh:17:9: expected a number, found \"many\"");
    check_refused("HIERARCHY\nROOT A\n{\nOFFSET 0 nan 0\n", "dance.bvh:4:10: expected a number, found \"nan\"");
}

static void a_broken_hierarchy_is_refused_with_its_place(void **state)
{
    (void)state;
    check_refused("", "dance.bvh:1:1: expected HIERARCHY, found the end of the file");
    check_refused("\xFF\xFEH", "found UTF-16");
    check_refused("\xFF\xD8\xFF\xE0\x10JFIF", "expected HIERARCHY, found \"????\"");
    check_refused("HIERARCHY\nMOTION\n", "dance.bvh:2:1: expected ROOT, found \"MOTION\"");
    check_refused("HIERARCHY\nJOINT A\n{\n}\n", "dance.bvh:2:1: expected ROOT, found \"JOINT\"");
    check_refused("HIERARCHY\nROOT A\nOFFSET 0 0 0\n", "dance.bvh:3:1: expected \"{\", found \"OFFSET\"");
    check_refused("HIERARCHY\nROOT A\n{\nOFFSET 0 0\nCHANNELS 0\n}\n", "dance.bvh:5:1: expected a number");
    check_refused("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n",
                  "expected OFFSET, CHANNELS, JOINT, End Site or \"}\", found the "
                  "end of the file");
    check_refused("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nMOTION\n", "dance.bvh:5:1: expected OFFSET, CHANNELS");
    check_refused("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n}\n}\n", "dance.bvh:6:1: expected MOTION, found \"}\"");
    check_refused("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nOFFSET 1 0 0\n}\n", "expected one OFFSET in a joint");
    check_refused("HIERARCHY\nROOT A\n{\nCHANNELS 1 Xrotation\nCHANNELS 0\n}\n", "expected one CHANNELS in a joint");
    check_refused("HIERARCHY\nROOT A\n{\nCHANNELS 7 Xrotation\n}\n",
                  "dance.bvh:4:10: expected 0 to 6 channels, found \"7\"");
    check_refused("HIERARCHY\nROOT A\n{\nCHANNELS -1\n}\n", "expected 0 to 6 channels");
    check_refused("HIERARCHY\nROOT A\n{\nCHANNELS 2.5 Xrotation\n}\n", "expected 0 to 6 channels");
    check_refused("HIERARCHY\nROOT A\n{\nCHANNELS 3 Xrotation Yrotation Xrotation\n}\n",
                  "dance.bvh:4:32: expected each channel once, found \"Xrotation\"");
    check_refused("HIERARCHY\nROOT A\n{\nCHANNELS 3 Xrotation Yrotation\n}\n", "dance.bvh:5:1: expected a channel");
    check_refused("HIERARCHY\nROOT A\n{\nCHANNELS 1 Xrotation Yrotation\n}\n",
                  "dance.bvh:4:22: expected OFFSET, CHANNELS");
}

static void deep_nesting_and_many_joints_are_bounded(void **state)
{
    (void)state;
    char *text = malloc(1 << 20);
    assert_non_null(text);
    for (int depth = 511; depth <= 512; depth++) { /* below the root */
        char *p = text + sprintf(text, "HIERARCHY\nROOT r{CHANNELS 1 Xrotation\n");
        for (int i = 0; i < depth; i++) p += sprintf(p, "JOINT j%d{OFFSET 0 1 0\n", i);
        for (int i = 0; i <= depth; i++) *p++ = '}';
        (void)sprintf(p, HEAD "1\n2\n");
        reading r = read_text(text);
        if (depth == 511) assert_ok(r.ok, r.error);
        else assert_fails(r.ok, r.error, "expected at most 512 joints one in another, found \"j511{OFFSET\"");
        done(&r);
    }
    char *p = text + sprintf(text, "HIERARCHY\nROOT r{CHANNELS 1 Xrotation\n");
    for (int i = 0; i < 10000; i++) p += sprintf(p, "JOINT j%d{OFFSET 0 1 0}\n", i);
    (void)sprintf(p, "}" HEAD "1\n2\n");
    check_refused(text, "expected at most 10000 joints");
    free(text);
}

/* ---- frames -------------------------------------------------------------------------------------- */

static void the_rows_that_are_there_count_not_those_declared(void **state)
{
    (void)state;
    static const struct {
        const char *frames, *warning;
    } cases[] = {{"Frames: 3\n", "3 frames are declared, 2 are there"},
                 {"Frames: 1\n", "1 frames are declared, 2 are there"},
                 {"Frames: 1000000000\n", "1000000000 frames are declared, 2 are there"},
                 {"Frames: 0\n", "0 frames are declared, 2 are there"},
                 {"Frames: -2\n", "-2 is no number of frames"},
                 {"Frames: 1.5\n", "1.5 is no number of frames"},
                 {"Frames: 1e11\n", "1e+11 is no number of frames"},
                 {"", "the number of frames is missing"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text, TREE "MOTION\n%sFrame Time: 0.04\n" ROWS, cases[i].frames);
        check_same_motion(text);
        reading r = read_text(text);
        assert_true(warned(&r, cases[i].warning));
        assert_int_equal(r.report.warnings, 1);
        assert_near(r.scene.clips[0].fps, 25, 0);
        done(&r);
    }
}

static void an_unusable_frame_time_gives_30_frames_a_second_and_a_warning(void **state)
{
    (void)state;
    static const struct {
        const char *time;
        double fps;
        bool warned;
    } cases[] = {{"Frame Time: 0\n", 30, true},
                 {"Frame Time: -0.04\n", 30, true},
                 {"", 30, true},
                 {"Frame Time: 33.3\n", 30, true},
                 {"Frame Time: 1e-300\n", 30, true},
                 {"Frame Time: 1\n", 1, false},
                 {"Frame Time: .0083333\n", 120, false},
                 {"Frame Time: 0.041667\n", 24, false},
                 {"Frame Time: 0.0417083750417\n", 24000 / 1001.0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text, TREE "MOTION\nFrames: 2\n%s" ROWS, cases[i].time);
        reading r = read_text(text);
        assert_ok(r.ok, r.error);
        assert_near(r.scene.clips[0].fps, cases[i].fps, 1e-9);
        assert_int_equal(r.report.warnings, cases[i].warned);
        done(&r);
    }
}

static void without_frames_there_is_a_skeleton_but_no_clip(void **state)
{
    (void)state;
    static const char *const texts[] = {
        TREE "MOTION\nFrames: 0\nFrame Time: 0.04\n", TREE "MOTION\nFrames: 0\nFrame Time: 0.04", TREE "MOTION",
        "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nJOINT B\n{\nOFFSET 0 1 0\n}\nJOINT C\n{\nOFFSET 1 1 0\n}\n}\n" HEAD};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        reading r = read_text(texts[i]);
        assert_ok(r.ok, r.error);
        assert_int_equal(r.scene.skeleton.count, 3);
        assert_int_equal(r.scene.clip_count, 0);
        assert_true(warned(&r, "there are no frames"));
        done(&r);
    }
}

static void rows_may_be_broken_over_lines_when_the_numbers_add_up(void **state)
{
    (void)state;
    static const char *const texts[] = {TREE HEAD "1 90 3\n0 0 0\n0 0 0\n2 91 4\n10 20 30\n40 50 60\n",
                                        TREE HEAD "1 90 3 0 0 0 0 0 0 2 91 4 10 20 30 40 50 60\n",
                                        TREE HEAD "1 90 3 0 0\n0 0 0 0 2\n91 4 10 20 30\n40 50 60\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        check_same_motion(texts[i]);
        reading r = read_text(texts[i]);
        assert_true(warned(&r, "the rows are broken over lines"));
        done(&r);
    }
}

static void a_row_with_another_count_is_refused_with_its_line(void **state)
{
    (void)state;
    const char *want = "dance.bvh:20: expected 9 numbers in this row, one for each channel, found 8";
    check_refused(TREE HEAD "1 90 3 0 0 0 0 0 0\n2 91 4 10 20 30 40 50\n1 2 3 4 5 6 7 8 9\n", want);
    check_refused(TREE HEAD "1 90 3 0 0 0 0 0 0\n2 91 4 10 20 30 40 50\n1 2 3 4 5 6 7 8 9 10\n", want);
    /* The sum alone proves nothing: nine rows of eight are eight of nine. */
    char text[2048] = TREE "MOTION\nFrames: 9\nFrame Time: 0.04\n";
    for (int i = 0; i < 9; i++) (void)snprintf(text + strlen(text), sizeof text - strlen(text), "1 2 3 4 5 6 7 8\n");
    check_refused(text, "dance.bvh:19: expected 9 numbers in this row, one for each channel, found 8");
}

static void an_incomplete_last_row_is_dropped(void **state)
{
    (void)state;
    check_same_motion(TREE "MOTION\nFrames: 3\nFrame Time: 0.04\n" ROWS "1 2 3 4");
    reading r = read_text(TREE "MOTION\nFrames: 3\nFrame Time: 0.04\n" ROWS "1 2 3 4\n");
    assert_true(warned(&r, "the last row has 4 of 9 numbers and is dropped"));
    assert_true(warned(&r, "3 frames are declared, 2 are there"));
    assert_int_equal(r.report.warnings, 2);
    done(&r);
}

static void what_follows_the_declared_frames_is_ignored(void **state)
{
    (void)state;
    check_same_motion(TREE HEAD ROWS "\n# made by hand\n");
    reading r = read_text(TREE HEAD ROWS "\nHIERARCHY\n");
    assert_true(warned(&r, "dance.bvh:22: what follows the last frame is ignored"));
    done(&r);
    check_refused(TREE HEAD "1 90 3 0 0 0 0 0 0\n# made by hand\n", "dance.bvh:20:1: expected a number, found \"#\"");
}

/* ---- positions relative to OFFSET ---------------------------------------------------------------- */

#define MOVING \
    "HIERARCHY\nROOT A\n{\nOFFSET 0 90 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT B\n{\nOFFSET 0 10 3\n" \
    "CHANNELS 3 Xposition Yposition Zposition\n}\n}\n"

static void positions_that_are_zero_throughout_are_relative_to_the_offset(void **state)
{
    (void)state;
    reading r = read_text(MOVING HEAD "5 80 0 0 0.001 0\n6 81 0 0.002 0 0\n");
    assert_ok(r.ok, r.error);
    assert_true(warned(&r, "the positions of 1 joint (B) are about zero"));
    check_vector(local_of(&r, 0, "A")->t, 5, 80, 0);
    check_vector(local_of(&r, 0, "B")->t, 0, 10.001, -3);
    check_vector(local_of(&r, 1, "B")->t, 0.002, 10, -3);
    done(&r);
    r = read_text(MOVING HEAD "0 0 0 0 10 3\n0 0 0 0 10 3\n");
    assert_ok(r.ok, r.error);
    assert_true(warned(&r, "the positions of 1 joint (A) are about zero"));
    check_vector(local_of(&r, 0, "A")->t, 0, 90, 0);
    check_vector(local_of(&r, 1, "B")->t, 0, 10, -3);
    done(&r);
}

static void positions_that_leave_zero_once_replace_the_offset(void **state)
{
    (void)state;
    reading r = read_text(MOVING HEAD "0 0 0 0 0 0\n0 10 0 0 1 0\n");
    assert_ok(r.ok, r.error);
    assert_int_equal(r.report.warnings, 0);
    check_vector(local_of(&r, 0, "A")->t, 0, 0, 0);
    check_vector(local_of(&r, 1, "B")->t, 0, 1, 0);
    done(&r);
}

/* ---- hostile input ------------------------------------------------------------------------------- */

/* Either a message that names the file, or a scene without a NaN. */
static void check_outcome(const reading *r)
{
    if (!r->ok) {
        assert_non_null(strstr(r->error.message, "dance.bvh"));
        assert_non_null(strstr(r->error.message, "expected"));
        return;
    }
    const od_skeleton *skeleton = &r->scene.skeleton;
    assert_true(skeleton->count > 0);
    for (int i = 0; i < skeleton->count; i++) {
        assert_true(skeleton->bones[i].parent < i);
        assert_true(od_vec3_finite(skeleton->bones[i].rest_world.t));
    }
    for (int c = 0; c < r->scene.clip_count; c++) {
        const od_clip *clip = &r->scene.clips[c];
        assert_true(isfinite(clip->fps) && clip->fps > 0 && clip->frames > 0 && clip->bones == skeleton->count);
        for (int i = 0; i < clip->frames * clip->bones; i++) {
            assert_true(od_vec3_finite(clip->local[i].t));
            assert_near(od_quat_dot(clip->local[i].q, clip->local[i].q), 1, 1e-5);
        }
    }
}

static void a_text_cut_at_any_byte_is_read_or_refused(void **state)
{
    (void)state;
    const char *whole = ROOTS HEAD "1 2 3 10 0\r\n1 2 3 10 30\r\n";
    for (size_t size = 0; size <= strlen(whole); size++) {
        char *text = malloc(size + 1); /* of just this size, so that a read past it is found */
        assert_non_null(text);
        memcpy(text, whole, size);
        reading r = read_bytes("dance.bvh", text, size, NULL);
        check_outcome(&r);
        if (size < strlen(ROOTS)) assert_false(r.ok);
        done(&r);
        free(text);
    }
}

static void flipped_bytes_are_read_or_refused(void **state)
{
    (void)state;
    char text[2048];
    uint32_t seed = 1;
    int refused = 0;
    for (int round = 0; round < 5000; round++) {
        size_t size = (size_t)snprintf(text, sizeof text, "%s", TREE HEAD ROWS);
        for (int flips = 1 + round % 4; flips > 0; flips--) {
            seed = seed * 1664525u + 1013904223u;
            size_t at = (seed >> 8) % size;
            seed = seed * 1664525u + 1013904223u;
            text[at] = (char)(round % 2 ? text[at] ^ (1 << (seed >> 29)) : "0-.e }{\n\t,Xn"[(seed >> 16) % 12]);
        }
        reading r = read_bytes("dance.bvh", text, size, NULL);
        check_outcome(&r);
        refused += !r.ok;
        done(&r);
    }
    assert_true(refused > 500 && refused < 4900);
}

static void a_small_file_cannot_ask_for_much_memory(void **state)
{
    (void)state;
    /* One moving joint, 5000 that stand still, and many short rows: 32 bytes each would be 16 GB. */
    size_t rows = 100000, size = 0;
    char *text = malloc(5000 * 32 + rows * 2 + 1024);
    assert_non_null(text);
    size += (size_t)sprintf(text, "HIERARCHY\nROOT r{CHANNELS 1 Xrotation\n");
    for (int i = 0; i < 5000; i++) size += (size_t)sprintf(text + size, "JOINT j%d{OFFSET 0 1 0}\n", i);
    size += (size_t)sprintf(text + size, "}\n" HEAD);
    for (size_t i = 0; i < rows; i++) size += (size_t)sprintf(text + size, "%d\n", (int)(i % 9));
    reading r = read_bytes("dance.bvh", text, size, NULL);
    assert_fails(r.ok, r.error, "100000 frames of 5001 joints are too many for a file of");
    assert_true(od_arena_used(r.arena) < 8 << 20);
    done(&r);
    free(text);
}

static void running_out_of_memory_is_reported_at_every_allocation(void **state)
{
    (void)state;
    const char *text = ROOTS HEAD "1 2 3 10 0\n1 2 3 10 30\n1 2";
    bool ok = false;
    int n = 1;
    for (; !ok && n < 1000; n++) {
        reading r = {.arena = od_arena_new(0)};
        od_file file = {.name = "dance.bvh", .data = (const unsigned char *)text, .size = strlen(text)};
        od_arena_fail_at(r.arena, (size_t)n);
        ok = od_bvh_read(&file, NULL, &r.scene, NULL, r.arena, &r.error);
        if (!ok) assert_non_null(strstr(r.error.message, "out of memory"));
        done(&r);
    }
    assert_true(ok && n > 10);
}

static void the_probe_knows_the_first_word(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is;
    } cases[] = {{"HIERARCHY\n", true}, {"\xEF\xBB\xBF\r\n hierarchy {", true},
                 {"HIERARCHYS", false}, {"HIERARCH", false},
                 {"", false},           {"ROOT", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(od_bvh_probe((const unsigned char *)cases[i].text, strlen(cases[i].text)) == cases[i].is);
    assert_false(od_bvh_probe(NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_files_agree_with_an_independent_evaluator),
        cmocka_unit_test(each_real_file_is_read_or_refused_in_words),
        cmocka_unit_test(rotation_is_the_product_of_the_channels_in_file_order),
        cmocka_unit_test(whole_turns_leave_no_trace),
        cmocka_unit_test(positions_replace_the_offset_and_end_sites_are_leaves),
        cmocka_unit_test(an_axis_without_position_channel_keeps_its_offset),
        cmocka_unit_test(an_end_site_takes_no_name_from_a_joint),
        cmocka_unit_test(odd_and_missing_end_sites_are_read),
        cmocka_unit_test(names_keep_blanks_colons_dots_and_other_scripts),
        cmocka_unit_test(equal_names_are_kept_and_named),
        cmocka_unit_test(of_several_roots_the_first_that_moves_is_taken),
        cmocka_unit_test(a_root_is_taken_by_name),
        cmocka_unit_test(line_ends_blanks_and_case_do_not_matter),
        cmocka_unit_test(a_decimal_comma_is_refused_in_words),
        cmocka_unit_test(what_is_no_number_is_refused_with_its_place),
        cmocka_unit_test(a_broken_hierarchy_is_refused_with_its_place),
        cmocka_unit_test(deep_nesting_and_many_joints_are_bounded),
        cmocka_unit_test(the_rows_that_are_there_count_not_those_declared),
        cmocka_unit_test(an_unusable_frame_time_gives_30_frames_a_second_and_a_warning),
        cmocka_unit_test(without_frames_there_is_a_skeleton_but_no_clip),
        cmocka_unit_test(rows_may_be_broken_over_lines_when_the_numbers_add_up),
        cmocka_unit_test(a_row_with_another_count_is_refused_with_its_line),
        cmocka_unit_test(an_incomplete_last_row_is_dropped),
        cmocka_unit_test(what_follows_the_declared_frames_is_ignored),
        cmocka_unit_test(positions_that_are_zero_throughout_are_relative_to_the_offset),
        cmocka_unit_test(positions_that_leave_zero_once_replace_the_offset),
        cmocka_unit_test(a_text_cut_at_any_byte_is_read_or_refused),
        cmocka_unit_test(flipped_bytes_are_read_or_refused),
        cmocka_unit_test(a_small_file_cannot_ask_for_much_memory),
        cmocka_unit_test(running_out_of_memory_is_reported_at_every_allocation),
        cmocka_unit_test(the_probe_knows_the_first_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
