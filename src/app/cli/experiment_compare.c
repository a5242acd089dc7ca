/*
 * experiment compare: are runs with one value of a key better than those with another? The tests
 * are those of experiment/compare; this chooses the runs and shows what came out.
 */
#include "cli/experiment.h"
#include "io/json.h"
#include "stats/compare.h"
#include "stats/rank_test.h"
#include "store/store.h"
#include "term/compare_view.h"

#include <math.h>
#include <string.h>

static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *groups_json(const Comparison *comparison) {
    json_t *groups = json_array();
    for (size_t i = 0; i < comparison->group_count; i++) {
        const CompareGroup *group = &comparison->groups[i];
        const Sample *sample = &group->sample;
        json_add(&groups,
                 json_pack("{s:s, s:I, s:f, s:[f,f], s:f, s:f, s:f, s:f, s:[f,f]}", "value",
                           group->name, "runs", (json_int_t)sample->count, "median", sample->median,
                           "quartiles", sample->lower, sample->upper, "min", sample->minimum, "max",
                           sample->maximum, "mean", sample->mean, "sd", sample->deviation, "ci95",
                           sample->low, sample->high));
    }
    return groups;
}

static json_t *pairs_json(const Comparison *comparison) {
    json_t *pairs = json_array();
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const ComparePair *pair = &comparison->pairs[i];
        json_t *nemenyi = comparison->has_friedman
                              ? json_real(friedman_nemenyi(&comparison->friedman, (int)pair->first,
                                                           (int)pair->second))
                              : json_null();
        json_add(&pairs, json_pack("{s:s, s:s, s:f, s:s, s:f, s:f, s:b, s:o, s:o, s:o}", "first",
                                   comparison->groups[pair->first].name, "second",
                                   comparison->groups[pair->second].name, "a12", pair->a12,
                                   "effect", rank_a12_word(pair->a12), "mann_whitney_p", pair->p,
                                   "mann_whitney_holm", pair->p_holm, "exact", pair->exact,
                                   "wilcoxon_p", number(pair->wilcoxon_p), "wilcoxon_holm",
                                   number(pair->wilcoxon_holm), "nemenyi_p", nemenyi));
    }
    return pairs;
}

static json_t *friedman_json(const Comparison *comparison) {
    if (!comparison->has_friedman)
        return json_null();
    json_t *ranks = json_object();
    for (size_t i = 0; i < comparison->group_count; i++)
        json_put(&ranks, comparison->groups[i].name, json_real(comparison->friedman.mean_ranks[i]));
    return json_pack("{s:f, s:f, s:f, s:o}", "chi_square", comparison->friedman.chi_square, "p",
                     comparison->friedman.p, "critical_difference",
                     comparison->friedman.critical_difference, "mean_ranks", ranks);
}

static bool show(const Comparison *comparison, bool json, Arena *arena, Status *status) {
    if (json)
        return cli_print_json(
            json_pack("{s:s, s:s, s:b, s:I, s:I, s:o, s:o, s:o}", "by", comparison->key, "measure",
                      comparison->measure, "larger_is_better", comparison->larger_is_better,
                      "instances", (json_int_t)comparison->instances, "left_out",
                      (json_int_t)comparison->left_out, "groups", groups_json(comparison), "pairs",
                      pairs_json(comparison), "friedman", friedman_json(comparison)),
            status);
    Text text;
    text_init(&text);
    compare_view(comparison, arena, &text);
    return cli_print_text(&text, status);
}

/* Runs of different commands have no measure in common. */
static bool one_command(RunList list, Status *status) {
    for (size_t i = 1; i < list.count; i++)
        if (strcmp(list.items[i]->command, list.items[0]->command) != 0)
            return status_fail(status, STATUS_INPUT,
                               "experiment compare: the store has runs of %s and of %s; choose a "
                               "grid with --grid",
                               list.items[0]->command, list.items[i]->command);
    return true;
}

static bool compare_list(const Runs *runs, const ExperimentSettings *settings, Arena *arena,
                         Status *status) {
    RunList done = runs_done(runs, arena);
    RunList list = runs_select(done, (RunFilter){.grid = settings->grid}, arena);
    if (arena->failed)
        return status_no_memory(status);
    if (list.count == 0 && settings->grid && done.count > 0)
        return status_fail(status, STATUS_INPUT, "--grid: no run of '%s' is done", settings->grid);
    if (list.count == 0)
        return status_fail(status, STATUS_UNMET, "experiment compare: no run is done yet");
    Comparison comparison;
    return one_command(list, status) &&
           compare_runs(list, settings->by, settings->measure, &comparison, arena, status) &&
           show(&comparison, settings->common.json, arena, status);
}

StatusCode experiment_compare(CliContext *context, const ExperimentSettings *settings,
                              Status *status) {
    (void)context;
    if (!settings->by) {
        status_fail(status, STATUS_INPUT,
                    "experiment compare: by what? (--by KEY, such as algorithm, agent, encoding)");
        return status->code;
    }
    Runs runs;
    Arena arena;
    runs_init(&runs);
    arena_init(&arena);
    Store *store = store_open(settings->store, STORE_LOOK, status);
    bool ok = store &&
              store_each(store, 1 << STORE_DONE, STORE_WITH_TIMES, runs_visit, &runs, status) &&
              compare_list(&runs, settings, &arena, status);
    store_free(store);
    arena_release(&arena);
    runs_release(&runs);
    return ok ? STATUS_OK : status->code;
}
