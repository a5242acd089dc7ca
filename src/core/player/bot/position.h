/*
 * position: what the bot knows of the game: the board, hold, the queue whose first piece is the
 * current one, the chain of clears, and what the randomizer can bring after the queue.
 *
 * Boards are those of the Tetris Bot Protocol: 10 columns, 20 visible rows and 20 above them. That
 * a turn used hold is not said, it follows from the piece that was placed.
 */
#ifndef TETROPT_PLAYER_BOT_POSITION_H
#define TETROPT_PLAYER_BOT_POSITION_H

#include "base/status.h"
#include "engine/columns.h"
#include "player/bot/evaluate.h"

enum { POSITION_WIDTH = BOT_COLUMNS, POSITION_HEIGHT = 20, POSITION_QUEUE_MAX = 4096 };

/* What can come after the queue. Nothing known: every piece is as likely as any other. */
typedef struct PieceBag {
    bool known;
    uint32_t left[PIECE_COUNT];   /* how many of each are left in the bag; never all 0 */
    uint32_t filled[PIECE_COUNT]; /* what a new bag holds */
} PieceBag;

/* Rows that an opponent has sent and that have not come up. The numbers mean what they mean in
 * AgentGarbage; more than GARBAGE_MAX rows lose in any case. */
enum { GARBAGE_MAX = 40 };
typedef struct BotGarbage {
    uint8_t waiting, due, cap;
    bool countering, blocking;
} BotGarbage;

typedef struct Position {
    Columns columns;
    unsigned moves; /* how pieces move (rules_moves in engine/game.h) */
    BotGarbage garbage;
    uint8_t hold;   /* Piece; PIECE_NONE: none */
    bool hold_off;  /* the game is played without hold */
    bool hold_used; /* hold was used for the current piece already */
    BotChain chain;
    PieceBag bag;
    int queue_count;
    uint8_t queue[POSITION_QUEUE_MAX];
} Position;

/* An empty board, no pieces, nothing known of the next pieces. */
void position_init(Position *position);

/* A bag of one of each, with the pieces of the bits `left` still in it. */
PieceBag piece_bag_seven(unsigned left);

/* Takes a piece out; a new bag follows an empty one. A piece that is not in the bag shows that
 * nothing is known. */
void piece_bag_take(PieceBag *bag, Piece piece);

/* A piece at the end of the queue. False with `status` when there is no room. */
bool position_add_piece(Position *position, Piece piece, Status *status);

/* How many pieces a placement of `piece` takes from the queue: 1 or, when it comes from behind an
 * empty hold, 2; 0 when it cannot be had. */
int position_pieces_taken(const Position *position, Piece piece);

/* Locks the piece there and brings the position up to date. Whether a path leads there is not
 * looked at: others may turn pieces in other ways. False with `status`, and nothing changed, when
 * the piece cannot be had, overlaps something or hangs in the air. */
bool position_play(Position *position, Placement move, Status *status);

/* Garbage comes up: `count` rows of bits by column, the last one the new floor. Of what waits they
 * are taken off. False with `status`, and nothing changed, when cells would leave the board. */
bool position_rise(Position *position, const uint16_t *rows, int count, Status *status);

/* True when a piece that appears now overlaps something; `lift` rows came up under the board. */
bool position_spawn_blocked(const Columns *columns, Piece piece, int lift);

#endif
