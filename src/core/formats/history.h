/*
 * history: reads the move histories of the published bee colony as replays.
 *
 * A history is a text of moves: DER (right), IZQ (left), CAE (down), GIR (rotate) and FIJ (lock),
 * with anything that is not a letter between them, and perhaps "Movimiento." before them. The
 * pieces are a list of their own (engine/randomizer). The rules are those of the published program:
 * a board of 10 x 20 with a hard ceiling, a piece appears with its centre in column 5 of the third
 * row from the top, turns about its centre without kicks, moves that are blocked do nothing, and
 * full rows are removed at once. A placement that our own rules cannot reach is kept
 * (Replay.foreign).
 */
#ifndef TETROPT_FORMATS_HISTORY_H
#define TETROPT_FORMATS_HISTORY_H

#include "formats/replay.h"

/* Whether a text looks like a history: its first word is a move. */
bool history_is_inside(const char *text);

/* Moves after the last lock are ignored. Messages name the piece. On success the caller releases
 * the replay. */
bool replay_from_history(Replay *replay, const char *text, const uint8_t *pieces,
                         size_t piece_count, Status *status);

#endif
