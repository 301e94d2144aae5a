/* Input: control points and x. Output: y. x is solved for the curve's parameter in double precision:
 * Newton's steps, kept between bounds that close in, for the slope may vanish inside. */
#include "math/bezier.h"

#include <math.h>
#include <stdbool.h>

/* Of x(s) = ((a s + b) s + c) s. */
typedef struct cubic {
    double a, b, c;
} cubic;

static cubic cubic_of(double p1, double p2)
{
    return (cubic){1 + 3 * (p1 - p2), 3 * (p2 - 2 * p1), 3 * p1};
}

static double cubic_at(cubic k, double s)
{
    return ((k.a * s + k.b) * s + k.c) * s;
}

static double solve(cubic k, double x, double near)
{
    const double exact = 1e-12;
    double low = 0, high = 1, s = near;
    for (int i = 0; i < 64; i++) {
        double miss = cubic_at(k, s) - x;
        if (fabs(miss) < exact) break;
        if (miss > 0) high = s;
        else low = s;
        double slope = (3 * k.a * s + 2 * k.b) * s + k.c;
        double next = s - miss / slope;
        s = next > low && next < high ? next : 0.5 * (low + high); /* also when the slope is zero */
    }
    return s;
}

double od_bezier_parameter(unsigned char x1, unsigned char x2, double x, double near)
{
    const double full = 127;
    if (!(x > 0)) return 0;
    if (x >= 1) return 1;
    /* x1 = 1, x2 = 0 makes x(s) = 0.5 + 4 (s - 0.5)^3, flat at its middle: no iteration is exact there. */
    if (x1 == 127 && x2 == 0) return 0.5 + cbrt((x - 0.5) / 4);
    return solve(cubic_of(x1 / full, x2 / full), x, near > 0 && near < 1 ? near : x);
}

double od_bezier_at(const unsigned char points[4], double parameter)
{
    const double full = 127;
    return cubic_at(cubic_of(points[1] / full, points[3] / full), parameter);
}

double od_bezier(const unsigned char points[4], double x)
{
    if (!(x > 0)) return 0;
    if (x >= 1) return 1;
    if (points[0] == points[1] && points[2] == points[3]) return x;
    return od_bezier_at(points, od_bezier_parameter(points[0], points[2], x, x));
}
