/*
 * expand: the placements that an encoding can make with the next piece, and the genes that make
 * one.
 *
 * A gene that asks for more than the board allows does the same as one that asks for just what it
 * allows, and the smaller one is always in range; so the placements without no-ops are all there
 * are, and searches over placements lose nothing by considering only those.
 */
#ifndef TETROPT_PROBLEM_EXPAND_H
#define TETROPT_PROBLEM_EXPAND_H

#include "movegen/reach.h"
#include "problem/decode.h"

/* Writes the distinct (by cells) resting places of `piece`, whose spawn is free, that the decoder's
 * encoding can express; with `any` every reachable one. Returns their number. */
int expand_places(const Decoder *decoder, const DecodeState *state, Piece piece, bool any,
                  Placement out[REACH_MAX]);

/* False where a no-op can lead to a place that expand_places does not list: a half turn of the
 * published order that fails can leave the piece kicked elsewhere. Then a search over placements
 * proves nothing about genes. */
bool expand_is_complete(const Decoder *decoder);

/* Finds the genes (without swap) that bring `placement.piece` to those cells with no no-op. False
 * when the encoding cannot express it. */
bool expand_genes(const Decoder *decoder, const DecodeState *state, Placement placement,
                  int8_t *genes);

#endif
