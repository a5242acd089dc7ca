/*
 * train: what every training method takes and gives.
 *
 * A method is a row in the list of registry.c: a name, a table of parameters, a state and functions
 * on it. It sees vectors of numbers and their scores, never what is behind them: `ask` writes the
 * candidates of a generation, the trainer scores them, `tell` learns from the scores. Higher is
 * better; scores are noisy, so a score of another generation proves nothing and no method goes by
 * one, with two exceptions: bayes, whose model knows of the noise, and hybrid, which only waits for
 * a better one.
 *
 * Invariant: a state is a plain block of memory without pointers, and all of it that matters goes
 * through `visit`. Random numbers come from the generator that is passed, which belongs to the
 * generation. So a state that was saved, loaded and asked again continues bit for bit.
 */
#ifndef TETROPT_TRAIN_TRAIN_H
#define TETROPT_TRAIN_TRAIN_H

#include "base/options.h"
#include "base/rng.h"
#include "base/status.h"

#include <math.h>

enum {
    TRAIN_MAX_WEIGHTS = 48,      /* no kind of features has more */
    TRAIN_MAX_CANDIDATES = 1024, /* of a generation */
    TRAIN_PARAMETERS_MAX_BYTES = 256
};

/* Where a method searches. */
typedef struct TrainSpace {
    int count;                       /* numbers in a vector, at least 1 */
    double start[TRAIN_MAX_WEIGHTS]; /* where to begin */
    double low[TRAIN_MAX_WEIGHTS];   /* no number goes below; -INFINITY: no limit */
    bool direction;                  /* only the direction of a vector matters, not its length */
} TrainSpace;

/* The candidates of a generation and their scores. */
typedef struct TrainBatch {
    int count; /* 0 before `ask` */
    double vectors[TRAIN_MAX_CANDIDATES][TRAIN_MAX_WEIGHTS];
    bool again[TRAIN_MAX_CANDIDATES]; /* score this one on other seeds than the rest: a candidate
                                         that is there twice shows how much is noise */
    double effort;                    /* factor on the usual number of games, 1 or more */
    double scores[TRAIN_MAX_CANDIDATES];
} TrainBatch;

/* Writes or reads named numbers; `loading` tells which. What is read is checked (integers against
 * their range, reals to be finite and not below `low`) and left alone when it is missing or bad:
 * the failure is kept by whoever made the archive. */
typedef struct TrainArchive TrainArchive;
struct TrainArchive {
    bool loading;
    void (*integer)(TrainArchive *archive, const char *name, int64_t *value, int64_t low,
                    int64_t high);
    void (*reals)(TrainArchive *archive, const char *name, double *values, int count, double low);
};

typedef struct TrainMethod {
    const char *name;
    const char *summary;
    OptionTable parameters;  /* describes the struct that the functions take */
    size_t parameters_bytes; /* at most TRAIN_PARAMETERS_MAX_BYTES */
    size_t state_bytes;
    int64_t games;  /* of a candidate, when nothing is asked for */
    bool one_scale; /* compares scores of different generations: the piece limit must not grow */
    /* Fails when the parameters do not go together or with the space. May be NULL. */
    bool (*check)(const TrainSpace *space, const void *parameters, Status *status);
    /* Begins; the state is zeroed. */
    void (*start)(void *state, const TrainSpace *space, const void *parameters);
    /* Writes the candidates of the next generation; batch->effort is 1 and `again` all false. It
     * may leave notes for `tell` in the state, which need not be saved. */
    void (*ask)(void *state, const TrainSpace *space, const void *parameters, Rng *rng,
                TrainBatch *batch);
    /* Learns from the scores. */
    void (*tell)(void *state, const TrainSpace *space, const void *parameters, Rng *rng,
                 const TrainBatch *batch);
    /* Its result if it ended now. */
    void (*best)(const void *state, const TrainSpace *space, double *vector);
    /* Saves or loads what `ask` and `tell` go by. */
    void (*visit)(void *state, const TrainSpace *space, const void *parameters,
                  TrainArchive *archive);
    /* Step size, spread or the like, for the log; `name` says what it is. May be NULL. */
    double (*spread)(const void *state, const TrainSpace *space, const char **name);
} TrainMethod;

/* Numbers of the candidates by score, the best first, the earlier first among equals. */
void train_rank(const double *scores, int count, int *order);

/* The first of these. */
int train_best(const double *scores, int count);

/* Raises values below their limit. */
void train_raise(const TrainSpace *space, double *vector);

/* The length of a vector. */
double train_length(const double *vector, int count);

/* Where only the direction counts, gives the vector the length 1; one of length 0 stays. Returns
 * the divisor. */
double train_normalise(const TrainSpace *space, double *vector);

#endif
