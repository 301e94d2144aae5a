/* Output: the built-in standard model: the standard and semi-standard bones of an adult of 20 units
 * (160 cm), arms 35 degrees below the horizontal, knees a little in front of the line from hip to
 * ankle so that IK can bend them. Only the left side is written down; the right is its mirror. */
#include <string.h>

#include "odori/target.h"

typedef struct row {
    const char *ja, *en, *parent;
    int deform_order;
    unsigned flags;
    float position[3];
    const char *tail, *append;
    float ratio;
} row;

static const row rows[] = {
    {"全ての親", "master", NULL, 0, 0x001E, {0, 0, 0}, "センター", NULL, 0},
    {"センター", "center", "全ての親", 0, 0x001E, {0, 8, 0}, NULL, NULL, 0},
    {"グルーブ", "groove", "センター", 0, 0x001E, {0, 8.4F, 0}, NULL, NULL, 0},
    {"腰", "waist", "グルーブ", 0, 0x001A, {0, 11.4F, 0.1F}, NULL, NULL, 0},
    {"上半身", "upper body", "腰", 0, 0x001A, {0, 12.2F, 0}, "上半身2", NULL, 0},
    {"上半身2", "upper body2", "上半身", 0, 0x001A, {0, 13.5F, 0.05F}, "首", NULL, 0},
    {"首", "neck", "上半身2", 0, 0x001A, {0, 16.3F, 0.25F}, "頭", NULL, 0},
    {"頭", "head", "首", 0, 0x001A, {0, 17.1F, 0.1F}, NULL, NULL, 0},
    {"両目", "eyes", "頭", 0, 0x001A, {0, 20.5F, 0.1F}, NULL, NULL, 0},
    {"左目", "eye_L", "頭", 2, 0x011A, {0.4F, 17.95F, -0.55F}, NULL, "両目", 1},
    {"左肩P", "shoulderP_L", "上半身2", 0, 0x001A, {0.25F, 15.95F, 0.2F}, NULL, NULL, 0},
    {"左肩", "shoulder_L", "左肩P", 0, 0x001A, {0.25F, 15.95F, 0.2F}, "左腕", NULL, 0},
    {"左肩C", "shoulderC_L", "左肩", 0, 0x0102, {1.3F, 15.7F, 0.25F}, NULL, "左肩P", -1},
    {"左腕", "arm_L", "左肩C", 0, 0x001A, {1.3F, 15.7F, 0.25F}, "左ひじ", NULL, 0},
    {"左腕捩", "arm twist_L", "左腕", 0, 0x041A, {2.5697F, 14.811F, 0.25F}, NULL, NULL, 0},
    {"左腕捩1", "arm twist1_L", "左腕", 0, 0x0102, {1.9348F, 15.2555F, 0.25F}, NULL, "左腕捩", 0.25F},
    {"左腕捩2", "arm twist2_L", "左腕", 0, 0x0102, {2.5697F, 14.811F, 0.25F}, NULL, "左腕捩", 0.5F},
    {"左腕捩3", "arm twist3_L", "左腕", 0, 0x0102, {3.2045F, 14.3664F, 0.25F}, NULL, "左腕捩", 0.75F},
    {"左ひじ", "elbow_L", "左腕捩", 0, 0x001A, {3.8394F, 13.9219F, 0.25F}, "左手首", NULL, 0},
    {"左手捩", "wrist twist_L", "左ひじ", 0, 0x041A, {4.9043F, 13.1763F, 0.25F}, NULL, NULL, 0},
    {"左手捩1", "wrist twist1_L", "左ひじ", 0, 0x0102, {4.3718F, 13.5491F, 0.25F}, NULL, "左手捩", 0.25F},
    {"左手捩2", "wrist twist2_L", "左ひじ", 0, 0x0102, {4.9043F, 13.1763F, 0.25F}, NULL, "左手捩", 0.5F},
    {"左手捩3", "wrist twist3_L", "左ひじ", 0, 0x0102, {5.4367F, 12.8034F, 0.25F}, NULL, "左手捩", 0.75F},
    {"左手首", "wrist_L", "左手捩", 0, 0x001A, {5.9692F, 12.4306F, 0.25F}, NULL, NULL, 0},
    {"左親指０", "thumb0_L", "左手首", 0, 0x001A, {6.1392F, 12.2306F, 0.1F}, NULL, NULL, 0},
    {"左親指１", "thumb1_L", "左親指０", 0, 0x001A, {6.361F, 12.037F, -0.1708F}, NULL, NULL, 0},
    {"左親指２", "thumb2_L", "左親指１", 0, 0x001A, {6.5606F, 11.8628F, -0.4145F}, NULL, NULL, 0},
    {"左親指先", "thumb end_L", "左親指２", 0, 0x0002, {6.727F, 11.7176F, -0.6176F}, NULL, NULL, 0},
    {"左人指１", "fore1_L", "左手首", 0, 0x001A, {6.8047F, 11.8456F, -0.03F}, NULL, NULL, 0},
    {"左人指２", "fore2_L", "左人指１", 0, 0x001A, {7.1487F, 11.6047F, -0.03F}, NULL, NULL, 0},
    {"左人指３", "fore3_L", "左人指２", 0, 0x001A, {7.3617F, 11.4555F, -0.03F}, NULL, NULL, 0},
    {"左人指先", "fore end_L", "左人指３", 0, 0x0002, {7.5419F, 11.3293F, -0.03F}, NULL, NULL, 0},
    {"左中指１", "middle1_L", "左手首", 0, 0x001A, {6.8375F, 11.8226F, 0.16F}, NULL, NULL, 0},
    {"左中指２", "middle2_L", "左中指１", 0, 0x001A, {7.2061F, 11.5645F, 0.16F}, NULL, NULL, 0},
    {"左中指３", "middle3_L", "左中指２", 0, 0x001A, {7.4518F, 11.3924F, 0.16F}, NULL, NULL, 0},
    {"左中指先", "middle end_L", "左中指３", 0, 0x0002, {7.6484F, 11.2548F, 0.16F}, NULL, NULL, 0},
    {"左薬指１", "third1_L", "左手首", 0, 0x001A, {6.8047F, 11.8456F, 0.35F}, NULL, NULL, 0},
    {"左薬指２", "third2_L", "左薬指１", 0, 0x001A, {7.1487F, 11.6047F, 0.35F}, NULL, NULL, 0},
    {"左薬指３", "third3_L", "左薬指２", 0, 0x001A, {7.3781F, 11.4441F, 0.35F}, NULL, NULL, 0},
    {"左薬指先", "third end_L", "左薬指３", 0, 0x0002, {7.5583F, 11.3179F, 0.35F}, NULL, NULL, 0},
    {"左小指１", "little1_L", "左手首", 0, 0x001A, {6.7228F, 11.9029F, 0.53F}, NULL, NULL, 0},
    {"左小指２", "little2_L", "左小指１", 0, 0x001A, {7.0013F, 11.7079F, 0.53F}, NULL, NULL, 0},
    {"左小指３", "little3_L", "左小指２", 0, 0x001A, {7.1815F, 11.5817F, 0.53F}, NULL, NULL, 0},
    {"左小指先", "little end_L", "左小指３", 0, 0x0002, {7.329F, 11.4785F, 0.53F}, NULL, NULL, 0},
    {"下半身", "lower body", "腰", 0, 0x001A, {0, 12.2F, 0}, NULL, NULL, 0},
    {"腰キャンセル左", "waist cancel_L", "下半身", 0, 0x0102, {0.92F, 10.6F, 0}, NULL, "腰", -1},
    {"左足", "leg_L", "腰キャンセル左", 0, 0x001A, {0.92F, 10.6F, 0}, "左ひざ", NULL, 0},
    {"左ひざ", "knee_L", "左足", 0, 0x001A, {0.92F, 5.75F, -0.06F}, "左足首", NULL, 0},
    {"左足首", "ankle_L", "左ひざ", 0, 0x001A, {0.92F, 1.1F, 0.14F}, "左つま先", NULL, 0},
    {"左つま先", "toe_L", "左足首", 0, 0x001A, {0.98F, 0, -1.45F}, NULL, NULL, 0},
    {"左足D", "legD_L", "腰キャンセル左", 2, 0x011A, {0.92F, 10.6F, 0}, NULL, "左足", 1},
    {"左ひざD", "kneeD_L", "左足D", 2, 0x011A, {0.92F, 5.75F, -0.06F}, NULL, "左ひざ", 1},
    {"左足首D", "ankleD_L", "左ひざD", 2, 0x011A, {0.92F, 1.1F, 0.14F}, NULL, "左足首", 1},
    {"左足先EX", "toe2_L", "左足首D", 2, 0x001A, {0.96F, 0.28F, -0.85F}, NULL, NULL, 0},
    {"左足IK親", "leg IKP_L", "全ての親", 0, 0x001E, {0.92F, 0, 0.14F}, NULL, NULL, 0},
    {"左足ＩＫ", "leg IK_L", "左足IK親", 1, 0x003E, {0.92F, 1.1F, 0.14F}, NULL, NULL, 0},
    {"左つま先ＩＫ", "toe IK_L", "左足ＩＫ", 1, 0x003E, {0.98F, 0, -1.45F}, NULL, NULL, 0},
};

/* 足ＩＫ and つま先ＩＫ of the left: effector, links from it outwards, loops, limit a step. */
static const struct {
    const char *bone, *effector, *links[2];
    int loops;
    float limit;
} chains[] = {
    {"左足ＩＫ", "左足首", {"左ひざ", "左足"}, 40, 2},
    {"左つま先ＩＫ", "左つま先", {"左足首", NULL}, 3, 4},
};

/* Direction of the left arm, and fixed axis of its twist bones: 35 degrees down. */
static const vec3s ARM = {{0.819152044F, -0.573576436F, 0}};
/* The knee bends from -180 to -0.5 degrees about X. */
static const float KNEE_MIN = -3.14159265F, KNEE_MAX = -0.00872664626F;

enum { ROWS = sizeof rows / sizeof *rows };

/* The other side's name: 左 becomes 右, _L becomes _R; the same pointer when there is no side. */
static const char *mirror(const char *name, bool right, od_arena *arena, od_error *error)
{
    static const char left[] = "左";
    if (!name || !right) return name;
    const char *mark = strstr(name, left);
    size_t size = strlen(name);
    if (!mark && strcmp(name + size - 2, "_L") != 0) return name;
    char *other = od_arena_text(arena, name, size, error);
    if (!other) return NULL;
    if (mark) memcpy(other + (mark - name), "右", sizeof left - 1);
    else other[size - 1] = 'R';
    return other;
}

static bool is_left(const row *r)
{
    return strstr(r->ja, "左") != NULL;
}

static bool add_bone(od_target *target, const row *r, bool right, od_arena *arena, od_error *error)
{
    int i = target->skeleton.count++;
    float side = right ? -1.0F : 1.0F;
    od_bone *bone = &target->skeleton.bones[i];
    od_target_bone *b = &target->bones[i];
    const char *parent = mirror(r->parent, right, arena, error), *append = mirror(r->append, right, arena, error);
    bone->name = mirror(r->ja, right, arena, error);
    b->name_en = mirror(r->en, right, arena, error);
    if (!bone->name || !b->name_en || (r->parent && !parent) || (r->append && !append)) return false;
    bone->parent = parent ? od_skeleton_find(&target->skeleton, parent) : -1;
    bone->rest = od_xform_identity();
    bone->rest.t = od_vec3(side * r->position[0], r->position[1], r->position[2]); /* of the model, for now */
    b->deform_order = r->deform_order;
    b->flags = r->flags;
    b->append_source = append ? od_skeleton_find(&target->skeleton, append) : -1;
    b->append_ratio = r->ratio;
    if (r->flags & OD_BONE_FIXED_AXIS) b->fixed_axis = od_vec3(side * ARM.x, ARM.y, ARM.z);
    return true;
}

static bool add_chain(od_target *target, size_t index, bool right, od_arena *arena, od_error *error)
{
    od_ik_chain *chain = &target->ik[target->ik_count++];
    const od_skeleton *skeleton = &target->skeleton;
    const char *bone = mirror(chains[index].bone, right, arena, error);
    const char *effector = mirror(chains[index].effector, right, arena, error);
    chain->links = OD_NEW(arena, od_ik_link, 2, error);
    if (!bone || !effector || !chain->links) return false;
    chain->bone = od_skeleton_find(skeleton, bone);
    chain->effector = od_skeleton_find(skeleton, effector);
    chain->loops = chains[index].loops;
    chain->limit = chains[index].limit;
    for (int k = 0; k < 2 && chains[index].links[k]; k++) {
        const char *link = mirror(chains[index].links[k], right, arena, error);
        if (!link) return false;
        bool knee = strstr(link, "ひざ") != NULL;
        chain->links[chain->link_count++] = (od_ik_link){.bone = od_skeleton_find(skeleton, link),
                                                         .limited = knee,
                                                         .min = {{knee ? KNEE_MIN : 0, 0, 0}},
                                                         .max = {{knee ? KNEE_MAX : 0, 0, 0}}};
    }
    return true;
}

bool od_target_standard(od_target *target, od_arena *arena, od_error *error)
{
    *target = (od_target){.name = "標準", .name_en = "standard"};
    target->skeleton.bones = OD_NEW(arena, od_bone, (size_t)2 * ROWS, error);
    target->bones = OD_NEW(arena, od_target_bone, (size_t)2 * ROWS, error);
    target->ik = OD_NEW(arena, od_ik_chain, 4, error);
    int *tails = OD_NEW(arena, int, (size_t)2 * ROWS, error);
    if (!target->skeleton.bones || !target->bones || !target->ik || !tails) return false;
    for (int i = 0; i < ROWS;) { /* a run of left bones is followed by its mirror */
        int end = i + 1;
        while (end < ROWS && is_left(&rows[i]) && is_left(&rows[end])) end++;
        for (int right = 0; right <= (int)is_left(&rows[i]); right++)
            for (int k = i; k < end; k++)
                if (!add_bone(target, &rows[k], right, arena, error)) return false;
        i = end;
    }
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
            if (!add_chain(target, i, side, arena, error)) return false;
    for (int i = 0; i < target->skeleton.count; i++) tails[i] = -1;
    for (int i = 0; i < ROWS; i++) /* after all bones are there, for tails name bones behind their own */
        for (int right = 0; right <= (int)is_left(&rows[i]); right++) {
            const char *ja = mirror(rows[i].ja, right, arena, error), *tail = mirror(rows[i].tail, right, arena, error);
            if (!ja || (rows[i].tail && !tail)) return false;
            if (tail) tails[od_skeleton_find(&target->skeleton, ja)] = od_skeleton_find(&target->skeleton, tail);
        }
    od_target_relative(target, tails);
    return od_target_finish(target, NULL, arena, error);
}
