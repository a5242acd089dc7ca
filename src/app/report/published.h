/*
 * published: the numbers of the works that tetropt grew from, each with the runs that repeat it.
 *
 * A work has grids (grids/published-*.ini), whose runs are in a store, and numbers: a statistic of
 * a measure over some of these runs, next to what was published. Facts that take no runs, such as
 * the size of a reduction, are computed on the spot.
 */
#ifndef TETROPT_REPORT_PUBLISHED_H
#define TETROPT_REPORT_PUBLISHED_H

#include "base/json_writer.h"
#include "report/report.h"
#include "stats/runs.h"

typedef enum PublishedStatistic {
    PUBLISHED_MEDIAN,
    PUBLISHED_MEAN,
    PUBLISHED_DEVIATION,
    PUBLISHED_BEST,
    PUBLISHED_FACT /* computed by `fact`; must be equal */
} PublishedStatistic;

typedef struct PublishedNumber {
    const char *table; /* as the work calls it */
    const char *label;
    PublishedStatistic statistic;
    double theirs;
    int sample;          /* runs or games behind `theirs`; 0: not known */
    const char *grid;    /* the runs: of this grid, */
    const char *where;   /* with these values ("n=10 encoding=double"; NULL: all), */
    const char *measure; /* this member of their results, */
    bool games;          /* or of each of their games */
    double (*fact)(void);
    const char *fact_command;
    const char *remark; /* the cause of a known difference; may be NULL */
} PublishedNumber;

enum { PUBLISHED_GRIDS = 3 };

typedef struct PublishedWork {
    const char *name, *title;
    const char *grids[PUBLISHED_GRIDS + 1]; /* ends with NULL */
    const PublishedNumber *numbers;
    size_t count;
} PublishedWork;

/* The works in the order of docs/PUBLISHED.md; NULL after the last. */
const PublishedWork *published_at(size_t index);
const PublishedWork *published_find(const char *name);

typedef enum PublishedVerdict {
    PUBLISHED_NOT_RUN,
    PUBLISHED_AGREES, /* a sample like theirs from our runs gives their number with 95 % */
    PUBLISHED_BETTER, /* ours is better than that */
    PUBLISHED_WORSE,
    PUBLISHED_DIFFERS /* where neither is better */
} PublishedVerdict;

extern const char *const published_verdicts[];

/* What our runs say about a number. */
typedef struct PublishedAnswer {
    PublishedVerdict verdict;
    size_t count;           /* runs or games */
    double ours, low, high; /* the statistic and its 95 % interval: of order statistics for a
                             * median, else by the bootstrap */
    const char *command;    /* of the first run; "" where there is none */
} PublishedAnswer;

/* Lives in the arena. `done` are the finished runs of the store. */
PublishedAnswer published_compare(const PublishedNumber *number, RunList done, Arena *arena);

/* The published numbers of one grid as tables, where there are any. */
void published_grid(Report *report, const char *grid, RunList runs);

/* The numbers of the works whose bit is set in `works`, as tables: HTML, Markdown (which is also
 * what a terminal shows, without the commands), JSON. */
void published_page(Report *report, RunList done, unsigned works);
void published_markdown(Text *text, RunList done, unsigned works, bool commands, Arena *arena);
void published_json(JsonWriter *json, RunList done, unsigned works, Arena *arena);

#endif
