/*
 * stack_kind: features of a player that keeps the last column open for tetrises, and its weight
 * sets.
 *
 * The board without its last column is called the stack; the last column is the shaft. Everything
 * about the surface is about the stack only, with walls on both sides, because a piece that reaches
 * into the shaft spoils it. Names and definitions are side by side in stack_kind.c.
 */
#ifndef TETROPT_EVAL_STACK_KIND_H
#define TETROPT_EVAL_STACK_KIND_H

#include "eval/evaluator.h"

typedef enum StackFeature {
    /* of the placement */
    STACK_ONE,
    STACK_TWO,
    STACK_THREE,
    STACK_FOUR,
    STACK_I_SPENT,
    /* of the board */
    STACK_HOLES,
    STACK_HOLE_DEPTH,
    STACK_HOLE_ROWS,
    STACK_ROW_CHANGES,
    STACK_UNEVEN,
    STACK_UNEVEN_SQUARED,
    STACK_WELLS,
    STACK_DEEP_WELLS,
    STACK_SHAFT_HEIGHT,
    STACK_READY,
    STACK_READY_MORE,
    STACK_HEIGHT,
    STACK_DANGER,
    STACK_FITS,
    STACK_HOLD_I,
    STACK_FEATURES
} StackFeature;

extern const EvaluatorKind stack_kind;

#define STACK_PRESET(name_, ...)                                                                   \
    {                                                                                              \
        name_, &stack_kind, {                                                                      \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
/* By hand; and trained (training/README.md): for players that look ahead, and for one that sees one
 * piece and cannot hold. */
#define STACK_PRESETS                                                                              \
    STACK_PRESET("tetris", -20, -20, -15, 40, -4, -30, -2, -15, -2, -1, -0.3, -1.5, -6, -8, 4, 2,  \
                 -0.5, -1, 3, 4),                                                                  \
        STACK_PRESET("ahead", -6.474, -1.887, -2.647, 10.606, -9.777, -19.196, -7.283, -23.781,    \
                     -1.469, 1.609, -0.406, -1.904, -6.713, -12.175, 1.031, 0.64, 1.068, -1.509,   \
                     6.271, -1.497),                                                               \
        STACK_PRESET("tetris-blind", 3.711, 4.043, 2.822, 39.741, -4.611, -30.421, -2.763,         \
                     -14.875, -1.265, -1.239, -0.236, -2.643, -6.17, -4.567, 5, 1.156, -0.185,     \
                     -0.642, 3.04, 4.215)

#endif
