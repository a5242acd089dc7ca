/*
 * single: operations of lanes.h that only paired lanes need, empty for lanes that hold one number.
 * For avx2.c, avx512.c and sse2.c.
 */
#ifndef TETROPT_PLAYER_DROP_SINGLE_H
#define TETROPT_PLAYER_DROP_SINGLE_H

/* Only paired lanes have columns that a rotation does not use, or boards that do not fit. */
LANES Lanes lanes_used(Lanes a, uint32_t used) {
    (void)used;
    return a;
}
LANES Lanes lanes_choose(uint32_t used, Lanes a, Lanes b) {
    (void)used, (void)b;
    return a;
}
LANES bool lanes_fit(Lanes columns, Lanes walls) {
    (void)columns, (void)walls;
    return true;
}
enum { LANES_ROWS = BOARD_MAX_HEIGHT };

/* What was stored for the placement number 16 r + x. */
LANES uint32_t lanes_read(const uint32_t *stored, unsigned order) {
    return stored[order];
}
LANES uint32_t lanes_column(uint32_t lane) {
    return lane;
}

#endif
