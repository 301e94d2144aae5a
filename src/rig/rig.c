/* Input: a whole model and what to do. Output: the model with bones added, renamed, or its arms turned. */
#include "odori/rig.h"

#include "rig/work.h"

static const struct {
    const char *name;
    bool (*add)(od_work *work);
} parts[OD_RIG_PARTS] = {
    [OD_RIG_PARENTS] = {"parents", od_rig_parents},
    [OD_RIG_CENTER] = {"center", od_rig_center},
    [OD_RIG_GROOVE] = {"groove", od_rig_groove},
    [OD_RIG_WAIST] = {"waist", od_rig_waist},
    [OD_RIG_SHOULDERS] = {"shoulders", od_rig_shoulders},
    [OD_RIG_TWIST] = {"twist", od_rig_twist},
    [OD_RIG_IK] = {"ik", od_rig_ik},
    [OD_RIG_DBONES] = {"dbones", od_rig_dbones},
    [OD_RIG_TOES] = {"toes", od_rig_toes},
    [OD_RIG_EYES] = {"eyes", od_rig_eyes},
};

const char *od_rig_part_name(od_rig_part part)
{
    return parts[part].name;
}

static bool add(od_work *work, od_rig_part part)
{
    work->added = work->kept = "";
    if (!parts[part].add(work)) return false;
    if (*work->added) od_choice(work->report, "%s: added %s", parts[part].name, work->added);
    if (*work->kept) od_choice(work->report, "%s: there already: %s", parts[part].name, work->kept);
    return true;
}

/* Vertices, frames and bodies are written anew then. */
static void tell_growth(const od_work *work)
{
    int size = work->model->index_size[OD_INDEX_BONE], most = size == 1 ? 0x80 : size == 2 ? 0x8000 : 0x7FFFFFFF;
    if (work->model->bone_count > most)
        od_choice(work->report, "%d bones are too many for indices of %d byte%s: they are written larger",
                  work->model->bone_count, size, size == 1 ? "" : "s");
}

bool od_rig(od_model *model, const od_mapping *mapping, const od_rig_options *options, od_report *report,
            od_arena *arena, od_error *error)
{
    od_work work;
    bool any = options->rename || options->turn_arms;
    for (int part = 0; part < OD_RIG_PARTS; part++) any = any || options->add[part];
    if (!any) return true;
    if (!od_work_begin(&work, model, mapping, report, arena, error)) return false;
    work.options = options;
    if (options->rename && !od_rig_rename(&work)) return false;
    for (int part = 0; part < OD_RIG_PARTS; part++)
        if (options->add[part] && !add(&work, (od_rig_part)part)) return false;
    if (options->turn_arms && !od_rig_turn_arms(&work)) return false;
    if (!od_work_settle(&work)) return false;
    tell_growth(&work);
    return true;
}
