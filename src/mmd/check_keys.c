/* Input: the keys of a motion. Output: tracks that do nothing or harm on this model: keys on bones that
 * follow others, names that the model lacks or that look cut, too many keys. */
#include <string.h>

#include "mmd/check.h"
#include "mmd/label.h"

bool od_check_track_moves(const od_track *track)
{
    for (int i = 0; i < track->count; i++) {
        if (track->position && glms_vec3_norm(track->position[i]) > 1e-3f) return true;
        if (track->rotation && od_quat_angle(track->rotation[i]) > 1e-3f) return true;
    }
    return false;
}

static bool morph_moves(const od_morph_track *track)
{
    for (int i = 0; i < track->count; i++)
        if (fabsf(track->weight[i]) > 1e-3f) return true;
    return false;
}

/* Bytes of UTF-8 that a name has at least when it was cut, be it in UTF-8 or in CP932: five kanji. Shorter
 * ones are whole names, as 左腕 is where a model has 左腕ひじ中間. */
enum { CUT = 15 };

/* Is one the beginning of the other? Cut names are no bone's name, but the beginning of one. */
static bool begins(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    return strncmp(a, b, n < m ? n : m) == 0;
}

/* The bone whose name this may have been, -1: none. */
static int meant(const od_target *target, const char *name)
{
    for (int b = 0; b < target->skeleton.count && strlen(name) >= CUT; b++)
        if (begins(name, target->skeleton.bones[b].name)) return b;
    return -1;
}

/* What is wrong with a name that the model lacks; NULL: nothing, it is another model's. */
static bool is_wrong(const od_target *target, const char *name, od_report *report)
{
    int bone = meant(target, name);
    if (!*name) od_warn(report, "a track has no name");
    else if (strstr(name, "\xEF\xBF\xBD")) od_warn(report, "\"%s\" is no name in MMD's character set", name);
    else if (bone >= 0)
        od_warn(report, "there is no bone \"%s\"; it looks like \"%s\", cut wrong", name,
                target->skeleton.bones[bone].name);
    else return false;
    return true;
}

/* 足D and the like turn with the bones that they follow: with keys of their own they leave them. */
static bool follows(const od_target_bone *bone)
{
    return bone->append_source >= 0 && bone->append_ratio != 0 && od_role_follows(bone->role);
}

static bool has_morph(const od_target *target, const char *name)
{
    for (int i = 0; i < target->morph_count; i++)
        if (od_label_same(target->morphs[i], name)) return true;
    return false;
}

/* One figure: how many, and the first of them. */
static bool put(od_checker *checker, od_measure measure, size_t count, const char *first)
{
    od_gauge *gauge = od_checker_gauge(checker, measure, "all");
    if (!gauge) return false;
    od_spread_add(&gauge->spread, (float)count);
    gauge->bone = first;
    return true;
}

bool od_check_keys(od_checker *checker, od_report *report)
{
    const od_target *target = checker->target;
    const od_keys *keys = checker->keys;
    size_t appended = 0, lacking = 0, wrong = 0, found = 0;
    const char *first_appended = NULL, *first_lacking = NULL, *first_wrong = NULL;
    int *bone_of = OD_NEW(checker->arena, int, (size_t)keys->track_count, checker->error);
    if (!bone_of) return false;
    for (int b = 0; b < target->skeleton.count; b++)
        if (checker->shown.track[b] >= 0) bone_of[checker->shown.track[b]] = b + 1;
    for (int i = 0; i < keys->track_count; i++) {
        const od_track *track = &keys->tracks[i];
        if (!od_check_track_moves(track)) continue;
        if (bone_of[i]) {
            found++;
            if (follows(&target->bones[bone_of[i] - 1]) && !appended++) first_appended = track->name;
        } else if (is_wrong(target, track->name, report)) {
            if (!wrong++) first_wrong = track->name;
        } else if (!lacking++) {
            first_lacking = track->name;
        }
    }
    if (lacking && !found && !wrong++) {
        first_wrong = first_lacking;
        od_warn(report, "the model has none of the bones that the motion moves");
    }
    for (int i = 0; i < keys->morph_count; i++)
        if (morph_moves(&keys->morphs[i]) && !has_morph(target, keys->morphs[i].name) && !lacking++)
            first_lacking = keys->morphs[i].name;
    return put(checker, OD_MEASURE_KEYS, od_keys_count(keys), NULL) &&
           put(checker, OD_MEASURE_APPEND, appended, first_appended) &&
           put(checker, OD_MEASURE_LACKING, lacking, first_lacking) &&
           put(checker, OD_MEASURE_NAME, wrong, first_wrong);
}
