/* What the tests of BVH share: reading a text in memory, looking at what came of it, small files. */
#ifndef ODORI_TESTS_BVH_READING_H
#define ODORI_TESTS_BVH_READING_H

#include "check.h"

#include "format/bvh.h"

typedef struct reading {
    od_arena *arena;
    od_scene scene;
    od_report report;
    od_error error;
    bool ok;
} reading;

static inline reading read_bytes(const char *name, const void *data, size_t size, const char *root)
{
    reading r = {.arena = od_arena_new(0)};
    r.report.arena = r.arena;
    od_file file = {.name = name, .data = data, .size = size};
    od_read_options options = {.root_joint = root};
    r.ok = od_bvh_read(&file, &options, &r.scene, &r.report, r.arena, &r.error);
    assert_true(r.ok == !r.error.failed);
    return r;
}

static inline reading read_text(const char *text)
{
    return read_bytes("dance.bvh", text, strlen(text), NULL);
}

static inline void done(reading *r)
{
    od_arena_free(r->arena);
}

static inline bool warned(const reading *r, const char *part)
{
    for (const od_note *note = r->report.first; note; note = note->next)
        if (strstr(note->text, part)) return true;
    return false;
}

static inline void check_refused(const char *text, const char *part)
{
    reading r = read_text(text);
    assert_fails(r.ok, r.error, part);
    done(&r);
}

static inline od_xform local_of(const reading *r, int frame, const char *bone)
{
    int i = od_skeleton_find(&r->scene.skeleton, bone);
    assert_true(i >= 0);
    assert_int_equal(r->scene.clip_count, 1);
    od_xform local[64];
    assert_true(frame < r->scene.clips[0].frames && r->scene.clips[0].bones <= 64);
    od_clip_pose(&r->scene.clips[0], frame, local);
    return local[i];
}

static inline void check_vector(vec3s v, double x, double y, double z)
{
    assert_near(v.x, x, 1e-6);
    assert_near(v.y, y, 1e-6);
    assert_near(v.z, z, 1e-6);
}

/* A root with six channels, one child of three with an End Site. */
#define TREE \
    "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation " \
    "Yrotation\n\tJOINT Chest\n\t{\n\t\tOFFSET 1 10 2\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n\t\tEnd " \
    "Site\n\t\t{\n\t\t\tOFFSET 0 5 1\n\t\t}\n\t}\n}\n"
#define HEAD "MOTION\nFrames: 2\nFrame Time: .0333333\n"
#define ROWS "1 90 3 0 0 0 0 0 0\n2 91 4 10 20 30 40 50 60\n"

/* Three trees: the first has no channels, the second three, the third two. */
#define ROOTS \
    "HIERARCHY\nROOT Floor\n{\nOFFSET 0 0 0\n}\nROOT Still\n{\nOFFSET 1 0 0\nCHANNELS 3 Xposition Yposition " \
    "Zposition\n}\nROOT Dancer\n{\nOFFSET 2 0 0\nCHANNELS 1 Yrotation\nJOINT Head\n{\nOFFSET 0 1 0\nCHANNELS 1 " \
    "Xrotation\n}\n}\n"

#endif
