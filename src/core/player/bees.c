/*
 * bees: an artificial bee colony that plays many games of the same pieces at once.
 *
 * A source is a whole game (bees_game.h). In a round every employed bee advances its game by one
 * piece, by random key presses; onlookers choose games by their nectar, take part of the last
 * piece's presses back and play it anew; games that nobody chose, or that are `limit` rounds old,
 * are given up, and their bees become scouts: they go on from the best game. The best game of the
 * colony counts as the game so far. It is not committed to: another may be the best one round
 * later. So this agent plays whole games and does not decide piece by piece.
 *
 * `as-published` follows the program of the published colony where our defaults differ: every
 * onlooker draws for itself, those of an improved game leave, an improvement resets the limit, and
 * rows go after the first piece of a scout too. A scout that places a piece before it joins the
 * round, which no onlooker can improve, is an option of its own: it makes every colony worse.
 *
 * Besides the published ways there is one of our own that does not die: `moves=places` puts a piece
 * to the best of a few random reachable placements, and `nectar=judged` values a game by an
 * evaluator, e^((value - the colony's best) / heat); lost games have none.
 *
 * One colony uses all threads of its pool: sources are advanced, and onlookers choose and try, side
 * by side. Each of them has a stream of random numbers of its own, by round and number, so the game
 * does not depend on the number of threads.
 */
#include "base/clock.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/pool.h"
#include "base/real.h"
#include "player/bees_game.h"
#include "player/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HISTORY_LIMIT_BYTES = 256 << 20, /* for the placements of all games, where one is saved */
    COIN_PASS = 24,                  /* after that many passes every source has chance 1/2 */
    STREAM_CHOICE = 1 << 20,         /* streams: source or onlooker number plus one of these */
    STREAM_TRY = 2 << 20,
    CHUNK = 8
};

static const Option rows[] = {
    TUNED_INTEGER(BeesParameters, bees, "bees", "1000", 2, 100000, "50..2000 log",
                  "half of them employed, half onlookers"),
    PARAMETER_CHOICE(BeesParameters, nectar, "nectar", "weights", NECTAR_CHOICES,
                     "what makes a game attractive"),
    TUNED_INTEGER(BeesParameters, limit, "limit", "50", 1, 1e9, "5..500 log",
                  "rounds after which an employed bee becomes a scout"),
    TUNED_REAL(BeesParameters, delta, "delta", "0.07", 0, 1, "0.01..0.5 log",
               "probability that an onlooker stops undoing key presses"),
    OPTION_ROW(BeesParameters, CHOICE, clean, "clean", .fallback = "round", .choices = "round|lock",
               .argument = "WORD", .tune = "no",
               .help = "when full lines are cleared: at the end of the round or at once"),
    PARAMETER_CHOICE(BeesParameters, lowest, "lowest", "row", "row|column",
                     "the lowest of nectar weights: row not full, or column top"),
    PARAMETER_CHOICE(BeesParameters, moves, "moves", "keys", "keys|places",
                     "random key presses, or the best of some random reachable placements"),
    TUNED_INTEGER(BeesParameters, draws, "draws", "4", 1, 1000, "1..32 log if moves=places",
                  "placements drawn for moves=places"),
    TUNED_REAL(BeesParameters, heat, "heat", "5", 1e-6, 1e9, "0.1..100 log if nectar=judged",
               "loss of value at which nectar=judged falls by e"),
    PARAMETER_INTEGER(BeesParameters, rounds, "rounds", "0", 0, 1e9,
                      "rounds of the colony at most; 0: until the game ends"),
    TUNED_REAL(BeesParameters, span, "weight-span", NECTAR_SPAN, 0, 1e9,
               "0..10 if nectar=weights|hybrid", "nectar weights: highest minus lowest"),
    TUNED_REAL(BeesParameters, trapped, "weight-trapped", NECTAR_TRAPPED, 0, 1e9,
               "0..20 if nectar=weights|hybrid", "nectar weights: a trapped cell"),
    TUNED_REAL(BeesParameters, covered, "weight-covered", NECTAR_COVERED, 0, 1e9,
               "0..20 if nectar=weights|hybrid", "nectar weights: a covered cell"),
    TUNED_REAL(BeesParameters, rows, "weight-rows", NECTAR_ROWS, 0, 1e9,
               "1..10000 log if nectar=weights|hybrid", "nectar weights: a line cleared"),
    TUNED_REAL(BeesParameters, height, "weight-height", NECTAR_HEIGHT, 0, 1e9,
               "0..10 if nectar=weights|hybrid", "nectar weights: the highest column"),
    PARAMETER_CHOICE(BeesParameters, onlookers, "onlookers", "shared", "shared|own",
                     "how they choose: in common passes over the games, or each by itself"),
    PARAMETER_CHOICE(BeesParameters, improved, "improved", "stay", "stay|leave",
                     "the other onlookers of a game that one has improved"),
    OPTION_ROW(BeesParameters, FLAG, limit_reset, "limit-reset", .fallback = "off",
               .argument = "on|off", .help = "an improvement resets the limit of its game"),
    OPTION_ROW(BeesParameters, FLAG, scout_piece, "scout-piece", .fallback = "off",
               .argument = "on|off",
               .help = "a scout places a piece before it joins the round as an employed bee"),
    OPTION_ROW(BeesParameters, FLAG, clean_scouts, "clean-scouts", .fallback = "on",
               .argument = "on|off", .tune = "no",
               .help = "full lines are also cleared after that piece; off breaks the rules of the "
                       "game with clean=round"),
    OPTION_ROW(BeesParameters, FLAG, as_published, "as-published", .fallback = "off",
               .argument = "on|off", .tune = "no",
               .help = "onlookers=own, improved=leave, limit-reset=on, clean-scouts=on, and the "
                       "divisor of nectar=hybrid"),
};

typedef struct BeesPlayer {
    BeesRules rules;
    BeesSource *sources;
    int employed, onlookers;
    double *chances;
    int *chosen;  /* the source of every onlooker */
    bool *better; /* of every onlooker: whether its try improved the source (improved=leave) */
    unsigned threads;
    Pool *pool;             /* made by the first game: most players of a simulation have none */
    BeesScratch *scratches; /* one per thread */
    Randomizer randomizer;
    uint8_t *pieces; /* those drawn so far */
    size_t piece_count, piece_capacity;
    Placement *history; /* of every source, history_stride apart; NULL: no record */
    int64_t history_stride;
    uint64_t seed; /* of the round */
    double sum;    /* of the chances */
    int64_t most;  /* pieces */
} BeesPlayer;

static bool weights_count(const void *parameters) {
    const BeesParameters *given = parameters;
    return given->nectar == NECTAR_JUDGED || given->moves == MOVES_PLACES;
}

static void free_player(void *given) {
    BeesPlayer *player = given;
    pool_free(player->pool);
    free(player->sources);
    free(player->chances);
    free(player->chosen);
    free(player->better);
    free(player->scratches);
    free(player->pieces);
    free(player->history);
    free(player);
}

static void set_rules(BeesRules *rules, const AgentSetup *setup, const BeesParameters *given) {
    BeesParameters *parameters = &rules->parameters;
    *parameters = *given;
    if (given->as_published) {
        parameters->onlookers = ONLOOKERS_OWN;
        parameters->improved = IMPROVED_LEAVE;
        parameters->limit_reset = parameters->clean_scouts = true;
    }
    rules->rules = setup->rules;
    rules->evaluator = setup->evaluator;
    rules->weights = (NectarWeights){.span = given->span,
                                     .trapped = given->trapped,
                                     .covered = given->covered,
                                     .rows = given->rows,
                                     .height = given->height,
                                     .published_hybrid = given->as_published};
}

static void *new_player(const AgentSetup *setup, const void *given, Status *status) {
    BeesPlayer *player = memory_new(1, sizeof *player, status);
    if (!player)
        return NULL;
    set_rules(&player->rules, setup, given);
    player->onlookers = (int)(player->rules.parameters.bees / 2);
    player->employed = (int)player->rules.parameters.bees - player->onlookers;
    size_t count = (size_t)player->employed, onlookers = (size_t)player->onlookers;
    player->threads = setup->threads > 1 ? setup->threads : 1;
    player->sources = calloc(count, sizeof *player->sources);
    player->chances = calloc(count, sizeof *player->chances);
    player->chosen = calloc(onlookers, sizeof *player->chosen);
    player->better = calloc(onlookers, sizeof *player->better);
    player->scratches = calloc(player->threads, sizeof *player->scratches);
    if (!player->sources || !player->chances || !player->chosen || !player->better ||
        !player->scratches) {
        free_player(player);
        status_no_memory(status);
        return NULL;
    }
    return player;
}

/* ---- pieces and records */

static bool add_piece(BeesPlayer *player, Piece piece, Status *status) {
    if (!MEMORY_HAS_PLACE(player->pieces, player->piece_count, player->piece_capacity))
        return status_no_memory(status);
    player->pieces[player->piece_count++] = (uint8_t)piece;
    return true;
}

/* The pieces that the game, just begun, has drawn already. */
static bool begin_pieces(BeesPlayer *player, const Game *game, Status *status) {
    player->piece_count = 0;
    player->randomizer = game->randomizer;
    bool ok = add_piece(player, (Piece)game->current, status);
    for (int i = 0; ok && i < game->queue_count; i++)
        ok = add_piece(player, game_next(game, i), status);
    return ok;
}

/* Draws until piece number `index` is there or the list ends. */
static bool draw_pieces(BeesPlayer *player, int64_t index, Status *status) {
    while (player->piece_count <= (size_t)index) {
        Piece piece = randomizer_next(&player->randomizer);
        if (piece == PIECE_NONE)
            break;
        if (!add_piece(player, piece, status))
            return false;
    }
    player->rules.pieces = player->pieces;
    player->rules.piece_count = player->piece_count;
    return true;
}

static Placement *history_of(const BeesPlayer *player, const BeesSource *source) {
    return player->history + (source - player->sources) * player->history_stride;
}

/* The last placement of the source is new. One that locked out is none of the game's pieces. */
static void note_last(const BeesPlayer *player, const BeesSource *source) {
    int64_t index = source->game.pieces - (source->game.over != OVER_LOCK_OUT);
    if (player->history && index < player->history_stride)
        history_of(player, source)[index] = source->last;
}

static bool cannot_record(const void *given, int64_t capacity, Status *status) {
    const BeesParameters *parameters = given;
    if (parameters->clean == CLEAN_ROUND && parameters->scout_piece && !parameters->clean_scouts &&
        !parameters->as_published)
        return !status_fail(status, STATUS_INPUT,
                            "bees: with clean-scouts=off a game does not keep to the rules and "
                            "cannot be saved or shown");
    uint64_t sources = (uint64_t)(parameters->bees - parameters->bees / 2);
    if ((uint64_t)capacity > HISTORY_LIMIT_BYTES / (sources * sizeof(Placement)))
        return !status_fail(status, STATUS_INPUT, "bees: the game is too long to be saved");
    return false;
}

static bool start_record(BeesPlayer *player, const AgentRecord *record, Status *status) {
    free(player->history);
    player->history = NULL;
    if (!record)
        return true;
    if (cannot_record(&player->rules.parameters, record->capacity, status))
        return false;
    player->history_stride = record->capacity;
    player->history =
        malloc((size_t)record->capacity * (size_t)player->employed * sizeof(Placement));
    return player->history || status_no_memory(status);
}

static void finish_record(const BeesPlayer *player, const BeesSource *best, AgentRecord *record) {
    int64_t count = best->game.pieces + (best->game.over == OVER_LOCK_OUT);
    for (int64_t i = 0; i < count && i < record->capacity; i++)
        record->moves[record->count++] = (Move){history_of(player, best)[i], false};
}

/* ---- a round: employed bees */

static Rng stream_of(const BeesPlayer *player, int number) {
    Rng rng;
    rng_init(&rng, player->seed, (uint64_t)number);
    return rng;
}

static int best_source(const BeesPlayer *player) {
    int best = 0;
    for (int i = 1; i < player->employed; i++)
        if (player->sources[i].value > player->sources[best].value)
            best = i;
    return best;
}

/* A scout continues from the best game as it was before the round. */
static void become_scout(BeesPlayer *player, BeesSource *source, const BeesSource *best) {
    source->age = 0;
    if (source == best)
        return;
    bees_copy(source, best);
    source->scout = true;
    source->age = 0;
    if (!player->history)
        return;
    int64_t count = best->game.pieces + (best->game.over == OVER_LOCK_OUT);
    count = count < player->history_stride ? count : player->history_stride;
    memcpy(history_of(player, source), history_of(player, best),
           (size_t)count * sizeof *player->history);
}

static void advance(BeesPlayer *player, BeesSource *source, BeesScratch *scratch, Rng *rng) {
    if (bees_advance(&player->rules, source, player->most, scratch, rng))
        note_last(player, source);
}

static void work_employed(void *context, size_t first, size_t last, unsigned worker) {
    BeesPlayer *player = context;
    const BeesParameters *parameters = &player->rules.parameters;
    for (size_t i = first; i < last; i++) {
        BeesSource *source = &player->sources[i];
        BeesScratch *scratch = &player->scratches[worker];
        Rng rng = stream_of(player, (int)i);
        if (source->scout && parameters->scout_piece) {
            advance(player, source, scratch, &rng);
            if (parameters->clean_scouts)
                bees_clean(&source->game);
        }
        advance(player, source, scratch, &rng);
        source->scout = ++source->age >= parameters->limit;
    }
}

/* ---- a round: onlookers */

/* What the onlookers see in each source. */
static void measure_chances(BeesPlayer *player) {
    double best = player->sources[best_source(player)].value;
    player->sum = 0;
    for (int i = 0; i < player->employed; i++) {
        double value = player->sources[i].value;
        if (player->rules.parameters.nectar == NECTAR_JUDGED)
            value = isinf(value) ? 0 : real_exp((value - best) / player->rules.parameters.heat);
        player->chances[i] = value;
        player->sum += value;
    }
}

/* The chance of a source in a pass, from 0: doubled from pass to pass. */
static double chance_of(const BeesPlayer *player, int source, int pass) {
    return player->sum > 0 && pass <= COIN_PASS ? ldexp(player->chances[source] / player->sum, pass)
                                                : 0.5;
}

/* onlookers=shared: pass after pass over the sources until every onlooker has one. */
static void choose_together(BeesPlayer *player) {
    Rng rng = stream_of(player, STREAM_CHOICE);
    int sent = 0;
    for (int pass = 0; sent < player->onlookers; pass++)
        for (int i = 0; i < player->employed && sent < player->onlookers; i++)
            if (rng_chance(&rng, chance_of(player, i, pass)))
                player->chosen[sent++] = i;
}

/* onlookers=own: the same, each with passes of its own. */
static void work_choice(void *context, size_t first, size_t last, unsigned worker) {
    BeesPlayer *player = context;
    (void)worker;
    for (size_t k = first; k < last; k++) {
        Rng rng = stream_of(player, STREAM_CHOICE + (int)k);
        player->chosen[k] = -1;
        for (int pass = 0; player->chosen[k] < 0; pass++)
            for (int i = 0; i < player->employed && player->chosen[k] < 0; i++)
                if (rng_chance(&rng, chance_of(player, i, pass)))
                    player->chosen[k] = i;
    }
}

/* The trial of this thread becomes the source. */
static void improve(BeesPlayer *player, BeesSource *source, const BeesScratch *scratch) {
    const BeesParameters *parameters = &player->rules.parameters;
    int onlookers = source->onlookers;
    bees_copy(source, &scratch->trial);
    source->onlookers = onlookers;
    note_last(player, source);
    if (parameters->limit_reset)
        source->age = 0;
    if (parameters->improved != IMPROVED_LEAVE)
        return;
    /* As published: cleaned at once, so it cannot be tried again in this round. */
    bees_clean(&source->game);
    bees_measure(&player->rules, source);
}

/* improved=stay: the onlookers of a source one after the other, sources side by side. */
static void work_sources(void *context, size_t first, size_t last, unsigned worker) {
    BeesPlayer *player = context;
    BeesScratch *scratch = &player->scratches[worker];
    for (size_t i = first; i < last; i++) {
        BeesSource *source = &player->sources[i];
        Rng rng = stream_of(player, STREAM_TRY + (int)i);
        for (int k = 0; k < source->onlookers; k++)
            if (bees_try(&player->rules, source, scratch, &rng))
                improve(player, source, scratch);
    }
}

/* improved=leave: all onlookers side by side; the first improvement of a source counts. */
static void work_tries(void *context, size_t first, size_t last, unsigned worker) {
    BeesPlayer *player = context;
    BeesScratch *scratch = &player->scratches[worker];
    for (size_t k = first; k < last; k++) {
        Rng rng = stream_of(player, STREAM_TRY + (int)k);
        player->better[k] =
            bees_try(&player->rules, &player->sources[player->chosen[k]], scratch, &rng);
    }
}

static void take_first_improvements(BeesPlayer *player) {
    BeesScratch *scratch = &player->scratches[0];
    for (int k = 0; k < player->onlookers; k++) {
        BeesSource *source = &player->sources[player->chosen[k]];
        if (!player->better[k] || !source->advanced)
            continue;
        /* The same stream makes the same try; what it is compared with has not changed. */
        Rng rng = stream_of(player, STREAM_TRY + k);
        bees_try(&player->rules, source, scratch, &rng);
        improve(player, source, scratch);
        source->advanced = false;
    }
}

static void send_onlookers(BeesPlayer *player) {
    const BeesParameters *parameters = &player->rules.parameters;
    size_t employed = (size_t)player->employed, onlookers = (size_t)player->onlookers;
    measure_chances(player);
    if (parameters->onlookers == ONLOOKERS_OWN)
        pool_run(player->pool, onlookers, CHUNK, work_choice, player);
    else
        choose_together(player);
    for (int i = 0; i < player->employed; i++)
        player->sources[i].onlookers = 0;
    for (int k = 0; k < player->onlookers; k++)
        player->sources[player->chosen[k]].onlookers++;
    for (int i = 0; i < player->employed; i++)
        player->sources[i].scout |= player->sources[i].onlookers == 0;
    if (parameters->improved == IMPROVED_STAY) {
        pool_run(player->pool, employed, 1, work_sources, player);
        return;
    }
    pool_run(player->pool, onlookers, CHUNK, work_tries, player);
    take_first_improvements(player);
}

/* `best` is the number of the best source. */
static void play_round(BeesPlayer *player, int best) {
    for (int i = 0; i < player->employed; i++)
        if (player->sources[i].scout)
            become_scout(player, &player->sources[i], &player->sources[best]);
    pool_run(player->pool, (size_t)player->employed, CHUNK, work_employed, player);
    send_onlookers(player);
    for (int i = 0; i < player->employed; i++)
        bees_clean(&player->sources[i].game);
}

/* ---- a game */

static int64_t most_pieces(const BeesPlayer *player) {
    int64_t most = 0;
    for (int i = 0; i < player->employed; i++)
        if (player->sources[i].game.pieces > most)
            most = player->sources[i].game.pieces;
    return most;
}

static void begin(BeesPlayer *player, const Board *board) {
    for (int i = 0; i < player->employed; i++) {
        BeesSource *source = &player->sources[i];
        source->game = (BeesGame){.board = *board, .peak = board_highest(board)};
        source->value = 0;
        source->age = 0;
        source->scout = true;
        source->advanced = false;
        source->trail.count = 0;
    }
}

/* The best game as the engine's. */
static void deliver(const BeesPlayer *player, const BeesGame *best, Game *game) {
    game->board = best->board;
    game->score = best->score;
    game->lines = best->lines;
    game->pieces = best->pieces;
    memcpy(game->clears, best->clears, sizeof game->clears);
    game->peak_rows = best->peak;
    size_t next = (size_t)best->pieces;
    game->current = next < player->piece_count ? player->pieces[next] : (uint8_t)PIECE_NONE;
    game->over = best->over ? best->over : game->current == PIECE_NONE ? OVER_NO_PIECES : OVER_NOT;
}

static bool play(void *given, Game *game, const AgentLimits *limits, Rng *rng, AgentRecord *record,
                 Status *status) {
    BeesPlayer *player = given;
    if (game->over != OVER_NOT)
        return true;
    if (!player->pool && !(player->pool = pool_new(player->threads, status)))
        return false;
    if (!start_record(player, record, status) || !begin_pieces(player, game, status))
        return false;
    begin(player, &game->board);
    player->most = limits->pieces;
    uint64_t seed = rng_next(rng);
    int64_t rounds = player->rules.parameters.rounds;
    int best = 0;
    const BeesGame *so_far = &player->sources[0].game;
    for (int64_t round = 0;
         (rounds == 0 || round < rounds) && !so_far->over && so_far->pieces < limits->pieces &&
         so_far->lines < limits->lines && !agent_cut(limits, clock_now_ns());
         round++) {
        /* A scout can play two pieces in a round, and the next one must be known to be over. */
        if (!draw_pieces(player, most_pieces(player) + 2, status))
            return false;
        if ((size_t)so_far->pieces >= player->piece_count)
            break;
        player->seed = rng_derive(seed, (uint64_t)round);
        play_round(player, best);
        best = best_source(player);
        so_far = &player->sources[best].game;
    }
    deliver(player, so_far, game);
    if (record)
        finish_record(player, &player->sources[best], record);
    return true;
}

/* The nectar of a board that the colony left, whose full rows are removed. */
static double nectar(const void *given, const Game *game) {
    const BeesParameters *parameters = given;
    BeesRules rules;
    set_rules(&rules, &(AgentSetup){0}, parameters);
    Columns columns;
    columns_from_board(&columns, &game->board);
    NectarView view = nectar_look(&columns, (NectarLowest)parameters->lowest);
    return nectar_of((NectarKind)parameters->nectar, &rules.weights, &view, game->lines);
}

const Agent bees_agent = {
    .name = "bees",
    .summary = "an artificial bee colony: many games at once by random key presses",
    .abilities = AGENT_GUIDELINE,
    .weights = "dt20",
    .weights_count = weights_count,
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(BeesParameters),
    .cannot_record = cannot_record,
    .new_player = new_player,
    .free_player = free_player,
    .play = play,
    .nectar = nectar,
};
