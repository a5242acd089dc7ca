/*
 * stores: the experiments that the web UI may show: those given at the start, and no others.
 *
 * Nothing is ever written. The list of runs is kept and updated (run_table.h), so what is shown is
 * what is there, also while workers run. For plots and comparisons all results are read anew, by
 * one client at a time and up to STORES_MAX_RUNS of them.
 */
#ifndef TETROPT_WEB_STORES_H
#define TETROPT_WEB_STORES_H

#include "base/text.h"

#include "base/status.h"

#include <stddef.h>

enum { STORES_MAX = 16, STORES_MAX_RUNS = 20000 };

typedef struct Stores Stores;

/* Opens them; NULL with `status` when one cannot be. The addresses must live as long. */
Stores *stores_new(const char *const *addresses, int count, Status *status);
void stores_free(Stores *stores);
int stores_count(const Stores *stores);

/* Add a document to `body`; false with `status` on failure. `index` is in 0..count-1, `text` a
 * question in JSON. */

/* [{"id", "name", "waiting", "running", "done", "failed", "seconds"}] */
bool stores_list(Stores *stores, Text *body, Status *status);

/* The runs that {"filter", "order", "first", "count"} asks for, as run_table_ask writes them. */
bool stores_runs(Stores *stores, int index, const char *text, size_t length, Text *body,
                 Status *status);

/* The run {"number"} as `experiment export jsonl` writes it, with result and evolution; only of
 * runs that are done or failed. */
bool stores_run(Stores *stores, int index, const char *text, size_t length, Text *body,
                Status *status);

/* The figures of `report` as numbers: [{"name", "title", "caption", "panels": [{"title", "x", "y",
 * "rules", "series": [{"name", "mark", "x", "y", "low", "high", "boxes"}]}]}]; one that is not a
 * plot has "svg" instead of "panels". The question {"filter"} selects runs as for the list; `text`
 * NULL: all of them. */
bool stores_plots(Stores *stores, int index, const char *text, size_t length, Text *body,
                  Status *status);

/* The documents of `tune`, as it prints them with --json. */
bool stores_tunings(Stores *stores, int index, Text *body, Status *status);

/* Compares two groups of runs. The question: {"grid", "by", "first", "second"}. Gives {"measure",
 * "groups": [{"name", "count", "median", "lower", "upper", "mean"}], "p", "a12", "a12_word",
 * "wilcoxon_p", "instances", "left_out"}; the better one by its median in "better" (null: equal).
 */
bool stores_compare(Stores *stores, int index, const char *text, size_t length, Text *body,
                    Status *status);

#endif
