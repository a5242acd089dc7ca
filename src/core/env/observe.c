/*
 * observe: the observation of a game, written whole or only where a step changed it.
 *
 * An observation is the board, then the current piece, the held one, the preview, whether hold can
 * be used, and for keys rotation, leftmost column and lowest row of the falling piece. Row 0 is the
 * floor. All items have the same type.
 */
#include "env/env.h"

/* The observation of game `index`. */
static unsigned char *observation_at(const Env *env, size_t index) {
    return env->buffers.observations + index * env->layout.items * env->layout.item_bytes;
}

static inline void put(const Env *env, unsigned char *observation, size_t item, int value) {
    if (env->layout.item_bytes == 1)
        observation[item] = (uint8_t)value;
    else if (env->layout.item_bytes == 2)
        ((uint16_t *)(void *)observation)[item] = (uint16_t)value;
    else
        ((float *)(void *)observation)[item] = (float)value;
}

/* ---- the board */

/* The bits of a byte as eight bytes of 0 or 1, the lowest bit first. */
static inline uint64_t spread(unsigned bits) {
    uint64_t each = bits * 0x0101010101010101u & 0x8040201008040201u;
    return (each + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
}

static void put_row(const Env *env, unsigned char *observation, const Board *board, int y) {
    size_t width = board->width, first = (size_t)y * width;
    unsigned bits = board_row(board, y);
    if (env->layout.item_bytes == 1) {
        uint64_t cells[2] = {spread(bits & 0xff), spread(bits >> 8)};
        memcpy(observation + first, cells, width);
    } else
        for (size_t x = 0; x < width; x++)
            put(env, observation, first + x, bits >> x & 1);
}

void env_observe_init(Env *env) {
    int width = env->settings.rules.width;
    for (int piece = 0; piece < PIECE_COUNT; piece++)
        for (int rotation = 0; rotation < ROTATION_COUNT; rotation++) {
            const Shape *shape = &piece_shapes[piece][rotation];
            Cell lowest = shape->cells[0];
            for (int i = 1; i < 4; i++)
                lowest = shape->cells[i].y < lowest.y ? shape->cells[i] : lowest;
            for (int hidden = 0; hidden <= ENV_HIDDEN_MAX; hidden++)
                for (int i = 0; i < 4; i++) {
                    Cell cell = shape->cells[i];
                    if (cell.y > shape->max_y - hidden)
                        cell = lowest;
                    env->cells[piece][rotation][hidden][i] = (int16_t)(cell.y * width + cell.x);
                }
        }
}

/* The items of the cells of a piece, from its centre; NULL when none can be seen. */
static inline const int16_t *cells_of(const Env *env, Placement at) {
    const Shape *shape = &piece_shapes[at.piece][at.rotation];
    int hidden = at.y + shape->max_y - (env->settings.rules.height - 1);
    if (at.y + shape->min_y >= env->settings.rules.height)
        return NULL;
    return env->cells[at.piece][at.rotation][hidden > 0 ? hidden : 0];
}

/* Writes the four cells of a piece as bytes. */
static inline void put_bytes(const Env *env, unsigned char *observation, Placement at, int value) {
    const int16_t *cells = cells_of(env, at);
    if (!cells)
        return;
    unsigned char *centre = observation + at.y * env->settings.rules.width + at.x;
    for (int i = 0; i < 4; i++)
        centre[cells[i]] = (unsigned char)value;
}

/* The same in every observation that has cells. */
static void put_piece(const Env *env, unsigned char *observation, Placement at, int value) {
    if (env->layout.item_bytes == 1) {
        put_bytes(env, observation, at, value);
        return;
    }
    const int16_t *cells = cells_of(env, at);
    int centre = at.y * env->settings.rules.width + at.x;
    for (int i = 0; cells && i < 4; i++)
        put(env, observation, (size_t)(centre + cells[i]), value);
}

static void put_features(const Env *env, unsigned char *observation, const EnvGame *game) {
    int width = env->settings.rules.width;
    Heuristics heuristics;
    env->measure(&game->game.board, game->highest, &heuristics);
    float *items = (float *)(void *)observation;
    for (int x = 0; x < width; x++)
        items[x] = game->heights[x];
    for (int i = 0; i < HEURISTIC_COUNT; i++)
        items[width + i] = (float)heuristics_value(&heuristics, (Heuristic)i);
}

/* The rows first..last-1, of which those that are visible are written. */
static void put_rows(const Env *env, unsigned char *observation, const Board *board, int first,
                     int last) {
    if (last > board->height)
        last = board->height;
    for (int y = first; y < last; y++)
        if (env->settings.observation == ENV_BITS)
            put(env, observation, (size_t)y, board_row(board, y));
        else
            put_row(env, observation, board, y);
}

/* ---- the pieces */

static void put_id(const Env *env, unsigned char *observation, size_t item, Piece piece) {
    if (!env->settings.one_hot) {
        put(env, observation, item, (int)piece);
        return;
    }
    for (int i = 0; i < PIECE_COUNT; i++)
        put(env, observation, item + (size_t)i, i == (int)piece);
}

static void put_pieces(const Env *env, unsigned char *observation, const EnvGame *game) {
    const Game *inner = &game->game;
    size_t step = env->layout.piece_items, item = env->layout.board_items;
    Piece current = inner->over == OVER_NOT ? (Piece)inner->current : PIECE_NONE;
    if (env->layout.item_bytes == 1 && !env->settings.one_hot) { /* as below, for speed */
        unsigned char *items = observation + item;
        int preview = env->settings.preview;
        *items++ = (unsigned char)current;
        *items++ = inner->hold;
        for (int i = 0; i < preview; i++)
            *items++ = (unsigned char)game_next(inner, i);
        *items = game_hold_brings(inner) != PIECE_NONE;
        return;
    }
    put_id(env, observation, item, current);
    put_id(env, observation, item + step, (Piece)inner->hold);
    item += 2 * step;
    for (int i = 0; i < env->settings.preview; i++, item += step)
        put_id(env, observation, item, game_next(inner, i));
    put(env, observation, item, game_hold_brings(inner) != PIECE_NONE);
}

/* ---- the falling piece */

static bool has_cells(const Env *env) {
    return env->settings.observation == ENV_PLANES || env->settings.observation == ENV_FLOAT;
}

/* Shows the falling piece where it is now. */
static inline void show_falling(const Env *env, unsigned char *observation, EnvGame *game) {
    const Game *inner = &game->game;
    game->shown = inner->over == OVER_NOT;
    game->falling = (Placement){inner->current, inner->rotation, inner->x, inner->y, SPIN_NONE};
    if (game->shown && has_cells(env))
        put_piece(env, observation, game->falling, ENV_FALLING);
    const Shape *shape = &piece_shapes[game->shown ? inner->current : 0][inner->rotation];
    size_t item = env->layout.items - ENV_POSITION_ITEMS;
    int position[ENV_POSITION_ITEMS] = {inner->rotation, inner->x + shape->min_x,
                                        inner->y + shape->min_y};
    for (size_t i = 0; i < ENV_POSITION_ITEMS; i++)
        put(env, observation, item + i, game->shown ? position[i] : 0);
}

static inline void hide_falling(const Env *env, unsigned char *observation, EnvGame *game) {
    if (game->shown && has_cells(env))
        put_piece(env, observation, game->falling, 0);
    game->shown = false;
}

/* ---- whole and changed observations */

void env_observe(Env *env, size_t index) {
    EnvGame *game = &env->games[index];
    unsigned char *observation = observation_at(env, index);
    memset(observation, 0, env->layout.items * env->layout.item_bytes);
    if (env->settings.observation == ENV_FEATURES)
        put_features(env, observation, game);
    else
        put_rows(env, observation, &game->game.board, 0, game->highest);
    put_pieces(env, observation, game);
    if (env->settings.actions == ENV_KEYS)
        show_falling(env, observation, game);
}

/* True when the falling piece is where it was shown. */
static bool stayed(const EnvGame *game) {
    const Game *inner = &game->game;
    const Placement *at = &game->falling;
    return inner->x == at->x && inner->y == at->y && inner->rotation == at->rotation;
}

/* The falling piece went from one place to another: the whole change of most steps by keys. */
static void move_bytes(const Env *env, unsigned char *observation, EnvGame *game) {
    const Game *inner = &game->game;
    unsigned char *position = observation + env->layout.items - ENV_POSITION_ITEMS;
    put_bytes(env, observation, game->falling, 0);
    game->falling = (Placement){inner->current, inner->rotation, inner->x, inner->y, SPIN_NONE};
    put_bytes(env, observation, game->falling, ENV_FALLING);
    const Shape *shape = &piece_shapes[inner->current][inner->rotation];
    position[0] = inner->rotation;
    position[1] = (unsigned char)(inner->x + shape->min_x);
    position[2] = (unsigned char)(inner->y + shape->min_y);
}

void env_observe_change(Env *env, size_t index, const EnvChange *change) {
    EnvGame *game = &env->games[index];
    unsigned char *observation = observation_at(env, index);
    Placement at = change->locked;
    bool keys = env->settings.actions == ENV_KEYS;
    if (keys && !change->pieces && stayed(game))
        return;
    if (keys && !change->pieces && env->settings.observation == ENV_PLANES) {
        move_bytes(env, observation, game);
        return;
    }
    /* 1. The falling piece goes from where it was. */
    if (keys)
        hide_falling(env, observation, game);
    /* 2. The board gets four cells, or is another from the lowest of them up. */
    if (change->lines >= 0 && env->settings.observation == ENV_FEATURES)
        put_features(env, observation, game);
    else if (change->lines == 0 && has_cells(env))
        put_piece(env, observation, at, 1);
    else if (change->lines >= 0) {
        const Shape *shape = &piece_shapes[at.piece][at.rotation];
        int top = at.y + shape->max_y + 1;
        if (change->lines > 0 && top < change->highest)
            top = change->highest;
        put_rows(env, observation, &game->game.board, at.y + shape->min_y, top);
    }
    /* 3. The pieces, and the falling one where it is now. */
    if (change->pieces)
        put_pieces(env, observation, game);
    if (keys)
        show_falling(env, observation, game);
}
