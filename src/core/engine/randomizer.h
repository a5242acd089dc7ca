/*
 * randomizer: the source of pieces, and piece sequences as text.
 *
 * A plain value; copying it forks the sequence. What it draws depends on its kind, the seed and the
 * number of the game only.
 */
#ifndef TETROPT_ENGINE_RANDOMIZER_H
#define TETROPT_ENGINE_RANDOMIZER_H

#include "base/rng.h"
#include "base/status.h"
#include "engine/piece.h"

#include <stddef.h>

typedef enum RandomizerKind {
    RANDOMIZER_BAG,       /* every run of seven holds each piece once */
    RANDOMIZER_UNIFORM,   /* independent */
    RANDOMIZER_SZ,        /* S, Z, S, Z, ...: ends every game */
    RANDOMIZER_SZ_RANDOM, /* only S and Z, at random */
    RANDOMIZER_LIST,      /* a given list, then nothing */
    RANDOMIZER_COUNT
} RandomizerKind;

/* Where there is no list, and all of them. */
#define RANDOMIZER_DRAWN "bag|uniform|sz|sz-random"
#define RANDOMIZER_CHOICES RANDOMIZER_DRAWN "|list"

typedef struct Randomizer {
    RandomizerKind kind;
    Rng rng;
    uint8_t bag[PIECE_COUNT];
    uint8_t bag_left;
    bool next_is_z;
    const uint8_t *list; /* Piece values; not owned */
    size_t list_count, list_next;
} Randomizer;

/* For every kind but RANDOMIZER_LIST. `stream` numbers the game. */
void randomizer_init(Randomizer *randomizer, RandomizerKind kind, uint64_t seed, uint64_t stream);

/* `list` must outlive the randomizer. */
void randomizer_init_list(Randomizer *randomizer, const uint8_t *list, size_t count);

/* The next piece, or PIECE_NONE when a list is used up. */
Piece randomizer_next(Randomizer *randomizer);

/* Reads pieces written as letters (TOZLI, white space ignored) or as the CSV names
 * I,RS,LG,T,RG,LS,Sq (= I,S,J,T,L,Z,O; commas, semicolons or white space between). A text with a
 * comma, a semicolon, R, G or q is one of names; any other is one of letters ("T LS" is T, L, S).
 * Writes at most `capacity` values and returns their number, or -1 with `status` that names the
 * position of what is wrong. */
int pieces_parse(const char *text, uint8_t *pieces, size_t capacity, Status *status);

/* The CSV name of a piece. */
const char *pieces_csv_name(Piece piece);

#endif
