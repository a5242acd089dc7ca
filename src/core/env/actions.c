/*
 * actions: from the number of an action to what it does in a game, and which numbers are legal.
 *
 * A straight drop presses the keys of a beginner: hold, rotate where the piece appears, move
 * sideways, hard drop. Under `drop` the piece comes from above the stack instead.
 *
 * An illegal action still does something defined, so that a learner without masks cannot fail:
 *   keys        a key that is blocked does nothing;
 *   placements  nor does a key of a straight drop; hold that brings no other piece is not pressed,
 *               and a column too far to the right is the last one where the piece fits;
 *   reachable   numbers beyond the list begin again at its start.
 */
#include "env/env.h"
#include "movegen/reach.h"

/* ---- locking */

void env_measure_heights(EnvGame *game) {
    const Board *board = &game->game.board;
    unsigned seen = 0;
    game->highest = (uint8_t)board_highest(board);
    memset(game->heights, 0, sizeof game->heights);
    for (int y = game->highest - 1; y >= 0 && seen != board->full; y--) {
        for (unsigned top = board_row(board, y) & ~seen; top; top &= top - 1)
            game->heights[__builtin_ctz(top)] = (uint8_t)(y + 1);
        seen |= board_row(board, y);
    }
}

/* Locks the current piece; returns the lines, or -1 when it locked out. */
static int lock(EnvGame *game, Placement at) {
    int64_t lines_before = game->game.lines, pieces_before = game->game.pieces;
    game_place(&game->game, at);
    if (game->game.pieces == pieces_before)
        return -1;
    int lines = (int)(game->game.lines - lines_before);
    if (lines > 0) {
        env_measure_heights(game);
        return lines;
    }
    const Shape *shape = &piece_shapes[at.piece][at.rotation];
    uint8_t *heights = game->heights + at.x + shape->min_x;
    for (int i = 0; i < 4; i++) {
        int top = at.y + shape->top[i] + 1; /* negative where there is no cell */
        heights[i] = (uint8_t)(top > heights[i] ? top : heights[i]); /* a tuck may end below */
    }
    int top = at.y + shape->max_y + 1;
    if (top > game->highest)
        game->highest = (uint8_t)top;
    return 0;
}

/* Where a piece comes to rest that falls from above the stack. */
static int drop_y(const EnvGame *game, Piece piece, int rotation, int x) {
    const Shape *shape = &piece_shapes[piece][rotation];
    const uint8_t *heights = game->heights + x + shape->min_x;
    int y = -shape->min_y;
    for (int i = 0; i < 4; i++) {
        int rest = heights[i] - shape->bottom[i]; /* negative where there is no cell */
        y = rest > y ? rest : y;
    }
    return y;
}

/* Where a hard drop locks the current piece. */
static Placement landing(const EnvGame *game) {
    const Game *inner = &game->game;
    const Shape *shape = &piece_shapes[inner->current][inner->rotation];
    if (inner->y + shape->min_y < game->highest)
        return game_landing(inner);
    int y = drop_y(game, (Piece)inner->current, inner->rotation, inner->x);
    int kick = y == inner->y ? inner->last_kick : 0;
    Spin spin = game_spin(&inner->board, (Piece)inner->current, (Rotation)inner->rotation, inner->x,
                          y, kick, rules_moves(&inner->rules));
    return (Placement){inner->current, inner->rotation, inner->x, (int8_t)y, (uint8_t)spin};
}

/* ---- keys */

static int drop(EnvGame *game, Placement *locked) {
    *locked = landing(game);
    return lock(game, *locked);
}

/* Does the step of a key; false when something is in its way. */
static inline bool do_step(Game *game, const EnvStep *step) {
    int x = game->x + step->x, y = game->y + step->y;
    if (!board_fits(&game->board, (Piece)game->current, (Rotation)step->rotation, x, y))
        return false;
    game->rotation = step->rotation;
    game->x = (int8_t)x;
    game->y = (int8_t)y;
    game->last_kick = step->kick == ENV_KEEPS_KICK ? game->last_kick : step->kick;
    return true;
}

static int act_key(const Env *env, EnvGame *game, int action, Placement *locked) {
    Game *inner = &game->game;
    if (action == KEY_HARD_DROP)
        return drop(game, locked);
    if (action == KEY_HOLD ||
        !do_step(inner, &env->key_steps[inner->current][inner->rotation][action]))
        game_press(inner, (Key)action);
    int64_t gravity = env->settings.gravity;
    bool falls = gravity > 0 && inner->over == OVER_NOT && (game->steps + 1) % gravity == 0;
    return falls && !game_press(inner, KEY_SOFT_DROP) ? drop(game, locked) : -1;
}

/* ---- straight drops */

/* The piece that hold brings; PIECE_NONE when there is none, it is not visible, or it is the same
 * as the current one. */
static Piece held_choice(const Env *env, const EnvGame *game) {
    const Game *inner = &game->game;
    Piece brought = game_hold_brings(inner);
    bool visible = inner->hold != PIECE_NONE || env->settings.preview > 0;
    return visible && brought != (Piece)inner->current ? brought : PIECE_NONE;
}

/* True when keys can bring the piece above any column in any rotation. */
static inline bool all_drops(const Env *env, const EnvGame *game, Piece piece) {
    return game->highest <= env->free_height[piece];
}

/* Rotates a piece where it appears, as the keys do; false when the stack blocks a rotation. */
static bool rotate(const Board *board, Placement *at, int rotation) {
    Turn turn = rotation == WEST ? TURN_COUNTER : TURN_CLOCKWISE;
    Rotation now = NORTH;
    int x = at->x, y = at->y;
    bool free = true;
    for (int i = rotation == WEST ? 1 : rotation; i > 0; i--)
        free = board_turn(board, (Piece)at->piece, turn, &now, &x, &y) > 0 && free;
    *at = (Placement){at->piece, (uint8_t)now, (int8_t)x, (int8_t)y, SPIN_NONE};
    return free;
}

/* The columns first..last that the leftmost cell can be in when the piece is moved sideways. */
typedef struct Way {
    int first, last;
} Way;

static Way way_of(const Board *board, Placement at) {
    const Shape *shape = &piece_shapes[at.piece][at.rotation];
    unsigned blocked = 0; /* by column of the leftmost cell */
    for (int i = 0; i < 4; i++)
        blocked |= (unsigned)board_row(board, at.y + shape->cells[i].y) >>
                   (shape->cells[i].x - shape->min_x);
    blocked |= ~0u << (board->width - (shape->max_x - shape->min_x));
    int left = at.x + shape->min_x;
    unsigned below = blocked & ((1u << left) - 1);
    return (Way){below ? 32 - __builtin_clz(below) : 0, left + __builtin_ctz(blocked >> left) - 1};
}

static Placement spawned(const Board *board, Piece piece) {
    return (Placement){(uint8_t)piece, NORTH, (int8_t)board_spawn_x(board),
                       (int8_t)board_spawn_y(board), SPIN_NONE};
}

/* Where the rotation centre is when the leftmost cell is in column `left`, or in the last column
 * where the piece fits. */
static int centre_x(Piece piece, int rotation, int left, int width) {
    const Shape *shape = &piece_shapes[piece][rotation];
    int last = width - 1 - (shape->max_x - shape->min_x);
    return (left < last ? left : last) - shape->min_x;
}

static int act_placement(const Env *env, EnvGame *game, int action, Placement *locked) {
    int width = game->game.board.width;
    if (action >= ROTATION_COUNT * width) {
        action -= ROTATION_COUNT * width;
        if (held_choice(env, game) != PIECE_NONE)
            game_press(&game->game, KEY_HOLD);
        if (game->game.over != OVER_NOT)
            return -1;
    }
    const Board *board = &game->game.board;
    Piece piece = (Piece)game->game.current;
    int rotation = (action >= width) + (action >= 2 * width) + (action >= 3 * width);
    int left = action - rotation * width;
    if (all_drops(env, game, piece)) {
        int x = centre_x(piece, rotation, left, width);
        *locked = (Placement){(uint8_t)piece, (uint8_t)rotation, (int8_t)x,
                              (int8_t)drop_y(game, piece, rotation, x), SPIN_NONE};
    } else {
        *locked = spawned(board, piece);
        rotate(board, locked, rotation);
        Way way = way_of(board, *locked);
        left = left < way.first ? way.first : left > way.last ? way.last : left;
        locked->x = (int8_t)(left - piece_shapes[piece][locked->rotation].min_x);
        locked->y =
            (int8_t)board_rest(board, piece, (Rotation)locked->rotation, locked->x, locked->y);
    }
    return lock(game, *locked);
}

/* ---- reachable placements */

static int act_reachable(const Env *env, EnvGame *game, int action, Placement *locked) {
    size_t index = (size_t)(game - env->games);
    Move move = env->choices[index * ENV_REACHABLE_ACTIONS + (size_t)(action % game->choice_count)];
    if (move.hold)
        game_press(&game->game, KEY_HOLD);
    if (game->game.over != OVER_NOT)
        return -1;
    *locked = move.placement;
    return lock(game, *locked);
}

int env_act(const Env *env, EnvGame *game, int action, Placement *locked) {
    switch (env->settings.actions) {
    case ENV_KEYS:
        return act_key(env, game, action, locked);
    case ENV_PLACEMENTS:
        return act_placement(env, game, action, locked);
    case ENV_REACHABLE:
        return act_reachable(env, game, action, locked);
    }
    return -1;
}

/* ---- legal actions */

/* What a key does on an open board. */
static EnvStep open_step(const Rules *rules, Piece piece, Rotation rotation, Key key) {
    if (key == KEY_LEFT || key == KEY_RIGHT)
        return (EnvStep){(uint8_t)rotation, key == KEY_LEFT ? -1 : 1, 0, 0};
    if (key == KEY_SOFT_DROP)
        return (EnvStep){(uint8_t)rotation, 0, -1, 0};
    EnvStep stays = {(uint8_t)rotation, 0, 0, ENV_KEEPS_KICK};
    if (key != KEY_CLOCKWISE && key != KEY_COUNTER && key != KEY_TURN_180)
        return stays;
    Board board;
    board_init(&board, 10, 20);
    int middle_x = 5, middle_y = 10, x = middle_x, y = middle_y;
    int kick = moves_turn(rules_moves(rules), &board, piece, key, &rotation, &x, &y);
    return kick == 0 ? stays
                     : (EnvStep){(uint8_t)rotation, (int8_t)(x - middle_x), (int8_t)(y - middle_y),
                                 (uint8_t)kick};
}

/* The lowest rows that pieces take when they are rotated where they appear. */
static void find_free_heights(Env *env) {
    Board board;
    board_init(&board, env->settings.rules.width, env->settings.rules.height);
    for (int piece = 0; piece < PIECE_COUNT; piece++)
        for (int rotation = 0; rotation < ROTATION_COUNT; rotation++) {
            Placement at = spawned(&board, (Piece)piece);
            rotate(&board, &at, rotation);
            int low = at.y + piece_shapes[piece][at.rotation].min_y;
            if (low < env->free_height[piece])
                env->free_height[piece] = (uint8_t)(low > 0 ? low : 0);
        }
}

void env_actions_init(Env *env) {
    for (int piece = 0; piece < PIECE_COUNT; piece++)
        for (int rotation = 0; rotation < ROTATION_COUNT; rotation++)
            for (int key = 0; key < ENV_KEY_ACTIONS; key++)
                env->key_steps[piece][rotation][key] =
                    open_step(&env->settings.rules, (Piece)piece, (Rotation)rotation, (Key)key);
    memset(env->piece_masks, 0, sizeof env->piece_masks);
    memset(env->free_height, UINT8_MAX, sizeof env->free_height);
    if (env->settings.rules.set != RULES_DROP)
        find_free_heights(env);
    int width = env->settings.rules.width;
    for (int piece = 0; piece < PIECE_COUNT; piece++)
        for (int rotation = 0; rotation < piece_distinct_rotations[piece]; rotation++) {
            const Shape *shape = &piece_shapes[piece][rotation];
            for (int left = 0; left + shape->max_x - shape->min_x < width; left++)
                env->piece_masks[piece][rotation * width + left] = 1;
        }
}

/* The straight drops that the stack does not block. */
static void mask_free(const EnvGame *game, Piece piece, uint8_t *mask) {
    const Board *board = &game->game.board;
    int width = board->width;
    memset(mask, 0, (size_t)(ROTATION_COUNT * width));
    if (piece == PIECE_NONE)
        return;
    Placement first = spawned(board, piece);
    if (!board_fits(board, piece, NORTH, first.x, first.y))
        return;
    for (int rotation = 0; rotation < piece_distinct_rotations[piece]; rotation++) {
        Placement at = first;
        if (rotation > NORTH && !rotate(board, &at, rotation))
            continue;
        Way way = way_of(board, at);
        memset(mask + rotation * width + way.first, 1, (size_t)(way.last - way.first + 1));
    }
}

/* The straight drops of a piece. */
static inline void mask_piece(const Env *env, const EnvGame *game, Piece piece, uint8_t *mask) {
    enum { BLOCK = 16 };
    if (!all_drops(env, game, piece)) {
        mask_free(game, piece, mask);
        return;
    }
    const uint8_t *all = env->piece_masks[piece];
    size_t bytes = (size_t)(ROTATION_COUNT * game->game.board.width), last = bytes - BLOCK;
    for (size_t at = 0; at < last; at += BLOCK) /* blocks: a call of memcpy would cost more */
        memcpy(mask + at, all + at, BLOCK);
    memcpy(mask + last, all + last, BLOCK);
}

static void list_placements(const Env *env, const EnvGame *game, uint8_t *mask) {
    size_t half = (size_t)(ROTATION_COUNT * game->game.board.width);
    Piece piece = game->game.over == OVER_NOT ? (Piece)game->game.current : PIECE_NONE;
    mask_piece(env, game, piece, mask);
    mask_piece(env, game, held_choice(env, game), mask + half);
}

/* Adds the placements of a piece to the choices of a game. */
static int add_choices(const Env *env, const Columns *columns, Piece piece, bool hold,
                       Move *choices, int count) {
    const Rules *rules = &env->settings.rules;
    Placement list[REACH_SPINS_MAX];
    int found = rules->set == RULES_DROP ? drop_list(columns, piece, list)
                : rules->bonus ? reach_list_spins(columns, piece, rules_moves(rules), list)
                               : reach_list(columns, piece, rules_moves(rules), list);
    for (int i = 0; i < found && count < ENV_REACHABLE_ACTIONS; i++)
        choices[count++] = (Move){list[i], hold};
    return count;
}

static void list_reachable(Env *env, size_t index, uint8_t *mask) {
    EnvGame *game = &env->games[index];
    Move *choices = env->choices + index * ENV_REACHABLE_ACTIONS;
    int count = 0;
    if (game->game.over == OVER_NOT) {
        Columns columns;
        columns_from_rows(&columns, &game->game.board, game->highest);
        count = add_choices(env, &columns, (Piece)game->game.current, false, choices, 0);
        Piece held = held_choice(env, game);
        if (held != PIECE_NONE)
            count = add_choices(env, &columns, held, true, choices, count);
    }
    game->choice_count = count;
    if (!mask)
        return;
    memset(mask, 1, (size_t)count);
    memset(mask + count, 0, (size_t)(ENV_REACHABLE_ACTIONS - count));
}

void env_list_actions(Env *env, size_t index) {
    const EnvGame *game = &env->games[index];
    uint8_t *masks = env->buffers.masks;
    uint8_t *mask = masks ? masks + index * (size_t)env->layout.actions : NULL;
    if (env->settings.actions == ENV_REACHABLE)
        list_reachable(env, index, mask);
    else if (mask && env->settings.actions == ENV_PLACEMENTS)
        list_placements(env, game, mask);
    else if (mask) {
        memset(mask, game->game.over == OVER_NOT, ENV_KEY_ACTIONS);
        mask[KEY_TURN_180] &= (rules_moves(&env->settings.rules) & MOVES_180) != 0;
        mask[KEY_HOLD] = game_hold_brings(&game->game) != PIECE_NONE;
    }
}
