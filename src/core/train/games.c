/*
 * games: one trial is one game, one stream of games or one splitting estimate; then scores and
 * intervals over trials.
 *
 * Top-outs of a stream are counted as a Poisson process, from which the interval of lines per death
 * follows.
 */
#include "train/games.h"

#include "simulate/item.h"
#include "simulate/splitting.h"
#include "simulate/statistics.h"

#include <math.h>
#include <stdlib.h>

static bool level_counts(const TrainGames *games) {
    return score_uses_level(games->task.setup.rules.scoring);
}

static bool wants_score(const TrainGames *games) {
    return games->measure == GAMES_SCORE || games->measure == GAMES_POINTS_PER_PIECE;
}

/* By the agent's `stream`, where the measure can be known from its counts. */
static bool uses_stream(const TrainGames *games) {
    return item_can_stream(&games->task) && !(wants_score(games) && level_counts(games));
}

/* A stream counts clears; points follow where they do not depend on the level. */
static int64_t points_of(const SimulateGame *game, Scoring scoring) {
    int64_t points = 0;
    for (int i = 0; i < 4; i++)
        points += game->clears[i] * score_lines(scoring, i + 1, 1);
    return points;
}

/* One candidate's game, for an observer. */
typedef struct Shown {
    const TrainObserver *observer;
    size_t candidate;
} Shown;

static void on_dropped(void *context, const Columns *board, int64_t pieces, int64_t lines) {
    const Shown *shown = context;
    shown->observer->look(shown->observer->context, shown->candidate, board, pieces, lines);
}

static void on_locked(void *context, const Game *game) {
    Columns columns;
    columns_from_board(&columns, &game->board);
    on_dropped(context, &columns, game->pieces, game->lines);
}

/* Tries per level of a trial: few, so that many independent trials show the spread. */
enum { SPLITTING_TRIES = 256 };

bool games_can_split(const TrainGames *games, Status *status) {
    if (!item_can_stream(&games->task))
        return status_option(status, "measure",
                             "splitting requires one of the literature's controllers");
    if (games->task.randomizer != RANDOMIZER_UNIFORM &&
        games->task.randomizer != RANDOMIZER_SZ_RANDOM)
        return status_option(status, "measure",
                             "splitting requires independent pieces (randomizer uniform)");
    return true;
}

static bool estimate(const TrainGames *games, const double *weights, uint64_t seed, int64_t trial,
                     int64_t longest, TrialResult *result, Status *status) {
    SimulateTask task = games->task;
    evaluator_init(&task.setup.evaluator, task.setup.evaluator.kind, weights);
    void *player = task.agent->new_player(&task.setup, task.parameters, status);
    if (!player)
        return false;
    bool seldom = task.agent->abilities & AGENT_PREVIEW; /* such a player hardly ever climbs */
    SplittingPlan plan = {
        .agent = task.agent,
        .player = player,
        .width = task.setup.rules.width,
        .height = task.setup.rules.height,
        .randomizer = task.randomizer,
        .seed = seed,
        .stream = (uint64_t)trial,
        .level_rows = seldom ? 1 : 2,
        .tries = seldom ? SPLITTING_MAX_TRIES : SPLITTING_TRIES,
        .longest = longest < SPLITTING_LONGEST ? longest : SPLITTING_LONGEST,
        .stop = task.stop,
    };
    SplittingEstimate found;
    bool ok = splitting_estimate(&plan, &found, status);
    task.agent->free_player(player);
    if (!ok)
        return false;
    *result = (TrialResult){.lines = found.lines,
                            .pieces = found.pieces,
                            .risk = llround(fmin(found.deaths_per_line, 9) * OBJECTIVE_RISK_LINES),
                            .complete = found.complete};
    return true;
}

static bool play(const void *context, size_t candidate, const double *weights, uint64_t seed,
                 int64_t trial, int64_t pieces, TrialResult *result, Status *status) {
    const TrainGames *games = context;
    if (games->measure == GAMES_SPLITTING)
        return estimate(games, weights, seed, trial, pieces, result, status);
    SimulateTask task = games->task;
    bool many = games->measure == GAMES_LINES_PER_DEATH;
    evaluator_init(&task.setup.evaluator, task.setup.evaluator.kind, weights);
    task.seed = task.piece_seed = seed;
    task.max_pieces = many ? INT64_MAX : pieces;
    ItemPlayer item = {.task = &task, .stream = uses_stream(games), .deadline_ns = UINT64_MAX};
    Shown shown = {games->observer, candidate};
    if (games->observer)
        item.observer =
            (PlayObserver){.locked = on_locked, .dropped = on_dropped, .context = &shown};
    item.player = task.agent->new_player(&task.setup, task.parameters, status);
    if (!item.player)
        return false;
    SimulateGame game = {0};
    bool ok = many ? item_stream(&item, trial, pieces, &game, status)
                   : item_game(&item, trial, &game, status);
    task.agent->free_player(item.player);
    if (item.stream && !level_counts(games))
        game.score = points_of(&game, task.setup.rules.scoring);
    *result = (TrialResult){.score = game.score,
                            .lines = game.lines,
                            .pieces = game.pieces,
                            .deaths = game.deaths,
                            .complete = game.complete};
    return ok;
}

/* One game; for both the score and the interval. */
static double value_of(const TrainGames *games, const TrialResult *result) {
    switch (games->measure) {
    case GAMES_SCORE:
        return (double)result->score;
    case GAMES_POINTS_PER_PIECE:
        return result->pieces > 0 ? (double)result->score / (double)result->pieces : 0;
    case GAMES_SPLITTING:
        return (double)result->risk / OBJECTIVE_RISK_LINES;
    default:
        return (double)result->lines;
    }
}

/* Lines of all streams per top-out. Without a top-out the true value is only known to be more than
 * the lines: half a top-out ranks such candidates first, ordered by their lines. */
static double lines_per_death(const TrialResult *results, size_t count, double *lines,
                              double *deaths) {
    *lines = *deaths = 0;
    for (size_t i = 0; i < count; i++) {
        *lines += (double)results[i].lines;
        *deaths += (double)results[i].deaths;
    }
    return *lines / fmax(*deaths, 0.5);
}

static double score(const void *context, const TrialResult *results, size_t count) {
    const TrainGames *games = context;
    double sum = 0, lines, deaths;
    if (games->measure == GAMES_LINES_PER_DEATH)
        return lines_per_death(results, count, &lines, &deaths);
    for (size_t i = 0; i < count; i++)
        sum += value_of(games, &results[i]);
    double mean = sum / (double)count;
    return games->measure == GAMES_SPLITTING ? 1 / fmax(mean, 1 / OBJECTIVE_RISK_LINES) : mean;
}

static const double NORMAL_95 = 1.959964; /* deviations that hold 95 % of a normal */

/* A quantile of the chi-square distribution (Wilson and Hilferty, 1931), where z is that of the
 * normal; right to a percent from 4 degrees of freedom on. */
static double chi_square(double freedom, double z) {
    double part = 2 / (9 * freedom), root = 1 - part + z * sqrt(part);
    return root > 0 ? freedom * root * root * root : 0;
}

/* Games end with a constant probability, as the literature found: top-outs are Poisson. */
static TrialSummary summarise_deaths(const TrialResult *results, size_t count) {
    double lines, deaths;
    TrialSummary summary = {.mean = lines_per_death(results, count, &lines, &deaths)};
    if (deaths == 0) /* then only the lower end is known */
        summary.mean = NAN;
    double fewest = deaths > 0 ? chi_square(2 * deaths, -NORMAL_95) / 2 : 0;
    double most = chi_square(2 * deaths + 2, NORMAL_95) / 2;
    summary.low = lines / most;
    summary.high = fewest > 0 ? lines / fewest : INFINITY;
    return summary;
}

static bool summarise(const void *context, const TrialResult *results, size_t count,
                      TrialSummary *summary, Status *status) {
    const TrainGames *games = context;
    if (games->measure == GAMES_LINES_PER_DEATH) {
        *summary = summarise_deaths(results, count);
        return true;
    }
    double *values = malloc(count * sizeof *values);
    if (!values)
        return status_no_memory(status);
    for (size_t i = 0; i < count; i++)
        values[i] = value_of(games, &results[i]);
    Summary found = summary_of(values, count);
    *summary = (TrialSummary){found.mean, found.low, found.high};
    /* The rate is what the estimates are right about on average; lines per top-out are its inverse.
     */
    if (games->measure == GAMES_SPLITTING)
        *summary = (TrialSummary){1 / found.mean, 1 / found.high,
                                  found.low > 0 ? 1 / found.low : INFINITY};
    free(values);
    return true;
}

TrainObjective games_objective(const TrainGames *games) {
    static const char *const names[GAMES_MEASURES] = {
        "score", "lines", "points-per-piece", "lines-per-death", "splitting", "match", "app"};
    return (TrainObjective){
        .measure = names[games->measure],
        .knows_score =
            games->measure != GAMES_SPLITTING && (!uses_stream(games) || !level_counts(games)),
        .play = play,
        .score = score,
        .summarise = summarise,
        .context = games,
    };
}
