/* Input: a character of MotionBuilder or of Maya's HumanIK, whose slots ("LeftArmLink") are connected to models.
 * Output: the roles of bones, when it says enough for a person. */
#include <string.h>

#include "format/fbx_rig.h"
#include "odori/role.h"

typedef struct slot {
    const char *name;
    od_role role; /* the left one of a pair */
} slot;

static const slot MIDDLE[] = {{"Hips", OD_ROLE_LOWER_BODY}, {"Neck", OD_ROLE_NECK}, {"Head", OD_ROLE_HEAD}};

/* Behind "Left" or "Right". */
static const slot SIDED[] = {
    {"UpLeg", OD_ROLE_LEG_L},           {"Leg", OD_ROLE_KNEE_L},
    {"Foot", OD_ROLE_ANKLE_L},          {"ToeBase", OD_ROLE_TOE_EX_L},
    {"Shoulder", OD_ROLE_SHOULDER_L},   {"Arm", OD_ROLE_ARM_L},
    {"ForeArm", OD_ROLE_ELBOW_L},       {"Hand", OD_ROLE_WRIST_L},
    {"HandThumb1", OD_ROLE_THUMB0_L},   {"HandThumb2", OD_ROLE_THUMB1_L},
    {"HandThumb3", OD_ROLE_THUMB2_L},   {"HandIndex1", OD_ROLE_INDEX1_L},
    {"HandIndex2", OD_ROLE_INDEX2_L},   {"HandIndex3", OD_ROLE_INDEX3_L},
    {"HandMiddle1", OD_ROLE_MIDDLE1_L}, {"HandMiddle2", OD_ROLE_MIDDLE2_L},
    {"HandMiddle3", OD_ROLE_MIDDLE3_L}, {"HandRing1", OD_ROLE_RING1_L},
    {"HandRing2", OD_ROLE_RING2_L},     {"HandRing3", OD_ROLE_RING3_L},
    {"HandPinky1", OD_ROLE_LITTLE1_L},  {"HandPinky2", OD_ROLE_LITTLE2_L},
    {"HandPinky3", OD_ROLE_LITTLE3_L},
};

/* What the slots of the spine fill, by how many there are: "Spine", "Spine1" to "Spine9". */
enum { SPINES = 10 };

static const char LINK[] = "Link";

/* Is the text this name and "Link"? */
static bool is_slot(const unsigned char *text, size_t size, const char *name)
{
    size_t n = strlen(name);
    return size == n + strlen(LINK) && !memcmp(text, name, n) && !memcmp(text + n, LINK, strlen(LINK));
}

static od_role find_slot(const slot *slots, size_t count, const unsigned char *text, size_t size)
{
    for (size_t i = 0; i < count; i++)
        if (is_slot(text, size, slots[i].name)) return slots[i].role;
    return OD_ROLE_NONE;
}

static od_role role_of(const od_fbx_value *property)
{
    const unsigned char *text = property->bytes;
    size_t size = property->size;
    int side = size > 4 && !memcmp(text, "Left", 4) ? 0 : size > 5 && !memcmp(text, "Right", 5) ? 1 : -1;
    if (side < 0) return find_slot(MIDDLE, sizeof MIDDLE / sizeof *MIDDLE, text, size);
    size_t before = side ? 5 : 4;
    od_role role = find_slot(SIDED, sizeof SIDED / sizeof *SIDED, text + before, size - before);
    return role == OD_ROLE_NONE ? role : (od_role)((int)role + side);
}

/* The number of a slot of the spine; -1: it is none. */
static int spine_of(const od_fbx_value *property)
{
    if (is_slot(property->bytes, property->size, "Spine")) return 0;
    char name[] = "Spine1";
    for (int i = 1; i < SPINES; i++, name[5]++)
        if (is_slot(property->bytes, property->size, name)) return i;
    return -1;
}

/* The lowest, the middle and the highest of the spine; with two, these. */
static void set_spine(const int spine[SPINES], int *roles)
{
    int bones[SPINES], count = 0;
    for (int i = 0; i < SPINES; i++)
        if (spine[i] >= 0) bones[count++] = spine[i];
    if (count > 0) roles[bones[0]] = OD_ROLE_UPPER_BODY;
    if (count > 1) roles[bones[count == 2 ? 1 : count / 2]] = OD_ROLE_UPPER_BODY2;
    if (count > 2) roles[bones[count - 1]] = OD_ROLE_UPPER_BODY3;
}

static bool is_person(const int *roles, int bones)
{
    static const od_role needed[] = {OD_ROLE_LOWER_BODY, OD_ROLE_UPPER_BODY, OD_ROLE_LEG_L,   OD_ROLE_LEG_R,
                                     OD_ROLE_KNEE_L,     OD_ROLE_KNEE_R,     OD_ROLE_ANKLE_L, OD_ROLE_ANKLE_R,
                                     OD_ROLE_ARM_L,      OD_ROLE_ARM_R,      OD_ROLE_ELBOW_L, OD_ROLE_ELBOW_R};
    bool there[OD_ROLE_COUNT] = {false};
    for (int i = 0; i < bones; i++)
        if (roles[i] != OD_ROLE_NONE) there[roles[i]] = true;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!there[needed[i]]) return false;
    return true;
}

/* Of several characters the first that a bone of the rig is linked to. */
static void follow_slots(const od_fbx_objects *objects, const int *bone, int *roles, int spine[SPINES])
{
    int character = -1;
    for (int i = 0; i < objects->link_count; i++) {
        const od_fbx_link *link = &objects->links[i];
        if (link->to < 0 || objects->all[link->to].what != OD_FBX_CHARACTER || bone[link->from] < 0) continue;
        if (link->property.kind != OD_FBX_TEXT || (character >= 0 && link->to != character)) continue;
        character = link->to;
        od_role role = role_of(&link->property);
        int number = spine_of(&link->property);
        if (number >= 0) spine[number] = bone[link->from];
        else if (role != OD_ROLE_NONE) roles[bone[link->from]] = (int)role;
    }
}

bool od_fbx_rig_roles(const od_fbx_objects *objects, const od_fbx_rig *rig, const int **out, od_arena *arena,
                      od_error *error)
{
    int *bone = OD_NEW(arena, int, (size_t)objects->count, error), spine[SPINES];
    int *roles = OD_NEW(arena, int, (size_t)rig->bones, error);
    if (!bone || !roles) return false;
    for (int i = 0; i < objects->count; i++) bone[i] = -1;
    for (int i = 0; i < rig->count; i++) bone[rig->parts[i].object] = rig->parts[i].bone;
    for (int i = 0; i < rig->bones; i++) roles[i] = OD_ROLE_NONE;
    for (int i = 0; i < SPINES; i++) spine[i] = -1;
    follow_slots(objects, bone, roles, spine);
    set_spine(spine, roles);
    *out = is_person(roles, rig->bones) ? roles : NULL;
    return true;
}
