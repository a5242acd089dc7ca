/*
 * replay: a game that can be played again: rules, board, pieces, and for every placed piece where
 * it locked and (mostly) which keys were pressed.
 *
 * A replay is made while playing (replay_press, replay_place), from a solution or from a fumen; it
 * is written as JSON and read strictly. replay_play goes through it by the rules of the engine and
 * refuses the first thing that could not have happened, so what a replay says of its result is
 * true.
 *
 * The list of pieces is what was drawn, also pieces that were still to come; so the end of the
 * queue means the same in the replay as in the game.
 */
#ifndef TETROPT_FORMATS_REPLAY_H
#define TETROPT_FORMATS_REPLAY_H

#include "base/text.h"
#include "engine/game.h"
#include "engine/grid.h"
#include "problem/decode.h"

enum {
    REPLAY_VERSION = 1,
    REPLAY_MAX_MOVES = 200000,
    REPLAY_MAX_KEYS = 4096, /* of one move, and after the last one */
    REPLAY_MAX_BYTES = 64 << 20,
    REPLAY_MAX_GARBAGE = 60, /* rows after one move */
    REPLAY_TITLE_BYTES = 200
};

#define REPLAY_FORMAT "tetropt replay"

typedef struct ReplayMove {
    Placement placement;
    bool hold;
    uint16_t key_count;  /* 0: only the placement is known */
    uint32_t first_key;  /* in Replay.keys */
    uint8_t garbage;     /* rows that came up after it */
    uint32_t first_hole; /* in Replay.holes */
} ReplayMove;

typedef struct ReplayResult {
    int64_t score, lines, pieces;
    GameOver over;
} ReplayResult;

typedef struct ReplaySeed {
    bool known;
    int64_t value;
} ReplaySeed;

typedef struct Replay {
    Rules rules;
    Grid start;
    char title[REPLAY_TITLE_BYTES];
    char program[64]; /* the one that wrote it */
    ReplaySeed pieces_seed, search_seed;
    uint8_t *pieces; /* Piece */
    uint8_t hold;    /* Piece that is held at the start; PIECE_NONE: none */
    ReplayMove *moves;
    uint8_t *keys;  /* Key; of all moves, then those pressed after the last one locked */
    uint8_t *holes; /* the open columns of garbage rows, of all moves */
    size_t piece_count, move_count, key_count, hole_count;
    size_t open_key; /* where the keys of the move begin that has not locked */
    bool open_hold;  /* it used hold */
    ReplayResult result;
    size_t piece_capacity, move_capacity, key_capacity, hole_capacity;
    bool foreign; /* from a program with other rules: see replay_foreign_moves */
    bool failed;  /* no memory; what came after is lost */
} Replay;

/* An empty replay of this program; `start` has the size of the rules. */
void replay_init(Replay *replay, const Rules *rules, const Grid *start);
void replay_release(Replay *replay);

/* Begins to record `game`, which was just started on `start` and has had no key pressed. */
void replay_record(Replay *replay, const Game *game, const Grid *start);

/* Presses a key in the game and records it if it did something. Gravity is a soft drop, the end of
 * the lock delay a hard drop. Returns what game_press returns. */
bool replay_press(Replay *replay, Game *game, Key key);

/* Places the current piece (after hold, if asked) as game_place does, and records it without keys.
 * A hold that was pressed before counts too. */
void replay_place(Replay *replay, Game *game, bool hold, Placement placement);

/* Lets garbage come up after the last move (game_rise) and records it. */
void replay_rise(Replay *replay, Game *game, const uint8_t *holes, int count);

/* Ends the record: the pieces that were still to come, and the result. */
void replay_finish(Replay *replay, const Game *game);

/* For those who make replays from something else. The move takes the keys that were added since the
 * one before it; when they are more than REPLAY_MAX_KEYS it has none. */
void replay_add_piece(Replay *replay, Piece piece);
void replay_add_key(Replay *replay, Key key);
void replay_add_move(Replay *replay, Placement placement, bool hold);
void replay_add_garbage(Replay *replay, int hole); /* a row after the last move */

/* Plays the replay by the rules. `steps` (room for move_count; may be NULL) and `end` (may be NULL)
 * receive what happened: end->pieces steps, one less than moves when the last one locked out.
 * Compares the result with the one in the replay if `check_result`. Messages name the move:
 * "moves[3]: ...". */
bool replay_play(const Replay *replay, bool check_result, DecodeStep *steps, Game *end,
                 Status *status);

/* Plays it, finds keys for the moves that have none (guideline rules) and sets the result. On
 * failure the replay is of no more use. */
bool replay_complete(Replay *replay, Status *status);

/* Moves of a foreign replay, completed, that our rules do not allow: the piece fits and rests there
 * but cannot get there. It can be shown, but not written. */
size_t replay_foreign_moves(const Replay *replay);

/* From a solution: `steps` on `start` with the pieces of the queue, under unit scoring with hold.
 */
bool replay_from_steps(Replay *replay, const Grid *start, const uint8_t *pieces, size_t piece_count,
                       const DecodeStep *steps, int count, Status *status);

/* From a fumen whose pages are a game on 10x20: every locked piece is a move. */
bool replay_from_fumen(Replay *replay, const char *text, size_t length, Status *status);

/* JSON. The reader checks form and ranges, not the rules; on success the caller releases. Of more
 * than REPLAY_MAX_KEYS keys after the last lock the writer keeps a hold only. */
bool replay_write(const Replay *replay, Text *text, Status *status);
bool replay_read(Replay *replay, const char *text, size_t length, Status *status);

#endif
