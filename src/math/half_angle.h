/* Half an angle's sine and cosine, the parts of a quaternion. */
#ifndef ODORI_MATH_HALF_ANGLE_H
#define ODORI_MATH_HALF_ANGLE_H

#include <math.h>

/* Sine and cosine of half an angle in degrees, to 1e-9, or both negated: a quaternion and its
 * negative are one rotation. By series within half a turn, without a branch: the mathematical
 * library's own differ in the last bit from machine to machine. */
static inline void od_half_angle(double degrees, double *sine, double *cosine)
{
    static const double TO_HALF_RADIANS = 3.14159265358979323846 / 360;
    double x = (degrees - 360.0 * (double)llrint(degrees * (1.0 / 360))) * TO_HALF_RADIANS;
    double y = x * x;
    *sine = x * (1 + y * (-1.0 / 6 +
                          y * (1.0 / 120 + y * (-1.0 / 5040 +
                                                y * (1.0 / 362880 + y * (-1.0 / 39916800 + y * (1.0 / 6227020800)))))));
    *cosine =
        1 + y * (-1.0 / 2 +
                 y * (1.0 / 24 +
                      y * (-1.0 / 720 + y * (1.0 / 40320 + y * (-1.0 / 3628800 +
                                                                y * (1.0 / 479001600 + y * (-1.0 / 87178291200)))))));
}

#endif
