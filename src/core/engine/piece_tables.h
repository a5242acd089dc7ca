/*
 * piece_tables: the numbers of the pieces as initialisers.
 *
 * piece.c makes the tables of piece.h from them. Code whose inner loops need shifts by constants
 * (the move generator's kernels) makes private copies that the compiler can see through, so every
 * number still stands in one place.
 */
#ifndef TETROPT_ENGINE_PIECE_TABLES_H
#define TETROPT_ENGINE_PIECE_TABLES_H

#define MIN2(a, b) ((a) < (b) ? (a) : (b))
#define MAX2(a, b) ((a) > (b) ? (a) : (b))
#define MIN4(a, b, c, d) MIN2(MIN2(a, b), MIN2(c, d))
#define MAX4(a, b, c, d) MAX2(MAX2(a, b), MAX2(c, d))

/* One cell's bit in the mask, its part in column i's bottom and top, and in its bits. */
#define BIT(x, y, left, low) ((uint64_t)1 << (((x) - (left)) + 16 * ((y) - (low))))
#define LOWEST(i, x, y, left) ((x) - (left) == (i) ? (y) : 100)
#define HIGHEST(i, x, y, left) ((x) - (left) == (i) ? (y) : -100)
#define COLUMN_BIT(i, x, y, left, low) ((x) - (left) == (i) ? 1 << ((y) - (low)) : 0)

#define BOTTOM(i, left, ax, ay, bx, by, cx, cy, dx, dy)                                            \
    MIN4(LOWEST(i, ax, ay, left), LOWEST(i, bx, by, left), LOWEST(i, cx, cy, left),                \
         LOWEST(i, dx, dy, left))
#define TOP(i, left, ax, ay, bx, by, cx, cy, dx, dy)                                               \
    MAX4(HIGHEST(i, ax, ay, left), HIGHEST(i, bx, by, left), HIGHEST(i, cx, cy, left),             \
         HIGHEST(i, dx, dy, left))
#define COLUMN(i, left, low, ax, ay, bx, by, cx, cy, dx, dy)                                       \
    (COLUMN_BIT(i, ax, ay, left, low) | COLUMN_BIT(i, bx, by, left, low) |                         \
     COLUMN_BIT(i, cx, cy, left, low) | COLUMN_BIT(i, dx, dy, left, low))

#define SHAPE_AT(left, low, ax, ay, bx, by, cx, cy, dx, dy)                                        \
    {                                                                                              \
        .cells = {{ax, ay}, {bx, by}, {cx, cy}, {dx, dy}}, .min_x = left,                          \
        .max_x = MAX4(ax, bx, cx, dx), .min_y = low, .max_y = MAX4(ay, by, cy, dy),                \
        .mask = BIT(ax, ay, left, low) | BIT(bx, by, left, low) | BIT(cx, cy, left, low) |         \
                BIT(dx, dy, left, low),                                                            \
        .bottom = {BOTTOM(0, left, ax, ay, bx, by, cx, cy, dx, dy),                                \
                   BOTTOM(1, left, ax, ay, bx, by, cx, cy, dx, dy),                                \
                   BOTTOM(2, left, ax, ay, bx, by, cx, cy, dx, dy),                                \
                   BOTTOM(3, left, ax, ay, bx, by, cx, cy, dx, dy)},                               \
        .top = {TOP(0, left, ax, ay, bx, by, cx, cy, dx, dy),                                      \
                TOP(1, left, ax, ay, bx, by, cx, cy, dx, dy),                                      \
                TOP(2, left, ax, ay, bx, by, cx, cy, dx, dy),                                      \
                TOP(3, left, ax, ay, bx, by, cx, cy, dx, dy)},                                     \
        .column = {COLUMN(0, left, low, ax, ay, bx, by, cx, cy, dx, dy),                           \
                   COLUMN(1, left, low, ax, ay, bx, by, cx, cy, dx, dy),                           \
                   COLUMN(2, left, low, ax, ay, bx, by, cx, cy, dx, dy),                           \
                   COLUMN(3, left, low, ax, ay, bx, by, cx, cy, dx, dy)},                          \
    }
#define SHAPE(ax, ay, bx, by, cx, cy, dx, dy)                                                      \
    SHAPE_AT(MIN4(ax, bx, cx, dx), MIN4(ay, by, cy, dy), ax, ay, bx, by, cx, cy, dx, dy)

/* Clockwise takes (x,y) to (y,-x). */
#define STATES(ax, ay, bx, by, cx, cy, dx, dy)                                                     \
    {                                                                                              \
        SHAPE(ax, ay, bx, by, cx, cy, dx, dy), SHAPE(ay, -(ax), by, -(bx), cy, -(cx), dy, -(dx)),  \
            SHAPE(-(ax), -(ay), -(bx), -(by), -(cx), -(cy), -(dx), -(dy)),                         \
            SHAPE(-(ay), ax, -(by), bx, -(cy), cx, -(dy), dx)                                      \
    }

/* By piece and rotation. */
#define PIECE_SHAPES                                                                               \
    {                                                                                              \
        [PIECE_I] = STATES(-1, 0, 0, 0, 1, 0, 2, 0), [PIECE_O] = STATES(0, 0, 1, 0, 0, 1, 1, 1),   \
        [PIECE_T] = STATES(-1, 0, 0, 0, 1, 0, 0, 1), [PIECE_S] = STATES(-1, 0, 0, 0, 0, 1, 1, 1),  \
        [PIECE_Z] = STATES(-1, 1, 0, 1, 0, 0, 1, 0), [PIECE_J] = STATES(-1, 1, -1, 0, 0, 0, 1, 0), \
        [PIECE_L] = STATES(1, 1, -1, 0, 0, 0, 1, 0),                                               \
    }

/* The offset table: x and y of the five tests of a state. */
#define JLSTZ_NORTH (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
#define JLSTZ_EAST (0, 0, 1, 0, 1, -1, 0, 2, 1, 2)
#define JLSTZ_SOUTH (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
#define JLSTZ_WEST (0, 0, -1, 0, -1, -1, 0, 2, -1, 2)
#define I_NORTH (0, 0, -1, 0, 2, 0, -1, 0, 2, 0)
#define I_EAST (-1, 0, 0, 0, 0, 0, 0, 1, 0, -2)
#define I_SOUTH (-1, 1, 1, 1, -2, 1, 1, 0, -2, 0)
#define I_WEST (0, 1, 0, 1, 0, 1, 0, -1, 0, 2)
/* O has one test; repeating it changes nothing, as a test that failed fails again. */
#define O_NORTH (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
#define O_EAST (0, -1, 0, -1, 0, -1, 0, -1, 0, -1)
#define O_SOUTH (-1, -1, -1, -1, -1, -1, -1, -1, -1, -1)
#define O_WEST (-1, 0, -1, 0, -1, 0, -1, 0, -1, 0)

/* Kick k from state a to state b moves the centre by offset(a,k) - offset(b,k). */
#define STRIP(...) __VA_ARGS__
#define SUBTRACT(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9)   \
    {                                                                                              \
        {(a0) - (b0), (a1) - (b1)}, {(a2) - (b2), (a3) - (b3)}, {(a4) - (b4), (a5) - (b5)},        \
            {(a6) - (b6), (a7) - (b7)}, {(a8) - (b8), (a9) - (b9)},                                \
    }
#define SUBTRACT_LISTS(...) SUBTRACT(__VA_ARGS__)
#define KICKS_FROM(from, clockwise, counter)                                                       \
    { SUBTRACT_LISTS(STRIP from, STRIP clockwise), SUBTRACT_LISTS(STRIP from, STRIP counter) }
#define KICKS(north, east, south, west)                                                            \
    {                                                                                              \
        KICKS_FROM(north, east, west), KICKS_FROM(east, south, north),                             \
            KICKS_FROM(south, west, east), KICKS_FROM(west, north, south)                          \
    }
#define KICKS_JLSTZ KICKS(JLSTZ_NORTH, JLSTZ_EAST, JLSTZ_SOUTH, JLSTZ_WEST)

/* By piece, state and direction of rotation. */
#define PIECE_KICKS                                                                                \
    {                                                                                              \
        [PIECE_I] = KICKS(I_NORTH, I_EAST, I_SOUTH, I_WEST),                                       \
        [PIECE_O] = KICKS(O_NORTH, O_EAST, O_SOUTH, O_WEST), [PIECE_T] = KICKS_JLSTZ,              \
        [PIECE_S] = KICKS_JLSTZ, [PIECE_Z] = KICKS_JLSTZ, [PIECE_J] = KICKS_JLSTZ,                 \
        [PIECE_L] = KICKS_JLSTZ,                                                                   \
    }

#define PIECE_CANONICAL_ROTATIONS                                                                  \
    {                                                                                              \
        [PIECE_I] = {NORTH, EAST, NORTH, EAST}, [PIECE_O] = {NORTH, NORTH, NORTH, NORTH},          \
        [PIECE_T] = {NORTH, EAST, SOUTH, WEST}, [PIECE_S] = {NORTH, EAST, NORTH, EAST},            \
        [PIECE_Z] = {NORTH, EAST, NORTH, EAST}, [PIECE_J] = {NORTH, EAST, SOUTH, WEST},            \
        [PIECE_L] = {NORTH, EAST, SOUTH, WEST},                                                    \
    }

/* South of I reaches from -2 to 1 where north reaches from -1 to 2, and so on. */
#define PIECE_CANONICAL_SHIFTS                                                                     \
    {                                                                                              \
        [PIECE_I] = {{0, 0}, {0, 0}, {-1, 0}, {0, 1}},                                             \
        [PIECE_O] = {{0, 0}, {0, -1}, {-1, -1}, {-1, 0}},                                          \
        [PIECE_S] = {{0, 0}, {0, 0}, {0, -1}, {-1, 0}},                                            \
        [PIECE_Z] = {{0, 0}, {0, 0}, {0, -1}, {-1, 0}},                                            \
    }

#endif
