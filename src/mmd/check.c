/* Input: a motion, a model, maybe what the motion was made from. Output: figures of what is wrong.
 * The motion is played once; each part of the check looks at every frame. */
#include "mmd/check.h"

#include <math.h>
#include <string.h>

static const od_measure_row measures[OD_MEASURE_COUNT] = {
    [OD_MEASURE_DIRECTION] = {"direction", "direction of limbs", "deg", OD_STATISTIC_P95, 10},
    [OD_MEASURE_TURN] = {"turn", "turn of trunk and head", "deg", OD_STATISTIC_P95, INFINITY},
    [OD_MEASURE_RESIDUAL] = {"ik-residual", "IK short of its goal", "units", OD_STATISTIC_P95, 1},
    [OD_MEASURE_KNEE] = {"knee", "IK moves what FK keys show", "units", OD_STATISTIC_P95, 0.1f},
    [OD_MEASURE_PLAYER] = {"player", "players differ", "units", OD_STATISTIC_P95, 0.1f},
    [OD_MEASURE_LIMIT] = {"limit", "keys beyond a joint's limit", "deg", OD_STATISTIC_MAX, 10},
    [OD_MEASURE_FLIP] = {"flip", "turn within a frame", "deg", OD_STATISTIC_MAX, 90},
    [OD_MEASURE_SLIDE] = {"slide", "feet slide on the floor", "cm/frame", OD_STATISTIC_MEAN, 1},
    [OD_MEASURE_SOURCE_SLIDE] = {"source-slide", "the source's feet slide", "cm/frame", OD_STATISTIC_MEAN, INFINITY},
    [OD_MEASURE_FLOAT] = {"float", "standing feet above the floor", "units", OD_STATISTIC_P95, 0.5f},
    [OD_MEASURE_UNDER] = {"under", "feet under the floor", "units", OD_STATISTIC_MAX, 0.25f},
    [OD_MEASURE_JERK] = {"jerk", "jerk", "m/s3", OD_STATISTIC_MEAN, INFINITY},
    [OD_MEASURE_LENGTH] = {"length", "longer or shorter than the source", "times", OD_STATISTIC_MAX, 1.1f},
    [OD_MEASURE_KEYS] = {"keys", "keys of bones", "", OD_STATISTIC_MAX, 600000},
    [OD_MEASURE_APPEND] = {"append-keys", "keys on bones that follow others", "", OD_STATISTIC_MAX, 0},
    [OD_MEASURE_LACKING] = {"lacking", "tracks of bones and morphs that the model lacks", "", OD_STATISTIC_MAX,
                            INFINITY},
    [OD_MEASURE_NAME] = {"name", "names that are wrong", "", OD_STATISTIC_MAX, 0},
};

const od_measure_row *od_measures(void)
{
    return measures;
}

float od_figure_judged(const od_figure *figure)
{
    switch (measures[figure->measure].judged) {
    case OD_STATISTIC_MEAN: return figure->mean;
    case OD_STATISTIC_P95: return figure->p95;
    default: return figure->max;
    }
}

od_gauge *od_checker_gauge(od_checker *checker, od_measure measure, const char *group)
{
    for (od_gauge *gauge = checker->gauges; gauge; gauge = gauge->next)
        if (gauge->measure == measure && gauge->group == group) return gauge;
    od_gauge *gauge = OD_NEW(checker->arena, od_gauge, 1, checker->error);
    if (!gauge) return NULL;
    gauge->measure = measure;
    gauge->group = group;
    gauge->frame = -1;
    if (checker->last) checker->last->next = gauge;
    else checker->gauges = gauge;
    return checker->last = gauge;
}

void od_gauge_see(od_gauge *gauge, const od_checker *checker, float value, int bone)
{
    if (!isfinite(value) || !od_spread_add(&gauge->spread, fmaxf(value, 0)) || !(value > 0)) return;
    gauge->frame = checker->frame;
    gauge->bone = bone >= 0 ? checker->target->skeleton.bones[bone].name : NULL;
}

int od_checker_bone(const od_checker *checker, od_role role)
{
    const int *have = checker->target->role;
    if (role >= OD_ROLE_LEG_L && role <= OD_ROLE_ANKLE_R && have[role - OD_ROLE_LEG_L + OD_ROLE_LEG_D_L] >= 0)
        return have[role - OD_ROLE_LEG_L + OD_ROLE_LEG_D_L];
    return have[role];
}

const od_xform *od_checker_keyed_world(const od_checker *checker)
{
    return checker->iterated ? checker->plain.world : checker->shown.world;
}

const od_xform *od_checker_keyed_local(const od_checker *checker)
{
    return checker->iterated ? checker->plain.local : checker->shown.local;
}

/* The source's joints where the stage has them. */
static void show_source(od_checker *checker)
{
    const od_reference *r = checker->reference;
    int frame = checker->frame < r->clip.frames ? checker->frame : r->clip.frames - 1;
    od_clip_world(&r->clip, frame, r->skeleton, checker->joints);
    for (int i = 0; i < r->skeleton->count; i++) {
        vec3s at = glms_vec3_sub(od_quat_rotate(r->turn, checker->joints[i].t), r->origin);
        checker->joints[i] =
            (od_xform){.q = od_quat_mul(r->turn, checker->joints[i].q), .t = glms_vec3_scale(at, r->scale)};
    }
}

typedef struct parts {
    od_check_body *body;
    od_check_ik *ik;
    od_check_feet *feet;
} parts;

static void see_frame(od_checker *checker, const parts *p, bool ask)
{
    static const od_play_options plain = {.ik = OD_PLAY_IK_OFF}, other = {.start = OD_IK_START_ZERO};
    od_player_show(&checker->shown, checker->frame, (od_play_options){0});
    checker->iterated = od_check_ik_iterated(p->ik, &checker->shown);
    checker->asked = ask;
    if (checker->iterated) od_player_show(&checker->plain, checker->frame, plain);
    if (ask) od_player_show(&checker->other, checker->frame, other);
    if (checker->reference) show_source(checker);
    od_check_body_see(p->body, checker);
    od_check_ik_see(p->ik, checker);
    od_check_feet_see(p->feet, checker);
}

static od_figure figure_of(const od_gauge *gauge)
{
    return (od_figure){.measure = gauge->measure,
                       .group = gauge->group,
                       .count = gauge->spread.count,
                       .mean = od_spread_mean(&gauge->spread),
                       .p50 = od_spread_quantile(&gauge->spread, 0.5f),
                       .p95 = od_spread_quantile(&gauge->spread, 0.95f),
                       .max = gauge->spread.max,
                       .frame = gauge->frame,
                       .bone = gauge->bone};
}

/* Adds the gauges of a measure to one of all groups; false when there is but one. */
static bool add_up(const od_checker *checker, od_measure measure, od_gauge *all)
{
    int groups = 0;
    *all = (od_gauge){.measure = measure, .group = "all", .frame = -1};
    for (const od_gauge *gauge = checker->gauges; gauge; gauge = gauge->next) {
        if (gauge->measure != measure || !gauge->spread.count) continue;
        groups++;
        if (!all->spread.count || gauge->spread.max > all->spread.max) {
            all->spread.max = gauge->spread.max;
            all->frame = gauge->frame;
            all->bone = gauge->bone;
        }
        all->spread.count += gauge->spread.count;
        all->spread.sum += gauge->spread.sum;
        for (int i = 0; i < OD_SPREAD_BINS; i++) all->spread.bin[i] += gauge->spread.bin[i];
    }
    return groups > 1;
}

static bool make_figures(const od_checker *checker, od_check *check)
{
    int most = OD_MEASURE_COUNT;
    for (const od_gauge *gauge = checker->gauges; gauge; gauge = gauge->next) most++;
    od_gauge *all = OD_NEW(checker->arena, od_gauge, 1, checker->error);
    check->figures = OD_NEW(checker->arena, od_figure, (size_t)most, checker->error);
    if (!all || !check->figures) return false;
    for (int m = 0; m < OD_MEASURE_COUNT; m++) {
        for (const od_gauge *gauge = checker->gauges; gauge; gauge = gauge->next)
            if (gauge->measure == (od_measure)m && gauge->spread.count)
                check->figures[check->figure_count++] = figure_of(gauge);
        if (!add_up(checker, (od_measure)m, all)) continue;
        check->figures[check->figure_count] = figure_of(all);
        check->figures[check->figure_count++].is_sum = true;
    }
    return true;
}

/* How much longer or shorter than the source, as a factor above 1: a motion of 60 frames a second taken
 * for one of 30 lasts twice as long. */
static bool see_length(od_checker *checker, int frames)
{
    od_gauge *gauge = od_checker_gauge(checker, OD_MEASURE_LENGTH, "all");
    if (!gauge) return false;
    float ratio = (float)frames / (float)checker->reference->clip.frames;
    od_spread_add(&gauge->spread, fmaxf(ratio, 1 / ratio));
    return true;
}

bool od_check_motion(const od_target *target, const od_keys *keys, const od_reference *reference,
                     const od_check_options *options, od_check *check, od_report *report, od_arena *arena,
                     od_error *error)
{
    od_checker checker = {
        .target = target, .keys = keys, .reference = reference, .options = options, .arena = arena, .error = error};
    unsigned last = od_keys_last(keys);
    int every = options->every > 0 ? options->every : 1;
    *check = (od_check){.keys = od_keys_count(keys)};
    if (last >= OD_CLIP_FRAMES) return od_fail(error, "a motion with a key at frame %u is too long to be played", last);
    check->frames = (int)last + 1;
    if (reference && !(checker.joints = OD_NEW(arena, od_xform, (size_t)reference->skeleton->count, error)))
        return false;
    if (!od_player_make(&checker.shown, target, keys, arena, error)) return false;
    if (!od_player_make(&checker.plain, target, keys, arena, error)) return false;
    if (!od_player_make(&checker.other, target, keys, arena, error)) return false;
    parts p = {od_check_body_make(&checker), od_check_ik_make(&checker), od_check_feet_make(&checker)};
    if (!p.body || !p.ik || !p.feet || !od_check_keys(&checker, report)) return false;
    if (reference && !see_length(&checker, check->frames)) return false;
    for (int f = 0; f < check->frames; f++) {
        checker.frame = f;
        see_frame(&checker, &p, f % every == 0);
    }
    check->iterations = od_check_ik_iterations(p.ik);
    return make_figures(&checker, check);
}

/* The switch of an IK bone in the motion's first key, NULL: it has none. */
static od_ik_switch *switch_of(od_keys *keys, const char *name)
{
    for (int i = 0; keys->ik_count && i < keys->ik[0].count; i++)
        if (!strcmp(keys->ik[0].switches[i].name, name)) return &keys->ik[0].switches[i];
    return NULL;
}

bool od_check_mend(const od_check *check, od_keys *keys, od_report *report)
{
    bool mended = false;
    for (int i = 0; i < check->figure_count; i++) {
        const od_figure *figure = &check->figures[i];
        od_ik_switch *found = switch_of(keys, figure->group);
        if (figure->measure != OD_MEASURE_KNEE || figure->p95 <= measures[OD_MEASURE_KNEE].limit || !found) continue;
        found->on = false;
        mended = true;
        od_warn(report, "%s is switched off: in this model it would move the leg by up to %.2f units", figure->group,
                (double)figure->max);
    }
    return mended;
}
