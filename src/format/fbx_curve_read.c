/* Input: a curve's node, of version 7 (arrays) or 6 (a list of mixed values). Output: the curve.
 * Invariants: times ascend; values, slopes and weights are finite and of moderate size. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "format/fbx_curve.h"

/* Values beyond are no angles and no places, and their squares would leave a float's range. */
static const float LARGEST = 1e12F;

static const float THIRD = 1.0F / 3;

static float moderate(float value)
{
    return fabsf(value) <= LARGEST ? value : 0; /* false for NaN, too */
}

static float weight_of(float weight)
{
    return weight >= 0 && weight <= 10 ? weight : THIRD;
}

static od_fbx_beyond read_beyond(const od_fbx_tree *tree, const od_fbx_node *curve, const char *name)
{
    const od_fbx_node *node = od_fbx_child(curve, name);
    od_fbx_value mode = od_fbx_value_of(tree, od_fbx_child(node, "Type"), 0);
    od_fbx_value times = od_fbx_value_of(tree, od_fbx_child(node, "Repetition"), 0);
    od_fbx_beyond beyond = {.mode = 'C', .times = times.kind == OD_FBX_NUMBER ? times.integer : -1};
    if (mode.kind == OD_FBX_NUMBER && mode.integer > 0 && mode.integer < 128) beyond.mode = (char)mode.integer;
    else if (mode.kind == OD_FBX_TEXT && mode.size == 1) beyond.mode = (char)mode.bytes[0];
    return beyond;
}

static od_fbx_curve *make_curve(const od_fbx_tree *tree, const od_fbx_node *node, double second, od_arena *arena,
                                od_error *error)
{
    od_fbx_curve *curve = OD_NEW(arena, od_fbx_curve, 1, error);
    if (!curve) return NULL;
    *curve = (od_fbx_curve){.second = second, .piece = -1, .sided = -1};
    curve->before = read_beyond(tree, node, "Pre-Extrapolation");
    curve->after = read_beyond(tree, node, "Post-Extrapolation");
    return curve;
}

static bool check_times(const od_fbx_tree *tree, const od_fbx_node *node, const int64_t *time, size_t count,
                        od_error *error)
{
    for (size_t i = 0; i < count; i++) {
        bool far = time[i] > INT64_MAX / 4 || time[i] < -(INT64_MAX / 4);
        if (far || (i && time[i] < time[i - 1]))
            return od_fail(error, "%s@0x%tx: expected times of keys that ascend, found %lld behind %lld", tree->file,
                           node->name - tree->data, (long long)time[i], i ? (long long)time[i - 1] : 0);
    }
    return true;
}

static bool is_still(const od_fbx_curve *curve)
{
    for (int i = 1; i < curve->count; i++)
        if (curve->value[i] != curve->value[0]) return false;
    for (int i = 0; i < curve->tangent_count; i++) {
        const od_fbx_tangent *t = &curve->tangents[i];
        bool slope = t->right != 0 || t->next_left != 0 || t->bias != 0; /* or what makes one */
        if (t->flags & OD_FBX_CUBIC && slope) return false;
    }
    return true;
}

/* ---- version 7 ----------------------------------------------------------------------------------- */

/* Four words: two slopes, then two weights as hundredths of a percent in 16 bits each, or a bias. */
static od_fbx_tangent unpack(uint32_t flags, const uint32_t words[4])
{
    od_fbx_tangent t = {.flags = flags,
                        .right = moderate(od_fbx_float(words[0])),
                        .next_left = moderate(od_fbx_float(words[1])),
                        .bias = flags & OD_FBX_TCB ? moderate(od_fbx_float(words[2])) : 0,
                        .right_weight = THIRD,
                        .next_left_weight = THIRD};
    if (flags & OD_FBX_WEIGHTED_RIGHT) t.right_weight = (float)(words[2] & 0xFFFF) * 0.0001F;
    if (flags & OD_FBX_WEIGHTED_NEXT_LEFT) t.next_left_weight = (float)(words[2] >> 16) * 0.0001F;
    return t;
}

/* Tangents, each of a run of keys; what runs do not cover has the last one. */
static bool read_tangents(od_fbx_tree *tree, const od_fbx_node *node, od_fbx_curve *curve, od_arena *arena,
                          od_error *error)
{
    uint32_t *flags, *words;
    int64_t *runs;
    size_t flag_count, word_count, run_count;
    if (!od_fbx_patterns(tree, od_fbx_child(node, "KeyAttrFlags"), &flags, &flag_count, arena, error) ||
        !od_fbx_patterns(tree, od_fbx_child(node, "KeyAttrDataFloat"), &words, &word_count, arena, error) ||
        !od_fbx_integers(tree, od_fbx_child(node, "KeyAttrRefCount"), &runs, &run_count, arena, error))
        return false;
    size_t count = flag_count < run_count ? flag_count : run_count;
    if (count > (size_t)curve->count) count = (size_t)curve->count;
    od_fbx_tangent *tangents = OD_NEW(arena, od_fbx_tangent, count + 1, error);
    int *ends = OD_NEW(arena, int, count + 1, error), end = 0;
    if (!tangents || !ends) return false;
    static const uint32_t none[4];
    for (size_t i = 0; i < count; i++) {
        int64_t left = curve->count - end;
        tangents[i] = unpack(flags[i], 4 * i + 4 <= word_count ? words + 4 * i : none);
        end += (int)(runs[i] < 0 ? 0 : runs[i] < left ? runs[i] : left);
        ends[i] = end;
    }
    if (count == 0) tangents[count++] = unpack(OD_FBX_LINEAR, none);
    curve->tangents = tangents;
    curve->ends = ends;
    curve->tangent_count = (int)count;
    ends[count - 1] = curve->count;
    return true;
}

bool od_fbx_curve_read(od_fbx_tree *tree, const od_fbx_node *node, double second, od_fbx_curve **out, od_arena *arena,
                       od_error *error)
{
    int64_t *time;
    float *value;
    size_t times, values;
    *out = NULL;
    if (!od_fbx_integers(tree, od_fbx_child(node, "KeyTime"), &time, &times, arena, error) ||
        !od_fbx_floats(tree, od_fbx_child(node, "KeyValueFloat"), &value, &values, arena, error))
        return false;
    if (times != values || times > INT_MAX)
        return od_fail(error, "%s@0x%tx: expected as many values as times of keys, found %zu and %zu", tree->file,
                       node->name - tree->data, values, times);
    if (times == 0) return true;
    if (!check_times(tree, node, time, times, error)) return false;
    od_fbx_curve *curve = make_curve(tree, node, second, arena, error);
    if (!curve) return false;
    for (size_t i = 0; i < values; i++) value[i] = moderate(value[i]);
    curve->count = (int)times;
    curve->time = time;
    curve->value = value;
    if (!read_tangents(tree, node, curve, arena, error)) return false;
    curve->still = is_still(curve);
    *out = curve;
    return true;
}

/* ---- version 6 ----------------------------------------------------------------------------------- */

/* Time, value, then how to go on: "L"; "C" and "s" or "n" (the value of the next key); or "U" with a kind of
 * slope and its numbers, and then kinds of weights with theirs. */
typedef struct list {
    od_fbx_values at;
    bool good;
} list;

static double take_number(list *l)
{
    od_fbx_value value;
    l->good = l->good && od_fbx_values_next(&l->at, &value) && value.kind == OD_FBX_NUMBER;
    return l->good ? value.real : 0;
}

/* A letter is a text in a text file and a number in a binary one. */
static char take_letter(list *l)
{
    od_fbx_value value;
    l->good = l->good && od_fbx_values_next(&l->at, &value);
    if (l->good && value.kind == OD_FBX_TEXT && value.size == 1) return (char)value.bytes[0];
    if (l->good && value.kind == OD_FBX_NUMBER && value.integer > 0 && value.integer < 128) return (char)value.integer;
    l->good = false;
    return 0;
}

static void take_weights(list *l, od_fbx_tangent *t)
{
    char kind = take_letter(l);
    if (kind == 'a' || kind == 'r') t->right_weight = weight_of((float)take_number(l));
    if (kind == 'a' || kind == 'l') t->next_left_weight = weight_of((float)take_number(l));
    l->good = l->good && strchr("anlrc", kind);
}

static void take_slopes(list *l, od_fbx_tangent *t)
{
    char kind = take_letter(l);
    bool given = kind == 's' || kind == 'b', unknown = kind == 'p' || kind == 't';
    if (given || unknown) {
        float right = moderate((float)take_number(l)), next_left = moderate((float)take_number(l));
        if (given) t->right = right;
        if (given) t->next_left = next_left;
    }
    if (kind == 't') take_number(l);
    else take_weights(l, t);
    if (kind == 'p') take_weights(l, t);
    t->flags = OD_FBX_CUBIC | (kind == 'a' ? OD_FBX_TIME_INDEPENDENT | OD_FBX_PROGRESSIVE : OD_FBX_USER);
    l->good = l->good && (given || unknown || kind == 'a');
}

static od_fbx_tangent take_tangent(list *l)
{
    od_fbx_tangent t = {.right_weight = THIRD, .next_left_weight = THIRD};
    char mode = take_letter(l);
    if (mode == 'U') take_slopes(l, &t);
    else if (mode == 'C') t.flags = OD_FBX_CONSTANT | (take_letter(l) == 'n' ? OD_FBX_NEXT : 0);
    else if (mode == 'L') t.flags = OD_FBX_LINEAR;
    else l->good = false;
    return t;
}

static bool take_keys(list *l, int64_t *time, float *value, od_fbx_tangent *tangents, int count)
{
    for (int i = 0; i < count; i++) {
        od_fbx_value at;
        l->good = l->good && od_fbx_values_next(&l->at, &at) && at.kind == OD_FBX_NUMBER;
        if (!l->good) return false;
        time[i] = at.integer;
        value[i] = moderate((float)take_number(l));
        tangents[i] = take_tangent(l);
    }
    return l->good;
}

bool od_fbx_curve_read_old(od_fbx_tree *tree, const od_fbx_node *node, double second, od_fbx_curve **out,
                           od_arena *arena, od_error *error)
{
    const od_fbx_node *keys = od_fbx_child(node, "Key");
    od_fbx_value declared = od_fbx_value_of(tree, od_fbx_child(node, "KeyCount"), 0);
    *out = NULL;
    if (!keys || declared.integer <= 0) return true;
    /* A key takes six bytes at least: "0,0,L,". */
    if (declared.integer > (keys->values_end - keys->values) / 4 || declared.integer > INT_MAX)
        return od_fail(error, "%s@0x%tx: %lld keys cannot be in %td bytes", tree->file, keys->name - tree->data,
                       (long long)declared.integer, keys->values_end - keys->values);
    int count = (int)declared.integer;
    od_fbx_curve *curve = make_curve(tree, node, second, arena, error);
    int64_t *time = OD_NEW(arena, int64_t, (size_t)count, error);
    float *value = OD_NEW(arena, float, (size_t)count, error);
    od_fbx_tangent *tangents = OD_NEW(arena, od_fbx_tangent, (size_t)count, error);
    list l = {.at = od_fbx_values_of(tree, keys), .good = true};
    if (!curve || !time || !value || !tangents) return false;
    if (!take_keys(&l, time, value, tangents, count))
        return od_fail(error, "%s@0x%tx: the list of %d keys is broken", tree->file, keys->name - tree->data, count);
    if (!check_times(tree, keys, time, (size_t)count, error)) return false;
    curve->count = curve->tangent_count = count;
    curve->time = time;
    curve->value = value;
    curve->tangents = tangents;
    curve->still = is_still(curve);
    *out = curve;
    return true;
}
