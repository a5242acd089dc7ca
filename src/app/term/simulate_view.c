/* simulate_view: the tables that `simulate` prints. */
#include "term/simulate_view.h"

#include "base/units.h"
#include "term/table.h"

#include <math.h>

static void add_deaths(const SimulateResult *result, Text *text) {
    text_format(text, "pieces placed     %lld\ntop-outs          %lld\n",
                (long long)result->total_pieces, (long long)result->deaths);
    if (result->deaths == 0) {
        text_add(text, "lines per game    no game topped out\n");
        return;
    }
    double mean = (double)result->total_lines / (double)result->deaths;
    double factor = deaths_factor(result->deaths);
    text_format(text, "lines per game    %.1f (95 %%: %.1f to %.1f)\n", mean, mean / factor,
                mean * factor);
}

/* Games that an outside player lost by a fault, with the first reason. */
static void add_faults(const char *name, const SimulateResult *result, Text *text) {
    for (int64_t i = 0; result->faults > 0 && i < result->count; i++)
        if (result->games[i].fault) {
            text_format(text, "%s: %lld of %lld lost by a fault of the program; seed %llu: %s\n",
                        name, (long long)result->faults, (long long)result->count,
                        (unsigned long long)result->games[i].seed, result->games[i].fault);
            return;
        }
}

static void add_rates(const SimulateResult *result, Text *text) {
    double pieces = result->total_pieces > 0 ? (double)result->total_pieces : 1;
    text_format(text, "lines per piece   %.4f\n", (double)result->total_lines / pieces);
    if (simulate_knows(result, MEASURE_SCORE))
        text_format(text, "points per piece  %.2f\n", (double)result->total_score / pieces);
    if (simulate_knows(result, MEASURE_SCORE) && result->count > 1)
        text_format(text, "consistency       score varies by %.1f %%, lines by %.1f %%\n",
                    100 * summary_variation(&result->summaries[MEASURE_SCORE]),
                    100 * summary_variation(&result->summaries[MEASURE_LINES]));
    if (result->times.count > 0)
        text_format(text, "decision          %s on average, 99 %% within %s\n",
                    units_time(times_mean(&result->times) * 1e-9).text,
                    units_time(times_quantile(&result->times, 0.99) * 1e-9).text);
    text_format(text, "speed             %s (pieces)\n",
                units_rate((double)result->total_pieces / result->seconds).text);
}

void simulate_view_one(const SimulateTask *task, const SimulateResult *result, int width,
                       Text *text) {
    if (task->total_pieces > 0) {
        add_deaths(result, text);
        add_rates(result, text);
        add_faults(task->agent->name, result, text);
        return;
    }
    if (result->count == 0) {
        text_add(text, "stopped before a piece was placed\n");
        return;
    }
    text_format(text, "%lld game%s, %lld topped out%s\n\n", (long long)result->count,
                result->count == 1 ? "" : "s", (long long)result->deaths,
                result->cut ? "; stopped early: unfinished games are left out" : "");
    static const TableColumn columns[] = {
        {"", true, 0},         {"mean", false, 0},   {"std dev", false, 3}, {"95 % from", false, 0},
        {"95 % to", false, 0}, {"median", false, 0}, {"min", false, 1},     {"max", false, 2}};
    Table table;
    table_init(&table, columns, 8);
    for (int i = 0; i < MEASURE_COUNT; i++) {
        const Summary *summary = &result->summaries[i];
        const double values[] = {summary->mean,   summary->deviation, summary->low,
                                 summary->high,   summary->median,    summary->minimum,
                                 summary->maximum};
        table_cell(&table, "%s", simulate_measure_names[i]);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            table_number(&table, values[k]);
    }
    table_print(&table, width, text);
    text_add_char(text, '\n');
    add_rates(result, text);
    add_faults(task->agent->name, result, text);
}

void simulate_view_all(const SimulateEntrantView *entrants, int count, int width, Text *text) {
    static const TableColumn columns[] = {
        {"agent", true, 0},     {"games", false, 0},    {"top-outs", false, 2},
        {"lines", false, 0},    {"level", false, 6},    {"tetrises", false, 3},
        {"score", false, 0},    {"+- 95 %", false, 0},  {"CV score", false, 4},
        {"CV lines", false, 5}, {"decision", false, 1}, {"99 %", false, 7}};
    Table table;
    table_init(&table, columns, sizeof columns / sizeof *columns);
    for (int i = 0; i < count; i++) {
        const SimulateResult *result = entrants[i].result;
        const Summary *score = &result->summaries[MEASURE_SCORE];
        bool none = result->count == 0;
        table_cell(&table, "%s%s", entrants[i].name, result->cut || none ? " *" : "");
        table_cell(&table, "%lld", (long long)result->count);
        table_cell(&table, "%lld", (long long)result->deaths);
        table_number(&table, none ? NAN : result->summaries[MEASURE_LINES].mean);
        table_number(&table, none ? NAN : result->summaries[MEASURE_LEVEL].mean);
        table_number(&table, none ? NAN : result->summaries[MEASURE_TETRISES].mean);
        table_number(&table, none ? NAN : score->mean);
        table_number(&table, none ? NAN : score->high - score->mean);
        table_fixed(&table, 1, none ? NAN : 100 * summary_variation(score), " %");
        table_fixed(&table, 1,
                    none ? NAN : 100 * summary_variation(&result->summaries[MEASURE_LINES]), " %");
        table_cell(&table, "%s", units_time(none ? NAN : times_mean(&result->times) * 1e-9).text);
        table_cell(&table, "%s",
                   units_time(none ? NAN : times_quantile(&result->times, 0.99) * 1e-9).text);
    }
    table_print(&table, width, text);
    for (int i = 0; i < count; i++)
        add_faults(entrants[i].name, entrants[i].result, text);
    for (int i = 0; i < count; i++)
        if (entrants[i].result->cut || entrants[i].result->count == 0) {
            text_add(text, "* stopped early: unfinished games are left out\n");
            break;
        }
}
