/* Input: a bone's name in any usual spelling. Output: its role.
 * One table of the standard names; other spellings are brought to it by rules, and what no rule
 * explains is listed. */
#include "odori/role.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

typedef struct names {
    const char *ja, *en;
} names;

static const names table[OD_ROLE_COUNT] = {
    [OD_ROLE_MOTHER] = {"全ての親", "master"},
    [OD_ROLE_CENTER] = {"センター", "center"},
    [OD_ROLE_GROOVE] = {"グルーブ", "groove"},
    [OD_ROLE_WAIST] = {"腰", "waist"},
    [OD_ROLE_LOWER_BODY] = {"下半身", "lower body"},
    [OD_ROLE_UPPER_BODY] = {"上半身", "upper body"},
    [OD_ROLE_UPPER_BODY2] = {"上半身2", "upper body2"},
    [OD_ROLE_UPPER_BODY3] = {"上半身3", "upper body3"},
    [OD_ROLE_NECK] = {"首", "neck"},
    [OD_ROLE_HEAD] = {"頭", "head"},
    [OD_ROLE_EYES] = {"両目", "eyes"},
    [OD_ROLE_VIEW_CENTER] = {"操作中心", "view cnt"},
    [OD_ROLE_EYE_L] = {"左目", "eye_L"},
    [OD_ROLE_EYE_R] = {"右目", "eye_R"},
    [OD_ROLE_SHOULDER_P_L] = {"左肩P", "shoulderP_L"},
    [OD_ROLE_SHOULDER_P_R] = {"右肩P", "shoulderP_R"},
    [OD_ROLE_SHOULDER_L] = {"左肩", "shoulder_L"},
    [OD_ROLE_SHOULDER_R] = {"右肩", "shoulder_R"},
    [OD_ROLE_SHOULDER_C_L] = {"左肩C", "shoulderC_L"},
    [OD_ROLE_SHOULDER_C_R] = {"右肩C", "shoulderC_R"},
    [OD_ROLE_ARM_L] = {"左腕", "arm_L"},
    [OD_ROLE_ARM_R] = {"右腕", "arm_R"},
    [OD_ROLE_ARM_TWIST_L] = {"左腕捩", "arm twist_L"},
    [OD_ROLE_ARM_TWIST_R] = {"右腕捩", "arm twist_R"},
    [OD_ROLE_ELBOW_L] = {"左ひじ", "elbow_L"},
    [OD_ROLE_ELBOW_R] = {"右ひじ", "elbow_R"},
    [OD_ROLE_WRIST_TWIST_L] = {"左手捩", "wrist twist_L"},
    [OD_ROLE_WRIST_TWIST_R] = {"右手捩", "wrist twist_R"},
    [OD_ROLE_WRIST_L] = {"左手首", "wrist_L"},
    [OD_ROLE_WRIST_R] = {"右手首", "wrist_R"},
    [OD_ROLE_THUMB0_L] = {"左親指０", "thumb0_L"},
    [OD_ROLE_THUMB0_R] = {"右親指０", "thumb0_R"},
    [OD_ROLE_THUMB1_L] = {"左親指１", "thumb1_L"},
    [OD_ROLE_THUMB1_R] = {"右親指１", "thumb1_R"},
    [OD_ROLE_THUMB2_L] = {"左親指２", "thumb2_L"},
    [OD_ROLE_THUMB2_R] = {"右親指２", "thumb2_R"},
    [OD_ROLE_INDEX1_L] = {"左人指１", "fore1_L"},
    [OD_ROLE_INDEX1_R] = {"右人指１", "fore1_R"},
    [OD_ROLE_INDEX2_L] = {"左人指２", "fore2_L"},
    [OD_ROLE_INDEX2_R] = {"右人指２", "fore2_R"},
    [OD_ROLE_INDEX3_L] = {"左人指３", "fore3_L"},
    [OD_ROLE_INDEX3_R] = {"右人指３", "fore3_R"},
    [OD_ROLE_MIDDLE1_L] = {"左中指１", "middle1_L"},
    [OD_ROLE_MIDDLE1_R] = {"右中指１", "middle1_R"},
    [OD_ROLE_MIDDLE2_L] = {"左中指２", "middle2_L"},
    [OD_ROLE_MIDDLE2_R] = {"右中指２", "middle2_R"},
    [OD_ROLE_MIDDLE3_L] = {"左中指３", "middle3_L"},
    [OD_ROLE_MIDDLE3_R] = {"右中指３", "middle3_R"},
    [OD_ROLE_RING1_L] = {"左薬指１", "third1_L"},
    [OD_ROLE_RING1_R] = {"右薬指１", "third1_R"},
    [OD_ROLE_RING2_L] = {"左薬指２", "third2_L"},
    [OD_ROLE_RING2_R] = {"右薬指２", "third2_R"},
    [OD_ROLE_RING3_L] = {"左薬指３", "third3_L"},
    [OD_ROLE_RING3_R] = {"右薬指３", "third3_R"},
    [OD_ROLE_LITTLE1_L] = {"左小指１", "little1_L"},
    [OD_ROLE_LITTLE1_R] = {"右小指１", "little1_R"},
    [OD_ROLE_LITTLE2_L] = {"左小指２", "little2_L"},
    [OD_ROLE_LITTLE2_R] = {"右小指２", "little2_R"},
    [OD_ROLE_LITTLE3_L] = {"左小指３", "little3_L"},
    [OD_ROLE_LITTLE3_R] = {"右小指３", "little3_R"},
    [OD_ROLE_WAIST_CANCEL_L] = {"腰キャンセル左", "waist cancel_L"},
    [OD_ROLE_WAIST_CANCEL_R] = {"腰キャンセル右", "waist cancel_R"},
    [OD_ROLE_LEG_L] = {"左足", "leg_L"},
    [OD_ROLE_LEG_R] = {"右足", "leg_R"},
    [OD_ROLE_KNEE_L] = {"左ひざ", "knee_L"},
    [OD_ROLE_KNEE_R] = {"右ひざ", "knee_R"},
    [OD_ROLE_ANKLE_L] = {"左足首", "ankle_L"},
    [OD_ROLE_ANKLE_R] = {"右足首", "ankle_R"},
    [OD_ROLE_TOE_L] = {"左つま先", "toe_L"},
    [OD_ROLE_TOE_R] = {"右つま先", "toe_R"},
    [OD_ROLE_TOE_EX_L] = {"左足先EX", "toe2_L"},
    [OD_ROLE_TOE_EX_R] = {"右足先EX", "toe2_R"},
    [OD_ROLE_LEG_D_L] = {"左足D", "legD_L"},
    [OD_ROLE_LEG_D_R] = {"右足D", "legD_R"},
    [OD_ROLE_KNEE_D_L] = {"左ひざD", "kneeD_L"},
    [OD_ROLE_KNEE_D_R] = {"右ひざD", "kneeD_R"},
    [OD_ROLE_ANKLE_D_L] = {"左足首D", "ankleD_L"},
    [OD_ROLE_ANKLE_D_R] = {"右足首D", "ankleD_R"},
    [OD_ROLE_LEG_IK_PARENT_L] = {"左足IK親", "leg IKP_L"},
    [OD_ROLE_LEG_IK_PARENT_R] = {"右足IK親", "leg IKP_R"},
    [OD_ROLE_LEG_IK_L] = {"左足ＩＫ", "leg IK_L"},
    [OD_ROLE_LEG_IK_R] = {"右足ＩＫ", "leg IK_R"},
    [OD_ROLE_TOE_IK_L] = {"左つま先ＩＫ", "toe IK_L"},
    [OD_ROLE_TOE_IK_R] = {"右つま先ＩＫ", "toe IK_R"},
};

/* Spellings that are found in models and follow no rule. Side marks as in the normal form: "左" or
 * "右" first; * stands for either. */
static const struct {
    const char *name;
    od_role role;
} others[] = {
    {"全親", OD_ROLE_MOTHER},
    {"すべての親", OD_ROLE_MOTHER},
    {"マスター", OD_ROLE_MOTHER},
    {"mother", OD_ROLE_MOTHER},
    {"parent", OD_ROLE_MOTHER},
    {"parentnode", OD_ROLE_MOTHER},
    {"controlnode", OD_ROLE_VIEW_CENTER},
    {"botheyes", OD_ROLE_EYES},
    {"centre", OD_ROLE_CENTER},
    {"hips", OD_ROLE_LOWER_BODY},
    {"lowerbody", OD_ROLE_LOWER_BODY},
    {"upperbody1", OD_ROLE_UPPER_BODY},
    {"chest", OD_ROLE_UPPER_BODY2},
    {"spine", OD_ROLE_UPPER_BODY},
    {"*肘", OD_ROLE_ELBOW_L},
    {"*ヒジ", OD_ROLE_ELBOW_L},
    {"*膝", OD_ROLE_KNEE_L},
    {"*ヒザ", OD_ROLE_KNEE_L},
    {"*うで", OD_ROLE_ARM_L},
    {"*腕捻", OD_ROLE_ARM_TWIST_L},
    {"*腕捩り", OD_ROLE_ARM_TWIST_L},
    {"*腕捻り", OD_ROLE_ARM_TWIST_L},
    {"*手捻", OD_ROLE_WRIST_TWIST_L},
    {"*手捩り", OD_ROLE_WRIST_TWIST_L},
    {"*手捻り", OD_ROLE_WRIST_TWIST_L},
    {"*爪先", OD_ROLE_TOE_L},
    {"*ツマ先", OD_ROLE_TOE_L},
    {"*爪先ik", OD_ROLE_TOE_IK_L},
    {"*人差指1", OD_ROLE_INDEX1_L},
    {"*人差指2", OD_ROLE_INDEX2_L},
    {"*人差指3", OD_ROLE_INDEX3_L},
    {"*人差し指1", OD_ROLE_INDEX1_L},
    {"*人差し指2", OD_ROLE_INDEX2_L},
    {"*人差し指3", OD_ROLE_INDEX3_L},
    {"*脚", OD_ROLE_LEG_L},
    {"*legikparent", OD_ROLE_LEG_IK_PARENT_L},
    {"*toetip", OD_ROLE_TOE_L},
    {"*toetipik", OD_ROLE_TOE_IK_L},
    {"*legtipex", OD_ROLE_TOE_EX_L},
    {"*足先", OD_ROLE_TOE_EX_L},
    {"*hand", OD_ROLE_WRIST_L},
    {"*upperarm", OD_ROLE_ARM_L},
    {"*forearm", OD_ROLE_ELBOW_L},
    {"*lowerarm", OD_ROLE_ELBOW_L},
    {"*thigh", OD_ROLE_LEG_L},
    {"*upperleg", OD_ROLE_LEG_L},
    {"*shin", OD_ROLE_KNEE_L},
    {"*calf", OD_ROLE_KNEE_L},
    {"*lowerleg", OD_ROLE_KNEE_L},
    {"*foot", OD_ROLE_ANKLE_L},
    {"*toes", OD_ROLE_TOE_EX_L},
    {"*toebase", OD_ROLE_TOE_EX_L},
    {"*clavicle", OD_ROLE_SHOULDER_L},
    {"*armtwist", OD_ROLE_ARM_TWIST_L},
    {"*handtwist", OD_ROLE_WRIST_TWIST_L},
    {"*index1", OD_ROLE_INDEX1_L},
    {"*index2", OD_ROLE_INDEX2_L},
    {"*index3", OD_ROLE_INDEX3_L},
    {"*ring1", OD_ROLE_RING1_L},
    {"*ring2", OD_ROLE_RING2_L},
    {"*ring3", OD_ROLE_RING3_L},
    {"*pinky1", OD_ROLE_LITTLE1_L},
    {"*pinky2", OD_ROLE_LITTLE2_L},
    {"*pinky3", OD_ROLE_LITTLE3_L},
};

const char *od_role_name(od_role role)
{
    return role >= 0 && role < OD_ROLE_COUNT ? table[role].ja : "";
}

const char *od_role_name_en(od_role role)
{
    return role >= 0 && role < OD_ROLE_COUNT ? table[role].en : "";
}

od_role od_role_mirror(od_role role)
{
    return role < OD_ROLE_SIDED ? role : (od_role)((unsigned)role ^ 1u);
}

enum { NAME_SIZE = 96 };

/* The code point at `p` when it has three bytes of UTF-8, else 0. */
static unsigned wide_code(const unsigned char *p)
{
    if ((p[0] & 0xF0) != 0xE0 || (p[1] & 0xC0) != 0x80 || (p[2] & 0xC0) != 0x80) return 0;
    return (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
}

/* Half-width katakana (U+FF66..FF9D) as katakana; `mark` is what follows: U+FF9E makes カ to ガ,
 * U+FF9F ハ to パ. */
static unsigned widen_kana(unsigned code, unsigned mark, bool *joined)
{
    /* The low byte of U+30xx, from ヲ and the small vowels to ワ and ン. */
    static const unsigned char wide[] = "\xF2\xA1\xA3\xA5\xA7\xA9\xE3\xE5\xE7\xC3\xFC\xA2\xA4\xA6\xA8\xAA\xAB\xAD\xAF"
                                        "\xB1\xB3\xB5\xB7\xB9\xBB\xBD\xBF\xC1\xC4\xC6\xC8\xCA\xCB\xCC\xCD\xCE\xCF\xD2"
                                        "\xD5\xD8\xDB\xDE\xDF\xE0\xE1\xE2\xE4\xE6\xE8\xE9\xEA\xEB\xEC\xED\xEF\xF3";
    unsigned kana = 0x3000u | wide[code - 0xFF66];
    bool voiced = (kana >= 0x30AB && kana <= 0x30C8 && kana != 0x30C3) || (kana >= 0x30CF && kana <= 0x30DB);
    bool half_voiced = kana >= 0x30CF && kana <= 0x30DB;
    *joined = (mark == 0xFF9E && voiced) || (mark == 0xFF9F && half_voiced);
    return *joined ? kana + (mark - 0xFF9D) : kana;
}

/* Half-width letters, full-width katakana, lower case, without blanks and separators: what is left
 * when a writer's habits are taken away. */
static void fold(const char *name, char folded[NAME_SIZE])
{
    size_t n = 0;
    for (const unsigned char *p = (const unsigned char *)name; *p && n + 4 < NAME_SIZE;) {
        unsigned code = wide_code(p);
        bool joined = false;
        if (code >= 0xFF66 && code <= 0xFF9D) code = widen_kana(code, wide_code(p + 3), &joined);
        p += joined ? 6 : code ? 3 : 1;
        if (code >= 0xFF01 && code <= 0xFF5E) code -= 0xFEE0;
        if (!code) code = p[-1];
        if (code == ' ' || code == 0x3000 || code == '_' || code == '.' || code == '-') continue;
        if (code >= 'A' && code <= 'Z') code += 'a' - 'A';
        if (code >= 0x800) {
            folded[n++] = (char)(0xE0 | code >> 12);
            folded[n++] = (char)(0x80 | (code >> 6 & 0x3F));
            folded[n++] = (char)(0x80 | (code & 0x3F));
        } else {
            folded[n++] = (char)code;
        }
    }
    folded[n] = '\0';
}

/* Marks of a side in front or behind, in folded names. */
static const struct {
    const char *mark;
    int side;
} sides[] = {{"左", 0}, {"右", 1}, {"left", 0}, {"right", 1}};

/* Takes the side's mark off a folded name; -1 when there is none. A lone l or r counts only where the
 * name as written had it apart: "arm_L", "L arm", "arm.l". */
static int take_side(const char *name, char *folded)
{
    size_t size = strlen(folded), raw = strlen(name);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        size_t n = strlen(sides[i].mark);
        if (size <= n) continue;
        if (!strncmp(folded, sides[i].mark, n)) {
            memmove(folded, folded + n, size - n + 1);
            return sides[i].side;
        }
        if (!strcmp(folded + size - n, sides[i].mark)) {
            folded[size - n] = '\0';
            return sides[i].side;
        }
    }
    if (raw > 2 && size > 1 && strchr("_.- ", name[raw - 2]) && strchr("LRlr", name[raw - 1])) {
        folded[size - 1] = '\0';
        return strchr("Ll", name[raw - 1]) ? 0 : 1;
    }
    if (raw > 2 && size > 1 && strchr("_.- ", name[1]) && strchr("LRlr", name[0])) {
        memmove(folded, folded + 1, size);
        return strchr("Ll", name[0]) ? 0 : 1;
    }
    return -1;
}

/* "index finger1" is index1. */
static void drop_word(char *folded, const char *word)
{
    char *at = strstr(folded, word);
    if (at) memmove(at, at + strlen(word), strlen(at + strlen(word)) + 1);
}

/* A folded name without its side, against one of the table. */
static bool same(const char *folded, int side, const char *standard)
{
    char other[NAME_SIZE];
    fold(standard, other);
    int its = take_side(standard, other);
    return its == side && !strcmp(folded, other);
}

od_role od_role_find(const char *name)
{
    char folded[NAME_SIZE];
    if (!name || !*name || strlen(name) >= NAME_SIZE) return OD_ROLE_NONE;
    for (int r = 0; r < OD_ROLE_COUNT; r++)
        if (!strcmp(name, table[r].ja)) return (od_role)r;
    fold(name, folded);
    int side = take_side(name, folded);
    drop_word(folded, "finger");
    for (int r = 0; r < OD_ROLE_COUNT; r++)
        if (same(folded, side, table[r].ja) || same(folded, side, table[r].en)) return (od_role)r;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        bool sided = others[i].name[0] == '*';
        if (sided != (side >= 0) || strcmp(folded, others[i].name + sided)) continue;
        return sided ? (od_role)(others[i].role + side) : others[i].role;
    }
    return OD_ROLE_NONE;
}

bool od_role_follows(od_role role)
{
    bool shoulder = role == OD_ROLE_SHOULDER_C_L || role == OD_ROLE_SHOULDER_C_R;
    bool waist = role == OD_ROLE_WAIST_CANCEL_L || role == OD_ROLE_WAIST_CANCEL_R;
    return shoulder || waist || (role >= OD_ROLE_LEG_D_L && role <= OD_ROLE_ANKLE_D_R);
}

bool od_role_is_leg_ik(od_role role)
{
    return role >= OD_ROLE_LEG_IK_PARENT_L && role <= OD_ROLE_TOE_IK_R;
}
