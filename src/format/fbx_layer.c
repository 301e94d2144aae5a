/* Input: the channels of one property in all layers, and a time. Output: its value there.
 * How layers join is as in the reader ufbx. Invariant: values are finite and of moderate size. */
#include <math.h>
#include <string.h>

#include "format/fbx_motion.h"

static double moderate(double value)
{
    return fabs(value) <= 1e12 ? value : 0; /* false for NaN, too */
}

/* The channel's own values, what it does not say stays. */
static void sample(const od_fbx_channel *channel, int64_t time, double values[3])
{
    for (int i = 0; i < 3; i++) {
        if (channel->curves[i]) values[i] = moderate(od_fbx_curve_at(channel->curves[i], time));
        else if (channel->value[i].set) values[i] = moderate(channel->value[i].v[0]);
    }
}

static double weight_at(const od_fbx_layer *layer, int64_t time)
{
    if (!layer->weight_curve) return layer->weight;
    double weight = od_fbx_curve_at(layer->weight_curve, time) / 100;
    return weight >= 0 ? fmin(weight, 1) : 0; /* false for NaN, too */
}

/* |v|^e with the sign of v. */
static double power(double v, double e)
{
    return e <= 0 ? 1 : e >= 1 ? v : copysign(pow(fabs(v), e), v);
}

static od_fbx_quat slerp(od_fbx_quat a, od_fbx_quat b, double t)
{
    double dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w, sign = dot < 0 ? -1 : 1;
    double angle = acos(fmin(fabs(dot), 1)), s = sin(angle);
    double from = s > 1e-9 ? sin((1 - t) * angle) / s : 1 - t, to = sign * (s > 1e-9 ? sin(t * angle) / s : t);
    return (od_fbx_quat){from * a.x + to * b.x, from * a.y + to * b.y, from * a.z + to * b.z, from * a.w + to * b.w};
}

static void join_rotations(const od_fbx_layer *layer, double weight, int order, double values[3], const double own[3])
{
    static const od_fbx_quat none = {0, 0, 0, 1};
    od_fbx_quat below = od_fbx_euler(values, order), here = od_fbx_euler(own, order);
    od_fbx_quat q = layer->additive ? od_fbx_quat_mul(below, slerp(none, here, weight)) : slerp(below, here, weight);
    od_fbx_quat_to_euler(q, order, values);
}

static void join(const od_fbx_channel *channel, int order, double weight, double values[3], const double own[3])
{
    const od_fbx_layer *layer = channel->layer;
    bool product = layer->multiplies && channel->kind == OD_FBX_SCALING;
    if (layer->base || (!layer->additive && !layer->blended)) {
        memcpy(values, own, 3 * sizeof *values);
    } else if (layer->turns && channel->kind == OD_FBX_ROTATION) {
        join_rotations(layer, weight, order, values, own);
    } else {
        for (int i = 0; i < 3; i++) {
            if (product) values[i] = power(values[i], layer->additive ? 1 : 1 - weight) * power(own[i], weight);
            else values[i] = values[i] * (layer->additive ? 1 : 1 - weight) + own[i] * weight;
        }
    }
}

bool od_fbx_channel_is_still(const od_fbx_channel *first)
{
    for (const od_fbx_channel *channel = first; channel; channel = channel->next) {
        if (channel->layer->weight_curve) return false;
        for (int i = 0; i < 3; i++)
            if (channel->curves[i] && !channel->curves[i]->still) return false;
    }
    return true;
}

void od_fbx_channel_at(const od_fbx_channel *first, int order, int64_t time, double values[3])
{
    for (const od_fbx_channel *channel = first; channel; channel = channel->next) {
        const od_fbx_layer *layer = channel->layer;
        double own[3], nothing = channel->kind == OD_FBX_SCALING && layer->multiplies;
        if (layer->muted) continue;
        for (int i = 0; i < 3; i++) own[i] = layer->additive && !layer->base ? nothing : values[i];
        sample(channel, time, own);
        join(channel, order, weight_at(layer, time), values, own);
    }
    for (int i = 0; i < 3; i++) values[i] = moderate(values[i]);
}
