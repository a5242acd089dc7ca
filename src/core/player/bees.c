/*
 * bees: an artificial bee colony that plays many games of the same pieces at once.
 *
 * A source is a whole game. In a round every employed bee advances its game by one piece, by random
 * key presses; onlookers choose games by their nectar, take part of the last piece's presses back
 * and play it anew; games that nobody chose, or that are `limit` rounds old, are given up, and
 * their bees become scouts: they go on from the best game. The best game of the colony counts as
 * the game so far. It is not committed to: another may be the best one round later. So this agent
 * plays whole games and does not decide piece by piece.
 *
 * Besides the published ways there is one of our own that does not die: `moves=places` puts a piece
 * to the best of a few random reachable placements, and `nectar=judged` values a game by an
 * evaluator, e^((value - the colony's best) / heat); lost games have none.
 *
 * Sources side by side, each a game with the trail of its last piece. The order of draws is part of
 * the results: employed bees in their order, then the onlookers' choices, then their trials source
 * by source.
 */
#include "base/clock.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/real.h"
#include "movegen/reach.h"
#include "player/keys.h"
#include "player/nectar.h"
#include "player/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HISTORY_LIMIT_BYTES = 256 << 20 }; /* for the placements of all games, where one is saved */

static const double LOST = -1e9; /* a placement that ends the game */

typedef enum BeesClean { CLEAN_ROUND, CLEAN_LOCK } BeesClean;
typedef enum BeesMoves { MOVES_KEYS, MOVES_PLACES } BeesMoves;

typedef struct BeesParameters {
    int64_t bees, limit, draws;
    double delta, heat;
    int nectar, clean, lowest, moves;
} BeesParameters;

static const Option rows[] = {
    PARAMETER_INTEGER(BeesParameters, bees, "bees", "1000", 2, 100000,
                      "half of them employed, half onlookers"),
    PARAMETER_CHOICE(BeesParameters, nectar, "nectar", "weights", NECTAR_CHOICES,
                     "what makes a game attractive"),
    PARAMETER_INTEGER(BeesParameters, limit, "limit", "50", 1, 1e9,
                      "rounds after which an employed bee becomes a scout"),
    PARAMETER_REAL(BeesParameters, delta, "delta", "0.07", 0, 1,
                   "chance that an onlooker stops taking presses back"),
    PARAMETER_CHOICE(BeesParameters, clean, "clean", "round", "round|lock",
                     "when full rows go: at the end of the round or at once"),
    PARAMETER_CHOICE(BeesParameters, lowest, "lowest", "row", "row|column",
                     "the lowest of nectar weights: row not full, or column top"),
    PARAMETER_CHOICE(BeesParameters, moves, "moves", "keys", "keys|places",
                     "random key presses, or the best of some random reachable placements"),
    PARAMETER_INTEGER(BeesParameters, draws, "draws", "4", 1, 1000,
                      "placements drawn for moves=places"),
    PARAMETER_REAL(BeesParameters, heat, "heat", "5", 1e-6, 1e9,
                   "loss of value at which nectar=judged falls by e"),
};

/* How far a game is. */
typedef struct BeesGame {
    Board board; /* with full rows until the end of the round where clean=round */
    int64_t pieces, lines, score, removed;
    int64_t clears[4];
    int peak;
    bool over;
    double sum; /* of the placements, for nectar=judged */
} BeesGame;

typedef struct BeesSource {
    BeesGame game;
    BeesGame before; /* without the last piece */
    double value;    /* the nectar, or for nectar=judged its logarithm times heat */
    int64_t age;
    bool scout;    /* it was given up */
    bool advanced; /* `before` and `trail` are those of this round */
    int onlookers;
    KeysTrail trail; /* of the last piece; moves=keys only */
} BeesSource;

typedef struct BeesPlayer {
    Rules rules;
    Evaluator evaluator;
    BeesParameters parameters;
    BeesSource *sources, *trial;
    int employed, onlookers;
    double *chances;
    Randomizer randomizer;
    uint8_t *pieces; /* those drawn so far */
    size_t piece_count, piece_capacity;
    Placement *history; /* of every source and the trial, history_stride apart; NULL: no record */
    int64_t history_stride;
    Placement places[REACH_MAX];
} BeesPlayer;

static bool weights_count(const void *parameters) {
    const BeesParameters *given = parameters;
    return given->nectar == NECTAR_JUDGED || given->moves == MOVES_PLACES;
}

static void free_player(void *given) {
    BeesPlayer *player = given;
    free(player->sources);
    free(player->trial);
    free(player->chances);
    free(player->pieces);
    free(player->history);
    free(player);
}

static void *new_player(const AgentSetup *setup, const void *given, Status *status) {
    BeesPlayer *player = memory_new(1, sizeof *player, status);
    if (!player)
        return NULL;
    player->rules = setup->rules;
    player->evaluator = setup->evaluator;
    player->parameters = *(const BeesParameters *)given;
    player->onlookers = (int)(player->parameters.bees / 2);
    player->employed = (int)player->parameters.bees - player->onlookers;
    size_t count = (size_t)player->employed;
    player->sources = calloc(count, sizeof *player->sources);
    player->trial = calloc(1, sizeof *player->trial);
    player->chances = calloc(count, sizeof *player->chances);
    if (player->sources && player->trial && player->chances)
        return player;
    free_player(player);
    status_no_memory(status);
    return NULL;
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
            return true;
        if (!add_piece(player, piece, status))
            return false;
    }
    return true;
}

static Placement *history_of(const BeesPlayer *player, const BeesSource *source) {
    int64_t number = source == player->trial ? player->employed : source - player->sources;
    return player->history + number * player->history_stride;
}

static void note_placement(const BeesPlayer *player, const BeesSource *source,
                           Placement placement) {
    if (player->history && source->game.pieces < player->history_stride)
        history_of(player, source)[source->game.pieces] = placement;
}

/* Makes `to` a copy of the game of `from`. Of the trail only what is used. */
static void copy_source(const BeesPlayer *player, BeesSource *to, const BeesSource *from) {
    memcpy(to, from, offsetof(BeesSource, trail));
    to->trail.count = from->trail.count;
    memcpy(to->trail.positions, from->trail.positions,
           (size_t)from->trail.count * sizeof *from->trail.positions);
    if (!player->history)
        return;
    /* Games that run ahead of the best can be longer than the record. */
    int64_t count = from->game.pieces;
    count = count < player->history_stride ? count : player->history_stride;
    memcpy(history_of(player, to), history_of(player, from),
           (size_t)count * sizeof *player->history);
}

static bool start_record(BeesPlayer *player, const AgentRecord *record, Status *status) {
    free(player->history);
    player->history = NULL;
    if (!record)
        return true;
    if (player->parameters.clean != CLEAN_LOCK)
        return status_fail(status, STATUS_INPUT,
                           "bees: a game can be saved with --param clean=lock only: by the rules "
                           "full rows go at once");
    size_t stride_bytes = ((size_t)player->employed + 1) * sizeof(Placement);
    if ((uint64_t)record->capacity > HISTORY_LIMIT_BYTES / stride_bytes)
        return status_fail(status, STATUS_INPUT, "bees: the game is too long to be saved");
    player->history_stride = record->capacity;
    player->history = malloc((size_t)record->capacity * stride_bytes);
    return player->history || status_no_memory(status);
}

static void finish_record(const BeesPlayer *player, const BeesSource *best, AgentRecord *record) {
    for (int64_t i = 0; i < best->game.pieces && i < record->capacity; i++)
        record->moves[record->count++] = (Move){history_of(player, best)[i], false};
}

/* ---- one piece */

static int full_rows(const Board *board) {
    int count = 0;
    for (int y = 0; y < board_rows(board); y++)
        count += board_row(board, y) == board->full;
    return count;
}

static void clean(BeesGame *game) {
    game->removed += board_clear_rows(&game->board);
}

/* Locks the piece and counts what that did. */
static void lock(const BeesPlayer *player, BeesSource *source, Placement at) {
    BeesGame *game = &source->game;
    const Shape *shape = &piece_shapes[at.piece][at.rotation];
    if (at.y + shape->min_y >= game->board.height) {
        game->over = true;
        return;
    }
    note_placement(player, source, at);
    int before = full_rows(&game->board);
    board_fill(&game->board, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    int lines = full_rows(&game->board) - before;
    game->score += score_clear(player->rules.scoring, lines, game->lines);
    game->lines += lines;
    if (lines > 0)
        game->clears[lines - 1]++;
    game->pieces++;
    if (player->parameters.clean == CLEAN_LOCK)
        clean(game);
    int highest = board_highest(&game->board);
    game->peak = highest > game->peak ? highest : game->peak;
}

/* The best of some random reachable placements; its worth is added to the game. */
static Placement draw_place(BeesPlayer *player, BeesGame *game, Piece piece, double *board_value,
                            Rng *rng) {
    Columns columns;
    columns_from_board(&columns, &game->board);
    int count = reach_list(&columns, piece, player->rules.rotate180, player->places);
    Placement best = player->places[0];
    EvaluatorValue best_value = {0, 0};
    for (int64_t i = 0; i < player->parameters.draws; i++) {
        Placement place = player->places[rng_below(rng, (uint32_t)count)];
        EvaluatorMove move = {&columns, place, PIECE_NONE};
        Columns after;
        EvaluatorValue value = evaluator_judge(&player->evaluator, &move, &after);
        if (reach_locks_out(&columns, place))
            value.move = LOST;
        if (i == 0 || value.move + value.board > best_value.move + best_value.board) {
            best = place;
            best_value = value;
        }
    }
    game->sum += best_value.move;
    *board_value = best_value.board;
    return best;
}

static double judged_after(const BeesPlayer *player, BeesGame *game, const Board *board,
                           Placement at) {
    Columns columns, after;
    columns_from_board(&columns, board);
    EvaluatorMove move = {&columns, at, PIECE_NONE};
    EvaluatorValue value = evaluator_judge(&player->evaluator, &move, &after);
    game->sum += value.move;
    return value.board;
}

/* Plays the current piece to its lock; with moves=keys on from the end of the trail. */
static void finish_piece(BeesPlayer *player, BeesSource *source, Rng *rng) {
    BeesGame *game = &source->game;
    Piece piece = (Piece)player->pieces[game->pieces];
    bool judged = player->parameters.nectar == NECTAR_JUDGED;
    double board_value = 0;
    Placement at;
    if (player->parameters.moves == MOVES_PLACES) {
        at = draw_place(player, game, piece, &board_value, rng);
    } else {
        keys_walk(&source->trail, &game->board, piece, rng);
        KeysPosition end = source->trail.positions[source->trail.count - 1];
        at = (Placement){(uint8_t)piece, end.rotation, end.x, end.y, SPIN_NONE};
        if (judged)
            board_value = judged_after(player, game, &game->board, at);
    }
    lock(player, source, at);
    if (judged) {
        source->value = game->over ? -INFINITY : game->sum + board_value;
        return;
    }
    Columns columns;
    columns_from_board(&columns, &game->board);
    NectarView view = nectar_look(&columns, (NectarLowest)player->parameters.lowest);
    source->value = nectar_of((NectarKind)player->parameters.nectar, &view, game->removed);
}

/* Plays the next piece, if there is one and it has room. */
static void advance(BeesPlayer *player, BeesSource *source, int64_t most, Rng *rng) {
    BeesGame *game = &source->game;
    source->advanced = false;
    if (game->over || game->pieces >= most || (size_t)game->pieces >= player->piece_count)
        return;
    if (!board_fits(&game->board, (Piece)player->pieces[game->pieces], NORTH,
                    board_spawn_x(&game->board), board_spawn_y(&game->board))) {
        game->over = true;
        if (player->parameters.nectar == NECTAR_JUDGED)
            source->value = -INFINITY;
        return;
    }
    source->before = *game;
    source->advanced = true;
    keys_begin(&source->trail, &game->board);
    finish_piece(player, source, rng);
}

/* ---- a round */

/* Takes back some of the last piece and plays it anew; kept when that is better. */
static void onlook(BeesPlayer *player, BeesSource *source, Rng *rng) {
    if (!source->advanced)
        return;
    BeesSource *trial = player->trial;
    copy_source(player, trial, source);
    trial->game = source->before;
    while (trial->trail.count > 1 && !rng_chance(rng, player->parameters.delta))
        trial->trail.count--;
    finish_piece(player, trial, rng);
    if (trial->value > source->value)
        copy_source(player, source, trial);
}

/* What the onlookers see in each source; returns their sum. */
static double measure_chances(BeesPlayer *player) {
    double best = -INFINITY, sum = 0;
    for (int i = 0; i < player->employed; i++)
        best = fmax(best, player->sources[i].value);
    for (int i = 0; i < player->employed; i++) {
        double value = player->sources[i].value;
        if (player->parameters.nectar == NECTAR_JUDGED)
            value = isinf(value) ? 0 : real_exp((value - best) / player->parameters.heat);
        player->chances[i] = value;
        sum += value;
    }
    return sum;
}

/* Pass after pass over the sources, the chances doubled each time, until every onlooker has one. */
static void send_onlookers(BeesPlayer *player, Rng *rng) {
    double sum = measure_chances(player), factor = sum > 0 ? 1 / sum : 0;
    int left = player->onlookers;
    for (int i = 0; i < player->employed; i++)
        player->sources[i].onlookers = 0;
    for (int pass = 0; left > 0; pass++) {
        for (int i = 0; i < player->employed && left > 0; i++) {
            double chance = sum > 0 ? player->chances[i] * factor : 0.5;
            if (!rng_chance(rng, chance))
                continue;
            player->sources[i].onlookers++;
            left--;
        }
        factor *= 2;
    }
    for (int i = 0; i < player->employed; i++) {
        BeesSource *source = &player->sources[i];
        source->scout = source->scout || source->onlookers == 0;
        for (int k = 0; k < source->onlookers; k++)
            onlook(player, source, rng);
    }
}

static int best_source(const BeesPlayer *player) {
    int best = 0;
    for (int i = 1; i < player->employed; i++)
        if (player->sources[i].value > player->sources[best].value)
            best = i;
    return best;
}

/* `best` is the number of the best source. It goes first: the scouts copy what it was. */
static void employed_phase(BeesPlayer *player, int best, int64_t most, Rng *rng) {
    const BeesSource *from = &player->sources[best];
    for (int i = 0; i < player->employed; i++) {
        BeesSource *source = &player->sources[i];
        if (!source->scout)
            continue;
        if (i != best)
            copy_source(player, source, from);
        source->age = 0;
    }
    for (int i = 0; i < player->employed; i++) {
        BeesSource *source = &player->sources[i];
        if (source->scout)
            advance(player, source, most, rng);
        source->scout = false;
        advance(player, source, most, rng);
        source->scout = ++source->age >= player->parameters.limit;
    }
}

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
    game->over = best->over                    ? OVER_BLOCK_OUT
                 : game->current == PIECE_NONE ? OVER_NO_PIECES
                                               : OVER_NOT;
}

static bool play(void *given, Game *game, const AgentLimits *limits, Rng *rng, AgentRecord *record,
                 Status *status) {
    BeesPlayer *player = given;
    if (game->over != OVER_NOT)
        return true;
    if (!start_record(player, record, status) || !begin_pieces(player, game, status))
        return false;
    begin(player, &game->board);
    int best = 0;
    const BeesGame *so_far = &player->sources[0].game;
    while (!so_far->over && so_far->pieces < limits->pieces && so_far->lines < limits->lines &&
           !agent_cut(limits, clock_now_ns())) {
        /* A scout plays two pieces in a round, and the next one must be known to be over. */
        if (!draw_pieces(player, most_pieces(player) + 2, status))
            return false;
        if ((size_t)so_far->pieces >= player->piece_count)
            break;
        employed_phase(player, best, limits->pieces, rng);
        send_onlookers(player, rng);
        for (int i = 0; i < player->employed; i++)
            clean(&player->sources[i].game);
        best = best_source(player);
        so_far = &player->sources[best].game;
    }
    deliver(player, so_far, game);
    if (record)
        finish_record(player, &player->sources[best], record);
    return true;
}

const Agent bees_agent = {
    .name = "bees",
    .summary = "an artificial bee colony: many games at once by random key presses",
    .abilities = AGENT_GUIDELINE,
    .weights = "dt20",
    .weights_count = weights_count,
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(BeesParameters),
    .by_rules = "clean=lock",
    .new_player = new_player,
    .free_player = free_player,
    .play = play,
};
