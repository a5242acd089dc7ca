/*
 * run_table: the runs of a store as the web UI lists them, cached in memory so that reading them
 * again is cheap.
 *
 * Invariants. Rows stand in the order of their numbers and hold what a list shows, never results.
 * An update asks the store which run is in which state, and reads only the runs that are new or
 * have ended since; it does so at most once in RUN_TABLE_PAUSE_MS, however many clients read. So
 * clients do not slow down workers on the same machine or database. Threads may share a table: its
 * calls come one after the other.
 */
#ifndef TETROPT_WEB_RUN_TABLE_H
#define TETROPT_WEB_RUN_TABLE_H

#include "base/json_writer.h"
#include "store/store.h"

enum {
    RUN_TABLE_MAX_RUNS = 50000,
    RUN_TABLE_MAX_ROWS = 500,   /* in one answer */
    RUN_TABLE_MAX_WORDS = 16,   /* of a filter */
    RUN_TABLE_MAX_VALUES = 200, /* of a key, to choose from */
    RUN_TABLE_PAUSE_MS = 1000
};

typedef struct RunTable RunTable;

/* The request: the runs in which all words of the filter are found (a state, a value; with a `=`
 * the whole of key=value), `count` of them from `first` on. The order is that of "number", "grid",
 * "state", "value", "repeat", "seconds" or a parameter, descending with a "-" in front; NULL: by
 * number. Numbers come before words, runs without the key last. */
typedef struct RunQuestion {
    const char *filter, *order;
    int first, count;
} RunQuestion;

/* The words of a filter. */
typedef struct RunWords {
    char text[512];
    const char *words[RUN_TABLE_MAX_WORDS];
    int count;
} RunWords;

bool run_words_read(const char *filter, RunWords *words, Status *status);
bool run_words_match(const StoreRun *run, const RunWords *words);

/* The store must outlive it. NULL with `status`: no memory. */
RunTable *run_table_new(Store *store, Status *status);
void run_table_free(RunTable *table);

/* Writes a document: {"measure", "total", "found", "first", "keys": [...], "same": {...}, "runs":
 * [{"number", "grid", "command", "repeat", "state", "parameters", "value", "seconds", "error"}],
 * "grids": [{"name", "keys": [{"name", "values"}]}]}. The keys are the parameters in which the runs
 * that were found differ, what they have in common is in "same"; the keys of grids are those in
 * which their finished runs differ. False with `status`: also when there are more than
 * RUN_TABLE_MAX_RUNS (STATUS_UNMET). */
bool run_table_ask(RunTable *table, const RunQuestion *question, JsonWriter *w, Status *status);

#endif
