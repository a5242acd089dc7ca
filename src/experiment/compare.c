#include "experiment/compare.h"

#include "experiment/rank_test.h"

#include <math.h>
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

/* The median of the runs of an instance in a group; NaN: there are none. */
static double median_at(RunList list, const char *const *instances, const char *instance,
                        const Comparison *comparison, const char *value, double *scratch,
                        Arena *arena) {
    size_t count = 0;
    for (size_t i = 0; i < list.count; i++) {
        const char *found = runs_value(list.items[i], comparison->key, arena);
        double measure = runs_measure(list.items[i], comparison->measure);
        if (found && strcmp(found, value) == 0 && strcmp(instances[i], instance) == 0 &&
            isfinite(measure))
            scratch[count++] = measure;
    }
    if (count == 0)
        return NAN;
    sample_sort(scratch, count);
    return sample_quantile(scratch, count, 0.5);
}

/* A row for every instance that all groups have, larger being better. */
static double *instance_table(RunList list, Comparison *comparison, Arena *arena) {
    size_t groups = comparison->group_count;
    double *table = arena_zeroed(arena, list.count * groups, sizeof *table);
    double *scratch = arena_zeroed(arena, list.count, sizeof *scratch);
    const char **instances = arena_zeroed(arena, list.count, sizeof *instances);
    if (arena->failed)
        return NULL;
    for (size_t i = 0; i < list.count; i++)
        instances[i] = instance_of(list.items[i], comparison->key, arena);
    for (size_t i = 0; i < list.count; i++) {
        bool seen = false, complete = true;
        for (size_t j = 0; j < i && !seen; j++)
            seen = strcmp(instances[j], instances[i]) == 0;
        double *row = table + comparison->instances * groups;
        for (size_t g = 0; !seen && complete && g < groups; g++) {
            double median = median_at(list, instances, instances[i], comparison,
                                      comparison->groups[g].name, scratch, arena);
            row[g] = comparison->larger_is_better ? median : -median;
            complete = !isnan(median);
        }
        comparison->instances += !seen && complete;
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
