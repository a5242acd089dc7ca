/*
 * match: from the question to a task, and from its games to the document and the state. The members
 * of the document are part of the file format (docs/FORMATS.md).
 */
#include "job/match.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "formats/replay.h"
#include "job/match_state.h"
#include "job/play.h"
#include "player/outside/outside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED_GAMES = 1000, DEFAULT_GAMES = 100, TEST_GAMES = 100000, LINES_BYTES = 96 };

/* ---- the question */

typedef struct MatchQuestion {
    OptionList players, against;
    int64_t games, first_to, preview, max_pieces, move_time, seed, threads;
    const char *sprt, *rules, *resume;
    int kicks, spins;
    double alpha, beta, seconds;
    bool gauntlet, turns, frames, real_time, per_game;
} MatchQuestion;

static const Option rows[] = {
    OPTION_ROW(MatchQuestion, LIST, players, "player", .argument = "NAME", .word_at = play_agent_at,
               .file = OPTION_LOADS,
               .help = "who plays: an agent with parameters as NAME?nodes=500&weights=SET, "
                       "tbp:COMMAND, lines:COMMAND or a shared object ./NAME.so; repeatable"),
    OPTION_ROW(MatchQuestion, LIST, against, "against", .argument = "NAME",
               .word_at = play_agent_at, .file = OPTION_LOADS,
               .help = "more players, for grids, where every option has one value per run"),
    PARAMETER_INTEGER(MatchQuestion, games, "games", NULL, 2, 1e7,
                      "games per pairing, an even number (100; with sprt or first-to, which may "
                      "end earlier, 100000)"),
    PARAMETER_INTEGER(MatchQuestion, first_to, "first-to", NULL, 1, 1e6,
                      "end when a player has won N games"),
    OPTION_ROW(MatchQuestion, TEXT, sprt, "sprt", .argument = "ELO0,ELO1",
               .help = "end when a sequential test of these Elo differences has a verdict"),
    PARAMETER_REAL(MatchQuestion, alpha, "alpha", "0.05", 1e-6, 0.5,
                   "probability that sprt accepts ELO1 wrongly"),
    PARAMETER_REAL(MatchQuestion, beta, "beta", "0.05", 1e-6, 0.5,
                   "probability that sprt accepts ELO0 wrongly"),
    OPTION_ROW(MatchQuestion, TEXT, rules, "rules", .argument = "NAME|FILE", .fallback = "ppt",
               .file = OPTION_READS_OR_NAME,
               .help = "attack, garbage and delays: ppt, guideline, or a rule file"),
    PARAMETER_INTEGER(MatchQuestion, preview, "preview", NULL, 0, AGENT_MAX_PREVIEW,
                      "visible next pieces (those of the rules)"),
    OPTION_ROW(MatchQuestion, CHOICE, kicks, "kicks", .choices = KICKS_CHOICES, .argument = "NAME",
               .fallback = "srs", .help = "rotation tests; srs-plus has 180-degree rotations"),
    OPTION_ROW(MatchQuestion, CHOICE, spins, "spins", .choices = SPINS_CHOICES, .argument = "NAME",
               .fallback = "t", .help = "which pieces can spin: T, or all but O"),
    OPTION_ROW(MatchQuestion, FLAG, turns, "turns",
               .help = "players place alternately (default); repeatable with node limits"),
    OPTION_ROW(MatchQuestion, FLAG, frames, "frames",
               .help = "a placement costs its key presses and the delays of the rules"),
    OPTION_ROW(MatchQuestion, FLAG, real_time, "real-time",
               .help = "like frames, and the time of every decision counts"),
    PARAMETER_INTEGER(MatchQuestion, move_time, "move-time", NULL, 1, 1e6,
                      "milliseconds per decision, for players that search by time (bot, tbp:, "
                      "lines:)"),
    PARAMETER_INTEGER(MatchQuestion, max_pieces, "max-pieces", "1000", 1, 1e6,
                      "a game is drawn when a side has placed N pieces"),
    OPTION_ROW(MatchQuestion, FLAG, gauntlet, "gauntlet",
               .help = "the first player against all others, instead of a round robin"),
    PARAMETER_INTEGER(
        MatchQuestion, seed, "seed", NULL, 0, 9.2e18,
        "seed of the first pair of games, the next has one more; drawn and printed when not given"),
    PARAMETER_INTEGER(MatchQuestion, threads, "threads", NULL, 1, POOL_MAX_THREADS,
                      "games at the same time (default: the number of CPUs)"),
    OPTION_ROW(MatchQuestion, REAL, seconds, "time", .max = 1e7, .argument = "SECONDS",
               .help = "time limit; 0: none"),
    OPTION_ROW(MatchQuestion, TEXT, resume, "resume", .argument = "FILE", .file = OPTION_CONTINUES,
               .help = "continue a saved match; the other options as before"),
    OPTION_ROW(MatchQuestion, FLAG, per_game, "per-game",
               .help = "list every game in the document, even above 1000"),
};

/* ---- preparing */

static bool check_options(const Question *question, Status *status) {
    static const char *const pairs[][2] = {
        {"sprt", "first-to"}, {"turns", "frames"}, {"turns", "real-time"}, {"frames", "real-time"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (question_given(question, pairs[i][0]) && question_given(question, pairs[i][1]))
            return status_option(status, pairs[i][0], "cannot be combined with %s", pairs[i][1]);
    const MatchQuestion *asked = question->values;
    if (asked->games % 2 != 0)
        return status_option(status, "games", "%lld is odd; games come in pairs",
                             (long long)asked->games);
    if (!asked->sprt && (question_given(question, "alpha") || question_given(question, "beta")))
        return status_option(status, question_given(question, "alpha") ? "alpha" : "beta",
                             "requires sprt");
    return true;
}

static bool read_test(const char *text, EloTest *test, Status *status) {
    char *end;
    test->elo0 = strtod(text, &end);
    bool ok = end != text && *end == ',';
    const char *second = end + 1;
    if (ok)
        test->elo1 = strtod(second, &end);
    if (!ok || end == second || *end || !(test->elo0 < test->elo1) || !(fabs(test->elo0) <= 1000) ||
        !(fabs(test->elo1) <= 1000))
        return status_option(status, "sprt",
                             "'%.40s' is not two Elo differences, the smaller first: 0,5", text);
    return true;
}

/* The parameters by which a player keeps to --move-time, where it has such. */
static void time_lines(const Agent *agent, int64_t move_time, char lines[LINES_BYTES]) {
    lines[0] = '\0';
    if (move_time > 0 && agent->abilities & AGENT_OUTSIDE)
        snprintf(lines, LINES_BYTES, "think=%lld\nmove-time=%lld", (long long)move_time,
                 (long long)move_time);
    else if (move_time > 0 && options_find(agent->parameters, "time") >= 0)
        snprintf(lines, LINES_BYTES, "time=%lld", (long long)move_time);
}

static bool add_player(const Question *question, MatchRun *run, const char *name, Status *status) {
    const MatchQuestion *asked = question->values;
    if (run->count == MATCH_PLAYERS_MAX)
        return status_option(status, "player", "more than %d", MATCH_PLAYERS_MAX);
    Setup *setup = &run->setups[run->count];
    const Agent *agent = setup_find(name, "player", status);
    if (!agent)
        return false;
    if (!agent->choose)
        return status_option(status, "player", "%s plays complete games only", agent->name);
    char lines[LINES_BYTES];
    time_lines(agent, asked->move_time, lines);
    SetupGame game = SETUP_GAME_DEFAULT;
    game.rules = RULES_GUIDELINE;
    game.hold = 1;
    game.preview =
        question_given(question, "preview") ? (int)asked->preview : (int)run->task.rules.preview;
    game.randomizer = RANDOMIZER_BAG;
    game.shared = true;
    game.kicks = asked->kicks;
    game.all_spin = asked->spins == 1;
    SetupAgent player = {
        .name = name, .bounds = question->bounds, .parameter_lines = lines, .recorded = true};
    snprintf(run->names[run->count], MATCH_NAME_BYTES, "%s", name);
    run->count++; /* to be released even when it fails */
    return setup_init(setup, &player, &game, status);
}

static bool add_players(const Question *question, MatchRun *run, Status *status) {
    const MatchQuestion *asked = question->values;
    for (int i = 0; i < asked->players.count; i++)
        if (!add_player(question, run, asked->players.items[i], status))
            return false;
    for (int i = 0; i < asked->against.count; i++)
        if (!add_player(question, run, asked->against.items[i], status))
            return false;
    if (run->count < 2)
        return status_option(status, "player", "a match needs at least two");
    if (run->count > 2 && (asked->sprt || asked->first_to > 0))
        return status_option(status, asked->sprt ? "sprt" : "first-to", "takes two players");
    if (run->count == 2 && asked->gauntlet)
        return status_option(status, "gauntlet", "takes three or more players");
    for (int i = 0; i < run->count; i++)
        run->task.players[i] = &run->setups[i];
    run->task.player_count = run->count;
    return true;
}

static bool fill_run(const Question *question, MatchRun *run, Status *status) {
    const MatchQuestion *asked = question->values;
    MatchTask *task = &run->task;
    if (!check_options(question, status))
        return false;
    if (!match_rules_read(asked->rules, &task->rules, status))
        return status_prefix_option(status, "rules");
    const char *named = question_name(question, "rules");
    snprintf(run->rules_name, sizeof run->rules_name, "%s",
             strpbrk(asked->rules, "={\n") ? "file"
             : named                       ? named
                                           : asked->rules);
    task->test = asked->sprt != NULL;
    task->elo_test = (EloTest){.alpha = asked->alpha, .beta = asked->beta};
    if (asked->sprt && !read_test(asked->sprt, &task->elo_test, status))
        return false;
    task->timing = asked->real_time ? DUEL_REAL_TIME : asked->frames ? DUEL_FRAMES : DUEL_TURNS;
    if (task->timing != DUEL_TURNS && task->rules.spawn == 0 && task->rules.movement == 0)
        return status_option(status, "rules",
                             "without spawn-delay and movement-delay a placement takes no time; "
                             "one of them must be above 0, or give turns");
    task->first_to = asked->first_to;
    bool open_end = task->test || task->first_to > 0;
    int64_t games = question_given(question, "games") ? asked->games
                    : open_end                        ? TEST_GAMES
                                                      : DEFAULT_GAMES;
    task->rounds = games / 2;
    task->max_pieces = asked->max_pieces;
    task->gauntlet = asked->gauntlet;
    task->threads = asked->threads > 0 ? (unsigned)asked->threads : pool_processors();
    task->seconds = asked->seconds;
    run->per_game = asked->per_game;
    run->move_time = asked->move_time;
    if (!add_players(question, run, status))
        return false;
    task->seed = question_given(question, "seed") ? (uint64_t)asked->seed
                 : asked->resume                  ? 0
                                                  : rng_entropy() >> 1;
    Json *state = NULL;
    if (asked->resume &&
        !(state = match_state_parse(run, question_given(question, "seed"), asked->resume, status)))
        return status_prefix_option(status, "resume");
    run->match = match_new(task, status);
    bool ok = run->match && (!state || match_state_load(run, state, status) ||
                             status_prefix_option(status, "resume"));
    json_free(state);
    return ok;
}

static void free_run(void *given) {
    MatchRun *run = given;
    match_free(run->match);
    for (int i = 0; i < run->count; i++)
        setup_release(&run->setups[i]);
    free(run);
}

static void *prepare(const Question *question, Status *status) {
    MatchRun *run = memory_new(1, sizeof *run, status);
    if (run && fill_run(question, run, status))
        return run;
    if (run)
        free_run(run);
    return NULL;
}

static bool run_match(void *given, const ProgressWatch *watch, Status *status) {
    MatchRun *run = given;
    uint64_t start = clock_now_ns();
    run->match->task.record = run->task.record;
    bool ok = match_run(run->match, watch, status);
    run->seconds = clock_seconds_since(start);
    return ok;
}

/* ---- the document */

const char *match_verdict_name(EloVerdict verdict) {
    static const char *const names[] = {"undecided", "elo0 accepted", "elo1 accepted"};
    return names[verdict];
}

static double ratio(int64_t a, int64_t b) {
    return b > 0 ? (double)a / (double)b : NAN;
}

/* Points per game of the first; the last game counts also without its pair, unlike for Elo. */
static double score_of(const MatchPairing *pairing) {
    int64_t games = pairing->wins + pairing->losses + pairing->draws;
    return games > 0 ? ((double)pairing->wins + 0.5 * (double)pairing->draws) / (double)games : 0.5;
}

static void write_elo(JsonWriter *w, const EloPairs *pairs) {
    EloEstimate estimate = elo_estimate(pairs);
    jw_real(w, "elo", estimate.elo);
    jw_array(w, "elo_ci95");
    jw_real(w, NULL, estimate.low);
    jw_real(w, NULL, estimate.high);
    jw_end(w);
    jw_integers(w, "pairs", pairs->pairs, 5);
}

static void write_pairing(JsonWriter *w, const MatchRun *run, int index, int64_t games) {
    MatchPairing pairing;
    match_pairing(run->match, index, games, &pairing);
    jw_object(w, NULL);
    jw_array(w, "players");
    for (int i = 0; i < DUEL_SIDES; i++)
        jw_integer(w, NULL, pairing.players[i]);
    jw_end(w);
    jw_put(w, JI("games", pairing.wins + pairing.losses + pairing.draws), JI("wins", pairing.wins),
           JI("losses", pairing.losses), JI("draws", pairing.draws));
    jw_real(w, "score", score_of(&pairing));
    write_elo(w, &pairing.pairs);
    const EloTest *test = &run->task.elo_test;
    if (run->task.test) {
        jw_object(w, "sprt");
        jw_put(w, JR("elo0", test->elo0), JR("elo1", test->elo1), JR("alpha", test->alpha),
               JR("beta", test->beta), JR("llr", elo_ratio(test, &pairing.pairs)),
               JR("lower", elo_lower(test)), JR("upper", elo_upper(test)),
               JS("verdict", match_verdict_name(elo_verdict(test, &pairing.pairs))));
        jw_end(w);
    }
    jw_end(w);
}

static void write_player(JsonWriter *w, const MatchRun *run, int index, int64_t games, double elo,
                         double error) {
    static const char *const overs[] = {NULL, "block-out", "lock-out", "no pieces", "garbage"};
    MatchTotals totals;
    match_totals(run->match, index, games, &totals);
    const DuelSide *sum = &totals.sum;
    jw_object(w, NULL);
    jw_put(w, JS("name", run->names[index]), JI("games", totals.games), JI("wins", totals.wins),
           JI("losses", totals.losses), JI("draws", totals.draws), JR("rating", elo),
           JR("rating_error", error), JI("pieces", sum->pieces), JI("lines", sum->lines),
           JI("attack", sum->attack), JI("sent", sum->sent), JI("received", sum->received),
           JR("attack_per_piece", ratio(sum->attack, sum->pieces)),
           JR("attack_per_line", ratio(sum->attack, sum->lines)),
           JR("pieces_per_game", ratio(sum->pieces, totals.games)));
    if (run->task.timing == DUEL_TURNS)
        jw_null(w, "pieces_per_second");
    else
        jw_real(w, "pieces_per_second",
                ratio(sum->pieces * run->task.rules.frames_per_second, sum->frames));
    jw_integers(w, "clears", sum->clears, 4);
    jw_put(w, JI("spins", sum->spins[SPIN_FULL]), JI("mini_spins", sum->spins[SPIN_MINI]),
           JI("perfect_clears", sum->perfect_clears), JI("back_to_backs", sum->back_to_backs),
           JI("longest_combo", sum->longest_combo));
    jw_object(w, "lost_by");
    for (size_t i = 1; i < sizeof overs / sizeof *overs; i++)
        if (totals.overs[i] > 0)
            jw_integer(w, overs[i], totals.overs[i]);
    if (totals.faults > 0)
        jw_integer(w, "fault", totals.faults);
    jw_end(w);
    jw_end(w);
}

static void write_game(JsonWriter *w, const Match *match, int64_t number) {
    MatchGame game = match_game(match, number);
    const DuelResult *result = atomic_load(&match->games[number]);
    jw_object(w, NULL);
    jw_integer(w, "seed", (int64_t)game.seed);
    jw_array(w, "sides");
    for (int i = 0; i < DUEL_SIDES; i++) {
        const DuelSide *side = &result->sides[i];
        jw_object(w, NULL);
        jw_put(w, JI("player", game.sides[i]), JI("pieces", side->pieces), JI("lines", side->lines),
               JI("attack", side->attack), JI("received", side->received));
        if (side->reason[0])
            jw_string(w, side->fault ? "fault" : "over", side->reason);
        jw_end(w);
    }
    jw_end(w);
    if (result->winner >= 0)
        jw_integer(w, "winner", game.sides[result->winner]);
    else
        jw_null(w, "winner");
    jw_end(w);
}

static void write(const void *given, bool times, JsonWriter *json) {
    (void)times;
    const MatchRun *run = given;
    const MatchTask *task = &run->task;
    int64_t games = match_length(run->match);
    double elo[MATCH_PLAYERS_MAX], error[MATCH_PLAYERS_MAX];
    match_ratings(run->match, games, elo, error);
    char timing[16];
    jw_put(json, JS("rules", run->rules_name),
           JS("timing",
              options_choice_word(DUEL_TIMING_CHOICES, (int)task->timing, timing, sizeof timing)),
           JI("preview", run->setups[0].preview), JI("max_pieces", task->max_pieces),
           JI("seed", (int64_t)task->seed), JI("games", games));
    if (run->count == 2) { /* the number by which runs of a grid are compared */
        MatchPairing pairing;
        match_pairing(run->match, 0, games, &pairing);
        jw_real(json, "score", score_of(&pairing));
    }
    const Rules *rules = &run->setups[0].made_for.rules;
    if (rules->kicks != KICKS_SRS)
        jw_string(json, "kicks", "srs-plus");
    if (rules->all_spin)
        jw_string(json, "spins", "all");
    jw_array(json, "players");
    for (int i = 0; i < run->count; i++)
        write_player(json, run, i, games, elo[i], error[i]);
    jw_end(json);
    jw_array(json, "pairings");
    for (int i = 0; i < run->match->pairing_count; i++)
        write_pairing(json, run, i, games);
    jw_end(json);
    if (!run->per_game && games > LISTED_GAMES)
        return;
    jw_array(json, "per_game");
    for (int64_t i = 0; i < games; i++)
        write_game(json, run->match, i);
    jw_end(json);
}

static void write_times(const void *given, JsonWriter *json) {
    const MatchRun *run = given;
    int64_t games = match_length(run->match);
    uint64_t total = 0, thinking = 0;
    for (int64_t i = 0; i < games; i++) {
        const DuelResult *result = atomic_load(&run->match->games[i]);
        total += result->total_ns;
        thinking += result->sides[0].think_ns + result->sides[1].think_ns;
    }
    jw_put(json, JR("seconds", run->seconds),
           JR("runner_share", total > 0 ? 1 - (double)thinking / (double)total : NAN));
    jw_array(json, "decision_ms");
    for (int i = 0; i < run->count; i++) {
        MatchTotals totals;
        match_totals(run->match, i, games, &totals);
        jw_object(json, NULL);
        jw_put(json,
               JR("mean", 1e-6 * (double)totals.sum.think_ns /
                              (double)(totals.sum.decisions > 0 ? totals.sum.decisions : 1)),
               JR("max", 1e-6 * (double)totals.sum.think_max_ns));
        jw_end(json);
    }
    jw_end(json);
}

static bool write_state(void *given, Text *text) {
    return match_state_write(given, text);
}

const Job match_job = {
    .name = "match",
    .options = OPTIONS_TABLE(rows),
    .question_bytes = sizeof(MatchQuestion),
    .prepare = prepare,
    .run = run_match,
    .write = write,
    .write_times = write_times,
    .write_state = write_state,
    .free_run = free_run,
};

/* ---- for front ends */

bool match_replay(const MatchRun *run, int64_t number, const DuelResult *result, int side,
                  Text *text, Status *status) {
    MatchGame match_game_of = match_game(run->match, number);
    int player = match_game_of.sides[side];
    const DuelRecord *record = &result->sides[side].record;
    Randomizer randomizer;
    duel_pieces(match_game_of.seed, &randomizer);
    const Rules *rules = &run->setups[player].made_for.rules;
    Game game;
    game_init(&game, rules, &randomizer);
    Grid grid;
    grid_init(&grid, rules->width, rules->height);
    Replay replay;
    replay_record(&replay, &game, &grid);
    snprintf(replay.title, sizeof replay.title, "%.60s, game %lld, %s", run->names[player],
             (long long)number + 1,
             result->winner < 0       ? "drawn"
             : result->winner == side ? "won"
                                      : "lost");
    replay.pieces_seed = (ReplaySeed){true, (int64_t)match_game_of.seed};
    for (size_t i = 0; i < record->count; i++) {
        const DuelMove *move = &record->moves[i];
        replay_place(&replay, &game, move->move.hold, move->move.placement);
        if (move->garbage > 0)
            replay_rise(&replay, &game, record->holes + move->first_hole, move->garbage);
    }
    replay_finish(&replay, &game);
    bool ok = replay_complete(&replay, status) && replay_write(&replay, text, status);
    replay_release(&replay);
    return ok;
}
