/* An oracle: plays keys on a target as MMD does, in double precision and sharing no code with the
 * library. Curves between keys, morphs of bones and their groups, FK with append, fixed axes, the order
 * of evaluation, switches and the CCD solver of the IK bones, all in the simplest and slowest way. */
#ifndef ODORI_TESTS_PLAYER_H
#define ODORI_TESTS_PLAYER_H

#include <math.h>

#include "odori/keys.h"
#include "odori/target.h"

typedef struct vecd {
    double x, y, z;
} vecd;

typedef struct quatd {
    double x, y, z, w;
} quatd;

/* Rotate by q, then translate by t. */
typedef struct xformd {
    quatd q;
    vecd t;
} xformd;

static const double DEGREE = 0.017453292519943295;
static const quatd NO_TURN = {0, 0, 0, 1};
static const vecd AXIS_X = {1, 0, 0}, AXIS_Y = {0, 1, 0}, AXIS_Z = {0, 0, 1};

static inline vecd vecd_of(vec3s v)
{
    return (vecd){(double)v.x, (double)v.y, (double)v.z};
}

static inline quatd quatd_of(versors q)
{
    return (quatd){(double)q.x, (double)q.y, (double)q.z, (double)q.w};
}

static inline vecd vecd_add(vecd a, vecd b)
{
    return (vecd){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vecd vecd_sub(vecd a, vecd b)
{
    return (vecd){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vecd vecd_scale(vecd a, double s)
{
    return (vecd){a.x * s, a.y * s, a.z * s};
}

static inline double vecd_dot(vecd a, vecd b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vecd vecd_cross(vecd a, vecd b)
{
    return (vecd){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double vecd_norm(vecd a)
{
    return sqrt(vecd_dot(a, a));
}

static inline vecd vecd_unit(vecd a)
{
    return vecd_scale(a, 1 / vecd_norm(a));
}

static inline double vecd_distance(vecd a, vecd b)
{
    return vecd_norm(vecd_sub(a, b));
}

/* Angle between directions, degrees. */
static inline double vecd_angle(vecd a, vecd b)
{
    return atan2(vecd_norm(vecd_cross(a, b)), vecd_dot(a, b)) / DEGREE;
}

/* a b: b first, then a. */
static inline quatd quatd_mul(quatd a, quatd b)
{
    return (quatd){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                   a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline quatd quatd_conj(quatd q)
{
    return (quatd){-q.x, -q.y, -q.z, q.w};
}

static inline vecd quatd_rotate(quatd q, vecd v)
{
    quatd r = quatd_mul(quatd_mul(q, (quatd){v.x, v.y, v.z, 0}), quatd_conj(q));
    return (vecd){r.x, r.y, r.z};
}

static inline quatd quatd_axis(vecd axis, double degrees)
{
    vecd a = vecd_scale(vecd_unit(axis), sin(degrees * DEGREE / 2));
    return (quatd){a.x, a.y, a.z, cos(degrees * DEGREE / 2)};
}

/* Angle of the rotation from a to b, degrees, 0..180. */
static inline double quatd_angle(quatd a, quatd b)
{
    quatd d = quatd_mul(quatd_conj(a), b);
    return 2 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w)) / DEGREE;
}

/* Part of q about a unit axis: q = swing * twist. */
static inline quatd quatd_twist(quatd q, vecd axis)
{
    double d = q.x * axis.x + q.y * axis.y + q.z * axis.z, n = sqrt(d * d + q.w * q.w);
    return (quatd){axis.x * d / n, axis.y * d / n, axis.z * d / n, q.w / n};
}

/* Signed angle of a rotation about a unit axis, degrees, -180..180. */
static inline double quatd_twist_angle(quatd q, vecd axis)
{
    double d = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    return q.w < 0 ? 2 * atan2(-d, -q.w) / DEGREE : 2 * atan2(d, q.w) / DEGREE;
}

static inline xformd xformd_mul(xformd a, xformd b)
{
    return (xformd){quatd_mul(a.q, b.q), vecd_add(a.t, quatd_rotate(a.q, b.t))};
}

enum { PLAYER_BONES = 256 };

/* Worlds of all bones of the target in a frame. With `ik` the chains whose switch is on are solved.
 * Returns the number of CCD iterations that all chains needed. */
int player_frame(const od_target *target, const od_keys *keys, double frame, bool ik, xformd *world);

/* A bone's key in a frame (held before the first and after the last); identity without a track. */
xformd player_key(const od_keys *keys, const char *name, double frame);

/* The track of a bone, NULL when it has none. */
const od_track *player_track(const od_keys *keys, const char *name);

#endif
