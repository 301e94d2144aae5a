/* Input: where the ankle is when the leg is copied, where it is when the foot is placed, how much the foot is
 * on the floor. Output: what to add to the copied ankle.
 *
 * What is added, e, is small, changes smoothly, lets a standing foot move as the placed one moves (which is not
 * at all, most of the time), and brings it to the placed one's height. With a = copied - placed, e is where
 *
 *     sum of |e|^2 + SMOOTH |e''|^2  +  along the floor: hold |e' + a'|^2,  in height: stand (e + a)^2
 *
 * is least: so legs keep their directions and feet do not slide, whatever the proportions; what gives is where
 * on the floor a step falls. As e is smooth no foot jumps that does not jump in the source, and as all frames
 * are solved at once a foot starts to give way before it comes down, not when it is there. */
#include "retarget/foot.h"

static const double SMOOTH = 10; /* e bends over some four frames */
static const double SMOOTH_HIPS = 30;

/* A change of e by a unit in a frame costs this (twice as much with each degree of firmness), shared by the units
 * that the foot moves anyway: a change shows on a foot at rest, and hides in a step. */
static const double HOLD = 50, REST_SPEED = 0.002;

/* With each degree of firmness a foot moves by this share less than the source's, to make up for what e adds. */
static const double DAMP = 0.01;

static const double SELF[] = {1}, STEP[] = {-1, 1}, BEND[] = {1, -2, 1};

bool od_ease_make(od_ease *ease, int frames, od_arena *arena, od_error *error)
{
    size_t n = (size_t)frames;
    ease->x = OD_NEW(arena, double, n, error);
    ease->y = OD_NEW(arena, double, n, error);
    ease->z = OD_NEW(arena, double, n, error);
    return ease->x && ease->y && ease->z && od_band_make(&ease->band, frames, arena, error);
}

/* The terms that any e has: small and smooth. */
static void begin(od_ease *ease, double smooth)
{
    int frames = ease->band.count;
    od_band_clear(&ease->band);
    for (int f = 0; f < frames; f++) {
        ease->x[f] = ease->y[f] = ease->z[f] = 0;
        od_band_add(&ease->band, f, SELF, 1, 1);
        if (f + 2 < frames) od_band_add(&ease->band, f, BEND, 3, smooth);
    }
}

static vec3s apart(const od_foot *foot, int frame)
{
    return glms_vec3_sub(foot->copied[frame], foot->placed[frame]);
}

/* The step from a frame to the next one is to be the placed foot's. */
static void add_step(const od_foot *foot, int frame, double weight, int firm, od_ease *ease)
{
    vec3s way = glms_vec3_sub(glms_vec3_add(foot->placed[frame + 1], foot->ball[frame + 1]),
                              glms_vec3_add(foot->placed[frame], foot->ball[frame]));
    vec3s change = glms_vec3_sub(apart(foot, frame + 1), apart(foot, frame));
    double hold = HOLD * (1 << firm) * weight / (REST_SPEED + (double)foot->step[frame + 1]);
    double damp = DAMP * firm;
    double x = hold * ((double)change.x + damp * (double)way.x), z = hold * ((double)change.z + damp * (double)way.z);
    od_band_add(&ease->band, frame, STEP, 2, hold);
    ease->x[frame] += x;
    ease->x[frame + 1] -= x;
    ease->z[frame] += z;
    ease->z[frame + 1] -= z;
}

void od_foot_ease_plane(od_foot *foot, const float *weight, int firm, od_ease *ease)
{
    begin(ease, SMOOTH);
    for (int f = 0; f + 1 < foot->frames; f++)
        if (weight[f + 1] > 0) add_step(foot, f, (double)weight[f + 1], firm, ease);
    od_band_factor(&ease->band);
    od_band_solve(&ease->band, ease->x);
    od_band_solve(&ease->band, ease->z);
    for (int f = 0; f < foot->frames; f++) foot->by[f] = od_vec3((float)ease->x[f], foot->by[f].y, (float)ease->z[f]);
}

/* The foot is to be at the placed one's height by as much as it is on the floor: not smoothed, this would make
 * e = -weight a. */
void od_foot_ease_height(od_foot *foot, const float *weight, od_ease *ease)
{
    begin(ease, SMOOTH);
    for (int f = 0; f < foot->frames; f++) {
        double stand = (double)weight[f] / (1.0003 - (double)weight[f]);
        od_band_add(&ease->band, f, SELF, 1, stand);
        ease->y[f] = -stand * (double)apart(foot, f).y;
    }
    od_band_factor(&ease->band);
    od_band_solve(&ease->band, ease->y);
    for (int f = 0; f < foot->frames; f++) foot->by[f].y = (float)ease->y[f];
}

/* Scaled hips are right for a straight leg only: in a crouch thighs and shins of other proportions would have to
 * bend more or less, in a stride to reach further or not so far. So the hips take over what standing feet are
 * moved by, as far as both have it in common, the more for the one whose leg suffers more from it. */
void od_hips_ease(const od_foot foot[2], float *const weight[2], vec3s *way, od_ease *ease)
{
    begin(ease, SMOOTH_HIPS);
    for (int f = 0; f < foot->frames; f++)
        for (int side = 0; side < 2; side++) {
            vec3s by = glms_vec3_sub(od_foot_goal(&foot[side], f), foot[side].copied[f]);
            double share = (double)(weight[side][f] * foot[side].strain[f]);
            od_band_add(&ease->band, f, SELF, 1, share);
            ease->x[f] += share * (double)by.x;
            ease->y[f] += share * (double)by.y;
            ease->z[f] += share * (double)by.z;
        }
    od_band_factor(&ease->band);
    od_band_solve(&ease->band, ease->x);
    od_band_solve(&ease->band, ease->y);
    od_band_solve(&ease->band, ease->z);
    for (int f = 0; f < foot->frames; f++) way[f] = od_vec3((float)ease->x[f], (float)ease->y[f], (float)ease->z[f]);
}
