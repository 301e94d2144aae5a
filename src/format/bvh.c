/* Input: a BVH file. Output: a scene with one skeleton and, when there are frames, one clip.
 * A joint's rest is its OFFSET without a turn, which may be a pose or not. End Sites become bones
 * "<joint>_end", which show where hands, feet and head point. */
#include "format/bvh.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "format/bvh_motion.h"

bool od_bvh_probe(const unsigned char *data, size_t size)
{
    od_bvh_text text = od_bvh_text_make("", data, size);
    return od_bvh_word(&text, "hierarchy");
}

/* The end of the range of joints that begins with the ROOT `first`. */
static int tree_end(const od_bvh_hierarchy *hierarchy, int first)
{
    int i = first + 1;
    while (i < hierarchy->count && hierarchy->joints[i].parent >= 0) i++;
    return i;
}

/* Names of the roots but one, as many as fit; "" when there are none. */
typedef struct roots {
    char text[384];
} roots;

static roots list_roots(const od_bvh_hierarchy *hierarchy, int except)
{
    roots list = {""};
    for (int i = 0; i < hierarchy->count; i = tree_end(hierarchy, i)) {
        const char *name = hierarchy->joints[i].name;
        size_t used = strlen(list.text), left = sizeof list.text - used;
        if (i == except) continue;
        if (strlen(name) + sizeof ", , ..." > left) {
            snprintf(list.text + used, left, "%s...", used ? ", " : "");
            break;
        }
        snprintf(list.text + used, left, "%s%s", used ? ", " : "", name);
    }
    return list;
}

static bool find_root(const od_bvh_hierarchy *hierarchy, const char *name, const char *file, int *root, od_error *error)
{
    for (int i = 0; i < hierarchy->count; i = tree_end(hierarchy, i))
        if (!strcmp(hierarchy->joints[i].name, name)) {
            *root = i;
            return true;
        }
    return od_fail(error, "%s: expected a root joint called %s, found %s", file, name, list_roots(hierarchy, -1).text);
}

static bool note_others(const od_bvh_hierarchy *hierarchy, int root, od_scene *scene, od_arena *arena, od_error *error)
{
    if (hierarchy->roots == 1) return true;
    roots others = list_roots(hierarchy, root);
    scene->other_roots = od_arena_text(arena, others.text, strlen(others.text), error);
    return scene->other_roots != NULL;
}

/* The ROOT above the joint that a column belongs to. */
static int column_root(const od_bvh_hierarchy *hierarchy, int column)
{
    int root = 0;
    for (int i = 0; i < hierarchy->count; i++) {
        if (hierarchy->joints[i].parent < 0) root = i;
        column -= hierarchy->joints[i].channels;
        if (column < 0) break;
    }
    return root;
}

/* The first tree in which a number changes; if none does, the first that has channels. */
static bool find_moving_root(const od_bvh_text *text, const od_bvh_hierarchy *hierarchy, int declared, int *root,
                             od_arena *arena, od_error *error)
{
    int columns = hierarchy->columns, changed = columns; /* the first column that is known to change */
    *root = 0;
    if (columns == 0) return true;
    od_bvh_rows rows;
    double *start = OD_NEW(arena, double, (size_t)columns, error);
    if (!start || !od_bvh_rows_make(text, columns, declared, &rows, arena, error)) return false;
    int first = column_root(hierarchy, 0);
    od_bvh_step step;
    while ((step = od_bvh_rows_next(&rows, error)) == OD_BVH_ROW) {
        if (rows.frames == 1) memcpy(start, rows.row, (size_t)columns * sizeof *start);
        for (int i = 0; i < changed; i++)
            if (rows.row[i] != start[i]) changed = i;
        if (changed < columns && column_root(hierarchy, changed) == first) break;
    }
    *root = column_root(hierarchy, changed < columns ? changed : 0);
    return step != OD_BVH_FAILED;
}

static bool pick_root(const od_bvh_text *text, const od_bvh_hierarchy *hierarchy, int declared, const char *name,
                      int *root, od_report *report, od_arena *arena, od_error *error)
{
    *root = 0;
    if (name) return find_root(hierarchy, name, text->file, root, error);
    if (hierarchy->roots == 1) return true;
    if (!find_moving_root(text, hierarchy, declared, root, arena, error)) return false;
    od_choice(report, "%s: %s is the first of %d roots that moves and is taken", text->file,
              hierarchy->joints[*root].name, hierarchy->roots);
    return true;
}

/* The joints of one tree as a skeleton. */
static bool build_skeleton(const od_bvh_joint *joints, int count, int first, od_scene *scene, od_arena *arena,
                           od_error *error)
{
    od_bone *bones = OD_NEW(arena, od_bone, (size_t)count, error);
    bool *moves = OD_NEW(arena, bool, (size_t)count, error);
    if (!bones || !moves) return false;
    for (int i = 0; i < count; i++) {
        const od_bvh_joint *joint = &joints[i];
        bones[i].name = joint->name;
        bones[i].parent = joint->parent < 0 ? -1 : joint->parent - first;
        bones[i].rest = (od_xform){.q = od_quat_identity(), .t = od_bvh_vector(joint->offset)};
        moves[i] = joint->position[0] >= 0 || joint->position[1] >= 0 || joint->position[2] >= 0;
    }
    scene->skeleton = (od_skeleton){.bones = bones, .count = count};
    scene->moves = moves;
    od_skeleton_finish(&scene->skeleton);
    return true;
}

/* The file's name without folders and extension. */
static const char *clip_name(const char *file, od_arena *arena, od_error *error)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    size_t size = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    return od_text_from_utf8(arena, (const unsigned char *)name, size, error);
}

bool od_bvh_read(const od_file *file, const od_read_options *options, od_scene *scene, od_report *report,
                 od_arena *arena, od_error *error)
{
    *scene = (od_scene){.format = "bvh"};
    if (file->size >= 2 && (!memcmp(file->data, "\xFF\xFE", 2) || !memcmp(file->data, "\xFE\xFF", 2)))
        return od_fail(error, "%s: expected UTF-8 or ASCII, found UTF-16: save the file as UTF-8", file->name);
    if (file->size > INT_MAX) /* so that an int can count lines and rows */
        return od_fail(error, "%s: expected at most 2 GiB, found %zu bytes", file->name, file->size);
    od_bvh_text text = od_bvh_text_make(file->name, file->data, file->size);
    od_bvh_hierarchy hierarchy;
    od_bvh_head head;
    int root;
    if (!od_bvh_hierarchy_read(&text, &hierarchy, report, arena, error)) return false;
    if (!od_bvh_head_read(&text, &head, report, error)) return false;
    if (!pick_root(&text, &hierarchy, head.declared, options ? options->root_joint : NULL, &root, report, arena, error))
        return false;
    if (!note_others(&hierarchy, root, scene, arena, error)) return false;
    int count = tree_end(&hierarchy, root) - root;
    if (!build_skeleton(hierarchy.joints + root, count, root, scene, arena, error)) return false;
    od_clip *clip = OD_NEW(arena, od_clip, 1, error);
    if (!clip) return false;
    if (!od_bvh_motion_read(&text, &hierarchy, root, count, head.declared, head.fps, clip, report, arena, error))
        return false;
    clip->name = clip_name(file->name, arena, error);
    scene->clips = clip;
    scene->clip_count = clip->frames > 0 ? 1 : 0;
    if (clip->frames == 0) od_warn(report, "%s: there are no frames: the file gives a skeleton only", file->name);
    return clip->name != NULL;
}
