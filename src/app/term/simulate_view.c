/* simulate_view: the tables that `simulate` prints. */
#include "term/simulate_view.h"

#include <math.h>
#include <stdio.h>

/* Integers have no decimals; other numbers have about five digits. */
static void add_number(double value, Text *text) {
    char digits[32];
    if (isnan(value)) {
        text_format(text, " %12s", "-");
        return;
    }
    double size = fabs(value);
    int decimals = value == floor(value) || size >= 10000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 4;
    snprintf(digits, sizeof digits, "%.*f", decimals, value);
    text_format(text, " %12s", digits);
}

static void add_summary(const char *name, const Summary *summary, Text *text) {
    const double values[] = {summary->mean,   summary->deviation, summary->low,    summary->high,
                             summary->median, summary->minimum,   summary->maximum};
    text_format(text, "%-12s", name);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        add_number(values[i], text);
    text_add_char(text, '\n');
}

static void add_deaths(const SimulateResult *result, Text *text) {
    text_format(text, "pieces placed     %lld\ngames ended       %lld\n",
                (long long)result->total_pieces, (long long)result->deaths);
    if (result->deaths == 0) {
        text_add(text, "lines per game    no game ended\n");
        return;
    }
    double mean = (double)result->total_lines / (double)result->deaths;
    double factor = deaths_factor(result->deaths);
    text_format(text, "lines per game    %.1f (95 %%: %.1f to %.1f)\n", mean, mean / factor,
                mean * factor);
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
        text_format(text, "decision          %.2f us on average, 99 %% within %.2f us\n",
                    times_mean(&result->times) * 1e-3, times_quantile(&result->times, 0.99) * 1e-3);
    text_format(text, "speed             %.0f pieces/s\n",
                (double)result->total_pieces / result->seconds);
}

void simulate_view_one(const SimulateTask *task, const SimulateResult *result, Text *text) {
    if (task->total_pieces > 0) {
        add_deaths(result, text);
        add_rates(result, text);
        return;
    }
    if (result->count == 0) {
        text_add(text, "stopped before a piece was placed\n");
        return;
    }
    text_format(text, "%lld game%s, %lld of them ended by the rules%s\n\n",
                (long long)result->count, result->count == 1 ? "" : "s", (long long)result->deaths,
                result->cut ? "; stopped early: unfinished games are left out" : "");
    static const char *const heads[] = {"mean",   "deviation", "95 % from", "95 % to",
                                        "median", "least",     "most"};
    text_format(text, "%-12s", "");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        text_format(text, " %12s", heads[i]);
    text_add_char(text, '\n');
    for (int i = 0; i < MEASURE_COUNT; i++)
        add_summary(simulate_measure_names[i], &result->summaries[i], text);
    text_add_char(text, '\n');
    add_rates(result, text);
}

void simulate_view_heading(Text *text) {
    text_format(text, "%-24s %6s %7s %7s %6s %8s %11s %11s %9s %9s %10s %10s\n", "agent", "games",
                "died", "lines", "level", "tetrises", "score", "+- 95 %", "cv score", "cv lines",
                "us", "us p99");
}

void simulate_view_row(const char *name, const SimulateResult *result, Text *text) {
    const Summary *score = &result->summaries[MEASURE_SCORE];
    if (result->count == 0) {
        text_format(text, "%-24s stopped before a piece was placed\n", name);
        return;
    }
    text_format(text,
                "%-24s %6lld %7lld %7.1f %6.2f %8.2f %11.0f %11.0f %8.1f%% %8.1f%% %10.2f "
                "%10.2f\n",
                name, (long long)result->count, (long long)result->deaths,
                result->summaries[MEASURE_LINES].mean, result->summaries[MEASURE_LEVEL].mean,
                result->summaries[MEASURE_TETRISES].mean, score->mean, score->high - score->mean,
                100 * summary_variation(score),
                100 * summary_variation(&result->summaries[MEASURE_LINES]),
                times_mean(&result->times) * 1e-3, times_quantile(&result->times, 0.99) * 1e-3);
    if (result->cut)
        text_add(text, "  stopped early: unfinished games are left out\n");
}
