/* Input: a glTF file, a VRM or a VRM animation. Output: a scene: the joints of all skins as one skeleton, every
 * animation as a clip.
 *
 * Bones are the joints of skins and humanoid slots, what hangs on them and is not seen (ends of fingers and feet),
 * and what lies between them. Without skins all nodes are. What is above them moves them and is no bone. */
#include "format/gltf.h"

#include <string.h>

#include "base/text.h"
#include "format/gltf_animation.h"
#include "format/gltf_faces.h"
#include "format/gltf_skin.h"
#include "odori/role.h"

bool od_gltf_probe(const unsigned char *data, size_t size)
{
    static const char member[] = "\"asset\"";
    size_t at = size >= 3 && !memcmp(data, "\xEF\xBB\xBF", 3) ? 3 : 0;
    if (size >= 4 && !memcmp(data, "glTF", 4)) return true;
    while (at < size && (data[at] == ' ' || data[at] == '\t' || data[at] == '\r' || data[at] == '\n')) at++;
    if (at == size || data[at] != '{') return false;
    for (const unsigned char *p = data + at; (p = memchr(p, '"', (size_t)(data + size - p))); p++)
        if ((size_t)(data + size - p) >= sizeof member - 1 && !memcmp(p, member, sizeof member - 1)) return true;
    return false;
}

/* Marks the joints of all skins; returns their number, -1 on failure. */
static int want_joints(const od_gltf *g, bool *wanted)
{
    int found = 0;
    for (int s = 0; s < g->skins.count; s++) {
        od_place skin = od_place_element(&g->skins, s);
        od_place_list joints;
        if (!od_place_list_make(&skin, "joints", &joints)) return -1;
        for (int i = 0; i < joints.count; i++) {
            int node = -1;
            od_place at = od_place_element(&joints, i);
            if (!od_place_as_index(&at, g->nodes.count, &node)) return -1;
            wanted[node] = true;
            found++;
        }
    }
    return found;
}

static bool choose_bones(od_gltf *g, const od_gltf_vrm *vrm, od_gltf_tree *tree)
{
    const od_document *d = &g->document;
    bool *wanted = OD_NEW(d->arena, bool, (size_t)tree->count, d->error);
    int joints = wanted ? want_joints(g, wanted) : -1;
    if (joints < 0) return false;
    for (int i = 0; vrm->roles && i < tree->count; i++) {
        if (vrm->roles[i] == OD_ROLE_NONE) continue;
        wanted[i] = true;
        joints++;
    }
    for (int i = 0; i < tree->count; i++) {
        int node = tree->order[i], parent = tree->nodes[node].parent;
        bool below = parent >= 0 && wanted[parent] && !tree->nodes[node].seen;
        wanted[node] = wanted[node] || !joints || below;
    }
    if (vrm->head >= 0) tree->gaze = vrm->gaze;
    if (!od_gltf_choose_bones(g, tree, wanted)) return false;
    if (tree->gaze >= 0) tree->head = tree->nodes[vrm->head].bone;
    return tree->bone_count || od_fail(d->error, "%s: there are no nodes, thus no joints", d->file);
}

static bool name_bone(od_gltf *g, const od_gltf_tree *tree, int b, od_bone *bone)
{
    const od_document *d = &g->document;
    int node = tree->bones[b], parent = tree->nodes[node].parent;
    bool gaze = tree->gaze >= 0 && b == tree->bone_count - 1;
    od_place at = od_place_element(&g->nodes, node);
    const char *name = NULL;
    if (!od_place_text(&at, "name", &name)) return false;
    if (!od_gltf_is_near(bone->rest)) return od_place_fail(&at, "the node is beyond the world");
    bone->name = name && *name ? od_arena_text(d->arena, name, strlen(name), d->error)
                               : od_arena_format(d->arena, d->error, "node_%d", node);
    bone->parent = gaze ? tree->head : parent < 0 ? -1 : tree->nodes[parent].bone;
    return bone->name != NULL;
}

static bool build_skeleton(od_gltf *g, od_gltf_tree *tree, od_scene *scene)
{
    const od_document *d = &g->document;
    size_t count = (size_t)tree->bone_count;
    od_bone *bones = OD_NEW(d->arena, od_bone, count, d->error);
    bool *moves = OD_NEW(d->arena, bool, count, d->error);
    od_gltf_trs *rest = OD_NEW(d->arena, od_gltf_trs, (size_t)tree->count, d->error);
    od_xform *local = OD_NEW(d->arena, od_xform, count, d->error);
    if (!bones || !moves || !rest || !local) return false;
    scene->skeleton = (od_skeleton){.bones = bones, .count = tree->bone_count};
    scene->moves = moves;
    for (int i = 0; i < tree->count; i++) rest[i] = tree->nodes[i].rest;
    tree->head_rest = od_quat_identity();
    od_gltf_pose(tree, rest, local);
    for (int b = 0; b < tree->bone_count; b++) {
        bones[b].rest = local[b];
        if (!name_bone(g, tree, b, &bones[b])) return false;
        moves[b] = tree->nodes[tree->bones[b]].animated;
    }
    od_skeleton_finish(&scene->skeleton);
    if (tree->gaze < 0) return true;
    od_bone *gaze = &bones[tree->bone_count - 1];
    tree->head_rest = bones[tree->head].rest_world.q;
    gaze->rest = (od_xform){od_quat_conj(tree->head_rest), od_vec3(0, 0, 0)};
    gaze->rest_world = (od_xform){od_quat_identity(), bones[tree->head].rest_world.t};
    moves[tree->bone_count - 1] = false;
    return true;
}

static bool give_roles(od_gltf *g, const od_gltf_vrm *vrm, const od_gltf_tree *tree, od_scene *scene)
{
    if (!vrm->roles) return true;
    int *roles = OD_NEW(g->document.arena, int, (size_t)tree->bone_count, g->document.error);
    if (!roles) return false;
    for (int b = 0; b < tree->bone_count; b++) roles[b] = vrm->roles[tree->bones[b]];
    if (tree->gaze >= 0) roles[tree->bone_count - 1] = OD_ROLE_EYES;
    scene->roles = roles;
    scene->rest_is_bind = true; /* a VRM stands in its T-pose */
    return true;
}

static bool build_clips(od_gltf *g, const od_gltf_vrm *vrm, const od_gltf_tree *tree, od_gltf_clip *clips,
                        od_scene *scene)
{
    int count = g->animations.count;
    scene->clips = OD_NEW(g->document.arena, od_clip, (size_t)count, g->document.error);
    if (!scene->clips) return false;
    for (int i = 0; i < count; i++) {
        od_clip *clip = &scene->clips[scene->clip_count];
        if (!clips[i].curve_count) continue;
        if (!od_gltf_bake(g, tree, &clips[i], clip) || !od_gltf_bake_faces(g, tree, vrm, &clips[i], clip)) return false;
        scene->clip_count++;
    }
    if (!scene->clip_count)
        od_warn(g->report, "%s: there is no animation: the file gives a skeleton only", g->document.file);
    return true;
}

static bool read_scene(od_gltf *g, od_scene *scene)
{
    od_gltf_tree tree;
    od_gltf_clip *clips;
    od_gltf_vrm vrm;
    if (!od_gltf_read_nodes(g, &tree) || !od_gltf_read_vrm(g, &vrm) || !od_gltf_read_clips(g, &tree, &clips))
        return false;
    tree.mirror_x = vrm.faces_back;
    return choose_bones(g, &vrm, &tree) && build_skeleton(g, &tree, scene) && give_roles(g, &vrm, &tree, scene) &&
           (vrm.is_vrm || od_gltf_bind(g, &tree, scene)) && build_clips(g, &vrm, &tree, clips, scene);
}

bool od_gltf_read(const od_file *file, const od_read_options *options, od_scene *scene, od_report *report,
                  od_arena *arena, od_error *error)
{
    static const od_read_options none = {0};
    od_gltf g;
    *scene = (od_scene){.format = "gltf"};
    bool done = od_gltf_open(&g, file, options ? options : &none, report, arena, error) && read_scene(&g, scene);
    od_gltf_close(&g);
    return done;
}
