/* view: copies what is visible, and counts pieces as they come into view. */
#include "player/view.h"

enum { ALL_PIECES = (1 << PIECE_COUNT) - 1 };

void watcher_init(Watcher *watcher, int preview) {
    *watcher = (Watcher){.preview = preview, .unseen = ALL_PIECES};
}

/* Number `back` of the visible pieces from the last one: the queue backwards, then the current. */
static Piece visible_from_end(const AgentView *view, int64_t back) {
    int64_t index = view->queue_count - 1 - back;
    return index >= 0 ? (Piece)view->queue[index] : (Piece)view->current;
}

/* Takes the pieces that came into view since the last turn out of their bag. */
static void count_new(Watcher *watcher, const Game *game, const AgentView *view) {
    int64_t visible = game->pieces + 1 + (game->hold != PIECE_NONE) + view->queue_count;
    while (watcher->seen < visible) {
        Piece piece = visible_from_end(view, visible - ++watcher->seen);
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
    while (view->queue_count < watcher->preview && view->queue_count < game->queue_count) {
        view->queue[view->queue_count] = (uint8_t)game_next(game, view->queue_count);
        view->queue_count++;
    }
    view->queue_ends = view->queue_count == game->queue_count;
    count_new(watcher, game, view);
    view->unseen = unseen_by(watcher, game->randomizer.kind);
}
