/* compare_view: tables of groups and pairs, and the rank diagram as text. */
#include "term/compare_view.h"

#include "draw/rank_diagram.h"
#include "stats/rank_test.h"
#include "term/table.h"

#include <math.h>

static void add_groups(const Comparison *comparison, int width, Text *text) {
    const TableColumn columns[] = {{comparison->key, true, 0}, {"runs", false, 0},
                                   {"median", false, 0},       {"lower q.", false, 1},
                                   {"upper q.", false, 1},     {"mean", false, 0},
                                   {"95 % from", false, 0},    {"95 % to", false, 0}};
    Table table;
    table_init(&table, columns, 8);
    for (size_t i = 0; i < comparison->group_count; i++) {
        const Sample *sample = &comparison->groups[i].sample;
        const double values[] = {sample->median, sample->lower, sample->upper,
                                 sample->mean,   sample->low,   sample->high};
        table_cell(&table, "%s", comparison->groups[i].name);
        table_cell(&table, "%zu", sample->count);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            table_number(&table, values[k]);
    }
    table_print(&table, width, text);
}

static void add_p(double p, Table *table) {
    if (isnan(p))
        table_cell(table, "-");
    else
        table_cell(table, "%.*g", p < 0.001 ? 2 : 3, p);
}

static void add_pairs(const Comparison *comparison, int width, Text *text) {
    static const TableColumn columns[] = {
        {"first", true, 0}, {"second", true, 0}, {"A12", false, 0},      {"effect", true, 1},
        {"p", false, 0},    {"Holm", false, 0},  {"Wilcoxon", false, 2}, {"Holm", false, 3}};
    Table table;
    table_init(&table, columns, 8);
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const ComparePair *pair = &comparison->pairs[i];
        table_cell(&table, "%s", comparison->groups[pair->first].name);
        table_cell(&table, "%s", comparison->groups[pair->second].name);
        table_cell(&table, "%.3f", pair->a12);
        table_cell(&table, "%s", rank_a12_word(pair->a12));
        add_p(pair->p, &table);
        add_p(pair->p_holm, &table);
        add_p(pair->wilcoxon_p, &table);
        add_p(pair->wilcoxon_holm, &table);
    }
    text_add_char(text, '\n');
    table_print(&table, width, text);
    text_add(text, "A12: the probability that a run of the first is better. p: Mann-Whitney over\n"
                   "all runs; Wilcoxon: over instances (6 or more).\n");
}

static void add_ranks(const Comparison *comparison, Arena *arena, int width, Text *text) {
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
    rank_diagram_text(&diagram, width < 90 ? width : 90, text);
}

void compare_view(const Comparison *comparison, Arena *arena, int width, Text *text) {
    text_format(text, "%s by %s, %s is better\n\n", comparison->measure, comparison->key,
                comparison->larger_is_better ? "larger" : "smaller");
    add_groups(comparison, width, text);
    if (comparison->left_out > 0)
        text_format(text,
                    "%zu runs do not count: their other parameters are not those of all groups.\n",
                    comparison->left_out);
    for (size_t i = 0; i < comparison->confounded_count; i++)
        text_format(text, "%s%s", i == 0 ? "Warning: the groups also differ in " : ", ",
                    comparison->confounded[i]);
    if (comparison->confounded_count > 0)
        text_add(text, ": a difference may come from there.\n");
    add_pairs(comparison, width, text);
    add_ranks(comparison, arena, width, text);
}
