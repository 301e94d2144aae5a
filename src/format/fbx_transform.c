/* Input: a model's properties and the values of its channels. Output: its world transform.
 *
 * World = parent T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1 (Autodesk's FBX SDK documentation, "Computing
 * transformation matrices"). What is said there of inheriting scale is known to be incomplete; the rules here
 * are those of the reader ufbx.
 * Quaternions are unit to 1e-9 for each part above. */
#include "format/fbx_transform.h"

#include <math.h>
#include <string.h>

#include "math/half_angle.h"

/* ---- rotations ----------------------------------------------------------------------------------- */

od_fbx_quat od_fbx_quat_mul(od_fbx_quat a, od_fbx_quat b)
{
    return (od_fbx_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                         a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static od_fbx_quat normalise(od_fbx_quat q)
{
    double n = 1 / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return isfinite(n) ? (od_fbx_quat){q.x * n, q.y * n, q.z * n, q.w * n} : (od_fbx_quat){0, 0, 0, 1};
}

void od_fbx_rotate(od_fbx_quat q, const double v[3], double out[3])
{
    double x = 2 * (q.y * v[2] - q.z * v[1]), y = 2 * (q.z * v[0] - q.x * v[2]), z = 2 * (q.x * v[1] - q.y * v[0]);
    double rotated[3] = {v[0] + q.w * x + q.y * z - q.z * y, v[1] + q.w * y + q.z * x - q.x * z,
                         v[2] + q.w * z + q.x * y - q.y * x};
    memcpy(out, rotated, sizeof rotated);
}

/* The axis that turns first, then the next ones: "XYZ" is Rz Ry Rx. */
static const unsigned char ORDERS[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};

od_fbx_quat od_fbx_euler(const double degrees[3], int order)
{
    const unsigned char *axes = ORDERS[order];
    int k = axes[0], j = axes[1], i = axes[2]; /* R = Ri Rj Rk */
    double s[3], c[3], q[3], even = (i + 1) % 3 == j ? 1 : -1;
    for (int a = 0; a < 3; a++) od_half_angle(degrees[a], &s[a], &c[a]);
    q[i] = s[i] * c[j] * c[k] + even * c[i] * s[j] * s[k];
    q[j] = c[i] * s[j] * c[k] - even * s[i] * c[j] * s[k];
    q[k] = c[i] * c[j] * s[k] + even * s[i] * s[j] * c[k];
    return (od_fbx_quat){q[0], q[1], q[2], c[i] * c[j] * c[k] - even * s[i] * s[j] * s[k]};
}

static void to_rows(od_fbx_quat q, double m[9])
{
    double rows[9] = {
        1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.z * q.w),     2 * (q.x * q.z + q.y * q.w),
        2 * (q.x * q.y + q.z * q.w),     1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.x * q.w),
        2 * (q.x * q.z - q.y * q.w),     2 * (q.y * q.z + q.x * q.w),     1 - 2 * (q.x * q.x + q.y * q.y)};
    memcpy(m, rows, sizeof rows);
}

void od_fbx_quat_to_euler(od_fbx_quat q, int order, double degrees[3])
{
    static const double DEGREES = 180 / 3.14159265358979323846;
    const unsigned char *axes = ORDERS[order];
    int k = axes[0], j = axes[1], i = axes[2];
    double m[9], even = (i + 1) % 3 == j ? 1 : -1;
    to_rows(normalise(q), m);
    double cosine = hypot(m[3 * i + i], m[3 * i + j]);
    degrees[j] = atan2(even * m[3 * i + k], cosine) * DEGREES;
    if (cosine > 1e-7) {
        degrees[i] = atan2(-even * m[3 * j + k], m[3 * k + k]) * DEGREES;
        degrees[k] = atan2(-even * m[3 * i + j], m[3 * i + i]) * DEGREES;
    } else { /* both turn about one axis */
        degrees[i] = atan2(even * m[3 * k + j], m[3 * j + j]) * DEGREES;
        degrees[k] = 0;
    }
}

/* Makes a column of length 1 and at right angles to the one before; false when nothing is left of it. */
static bool straighten(double column[3], const double before[3])
{
    double dot = 0, n = 0;
    for (int i = 0; before && i < 3; i++) dot += column[i] * before[i];
    for (int i = 0; before && i < 3; i++) column[i] -= dot * before[i];
    for (int i = 0; i < 3; i++) n += column[i] * column[i];
    if (!(n > 1e-24 && n < 1e24)) return false;
    for (int i = 0; i < 3; i++) column[i] /= sqrt(n);
    return true;
}

/* The largest of w, x, y, z is found first: S. W. Shepperd, "Quaternion from Rotation Matrix", 1978. */
static od_fbx_quat from_columns(const double x[3], const double y[3], const double z[3])
{
    double w = 1 + x[0] + y[1] + z[2], a = 1 + x[0] - y[1] - z[2], b = 1 - x[0] + y[1] - z[2],
           c = 1 - x[0] - y[1] + z[2];
    if (w >= a && w >= b && w >= c) return normalise((od_fbx_quat){y[2] - z[1], z[0] - x[2], x[1] - y[0], w});
    if (a >= b && a >= c) return normalise((od_fbx_quat){a, x[1] + y[0], z[0] + x[2], y[2] - z[1]});
    if (b >= c) return normalise((od_fbx_quat){x[1] + y[0], b, y[2] + z[1], z[0] - x[2]});
    return normalise((od_fbx_quat){z[0] + x[2], y[2] + z[1], c, x[1] - y[0]});
}

bool od_fbx_matrix_rotation(const double m[9], od_fbx_quat *q)
{
    double x[3] = {m[0], m[3], m[6]}, y[3] = {m[1], m[4], m[7]}, z[3];
    double determinant =
        m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
    if (!isfinite(determinant) || !straighten(x, NULL) || !straighten(y, x)) return false;
    for (int i = 0; i < 3; i++) z[i] = x[(i + 1) % 3] * y[(i + 2) % 3] - x[(i + 2) % 3] * y[(i + 1) % 3];
    *q = from_columns(x, y, z);
    return true;
}

/* ---- properties ---------------------------------------------------------------------------------- */

enum {
    TRANSLATION,
    ROTATION,
    SCALING,
    ROTATION_OFFSET,
    ROTATION_PIVOT,
    SCALING_OFFSET,
    SCALING_PIVOT,
    PRE_ROTATION,
    POST_ROTATION,
    ROTATION_ORDER,
    ROTATION_ACTIVE,
    LIMIT_ONLY,
    INHERIT,
    PROPERTIES
};

static const char *const NAMES[PROPERTIES] = {
    "Lcl Translation", "Lcl Rotation", "Lcl Scaling",  "RotationOffset", "RotationPivot",  "ScalingOffset",
    "ScalingPivot",    "PreRotation",  "PostRotation", "RotationOrder",  "RotationActive", "RotationSpaceForLimitOnly",
    "InheritType",
};

/* Values beyond are no angles and no places. */
static double moderate(double value, double otherwise)
{
    return fabs(value) <= 1e12 ? value : otherwise; /* false for NaN, too */
}

static bool is_identity(od_fbx_quat q)
{
    return q.x == 0 && q.y == 0 && q.z == 0;
}

od_fbx_transform od_fbx_transform_read(const od_fbx_tree *tree, const od_fbx_node *defaults, const od_fbx_node *model)
{
    od_fbx_property p[PROPERTIES] = {
        [SCALING] = {.v = {1, 1, 1}}, [ROTATION_ACTIVE] = {.integer = 1}, [INHERIT] = {.integer = 1}};
    if (defaults) od_fbx_properties(tree, defaults, NAMES, PROPERTIES, p);
    od_fbx_properties(tree, model, NAMES, PROPERTIES, p);
    for (int n = 0; n < PROPERTIES; n++)
        for (int i = 0; i < 3; i++) p[n].v[i] = moderate(p[n].v[i], n == SCALING);

    od_fbx_transform t = {.pre = {0, 0, 0, 1}, .post = {0, 0, 0, 1}};
    for (int n = 0; n < OD_FBX_TRS; n++) memcpy(t.values[n], p[TRANSLATION + n].v, sizeof t.values[n]);
    for (int i = 0; i < 3; i++) {
        t.before[i] = p[ROTATION_OFFSET].v[i] + p[ROTATION_PIVOT].v[i];
        t.pivot[i] = p[SCALING_OFFSET].v[i] + p[SCALING_PIVOT].v[i] - p[ROTATION_PIVOT].v[i];
        t.scaling_pivot[i] = p[SCALING_PIVOT].v[i];
        t.pivoted = t.pivoted || t.pivot[i] != 0 || t.scaling_pivot[i] != 0;
    }
    if (p[INHERIT].integer == 0 || p[INHERIT].integer == 2) t.inherit = (int)p[INHERIT].integer;
    else t.inherit = 1;
    if (!p[ROTATION_ACTIVE].integer || p[LIMIT_ONLY].integer) return t;
    if (p[ROTATION_ORDER].integer > 0 && p[ROTATION_ORDER].integer < 6) t.order = (int)p[ROTATION_ORDER].integer;
    t.pre = od_fbx_euler(p[PRE_ROTATION].v, 0);
    t.post = od_fbx_euler(p[POST_ROTATION].v, 0);
    t.post = (od_fbx_quat){-t.post.x, -t.post.y, -t.post.z, t.post.w};
    t.turned = !is_identity(t.pre) || !is_identity(t.post);
    return t;
}

/* ---- worlds -------------------------------------------------------------------------------------- */

static void multiply(const double a[9], const double b[9], double out[9])
{
    double m[9];
    for (int i = 0; i < 9; i++)
        m[i] = a[i / 3 * 3] * b[i % 3] + a[i / 3 * 3 + 1] * b[3 + i % 3] + a[i / 3 * 3 + 2] * b[6 + i % 3];
    memcpy(out, m, sizeof m);
}

static void apply(const double m[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
}

/* The parent's matrices, also when it has none because it is not scaled. */
static od_fbx_world with_matrices(const od_fbx_world *parent)
{
    static const od_fbx_world scene = {.q = {0, 0, 0, 1}};
    od_fbx_world world = parent ? *parent : scene;
    if (world.scaled) return world;
    to_rows(world.q, world.linear);
    memcpy(world.unscaled, world.linear, sizeof world.linear);
    for (int i = 0; i < 3; i++) world.inherited[i] = 1;
    return world;
}

/* Adds the parts with scale: r and t are the rotation and the place relative to the parent. */
static void scale(const od_fbx_transform *transform, const double s[3], od_fbx_quat r, const double t[3],
                  const od_fbx_world *above, od_fbx_world *world)
{
    od_fbx_world parent = with_matrices(above);
    bool whole = transform->inherit == 1;
    double place[3], turn[9];
    for (int i = 0; i < 3; i++) {
        place[i] = whole ? t[i] : t[i] * parent.inherited[i];
        world->inherited[i] = transform->inherit == 0 ? s[i] * parent.inherited[i] : s[i];
    }
    const double *from = whole ? parent.linear : parent.unscaled;
    to_rows(r, turn);
    apply(from, place, world->p);
    for (int i = 0; i < 3; i++) world->p[i] += parent.p[i];
    multiply(from, turn, world->unscaled);
    for (int i = 0; i < 9; i++) world->linear[i] = world->unscaled[i] * world->inherited[i % 3];
    world->scaled = true;
}

od_fbx_place od_fbx_local_of(const od_fbx_transform *transform, double values[OD_FBX_TRS][3])
{
    const double *s = values[OD_FBX_SCALING];
    od_fbx_place local = {.q = od_fbx_euler(values[OD_FBX_ROTATION], transform->order)};
    if (transform->turned) local.q = od_fbx_quat_mul(od_fbx_quat_mul(transform->pre, local.q), transform->post);
    for (int i = 0; i < 3; i++) local.p[i] = values[OD_FBX_TRANSLATION][i] + transform->before[i];
    if (!transform->pivoted) return local;
    double arm[3];
    for (int i = 0; i < 3; i++) arm[i] = transform->pivot[i] - s[i] * transform->scaling_pivot[i];
    od_fbx_rotate(local.q, arm, arm);
    for (int i = 0; i < 3; i++) local.p[i] += arm[i];
    return local;
}

od_fbx_place od_fbx_below(const od_fbx_place *parent, const od_fbx_place *local)
{
    od_fbx_place out = {.q = od_fbx_quat_mul(parent->q, local->q)};
    od_fbx_rotate(parent->q, local->p, out.p);
    for (int i = 0; i < 3; i++) out.p[i] += parent->p[i];
    return out;
}

od_fbx_place od_fbx_relative(const od_fbx_place *parent, const od_fbx_place *place)
{
    od_fbx_quat back = {-parent->q.x, -parent->q.y, -parent->q.z, parent->q.w};
    od_fbx_place out = {.q = od_fbx_quat_mul(back, place->q)};
    for (int i = 0; i < 3; i++) out.p[i] = place->p[i] - parent->p[i];
    od_fbx_rotate(back, out.p, out.p);
    return out;
}

static od_fbx_place place_of(const od_fbx_world *world)
{
    return (od_fbx_place){.q = world->q, .p = {world->p[0], world->p[1], world->p[2]}};
}

od_fbx_world od_fbx_world_of(const od_fbx_transform *transform, double values[OD_FBX_TRS][3],
                             const od_fbx_world *parent)
{
    static const od_fbx_place scene = {.q = {0, 0, 0, 1}};
    const double *s = values[OD_FBX_SCALING];
    od_fbx_place local = od_fbx_local_of(transform, values), above = parent ? place_of(parent) : scene;
    od_fbx_place place = od_fbx_below(&above, &local);
    od_fbx_world world = {.q = place.q, .p = {place.p[0], place.p[1], place.p[2]}};
    if ((parent && parent->scaled) || s[0] != 1 || s[1] != 1 || s[2] != 1)
        scale(transform, s, local.q, local.p, parent, &world);
    return world;
}
