/*
 * export: the finished runs of a store as CSV or JSON Lines, in the order of their numbers.
 *
 * JSON Lines have everything. CSV has one row per run and a column for every parameter and every
 * number, word or truth value of the results: members of members are joined by a dot, lists of up
 * to four numbers are numbered from 1, longer lists are left out. A member of a result that is
 * called like a parameter or like a column that is always there gets `result.` in front.
 */
#ifndef TETROPT_STORE_EXPORT_H
#define TETROPT_STORE_EXPORT_H

#include "base/text.h"
#include "store/store.h"

/* Takes a piece of the output; false when it cannot be written. */
typedef bool ExportWrite(void *context, const char *bytes, size_t count);

/* Write every run of `grid` (NULL: of all grids) that is done or failed, piece by piece, since a
 * store may be larger than memory. A grid without such a run is an error. */
bool export_jsonl(Store *store, const char *grid, StoreTimes times, ExportWrite *write,
                  void *context, Status *status);
bool export_csv(Store *store, const char *grid, StoreTimes times, ExportWrite *write, void *context,
                Status *status);

/* Writes that run as a line of JSON; nothing when it is neither done nor failed. */
bool export_run(Store *store, int64_t number, ExportWrite *write, void *context, Status *status);

#endif
