/*
 * simulate_view: the results of a simulation as tables. A dash stands for an unknown value. The
 * numbers are those of io/simulate_document, with fewer digits.
 */
#ifndef TETROPT_TERM_SIMULATE_VIEW_H
#define TETROPT_TERM_SIMULATE_VIEW_H

#include "base/text.h"
#include "simulate/simulate.h"

/* Everything about one agent. */
void simulate_view_one(const SimulateTask *task, const SimulateResult *result, Text *text);

/* Agents compared: the heading, then a row each. `name` tells the agent and its weights. */
void simulate_view_heading(Text *text);
void simulate_view_row(const char *name, const SimulateResult *result, Text *text);

#endif
