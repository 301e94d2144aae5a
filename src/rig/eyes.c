/* Input: a model at work whose eyes are known. Output: 両目, which both eyes follow. */
#include "rig/work.h"

enum { TURNS = OD_BONE_ROTATABLE | OD_BONE_VISIBLE | OD_BONE_OPERABLE };

bool od_rig_eyes(od_work *work)
{
    const int *eye = &work->role[OD_ROLE_EYE_L];
    int head = work->role[OD_ROLE_HEAD];
    bool there = work->role[OD_ROLE_EYES] >= 0;
    if (!there && (eye[0] < 0 || eye[1] < 0 || head < 0)) {
        od_warn(work->report, "the head and both eyes are not known, so %s is not added", od_role_name(OD_ROLE_EYES));
        return true;
    }
    od_addition addition = {
        .role = OD_ROLE_EYES, .parent = head, .flags = TURNS, .beside = head, .frame = "頭", .frame_en = "head"};
    if (!there) {
        int before = work->first;
        while (before != eye[0] && before != eye[1]) before = work->next[before];
        addition.before = before;
        addition.position = od_work_middle(work, eye[0], eye[1]);
        addition.position.y += 0.2F * od_work_bone(work, head)->position.y; /* above the head, where it is seen */
    }
    int both = od_work_need(work, &addition);
    for (int side = 0; side < 2 && both >= 0 && !there; side++)
        if (!(od_work_bone(work, eye[side])->flags & (OD_BONE_APPEND_ROTATION | OD_BONE_APPEND_TRANSLATION)))
            od_work_follow(work, eye[side], both, 1);
    return both >= 0;
}
