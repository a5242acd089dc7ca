#include "experiment/compare.h"

#include "experiment/rank_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool fill_groups(RunList list, const RunKey *key, Comparison *comparison, Arena *arena) {
    comparison->groups = arena_zeroed(arena, key->count, sizeof *comparison->groups);
    for (size_t i = 0; comparison->groups && i < key->count; i++) {
        RunList of_value =
            runs_select(list, (RunFilter){.key = comparison->key, .value = key->values[i]}, arena);
        CompareGroup group = {.name = key->values[i],
                              .values = runs_measures(of_value, comparison->measure, arena)};
        if (group.values.count == 0)
            continue;
        group.sample = sample_of(group.values.values, group.values.count);
        comparison->groups[comparison->group_count++] = group;
    }
    return !arena->failed;
}

static bool fill_pairs(Comparison *comparison, Arena *arena, Status *status) {
    size_t groups = comparison->group_count, pairs = groups * (groups - 1) / 2;
    double *p = arena_zeroed(arena, pairs, sizeof *p);
    comparison->pairs = arena_zeroed(arena, pairs, sizeof *comparison->pairs);
    if (arena->failed)
        return status_no_memory(status);
    for (size_t i = 0; i < groups; i++)
        for (size_t j = i + 1; j < groups; j++) {
            Numbers one = comparison->groups[i].values, two = comparison->groups[j].values;
            RankTest test;
            if (!rank_mann_whitney(one.values, one.count, two.values, two.count, &test, status))
                return false;
            double a12 = rank_a12(test.statistic, one.count, two.count);
            p[comparison->pair_count] = test.p;
            comparison->pairs[comparison->pair_count++] =
                (ComparePair){.first = i,
                              .second = j,
                              .a12 = comparison->larger_is_better ? a12 : 1 - a12,
                              .p = test.p,
                              .exact = test.exact,
                              .wilcoxon_p = NAN,
                              .wilcoxon_holm = NAN};
        }
    if (!rank_holm(p, pairs, status))
        return false;
    for (size_t i = 0; i < pairs; i++)
        comparison->pairs[i].p_holm = p[i];
    return true;
}

/* ---- over instances */

/* What a run is apart from the key: the other parameters and its pieces. */
static const char *instance_of(const StoreRun *run, const char *key, Arena *arena) {
    return arena_format(arena, "%s; %s; %llu", run->grid, runs_instance(run, key, arena),
                        (unsigned long long)run->piece_seed);
}

/* What one run says. Sorted, those of an instance and a group stand together. */
typedef struct Entry {
    const char *instance;
    size_t group;
    double value; /* larger is better */
} Entry;

static int compare_entries(const void *a, const void *b) {
    const Entry *x = a, *y = b;
    int order = strcmp(x->instance, y->instance);
    if (order != 0)
        return order;
    if (x->group != y->group)
        return x->group > y->group ? 1 : -1;
    return (x->value > y->value) - (x->value < y->value);
}

static size_t collect_entries(RunList list, const Comparison *comparison, Entry *entries,
                              Arena *arena) {
    size_t count = 0;
    for (size_t i = 0; i < list.count; i++) {
        const char *value = runs_value(list.items[i], comparison->key, arena);
        double measure = runs_measure(list.items[i], comparison->measure);
        size_t group = 0;
        while (value && group < comparison->group_count &&
               strcmp(comparison->groups[group].name, value) != 0)
            group++;
        if (!value || group == comparison->group_count || !isfinite(measure))
            continue;
        entries[count++] = (Entry){instance_of(list.items[i], comparison->key, arena), group,
                                   comparison->larger_is_better ? measure : -measure};
    }
    qsort(entries, count, sizeof *entries, compare_entries);
    return count;
}

/* The median of sorted entries. */
static double median_of(const Entry *entries, size_t count) {
    return (entries[(count - 1) / 2].value + entries[count / 2].value) / 2;
}

/* A row of medians for every instance that all groups have. */
static double *instance_table(RunList list, Comparison *comparison, Arena *arena) {
    size_t groups = comparison->group_count;
    double *table = arena_zeroed(arena, list.count * groups, sizeof *table);
    Entry *entries = arena_zeroed(arena, list.count, sizeof *entries);
    size_t count = arena->failed ? 0 : collect_entries(list, comparison, entries, arena);
    size_t known = 0; /* groups that the present instance has */
    for (size_t first = 0, last; first < count; first = last) {
        const Entry *start = &entries[first];
        for (last = first + 1; last < count && entries[last].group == start->group &&
                               strcmp(entries[last].instance, start->instance) == 0;
             last++)
            continue;
        table[comparison->instances * groups + start->group] = median_of(start, last - first);
        known++;
        if (last < count && strcmp(entries[last].instance, start->instance) == 0)
            continue;
        comparison->instances += known == groups;
        known = 0;
    }
    return table;
}

/* With fewer than six pairs no outcome of Wilcoxon's test could be below 0.05. */
enum { WILCOXON_LEAST = 6 };

static bool fill_wilcoxon(Comparison *comparison, const double *table, Arena *arena,
                          Status *status) {
    size_t n = comparison->instances, groups = comparison->group_count;
    double *columns = arena_zeroed(arena, 2 * n + comparison->pair_count, sizeof *columns);
    if (!columns)
        return status_no_memory(status);
    double *p = columns + 2 * n;
    for (size_t k = 0; k < comparison->pair_count; k++) {
        ComparePair *pair = &comparison->pairs[k];
        for (size_t i = 0; i < n; i++) {
            columns[i] = table[i * groups + pair->first];
            columns[n + i] = table[i * groups + pair->second];
        }
        RankTest test;
        if (!rank_wilcoxon(columns, columns + n, n, &test, status))
            return false;
        p[k] = pair->wilcoxon_p = test.p;
    }
    if (!rank_holm(p, comparison->pair_count, status))
        return false;
    for (size_t k = 0; k < comparison->pair_count; k++)
        comparison->pairs[k].wilcoxon_holm = p[k];
    return true;
}

bool compare_runs(RunList list, const char *key, const char *measure, Comparison *comparison,
                  Arena *arena, Status *status) {
    *comparison =
        (Comparison){.key = key, .measure = measure ? measure : runs_default_measure(list)};
    comparison->larger_is_better = runs_larger_is_better(comparison->measure);
    RunKey values = runs_key(list, key, arena);
    if (values.count > FRIEDMAN_MAX_METHODS)
        return status_fail(status, STATUS_INPUT, "%s: %zu values are too many to compare", key,
                           values.count);
    if (!fill_groups(list, &values, comparison, arena))
        return status_no_memory(status);
    if (values.count < 2)
        return status_fail(status, STATUS_INPUT, "%s: the runs that are done have %s", key,
                           values.count == 0 ? "no such key" : "only one value of it");
    if (comparison->group_count < 2)
        return status_fail(status, STATUS_INPUT, "%s: too few runs have this measure",
                           comparison->measure);
    if (!fill_pairs(comparison, arena, status))
        return false;
    const double *table = instance_table(list, comparison, arena);
    if (arena->failed)
        return status_no_memory(status);
    if (comparison->instances >= WILCOXON_LEAST && !fill_wilcoxon(comparison, table, arena, status))
        return false;
    comparison->has_friedman = comparison->instances >= 2;
    return !comparison->has_friedman ||
           friedman_test(table, comparison->instances, (int)comparison->group_count,
                         &comparison->friedman, status);
}

size_t compare_best(const Comparison *comparison) {
    size_t best = 0;
    for (size_t i = 1; i < comparison->group_count; i++) {
        double gain = comparison->groups[i].sample.median - comparison->groups[best].sample.median;
        if (comparison->larger_is_better ? gain > 0 : gain < 0)
            best = i;
    }
    return best;
}

const ComparePair *compare_pair(const Comparison *comparison, size_t i, size_t j) {
    for (size_t k = 0; k < comparison->pair_count; k++) {
        const ComparePair *pair = &comparison->pairs[k];
        if ((pair->first == i && pair->second == j) || (pair->first == j && pair->second == i))
            return pair;
    }
    return NULL;
}
