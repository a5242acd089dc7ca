/*
 * two: the choice of the drop controllers that see the next piece, over lanes.h. For the layers
 * with one number in a lane; see drop_choose_two for what is chosen.
 *
 * Every placement of the piece gives a board, and on it search_piece finds the best placement of
 * the next one. That score is a difference to the board in between, so the parts of that board are
 * added again (own_score); they are the same for every board up to a constant.
 */
#ifndef TETROPT_PLAYER_DROP_TWO_H
#define TETROPT_PLAYER_DROP_TWO_H

#include "player/drop/lanes.h"

/* The parts of a board. */
LANES int64_t parts_score(const LaneGame *game, Lanes columns) {
    Lanes tops = lanes_top(columns), holes = holes_of(columns, lanes_left(lanes_fill(1), tops));
    return score_sum(own_score(game, columns, tops, holes, LANES_SURFACE));
}

/* The number of the best placement of `piece` before `next` (PIECE_NONE: nothing follows), or -1
 * when none stays inside. */
LANES int search_two(LaneSearch *search, const LaneGame *game, Lanes columns, Piece piece,
                     Piece next) {
    int64_t score = 0, best_score = 0;
    int alone = search_fully(search, game, columns, piece, &score);
    if (alone < 0 || next == PIECE_NONE)
        return alone;
    int best = -1;
    for (uint64_t inside = search->inside; inside; inside &= inside - 1) {
        int order = __builtin_ctzll(inside);
        Lanes after = board_after(game, search, columns, piece, (unsigned)order);
        LaneSearch second;
        if (search_fully(&second, game, after, next, &score) < 0)
            continue;
        score += move_score(game, search, piece, (unsigned)order) + parts_score(game, after);
        if (best < 0 || score > best_score) {
            best = order;
            best_score = score;
        }
    }
    return best < 0 ? alone : best;
}

LANES_RUN static DropChoice choose_two(const DropController *controller, const Columns *board,
                                       Piece piece, Piece next) {
    LaneSearch search;
    LaneGame game = game_of(controller);
    return choice_of(&search, piece, search_two(&search, &game, board_load(board), piece, next));
}

#endif
