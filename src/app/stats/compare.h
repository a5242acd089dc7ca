/*
 * compare: compares groups of runs: are runs with one value of a key better than those with
 * another?
 *
 * The context of a run is its parameters except the key and the seed, as far as every group has
 * them; runs count only in contexts in which every group has some, so that a group is not better
 * for having had the easier work. Two questions, two kinds of tests. Over all runs of two groups:
 * Mann-Whitney and A12, with Holm's correction over all pairs. Over instances (a context and the
 * pieces): each group has its median on every instance that all groups have, and Wilcoxon (two
 * groups at a time) and Friedman with Nemenyi use their order there.
 */
#ifndef TETROPT_STATS_COMPARE_H
#define TETROPT_STATS_COMPARE_H

#include "stats/friedman.h"
#include "stats/runs.h"
#include "stats/sample.h"

typedef struct CompareGroup {
    const char *name;
    Numbers values; /* sorted */
    Sample sample;
} CompareGroup;

typedef struct ComparePair {
    size_t first, second;
    double a12; /* the probability that the first is better */
    double p, p_holm;
    bool exact;
    double wilcoxon_p, wilcoxon_holm; /* over instances; NaN: too few */
} ComparePair;

typedef struct Comparison {
    const char *key, *measure;
    bool larger_is_better;
    CompareGroup *groups; /* 2 or more */
    size_t group_count;
    ComparePair *pairs;
    size_t pair_count;
    size_t left_out;         /* runs in contexts that not all groups have */
    const char **confounded; /* other parameters whose values differ between the groups */
    size_t confounded_count;
    size_t instances;  /* that all groups have */
    bool has_friedman; /* two instances or more */
    Friedman friedman;
} Comparison;

/* The only parameter of the runs that has two values or more, or NULL: none or several, and
 * `status` says which. */
const char *compare_only_key(RunList list, Arena *arena, Status *status);

/* Compares the runs by `key`. Fails when there are fewer than two groups, or more than
 * FRIEDMAN_MAX_METHODS. Everything lives in the arena. `measure` NULL: the default one. */
bool compare_runs(RunList list, const char *key, const char *measure, Comparison *comparison,
                  Arena *arena, Status *status);

/* The place in `groups` of the best median. */
size_t compare_best(const Comparison *comparison);

/* The pair of two groups, whichever way round it is stored. */
const ComparePair *compare_pair(const Comparison *comparison, size_t i, size_t j);

#endif
