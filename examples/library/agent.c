/*
 * An agent as a shared object: four features of the board after a placement, and a weight for each.
 *
 *     cc -O2 -shared -fPIC -o my_agent.so agent.c $(pkg-config --cflags tetropt)
 *     tetropt simulate --agent ./my_agent.so --games 5 --max-pieces 500
 *     tetropt train --agent ./my_agent.so --generations 5 --out my_weights.json
 *     tetropt simulate --agent ./my_agent.so --weights my_weights.json
 */
#include <tetropt.h>

enum { FEATURES = 4 };

static int height_of(uint64_t column) {
    int height = 0;
    for (; column; column >>= 1)
        height++;
    return height;
}

static int count_of(uint64_t column) {
    int count = 0;
    for (; column; column &= column - 1)
        count++;
    return count;
}

static void describe(void *context, const tetropt_move *move, double *values) {
    (void)context;
    int before = 0;
    for (int x = 0; x < move->width; x++) {
        int height = height_of(move->after[x]);
        int step = x > 0 ? height - before : 0;
        values[0] += height;
        values[1] += height - count_of(move->after[x]); /* holes */
        values[2] += step < 0 ? -step : step;           /* bumpiness */
        before = height;
    }
    values[3] = move->lines;
}

static const char *const names[FEATURES] = {"heights", "holes", "bumpiness", "lines"};
static const double weights[FEATURES] = {-0.51, -0.36, -0.18, 0.76};

static const tetropt_agent_definition definition = {
    .abi = TETROPT_AGENT_ABI,
    .name = "four-features",
    .summary = "heights, holes, bumpiness and lines",
    .hold = 1,
    .preview = 1,
    .features = describe,
    .feature_count = FEATURES,
    .feature_names = names,
    .weights = weights,
};

const tetropt_agent_definition *tetropt_agent_define(int abi);

const tetropt_agent_definition *tetropt_agent_define(int abi) {
    return abi == TETROPT_AGENT_ABI ? &definition : 0;
}
