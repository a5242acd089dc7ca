/*
 * report_tune: the section of a tuning, from the document that `tune` left in the store: what won,
 * the progress of the races, parallel coordinates, importance, interactions.
 */
#include "base/json.h"
#include "report/report_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Tuning {
    const ReportScope *scope;
    const Json *document, *parameters, *steps, *configs;
    size_t count; /* of parameters */
    const char **names;
} Tuning;

static double number(const Json *object, const char *name) {
    const Json *value = json_get(object, name);
    return json_is_number(value) ? json_number(value) : NAN;
}

/* A value as people read it. */
static const char *value_text(const Tuning *tuning, const Json *value) {
    if (json_is_string(value))
        return json_text(value);
    return json_is_number(value) ? report_number(tuning->scope->arena, json_number(value)) : "-";
}

static void add_plot(const Tuning *tuning, const char *name, const char *title, PlotPanel *panels,
                     size_t count, const char *caption) {
    Plot *plot = arena_zeroed(tuning->scope->arena, 1, sizeof *plot);
    if (!plot)
        return;
    *plot = (Plot){.title = title, .panels = panels, .panel_count = count, .columns = 1};
    report_figure(
        tuning->scope,
        (ReportFigure){.name = name, .caption = caption, .page = plot_page(plot), .csv = plot_csv});
}

/* ---- words and the table */

static void describe(const Tuning *tuning) {
    Report *report = tuning->scope->report;
    const Json *winner = json_get(tuning->document, "winner");
    report_paragraph(
        report,
        "%.0f races with %.0f runs over %zu parameters of %s, then %.0f runs on %.0f held-out "
        "instances. The mean %s of the winner there is %s, that of the defaults %s%s%s.",
        number(tuning->document, "races"), number(tuning->document, "runs"), tuning->count,
        json_text(json_get(tuning->document, "command")), number(tuning->document, "held_out_runs"),
        number(tuning->document, "held_out_instances"),
        json_text(json_get(tuning->document, "measure")),
        report_number(tuning->scope->arena, number(winner, "mean")),
        report_number(tuning->scope->arena, number(winner, "default_mean")),
        isnan(number(winner, "p")) ? "" : ", Wilcoxon ",
        isnan(number(winner, "p")) ? "" : report_p(tuning->scope->arena, number(winner, "p")));
}

/* What changing this parameter gained on the way from the default to the winner. */
static double gain_of(const Tuning *tuning, const char *name) {
    const Json *path = json_get(tuning->document, "ablation");
    for (size_t i = 0; i < json_count(path); i++) {
        const char *parameter = json_text(json_get(json_at(path, i), "parameter"));
        if (parameter && strcmp(parameter, name) == 0)
            return number(json_at(path, i), "gain");
    }
    return NAN;
}

static double share_of(const Tuning *tuning, size_t i) {
    const Json *shares = json_get(tuning->document, "importance");
    return i < json_count(shares) ? json_number(json_at(shares, i)) : NAN;
}

static void table(const Tuning *tuning) {
    static const char *const columns[] = {"parameter", "default", "winner", "importance", "gain"};
    Report *report = tuning->scope->report;
    const Json *values = json_get(json_get(tuning->document, "winner"), "values");
    report_table(report, columns, 5);
    for (size_t i = 0; i < tuning->count; i++) {
        const Json *own = json_at(tuning->parameters, i);
        report_row(report);
        report_cell(report, "%s", tuning->names[i]);
        report_cell(report, "%s", value_text(tuning, json_get(own, "default")));
        report_cell(report, "%s", value_text(tuning, json_get(values, tuning->names[i])));
        double share = share_of(tuning, i);
        report_cell(report, isnan(share) ? "-" : "%.1f %%", 100 * share);
        report_cell_number(report, gain_of(tuning, tuning->names[i]));
    }
    report_table_end(report);
}

/* ---- figures */

/* One series per race: `member` of its steps over runs, from `first` of its start where given. */
static bool fill_progress(const Tuning *tuning, const char *member, const char *first,
                          PlotMark mark, PlotPanel *panel) {
    Arena *arena = tuning->scope->arena;
    size_t steps = json_count(tuning->steps), races = 0;
    PlotSeries *series = arena_zeroed(arena, steps + 1, sizeof *series);
    double *x = arena_zeroed(arena, 2 * steps + 1, sizeof *x), before = 0;
    double *y = arena_zeroed(arena, 2 * steps + 1, sizeof *y);
    size_t used = 0;
    if (!series || !x || !y)
        return false;
    for (size_t i = 0; i < steps; i++) {
        const Json *step = json_at(tuning->steps, i);
        double race = number(step, "race");
        if (i == 0 || number(json_at(tuning->steps, i - 1), "race") != race) {
            series[races] = (PlotSeries){.name = arena_format(arena, "race %.0f", race),
                                         .mark = mark,
                                         .style = (int)(races % PALETTE_SERIES_COUNT),
                                         .x = x + used,
                                         .y = y + used};
            races++;
            if (first) {
                x[used] = before;
                y[used++] = number(step, first);
                series[races - 1].count++;
            }
        }
        x[used] = before = number(step, "runs");
        y[used++] = number(step, member);
        series[races - 1].count++;
    }
    panel->series = series;
    panel->series_count = races;
    return races > 0;
}

static void progress(const Tuning *tuning) {
    PlotPanel *panels = arena_zeroed(tuning->scope->arena, 2, sizeof *panels);
    if (!panels)
        return;
    panels[0].x.title = panels[1].x.title = "runs";
    panels[0].y = (PlotAxis){.title = "configurations left", .zero = true, .whole = true};
    panels[1].y.title = arena_format(tuning->scope->arena, "mean %s of the best",
                                     json_text(json_get(tuning->document, "measure")));
    if (fill_progress(tuning, "alive", "started", PLOT_STEPS, &panels[0]) &&
        fill_progress(tuning, "best_mean", NULL, PLOT_LINE, &panels[1]))
        add_plot(tuning, "race-progress", "The races", panels, 2,
                 "Every step adds an instance; configurations that a test shows to be worse are "
                 "dropped. The mean is over the instances of the race so far.");
}

enum { FAINT_LINES = 80 }; /* more would hide the others */

/* A line per configuration through the places of its parameters. */
static void coordinates(const Tuning *tuning) {
    Arena *arena = tuning->scope->arena;
    size_t configs = json_count(tuning->configs), count = tuning->count;
    PlotPanel *panel = arena_zeroed(arena, 1, sizeof *panel);
    PlotSeries *series = arena_zeroed(arena, configs + 1, sizeof *series);
    double *x = arena_zeroed(arena, count + 1, sizeof *x);
    double *y = arena_zeroed(arena, configs * count + 1, sizeof *y);
    if (!panel || !series || !x || !y)
        return;
    double winner = number(json_get(tuning->document, "winner"), "id");
    size_t drawn = 0, every = configs / FAINT_LINES + 1;
    int elites = 0;
    for (size_t i = 0; i < count; i++)
        x[i] = (double)i;
    for (int pass = 0; pass < 2; pass++) /* the elites on top */
        for (size_t i = 0; i < configs; i++) {
            const Json *config = json_at(tuning->configs, i), *units = json_get(config, "units");
            double id = number(config, "id");
            bool shown = json_is_true(json_get(config, "elite")) || id == 0 || id == winner;
            if (shown != (pass == 1) || (!shown && i % every != 0))
                continue;
            double *own = y + drawn * count;
            for (size_t k = 0; k < count; k++) {
                const Json *unit = json_at(units, k);
                own[k] = json_is_number(unit) ? json_number(unit) : NAN;
            }
            series[drawn++] =
                (PlotSeries){.name = !shown                   ? NULL
                                     : id == winner && id > 0 ? "the winner"
                                     : id == 0                ? "the defaults"
                                               : arena_format(arena, "number %.0f", id),
                             .mark = PLOT_LINE,
                             .style = shown ? elites++ % PALETTE_SERIES_COUNT : PLOT_FAINT,
                             .count = count,
                             .x = x,
                             .y = own};
        }
    panel->x = (PlotAxis){.title = "parameter", .words = tuning->names, .word_count = count};
    panel->y = (PlotAxis){.title = "place in its range, 0 to 1", .low = 0, .high = 1};
    panel->series = series;
    panel->series_count = drawn;
    if (count > 1)
        add_plot(tuning, "parallel-coordinates", "All configurations", panel, 1,
                 "A line per configuration; grey ones were dropped. A gap is a parameter that "
                 "another one makes inactive.");
}

static void importance(const Tuning *tuning) {
    Arena *arena = tuning->scope->arena;
    PlotPanel *panels = arena_zeroed(arena, 2, sizeof *panels);
    PlotSeries *series = arena_zeroed(arena, 2, sizeof *series);
    double *numbers = arena_zeroed(arena, 3 * tuning->count + 1, sizeof *numbers);
    bool gains = json_count(json_get(tuning->document, "ablation")) > 0;
    if (!panels || !series || !numbers ||
        json_count(json_get(tuning->document, "importance")) != tuning->count)
        return;
    for (size_t i = 0; i < tuning->count; i++) {
        double gain = gain_of(tuning, tuning->names[i]);
        numbers[i] = (double)i;
        numbers[tuning->count + i] = 100 * share_of(tuning, i);
        numbers[2 * tuning->count + i] = isnan(gain) ? 0 : gain;
    }
    for (size_t i = 0; i < 2; i++) {
        series[i] = (PlotSeries){.mark = PLOT_BARS,
                                 .style = (int)i,
                                 .count = tuning->count,
                                 .x = numbers,
                                 .y = numbers + (i + 1) * tuning->count};
        panels[i].x =
            (PlotAxis){.title = "parameter", .words = tuning->names, .word_count = tuning->count};
        panels[i].series = &series[i];
        panels[i].series_count = 1;
    }
    panels[0].y = (PlotAxis){.title = "share of the variance, %", .zero = true};
    panels[1].y.title = "gain on the way from the defaults to the winner";
    add_plot(
        tuning, "importance", "Which parameters matter", panels, gains ? 2 : 1,
        "Above: what a random forest over all configurations explains by each parameter. "
        "Below: what the change of each parameter gained, in the order that gains most first.");
}

/* ---- the heat map */

enum { HEAT_CELL = 44, HEAT_LEFT = 150, HEAT_TOP = 40, HEAT_BOTTOM = 120 };

typedef struct Heat {
    const char *const *names;
    size_t count;
    const double *shares; /* count x count */
    double largest;
} Heat;

static void draw_heat(Drawing *drawing, const void *data) {
    const Heat *heat = data;
    double bottom = HEAT_TOP + HEAT_CELL * (double)heat->count;
    drawing_text(drawing, HEAT_LEFT, HEAT_TOP - 16, "Interactions, % of the variance",
                 (DrawingFont){.size = 14, .color = PALETTE_TEXT, .bold = true});
    for (size_t i = 0; i < heat->count; i++) {
        double y = HEAT_TOP + HEAT_CELL * (double)i;
        drawing_text(drawing, HEAT_LEFT - 8, y + HEAT_CELL / 2.0 + 4, heat->names[i],
                     (DrawingFont){.size = 11, .anchor = DRAWING_RIGHT, .color = PALETTE_TEXT});
        drawing_text(drawing, HEAT_LEFT + HEAT_CELL * ((double)i + 0.5), bottom + 12,
                     heat->names[i],
                     (DrawingFont){.size = 11, .color = PALETTE_TEXT, .degrees = 60});
        for (size_t k = 0; k <= i; k++) {
            double share = heat->shares[i * heat->count + k];
            double x = HEAT_LEFT + HEAT_CELL * (double)k;
            double strength = heat->largest > 0 ? share / heat->largest : 0;
            char text[16];
            drawing_rectangle(drawing, x, y, HEAT_CELL - 2, HEAT_CELL - 2,
                              (DrawingStyle){.fill = i == k ? PALETTE_SERIES + 1 : PALETTE_SERIES,
                                             .opacity = 0.06 + 0.7 * fmin(strength, 1)});
            snprintf(text, sizeof text, "%.1f", 100 * share);
            drawing_text(
                drawing, x + HEAT_CELL / 2.0 - 1, y + HEAT_CELL / 2.0 + 4, text,
                (DrawingFont){.size = 11, .anchor = DRAWING_MIDDLE, .color = PALETTE_TEXT});
        }
    }
}

static void heat_csv(const void *data, Text *csv) {
    const Heat *heat = data;
    text_add(csv, "first,second,share\n");
    for (size_t i = 0; i < heat->count; i++)
        for (size_t k = 0; k <= i; k++) {
            text_add_csv(csv, heat->names[i]);
            text_add_char(csv, ',');
            text_add_csv(csv, heat->names[k]);
            text_format(csv, ",%.17g\n", heat->shares[i * heat->count + k]);
        }
}

static void interactions(const Tuning *tuning) {
    Arena *arena = tuning->scope->arena;
    const Json *rows = json_get(tuning->document, "interactions");
    size_t count = tuning->count;
    Heat *heat = arena_zeroed(arena, 1, sizeof *heat);
    double *shares = arena_zeroed(arena, count * count + 1, sizeof *shares);
    if (!heat || !shares || json_count(rows) != count || count < 2)
        return;
    *heat = (Heat){.names = tuning->names, .count = count, .shares = shares};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            const Json *share = json_at(json_at(rows, i), k);
            shares[i * count + k] = json_is_number(share) ? json_number(share) : 0;
            heat->largest = fmax(heat->largest, shares[i * count + k]);
        }
    double size = HEAT_CELL * (double)count;
    report_figure(
        tuning->scope,
        (ReportFigure){.name = "interactions",
                       .caption = "On the diagonal what a parameter explains by itself, elsewhere "
                                  "what two explain together and not alone.",
                       .page = {.draw = draw_heat,
                                .data = heat,
                                .width = HEAT_LEFT + size + 60,
                                .height = HEAT_TOP + size + HEAT_BOTTOM,
                                .label = "Interactions of parameters"},
                       .csv = heat_csv});
}

/* ---- the section */

bool report_tuning(Report *report, const char *text, Status *status) {
    Json *document = json_parse(text, strlen(text), status);
    if (!document)
        return false;
    const Json *parameters = json_get(document, "parameters");
    bool sound = json_text(json_get(document, "tuning")) &&
                 json_text(json_get(document, "command")) &&
                 json_text(json_get(document, "measure"));
    for (size_t i = 0; i < json_count(parameters); i++)
        sound = sound && json_text(json_get(json_at(parameters, i), "name"));
    if (!sound) { /* stores come from anywhere */
        json_free(document);
        return status_fail(status, STATUS_INPUT, "store: the result of a tuning is damaged");
    }
    ReportScope scope = {.report = report,
                         .arena = &report->arena,
                         .grid =
                             arena_copy(&report->arena, json_text(json_get(document, "tuning"))),
                         .command = ""};
    Tuning tuning = {.scope = &scope,
                     .document = document,
                     .parameters = parameters,
                     .steps = json_get(document, "steps"),
                     .configs = json_get(document, "configurations"),
                     .count = json_count(parameters)};
    tuning.names = arena_zeroed(scope.arena, tuning.count + 1, sizeof *tuning.names);
    for (size_t i = 0; tuning.names && i < tuning.count; i++)
        tuning.names[i] =
            arena_copy(scope.arena, json_text(json_get(json_at(parameters, i), "name")));
    if (tuning.names) {
        report_heading(report, 2, arena_format(scope.arena, "tuning-%s", scope.grid),
                       arena_format(scope.arena, "Tuning %s", scope.grid));
        describe(&tuning);
        table(&tuning);
        progress(&tuning);
        coordinates(&tuning);
        importance(&tuning);
        interactions(&tuning);
    }
    json_free(document);
    return !scope.arena->failed || status_no_memory(status);
}
