/* curves: reads every run at the same places and takes quantiles over the runs at each. */
#include "stats/curves.h"

#include "stats/sample.h"

#include <math.h>

enum { PLACES = 120 }; /* at which runs are read: a figure is a few hundred pixels wide */

static double field(const StorePoint *point, CurveOf of) {
    return of == CURVE_BEST      ? point->best
           : of == CURVE_CURRENT ? point->current
                                 : point->temperature;
}

/* The point that holds at `evaluation`; NULL before the first. */
static const StorePoint *point_at(const StoreRun *run, double evaluation) {
    size_t low = 0, high = run->point_count; /* the first later point is in low..high */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((double)run->points[middle].evaluation <= evaluation)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &run->points[low - 1] : NULL;
}

static void span(RunList list, double *from, double *to) {
    *from = *to = 1;
    for (size_t i = 0; i < list.count; i++) {
        const StoreRun *run = list.items[i];
        if (run->point_count == 0)
            continue;
        *from = fmax(*from, (double)run->points[0].evaluation);
        *to = fmax(*to, (double)run->points[run->point_count - 1].evaluation);
    }
}

static Curve new_curve(Arena *arena) {
    Curve curve = {.x = arena_zeroed(arena, PLACES, sizeof(double)),
                   .median = arena_zeroed(arena, PLACES, sizeof(double)),
                   .lower = arena_zeroed(arena, PLACES, sizeof(double)),
                   .upper = arena_zeroed(arena, PLACES, sizeof(double))};
    return curve;
}

Curve curve_of(RunList list, CurveOf of, CurveSpread spread, Arena *arena) {
    Curve curve = new_curve(arena);
    double from, to, *values = arena_zeroed(arena, list.count, sizeof *values);
    span(list, &from, &to);
    if (arena->failed || to <= from)
        return (Curve){0};
    for (int i = 0; i < PLACES; i++) {
        double part = (double)i / (PLACES - 1);
        double x = spread == CURVE_EVEN ? from + part * (to - from) : from * pow(to / from, part);
        x = i == PLACES - 1 ? to : spread == CURVE_EVEN ? floor(x + 0.5) : x;
        if (curve.count > 0 && x <= curve.x[curve.count - 1])
            continue;
        size_t count = 0;
        for (size_t j = 0; j < list.count; j++) {
            const StorePoint *point = point_at(list.items[j], x * (1 + 1e-12));
            if (point && isfinite(field(point, of)))
                values[count++] = field(point, of);
        }
        if (count == 0)
            continue;
        sample_sort(values, count);
        size_t at = curve.count++;
        curve.x[at] = x;
        curve.lower[at] = sample_quantile(values, count, 0.25);
        curve.median[at] = sample_quantile(values, count, 0.5);
        curve.upper[at] = sample_quantile(values, count, 0.75);
    }
    return curve;
}

double curve_reached(const StoreRun *run, double target) {
    for (size_t i = 0; i < run->point_count; i++)
        if (run->points[i].best >= target)
            return fmax(1, (double)run->points[i].evaluation);
    return INFINITY;
}

bool curve_targets(RunList list, double targets[CURVE_TARGETS], Arena *arena) {
    double *finals = arena_zeroed(arena, list.count, sizeof *finals);
    size_t count = 0;
    for (size_t i = 0; finals && i < list.count; i++) {
        const StoreRun *run = list.items[i];
        double best = run->point_count > 0 ? run->points[run->point_count - 1].best : NAN;
        if (isfinite(best)) /* a run that found nothing has none */
            finals[count++] = best;
    }
    if (count == 0)
        return false;
    sample_sort(finals, count);
    for (int i = 0; i < CURVE_TARGETS; i++)
        targets[i] = sample_quantile(finals, count, (i + 1.0) / CURVE_TARGETS);
    return true;
}

Numbers curve_times(RunList list, const double targets[CURVE_TARGETS], Arena *arena) {
    Numbers times = {.values = arena_zeroed(arena, list.count * CURVE_TARGETS, sizeof(double))};
    for (size_t i = 0; times.values && i < list.count; i++)
        for (int j = 0; list.items[i]->point_count > 0 && j < CURVE_TARGETS; j++)
            times.values[times.count++] = curve_reached(list.items[i], targets[j]);
    if (times.values)
        sample_sort(times.values, times.count);
    return times;
}
