/*
 * instances: the benchmark, a fixed list of named offline problems with their best-known solutions
 * (docs/INSTANCES.md).
 *
 * The rows are compiled in from instances/tetropt-1.csv, which scripts/make-instances writes. A
 * problem is a piece sequence, the number of placements and a board; its fitness is that of the
 * profile `blocks`. The bound is proved over all reachable placements with hold, so it holds in
 * every encoding, as long as games end by the rules and a perfect clear has no points of its own.
 */
#ifndef TETROPT_PROBLEM_INSTANCES_H
#define TETROPT_PROBLEM_INSTANCES_H

#include "base/json_writer.h"
#include "problem/evaluate.h"

#define INSTANCES_VERSION "tetropt-1"

enum { INSTANCE_NAME_BYTES = 24, INSTANCE_MOVES_MAX = 128 };

typedef struct BenchInstance {
    char name[INSTANCE_NAME_BYTES];
    int family; /* the length of the family's name, which the name begins with */
    int width, height, placements;
    double best, bound; /* best-known fitness, and what no solution exceeds */
    bool optimal;       /* they are equal */
    const char *row;    /* the rest: board, pieces, encoding, solution */
} BenchInstance;

/* The number of instances; the one at `index`, which exists. */
int instances_count(void);
BenchInstance instances_at(int index);

/* The number of the instance called `name`, or -1. */
int instances_find(const char *name);

/* Fails with "unknown instance", and which one was probably meant. False. */
bool instances_unknown(const char *name, Status *status);

/* Writes the problem: board, pieces and number of placements. */
void instance_problem(const BenchInstance *instance, EvalRequest *request);

/* The encoding in which the best-known solution was found. */
Encoding instance_encoding(const BenchInstance *instance);

/* Plays the best-known solution; `result` gets everything that follows from it. The request becomes
 * the problem in the encoding placements. False with `status`: the row is wrong. */
bool instance_play_best(const BenchInstance *instance, EvalRequest *request,
                        Move moves[INSTANCE_MOVES_MAX], EvalResult *result, Status *status);

/* Whether a request is this problem, whatever its encoding. */
bool instance_is(const BenchInstance *instance, const EvalRequest *request);

/* Whether the bound of instances holds for these rules. */
bool instance_rules_ok(const DecodeRules *rules);

/* Whether the name is `prefix`, or `prefix` and a dash begin it; NULL: always. */
bool instance_has_prefix(const BenchInstance *instance, const char *prefix);

/* Writes the members version and instances, those of `prefix` only. */
void instances_write(JsonWriter *json, const char *prefix);

/* The lines of the file, without its heading; ends with NULL. */
extern const char *const instances_rows[];

#endif
