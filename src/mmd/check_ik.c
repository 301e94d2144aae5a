/* Input: every frame of a motion. Output: how far IK ends from its goal, what it does to the pose of
 * the keys, whether another solver shows another pose, keys beyond the limits of joints.
 *
 * Looked at are the chains of the legs and those whose IK bone the motion moves; a model's hair and
 * ties are no matter of the motion. */
#include "mmd/check.h"

static const float DEGREES = 57.29577951f;

typedef struct chain {
    int index;   /* in target->ik */
    bool agrees; /* the keys say where the links are, so IK should move nothing */
    bool *keyed; /* keyed[link]: it is limited, and the keys move it */
    od_gauge *residual, *knee, *player, *limit;
} chain;

struct od_check_ik {
    chain *chains;
    int count;
    int iterations;
};

static bool is_leg(od_role role)
{
    return role >= OD_ROLE_LEG_L && role <= OD_ROLE_TOE_R;
}

/* Do the keys move this bone? */
static bool moves(const od_checker *checker, int bone)
{
    int track = checker->shown.track[bone];
    return track >= 0 && od_check_track_moves(&checker->keys->tracks[track]);
}

static bool matters(const od_checker *checker, const od_ik_chain *ik)
{
    if (moves(checker, ik->bone)) return true;
    for (int i = 0; i < ik->link_count; i++)
        if (is_leg(checker->target->bones[ik->links[i].bone].role)) return true;
    return false;
}

/* Dances are often made with keys of IK bones and a few on thighs that steer the knees: there IK is meant
 * to move the legs. Where the links alone have keys it is meant to be off. */
static bool should_agree(const od_checker *checker, const od_ik_chain *ik)
{
    if (checker->options->agreeing) return true;
    if (moves(checker, ik->bone)) return false;
    for (int i = 0; i < ik->link_count; i++)
        if (moves(checker, ik->links[i].bone)) return true;
    return false;
}

static bool *find_keyed(const od_checker *checker, const od_ik_chain *ik)
{
    bool *keyed = OD_NEW(checker->arena, bool, (size_t)ik->link_count, checker->error);
    for (int i = 0; keyed && i < ik->link_count; i++)
        keyed[i] = ik->links[i].limited && moves(checker, ik->links[i].bone);
    return keyed;
}

od_check_ik *od_check_ik_make(od_checker *checker)
{
    const od_target *target = checker->target;
    od_check_ik *ik = OD_NEW(checker->arena, od_check_ik, 1, checker->error);
    if (!ik) return NULL;
    ik->chains = OD_NEW(checker->arena, chain, (size_t)target->ik_count, checker->error);
    if (!ik->chains) return NULL;
    for (int i = 0; i < target->ik_count; i++) {
        if (!matters(checker, &target->ik[i])) continue;
        const char *name = target->skeleton.bones[target->ik[i].bone].name;
        chain c = {.index = i, .agrees = should_agree(checker, &target->ik[i])};
        c.residual = od_checker_gauge(checker, OD_MEASURE_RESIDUAL, name);
        c.knee = od_checker_gauge(checker, OD_MEASURE_KNEE, name);
        c.player = od_checker_gauge(checker, OD_MEASURE_PLAYER, name);
        c.limit = od_checker_gauge(checker, OD_MEASURE_LIMIT, name);
        c.keyed = find_keyed(checker, &target->ik[i]);
        if (!c.keyed || !c.residual || !c.knee || !c.player || !c.limit) return NULL;
        ik->chains[ik->count++] = c;
    }
    return ik;
}

bool od_check_ik_iterated(const od_check_ik *ik, const od_player *player)
{
    for (int i = 0; i < ik->count; i++) {
        int index = ik->chains[i].index;
        if (player->ik_on[index] && player->ik[index].iterations) return true;
    }
    return false;
}

int od_check_ik_iterations(const od_check_ik *ik)
{
    return ik->iterations;
}

/* The way between two poses of a link's end, which is where the next link (or the effector) is. */
static void see_way(od_gauge *gauge, const od_checker *checker, const od_ik_chain *ik, const od_xform *a,
                    const od_xform *b)
{
    for (int i = 0; i < ik->link_count; i++) {
        int bone = i ? ik->links[i - 1].bone : ik->effector;
        od_gauge_see(gauge, checker, glms_vec3_distance(a[bone].t, b[bone].t), bone);
    }
}

static void see_limits(const chain *c, const od_checker *checker, const od_ik_chain *ik)
{
    const od_xform *local = od_checker_keyed_local(checker);
    for (int i = 0; i < ik->link_count; i++) {
        const od_ik_link *link = &ik->links[i];
        if (!c->keyed[i]) continue;
        od_ik_joint joint = {.local = local[link->bone].q, .limited = true, .min = link->min, .max = link->max};
        od_gauge_see(c->limit, checker, DEGREES * od_ik_excess(&joint), link->bone);
    }
}

void od_check_ik_see(od_check_ik *ik, const od_checker *checker)
{
    const od_player *shown = &checker->shown;
    for (int i = 0; i < ik->count; i++) {
        const chain *c = &ik->chains[i];
        const od_ik_chain *bones = &checker->target->ik[c->index];
        see_limits(c, checker, bones);
        if (!shown->ik_on[c->index]) continue;
        const od_ik_outcome *outcome = &shown->ik[c->index];
        if (outcome->iterations > ik->iterations) ik->iterations = outcome->iterations;
        od_gauge_see(c->residual, checker, outcome->residual, bones->bone);
        if (c->agrees) see_way(c->knee, checker, bones, shown->world, od_checker_keyed_world(checker));
        if (checker->asked) see_way(c->player, checker, bones, shown->world, checker->other.world);
    }
}
