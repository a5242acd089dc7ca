/* Agents that are functions of the caller: what they see, that all jobs take them, and that
 * invalid definitions are rejected. */
#include "tetropt.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKS(kind, handle, call)                                                                  \
    cr_assert_eq(call, TETROPT_OK, "%s: %s", #call, tetropt_##kind##_message(handle))

/* ---- choose */

static char given[] = "context";

/* The placement whose cells are lowest, the first of equals. */
static int lowest(void *context, const tetropt_view *view) {
    cr_assert_eq(context, (void *)given);
    cr_assert(view->width == 10 && view->height == 20 && view->placement_count > 0);
    cr_assert_eq(strlen(view->queue), 2);
    int best = 0, least = 1000;
    for (int i = 0; i < view->placement_count; i++) {
        int x[4], y[4], sum = 0;
        cr_assert_eq(tetropt_placement_cells(&view->placements[i], x, y), TETROPT_OK);
        for (int k = 0; k < 4; k++) {
            sum += y[k];
            cr_assert_eq(view->columns[x[k]] >> y[k] & 1, 0, "the place is free");
        }
        if (sum < least) {
            least = sum;
            best = i;
        }
    }
    return best;
}

static int never(void *context, const tetropt_view *view) {
    (void)context, (void)view;
    return -1;
}

static const tetropt_agent_definition lowest_definition = {
    .abi = TETROPT_AGENT_ABI,
    .name = "lowest",
    .summary = "the lowest placement",
    .hold = 1,
    .preview = 2,
    .choose = lowest,
    .context = given,
};

/* The document of a job without the numbers about time. */
static void ask(const char *name, const char *const (*options)[2], char *text, size_t bytes) {
    tetropt_job *job = tetropt_job_new(name);
    for (; (*options)[0]; options++)
        WORKS(job, job, tetropt_job_set(job, (*options)[0], (*options)[1]));
    WORKS(job, job, tetropt_job_run(job));
    cr_assert_lt(tetropt_job_document(job, text, bytes), bytes);
    tetropt_job_free(job);
}

Test(custom_agent, choose) {
    cr_assert_eq(tetropt_agent_custom(&lowest_definition, NULL, 0), TETROPT_OK);
    cr_assert_eq(tetropt_agent_custom(&lowest_definition, NULL, 0), TETROPT_OK, "again");
    tetropt_agent *agent = tetropt_agent_new();
    tetropt_game *game = tetropt_game_new();
    WORKS(agent, agent, tetropt_agent_set(agent, "agent", "lowest"));
    WORKS(game, game, tetropt_game_set(game, "preview", "2"));
    WORKS(game, game, tetropt_game_start(game));
    WORKS(agent, agent, tetropt_agent_play(agent, game, 60, NULL, NULL));
    cr_assert_gt(tetropt_game_pieces(game), 20);
    /* The games of a simulation are the same on any number of threads. */
    int64_t lines[2];
    for (int i = 0; i < 2; i++) {
        tetropt_simulation *simulation = tetropt_simulation_new();
        WORKS(simulation, simulation, tetropt_simulation_set(simulation, "games", "8"));
        WORKS(simulation, simulation, tetropt_simulation_set(simulation, "max-pieces", "100"));
        WORKS(simulation, simulation, tetropt_simulation_set(simulation, "threads", i ? "3" : "1"));
        WORKS(simulation, simulation, tetropt_simulation_run(simulation, agent, game));
        lines[i] = tetropt_simulation_lines(simulation);
        tetropt_simulation_free(simulation);
    }
    cr_assert(lines[0] == lines[1] && lines[0] > 0);
    tetropt_game_free(game);
    tetropt_agent_free(agent);
    char text[20000];
    const char *const options[][2] = {{"agent", "lowest"}, {"games", "2"},   {"max-pieces", "50"},
                                      {"seed", "1"},       {"preview", "2"}, {NULL, NULL}};
    ask("simulate", options, text, sizeof text);
    cr_assert(strstr(text, "\"agent\":\"lowest\""), "%s", text);
}

/* ---- features */

static void heights(void *context, const tetropt_move *move, double *values) {
    (void)context;
    for (int x = 0; x < move->width; x++)
        for (uint64_t column = move->after[x]; column; column >>= 1)
            values[0]++;
    values[1] = move->lines;
    values[2] = NAN; /* counts as 0 */
}

static const char *const names[] = {"heights", "lines", "nothing"};
static const double weights[] = {-1, 2, 0};
static const tetropt_agent_definition heights_definition = {
    .abi = TETROPT_AGENT_ABI,
    .name = "low-heights",
    .summary = "the lowest columns",
    .hold = 1,
    .preview = 1,
    .features = heights,
    .feature_count = 3,
    .feature_names = names,
    .weights = weights,
};

Test(custom_agent, features) {
    cr_assert_eq(tetropt_agent_custom(&heights_definition, NULL, 0), TETROPT_OK);
    cr_assert_str_eq(tetropt_feature_name("low-heights", 1), "lines");
    tetropt_agent *agent = tetropt_agent_new();
    tetropt_game *game = tetropt_game_new();
    WORKS(agent, agent, tetropt_agent_set(agent, "agent", "low-heights"));
    WORKS(game, game, tetropt_game_start(game));
    WORKS(agent, agent, tetropt_agent_play(agent, game, 100, NULL, NULL));
    int64_t good = tetropt_game_pieces(game);
    const double bad[] = {1, 0, 0}; /* towers */
    WORKS(agent, agent, tetropt_agent_set_weights(agent, "low-heights", bad, 3));
    WORKS(game, game, tetropt_game_start(game));
    WORKS(agent, agent, tetropt_agent_play(agent, game, 100, NULL, NULL));
    cr_assert_lt(tetropt_game_pieces(game), good);
    tetropt_game_free(game);
    tetropt_agent_free(agent);
}

/* Training through the library by every method: three generations at once are the same as two and
 * a resumed third. */
Test(custom_agent, training) {
    static const char *const methods[] = {"cma-es",   "cross-entropy", "bayes", "competition",
                                          "gradient", "genetic",       "hybrid"};
    static char whole[200000], resumed[200000], state[200000];
    cr_assert_eq(tetropt_agent_custom(&heights_definition, NULL, 0), TETROPT_OK);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const char *const options[][2] = {
            {"agent", "low-heights"}, {"method", methods[i]}, {"max-pieces", "20"},
            {"games", "2"},           {"seed", "1"},          {"held-out", "2"},
            {"threads", "1"}};
        tetropt_job *job = tetropt_job_new("train");
        for (size_t k = 0; k < sizeof options / sizeof *options; k++)
            WORKS(job, job, tetropt_job_set(job, options[k][0], options[k][1]));
        WORKS(job, job, tetropt_job_set(job, "generations", "3"));
        WORKS(job, job, tetropt_job_run(job));
        cr_assert_lt(tetropt_job_document(job, whole, sizeof whole), sizeof whole);
        WORKS(job, job, tetropt_job_set(job, "generations", "2"));
        WORKS(job, job, tetropt_job_run(job));
        cr_assert_lt(tetropt_job_state(job, state, sizeof state), sizeof state);
        tetropt_job_free(job);
        job = tetropt_job_new("train");
        WORKS(job, job, tetropt_job_set(job, "resume", state));
        WORKS(job, job, tetropt_job_set(job, "generations", "3"));
        WORKS(job, job, tetropt_job_set(job, "held-out", "2"));
        WORKS(job, job, tetropt_job_run(job));
        cr_assert_lt(tetropt_job_document(job, resumed, sizeof resumed), sizeof resumed);
        cr_assert_str_eq(whole, resumed, "%s", methods[i]);
        tetropt_job_free(job);
    }
}

/* ---- definitions */

static void rejected(tetropt_agent_definition definition, const char *why) {
    char message[200] = "";
    cr_assert_eq(tetropt_agent_custom(&definition, message, sizeof message), TETROPT_INPUT);
    cr_assert(strstr(message, why), "%s, not %s", message, why);
}

Test(custom_agent, invalid_definitions) {
    char message[200];
    cr_assert_eq(tetropt_agent_custom(NULL, message, sizeof message), TETROPT_INPUT);
    cr_assert_str_eq(message, "definition: is NULL");
    tetropt_agent_definition good = {
        .abi = TETROPT_AGENT_ABI, .name = "good", .summary = "good", .choose = never};
    tetropt_agent_definition bad = good;
    bad.abi = 99;
    rejected(bad, "abi: 99");
    bad = good;
    bad.name = NULL;
    rejected(bad, "name:");
    bad.name = "No Name";
    rejected(bad, "name: 'No Name'");
    bad.name = "weighted";
    rejected(bad, "'weighted' is taken");
    bad.name = "literature";
    rejected(bad, "'literature' is taken");
    bad = good;
    bad.preview = 15;
    rejected(bad, "preview: 15");
    bad = good;
    bad.features = heights;
    rejected(bad, "choose:");
    bad.choose = NULL;
    rejected(bad, "features:");
    bad.feature_count = 41;
    bad.feature_names = names;
    bad.weights = weights;
    rejected(bad, "features: 1 to 40");
    const double infinite[] = {1, INFINITY, 0};
    bad.feature_count = 3;
    bad.weights = infinite;
    rejected(bad, "number 1");
}
