/* Input: a skeleton with names that say nothing. Output: a mapping by its shape: the hips are where
 * two like chains part and a trunk hangs on, the chest where two like chains and a neck do. */
#include "mapping/structure.h"

#include <string.h>

#include "mapping/name.h"

enum { CHAIN = 64, BRANCHES = 32, ENTRIES = 32 };

typedef struct shape {
    const od_skeleton *skeleton;
    int *child, *sibling; /* first child, next child of the same parent; -1: none */
    int *size;            /* joints below and including one */
    int *depth;           /* longest chain below it, in joints */
} shape;

/* Joints of a limb from its root outwards. */
typedef struct limb {
    int joints[CHAIN];
    int count;
    int upper;   /* index in `joints` of the upper segment's joint */
    float reach; /* length of the upper and the lower segment */
} limb;

typedef struct body {
    int hips, legs[2], arms[2], neck; /* first joints of the limbs; neck -1: none */
    int spine[CHAIN];
    int spine_count;
    float reach;
} body;

static float length_of(const shape *s, int joint)
{
    return glms_vec3_norm(s->skeleton->bones[joint].rest.t);
}

static vec3s place(const od_skeleton *skeleton, int joint)
{
    return skeleton->bones[joint].rest_world.t;
}

bool od_structure_is_end(const od_skeleton *skeleton, int joint)
{
    static const char *const words[] = {"end", "site", "nub", "tip"};
    char folded[OD_NAME_SIZE];
    for (int i = joint + 1; i < skeleton->count; i++)
        if (skeleton->bones[i].parent == joint) return false;
    od_name_fold(NULL, skeleton->bones[joint].name, folded);
    size_t size = strlen(folded);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t tail = strlen(words[i]);
        if (size >= tail && !strcmp(folded + size - tail, words[i])) return true;
    }
    return false;
}

/* Along the longest chain; of equally long ones the first. The upper and the lower segment are long
 * and what follows them, hand or foot, is short (half of the lower one when nothing tells); so a long
 * collarbone is no upper arm. */
static limb follow(const shape *s, int joint)
{
    limb l = {.count = 0};
    while (joint >= 0 && l.count < CHAIN) {
        int next = -1;
        l.joints[l.count++] = joint;
        for (int i = s->child[joint]; i >= 0; i = s->sibling[i])
            if (next < 0 || s->depth[i] > s->depth[next]) next = i;
        joint = next;
    }
    float best = 0;
    for (int i = 0; i + 2 < l.count && !od_structure_is_end(s->skeleton, l.joints[i + 2]); i++) {
        float upper = length_of(s, l.joints[i + 1]), lower = length_of(s, l.joints[i + 2]);
        float last = i + 3 < l.count ? length_of(s, l.joints[i + 3]) : lower * 0.5f;
        if (upper + lower - last <= best * 1.001f) continue;
        best = upper + lower - last;
        l.reach = upper + lower;
        l.upper = i;
    }
    return l;
}

static bool like(float a, float b)
{
    return fabsf(a - b) <= 0.15f * fmaxf(a, b);
}

static bool mirrored(const shape *s, const limb *x, const limb *y)
{
    if (x->reach <= 0 || x->upper != y->upper) return false;
    for (int i = x->upper + 1; i <= x->upper + 2; i++)
        if (!like(length_of(s, x->joints[i]), length_of(s, y->joints[i]))) return false;
    return true;
}

/* The two like chains of longest reach among the children of a joint. A third of the same kind makes it
 * a hand, a skirt or an octopus. */
static bool find_fork(const shape *s, int joint, int pair[2], float *reach)
{
    limb limbs[BRANCHES];
    int count = 0;
    *reach = 0;
    for (int i = s->child[joint]; i >= 0 && count < BRANCHES; i = s->sibling[i])
        if (s->depth[i] >= 3) limbs[count++] = follow(s, i);
    for (int i = 0; i < count; i++) {
        int like_it = 0, other = -1;
        for (int k = 0; k < count; k++) {
            if (k == i || !mirrored(s, &limbs[i], &limbs[k])) continue;
            like_it++;
            other = k;
        }
        if (like_it != 1 || other < i || limbs[i].reach <= *reach) continue;
        *reach = limbs[i].reach;
        pair[0] = limbs[i].joints[0];
        pair[1] = limbs[other].joints[0];
    }
    return *reach > 0;
}

/* The child with most joints below it that is none of these; -1: none. */
static int largest_child(const shape *s, int joint, int not_a, int not_b)
{
    int best = -1;
    for (int i = s->child[joint]; i >= 0; i = s->sibling[i])
        if (i != not_a && i != not_b && (best < 0 || s->size[i] > s->size[best])) best = i;
    return best;
}

/* From the trunk's first joint to the fork of the arms; joints on the way are the spine. */
static bool find_chest(const shape *s, int trunk, body *b)
{
    float reach;
    b->spine_count = 0;
    for (int joint = trunk; joint >= 0 && b->spine_count < CHAIN; joint = largest_child(s, joint, -1, -1)) {
        b->spine[b->spine_count++] = joint;
        if (!find_fork(s, joint, b->arms, &reach)) continue;
        b->neck = largest_child(s, joint, b->arms[0], b->arms[1]);
        return true;
    }
    return false;
}

/* Of all joints where two legs part the one with the longest: hands and faces have forks as well. The
 * trunk hangs on the hips or, in some rigs, beside them. */
static bool find_body(const shape *s, body *best)
{
    best->reach = 0;
    for (int hips = 0; hips < s->skeleton->count; hips++) {
        body b = {.hips = hips};
        if (!find_fork(s, hips, b.legs, &b.reach) || b.reach <= best->reach) continue;
        int trunk = largest_child(s, hips, b.legs[0], b.legs[1]);
        bool found = trunk >= 0 && find_chest(s, trunk, &b);
        for (int from = hips; !found && s->skeleton->bones[from].parent >= 0; from = s->skeleton->bones[from].parent) {
            trunk = largest_child(s, s->skeleton->bones[from].parent, from, -1);
            found = trunk >= 0 && find_chest(s, trunk, &b);
        }
        if (found) *best = b;
    }
    return best->reach > 0;
}

bool od_structure_left(const od_skeleton *skeleton, int hips, int chest, int ankle, int toe, vec3s *left)
{
    vec3s up = od_vec3_normalize(glms_vec3_sub(place(skeleton, chest), place(skeleton, hips)));
    vec3s down = od_vec3_normalize(glms_vec3_sub(place(skeleton, ankle), place(skeleton, hips)));
    vec3s foot = od_vec3_normalize(glms_vec3_sub(place(skeleton, toe), place(skeleton, ankle)));
    vec3s front = glms_vec3_sub(foot, glms_vec3_scale(up, glms_vec3_dot(foot, up)));
    if (glms_vec3_dot(up, down) > -0.7f || glms_vec3_norm(front) < 0.3f) return false;
    *left = od_vec3_normalize(glms_vec3_cross(front, up));
    return true;
}

/* Which of a pair is the left: by name, from the last joint inwards, else by where it stands at rest
 * (`left` NULL: the rest does not tell). */
static bool first_is_left(const shape *s, const int pair[2], const vec3s *left, bool *sure)
{
    const od_bone *bones = s->skeleton->bones;
    limb x = follow(s, pair[0]), y = follow(s, pair[1]);
    *sure = true;
    for (int i = 0; i < x.count && i < y.count; i++) {
        int a = od_name_side(bones[x.joints[i]].name), b = od_name_side(bones[y.joints[i]].name);
        if (a != b) return a < b;
    }
    vec3s across = glms_vec3_sub(place(s->skeleton, x.joints[x.upper + 2]), place(s->skeleton, y.joints[y.upper + 2]));
    float side = left ? glms_vec3_dot(*left, across) : 0;
    *sure = fabsf(side) > 0.3f * glms_vec3_norm(across);
    return side >= 0;
}

static void add(od_mapping *m, const od_skeleton *skeleton, int joint, od_role role, od_use use)
{
    m->entries[m->entry_count++] = (od_map_entry){.source = skeleton->bones[joint].name,
                                                  .nth = od_name_nth(skeleton, joint),
                                                  .target = od_role_name(role),
                                                  .role = role,
                                                  .use = use};
}

static void add_leg(od_mapping *m, const shape *s, int first, int side)
{
    limb l = follow(s, first);
    for (int i = 0; i < 3; i++)
        add(m, s->skeleton, l.joints[l.upper + i], OD_ROLE_LEG_L + 2 * i + side, OD_USE_ROTATION);
    int toe = l.upper + 3 < l.count ? l.joints[l.upper + 3] : -1;
    if (toe >= 0 && !od_structure_is_end(s->skeleton, toe))
        add(m, s->skeleton, toe, OD_ROLE_TOE_EX_L + side, OD_USE_ROTATION);
}

static void add_arm(od_mapping *m, const shape *s, int first, int side)
{
    static const od_role roles[] = {OD_ROLE_ARM_L, OD_ROLE_ELBOW_L, OD_ROLE_WRIST_L};
    limb l = follow(s, first);
    if (l.upper > 0) add(m, s->skeleton, l.joints[l.upper - 1], OD_ROLE_SHOULDER_L + side, OD_USE_ROTATION);
    for (int i = 0; i < 3; i++) add(m, s->skeleton, l.joints[l.upper + i], roles[i] + side, OD_USE_ROTATION);
}

/* The head: called so, or where the face parts, or the last joint before the end. */
static void add_head(od_mapping *m, const shape *s, int neck)
{
    int head = neck;
    for (int joint = neck; joint >= 0 && !od_structure_is_end(s->skeleton, joint); joint = s->child[joint]) {
        char folded[OD_NAME_SIZE];
        head = joint;
        od_name_fold(NULL, s->skeleton->bones[joint].name, folded);
        if (strstr(folded, "head") || (s->child[joint] >= 0 && s->sibling[s->child[joint]] >= 0)) break;
    }
    if (head != neck) add(m, s->skeleton, neck, OD_ROLE_NECK, OD_USE_ROTATION);
    add(m, s->skeleton, head, OD_ROLE_HEAD, OD_USE_ROTATION);
}

static void add_trunk(od_mapping *m, const shape *s, const body *b)
{
    /* Lowest, middle and highest of a spine of any length. */
    int n = b->spine_count, picks[3] = {0, n == 2 ? 1 : n / 2, n - 1};
    add(m, s->skeleton, b->hips, OD_ROLE_CENTER, OD_USE_TRANSLATION);
    add(m, s->skeleton, b->hips, OD_ROLE_LOWER_BODY, OD_USE_ROTATION);
    for (int i = 0; i < (n < 3 ? n : 3); i++)
        add(m, s->skeleton, b->spine[picks[i]], OD_ROLE_UPPER_BODY + i, OD_USE_ROTATION);
    if (b->neck >= 0) add_head(m, s, b->neck);
}

static bool measure(shape *s, od_arena *arena, od_error *error)
{
    size_t count = (size_t)s->skeleton->count;
    s->child = OD_NEW(arena, int, count, error);
    s->sibling = OD_NEW(arena, int, count, error);
    s->size = OD_NEW(arena, int, count, error);
    s->depth = OD_NEW(arena, int, count, error);
    if (!s->child || !s->sibling || !s->size || !s->depth) return false;
    for (int i = s->skeleton->count - 1; i >= 0; i--) {
        int parent = s->skeleton->bones[i].parent;
        s->size[i]++;
        s->depth[i]++;
        if (s->size[i] == 1) s->child[i] = -1;
        s->sibling[i] = -1;
        if (parent < 0) continue;
        s->sibling[i] = s->size[parent] ? s->child[parent] : -1;
        s->child[parent] = i;
        s->size[parent] += s->size[i];
        if (s->depth[i] > s->depth[parent]) s->depth[parent] = s->depth[i];
    }
    return true;
}

bool od_mapping_from_structure(const od_skeleton *skeleton, od_mapping *mapping, od_report *report, od_arena *arena,
                               od_error *error)
{
    shape s = {.skeleton = skeleton};
    body b = {.neck = -1};
    *mapping = (od_mapping){.name = "structure", .title = "found by the shape of the skeleton", .verified = true};
    mapping->entries = OD_NEW(arena, od_map_entry, ENTRIES, error);
    if (!mapping->entries || !measure(&s, arena, error) || !find_body(&s, &b)) return false;
    limb leg = follow(&s, b.legs[0]);
    int ankle = leg.joints[leg.upper + 2], toe = leg.upper + 3 < leg.count ? leg.joints[leg.upper + 3] : ankle;
    vec3s direction;
    bool posed = od_structure_left(skeleton, b.hips, b.spine[b.spine_count - 1], ankle, toe, &direction);
    bool legs_sure, arms_sure;
    int first_leg = first_is_left(&s, b.legs, posed ? &direction : NULL, &legs_sure) ? 0 : 1;
    int first_arm = first_is_left(&s, b.arms, posed ? &direction : NULL, &arms_sure) ? 0 : 1;
    if (!legs_sure || !arms_sure)
        od_warn(report, "neither names nor rest pose tell left from right: check with `odori map`");
    add_trunk(mapping, &s, &b);
    for (int i = 0; i < 2; i++) {
        add_leg(mapping, &s, b.legs[i], i ^ first_leg);
        add_arm(mapping, &s, b.arms[i], i ^ first_arm);
    }
    return true;
}
