/* simulate: statistics by hand, the same games on any threads, streams that agree. */
#include <signal.h>

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "formats/replay.h"
#include "job/simulate.h"
#include "movegen/reach.h"
#include "player/registry.h"

Test(simulate, summaries_by_hand) {
    double values[] = {4, 1, 3, 2};
    Summary summary = summary_of(values, 4);
    cr_assert_float_eq(summary.mean, 2.5, 1e-12);
    cr_assert_float_eq(summary.deviation, sqrt(5.0 / 3), 1e-12);
    cr_assert_float_eq(summary.median, 2.5, 1e-12);
    cr_assert_float_eq(summary.minimum, 1, 0);
    cr_assert_float_eq(summary.maximum, 4, 0);
    /* t(3) = 3.18245: 2.5 +- 3.18245 * 1.290994 / 2 */
    cr_assert_float_eq(summary.high - 2.5, 2.054260, 1e-5);
    cr_assert_float_eq(2.5 - summary.low, 2.054260, 1e-5);
    cr_assert_float_eq(summary_variation(&summary), sqrt(5.0 / 3) / 2.5, 1e-12);
    double one[] = {7};
    summary = summary_of(one, 1);
    cr_assert(isnan(summary.deviation) && isnan(summary.low) && isnan(summary.high));
    cr_assert_float_eq(summary.median, 7, 0);
    double odd[] = {9, 1, 5};
    cr_assert_float_eq(summary_of(odd, 3).median, 5, 0);
}

Test(simulate, student_factors) {
    cr_assert_float_eq(student_factor(1), 12.7062, 1e-4);
    cr_assert_float_eq(student_factor(14), 2.14479, 1e-5);
    cr_assert_float_eq(student_factor(30), 2.04227, 1e-4);
    cr_assert_float_eq(student_factor(100), 1.983972, 1e-5);
    cr_assert_float_eq(student_factor(1000000), 1.959966, 1e-5);
    for (int64_t n = 1; n < 100; n++)
        cr_assert(student_factor(n) > student_factor(n + 1));
}

/* 1.96 standard errors of the logarithm: with 4 deaths e^0.98. */
Test(simulate, deaths_factors) {
    cr_assert_float_eq(deaths_factor(4), 2.66441, 1e-5);
    cr_assert_float_eq(log(deaths_factor(10000)), 0.0195996, 1e-7);
}

Test(simulate, times_keep_mean_and_quantile) {
    static Times times, other;
    for (uint64_t i = 1; i <= 1000; i++)
        times_record(i % 2 ? &times : &other, i * 100, 1);
    times_add(&times, &other);
    cr_assert_float_eq(times_mean(&times), 50050, 1e-9);
    cr_assert_float_eq(times_quantile(&times, 0.99), 99000, 0.03 * 99000);
    cr_assert_float_eq(times_quantile(&times, 0.5), 50000, 0.03 * 50000);
    static Times small;
    times_record(&small, 17, 99);
    times_record(&small, UINT64_MAX, 1);
    cr_assert_float_eq(times_quantile(&small, 0.99), 17, 0);
    cr_assert(times_quantile(&small, 1) > 1e19);
}

typedef struct Bench {
    SimulateTask task;
    _Alignas(max_align_t) unsigned char parameters[PARAMETERS_BYTES];
} Bench;

static void prepare(Bench *job, const char *name, RuleSet set, int height) {
    const Agent *agent = agent_find(name);
    *job = (Bench){.task = {.agent = agent,
                            .randomizer = set == RULES_DROP ? RANDOMIZER_UNIFORM : RANDOMIZER_BAG,
                            .seed = 77,
                            .piece_seed = 77,
                            .games = 12,
                            .max_pieces = 120,
                            .max_lines = INT64_MAX}};
    bool modern = set == RULES_GUIDELINE;
    job->task.setup.rules = (Rules){.set = set,
                                    .scoring = SCORING_CLASSIC,
                                    .hold = modern && agent->abilities & AGENT_HOLD,
                                    .width = 10,
                                    .height = (uint8_t)height};
    job->task.preview = modern && agent->abilities & AGENT_PREVIEW ? 1 : 0;
    options_defaults(agent->parameters, job->parameters);
    job->task.parameters = job->parameters;
    if (agent->weights)
        evaluator_from_preset(&job->task.setup.evaluator, agent->weights);
}

static SimulateResult run(Bench *job, unsigned threads) {
    Status status = {0};
    SimulateResult result;
    job->task.pool = pool_new(threads, &status);
    cr_assert(simulate_run(&job->task, &result, &status), "%s", status.message);
    pool_free(job->task.pool);
    return result;
}

static Move sleep_then_drop(void *player, const AgentView *view, Rng *rng) {
    (void)player, (void)rng;
    nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
    Placement drops[DROP_MAX];
    drop_list(&view->columns, (Piece)view->current, drops);
    return (Move){drops[0], false};
}

/* A decision takes its own CPU time: what the machine does meanwhile, here a sleep, is not in it.
 */
Test(simulate, decisions_are_timed_by_the_cpu) {
    Agent sleeper = *agent_find("hill");
    sleeper.choose = sleep_then_drop;
    Bench job;
    prepare(&job, "hill", RULES_DROP, 20);
    job.task.agent = &sleeper;
    job.task.games = 2;
    job.task.max_pieces = 2;
    SimulateResult result = run(&job, 1);
    cr_assert_eq(result.times.count, 4);
    cr_assert(times_mean(&result.times) < 10e6, "%g ns", times_mean(&result.times));
    cr_assert(times_mean(&result.times) > 0);
    simulate_result_release(&result);
}

Test(simulate, threads_do_not_matter) {
    for (int i = 0; i < agent_count(); i++) {
        const Agent *agent = agent_at(i);
        for (int set = 0; set < RULES_COUNT; set++) {
            Bench job;
            prepare(&job, agent->name, (RuleSet)set, 12);
            if (!agent_check(agent, &job.task.setup.rules, job.task.preview, NULL))
                continue;
            if (strcmp(agent->name, "beam") == 0)
                job.task.max_pieces = 5; /* it thinks for milliseconds */
            SimulateResult one = run(&job, 1), three = run(&job, 3);
            cr_assert_eq(one.count, 12);
            cr_assert_eq(three.count, 12);
            cr_assert_arr_eq(one.games, three.games, 12 * sizeof *one.games, "%s", agent->name);
            simulate_result_release(&one);
            simulate_result_release(&three);
        }
    }
}

/* A game by its own seed is the game of the series. */
Test(simulate, one_game_can_be_played_again) {
    Bench job;
    prepare(&job, "anneal", RULES_DROP, 20);
    SimulateResult all = run(&job, 2);
    job.task.seed = job.task.piece_seed = 77 + 5;
    job.task.games = 1;
    SimulateResult one = run(&job, 1);
    cr_assert_arr_eq(&all.games[5], &one.games[0], sizeof *one.games);
    Game game;
    Move moves[120];
    AgentRecord record = {.moves = moves, .capacity = 120};
    cr_assert(simulate_one(&job.task, 0, &game, &record, NULL));
    cr_assert_eq(game.score, one.games[0].score);
    cr_assert_eq(record.count, one.games[0].pieces);
    simulate_result_release(&all);
    simulate_result_release(&one);
}

/* Limits of pieces and lines end games. */
Test(simulate, limits_hold) {
    Bench job;
    prepare(&job, "weighted", RULES_GUIDELINE, 20);
    job.task.max_lines = 10;
    SimulateResult result = run(&job, 2);
    for (int64_t i = 0; i < result.count; i++) {
        cr_assert(result.games[i].lines >= 10 && result.games[i].lines < 14);
        cr_assert_not(result.games[i].over);
        const int64_t *clears = result.games[i].clears;
        cr_assert_eq(clears[0] + 2 * clears[1] + 3 * clears[2] + 4 * clears[3],
                     result.games[i].lines);
    }
    simulate_result_release(&result);
}

/* The drop player's own loop and the general one play the same streams. */
Test(simulate, both_kinds_of_streams_agree) {
    static const char *const names[] = {"dellacherie", "bcts", "dt20"};
    for (size_t i = 0; i < 3; i++) {
        Bench job;
        prepare(&job, names[i], RULES_DROP, 6);
        job.task.total_pieces = 20011;
        job.task.max_pieces = INT64_MAX;
        SimulateResult fast = run(&job, 2);
        job.task.max_lines = INT64_MAX - 1; /* a limit, though none that is reached */
        SimulateResult general = run(&job, 2);
        cr_assert(fast.counts_only && !general.counts_only);
        cr_assert(fast.deaths > 10);
        cr_assert_eq(fast.total_pieces, 20011);
        cr_assert_eq(fast.count, general.count);
        for (int64_t k = 0; k < fast.count; k++) {
            cr_assert_eq(fast.games[k].lines, general.games[k].lines);
            cr_assert_eq(fast.games[k].deaths, general.games[k].deaths);
            cr_assert_eq(fast.games[k].pieces, general.games[k].pieces);
            cr_assert_arr_eq(fast.games[k].clears, general.games[k].clears,
                             sizeof fast.games[k].clears);
        }
        simulate_result_release(&fast);
        simulate_result_release(&general);
    }
}

Test(simulate, a_list_ends_the_game_without_a_death) {
    static const uint8_t list[] = {PIECE_O, PIECE_I, PIECE_T, PIECE_L, PIECE_J};
    Bench job;
    prepare(&job, "weighted", RULES_GUIDELINE, 20);
    job.task.randomizer = RANDOMIZER_LIST;
    job.task.list = list;
    job.task.list_count = 5;
    job.task.games = 2;
    SimulateResult result = run(&job, 1);
    cr_assert_eq(result.games[0].pieces, 5, "hold gives the last piece back");
    cr_assert_not(result.games[0].over);
    simulate_result_release(&result);
}

/* Runs a question of the job and returns the run. */
static SimulateRun *run_question(const char *const *options) {
    Status status = {0};
    Question *question = job_question(&simulate_job, &status);
    for (; *options; options += 2)
        cr_assert(job_set(&simulate_job, question, options[0], options[1], &status), "%s",
                  status.message);
    SimulateRun *simulated = simulate_job.prepare(question, &status);
    cr_assert(simulated, "%s", status.message);
    question_free(question);
    ProgressWatch watch = {0};
    cr_assert(simulate_job.run(simulated, &watch, &status), "%s", status.message);
    return simulated;
}

static Json *document_of(const SimulateRun *simulated, bool times) {
    Text text;
    text_init(&text);
    job_write(&simulate_job, simulated, times, &text);
    Json *document = json_parse(text.data, text.length, NULL);
    cr_assert(document, "%s", text.data);
    text_release(&text);
    return document;
}

Test(simulate, the_document_has_the_fixed_names) {
    SimulateRun *simulated = run_question(
        (const char *[]){"agent", "hill", "games", "12", "max-pieces", "20", "seed", "1", NULL});
    Json *document = document_of(simulated, true);
    static const char *const names[] = {
        "agent", "games", "seed", "rules", "summary", "pieces_per_second", "per_game", "times"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_assert(json_get(document, names[i]), "%s", names[i]);
    const Json *summary = json_get(document, "summary");
    for (int i = 0; i < MEASURE_COUNT; i++)
        cr_assert(json_is_object(json_get(summary, simulate_measure_names[i])));
    cr_assert(json_get(summary, "decision_us"));
    cr_assert(json_get(json_get(document, "times"), "pieces_per_second"));
    cr_assert_eq(json_count(json_get(document, "per_game")), 12);
    json_free(document);
    document = document_of(simulated, false);
    cr_assert_null(json_get(document, "times"));
    cr_assert_null(json_get(document, "pieces_per_second"));
    cr_assert_null(json_get(json_get(document, "summary"), "decision_us"));
    json_free(document);
    simulate_job.free_run(simulated);
}

/* A replay is played by the rules, with its keys, and comes to the same result. */
Test(simulate, a_replay_plays_again) {
    static const char *const sets[] = {"guideline", "drop"};
    for (int i = 0; i < 2; i++) {
        SimulateRun *simulated =
            run_question((const char *[]){"agent", "weighted", "rules", sets[i], "games", "4",
                                          "max-pieces", "100", "seed", "5", NULL});
        const SimulateResult *result = &simulated->entrants[0].result;
        const SimulateGame *best = &result->games[simulate_best(result)];
        Status status = {0};
        Text text;
        text_init(&text);
        cr_assert(simulate_best_replay(simulated, &text, &status), "%s", status.message);
        Replay replay;
        cr_assert(replay_read(&replay, text.data, text.length, &status), "%s", status.message);
        Game end;
        cr_assert(replay_play(&replay, true, NULL, &end, &status), "%s", status.message);
        cr_assert_eq(end.score, best->score);
        cr_assert_eq(end.pieces, best->pieces);
        replay_release(&replay);
        text_release(&text);
        simulate_job.free_run(simulated);
    }
}
