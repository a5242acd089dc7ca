/* lanes_stream: plays streams of games by the choices of lanes.h, and boards that do not fit its
 * lanes by another kernel. */
#ifndef TETROPT_PLAYER_DROP_LANES_STREAM_H
#define TETROPT_PLAYER_DROP_LANES_STREAM_H

#include "player/drop/lanes.h"

/* Leaves the stream to the kernel for tall boards until its board fits again, the pieces are used
 * up or, with one_game, the game is over. Returns the pieces left. */
static int64_t play_tall(const DropController *controller, GameStream *stream, int64_t pieces,
                         bool one_game) {
    int64_t deaths = stream->deaths;
    while (pieces > 0 && columns_highest(&stream->board) > LANES_ROWS &&
           drop_stream_refill(stream, pieces)) {
        int64_t placed = stream->pieces;
        LANES_TALL->play(controller, stream, 1, true);
        pieces -= stream->pieces - placed;
        if (one_game && stream->deaths > deaths)
            return 0;
    }
    return pieces;
}

/* Plays while the board fits and pieces are left; returns how many are. */
LANES int64_t play_low(const LaneGame *game, GameStream *stream, int64_t pieces, bool one_game,
                       const unsigned extras) {
    const Lanes empty = lanes_or(game->walls, lanes_fill(1));
    Lanes columns = board_load(&stream->board);
    uint64_t signature = stream->signature;
    while (pieces > 0 && lanes_fit(columns, game->walls) && drop_stream_refill(stream, pieces)) {
        Piece piece = drop_stream_next(stream);
        LaneSearch search;
        int64_t score;
        int order = extras & LANES_SURFACE
                        ? search_fully(&search, game, columns, piece, &score)
                        : search_piece(&search, game, columns, piece, extras, &score);
        if (order < 0) {
            stream->deaths++;
            signature = drop_fold(signature, DROP_DEATH_ROTATION, DROP_DEATH_LEFT);
            columns = empty;
            if (one_game)
                pieces = 0;
            continue;
        }
        signature = drop_fold(signature, (unsigned)order >> 4, (unsigned)order & 15);
        columns = board_after(game, &search, columns, piece, (unsigned)order);
        if (search.clears >> order & 1) {
            uint32_t full = lanes_read(search.full, (unsigned)order) & ~1u;
            int removed = __builtin_popcount(full);
            stream->clears[removed - 1]++;
            stream->lines += removed;
        }
        stream->pieces++;
        pieces--;
    }
    stream->signature = signature;
    board_save(&stream->board, columns);
    return pieces;
}

/* Diversity and surface cost a tenth or more each, so sets without them do not pay for them; but
 * where gcc takes long for a copy of the search, all that have one use that for both. */
LANES_RUN static void play(const DropController *controller, GameStream *stream, int64_t pieces,
                           bool one_game) {
    LaneGame game = game_of(controller);
    do {
        pieces = play_tall(controller, stream, pieces, one_game);
        if (pieces == 0)
            break;
        const int32_t *weights = controller->weights.values;
        if (weights[WEIGHTS_SURFACE] || (LANES_FEW_COPIES && weights[FEATURE_DIVERSITY]))
            pieces = play_low(&game, stream, pieces, one_game, LANES_DIVERSITY | LANES_SURFACE);
        else if (!LANES_FEW_COPIES && weights[FEATURE_DIVERSITY])
            pieces = play_low(&game, stream, pieces, one_game, LANES_DIVERSITY);
        else
            pieces = play_low(&game, stream, pieces, one_game, 0);
    } while (pieces > 0 && !stream->out_of_pieces);
}

#endif
