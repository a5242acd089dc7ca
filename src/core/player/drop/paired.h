/*
 * paired: operations of lanes.h for paired lanes, which hold two numbers of 16 bits each. For
 * avx512_low.c and sse2_low.c; single.h is its counterpart.
 *
 * A weight has 27 bits and a sign, so it is split in two, 13 low bits and the rest.
 */
#ifndef TETROPT_PLAYER_DROP_PAIRED_H
#define TETROPT_PLAYER_DROP_PAIRED_H

enum { LANES_ROWS = DROP_LOW_ROWS };

LANES uint32_t lanes_column(uint32_t lane) {
    return lane & 0xffff;
}
/* What was stored for the placement number 16 r + x. */
LANES uint32_t lanes_read(const uint32_t *stored, unsigned order) {
    uint32_t both = stored[order & 0x2f];
    return order & 0x10 ? both >> 16 : both & 0xffff;
}

/* The two parts of each weight beside a 0, in the place of the half that is to be multiplied. */
typedef struct LaneWeights {
    uint32_t high[2][WEIGHTS_TERMS], low[2][WEIGHTS_TERMS];
} LaneWeights;

enum { LOW_BITS = 13 };

LANES LaneWeights lane_weights(const FixedWeights *weights) {
    LaneWeights result;
    for (int i = 0; i < WEIGHTS_TERMS; i++) {
        uint32_t low = (uint32_t)weights->values[i] & ((1u << LOW_BITS) - 1);
        uint32_t high = (uint32_t)(weights->values[i] >> LOW_BITS);
        result.high[0][i] = high & 0xffff;
        result.high[1][i] = high << 16;
        result.low[0][i] = low;
        result.low[1][i] = low << 16;
    }
    return result;
}

#endif
