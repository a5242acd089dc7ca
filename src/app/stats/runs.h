/*
 * runs: finished runs of a store in memory, selected and grouped by their parameters.
 *
 * Lists point into the Runs they came from and live in an arena; nothing here changes a run. When
 * memory runs out the arena says so, and lists come back empty.
 */
#ifndef TETROPT_STATS_RUNS_H
#define TETROPT_STATS_RUNS_H

#include "base/arena.h"
#include "store/store.h"

/* A grid as it was added. */
typedef struct RunGridText {
    const char *name, *text;
    int64_t first; /* the number of its first run */
} RunGridText;

typedef struct Runs {
    Arena arena;
    StoreRun *items; /* grows; lists are made when all are there */
    size_t count, capacity;
    RunGridText *grids; /* of runs_read */
    size_t grid_count, grid_capacity;
} Runs;

void runs_init(Runs *runs);
void runs_release(Runs *runs);

/* A StoreVisit whose context is a Runs: keeps a copy of the run, without the moves, the genes and
 * the board of its result, at which no table and no plot looks. */
bool runs_visit(void *runs, const StoreRun *run, Status *status);

/* A StoreGridVisit whose context is a Runs: keeps the text of the grid. */
bool runs_visit_grid(void *runs, const char *name, const char *text, int64_t first, Status *status);

/* Gives every run of a grid with named sections the parameter `part`, its section. The grids must
 * have been read. */
bool runs_note_parts(Runs *runs, Status *status);

/* Reads the grids of a store and its runs that are done or failed, and counts all: as they were at
 * one moment, though runs may finish meanwhile. */
bool runs_read(Store *store, Runs *runs, StoreCounts *counts, Status *status);

/* Some of the runs, in the order of their numbers. */
typedef struct RunList {
    const StoreRun **items;
    size_t count;
} RunList;

/* Those that are done. */
RunList runs_done(const Runs *runs, Arena *arena);

/* Those of a grid, of a command, or with the value of a key. NULL: any. */
typedef struct RunFilter {
    const char *grid, *command, *key, *value;
} RunFilter;
RunList runs_select(RunList list, RunFilter filter, Arena *arena);

/* What a run says under a key: its parameter, or the text or number that its result has there, or
 * its grid, repeat or host. NULL: nothing. */
const char *runs_value(const StoreRun *run, const char *key, Arena *arena);

/* A parameter and the values it has in a list: numbers in their order, words as they come first. */
typedef struct RunKey {
    const char *name;
    const char **values;
    size_t count;
    bool numeric;
} RunKey;

/* The values of one key. */
RunKey runs_key(RunList list, const char *name, Arena *arena);

/* The names of all parameters, in the order of the grid; returns their number. */
size_t runs_names(RunList list, const char *names[STORE_PARAMETERS_MAX]);

/* Every parameter but the seeds that has two values or more, in the order of the grid; their number
 * in *count. */
RunKey *runs_varying(RunList list, size_t *count, Arena *arena);

/* All parameters of a run except `without`, as "a=1, b=2": what is left is the instance. */
const char *runs_instance(const StoreRun *run, const char *without, Arena *arena);

/* ---- measures */

/* The measure by which runs of a command are compared by default. */
const char *runs_default_measure(RunList list);

/* A number of the result: a member, a mean of its summary, the held-out mean of a training
 * ("held_out", or "held_out_per_piece"), or "seconds" as stored. NaN: the run has none. */
double runs_measure(const StoreRun *run, const char *measure);

/* False for times, evaluations, holes and the like. */
bool runs_larger_is_better(const char *measure);

/* Numbers in an arena. */
typedef struct Numbers {
    double *values;
    size_t count;
} Numbers;

/* A measure of every run that has it. */
Numbers runs_measures(RunList list, const char *measure, Arena *arena);

/* A member of every game of every simulation in the list; "clears" with `index` 0..3. Simulations
 * that list no games count with nothing. */
Numbers runs_games(RunList list, const char *member, int index, Arena *arena);

#endif
