/*
 * run_row: a run as a row of the database, and back.
 *
 * A row comes from a file that anyone may have written to, so everything in it is checked. The
 * memory of one row serves for all rows of a walk.
 */
#ifndef TETROPT_STORE_RUN_ROW_H
#define TETROPT_STORE_RUN_ROW_H

#include "base/text.h"
#include "store/driver.h"

/* The columns that make a run, and those of its result behind them. */
#define RUN_ROW_COLUMNS "number, grid, command, repeat, seed, piece_seed, parameters, state"
#define RUN_ROW_RESULT_COLUMNS                                                                     \
    "result, times, evolution, error, seconds, host, version, started, finished"

/* A run with the memory behind it. */
typedef struct RunRow RunRow;

RunRow *run_row_new(Status *status);
void run_row_free(RunRow *row);

/* Takes RUN_ROW_COLUMNS, and RUN_ROW_RESULT_COLUMNS where `with_result`; what it held before is
 * gone. Texts are copied. False with `status` when the row is damaged. */
bool run_row_read(RunRow *row, const DriverValue *values, bool with_result, StoreTimes times,
                  Status *status);

/* The run that was read last. */
const StoreRun *run_row_run(const RunRow *row);

/* The state that a column names, or -1. */
int run_row_state(const DriverValue *value);

/* The two members that are kept as JSON. NULL or `failed`: no memory. */
char *run_row_parameters(const StoreRun *run);
void run_row_evolution(const StorePoint *points, size_t count, Text *text);

#endif
