/*
 * replay: records a game while it is played.
 *
 * Invariant: keys[open_key..] are the presses of the move that has not locked yet. A move takes
 * them when it locks.
 */
#include "formats/replay.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void replay_init(Replay *replay, const Rules *rules, const Grid *start) {
    *replay = (Replay){.rules = *rules, .start = *start, .hold = PIECE_NONE};
    snprintf(replay->program, sizeof replay->program, "tetropt %s", TETROPT_VERSION);
}

void replay_release(Replay *replay) {
    free(replay->pieces);
    free(replay->moves);
    free(replay->keys);
    free(replay->holes);
    *replay = (Replay){0};
}

/* True when an array of the replay has a place for one more; false after the first failure. */
#define HAS_PLACE(replay_, items_, count_, capacity_)                                              \
    (!(replay_)->failed && !((replay_)->failed = !MEMORY_HAS_PLACE(items_, count_, capacity_)))

void replay_add_piece(Replay *replay, Piece piece) {
    if (HAS_PLACE(replay, replay->pieces, replay->piece_count, replay->piece_capacity))
        replay->pieces[replay->piece_count++] = (uint8_t)piece;
}

void replay_add_key(Replay *replay, Key key) {
    if (HAS_PLACE(replay, replay->keys, replay->key_count, replay->key_capacity))
        replay->keys[replay->key_count++] = (uint8_t)key;
}

void replay_add_move(Replay *replay, Placement placement, bool hold) {
    if (!HAS_PLACE(replay, replay->moves, replay->move_count, replay->move_capacity))
        return;
    size_t keys = replay->key_count - replay->open_key;
    if (keys > REPLAY_MAX_KEYS) { /* somebody toyed with the piece: the placement is enough */
        replay->key_count = replay->open_key;
        keys = 0;
    }
    replay->moves[replay->move_count++] = (ReplayMove){.placement = placement,
                                                       .hold = hold,
                                                       .key_count = (uint16_t)keys,
                                                       .first_key = (uint32_t)replay->open_key,
                                                       .first_hole = (uint32_t)replay->hole_count};
    replay->open_key = replay->key_count;
    replay->open_hold = false;
}

void replay_add_garbage(Replay *replay, int hole) {
    if (!HAS_PLACE(replay, replay->holes, replay->hole_count, replay->hole_capacity))
        return;
    replay->holes[replay->hole_count++] = (uint8_t)hole;
    replay->moves[replay->move_count - 1].garbage++;
}

void replay_rise(Replay *replay, Game *game, const uint8_t *holes, int count) {
    game_rise(game, holes, count);
    for (int i = 0; i < count; i++)
        replay_add_garbage(replay, holes[i]);
}

void replay_record(Replay *replay, const Game *game, const Grid *start) {
    replay_init(replay, &game->rules, start);
    replay->hold = game->hold;
    if (game->current != PIECE_NONE)
        replay_add_piece(replay, (Piece)game->current);
}

bool replay_press(Replay *replay, Game *game, Key key) {
    Piece next = game_next(game, 0);
    bool hold_was_empty = game->hold == PIECE_NONE;
    int64_t pieces = game->pieces;
    Placement at = {0};
    if (key == KEY_HARD_DROP && game->over == OVER_NOT)
        at = game_landing(game);
    if (!game_press(game, key))
        return false;
    replay_add_key(replay, key);
    if (key == KEY_HOLD)
        replay->open_hold = true;
    if (key == KEY_HARD_DROP) /* also one that locks out: it is the last move */
        replay_add_move(replay, at, replay->open_hold);
    bool locked = game->pieces > pieces;
    if (next != PIECE_NONE && (locked || (key == KEY_HOLD && hold_was_empty)))
        replay_add_piece(replay, next);
    return true;
}

void replay_place(Replay *replay, Game *game, bool hold, Placement placement) {
    if (hold)
        replay_press(replay, game, KEY_HOLD);
    if (game->over != OVER_NOT)
        return;
    Piece next = game_next(game, 0);
    int64_t pieces = game->pieces;
    replay->key_count = replay->open_key; /* the keys would not be all */
    game_place(game, placement);
    replay_add_move(replay, placement, hold || replay->open_hold);
    if (next != PIECE_NONE && game->pieces > pieces)
        replay_add_piece(replay, next);
}

void replay_finish(Replay *replay, const Game *game) {
    for (int i = 0; i < game->queue_count; i++)
        replay_add_piece(replay, game_next(game, i));
    replay->result = (ReplayResult){game->score, game->lines, game->pieces, (GameOver)game->over};
}
