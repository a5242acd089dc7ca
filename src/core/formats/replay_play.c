/*
 * replay_play: a replay played again. The engine decides; the replay is compared with what it does,
 * key by key where there are keys.
 */
#include "engine/columns.h"
#include "formats/replay.h"
#include "movegen/path.h"
#include "movegen/reach.h"

#include <stdlib.h>

static bool describe(Status *status, const char *what, Placement at) {
    return status_fail(status, STATUS_INPUT, "%s %c %s x=%d y=%d", what, piece_letters[at.piece],
                       rotation_names[at.rotation], at.x, at.y);
}

static bool check_in_hand(const Game *game, Placement at, Status *status) {
    if (game->over != OVER_NOT)
        return status_fail(status, STATUS_INPUT, "the game is over before it (%s)",
                           game_over_names[game->over]);
    if (game->current != at.piece)
        return status_fail(status, STATUS_INPUT, "current piece is %c, not %c",
                           piece_letters[game->current], piece_letters[at.piece]);
    return true;
}

static bool press_hold(Game *game, Status *status) {
    return game_press(game, KEY_HOLD) ||
           status_fail(status, STATUS_INPUT, "hold cannot be used here");
}

static bool is_inside(const Board *board, Placement at) {
    const Shape *shape = &piece_shapes[at.piece][at.rotation];
    return at.x + shape->min_x >= 0 && at.x + shape->max_x < board->width &&
           at.y + shape->min_y >= 0 && at.y + shape->max_y < board_rows(board);
}

static bool can_be_reached(const Game *game, Placement at) {
    if (!is_inside(&game->board, at))
        return false;
    Columns columns;
    columns_from_board(&columns, &game->board);
    if (game->rules.set == RULES_GUIDELINE)
        return reach_contains(&columns, at, rules_moves(&game->rules), at.spin != SPIN_NONE);
    return drop_contains(&columns, at);
}

/* A move of which only the placement is known. */
static bool play_placement(const Replay *replay, Game *game, const ReplayMove *move,
                           Status *status) {
    if (move->hold && !press_hold(game, status))
        return false;
    if (!check_in_hand(game, move->placement, status))
        return false;
    Placement at = move->placement;
    bool fits = is_inside(&game->board, at) &&
                board_fits(&game->board, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    if (!(replay->foreign ? fits : can_be_reached(game, at)))
        return describe(status, "cannot be reached:", move->placement);
    game_place(game, move->placement);
    return true;
}

/* Keys that are blocked do nothing, as in a game; a hold or half turn that the rules do not allow
 * was never pressed with effect, and a replay that has one is wrong. */
static bool press_keys(Game *game, const uint8_t *keys, int count, bool *held, Status *status) {
    *held = false;
    for (int i = 0; i < count; i++) {
        Key key = (Key)keys[i];
        bool done = game_press(game, key);
        if (!done && game->over != OVER_NOT)
            return status_fail(status, STATUS_INPUT, "keys[%d]: the game is over (%s)", i,
                               game_over_names[game->over]);
        if (!done &&
            (key == KEY_HOLD || (key == KEY_TURN_180 && !(rules_moves(&game->rules) & MOVES_180))))
            return status_fail(status, STATUS_INPUT, "keys[%d]: %s cannot be used here", i,
                               key_names[key]);
        *held |= key == KEY_HOLD;
    }
    return true;
}

static bool play_keys(Game *game, const ReplayMove *move, const uint8_t *keys, Status *status) {
    if (game->rules.set != RULES_GUIDELINE)
        return status_fail(status, STATUS_INPUT, "keys: not used under these rules");
    for (int i = 0; i < move->key_count; i++)
        if ((keys[i] == KEY_HARD_DROP) != (i == move->key_count - 1))
            return status_fail(status, STATUS_INPUT,
                               "keys[%d]: drop must be the last key and only that", i);
    bool held;
    if (!press_keys(game, keys, move->key_count - 1, &held, status))
        return false;
    if (!check_in_hand(game, move->placement, status))
        return false;
    if (held != move->hold)
        return status_fail(status, STATUS_INPUT, "hold: the keys say otherwise");
    Placement at = game_landing(game);
    if (!placement_same_cells(at, move->placement))
        return describe(status, "the keys lead elsewhere:", at);
    if (at.spin != move->placement.spin)
        return status_fail(status, STATUS_INPUT, "spin: the keys make it %s", spin_names[at.spin]);
    game_press(game, KEY_HARD_DROP);
    return true;
}

static bool play_move(const Replay *replay, const ReplayMove *move, Game *game, Status *status) {
    bool ok = move->key_count ? play_keys(game, move, replay->keys + move->first_key, status)
                              : play_placement(replay, game, move, status);
    if (ok && move->garbage && game->rules.set != RULES_GUIDELINE)
        return status_fail(status, STATUS_INPUT, "garbage: not used under these rules");
    if (ok && move->garbage)
        game_rise(game, replay->holes + move->first_hole, move->garbage);
    return ok;
}

static void start(const Replay *replay, Game *game) {
    Randomizer randomizer;
    randomizer_init_list(&randomizer, replay->pieces, replay->piece_count);
    Board board;
    grid_to_board(&replay->start, &board);
    game_init_board(game, &replay->rules, &randomizer, &board);
    game->hold = replay->hold;
}

static bool compare(const char *name, int64_t written, int64_t played, Status *status) {
    return written == played ||
           status_fail(status, STATUS_INPUT, "result.%s: %lld is written, %lld comes out", name,
                       (long long)written, (long long)played);
}

static bool compare_result(const ReplayResult *result, const Game *game, Status *status) {
    if (!compare("score", result->score, game->score, status) ||
        !compare("lines", result->lines, game->lines, status) ||
        !compare("pieces", result->pieces, game->pieces, status))
        return false;
    return result->over == (GameOver)game->over ||
           status_fail(status, STATUS_INPUT, "result.over: '%s' is written, '%s' comes out",
                       game_over_names[result->over], game_over_names[game->over]);
}

/* The keys after the last lock; they may end the game, but not place a piece. */
static bool play_rest(const Replay *replay, Game *game, Status *status) {
    int64_t pieces = game->pieces;
    int count = (int)(replay->key_count - replay->open_key);
    bool held;
    if (count == 0) /* there may be no keys at all, and no address to count from */
        return true;
    if (!press_keys(game, replay->keys + replay->open_key, count, &held, status))
        return status_prefix(status, "last_keys");
    return game->pieces == pieces ||
           status_fail(status, STATUS_INPUT, "last_keys: they place a piece");
}

bool replay_play(const Replay *replay, bool check_result, DecodeStep *steps, Game *end,
                 Status *status) {
    Game game;
    start(replay, &game);
    for (size_t i = 0; i < replay->move_count; i++) {
        const ReplayMove *move = &replay->moves[i];
        int64_t lines = game.lines;
        if (!play_move(replay, move, &game, status))
            return status_prefix(status, "moves[%zu]", i);
        if (steps) /* when it locked out it is no step, and the last move */
            steps[i] = (DecodeStep){{move->placement, move->hold},
                                    (uint8_t)(game.lines - lines),
                                    move->garbage,
                                    move->garbage ? replay->holes + move->first_hole : NULL};
    }
    if (!play_rest(replay, &game, status))
        return false;
    if (check_result && !compare_result(&replay->result, &game, status))
        return false;
    if (end)
        *end = game;
    return true;
}

/* What finding keys needs: room to search, and the keys as they were. */
typedef struct Completion {
    PathScratch scratch;
    uint8_t path[PATH_KEYS_MAX + 1];
    uint8_t *old_keys;
} Completion;

/* Writes the keys of a move that has none to work->path and its spin to the move; returns how many,
 * 0 when there is no way. */
static int find_keys(ReplayMove *move, const Game *game, Completion *work) {
    if (game->rules.set != RULES_GUIDELINE || !is_inside(&game->board, move->placement))
        return 0;
    Columns columns;
    columns_from_board(&columns, &game->board);
    uint8_t *keys = work->path;
    if (move->hold)
        *keys++ = KEY_HOLD;
    Placement goal = move->placement;
    int count = path_fewest(&columns, goal, rules_moves(&game->rules), goal.spin != SPIN_NONE,
                            &work->scratch, keys);
    if (count <= 0)
        return 0;
    count += move->hold;
    Game trial = *game;
    for (int i = 0; i < count - 1; i++)
        game_press(&trial, (Key)work->path[i]);
    if (trial.over == OVER_NOT)
        move->placement.spin = game_landing(&trial).spin;
    return count;
}

static bool complete_move(Replay *replay, ReplayMove *move, Game *game, Completion *work,
                          Status *status) {
    int count = move->key_count;
    const uint8_t *keys = work->path;
    if (count == 0)
        count = find_keys(move, game, work);
    else
        keys = work->old_keys + move->first_key;
    move->key_count = (uint16_t)count;
    move->first_key = (uint32_t)replay->key_count;
    for (int i = 0; i < count; i++)
        replay_add_key(replay, (Key)keys[i]);
    if (replay->failed)
        return status_no_memory(status);
    return play_move(replay, move, game, status);
}

size_t replay_foreign_moves(const Replay *replay) {
    size_t count = 0;
    for (size_t i = 0; replay->foreign && i < replay->move_count; i++)
        count += replay->moves[i].key_count == 0;
    return count;
}

bool replay_complete(Replay *replay, Status *status) {
    Completion *work = replay->failed ? NULL : malloc(sizeof *work);
    if (!work)
        return status_no_memory(status);
    size_t rest = replay->open_key, end = replay->key_count;
    work->old_keys = replay->keys;
    replay->keys = NULL;
    replay->key_count = replay->key_capacity = 0;
    Game game;
    start(replay, &game);
    bool ok = true;
    for (size_t i = 0; ok && i < replay->move_count; i++)
        ok = complete_move(replay, &replay->moves[i], &game, work, status) ||
             status_prefix(status, "moves[%zu]", i);
    replay->open_key = replay->key_count;
    for (; ok && rest < end; rest++)
        replay_add_key(replay, (Key)work->old_keys[rest]);
    free(work->old_keys);
    free(work);
    if (replay->failed)
        return status_no_memory(status);
    if (!ok || !play_rest(replay, &game, status))
        return false;
    replay->result = (ReplayResult){game.score, game.lines, game.pieces, (GameOver)game.over};
    return true;
}
