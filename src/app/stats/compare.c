/*
 * compare: 1. every run becomes an entry with its context, group and value. 2. Contexts that not
 * all groups have are left out. 3. Tests over runs, pair by pair. 4. Tests over instances.
 */
#include "stats/compare.h"

#include "stats/rank_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One run as the tests see it. */
typedef struct Entry {
    const StoreRun *run;
    const char *context; /* the parameters that all groups have, the key left out */
    uint64_t piece_seed;
    size_t group;
    double value;
    bool kept; /* every group has runs in this context */
} Entry;

typedef struct Entries {
    Entry *items;
    size_t count;
} Entries;

static int compare_contexts(const void *a, const void *b) {
    const Entry *x = a, *y = b;
    int order = strcmp(x->context, y->context);
    return order ? order : (x->group > y->group) - (x->group < y->group);
}

/* By instance (context and pieces), group and value. */
static int compare_entries(const void *a, const void *b) {
    const Entry *x = a, *y = b;
    int order = strcmp(x->context, y->context);
    if (order == 0)
        order = (x->piece_seed > y->piece_seed) - (x->piece_seed < y->piece_seed);
    if (order == 0)
        order = (x->group > y->group) - (x->group < y->group);
    return order ? order : (x->value > y->value) - (x->value < y->value);
}

/* Whether every value of the key has a run that sets `name`. A parameter of only one algorithm
 * cannot be held fixed when algorithms are compared. */
static bool is_shared(RunList list, const RunKey *key, const char *name, Arena *arena) {
    for (size_t i = 0; i < key->count; i++) {
        bool found = false;
        for (size_t j = 0; j < list.count && !found; j++) {
            const char *value = runs_value(list.items[j], key->name, arena);
            found =
                value && strcmp(value, key->values[i]) == 0 && store_parameter(list.items[j], name);
        }
        if (!found)
            return false;
    }
    return true;
}

/* Whether some run of the group has the value; NULL: does not name the parameter. */
static bool value_in_group(RunList list, const RunKey *key, size_t group, const char *name,
                           const char *value, Arena *arena) {
    for (size_t i = 0; i < list.count; i++) {
        const char *of_key = runs_value(list.items[i], key->name, arena);
        const char *own = store_parameter(list.items[i], name);
        if (of_key && strcmp(of_key, key->values[group]) == 0 &&
            (own && value ? strcmp(own, value) == 0 : own == value))
            return true;
    }
    return false;
}

/* Whether all groups have the same values of `name`: else the sections of a grid set it, and it
 * belongs to what is compared. */
static bool is_common(RunList list, const RunKey *key, const char *name, Arena *arena) {
    RunKey values = runs_key(list, name, arena);
    for (size_t i = 0; i < values.count; i++)
        for (size_t group = 0; group < key->count; group++)
            if (!value_in_group(list, key, group, name, values.values[i], arena))
                return false;
    return true;
}

static bool is_part(const RunKey *key) {
    return strcmp(key->name, "part") == 0;
}

/* The names that make up a context. The seed of the search is not part of the context. */
static size_t shared_names(RunList list, const RunKey *key, const char **names, Arena *arena) {
    size_t count = runs_names(list, names), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], key->name) != 0 && strcmp(names[i], "seed") != 0 &&
            is_shared(list, key, names[i], arena) &&
            (!is_part(key) || is_common(list, key, names[i], arena)))
            names[kept++] = names[i];
    return kept;
}

static const char *context_of(const StoreRun *run, const char *const *names, size_t count,
                              Arena *arena) {
    const char *text = "";
    for (size_t i = 0; i < count; i++) {
        const char *value = store_parameter(run, names[i]);
        text = arena_format(arena, "%s%s=%s\n", text, names[i], value ? value : "");
    }
    return text;
}

static Entries collect_entries(RunList list, const RunKey *key, const Comparison *comparison,
                               Arena *arena) {
    Entries entries = {.items = arena_zeroed(arena, list.count, sizeof(Entry))};
    const char *names[STORE_PARAMETERS_MAX];
    size_t name_count = shared_names(list, key, names, arena);
    for (size_t i = 0; entries.items && i < list.count; i++) {
        const StoreRun *run = list.items[i];
        const char *value = runs_value(run, comparison->key, arena);
        double measure = runs_measure(run, comparison->measure);
        size_t group = 0;
        while (value && group < key->count && strcmp(key->values[group], value) != 0)
            group++;
        if (value && group < key->count && isfinite(measure))
            entries.items[entries.count++] = (Entry){
                run,  context_of(run, names, name_count, arena), run->piece_seed, group, measure,
                false};
    }
    return entries;
}

/* Keeps the entries of contexts that all `groups` have; all entries if there is no such context. */
static void keep_comparable(Entries entries, size_t groups) {
    size_t kept = 0;
    qsort(entries.items, entries.count, sizeof *entries.items, compare_contexts);
    for (size_t first = 0, last; first < entries.count; first = last) {
        size_t known = 1;
        for (last = first + 1; last < entries.count && strcmp(entries.items[last].context,
                                                              entries.items[first].context) == 0;
             last++)
            known += entries.items[last].group != entries.items[last - 1].group;
        for (size_t i = first; i < last; i++)
            entries.items[i].kept = known == groups;
        kept += known == groups ? last - first : 0;
    }
    for (size_t i = 0; kept == 0 && i < entries.count; i++)
        entries.items[i].kept = true;
}

/* ---- what else differs */

/* Whether a kept run of the group has the value; NULL: does not name the parameter. */
static bool group_has(Entries entries, size_t group, const char *name, const char *value) {
    for (size_t i = 0; i < entries.count; i++) {
        const Entry *entry = &entries.items[i];
        if (!entry->kept || entry->group != group)
            continue;
        const char *own = store_parameter(entry->run, name);
        if (own && value ? strcmp(own, value) == 0 : own == value)
            return true;
    }
    return false;
}

/* Whether some group lacks a value that another has. With `own`, a parameter that a group never
 * names belongs to the others, as population belongs to ga. */
static bool differs(Entries entries, size_t groups, const char *name, bool own) {
    for (size_t group = 0; own && group < groups; group++) {
        bool named = false;
        for (size_t i = 0; i < entries.count && !named; i++)
            named = entries.items[i].kept && entries.items[i].group == group &&
                    store_parameter(entries.items[i].run, name);
        if (!named)
            return false;
    }
    for (size_t i = 0; i < entries.count; i++)
        for (size_t group = 0; entries.items[i].kept && group < groups; group++)
            if (!group_has(entries, group, name, store_parameter(entries.items[i].run, name)))
                return true;
    return false;
}

/* Notes the parameters besides the key whose values are not the same in all groups: a difference
 * may come from them. */
static void note_confounded(RunList list, Entries entries, const RunKey *key,
                            Comparison *comparison, Arena *arena) {
    const char *names[STORE_PARAMETERS_MAX];
    size_t count = runs_names(list, names);
    bool own = strcmp(key->name, "algorithm") == 0 || strcmp(key->name, "agent") == 0 ||
               strcmp(key->name, "method") == 0;
    comparison->confounded = arena_zeroed(arena, count, sizeof *comparison->confounded);
    for (size_t i = 0; comparison->confounded && !is_part(key) && i < count; i++)
        if (strcmp(names[i], key->name) != 0 && strstr(names[i], "seed") == NULL &&
            differs(entries, key->count, names[i], own))
            comparison->confounded[comparison->confounded_count++] = names[i];
}

static bool fill_groups(Entries entries, const RunKey *key, Comparison *comparison, Arena *arena) {
    comparison->groups = arena_zeroed(arena, key->count, sizeof *comparison->groups);
    for (size_t i = 0; comparison->groups && i < key->count; i++) {
        CompareGroup *group = &comparison->groups[comparison->group_count];
        group->values.values = arena_zeroed(arena, entries.count, sizeof(double));
        for (size_t j = 0; group->values.values && j < entries.count; j++) {
            const Entry *entry = &entries.items[j];
            if (entry->group == i && entry->kept)
                group->values.values[group->values.count++] = entry->value;
            comparison->left_out += entry->group == i && !entry->kept;
        }
        if (group->values.count == 0)
            continue;
        group->name = key->values[i];
        group->sample = sample_of(group->values.values, group->values.count);
        comparison->group_count++;
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

static bool same_instance(const Entry *x, const Entry *y) {
    return x->piece_seed == y->piece_seed && strcmp(x->context, y->context) == 0;
}

/* The median of sorted entries. */
static double median_of(const Entry *entries, size_t count) {
    return (entries[(count - 1) / 2].value + entries[count / 2].value) / 2;
}

/* A row of medians, larger being better, for every instance that all groups have. A row that stays
 * incomplete is written over by the next. */
static double *instance_table(Entries entries, Comparison *comparison, Arena *arena) {
    size_t groups = comparison->group_count;
    double *table = arena_zeroed(arena, entries.count * groups, sizeof *table);
    if (!table)
        return NULL;
    qsort(entries.items, entries.count, sizeof *entries.items, compare_entries);
    size_t known = 0; /* groups that the present instance has */
    for (size_t first = 0, last; first < entries.count; first = last) {
        const Entry *start = &entries.items[first];
        for (last = first + 1; last < entries.count && entries.items[last].group == start->group &&
                               same_instance(&entries.items[last], start);
             last++)
            continue;
        double median = median_of(start, last - first);
        table[comparison->instances * groups + start->group] =
            comparison->larger_is_better ? median : -median;
        known++;
        if (last < entries.count && same_instance(&entries.items[last], start))
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

const char *compare_only_key(RunList list, Arena *arena, Status *status) {
    size_t count;
    const RunKey *keys = runs_varying(list, &count, arena);
    if (arena->failed)
        return status_no_memory(status), NULL;
    if (count == 1)
        return keys[0].name;
    if (count == 0)
        return status_fail(status, STATUS_INPUT, "all runs have the same parameters"), NULL;
    const char *names = keys[0].name;
    for (size_t i = 1; i < count; i++)
        names = arena_format(arena, "%s%s%s", names, i + 1 < count ? ", " : " or ", keys[i].name);
    return status_fail(status, STATUS_INPUT, "several parameters vary: choose %s", names), NULL;
}

bool compare_runs(RunList list, const char *key, const char *measure, Comparison *comparison,
                  Arena *arena, Status *status) {
    *comparison =
        (Comparison){.key = key, .measure = measure ? measure : runs_default_measure(list)};
    comparison->larger_is_better = runs_larger_is_better(comparison->measure);
    RunKey values = runs_key(list, key, arena);
    if (arena->failed)
        return status_no_memory(status);
    if (values.count < 2)
        return status_fail(status, STATUS_INPUT, "%s: the runs that are done have %s", key,
                           values.count == 0 ? "no such key" : "only one value of it");
    if (values.count > FRIEDMAN_MAX_METHODS)
        return status_fail(status, STATUS_INPUT, "%s: %zu values are too many to compare", key,
                           values.count);
    Entries entries = collect_entries(list, &values, comparison, arena);
    if (arena->failed)
        return status_no_memory(status);
    keep_comparable(entries, values.count);
    note_confounded(list, entries, &values, comparison, arena);
    if (!fill_groups(entries, &values, comparison, arena))
        return status_no_memory(status);
    if (comparison->group_count < values.count)
        return status_fail(status, STATUS_INPUT, "%s: not all values of %s have runs with it",
                           comparison->measure, key);
    if (!fill_pairs(comparison, arena, status))
        return false;
    const double *table = instance_table(entries, comparison, arena);
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
