/* lanes_end: undefines the macros of lanes.h and its includer, for the next instance. */
#undef LANES_JOIN4
#undef LANES_JOIN
#undef LANES_TERNARY
#undef LANES_IN_MEMORY
#undef FN
#undef Flood
#undef INLINE
#undef LARGE
#undef Lane
#undef Vec
#undef LANES_BYTES
#undef LANE_TOP
#undef LANE_COUNT
#undef LANE_STRIDE
#undef LANE_PACK
#undef LANE_BITS
