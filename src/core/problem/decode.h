/*
 * decode: plays a genotype by the rules and gives the final board (the phenotype).
 *
 * A Decoder holds what all genotypes of a problem share; it is read-only after its start, so any
 * number of threads use one. A DecodeState is the whole game so far as a plain value: copying it is
 * a checkpoint, and decoding can continue from any piece.
 */
#ifndef TETROPT_PROBLEM_DECODE_H
#define TETROPT_PROBLEM_DECODE_H

#include "engine/board.h"
#include "engine/placement.h"
#include "eval/heuristics.h"
#include "problem/genotype.h"

/* In which order genes move and turn a piece. */
typedef enum DecodeOrder {
    ORDER_MOVE_FIRST, /* move, then turn; so after the drop */
    ORDER_TURN_FIRST, /* turn, then move; so after the drop */
    /* As the published program: turn, then move; after the drop move, then turn. It also turns the
     * short way: 3 is one turn counter-clockwise; 2 are two of them or, where that fails, two
     * clockwise. One that fails is one no-op. */
    ORDER_PUBLISHED,
    ORDER_COUNT
} DecodeOrder;

#define DECODE_ORDER_CHOICES "move-first|turn-first|published"
extern const char *const decode_order_names[ORDER_COUNT];

/* How genes are played. All zero: as version 1.0 did. */
typedef struct DecodeRules {
    DecodeOrder order;
    /* The game never ends: the board is closed (board_close), a piece appears whether its cells are
     * free or not, moves only to free cells, and locks where it is, over what is there. */
    bool no_game_over;
    uint8_t perfect_points; /* added to the score for every perfect clear */
} DecodeRules;

enum { DECODE_MAX_PERFECT_POINTS = 255 };

typedef struct DecodeState {
    Board board;
    uint8_t heights[BOARD_MAX_WIDTH + 4]; /* columns; 4 more so that 4 can always be read */
    uint8_t highest;                      /* the largest of them */
    uint8_t peak;                         /* the highest after any lock so far */
    uint8_t hold;                         /* Piece */
    bool topped_out;
    uint8_t perfect_points; /* as the rules say; never changes */
    uint16_t next;          /* queue index of the next piece */
    uint16_t placed;        /* pieces locked */
    uint16_t lines;
    uint16_t clears[4];
    int32_t score; /* unit table */
    int32_t noops;
} DecodeState;

/* What one piece did, for showing and saving; not needed for the result. */
typedef struct DecodeStep {
    Move move;
    uint8_t lines;
    uint8_t garbage;      /* rows that came up after it, in a match */
    const uint8_t *holes; /* their open columns */
} DecodeStep;

/* Where the genes move1 and rot1 take a piece while the stack stays below `low_row`. */
typedef struct DecodeTop {
    int8_t x, y;
    uint8_t rotation, noops;
    uint8_t low_row; /* the lowest row that the piece touches on the way */
} DecodeTop;

/* A quarter turn from one state: the five places to try, from the piece's centre. */
typedef struct DecodeTurn {
    uint64_t mask;     /* of the state turned to, its smallest x in bit 0 */
    uint8_t last_left; /* the largest column its left edge can have */
    struct {
        int8_t left, low; /* its left edge and lowest row */
        int8_t x, y;      /* the kick itself */
    } kicks[KICK_COUNT];
} DecodeTurn;

enum { DECODE_MAX_MOVES = BOARD_MAX_WIDTH + 1 };

typedef struct Decoder Decoder;

/* decoder_play, compiled for one CPU level. */
typedef void DecodePlay(const Decoder *, DecodeState *, const int8_t *genes, int first, int last);

struct Decoder {
    GenotypeLayout layout;
    DecodeRules rules;
    DecodePlay *play; /* the loops for this CPU */
    HeuristicsMeasure *measure;
    const uint8_t *pieces; /* not owned */
    int piece_count, placements;
    DecodeState start;
    DecodeTurn turns[TURN_COUNT][PIECE_COUNT][ROTATION_COUNT];
    DecodeTop tops[PIECE_COUNT][DECODE_MAX_MOVES][ROTATION_COUNT];
};

/* Prepares for `placements` of the `count` pieces on `board` (valid, without full rows, and without
 * cells above the visible rows when there is no game over). `pieces` must outlive the decoder;
 * placements <= count <= 65535. */
void decoder_init(Decoder *decoder, Encoding encoding, DecodeRules rules, const Board *board,
                  const uint8_t *pieces, int count, int placements);

/* The same for a decoder that was prepared before, or is all zero: tables that stay right are
 * kept, which is most of the work. */
void decoder_change(Decoder *decoder, Encoding encoding, DecodeRules rules, const Board *board,
                    const uint8_t *pieces, int count, int placements);

/* Plays the pieces first..last-1 with `genes` (of the whole genotype, layout.genes per piece) on a
 * state in which `first` pieces were played. Stops early when the game is over. */
void decoder_play(const Decoder *decoder, DecodeState *state, const int8_t *genes, int first,
                  int last);

/* The same, and writes what every placed piece did to `steps` (by piece number). */
void decoder_trace(const Decoder *decoder, DecodeState *state, const int8_t *genes,
                   DecodeStep *steps);

/* False when the piece cannot spawn: the game is over then. A stack below the ceiling never blocks,
 * and on a closed board nothing does. */
static inline __attribute__((always_inline)) bool decode_spawn_is_free(const DecodeState *state,
                                                                       Piece piece) {
    const Board *board = &state->board;
    return state->highest < board->height || board->hidden == 0 ||
           board_fits(board, piece, NORTH, board_spawn_x(board), board_spawn_y(board));
}

/* Turns a piece as a gene with that value does; returns the no-ops. */
int decode_turn(const Board *board, DecodeOrder order, Placement *at, int turns);

/* Makes the next piece the current one, as docs/RULES.md says. PIECE_NONE when there is none. */
Piece decode_take(const Decoder *decoder, DecodeState *state);

/* Swaps the current piece with the hold; false when there is nothing to swap with. */
bool decode_swap(const Decoder *decoder, DecodeState *state, Piece *piece);

/* Locks a piece that rests there: board, heights, rows, score. False on lock-out (state then says
 * topped_out and is otherwise as before). */
bool decode_lock(DecodeState *state, Placement placement, int *lines);

/* True when the state's derived fields match its board; when the decoder can play its pieces. Else
 * *reason says what is wrong. Debug builds assert both after every change. */
bool decode_state_ok(const DecodeState *state, const char **reason);
bool decoder_ok(const Decoder *decoder, const char **reason);

#endif
