/*
 * frame: a game step by step, for drawing: which cells are filled, which piece filled them and
 * which rows are full. Every view walks through a game with these three calls.
 */
#ifndef TETROPT_DRAW_FRAME_H
#define TETROPT_DRAW_FRAME_H

#include "engine/grid.h"
#include "problem/decode.h"

/* A game to draw: the board at its start and the step of every placed piece. Nothing is owned. */
typedef struct ViewGame {
    const Grid *start;
    const DecodeStep *steps;
    int count;
    const char *title; /* one line on top, or NULL */
} ViewGame;

typedef struct Frame {
    Grid grid; /* with the last piece and, until frame_clear, with its full rows */
    int32_t numbers[BOARD_MAX_ROWS][BOARD_MAX_WIDTH]; /* the step that filled a cell; 0: none did */
    int32_t number;                                   /* steps so far */
    uint64_t full_rows;                               /* one bit each */
    int64_t lines;                                    /* cleared so far */
    const DecodeStep *step;                           /* the last one, until frame_clear */
} Frame;

/* Before the first step. */
void frame_start(Frame *frame, const Grid *start);

/* Adds the piece of the next step and finds the full rows. */
void frame_place(Frame *frame, const DecodeStep *step);

/* Removes the full rows, and lets the garbage of the step come up. */
void frame_clear(Frame *frame);

/* The owner of a cell: 0 nothing (or outside the lowest `rows` rows), below 0 the given cells of
 * a letter, else the number of the step. Where it changes there is an edge to draw. */
int32_t frame_owner(const Frame *frame, int rows, int x, int y);

/* How many of the lowest `rows` rows the piece of the next step can fall before it gets to its
 * place; 0 when something is above it (it was tucked or spun in). */
int frame_free_fall(const Frame *before, int rows, Placement at);

/* The rows that every frame of the game fits in, between `least` and all that there are. */
int frame_rows_needed(const ViewGame *game, int least);

#endif
