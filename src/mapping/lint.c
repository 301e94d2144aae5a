/* Input: a mapping, a source, a target. Output: what a person who wrote it should look at. */
#include "base/nearest.h"
#include "base/text.h"
#include "mapping/name.h"
#include "odori/binding.h"

enum { NAME_BYTES = 15, EACH = 6 }; /* bytes of a name in a VMD; findings of one entry at most */

enum { BONES = -1, BIND = -2 }; /* findings of no single entry */

typedef struct linter {
    const od_mapping *mapping;
    const od_skeleton *source;
    const od_target *target;
    int *joint;                   /* of each entry, -1: none */
    const char **joints, **bones; /* names of the source's and the target's */
    od_finding *findings;
    int count;
    od_arena *arena;
    od_error *error;
} linter;

static bool tell(linter *l, bool wrong, int index, const char *text)
{
    od_finding *finding = &l->findings[l->count++];
    finding->wrong = wrong;
    finding->path = index == BONES  ? "$.bones"
                    : index == BIND ? "$.bind"
                                    : od_arena_format(l->arena, l->error, "$.bones[%d]", index);
    finding->text = text;
    return finding->path && text;
}

#define TELL(l, wrong, index, ...) tell((l), (wrong), (index), od_arena_format((l)->arena, (l)->error, __VA_ARGS__))

/* The names of a skeleton, behind them NULL. */
static const char **list_names(const od_skeleton *skeleton, od_arena *arena, od_error *error)
{
    const char **names = OD_NEW(arena, const char *, (size_t)skeleton->count + 1, error);
    for (int i = 0; names && i < skeleton->count; i++) names[i] = skeleton->bones[i].name;
    return names;
}

/* `lack` goes on with the name; behind it the one that was meant, if one is near. */
static bool tell_unknown(linter *l, bool wrong, int index, const char *lack, const char *name, const char **known)
{
    const char *near = od_nearest(name, known);
    if (near) return TELL(l, wrong, index, "%s \"%s\"; did you mean \"%s\"?", lack, name, near);
    return TELL(l, wrong, index, "%s \"%s\"", lack, name);
}

static bool check_target(linter *l, int index)
{
    const od_map_entry *entry = &l->mapping->entries[index];
    bool plain = entry->role == OD_ROLE_NONE, lost, cut;
    unsigned char field[NAME_BYTES];
    int bone = od_entry_bone(entry, l->target);
    if (bone < 0 && !tell_unknown(l, false, index, "the target has no", entry->target, l->bones)) return false;
    if (!plain) return true;
    const char *name = bone < 0 ? entry->target : l->target->skeleton.bones[bone].name;
    od_text_to_cp932(name, field, sizeof field, &lost, &cut);
    if (lost) return TELL(l, true, index, "\"%s\" is not in MMD's character set", name);
    if (!cut) return true;
    if (bone < 0) return TELL(l, true, index, "\"%s\" is longer than the 15 bytes of a VMD", name);
    return TELL(l, false, index, "\"%s\" is longer than the 15 bytes of a VMD: it is written as MMD cuts it", name);
}

static bool is_leg(const od_map_entry *entry)
{
    return entry->role >= OD_ROLE_LEG_L && entry->role <= OD_ROLE_ANKLE_R;
}

/* Bones that one joint turns may be meant so, but not two of the legs. */
static bool check_shared(linter *l, int index)
{
    const od_map_entry *entry = &l->mapping->entries[index], *other = NULL;
    for (int i = 0; i < index && !(other && is_leg(other)); i++) {
        const od_map_entry *e = &l->mapping->entries[i];
        if (l->joint[i] == l->joint[index] && e->use & entry->use && (!other || is_leg(e))) other = e;
    }
    return !other ||
           TELL(l, is_leg(entry) && is_leg(other), index, "joint \"%s\" drives %s too", entry->source, other->target);
}

static bool check_joint(linter *l, int index)
{
    const od_map_entry *entry = &l->mapping->entries[index];
    if (l->joint[index] < 0 && entry->nth)
        return TELL(l, true, index, "the source has no %d joints \"%s\"", entry->nth, entry->source);
    if (l->joint[index] < 0) return tell_unknown(l, true, index, "the source has no joint", entry->source, l->joints);
    return check_shared(l, index);
}

static bool check_side(linter *l, int index)
{
    const od_map_entry *entry = &l->mapping->entries[index];
    return !od_entry_crosses(entry) ||
           TELL(l, true, index, "\"%s\" drives %s: left and right are swapped", entry->source, entry->target);
}

/* Entry that turns a role by a joint that is there; -1: none. */
static int entry_of(const linter *l, od_role role)
{
    for (int i = 0; i < l->mapping->entry_count; i++)
        if (l->mapping->entries[i].role == role && l->mapping->entries[i].use & OD_USE_ROTATION && l->joint[i] >= 0)
            return i;
    return -1;
}

/* From the right joint of a pair to the left one at rest; false: not both are there. */
static bool across(const linter *l, od_role left, vec3s *way)
{
    int a = entry_of(l, left), b = entry_of(l, left + 1);
    if (a < 0 || b < 0) return false;
    const od_bone *bones = l->source->bones;
    *way = glms_vec3_sub(bones[l->joint[a]].rest_world.t, bones[l->joint[b]].rest_world.t);
    return true;
}

/* Pairs whose left joint stands at rest where the legs' right one does. */
static bool check_rest(linter *l)
{
    vec3s legs, way;
    if (!across(l, OD_ROLE_LEG_L, &legs)) return true;
    for (int r = OD_ROLE_SIDED; r < OD_ROLE_COUNT; r += 2) {
        if (!across(l, r, &way)) continue;
        if (glms_vec3_dot(way, legs) >= -0.5f * glms_vec3_norm(way) * glms_vec3_norm(legs)) continue;
        if (!TELL(l, false, entry_of(l, r), "%s and %s stand at rest on the other side than the legs do",
                  od_role_name(r), od_role_name(od_role_mirror(r))))
            return false;
    }
    return true;
}

static bool check_roles(linter *l)
{
    static const od_role body[] = {OD_ROLE_LOWER_BODY, OD_ROLE_UPPER_BODY, OD_ROLE_HEAD,    OD_ROLE_ARM_L,
                                   OD_ROLE_ARM_R,      OD_ROLE_ELBOW_L,    OD_ROLE_ELBOW_R, OD_ROLE_WRIST_L,
                                   OD_ROLE_WRIST_R,    OD_ROLE_LEG_L,      OD_ROLE_LEG_R,   OD_ROLE_KNEE_L,
                                   OD_ROLE_KNEE_R,     OD_ROLE_ANKLE_L,    OD_ROLE_ANKLE_R};
    for (size_t i = 0; i < sizeof body / sizeof *body; i++) {
        bool leg = body[i] >= OD_ROLE_LEG_L;
        if (entry_of(l, body[i]) < 0 && l->target->role[body[i]] >= 0 &&
            !TELL(l, leg, BONES, "nothing drives %s", od_role_name(body[i])))
            return false;
    }
    return true;
}

/* Joints that nothing uses although others above and below them are used: bones of a spine mostly. */
static bool check_unused(linter *l)
{
    size_t count = (size_t)l->source->count;
    bool *used = OD_NEW(l->arena, bool, count, l->error), *above = OD_NEW(l->arena, bool, count, l->error);
    bool *below = OD_NEW(l->arena, bool, count, l->error);
    const od_bone *bones = l->source->bones;
    if (!used || !above || !below) return false;
    for (int i = 0; i < l->mapping->entry_count; i++)
        if (l->joint[i] >= 0) used[l->joint[i]] = true;
    for (int i = 0; i < l->source->count; i++)
        if (bones[i].parent >= 0) above[i] = above[bones[i].parent] || used[bones[i].parent];
    for (int i = l->source->count - 1; i >= 0; i--)
        if (bones[i].parent >= 0 && (below[i] || used[i])) below[bones[i].parent] = true;
    for (int i = 0; i < l->source->count; i++)
        if (!used[i] && above[i] && below[i] &&
            !TELL(l, false, BONES, "joint \"%s\" between others that are mapped is not mapped", bones[i].name))
            return false;
    return true;
}

static bool check_bind(linter *l, const od_scene *scene)
{
    int most = 0, frame = l->mapping->bind.frame;
    for (int i = 0; i < scene->clip_count; i++)
        if (scene->clips[i].frames > most) most = scene->clips[i].frames;
    if (l->mapping->bind.kind != OD_BIND_FRAME || !most || frame < most) return true;
    return TELL(l, true, BIND, "there is no frame %d: the source has %d frames", frame, most);
}

/* The joint of each entry. */
static int *find_joints(const od_mapping *mapping, const od_skeleton *source, od_arena *arena, od_error *error)
{
    od_names names;
    int *joint = OD_NEW(arena, int, (size_t)mapping->entry_count, error);
    if (!joint || !od_names_make(mapping, source, &names, arena, error)) return NULL;
    for (int i = 0; i < mapping->entry_count; i++)
        joint[i] = od_names_find(&names, mapping->entries[i].source, mapping->entries[i].nth);
    return joint;
}

bool od_mapping_lint(const od_mapping *mapping, const od_scene *scene, const od_target *target, od_finding **findings,
                     int *count, od_arena *arena, od_error *error)
{
    const od_skeleton *source = &scene->skeleton;
    linter l = {.mapping = mapping, .source = source, .target = target, .arena = arena, .error = error};
    size_t most = (size_t)mapping->entry_count * EACH + (size_t)source->count + 2 * OD_ROLE_COUNT;
    l.findings = OD_NEW(arena, od_finding, most, error);
    l.joint = find_joints(mapping, source, arena, error);
    l.joints = list_names(source, arena, error);
    l.bones = list_names(&target->skeleton, arena, error);
    if (!l.findings || !l.joint || !l.joints || !l.bones) return false;
    for (int i = 0; i < mapping->entry_count; i++)
        if (!check_joint(&l, i) || !check_side(&l, i) || !check_target(&l, i)) return false;
    if (!check_bind(&l, scene) || !check_rest(&l) || !check_roles(&l) || !check_unused(&l)) return false;
    *findings = l.findings;
    *count = l.count;
    return true;
}

bool od_mapping_complete(const od_mapping *mapping, const od_skeleton *source, od_mapping *complete,
                         const char ***unmapped, int *unmapped_count, od_arena *arena, od_error *error)
{
    bool *used = OD_NEW(arena, bool, (size_t)source->count, error);
    od_map_entry *entries = OD_NEW(arena, od_map_entry, (size_t)mapping->entry_count, error);
    int *joint = find_joints(mapping, source, arena, error);
    *unmapped = OD_NEW(arena, const char *, (size_t)source->count, error);
    if (!used || !entries || !joint || !*unmapped) return false;
    *complete = *mapping;
    complete->entries = entries;
    complete->entry_count = 0;
    complete->verified = true;
    complete->strip_count = complete->require_count = 0; /* the names are the file's own */
    for (int i = 0; i < mapping->entry_count; i++) {
        if (joint[i] < 0) continue;
        used[joint[i]] = true;
        entries[complete->entry_count] = mapping->entries[i];
        entries[complete->entry_count].nth = od_name_nth(source, joint[i]);
        entries[complete->entry_count++].source = source->bones[joint[i]].name;
    }
    *unmapped_count = 0;
    for (int i = 0; i < source->count; i++)
        if (!used[i]) (*unmapped)[(*unmapped_count)++] = source->bones[i].name;
    return true;
}
