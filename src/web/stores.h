/*
 * stores: the experiments that a page may look at: those given at the start, and no others.
 *
 * Everything is read anew for every question, so what is shown is what is there, also while workers
 * run; nothing is ever written. How much is read is bounded: a store with more runs than
 * STORES_MAX_RUNS is only counted.
 */
#ifndef TETROPT_WEB_STORES_H
#define TETROPT_WEB_STORES_H

#include "io/json.h"

enum { STORES_MAX = 16, STORES_MAX_RUNS = 20000 };

typedef struct Stores Stores;

/* Opens them; NULL with `status` when one cannot be. */
Stores *stores_new(const char *const *addresses, int count, Status *status);
void stores_free(Stores *stores);
int stores_count(const Stores *stores);

/* New documents; NULL with `status` on failure. `index` is in 0..count-1. */

/* [{"id", "name", "waiting", "running", "done", "failed", "seconds"}] */
json_t *stores_list(Stores *stores, Status *status);

/* {"measure", "runs": [{"number", "grid", "command", "repeat", "state", "parameters", "value",
 * "seconds", "error"}]} */
json_t *stores_runs(Stores *stores, int index, Status *status);

/* The figures of `report` as numbers: [{"name", "title", "caption", "panels": [{"title", "x", "y",
 * "series": [{"name", "mark", "x", "y", "low", "high", "boxes"}]}]}] */
json_t *stores_plots(Stores *stores, int index, Status *status);

/* Compares two groups of runs. `document`: {"grid", "by", "first", "second"}. Gives {"measure",
 * "groups": [{"name", "count", "median", "lower", "upper", "mean"}], "p", "a12", "a12_word",
 * "wilcoxon_p", "instances", "left_out"}; the better one by its median in "better" (null: equal).
 */
json_t *stores_compare(Stores *stores, int index, const json_t *document, Status *status);

#endif
