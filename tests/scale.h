/* scale: how much a test with random cases does. TETROPT_TEST_SCALE multiplies its count: 0.05
 * where every case costs much (sanitizers), 10 for a thorough night. */
#ifndef TETROPT_TESTS_SCALE_H
#define TETROPT_TESTS_SCALE_H

#include <stdlib.h>

/* `full` cases times the scale (1 when it is not set), at least one. */
static inline int scaled(int full) {
    const char *text = getenv("TETROPT_TEST_SCALE");
    double scale = text ? strtod(text, NULL) : 1;
    double count = full * (scale > 0 ? scale : 1);
    return count < 1 ? 1 : count > 1e9 ? 1000000000 : (int)count;
}

#endif
