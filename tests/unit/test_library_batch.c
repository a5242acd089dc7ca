/* Problems, searches and environments of tetropt.h used wrongly: NULL in every place, and thousands
 * of calls in any order with arguments that fit and arguments that do not. Nothing crashes, and
 * what fails says why. */
#include "base/rng.h"
#include "scale.h"
#include "tetropt.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- NULL */

Test(library_batch, null_problem) {
    int16_t genes[8] = {0};
    int8_t narrow[8] = {0};
    double fitness;
    int low, high;
    char text[8] = "before";
    cr_assert_null(tetropt_problem_new(NULL));
    cr_assert_eq(tetropt_problem_set(NULL, "n", "1"), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_genes(NULL), 0);
    cr_assert_eq(tetropt_problem_range(NULL, 0, &low, &high), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_evaluate(NULL, narrow, 1, &fitness, 1), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_evaluate16(NULL, genes, 1, &fitness, 1), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_document(NULL, genes, text, sizeof text), 0);
    cr_assert_str_eq(text, "");
    cr_assert_eq(tetropt_problem_random(NULL, 1, 1, genes), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_neighbour(NULL, genes, 1, genes), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_cross(NULL, genes, genes, 1, genes), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_mutate(NULL, genes, 0.5, 1, genes), TETROPT_INPUT);
    cr_assert_str_eq(tetropt_problem_message(NULL), "handle: is NULL");
    tetropt_problem_free(NULL);
}

Test(library_batch, null_for_a_problem) {
    int16_t genes[8] = {0};
    int8_t narrow[8] = {0};
    double fitness;
    int low;
    tetropt_problem *problem = tetropt_problem_new("queens");
    cr_assert_eq(tetropt_problem_set(problem, NULL, "8"), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_set(problem, "n", NULL), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_range(problem, 0, NULL, &low), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_range(problem, 0, &low, NULL), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_range(problem, 8, &low, &low), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_evaluate(problem, NULL, 1, &fitness, 1), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_evaluate(problem, narrow, 1, NULL, 1), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_evaluate(problem, NULL, 0, NULL, 1), TETROPT_OK, "no rows");
    cr_assert_eq(tetropt_problem_evaluate16(problem, genes, SIZE_MAX / 2, &fitness, 1),
                 TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_evaluate(problem, narrow, 0, &fitness, 257), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_document(problem, NULL, NULL, 0), 0);
    cr_assert_eq(tetropt_problem_random(problem, 1, 1, NULL), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_random(problem, 1, 1, genes), TETROPT_OK);
    cr_assert_gt(tetropt_problem_document(problem, genes, NULL, 0), 0);
    cr_assert_eq(tetropt_problem_neighbour(problem, NULL, 1, genes), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_neighbour(problem, genes, 1, NULL), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_cross(problem, NULL, genes, 1, genes), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_cross(problem, genes, NULL, 1, genes), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_cross(problem, genes, genes, 1, NULL), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_mutate(problem, NULL, 1, 1, genes), TETROPT_INPUT);
    cr_assert_eq(tetropt_problem_mutate(problem, genes, 1, 1, NULL), TETROPT_INPUT);
    cr_assert_str_neq(tetropt_problem_message(problem), "");
    tetropt_problem_free(problem);
}

Test(library_batch, null_search) {
    int16_t genes[8];
    double fitness = 0;
    tetropt_problem *problem = tetropt_problem_new("queens");
    cr_assert_null(tetropt_search_new(NULL, "ga"));
    cr_assert_null(tetropt_search_new(problem, NULL));
    cr_assert_null(tetropt_search_new(problem, "none"));
    cr_assert_eq(tetropt_search_set(NULL, "seed", "1"), TETROPT_INPUT);
    cr_assert_eq(tetropt_search_ask(NULL, genes, 1), -1);
    cr_assert_eq(tetropt_search_tell(NULL, &fitness, 1), TETROPT_INPUT);
    cr_assert_eq(tetropt_search_run(NULL), TETROPT_INPUT);
    tetropt_search_on_progress(NULL, NULL, NULL);
    tetropt_search_stop(NULL);
    cr_assert_eq(tetropt_search_best(NULL, genes, &fitness), TETROPT_INPUT);
    cr_assert_eq(tetropt_search_evaluations(NULL), 0);
    cr_assert_str_eq(tetropt_search_end(NULL), "");
    cr_assert_str_eq(tetropt_search_message(NULL), "handle: is NULL");
    tetropt_search_free(NULL);
    tetropt_search *search = tetropt_search_new(problem, "hill");
    cr_assert_eq(tetropt_search_set(search, NULL, "1"), TETROPT_INPUT);
    cr_assert_eq(tetropt_search_set(search, "seed", NULL), TETROPT_INPUT);
    cr_assert_str_eq(tetropt_search_end(search), "");
    cr_assert_eq(tetropt_search_ask(search, NULL, 0), 1);
    cr_assert_eq(tetropt_search_ask(search, genes, 5), 1);
    cr_assert_eq(tetropt_search_tell(search, NULL, 1), TETROPT_INPUT);
    tetropt_search_free(search);
    tetropt_problem_free(problem);
}

Test(library_batch, null_env) {
    tetropt_env_layout layout;
    tetropt_env_buffers buffers = {0};
    tetropt_env_info info;
    int32_t action = 0;
    cr_assert_null(tetropt_env_new(0));
    cr_assert_null(tetropt_env_new(INT_MAX));
    cr_assert_eq(tetropt_env_set(NULL, "width", "10"), TETROPT_INPUT);
    cr_assert_eq(tetropt_env_sizes(NULL, &layout), TETROPT_INPUT);
    cr_assert_eq(tetropt_env_bind(NULL, &buffers), TETROPT_INPUT);
    cr_assert_eq(tetropt_env_reset(NULL, NULL), TETROPT_INPUT);
    cr_assert_eq(tetropt_env_step(NULL, &action), TETROPT_INPUT);
    cr_assert_eq(tetropt_env_look(NULL, 0, &info), TETROPT_INPUT);
    cr_assert_eq(tetropt_env_placements(NULL, 0, NULL, 0), 0);
    cr_assert_str_eq(tetropt_env_message(NULL), "handle: is NULL");
    tetropt_env_free(NULL);
    tetropt_env *env = tetropt_env_new(1);
    cr_assert_eq(tetropt_env_set(env, NULL, "1"), TETROPT_INPUT);
    cr_assert_eq(tetropt_env_set(env, "width", NULL), TETROPT_INPUT);
    cr_assert_eq(tetropt_env_sizes(env, NULL), TETROPT_INPUT);
    cr_assert_eq(tetropt_env_bind(env, NULL), TETROPT_INPUT);
    cr_assert_eq(tetropt_env_bind(env, &buffers), TETROPT_INPUT);
    cr_assert_eq(tetropt_env_reset(env, NULL), TETROPT_INPUT, "nothing is bound");
    cr_assert_eq(tetropt_env_step(env, &action), TETROPT_INPUT);
    cr_assert_eq(tetropt_env_look(env, 0, &info), TETROPT_INPUT);
    cr_assert_str_neq(tetropt_env_message(env), "");
    tetropt_env_free(env);
    int x, y, rotation;
    tetropt_game *game = tetropt_game_new();
    cr_assert_eq(tetropt_game_position(NULL, &x, &y, &rotation), TETROPT_INPUT);
    cr_assert_eq(tetropt_game_position(game, &x, &y, &rotation), TETROPT_INPUT, "not started");
    cr_assert_eq(tetropt_game_start(game), TETROPT_OK);
    cr_assert_eq(tetropt_game_position(game, NULL, &y, &rotation), TETROPT_INPUT);
    cr_assert_eq(tetropt_game_position(game, &x, &y, &rotation), TETROPT_OK);
    cr_assert(x == 4 && y == 19 && rotation == 0);
    tetropt_game_free(game);
    cr_assert_eq(tetropt_job_state(NULL, NULL, 0), 0);
}

/* ---- any calls in any order */

enum { HANDLES = 3, GENES_MAX = 8000, ROWS = 8, GAMES = 3 };

typedef struct Driver {
    Rng rng;
    tetropt_problem *problems[HANDLES];
    tetropt_search *searches[HANDLES];
    tetropt_env *envs[HANDLES];
    tetropt_env_layout layouts[HANDLES]; /* games 0: not known since an option was set */
    void *memory[HANDLES][6];            /* what is bound */
    int works, failures;
} Driver;

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define ANY(d, list) (list)[rng_below(&(d)->rng, COUNT(list))]

static int16_t rows[ROWS * GENES_MAX];
static double values[ROWS];

static void note(Driver *d, int code, const char *message) {
    cr_assert(code >= TETROPT_OK && code <= TETROPT_INPUT, "%d: %s", code, message);
    cr_assert(code == TETROPT_OK || strchr(message, ':'), "%s", message);
    d->works += code == TETROPT_OK;
    d->failures += code != TETROPT_OK;
}

static int custom(void *context, const int16_t *genes, size_t count, double *fitness) {
    Driver *d = context;
    for (size_t i = 0; i < count; i++)
        fitness[i] = rng_below(&d->rng, 2000) ? genes[2 * i] : NAN;
    return rng_below(&d->rng, 2000) == 0;
}

static void renew_problem(Driver *d) {
    static const char *const kinds[] = {"tetris", "tetris", "queens", "sat"};
    static const int low[] = {-5, 0}, high[] = {5, 300};
    tetropt_problem **place = &ANY(d, d->problems);
    tetropt_problem_free(*place);
    *place = rng_below(&d->rng, 4) ? tetropt_problem_new(ANY(d, kinds))
                                   : tetropt_problem_custom(2, low, high, custom, d);
    cr_assert_not_null(*place);
}

static void set_problem(Driver *d) {
    static const char *const names[] = {"pieces", "n",         "encoding", "width", "clauses",
                                        "order",  "variables", "profile",  "board", "algorithm"};
    static const char *const texts[] = {"TIOLJSZ", "8",    "12",         "simple", "swap-double",
                                        "5",       "rows", "published",  "",       "none",
                                        "-1",      "on",   "placements", "100",    "..#"};
    tetropt_problem *problem = ANY(d, d->problems);
    note(d, tetropt_problem_set(problem, ANY(d, names), ANY(d, texts)),
         tetropt_problem_message(problem));
}

static void use_problem(Driver *d) {
    tetropt_problem *problem = ANY(d, d->problems);
    int genes = tetropt_problem_genes(problem);
    if (genes == 0 || genes > GENES_MAX)
        return;
    uint64_t seed = rng_next(&d->rng);
    note(d, tetropt_problem_random(problem, seed, ROWS, rows), tetropt_problem_message(problem));
    if (rng_below(&d->rng, 4) == 0) /* perhaps out of range */
        rows[rng_below(&d->rng, (uint32_t)(ROWS * genes))] = (int16_t)rng_between(&d->rng, -20, 20);
    char text[300];
    switch (rng_below(&d->rng, 5)) {
    case 0:
        tetropt_problem_document(problem, rows, text, rng_below(&d->rng, sizeof text));
        return;
    case 1:
        note(d, tetropt_problem_neighbour(problem, rows, seed, rows + genes),
             tetropt_problem_message(problem));
        return;
    case 2:
        note(d, tetropt_problem_cross(problem, rows, rows + genes, seed, rows),
             tetropt_problem_message(problem));
        return;
    case 3:
        note(d, tetropt_problem_mutate(problem, rows, rng_real(&d->rng) * 1.2, seed, rows),
             tetropt_problem_message(problem));
        return;
    }
    note(d, tetropt_problem_evaluate16(problem, rows, ROWS, values, rng_between(&d->rng, 0, 3)),
         tetropt_problem_message(problem));
}

static void renew_search(Driver *d) {
    static const char *const algorithms[] = {"ga", "sa", "abc", "hill", "hybrid", "auto", "beam"};
    tetropt_search **place = &ANY(d, d->searches);
    tetropt_search_free(*place);
    *place = tetropt_search_new(ANY(d, d->problems), ANY(d, algorithms));
    if (!*place)
        return;
    note(d, tetropt_search_set(*place, "evaluations", "300"), tetropt_search_message(*place));
    if (rng_below(&d->rng, 2))
        note(d, tetropt_search_set(*place, "population", rng_below(&d->rng, 2) ? "10" : "x"),
             tetropt_search_message(*place));
}

static void use_search(Driver *d) {
    tetropt_search *search = ANY(d, d->searches);
    double best;
    if (!search)
        return;
    switch (rng_below(&d->rng, 12)) {
    case 0:
        note(d, tetropt_search_run(search), tetropt_search_message(search));
        return;
    case 1:
        tetropt_search_stop(search);
        return;
    case 2:
        note(d, tetropt_search_best(search, NULL, &best), tetropt_search_message(search));
        return;
    case 3:
        cr_assert_not_null(tetropt_search_end(search));
        tetropt_search_evaluations(search);
        return;
    }
    size_t capacity = rng_below(&d->rng, ROWS + 1);
    int64_t count = tetropt_search_ask(search, rows, capacity);
    if (count <= 0 || capacity == 0)
        return;
    cr_assert_leq(count, (int64_t)capacity);
    for (int i = 0; i < ROWS; i++)
        values[i] = rng_below(&d->rng, 50) ? rng_real(&d->rng) : INFINITY;
    size_t told = rng_below(&d->rng, 10) ? (size_t)count : rng_below(&d->rng, ROWS);
    note(d, tetropt_search_tell(search, values, told), tetropt_search_message(search));
}

static void set_env(Driver *d) {
    static const char *const names[] = {"actions", "observation", "pieces-as", "rules",  "width",
                                        "height",  "autoreset",   "preview",   "pieces", "gravity",
                                        "reward",  "max-pieces",  "board",     "bonus",  "none"};
    static const char *const texts[] = {
        "keys", "reachable", "bits", "float", "features",  "drop",       "one-hot",
        "4",    "16",        "7",    "off",   "same-step", "TIO",        "",
        "0",    "-1",        "unit", "on",    "next-step", "####....##", "planes"};
    uint32_t at = rng_below(&d->rng, HANDLES);
    int code = tetropt_env_set(d->envs[at], ANY(d, names), ANY(d, texts));
    note(d, code, tetropt_env_message(d->envs[at]));
}

static void bind_env(Driver *d) {
    uint32_t at = rng_below(&d->rng, HANDLES);
    tetropt_env *env = d->envs[at];
    tetropt_env_layout *layout = &d->layouts[at];
    int code = tetropt_env_sizes(env, layout);
    note(d, code, tetropt_env_message(env));
    if (code != TETROPT_OK)
        return;
    size_t sizes[] = {layout->observation_bytes, layout->observation_bytes, layout->reward_bytes,
                      layout->flag_bytes,        layout->flag_bytes,        layout->mask_bytes};
    void *old[COUNT(sizes)];
    for (size_t i = 0; i < COUNT(sizes); i++) {
        old[i] = d->memory[at][i];
        d->memory[at][i] = malloc(sizes[i]);
    }
    void **memory = d->memory[at];
    bool masks = rng_below(&d->rng, 2);
    tetropt_env_buffers buffers = {memory[0], masks ? memory[1] : NULL, memory[2], memory[3],
                                   memory[4], masks ? memory[5] : NULL};
    note(d, tetropt_env_bind(env, &buffers), tetropt_env_message(env));
    for (size_t i = 0; i < COUNT(sizes); i++)
        free(old[i]);
    note(d, tetropt_env_reset(env, NULL), tetropt_env_message(env));
}

static void use_env(Driver *d) {
    uint32_t at = rng_below(&d->rng, HANDLES);
    tetropt_env *env = d->envs[at];
    tetropt_env_info info;
    tetropt_placement placements[20];
    int32_t actions[GAMES];
    for (int step = 0; step < 20; step++) {
        for (int i = 0; i < GAMES; i++)
            actions[i] = rng_between(&d->rng, rng_below(&d->rng, 100) ? 0 : -1, 8);
        note(d, tetropt_env_step(env, actions), tetropt_env_message(env));
    }
    note(d, tetropt_env_look(env, rng_between(&d->rng, -1, GAMES), &info),
         tetropt_env_message(env));
    cr_assert_geq(tetropt_env_placements(env, rng_between(&d->rng, -1, GAMES), placements, 20), 0);
}

Test(library_batch, any_calls_in_any_order) {
    static void (*const calls[])(Driver *) = {
        renew_problem, set_problem, use_problem, use_problem, renew_search, use_search, use_search,
        use_search,    use_search,  use_search,  set_env,     bind_env,     use_env,    use_env};
    static Driver d;
    for (uint64_t seed = 0; seed < 4; seed++) {
        d = (Driver){0};
        rng_init(&d.rng, 77, seed);
        for (int i = 0; i < HANDLES; i++) {
            d.problems[i] = tetropt_problem_new("tetris");
            d.envs[i] = tetropt_env_new(GAMES);
        }
        for (int i = 0; i < scaled(4000); i++)
            ANY(&d, calls)(&d);
        for (int i = 0; i < HANDLES; i++) {
            tetropt_search_free(d.searches[i]);
            tetropt_problem_free(d.problems[i]);
            tetropt_env_free(d.envs[i]);
            for (int k = 0; k < 6; k++)
                free(d.memory[i][k]);
        }
        cr_assert(d.works > 0 && d.failures > 0);
    }
}
