/* lanes_end: takes back what lanes.h and its includer defined, for the next instance. */
#undef LANES_JOIN3
#undef LANES_JOIN
#undef FN
#undef INLINE
#undef Lane
#undef Vec
#undef LANES_TOP
#undef LANES_BYTES
#undef LANE_BITS
