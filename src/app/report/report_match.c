/*
 * report_match: the section of a grid of `match`: the rating list with intervals, as a table and a
 * figure, and the cross table. The games of all runs count together; a player is known by its name.
 */
#include "base/json.h"
#include "match/elo.h"
#include "report/report_page.h"

#include <math.h>
#include <string.h>

typedef struct Field {
    const char *names[ELO_PLAYERS_MAX];
    int count;
    double points[ELO_PLAYERS_MAX][ELO_PLAYERS_MAX], games[ELO_PLAYERS_MAX][ELO_PLAYERS_MAX];
    double attack[ELO_PLAYERS_MAX], pieces[ELO_PLAYERS_MAX];
    int order[ELO_PLAYERS_MAX]; /* the best first */
    double elo[ELO_PLAYERS_MAX], error[ELO_PLAYERS_MAX];
    bool more; /* than there is room for */
} Field;

static double number(const Json *object, const char *name) {
    const Json *value = json_get(object, name);
    return json_is_number(value) ? json_number(value) : 0;
}

/* The number of a player; -1: no room. */
static int player_of(Field *field, const char *name) {
    for (int i = 0; i < field->count; i++)
        if (strcmp(field->names[i], name) == 0)
            return i;
    if (field->count == ELO_PLAYERS_MAX) {
        field->more = true;
        return -1;
    }
    field->names[field->count] = name;
    return field->count++;
}

static void add_run(Field *field, const Json *result) {
    const Json *players = json_get(result, "players"), *pairings = json_get(result, "pairings");
    int indices[ELO_PLAYERS_MAX];
    size_t count = json_count(players) < ELO_PLAYERS_MAX ? json_count(players) : ELO_PLAYERS_MAX;
    for (size_t i = 0; i < count; i++) {
        const char *name = json_text(json_get(json_at(players, i), "name"));
        indices[i] = name ? player_of(field, name) : -1;
        if (indices[i] < 0)
            continue;
        field->attack[indices[i]] += number(json_at(players, i), "attack");
        field->pieces[indices[i]] += number(json_at(players, i), "pieces");
    }
    for (size_t k = 0; k < json_count(pairings); k++) {
        const Json *pairing = json_at(pairings, k), *sides = json_get(pairing, "players");
        int64_t first = json_int(json_at(sides, 0)), second = json_int(json_at(sides, 1));
        if (json_count(sides) != 2 || first < 0 || second < 0 || first >= (int64_t)count ||
            second >= (int64_t)count)
            continue;
        int a = indices[first], b = indices[second];
        if (a < 0 || b < 0 || a == b) /* a player against itself says nothing */
            continue;
        double games = number(pairing, "games");
        double points = number(pairing, "wins") + 0.5 * number(pairing, "draws");
        field->games[a][b] += games;
        field->games[b][a] += games;
        field->points[a][b] += points;
        field->points[b][a] += games - points;
    }
}

static void rate(Field *field) {
    double points[ELO_PLAYERS_MAX * ELO_PLAYERS_MAX], games[ELO_PLAYERS_MAX * ELO_PLAYERS_MAX];
    for (int i = 0; i < field->count; i++)
        for (int j = 0; j < field->count; j++) {
            points[i * field->count + j] = field->points[i][j];
            games[i * field->count + j] = field->games[i][j];
        }
    elo_ratings(field->count, points, games, field->elo, field->error);
    for (int i = 0; i < field->count; i++) {
        int at = i;
        for (; at > 0 && field->elo[field->order[at - 1]] < field->elo[i]; at--)
            field->order[at] = field->order[at - 1];
        field->order[at] = i;
    }
}

static void rating_list(const ReportScope *scope, const Field *field) {
    static const char *const columns[] = {"player", "rating", "95 % interval",
                                          "games",  "score",  "attack per piece"};
    Report *report = scope->report;
    report_table(report, columns, 6);
    for (int k = 0; k < field->count; k++) {
        int i = field->order[k];
        double games = 0, points = 0;
        for (int j = 0; j < field->count; j++) {
            games += field->games[i][j];
            points += field->points[i][j];
        }
        report_row(report);
        report_cell(report, "%s", field->names[i]);
        report_cell(report, "%.0f", field->elo[i]);
        report_cell_range(report, field->elo[i] - field->error[i], field->elo[i] + field->error[i]);
        report_cell(report, "%.0f", games);
        report_cell(report, games > 0 ? "%.1f %%" : "-", 100 * points / games);
        report_cell_number(report,
                           field->pieces[i] > 0 ? field->attack[i] / field->pieces[i] : NAN);
    }
    report_table_end(report);
}

/* Points of the row against the column, of how many games. */
static void cross_table(const ReportScope *scope, const Field *field) {
    const char *columns[ELO_PLAYERS_MAX + 1] = {"points against"};
    Report *report = scope->report;
    for (int k = 0; k < field->count; k++)
        columns[k + 1] = field->names[field->order[k]];
    report_table(report, columns, (size_t)field->count + 1);
    for (int k = 0; k < field->count; k++) {
        int i = field->order[k];
        report_row(report);
        report_cell(report, "%s", field->names[i]);
        for (int l = 0; l < field->count; l++) {
            int j = field->order[l];
            report_cell(report, field->games[i][j] > 0 ? "%g of %g" : "-", field->points[i][j],
                        field->games[i][j]);
        }
    }
    report_table_end(report);
}

static void figure(const ReportScope *scope, const Field *field) {
    Plot *plot = arena_zeroed(scope->arena, 1, sizeof *plot);
    PlotPanel *panel = arena_zeroed(scope->arena, 1, sizeof *panel);
    PlotSeries *series = arena_zeroed(scope->arena, 1, sizeof *series);
    const char **words = arena_zeroed(scope->arena, ELO_PLAYERS_MAX, sizeof *words);
    double *numbers = report_numbers(scope, 4 * ELO_PLAYERS_MAX);
    if (!plot || !panel || !series || !words || !numbers)
        return;
    size_t count = 0;
    for (int k = 0; k < field->count; k++) {
        int i = field->order[k];
        if (!isfinite(field->error[i]))
            continue;
        words[count] = field->names[i];
        numbers[count] = (double)count;
        numbers[ELO_PLAYERS_MAX + count] = field->elo[i];
        numbers[2 * ELO_PLAYERS_MAX + count] = field->elo[i] - field->error[i];
        numbers[3 * ELO_PLAYERS_MAX + count++] = field->elo[i] + field->error[i];
    }
    if (count == 0)
        return;
    *series = (PlotSeries){.mark = PLOT_POINTS, .low = numbers + 2 * ELO_PLAYERS_MAX};
    series->high = numbers + 3 * ELO_PLAYERS_MAX;
    report_xy(series, count, numbers, numbers + ELO_PLAYERS_MAX);
    *panel = (PlotPanel){.x = {.words = words, .word_count = count},
                         .y = {.title = "rating, Elo"},
                         .series = series,
                         .series_count = 1};
    *plot = (Plot){.title = "Ratings", .panels = panel, .panel_count = 1, .columns = 1};
    report_figure(scope, (ReportFigure){.name = "ratings",
                                        .caption = "Ratings with their 95 % intervals. The mean of "
                                                   "all players is 0.",
                                        .page = plot_page(plot),
                                        .csv = plot_csv});
}

void report_match(const ReportScope *scope) {
    Field *field = arena_zeroed(scope->arena, 1, sizeof *field);
    if (!field)
        return;
    for (size_t i = 0; i < scope->runs.count; i++)
        add_run(field, scope->runs.items[i]->result);
    rate(field);
    report_heading(scope->report, 3, arena_format(scope->arena, "ratings-%s", scope->grid),
                   "Rating list and cross table");
    if (field->more)
        report_paragraph(scope->report, "Only the first %d players are rated.", ELO_PLAYERS_MAX);
    rating_list(scope, field);
    cross_table(scope, field);
    figure(scope, field);
}
