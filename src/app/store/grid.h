/*
 * grid: a file of dimensions, and the runs it expands to.
 *
 *     [experiment]
 *     command = solve
 *     repeat = 5
 *     [solve]
 *     n = 10, 20
 *     encoding = simple, double
 *     [solve sa]
 *     algorithm = sa
 *     cooling = 0.0005, 0.005
 *
 * Every key of the command's section is a dimension; a run takes one value of each. Sections with a
 * word behind the command's name are parts: each part has the dimensions of the plain section and
 * its own (which win), so that every algorithm can have its own parameters. Values may continue on
 * indented lines. Runs are numbered part by part, the last dimension changing fastest and the
 * repeat faster still.
 *
 * Seeds: repeat r draws its pieces from a seed that depends only on the grid's seed and r, so all
 * runs of a repeat meet the same pieces and can be compared in pairs; the search's own seed depends
 * on the number of the run in its grid. With `lists = run` the seed of the pieces does too, so that
 * every run has pieces of its own.
 */
#ifndef TETROPT_STORE_GRID_H
#define TETROPT_STORE_GRID_H

#include "store/command.h"

enum {
    GRID_FILE_LIMIT = 1 << 20,
    GRID_MANY_RUNS = 100000,  /* more are probably a mistake */
    GRID_MAX_RUNS = 100000000 /* more are a mistake */
};

typedef struct RunGrid RunGrid;

/* Reads a grid and checks every value by itself. `name` stands in messages and must stay. NULL with
 * `status` ("NAME:LINE: ...") on failure. */
RunGrid *run_grid_parse(const char *name, const char *text, const ExperimentCommands *commands,
                        Status *status);
void run_grid_free(RunGrid *grid);

/* All runs, repeats counted; and how often every combination is run. */
int64_t run_grid_runs(const RunGrid *grid);
int64_t run_grid_repeat(const RunGrid *grid);
const char *run_grid_command(const RunGrid *grid);

/* The name of the part that run number `index` (from 0) of the grid belongs to; "" for the plain
 * section. */
const char *run_grid_part(const RunGrid *grid, int64_t index);

/* Checks every combination of values. Takes time with a large grid, so it is a call of its own. */
bool run_grid_check(const RunGrid *grid, const ExperimentCommands *commands, Status *status);

/* Gives the runs one after the other. */
typedef struct RunGridWalk {
    const RunGrid *grid;
    uint64_t seed;
    int64_t next; /* from 0 */
    StoreParameter parameters[STORE_PARAMETERS_MAX];
} RunGridWalk;

/* A StoreNext over a RunGridWalk. */
bool run_grid_next(void *walk, StoreRun *run, Status *status);

#endif
