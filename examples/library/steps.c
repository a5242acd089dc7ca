/*
 * steps: a random agent in a thousand games at once, as reinforcement learning steps them.
 *
 *     cc -O2 steps.c -o steps $(pkg-config --cflags --libs tetropt)
 *     ./steps 200
 */
#include <stdio.h>
#include <stdlib.h>
#include <tetropt.h>

enum { GAMES = 1000 };

int main(int count, char **arguments) {
    int steps = count > 1 ? atoi(arguments[1]) : 1000;
    tetropt_env *env = tetropt_env_new(GAMES);
    tetropt_env_layout layout;
    if (!env || tetropt_env_set(env, "reward", "unit") != TETROPT_OK ||
        tetropt_env_set(env, "autoreset", "same-step") != TETROPT_OK ||
        tetropt_env_sizes(env, &layout) != TETROPT_OK) {
        fprintf(stderr, "steps: %s\n", tetropt_env_message(env));
        return EXIT_FAILURE;
    }
    tetropt_env_buffers buffers = {malloc(layout.observation_bytes), NULL,
                                   malloc(layout.reward_bytes),      malloc(layout.flag_bytes),
                                   malloc(layout.flag_bytes),        malloc(layout.mask_bytes)};
    int32_t *actions = malloc(GAMES * sizeof *actions);
    if (!buffers.observations || !buffers.rewards || !buffers.terminated || !buffers.truncated ||
        !buffers.masks || !actions)
        return EXIT_FAILURE;
    tetropt_env_bind(env, &buffers);
    tetropt_env_reset(env, NULL);
    double reward = 0;
    long ends = 0;
    unsigned random = 1;
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < GAMES; i++) { /* any legal action */
            const uint8_t *mask = buffers.masks + (size_t)i * (size_t)layout.actions;
            do {
                random = random * 1664525u + 1013904223u;
                actions[i] = (int32_t)((random >> 8) % (unsigned)layout.actions);
            } while (!mask[actions[i]]);
        }
        tetropt_env_step(env, actions);
        for (int i = 0; i < GAMES; i++) {
            reward += buffers.rewards[i];
            ends += buffers.terminated[i];
        }
    }
    printf("%d games, %d steps: reward %g, %ld games over\n", GAMES, steps, reward, ends);
    tetropt_env_free(env);
    free(buffers.observations);
    free(buffers.rewards);
    free(buffers.terminated);
    free(buffers.truncated);
    free(buffers.masks);
    free(actions);
    return EXIT_SUCCESS;
}
