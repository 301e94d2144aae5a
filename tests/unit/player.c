/* Input: keys, a target, a frame. Output: worlds of the bones, as MMD plays them. */
#include "player.h"

#include <assert.h>
#include <string.h>

typedef struct player {
    const od_target *target;
    int order[PLAYER_BONES];
    xformd key[PLAYER_BONES]; /* relative to rest, with morphs */
    xformd own[PLAYER_BONES]; /* key and append */
    quatd ik[PLAYER_BONES];   /* left by IK, applied before `own` of the parent's frame */
    xformd *world;
} player;

const od_track *player_track(const od_keys *keys, const char *name)
{
    for (int i = 0; i < keys->track_count; i++)
        if (!strcmp(keys->tracks[i].name, name)) return &keys->tracks[i];
    return NULL;
}

static double bezier_part(double p1, double p2, double s)
{
    return 3 * s * (1 - s) * ((1 - s) * p1 + s * p2) + s * s * s;
}

/* y at x of a curve, by halving. */
static double bezier(const unsigned char *points, double x)
{
    double low = 0, high = 1;
    for (int i = 0; i < 100; i++) {
        double s = (low + high) / 2;
        if (bezier_part(points[0] / 127.0, points[2] / 127.0, s) < x) low = s;
        else high = s;
    }
    return bezier_part(points[1] / 127.0, points[3] / 127.0, low);
}

static double frame_at(const unsigned *frames, int i)
{
    return frames ? frames[i] : (double)i;
}

/* The last key that is not after the frame, and how far it is to the next one. */
static int find_key(const unsigned *frames, int count, double frame, double *x)
{
    int i = 0;
    *x = 0;
    while (i + 1 < count && frame_at(frames, i + 1) <= frame) i++;
    if (i + 1 < count && frame > frame_at(frames, i))
        *x = (frame - frame_at(frames, i)) / (frame_at(frames, i + 1) - frame_at(frames, i));
    return i;
}

static quatd power(quatd q, double ratio)
{
    if (q.w < 0) q = (quatd){-q.x, -q.y, -q.z, -q.w};
    vecd v = {q.x, q.y, q.z};
    double s = vecd_norm(v);
    return s < 1e-12 ? NO_TURN : quatd_axis(v, 2 * atan2(s, q.w) / DEGREE * ratio);
}

/* A rotation of a bone with a fixed axis: the same angle about that. */
static quatd onto(quatd q, const vecd *axis)
{
    if (!axis) return q;
    vecd v = {q.x, q.y, q.z};
    if (q.w < 0) v = vecd_scale(v, -1);
    double angle = 2 * atan2(vecd_norm(v), fabs(q.w)) / DEGREE;
    return quatd_axis(*axis, vecd_dot(v, *axis) < 0 ? -angle : angle);
}

static xformd sample(const od_track *track, double frame, const vecd *axis)
{
    static const od_curves linear = OD_CURVES_LINEAR;
    xformd key = {NO_TURN, {0, 0, 0}};
    if (!track || track->count < 1) return key;
    double x;
    int i = find_key(track->frame, track->count, frame, &x), k = x > 0 ? i + 1 : i;
    const od_curves *c = track->curves ? &track->curves[k] : &linear;
    if (track->rotation) {
        quatd a = onto(quatd_of(track->rotation[i]), axis), b = onto(quatd_of(track->rotation[k]), axis);
        key.q = quatd_mul(a, power(quatd_mul(quatd_conj(a), b), bezier(c->c[3], x)));
    }
    if (track->position) {
        vecd a = vecd_of(track->position[i]), b = vecd_of(track->position[k]);
        key.t.x = a.x + (b.x - a.x) * bezier(c->c[0], x);
        key.t.y = a.y + (b.y - a.y) * bezier(c->c[1], x);
        key.t.z = a.z + (b.z - a.z) * bezier(c->c[2], x);
    }
    return key;
}

xformd player_key(const od_keys *keys, const char *name, double frame)
{
    return sample(player_track(keys, name), frame, NULL);
}

static double morph_weight(const od_target *target, const od_keys *keys, int morph, double frame)
{
    for (int i = 0; i < keys->morph_count; i++) {
        const od_morph_track *track = &keys->morphs[i];
        if (strcmp(track->name, target->morphs[morph]) != 0) continue;
        double x;
        int k = find_key(track->frame, track->count, frame, &x);
        double a = (double)track->weight[k];
        return x > 0 ? a + x * ((double)track->weight[k + 1] - a) : a;
    }
    return 0;
}

/* Bone morphs by their own weight and by that of each group they are in. */
static void morph(player *p, const od_keys *keys, double frame)
{
    const od_target *target = p->target;
    for (int i = 0; i < target->move_count; i++) {
        const od_morph_move *move = &target->moves[i];
        double weight = morph_weight(target, keys, move->morph, frame);
        for (int k = 0; k < target->member_count; k++)
            if (target->members[k].morph == move->morph)
                weight +=
                    (double)target->members[k].ratio * morph_weight(target, keys, target->members[k].group, frame);
        xformd *key = &p->key[move->bone];
        key->t = vecd_add(key->t, vecd_scale(vecd_of(move->position), weight));
        key->q = quatd_mul(power(quatd_of(move->rotation), weight), key->q);
    }
}

static bool comes_after(const od_target_bone *a, const od_target_bone *b)
{
    int physics_a = (a->flags & OD_BONE_AFTER_PHYSICS) != 0, physics_b = (b->flags & OD_BONE_AFTER_PHYSICS) != 0;
    if (physics_a != physics_b) return physics_a > physics_b;
    return a->deform_order != b->deform_order ? a->deform_order > b->deform_order : a->model_index > b->model_index;
}

static void sort_bones(player *p)
{
    const od_target *target = p->target;
    for (int i = 0; i < target->skeleton.count; i++) {
        int k = i;
        for (; k > 0 && comes_after(&target->bones[p->order[k - 1]], &target->bones[i]); k--)
            p->order[k] = p->order[k - 1];
        p->order[k] = i;
    }
}

static void append(player *p, int bone)
{
    const od_target_bone *b = &p->target->bones[bone];
    p->own[bone] = p->key[bone];
    if (b->append_source < 0) return;
    bool local = (b->flags & OD_BONE_APPEND_LOCAL) != 0;
    const xformd *source = &p->own[b->append_source], *world = &p->world[b->append_source];
    if (b->flags & OD_BONE_APPEND_ROTATION) {
        quatd from = local ? world->q : quatd_mul(p->ik[b->append_source], source->q);
        p->own[bone].q = quatd_mul(p->own[bone].q, power(from, (double)b->append_ratio));
    }
    if (b->flags & OD_BONE_APPEND_TRANSLATION) {
        vecd rest = vecd_of(p->target->skeleton.bones[b->append_source].rest_world.t);
        vecd from = local ? vecd_sub(world->t, rest) : source->t;
        p->own[bone].t = vecd_add(p->own[bone].t, vecd_scale(from, (double)b->append_ratio));
    }
}

static void place(player *p, int bone)
{
    const od_bone *b = &p->target->skeleton.bones[bone];
    xformd local = {quatd_mul(p->ik[bone], p->own[bone].q), vecd_add(vecd_of(b->rest.t), p->own[bone].t)};
    p->world[bone] = b->parent < 0 ? local : xformd_mul(p->world[b->parent], local);
}

/* Places all bones below `above` anew. */
static void place_below(player *p, int above)
{
    bool below[PLAYER_BONES] = {false};
    for (int b = above; b < p->target->skeleton.count; b++) {
        int parent = p->target->skeleton.bones[b].parent;
        below[b] = b == above || (parent >= 0 && below[parent]);
        if (!below[b]) continue;
        append(p, b);
        place(p, b);
    }
}

static double mirror(double angle, double low, double high, bool half)
{
    if (angle < low) return half && 2 * low - angle <= high ? 2 * low - angle : low;
    if (angle > high) return half && 2 * high - angle >= low ? 2 * high - angle : high;
    return angle;
}

/* Clamps the angles of a limited link, by its matrix m[row][column]. */
static quatd clamp_rotation(quatd q, const od_ik_link *link, bool half)
{
    static const double right = 1.5707963267948966, steep = 88 * 0.017453292519943295;
    vecd c[3] = {quatd_rotate(q, AXIS_X), quatd_rotate(q, AXIS_Y), quatd_rotate(q, AXIS_Z)}; /* columns */
    double x, y, z;
    int kind = (double)link->min.x > -right && (double)link->max.x < right   ? 0
               : (double)link->min.y > -right && (double)link->max.y < right ? 1
                                                                             : 2;
    if (kind == 0) { /* Ry Rx Rz */
        x = fmax(-steep, fmin(steep, asin(fmax(-1, fmin(1, -c[2].y)))));
        y = atan2(c[2].x, c[2].z);
        z = atan2(c[0].y, c[1].y);
    } else if (kind == 1) { /* Rz Ry Rx */
        y = fmax(-steep, fmin(steep, asin(fmax(-1, fmin(1, -c[0].z)))));
        x = atan2(c[1].z, c[2].z);
        z = atan2(c[0].y, c[0].x);
    } else { /* Rx Rz Ry */
        z = fmax(-steep, fmin(steep, asin(fmax(-1, fmin(1, -c[1].x)))));
        x = atan2(c[1].z, c[1].y);
        y = atan2(c[2].x, c[0].x);
    }
    quatd rx = quatd_axis(AXIS_X, mirror(x, (double)link->min.x, (double)link->max.x, half) / DEGREE);
    quatd ry = quatd_axis(AXIS_Y, mirror(y, (double)link->min.y, (double)link->max.y, half) / DEGREE);
    quatd rz = quatd_axis(AXIS_Z, mirror(z, (double)link->min.z, (double)link->max.z, half) / DEGREE);
    if (kind == 0) return quatd_mul(quatd_mul(ry, rx), rz);
    return kind == 1 ? quatd_mul(quatd_mul(rz, ry), rx) : quatd_mul(quatd_mul(rx, rz), ry);
}

static bool is_free(const od_ik_link *link, int axis)
{
    return link->min.raw[axis] != 0 || link->max.raw[axis] != 0;
}

static void turn_link(player *p, const od_ik_chain *chain, int index, bool half)
{
    static const vecd axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const od_ik_link *link = &chain->links[index];
    int bone = link->bone, parent = p->target->skeleton.bones[bone].parent, free = 0, only = 0;
    for (int k = 0; k < 3; k++)
        if (is_free(link, k)) free++, only = k;
    if (link->limited && !free) return;
    vecd at = p->world[bone].t;
    vecd have = vecd_sub(at, p->world[chain->effector].t), want = vecd_sub(at, p->world[chain->bone].t);
    if (vecd_norm(have) < 1e-9 || vecd_norm(want) < 1e-9) return;
    have = vecd_unit(have);
    want = vecd_unit(want);
    vecd axis = vecd_cross(have, want);
    if (vecd_dot(axis, axis) < 1e-8) return;
    if (parent >= 0) axis = quatd_rotate(quatd_conj(p->world[parent].q), axis);
    if (half && link->limited && free == 1) axis = vecd_scale(axes[only], vecd_dot(axis, axes[only]) >= 0 ? 1 : -1);
    double angle = fmin((double)chain->limit * (index + 1), acos(fmin(fmax(vecd_dot(have, want), -1), 1)));
    p->ik[bone] = quatd_mul(quatd_axis(axis, angle / DEGREE), p->ik[bone]);
    if (link->limited) {
        quatd whole = clamp_rotation(quatd_mul(p->ik[bone], p->own[bone].q), link, half);
        p->ik[bone] = quatd_mul(whole, quatd_conj(p->own[bone].q));
    }
    place_below(p, bone);
}

static int solve(player *p, const od_ik_chain *chain)
{
    int loops = chain->loops < 256 ? chain->loops : 256;
    vecd goal = p->world[chain->bone].t;
    for (int k = 0; k < chain->link_count; k++) p->ik[chain->links[k].bone] = NO_TURN;
    for (int k = chain->link_count; k--;) place_below(p, chain->links[k].bone);
    for (int i = 0; i < loops; i++) {
        if (vecd_distance(goal, p->world[chain->effector].t) < 1e-4) return i;
        for (int k = 0; k < chain->link_count; k++) turn_link(p, chain, k, i < loops / 2);
    }
    return loops;
}

/* The last key that names the chain and is not after the frame says so. */
static bool is_on(const od_keys *keys, const char *name, double frame)
{
    bool on = true;
    for (int i = 0; i < keys->ik_count && (double)keys->ik[i].frame <= frame; i++)
        for (int k = 0; k < keys->ik[i].count; k++)
            if (!strcmp(keys->ik[i].switches[k].name, name)) on = keys->ik[i].switches[k].on;
    return on;
}

int player_frame(const od_target *target, const od_keys *keys, double frame, bool ik, xformd *world)
{
    static const player NEW = {0};
    player p = NEW;
    int count = target->skeleton.count, loops = 0;
    assert(count <= PLAYER_BONES);
    p.target = target;
    p.world = world;
    sort_bones(&p);
    for (int b = 0; b < count; b++) {
        vecd axis = vecd_of(target->bones[b].fixed_axis);
        bool fixed = target->bones[b].flags & OD_BONE_FIXED_AXIS;
        p.key[b] = sample(player_track(keys, target->skeleton.bones[b].name), frame, fixed ? &axis : NULL);
        p.ik[b] = NO_TURN;
    }
    morph(&p, keys, frame);
    memcpy(p.own, p.key, sizeof p.own);
    for (int b = 0; b < count; b++) place(&p, b); /* what an early child sees of a late parent */
    for (int i = 0; i < count; i++) {
        int b = p.order[i];
        append(&p, b);
        place(&p, b);
        for (int c = 0; ik && c < target->ik_count; c++)
            if (target->ik[c].bone == b && is_on(keys, target->skeleton.bones[b].name, frame))
                loops += solve(&p, &target->ik[c]);
    }
    return loops;
}
