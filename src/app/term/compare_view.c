/* compare_view: tables of groups and pairs, and the rank diagram as text. */
#include "term/compare_view.h"

#include "draw/rank_diagram.h"
#include "stats/rank_test.h"

#include <math.h>
#include <string.h>

static int widest_name(const Comparison *comparison) {
    size_t widest = strlen(comparison->key);
    for (size_t i = 0; i < comparison->group_count; i++) {
        size_t length = strlen(comparison->groups[i].name);
        widest = length > widest ? length : widest;
    }
    return (int)widest;
}

static void add_groups(const Comparison *comparison, int widest, Text *text) {
    text_format(text, "%-*s %6s %12s %12s %12s %12s %25s\n", widest, comparison->key, "runs",
                "median", "lower q.", "upper q.", "mean", "95 % interval");
    for (size_t i = 0; i < comparison->group_count; i++) {
        const Sample *sample = &comparison->groups[i].sample;
        text_format(text, "%-*s %6zu %12.6g %12.6g %12.6g %12.6g %12.6g %12.6g\n", widest,
                    comparison->groups[i].name, sample->count, sample->median, sample->lower,
                    sample->upper, sample->mean, sample->low, sample->high);
    }
}

static void add_p(double p, Text *text) {
    if (isnan(p))
        text_format(text, " %9s", "-");
    else
        text_format(text, " %9.*g", p < 0.001 ? 2 : 3, p);
}

static void add_pairs(const Comparison *comparison, int widest, Text *text) {
    text_format(text, "\n%-*s %6s %-10s %9s %9s %9s %9s\n", 2 * widest + 3, "pair", "A12", "effect",
                "p", "Holm", "Wilcoxon", "Holm");
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const ComparePair *pair = &comparison->pairs[i];
        text_format(text, "%-*s - %-*s %6.3f %-10s", widest, comparison->groups[pair->first].name,
                    widest, comparison->groups[pair->second].name, pair->a12,
                    rank_a12_word(pair->a12));
        add_p(pair->p, text);
        add_p(pair->p_holm, text);
        add_p(pair->wilcoxon_p, text);
        add_p(pair->wilcoxon_holm, text);
        text_add_char(text, '\n');
    }
    text_add(text,
             "A12: the probability that a run of the first is better. p: Mann-Whitney over all "
             "runs;\nWilcoxon: over instances (6 or more).\n");
}

static void add_ranks(const Comparison *comparison, Arena *arena, Text *text) {
    const char **names = arena_zeroed(arena, comparison->group_count, sizeof *names);
    if (!comparison->has_friedman || !names) {
        text_format(text,
                    "\nNo ranks: %zu instance%s (the other parameters and the pieces) with runs of "
                    "every group.\n",
                    comparison->instances, comparison->instances == 1 ? "" : "s");
        return;
    }
    for (size_t i = 0; i < comparison->group_count; i++)
        names[i] = comparison->groups[i].name;
    text_format(text,
                "\nFriedman over %zu instances: chi-square %.4g, p = %.3g. Mean ranks, 1 is "
                "best:\n",
                comparison->instances, comparison->friedman.chi_square, comparison->friedman.p);
    RankDiagram diagram = {.friedman = &comparison->friedman, .names = names};
    rank_diagram_text(&diagram, 90, text);
}

void compare_view(const Comparison *comparison, Arena *arena, Text *text) {
    int widest = widest_name(comparison);
    text_format(text, "%s by %s, %s is better\n\n", comparison->measure, comparison->key,
                comparison->larger_is_better ? "larger" : "smaller");
    add_groups(comparison, widest, text);
    if (comparison->left_out > 0)
        text_format(text,
                    "%zu runs do not count: their other parameters are not those of all groups.\n",
                    comparison->left_out);
    add_pairs(comparison, widest, text);
    add_ranks(comparison, arena, text);
}
