/* Input: the extensions VRM, VRMC_vrm and VRMC_vrm_animation. Output: roles of nodes, faces, gaze.
 * A slot is one part of a person; rows without a side are for both: "left" and "right" go before. */
#include "format/gltf_vrm.h"

#include <string.h>

#include "odori/role.h"

typedef struct slot {
    const char *name;
    od_role role; /* the left one of a pair */
} slot;

static const slot MIDDLE[] = {
    {"hips", OD_ROLE_LOWER_BODY},        {"spine", OD_ROLE_UPPER_BODY}, {"chest", OD_ROLE_UPPER_BODY2},
    {"upperChest", OD_ROLE_UPPER_BODY3}, {"neck", OD_ROLE_NECK},        {"head", OD_ROLE_HEAD},
};

static const slot SIDED[] = {
    {"Eye", OD_ROLE_EYE_L},
    {"UpperLeg", OD_ROLE_LEG_L},
    {"LowerLeg", OD_ROLE_KNEE_L},
    {"Foot", OD_ROLE_ANKLE_L},
    {"Toes", OD_ROLE_TOE_EX_L},
    {"Shoulder", OD_ROLE_SHOULDER_L},
    {"UpperArm", OD_ROLE_ARM_L},
    {"LowerArm", OD_ROLE_ELBOW_L},
    {"Hand", OD_ROLE_WRIST_L},
    {"IndexProximal", OD_ROLE_INDEX1_L},
    {"IndexIntermediate", OD_ROLE_INDEX2_L},
    {"IndexDistal", OD_ROLE_INDEX3_L},
    {"MiddleProximal", OD_ROLE_MIDDLE1_L},
    {"MiddleIntermediate", OD_ROLE_MIDDLE2_L},
    {"MiddleDistal", OD_ROLE_MIDDLE3_L},
    {"RingProximal", OD_ROLE_RING1_L},
    {"RingIntermediate", OD_ROLE_RING2_L},
    {"RingDistal", OD_ROLE_RING3_L},
    {"LittleProximal", OD_ROLE_LITTLE1_L},
    {"LittleIntermediate", OD_ROLE_LITTLE2_L},
    {"LittleDistal", OD_ROLE_LITTLE3_L},
};

/* The same three joints; what VRM 0 calls proximal is the metacarpal of VRM 1. */
static const slot THUMBS[2][3] = {
    {{"ThumbProximal", OD_ROLE_THUMB0_L}, {"ThumbIntermediate", OD_ROLE_THUMB1_L}, {"ThumbDistal", OD_ROLE_THUMB2_L}},
    {{"ThumbMetacarpal", OD_ROLE_THUMB0_L}, {"ThumbProximal", OD_ROLE_THUMB1_L}, {"ThumbDistal", OD_ROLE_THUMB2_L}},
};

static od_role find_slot(const slot *slots, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(slots[i].name, name)) return slots[i].role;
    return OD_ROLE_NONE;
}

/* OD_ROLE_NONE for what MMD has no bone for: the jaw. */
static od_role role_of(const char *name, int version)
{
    od_role role = find_slot(MIDDLE, sizeof MIDDLE / sizeof *MIDDLE, name);
    int side = !strncmp(name, "left", 4) ? 0 : !strncmp(name, "right", 5) ? 1 : -1;
    if (role != OD_ROLE_NONE || side < 0) return role;
    const char *part = name + (side ? 5 : 4);
    role = find_slot(SIDED, sizeof SIDED / sizeof *SIDED, part);
    if (role == OD_ROLE_NONE) role = find_slot(THUMBS[version], 3, part);
    return role == OD_ROLE_NONE ? role : role + side;
}

static bool give_role(od_gltf *g, od_gltf_vrm *vrm, const char *slot_name, int node, int version)
{
    od_role role = role_of(slot_name, version);
    if (role == OD_ROLE_NONE) return true;
    for (int i = 0; i < g->nodes.count; i++)
        if (vrm->roles[i] == (int)role || (i == node && vrm->roles[i] != OD_ROLE_NONE)) {
            od_warn(g->report, "%s: the slot %s is left out: %s", g->document.file, slot_name,
                    i == node ? "its node is in another slot" : "it is there twice");
            return true;
        }
    vrm->roles[node] = (int)role;
    if (role == OD_ROLE_HEAD) vrm->head = node;
    return true;
}

/* VRM 1: an object of slots, each an object with a node. */
static bool read_slots(od_gltf *g, const od_place *extension, od_gltf_vrm *vrm)
{
    od_place humanoid = od_place_member(extension, "humanoid"), slots = od_place_member(&humanoid, "humanBones");
    if (!slots.value) return true;
    for (const od_json *item = od_json_first(slots.value); item; item = od_json_next(item)) {
        const char *name = od_json_name(item);
        int node = -1;
        if (!name) return od_place_fail(&slots, "expected an object");
        od_place at = {.document = slots.document, .above = &slots, .name = name, .value = item};
        if (!od_place_index(&at, "node", g->nodes.count, &node)) return false;
        if (node >= 0 && !give_role(g, vrm, name, node, 1)) return false;
    }
    return true;
}

/* VRM 0: an array of pairs of a slot and a node. */
static bool read_old_slots(od_gltf *g, const od_place *extension, od_gltf_vrm *vrm)
{
    od_place humanoid = od_place_member(extension, "humanoid");
    od_place_list slots;
    if (!od_place_list_make(&humanoid, "humanBones", &slots)) return false;
    for (int i = 0; i < slots.count; i++) {
        od_place at = od_place_element(&slots, i);
        const char *name = "";
        int node = -1;
        if (!od_place_text(&at, "bone", &name) || !od_place_index(&at, "node", g->nodes.count, &node)) return false;
        if (node >= 0 && !give_role(g, vrm, name, node, 0)) return false;
    }
    return true;
}

static bool read_faces(od_gltf *g, const od_place *expressions, const char *kind, od_gltf_vrm *vrm)
{
    const od_document *d = &g->document;
    od_place faces = od_place_member(expressions, kind);
    if (!faces.value) return true;
    for (const od_json *item = od_json_first(faces.value); item; item = od_json_next(item)) {
        const char *name = od_json_name(item);
        int node = -1;
        if (!name) return od_place_fail(&faces, "expected an object");
        od_place at = {.document = faces.document, .above = &faces, .name = name, .value = item};
        if (!od_place_index(&at, "node", g->nodes.count, &node)) return false;
        name = od_arena_text(d->arena, name, strlen(name), d->error);
        if (!name) return false;
        if (node >= 0) vrm->faces[vrm->face_count++] = (od_gltf_face){name, node};
    }
    return true;
}

static bool read_animation(od_gltf *g, const od_place *extension, od_gltf_vrm *vrm)
{
    const od_document *d = &g->document;
    od_place look = od_place_member(extension, "lookAt"), expressions = od_place_member(extension, "expressions");
    size_t count = 0;
    static const char *const kinds[] = {"preset", "custom"};
    for (int i = 0; i < 2; i++) {
        od_place faces = od_place_member(&expressions, kinds[i]);
        if (faces.value) count += (size_t)od_json_count(faces.value);
    }
    vrm->faces = OD_NEW(d->arena, od_gltf_face, count, d->error);
    return vrm->faces && od_place_index(&look, "node", g->nodes.count, &vrm->gaze) &&
           read_faces(g, &expressions, kinds[0], vrm) && read_faces(g, &expressions, kinds[1], vrm);
}

bool od_gltf_read_vrm(od_gltf *g, od_gltf_vrm *vrm)
{
    const od_document *d = &g->document;
    od_place extensions = od_place_member(&g->root, "extensions"), old = od_place_member(&extensions, "VRM");
    od_place model = od_place_member(&extensions, "VRMC_vrm");
    od_place motion = od_place_member(&extensions, "VRMC_vrm_animation");
    *vrm = (od_gltf_vrm){.is_vrm = old.value || model.value || motion.value, .head = -1, .gaze = -1};
    if (!vrm->is_vrm) return true;
    vrm->faces_back = !model.value && !motion.value;
    vrm->roles = OD_NEW(d->arena, int, (size_t)g->nodes.count, d->error);
    if (!vrm->roles) return false;
    for (int i = 0; i < g->nodes.count; i++) vrm->roles[i] = OD_ROLE_NONE;
    if (vrm->faces_back) return read_old_slots(g, &old, vrm);
    return read_slots(g, model.value ? &model : &motion, vrm) && (!motion.value || read_animation(g, &motion, vrm));
}
