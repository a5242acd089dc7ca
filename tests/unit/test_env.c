/* The vector environment of tetropt.h: what it writes step by step is what a whole rewrite gives,
 * the number of threads changes nothing, and its games are those of tetropt_game. */
#include "base/rng.h"
#include "scale.h"
#include "tetropt.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKS(env, call) cr_assert_eq(call, TETROPT_OK, "%s: %s", #call, tetropt_env_message(env))

typedef struct Option {
    const char *name, *value;
} Option;

/* An environment with its buffers. */
typedef struct Stage {
    tetropt_env *env;
    tetropt_env_layout layout;
    tetropt_env_buffers buffers;
} Stage;

static tetropt_env_buffers new_buffers(const tetropt_env_layout *layout) {
    return (tetropt_env_buffers){
        calloc(1, layout->observation_bytes), calloc(1, layout->observation_bytes),
        calloc(1, layout->reward_bytes),      calloc(1, layout->flag_bytes),
        calloc(1, layout->flag_bytes),        calloc(1, layout->mask_bytes)};
}

static void free_buffers(tetropt_env_buffers *buffers) {
    free(buffers->observations);
    free(buffers->final_observations);
    free(buffers->rewards);
    free(buffers->terminated);
    free(buffers->truncated);
    free(buffers->masks);
}

static Stage open_stage(int games, const Option *options) {
    Stage stage = {.env = tetropt_env_new(games)};
    cr_assert_not_null(stage.env);
    for (; options->name; options++)
        WORKS(stage.env, tetropt_env_set(stage.env, options->name, options->value));
    WORKS(stage.env, tetropt_env_sizes(stage.env, &stage.layout));
    stage.buffers = new_buffers(&stage.layout);
    WORKS(stage.env, tetropt_env_bind(stage.env, &stage.buffers));
    WORKS(stage.env, tetropt_env_reset(stage.env, NULL));
    return stage;
}

static void close_stage(Stage *stage) {
    tetropt_env_free(stage->env);
    free_buffers(&stage->buffers);
}

static uint8_t item(const Stage *stage, int game, int index) {
    const uint8_t *all = stage->buffers.observations;
    return all[game * stage->layout.items + index];
}

/* An action of a game: legal ones mostly. */
static int32_t any_action(const Stage *stage, int game, Rng *rng) {
    uint32_t actions = (uint32_t)stage->layout.actions;
    const uint8_t *mask = stage->buffers.masks + (uint32_t)game * actions;
    for (int i = 0; i < 1000 && rng_below(rng, 8); i++) {
        uint32_t action = rng_below(rng, actions);
        if (mask[action])
            return (int32_t)action;
    }
    return (int32_t)rng_below(rng, actions);
}

enum { GAMES = 5 };

static void step_any(Stage *stage, Rng *rng) {
    int32_t actions[GAMES];
    for (int i = 0; i < GAMES; i++)
        actions[i] = any_action(stage, i, rng);
    WORKS(stage->env, tetropt_env_step(stage->env, actions));
}

static const char *const action_names[] = {"keys", "placements", "reachable"};
static const char *const observation_names[] = {"bits", "planes", "float", "features"};
static const char *const reset_names[] = {"next-step", "same-step", "off"};

/* Every mixture of options that changes what is written. */
Test(env, increments_are_whole_observations) {
    int steps = scaled(400);
    for (int mix = 0; mix < 3 * 4 * 2 * 2; mix++) {
        const Option options[] = {{"actions", action_names[mix % 3]},
                                  {"observation", observation_names[mix / 3 % 4]},
                                  {"pieces-as", mix / 12 % 2 ? "one-hot" : "ids"},
                                  {"rules", mix / 24 % 2 ? "drop" : "guideline"},
                                  {"autoreset", reset_names[mix % 2]},
                                  {"preview", mix % 5 ? "3" : "0"},
                                  {"width", mix % 7 ? "10" : "5"},
                                  {"height", mix % 4 ? "20" : "7"},
                                  {"gravity", mix % 2 ? "3" : "0"},
                                  {"rotate180", mix % 3 == 0 ? "on" : "off"},
                                  {"bonus", mix % 4 == 2 ? "on" : "off"},
                                  {NULL, NULL}};
        Stage stage = open_stage(GAMES, options);
        tetropt_env_buffers other = new_buffers(&stage.layout);
        Rng rng;
        rng_init(&rng, 5, (uint64_t)mix);
        void *copy = malloc(stage.layout.observation_bytes);
        for (int i = 0; i < steps; i++) {
            step_any(&stage, &rng);
            if (i % 7)
                continue;
            memcpy(copy, stage.buffers.observations, stage.layout.observation_bytes);
            memset(other.masks, 0x55, stage.layout.mask_bytes);
            WORKS(stage.env, tetropt_env_bind(stage.env, &other)); /* writes everything */
            cr_assert_eq(memcmp(copy, other.observations, stage.layout.observation_bytes), 0,
                         "mix %d, step %d", mix, i);
            cr_assert_eq(memcmp(other.masks, stage.buffers.masks, stage.layout.mask_bytes), 0);
            WORKS(stage.env, tetropt_env_bind(stage.env, &stage.buffers));
        }
        free(copy);
        free_buffers(&other);
        close_stage(&stage);
    }
}

/* The same without a bind in between, so that mistakes would add up. */
Test(env, increments_add_up) {
    for (int mix = 0; mix < 12; mix++) {
        const Option options[] = {{"actions", action_names[mix % 3]},
                                  {"observation", observation_names[mix / 3]},
                                  {"autoreset", reset_names[mix % 2]},
                                  {NULL, NULL}};
        Stage stage = open_stage(GAMES, options);
        Rng rng;
        rng_init(&rng, 9, (uint64_t)mix);
        for (int i = 0; i < scaled(1500); i++)
            step_any(&stage, &rng);
        void *copy = malloc(stage.layout.observation_bytes);
        memcpy(copy, stage.buffers.observations, stage.layout.observation_bytes);
        WORKS(stage.env, tetropt_env_bind(stage.env, &stage.buffers));
        cr_assert_eq(memcmp(copy, stage.buffers.observations, stage.layout.observation_bytes), 0,
                     "mix %d", mix);
        free(copy);
        close_stage(&stage);
    }
}

Test(env, threads_change_nothing) {
    enum { MANY = 200 };
    for (int which = 0; which < 3; which++) {
        Option options[] = {{"actions", action_names[which]}, {"threads", "1"}, {NULL, NULL}};
        Stage one = open_stage(MANY, options);
        options[1].value = "3";
        Stage three = open_stage(MANY, options);
        Rng rng;
        rng_init(&rng, 1, 0);
        for (int i = 0; i < scaled(100); i++) {
            int32_t actions[MANY];
            for (int k = 0; k < MANY; k++)
                actions[k] = any_action(&one, k, &rng);
            WORKS(one.env, tetropt_env_step(one.env, actions));
            WORKS(three.env, tetropt_env_step(three.env, actions));
            cr_assert_eq(memcmp(one.buffers.observations, three.buffers.observations,
                                one.layout.observation_bytes),
                         0);
            cr_assert_eq(memcmp(one.buffers.masks, three.buffers.masks, one.layout.mask_bytes), 0);
            cr_assert_eq(
                memcmp(one.buffers.rewards, three.buffers.rewards, one.layout.reward_bytes), 0);
            cr_assert_eq(memcmp(one.buffers.terminated, three.buffers.terminated, MANY), 0);
        }
        close_stage(&one);
        close_stage(&three);
    }
}

/* ---- against tetropt_game */

static tetropt_game *same_game(const char *rules, uint64_t seed) {
    char text[32];
    tetropt_game *game = tetropt_game_new();
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    tetropt_game_set(game, "rules", rules);
    tetropt_game_set(game, "seed", text);
    cr_assert_eq(tetropt_game_start(game), TETROPT_OK);
    return game;
}

static void expect_same(const Stage *stage, const tetropt_game *game) {
    tetropt_env_info info;
    WORKS(stage->env, tetropt_env_look(stage->env, 0, &info));
    cr_assert_eq(info.lines, tetropt_game_lines(game));
    cr_assert_eq(info.pieces, tetropt_game_pieces(game));
    cr_assert_eq(info.score, tetropt_game_score(game));
    cr_assert_eq(info.over, tetropt_game_over(game));
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < 10; x++)
            cr_assert_eq(item(stage, 0, y * 10 + x) == 1, tetropt_game_cell(game, x, y));
    static const char letters[] = "IOTSZJL";
    int current = tetropt_game_current(game), held = tetropt_game_held(game);
    cr_assert_eq(item(stage, 0, 200), current ? strchr(letters, current) - letters : 7);
    cr_assert_eq(item(stage, 0, 201), held ? strchr(letters, held) - letters : 7);
}

Test(env, keys_are_those_of_a_game) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        const Option options[] = {{"actions", "keys"}, {"autoreset", "off"}, {NULL, NULL}};
        Stage stage = open_stage(1, options);
        WORKS(stage.env, tetropt_env_reset(stage.env, &seed));
        tetropt_game *game = same_game("guideline", seed);
        Rng rng;
        rng_init(&rng, seed, 7);
        for (int i = 0; i < 600; i++) {
            int32_t key = (int32_t)rng_below(&rng, 9);
            int64_t before = tetropt_game_score(game);
            if (key < 8)
                tetropt_game_press(game, key);
            WORKS(stage.env, tetropt_env_step(stage.env, &key));
            expect_same(&stage, game);
            cr_assert_float_eq(stage.buffers.rewards[0], (float)(tetropt_game_score(game) - before),
                               1e-6);
            cr_assert_eq(stage.buffers.terminated[0], tetropt_game_over(game) != 0);
        }
        tetropt_game_free(game);
        close_stage(&stage);
    }
}

/* The keys of a straight drop. */
static void press_drop(tetropt_game *game, int action) {
    if (action >= 40)
        tetropt_game_press(game, TETROPT_KEY_HOLD);
    int rotation = action % 40 / 10, left = action % 10, x, y, state;
    if (rotation == 3)
        tetropt_game_press(game, TETROPT_KEY_COUNTER);
    else
        for (int i = 0; i < rotation; i++)
            tetropt_game_press(game, TETROPT_KEY_CLOCKWISE);
    for (int i = 0; i < 10; i++) {
        cr_assert_eq(tetropt_game_position(game, &x, &y, &state), TETROPT_OK);
        tetropt_placement at = {
            .piece = tetropt_game_current(game), .rotation = state, .x = x, .y = y};
        int cells_x[4], cells_y[4], least = 99;
        cr_assert_eq(tetropt_placement_cells(&at, cells_x, cells_y), TETROPT_OK);
        for (int k = 0; k < 4; k++)
            least = cells_x[k] < least ? cells_x[k] : least;
        if (least != left)
            tetropt_game_press(game, least > left ? TETROPT_KEY_LEFT : TETROPT_KEY_RIGHT);
    }
    tetropt_game_press(game, TETROPT_KEY_HARD_DROP);
}

Test(env, legal_straight_drops_are_key_presses) {
    for (uint64_t seed = 0; seed < 30; seed++) {
        const Option options[] = {{"autoreset", "off"}, {NULL, NULL}};
        Stage stage = open_stage(1, options);
        WORKS(stage.env, tetropt_env_reset(stage.env, &seed));
        tetropt_game *game = same_game("guideline", seed);
        Rng rng;
        rng_init(&rng, seed, 7);
        while (!stage.buffers.terminated[0]) {
            int32_t action;
            do
                action = (int32_t)rng_below(&rng, 80);
            while (!stage.buffers.masks[action]);
            press_drop(game, action);
            WORKS(stage.env, tetropt_env_step(stage.env, &action));
            expect_same(&stage, game);
        }
        tetropt_game_free(game);
        close_stage(&stage);
    }
}

/* Under both rule sets the list of reachable placements is the game's. */
Test(env, reachable_placements_are_those_of_a_game) {
    enum { MOST = 300 };
    for (uint64_t seed = 0; seed < 10; seed++) {
        const char *rules = seed % 2 ? "drop" : "guideline";
        const Option options[] = {
            {"actions", "reachable"}, {"autoreset", "off"}, {"rules", rules}, {NULL, NULL}};
        Stage stage = open_stage(1, options);
        WORKS(stage.env, tetropt_env_reset(stage.env, &seed));
        tetropt_game *game = same_game(rules, seed);
        Rng rng;
        rng_init(&rng, seed, 7);
        while (!stage.buffers.terminated[0]) {
            tetropt_placement ours[MOST], theirs[MOST];
            int count = tetropt_env_placements(stage.env, 0, ours, MOST);
            cr_assert_eq(count, tetropt_game_placements(game, theirs, MOST));
            cr_assert_eq(memcmp(ours, theirs, (size_t)count * sizeof *ours), 0);
            cr_assert(stage.buffers.masks[count - 1] && !stage.buffers.masks[count]);
            int32_t action = (int32_t)rng_below(&rng, (uint32_t)count);
            cr_assert_eq(tetropt_game_place(game, &theirs[action]), TETROPT_OK);
            WORKS(stage.env, tetropt_env_step(stage.env, &action));
            expect_same(&stage, game);
        }
        cr_assert_eq(tetropt_env_placements(stage.env, 0, NULL, 0), 0);
        tetropt_game_free(game);
        close_stage(&stage);
    }
}

/* ---- ends */

Test(env, limits_truncate_and_resets_follow) {
    const Option options[] = {{"max-pieces", "3"}, {"reward", "unit"}, {NULL, NULL}};
    Stage stage = open_stage(1, options);
    tetropt_env_info info;
    int32_t action = 4;
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(stage.buffers.truncated[0], 0);
        WORKS(stage.env, tetropt_env_step(stage.env, &action));
    }
    cr_assert(stage.buffers.truncated[0] && !stage.buffers.terminated[0]);
    WORKS(stage.env, tetropt_env_step(stage.env, &action)); /* only resets */
    WORKS(stage.env, tetropt_env_look(stage.env, 0, &info));
    cr_assert(info.episode == 1 && info.pieces == 0 && info.steps == 0);
    cr_assert_eq(stage.buffers.truncated[0], 0);
    close_stage(&stage);
}

Test(env, same_step_keeps_the_last_observation) {
    const Option options[] = {{"max-steps", "2"}, {"autoreset", "same-step"}, {NULL, NULL}};
    Stage stage = open_stage(1, options);
    int32_t action = 0;
    WORKS(stage.env, tetropt_env_step(stage.env, &action));
    WORKS(stage.env, tetropt_env_step(stage.env, &action));
    cr_assert_eq(stage.buffers.truncated[0], 1);
    const uint8_t *last = stage.buffers.final_observations;
    int before = 0, now = 0;
    for (int i = 0; i < stage.layout.board_items; i++) {
        before += last[i];
        now += item(&stage, 0, i);
    }
    cr_assert_eq(before, 8);
    cr_assert_eq(now, 0);
    close_stage(&stage);
}

/* A line of the floor is cleared by an I at the left of a nearly full row. */
Test(env, rewards_follow_the_table) {
    const char *const rewards[] = {"score", "unit", "classic", "guideline"};
    const float expected[] = {100, 1, 40, 100};
    for (int i = 0; i < 4; i++) {
        const Option options[] = {{"reward", rewards[i]},
                                  {"board", "....######"},
                                  {"pieces", "IO"},
                                  {"autoreset", "off"},
                                  {NULL, NULL}};
        Stage stage = open_stage(1, options);
        int32_t action = 0;
        WORKS(stage.env, tetropt_env_step(stage.env, &action));
        cr_assert_float_eq(stage.buffers.rewards[0], expected[i], 1e-6);
        cr_assert_eq(item(&stage, 0, 9), 0, "the line is gone");
        close_stage(&stage);
    }
}

Test(env, rejected_actions_change_nothing) {
    const Option options[] = {{NULL, NULL}};
    Stage stage = open_stage(2, options);
    tetropt_env_info info;
    int32_t actions[2] = {0, 80};
    cr_assert_eq(tetropt_env_step(stage.env, actions), TETROPT_INPUT);
    cr_assert_str_eq(tetropt_env_message(stage.env), "actions: game 1: 80 is not in 0..79");
    actions[1] = -1;
    cr_assert_eq(tetropt_env_step(stage.env, actions), TETROPT_INPUT);
    WORKS(stage.env, tetropt_env_look(stage.env, 0, &info));
    cr_assert_eq(info.pieces, 0);
    WORKS(stage.env, tetropt_env_set(stage.env, "preview", "3"));
    cr_assert_eq(tetropt_env_step(stage.env, actions), TETROPT_INPUT, "must be bound again");
    cr_assert_eq(tetropt_env_reset(stage.env, NULL), TETROPT_INPUT);
    close_stage(&stage);
}
