/*
 * clears: the job that answers questions about perfect clears and setups: which queues clear a
 * field, by which solutions, and with which probability.
 *
 * `find` chooses the question; the other options are documented in clears.c, row by row.
 */
#ifndef TETROPT_JOB_CLEARS_H
#define TETROPT_JOB_CLEARS_H

#include "base/pool.h"
#include "clears/percent.h"
#include "engine/grid.h"
#include "job/job.h"

#define CLEARS_FIND_CHOICES "percent"

typedef enum ClearsFind { FIND_PERCENT, FIND_COUNT } ClearsFind;

typedef struct ClearsQuestion {
    int find;
    int64_t width, height;
    const char *board, *fumen;
    int64_t page;
    const char *patterns;
    int64_t lines;
    bool hold;
    int drop;
    const char *kicks;
    int64_t tree_depth, failed;
    int64_t threads;
    double seconds;
    const char *resume;
} ClearsQuestion;

/* A run of the job, for front ends that show more than the document. */
typedef struct ClearsRun {
    Question *question;
    const ClearsQuestion *asked;
    Grid grid; /* the field */
    KickTable kicks;
    Area area;
    int pieces; /* that fill it */
    Queues queues;
    Pool *pool;
    uint64_t start_ns;
    double seconds; /* taken */
    const ProgressWatch *watch;

    Percent percent;
} ClearsRun;

/* True when everything that was asked is known. */
bool clears_complete(const ClearsRun *run);

/* The settings and what is known as JSON, which `resume` takes. */
bool clears_write_state(void *run, Text *text);

/* Reads the known part of a saved state into a run that is prepared; the settings are read by
 * clears_restore, before. */
bool clears_read_state(ClearsRun *run, Status *status);

/* Sets the options of a saved state that were not given. */
bool clears_restore(Question *question, Status *status);

/* The answer (clears_write.c). */
void clears_write(const void *run, bool times, JsonWriter *json);
void clears_write_times(const void *run, JsonWriter *json);

#endif
