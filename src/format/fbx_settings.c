/* Input: GlobalSettings. Output: the file's axes and frame rate. */
#include <math.h>

#include "format/fbx_scene.h"

/* By number of TimeMode; 0: another rule. */
static const double RATES[] = {30, 120, 100, 60,     50, 48, 30, 30,    29.97, 29.97,
                               25, 24,  0,   23.976, 0,  96, 72, 59.94, 119.88};

enum { CUSTOM = 14 };

/* A rate below 30 would miss what happens between its frames: curves are no frames. One above 240 is no
 * frame rate (1000 is a unit of time). */
static double rate_of(int64_t mode, double custom)
{
    double rate = mode >= 0 && mode < (int64_t)(sizeof RATES / sizeof *RATES) ? RATES[mode] : 0;
    if (mode == CUSTOM) rate = custom;
    return rate >= 30 && rate <= 240 ? od_fps_snap(rate) : 30;
}

static bool is_axis(int64_t axis)
{
    return axis >= 0 && axis < 3;
}

od_fbx_settings od_fbx_settings_read(const od_fbx_tree *tree)
{
    static const char *const names[] = {"CoordAxis",  "UpAxis",        "FrontAxis", "CoordAxisSign",
                                        "UpAxisSign", "FrontAxisSign", "TimeMode",  "CustomFrameRate"};
    od_fbx_property p[8] = {{.integer = 0}, {.integer = 1}, {.integer = 2},
                            {.integer = 1}, {.integer = 1}, {.integer = 1}};
    const od_fbx_node *node = od_fbx_child(tree->root, "GlobalSettings");
    if (!node) node = od_fbx_child(od_fbx_child(tree->root, "Objects"), "GlobalSettings");
    if (node) od_fbx_properties(tree, node, names, 8, p);
    bool good = is_axis(p[0].integer) && is_axis(p[1].integer) && is_axis(p[2].integer) &&
                p[0].integer != p[1].integer && p[1].integer != p[2].integer && p[2].integer != p[0].integer;
    od_fbx_settings s = {.fps = rate_of(p[6].integer, p[7].v[0])};
    for (int i = 0; i < 3; i++) { /* towards the left of who looks along -z: coord, up, and away from front */
        s.axis[i] = good ? (int)p[i].integer : i;
        s.sign[i] = good && p[3 + i].integer < 0 ? -1 : 1;
    }
    s.sign[2] = -s.sign[2];
    bool cyclic = (s.axis[0] + 1) % 3 == s.axis[1];
    s.mirror = s.sign[0] * s.sign[1] * s.sign[2] * (cyclic ? 1 : -1);
    return s;
}

/* p' = M p; the axis of a rotation is mapped like that and turned round when M mirrors. */
od_xform od_fbx_canonical(const od_fbx_settings *s, const od_fbx_place *place)
{
    const double v[3] = {place->q.x, place->q.y, place->q.z};
    od_xform x = {.q = od_quat(0, 0, 0, (float)place->q.w)};
    for (int i = 0; i < 3; i++) {
        x.t.raw[i] = (float)(s->sign[i] * place->p[s->axis[i]]);
        x.q.raw[i] = (float)(s->mirror * s->sign[i] * v[s->axis[i]]);
    }
    x.q = od_quat_normalize(x.q);
    return x;
}
