/*
 * profile_logs: runs of `solve` in the layouts of the two analysis tools of the field:
 * IOHprofiler (a JSON file per function and algorithm, with .dat files) and COCO (.info, .dat and
 * .tdat files).
 *
 * A function is a kind of problem (bag-10), a dimension its number of placements, an instance the
 * number of the problem. Both tools need a value for evaluation 1, which a search often does not
 * report: there stands the fitness of a game in which no piece was placed (-100 each), which is
 * never better than what was really reached.
 *
 * COCO minimises the distance to the optimum: here that of the fitness to the proved upper bound.
 * Its program only reads suites that it knows, so the suite is called bbob.
 */
#ifndef TETROPT_STATS_PROFILE_LOGS_H
#define TETROPT_STATS_PROFILE_LOGS_H

#include "base/text.h"
#include "stats/runs.h"

typedef enum ProfileFormat { PROFILE_IOH, PROFILE_COCO } ProfileFormat;

/* One run as these tools see it. */
typedef struct ProfileRun {
    const char *algorithm; /* its name with the parameters that vary */
    const char *function;  /* the kind of problem */
    int dimension, instance;
    uint64_t evaluations; /* made in all */
    double best, bound;
    const StorePoint *points;
    size_t point_count;
} ProfileRun;

/* Takes a file: its path inside of the directory that is written, with '/' between its parts. */
typedef bool ProfileWrite(void *context, const char *path, const Text *content, Status *status);

/* Writes all runs; what is needed meanwhile lives in the arena. */
bool profile_logs_write(ProfileFormat format, const ProfileRun *runs, size_t count,
                        ProfileWrite *write, void *context, Arena *arena, Status *status);

/* Runs of a store as such runs, in the arena; NULL with `status` where they are not of `solve` or
 * there are none. */
ProfileRun *profile_logs_runs(RunList list, size_t *count, Arena *arena, Status *status);

/* The kind of problem that an instance ("bag-10-007") is one of, and its number there. */
const char *profile_logs_family(const char *instance, int *number, Arena *arena);

#endif
