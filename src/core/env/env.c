/*
 * env: the life of the games: start, step, end, reset.
 *
 * Episode e of a game with seed s draws the pieces of the game number e of that seed, so episode 0
 * has those of a game with the same seed anywhere else in the program.
 */
#include "env/env.h"

#include "base/memory.h"

#include <stdlib.h>

enum { GAMES_A_TURN = 32 }; /* games that a thread takes at once */

EnvLayout env_layout(const EnvSettings *settings, int games) {
    const Rules *rules = &settings->rules;
    size_t width = rules->width, height = rules->height;
    EnvLayout layout = {.games = games};
    layout.actions = settings->actions == ENV_KEYS         ? ENV_KEY_ACTIONS
                     : settings->actions == ENV_PLACEMENTS ? 2 * ROTATION_COUNT * rules->width
                                                           : ENV_REACHABLE_ACTIONS;
    switch (settings->observation) {
    case ENV_BITS:
        layout.item_bytes = sizeof(uint16_t);
        layout.board_items = height;
        break;
    case ENV_PLANES:
        layout.item_bytes = 1;
        layout.board_items = height * width;
        break;
    case ENV_FLOAT:
        layout.item_bytes = sizeof(float);
        layout.board_items = height * width;
        break;
    case ENV_FEATURES:
        layout.item_bytes = sizeof(float);
        layout.board_items = width + HEURISTIC_COUNT;
        break;
    }
    layout.piece_items = settings->one_hot ? PIECE_COUNT : 1;
    layout.items = layout.board_items + (2 + (size_t)settings->preview) * layout.piece_items + 1 +
                   (settings->actions == ENV_KEYS ? ENV_POSITION_ITEMS : 0);
    return layout;
}

bool env_init(Env *env, const EnvSettings *settings, int games, unsigned threads, Status *status) {
    *env = (Env){.settings = *settings, .layout = env_layout(settings, games)};
    env->measure = heuristics_measure_here();
    env->games = memory_new((size_t)games, sizeof *env->games, status);
    if (settings->actions == ENV_REACHABLE)
        env->choices =
            memory_new((size_t)games * ENV_REACHABLE_ACTIONS, sizeof *env->choices, status);
    env->pool = pool_new(threads, status);
    env_actions_init(env);
    env_observe_init(env);
    return env->games && env->pool && (env->choices || settings->actions != ENV_REACHABLE);
}

void env_release(Env *env) {
    free(env->games);
    free(env->choices);
    pool_free(env->pool);
    *env = (Env){0};
}

/* ---- one game */

/* Starts the present episode of a game. */
static void start(Env *env, size_t index) {
    EnvGame *game = &env->games[index];
    const EnvSettings *settings = &env->settings;
    Randomizer randomizer;
    if (settings->randomizer == RANDOMIZER_LIST)
        randomizer_init_list(&randomizer, settings->list, settings->list_count);
    else
        randomizer_init(&randomizer, settings->randomizer, game->seed, game->episode);
    game_init_board(&game->game, &settings->rules, &randomizer, &settings->board);
    game->steps = 0;
    game->done = false;
    env_measure_heights(game);
}

static void show(Env *env, size_t index) {
    env_list_actions(env, index);
    env_observe(env, index);
}

static void restart(Env *env, size_t index) {
    env->games[index].episode++;
    start(env, index);
    show(env, index);
}

static float reward_of(const Env *env, const EnvGame *game, int lines, int64_t score_before) {
    if (env->settings.reward == SCORING_COUNT)
        return (float)(game->game.score - score_before);
    return lines <= 0
               ? 0
               : (float)score_clear((Scoring)env->settings.reward, lines, game->game.lines - lines);
}

/* Keeps the last observation of a game that starts again at once. */
static void keep_final(const Env *env, size_t index) {
    size_t bytes = env->layout.items * env->layout.item_bytes;
    if (env->buffers.final_observations)
        memcpy(env->buffers.final_observations + index * bytes,
               env->buffers.observations + index * bytes, bytes);
}

static void step_game(Env *env, size_t index, int action) {
    EnvGame *game = &env->games[index];
    const EnvBuffers *buffers = &env->buffers;
    const EnvSettings *settings = &env->settings;
    /* 1. A game that ended before starts again, or stays as it is. */
    if (game->done) {
        buffers->rewards[index] = 0;
        if (settings->autoreset == ENV_NO_RESET)
            return;
        restart(env, index);
        buffers->terminated[index] = buffers->truncated[index] = 0;
        return;
    }
    /* 2. The action. A game can be over from its start: on a board that blocks the first piece. */
    EnvChange change = {.lines = -1, .highest = game->highest};
    int64_t score = game->game.score;
    bool hold_used = game->game.hold_used;
    if (game->game.over == OVER_NOT)
        change.lines = env_act(env, game, action, &change.locked);
    game->steps++;
    /* 3. Its reward. */
    bool over = game->game.over != OVER_NOT;
    bool limit = (settings->max_pieces > 0 && game->game.pieces >= settings->max_pieces) ||
                 (settings->max_steps > 0 && game->steps >= settings->max_steps);
    buffers->rewards[index] = reward_of(env, game, change.lines, score);
    buffers->terminated[index] = over;
    buffers->truncated[index] = limit && !over;
    game->done = over || limit;
    /* 4. The present observation. */
    change.pieces = change.lines >= 0 || over || hold_used != game->game.hold_used;
    env_observe_change(env, index, &change);
    if (game->done && settings->autoreset == ENV_SAME_STEP) {
        keep_final(env, index);
        restart(env, index);
    } else if (change.pieces)
        env_list_actions(env, index);
}

/* ---- all games */

/* Asks for the memory of a game while the ones before it are stepped: a thousand games are larger
 * than the caches near the core. */
static inline void fetch(const Env *env, size_t index) {
    enum { LINE_BYTES = 64 };
    const char *game = (const char *)&env->games[index];
    size_t bytes = env->layout.items * env->layout.item_bytes;
    const unsigned char *observation = env->buffers.observations + index * bytes;
    for (size_t at = 0; at < sizeof(EnvGame); at += LINE_BYTES)
        __builtin_prefetch(game + at, 1);
    for (size_t at = 0; at < bytes; at += LINE_BYTES)
        __builtin_prefetch(observation + at, 1);
}

static void step_task(void *context, size_t first, size_t last, unsigned worker) {
    enum { AHEAD = 2 };
    Env *env = context;
    (void)worker;
    for (size_t i = first; i < last; i++) {
        if (i + AHEAD < last)
            fetch(env, i + AHEAD);
        step_game(env, i, env->actions[i]);
    }
}

void env_step(Env *env, const int32_t *actions) {
    env->actions = actions;
    pool_run(env->pool, (size_t)env->layout.games, GAMES_A_TURN, step_task, env);
}

static void start_task(void *context, size_t first, size_t last, unsigned worker) {
    Env *env = context;
    (void)worker;
    for (size_t i = first; i < last; i++) {
        start(env, i);
        show(env, i);
        env->buffers.rewards[i] = 0;
        env->buffers.terminated[i] = env->buffers.truncated[i] = 0;
    }
}

void env_reset(Env *env, const uint64_t *seeds) {
    for (int i = 0; i < env->layout.games; i++) {
        EnvGame *game = &env->games[i];
        bool same = env->started && !seeds;
        game->episode = same ? game->episode + 1 : 0;
        if (!same)
            game->seed = seeds ? seeds[i] : env->settings.seed + (uint64_t)i;
    }
    env->started = true;
    pool_run(env->pool, (size_t)env->layout.games, GAMES_A_TURN, start_task, env);
}

static void show_task(void *context, size_t first, size_t last, unsigned worker) {
    (void)worker;
    for (size_t i = first; i < last; i++)
        show(context, i);
}

void env_rewrite(Env *env) {
    pool_run(env->pool, (size_t)env->layout.games, GAMES_A_TURN, show_task, env);
}
