/*
 * report_published: the runs of the grids published-ga and published-sa beside the published
 * numbers.
 *
 * The published tables stand here as they were printed (the medians of annealing were read off its
 * box plots). The interval of a median is that of order statistics: it holds for any distribution.
 */
#include "report/report_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A cell of a published table. */
typedef struct PublishedCell {
    const char *pieces, *key, *value;
    double median, best; /* NAN: not published */
} PublishedCell;

static const PublishedCell genetic[] = {
    {"10", "encoding", "simple", -35.25, -11.25},
    {"10", "encoding", "double", -16.5, -10.25},
    {"10", "encoding", "swap-simple", -13.25, -11},
    {"10", "encoding", "swap-double", -18.25, -11.25},
    {"20", "encoding", "simple", -72.0, -7.75},
    {"20", "encoding", "double", -86.25, -18.25},
    {"20", "encoding", "swap-simple", -90.4, -40.5},
    {"20", "encoding", "swap-double", -11, -3.5},
    {"30", "encoding", "simple", -466.6, -337.5},
    {"30", "encoding", "double", -219.3, -88.4},
    {"30", "encoding", "swap-simple", -456.5, -338},
    {"30", "encoding", "swap-double", -177.2, -15.25},
    {"10", "population", "10000", -13.75, NAN},
    {"10", "population", "20000", -14.75, NAN},
    {"10", "population", "30000", -18.25, NAN},
    {"20", "population", "10000", -86.25, NAN},
    {"20", "population", "20000", -51.4, NAN},
    {"20", "population", "30000", -45.5, NAN},
    {"30", "population", "10000", -352, NAN},
    {"30", "population", "20000", -267, NAN},
    {"30", "population", "30000", -203, NAN},
    {"10", "mutation", "0.05", -19.5, NAN},
    {"10", "mutation", "0.15", -14, NAN},
    {"10", "mutation", "0.25", -18.25, NAN},
    {"20", "mutation", "0.05", -100, NAN},
    {"20", "mutation", "0.15", -72, NAN},
    {"20", "mutation", "0.25", -18.25, NAN},
    {"30", "mutation", "0.05", -365, NAN},
    {"30", "mutation", "0.15", -235, NAN},
    {"30", "mutation", "0.25", -210, NAN},
};

static const PublishedCell annealing[] = {
    {"30", "encoding", "simple", -557, NAN},
    {"30", "encoding", "double", -603, NAN},
    {"30", "encoding", "swap-simple", -533, NAN},
    {"30", "encoding", "swap-double", -728, NAN},
};

static const struct {
    const char *grid;
    const PublishedCell *cells;
    size_t count;
} tables[] = {
    {"published-ga", genetic, sizeof genetic / sizeof *genetic},
    {"published-sa", annealing, sizeof annealing / sizeof *annealing},
};

static void write_cell(const ReportScope *scope, const PublishedCell *cell) {
    Report *report = scope->report;
    Arena *arena = scope->arena;
    RunList runs = runs_select(scope->runs, (RunFilter){.key = "n", .value = cell->pieces}, arena);
    runs = runs_select(runs, (RunFilter){.key = cell->key, .value = cell->value}, arena);
    Numbers fitness = runs_measures(runs, "fitness", arena);
    double low = NAN, high = NAN;
    Sample sample = report_sample(fitness);
    if (fitness.count > 0)
        sample_median_interval(fitness.values, fitness.count, &low, &high);
    report_row(report);
    report_cell(report, "%s", cell->pieces);
    report_cell(report, "%s %s", cell->key, cell->value);
    report_cell(report, "%zu", fitness.count);
    report_cell_number(report, cell->median);
    report_cell_number(report, sample.median);
    report_cell_range(report, low, high);
    report_cell(report, "%s",
                fitness.count == 0                            ? " -"
                : cell->median >= low && cell->median <= high ? " yes"
                : cell->median < low                          ? " no, ours is better"
                                                              : " no, theirs is better");
    report_cell_number(report, cell->best);
    report_cell_number(report, fitness.count > 0 ? sample.maximum : NAN);
}

void report_published(const ReportScope *scope) {
    static const char *const columns[] = {
        "pieces",   "runs with",         "runs",           "published median", "our median",
        "interval", "published inside?", "published best", "our best"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (strcmp(scope->grid, tables[i].grid) != 0)
            continue;
        report_heading(scope->report, 3, arena_format(scope->arena, "%s-published", scope->grid),
                       "Final fitness beside the published numbers");
        report_table(scope->report, columns, sizeof columns / sizeof *columns);
        for (size_t k = 0; k < tables[i].count; k++)
            write_cell(scope, &tables[i].cells[k]);
        report_table_end(scope->report);
        report_paragraph(scope->report,
                         "The interval is the narrowest pair of order statistics that holds the "
                         "median of further runs with 95 %%, the same number from each end.");
    }
}
