/*
 * normal: Marsaglia's polar method with the logarithm of real.h; the square root is exact by IEEE.
 */
#include "base/normal.h"

#include "base/real.h"

#include <math.h>

double normal_draw(Rng *rng) {
    for (;;) {
        double x = 2 * rng_real(rng) - 1, y = 2 * rng_real(rng) - 1;
        double square = x * x + y * y;
        if (square > 0 && square < 1)
            return x * sqrt(-2 * real_log(square) / square);
    }
}
