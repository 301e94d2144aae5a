/* Input: a model at work. Output: its bones with the names that motions of MMD call them. */
#include <string.h>

#include "rig/work.h"

static bool is_taken(const od_work *work, const char *name)
{
    for (int i = 0; i < work->model->bone_count; i++)
        if (!strcmp(od_work_bone(work, i)->name.utf8, name)) return true;
    return false;
}

bool od_rig_rename(od_work *work)
{
    int count = 0;
    for (int r = 0; r < OD_ROLE_COUNT; r++) {
        const char *name = od_role_name((od_role)r);
        if (work->role[r] < 0) continue;
        od_model_bone *bone = od_work_bone(work, work->role[r]);
        if (!strcmp(bone->name.utf8, name)) continue;
        if (is_taken(work, name)) {
            od_warn(work->report, "bone \"%s\" keeps its name: another is named %s", bone->name.utf8, name);
            continue;
        }
        od_choice(work->report, "renamed \"%s\" to %s", bone->name.utf8, name);
        if (!*bone->name_en.utf8) bone->name_en = bone->name;
        if (!od_model_text_make(work->model, name, &bone->name, work->arena, work->error)) return false;
        count++;
    }
    if (!count) od_choice(work->report, "no bone needs another name");
    return true;
}
