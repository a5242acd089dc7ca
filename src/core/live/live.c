/*
 * live: gravity, lock delay and limits around engine/game. Time is counted in microseconds of the
 * game, so the same keys at the same times give the same game.
 */
#include "live/live.h"

/* Where a piece appears under `drop`: with these every state is above the board. */
static int hover_y(const Live *live, Piece piece) {
    return live->game.board.height + (piece == PIECE_I ? 2 : 1);
}

static bool is_drop(const Live *live) {
    return live->game.rules.set == RULES_DROP;
}

static void begin_piece(Live *live) {
    Game *game = &live->game;
    if (is_drop(live) && game->over == OVER_NOT)
        game->y = (int8_t)hover_y(live, (Piece)game->current);
    live->fall_us = live->lock_us = 0;
    live->lock_resets = 0;
    live->lowest_y = game->y;
    if (game->over != OVER_NOT)
        live->end = LIVE_OVER;
}

void live_init(Live *live, const LiveSetup *setup) {
    *live = (Live){.max_pieces = setup->max_pieces,
                   .max_lines = setup->max_lines,
                   .counts_drops = setup->drop_points,
                   .last.placement.piece = PIECE_NONE,
                   .soft_us = -1};
    if (setup->start)
        live->grid = *setup->start;
    else
        grid_init(&live->grid, setup->rules.width, setup->rules.height);
    Board board;
    grid_to_board(&live->grid, &board);
    game_init_board(&live->game, &setup->rules, &setup->randomizer, &board);
    begin_piece(live);
}

bool live_grounded(const Live *live) {
    const Game *game = &live->game;
    return !board_fits(&game->board, (Piece)game->current, (Rotation)game->rotation, game->x,
                       game->y - 1);
}

int64_t live_gravity_us(const Live *live) {
    int64_t interval = (int64_t)(score_gravity_seconds(live_level(live)) * 1e6);
    return interval > 0 ? interval : 1;
}

static bool press(Live *live, Key key) {
    return live->hooks.press ? live->hooks.press(live->hooks.context, &live->game, key)
                             : game_press(&live->game, key);
}

/* Notes what the lock that is about to happen does to the coloured board. */
static void note_lock(Live *live, Placement at) {
    Grid marked = live->grid;
    grid_mark(&marked, at, piece_letters[at.piece]);
    live->last = (LiveLock){.placement = at, .held = live->held, .time_us = live->time_us};
    live->last.lines = grid_lock(&live->grid, at, &live->last.rows);
    if (live->last.lines > 0)
        live->last.before = marked;
}

/* The game before a lock. */
typedef struct Before {
    int64_t pieces, score;
    ScoreChain chain;
} Before;

static Before before_lock(const Live *live) {
    return (Before){live->game.pieces, live->game.score, live->game.chain};
}

/* What follows a lock at `at`. */
static void finish_lock(Live *live, Placement at, const Before *before) {
    Game *game = &live->game;
    if (game->pieces > before->pieces) { /* it did not lock out */
        note_lock(live, at);
        live->last.points = game->score - before->score;
        live->last.combo = before->chain.combo;
        live->last.chained =
            live->last.lines > 0 && before->chain.back_to_back && game->chain.back_to_back;
        if (live->hooks.locked && game->over == OVER_NOT)
            live->hooks.locked(live->hooks.context, live);
    }
    live->held = false;
    begin_piece(live);
    if (live->end == LIVE_RUNNING && game->lines >= live->max_lines)
        live->end = LIVE_LINES;
    else if (live->end == LIVE_RUNNING && game->pieces >= live->max_pieces)
        live->end = LIVE_PIECES;
}

void live_place(Live *live, Placement at) {
    Before before = before_lock(live);
    if (live->hooks.place)
        live->hooks.place(live->hooks.context, &live->game, at);
    else
        game_place(&live->game, at);
    finish_lock(live, at, &before);
}

void live_rise(Live *live, const uint8_t *holes, int count) {
    for (int i = 0; i < count; i++)
        grid_rise(&live->grid, holes[i]);
    if (live->hooks.rise)
        live->hooks.rise(live->hooks.context, &live->game, holes, count);
    else
        game_rise(&live->game, holes, count);
    if (live->game.over != OVER_NOT && live->end == LIVE_RUNNING)
        live->end = LIVE_OVER;
}

/* Drops the piece and continues with the next. */
static void lock(Live *live) {
    Placement at = game_landing(&live->game);
    Before before = before_lock(live);
    if (is_drop(live)) {
        live_place(live, at);
        return;
    }
    press(live, KEY_HARD_DROP);
    finish_lock(live, at, &before);
}

static bool hold(Live *live) {
    if (!press(live, KEY_HOLD))
        return false;
    live->held = true;
    begin_piece(live);
    return true;
}

/* A row lower than ever: the lock delay is whole again. */
static void note_fall(Live *live) {
    live->fall_us = 0;
    if (live->game.y < live->lowest_y) {
        live->lowest_y = live->game.y;
        live->lock_us = 0;
        live->lock_resets = 0;
    }
}

static bool fall(Live *live) {
    bool fell = is_drop(live) ? game_press(&live->game, KEY_SOFT_DROP) : press(live, KEY_SOFT_DROP);
    if (fell)
        note_fall(live);
    return fell;
}

/* A row that the player asked for. */
static bool fall_softly(Live *live) {
    bool fell = fall(live);
    live->drop_points += fell && live->counts_drops;
    return fell;
}

static bool soft_drop(Live *live) {
    live->soft_held = live->soft_us >= 0 && live->time_us - live->soft_us <= LIVE_SOFT_HELD_US;
    live->soft_us = live->time_us;
    return fall_softly(live);
}

static void hard_drop(Live *live) {
    if (live->counts_drops)
        live->drop_points += 2 * (live->game.y - game_landing(&live->game).y);
    lock(live);
}

/* True when the piece would come to rest there also if it fell from above the board. */
static bool falls_straight(const Live *live) {
    const Game *game = &live->game;
    Piece piece = (Piece)game->current;
    Rotation rotation = (Rotation)game->rotation;
    return board_rest(&game->board, piece, rotation, game->x, hover_y(live, PIECE_I)) ==
           board_rest(&game->board, piece, rotation, game->x, game->y);
}

static bool move(Live *live, Key key) {
    bool stood = live_grounded(live);
    if (is_drop(live)) {
        Game before = live->game;
        if (!game_press(&live->game, key))
            return false;
        if (!falls_straight(live)) {
            live->game = before;
            return false;
        }
    } else if (!press(live, key))
        return false;
    if ((stood || live_grounded(live)) && live->lock_resets < LIVE_LOCK_RESETS) {
        live->lock_resets++;
        live->lock_us = 0;
    }
    if (live->game.y < live->lowest_y) /* a kick can go down */
        note_fall(live);
    return true;
}

bool live_press(Live *live, Key key) {
    if (live->paused || live->end != LIVE_RUNNING)
        return false;
    switch (key) {
    case KEY_SOFT_DROP:
        return soft_drop(live);
    case KEY_HARD_DROP:
        hard_drop(live);
        return true;
    case KEY_HOLD:
        return hold(live);
    default:
        return move(live, key);
    }
}

/* How long the present fall of a row takes, and how long it stays so. */
static int64_t fall_interval(Live *live, int64_t *valid_us) {
    int64_t interval = live_gravity_us(live);
    *valid_us = INT64_MAX;
    if (!live->soft_held)
        return interval;
    int64_t left = live->soft_us + LIVE_SOFT_HELD_US - live->time_us;
    if (left <= 0) {
        live->soft_held = false;
        return interval;
    }
    *valid_us = left;
    return interval > LIVE_SOFT_FACTOR ? interval / LIVE_SOFT_FACTOR : 1;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Lets time pass until something happens; returns how much did. */
static int64_t stand(Live *live, int64_t limit) {
    int64_t step = least(limit, LIVE_LOCK_US - live->lock_us);
    live->lock_us += step;
    live->time_us += step;
    if (live->lock_us >= LIVE_LOCK_US)
        lock(live);
    return step;
}

static int64_t hang(Live *live, int64_t limit) {
    int64_t valid, interval = fall_interval(live, &valid);
    int64_t left = interval > live->fall_us ? interval - live->fall_us : 0;
    int64_t step = least(limit, least(left, valid));
    live->fall_us += step;
    live->time_us += step;
    if (live->fall_us >= interval && live->soft_held)
        fall_softly(live);
    else if (live->fall_us >= interval)
        fall(live);
    return step;
}

void live_advance(Live *live, int64_t microseconds) {
    while (microseconds > 0 && live->end == LIVE_RUNNING && !live->paused)
        microseconds -= live_grounded(live) ? stand(live, microseconds) : hang(live, microseconds);
}
