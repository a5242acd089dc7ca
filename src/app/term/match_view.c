/* match_view: the numbers of job/match's document as tables. */
#include "term/match_view.h"

#include "base/units.h"
#include "term/table.h"

#include <math.h>
#include <stdio.h>

enum { NAME_COLUMNS = 32 };

static void elo_text(const EloPairs *pairs, char *text, size_t bytes) {
    EloEstimate estimate = elo_estimate(pairs);
    char low[24], high[24];
    snprintf(low, sizeof low, isinf(estimate.low) ? "-inf" : "%+.1f", estimate.low);
    snprintf(high, sizeof high, isinf(estimate.high) ? "inf" : "%+.1f", estimate.high);
    if (isinf(estimate.elo))
        snprintf(text, bytes, "%s (95 %%: %s to %s)", estimate.elo > 0 ? "inf" : "-inf", low, high);
    else
        snprintf(text, bytes, "%+.1f (95 %%: %s to %s)", estimate.elo, low, high);
}

void match_view_line(const MatchRun *run, char line[MATCH_VIEW_LINE]) {
    int64_t games = match_length(run->match);
    MatchPairing pairing;
    match_pairing(run->match, 0, games, &pairing);
    int used = snprintf(line, MATCH_VIEW_LINE, "%lld games", (long long)games);
    if (run->count > 2)
        return;
    EloEstimate estimate = elo_estimate(&pairing.pairs);
    used += snprintf(line + used, (size_t)(MATCH_VIEW_LINE - used), ", +%lld -%lld =%lld",
                     (long long)pairing.wins, (long long)pairing.losses, (long long)pairing.draws);
    if (games >= 2 && isfinite(estimate.elo))
        used += snprintf(line + used, (size_t)(MATCH_VIEW_LINE - used),
                         ", Elo %+.0f [%+.0f, %+.0f]", estimate.elo, estimate.low, estimate.high);
    const EloTest *test = &run->task.elo_test;
    if (run->task.test)
        snprintf(line + used, (size_t)(MATCH_VIEW_LINE - used), ", LLR %.2f [%.2f, %.2f]",
                 elo_ratio(test, &pairing.pairs), elo_lower(test), elo_upper(test));
}

static void add_pairing(const MatchRun *run, int index, int64_t games, Text *text) {
    MatchPairing pairing;
    match_pairing(run->match, index, games, &pairing);
    char elo[96];
    elo_text(&pairing.pairs, elo, sizeof elo);
    text_format(text, "%s against %s\n", run->names[pairing.players[0]],
                run->names[pairing.players[1]]);
    text_format(text, "  %lld won, %lld lost, %lld drawn; Elo %s\n", (long long)pairing.wins,
                (long long)pairing.losses, (long long)pairing.draws, elo);
    const int64_t *p = pairing.pairs.pairs;
    text_format(text, "  pairs with 0, 1/2, 1, 3/2, 2 points: %lld, %lld, %lld, %lld, %lld\n",
                (long long)p[0], (long long)p[1], (long long)p[2], (long long)p[3],
                (long long)p[4]);
    const EloTest *test = &run->task.elo_test;
    if (run->task.test)
        text_format(text, "  SPRT [%g, %g]: %s; LLR %.2f in %.2f to %.2f\n", test->elo0, test->elo1,
                    match_verdict_name(elo_verdict(test, &pairing.pairs)),
                    elo_ratio(test, &pairing.pairs), elo_lower(test), elo_upper(test));
}

static void add_ratings(const MatchRun *run, int64_t games, int width, Text *text) {
    double elo[MATCH_PLAYERS_MAX], error[MATCH_PLAYERS_MAX];
    int order[MATCH_PLAYERS_MAX];
    match_ratings(run->match, games, elo, error);
    for (int i = 0; i < run->count; i++) {
        int at = i;
        for (; at > 0 && elo[order[at - 1]] < elo[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    TableColumn columns[TABLE_MAX_COLUMNS] = {
        {"", false, 0}, {"player", true, 0}, {"rating", false, 0}, {"+- 95 %", false, 0}};
    static const char *const heads[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"};
    int shown = run->count < 11 ? run->count : 11;
    for (int i = 0; i < shown; i++)
        columns[4 + i] = (TableColumn){heads[i], false, 1 + i};
    Table table;
    table_init(&table, columns, 4 + shown);
    for (int i = 0; i < run->count; i++) {
        table_cell(&table, "%d", i + 1);
        table_cell(&table, "%.*s", NAME_COLUMNS, run->names[order[i]]);
        table_cell(&table, "%+.0f", elo[order[i]]);
        table_cell(&table, "%.0f", error[order[i]]);
        for (int j = 0; j < shown; j++) {
            double points = NAN;
            for (int k = 0; k < run->match->pairing_count; k++) {
                MatchPairing pairing;
                match_pairing(run->match, k, games, &pairing);
                double first = (double)pairing.wins + 0.5 * (double)pairing.draws;
                double second = (double)pairing.losses + 0.5 * (double)pairing.draws;
                if (pairing.players[0] == order[i] && pairing.players[1] == order[j])
                    points = first;
                if (pairing.players[1] == order[i] && pairing.players[0] == order[j])
                    points = second;
            }
            table_number(&table, points);
        }
    }
    table_print(&table, width, text);
    text_add_char(text, '\n');
}

static double ratio(int64_t a, int64_t b) {
    return b > 0 ? (double)a / (double)b : NAN;
}

static void add_players(const MatchRun *run, int64_t games, int width, Text *text) {
    static const TableColumn columns[] = {
        {"player", true, 0},  {"won", false, 0},      {"lost", false, 0},
        {"drawn", false, 4},  {"APP", false, 0},      {"attack/line", false, 5},
        {"pieces", false, 1}, {"pieces/s", false, 6}, {"received", false, 2},
        {"combo", false, 7},  {"spins", false, 3},    {"perfect", false, 3},
        {"lost by", true, 8}, {"decision", false, 2}};
    Table table;
    table_init(&table, columns, sizeof columns / sizeof *columns);
    for (int i = 0; i < run->count; i++) {
        MatchTotals totals;
        match_totals(run->match, i, games, &totals);
        const DuelSide *sum = &totals.sum;
        table_cell(&table, "%.*s", NAME_COLUMNS, run->names[i]);
        table_cell(&table, "%lld", (long long)totals.wins);
        table_cell(&table, "%lld", (long long)totals.losses);
        table_cell(&table, "%lld", (long long)totals.draws);
        table_fixed(&table, 3, ratio(sum->attack, sum->pieces), "");
        table_fixed(&table, 3, ratio(sum->attack, sum->lines), "");
        table_fixed(&table, 1, ratio(sum->pieces, totals.games), "");
        table_number(&table,
                     run->task.timing == DUEL_TURNS
                         ? NAN
                         : ratio(sum->pieces * run->task.rules.frames_per_second, sum->frames));
        table_fixed(&table, 1, ratio(sum->received, totals.games), "");
        table_cell(&table, "%lld", (long long)sum->longest_combo);
        table_fixed(&table, 2, ratio(sum->spins[SPIN_FULL], totals.games), "");
        table_fixed(&table, 2, ratio(sum->perfect_clears, totals.games), "");
        table_cell(&table, "%lld block, %lld lock, %lld garbage, %lld fault",
                   (long long)totals.overs[OVER_BLOCK_OUT], (long long)totals.overs[OVER_LOCK_OUT],
                   (long long)totals.overs[OVER_GARBAGE], (long long)totals.faults);
        table_cell(&table, "%s",
                   units_time(1e-9 * ratio((int64_t)sum->think_ns, sum->decisions)).text);
    }
    table_print(&table, width, text);
}

/* The first fault of every player, with the seed of its game. */
static void add_faults(const MatchRun *run, int64_t games, Text *text) {
    bool told[MATCH_PLAYERS_MAX] = {false};
    for (int64_t i = 0; i < games; i++) {
        MatchGame game = match_game(run->match, i);
        const DuelResult *result = atomic_load(&run->match->games[i]);
        for (int s = 0; s < DUEL_SIDES; s++)
            if (result->sides[s].fault && !told[game.sides[s]]) {
                told[game.sides[s]] = true;
                text_format(text, "%s lost by a fault (seed %llu): %s\n", run->names[game.sides[s]],
                            (unsigned long long)game.seed, result->sides[s].reason);
            }
    }
}

void match_view_add(const MatchRun *run, int width, Text *text) {
    int64_t games = match_length(run->match);
    if (games == 0) {
        text_add(text, "stopped before the first game ended\n");
        return;
    }
    if (run->count > 2)
        add_ratings(run, games, width, text);
    else
        add_pairing(run, 0, games, text);
    text_add_char(text, '\n');
    add_players(run, games, width, text);
    add_faults(run, games, text);
}
