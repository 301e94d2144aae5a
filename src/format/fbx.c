/* Input: an FBX file. Output: a scene: its skeleton at the bind pose, and its motions as clips.
 * The tree, objects and curves are gone when the scene is there. */
#include "format/fbx.h"

#include <string.h>

#include "format/fbx_scene.h"

/* Text files begin with "; FBX 7.4.0 project file" or, without comments, with their header. */
bool od_fbx_probe(const unsigned char *data, size_t size)
{
    static const char *const starts[] = {"; FBX ", "FBXHeaderExtension"};
    size_t at = size >= 3 && !memcmp(data, "\xEF\xBB\xBF", 3) ? 3 : 0;
    if (od_fbx_is_binary(data, size)) return true;
    while (at < size && data[at] <= ' ') at++;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        size_t n = strlen(starts[i]);
        if (size - at >= n && !memcmp(data + at, starts[i], n)) return true;
    }
    return false;
}

static bool build_skeleton(od_fbx_tree *tree, const od_fbx_objects *objects, const od_fbx_rig *rig,
                           const od_fbx_settings *settings, od_scene *scene, od_arena *arena, od_arena *scratch,
                           od_error *error)
{
    od_bone *bones = OD_NEW(arena, od_bone, (size_t)rig->bones, error);
    od_fbx_place *place = OD_NEW(scratch, od_fbx_place, (size_t)rig->bones, error);
    if (!bones || !place) return false;
    if (!od_fbx_rig_rest(tree, objects, rig, place, &scene->rest_is_bind, scratch, error)) return false;
    for (int i = 0; i < rig->count; i++) {
        const od_fbx_part *part = &rig->parts[i];
        if (part->bone < 0) continue;
        od_bone *bone = &bones[part->bone];
        bone->parent = part->bone > 0 ? rig->parts[part->parent].bone : -1;
        od_fbx_place local = place[part->bone];
        if (bone->parent >= 0) local = od_fbx_relative(&place[bone->parent], &local);
        bone->name = od_arena_text(arena, part->name, strlen(part->name), error);
        bone->rest = od_fbx_canonical(settings, &local);
        if (!bone->name) return false;
        if (!od_vec3_finite(bone->rest.t))
            return od_fail(error, "%s: the joint %s is out of reach at rest", tree->file, part->name);
    }
    scene->skeleton = (od_skeleton){.bones = bones, .count = rig->bones};
    od_skeleton_finish(&scene->skeleton);
    return true;
}

static bool read_scene(const od_file *file, const char *root, od_scene *scene, od_report *report, od_arena *arena,
                       od_arena *scratch, od_error *error)
{
    od_fbx_tree tree;
    od_fbx_objects objects;
    od_fbx_motion motion;
    od_fbx_rig rig;
    if (!od_fbx_tree_read(file, &tree, scratch, error) || !od_fbx_objects_read(&tree, &objects, scratch, error) ||
        !od_fbx_motion_read(&tree, &objects, &motion, scratch, error) ||
        !od_fbx_rig_read(&tree, &objects, &motion, root, &rig, report, scratch, error))
        return false;
    od_fbx_settings settings = od_fbx_settings_read(&tree);
    if (!build_skeleton(&tree, &objects, &rig, &settings, scene, arena, scratch, error)) return false;
    if (!od_fbx_rig_roles(&objects, &rig, &scene->roles, arena, error)) return false;
    if (rig.others && !(scene->other_roots = od_arena_text(arena, rig.others, strlen(rig.others), error))) return false;
    if (!od_fbx_sample(&tree, &objects, &motion, &rig, &settings, scene, report, arena, error)) return false;
    if (!scene->clip_count) od_warn(report, "%s: nothing moves the joints: the file gives a skeleton only", file->name);
    return true;
}

bool od_fbx_read(const od_file *file, const od_read_options *options, od_scene *scene, od_report *report,
                 od_arena *arena, od_error *error)
{
    *scene = (od_scene){.format = "fbx"};
    od_arena *scratch = od_arena_new(0);
    if (!scratch) return od_fail(error, "out of memory");
    bool done = read_scene(file, options ? options->root_joint : NULL, scene, report, arena, scratch, error);
    od_arena_free(scratch);
    return done;
}
