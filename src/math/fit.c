/* Input: wanted values between two keys and how far each may be missed. Output: control points.
 *
 * For fixed x1 and x2 the frame says the curve's parameter s, and y is linear in y1 and y2:
 *     y = 3 s (1-s)^2 y1 + 3 s^2 (1-s) y2 + s^3,
 * so those two are a least-squares problem in a box. (x1, x2) is searched on a grid, from coarse to fine.
 * A sum of squares above the number of samples proves that no y1, y2 serve there. */
#include "math/fit.h"

#include <math.h>

#include "math/bezier.h"

/* Places for x1 and x2 are 0 to 128, the last of which means 127 too; on the grid they are GRID apart, and
 * looked at first those COARSE apart. */
enum { PLACES = 128, GRID = 8, COARSE = 32, SIDE = PLACES / GRID + 1, CELLS = SIDE * SIDE };
/* The search goes on between the places of the grid, down to FINEST, when the sum of squares is at most so many
 * times the number of samples: finer places are never that much better. */
static const double HOPE = 8, FINE = 4;
enum { FINEST = 4 };
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

/* The curve's parameter at each sample, for a place on the grid; NULL when memory is out. */
static const float *grid_parameters(od_fitter *fitter, int length, int x1, int x2)
{
    float **at = &fitter->parameters[length * CELLS + x1 / GRID * SIDE + x2 / GRID];
    float *made = *at;
    if (made) return made;
    if (!(made = OD_NEW(fitter->arena, float, (size_t)fitter->samples, fitter->error))) return NULL;
    double s = 0;
    for (int i = 0; i < fitter->samples; i++) {
        double x = (double)fitter->frame[i] / length;
        made[i] = (float)(s = od_bezier_parameter(byte_of(x1), byte_of(x2), x, s + 1.0 / length));
    }
    return *at = made;
}

/* The same for any place; between those of the grid it is kept until another is asked for. */
static const float *parameters_at(od_fitter *fitter, int length, int x1, int x2)
{
    if (x1 % GRID == 0 && x2 % GRID == 0) return grid_parameters(fitter, length, x1, x2);
    if (fitter->fine_at[0] == length && fitter->fine_at[1] == x1 && fitter->fine_at[2] == x2) return fitter->fine;
    const float *near = grid_parameters(fitter, length, x1 - x1 % GRID, x2 - x2 % GRID);
    fitter->fine_at[0] = length;
    fitter->fine_at[1] = x1;
    fitter->fine_at[2] = x2;
    for (int i = 0; near && i < fitter->samples; i++)
        fitter->fine[i] =
            (float)od_bezier_parameter(byte_of(x1), byte_of(x2), (double)fitter->frame[i] / length, (double)near[i]);
    return near ? fitter->fine : NULL;
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

/* Curves rise from 0 to 1 and never fall. */
static bool can_rise(const od_fitter *fitter, int length, float end)
{
    float low = 0;
    if (end == 0) return false;
    for (int f = 1; f < length; f++) {
        float y = fitter->want[f] / end, slack = fitter->slack[f] / fabsf(end);
        if (low < y - slack) low = y - slack;
        if (!(y + slack >= low) || low > 1) return false;
    }
    return true;
}

/* All frames of a short segment, of a long one some that lie evenly. */
static void choose_samples(od_fitter *fitter, int length, float end)
{
    int inner = length - 1, count = inner < OD_FIT_SAMPLES ? inner : OD_FIT_SAMPLES;
    fitter->samples = count;
    for (int i = 0; i < count; i++) {
        int f = fitter->frame[i] = 1 + (2 * i + 1) * inner / (2 * count);
        double slack = (double)(fitter->slack[f] / end);
        fitter->ratio[i] = (double)(fitter->want[f] / end);
        fitter->weight[i] = 1 / (slack * slack);
    }
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
    for (int i = 0; i < fitter->samples; i++) {
        double s = (double)parameter[i], u = 1 - s, b1 = 3 * s * u * u, b2 = 3 * s * s * u;
        double rest = fitter->ratio[i] - s * s * s, w = fitter->weight[i];
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

/* The control points as the file has them, and the square of the largest miss of a sample by its slack; each
 * sample's goes to `misses`. */
static double worst_sample(od_fitter *fitter, int length, const place *at, const double *weight, double *misses,
                           unsigned char points[4])
{
    const float *parameter = parameters_at(fitter, length, at->x1, at->x2);
    double worst = 0;
    points[0] = byte_of(at->x1);
    points[1] = (unsigned char)lrint(127 * at->y1);
    points[2] = byte_of(at->x2);
    points[3] = (unsigned char)lrint(127 * at->y2);
    for (int i = 0; parameter && i < fitter->samples; i++) {
        double miss = od_bezier_at(points, (double)parameter[i]) - fitter->ratio[i];
        misses[i] = weight[i] * miss * miss;
        if (misses[i] > worst) worst = misses[i];
    }
    return worst;
}

/* Are all frames within their slacks? Fills `miss`. */
static bool all_fit(od_fitter *fitter, int length, float end, const unsigned char points[4])
{
    double s = 0;
    for (int f = 1; f < length; f++) {
        s = od_bezier_parameter(points[0], points[2], (double)f / length, s + 1.0 / length);
        fitter->miss[f] = (float)((double)end * od_bezier_at(points, s) - (double)fitter->want[f]);
        if (!(fabsf(fitter->miss[f]) <= fitter->slack[f])) return false;
    }
    return true;
}

/* Does a place serve? Where the sum of squares is small enough but one frame sticks out, that is given more
 * weight (C. L. Lawson's way from least squares to the least largest miss). */
static bool place_fits(od_fitter *fitter, int length, float end, place at, bool keen, unsigned char points[4])
{
    enum { ROUNDS = 3 };
    double kept[OD_FIT_SAMPLES] = {0}, misses[OD_FIT_SAMPLES] = {0};
    if (!(at.sum <= fitter->samples)) return false;
    for (int i = 0; i < fitter->samples; i++) kept[i] = fitter->weight[i];
    double worst = worst_sample(fitter, length, &at, kept, misses, points);
    bool fits = worst <= 1 && all_fit(fitter, length, end, points);
    for (int round = 0; keen && round < ROUNDS && !fits && worst < 4; round++) {
        for (int i = 0; i < fitter->samples; i++) fitter->weight[i] *= 0.1 + sqrt(misses[i]);
        if (!solve_place(fitter, length, &at)) break;
        worst = worst_sample(fitter, length, &at, kept, misses, points);
        fits = worst <= 1 && all_fit(fitter, length, end, points);
    }
    for (int i = 0; i < fitter->samples; i++) fitter->weight[i] = kept[i];
    return fits;
}

/* Looks at a place; true when the search is over because it serves. */
static bool look(od_fitter *fitter, int length, float end, place *at, double least, unsigned char points[4])
{
    at->sum = (double)INFINITY;
    if (at->x1 < 0 || at->x2 < 0 || at->x1 > PLACES || at->x2 > PLACES) return false;
    return solve_place(fitter, length, at) && place_fits(fitter, length, end, *at, at->sum < least, points);
}

/* The sums at a place and around it. */
typedef struct surface {
    double sum[3][3];
} surface;

/* Goes from the best place to a better one `step` away as long as there is one; what is around the last of them
 * is left in `around`. */
static bool descend(od_fitter *fitter, int length, float end, int step, place *best, surface *around,
                    unsigned char points[4])
{
    static const int way[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
    place before;
    do {
        before = *best;
        around->sum[1][1] = before.sum;
        for (int i = 0; i < 8; i++) {
            place at = {.x1 = before.x1 + step * way[i][0], .x2 = before.x2 + step * way[i][1]};
            if (look(fitter, length, end, &at, best->sum, points)) return true;
            if (at.sum < best->sum) *best = at;
            around->sum[1 + way[i][0]][1 + way[i][1]] = at.sum;
        }
    } while (best->sum < before.sum);
    return false;
}

/* Where a parabola through the sums has its bottom, which lies between the places. */
static bool bottom_fits(od_fitter *fitter, int length, float end, int step, place *best, const surface *around,
                        unsigned char points[4])
{
    const double(*sum)[3] = around->sum;
    double g1 = (sum[2][1] - sum[0][1]) / 2, g2 = (sum[1][2] - sum[1][0]) / 2;
    double h11 = sum[2][1] - 2 * sum[1][1] + sum[0][1], h22 = sum[1][2] - 2 * sum[1][1] + sum[1][0];
    double h12 = (sum[2][2] - sum[2][0] - sum[0][2] + sum[0][0]) / 4, det = h11 * h22 - h12 * h12;
    double d1 = (g2 * h12 - g1 * h22) / det, d2 = (g1 * h12 - g2 * h11) / det;
    if (!(det > 0 && fabs(d1) <= 1 && fabs(d2) <= 1)) return false; /* also beside the edge of the square */
    place at = {.x1 = best->x1 + (int)lrint(step * d1), .x2 = best->x2 + (int)lrint(step * d2)};
    if (look(fitter, length, end, &at, best->sum, points)) return true;
    if (at.sum < best->sum) *best = at;
    return false;
}

static bool curve_fits(od_fitter *fitter, int length, float end, unsigned char points[4])
{
    /* From the middle of the grid outwards: most short segments are met there. */
    static const unsigned char coarse[] = {12, 7, 17, 11, 13, 6, 18, 8,  16, 2,  22, 10, 14,
                                           1,  3, 21, 23, 5,  9, 15, 19, 0,  24, 4,  20};
    place best = {.sum = (double)INFINITY};
    surface around;
    for (int i = 0; i < (int)sizeof coarse; i++) {
        place at = {.x1 = coarse[i] / 5 * COARSE, .x2 = coarse[i] % 5 * COARSE};
        if (look(fitter, length, end, &at, best.sum, points)) return true;
        if (at.sum < best.sum) best = at;
    }
    for (int step = COARSE / 2; step >= FINEST; step /= 2) {
        if (best.sum > (step < GRID ? FINE : HOPE) * fitter->samples) return false;
        if (descend(fitter, length, end, step, &best, &around, points)) return true;
        if (step <= GRID && bottom_fits(fitter, length, end, step, &best, &around, points)) return true;
    }
    return false;
}

bool od_fit_curve(od_fitter *fitter, int length, float end, unsigned char points[4])
{
    for (int i = 0; i < 4; i++) points[i] = straight[i];
    if (line_fits(fitter, length, end)) return true;
    if (fitter->linear || length > OD_FIT_CURVED || !can_rise(fitter, length, end)) return false;
    choose_samples(fitter, length, end);
    return curve_fits(fitter, length, end, points);
}
