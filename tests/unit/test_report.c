/* report: axes, plots, runs in memory, comparison and the page that is made of them. */
#include <signal.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "draw/axis.h"
#include "draw/plot.h"
#include "draw/rank_diagram.h"
#include "report/report.h"
#include "stats/compare.h"
#include "stats/curves.h"

/* ---- axes */

static void expect_ticks(Axis axis, int wanted, const char *labels) {
    AxisTicks ticks;
    char all[512] = "";
    axis_ticks(&axis, wanted, &ticks);
    for (int i = 0; i < ticks.count; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? " " : "",
                 ticks.labels[i]);
    cr_assert_str_eq(all, labels);
}

Test(axis, ticks_are_nice) {
    expect_ticks((Axis){.low = 0, .high = 103}, 5, "0 50 100");
    expect_ticks((Axis){.low = -0.012, .high = 0.031}, 5, "\u22120.01 0.00 0.01 0.02 0.03");
    expect_ticks((Axis){.low = 128000, .high = 148000}, 5, "130k 135k 140k 145k");
    expect_ticks((Axis){.low = 1, .high = 2e6, .log = true}, 4, "1 100 10k 1M");
    expect_ticks((Axis){.low = 0.03, .high = 1.2, .log = true}, 5, "0.05 0.1 0.2 0.5 1");
    expect_ticks((Axis){.low = 15, .high = 17, .whole = true}, 9, "15 16 17");
    expect_ticks((Axis){.low = 1, .high = 1e40, .log = true}, 4, "1 10G 1e+20 1e+30 1e+40");
}

Test(axis, holds_the_data_and_survives_none) {
    Axis axis = axis_for(-5, 5, false, false);
    axis.from = 10, axis.to = 110;
    cr_assert(axis.low < -5 && axis.high > 5);
    cr_assert_float_eq(axis_place(&axis, 0), 60, 1e-9);
    axis = axis_for(INFINITY, -INFINITY, false, false);
    cr_assert(axis.low < axis.high);
    axis = axis_for(7, 7, true, false);
    cr_assert(axis.low < 7 && axis.high > 7);
    axis = axis_for(3, 3, false, true);
    cr_assert(axis.low == 0 && axis.high > 3);
}

/* ---- text */

Test(drawing, escapes_markup_and_what_is_no_text) {
    Text text;
    text_init(&text);
    drawing_escape(&text, "<b a='1' c=\"2\">&\x01\xff \u2212");
    cr_assert_str_eq(text.data, "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;?? \u2212");
    text_release(&text);
    cr_assert(drawing_text_width("mmm") > drawing_text_width("iii"));
    cr_assert_float_eq(drawing_text_width("\u2212"), drawing_text_width("5"), 1e-12);
}

Test(plot, boxes_have_whiskers_and_outliers) {
    double values[] = {-40, 1, 2, 3, 4, 5, 6, 7, 30, 31};
    PlotBox box = plot_box_of(values, 10);
    cr_assert(box.lower == 2.25 && box.median == 4.5 && box.upper == 6.75);
    cr_assert(box.low == 1 && box.high == 7 && box.first == 1 && box.last == 7);
    box = plot_box_of(values + 1, 1);
    cr_assert(box.low == 1 && box.high == 1 && box.first == 0 && box.last == 0);
}

static const double three[] = {0, 1, 2}, heights[] = {5, 7, 6}, lower[] = {4, 6, 5},
                    upper[] = {6, 8, 7};

static Plot small_plot(const char *name, PlotPanel *panel, PlotSeries *series) {
    static const char *const words[] = {"one", "two", "a <word> that is long"};
    *series = (PlotSeries){.name = name,
                           .mark = PLOT_BARS,
                           .count = 3,
                           .x = three,
                           .y = heights,
                           .low = lower,
                           .high = upper};
    *panel = (PlotPanel){.x = {.title = "words", .words = words, .word_count = 3},
                         .y = {.title = "height, m", .zero = true},
                         .series = series,
                         .series_count = 1};
    return (Plot){.title = "Bars & co", .panels = panel, .panel_count = 1};
}

Test(plot, svg_and_csv) {
    PlotPanel panel;
    PlotSeries series;
    Plot plot = small_plot("a, \"b\"", &panel, &series);
    Text text;
    text_init(&text);
    DrawingPage page = plot_page(&plot);
    drawing_svg(&page, DRAWING_IN_FILE, &text);
    cr_assert(strstr(text.data, "Bars &amp; co"));
    cr_assert(strstr(text.data, "height, m"));
    cr_assert(strstr(text.data, "a &lt;word&gt; that is long"));
    cr_assert(strstr(text.data, "stroke=\"#0072b2\""));
    cr_assert_null(strstr(text.data, "var("));
    cr_assert_null(strstr(text.data, "nan"));
    text_clear(&text);
    drawing_svg(&page, DRAWING_IN_PAGE, &text);
    cr_assert(strstr(text.data, "stroke=\"var(--s0)\""));
    cr_assert_null(strstr(text.data, "=\"#"));
    text_clear(&text);
    plot_csv(&plot, &text);
    cr_assert_str_eq(text.data, "panel,series,x,y,low,high,least,most,values\n"
                                ",\"a, \"\"b\"\"\",one,5,4,6,,,\n"
                                ",\"a, \"\"b\"\"\",two,7,6,8,,,\n"
                                ",\"a, \"\"b\"\"\",a <word> that is long,6,5,7,,,\n");
    text_release(&text);
}

Test(plot, bars_stand_where_their_numbers_say) {
    PlotPanel panel;
    PlotSeries series;
    Plot plot = small_plot(NULL, &panel, &series);
    Text text;
    text_init(&text);
    DrawingPage page = plot_page(&plot);
    drawing_svg(&page, DRAWING_IN_PAGE, &text);
    /* The tops of the three bars: 5, 7 and 6 above a common foot. */
    double tops[3], feet[3], x, right;
    const char *at = text.data;
    for (int i = 0; i < 3; i++) {
        at = strstr(at, "fill=\"var(--s0)\"");
        cr_assert_not_null(at);
        const char *path = at;
        while (strncmp(path, "<path d=\"M", 10) != 0)
            path--;
        cr_assert_eq(sscanf(path, "<path d=\"M%lf %lfH%lfV%lfH", &x, &tops[i], &right, &feet[i]),
                     4);
        at++;
    }
    cr_assert(feet[0] == feet[1] && feet[1] == feet[2]);
    cr_assert_float_eq((feet[1] - tops[1]) / (feet[0] - tops[0]), 7.0 / 5, 1e-3);
    cr_assert_float_eq((feet[2] - tops[2]) / (feet[0] - tops[0]), 6.0 / 5, 1e-3);
    text_release(&text);
}

/* A missing value is a gap; panels have their own legends; faint lines have no markers. */
Test(plot, gaps_and_legends_beside) {
    static const double gap[] = {5, NAN, 6, 7};
    static const double x[] = {1, 2, 3, 4};
    PlotSeries series[] = {{.name = "first", .count = 4, .x = x, .y = gap},
                           {.name = "rest", .style = PLOT_FAINT, .count = 4, .x = x, .y = x}};
    PlotPanel panels[] = {
        {.title = "one", .series = series, .series_count = 2, .height = 100},
        {.title = "two", .series = series, .series_count = 1, .height = 50},
    };
    Plot plot = {
        .title = "", .panels = panels, .panel_count = 2, .width = 500, .legend_beside = true};
    Text text;
    text_init(&text);
    DrawingPage page = plot_page(&plot);
    cr_assert_eq(page.width, 500);
    drawing_svg(&page, DRAWING_IN_PAGE, &text);
    cr_assert_null(strstr(text.data, "nan"));
    int names = 0, gaps = 0, circles = 0;
    for (const char *at = text.data; (at = strstr(at, ">first<")); at++)
        names++;
    for (const char *at = text.data; (at = strstr(at, "<circle")); at++)
        circles++;
    for (const char *at = text.data; (at = strstr(at, "<path d=\"M")); at++) {
        const char *end = strchr(at, '>'), *second = strchr(at + 10, 'M');
        gaps += second && second < end;
    }
    cr_assert_eq(names, 2, "the name of a series stands beside every panel");
    cr_assert_eq(gaps, 2);
    cr_assert_eq(circles, 2 * (3 + 1), "three values and a sample, twice");
    panels[0].height = 200;
    cr_assert_eq(plot_page(&plot).height, page.height + 100);
    text_release(&text);
}

#ifdef TETROPT_CAIRO
Test(plot, png) {
    PlotPanel panel;
    PlotSeries series;
    Plot plot = small_plot("bars", &panel, &series);
    Text bytes;
    Status status = {0};
    text_init(&bytes);
    DrawingPage page = plot_page(&plot);
    page.scale = 2;
    cr_assert(drawing_render(&page, DRAWING_PNG, &bytes, &status));
    cr_assert(bytes.length > 1000 && memcmp(bytes.data, "\x89PNG", 4) == 0);
    text_release(&bytes);
}
#endif

/* ---- runs */

typedef struct Made {
    Runs runs;
    int64_t number;
} Made;

static void add_run(Made *made, const char *command, const char *grid,
                    const StoreParameter *parameters, size_t count, int repeat,
                    const StorePoint *points, size_t point_count, const char *result) {
    Json *document = json_parse(result, strlen(result), NULL);
    cr_assert_not_null(document, "%s", result);
    StoreRun run = {.number = ++made->number,
                    .grid = grid,
                    .command = command,
                    .repeat = repeat,
                    .seed = (uint64_t)made->number,
                    .piece_seed = (uint64_t)repeat,
                    .parameters = parameters,
                    .parameter_count = count,
                    .state = STORE_DONE,
                    .result = document,
                    .points = points,
                    .point_count = point_count,
                    .seconds = 0.5 + 0.1 * repeat,
                    .host = "host",
                    .version = "0.0.1"};
    cr_assert(runs_visit(&made->runs, &run, NULL));
    json_free(document);
}

/* Three algorithms on six lists of pieces of two sizes: `good` always beats `bad`, `fair` lies
 * between; `good` alone has a parameter more. */
static void add_solves(Made *made) {
    static const char *const names[] = {"good", "bad", "fair"};
    static const double bonus[] = {0, -40, -20};
    static const char *const sizes[] = {"10", "20"};
    for (int a = 0; a < 3; a++)
        for (int s = 0; s < 2; s++)
            for (int repeat = 1; repeat <= 3; repeat++) {
                StoreParameter parameters[] = {
                    {"algorithm", names[a]}, {"n", sizes[s]}, {"extra", "<i>1</i>"}};
                double fitness = bonus[a] - 7.25 * repeat - 100 * s;
                StorePoint points[] = {{100, fitness - 60, fitness - 80, 2, 0},
                                       {1000, fitness - 10, fitness - 15, 1, 9},
                                       {(uint64_t)(5000 + 1000 * a), fitness, fitness, 0.5, 50}};
                char result[128];
                snprintf(result, sizeof result, "{\"fitness\": %.17g, \"evaluations\": 5000}",
                         fitness);
                add_run(made, "solve", "sol<ve>", parameters, a == 0 ? 3 : 2, repeat, points, 3,
                        result);
            }
}

static Made solves(void) {
    Made made = {.number = 0};
    runs_init(&made.runs);
    add_solves(&made);
    return made;
}

Test(runs, keys_groups_and_measures) {
    Made made = solves();
    Arena arena;
    arena_init(&arena);
    RunList done = runs_done(&made.runs, &arena);
    cr_assert_eq(done.count, 18);
    size_t count;
    RunKey *keys = runs_varying(done, &count, &arena);
    cr_assert_eq(count, 2);
    cr_assert_str_eq(keys[0].name, "algorithm");
    cr_assert(!keys[0].numeric && keys[1].numeric);
    cr_assert_str_eq(keys[1].values[1], "20");
    RunList some = runs_select(done, (RunFilter){.key = "n", .value = "20"}, &arena);
    cr_assert_eq(some.count, 9);
    Numbers fitness = runs_measures(some, "fitness", &arena);
    cr_assert(fitness.count == 9 && fitness.values[0] == -107.25);
    cr_assert_eq(runs_measures(some, "nothing", &arena).count, 0);
    cr_assert_str_eq(runs_default_measure(done), "fitness");
    cr_assert(!runs_larger_is_better("seconds") && runs_larger_is_better("score"));
    arena_release(&arena);
    runs_release(&made.runs);
}

Test(curves, are_step_functions) {
    Made made = solves();
    Arena arena;
    arena_init(&arena);
    RunList good = runs_select(runs_done(&made.runs, &arena),
                               (RunFilter){.key = "algorithm", .value = "good"}, &arena);
    good = runs_select(good, (RunFilter){.key = "n", .value = "10"}, &arena);
    Curve curve = curve_of(good, CURVE_BEST, CURVE_LOGARITHMIC, &arena);
    cr_assert_eq(curve.x[0], 100);
    cr_assert_eq(curve.x[curve.count - 1], 5000);
    cr_assert_float_eq(curve.median[0], -14.5 - 60, 1e-9);
    cr_assert_float_eq(curve.lower[0], -18.125 - 60, 1e-9);
    cr_assert_float_eq(curve.median[curve.count - 1], -14.5, 1e-9);
    for (size_t i = 0; i < curve.count; i++)
        if (curve.x[i] > 1001 && curve.x[i] < 4999)
            cr_assert_float_eq(curve.median[i], -24.5, 1e-9);
    Curve even = curve_of(good, CURVE_BEST, CURVE_EVEN, &arena);
    for (size_t i = 0; i < even.count; i++)
        cr_assert(even.x[i] == floor(even.x[i]) && (i == 0 || even.x[i] > even.x[i - 1]));
    cr_assert_eq(curve_reached(good.items[0], -17.25), 1000);
    cr_assert_eq(curve_reached(good.items[0], -7.25), 5000);
    cr_assert_eq(curve_reached(good.items[0], -7), INFINITY);
    double targets[CURVE_TARGETS];
    cr_assert(curve_targets(good, targets, &arena));
    cr_assert_eq(targets[CURVE_TARGETS - 1], -7.25);
    Numbers times = curve_times(good, targets, &arena);
    cr_assert_eq(times.count, 30);
    cr_assert(isinf(times.values[29]) && times.values[0] == 1000);
    arena_release(&arena);
    runs_release(&made.runs);
}

/* A run that was cut before it found anything has an evolution, but no value to be a target. */
Test(curves, targets_are_numbers) {
    static const double bests[] = {-1, NAN, -5};
    Made made = {.number = 0};
    runs_init(&made.runs);
    for (int i = 0; i < 3; i++) {
        StorePoint point = {10, bests[i], bests[i], 0, 1};
        add_run(&made, "solve", "cut", NULL, 0, i + 1, &point, 1, "{\"fitness\": -1}");
    }
    Arena arena;
    arena_init(&arena);
    double targets[CURVE_TARGETS];
    cr_assert(curve_targets(runs_done(&made.runs, &arena), targets, &arena));
    cr_assert_eq(targets[CURVE_TARGETS - 1], -1);
    for (int i = 0; i < CURVE_TARGETS; i++)
        cr_assert(targets[i] >= -5 && targets[i] <= -1);
    arena_release(&arena);
    runs_release(&made.runs);
}

Test(compare, finds_the_better_one) {
    Made made = solves();
    Arena arena;
    arena_init(&arena);
    Status status = {0};
    Comparison comparison;
    RunList done = runs_done(&made.runs, &arena);
    cr_assert(compare_runs(done, "algorithm", NULL, &comparison, &arena, &status), "%s",
              status.message);
    cr_assert_eq(comparison.group_count, 3);
    cr_assert_eq(comparison.instances, 6);
    cr_assert_eq(comparison.left_out, 0);
    cr_assert_eq(compare_best(&comparison), 0);
    cr_assert(comparison.has_friedman);
    cr_assert(comparison.friedman.mean_ranks[0] == 1 && comparison.friedman.mean_ranks[1] == 3);
    cr_assert_float_eq(comparison.friedman.chi_square, 12, 1e-9);
    const ComparePair *pair = compare_pair(&comparison, 1, 0);
    cr_assert_float_eq(pair->a12, 27.0 / 36, 1e-12); /* 9 + 18 of 36 pairs */
    cr_assert_float_eq(pair->wilcoxon_p, 0.01965615725016987, 1e-12);
    cr_assert_not(compare_runs(done, "colour", NULL, &comparison, &arena, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    cr_assert_not(compare_runs(done, "extra", NULL, &comparison, &arena, &status));
    cr_assert_not(compare_runs(done, "n", "nothing", &comparison, &arena, &status));
    arena_release(&arena);
    runs_release(&made.runs);
}

/* Runs in circumstances that only one group met do not count. */
Test(compare, leaves_out_what_cannot_be_compared) {
    Made made = solves();
    StoreParameter easy[] = {{"algorithm", "bad"}, {"n", "1"}};
    for (int repeat = 1; repeat <= 3; repeat++)
        add_run(&made, "solve", "easy", easy, 2, repeat, NULL, 0, "{\"fitness\": 1000}");
    Arena arena;
    arena_init(&arena);
    Comparison comparison;
    cr_assert(
        compare_runs(runs_done(&made.runs, &arena), "algorithm", NULL, &comparison, &arena, NULL));
    cr_assert_eq(comparison.left_out, 3);
    cr_assert_eq(comparison.groups[1].sample.count, 6);
    cr_assert(comparison.groups[1].sample.maximum < 0);
    arena_release(&arena);
    runs_release(&made.runs);
}

/* ---- the page */

static void add_games(Made *made) {
    static const char *const agents[] = {"hill", "bees"}, *const sizes[] = {"100", "200"};
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            for (int repeat = 1; repeat <= 3; repeat++) {
                StoreParameter parameters[] = {{"agent", agents[a]}, {"bees", sizes[b]}};
                int score = 1000 * (a + 1) + 50 * repeat, lines = 10 + repeat;
                char result[768];
                snprintf(result, sizeof result,
                         "{\"agent\":\"%s\",\"per_game\":[{\"score\":%d,\"lines\":%d,\"level\":2,"
                         "\"pieces\":40,\"max_height\":7,\"holes\":2,"
                         "\"clears\":[3,2,1,0]},{\"score\":%d,\"lines\":%d,\"level\":3,\"clears\":"
                         "[4,2,1,1],\"pieces\":50,\"max_height\":9,\"holes\":0}],\"summary\":{"
                         "\"score\":{\"mean\":%d},\"lines\":{\"mean\":%d},"
                         "\"decision_us\":{\"mean\":%d}},\"pieces_per_second\":100}",
                         agents[a], score, lines, score + 10, lines + 1, score + 5, lines,
                         5 + 10 * a);
                add_run(made, "simulate", "games", parameters, 2, repeat, NULL, 0, result);
            }
}

static void add_trainings(Made *made) {
    static const char *const methods[] = {"cma-es", "genetic"};
    for (int m = 0; m < 2; m++)
        for (int repeat = 1; repeat <= 2; repeat++) {
            StoreParameter parameters[] = {{"method", methods[m]}};
            StorePoint points[] = {
                {1, 100 + m, 50, 0, 1}, {2, 150 + repeat, 80, 0, 2}, {3, 200, 120 + m, 0, 3}};
            char result[128];
            snprintf(result, sizeof result, "{\"training\":{\"held_out\":{\"mean\":%d}}}",
                     90 + 10 * m + repeat);
            add_run(made, "train", "training", parameters, 1, repeat, points, 3, result);
        }
}

static bool has_figure(const Report *report, const char *name) {
    for (size_t i = 0; i < report->figure_count; i++)
        if (strcmp(report->figures[i].name, name) == 0)
            return true;
    return false;
}

static void write_report(Report *report, Made *made) {
    Status status = {0};
    ReportSource source = {.title = "T <script>alert(1)</script>",
                           .store = "s&t",
                           .counts = {.runs = {0, 0, made->number, 0}, .seconds = 100}};
    report_init(report);
    cr_assert(report_write(report, &made->runs, &source, &status), "%s", status.message);
}

Test(report, draws_what_there_is) {
    Made made = solves();
    add_games(&made);
    add_trainings(&made);
    Report report, again;
    write_report(&report, &made);
    static const char *const figures[] = {"sol-ve-evolution-by-algorithm",
                                          "sol-ve-fitness-by-algorithm",
                                          "sol-ve-ecdf-by-algorithm",
                                          "sol-ve-seconds-by-algorithm",
                                          "sol-ve-temperature-by-algorithm",
                                          "sol-ve-ranks-by-algorithm",
                                          "games-clears",
                                          "games-level-score",
                                          "games-mean-level-score",
                                          "games-lines-per-piece-by-agent",
                                          "games-height-by-agent",
                                          "games-holes-by-agent",
                                          "games-score-by-agent",
                                          "games-lines-by-agent",
                                          "games-score-decision-time",
                                          "games-consistency",
                                          "games-bees-seeds-by-bees",
                                          "games-bees-time",
                                          "training-training-best-by-method",
                                          "training-training-mean-by-method",
                                          "training-held-out-by-method"};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        cr_assert(has_figure(&report, figures[i]), "%s", figures[i]);
    const char *html = report.html.data;
    cr_assert_null(strstr(html, "<script"));
    cr_assert_null(strstr(html, "<i>"));
    cr_assert_null(strstr(html, "sol<ve>"));
    cr_assert_null(strstr(html, "nan"));
    cr_assert_null(strstr(html, "inf<"));
    cr_assert_null(strstr(html, "src="));
    cr_assert(strstr(html, "good has the best median fitness"));
    cr_assert(strstr(html, "genetic has the best median held_out, 101.5, before cma-es with 91.5"));
    write_report(&again, &made);
    cr_assert_str_eq(html, again.html.data);
    report_release(&again);
    report_release(&report);
    runs_release(&made.runs);
}

/* The numbers of a figure as CSV; to be released. */
static Text figure_csv(const Report *report, const char *name) {
    Text csv;
    text_init(&csv);
    for (size_t i = 0; i < report->figure_count; i++)
        if (strcmp(report->figures[i].name, name) == 0)
            report->figures[i].csv(report->figures[i].page.data, &csv);
    return csv;
}

/* Twelve games of an agent: level 2 and 3 by turns, 3 and 4 singles; their deviation is
 * sqrt(12 * 0.25 / 11) around 2.5 and 3.5. */
Test(report, figures_of_games_show_deviations) {
    Made made = {.number = 0};
    runs_init(&made.runs);
    add_games(&made);
    Report report;
    write_report(&report, &made);
    double deviation = sqrt(12 * 0.25 / 11);
    char expected[128];
    Text csv = figure_csv(&report, "games-clears");
    snprintf(expected, sizeof expected, "singles,3.5,%.10g,%.10g,", 3.5 - deviation,
             3.5 + deviation);
    cr_assert(strstr(csv.data, expected), "%s\n%s", expected, csv.data);
    text_release(&csv);
    csv = figure_csv(&report, "games-mean-level-score");
    snprintf(expected, sizeof expected, ",%.10g,%.10g\n", 2.5 - deviation, 2.5 + deviation);
    cr_assert(strstr(csv.data, "values,x_low,x_high\n"), "%s", csv.data);
    cr_assert(strstr(csv.data, expected), "%s\n%s", expected, csv.data);
    text_release(&csv);
    report_release(&report);
    runs_release(&made.runs);
}

/* A figure says that it leaves games out, whichever of its groups has too many. */
Test(report, many_games_are_thinned_and_that_is_said) {
    static const char *const agents[] = {"hill", "weighted"};
    static const int games[] = {801, 2};
    Made made = {.number = 0};
    runs_init(&made.runs);
    for (int a = 0; a < 2; a++) {
        StoreParameter parameters[] = {{"agent", agents[a]}};
        Text result;
        text_init(&result);
        text_add(&result, "{\"per_game\":[");
        for (int i = 0; i < games[a]; i++)
            text_format(&result, "%s{\"score\":%d,\"lines\":%d,\"level\":%d}", i ? "," : "", i,
                        i % 7, 1 + i % 9);
        text_add(&result, "],\"summary\":{\"score\":{\"mean\":5}}}");
        add_run(&made, "simulate", "many", parameters, 1, 1, NULL, 0, result.data);
        text_release(&result);
    }
    Report report;
    write_report(&report, &made);
    cr_assert(has_figure(&report, "many-level-score"));
    cr_assert(strstr(report.html.data, "of many games an even part is drawn"));
    report_release(&report);
    runs_release(&made.runs);
}

Test(report, one_run_is_enough) {
    Made made = {.number = 0};
    runs_init(&made.runs);
    add_run(&made, "solve", "one", NULL, 0, 1, NULL, 0, "{\"fitness\": -3, \"algorithm\": \"ga\"}");
    add_run(&made, "simulate", "sim", NULL, 0, 1, NULL, 0,
            "{\"agent\":\"dt20\",\"summary\":{\"lines\":{\"mean\":7}}}");
    Report report;
    write_report(&report, &made);
    cr_assert(has_figure(&report, "one-fitness-by-all"));
    cr_assert(strstr(report.html.data, "The best lines of all 1 run is 7"));
    report_release(&report);
    runs_release(&made.runs);
}

Test(rank_diagram, text_names_groups) {
    Friedman friedman = {
        .methods = 3, .instances = 12, .mean_ranks = {2.9, 1.1, 2.0}, .critical_difference = 0.95};
    static const char *const names[] = {"worst", "best", "middle"};
    RankDiagram diagram = {.title = "Exchange", .friedman = &friedman, .names = names};
    Text text;
    text_init(&text);
    rank_diagram_text(&diagram, 40, &text);
    cr_assert(strstr(text.data, "  best    1.10 | *"));
    cr_assert(strstr(text.data, "| a\n"));
    cr_assert(strstr(text.data, "| a b\n") || strstr(text.data, "|   b\n"));
    text_clear(&text);
    rank_diagram_csv(&diagram, &text);
    cr_assert(strstr(text.data, "1,1.1,0.95,best\n2,2,0.95,middle\n3,2.9,0.95,worst\n"));
    text_release(&text);
}
