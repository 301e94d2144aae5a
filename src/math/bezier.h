/* The curve between two keys of a VMD. */
#ifndef ODORI_MATH_BEZIER_H
#define ODORI_MATH_BEZIER_H

/* y at x in [0, 1] of the cubic Bezier curve from (0, 0) to (1, 1) with control points (x1, y1) and
 * (x2, y2), points[4] = x1 y1 x2 y2 in 127ths. Exact to 1e-6; 0 and 1 are met exactly, and x is
 * returned where both control points lie on the diagonal. */
double od_bezier(const unsigned char points[4], double x);

/* Where on the curve x in [0, 1] is reached: its parameter, for control points at x1 and x2. The search begins at
 * `near` in (0, 1), which is faster the nearer it is. */
double od_bezier_parameter(unsigned char x1, unsigned char x2, double x, double near);

/* The curve at a parameter. */
double od_bezier_at(const unsigned char points[4], double parameter);

#endif
