/* Input: values one by one. Output: mean, quantiles, maximum. The upper bits of a float, exponent and
 * seven of the mantissa, number its bin. */
#include "math/spread.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { DROPPED = 16, FIRST = (127 - 20) * 128 }; /* bits below a bin; the bin of 2^-20 */

static int bin_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    int bin = (int)(bits >> DROPPED) - FIRST;
    return bin < 0 ? 0 : bin < OD_SPREAD_BINS ? bin : OD_SPREAD_BINS - 1;
}

/* Middle of a bin; the first holds all that is next to nothing. */
static float value_of(int bin)
{
    uint32_t bits = (uint32_t)(bin + FIRST) << DROPPED | 1U << (DROPPED - 1);
    float value;
    memcpy(&value, &bits, sizeof value);
    return bin ? value : 0;
}

bool od_spread_add(od_spread *spread, float value)
{
    bool largest = !spread->count || value > spread->max;
    if (largest) spread->max = value;
    spread->bin[bin_of(value)]++;
    spread->sum += (double)value;
    spread->count++;
    return largest;
}

float od_spread_quantile(const od_spread *spread, float share)
{
    double below = 0;
    for (int i = 0; i < OD_SPREAD_BINS; i++) {
        below += spread->bin[i];
        if (below > 0 && below >= (double)share * spread->count) return fminf(value_of(i), spread->max);
    }
    return spread->max;
}

float od_spread_mean(const od_spread *spread)
{
    return spread->count ? (float)(spread->sum / spread->count) : 0;
}
