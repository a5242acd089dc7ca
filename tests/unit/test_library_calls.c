/* The public interface used wrongly: NULL in every place, calls in the wrong order, options that
 * were refused and are set anew. Nothing crashes, what fails says why, and nothing stays broken. */
#include "tetropt.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A call that must fail, and leave a message of its own: the one before it is known. */
#define FAILS(kind, handle, expected, call)                                                        \
    do {                                                                                           \
        tetropt_##kind##_set(handle, "marker", "1");                                               \
        cr_assert_eq(call, expected, #call);                                                       \
        cr_assert_str_neq(tetropt_##kind##_message(handle), "marker: unknown option", #call);      \
    } while (0)
#define REFUSED(kind, handle, call) FAILS(kind, handle, TETROPT_INPUT, call)

#define WORKS(kind, handle, call)                                                                  \
    cr_assert_eq(call, TETROPT_OK, "%s: %s", #call, tetropt_##kind##_message(handle))

static tetropt_game *drop_game(const char *board, const char *pieces) {
    tetropt_game *game = tetropt_game_new();
    WORKS(game, game, tetropt_game_set(game, "rules", "drop"));
    WORKS(game, game, tetropt_game_set(game, "board", board));
    WORKS(game, game, tetropt_game_set(game, "pieces", pieces));
    WORKS(game, game, tetropt_game_start(game));
    return game;
}

/* ---- NULL */

/* What a game answers that is not there, or not started. */
static void looks_empty(const tetropt_game *game) {
    cr_assert_eq(tetropt_game_row(game, 0), 0);
    cr_assert_eq(tetropt_game_current(game), 0);
    cr_assert_eq(tetropt_game_held(game), 0);
    cr_assert_eq(tetropt_game_next(game, 0), 0);
    cr_assert_eq(tetropt_game_score(game), 0);
    cr_assert_eq(tetropt_game_lines(game), 0);
    cr_assert_eq(tetropt_game_pieces(game), 0);
    cr_assert_eq(tetropt_game_over(game), TETROPT_OVER_NOT);
    tetropt_placement placement;
    cr_assert_eq(tetropt_game_placements(game, &placement, 1), 0);
}

Test(library_calls, null_game) {
    tetropt_placement placement = {.piece = 'T', .x = 4};
    int keys[1], x[4], y[4];
    char text[8] = "before";
    cr_assert_eq(tetropt_game_set(NULL, "width", "10"), TETROPT_INPUT);
    cr_assert_eq(tetropt_game_start(NULL), TETROPT_INPUT);
    cr_assert_null(tetropt_game_copy(NULL));
    looks_empty(NULL);
    cr_assert_eq(tetropt_game_width(NULL), 0);
    cr_assert_eq(tetropt_game_height(NULL), 0);
    cr_assert_eq(tetropt_game_cell(NULL, 0, 0), 1, "nothing is left and right of all walls");
    cr_assert_eq(tetropt_game_text(NULL, text, sizeof text), 0);
    cr_assert_str_eq(text, "");
    cr_assert_eq(tetropt_game_keys(NULL, &placement, keys, 1), -1);
    cr_assert_eq(tetropt_game_place(NULL, &placement), TETROPT_INPUT);
    cr_assert_eq(tetropt_game_press(NULL, TETROPT_KEY_LEFT), TETROPT_INPUT);
    cr_assert_str_eq(tetropt_game_message(NULL), "handle: is NULL");
    tetropt_game_free(NULL);
    cr_assert_eq(tetropt_placement_cells(NULL, x, y), TETROPT_INPUT);
    cr_assert_eq(tetropt_placement_cells(&placement, NULL, y), TETROPT_INPUT);
    cr_assert_eq(tetropt_placement_cells(&placement, x, NULL), TETROPT_INPUT);
    cr_assert_null(tetropt_feature_name(NULL, 0));
}

Test(library_calls, null_for_a_game) {
    tetropt_game *game = tetropt_game_new();
    REFUSED(game, game, tetropt_game_set(game, NULL, "10"));
    REFUSED(game, game, tetropt_game_set(game, "width", NULL));
    REFUSED(game, game, tetropt_game_assign(game, NULL));
    cr_assert_eq(tetropt_game_assign(NULL, game), TETROPT_INPUT);
    WORKS(game, game, tetropt_game_start(game));
    REFUSED(game, game, tetropt_game_place(game, NULL));
    int keys[100];
    FAILS(game, game, -1, tetropt_game_keys(game, NULL, keys, 100));
    int count = tetropt_game_placements(game, NULL, 1000);
    cr_assert_gt(count, 0);
    cr_assert_eq(tetropt_game_placements(game, NULL, -1), count);
    cr_assert_eq(tetropt_game_text(game, NULL, 1000), 20 * 11);
    tetropt_placement first;
    cr_assert_eq(tetropt_game_placements(game, &first, 1), count);
    int presses = tetropt_game_keys(game, &first, keys, 100);
    cr_assert_gt(presses, 0);
    cr_assert_eq(tetropt_game_keys(game, &first, NULL, 100), presses);
    cr_assert_eq(tetropt_game_keys(game, &first, keys, -1), presses);
    WORKS(game, game, tetropt_game_place(game, &first));
    tetropt_game_free(game);
    game = drop_game("..........", "TIO");
    tetropt_game_placements(game, &first, 1);
    cr_assert_gt(tetropt_game_keys(game, &first, NULL, 100), 0);
    tetropt_game_free(game);
}

Test(library_calls, null_agent) {
    tetropt_game *game = tetropt_game_new();
    WORKS(game, game, tetropt_game_start(game));
    tetropt_placement placement;
    double weights[100] = {0};
    cr_assert_eq(tetropt_agent_set(NULL, "seed", "1"), TETROPT_INPUT);
    cr_assert_eq(tetropt_agent_set_weights(NULL, "stack", weights, 1), TETROPT_INPUT);
    cr_assert_eq(tetropt_agent_choose(NULL, game, &placement), TETROPT_INPUT);
    cr_assert_eq(tetropt_agent_play(NULL, game, 1, NULL, NULL), TETROPT_INPUT);
    cr_assert_str_eq(tetropt_agent_message(NULL), "handle: is NULL");
    tetropt_agent_free(NULL);
    tetropt_agent *agent = tetropt_agent_new();
    REFUSED(agent, agent, tetropt_agent_set(agent, NULL, "1"));
    REFUSED(agent, agent, tetropt_agent_set(agent, "agent", NULL));
    REFUSED(agent, agent, tetropt_agent_set(agent, "param", NULL));
    REFUSED(agent, agent, tetropt_agent_set(agent, NULL, NULL));
    int count = 0;
    while (tetropt_feature_name("literature", count))
        count++;
    REFUSED(agent, agent, tetropt_agent_set_weights(agent, NULL, weights, count));
    REFUSED(agent, agent, tetropt_agent_set_weights(agent, "literature", NULL, count));
    weights[1] = NAN;
    REFUSED(agent, agent, tetropt_agent_set_weights(agent, "literature", weights, count));
    REFUSED(agent, agent, tetropt_agent_choose(agent, NULL, &placement));
    REFUSED(agent, agent, tetropt_agent_choose(agent, game, NULL));
    REFUSED(agent, agent, tetropt_agent_play(agent, NULL, 1, NULL, NULL));
    WORKS(agent, agent, tetropt_agent_choose(agent, game, &placement));
    tetropt_agent_free(agent);
    tetropt_game_free(game);
}

static void looks_unsolved(const tetropt_solver *solver) {
    char text[8] = "before";
    cr_assert_eq(tetropt_solver_fitness(solver), -INFINITY);
    cr_assert_eq(tetropt_solver_lines(solver), 0);
    cr_assert_eq(tetropt_solver_perfect_clear(solver), 0);
    cr_assert_eq(tetropt_solver_optimal(solver), 0);
    cr_assert_eq(tetropt_solver_evaluations(solver), 0);
    cr_assert_str_eq(tetropt_solver_end(solver), "");
    cr_assert_eq(tetropt_solver_count(solver), 0);
    cr_assert_eq(tetropt_solver_text(solver, text, sizeof text), 0);
    cr_assert_str_eq(text, "");
    cr_assert_eq(tetropt_solver_text(solver, NULL, sizeof text), 0);
}

static tetropt_solver *small_solver(void) {
    tetropt_solver *solver = tetropt_solver_new();
    WORKS(solver, solver, tetropt_solver_set(solver, "pieces", "TIOL"));
    WORKS(solver, solver, tetropt_solver_set(solver, "evaluations", "500"));
    return solver;
}

Test(library_calls, null_solver) {
    tetropt_placement placement;
    int keys[100];
    cr_assert_eq(tetropt_solver_set(NULL, "seed", "1"), TETROPT_INPUT);
    cr_assert_eq(tetropt_solver_run(NULL), TETROPT_INPUT);
    cr_assert_eq(tetropt_solver_placement(NULL, 0, &placement), TETROPT_INPUT);
    cr_assert_eq(tetropt_solver_keys(NULL, 0, keys, 100), -1);
    tetropt_solver_on_progress(NULL, NULL, NULL);
    tetropt_solver_stop(NULL);
    looks_unsolved(NULL);
    cr_assert_str_eq(tetropt_solver_message(NULL), "handle: is NULL");
    tetropt_solver_free(NULL);
    tetropt_solver *solver = small_solver();
    REFUSED(solver, solver, tetropt_solver_set(solver, NULL, "1"));
    REFUSED(solver, solver, tetropt_solver_set(solver, "algorithm", NULL));
    REFUSED(solver, solver, tetropt_solver_set(solver, "param", NULL));
    looks_unsolved(solver);
    FAILS(solver, solver, -1, tetropt_solver_keys(solver, 0, keys, 100));
    REFUSED(solver, solver, tetropt_solver_placement(solver, 0, &placement));
    WORKS(solver, solver, tetropt_solver_run(solver));
    REFUSED(solver, solver, tetropt_solver_placement(solver, 0, NULL));
    REFUSED(solver, solver, tetropt_solver_placement(solver, -1, &placement));
    int presses = tetropt_solver_keys(solver, 0, keys, 100);
    cr_assert_gt(presses, 0);
    cr_assert_eq(tetropt_solver_keys(solver, 0, NULL, 100), presses);
    cr_assert_eq(tetropt_solver_text(solver, NULL, 100), 20 * 11);
    tetropt_solver_free(solver);
}

Test(library_calls, null_simulation) {
    tetropt_game *game = tetropt_game_new();
    tetropt_agent *agent = tetropt_agent_new();
    double mean;
    cr_assert_eq(tetropt_simulation_set(NULL, "games", "1"), TETROPT_INPUT);
    cr_assert_eq(tetropt_simulation_run(NULL, agent, game), TETROPT_INPUT);
    cr_assert_eq(tetropt_simulation_mean(NULL, "lines", &mean, NULL, NULL), TETROPT_INPUT);
    cr_assert_eq(tetropt_simulation_games(NULL), 0);
    cr_assert_eq(tetropt_simulation_pieces(NULL), 0);
    cr_assert_eq(tetropt_simulation_lines(NULL), 0);
    cr_assert_eq(tetropt_simulation_deaths(NULL), 0);
    tetropt_simulation_stop(NULL);
    cr_assert_str_eq(tetropt_simulation_message(NULL), "handle: is NULL");
    tetropt_simulation_free(NULL);
    tetropt_simulation *all = tetropt_simulation_new();
    REFUSED(simulation, all, tetropt_simulation_set(all, NULL, "1"));
    REFUSED(simulation, all, tetropt_simulation_set(all, "games", NULL));
    REFUSED(simulation, all, tetropt_simulation_run(all, NULL, game));
    REFUSED(simulation, all, tetropt_simulation_run(all, agent, NULL));
    REFUSED(simulation, all, tetropt_simulation_run(all, NULL, NULL));
    FAILS(simulation, all, TETROPT_UNMET, tetropt_simulation_mean(all, "lines", &mean, NULL, NULL));
    WORKS(simulation, all, tetropt_simulation_set(all, "games", "2"));
    WORKS(simulation, all, tetropt_simulation_set(all, "max-pieces", "20"));
    WORKS(simulation, all, tetropt_simulation_run(all, agent, game));
    REFUSED(simulation, all, tetropt_simulation_mean(all, NULL, &mean, NULL, NULL));
    REFUSED(simulation, all, tetropt_simulation_mean(all, "lines", NULL, NULL, NULL));
    WORKS(simulation, all, tetropt_simulation_mean(all, "lines", &mean, NULL, NULL));
    REFUSED(simulation, all, tetropt_simulation_run(all, NULL, game));
    cr_assert_eq(tetropt_simulation_games(all), 0, "a run that was refused leaves none");
    tetropt_simulation_free(all);
    tetropt_agent_free(agent);
    tetropt_game_free(game);
}

/* ---- the wrong order */

Test(library_calls, before_the_start) {
    tetropt_game *game = tetropt_game_new(), *other = tetropt_game_new();
    tetropt_agent *agent = tetropt_agent_new();
    tetropt_placement placement = {.piece = 'T', .x = 4};
    looks_empty(game);
    cr_assert_eq(tetropt_game_width(game), 10);
    cr_assert_eq(tetropt_game_text(game, NULL, 0), 20 * 11);
    REFUSED(game, game, tetropt_game_place(game, &placement));
    REFUSED(game, game, tetropt_game_press(game, TETROPT_KEY_HARD_DROP));
    FAILS(game, game, -1, tetropt_game_keys(game, &placement, NULL, 0));
    REFUSED(agent, agent, tetropt_agent_choose(agent, game, &placement));
    REFUSED(agent, agent, tetropt_agent_play(agent, game, 10, NULL, NULL));
    tetropt_game *copy = tetropt_game_copy(game);
    cr_assert(copy);
    looks_empty(copy);
    WORKS(game, other, tetropt_game_start(other));
    WORKS(game, other, tetropt_game_assign(other, game));
    looks_empty(other);
    REFUSED(agent, agent, tetropt_agent_choose(agent, other, &placement));
    WORKS(game, other, tetropt_game_start(other));
    WORKS(agent, agent, tetropt_agent_choose(agent, other, &placement));
    tetropt_agent_free(agent);
    tetropt_game_free(copy);
    tetropt_game_free(other);
    tetropt_game_free(game);
}

Test(library_calls, after_the_end) {
    tetropt_game *game = tetropt_game_new();
    tetropt_agent *agent = tetropt_agent_new();
    WORKS(game, game, tetropt_game_set(game, "pieces", "T"));
    WORKS(game, game, tetropt_game_start(game));
    tetropt_placement placement;
    WORKS(agent, agent, tetropt_agent_choose(agent, game, &placement));
    WORKS(game, game, tetropt_game_place(game, &placement));
    cr_assert_eq(tetropt_game_over(game), TETROPT_OVER_NO_PIECES);
    REFUSED(game, game, tetropt_game_place(game, &placement));
    FAILS(game, game, -1, tetropt_game_keys(game, &placement, NULL, 0));
    FAILS(game, game, TETROPT_UNMET, tetropt_game_press(game, TETROPT_KEY_LEFT));
    FAILS(agent, agent, TETROPT_UNMET, tetropt_agent_choose(agent, game, &placement));
    cr_assert_eq(tetropt_game_placements(game, NULL, 0), 0);
    WORKS(agent, agent, tetropt_agent_play(agent, game, 0, NULL, NULL));
    WORKS(game, game, tetropt_game_start(game));
    cr_assert_eq(tetropt_game_current(game), 'T');
    tetropt_agent_free(agent);
    tetropt_game_free(game);
}

typedef struct Nested {
    tetropt_solver *solver;
    int calls;
} Nested;

/* Uses the solver that tells it, and then takes itself away. */
static int use_solver(void *context, uint64_t evaluations, double best) {
    (void)evaluations, (void)best;
    Nested *nested = context;
    nested->calls++;
    REFUSED(solver, nested->solver, tetropt_solver_run(nested->solver));
    looks_unsolved(nested->solver);
    WORKS(solver, nested->solver, tetropt_solver_set(nested->solver, "pieces", "OOOOOOOO"));
    WORKS(solver, nested->solver, tetropt_solver_set(nested->solver, "algorithm", "hill"));
    tetropt_solver_on_progress(nested->solver, NULL, NULL);
    return 0;
}

Test(library_calls, inside_a_search) {
    tetropt_solver *solver = small_solver();
    WORKS(solver, solver, tetropt_solver_set(solver, "algorithm", "ga"));
    WORKS(solver, solver, tetropt_solver_set(solver, "param", "population=100"));
    WORKS(solver, solver, tetropt_solver_set(solver, "evaluations", "5000"));
    Nested nested = {solver, 0};
    tetropt_solver_on_progress(solver, use_solver, &nested);
    WORKS(solver, solver, tetropt_solver_run(solver));
    cr_assert_eq(nested.calls, 1);
    cr_assert_eq(tetropt_solver_count(solver), 4, "what was set meanwhile counts from now on");
    WORKS(solver, solver, tetropt_solver_run(solver));
    cr_assert_eq(tetropt_solver_count(solver), 8);
    tetropt_solver_free(solver);
}

/* ---- options again and again */

Test(library_calls, solver_parameters) {
    tetropt_solver *solver = small_solver();
    REFUSED(solver, solver, tetropt_solver_set(solver, "param", "population=100")); /* of auto */
    WORKS(solver, solver, tetropt_solver_set(solver, "algorithm", "ga"));
    static const char *const bad[] = {
        "population=1000000000", "population=x", "population=", "population", "=", "=1", "none=1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        REFUSED(solver, solver, tetropt_solver_set(solver, "param", bad[i]));
    WORKS(solver, solver, tetropt_solver_run(solver));
    char pair[40];
    for (int i = 0; i < 1000; i++) {
        snprintf(pair, sizeof pair, "population=%d", 1100 - i);
        WORKS(solver, solver, tetropt_solver_set(solver, "param", pair));
    }
    WORKS(solver, solver, tetropt_solver_run(solver));
    tetropt_solver *fresh = small_solver();
    WORKS(solver, fresh, tetropt_solver_set(fresh, "algorithm", "ga"));
    WORKS(solver, fresh, tetropt_solver_set(fresh, "param", "population=101"));
    WORKS(solver, fresh, tetropt_solver_run(fresh));
    cr_assert_eq(tetropt_solver_fitness(solver), tetropt_solver_fitness(fresh));
    /* Another algorithm has other parameters, and back again all are the defaults. */
    for (int i = 0; tetropt_algorithm_name(i); i++) {
        WORKS(solver, solver, tetropt_solver_set(solver, "algorithm", tetropt_algorithm_name(i)));
        WORKS(solver, solver, tetropt_solver_run(solver));
    }
    tetropt_solver_free(fresh);
    tetropt_solver_free(solver);
}

/* The pieces that the agent locks until the game ends, 30 at most. */
static int64_t score_of(tetropt_agent *agent) {
    tetropt_game *game = tetropt_game_new();
    WORKS(game, game, tetropt_game_start(game));
    WORKS(agent, agent, tetropt_agent_set(agent, "seed", "3"));
    WORKS(agent, agent, tetropt_agent_play(agent, game, 30, NULL, NULL));
    int64_t score = tetropt_game_score(game);
    tetropt_game_free(game);
    return score;
}

Test(library_calls, agent_parameters) {
    tetropt_agent *agent = tetropt_agent_new();
    REFUSED(agent, agent, tetropt_agent_set(agent, "param", "bees=20"));
    WORKS(agent, agent, tetropt_agent_set(agent, "agent", "bees"));
    for (int i = 0; i < 200; i++)
        WORKS(agent, agent, tetropt_agent_set(agent, "param", i % 2 ? "bees=20" : "bees=30"));
    REFUSED(agent, agent, tetropt_agent_set(agent, "param", "bees=1"));
    int64_t twenty = score_of(agent);
    WORKS(agent, agent, tetropt_agent_set(agent, "param", "bees=21"));
    WORKS(agent, agent, tetropt_agent_set(agent, "param", "limit=5"));
    WORKS(agent, agent, tetropt_agent_set(agent, "param", ""));
    WORKS(agent, agent, tetropt_agent_set(agent, "param", "bees=20"));
    cr_assert_eq(score_of(agent), twenty, "what was cleared is the default again");
    WORKS(agent, agent, tetropt_agent_set(agent, "agent", "weighted"));
    int64_t plain = score_of(agent);
    WORKS(agent, agent, tetropt_agent_set(agent, "weights", tetropt_weights_name(0)));
    WORKS(agent, agent, tetropt_agent_set(agent, "weights", ""));
    cr_assert_eq(score_of(agent), plain, "its own weights again");
    WORKS(agent, agent, tetropt_agent_set(agent, "agent", ""));
    cr_assert_eq(score_of(agent), plain, "weighted is the default");
    tetropt_agent_free(agent);
}

Test(library_calls, empty_texts_are_defaults) {
    tetropt_game *game = tetropt_game_new();
    static const char *const set[][2] = {
        {"rules", "drop"},   {"width", "4"},   {"height", "4"},     {"seed", "7"},
        {"pieces", "X"},     {"preview", "0"}, {"hold", "off"},     {"board", "#"},
        {"rotate180", "on"}, {"bonus", "on"},  {"scoring", "unit"}, {"randomizer", "list"}};
    enum { SET = sizeof set / sizeof *set };
    for (int i = 0; i < SET; i++)
        WORKS(game, game, tetropt_game_set(game, set[i][0], set[i][1]));
    REFUSED(game, game, tetropt_game_start(game));
    for (int i = 0; i < SET; i++)
        WORKS(game, game, tetropt_game_set(game, set[i][0], ""));
    WORKS(game, game, tetropt_game_start(game));
    tetropt_game *fresh = tetropt_game_new();
    WORKS(game, fresh, tetropt_game_start(fresh));
    cr_assert_eq(tetropt_game_width(game), 10);
    cr_assert_eq(tetropt_game_height(game), 20);
    cr_assert_eq(tetropt_game_current(game), tetropt_game_current(fresh));
    cr_assert_eq(tetropt_game_next(game, 0), tetropt_game_next(fresh, 0));
    cr_assert_eq(tetropt_game_placements(game, NULL, 0), tetropt_game_placements(fresh, NULL, 0));
    tetropt_game_free(fresh);
    tetropt_game_free(game);
    tetropt_solver *solver = small_solver();
    WORKS(solver, solver, tetropt_solver_set(solver, "placements", "2"));
    WORKS(solver, solver, tetropt_solver_set(solver, "target", "-1e9"));
    WORKS(solver, solver, tetropt_solver_run(solver));
    cr_assert_eq(tetropt_solver_count(solver), 2);
    cr_assert_str_eq(tetropt_solver_end(solver), "target");
    WORKS(solver, solver, tetropt_solver_set(solver, "placements", ""));
    WORKS(solver, solver, tetropt_solver_set(solver, "target", ""));
    WORKS(solver, solver, tetropt_solver_run(solver));
    cr_assert_eq(tetropt_solver_count(solver), 4);
    cr_assert_str_neq(tetropt_solver_end(solver), "target");
    tetropt_solver_free(solver);
}

/* However long what is wrong is, the message has room for why it is. */
Test(library_calls, long_texts) {
    enum { LONG = 100000 };
    static char text[LONG + 1];
    memset(text, 'T', LONG);
    tetropt_game *game = tetropt_game_new();
    REFUSED(game, game, tetropt_game_set(game, text, "1"));
    cr_assert(strstr(tetropt_game_message(game), "unknown option"));
    REFUSED(game, game, tetropt_game_set(game, "width", text));
    cr_assert(strstr(tetropt_game_message(game), "too long"));
    WORKS(game, game, tetropt_game_set(game, "pieces", text));
    WORKS(game, game, tetropt_game_start(game));
    tetropt_game_free(game);
    tetropt_agent *agent = tetropt_agent_new();
    REFUSED(agent, agent, tetropt_agent_set(agent, "agent", text));
    cr_assert(strstr(tetropt_agent_message(agent), "unknown agent"));
    text[10] = '=';
    REFUSED(agent, agent, tetropt_agent_set(agent, "param", text));
    cr_assert(strstr(tetropt_agent_message(agent), "too long"));
    REFUSED(agent, agent, tetropt_agent_set_weights(agent, text, NULL, 0));
    cr_assert(strstr(tetropt_agent_message(agent), "unknown kind"));
    tetropt_agent_free(agent);
}

/* ---- a high stack under the rules drop */

/* Rows from the top: one above the height, then the visible ones. */
static const char *board_with(char text[21 * 11 + 1], int y, const char *row) {
    text[0] = '\0';
    for (int at = 20; at >= 0; at--)
        sprintf(text + strlen(text), "%s\n", at == y ? row : "..........");
    return text;
}

Test(library_calls, a_drop_game_above_its_height_is_over) {
    char board[21 * 11 + 1];
    tetropt_game *game = drop_game(board_with(board, 19, "#........."), "IO");
    cr_assert_eq(tetropt_game_over(game), TETROPT_OVER_NOT);
    tetropt_game_free(game);
    game = drop_game(board_with(board, 20, "#........."), "IO");
    cr_assert_eq(tetropt_game_over(game), TETROPT_OVER_LOCK_OUT);
    cr_assert_eq(tetropt_game_current(game), 0);
    cr_assert_eq(tetropt_game_placements(game, NULL, 0), 0);
    FAILS(game, game, TETROPT_UNMET, tetropt_game_press(game, TETROPT_KEY_HARD_DROP));
    tetropt_agent *agent = tetropt_agent_new();
    tetropt_placement placement;
    WORKS(agent, agent, tetropt_agent_set(agent, "agent", "bcts"));
    FAILS(agent, agent, TETROPT_UNMET, tetropt_agent_choose(agent, game, &placement));
    WORKS(agent, agent, tetropt_agent_play(agent, game, 0, NULL, NULL));
    cr_assert_eq(tetropt_game_pieces(game), 0);
    tetropt_agent_free(agent);
    tetropt_game_free(game);
}

/* A bridge where pieces appear, with nothing below: a piece lies on it and does not fall through.
 */
Test(library_calls, a_drop_piece_does_not_pass_a_stack) {
    char board[21 * 11 + 1];
    tetropt_game *game = drop_game(board_with(board, 19, "...####..."), "IO");
    tetropt_game *beside = tetropt_game_copy(game);
    cr_assert_eq(tetropt_game_over(game), TETROPT_OVER_NOT);
    FAILS(game, game, TETROPT_UNMET, tetropt_game_press(game, TETROPT_KEY_SOFT_DROP));
    WORKS(game, game, tetropt_game_press(game, TETROPT_KEY_HARD_DROP));
    cr_assert_eq(tetropt_game_over(game), TETROPT_OVER_LOCK_OUT);
    for (int y = 0; y < 19; y++)
        cr_assert_eq(tetropt_game_row(game, y), 0, "row %d", y);
    tetropt_game_press(beside, TETROPT_KEY_CLOCKWISE);
    for (int i = 0; i < 8; i++)
        tetropt_game_press(beside, TETROPT_KEY_RIGHT);
    WORKS(game, beside, tetropt_game_press(beside, TETROPT_KEY_HARD_DROP));
    cr_assert_eq(tetropt_game_over(beside), TETROPT_OVER_NOT);
    cr_assert_eq(tetropt_game_row(beside, 0), 1u << 9);
    cr_assert_eq(tetropt_game_row(beside, 3), 1u << 9);
    tetropt_game_free(beside);
    tetropt_game_free(game);
}

/* ---- jobs */

Test(library_calls, null_job) {
    char text[4] = "abc";
    cr_assert_null(tetropt_job_new(NULL));
    cr_assert_null(tetropt_job_new("conquer"));
    tetropt_job_free(NULL);
    tetropt_job_stop(NULL);
    tetropt_job_on_progress(NULL, NULL, NULL);
    cr_assert_eq(tetropt_job_set(NULL, "n", "4"), TETROPT_INPUT);
    cr_assert_eq(tetropt_job_run(NULL), TETROPT_INPUT);
    cr_assert_eq(tetropt_job_document(NULL, text, sizeof text), 0);
    cr_assert_str_eq(text, "");
    cr_assert_neq(tetropt_job_message(NULL)[0], 0);
    cr_assert_null(tetropt_job_name(-1));
    for (int i = 0; tetropt_job_name(i); i++) {
        tetropt_job *job = tetropt_job_new(tetropt_job_name(i));
        cr_assert(job);
        cr_assert_eq(tetropt_job_set(job, NULL, "1"), TETROPT_INPUT);
        cr_assert_eq(tetropt_job_set(job, "seed", NULL), TETROPT_INPUT);
        cr_assert_eq(tetropt_job_set(job, "marker", "1"), TETROPT_INPUT);
        cr_assert_str_eq(tetropt_job_message(job), "marker: unknown option");
        cr_assert_eq(tetropt_job_document(job, NULL, 0), 0, "nothing ran");
        tetropt_job_free(job);
    }
}

/* Every question of `clears` is one of the job. */
Test(library_calls, clears_of_every_kind) {
    static const char opener[] = "v115@9gE8DeG8CeH8BeG8CeA8JeAgH";
    static const char *const asked[][9] = {
        {"\"solvable\":514,\"queues\":840", "find", "percent", "fumen", opener, "patterns", "*p4"},
        {"\"minimal\":{\"count\":", "find", "path", "fumen", opener, "patterns", "*p4"},
        {"\"or\":1680", "find", "cover", "solutions", "v115@vhFRQJUGJKJJvMJTNJGBJ", "patterns",
         "*p7"},
        {"\"solutions\":[{", "find", "setup", "board", "IIII......\nIIIIO.....\nIIIIO.....\n",
         "fill", "I", "margin", "O"},
        {"\"solutions\":[{", "find", "spin", "board", "GGGG......\nGGGG.....G\nGGGGG.GGGG\n",
         "patterns", "*p3"},
        {"\"probability\":", "find", "chance", "fumen", opener, "queue", "TI"},
    };
    static char document[1 << 20];
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        tetropt_job *job = tetropt_job_new("clears");
        for (int k = 1; k + 1 < 9 && asked[i][k]; k += 2)
            WORKS(job, job, tetropt_job_set(job, asked[i][k], asked[i][k + 1]));
        if (strcmp(asked[i][2], "setup") == 0)
            WORKS(job, job, tetropt_job_set(job, "patterns", "*p4"));
        WORKS(job, job, tetropt_job_run(job));
        tetropt_job_document(job, document, sizeof document);
        cr_expect(strstr(document, asked[i][0]), "%s: %.300s", asked[i][2], document);
        /* Its state has the question and the answer; that of a chance is refused. */
        static char state[1 << 20], again[1 << 20];
        cr_assert_lt(tetropt_job_state(job, state, sizeof state), sizeof state);
        tetropt_job_free(job);
        job = tetropt_job_new("clears");
        WORKS(job, job, tetropt_job_set(job, "resume", state));
        if (strcmp(asked[i][2], "chance") == 0)
            REFUSED(job, job, tetropt_job_run(job));
        else {
            WORKS(job, job, tetropt_job_run(job));
            tetropt_job_document(job, again, sizeof again);
            char *times = strstr(document, ",\"times\":"), *more = strstr(again, ",\"times\":");
            cr_assert(times && more, "%s: %.300s", asked[i][2], again);
            *times = *more = '\0';
            cr_expect_str_eq(again, document, "%s", asked[i][2]);
        }
        tetropt_job_free(job);
    }
}

static int end_at_once(void *context, uint64_t done, double best) {
    (void)best;
    *(uint64_t *)context = done;
    return 1;
}

Test(library_calls, jobs_answer_with_documents) {
    tetropt_job *job = tetropt_job_new("train");
    static const char *const options[][2] = {
        {"agent", "dt20"},    {"height", "8"},      {"games", "1"},
        {"max-pieces", "20"}, {"held-out", "1"},    {"threads", "1"},
        {"seed", "1"},        {"generations", "3"}, {"method", "cross-entropy"},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        WORKS(job, job, tetropt_job_set(job, options[i][0], options[i][1]));
    WORKS(job, job, tetropt_job_run(job));
    char whole[8192], part[10];
    size_t length = tetropt_job_document(job, whole, sizeof whole);
    cr_assert(length > 100 && length < sizeof whole);
    cr_assert_eq(tetropt_job_document(job, part, sizeof part), length);
    cr_assert_eq(memcmp(whole, part, sizeof part - 1), 0);
    cr_assert(strstr(whole, "\"weights\":[") && strstr(whole, "\"held_out\":{"), "%s", whole);
    /* The same again is the same; a stop keeps what there is, without a held-out score. */
    char again[8192];
    WORKS(job, job, tetropt_job_run(job));
    tetropt_job_document(job, again, sizeof again);
    cr_assert_str_eq(whole, again);
    uint64_t done = 0;
    tetropt_job_on_progress(job, end_at_once, &done);
    WORKS(job, job, tetropt_job_run(job));
    cr_assert_eq(done, 1);
    tetropt_job_document(job, again, sizeof again);
    cr_assert(strstr(again, "\"generations\":1,") && strstr(again, "\"held_out\":null"), "%s",
              again);
    /* What is rejected leaves no document. */
    REFUSED(job, job, tetropt_job_set(job, "games", "0"));
    WORKS(job, job, tetropt_job_set(job, "agent", "random"));
    REFUSED(job, job, tetropt_job_run(job));
    cr_assert_eq(tetropt_job_document(job, NULL, 0), 0);
    tetropt_job_free(job);
}

Test(library_calls, fumen) {
    const char *opener = "v115@9gE8DeG8CeH8BeG8CeA8JeAgH";
    char board[512], fumen[64], reason[64];
    cr_assert_eq(tetropt_fumen_pages(opener), 1);
    cr_assert_eq(tetropt_fumen_board(opener, 1, NULL, 0), 23 * 11);
    cr_assert_eq(tetropt_fumen_board(opener, 1, board, sizeof board), 23 * 11);
    cr_assert_str_eq(board + 19 * 11, "GGGGG....G\nGGGGGG...G\nGGGGGGG..G\nGGGGGG...G\n");
    cr_assert_eq(tetropt_board_fumen(board, fumen, sizeof fumen), strlen(opener));
    cr_assert_str_eq(fumen, opener);
    cr_assert_eq(tetropt_board_fumen(board, fumen, 6), strlen(opener));
    cr_assert_str_eq(fumen, "v115@", "truncated");
    /* A failure is the text. */
    cr_assert_eq(tetropt_fumen_board(opener, 2, reason, sizeof reason), 0);
    cr_assert_str_eq(reason, "page 2: the fumen has 1");
    cr_assert_eq(tetropt_fumen_board(opener, 2, reason, 7), 0);
    cr_assert_str_eq(reason, "page 2");
    cr_assert_eq(tetropt_fumen_board("v115@", 1, reason, sizeof reason), 0);
    cr_assert_neq(reason[0], '\0');
    cr_assert_eq(tetropt_board_fumen("....", reason, sizeof reason), 0);
    cr_assert_neq(reason[0], '\0');
    cr_assert_eq(tetropt_fumen_pages("nonsense"), 0);
    cr_assert_eq(tetropt_fumen_pages(NULL), 0);
    cr_assert_eq(tetropt_fumen_board(NULL, 1, reason, sizeof reason), 0);
    cr_assert_str_eq(reason, "fumen: is NULL");
    cr_assert_eq(tetropt_board_fumen(NULL, NULL, 0), 0);
}
