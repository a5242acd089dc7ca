/*
 * axis: maps numbers to places and chooses tick marks that are 1, 2 or 5 times a power of ten
 * apart.
 *
 * Invariant: low < high, and both are positive on a logarithmic axis. Ticks lie in low..high.
 */
#ifndef TETROPT_DRAW_AXIS_H
#define TETROPT_DRAW_AXIS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Axis {
    double low, high;
    bool log;
    bool whole;      /* ticks are integers */
    double from, to; /* the places of low and high */
} Axis;

/* An axis for data in low..high (which may be equal, or low > high for no data at all), a little
 * longer than the data. `zero` begins it at 0. */
Axis axis_for(double low, double high, bool log, bool zero);

/* Makes a logarithmic axis longer, too, which axis_for leaves as long as its data. */
void axis_add_log_air(Axis *axis);

/* The place of a value. On a logarithmic axis values that are not positive go to its beginning. */
double axis_place(const Axis *axis, double value);

enum { AXIS_MAX_TICKS = 32, AXIS_LABEL_BYTES = 24 };

typedef struct AxisTicks {
    double values[AXIS_MAX_TICKS];
    char labels[AXIS_MAX_TICKS][AXIS_LABEL_BYTES];
    int count;
} AxisTicks;

/* About `wanted` ticks (2 and more), with labels: 12000 is 12k, and a minus is U+2212. */
void axis_ticks(const Axis *axis, int wanted, AxisTicks *ticks);

#endif
