/*
 * experiment_compare: the subcommand `compare` of `experiment`: selects runs, applies stats/compare
 * and shows the results.
 */
#include "base/json_writer.h"
#include "cli/experiment.h"
#include "stats/compare.h"
#include "stats/rank_test.h"
#include "store/store.h"
#include "term/compare_view.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static void write_groups(JsonWriter *w, const Comparison *comparison) {
    jw_array(w, "groups");
    for (size_t i = 0; i < comparison->group_count; i++) {
        const Sample *sample = &comparison->groups[i].sample;
        jw_object(w, NULL);
        jw_put(w, JS("value", comparison->groups[i].name), JI("runs", (int64_t)sample->count),
               JR("median", sample->median));
        jw_reals(w, "quartiles", (double[]){sample->lower, sample->upper}, 2);
        jw_put(w, JR("min", sample->minimum), JR("max", sample->maximum), JR("mean", sample->mean),
               JR("sd", sample->deviation));
        jw_reals(w, "ci95", (double[]){sample->low, sample->high}, 2);
        jw_end(w);
    }
    jw_end(w);
}

static void write_pairs(JsonWriter *w, const Comparison *comparison) {
    jw_array(w, "pairs");
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const ComparePair *pair = &comparison->pairs[i];
        double nemenyi =
            comparison->has_friedman
                ? friedman_nemenyi(&comparison->friedman, (int)pair->first, (int)pair->second)
                : NAN;
        jw_object(w, NULL);
        jw_put(w, JS("first", comparison->groups[pair->first].name),
               JS("second", comparison->groups[pair->second].name), JR("a12", pair->a12),
               JS("effect", rank_a12_word(pair->a12)), JR("mann_whitney_p", pair->p),
               JR("mann_whitney_holm", pair->p_holm), JB("exact", pair->exact),
               JR("wilcoxon_p", pair->wilcoxon_p), JR("wilcoxon_holm", pair->wilcoxon_holm),
               JR("nemenyi_p", nemenyi));
        jw_end(w);
    }
    jw_end(w);
}

static void write_friedman(JsonWriter *w, const Comparison *comparison) {
    const Friedman *friedman = &comparison->friedman;
    if (!comparison->has_friedman) {
        jw_null(w, "friedman");
        return;
    }
    jw_object(w, "friedman");
    jw_put(w, JR("chi_square", friedman->chi_square), JR("p", friedman->p),
           JR("critical_difference", friedman->critical_difference));
    jw_object(w, "mean_ranks");
    for (size_t i = 0; i < comparison->group_count; i++)
        jw_real(w, comparison->groups[i].name, friedman->mean_ranks[i]);
    jw_end(w);
    jw_end(w);
}

static bool show(const Comparison *comparison, bool json, Arena *arena, Status *status) {
    Text text = {0};
    if (!json) {
        compare_view(comparison, arena, cli_columns(STDOUT_FILENO), &text);
        return cli_print_text(&text, status);
    }
    JsonWriter w;
    jw_start(&w);
    jw_put(&w, JS("by", comparison->key), JS("measure", comparison->measure),
           JB("larger_is_better", comparison->larger_is_better),
           JI("instances", (int64_t)comparison->instances),
           JI("left_out", (int64_t)comparison->left_out));
    jw_array(&w, "confounded");
    for (size_t i = 0; i < comparison->confounded_count; i++)
        jw_string(&w, NULL, comparison->confounded[i]);
    jw_end(&w);
    write_groups(&w, comparison);
    write_pairs(&w, comparison);
    write_friedman(&w, comparison);
    return cli_print_json(&w, status);
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
    const char *key = settings->by;
    if (!one_command(list, status))
        return false;
    if (!key && !(key = compare_only_key(list, arena, status)))
        return status_prefix_option(status, "by");
    return compare_runs(list, key, settings->measure, &comparison, arena, status) &&
           show(&comparison, settings->common.json, arena, status);
}

StatusCode experiment_compare(CliContext *context, const ExperimentSettings *settings,
                              Status *status) {
    (void)context;
    Runs runs;
    Arena arena = {0};
    runs_init(&runs);
    Store *store = store_open(settings->store, STORE_LOOK, status);
    bool ok = store &&
              store_each(store, 1 << STORE_DONE, STORE_WITH_TIMES, runs_visit, &runs, status) &&
              (!settings->by || strcmp(settings->by, "part") != 0 ||
               (store_each_grid(store, runs_visit_grid, &runs, status) &&
                runs_note_parts(&runs, status))) &&
              compare_list(&runs, settings, &arena, status);
    store_free(store);
    arena_release(&arena);
    runs_release(&runs);
    return ok ? STATUS_OK : status->code;
}
