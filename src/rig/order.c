/* Input: bones at work. Output: their places in the model, and orders of evaluation.
 * A bone is evaluated behind its parent, behind what it appends, and behind the IK that moves either: not
 * all players look again at what was evaluated before. Only what has to do with a bone that was added or
 * hung elsewhere is settled; all else keeps the order that the model gave it. */
#include "rig/work.h"

typedef struct order {
    od_work *work;
    int *place;
    unsigned char *under; /* for one IK bone, see mark */
    int *chain;
    bool changed;
} order;

static bool is_bone(const order *o, int bone)
{
    return bone >= 0 && bone < o->work->model->bone_count;
}

/* Evaluates `bone` behind `before`, unless physics parts them. */
static void put_behind(order *o, int bone, int before)
{
    od_model_bone *b = od_work_bone(o->work, bone);
    const od_model_bone *other = od_work_bone(o->work, before);
    bool late = b->flags & OD_BONE_AFTER_PHYSICS, other_late = other->flags & OD_BONE_AFTER_PHYSICS;
    if (late != other_late || bone == before) return;
    int least = other->deform_order + (o->place[before] > o->place[bone]);
    if (b->deform_order >= least) return;
    b->deform_order = least;
    o->work->touched[bone] = true; /* what hangs on it may have to follow */
    o->changed = true;
}

static void settle_parents(order *o)
{
    for (int i = 0; i < o->work->model->bone_count; i++) {
        const od_model_bone *b = od_work_bone(o->work, i);
        if (is_bone(o, b->parent) && (o->work->touched[i] || o->work->touched[b->parent])) put_behind(o, i, b->parent);
        if (is_bone(o, b->append_source) && (o->work->touched[i] || o->work->touched[b->append_source]))
            put_behind(o, i, b->append_source);
    }
}

enum { UNKNOWN, FREE, MOVED, CHAIN };

/* What a chain moves: FREE nothing of it, MOVED hangs on a link, CHAIN is a link, the effector or between
 * them. Each bone is marked behind its chain of parents that are not marked yet. */
static void mark(order *o, const od_ik_chain *ik)
{
    const od_model *model = o->work->model;
    for (int i = 0; i < model->bone_count; i++) o->under[i] = UNKNOWN;
    int outermost = -1;
    for (int i = 0; i < ik->link_count; i++) {
        if (!is_bone(o, ik->links[i].bone)) continue;
        outermost = ik->links[i].bone;
        o->under[outermost] = CHAIN;
    }
    for (int b = ik->effector; is_bone(o, b) && od_work_is_below(o->work, b, outermost) && b != outermost;
         b = model->bones[b].parent)
        o->under[b] = CHAIN;
    for (int i = 0; i < model->bone_count; i++) {
        int length = 0, b = i;
        for (; b >= 0 && o->under[b] == UNKNOWN; b = model->bones[b].parent) o->chain[length++] = b;
        unsigned char above = b < 0 || o->under[b] == FREE ? FREE : MOVED;
        while (length) o->under[o->chain[--length]] = above;
    }
}

static void settle_chain(order *o, int ik_bone)
{
    od_work *work = o->work;
    const od_ik_chain *ik = &od_work_bone(work, ik_bone)->ik;
    if (is_bone(o, ik->effector)) put_behind(o, ik_bone, ik->effector);
    for (int i = 0; i < ik->link_count; i++)
        if (is_bone(o, ik->links[i].bone)) put_behind(o, ik_bone, ik->links[i].bone);
    mark(o, ik);
    if (o->under[ik_bone] == MOVED) return; /* it moves its own goal: no order is right */
    for (int i = 0; i < work->model->bone_count; i++) {
        const od_model_bone *b = od_work_bone(work, i);
        bool follows = is_bone(o, b->append_source) && o->under[b->append_source] >= MOVED;
        if (i != ik_bone && o->under[i] != CHAIN && (o->under[i] == MOVED || follows)) put_behind(o, i, ik_bone);
    }
}

/* Orders grow until nothing changes; a model whose bones need each other in a circle stops growing after
 * as many rounds as there can be steps. */
static void settle_orders(order *o)
{
    enum { ROUNDS = 64 };
    const od_model *model = o->work->model;
    for (int round = 0; round < ROUNDS && (round == 0 || o->changed); round++) {
        o->changed = false;
        settle_parents(o);
        for (int i = o->work->given; i < model->bone_count; i++)
            if (model->bones[i].flags & OD_BONE_IK) settle_chain(o, i);
    }
}

/* Bones that are new below a link of an IK chain that was there: they come behind it. */
static void settle_given_chains(order *o)
{
    const od_model *model = o->work->model;
    for (int i = 0; i < o->work->given; i++) {
        const od_ik_chain *ik = &model->bones[i].ik;
        if (!(model->bones[i].flags & OD_BONE_IK)) continue;
        for (int b = o->work->given; b < model->bone_count; b++)
            for (int k = 0; k < ik->link_count; k++) {
                int link = ik->links[k].bone;
                bool needs = model->bones[b].parent == link || model->bones[b].append_source == link;
                if (is_bone(o, link) && is_bone(o, ik->effector) && needs &&
                    !od_work_is_below(o->work, ik->effector, b))
                    put_behind(o, b, i);
            }
    }
}

bool od_work_settle(od_work *work)
{
    od_model *model = work->model;
    size_t count = (size_t)model->bone_count;
    order o = {.work = work,
               .place = OD_NEW(work->arena, int, count, work->error),
               .under = OD_NEW(work->arena, unsigned char, count, work->error),
               .chain = OD_NEW(work->arena, int, count, work->error)};
    if (!o.place || !o.under || !o.chain) return false;
    int place = 0;
    for (int b = work->first; b >= 0; b = work->next[b]) o.place[b] = place++;
    settle_given_chains(&o);
    settle_orders(&o);
    return od_model_reorder(model, o.place, work->arena, work->error);
}
