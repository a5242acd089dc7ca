/* moves: plays moves one by one; each must be inside the board and reachable (movegen/reach). */
#include "problem/moves.h"

#include "movegen/reach.h"

/* Inside the walls, floor and ceiling: what reach_contains may be asked. */
static bool is_inside(const Board *board, Placement at) {
    const Shape *shape = &piece_shapes[at.piece][at.rotation];
    return at.x + shape->min_x >= 0 && at.x + shape->max_x < board->width &&
           at.y + shape->min_y >= 0 && at.y + shape->max_y < board_rows(board);
}

/* Plays one move on `state`. False with `status` when its piece is not the current one, or when the
 * place cannot be reached. A top-out is not an error: the state says so. */
static bool play_one(const Decoder *decoder, DecodeState *state, const Move *move, Status *status) {
    Placement at = move->placement;
    Piece piece = decode_take(decoder, state);
    if (piece == PIECE_NONE)
        return status_fail(status, STATUS_INPUT, "no piece is left");
    if (!decode_spawn_is_free(state, piece)) {
        state->topped_out = true;
        return true;
    }
    /* As with the gene: nothing happens when there is nothing to swap with. */
    if (move->hold && decode_swap(decoder, state, &piece) && !decode_spawn_is_free(state, piece)) {
        state->topped_out = true;
        return true;
    }
    if (piece != (Piece)at.piece)
        return status_fail(status, STATUS_INPUT, "piece: current piece is %c, not %c",
                           piece_letters[piece], piece_letters[at.piece]);
    Columns columns;
    columns_from_board(&columns, &state->board);
    if (!is_inside(&state->board, at) || !reach_contains(&columns, at, false, false))
        return status_fail(status, STATUS_INPUT, "%c %s at x=%d y=%d cannot be reached",
                           piece_letters[piece], rotation_names[at.rotation], at.x, at.y);
    int lines;
    decode_lock(state, at, &lines);
    return true;
}

bool moves_play(const Decoder *decoder, DecodeState *state, const Move *moves, int count,
                Status *status) {
    for (int i = 0; i < count && !state->topped_out; i++)
        if (!play_one(decoder, state, &moves[i], status))
            return status_prefix(status, "moves[%d]", i);
    return true;
}
