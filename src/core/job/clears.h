/*
 * clears: the job that answers questions about perfect clears and setups: which queues clear a
 * field, by which solutions, and with which probability.
 *
 * `find` chooses the question; the other options are documented in clears.c, row by row.
 */
#ifndef TETROPT_JOB_CLEARS_H
#define TETROPT_JOB_CLEARS_H

#include "base/pool.h"
#include "clears/chance.h"
#include "clears/minimal.h"
#include "clears/path.h"
#include "clears/percent.h"
#include "clears/setup.h"
#include "clears/spin.h"
#include "engine/grid.h"
#include "job/job.h"

#define CLEARS_FIND_CHOICES "percent|path|cover|setup|spin|chance"

typedef enum ClearsFind {
    FIND_PERCENT,
    FIND_PATH,
    FIND_COVER,
    FIND_SETUP,
    FIND_SPIN,
    FIND_CHANCE,
    FIND_COUNT
} ClearsFind;

/* Why --save and --resume refuse it: it ends when it has met CHANCE_MAX_STATES situations. */
#define CLEARS_CHANCE_IS_SHORT "chance takes minutes at most and is not saved"

typedef struct ClearsQuestion {
    int find;
    int64_t width, height;
    const char *board, *fumen;
    int64_t page;
    const char *patterns;
    int64_t lines, max_queues;
    bool hold;
    int drop;
    const char *kicks;
    int64_t tree_depth, failed;
    const char *solutions;
    bool minimal, served;
    const char *fill, *margin;
    bool holes;
    int64_t spin_lines;
    bool mini;
    const char *queue, *held, *bag;
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
    ClearsRules rules;
    Area area;
    int pieces; /* that fill it */
    Queues queues;
    Pool *pool;
    uint64_t start_ns;
    double seconds; /* taken */
    const ProgressWatch *watch;

    Percent percent;
    Solutions solutions;
    Area *areas; /* of every solution, where they have their own (cover); else NULL */
    Minimal minimal;
    bool complete;        /* all solutions were found */
    Cells wanted, margin; /* setup */
    ChanceTask chance_task;
    Chance chance;
} ClearsRun;

/* The area of solution number `index`. */
static inline const Area *clears_area(const ClearsRun *run, size_t index) {
    return run->areas ? &run->areas[index] : &run->area;
}

/* True when everything that was asked is known. */
bool clears_complete(const ClearsRun *run);

/* The settings and what is known as JSON, which `resume` takes. */
bool clears_write_state(void *run, Text *text);

/* Reads the known part of a saved state into a run that is prepared; the settings are read by
 * clears_restore, before. */
bool clears_read_state(ClearsRun *run, Status *status);

/* Sets the options of a saved state that were not given. */
bool clears_restore(Question *question, Status *status);

/* Options that only one search has (clears_setup.c): the wanted cells of `setup`, the known pieces
 * of `chance`. */
bool clears_read_wanted(ClearsRun *run, Status *status);
bool clears_read_chance(ClearsRun *run, Status *status);

/* Solutions (clears_solutions.c): those of `cover`, read and checked; the searches; one solution as
 * a coloured field in its original rows, and as a fumen of its game (false: no queue builds it, or
 * it does not fit a fumen; without memory the text has failed). */
bool clears_read_solutions(ClearsRun *run, Status *status);
bool clears_find_solutions(ClearsRun *run, ClearsCut cut, Status *status);
void clears_solution_grid(const ClearsRun *run, size_t index, Grid *grid);
bool clears_solution_fumen(const ClearsRun *run, size_t index, Text *text);
void clears_solution_pieces(const Solution *solution, char letters[AREA_MAX_PIECES + 1]);
bool clears_is_minimal(const ClearsRun *run, size_t index);
void clears_write_solution(const ClearsRun *run, size_t index, JsonWriter *json);
void clears_write_solutions(const ClearsRun *run, JsonWriter *json);

/* Reports progress; `context` is the run. */
void clears_report(void *context, size_t done, size_t total);

/* The answer (clears_write.c). */
void clears_write(const void *run, bool times, JsonWriter *json);
void clears_write_times(const void *run, JsonWriter *json);

#endif
