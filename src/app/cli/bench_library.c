/* bench_library: fixed work through tetropt.h; a rate is that of the best of several rounds. */
#include "cli/bench_library.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/rng.h"
#include "tetropt.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    GENOTYPES = 4096,
    PIECES = 20,
    ROUNDS = 7,
    GAMES = 1024,
    ACTION_SETS = 64 /* different steps; then they repeat */
};

static double better(double best, double work, uint64_t start_ns) {
    double rate = work / clock_seconds_since(start_ns);
    return rate > best ? rate : best;
}

double bench_problem(const BenchRow *row, bool quick, unsigned threads, Status *status) {
    (void)row;
    tetropt_problem *problem = tetropt_problem_new("tetris");
    double best = 0;
    bool ok = problem && tetropt_problem_set(problem, "n", "20") == TETROPT_OK &&
              tetropt_problem_set(problem, "order", "move-first") == TETROPT_OK;
    size_t genes = ok ? (size_t)tetropt_problem_genes(problem) : 0;
    int16_t *wide = memory_new(GENOTYPES * genes, sizeof *wide, status);
    int8_t *narrow = memory_new(GENOTYPES * genes, 1, status);
    double *fitness = memory_new(GENOTYPES, sizeof *fitness, status);
    ok = ok && wide && narrow && fitness &&
         tetropt_problem_random(problem, 1, GENOTYPES, wide) == TETROPT_OK;
    for (size_t i = 0; ok && i < GENOTYPES * genes; i++)
        narrow[i] = (int8_t)wide[i];
    int repeats = quick ? 2 : 20;
    for (int round = 0; ok && round < ROUNDS; round++) {
        uint64_t start = clock_now_ns();
        for (int i = 0; ok && i < repeats; i++)
            ok = tetropt_problem_evaluate(problem, narrow, GENOTYPES, fitness, (int)threads) ==
                 TETROPT_OK;
        best = better(best, (double)repeats * GENOTYPES * PIECES, start);
    }
    if (!ok)
        status_fail(status, STATUS_SYSTEM, "bench: %s", tetropt_problem_message(problem));
    free(wide);
    free(narrow);
    free(fitness);
    tetropt_problem_free(problem);
    return ok ? best : 0;
}

/* An environment with its memory. */
typedef struct Stage {
    tetropt_env *env;
    tetropt_env_layout layout;
    tetropt_env_buffers buffers;
    int32_t *actions; /* ACTION_SETS x GAMES */
} Stage;

static bool open_stage(Stage *stage, const char *actions, Status *status) {
    stage->env = tetropt_env_new(GAMES);
    if (!stage->env || tetropt_env_set(stage->env, "actions", actions) != TETROPT_OK ||
        tetropt_env_set(stage->env, "autoreset", "same-step") != TETROPT_OK ||
        tetropt_env_sizes(stage->env, &stage->layout) != TETROPT_OK)
        return false;
    const tetropt_env_layout *layout = &stage->layout;
    stage->buffers =
        (tetropt_env_buffers){.observations = memory_new(1, layout->observation_bytes, status),
                              .rewards = memory_new(1, layout->reward_bytes, status),
                              .terminated = memory_new(1, layout->flag_bytes, status),
                              .truncated = memory_new(1, layout->flag_bytes, status),
                              .masks = memory_new(1, layout->mask_bytes, status)};
    stage->actions = memory_new(ACTION_SETS * GAMES, sizeof *stage->actions, status);
    Rng rng;
    rng_init(&rng, 1, 0);
    for (int i = 0; stage->actions && i < ACTION_SETS * GAMES; i++)
        stage->actions[i] = (int32_t)rng_below(&rng, (uint32_t)layout->actions);
    return stage->actions && tetropt_env_bind(stage->env, &stage->buffers) == TETROPT_OK &&
           tetropt_env_reset(stage->env, NULL) == TETROPT_OK;
}

static void close_stage(Stage *stage) {
    tetropt_env_free(stage->env);
    free(stage->buffers.observations);
    free(stage->buffers.rewards);
    free(stage->buffers.terminated);
    free(stage->buffers.truncated);
    free(stage->buffers.masks);
    free(stage->actions);
}

double bench_env(const BenchRow *row, bool quick, unsigned threads, Status *status) {
    (void)threads;
    Stage stage = {0};
    double best = 0;
    int steps = quick ? 200 : 2000;
    bool ok = open_stage(&stage, row->subject, status);
    for (int round = 0; ok && round < ROUNDS; round++) {
        uint64_t start = clock_now_ns();
        for (int i = 0; ok && i < steps; i++)
            ok = tetropt_env_step(stage.env, stage.actions + (size_t)(i % ACTION_SETS) * GAMES) ==
                 TETROPT_OK;
        best = better(best, (double)steps * GAMES, start);
    }
    if (!ok)
        status_fail(status, STATUS_SYSTEM, "bench: %s", tetropt_env_message(stage.env));
    close_stage(&stage);
    return ok ? best : 0;
}
