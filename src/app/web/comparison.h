/*
 * comparison: two groups of runs compared, as the web UI shows them: for stores of a server, and
 * for exported files, which only the browser has.
 */
#ifndef TETROPT_WEB_COMPARISON_H
#define TETROPT_WEB_COMPARISON_H

#include "base/json.h"
#include "base/text.h"
#include "stats/runs.h"

/* The question: {"grid", "by", "first", "second"}; what it points to belongs to the document. */
typedef struct ComparisonQuestion {
    const char *grid, *by, *first, *second;
} ComparisonQuestion;

/* False with `status`: a member is missing or wrong. Others are not looked at. */
bool comparison_read(const Json *document, ComparisonQuestion *question, Status *status);

/* Adds the document of stores_compare (web/stores.h) to `body`. */
bool comparison_write(const Runs *runs, const ComparisonQuestion *question, Text *body,
                      Status *status);

/* Reads runs as `experiment export jsonl` writes them, an array of objects. The caller releases
 * `runs` either way. */
bool comparison_read_runs(const Json *exported, Runs *runs, Status *status);

#endif
