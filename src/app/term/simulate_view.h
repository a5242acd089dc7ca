/*
 * simulate_view: the results of a simulation as tables. A dash stands for an unknown value. The
 * numbers are those of io/simulate_document, with fewer digits.
 */
#ifndef TETROPT_TERM_SIMULATE_VIEW_H
#define TETROPT_TERM_SIMULATE_VIEW_H

#include "base/text.h"
#include "simulate/simulate.h"

/* Everything about one agent, in `width` columns. */
void simulate_view_one(const SimulateTask *task, const SimulateResult *result, int width,
                       Text *text);

typedef struct SimulateEntrantView {
    const char *name; /* the agent and its weights */
    const SimulateResult *result;
} SimulateEntrantView;

/* Agents compared, one row each. */
void simulate_view_all(const SimulateEntrantView *entrants, int count, int width, Text *text);

#endif
