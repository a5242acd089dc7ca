/* The public interface, by its own header; what it gives is compared with what the rooms behind it
 * give. */
#include "base/pool.h"
#include "optim/registry.h"
#include "player/registry.h"
#include "simulate/simulate.h"
#include "tetropt.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACEMENTS_MAX = 20000, KEYS_MAX = 5000 };

static tetropt_game *started(const char *const *options) {
    tetropt_game *game = tetropt_game_new();
    cr_assert(game);
    for (; options && *options; options += 2)
        cr_assert_eq(tetropt_game_set(game, options[0], options[1]), TETROPT_OK, "%s",
                     tetropt_game_message(game));
    cr_assert_eq(tetropt_game_start(game), TETROPT_OK, "%s", tetropt_game_message(game));
    return game;
}

Test(library, version) {
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", TETROPT_VERSION_MAJOR, TETROPT_VERSION_MINOR,
             TETROPT_VERSION_PATCH);
    cr_assert_str_eq(tetropt_version(), expected);
#if TETROPT_VERSION_NUMBER < 10000
    cr_assert_fail("the header is that of 1.0.0 or a later version");
#endif
    cr_assert_eq(TETROPT_VERSION_NUMBER, 10000 * TETROPT_VERSION_MAJOR +
                                             100 * TETROPT_VERSION_MINOR + TETROPT_VERSION_PATCH);
    cr_assert_str_eq(tetropt_version(), TETROPT_VERSION);
}

Test(library, names) {
    for (int i = 0; i < agent_count(); i++)
        cr_assert_str_eq(tetropt_agent_name(i), agent_at(i)->name);
    cr_assert_null(tetropt_agent_name(agent_count()));
    cr_assert_null(tetropt_agent_name(-1));
    for (size_t i = 0; i < optim_count(); i++)
        cr_assert_str_eq(tetropt_algorithm_name((int)i), optim_at(i)->name);
    cr_assert_null(tetropt_algorithm_name((int)optim_count()));
    cr_assert_str_eq(tetropt_key_name(TETROPT_KEY_HARD_DROP), "drop");
    cr_assert_null(tetropt_key_name(8));
    cr_assert_str_eq(tetropt_feature_name("literature", 0), "landing_height");
    cr_assert_null(tetropt_feature_name("literature", 1000));
    cr_assert_null(tetropt_feature_name("nothing", 0));
}

Test(library, first_turn) {
    static const char *const options[] = {"pieces", "TIOL", "preview", "2", NULL};
    tetropt_game *game = started(options);
    cr_assert_eq(tetropt_game_current(game), 'T');
    cr_assert_eq(tetropt_game_next(game, 0), 'I');
    cr_assert_eq(tetropt_game_next(game, 1), 'O');
    cr_assert_eq(tetropt_game_next(game, 2), 0, "only two can be seen");
    cr_assert_eq(tetropt_game_held(game), 0);
    tetropt_placement all[PLACEMENTS_MAX];
    /* 34 of T, and 17 of I after hold. */
    cr_assert_eq(tetropt_game_placements(game, all, PLACEMENTS_MAX), 34 + 17);
    cr_assert_eq(all[33].hold, 0);
    cr_assert_eq(all[34].hold, 1);
    cr_assert_eq(all[34].piece, 'I');
    cr_assert_eq(tetropt_game_placements(game, NULL, 0), 34 + 17);
    tetropt_game_free(game);
}

/* A placement of every turn, taken by its keys on one game and at once on the other. */
static void keys_and_place_agree(const char *const *options, int turns) {
    tetropt_game *placed = started(options), *pressed = tetropt_game_copy(placed);
    tetropt_placement *all = malloc(PLACEMENTS_MAX * sizeof *all);
    int keys[KEYS_MAX], made = 0;
    for (int turn = 0; turn < turns && !tetropt_game_over(placed); turn++) {
        int count = tetropt_game_placements(placed, all, PLACEMENTS_MAX);
        cr_assert_gt(count, 0);
        const tetropt_placement *choice = &all[turn * 7919 % count];
        int presses = tetropt_game_keys(placed, choice, keys, KEYS_MAX);
        cr_assert_eq(tetropt_game_place(placed, choice), TETROPT_OK, "%s",
                     tetropt_game_message(placed));
        if (presses < 0) {
            tetropt_game_assign(pressed, placed);
            continue;
        }
        made++;
        for (int i = 0; i < presses; i++)
            cr_assert_eq(tetropt_game_press(pressed, keys[i]), TETROPT_OK, "turn %d key %d", turn,
                         i);
        for (int y = -1; y < 45; y++)
            cr_assert_eq(tetropt_game_row(placed, y), tetropt_game_row(pressed, y),
                         "turn %d row %d", turn, y);
        cr_assert_eq(tetropt_game_over(placed), tetropt_game_over(pressed));
        cr_assert_eq(tetropt_game_score(placed), tetropt_game_score(pressed));
        cr_assert_eq(tetropt_game_current(placed), tetropt_game_current(pressed));
        cr_assert_eq(tetropt_game_held(placed), tetropt_game_held(pressed));
    }
    cr_assert_gt(made, 3);
    free(all);
    tetropt_game_free(placed);
    tetropt_game_free(pressed);
}

Test(library, keys_guideline) {
    static const char *const plain[] = {"seed", "3", NULL};
    static const char *const bonus[] = {"seed", "4", "bonus", "on", "rotate180", "on", NULL};
    static const char *const small[] = {"width", "4", "height", "6", "hold", "off", NULL};
    keys_and_place_agree(plain, 100);
    static const char *const plus[] = {"seed",     "5",     "bonus", "on", "kicks",
                                       "srs-plus", "spins", "all",   NULL};
    keys_and_place_agree(bonus, 100);
    keys_and_place_agree(small, 100);
    keys_and_place_agree(plus, 100);
}

/* The option reaches the game, the agents and the keys; the rules drop have no use for it. */
Test(library, kicks) {
    static const char *const srs[] = {"pieces", "TTTT", NULL};
    static const char *const plus[] = {"pieces", "TTTT", "kicks", "srs-plus", NULL};
    static const char *const drop[] = {"rules", "drop", "spins", "all", NULL};
    tetropt_game *games[] = {started(srs), started(plus)};
    tetropt_agent *agent = tetropt_agent_new();
    cr_assert_eq(tetropt_agent_set(agent, "agent", "bot?nodes=50"), TETROPT_OK);
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(tetropt_game_press(games[i], TETROPT_KEY_TURN_180) == TETROPT_OK, i == 1);
        cr_expect_eq(tetropt_agent_play(agent, games[i], 2, NULL, NULL), TETROPT_OK, "%s",
                     tetropt_agent_message(agent));
        tetropt_game_free(games[i]);
    }
    tetropt_agent_free(agent);
    tetropt_game *game = tetropt_game_new();
    for (int i = 0; drop[i]; i += 2)
        tetropt_game_set(game, drop[i], drop[i + 1]);
    cr_expect_eq(tetropt_game_start(game), TETROPT_INPUT);
    tetropt_game_free(game);
}

Test(library, keys_drop) {
    static const char *const options[] = {"rules", "drop", "randomizer", "uniform", NULL};
    keys_and_place_agree(options, 100);
}

Test(library, cells) {
    static const char *const options[] = {"width", "6", "board", "#.....\n##....", NULL};
    tetropt_game *game = started(options);
    cr_assert_eq(tetropt_game_row(game, 0), 3);
    cr_assert_eq(tetropt_game_row(game, 1), 1);
    cr_assert_eq(tetropt_game_cell(game, 1, 0), 1);
    cr_assert_eq(tetropt_game_cell(game, 1, 1), 0);
    cr_assert_eq(tetropt_game_cell(game, -1, 5), 1);
    cr_assert_eq(tetropt_game_cell(game, 6, 5), 1);
    cr_assert_eq(tetropt_game_cell(game, 0, -1), 1);
    cr_assert_eq(tetropt_game_cell(game, 0, 1000), 0);
    char text[1000];
    cr_assert_eq(tetropt_game_text(game, text, sizeof text), 20 * 7);
    cr_assert(strstr(text, "......\n#.....\n##....\n"), "%s", text);
    cr_assert_eq(tetropt_game_text(game, text, 8), 20 * 7);
    cr_assert_str_eq(text, "......\n");
    cr_assert_eq(tetropt_game_text(game, NULL, 0), 20 * 7);
    int x[4], y[4];
    tetropt_placement placement = {.piece = 'I', .rotation = 1, .x = 2, .y = 2};
    cr_assert_eq(tetropt_placement_cells(&placement, x, y), TETROPT_OK);
    int lowest = 99;
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(x[i], 2);
        lowest = y[i] < lowest ? y[i] : lowest;
    }
    cr_assert_eq(lowest, 0);
    cr_assert_eq(tetropt_game_place(game, &placement), TETROPT_INPUT, "the piece is another");
    tetropt_game_free(game);
}

Test(library, refusals) {
    tetropt_game *game = tetropt_game_new();
    static const char *const bad[][2] = {
        {"width", "3"},    {"width", "ten"},  {"nothing", "1"},
        {"rules", "mine"}, {"preview", "99"}, {"hold", "maybe"},
        {NULL, "1"},       {"width", NULL},   {"height", "1e99"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_assert_eq(tetropt_game_set(game, bad[i][0], bad[i][1]), TETROPT_INPUT);
        cr_assert(strchr(tetropt_game_message(game), ':'), "%s", tetropt_game_message(game));
    }
    tetropt_placement placement = {.piece = 'T', .x = 4};
    int key;
    cr_assert_eq(tetropt_game_place(game, &placement), TETROPT_INPUT, "not started");
    cr_assert_eq(tetropt_game_press(game, TETROPT_KEY_LEFT), TETROPT_INPUT);
    cr_assert_eq(tetropt_game_keys(game, &placement, &key, 1), -1);
    cr_assert_eq(tetropt_game_placements(game, &placement, 1), 0);
    cr_assert_eq(tetropt_game_current(game), 0);
    cr_assert_eq(tetropt_game_set(game, "pieces", "TX"), TETROPT_OK);
    cr_assert_eq(tetropt_game_start(game), TETROPT_INPUT);
    cr_assert_eq(tetropt_game_set(game, "pieces", "TTT"), TETROPT_OK);
    cr_assert_eq(tetropt_game_set(game, "board", "..\n"), TETROPT_OK);
    cr_assert_eq(tetropt_game_start(game), TETROPT_INPUT);
    cr_assert_eq(tetropt_game_set(game, "board", ".........."), TETROPT_OK);
    cr_assert_eq(tetropt_game_start(game), TETROPT_OK, "%s", tetropt_game_message(game));
    static const tetropt_placement wrong[] = {
        {.piece = 'I', .x = 4},
        {.piece = 'T', .x = 4, .y = 5},
        {.piece = 'T', .x = -1},
        {.piece = 'T', .x = 1000000},
        {.piece = 'T', .x = 0},
        {.piece = 't', .x = 4},
        {.piece = 1 << 20, .x = 4},
        {.piece = 'T', .x = 4, .rotation = 4},
        {.piece = 'T', .x = 4, .spin = 3},
        {.piece = 'I', .x = 4, .hold = 1},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_assert_eq(tetropt_game_place(game, &wrong[i]), TETROPT_INPUT, "%zu", i);
    cr_assert_eq(tetropt_game_press(game, 99), TETROPT_INPUT);
    cr_assert_eq(tetropt_game_press(game, TETROPT_KEY_TURN_180), TETROPT_UNMET);
    cr_assert_eq(tetropt_game_pieces(game), 0, "nothing happened");
    tetropt_game_free(game);
    tetropt_game_free(NULL);
}

/* A copy goes its own way, with a list of its own. */
Test(library, copies) {
    static const char *const options[] = {"pieces", "TIOLJSZTIOLJSZTIOLJSZTIOL", NULL};
    tetropt_game *game = started(options), *copy = tetropt_game_copy(game);
    tetropt_game *other = started(NULL);
    cr_assert_eq(tetropt_game_assign(other, game), TETROPT_OK);
    tetropt_game_free(game);
    tetropt_game *both[] = {copy, other};
    for (int i = 0; i < 2; i++) {
        tetropt_agent *agent = tetropt_agent_new();
        cr_assert_eq(tetropt_agent_play(agent, both[i], 0, NULL, NULL), TETROPT_OK, "%s",
                     tetropt_agent_message(agent));
        tetropt_agent_free(agent);
        cr_assert_eq(tetropt_game_over(both[i]), TETROPT_OVER_NO_PIECES);
        cr_assert_eq(tetropt_game_pieces(both[i]), 25);
    }
    cr_assert_eq(tetropt_game_start(copy), TETROPT_OK, "the options came along");
    cr_assert_eq(tetropt_game_current(copy), 'T');
    tetropt_game_free(copy);
    tetropt_game_free(other);
}

static int count_locks(void *context, const tetropt_game *game) {
    int64_t *count = context;
    cr_assert_eq(tetropt_game_pieces(game), ++*count);
    return *count == 50;
}

/* Every agent plays as it does in a simulation of the same seed. */
Test(library, agents) {
    for (int i = 0; tetropt_agent_name(i); i++) {
        const char *name = tetropt_agent_name(i);
        bool drop = agent_find(name)->abilities & AGENT_DROP_FIRST;
        bool bees = strcmp(name, "bees") == 0;
        const char *const options[] = {"rules", drop ? "drop" : "guideline", "seed", "5", NULL};
        tetropt_game *game = started(options);
        tetropt_agent *agent = tetropt_agent_new();
        cr_assert_eq(tetropt_agent_set(agent, "agent", name), TETROPT_OK);
        cr_assert_eq(tetropt_agent_set(agent, "seed", "5"), TETROPT_OK);
        if (bees)
            tetropt_agent_set(agent, "param", "bees=20");
        tetropt_simulation *simulation = tetropt_simulation_new();
        tetropt_simulation_set(simulation, "games", "1");
        tetropt_simulation_set(simulation, "max-pieces", "30");
        cr_assert_eq(tetropt_simulation_run(simulation, agent, game), TETROPT_OK, "%s: %s", name,
                     tetropt_simulation_message(simulation));
        cr_assert_eq(tetropt_agent_play(agent, game, 30, NULL, NULL), TETROPT_OK, "%s: %s", name,
                     tetropt_agent_message(agent));
        cr_assert_eq(tetropt_game_lines(game), tetropt_simulation_lines(simulation), "%s", name);
        cr_assert_eq(tetropt_game_pieces(game), tetropt_simulation_pieces(simulation), "%s", name);
        double score;
        cr_assert_eq(tetropt_simulation_mean(simulation, "score", &score, NULL, NULL), TETROPT_OK);
        cr_assert_eq((double)tetropt_game_score(game), score, "%s", name);
        tetropt_simulation_free(simulation);
        tetropt_agent_free(agent);
        tetropt_game_free(game);
    }
}

/* A colony that is stopped leaves a game that goes on: with the pieces that were to come, and for
 * another agent. */
Test(library, bees_leave_a_game) {
    enum { PIECES = 12, PREVIEW = 3 };
    static const char *const options[] = {"seed", "4", "preview", "3", NULL};
    tetropt_game *game = started(options), *other = started(options);
    tetropt_agent *bees = tetropt_agent_new(), *agent = tetropt_agent_new();
    cr_assert_eq(tetropt_agent_set(bees, "agent", "bees"), TETROPT_OK);
    cr_assert_eq(tetropt_agent_set(bees, "param", "bees=20"), TETROPT_OK);
    cr_assert_eq(tetropt_agent_play(bees, game, PIECES, NULL, NULL), TETROPT_OK, "%s",
                 tetropt_agent_message(bees));
    cr_assert_eq(tetropt_game_pieces(game), PIECES);
    cr_assert_eq(tetropt_game_over(game), TETROPT_OVER_NOT);
    cr_assert_eq(tetropt_agent_set(agent, "agent", "hill"), TETROPT_OK, "one without hold");
    cr_assert_eq(tetropt_agent_play(agent, other, PIECES, NULL, NULL), TETROPT_OK);
    cr_assert_eq(tetropt_game_held(other), 0);
    cr_assert_eq(tetropt_game_current(game), tetropt_game_current(other));
    for (int i = 0; i < PREVIEW; i++)
        cr_assert_eq(tetropt_game_next(game, i), tetropt_game_next(other, i), "next %d", i);
    cr_assert_eq(tetropt_agent_play(agent, game, PIECES + 1, NULL, NULL), TETROPT_OK);
    cr_assert_eq(tetropt_game_pieces(game), PIECES + 1);
    tetropt_agent_free(bees);
    tetropt_agent_free(agent);
    tetropt_game_free(game);
    tetropt_game_free(other);
}

Test(library, agent_watched) {
    tetropt_game *game = started(NULL);
    tetropt_agent *agent = tetropt_agent_new();
    int64_t count = 0;
    cr_assert_eq(tetropt_agent_play(agent, game, 0, count_locks, &count), TETROPT_OK);
    cr_assert_eq(tetropt_game_pieces(game), 50);
    tetropt_agent_free(agent);
    tetropt_game_free(game);
}

/* Without a preview an agent may hold for a piece that it does not see. */
Test(library, agent_blind) {
    static const char *const options[] = {"preview", "0", "seed", "2", NULL};
    tetropt_game *game = started(options);
    tetropt_agent *agent = tetropt_agent_new();
    cr_assert_eq(tetropt_agent_play(agent, game, 200, NULL, NULL), TETROPT_OK, "%s",
                 tetropt_agent_message(agent));
    cr_assert_eq(tetropt_game_pieces(game), 200);
    cr_assert_neq(tetropt_game_held(game), 0);
    tetropt_agent_free(agent);
    tetropt_game_free(game);
}

Test(library, agent_refusals) {
    tetropt_game *game = started(NULL);
    tetropt_agent *agent = tetropt_agent_new();
    tetropt_placement placement;
    static const char *const bad[][2] = {
        {"agent", "nobody"}, {"weights", "none"}, {"seed", "x"}, {"nothing", "1"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_eq(tetropt_agent_set(agent, bad[i][0], bad[i][1]), TETROPT_INPUT);
    cr_assert_eq(tetropt_agent_set(agent, "agent", "bcts"), TETROPT_OK);
    cr_assert_eq(tetropt_agent_choose(agent, game, &placement), TETROPT_INPUT, "drop only");
    cr_assert(strstr(tetropt_agent_message(agent), "bcts"));
    cr_assert_eq(tetropt_agent_set(agent, "agent", "bees"), TETROPT_OK);
    cr_assert_eq(tetropt_agent_choose(agent, game, &placement), TETROPT_INPUT, "whole games");
    cr_assert_eq(tetropt_agent_set(agent, "agent", "weighted"), TETROPT_OK);
    cr_assert_eq(tetropt_agent_set(agent, "param", "nothing=1"), TETROPT_INPUT);
    cr_assert_eq(tetropt_agent_choose(agent, game, &placement), TETROPT_OK);
    cr_assert_eq(tetropt_agent_play(agent, game, -1, NULL, NULL), TETROPT_INPUT);
    double weights[] = {1, 2};
    cr_assert_eq(tetropt_agent_set_weights(agent, "stack", weights, 2), TETROPT_INPUT);
    cr_assert_eq(tetropt_agent_set_weights(agent, "none", weights, 2), TETROPT_INPUT);
    tetropt_agent_free(agent);
    tetropt_agent_free(NULL);
    tetropt_game_free(game);
}

/* Weights that only want the stack low; turned round, it grows as fast as it can. */
Test(library, own_weights) {
    double weights[100] = {0};
    int count = 0;
    for (const char *name; (name = tetropt_feature_name("literature", count)); count++)
        weights[count] = strcmp(name, "landing_height") == 0 ? -1 : 0;
    int64_t pieces[2];
    for (int i = 0; i < 2; i++) {
        static const char *const options[] = {"rules", "drop", NULL};
        tetropt_game *game = started(options);
        tetropt_agent *agent = tetropt_agent_new();
        tetropt_agent_set(agent, "agent", "bcts");
        weights[0] = i == 0 ? -1 : 1;
        cr_assert_eq(tetropt_agent_set_weights(agent, "literature", weights, count), TETROPT_OK,
                     "%s", tetropt_agent_message(agent));
        cr_assert_eq(tetropt_agent_play(agent, game, 1000, NULL, NULL), TETROPT_OK);
        pieces[i] = tetropt_game_pieces(game);
        tetropt_agent_free(agent);
        tetropt_game_free(game);
    }
    cr_assert_gt(pieces[0], pieces[1]);
}

static tetropt_solver *solver_with(const char *const *options) {
    tetropt_solver *solver = tetropt_solver_new();
    for (; *options; options += 2)
        cr_assert_eq(tetropt_solver_set(solver, options[0], options[1]), TETROPT_OK, "%s",
                     tetropt_solver_message(solver));
    return solver;
}

/* The answer, played by its keys in a game with the same pieces, leaves the same board. */
Test(library, solver) {
    static const char *const options[] = {"pieces",      "IOTSZJLIOTS", "placements",
                                          "10",          "encoding",    "placements",
                                          "evaluations", "200000",      NULL};
    tetropt_solver *solver = solver_with(options);
    cr_assert_eq(tetropt_solver_run(solver), TETROPT_OK, "%s", tetropt_solver_message(solver));
    cr_assert_eq(tetropt_solver_count(solver), 10);
    cr_assert_gt(tetropt_solver_evaluations(solver), 0);
    cr_assert_neq(tetropt_solver_end(solver)[0], '\0');
    static const char *const pieces[] = {"pieces", "IOTSZJLIOTS", NULL};
    tetropt_game *game = started(pieces);
    int keys[KEYS_MAX];
    for (int i = 0; i < 10; i++) {
        int count = tetropt_solver_keys(solver, i, keys, KEYS_MAX);
        cr_assert_gt(count, 0);
        for (int k = 0; k < count; k++)
            cr_assert_eq(tetropt_game_press(game, keys[k]), TETROPT_OK, "piece %d key %d", i, k);
        tetropt_placement placement;
        cr_assert_eq(tetropt_solver_placement(solver, i, &placement), TETROPT_OK);
    }
    cr_assert_eq(tetropt_game_lines(game), tetropt_solver_lines(solver));
    char found[1000], played[1000];
    tetropt_solver_text(solver, found, sizeof found);
    tetropt_game_text(game, played, sizeof played);
    for (char *at = found; *at; at++)
        if (*at != '.' && *at != '\n')
            *at = '#';
    cr_assert_str_eq(found, played);
    cr_assert_eq(tetropt_solver_perfect_clear(solver), tetropt_solver_lines(solver) == 4);
    cr_assert_eq(tetropt_solver_keys(solver, 10, keys, KEYS_MAX), -1);
    tetropt_game_free(game);
    tetropt_solver_free(solver);
}

static int stop_at_third(void *context, uint64_t evaluations, double best) {
    (void)evaluations, (void)best;
    return ++*(int *)context == 3;
}

Test(library, solver_stops) {
    static const char *const options[] = {"pieces", "IOTSZJLIOTSZJLIOTSZJL", "algorithm", "ga",
                                          NULL};
    tetropt_solver *solver = solver_with(options);
    int calls = 0;
    tetropt_solver_on_progress(solver, stop_at_third, &calls);
    cr_assert_eq(tetropt_solver_run(solver), TETROPT_OK);
    cr_assert_str_eq(tetropt_solver_end(solver), "stopped");
    cr_assert_geq(calls, 3);
    cr_assert_gt(tetropt_solver_count(solver), 0);
    tetropt_solver_on_progress(solver, NULL, NULL);
    tetropt_solver_stop(solver);
    cr_assert_eq(tetropt_solver_run(solver), TETROPT_OK);
    cr_assert_str_eq(tetropt_solver_end(solver), "stopped", "a stop before the run is not lost");
    cr_assert_eq(tetropt_solver_set(solver, "evaluations", "100"), TETROPT_OK);
    cr_assert_eq(tetropt_solver_run(solver), TETROPT_OK);
    cr_assert_str_eq(tetropt_solver_end(solver), "evaluations");
    tetropt_solver_free(solver);
}

Test(library, solver_refusals) {
    tetropt_solver *solver = tetropt_solver_new();
    tetropt_placement placement;
    cr_assert_eq(tetropt_solver_run(solver), TETROPT_INPUT, "no pieces");
    cr_assert_eq(tetropt_solver_count(solver), 0);
    cr_assert_str_eq(tetropt_solver_end(solver), "");
    cr_assert_eq(tetropt_solver_placement(solver, 0, &placement), TETROPT_INPUT);
    cr_assert_eq(tetropt_solver_set(solver, "algorithm", "luck"), TETROPT_INPUT);
    cr_assert_eq(tetropt_solver_set(solver, "param", "x=1"), TETROPT_INPUT);
    static const char *const bad[][2] = {
        {"pieces", "Q"}, {"pieces", ""}, {"board", "####"}, {"placements", "5"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tetropt_solver *one = tetropt_solver_new();
        tetropt_solver_set(one, "pieces", "TIO");
        cr_assert_eq(tetropt_solver_set(one, bad[i][0], bad[i][1]), TETROPT_OK);
        cr_assert_eq(tetropt_solver_run(one), TETROPT_INPUT, "%s", bad[i][0]);
        cr_assert(strstr(tetropt_solver_message(one), bad[i][0]), "%s",
                  tetropt_solver_message(one));
        tetropt_solver_free(one);
    }
    tetropt_solver_set(solver, "pieces", "TIO");
    tetropt_solver_set(solver, "algorithm", "ga");
    tetropt_solver_set(solver, "encoding", "placements");
    cr_assert_eq(tetropt_solver_run(solver), TETROPT_INPUT, "ga has no placements");
    tetropt_solver_free(solver);
    tetropt_solver_free(NULL);
}

Test(library, simulation_of_streams) {
    tetropt_game *game = tetropt_game_new();
    tetropt_agent *agent = tetropt_agent_new();
    tetropt_simulation *simulation = tetropt_simulation_new();
    double mean;
    cr_assert_eq(tetropt_simulation_mean(simulation, "lines", &mean, NULL, NULL), TETROPT_UNMET);
    cr_assert_eq(tetropt_simulation_mean(simulation, "beauty", &mean, NULL, NULL), TETROPT_INPUT);
    tetropt_game_set(game, "rules", "drop");
    tetropt_game_set(game, "randomizer", "uniform");
    tetropt_game_set(game, "height", "8");
    tetropt_agent_set(agent, "agent", "bcts");
    tetropt_simulation_set(simulation, "total-pieces", "50000");
    int64_t lines[2];
    for (int i = 0; i < 2; i++) {
        tetropt_simulation_set(simulation, "threads", i == 0 ? "1" : "2");
        cr_assert_eq(tetropt_simulation_run(simulation, agent, game), TETROPT_OK);
        lines[i] = tetropt_simulation_lines(simulation);
    }
    cr_assert_eq(lines[0], lines[1], "threads make no difference");
    cr_assert_eq(tetropt_simulation_pieces(simulation), 50000);
    cr_assert_gt(tetropt_simulation_deaths(simulation), 0);
    tetropt_simulation_stop(simulation);
    cr_assert_eq(tetropt_simulation_run(simulation, agent, game), TETROPT_OK);
    cr_assert_lt(tetropt_simulation_pieces(simulation), 50000, "stopped before it began");
    tetropt_simulation_free(simulation);
    tetropt_agent_free(agent);
    tetropt_game_free(game);
}

static void *play_alone(void *given) {
    int64_t *score = given;
    tetropt_game *game = started(NULL);
    tetropt_agent *agent = tetropt_agent_new();
    tetropt_agent_set(agent, "agent", "hill");
    tetropt_agent_play(agent, game, 40, NULL, NULL);
    *score = tetropt_game_score(game);
    tetropt_agent_free(agent);
    tetropt_game_free(game);
    return NULL;
}

Test(library, threads) {
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    int64_t scores[THREADS];
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, play_alone, &scores[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 1; i < THREADS; i++)
        cr_assert_eq(scores[i], scores[0]);
}

Test(library, solver_takes_an_instance_of_the_benchmark) {
    tetropt_solver *solver = tetropt_solver_new();
    cr_expect_eq(tetropt_solver_set(solver, "instance", "bag-10-002"), TETROPT_OK);
    cr_expect_eq(tetropt_solver_run(solver), TETROPT_OK, "%s", tetropt_solver_message(solver));
    cr_expect(tetropt_solver_optimal(solver) && tetropt_solver_fitness(solver) == 20);
    tetropt_solver_set(solver, "n", "5");
    cr_expect_eq(tetropt_solver_run(solver), TETROPT_INPUT, "it has its pieces");
    tetropt_solver_set(solver, "n", "");
    tetropt_solver_set(solver, "instance", "bag-10-0");
    cr_expect_eq(tetropt_solver_run(solver), TETROPT_INPUT);
    tetropt_solver_set(solver, "instance", "");
    tetropt_solver_set(solver, "n", "3");
    tetropt_solver_set(solver, "algorithm", "lines:true");
    cr_expect_eq(tetropt_solver_run(solver), TETROPT_INPUT, "the library runs no programs");
    tetropt_solver_free(solver);
}
