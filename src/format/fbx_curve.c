/* Input: a curve and a time. Output: its value there.
 * The rules of tangents are those of the reader ufbx (ufbx.c: auto tangents, TCB, extrapolation), which were
 * found by comparing files with what Maya and MotionBuilder show. */
#include "format/fbx_curve.h"

#include <math.h>

/* Automatic tangents are flat at a key whose neighbour is as near as this, if they are to be clamped. */
static const double NEAR = 0.001;

static const float THIRD = 1.0F / 3;

static const od_fbx_tangent *tangent_of(const od_fbx_curve *c, int key)
{
    int low = 0, high = c->tangent_count - 1;
    if (c->tangent_count == c->count) return &c->tangents[key];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (c->ends[middle] <= key) low = middle + 1;
        else high = middle;
    }
    return &c->tangents[low];
}

/* Seconds from one key to another, at least a bit above zero. */
static double seconds(const od_fbx_curve *c, int from, int to)
{
    return ((double)c->time[to] - (double)c->time[from]) / c->second;
}

static double slope_between(const od_fbx_curve *c, int from, int to)
{
    double dt = seconds(c, from, to);
    return dt > 0 ? ((double)c->value[to] - (double)c->value[from]) / dt : 0;
}

/* The slope and weight that the key before gives to the left side, before any is automatic. */
static void look_left(const od_fbx_curve *c, int key, od_fbx_sides *s)
{
    s->left_weight = (double)THIRD;
    if (key == 0) return;
    const od_fbx_tangent *t = tangent_of(c, key - 1);
    if (!(t->flags & (OD_FBX_CONSTANT | OD_FBX_CUBIC))) s->left = slope_between(c, key - 1, key);
    else if (t->flags & OD_FBX_CUBIC && !(t->flags & (OD_FBX_CONSTANT | OD_FBX_TCB))) {
        s->left = (double)t->next_left;
        s->left_weight = (double)t->next_left_weight;
    }
}

/* A bias above 500 adds to the slope. */
static double excess(double bias)
{
    double over = fabs(bias) / 100 - 5;
    return over > 0 ? 40 * over * over : 0;
}

/* An automatic slope at a key between two others. */
static double automatic(const od_fbx_curve *c, int key, const od_fbx_sides *s, double bias, uint32_t flags)
{
    double from = (double)c->value[key - 1], here = (double)c->value[key], to = (double)c->value[key + 1];
    double before = seconds(c, key - 1, key), after = seconds(c, key, key + 1);
    if (flags & OD_FBX_CLAMP && fmin(fabs(from - here), fabs(to - here)) <= NEAR) return 0;
    double slope = (to - from) / (before + after);
    if (!(flags & OD_FBX_TIME_INDEPENDENT)) {
        double left = (here - from) / before, right = (to - here) / after, share = before / (before + after);
        double weight = fabs(bias) / 100, aim = bias > 0 ? right : left;
        slope = 0.5 * slope + 0.5 * (left * (1 - share) + right * share);
        if (weight > 0.0001) {
            double turn = fabs(aim - slope) > 0.00001 ? aim - slope : bias;
            slope = slope * (1 - weight) + aim * weight + copysign(excess(bias), turn);
        }
    }
    if (flags & OD_FBX_PROGRESSIVE) { /* not beyond the values of the neighbours */
        double sign = slope >= 0 ? 1 : -1;
        double most_left = sign * (here - from) / (s->left_weight * before);
        double most_right = sign * (to - here) / (s->right_weight * after);
        slope = sign * fmax(0, fmin(sign * slope, fmin(most_left, most_right)));
    }
    return isfinite(slope) ? slope : 0;
}

/* An automatic slope at the first or last key, towards its only neighbour. */
static double automatic_end(const od_fbx_curve *c, int from, int to, double bias, uint32_t flags)
{
    if (flags & OD_FBX_PROGRESSIVE) return 0;
    if (flags & OD_FBX_CLAMP && fabs((double)c->value[to] - (double)c->value[from]) <= NEAR) return 0;
    double slope = slope_between(c, from, to);
    return flags & OD_FBX_TIME_INDEPENDENT ? slope : slope + copysign(excess(bias), bias);
}

static void set_automatic(const od_fbx_curve *c, int key, const od_fbx_tangent *t, od_fbx_sides *s)
{
    bool first = key == 0 || c->time[key - 1] == c->time[key];
    bool last = key == c->count - 1 || c->time[key + 1] == c->time[key];
    if (first && last) s->left = s->right = 0;
    else if (first) s->left = s->right = automatic_end(c, key, key + 1, s->right, t->flags);
    else if (last) s->left = s->right = automatic_end(c, key - 1, key, -s->left, t->flags);
    else {
        double left_bias = fabs(s->left + s->right) <= 0.0001 ? s->right : -s->left;
        s->left = automatic(c, key, s, left_bias, t->flags);
        s->right = left_bias == s->right ? s->left : automatic(c, key, s, s->right, t->flags);
    }
}

/* Tension, continuity and bias of D. Kochanek and R. Bartels, "Interpolating Splines with Local Tension,
 * Continuity, and Bias Control", 1984. */
static void set_tcb(const od_fbx_curve *c, int key, const od_fbx_tangent *t, od_fbx_sides *s)
{
    double tension = (double)t->right, continuity = (double)t->next_left, bias = (double)t->bias;
    double in = key > 0 ? slope_between(c, key - 1, key) : 0;
    double out = key < c->count - 1 ? slope_between(c, key, key + 1) : 0;
    bool end = key == 0 || key == c->count - 1 || c->time[key - 1] == c->time[key] || c->time[key + 1] == c->time[key];
    double scale = (end ? 1 : 0.5) * (1 - tension);
    s->left = scale * ((1 + bias) * (1 - continuity) * in + (1 - bias) * (1 + continuity) * out);
    s->right = scale * ((1 + bias) * (1 + continuity) * in + (1 - bias) * (1 - continuity) * out);
}

static od_fbx_sides sides_of(const od_fbx_curve *c, int key)
{
    const od_fbx_tangent *t = tangent_of(c, key);
    od_fbx_sides s = {.right_weight = (double)THIRD};
    look_left(c, key, &s);
    if (t->flags & OD_FBX_CONSTANT) return s;
    if (!(t->flags & OD_FBX_CUBIC)) {
        s.right = key < c->count - 1 ? slope_between(c, key, key + 1) : 0;
        return s;
    }
    s.right = (double)t->right;
    s.right_weight = (double)t->right_weight;
    if (t->flags & OD_FBX_TCB) set_tcb(c, key, t, &s);
    else if (!(t->flags & OD_FBX_USER)) set_automatic(c, key, t, &s);
    return s;
}

static void make_piece(od_fbx_curve *c, int key)
{
    const od_fbx_tangent *t = tangent_of(c, key);
    od_fbx_piece *p = &c->ready;
    c->piece = key;
    *p = (od_fbx_piece){.start = (double)c->value[key], .rise = (double)c->value[key + 1] - (double)c->value[key]};
    if (t->flags & OD_FBX_CONSTANT) {
        if (t->flags & OD_FBX_NEXT) p->start += p->rise;
        p->rise = 0;
    } else if (t->flags & OD_FBX_CUBIC) {
        od_fbx_sides from = c->sided == key ? c->sides : sides_of(c, key), to = sides_of(c, key + 1);
        c->sided = key + 1;
        c->sides = to;
        double dt = seconds(c, key, key + 1);
        p->cubic = true;
        p->x1 = from.right_weight;
        p->x2 = 1 - to.left_weight;
        p->y1 = from.right * from.right_weight * dt;
        p->y2 = p->rise - to.left * to.left_weight * dt;
    }
}

/* A cubic Bezier curve from 0 to 1 with two control points between. */
static double cubic(double a, double b, double end, double s)
{
    return s * (3 * a * (1 - s) * (1 - s) + s * (3 * b * (1 - s) + end * s));
}

/* The parameter at which the curve of times is x; that rises when both points are in [0, 1]. */
static double parameter_at(double x1, double x2, double x)
{
    double low = 0, high = 1, s = x;
    if (fabs(x1 - 1.0 / 3) < 1e-6 && fabs(x2 - 2.0 / 3) < 1e-6) return x;
    for (int i = 0; i < 60; i++) {
        double off = cubic(x1, x2, 1, s) - x;
        if (fabs(off) < 1e-15) break;
        if (off > 0) high = s;
        else low = s;
        double slope = 3 * (x1 * (1 - s) * (1 - s) + 2 * (x2 - x1) * s * (1 - s) + (1 - x2) * s * s);
        s = slope > 1e-9 ? s - off / slope : low - 1;
        if (!(s > low && s < high)) s = 0.5 * (low + high);
    }
    return s;
}

/* The last key at or before a time that is not before all; mostly the one of the last look or the next. */
static int find_key(const od_fbx_curve *c, int64_t time)
{
    int low = c->at, high = c->count - 1;
    if (time < c->time[low]) {
        high = low - 1;
        low = 0;
    } else if (low < high && c->time[low + 1] > time) {
        return low;
    } else if (low + 1 < high && c->time[low + 2] > time) {
        return low + 1;
    }
    while (low < high) {
        int middle = high - (high - low) / 2;
        if (c->time[middle] <= time) low = middle;
        else high = middle - 1;
    }
    return low;
}

static double value_within(od_fbx_curve *c, int64_t time)
{
    int key = c->at = find_key(c, time);
    if (c->time[key] == time || key == c->count - 1) return (double)c->value[key];
    if (c->piece != key) make_piece(c, key);
    const od_fbx_piece *p = &c->ready;
    double x = ((double)time - (double)c->time[key]) / ((double)c->time[key + 1] - (double)c->time[key]);
    if (!p->cubic) return p->start + p->rise * x;
    return p->start + cubic(p->y1, p->y2, p->rise, parameter_at(p->x1, p->x2, x));
}

/* ---- beyond the keys ----------------------------------------------------------------------------- */

/* The slope with which a curve enters or leaves its keys. */
static double slope_at_end(const od_fbx_curve *c, bool after)
{
    return after ? sides_of(c, c->count - 1).left : sides_of(c, 0).right;
}

static double value_beyond(od_fbx_curve *c, int64_t time, bool after)
{
    const od_fbx_beyond *beyond = after ? &c->after : &c->before;
    int end = after ? c->count - 1 : 0;
    double edge = (double)c->value[end], span = (double)c->time[c->count - 1] - (double)c->time[0];
    double away = after ? (double)time - (double)c->time[end] : (double)c->time[end] - (double)time;
    if (beyond->mode == 'K') return edge + slope_at_end(c, after) * (after ? away : -away) / c->second;
    bool repeats = beyond->mode == 'R' || beyond->mode == 'A' || beyond->mode == 'M';
    if (!repeats || !(span > 0)) return edge;

    double turn = floor(away / span), into = away - turn * span; /* of the turns behind the keys, from 0 */
    if (beyond->times >= 0 && turn >= (double)beyond->times) {
        turn = (double)beyond->times - 1;
        into = span;
    }
    /* Its way through the keys: forward behind them, backward before them, the other way when mirrored. */
    bool back = (beyond->mode == 'M' && fmod(turn, 2) == 0) == after;
    if (turn < 0) return edge;
    int64_t within = back ? c->time[c->count - 1] - (int64_t)into : c->time[0] + (int64_t)into;
    double value = value_within(c, within);
    if (beyond->mode != 'A') return value;
    double rise = (double)c->value[c->count - 1] - (double)c->value[0];
    return value + (after ? rise : -rise) * (turn + 1);
}

double od_fbx_curve_at(od_fbx_curve *curve, int64_t time)
{
    if (curve->still) return (double)curve->value[0];
    if (time < curve->time[0]) return value_beyond(curve, time, false);
    if (time > curve->time[curve->count - 1]) return value_beyond(curve, time, true);
    return value_within(curve, time);
}
