/*
 * game: one game by the rules, from the spawn of a piece to its lock, with hold, queue and score.
 *
 * Invariant (game_ok): the board is valid; while the game runs the current piece fits where it is;
 * the queue holds the next pieces in order. There is no gravity here: time belongs to the
 * interactive game. The state is a plain value, so a copy is a fork of the game.
 */
#ifndef TETROPT_ENGINE_GAME_H
#define TETROPT_ENGINE_GAME_H

#include "engine/board.h"
#include "engine/kicks.h"
#include "engine/placement.h"
#include "engine/randomizer.h"
#include "engine/score.h"

typedef enum RuleSet { RULES_GUIDELINE, RULES_DROP, RULES_COUNT } RuleSet;

#define RULES_CHOICES "guideline|drop"

typedef struct Rules {
    RuleSet set;
    Scoring scoring;
    bool bonus; /* T-spins, combos, back-to-back, perfect clears; for SCORING_GUIDELINE */
    bool hold;
    bool rotate180; /* a 180-degree rotation without kicks */
    uint8_t width, height;
    KickKind kicks;
    bool all_spin; /* every piece can spin, not only T (game_spin) */
} Rules;

/* How pieces move by the rules, as one value for the move generators. */
enum {
    MOVES_180 = 1,      /* a 180-degree rotation; without kicks under SRS */
    MOVES_SRS_PLUS = 2, /* the kicks of SRS+, which include 180-degree rotations */
    MOVES_ALL_SPIN = 4  /* spins of every piece */
};

static inline unsigned rules_moves(const Rules *rules) {
    return (rules->rotate180 ? MOVES_180 : 0u) |
           (rules->kicks == KICKS_SRS_PLUS ? MOVES_SRS_PLUS | MOVES_180 : 0u) |
           (rules->all_spin ? MOVES_ALL_SPIN : 0u);
}

#define SPINS_CHOICES "t|all"

typedef enum GameOver {
    OVER_NOT,
    OVER_BLOCK_OUT,
    OVER_LOCK_OUT,
    OVER_NO_PIECES,
    OVER_GARBAGE /* it pushed a filled cell off the board */
} GameOver;

extern const char *const game_over_names[]; /* by GameOver, as replays have them */

enum { GAME_QUEUE = 16 }; /* pieces drawn ahead; more than any preview */

typedef struct Game {
    Rules rules;
    Board board;
    Randomizer randomizer;
    uint8_t queue[GAME_QUEUE]; /* a ring */
    uint8_t queue_head, queue_count;
    uint8_t current, hold; /* Piece; PIECE_NONE: none */
    bool hold_used;        /* this turn */
    uint8_t rotation;
    int8_t x, y;
    uint8_t last_kick; /* 1..5 when the last action was a rotation, else 0: for spins */
    uint8_t over;      /* GameOver */
    ScoreChain chain;
    int64_t score, lines, pieces;
    int64_t clears[4];
    int64_t spins[SPIN_COUNT];
    int peak_rows; /* the tallest column after any lock */
} Game;

/* Starts a game: fills the queue and spawns the first piece. */
void game_init(Game *game, const Rules *rules, const Randomizer *randomizer);

/* The same on a given board (of the rules' size, without full rows). The game can be over at once:
 * by a blocked spawn, or under `drop` by a cell at or above the height. */
void game_init_board(Game *game, const Rules *rules, const Randomizer *randomizer,
                     const Board *board);

/* True when the invariant holds, else *reason says what is wrong. */
bool game_ok(const Game *game, const char **reason);

/* Piece i of the queue (0 = next), or PIECE_NONE. */
static inline Piece game_next(const Game *game, int i) {
    return i < game->queue_count ? (Piece)game->queue[(game->queue_head + i) % GAME_QUEUE]
                                 : PIECE_NONE;
}

/* Presses a key. Returns false when it did nothing (blocked, hold used, game over). */
bool game_press(Game *game, Key key);

/* The piece that a hold would bring, or PIECE_NONE when hold cannot be used now. */
Piece game_hold_brings(const Game *game);

/* Where a hard drop would lock the current piece now, with its spin label; only while the game
 * runs. */
Placement game_landing(const Game *game);

/* Puts the current piece straight where `placement` says and locks it there; its piece must be the
 * current one and the place must be free. Whether it can be reached is the caller's business. */
void game_place(Game *game, Placement placement);

/* Garbage comes up, one row per entry of `holes` (the columns left open), between two turns: the
 * current piece stands at its spawn. The game ends when a filled cell leaves the board or the piece
 * no longer fits. */
void game_rise(Game *game, const uint8_t *holes, int count);

/* Rotates a piece by KEY_CLOCKWISE, KEY_COUNTER or KEY_TURN_180. Returns the kick used as Game has
 * it in last_kick (a 180-degree rotation is always 1), or 0 when nothing changed. */
int moves_turn(unsigned moves, const Board *board, Piece piece, Key key, Rotation *rotation, int *x,
               int *y);

/* The spin label of a piece that rests there, given its last action (as Game has it in last_kick).
 * With MOVES_ALL_SPIN a piece other than T and O that was rotated and can move neither left, right
 * nor up is a full spin. */
Spin game_spin(const Board *board, Piece piece, Rotation rotation, int x, int y, int last_kick,
               unsigned moves);

#endif
