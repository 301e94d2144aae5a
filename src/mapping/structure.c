/* Input: a skeleton with names that say nothing. Output: a mapping by its shape: the hips are where
 * two like chains and a trunk part, the chest where two like chains and a neck do. In a leg and in an
 * arm the two longest segments in a row are the upper and the lower part. */
#include "mapping/structure.h"

#include <string.h>

#include "mapping/name.h"

enum { CHAIN = 64, BRANCHES = 16, ENTRIES = 32 };

typedef struct shape {
    const od_skeleton *skeleton;
    int *size;  /* joints below and including one */
    int *depth; /* longest chain below it, in joints */
} shape;

/* Joints of a limb from its root outwards. */
typedef struct limb {
    int joints[CHAIN];
    int count;
    int upper; /* index in `joints` of the upper segment's joint */
} limb;

static float length_of(const shape *s, int joint)
{
    return glms_vec3_norm(s->skeleton->bones[joint].rest.t);
}

static int children_of(const shape *s, int joint, int *children)
{
    int count = 0;
    for (int i = joint + 1; i < s->skeleton->count && count < BRANCHES; i++)
        if (s->skeleton->bones[i].parent == joint) children[count++] = i;
    return count;
}

/* Along the longest chain; of equally long ones the first. */
static limb follow(const shape *s, int joint)
{
    limb l = {.count = 0};
    while (joint >= 0 && l.count < CHAIN) {
        int children[BRANCHES], next = -1;
        l.joints[l.count++] = joint;
        int count = children_of(s, joint, children);
        for (int i = 0; i < count; i++)
            if (next < 0 || s->depth[children[i]] > s->depth[next]) next = children[i];
        joint = next;
    }
    float longest = 0;
    for (int i = 0; i + 2 < l.count; i++) {
        float reach = length_of(s, l.joints[i + 1]) + length_of(s, l.joints[i + 2]);
        if (reach <= longest * 1.001f) continue;
        longest = reach;
        l.upper = i;
    }
    return l;
}

static bool like(float a, float b)
{
    return fabsf(a - b) <= 0.15f * fmaxf(a, b);
}

static bool mirrored(const shape *s, int a, int b)
{
    limb x = follow(s, a), y = follow(s, b);
    if (x.count < 3 || x.count != y.count || x.upper != y.upper || x.upper + 2 >= x.count) return false;
    for (int i = x.upper + 1; i <= x.upper + 2; i++)
        if (!like(length_of(s, x.joints[i]), length_of(s, y.joints[i]))) return false;
    return true;
}

/* Two like chains among the children of a joint and, besides, the child with most joints below it. */
static bool find_fork(const shape *s, int joint, int pair[2], int *other, bool legs)
{
    int children[BRANCHES], count = children_of(s, joint, children);
    float best = -1;
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            if (!mirrored(s, children[i], children[k])) continue;
            limb l = follow(s, children[i]);
            float reach = length_of(s, l.joints[l.upper + 1]) + length_of(s, l.joints[l.upper + 2]);
            if (reach <= best) continue;
            best = reach;
            pair[0] = children[i];
            pair[1] = children[k];
        }
    if (best <= 0) return false;
    *other = -1;
    for (int i = 0; i < count; i++) {
        if (children[i] == pair[0] || children[i] == pair[1]) continue;
        if (*other < 0 || s->size[children[i]] > s->size[*other]) *other = children[i];
    }
    return *other >= 0 || !legs;
}

/* Which of a pair is the left: by name, else by where it stands when the toes say what is front. */
static bool first_is_left(const shape *s, const int pair[2], vec3s up, vec3s front, bool *sure)
{
    const od_bone *bones = s->skeleton->bones;
    int a = od_name_side(bones[pair[0]].name), b = od_name_side(bones[pair[1]].name);
    for (limb x = follow(s, pair[0]), y = follow(s, pair[1]); a == b && x.count > 1; x.count--) {
        a = od_name_side(bones[x.joints[x.count - 1]].name);
        b = od_name_side(bones[y.joints[x.count - 1]].name);
    }
    *sure = true;
    if (a != b) return a < b;
    vec3s left = glms_vec3_cross(front, up);
    vec3s across = glms_vec3_sub(bones[pair[0]].rest_world.t, bones[pair[1]].rest_world.t);
    float d = glms_vec3_dot(left, across);
    *sure = fabsf(d) > 1e-4f * glms_vec3_norm(across);
    return *sure ? d > 0 : true;
}

typedef struct builder {
    const od_skeleton *skeleton;
    od_mapping *mapping;
} builder;

static void add(builder *b, int joint, od_role role, od_use use)
{
    od_mapping *m = b->mapping;
    if (m->entry_count >= ENTRIES) return;
    m->entries[m->entry_count++] = (od_map_entry){
        .source = b->skeleton->bones[joint].name, .target = od_role_name(role), .role = role, .use = use};
}

static void add_leg(builder *b, const limb *l, int side)
{
    for (int i = 0; i < 3; i++) add(b, l->joints[l->upper + i], OD_ROLE_LEG_L + 2 * i + side, OD_USE_ROTATION);
    /* The last joint of a chain is a leaf that only shows a direction, unless it is the toe. */
    if (l->upper + 3 < l->count) add(b, l->joints[l->upper + 3], OD_ROLE_TOE_EX_L + side, OD_USE_ROTATION);
}

static void add_arm(builder *b, const limb *l, int side)
{
    static const od_role roles[] = {OD_ROLE_ARM_L, OD_ROLE_ELBOW_L, OD_ROLE_WRIST_L};
    if (l->upper > 0) add(b, l->joints[l->upper - 1], OD_ROLE_SHOULDER_L + side, OD_USE_ROTATION);
    for (int i = 0; i < 3; i++) add(b, l->joints[l->upper + i], roles[i] + side, OD_USE_ROTATION);
}

static void add_trunk(builder *b, const shape *s, const int *spine, int count, int neck)
{
    /* Lowest, middle and highest of a spine of any length. */
    int picks[3] = {0, count / 2, count - 1}, used = count < 3 ? count : 3;
    if (count == 2) picks[1] = 1;
    for (int i = 0; i < used; i++) add(b, spine[picks[i]], OD_ROLE_UPPER_BODY + i, OD_USE_ROTATION);
    if (neck < 0) return;
    limb l = follow(s, neck);
    int head = l.count > 1 ? l.count - 2 : 0; /* before the leaf at the top */
    if (head > 0) add(b, l.joints[0], OD_ROLE_NECK, OD_USE_ROTATION);
    add(b, l.joints[head], OD_ROLE_HEAD, OD_USE_ROTATION);
}

/* From the hips upwards to the fork of the arms; joints on the way are the spine. */
static int find_chest(const shape *s, int trunk, int *spine, int *count, int arms[2], int *neck)
{
    *count = 0;
    for (int joint = trunk; joint >= 0 && *count < CHAIN;) {
        int children[BRANCHES], next = -1;
        spine[(*count)++] = joint;
        if (find_fork(s, joint, arms, neck, false)) return joint;
        int n = children_of(s, joint, children);
        for (int i = 0; i < n; i++)
            if (next < 0 || s->size[children[i]] > s->size[next]) next = children[i];
        joint = next;
    }
    return -1;
}

static bool measure(shape *s, od_arena *arena, od_error *error)
{
    size_t count = (size_t)s->skeleton->count;
    s->size = OD_NEW(arena, int, count, error);
    s->depth = OD_NEW(arena, int, count, error);
    if (!s->size || !s->depth) return false;
    for (int i = s->skeleton->count - 1; i >= 0; i--) {
        s->size[i]++;
        s->depth[i]++;
        int parent = s->skeleton->bones[i].parent;
        if (parent < 0) continue;
        s->size[parent] += s->size[i];
        if (s->depth[i] > s->depth[parent]) s->depth[parent] = s->depth[i];
    }
    return true;
}

bool od_mapping_from_structure(const od_skeleton *skeleton, od_mapping *mapping, od_report *report, od_arena *arena,
                               od_error *error)
{
    shape s = {.skeleton = skeleton};
    *mapping = (od_mapping){.name = "structure", .title = "found by the shape of the skeleton", .verified = true};
    mapping->entries = OD_NEW(arena, od_map_entry, ENTRIES, error);
    if (!mapping->entries || !measure(&s, arena, error)) return false;
    int hips = 0, legs[2] = {0}, arms[2] = {0}, trunk = 0, neck = -1, spine[CHAIN] = {0}, count = 0;
    while (hips < skeleton->count &&
           (!find_fork(&s, hips, legs, &trunk, true) || find_chest(&s, trunk, spine, &count, arms, &neck) < 0))
        hips++;
    if (hips == skeleton->count) return false;

    const od_bone *bones = skeleton->bones;
    vec3s up = od_vec3_normalize(glms_vec3_sub(bones[spine[count - 1]].rest_world.t, bones[hips].rest_world.t));
    limb leg = follow(&s, legs[0]);
    int ankle = leg.joints[leg.upper + 2], toe = leg.upper + 3 < leg.count ? leg.joints[leg.upper + 3] : ankle;
    vec3s front = glms_vec3_sub(bones[toe].rest_world.t, bones[ankle].rest_world.t);
    bool legs_sure, arms_sure;
    int first_leg = first_is_left(&s, legs, up, front, &legs_sure) ? 0 : 1;
    int first_arm = first_is_left(&s, arms, up, front, &arms_sure) ? 0 : 1;
    if (!legs_sure || !arms_sure)
        od_warn(report, "neither names nor rest pose tell left from right: check with `odori map`");

    builder b = {.skeleton = skeleton, .mapping = mapping};
    add(&b, hips, OD_ROLE_CENTER, OD_USE_TRANSLATION);
    add(&b, hips, OD_ROLE_LOWER_BODY, OD_USE_ROTATION);
    add_trunk(&b, &s, spine, count, neck);
    for (int i = 0; i < 2; i++) {
        limb l = follow(&s, legs[i]), a = follow(&s, arms[i]);
        add_leg(&b, &l, i ^ first_leg);
        add_arm(&b, &a, i ^ first_arm);
    }
    return true;
}
