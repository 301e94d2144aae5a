/* Input: keys, a target, a frame. Output: worlds of the bones, as MMD plays them. */
#include "player.h"

#include <assert.h>
#include <string.h>

typedef struct player {
    const od_target *target;
    int order[PLAYER_BONES];
    xformd key[PLAYER_BONES]; /* relative to rest */
    quatd own[PLAYER_BONES];  /* key and append */
    quatd ik[PLAYER_BONES];   /* left by IK, applied before `own` of the parent's frame */
    bool appended[PLAYER_BONES];
    xformd *world;
} player;

const od_track *player_track(const od_keys *keys, const char *name)
{
    for (int i = 0; i < keys->track_count; i++)
        if (!strcmp(keys->tracks[i].name, name)) return &keys->tracks[i];
    return NULL;
}

xformd player_key(const od_keys *keys, const char *name, int frame)
{
    xformd key = {NO_TURN, {0, 0, 0}};
    const od_track *track = player_track(keys, name);
    if (!track || track->count < 1) return key;
    int i = frame < track->count ? frame : track->count - 1;
    assert(!track->frame); /* dense keys are all that the solver makes */
    if (track->rotation) key.q = quatd_of(track->rotation[i]);
    if (track->position) key.t = vecd_of(track->position[i]);
    return key;
}

static void sort_bones(player *p)
{
    const od_target *target = p->target;
    for (int i = 0; i < target->skeleton.count; i++) {
        int k = i;
        for (; k > 0; k--) {
            const od_target_bone *a = &target->bones[p->order[k - 1]], *b = &target->bones[i];
            bool after = a->deform_order != b->deform_order ? a->deform_order > b->deform_order
                                                            : a->model_index > b->model_index;
            if (!after) break;
            p->order[k] = p->order[k - 1];
        }
        p->order[k] = i;
    }
}

static quatd power(quatd q, double ratio)
{
    if (q.w < 0) q = (quatd){-q.x, -q.y, -q.z, -q.w};
    vecd v = {q.x, q.y, q.z};
    double s = vecd_norm(v);
    return s < 1e-12 ? NO_TURN : quatd_axis(v, 2 * atan2(s, q.w) / DEGREE * ratio);
}

static void append(player *p, int bone)
{
    const od_target_bone *b = &p->target->bones[bone];
    p->own[bone] = p->key[bone].q;
    if (!(b->flags & OD_BONE_APPEND_ROTATION) || b->append_source < 0) return;
    quatd from = p->appended[b->append_source] ? p->own[b->append_source] : p->key[b->append_source].q;
    from = quatd_mul(p->ik[b->append_source], from);
    p->own[bone] = quatd_mul(p->own[bone], power(from, (double)b->append_ratio));
    p->appended[bone] = true;
}

static void place(player *p, int bone)
{
    const od_bone *b = &p->target->skeleton.bones[bone];
    xformd local = {quatd_mul(p->ik[bone], p->own[bone]), vecd_add(vecd_of(b->rest.t), p->key[bone].t)};
    p->world[bone] = b->parent < 0 ? local : xformd_mul(p->world[b->parent], local);
}

/* Places the bones from `above` down to `below` anew. */
static void place_chain(player *p, int above, int below)
{
    if (below < 0) return;
    if (below != above) place_chain(p, above, p->target->skeleton.bones[below].parent);
    place(p, below);
}

static double mirror(double angle, double low, double high, bool half)
{
    if (angle < low) return half && 2 * low - angle <= high ? 2 * low - angle : low;
    if (angle > high) return half && 2 * high - angle >= low ? 2 * high - angle : high;
    return angle;
}

/* Clamps Rz Ry Rx of a limited link. */
static void clamp_link(player *p, const od_ik_link *link, bool half)
{
    quatd q = quatd_mul(p->ik[link->bone], p->own[link->bone]);
    double s = 2 * (q.w * q.y - q.z * q.x);
    double x = atan2(2 * (q.w * q.x + q.y * q.z), 1 - 2 * (q.x * q.x + q.y * q.y));
    double y = asin(fmin(fmax(s, -1), 1));
    double z = atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z));
    x = mirror(x, (double)link->min.x, (double)link->max.x, half);
    y = mirror(y, (double)link->min.y, (double)link->max.y, half);
    z = mirror(z, (double)link->min.z, (double)link->max.z, half);
    q = quatd_mul(quatd_mul(quatd_axis(AXIS_Z, z / DEGREE), quatd_axis(AXIS_Y, y / DEGREE)),
                  quatd_axis(AXIS_X, x / DEGREE));
    p->ik[link->bone] = quatd_mul(q, quatd_conj(p->own[link->bone]));
}

static void turn_link(player *p, const od_ik_chain *chain, int index, bool half)
{
    const od_ik_link *link = &chain->links[index];
    int parent = p->target->skeleton.bones[link->bone].parent;
    vecd at = p->world[link->bone].t;
    vecd have = vecd_unit(vecd_sub(at, p->world[chain->effector].t));
    vecd want = vecd_unit(vecd_sub(at, p->world[chain->bone].t));
    vecd axis = vecd_cross(have, want);
    if (vecd_dot(axis, axis) < 1e-8) return;
    axis = quatd_rotate(quatd_conj(p->world[parent].q), axis);
    if (half && link->limited && link->min.y >= link->max.y && link->min.z >= link->max.z)
        axis = axis.x >= 0 ? AXIS_X : vecd_scale(AXIS_X, -1); /* a knee: only X is free */
    double angle = fmin((double)chain->limit * (index + 1), acos(fmin(fmax(vecd_dot(have, want), -1), 1)));
    p->ik[link->bone] = quatd_mul(quatd_axis(axis, angle / DEGREE), p->ik[link->bone]);
    if (link->limited) clamp_link(p, link, half);
    place_chain(p, link->bone, chain->effector);
}

static int solve(player *p, const od_ik_chain *chain)
{
    for (int i = 0; i < chain->loops; i++) {
        vecd d = vecd_sub(p->world[chain->bone].t, p->world[chain->effector].t);
        if (vecd_dot(d, d) < 1e-8) return i;
        for (int k = 0; k < chain->link_count; k++) turn_link(p, chain, k, i < chain->loops / 2);
    }
    return chain->loops;
}

static bool is_on(const od_keys *keys, const char *name)
{
    for (int i = 0; i < keys->ik_count; i++)
        for (int k = 0; k < keys->ik[i].count; k++)
            if (!strcmp(keys->ik[i].switches[k].name, name)) return keys->ik[i].switches[k].on;
    return true;
}

int player_frame(const od_target *target, const od_keys *keys, int frame, bool ik, xformd *world)
{
    static const player NEW = {0};
    player p = NEW;
    int count = target->skeleton.count, loops = 0;
    assert(count <= PLAYER_BONES);
    p.target = target;
    p.world = world;
    sort_bones(&p);
    for (int b = 0; b < count; b++) {
        p.key[b] = player_key(keys, target->skeleton.bones[b].name, frame);
        p.own[b] = p.key[b].q;
        p.ik[b] = NO_TURN;
    }
    for (int b = 0; b < count; b++) place(&p, b); /* what an early child sees of a late parent */
    for (int i = 0; i < count; i++) {
        int b = p.order[i], chain = target->bones[b].ik;
        append(&p, b);
        place(&p, b);
        if (ik && chain >= 0 && is_on(keys, target->skeleton.bones[b].name)) loops += solve(&p, &target->ik[chain]);
    }
    return loops;
}
