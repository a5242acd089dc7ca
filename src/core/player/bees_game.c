/*
 * bees_game: from the current piece to its lock: random keys or random places, then the lock, then
 * the nectar.
 */
#include "player/bees_game.h"

#include <math.h>
#include <string.h>

static const double LOST = -1e9; /* a placement that ends the game */

void bees_copy(BeesSource *to, const BeesSource *from) {
    memcpy(to, from, offsetof(BeesSource, trail));
    to->trail.count = from->trail.count;
    memcpy(to->trail.positions, from->trail.positions,
           (size_t)from->trail.count * sizeof *from->trail.positions);
}

void bees_clean(BeesGame *game) {
    game->removed += board_clear_rows(&game->board);
}

static int full_rows(const Board *board) {
    int count = 0;
    for (int y = 0; y < board_rows(board); y++)
        count += board_row(board, y) == board->full;
    return count;
}

/* Locks the piece and counts what that did. */
static void lock(const BeesRules *rules, BeesSource *source, Placement at) {
    BeesGame *game = &source->game;
    const Shape *shape = &piece_shapes[at.piece][at.rotation];
    source->last = at;
    if (at.y + shape->min_y >= game->board.height) {
        game->over = OVER_LOCK_OUT;
        return;
    }
    int before = full_rows(&game->board);
    board_fill(&game->board, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    int lines = full_rows(&game->board) - before;
    game->score += score_clear(rules->rules.scoring, lines, game->lines);
    game->lines += lines;
    if (lines > 0)
        game->clears[lines - 1]++;
    game->pieces++;
    if (rules->parameters.clean == CLEAN_LOCK)
        bees_clean(game);
    int highest = board_highest(&game->board);
    game->peak = highest > game->peak ? highest : game->peak;
}

/* The best of some random reachable placements; its value is added to the game. */
static Placement draw_place(const BeesRules *rules, BeesGame *game, Piece piece,
                            BeesScratch *scratch, double *board_value, Rng *rng) {
    Columns columns;
    columns_from_board(&columns, &game->board);
    int count = reach_list(&columns, piece, rules_moves(&rules->rules), scratch->places);
    Placement best = scratch->places[0];
    EvaluatorValue best_value = {0, 0};
    for (int64_t i = 0; i < rules->parameters.draws; i++) {
        Placement place = scratch->places[rng_below(rng, (uint32_t)count)];
        EvaluatorMove move = {&columns, place, PIECE_NONE};
        Columns after;
        EvaluatorValue value = evaluator_judge(&rules->evaluator, &move, &after);
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

static double judged_after(const BeesRules *rules, BeesGame *game, const Board *board,
                           Placement at) {
    Columns columns, after;
    columns_from_board(&columns, board);
    EvaluatorMove move = {&columns, at, PIECE_NONE};
    EvaluatorValue value = evaluator_judge(&rules->evaluator, &move, &after);
    game->sum += value.move;
    return value.board;
}

void bees_measure(const BeesRules *rules, BeesSource *source) {
    if (rules->parameters.nectar == NECTAR_JUDGED)
        return; /* known from its placements */
    Columns columns;
    columns_from_board(&columns, &source->game.board);
    NectarView view = nectar_look(&columns, (NectarLowest)rules->parameters.lowest);
    source->value = nectar_of((NectarKind)rules->parameters.nectar, &rules->weights, &view,
                              source->game.removed);
}

/* Plays the current piece to its lock; with moves=keys on from the end of the trail. */
static void finish_piece(const BeesRules *rules, BeesSource *source, BeesScratch *scratch,
                         Rng *rng) {
    BeesGame *game = &source->game;
    Piece piece = (Piece)rules->pieces[game->pieces];
    bool judged = rules->parameters.nectar == NECTAR_JUDGED;
    double board_value = 0;
    Placement at;
    if (rules->parameters.moves == MOVES_PLACES) {
        at = draw_place(rules, game, piece, scratch, &board_value, rng);
    } else {
        keys_walk(&source->trail, &game->board, piece, rng);
        KeysPosition end = source->trail.positions[source->trail.count - 1];
        at = (Placement){(uint8_t)piece, end.rotation, end.x, end.y, SPIN_NONE};
        if (judged)
            board_value = judged_after(rules, game, &game->board, at);
    }
    lock(rules, source, at);
    if (judged)
        source->value = game->over ? -INFINITY : game->sum + board_value;
    bees_measure(rules, source);
}

bool bees_advance(const BeesRules *rules, BeesSource *source, int64_t most, BeesScratch *scratch,
                  Rng *rng) {
    BeesGame *game = &source->game;
    source->advanced = false;
    if (game->over || game->pieces >= most || (size_t)game->pieces >= rules->piece_count)
        return false;
    if (!board_fits(&game->board, (Piece)rules->pieces[game->pieces], NORTH,
                    board_spawn_x(&game->board), board_spawn_y(&game->board))) {
        game->over = OVER_BLOCK_OUT;
        if (rules->parameters.nectar == NECTAR_JUDGED)
            source->value = -INFINITY;
        return false;
    }
    source->before = *game;
    source->advanced = true;
    keys_begin(&source->trail, &game->board);
    finish_piece(rules, source, scratch, rng);
    return true;
}

bool bees_try(const BeesRules *rules, const BeesSource *source, BeesScratch *scratch, Rng *rng) {
    BeesSource *trial = &scratch->trial;
    if (!source->advanced)
        return false;
    bees_copy(trial, source);
    trial->game = source->before;
    while (trial->trail.count > 1 && !rng_chance(rng, rules->parameters.delta))
        trial->trail.count--;
    finish_piece(rules, trial, scratch, rng);
    return trial->value > source->value;
}
