/*
 * game_moves: placements and keys of the game of tetropt.h.
 *
 * Nothing that a caller gives is believed: a placement is made, and keys are looked for, only after
 * the move generator has listed it for the present turn.
 */
#include "library/handles.h"
#include "live/steer.h"
#include "movegen/path.h"
#include "movegen/reach.h"

#include <stdlib.h>

static bool is_drop(const tetropt_game *game) {
    return game->game.rules.set == RULES_DROP;
}

/* Adds the placements of a piece to the `count` that were found before. */
static int list_piece(const tetropt_game *game, Piece piece, bool hold, tetropt_placement *out,
                      int capacity, int count) {
    const Rules *rules = &game->game.rules;
    Placement found[REACH_SPINS_MAX];
    Columns columns;
    columns_from_board(&columns, &game->game.board);
    int more = is_drop(game)  ? drop_list(&columns, piece, found)
               : rules->bonus ? reach_list_spins(&columns, piece, rules_moves(rules), found)
                              : reach_list(&columns, piece, rules_moves(rules), found);
    for (int i = 0; out && i < more && count + i < capacity; i++)
        out[count + i] = placement_out(found[i], hold);
    return count + more;
}

int tetropt_game_placements(const tetropt_game *game, tetropt_placement *placements, int capacity) {
    if (!game_is_started(game) || game->game.over != OVER_NOT)
        return 0;
    Piece current = (Piece)game->game.current, brought = game_hold_brings(&game->game);
    int count = list_piece(game, current, false, placements, capacity, 0);
    bool visible = game->game.hold != PIECE_NONE || game->watcher.preview > 0;
    if (brought != PIECE_NONE && brought != current && visible)
        count = list_piece(game, brought, true, placements, capacity, count);
    return count;
}

/* Checks that the placement can be made now. */
static bool check(tetropt_game *game, const tetropt_placement *given, Placement *goal) {
    Status *status = &game->status;
    if (!game->started)
        return status_fail(status, STATUS_INPUT, "game: is not started");
    if (game->game.over != OVER_NOT)
        return status_fail(status, STATUS_INPUT, "game: is over");
    if (!given)
        return status_fail(status, STATUS_INPUT, "placement: is NULL");
    if (!placement_in(given, goal))
        return status_fail(status, STATUS_INPUT, "placement: its numbers are out of range");
    Piece piece = given->hold ? game_hold_brings(&game->game) : (Piece)game->game.current;
    if (piece != goal->piece)
        return status_fail(status, STATUS_INPUT, "placement: %c is not the piece to be placed%s",
                           given->piece, given->hold ? " after hold" : "");
    Columns columns;
    columns_from_board(&columns, &game->game.board);
    if (goal->spin == SPIN_NONE && (is_drop(game) || reach_is_open(&columns)) &&
        drop_contains(&columns, *goal))
        return true; /* most placements: no search */
    /* Without bonuses a label is not asked for, but kept where it is right: players use it. */
    if (!game->game.rules.bonus && goal->spin != SPIN_NONE &&
        (is_drop(game) || !reach_contains(&columns, *goal, rules_moves(&game->game.rules), true)))
        goal->spin = SPIN_NONE;
    bool can = is_drop(game) ? drop_contains(&columns, *goal)
                             : reach_contains(&columns, *goal, rules_moves(&game->game.rules),
                                              goal->spin != SPIN_NONE);
    return can ||
           status_fail(status, STATUS_INPUT, "placement: %c cannot get to %d,%d, rotation %d",
                       given->piece, given->x, given->y, given->rotation);
}

int tetropt_game_place(tetropt_game *game, const tetropt_placement *placement) {
    Placement goal;
    if (!game)
        return TETROPT_INPUT;
    if (!check(game, placement, &goal))
        return (int)game->status.code;
    if (placement->hold) {
        game_press(&game->game, KEY_HOLD);
        game_look(game);
    }
    game_place(&game->game, goal);
    game_look(game);
    return TETROPT_OK;
}

int tetropt_game_press(tetropt_game *game, int key) {
    if (!game)
        return TETROPT_INPUT;
    if (!game->started)
        return HANDLE_FAIL(game, STATUS_INPUT, "game: is not started");
    if (key < 0 || key >= KEY_COUNT)
        return HANDLE_FAIL(game, STATUS_INPUT, "key: unknown number %d", key);
    if (!game_press(&game->game, (Key)key))
        return HANDLE_FAIL(game, STATUS_UNMET, "key: %s does nothing here", key_names[key]);
    if (key == KEY_HARD_DROP || key == KEY_HOLD) /* no other key brings a piece into view */
        game_look(game);
    return TETROPT_OK;
}

/* ---- keys */

static int copy_keys(const uint8_t *found, int count, bool hold, int *keys, int capacity) {
    int written = 0;
    if (!keys)
        capacity = 0;
    if (hold && written < capacity)
        keys[written++] = KEY_HOLD;
    for (int i = 0; i < count && written < capacity; i++)
        keys[written++] = found[i];
    return count + hold;
}

int keys_fewest(const Columns *columns, Placement goal, unsigned moves, bool hold, int *keys,
                int capacity) {
    struct {
        PathScratch scratch;
        uint8_t keys[PATH_KEYS_MAX];
    } *work = malloc(sizeof *work);
    if (!work)
        return KEYS_NO_MEMORY;
    int count =
        path_fewest(columns, goal, moves, goal.spin != SPIN_NONE, &work->scratch, work->keys);
    if (count >= 0)
        count = copy_keys(work->keys, count, hold, keys, capacity);
    free(work);
    return count;
}

/* Under `drop` keys move the piece where it appears; a stack that is higher stands in their way. */
static int keys_drop(const tetropt_game *game, Placement goal, bool hold, int *keys, int capacity) {
    Game trial = game->game;
    trial.current = goal.piece;
    trial.rotation = NORTH;
    trial.x = (int8_t)board_spawn_x(&trial.board);
    trial.y = (int8_t)board_spawn_y(&trial.board);
    if (!board_fits(&trial.board, (Piece)goal.piece, NORTH, trial.x, trial.y))
        return KEYS_NO_WAY;
    struct {
        Steer steer;
        uint8_t keys[STEER_POSITIONS + 1];
    } *work = malloc(sizeof *work);
    if (!work)
        return KEYS_NO_MEMORY;
    steer_flood(&work->steer, &trial, 0, true);
    int count = steer_keys(&work->steer, goal, work->keys);
    if (count >= 0)
        count = copy_keys(work->keys, count, hold, keys, capacity);
    free(work);
    return count;
}

int tetropt_game_keys(tetropt_game *game, const tetropt_placement *placement, int *keys,
                      int capacity) {
    Placement goal;
    if (!game || !check(game, placement, &goal))
        return -1;
    Columns columns;
    columns_from_board(&columns, &game->game.board);
    bool hold = placement->hold != 0;
    int count = is_drop(game) ? keys_drop(game, goal, hold, keys, capacity)
                              : keys_fewest(&columns, goal, rules_moves(&game->game.rules), hold,
                                            keys, capacity);
    if (count == KEYS_NO_MEMORY)
        status_no_memory(&game->status);
    else if (count < 0)
        status_fail(&game->status, STATUS_UNMET, "keys: the stack is in their way");
    return count < 0 ? -1 : count;
}
