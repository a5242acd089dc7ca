/*
 * game: a turn begins with spawn and ends with lock; between them keys move the piece. Everything
 * that ends a game is decided in these two.
 */
#include "engine/game.h"

#include "base/check.h"

#include <assert.h>

const char *const game_over_names[] = {"no", "block-out", "lock-out", "no pieces", "garbage"};

static void fill_queue(Game *game) {
    while (game->queue_count < GAME_QUEUE) {
        Piece piece = randomizer_next(&game->randomizer);
        if (piece == PIECE_NONE)
            return;
        game->queue[(game->queue_head + game->queue_count) % GAME_QUEUE] = (uint8_t)piece;
        game->queue_count++;
    }
}

static Piece take_next(Game *game) {
    if (game->queue_count == 0)
        return PIECE_NONE;
    Piece piece = (Piece)game->queue[game->queue_head];
    game->queue_head = (uint8_t)((game->queue_head + 1) % GAME_QUEUE);
    game->queue_count--;
    fill_queue(game);
    return piece;
}

static void spawn(Game *game, Piece piece) {
    game->current = (uint8_t)piece;
    game->rotation = NORTH;
    game->x = (int8_t)board_spawn_x(&game->board);
    game->y = (int8_t)board_spawn_y(&game->board);
    game->last_kick = 0;
    if (piece == PIECE_NONE)
        game->over = OVER_NO_PIECES;
    else if (game->rules.set == RULES_DROP) {
        /* It comes from above the board: where the stack is in its place it begins higher. */
        while (!board_fits(&game->board, piece, NORTH, game->x, game->y) &&
               game->y < game->board.height)
            game->y++;
    } else if (!board_fits(&game->board, piece, NORTH, game->x, game->y))
        game->over = OVER_BLOCK_OUT;
}

/* A used-up queue gives the held piece back. */
static void begin_turn(Game *game) {
    game->hold_used = false;
    Piece piece = take_next(game);
    if (piece == PIECE_NONE && game->hold != PIECE_NONE) {
        piece = (Piece)game->hold;
        game->hold = PIECE_NONE;
    }
    spawn(game, piece);
}

void game_init_board(Game *game, const Rules *rules, const Randomizer *randomizer,
                     const Board *board) {
    *game = (Game){.rules = *rules, .board = *board, .randomizer = *randomizer};
    game->hold = PIECE_NONE;
    game->peak_rows = board_highest(board);
    fill_queue(game);
    begin_turn(game);
    /* Under `drop` no cell may be above the height, and the players rely on it. */
    if (game->over == OVER_NOT && rules->set == RULES_DROP && game->peak_rows > board->height)
        game->over = OVER_LOCK_OUT;
    CHECK_OK(game_ok, game);
}

void game_init(Game *game, const Rules *rules, const Randomizer *randomizer) {
    Board board;
    board_init(&board, rules->width, rules->height);
    game_init_board(game, rules, randomizer, &board);
}

bool game_ok(const Game *game, const char **reason) {
    if (!board_ok(&game->board, reason))
        return false;
    if (game->over == OVER_NOT && game->current >= PIECE_COUNT)
        *reason = "no current piece";
    else if (game->over == OVER_NOT && !board_fits(&game->board, (Piece)game->current,
                                                   (Rotation)game->rotation, game->x, game->y))
        *reason = "the current piece overlaps the board";
    else if (game->queue_count > GAME_QUEUE || game->queue_head >= GAME_QUEUE)
        *reason = "the queue is damaged";
    else if (game->hold > PIECE_NONE)
        *reason = "the hold is damaged";
    return !*reason;
}

static bool corner_filled(const Board *board, int x, int y) {
    if (x < 0 || x >= board->width || y < 0 || y >= board_rows(board))
        return true;
    return board_cell(board, x, y);
}

static bool is_stuck(const Board *board, Piece piece, Rotation rotation, int x, int y) {
    return !board_fits(board, piece, rotation, x - 1, y) &&
           !board_fits(board, piece, rotation, x + 1, y) &&
           !board_fits(board, piece, rotation, x, y + 1);
}

Spin game_spin(const Board *board, Piece piece, Rotation rotation, int x, int y, int last_kick,
               unsigned moves) {
    if (last_kick == 0 || piece == PIECE_O)
        return SPIN_NONE;
    if (piece != PIECE_T)
        return moves & MOVES_ALL_SPIN && is_stuck(board, piece, rotation, x, y) ? SPIN_FULL
                                                                                : SPIN_NONE;
    /* The corners clockwise from the upper left; the front of a state are its own and the next. */
    static const Cell corners[4] = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};
    int filled = 0, front = 0;
    for (int i = 0; i < 4; i++) {
        bool taken = corner_filled(board, x + corners[i].x, y + corners[i].y);
        filled += taken;
        front += taken && (i == (int)rotation || i == ((int)rotation + 1) % 4);
    }
    if (filled < 3)
        return SPIN_NONE;
    return front < 2 && last_kick != KICK_COUNT ? SPIN_MINI : SPIN_FULL;
}

/* True when the current piece, where it is, locks out. */
static bool too_high(const Game *game, const Shape *shape) {
    int height = game->board.height;
    return game->rules.set == RULES_DROP ? game->y + shape->max_y >= height
                                         : game->y + shape->min_y >= height;
}

/* Counts a lock that cleared `lines` lines and reached the row below `top`. Only a clear can leave
 * an empty board, and without one the tallest column is the piece's or was there before. */
static void count_lock(Game *game, int lines, int top, Spin spin) {
    int highest = lines > 0 ? board_highest(&game->board) : top;
    if (lines == 0 && spin == SPIN_NONE)
        game->chain.combo = 0; /* what the rest would do, and the case that counts for speed */
    else {
        /* The chain is kept under every scoring: players use it. */
        ScoreLock lock = {lines, spin, highest == 0};
        int64_t points = score_with_bonus(lock, score_level(game->lines), &game->chain);
        if (!game->rules.bonus || game->rules.scoring != SCORING_GUIDELINE)
            points = score_clear(game->rules.scoring, lines, game->lines);
        game->score += points;
    }
    game->pieces++;
    game->lines += lines;
    game->spins[spin]++;
    if (lines > 0)
        game->clears[lines - 1]++;
    if (highest > game->peak_rows)
        game->peak_rows = highest;
}

/* Clears the full lines; only those of the piece that was just locked, whose lowest row is given,
 * can be full. */
static int clear_rows(Board *board, int low) {
    const uint64_t ones = 0x0001000100010001u, high_bits = 0x8000800080008000u;
    uint64_t gaps = board_window(board->words, low) ^ board->full * ones;
    bool any = ((gaps - ones) & ~gaps & high_bits) != 0; /* a row without gaps */
    return any ? board_clear_rows(board) : 0;
}

static void lock(Game *game) {
    const Shape *shape = &piece_shapes[game->current][game->rotation];
    if (too_high(game, shape)) {
        game->over = OVER_LOCK_OUT;
        return;
    }
    Piece piece = (Piece)game->current;
    Rotation rotation = (Rotation)game->rotation;
    Spin spin = game_spin(&game->board, piece, rotation, game->x, game->y, game->last_kick,
                          rules_moves(&game->rules));
    board_fill(&game->board, piece, rotation, game->x, game->y);
    int lines = clear_rows(&game->board, game->y + shape->min_y);
    count_lock(game, lines, game->y + shape->max_y + 1, spin);
    begin_turn(game);
}

static bool shift(Game *game, int dx, int dy) {
    if (!board_fits(&game->board, (Piece)game->current, (Rotation)game->rotation, game->x + dx,
                    game->y + dy))
        return false;
    game->x = (int8_t)(game->x + dx);
    game->y = (int8_t)(game->y + dy);
    game->last_kick = 0;
    return true;
}

/* By a table: the tests of the rotation to that state. */
static int try_tests(const Board *board, const KickTests *tests, Piece piece, Rotation to, int *x,
                     int *y) {
    for (int k = 0; k < tests->count; k++)
        if (board_fits(board, piece, to, *x + tests->tests[k].x, *y + tests->tests[k].y)) {
            *x += tests->tests[k].x;
            *y += tests->tests[k].y;
            return k + 1;
        }
    return 0;
}

int moves_turn(unsigned moves, const Board *board, Piece piece, Key key, Rotation *rotation, int *x,
               int *y) {
    bool half = key == KEY_TURN_180;
    Turn direction = key == KEY_CLOCKWISE ? TURN_CLOCKWISE : TURN_COUNTER;
    if (!half && !(moves & MOVES_SRS_PLUS))
        return board_turn(board, piece, direction, rotation, x, y);
    Rotation to = half ? (Rotation)((*rotation + 2) & 3) : rotation_after(*rotation, direction);
    int used = 0;
    if (moves & MOVES_SRS_PLUS)
        used = try_tests(board, &kicks_srs_plus_table.from[piece][*rotation][to], piece, to, x, y);
    else if (moves & MOVES_180)
        used = board_fits(board, piece, to, *x, *y);
    if (used > 0)
        *rotation = to;
    return half && used > 0 ? 1 : used;
}

static bool turn(Game *game, Key key) {
    Rotation rotation = (Rotation)game->rotation;
    int x = game->x, y = game->y;
    int used = moves_turn(rules_moves(&game->rules), &game->board, (Piece)game->current, key,
                          &rotation, &x, &y);
    if (used == 0)
        return false;
    game->rotation = (uint8_t)rotation;
    game->x = (int8_t)x;
    game->y = (int8_t)y;
    game->last_kick = (uint8_t)used;
    return true;
}

Placement game_landing(const Game *game) {
    Piece piece = (Piece)game->current;
    Rotation rotation = (Rotation)game->rotation;
    int y = board_rest(&game->board, piece, rotation, game->x, game->y);
    int kick = y == game->y ? game->last_kick : 0;
    Spin spin =
        game_spin(&game->board, piece, rotation, game->x, y, kick, rules_moves(&game->rules));
    return (Placement){(uint8_t)piece, (uint8_t)rotation, game->x, (int8_t)y, (uint8_t)spin};
}

static void hard_drop(Game *game) {
    int rest =
        board_rest(&game->board, (Piece)game->current, (Rotation)game->rotation, game->x, game->y);
    if (rest != game->y)
        game->last_kick = 0;
    game->y = (int8_t)rest;
    lock(game);
}

Piece game_hold_brings(const Game *game) {
    if (!game->rules.hold || game->hold_used || game->over != OVER_NOT)
        return PIECE_NONE;
    return game->hold != PIECE_NONE ? (Piece)game->hold : game_next(game, 0);
}

static bool hold(Game *game) {
    Piece brought = game_hold_brings(game);
    if (brought == PIECE_NONE)
        return false;
    if (game->hold == PIECE_NONE)
        take_next(game);
    game->hold = game->current;
    game->hold_used = true;
    spawn(game, brought);
    return true;
}

static bool press(Game *game, Key key) {
    switch (key) {
    case KEY_LEFT:
        return shift(game, -1, 0);
    case KEY_RIGHT:
        return shift(game, 1, 0);
    case KEY_SOFT_DROP:
        return shift(game, 0, -1);
    case KEY_CLOCKWISE:
    case KEY_COUNTER:
    case KEY_TURN_180:
        return turn(game, key);
    case KEY_HOLD:
        return hold(game);
    case KEY_HARD_DROP:
        hard_drop(game);
        return true;
    case KEY_COUNT:
        break;
    }
    return false;
}

bool game_press(Game *game, Key key) {
    if (game->over != OVER_NOT)
        return false;
    bool done = press(game, key);
    CHECK_OK(game_ok, game);
    return done;
}

void game_place(Game *game, Placement placement) {
    assert(game->over == OVER_NOT && placement.piece == game->current);
    assert(board_fits(&game->board, (Piece)placement.piece, (Rotation)placement.rotation,
                      placement.x, placement.y));
    game->rotation = placement.rotation;
    game->x = placement.x;
    game->y = placement.y;
    /* The label was found by whoever chose the placement; the last kick keeps a full spin full. */
    game->last_kick = placement.spin == SPIN_FULL   ? KICK_COUNT
                      : placement.spin == SPIN_MINI ? 1
                                                    : 0;
    lock(game);
    CHECK_OK(game_ok, game);
}

void game_rise(Game *game, const uint8_t *holes, int count) {
    bool kept = true;
    for (int i = 0; i < count; i++)
        kept &= board_rise(&game->board, holes[i]);
    int highest = board_highest(&game->board);
    if (highest > game->peak_rows)
        game->peak_rows = highest;
    if (game->over != OVER_NOT || count == 0)
        return;
    if (!kept)
        game->over = OVER_GARBAGE;
    else
        spawn(game, (Piece)game->current);
    CHECK_OK(game_ok, game);
}
