/*
 * turn: the choices of one turn: which piece, and where it can lock.
 *
 * A hand stands for the pieces of a turn, the present one or one some placements ahead, without a
 * copy of the game: searches carry it from node to node. It follows the rules of engine/game.h for
 * hold and for a queue that ends.
 */
#ifndef TETROPT_PLAYER_TURN_H
#define TETROPT_PLAYER_TURN_H

#include "movegen/reach.h"
#include "player/player.h"

/* The pieces of a player some turns from now. */
typedef struct TurnHand {
    uint8_t current, hold; /* Piece; PIECE_NONE: none */
    uint8_t next;          /* how many of the view's queue are used */
    bool later;            /* not the present turn, in which hold may be used up already */
} TurnHand;

/* A piece that can be placed now, and the hand of the next turn. That hand's current is PIECE_NONE
 * when no visible piece comes next. */
typedef struct TurnOption {
    uint8_t piece;
    bool hold;
    TurnHand after;
} TurnOption;

enum { TURN_OPTIONS = 2 };

/* The hand of the present turn. */
TurnHand turn_hand(const AgentView *view);

/* Writes the pieces that can be placed from `hand`; returns how many. Only visible pieces count;
 * the same letter counts once. Where the current piece is unknown the held one can still be placed,
 * and the unknown is held then (PIECE_NONE). */
int turn_options(const AgentView *view, TurnHand hand, TurnOption out[TURN_OPTIONS]);

/* True when hold would bring a piece that is not visible: then holding costs nothing, and a player
 * that uses hold begins with it. */
bool turn_should_hold_blind(const AgentView *view);

/* How many pieces of the view can be placed, the present one counted, with one left to hold where
 * hold is in use; and after how many placements the game ends (INT64_MAX: not known). */
int turn_depth(const AgentView *view);
int64_t turn_last(const AgentView *view);

/* Any legal decision, for when every one loses. */
Move turn_last_resort(const AgentView *view);

/* Writes the placements of the piece by the rules of the view and returns how many; those that end
 * the game are written only when there are no others, and then *dead is true. None at all: the
 * spawn is blocked. `drops_only` leaves out what lies under an overhang, unless that is all. */
int turn_placements(const AgentView *view, const Columns *columns, Piece piece, bool drops_only,
                    Placement out[REACH_MAX], bool *dead);

/* How the published local-search program moves a piece before it drops it. A piece stands in a box
 * of 3x3 cells (I 4x4) that begins in the top rows of the board. */
typedef struct TurnSlide {
    bool slide; /* it is rotated and moved there, without kicks, and dropped after that */
    bool box;   /* the box never leaves the board on the left, so T, J and L that point right do not
                   reach column 0 */
} TurnSlide;

/* The same for the drops of the current piece that are left then. Where there are none the only one
 * is the highest, which under `drop` ends the game. */
int turn_slides(const AgentView *view, TurnSlide how, Placement out[REACH_MAX], bool *dead);

#endif
