/*
 * kicks: the table of SRS+.
 *
 * Source: the rotation system of TETR.IO, as the Tetris Wiki describes it (docs/RULES.md). Quarter
 * turns of J, L, S, T and Z are those of SRS; those of I are symmetric; 180-degree rotations have
 * kicks. The published tests count from the box in which a piece is drawn; here the offsets of the
 * engine's centres are added for I and O, so (0,0) of the table is the rotation that players see
 * first.
 */
#include "engine/kicks.h"

#define SRS_PLUS_JLSTZ                                                                             \
    {                                                                                              \
        [NORTH] = {[EAST] = {{{0, 0}, {-1, 0}, {-1, 1}, {0, -2}, {-1, -2}}, 5},                    \
                   [SOUTH] = {{{0, 0}, {0, 1}, {1, 1}, {-1, 1}, {1, 0}, {-1, 0}}, 6},              \
                   [WEST] = {{{0, 0}, {1, 0}, {1, 1}, {0, -2}, {1, -2}}, 5}},                      \
        [EAST] = {[NORTH] = {{{0, 0}, {1, 0}, {1, -1}, {0, 2}, {1, 2}}, 5},                        \
                  [SOUTH] = {{{0, 0}, {1, 0}, {1, -1}, {0, 2}, {1, 2}}, 5},                        \
                  [WEST] = {{{0, 0}, {1, 0}, {1, 2}, {1, 1}, {0, 2}, {0, 1}}, 6}},                 \
        [SOUTH] = {[NORTH] = {{{0, 0}, {0, -1}, {-1, -1}, {1, -1}, {-1, 0}, {1, 0}}, 6},           \
                   [EAST] = {{{0, 0}, {-1, 0}, {-1, 1}, {0, -2}, {-1, -2}}, 5},                    \
                   [WEST] = {{{0, 0}, {1, 0}, {1, 1}, {0, -2}, {1, -2}}, 5}},                      \
        [WEST] = {[NORTH] = {{{0, 0}, {-1, 0}, {-1, -1}, {0, 2}, {-1, 2}}, 5},                     \
                  [EAST] = {{{0, 0}, {-1, 0}, {-1, 2}, {-1, 1}, {0, 2}, {0, 1}}, 6},               \
                  [SOUTH] = {{{0, 0}, {-1, 0}, {-1, -1}, {0, 2}, {-1, 2}}, 5}},                    \
    }

#define SRS_PLUS_I                                                                                 \
    {                                                                                              \
        [NORTH] = {[EAST] = {{{1, 0}, {2, 0}, {-1, 0}, {-1, -1}, {2, 2}}, 5},                      \
                   [SOUTH] = {{{1, -1}, {1, 0}}, 2},                                               \
                   [WEST] = {{{0, -1}, {-1, -1}, {2, -1}, {2, -2}, {-1, 1}}, 5}},                  \
        [EAST] = {[NORTH] = {{{-1, 0}, {-2, 0}, {1, 0}, {-2, -2}, {1, 1}}, 5},                     \
                  [SOUTH] = {{{0, -1}, {-1, -1}, {2, -1}, {-1, 1}, {2, -2}}, 5},                   \
                  [WEST] = {{{-1, -1}, {0, -1}}, 2}},                                              \
        [SOUTH] = {[NORTH] = {{{-1, 1}, {-1, 0}}, 2},                                              \
                   [EAST] = {{{0, 1}, {-2, 1}, {1, 1}, {-2, 2}, {1, -1}}, 5},                      \
                   [WEST] = {{{-1, 0}, {1, 0}, {-2, 0}, {1, 1}, {-2, -2}}, 5}},                    \
        [WEST] = {[NORTH] = {{{0, 1}, {1, 1}, {-2, 1}, {1, -1}, {-2, 2}}, 5},                      \
                  [EAST] = {{{1, 1}, {0, 1}}, 2},                                                  \
                  [SOUTH] = {{{1, 0}, {2, 0}, {-1, 0}, {2, 2}, {-1, -1}}, 5}},                     \
    }

#define SRS_PLUS_O                                                                                 \
    {                                                                                              \
        [NORTH] = {[EAST] = {{{0, 1}}, 1}, [SOUTH] = {{{1, 1}}, 1}, [WEST] = {{{1, 0}}, 1}},       \
        [EAST] = {[NORTH] = {{{0, -1}}, 1}, [SOUTH] = {{{1, 0}}, 1}, [WEST] = {{{1, -1}}, 1}},     \
        [SOUTH] = {[NORTH] = {{{-1, -1}}, 1}, [EAST] = {{{-1, 0}}, 1}, [WEST] = {{{0, -1}}, 1}},   \
        [WEST] = {[NORTH] = {{{-1, 0}}, 1}, [EAST] = {{{-1, 1}}, 1}, [SOUTH] = {{{0, 1}}, 1}},     \
    }

const KickTable kicks_srs_plus_table = {{
    [PIECE_I] = SRS_PLUS_I,
    [PIECE_O] = SRS_PLUS_O,
    [PIECE_T] = SRS_PLUS_JLSTZ,
    [PIECE_S] = SRS_PLUS_JLSTZ,
    [PIECE_Z] = SRS_PLUS_JLSTZ,
    [PIECE_J] = SRS_PLUS_JLSTZ,
    [PIECE_L] = SRS_PLUS_JLSTZ,
}};
