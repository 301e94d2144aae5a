/* FBX: which models become bones, which roles they have, and blend shapes; files of version 7 as text. */
#include "fbx_writing.h"

#include "format/fbx.h"
#include "odori/role.h"

/* A text file put together from its objects and connections. */
typedef struct text_file {
    char objects[1 << 14], links[1 << 14], all[1 << 16];
} text_file;

static void add_model(text_file *f, int id, const char *name, const char *type, int parent)
{
    size_t used = strlen(f->objects), linked = strlen(f->links);
    (void)snprintf(f->objects + used, sizeof f->objects - used,
                   "Model: %d, \"Model::%s\", \"%s\" {\nProperties70: {\nP: \"Lcl Translation\", \"Lcl Translation\", "
                   "\"\", \"A\",0,1,0\n}\n}\n",
                   id, name, type);
    (void)snprintf(f->links + linked, sizeof f->links - linked, "C: \"OO\",%d,%d\n", id, parent);
}

static void add(text_file *f, const char *objects, const char *links)
{
    strncat(f->objects, objects, sizeof f->objects - strlen(f->objects) - 1);
    strncat(f->links, links, sizeof f->links - strlen(f->links) - 1);
}

static fbx_reading read_text(text_file *f, const char *root)
{
    (void)snprintf(f->all, sizeof f->all,
                   "; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7400\n}\nObjects: {\n%s}\n"
                   "Connections: {\n%s}\n",
                   f->objects, f->links);
    fbx_reading r = {.arena = od_arena_new(0)};
    r.report.arena = r.arena;
    od_file file = {.name = "dance.fbx", .data = (const unsigned char *)f->all, .size = strlen(f->all)};
    od_read_options options = {.root_joint = root};
    r.ok = od_fbx_read(&file, &options, &r.scene, &r.report, r.arena, &r.error);
    return r;
}

/* "name parent, name parent, ..." of all bones. */
static void check_bones(const fbx_reading *r, const char *want)
{
    char have[1024] = "";
    assert_ok(r->ok, r->error);
    for (int i = 0; i < r->scene.skeleton.count; i++) {
        size_t used = strlen(have);
        (void)snprintf(have + used, sizeof have - used, "%s%s %d", i ? ", " : "", r->scene.skeleton.bones[i].name,
                       r->scene.skeleton.bones[i].parent);
    }
    assert_string_equal(have, want);
}

static void models_above_the_first_joint_carry_it(void **state)
{
    (void)state;
    text_file f = {"", "", ""};
    add_model(&f, 1, "Group", "Null", 0);
    add_model(&f, 2, "Mesh", "Mesh", 1);
    add_model(&f, 3, "Hips", "LimbNode", 2);
    add_model(&f, 4, "Shirt", "Mesh", 3);
    add_model(&f, 5, "Between", "Null", 3);
    add_model(&f, 6, "Head", "LimbNode", 5);
    add_model(&f, 7, "Top", "Null", 6);
    add_model(&f, 8, "Lamp", "Light", 6);
    fbx_reading r = read_text(&f, NULL);
    check_bones(&r, "Hips -1, Between 0, Head 1, Top 2");
    assert_near(r.scene.skeleton.bones[0].rest.t.y, 3, 1e-6);
    assert_near(r.scene.skeleton.bones[3].rest_world.t.y, 6, 1e-6);
    fbx_done(&r);
}

static void joints_in_one_null_are_one_skeleton(void **state)
{
    (void)state;
    text_file f = {"", "", ""};
    add_model(&f, 1, "Armature", "Null", 0);
    add_model(&f, 2, "hips", "LimbNode", 1);
    add_model(&f, 3, "spine", "LimbNode", 2);
    add_model(&f, 4, "hand.ik", "LimbNode", 1);
    fbx_reading r = read_text(&f, NULL);
    check_bones(&r, "Armature -1, hips 0, spine 1, hand.ik 0");
    assert_null(r.scene.other_roots);
    fbx_done(&r);
}

static void figures_in_one_null_are_several(void **state)
{
    (void)state;
    text_file f = {"", "", ""};
    add_model(&f, 1, "Dancers", "Null", 0);
    const char *names[] = {"Hips", "Spine", "Head"};
    for (int figure = 0; figure < 2; figure++)
        for (int i = 0; i < 3; i++) {
            char name[16];
            (void)snprintf(name, sizeof name, "%c:%s", 'a' + figure, names[i]);
            add_model(&f, 10 * figure + 10 + i, name, "LimbNode", i ? 10 * figure + 9 + i : 1);
        }
    add_model(&f, 40, "b:Toe", "LimbNode", 22);
    fbx_reading r = read_text(&f, NULL);
    check_bones(&r, "b:Hips -1, b:Spine 0, b:Head 1, b:Toe 2"); /* the one with more joints */
    assert_string_equal(r.scene.other_roots, "a:Hips");
    fbx_done(&r);
    r = read_text(&f, "a:Hips");
    check_bones(&r, "a:Hips -1, a:Spine 0, a:Head 1");
    fbx_done(&r);
    r = read_text(&f, "Spine");
    assert_fails(r.ok, r.error, "expected a root joint called Spine, found a:Hips, b:Hips");
    fbx_done(&r);
}

static void files_without_joints_are_skeletons_of_models(void **state)
{
    (void)state;
    text_file f = {"", "", ""};
    add_model(&f, 1, "Bip01", "Null", 0);
    add_model(&f, 2, "Bip01 Pelvis", "Mesh", 1);
    add_model(&f, 3, "Camera", "Camera", 0);
    fbx_reading r = read_text(&f, NULL);
    check_bones(&r, "Bip01 -1, Bip01 Pelvis 0");
    fbx_done(&r);
}

static void attributes_say_what_is_a_joint(void **state)
{
    (void)state;
    text_file f = {"", "", ""};
    add_model(&f, 1, "World", "Null", 0);
    add_model(&f, 2, "Hips", "Null", 1);
    add(&f, "NodeAttribute: 9, \"NodeAttribute::\", \"LimbNode\" {\n}\n", "C: \"OO\",9,2\n");
    fbx_reading r = read_text(&f, NULL);
    check_bones(&r, "Hips -1");
    fbx_done(&r);
}

/* ---- roles --------------------------------------------------------------------------------------- */

static const struct {
    const char *slot;
    od_role role;
} SLOTS[] = {
    {"Hips", OD_ROLE_LOWER_BODY},      {"LeftUpLeg", OD_ROLE_LEG_L},
    {"RightUpLeg", OD_ROLE_LEG_R},     {"LeftLeg", OD_ROLE_KNEE_L},
    {"RightLeg", OD_ROLE_KNEE_R},      {"LeftFoot", OD_ROLE_ANKLE_L},
    {"RightFoot", OD_ROLE_ANKLE_R},    {"LeftArm", OD_ROLE_ARM_L},
    {"RightArm", OD_ROLE_ARM_R},       {"LeftForeArm", OD_ROLE_ELBOW_L},
    {"RightForeArm", OD_ROLE_ELBOW_R}, {"Spine", OD_ROLE_UPPER_BODY},
    {"Spine1", OD_ROLE_NONE},          {"Spine2", OD_ROLE_UPPER_BODY2},
    {"Spine3", OD_ROLE_UPPER_BODY3},   {"LeftHandPinky3", OD_ROLE_LITTLE3_L},
    {"RightFingerBase", OD_ROLE_NONE},
};

enum { SLOT_COUNT = sizeof SLOTS / sizeof *SLOTS };

/* Joints called j0, j1, ... in a chain, and a character that knows what they are, but for `without`. */
static fbx_reading read_character(int without)
{
    text_file f = {"", "", ""};
    for (int i = 0; i < SLOT_COUNT; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "j%d", i);
        add_model(&f, 1 + i, name, "LimbNode", i);
    }
    add(&f, "Constraint: 99, \"Constraint::Character\", \"Character\" {\n}\n", "");
    for (int i = 0; i < SLOT_COUNT; i++) {
        char link[64];
        (void)snprintf(link, sizeof link, "C: \"OP\",%d,99,\"%sLink\"\n", 1 + i, SLOTS[i].slot);
        if (i != without) add(&f, "", link);
    }
    return read_text(&f, NULL);
}

static void a_character_says_which_joint_is_which(void **state)
{
    (void)state;
    fbx_reading r = read_character(-1);
    assert_ok(r.ok, r.error);
    assert_non_null(r.scene.roles);
    for (int i = 0; i < SLOT_COUNT; i++) assert_int_equal(r.scene.roles[i], SLOTS[i].role);
    fbx_done(&r);
}

static void half_a_character_says_nothing(void **state)
{
    (void)state;
    for (int without = 0; without <= 11; without++) {
        fbx_reading r = read_character(without);
        assert_ok(r.ok, r.error);
        bool other_spine = without == 11; /* the next one becomes the lowest */
        assert_true((r.scene.roles != NULL) == other_spine);
        fbx_done(&r);
    }
}

/* ---- blend shapes -------------------------------------------------------------------------------- */

#define STACK \
    "AnimationStack: 50, \"AnimStack::s\", \"\" {\n}\nAnimationLayer: 51, \"AnimLayer::l\", \"\" {\n}\n" \
    "AnimationCurveNode: 52, \"AnimCurveNode::DeformPercent\", \"\" {\n}\n" \
    "AnimationCurveNode: 53, \"AnimCurveNode::R\", \"\" {\n}\n"
#define CURVE(id, values) \
    "AnimationCurve: " #id ", \"AnimCurve::\", \"\" {\nKeyTime: *2 {\na: 0,46186158000\n}\nKeyValueFloat: *2 {\n" \
    "a: " values "\n}\nKeyAttrFlags: *1 {\na: 4\n}\nKeyAttrDataFloat: *4 {\na: 0,0,0,0\n}\nKeyAttrRefCount: *1 " \
    "{\na: 2\n}\n}\n"

/* `of_face`: the shape's deformer is called Face, which then is no part of its name. */
static void check_morphs(bool of_face)
{
    text_file f = {"", "", ""};
    add_model(&f, 1, "Hips", "LimbNode", 0);
    add(&f, "Deformer: 30, \"SubDeformer::Face.aa\", \"BlendShapeChannel\" {\nDeformPercent: 0\n}\n" STACK, "");
    if (of_face) add(&f, "Deformer: 31, \"Deformer::Face\", \"BlendShape\" {\n}\n", "C: \"OO\",30,31\n");
    add(&f, CURVE(60, "0,50") CURVE(61, "0,90"),
        "C: \"OO\",51,50\nC: \"OO\",52,51\nC: \"OO\",53,51\nC: \"OP\",52,30,\"DeformPercent\"\n"
        "C: \"OP\",60,52,\"d|DeformPercent\"\nC: \"OP\",53,1,\"Lcl Rotation\"\nC: \"OP\",61,53,\"d|X\"\n");
    fbx_reading r = read_text(&f, NULL);
    assert_ok(r.ok, r.error);
    assert_int_equal(r.scene.clip_count, 1);
    const od_clip *clip = &r.scene.clips[0];
    assert_int_equal(clip->morph_count, 1);
    assert_string_equal(clip->morphs[0].name, of_face ? "aa" : "Face.aa");
    assert_int_equal(clip->morphs[0].count, 31);
    assert_int_equal(clip->morphs[0].frame[15], 15);
    assert_near(clip->morphs[0].weight[15], 0.25, 1e-6);
    assert_near(clip->morphs[0].weight[30], 0.5, 1e-6);
    fbx_done(&r);
}

static void weights_of_blend_shapes_are_morphs(void **state)
{
    (void)state;
    check_morphs(false);
    check_morphs(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_above_the_first_joint_carry_it),
        cmocka_unit_test(joints_in_one_null_are_one_skeleton),
        cmocka_unit_test(figures_in_one_null_are_several),
        cmocka_unit_test(files_without_joints_are_skeletons_of_models),
        cmocka_unit_test(attributes_say_what_is_a_joint),
        cmocka_unit_test(a_character_says_which_joint_is_which),
        cmocka_unit_test(half_a_character_says_nothing),
        cmocka_unit_test(weights_of_blend_shapes_are_morphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
