/*
 * document: boards, pieces and moves as they are written in every JSON document, and which kind of
 * document a text is.
 */
#ifndef TETROPT_FORMATS_DOCUMENT_H
#define TETROPT_FORMATS_DOCUMENT_H

#include "base/json.h"
#include "base/json_writer.h"
#include "engine/grid.h"
#include "problem/moves.h"

/* What a JSON document is, for messages: "a training state"; NULL: none that we know. */
const char *document_kind(const Json *document);

/* The board as rows, top first, without the empty ones on top. `document_read_board` reads such an
 * array into a grid that was initialised with its size. */
void document_write_board(JsonWriter *json, const char *name, const Grid *grid);
bool document_read_board(const Json *rows, Grid *grid, Status *status);

/* The letter of a piece, or null for PIECE_NONE; its cells as [[x, y], ...], [] for PIECE_NONE. */
void document_write_piece(JsonWriter *json, const char *name, Piece piece);
void document_write_cells(JsonWriter *json, const char *name, Placement placement);

/* The letters of a piece sequence. */
void document_write_pieces(JsonWriter *json, const char *name, const uint8_t *pieces, size_t count);

/* The member "fumen" of a game; null where it does not fit a fumen. */
void document_write_fumen(JsonWriter *json, const Grid *start, const DecodeStep *steps, int count);

/* Reads piece, rotation, x, y and hold; other members are ignored. The numbers are near the board,
 * no more is checked. */
bool document_read_move(const Json *entry, Move *move, Status *status);

#endif
