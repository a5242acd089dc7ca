/* axis: extents with some space around the data, places of values, ticks and their labels. */
#include "draw/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AIR 0.04 /* of the data's range, on either side */

/* 1, 2 or 5 times a power of ten, at least `least`. */
static double nice_step(double least) {
    double power = pow(10, floor(log10(least)));
    double part = least / power;
    return power * (part <= 1.000001 ? 1 : part <= 2.000001 ? 2 : part <= 5.000001 ? 5 : 10);
}

Axis axis_for(double low, double high, bool log, bool zero) {
    Axis axis = {.low = low, .high = high, .log = log, .to = 1};
    if (!(low <= high))
        axis.low = log ? 1 : 0, axis.high = 1;
    if (log) {
        axis.low = axis.low > 0 ? axis.low : 1e-3;
        axis.high = fmax(axis.high, axis.low);
        if (axis.high < axis.low * 1.5)
            axis.low /= 1.5, axis.high *= 1.5;
        return axis;
    }
    if (zero) {
        axis.low = fmin(axis.low, 0);
        axis.high = fmax(axis.high, 0);
    }
    if (axis.high - axis.low <= 1e-12 * fmax(fabs(axis.low), fabs(axis.high)))
        axis.low -= fmax(1, fabs(axis.low) * 0.05) * !(zero && axis.low == 0),
            axis.high += fmax(1, fabs(axis.high) * 0.05);
    double air = (axis.high - axis.low) * AIR;
    axis.low -= zero && axis.low == 0 ? 0 : air;
    axis.high += zero && axis.high == 0 ? 0 : air;
    return axis;
}

void axis_add_log_air(Axis *axis) {
    double air = pow(axis->high / axis->low, AIR);
    axis->low /= air;
    axis->high *= air;
}

double axis_place(const Axis *axis, double value) {
    double part;
    if (axis->log)
        part = value > 0 ? log(value / axis->low) / log(axis->high / axis->low) : 0;
    else
        part = (value - axis->low) / (axis->high - axis->low);
    return axis->from + part * (axis->to - axis->from);
}

/* Whether x lies on the axis, rounding forgiven. */
static bool inside(const Axis *axis, double x) {
    double slack = 1e-9 * (axis->high - axis->low);
    return axis->log ? x >= axis->low * (1 - 1e-9) && x <= axis->high * (1 + 1e-9)
                     : x >= axis->low - slack && x <= axis->high + slack;
}

/* `step` is the distance to the next tick and says how many digits are needed. */
static void write_label(double value, double step, char label[AXIS_LABEL_BYTES]) {
    static const struct {
        double unit;
        const char *suffix;
    } units[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    double size = fmax(fabs(value), step), unit = 1;
    const char *suffix = "";
    for (size_t i = 0; i < sizeof units / sizeof *units && unit == 1; i++)
        if (size >= units[i].unit * (units[i].unit == 1e3 ? 10 : 1)) {
            unit = units[i].unit;
            suffix = units[i].suffix;
        }
    int digits = (int)fmax(0, fmin(9, ceil(-log10(step / unit) - 1e-6)));
    char number[AXIS_LABEL_BYTES];
    if ((value != 0 && fabs(value) < 1e-5) || fabs(value) >= 1e15) {
        snprintf(number, sizeof number, "%.*e", step < fabs(value) * 0.99 ? 1 : 0, fabs(value));
        suffix = "";
    } else
        snprintf(number, sizeof number, "%.*f", digits, fabs(value) / unit);
    if (*suffix && strchr(number, '.')) { /* 1.50k beside 1k */
        char *end = number + strlen(number);
        while (end[-1] == '0')
            *--end = '\0';
        if (end[-1] == '.')
            *--end = '\0';
    }
    snprintf(label, AXIS_LABEL_BYTES, "%s%s%s", value < 0 ? "\u2212" : "", number,
             value == 0 ? "" : suffix);
}

static void add_tick(AxisTicks *ticks, double value, double step) {
    if (ticks->count == AXIS_MAX_TICKS)
        return;
    ticks->values[ticks->count] = value;
    write_label(value, step, ticks->labels[ticks->count++]);
}

static void linear_ticks(const Axis *axis, int wanted, AxisTicks *ticks) {
    double step = nice_step((axis->high - axis->low) / wanted);
    step = axis->whole ? fmax(step, 1) : step;
    for (double i = ceil(axis->low / step - 1e-9); ticks->count < AXIS_MAX_TICKS; i++) {
        double value = i * step;
        if (!inside(axis, value))
            break;
        add_tick(ticks, i == 0 ? 0 : value, step);
    }
}

/* Decades, every second or third of them when there are many, 1-2-5 when there are few. */
static void log_ticks(const Axis *axis, int wanted, AxisTicks *ticks) {
    double decades = log10(axis->high / axis->low);
    int every = (int)fmax(1, ceil(decades / wanted));
    bool fine = decades * 3 <= wanted + 1, finer = decades < 0.7;
    int first = (int)floor(log10(axis->low)), last = (int)ceil(log10(axis->high));
    for (int power = first; power <= last; power++) {
        double base = pow(10, power);
        for (int digit = 1; digit < 10; digit++) {
            bool used = digit == 1 ? power % every == 0
                        : finer    ? true
                                   : fine && (digit == 2 || digit == 5);
            if (used && inside(axis, digit * base))
                add_tick(ticks, digit * base, digit * base);
        }
    }
}

void axis_ticks(const Axis *axis, int wanted, AxisTicks *ticks) {
    ticks->count = 0;
    if (axis->log)
        log_ticks(axis, wanted, ticks);
    else
        linear_ticks(axis, wanted, ticks);
}
