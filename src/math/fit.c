/* Input: wanted values between two keys and how far each may be missed. Output: control points.
 *
 * For fixed x1 and x2 the frame says the curve's parameter s, and y is linear in y1 and y2:
 *     y = 3 s (1-s)^2 y1 + 3 s^2 (1-s) y2 + s^3,
 * so those two are a least-squares problem in a box. (x1, x2) is searched on a grid, from coarse to fine.
 * A sum of squares above the number of frames proves that no y1, y2 serve there. */
#include "math/fit.h"

#include <math.h>

#include "math/bezier.h"

/* Places for x1 and x2 are 0 to 128, the last of which means 127 too; on the grid they are GRID apart, and
 * looked at first those COARSE apart. */
enum { PLACES = 128, GRID = 8, COARSE = 32, SIDE = PLACES / GRID + 1, CELLS = SIDE * SIDE };
/* A sum of squares may be so many times the number of frames for nearer places to be looked at: on the grid,
 * and between its places. */
static const double HOPE = 4, FINE = 2;
static const unsigned char straight[4] = {20, 20, 107, 107};

/* Where the control points are, and what is best there. */
typedef struct place {
    int x1, x2;
    double y1, y2; /* 0 to 1 */
    double sum;    /* of the weighted squares that are left */
} place;

bool od_fitter_make(od_fitter *fitter, bool linear, od_arena *arena, od_error *error)
{
    *fitter = (od_fitter){.linear = linear, .arena = arena, .error = error};
    fitter->parameters = OD_NEW(arena, float *, (size_t)(OD_FIT_CURVED + 1) * CELLS, error);
    return fitter->parameters != NULL;
}

static unsigned char byte_of(int at)
{
    return (unsigned char)(at < 127 ? at : 127);
}

static void find_parameters(int x1, int x2, int length, float *parameter)
{
    for (int f = 1; f < length; f++)
        parameter[f] = (float)od_bezier_parameter(byte_of(x1), byte_of(x2), (double)f / length);
}

/* The curve's parameter at each frame, kept for places on the grid; NULL when memory is out. */
static const float *parameters_at(od_fitter *fitter, int length, int x1, int x2)
{
    if (x1 % GRID || x2 % GRID) {
        if (fitter->fine_at[0] != length || fitter->fine_at[1] != x1 || fitter->fine_at[2] != x2)
            find_parameters(x1, x2, length, fitter->fine);
        fitter->fine_at[0] = length;
        fitter->fine_at[1] = x1;
        fitter->fine_at[2] = x2;
        return fitter->fine;
    }
    float **at = &fitter->parameters[length * CELLS + x1 / GRID * SIDE + x2 / GRID];
    float *made = *at;
    if (made) return made;
    if (!(made = OD_NEW(fitter->arena, float, (size_t)length, fitter->error))) return NULL;
    find_parameters(x1, x2, length, made);
    return *at = made;
}

static bool line_fits(od_fitter *fitter, int length, float end)
{
    float step = end / (float)length;
    for (int f = 1; f < length; f++) {
        fitter->miss[f] = step * (float)f - fitter->want[f];
        if (!(fabsf(fitter->miss[f]) <= fitter->slack[f])) return false;
    }
    return true;
}

/* Curves rise from 0 to 1 and never fall. Fills `ratio` and `weight`. */
static bool can_rise(od_fitter *fitter, int length, float end)
{
    float low = 0;
    if (end == 0) return false;
    for (int f = 1; f < length; f++) {
        float y = fitter->want[f] / end, slack = fitter->slack[f] / fabsf(end);
        if (low < y - slack) low = y - slack;
        if (!(y + slack >= low) || low > 1) return false;
        fitter->ratio[f] = y;
        fitter->weight[f] = 1 / ((double)slack * (double)slack);
    }
    return true;
}

typedef struct normal {
    double a11, a12, a22, r1, r2, square; /* matrix, right side, sum of squares without y1 and y2 */
} normal;

static double sum_at(const normal *n, double y1, double y2)
{
    return n->square - 2 * (n->r1 * y1 + n->r2 * y2) + n->a11 * y1 * y1 + 2 * n->a12 * y1 * y2 + n->a22 * y2 * y2;
}

static double clamp(double value)
{
    return value > 0 ? value < 1 ? value : 1 : 0;
}

static void try_edge(const normal *n, double y1, double y2, place *best)
{
    double sum = sum_at(n, y1, y2);
    if (sum < best->sum) {
        best->sum = sum;
        best->y1 = y1;
        best->y2 = y2;
    }
}

/* The least sum in the box, which is inside or on an edge. */
static void solve_box(const normal *n, place *best)
{
    double det = n->a11 * n->a22 - n->a12 * n->a12;
    best->sum = (double)INFINITY;
    if (det > 1e-12 * n->a11 * n->a22) {
        double y1 = (n->r1 * n->a22 - n->r2 * n->a12) / det, y2 = (n->r2 * n->a11 - n->r1 * n->a12) / det;
        if (y1 >= 0 && y1 <= 1 && y2 >= 0 && y2 <= 1) {
            try_edge(n, y1, y2, best);
            return;
        }
    }
    for (int side = 0; side < 2; side++) {
        try_edge(n, side, n->a22 > 0 ? clamp((n->r2 - side * n->a12) / n->a22) : 0, best);
        try_edge(n, n->a11 > 0 ? clamp((n->r1 - side * n->a12) / n->a11) : 0, side, best);
    }
}

static bool solve_place(od_fitter *fitter, int length, place *at)
{
    const float *parameter = parameters_at(fitter, length, at->x1, at->x2);
    normal n = {0};
    if (!parameter) return false;
    for (int f = 1; f < length; f++) {
        double s = (double)parameter[f], u = 1 - s, b1 = 3 * s * u * u, b2 = 3 * s * s * u;
        double rest = (double)fitter->ratio[f] - s * s * s, w = fitter->weight[f];
        n.a11 += w * b1 * b1;
        n.a12 += w * b1 * b2;
        n.a22 += w * b2 * b2;
        n.r1 += w * b1 * rest;
        n.r2 += w * b2 * rest;
        n.square += w * rest * rest;
    }
    solve_box(&n, at);
    return true;
}

/* The largest miss by its slack, with control points as the file has them; misses are kept. */
static double worst_miss(od_fitter *fitter, int length, float end, const place *at, unsigned char points[4])
{
    const float *parameter = parameters_at(fitter, length, at->x1, at->x2);
    double worst = 0;
    points[0] = byte_of(at->x1);
    points[1] = (unsigned char)lrint(127 * at->y1);
    points[2] = byte_of(at->x2);
    points[3] = (unsigned char)lrint(127 * at->y2);
    double y1 = points[1] / 127.0, y2 = points[3] / 127.0;
    for (int f = 1; f < length; f++) {
        double s = (double)parameter[f], u = 1 - s, y = 3 * s * u * (u * y1 + s * y2) + s * s * s;
        fitter->miss[f] = (float)((double)end * y - (double)fitter->want[f]);
        double miss = (double)(fabsf(fitter->miss[f]) / fitter->slack[f]);
        if (miss > worst) worst = miss;
    }
    return worst;
}

/* Does a place serve? Where the sum of squares is small enough but one frame sticks out, that is given more
 * weight (C. L. Lawson's way from least squares to the least largest miss). */
static bool place_fits(od_fitter *fitter, int length, float end, place *at, unsigned char points[4])
{
    enum { ROUNDS = 3 };
    double kept[OD_FIT_CURVED];
    if (!(at->sum <= length - 1)) return false;
    double worst = worst_miss(fitter, length, end, at, points);
    if (worst <= 1) return true;
    for (int f = 1; f < length; f++) kept[f] = fitter->weight[f];
    for (int round = 0; round < ROUNDS && worst > 1 && worst < 2; round++) {
        for (int f = 1; f < length; f++) fitter->weight[f] *= 0.1 + (double)(fabsf(fitter->miss[f]) / fitter->slack[f]);
        place next = *at;
        if (!solve_place(fitter, length, &next)) break;
        worst = worst_miss(fitter, length, end, &next, points);
    }
    for (int f = 1; f < length; f++) fitter->weight[f] = kept[f];
    return worst <= 1;
}

/* Looks at a place; true when the search is over because it serves. */
static bool look(od_fitter *fitter, int length, float end, int x1, int x2, place *best, unsigned char points[4])
{
    place at = {.x1 = x1, .x2 = x2};
    if (x1 < 0 || x2 < 0 || x1 > PLACES || x2 > PLACES) return false;
    if (!solve_place(fitter, length, &at)) return false;
    if (at.sum < best->sum) *best = at;
    return place_fits(fitter, length, end, &at, points);
}

/* Goes from the best place to a better one `step` away as long as there is one. */
static bool descend(od_fitter *fitter, int length, float end, int step, place *best, unsigned char points[4])
{
    static const int way[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
    place before;
    do {
        before = *best;
        for (int i = 0; i < 8; i++)
            if (look(fitter, length, end, before.x1 + step * way[i][0], before.x2 + step * way[i][1], best, points))
                return true;
    } while (best->sum < before.sum);
    return false;
}

static bool curve_fits(od_fitter *fitter, int length, float end, unsigned char points[4])
{
    /* From the middle of the grid outwards: most short segments are met there. */
    static const unsigned char coarse[] = {12, 7, 17, 11, 13, 6, 18, 8,  16, 2,  22, 10, 14,
                                           1,  3, 21, 23, 5,  9, 15, 19, 0,  24, 4,  20};
    place best = {.sum = (double)INFINITY};
    for (int i = 0; i < (int)sizeof coarse; i++)
        if (look(fitter, length, end, coarse[i] / 5 * COARSE, coarse[i] % 5 * COARSE, &best, points)) return true;
    for (int step = COARSE / 2; step; step /= 2) {
        /* A finer place is never that much better. */
        if (best.sum > (step < GRID ? FINE : HOPE) * length) return false;
        if (descend(fitter, length, end, step, &best, points)) return true;
    }
    return false;
}

bool od_fit_curve(od_fitter *fitter, int length, float end, unsigned char points[4])
{
    for (int i = 0; i < 4; i++) points[i] = straight[i];
    if (line_fits(fitter, length, end)) return true;
    if (fitter->linear || length > OD_FIT_CURVED || !can_rise(fitter, length, end)) return false;
    return curve_fits(fitter, length, end, points);
}
