/* Rig: a model whose bones were taken away gets them back and dances as before; the mesh stays. */
#include "check.h"

#include "file.h"
#include "model.h"
#include "odori/odori.h"

/* ---- models ----------------------------------------------------------------------------------- */

typedef struct rigged {
    od_arena *arena;
    od_error error;
    od_report report;
    od_model model;
} rigged;

static rigged open_model(const char *path)
{
    rigged r = {.arena = od_arena_new(0)};
    r.report.arena = r.arena;
    od_file file = file_read(path, r.arena);
    assert_ok(od_read_model(&file, NULL, &r.model, NULL, r.arena, &r.error), r.error);
    return r;
}

static void close_model(rigged *r)
{
    od_arena_free(r->arena);
}

static void target_of(rigged *r, od_target *target)
{
    assert_ok(od_model_target(&r->model, target, NULL, r->arena, &r->error), r->error);
}

static void add(rigged *r, const od_rig_options *options)
{
    assert_ok(od_rig(&r->model, NULL, options, &r->report, r->arena, &r->error), r->error);
}

static od_rig_options part(od_rig_part which)
{
    od_rig_options options = {0};
    options.add[which] = true;
    return options;
}

static od_rig_options standard(void)
{
    od_rig_options options = {0};
    for (int i = 0; i < OD_RIG_PARTS; i++) options.add[i] = true;
    return options;
}

static int find_bone(const od_model *model, const char *name)
{
    for (int i = 0; i < model->bone_count; i++)
        if (!strcmp(model->bones[i].name.utf8, name)) return i;
    return -1;
}

/* The nearest bone above, or the same, that stays; -1: none. */
static int kept_above(const od_model *model, const bool *gone, int bone)
{
    while (bone >= 0 && gone[bone]) bone = model->bones[bone].parent;
    return bone;
}

/* Who carries what a bone carried: what it followed, as 足D follows 足, or what is above it. */
static int carrier(const od_model *model, const bool *gone, int bone)
{
    while (bone >= 0 && gone[bone])
        bone = model->bones[bone].append_ratio == 1 ? model->bones[bone].append_source : model->bones[bone].parent;
    return bone;
}

/* Takes bones away: children hang on what was above, so do vertices and bodies. */
static void strip(rigged *r, const bool *gone)
{
    od_model *model = &r->model;
    int place[1024], kept = 0;
    assert_true(model->bone_count <= 1024);
    for (int i = 0; i < model->vertex_count; i++)
        for (int k = 0; k < od_weights_bones(model->vertices[i].kind); k++)
            model->vertices[i].bone[k] = carrier(model, gone, model->vertices[i].bone[k]);
    for (int i = 0; i < model->body_count; i++) model->bodies[i].bone = carrier(model, gone, model->bodies[i].bone);
    for (int i = 0; i < model->bone_count; i++) {
        od_model_bone *b = &model->bones[i];
        b->parent = kept_above(model, gone, b->parent);
        if (b->tail_bone >= 0 && gone[b->tail_bone]) b->flags &= ~(unsigned)OD_BONE_TAIL_IS_BONE;
        if (b->append_source >= 0 && gone[b->append_source])
            b->flags &= ~(unsigned)(OD_BONE_APPEND_ROTATION | OD_BONE_APPEND_TRANSLATION), b->append_source = -1;
    }
    for (int i = 0; i < model->frame_count; i++) {
        od_model_frame *frame = &model->frames[i];
        int n = 0;
        for (int k = 0; k < frame->count; k++)
            if (frame->items[k].kind || !gone[frame->items[k].index]) frame->items[n++] = frame->items[k];
        frame->count = n;
    }
    for (int i = 0; i < model->bone_count; i++) kept += !gone[i];
    for (int i = 0, a = 0, b = kept; i < model->bone_count; i++) place[i] = gone[i] ? b++ : a++;
    assert_ok(od_model_reorder(model, place, r->arena, &r->error), r->error);
    model->bone_count = kept;
}

static void strip_roles(rigged *r, bool (*goes)(od_role role))
{
    od_target target;
    bool gone[1024] = {false};
    target_of(r, &target);
    assert_true(target.skeleton.count <= 1024);
    for (int i = 0; i < target.skeleton.count; i++) gone[target.bones[i].model_index] = goes(target.bones[i].role);
    strip(r, gone);
}

static bool is_leg_ik(od_role role)
{
    return role != OD_ROLE_NONE && od_role_is_leg_ik(role);
}

/* ---- dances ----------------------------------------------------------------------------------- */

static void make_dance(const od_target *target, od_keys *keys, od_arena *arena)
{
    od_error error = {0};
    od_scene *scene = OD_NEW(arena, od_scene, 1, &error);
    od_mapping mapping;
    od_binding binding;
    od_retarget_result result;
    const od_retarget_options options = {.resample = {.end = 5}};
    const od_read_options read = {0};
    od_file file = file_read("samples/dance.bvh", arena);
    assert_ok(od_read_scene(&file, NULL, &read, scene, NULL, arena, &error), error);
    assert_ok(od_mapping_detect(&scene->skeleton, &mapping, NULL, arena, &error), error);
    assert_ok(od_binding_make(&mapping, &scene->skeleton, target, &binding, NULL, arena, &error), error);
    assert_ok(od_retarget(scene, &scene->clips[0], &binding, target, &options, keys, &result, NULL, arena, &error),
              error);
}

static od_player play(const od_target *target, const od_keys *keys, od_arena *arena)
{
    od_error error = {0};
    od_player player;
    assert_ok(od_player_make(&player, target, keys, arena, &error), error);
    return player;
}

/* Does the bone hang on the IK of the legs? */
static bool hangs_on_ik(const od_target *target, int bone)
{
    for (; bone >= 0; bone = target->skeleton.bones[bone].parent)
        if (is_leg_ik(target->bones[bone].role)) return true;
    return false;
}

/* Largest distance of bones of one name in both, over the dance, but for goals of IK, which may stand elsewhere,
 * and what was carried by them. */
static double distance(od_player *a, od_player *b, od_play_ik ik)
{
    double most = 0;
    int compared = 0;
    for (int frame = 0; frame <= 150; frame += 5) {
        od_player_show(a, frame, (od_play_options){.ik = ik});
        od_player_show(b, frame, (od_play_options){.ik = ik});
        for (int i = 0; i < a->target->skeleton.count; i++) {
            int other = od_skeleton_find(&b->target->skeleton, a->target->skeleton.bones[i].name);
            if (other < 0 || hangs_on_ik(a->target, i)) continue;
            double d = (double)glms_vec3_distance(a->world[i].t, b->world[other].t);
            if (!(d <= most)) most = d;
            compared++;
        }
    }
    assert_true(compared > 1000);
    return most;
}

/* How far goals of IK are from the effectors at rest: keys that were made for one place miss as much at another. */
static double rest_error(const od_target *target)
{
    double most = 0;
    for (int i = 0; i < target->ik_count; i++) {
        vec3s goal = target->skeleton.bones[target->ik[i].bone].rest_world.t;
        vec3s end = target->skeleton.bones[target->ik[i].effector].rest_world.t;
        if (is_leg_ik(target->bones[target->ik[i].bone].role)) most = fmax(most, (double)glms_vec3_distance(goal, end));
    }
    return most;
}

static void check_ik_comes_back(const char *path)
{
    rigged before = open_model(path), after = open_model(path);
    od_target original, target;
    od_keys keys, own;
    od_rig_options ik = part(OD_RIG_IK);
    target_of(&before, &original);
    make_dance(&original, &keys, before.arena);
    strip_roles(&after, is_leg_ik);
    target_of(&after, &target);
    assert_int_equal(target.role[OD_ROLE_LEG_IK_L], -1);
    add(&after, &ik);
    target_of(&after, &target);
    assert_true(target.role[OD_ROLE_LEG_IK_L] >= 0 && target.role[OD_ROLE_TOE_IK_R] >= 0);
    make_dance(&target, &own, after.arena);
    od_player a = play(&original, &keys, before.arena), b = play(&target, &keys, after.arena);
    od_player c = play(&target, &own, after.arena);
    assert_near(distance(&a, &b, OD_PLAY_IK_ON), 0, 1e-3 + rest_error(&original));
    assert_near(distance(&a, &c, OD_PLAY_IK_ON), 0, 1e-3);
    close_model(&before);
    close_model(&after);
}

static void a_model_whose_ik_was_taken_away_dances_as_before(void **state)
{
    (void)state;
    check_ik_comes_back("samples/model.pmx");
    check_ik_comes_back("samples/model.pmd");
}

static void real_models_whose_ik_was_taken_away_dance_as_before(void **state)
{
    (void)state;
    static const char *const names[] = {"mmdagent-ex_gene/Gene.pmx", "yohawing_unity-mmd-loader/mmt_test_model.pmx",
                                        "yohawing_three-mmd-loader/test_semi_basic_bone.pmx",
                                        "yohawing_three-mmd-loader/test_basic_bone.pmx",
                                        "takahirox_mmd-viewer-js/low_miku__miku.pmd"};
    const char *folder = test_data();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/pmx/%s", folder, names[i]);
        check_ik_comes_back(path);
    }
}

/* ---- plain skeletons -------------------------------------------------------------------------- */

static bool is_not_plain(od_role role)
{
    switch (role) {
    case OD_ROLE_LOWER_BODY:
    case OD_ROLE_UPPER_BODY:
    case OD_ROLE_UPPER_BODY2:
    case OD_ROLE_NECK:
    case OD_ROLE_HEAD: return false;
    default: break;
    }
    static const od_role plain[] = {OD_ROLE_EYE_L,   OD_ROLE_SHOULDER_L, OD_ROLE_ARM_L,  OD_ROLE_ELBOW_L,
                                    OD_ROLE_WRIST_L, OD_ROLE_LEG_L,      OD_ROLE_KNEE_L, OD_ROLE_ANKLE_L};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (role == plain[i] || role == plain[i] + 1) return false;
    return !(role >= OD_ROLE_THUMB0_L && role <= OD_ROLE_LITTLE3_R);
}

static void parents_first(rigged *r)
{
    int place[1024], next = 0;
    bool placed[1024] = {false};
    for (int round = 0; next < r->model.bone_count; round++) {
        assert_true(round < r->model.bone_count);
        for (int i = 0; i < r->model.bone_count; i++) {
            int parent = r->model.bones[i].parent;
            if (placed[i] || (parent >= 0 && !placed[parent])) continue;
            place[i] = next++;
            placed[i] = true;
        }
    }
    assert_ok(od_model_reorder(&r->model, place, r->arena, &r->error), r->error);
}

/* The sample model as a program for games would have it: hips that carry all, English names. */
static rigged open_plain(bool named)
{
    static const struct {
        od_role role;
        const char *name;
    } names[] = {{OD_ROLE_LOWER_BODY, "Hips"},
                 {OD_ROLE_UPPER_BODY, "Spine"},
                 {OD_ROLE_UPPER_BODY2, "Spine1"},
                 {OD_ROLE_NECK, "Neck"},
                 {OD_ROLE_HEAD, "Head"},
                 {OD_ROLE_EYE_L, "LeftEye"},
                 {OD_ROLE_EYE_R, "RightEye"},
                 {OD_ROLE_SHOULDER_L, "LeftShoulder"},
                 {OD_ROLE_SHOULDER_R, "RightShoulder"},
                 {OD_ROLE_ARM_L, "LeftArm"},
                 {OD_ROLE_ARM_R, "RightArm"},
                 {OD_ROLE_ELBOW_L, "LeftForeArm"},
                 {OD_ROLE_ELBOW_R, "RightForeArm"},
                 {OD_ROLE_WRIST_L, "LeftHand"},
                 {OD_ROLE_WRIST_R, "RightHand"},
                 {OD_ROLE_LEG_L, "LeftUpLeg"},
                 {OD_ROLE_LEG_R, "RightUpLeg"},
                 {OD_ROLE_KNEE_L, "LeftLeg"},
                 {OD_ROLE_KNEE_R, "RightLeg"},
                 {OD_ROLE_ANKLE_L, "LeftFoot"},
                 {OD_ROLE_ANKLE_R, "RightFoot"}};
    rigged r = open_model("samples/model.pmx");
    strip_roles(&r, is_not_plain);
    int hips = find_bone(&r.model, "下半身"), spine = find_bone(&r.model, "上半身");
    r.model.bones[spine].parent = hips;
    parents_first(&r);
    for (size_t i = 0; named && i < sizeof names / sizeof *names; i++) {
        int bone = find_bone(&r.model, od_role_name(names[i].role));
        assert_true(bone >= 0);
        od_model_bone *b = &r.model.bones[bone];
        assert_ok(od_model_text_make(&r.model, names[i].name, &b->name, r.arena, &r.error), r.error);
        assert_ok(od_model_text_make(&r.model, "", &b->name_en, r.arena, &r.error), r.error);
    }
    return r;
}

static void a_dance_for_a_standard_model_plays_on_a_plain_one(void **state)
{
    (void)state;
    for (int named = 0; named < 2; named++) {
        rigged before = open_model("samples/model.pmx"), after = open_plain(named);
        od_target original, target;
        od_keys keys;
        od_rig_options options = standard();
        options.rename = true;
        target_of(&before, &original);
        make_dance(&original, &keys, before.arena);
        add(&after, &options);
        target_of(&after, &target);
        for (int r = 0; r < OD_ROLE_COUNT; r++) {
            bool fingers = r >= OD_ROLE_THUMB0_L && r <= OD_ROLE_LITTLE3_R;
            bool optional = r == OD_ROLE_UPPER_BODY3 || r == OD_ROLE_VIEW_CENTER;
            if (optional || (named && fingers) || target.role[r] >= 0) continue;
            fail_msg("%s is missing", od_role_name((od_role)r));
        }
        od_player a = play(&original, &keys, before.arena), b = play(&target, &keys, after.arena);
        for (int ik = OD_PLAY_IK_ON; ik <= OD_PLAY_IK_OFF; ik++) {
            for (int frame = 0; frame <= 150; frame += 5) {
                od_player_show(&a, frame, (od_play_options){.ik = (od_play_ik)ik});
                od_player_show(&b, frame, (od_play_options){.ik = (od_play_ik)ik});
                for (int r = OD_ROLE_LOWER_BODY; r < OD_ROLE_TOE_L; r++) {
                    int i = original.role[r], k = target.role[r];
                    bool made = is_not_plain((od_role)r); /* stands elsewhere, but moves nothing that was there */
                    if (i < 0 || k < 0 || made) continue;
                    assert_near(glms_vec3_distance(a.world[i].t, b.world[k].t), 0, 1e-3);
                    assert_near(od_quat_angle(od_quat_mul(od_quat_conj(a.world[i].q), b.world[k].q)), 0, 1e-3);
                }
            }
        }
        close_model(&before);
        close_model(&after);
    }
}

static void old_names_go_into_empty_english_ones(void **state)
{
    (void)state;
    rigged r = open_plain(true);
    od_rig_options options = {.rename = true};
    add(&r, &options);
    int knee = find_bone(&r.model, "左ひざ");
    assert_true(knee >= 0);
    assert_string_equal(r.model.bones[knee].name_en.utf8, "LeftLeg");
    close_model(&r);
}

/* ---- what must not change --------------------------------------------------------------------- */

static void done_twice_it_changes_nothing_the_second_time(void **state)
{
    (void)state;
    for (int named = 0; named < 2; named++) {
        rigged r = open_plain(named);
        od_rig_options options = standard();
        options.rename = options.turn_arms = true;
        options.arm_angle = 20;
        add(&r, &options);
        od_model once = r.model;
        od_model_bone *bones = OD_NEW(r.arena, od_model_bone, (size_t)once.bone_count, &r.error);
        od_vertex *vertices = OD_NEW(r.arena, od_vertex, (size_t)once.vertex_count, &r.error);
        memcpy(bones, once.bones, (size_t)once.bone_count * sizeof *bones);
        memcpy(vertices, once.vertices, (size_t)once.vertex_count * sizeof *vertices);
        add(&r, &options);
        assert_int_equal(r.model.bone_count, once.bone_count);
        for (int i = 0; i < once.bone_count; i++) {
            assert_string_equal(bones[i].name.utf8, r.model.bones[i].name.utf8);
            assert_int_equal(bones[i].parent, r.model.bones[i].parent);
            assert_int_equal(bones[i].deform_order, r.model.bones[i].deform_order);
            assert_int_equal(bones[i].flags, r.model.bones[i].flags);
            assert_memory_equal(&bones[i].position, &r.model.bones[i].position, sizeof(vec3s));
        }
        assert_memory_equal(vertices, r.model.vertices, (size_t)once.vertex_count * sizeof *vertices);
        close_model(&r);
    }
}

static void bones_and_mesh_stay_where_they_are(void **state)
{
    (void)state;
    rigged before = open_plain(false), after = open_plain(false);
    od_rig_options options = standard();
    add(&after, &options);
    assert_true(after.model.bone_count > before.model.bone_count + 30);
    for (int i = 0; i < before.model.bone_count; i++) {
        int k = find_bone(&after.model, before.model.bones[i].name.utf8);
        assert_true(k >= 0);
        assert_near(glms_vec3_distance(before.model.bones[i].position, after.model.bones[k].position), 0, 0);
    }
    assert_int_equal(before.model.vertex_count, after.model.vertex_count);
    for (int i = 0; i < before.model.vertex_count; i++) {
        const od_vertex *v = &after.model.vertices[i];
        float sum = v->kind == OD_BDEF1 || v->kind == OD_BDEF2 || v->kind == OD_SDEF ? 1 : 0;
        for (int k = 0; k < od_weights_bones(v->kind); k++) {
            assert_true(v->bone[k] >= 0 && v->bone[k] < after.model.bone_count);
            if (v->kind == OD_BDEF4 || v->kind == OD_QDEF) sum += v->weight[k];
        }
        assert_near(sum, 1, 1e-5);
        assert_memory_equal(&before.model.vertices[i].position, &v->position, sizeof v->position);
    }
    close_model(&before);
    close_model(&after);
}

/* Where a vertex goes when its bones are at `world`. */
static vec3s skinned(const od_model *model, const od_target *target, const od_xform *world, const od_vertex *v)
{
    vec3s sum = od_vec3(0, 0, 0);
    for (int k = 0; k < od_weights_bones(v->kind); k++) {
        float w = v->kind == OD_BDEF1 ? 1 : v->weight[k];
        if ((v->kind == OD_BDEF2 || v->kind == OD_SDEF) && k) w = 1 - v->weight[0];
        int bone = 0;
        while (target->bones[bone].model_index != v->bone[k]) bone++;
        vec3s local = glms_vec3_sub(v->position, model->bones[v->bone[k]].position);
        sum = glms_vec3_add(sum, glms_vec3_scale(od_xform_point(world[bone], local), w));
    }
    return sum;
}

static void d_bones_carry_the_mesh_as_the_legs_did(void **state)
{
    (void)state;
    rigged before = open_plain(false), after = open_plain(false);
    od_target a, b;
    od_keys keys;
    od_rig_options options = part(OD_RIG_IK);
    add(&before, &options);
    options.add[OD_RIG_DBONES] = true;
    add(&after, &options);
    target_of(&before, &a);
    target_of(&after, &b);
    assert_true(b.role[OD_ROLE_TOE_EX_L] >= 0);
    make_dance(&a, &keys, before.arena);
    od_player x = play(&a, &keys, before.arena), y = play(&b, &keys, after.arena);
    int on_d = 0;
    for (int frame = 0; frame <= 150; frame += 15) {
        od_player_show(&x, frame, (od_play_options){.ik = OD_PLAY_IK_ON});
        od_player_show(&y, frame, (od_play_options){.ik = OD_PLAY_IK_ON});
        for (int i = 0; i < before.model.vertex_count; i++) {
            const od_vertex *v = &before.model.vertices[i], *w = &after.model.vertices[i];
            assert_near(
                glms_vec3_distance(skinned(&before.model, &a, x.world, v), skinned(&after.model, &b, y.world, w)), 0,
                1e-3);
            for (int k = 0; k < od_weights_bones(w->kind); k++)
                on_d += !strcmp(after.model.bones[w->bone[k]].name.utf8, "左ひざD");
        }
    }
    assert_true(on_d > 0);
    close_model(&before);
    close_model(&after);
}

static void twist_spreads_along_the_arm(void **state)
{
    (void)state;
    rigged r = open_plain(false);
    od_rig_options options = part(OD_RIG_TWIST);
    add(&r, &options);
    od_target target;
    target_of(&r, &target);
    int arm = find_bone(&r.model, "左腕"), elbow = find_bone(&r.model, "左ひじ");
    int twist = find_bone(&r.model, "左腕捩"), helper = find_bone(&r.model, "左腕捩2");
    assert_true(twist >= 0 && helper >= 0);
    assert_int_equal(r.model.bones[elbow].parent, twist);
    assert_near(r.model.bones[helper].append_ratio, 0.5, 1e-6);
    vec3s way = glms_vec3_sub(r.model.bones[elbow].position, r.model.bones[arm].position);
    assert_near(glms_vec3_dot(r.model.bones[twist].fixed_axis, glms_vec3_normalize(way)), 1, 1e-6);
    /* A vertex of the arm alone turns by its share of the twist. */
    for (int i = 0; i < r.model.vertex_count; i++) {
        const od_vertex *v = &r.model.vertices[i];
        float turns = 0, sum = 0;
        for (int k = 0; k < od_weights_bones(v->kind); k++) {
            const od_model_bone *b = &r.model.bones[v->bone[k]];
            float w = v->kind == OD_BDEF1 ? 1 : v->kind == OD_BDEF2 && k ? 1 - v->weight[0] : v->weight[k];
            bool helps = b->append_source == twist;
            if (v->bone[k] == arm || v->bone[k] == twist || helps) sum += w;
            turns += v->bone[k] == twist ? w : helps ? w * b->append_ratio : 0;
        }
        if (sum < 0.999F) continue;
        vec3s at = glms_vec3_sub(v->position, r.model.bones[arm].position);
        float share = glms_vec3_dot(at, way) / glms_vec3_dot(way, way);
        assert_near(turns, share < 0 ? 0 : share > 1 ? 1 : share, 1e-3);
    }
    close_model(&r);
}

/* ---- poses ------------------------------------------------------------------------------------ */

static void arms_turn_with_the_mesh_and_back(void **state)
{
    (void)state;
    rigged before = open_model("samples/model.pmx"), after = open_model("samples/model.pmx");
    od_target target;
    od_keys none = {0};
    target_of(&before, &target);
    int arm = target.role[OD_ROLE_ARM_L], elbow = target.role[OD_ROLE_ELBOW_L];
    vec3s way = glms_vec3_sub(target.skeleton.bones[elbow].rest_world.t, target.skeleton.bones[arm].rest_world.t);
    double was = (double)atan2f(-way.y, way.x) * 180 / GLM_PI;
    od_rig_options options = {.turn_arms = true, .arm_angle = 0};
    add(&after, &options);
    int shoulder = find_bone(&after.model, "左腕"), wrist = find_bone(&after.model, "左ひじ");
    assert_near(after.model.bones[shoulder].position.y, after.model.bones[wrist].position.y, 1e-4);
    /* A vertex far out on the arm turned as a whole; one of the trunk stayed. */
    int turned = 0, stayed = 0;
    for (int i = 0; i < after.model.vertex_count; i++) {
        double d = (double)glms_vec3_distance(before.model.vertices[i].position, after.model.vertices[i].position);
        turned += d > 1;
        stayed += d < 1e-6;
    }
    assert_true(turned > 10 && stayed > 100);
    options.arm_angle = was;
    add(&after, &options);
    for (int i = 0; i < before.model.bone_count; i++)
        assert_near(glms_vec3_distance(before.model.bones[i].position, after.model.bones[i].position), 0, 1e-4);
    for (int i = 0; i < before.model.vertex_count; i++) {
        const od_vertex *v = &before.model.vertices[i], *w = &after.model.vertices[i];
        bool one = v->kind == OD_BDEF1; /* blended vertices shrink as they always do */
        assert_near(glms_vec3_distance(v->position, w->position), 0, one ? 1e-4 : 0.1);
        assert_near(glms_vec3_distance(v->normal, w->normal), 0, one ? 1e-4 : 0.3);
    }
    (void)none;
    close_model(&before);
    close_model(&after);
}

/* Rotation of a body or joint from its angles: about Y, then X, then Z of what is turned already. */
static versors turned_by(vec3s angles)
{
    versors y = od_quat_axis_angle(od_vec3(0, 1, 0), angles.y), x = od_quat_axis_angle(od_vec3(1, 0, 0), angles.x);
    return od_quat_mul(od_quat_mul(y, x), od_quat_axis_angle(od_vec3(0, 0, 1), angles.z));
}

static void bodies_joints_and_morphs_turn_with_the_arm(void **state)
{
    (void)state;
    rigged r = open_model("samples/model.pmx");
    od_model *m = &r.model;
    static const unsigned char shape[4] = {0}, physics[21] = {0}, limits[72] = {0};
    int elbow = find_bone(m, "左ひじ"), arm = find_bone(m, "左腕"), head = find_bone(m, "頭");
    vec3s pivot = m->bones[arm].position, angles = od_vec3(0.3F, -0.8F, 1.1F);
    od_model_body bodies[2] = {{.bone = elbow}, {.bone = head}};
    for (int i = 0; i < 2; i++) {
        bodies[i].position = m->bones[bodies[i].bone].position;
        bodies[i].rotation = angles;
        bodies[i].shape = (od_span){shape, sizeof shape};
        bodies[i].physics = (od_span){physics, sizeof physics};
    }
    od_model_joint joint = {.body = {1, 0}, .position = bodies[0].position, .limits = {limits, sizeof limits}};
    int vertex = 0;
    while (m->vertices[vertex].kind != OD_BDEF1 || m->vertices[vertex].bone[0] != elbow) vertex++;
    od_vertex_shift shift = {vertex, {{1, 0, 0}}};
    od_model_morph morph = {.kind = OD_MORPH_VERTEX, .count = 1, .vertices = &shift, .name = {.utf8 = "x"}};
    m->bodies = bodies, m->body_count = 2;
    m->joints = &joint, m->joint_count = 1;
    m->morphs = &morph, m->morph_count = 1;
    vec3s out = m->bones[elbow].position;
    od_rig_options options = {.turn_arms = true, .arm_angle = 80};
    add(&r, &options);
    out = glms_vec3_sub(out, pivot);
    float angle = -80 * GLM_PIf / 180 + atan2f(-out.y, out.x);
    versors q = od_quat_axis_angle(od_vec3(0, 0, 1), angle);
    vec3s place = glms_vec3_add(pivot, od_quat_rotate(q, out));
    assert_near(glms_vec3_distance(m->bones[elbow].position, place), 0, 1e-4);
    assert_near(glms_vec3_distance(bodies[0].position, place), 0, 1e-4);
    assert_near(glms_vec3_distance(joint.position, place), 0, 1e-4);
    assert_near(
        od_quat_angle(od_quat_mul(od_quat_conj(od_quat_mul(q, turned_by(angles))), turned_by(bodies[0].rotation))), 0,
        1e-4);
    assert_near(od_quat_angle(od_quat_mul(od_quat_conj(q), turned_by(joint.rotation))), 0, 1e-4);
    assert_near(glms_vec3_distance(bodies[1].rotation, angles), 0, 0);
    assert_near(glms_vec3_distance(shift.offset, od_quat_rotate(q, od_vec3(1, 0, 0))), 0, 1e-4);
    close_model(&r);
}

/* ---- bones that make it hard ------------------------------------------------------------------ */

static void straight_knees_are_bent_by_a_hair(void **state)
{
    (void)state;
    rigged r = open_plain(false);
    int leg = find_bone(&r.model, "左足"), knee = find_bone(&r.model, "左ひざ"), ankle = find_bone(&r.model, "左足首");
    vec3s hip = r.model.bones[leg].position, foot = r.model.bones[ankle].position;
    r.model.bones[knee].position = glms_vec3_lerp(hip, foot, 0.5F);
    float z = r.model.bones[knee].position.z;
    od_rig_options options = part(OD_RIG_IK);
    add(&r, &options);
    knee = find_bone(&r.model, "左ひざ");
    assert_near(z - r.model.bones[knee].position.z, 1e-3 * (double)glms_vec3_distance(hip, foot), 1e-5);
    bool told = false;
    for (const od_note *n = r.report.first; n; n = n->next) told = told || strstr(n->text, "straight");
    assert_true(told);
    close_model(&r);
}

/* Everything is evaluated behind what it needs, also what hung on the legs before. */
static void no_bone_is_evaluated_before_what_it_needs(void **state)
{
    (void)state;
    rigged r = open_plain(false);
    od_rig_options options = part(OD_RIG_IK);
    int ankle = find_bone(&r.model, "左足首");
    r.model.bones[find_bone(&r.model, "左目")].parent = ankle; /* some bone that hangs there */
    add(&r, &options);
    od_target t;
    target_of(&r, &t);
    int place[1024] = {0};
    for (int i = 0; i < t.skeleton.count; i++) place[t.deform[i]] = i;
    for (int i = 0; i < t.skeleton.count; i++) {
        int parent = t.skeleton.bones[i].parent;
        if (parent >= 0) assert_true(place[parent] < place[i]);
    }
    for (int c = 0; c < t.ik_count; c++) {
        assert_true(place[t.ik[c].effector] < place[t.ik[c].bone]);
        for (int k = 0; k < t.ik[c].link_count; k++) assert_true(place[t.ik[c].links[k].bone] < place[t.ik[c].bone]);
    }
    assert_true(place[od_skeleton_find(&t.skeleton, "左目")] > place[t.role[OD_ROLE_TOE_IK_L]]);
    close_model(&r);
}

static void a_model_with_many_bones_gets_larger_indices(void **state)
{
    (void)state;
    bytes b;
    make_pmx(&b, &(pmx_style){2.0F, false, 0, {2, 2, 2, 1, 2, 2}, 0, false}, NULL);
    od_error error = {0};
    od_arena *arena = od_arena_new(0);
    od_model model;
    od_file file = {.name = "model.pmx", .data = b.data, .size = b.size};
    assert_ok(od_read_model(&file, NULL, &model, NULL, arena, &error), error);
    od_model_bone *bones = OD_NEW(arena, od_model_bone, 200, &error);
    for (int i = 0; i < 200; i++) {
        bones[i] = model.bones[i < 10 ? i : 8];
        if (i < 10) continue;
        const char *name = od_arena_format(arena, &error, "b%d", i);
        assert_ok(od_model_text_make(&model, name, &bones[i].name, arena, &error), error);
    }
    model.bones = bones;
    model.bone_count = 200;
    od_rig_options options = standard();
    assert_ok(od_rig(&model, NULL, &options, NULL, arena, &error), error);
    assert_true(model.bone_count > 200);
    od_arena_free(arena);
}

static void broken_models_are_rigged_or_refused(void **state)
{
    (void)state;
    uint32_t seed = 7;
    bytes b;
    make_pmx(&b, &pmx_plain, NULL);
    for (int i = 0; i < 800; i++) {
        bytes broken = b;
        for (int k = 0; k < 1 + i % 4; k++) {
            seed = seed * 1664525u + 1013904223u;
            broken.data[(seed >> 8) % b.size] = (unsigned char)(seed & 0xFF);
        }
        od_error error = {0};
        od_arena *arena = od_arena_new((size_t)64 << 20);
        od_report report = {.arena = arena};
        od_model model;
        od_file file = {.name = "model.pmx", .data = broken.data, .size = broken.size};
        od_rig_options options = standard();
        options.rename = options.turn_arms = true;
        if (od_read_model(&file, od_format_named("pmx"), &model, NULL, arena, &error)) {
            od_target target;
            bool ok = od_rig(&model, NULL, &options, &report, arena, &error);
            assert_true(ok == !error.failed);
            if (ok) assert_ok(od_model_target(&model, &target, NULL, arena, &error), error);
        }
        od_arena_free(arena);
    }
}

static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    bytes b;
    make_pmx(&b, &pmx_plain, NULL);
    for (size_t n = 1; n < 100000; n += 1 + n / 16) {
        od_error error = {0};
        od_arena *arena = od_arena_new(0);
        od_model model;
        od_file file = {.name = "model.pmx", .data = b.data, .size = b.size};
        od_rig_options options = standard();
        options.turn_arms = options.rename = true;
        assert_ok(od_read_model(&file, NULL, &model, NULL, arena, &error), error);
        od_arena_fail_at(arena, n);
        bool ok = od_rig(&model, NULL, &options, NULL, arena, &error);
        od_arena_free(arena);
        assert_true(ok == !error.failed);
        if (ok) return;
    }
    fail();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_whose_ik_was_taken_away_dances_as_before),
        cmocka_unit_test(real_models_whose_ik_was_taken_away_dance_as_before),
        cmocka_unit_test(a_dance_for_a_standard_model_plays_on_a_plain_one),
        cmocka_unit_test(old_names_go_into_empty_english_ones),
        cmocka_unit_test(done_twice_it_changes_nothing_the_second_time),
        cmocka_unit_test(bones_and_mesh_stay_where_they_are),
        cmocka_unit_test(d_bones_carry_the_mesh_as_the_legs_did),
        cmocka_unit_test(twist_spreads_along_the_arm),
        cmocka_unit_test(arms_turn_with_the_mesh_and_back),
        cmocka_unit_test(bodies_joints_and_morphs_turn_with_the_arm),
        cmocka_unit_test(straight_knees_are_bent_by_a_hair),
        cmocka_unit_test(no_bone_is_evaluated_before_what_it_needs),
        cmocka_unit_test(a_model_with_many_bones_gets_larger_indices),
        cmocka_unit_test(broken_models_are_rigged_or_refused),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
