/*
 * env: the vector environment of tetropt.h, on top of env/env.
 *
 * The games are made when the layout is first asked for, and again after an option was set; the
 * caller then binds its memory anew.
 */
#include "env/env.h"

#include "library/handles.h"

#include <stdlib.h>

typedef struct EnvOptions {
    GameOptions game;
    int actions, observation, pieces_as, autoreset, reward;
    int64_t threads, max_pieces, max_steps, gravity;
} EnvOptions;

#define REWARD_SCORE "score" /* behind the scoring tables, so its number is SCORING_COUNT */

static const Option rows[] = {
    OPTIONS_INCLUDE(EnvOptions, game, game_options),
    PARAMETER_CHOICE(EnvOptions, actions, "actions", "placements", ENV_ACTIONS_CHOICES, NULL),
    PARAMETER_CHOICE(EnvOptions, observation, "observation", "planes", ENV_OBSERVATION_CHOICES,
                     NULL),
    PARAMETER_CHOICE(EnvOptions, pieces_as, "pieces-as", "ids", ENV_PIECES_CHOICES, NULL),
    PARAMETER_CHOICE(EnvOptions, reward, "reward", REWARD_SCORE, SCORING_CHOICES "|" REWARD_SCORE,
                     NULL),
    PARAMETER_CHOICE(EnvOptions, autoreset, "autoreset", "next-step", ENV_AUTORESET_CHOICES, NULL),
    PARAMETER_INTEGER(EnvOptions, threads, "threads", "1", 1, POOL_MAX_THREADS, NULL),
    PARAMETER_INTEGER(EnvOptions, max_pieces, "max-pieces", "0", 0, 1e15, NULL),
    PARAMETER_INTEGER(EnvOptions, max_steps, "max-steps", "0", 0, 1e15, NULL),
    PARAMETER_INTEGER(EnvOptions, gravity, "gravity", "0", 0, 1e9, NULL),
};

struct tetropt_env {
    Question *question; /* about EnvOptions */
    Status status;      /* of the last call that failed */
    int games;
    bool ready; /* `env` is made from the options */
    bool bound, started;
    Env env;
    uint8_t *list; /* of the option "pieces" */
};

tetropt_env *tetropt_env_new(int games) {
    if (games < 1 || games > ENV_MAX_GAMES)
        return NULL;
    tetropt_env *env = calloc(1, sizeof *env);
    if (!env)
        return NULL;
    env->games = games;
    env->question = question_new((OptionTable)OPTIONS_TABLE(rows), sizeof(EnvOptions), NULL);
    if (env->question)
        return env;
    free(env);
    return NULL;
}

static void drop_games(tetropt_env *env) {
    env_release(&env->env);
    free(env->list);
    env->list = NULL;
    env->ready = env->bound = env->started = false;
}

void tetropt_env_free(tetropt_env *env) {
    if (!env)
        return;
    drop_games(env);
    question_free(env->question);
    free(env);
}

const char *tetropt_env_message(const tetropt_env *env) {
    return env ? env->status.message : HANDLE_NULL;
}

int tetropt_env_set(tetropt_env *env, const char *option, const char *value) {
    if (!env)
        return TETROPT_INPUT;
    int code = handle_set(env->question, option, value, &env->status);
    if (code == TETROPT_OK)
        drop_games(env);
    return code;
}

/* Makes the games from the options, unless they are there. */
static bool prepare(tetropt_env *env) {
    if (env->ready)
        return true;
    const EnvOptions *options = env->question->values;
    Status *status = &env->status;
    EnvSettings settings = {.rules = game_rules(&options->game),
                            .randomizer = game_randomizer(&options->game),
                            .preview = (int)options->game.preview,
                            .actions = (EnvActions)options->actions,
                            .observation = (EnvObservation)options->observation,
                            .one_hot = options->pieces_as == 1,
                            .autoreset = (EnvAutoreset)options->autoreset,
                            .reward = options->reward,
                            .max_pieces = options->max_pieces,
                            .max_steps = options->max_steps,
                            .gravity = options->gravity,
                            .seed = (uint64_t)options->game.seed};
    if (!game_check_rules(&options->game, status) ||
        !game_board(&options->game, &settings.board, status) ||
        !game_list(&options->game, &env->list, &settings.list_count, status))
        return false;
    settings.list = env->list;
    env->ready = env_init(&env->env, &settings, env->games, (unsigned)options->threads, status);
    if (!env->ready)
        drop_games(env);
    return env->ready;
}

int tetropt_env_sizes(tetropt_env *env, tetropt_env_layout *layout) {
    if (!env)
        return TETROPT_INPUT;
    if (!layout)
        return HANDLE_FAIL(env, STATUS_INPUT, "layout: is NULL");
    if (!prepare(env))
        return (int)env->status.code;
    const EnvLayout *own = &env->env.layout;
    const EnvSettings *settings = &env->env.settings;
    bool cells = settings->observation == ENV_PLANES || settings->observation == ENV_FLOAT;
    size_t games = (size_t)own->games;
    *layout = (tetropt_env_layout){.games = own->games,
                                   .actions = own->actions,
                                   .item_bytes = (int)own->item_bytes,
                                   .items = (int)own->items,
                                   .board_items = (int)own->board_items,
                                   .board_rows = cells ? settings->rules.height : 1,
                                   .piece_items = (int)own->piece_items,
                                   .preview = settings->preview,
                                   .observation_bytes = games * own->items * own->item_bytes,
                                   .reward_bytes = games * sizeof(float),
                                   .flag_bytes = games,
                                   .mask_bytes = games * (size_t)own->actions};
    return TETROPT_OK;
}

static bool is_aligned(const void *memory, size_t bytes) {
    return (uintptr_t)memory % bytes == 0;
}

int tetropt_env_bind(tetropt_env *env, const tetropt_env_buffers *buffers) {
    if (!env)
        return TETROPT_INPUT;
    if (!buffers || !buffers->observations || !buffers->rewards || !buffers->terminated ||
        !buffers->truncated)
        return HANDLE_FAIL(env, STATUS_INPUT, "buffers: one that is required is NULL");
    if (!prepare(env))
        return (int)env->status.code;
    size_t bytes = env->env.layout.item_bytes;
    if (!is_aligned(buffers->observations, bytes) ||
        !is_aligned(buffers->final_observations, bytes) ||
        !is_aligned(buffers->rewards, sizeof *buffers->rewards))
        return HANDLE_FAIL(env, STATUS_INPUT, "buffers: one is not aligned to its items");
    env->env.buffers = (EnvBuffers){.observations = buffers->observations,
                                    .final_observations = buffers->final_observations,
                                    .rewards = buffers->rewards,
                                    .terminated = buffers->terminated,
                                    .truncated = buffers->truncated,
                                    .masks = buffers->masks};
    env->bound = true;
    if (env->started)
        env_rewrite(&env->env);
    return TETROPT_OK;
}

int tetropt_env_reset(tetropt_env *env, const uint64_t *seeds) {
    if (!env)
        return TETROPT_INPUT;
    if (!env->bound)
        return HANDLE_FAIL(env, STATUS_INPUT, "env: has no buffers since the last option was set");
    env_reset(&env->env, seeds);
    env->started = true;
    return TETROPT_OK;
}

/* True when all actions are in 0..limit-1; one pass that the compiler turns into vectors. */
static bool actions_are_valid(const int32_t *actions, int count, int limit) {
    uint32_t bad = 0;
    for (int i = 0; i < count; i++)
        bad |= (uint32_t)actions[i] >= (uint32_t)limit;
    return !bad;
}

int tetropt_env_step(tetropt_env *env, const int32_t *actions) {
    if (!env)
        return TETROPT_INPUT;
    if (!env->started)
        return HANDLE_FAIL(env, STATUS_INPUT, "env: is not reset");
    if (!actions)
        return HANDLE_FAIL(env, STATUS_INPUT, "actions: are NULL");
    int limit = env->env.layout.actions;
    if (!actions_are_valid(actions, env->games, limit)) {
        int i = 0;
        while ((uint32_t)actions[i] < (uint32_t)limit)
            i++;
        return HANDLE_FAIL(env, STATUS_INPUT, "actions: game %d: %d is not in 0..%d", i,
                           (int)actions[i], limit - 1);
    }
    env_step(&env->env, actions);
    return TETROPT_OK;
}

/* The game called `index`, or NULL with the handle's status. */
static const EnvGame *game_at(tetropt_env *env, int index) {
    if (!env->started)
        status_fail(&env->status, STATUS_INPUT, "env: is not reset");
    else if (index < 0 || index >= env->games)
        status_fail(&env->status, STATUS_INPUT, "game: %d is not in 0..%d", index, env->games - 1);
    else
        return &env->env.games[index];
    return NULL;
}

int tetropt_env_look(tetropt_env *env, int index, tetropt_env_info *info) {
    const EnvGame *game = env ? game_at(env, index) : NULL;
    if (!game)
        return TETROPT_INPUT;
    if (!info)
        return HANDLE_FAIL(env, STATUS_INPUT, "info: is NULL");
    *info = (tetropt_env_info){.seed = game->seed,
                               .episode = game->episode,
                               .steps = game->steps,
                               .pieces = game->game.pieces,
                               .lines = game->game.lines,
                               .score = game->game.score,
                               .over = game->game.over};
    return TETROPT_OK;
}

int tetropt_env_placements(tetropt_env *env, int index, tetropt_placement *placements,
                           int capacity) {
    const EnvGame *game = env ? game_at(env, index) : NULL;
    if (!game || env->env.settings.actions != ENV_REACHABLE)
        return 0;
    const Move *choices = env->env.choices + (size_t)index * ENV_REACHABLE_ACTIONS;
    for (int i = 0; placements && i < game->choice_count && i < capacity; i++)
        placements[i] = placement_out(choices[i].placement, choices[i].hold);
    return game->choice_count;
}
