/* view: copies what is visible, and counts pieces as they come into view. */
#include "player/view.h"

enum { ALL_PIECES = (1 << PIECE_COUNT) - 1 };

void watcher_init(Watcher *watcher, int preview) {
    *watcher = (Watcher){.preview = preview, .unseen = ALL_PIECES};
}

/* The pieces of the queue that are visible. */
static int visible_queue(const Watcher *watcher, const Game *game) {
    return game->queue_count < watcher->preview ? game->queue_count : watcher->preview;
}

/* Takes the pieces that came into view since the last turn out of their bag: the last ones of the
 * current piece and the visible queue. */
void watcher_count(Watcher *watcher, const Game *game) {
    int queue = visible_queue(watcher, game);
    int64_t visible = game->pieces + 1 + (game->hold != PIECE_NONE) + queue;
    while (watcher->seen < visible) {
        int64_t index = queue - 1 - (visible - ++watcher->seen);
        Piece piece = index >= 0 ? game_next(game, (int)index) : (Piece)game->current;
        watcher->unseen &= (uint8_t) ~(1u << piece);
        if (watcher->unseen == 0)
            watcher->unseen = ALL_PIECES;
    }
}

static uint8_t unseen_by(const Watcher *watcher, RandomizerKind kind) {
    switch (kind) {
    case RANDOMIZER_BAG:
        return watcher->unseen;
    case RANDOMIZER_SZ:
    case RANDOMIZER_SZ_RANDOM:
        return 1u << PIECE_S | 1u << PIECE_Z;
    default:
        return ALL_PIECES;
    }
}

void watcher_look(Watcher *watcher, const Game *game, int64_t locks_left, AgentView *view) {
    *view = (AgentView){.rules = &game->rules,
                        .board = &game->board,
                        .current = game->current,
                        .hold = game->hold,
                        .can_hold = game_hold_brings(game) != PIECE_NONE,
                        .bag = game->randomizer.kind == RANDOMIZER_BAG,
                        .chain = game->chain,
                        .lines = game->lines,
                        .locks_left = locks_left};
    columns_from_board(&view->columns, &game->board);
    view->queue_count = (uint8_t)visible_queue(watcher, game);
    for (int i = 0; i < view->queue_count; i++)
        view->queue[i] = (uint8_t)game_next(game, i);
    view->queue_ends = view->queue_count == game->queue_count;
    watcher_count(watcher, game);
    view->unseen = unseen_by(watcher, game->randomizer.kind);
}
