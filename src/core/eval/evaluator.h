/*
 * evaluator: a set of features with a weight for each: how players evaluate placements.
 *
 * Features come in kinds (the list below). Some features of a kind describe the placement itself,
 * the others the board that it leaves. A player that looks several pieces ahead adds up the first
 * over all its placements and counts the second once, at the end; a player that uses one piece adds
 * both. Sums are made in the order of the features, so they are the same everywhere.
 */
#ifndef TETROPT_EVAL_EVALUATOR_H
#define TETROPT_EVAL_EVALUATOR_H

#include "base/cpu.h"
#include "engine/columns.h"
#include "engine/placement.h"

enum { EVALUATOR_MAX = 40 }; /* room for the kind with the most features */

typedef struct Evaluator Evaluator;

/* A placement to evaluate. */
typedef struct EvaluatorMove {
    const Columns *before;
    Placement placement;
    Piece hold; /* the piece that is held afterwards; PIECE_NONE: none */
} EvaluatorMove;

/* What several placements of one piece share. */
typedef struct EvaluatorTurn {
    const Columns *before;
    Piece hold;
} EvaluatorTurn;

/* The value of a placement. */
typedef struct EvaluatorValue {
    double move;  /* to be added up over placements */
    double board; /* of the board it leaves */
} EvaluatorValue;

typedef void EvaluatorJudgeAll(const Evaluator *evaluator, const EvaluatorTurn *turn,
                               const Placement *placements, int count, EvaluatorValue *values);

typedef struct EvaluatorKind {
    const char *name;
    const char *summary;
    int count;      /* features */
    uint64_t moves; /* bit i: feature i describes the placement */
    const char *const *names;
    uint64_t against; /* bit i: the weight is written as a magnitude and counts against */
    /* Locks the piece: `after` receives the board without its full rows, `values` the features. */
    void (*measure)(const Evaluator *evaluator, const EvaluatorMove *move, Columns *after,
                    double *values);
    /* As evaluator_judge_all, by CPU level (judge_lanes.h); NULL: by `measure`. */
    EvaluatorJudgeAll *judge_all[CPU_LEVEL_COUNT];
} EvaluatorKind;

struct Evaluator {
    const EvaluatorKind *kind;
    double weights[EVALUATOR_MAX]; /* with their signs: higher sums are better */
    int well_depth;                /* for the kind `placement` */
};

/* A named set of weights, as they are written. */
typedef struct EvaluatorPreset {
    const char *name;
    const EvaluatorKind *kind;
    double weights[EVALUATOR_MAX];
} EvaluatorPreset;

enum { EVALUATOR_KINDS = 6 };

/* literature, local, placement, stack, surface, local-published. */
extern const EvaluatorKind *const evaluator_kinds[EVALUATOR_KINDS];

/* The kind called `name`, or NULL. */
const EvaluatorKind *evaluator_kind_find(const char *name);

/* Adds a kind of a user with one named set, for as long as the process lives; neither is copied.
 * False: there are EVALUATOR_ADDED_MAX already. Only one thread at a time may add. */
enum { EVALUATOR_ADDED_MAX = 32 };
bool evaluator_add(const EvaluatorPreset *preset);

/* All named sets, numbered from 0. */
int evaluator_preset_count(void);
EvaluatorPreset evaluator_preset_at(int index);

/* The evaluator of a kind with weights as they are written (kind->count of them). */
void evaluator_init(Evaluator *evaluator, const EvaluatorKind *kind, const double *written);

/* The evaluator of the set called `name`; false when there is none. */
bool evaluator_from_preset(Evaluator *evaluator, const char *name);

/* The feature of a kind called `name`, or -1. */
int evaluator_feature(const EvaluatorKind *kind, const char *name);

/* Evaluates a placement; `after` receives the board. */
EvaluatorValue evaluator_judge(const Evaluator *evaluator, const EvaluatorMove *move,
                               Columns *after);

/* Evaluates `count` placements of one piece on one board; the same values, much faster. */
EvaluatorJudgeAll evaluator_judge_all;

#endif
