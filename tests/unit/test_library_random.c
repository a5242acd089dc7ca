/* Thousands of calls of the public interface in any order, with arguments that fit and arguments
 * that do not. Nothing crashes, a call that fails says why, and what is returned is within what
 * the header promises. Only what would take long is kept small. */
#include "base/rng.h"
#include "optim/registry.h"
#include "player/registry.h"
#include "scale.h"
#include "tetropt.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HANDLES = 3, PLACEMENTS = 40, KEYS = 20, TEXT_BYTES = 100 };

typedef struct Driver {
    Rng rng;
    tetropt_game *games[HANDLES];
    tetropt_agent *agents[HANDLES];
    tetropt_solver *solvers[HANDLES];
    tetropt_simulation *simulations[HANDLES];
    tetropt_placement placements[PLACEMENTS]; /* some that were listed at some time */
    char pair[100];
    int works, failures;
} Driver;

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define ANY(d, list) (list)[rng_below(&(d)->rng, COUNT(list))]
/* One of the handles; now and then NULL. */
#define HANDLE(d, kind) (rng_below(&(d)->rng, 20) ? ANY(d, (d)->kind) : NULL)

/* Makes a call of which a code comes back, and looks whether a failure says why: the message before
 * it is a known one. */
#define CALL(d, kind, handle, call)                                                                \
    do {                                                                                           \
        tetropt_##kind##_set(handle, "marker", "1");                                               \
        int code_ = (call);                                                                        \
        check_code(d, code_, tetropt_##kind##_message(handle), #call);                             \
    } while (0)

static void check_code(Driver *d, int code, const char *message, const char *call) {
    cr_assert(code >= TETROPT_OK && code <= TETROPT_INPUT, "%s: %d, %s", call, code, message);
    cr_assert(code == TETROPT_OK || (strchr(message, ':') && strncmp(message, "marker", 6) != 0),
              "%s: %s", call, message);
    d->works += code == TETROPT_OK;
    d->failures += code != TETROPT_OK;
}

/* ---- arguments */

static int any_int(Driver *d) {
    static const int absurd[] = {INT_MIN, INT_MAX, -1, 255, 256, 1 << 16, 'T'};
    return rng_below(&d->rng, 4) ? rng_between(&d->rng, 0, 20) : ANY(d, absurd);
}

static const char *any_text(Driver *d) {
    static const char *const texts[] = {"",     "0",   "1",  "2",    "4",   "10",
                                        "16",   "-1",  "17", "0.5",  "1e9", "on",
                                        "off",  "nan", "=",  "x",    "\n",  "\x01",
                                        "\xff", "TIO", "%s", "drop", "bag", "99999999999999999999"};
    static char endless[5000];
    if (rng_below(&d->rng, 10) == 0)
        return NULL;
    if (rng_below(&d->rng, 10) > 0)
        return ANY(d, texts);
    memset(endless, "T=#1."[rng_below(&d->rng, 5)], sizeof endless - 1);
    return endless;
}

/* NAME=VALUE for one of a table of parameters, small where it is legal. */
static const char *any_parameter(Driver *d, OptionTable table) {
    static const char *const values[] = {"1", "2", "5", "0.5", "", "-1", "x", "1e99"};
    const char *name = table.count && rng_below(&d->rng, 8)
                           ? table.rows[rng_below(&d->rng, (uint32_t)table.count)].name
                           : "none";
    snprintf(d->pair, sizeof d->pair, "%s=%s", name, ANY(d, values));
    return rng_below(&d->rng, 10) ? d->pair : any_text(d);
}

/* A value that may fit, or any. */
#define FITTING(d, list) (rng_below(&(d)->rng, 4) ? ANY(d, list) : any_text(d))

typedef struct Choice {
    const char *option;
    const char *values[6];
} Choice;

static const char *of_choice(Driver *d, const Choice *choice) {
    return FITTING(d, choice->values);
}

/* ---- a game */

static const char *any_board(Driver *d) {
    static char text[60 * 17 + 1];
    int width = rng_below(&d->rng, 3) ? 10 : rng_between(&d->rng, 3, 16), length = 0;
    for (int y = rng_between(&d->rng, 0, rng_below(&d->rng, 4) ? 19 : 59); y >= 0; y--) {
        for (int x = 0; x < width; x++)
            text[length++] = "..#"[rng_below(&d->rng, 3)];
        text[length++] = '\n';
    }
    text[length] = '\0';
    return text;
}

static void set_game(Driver *d) {
    static const Choice choices[] = {
        {"rules", {"guideline", "drop", "drop", "", "none", "1"}},
        {"width", {"4", "10", "10", "", "16", "17"}},
        {"height", {"4", "6", "20", "", "40", "3"}},
        {"seed", {"0", "1", "9000000000000000000", "", "-1", "9e18"}},
        {"randomizer", {"bag", "uniform", "list", "", "sz", "sz-random"}},
        {"pieces", {"T", "TIOLJSZ", "iotszjl", "", "X", "T,T"}},
        {"preview", {"0", "1", "14", "", "15", "5"}},
        {"hold", {"on", "off", "on", "", "maybe", "1"}},
        {"rotate180", {"on", "off", "on", "", "maybe", "1"}},
        {"kicks", {"srs", "srs-plus", "srs-plus", "", "none", "1"}},
        {"spins", {"t", "all", "all", "", "none", "1"}},
        {"scoring", {"unit", "guideline", "classic", "", "local-search", "none"}},
        {"bonus", {"on", "off", "on", "", "maybe", "1"}},
        {"none", {"1", "", "1", "1", "1", "1"}},
        {NULL, {"1", "", "1", "1", "1", "1"}},
    };
    const Choice *choice = &ANY(d, choices);
    tetropt_game *game = HANDLE(d, games);
    if (rng_below(&d->rng, 8))
        CALL(d, game, game, tetropt_game_set(game, choice->option, of_choice(d, choice)));
    else
        CALL(d, game, game,
             tetropt_game_set(game, "board", rng_below(&d->rng, 2) ? any_board(d) : ""));
}

static void start_game(Driver *d) {
    tetropt_game *game = HANDLE(d, games);
    CALL(d, game, game, tetropt_game_start(game));
}

static void copy_game(Driver *d) {
    tetropt_game *game = HANDLE(d, games), *from = HANDLE(d, games);
    if (rng_below(&d->rng, 2)) {
        CALL(d, game, game, tetropt_game_assign(game, from));
        return;
    }
    tetropt_game *copy = tetropt_game_copy(from);
    cr_assert_eq(copy == NULL, from == NULL);
    tetropt_game **place = &ANY(d, d->games);
    if (!copy)
        return;
    tetropt_game_free(*place);
    *place = copy;
}

static bool is_piece(int letter) {
    return letter == 0 || (letter > 0 && strchr("IOTSZJL", letter));
}

static void look_at_game(Driver *d) {
    const tetropt_game *game = HANDLE(d, games);
    char text[TEXT_BYTES];
    int width = tetropt_game_width(game), height = tetropt_game_height(game);
    size_t bytes = rng_below(&d->rng, TEXT_BYTES + 1);
    size_t length = tetropt_game_text(game, rng_below(&d->rng, 8) ? text : NULL, bytes);
    cr_assert_geq(length, (size_t)(game ? (width + 1) * height : 0));
    cr_assert_lt(tetropt_game_row(game, any_int(d)), 1u << 16);
    cr_assert_leq(tetropt_game_cell(game, any_int(d), any_int(d)), 1);
    cr_assert(is_piece(tetropt_game_current(game)) && is_piece(tetropt_game_held(game)) &&
              is_piece(tetropt_game_next(game, any_int(d))));
    cr_assert(tetropt_game_score(game) >= 0 && tetropt_game_lines(game) >= 0 &&
              tetropt_game_pieces(game) >= 0);
    cr_assert(tetropt_game_over(game) >= 0 && tetropt_game_over(game) <= TETROPT_OVER_NO_PIECES);
}

static void list_placements(Driver *d) {
    const tetropt_game *game = HANDLE(d, games);
    bool null = rng_below(&d->rng, 8) == 0;
    int capacity = null ? any_int(d) : rng_between(&d->rng, -1, PLACEMENTS);
    int count = tetropt_game_placements(game, null ? NULL : d->placements, capacity);
    cr_assert_geq(count, 0);
}

/* One that was listed, perhaps changed. */
static const tetropt_placement *any_placement(Driver *d) {
    static tetropt_placement changed;
    if (rng_below(&d->rng, 20) == 0)
        return NULL;
    changed = ANY(d, d->placements);
    int *fields[] = {&changed.piece, &changed.rotation, &changed.x,
                     &changed.y,     &changed.spin,     &changed.hold};
    if (rng_below(&d->rng, 3) == 0)
        *ANY(d, fields) = any_int(d);
    return &changed;
}

static void place(Driver *d) {
    tetropt_game *game = HANDLE(d, games);
    const tetropt_placement *placement = any_placement(d);
    int keys[KEYS], x[4], y[4];
    tetropt_placement_cells(placement, rng_below(&d->rng, 9) ? x : NULL, y);
    bool null = rng_below(&d->rng, 8) == 0;
    int count = tetropt_game_keys(game, placement, null ? NULL : keys,
                                  null ? any_int(d) : rng_between(&d->rng, -1, KEYS));
    cr_assert_geq(count, -1);
    CALL(d, game, game, tetropt_game_place(game, placement));
}

static void press(Driver *d) {
    tetropt_game *game = HANDLE(d, games);
    int key = rng_below(&d->rng, 8) ? rng_between(&d->rng, 0, 7) : any_int(d);
    CALL(d, game, game, tetropt_game_press(game, key));
}

/* ---- an agent */

static void set_agent(Driver *d) {
    static const char *const seeds[] = {"0", "1", "", "-1"};
    tetropt_agent *agent = HANDLE(d, agents);
    const Agent *some = agent_at((int)rng_below(&d->rng, (uint32_t)agent_count()));
    switch (rng_below(&d->rng, 6)) {
    case 0:
        CALL(d, agent, agent,
             tetropt_agent_set(agent, "agent", rng_below(&d->rng, 9) ? some->name : any_text(d)));
        return;
    case 1:
        CALL(d, agent, agent, tetropt_agent_set(agent, "seed", FITTING(d, seeds)));
        return;
    case 2:
        CALL(d, agent, agent,
             tetropt_agent_set(agent, "weights",
                               rng_below(&d->rng, 2) ? tetropt_weights_name(any_int(d)) : ""));
        return;
    case 3:
        CALL(d, agent, agent, tetropt_agent_set(agent, any_text(d), any_text(d)));
        return;
    }
    CALL(d, agent, agent, tetropt_agent_set(agent, "param", any_parameter(d, some->parameters)));
}

static void set_weights(Driver *d) {
    static const char *const kinds[] = {"literature", "local", "placement", "stack",
                                        "surface",    "none",  NULL};
    static const double absurd[] = {0, -1e300, 1e300, INFINITY, NAN};
    double weights[64];
    const char *kind = ANY(d, kinds);
    int count = 0;
    while (tetropt_feature_name(kind, count))
        count++;
    bool small = count <= (int)COUNT(weights);
    for (int i = 0; small && i < count; i++)
        weights[i] = rng_below(&d->rng, 60) ? rng_real(&d->rng) - 0.5 : ANY(d, absurd);
    if (rng_below(&d->rng, 6) == 0)
        count = -count - (int)rng_below(&d->rng, 2);
    tetropt_agent *agent = HANDLE(d, agents);
    bool null = !small || rng_below(&d->rng, 8) == 0;
    CALL(d, agent, agent, tetropt_agent_set_weights(agent, kind, null ? NULL : weights, count));
}

static void choose(Driver *d) {
    tetropt_agent *agent = HANDLE(d, agents);
    const tetropt_game *game = HANDLE(d, games);
    CALL(d, agent, agent,
         tetropt_agent_choose(agent, game, rng_below(&d->rng, 8) ? &d->placements[0] : NULL));
}

/* After a few pieces, at times after changing what it is told of. */
static int watch(void *context, const tetropt_game *game) {
    Driver *d = context;
    cr_assert(game);
    if (rng_below(&d->rng, 4) == 0)
        set_agent(d);
    if (rng_below(&d->rng, 8) == 0)
        start_game(d);
    return rng_below(&d->rng, 3) == 0;
}

static void play(Driver *d) {
    static const int64_t limits[] = {1, 2, 3, 5, -1, INT64_MIN};
    tetropt_agent *agent = HANDLE(d, agents);
    tetropt_game *game = HANDLE(d, games);
    if (rng_below(&d->rng, 2)) { /* something to be played, and weights that every agent takes */
        tetropt_game_set(game, "board", "");
        tetropt_game_set(game, "pieces", "");
        tetropt_game_set(game, "randomizer", "");
        tetropt_game_start(game);
        tetropt_agent_set(agent, "weights", "");
    }
    CALL(d, agent, agent,
         tetropt_agent_play(agent, game, ANY(d, limits), rng_below(&d->rng, 2) ? watch : NULL, d));
}

/* ---- a solver */

static void set_solver(Driver *d) {
    static const Choice choices[] = {
        {"pieces", {"T", "TIOLJSZ", "iotszjlioo", "", "X", "TIOLJSZTIOLJSZTIO"}},
        {"placements", {"1", "2", "5", "", "1001", "0"}},
        {"width", {"4", "10", "10", "", "16", "17"}},
        {"height", {"4", "6", "20", "", "40", "3"}},
        {"encoding", {"simple", "double", "swap-simple", "", "placements", "none"}},
        {"hold", {"on", "off", "on", "", "maybe", "1"}},
        {"profile", {"blocks", "rows", "pieces", "", "tetrises", "height"}},
        {"seed", {"0", "1", "5", "", "-1", "9e18"}},
        {"time", {"0", "1", "5", "", "-1", "1e99"}},
        {"target", {"0", "-1e300", "1e300", "", "inf", "nan"}},
        {"threads", {"1", "2", "1", "", "0", "257"}},
        {NULL, {"1", "", "1", "1", "1", "1"}},
    };
    const Choice *choice = &ANY(d, choices);
    tetropt_solver *solver = HANDLE(d, solvers);
    const Optimiser *some = optim_at(rng_below(&d->rng, (uint32_t)optim_count()));
    switch (rng_below(&d->rng, 8)) {
    case 0:
        CALL(d, solver, solver, tetropt_solver_set(solver, "algorithm", some->name));
        return;
    case 1:
        CALL(d, solver, solver, tetropt_solver_set(solver, any_text(d), any_text(d)));
        return;
    case 2:
        CALL(d, solver, solver,
             tetropt_solver_set(solver, "board", rng_below(&d->rng, 2) ? any_board(d) : ""));
        return;
    case 3:
    case 4:
        CALL(d, solver, solver,
             tetropt_solver_set(solver, "param", any_parameter(d, some->parameters)));
        return;
    }
    CALL(d, solver, solver, tetropt_solver_set(solver, choice->option, of_choice(d, choice)));
}

static void look_at_solver(Driver *d) {
    tetropt_solver *solver = HANDLE(d, solvers);
    tetropt_placement placement;
    int keys[KEYS], index = any_int(d);
    char text[TEXT_BYTES];
    CALL(d, solver, solver,
         tetropt_solver_placement(solver, index, rng_below(&d->rng, 9) ? &placement : NULL));
    bool null = rng_below(&d->rng, 8) == 0;
    cr_assert_geq(tetropt_solver_keys(solver, index, null ? NULL : keys, null ? INT_MAX : KEYS),
                  -1);
    tetropt_solver_text(solver, null ? NULL : text, rng_below(&d->rng, TEXT_BYTES + 1));
    cr_assert_not_null(tetropt_solver_end(solver));
    cr_assert_geq(tetropt_solver_lines(solver), 0);
    cr_assert_geq(tetropt_solver_count(solver), 0);
    cr_assert(!isnan(tetropt_solver_fitness(solver)));
    cr_assert(tetropt_solver_perfect_clear(solver) <= 1 && tetropt_solver_optimal(solver) <= 1);
    tetropt_solver_evaluations(solver);
}

static int progress(void *context, uint64_t evaluations, double best) {
    (void)evaluations, (void)best;
    Driver *d = context;
    set_solver(d);
    look_at_solver(d);
    return rng_below(&d->rng, 2) == 0;
}

static void solve(Driver *d) {
    tetropt_solver *solver = HANDLE(d, solvers);
    tetropt_solver_set(solver, "evaluations", "300");
    if (rng_below(&d->rng, 4)) { /* what else is hardly ever right at the same time */
        tetropt_solver_set(solver, "pieces", "TIOLJSZ");
        tetropt_solver_set(solver, "placements", "");
        tetropt_solver_set(solver, "board", "");
    }
    tetropt_solver_on_progress(solver, rng_below(&d->rng, 2) ? progress : NULL, d);
    if (rng_below(&d->rng, 8) == 0)
        tetropt_solver_stop(solver);
    CALL(d, solver, solver, tetropt_solver_run(solver));
}

/* ---- a simulation */

static void set_simulation(Driver *d) {
    static const Choice choices[] = {
        {"games", {"1", "2", "1000000000", "", "0", "1e9"}},
        {"max-pieces", {"1", "5", "1000000000", "", "0", "1e99"}},
        {"total-pieces", {"0", "5", "1000000000", "", "1", "-1"}},
        {"time", {"0", "1", "5", "", "-1", "1e99"}},
        {"threads", {"1", "2", "1", "", "0", "257"}},
        {"none", {"1", "", "1", "1", "1", "1"}},
        {NULL, {"1", "", "1", "1", "1", "1"}},
    };
    const Choice *choice = &ANY(d, choices);
    tetropt_simulation *simulation = HANDLE(d, simulations);
    CALL(d, simulation, simulation,
         tetropt_simulation_set(simulation, choice->option, of_choice(d, choice)));
}

static void simulate(Driver *d) {
    tetropt_simulation *simulation = HANDLE(d, simulations);
    tetropt_simulation_set(simulation, "games", "2");
    tetropt_simulation_set(simulation, "max-pieces", "4");
    tetropt_simulation_set(simulation, "total-pieces", rng_below(&d->rng, 2) ? "" : "100");
    if (rng_below(&d->rng, 8) == 0)
        tetropt_simulation_stop(simulation);
    CALL(d, simulation, simulation,
         tetropt_simulation_run(simulation, HANDLE(d, agents), HANDLE(d, games)));
}

static void look_at_simulation(Driver *d) {
    static const char *const measures[] = {"score", "lines",    "pieces", "level",
                                           "holes", "tetrises", "none",   NULL};
    tetropt_simulation *simulation = HANDLE(d, simulations);
    double mean, low, high;
    CALL(d, simulation, simulation,
         tetropt_simulation_mean(simulation, ANY(d, measures), rng_below(&d->rng, 9) ? &mean : NULL,
                                 rng_below(&d->rng, 2) ? &low : NULL,
                                 rng_below(&d->rng, 2) ? &high : NULL));
    cr_assert_geq(tetropt_simulation_games(simulation), 0);
    cr_assert_geq(tetropt_simulation_pieces(simulation), 0);
    cr_assert_geq(tetropt_simulation_lines(simulation), 0);
    cr_assert_geq(tetropt_simulation_deaths(simulation), 0);
}

/* ---- all of it */

static void names(Driver *d) {
    int index = any_int(d);
    cr_assert_eq(tetropt_key_name(index) != NULL, index >= 0 && index < 8);
    tetropt_agent_name(index);
    tetropt_weights_name(index);
    tetropt_algorithm_name(index);
    tetropt_feature_name(any_text(d), index);
}

#define RENEW(d, kind, place)                                                                      \
    do {                                                                                           \
        tetropt_##kind##_free(*(place));                                                           \
        *(place) = tetropt_##kind##_new();                                                         \
        cr_assert_str_eq(tetropt_##kind##_message(*(place)), "");                                  \
    } while (0)

static void renew(Driver *d) {
    uint32_t at = rng_below(&d->rng, HANDLES);
    switch (rng_below(&d->rng, 4)) {
    case 0:
        RENEW(d, game, &d->games[at]);
        return;
    case 1:
        RENEW(d, agent, &d->agents[at]);
        return;
    case 2:
        RENEW(d, solver, &d->solvers[at]);
        return;
    default:
        RENEW(d, simulation, &d->simulations[at]);
    }
}

static void release(Driver *d) {
    for (int i = 0; i < HANDLES; i++) {
        tetropt_game_free(d->games[i]);
        tetropt_agent_free(d->agents[i]);
        tetropt_solver_free(d->solvers[i]);
        tetropt_simulation_free(d->simulations[i]);
    }
}

Test(library_random, any_calls_in_any_order) {
    /* As often as they stand here. */
    static void (*const calls[])(Driver *) = {
        set_game,
        set_game,
        start_game,
        start_game,
        copy_game,
        look_at_game,
        place,
        place,
        list_placements,
        list_placements,
        press,
        press,
        press,
        set_agent,
        set_agent,
        set_weights,
        choose,
        choose,
        play,
        set_solver,
        set_solver,
        look_at_solver,
        solve,
        set_simulation,
        simulate,
        look_at_simulation,
        names,
        start_game,
        press,
        place,
    };
    int count = scaled(20000);
    Driver d = {0};
    rng_init(&d.rng, 2026, 0);
    for (int i = 0; i < 400; i++) /* until there is one of each in every place */
        renew(&d);
    for (int i = 0; i < HANDLES; i++)
        cr_assert(d.games[i] && d.agents[i] && d.solvers[i] && d.simulations[i]);
    for (int i = 0; i < count; i++) {
        ANY(&d, calls)(&d);
        if (rng_below(&d.rng, 400) == 0)
            renew(&d);
    }
    if (count >= 1000) { /* neither everything is refused nor everything taken */
        cr_assert_gt(d.works, count / 10);
        cr_assert_gt(d.failures, count / 10);
    }
    release(&d);
}
