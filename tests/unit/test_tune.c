/* tune: spaces, tests, races over planted settings, importance. */
#include "job/job.h"
#include "stats/distribution.h"
#include "tune/eliminate.h"
#include "tune/forest.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- spaces */

static const Option rows[] = {
    {.name = "rate",
     .kind = OPTION_REAL,
     .fallback = "0.5",
     .min = 0,
     .max = 1,
     .tune = "0.001..1 log"},
    {.name = "size",
     .kind = OPTION_INTEGER,
     .fallback = "10",
     .min = 1,
     .max = 1000,
     .tune = "1..100"},
    {.name = "kind", .kind = OPTION_CHOICE, .fallback = "b", .choices = "a|b|c"},
    {.name = "depth",
     .kind = OPTION_INTEGER,
     .fallback = "3",
     .min = 0,
     .max = 9,
     .tune = "0..9 if kind=a|c"},
    {.name = "other", .kind = OPTION_INTEGER, .fallback = "3", .min = 0, .max = 9},
};
static const OptionTable table = OPTIONS_TABLE(rows);

static Space whole_space(void) {
    Space space = {0};
    Status status = {0};
    cr_assert(space_add_table(&space, table, (OptionTable){0}, "", &status));
    cr_assert(space_finish(&space, &status), "%s", status.message);
    return space;
}

/* Every mark in the tables can be read, lies in what the row accepts and contains the default. */
Test(tune, marks_of_every_algorithm_agent_and_method) {
    static const char *const jobs[] = {"solve", "simulate", "train"};
    static const char *const tunable[] = {"refine-effort", "tabu",    "tail-share", "kick",
                                          "breadth",       "futures", "nectar",     "hold-t",
                                          "elites",        "end",     "fit",        "sigma",
                                          "noise-fall",    "most",    "class-a",    "points"};
    bool found[sizeof tunable / sizeof *tunable] = {false};
    for (int j = 0; j < 3; j++)
        for (int a = 0; a < 64; a++) {
            const Job *job = job_find(jobs[j]);
            OptionTable own = job->parameters_at(a);
            Space space = {0};
            Status status = {0};
            cr_assert(space_add_table(&space, own, job->options, "param.", &status), "%s",
                      status.message);
            if (space.count > 0)
                cr_assert(space_finish(&space, &status), "%s", status.message);
            for (int i = 0; i < space.count; i++) {
                const SpaceParameter *item = &space.items[i];
                const char *dot =
                    strncmp(item->name, "param.", 6) == 0 ? item->name + 6 : item->name;
                Option row = options_row(own, options_find(own, dot));
                for (size_t k = 0; k < sizeof found; k++)
                    found[k] |= strcmp(dot, tunable[k]) == 0;
                cr_expect_str_neq(dot, "as-published");
                if (item->kind == SPACE_WORD)
                    continue;
                cr_expect(item->low <= item->fallback && item->fallback <= item->high, "%s: %g",
                          item->name, item->fallback);
                cr_expect(row.min <= item->low && item->high <= row.max, "%s", item->name);
            }
        }
    for (size_t k = 0; k < sizeof found; k++)
        cr_expect(found[k], "%s is tuned", tunable[k]);
}

Test(tune, space_comes_from_the_table) {
    Space space = whole_space();
    cr_assert_eq(space.count, 4, "rows without a mark are not tuned");
    cr_expect(space.items[0].log && space.items[0].low == 0.001 && space.items[0].high == 1);
    cr_expect_eq(space.items[1].low, 1);
    SpaceConfig config = space_default(&space);
    cr_expect_eq(config.values[1], 10);
    cr_expect(isnan(config.values[3]), "inactive with kind=b");
    Rng rng;
    rng_init(&rng, 1, 0);
    for (int i = 0; i < 2000; i++) {
        SpaceConfig next =
            i % 2 ? space_random(&space, &rng) : space_near(&space, &config, 0.1, 0.5, &rng);
        cr_assert(next.values[0] >= 0.001 && next.values[0] <= 1);
        cr_assert(next.values[1] == floor(next.values[1]) && next.values[1] >= 1);
        cr_assert_eq(isnan(next.values[3]), next.values[2] == 1);
        char text[SPACE_VALUE_BYTES];
        cr_assert_eq(strtod(space_text(&space.items[0], next.values[0], text), NULL),
                     next.values[0], "the text is the value");
        cr_assert(
            fabs(space_from_unit(&space.items[1], space_to_unit(&space.items[1], next.values[1])) -
                 next.values[1]) < 1);
        config = next;
    }
}

Test(tune, space_is_narrowed_by_texts) {
    static const struct {
        const char *text;
        bool ok;
    } cases[] = {
        {"rate=0.1..0.2", true},    {"size=5..50 log", true}, {"kind=a|c", true},
        {"other=2..4", true},       {"depth=no", true},       {"size=1|10|100", true},
        {"rate=2..1", false},       {"rate=0..1 log", false}, {"rate=0.1..2", false},
        {"rate=0.1..0.2 x", false}, {"kind=1..3", false},     {"rate", false},
        {"=1..2", false},           {"rate=a..b", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Space space = whole_space();
        Status status = {0};
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(cases[i].text, "="), cases[i].text);
        int index = options_find(table, name);
        Option row = index >= 0 ? options_row(table, index) : (Option){0};
        cr_expect_eq(space_set(&space, cases[i].text, index >= 0 ? &row : NULL, &status),
                     cases[i].ok, "%s: %s", cases[i].text, status.message);
    }
    Space space = whole_space();
    space_fix(&space, "kind", "b");
    cr_expect_eq(space.count, 2, "what kind=b makes inactive is gone too");
    space = whole_space();
    space_fix(&space, "kind", "c");
    cr_expect_eq(space.count, 3);
}

/* ---- tests */

Test(tune, student_has_known_values) {
    cr_expect(fabs(student_upper(1, 1) - 0.25) < 1e-9);
    cr_expect(fabs(student_upper(2.085963447265837, 20) - 0.025) < 1e-9);
    cr_expect(fabs(student_upper(-1.5, 7) - 0.9113505) < 1e-6);
    cr_expect(fabs(student_upper(1.959963985, 1e7) - 0.025) < 1e-6);
    cr_expect(fabs(student_critical(0.025, 20) - 2.085963447265837) < 1e-8);
}

Test(tune, elimination_keeps_equals_and_drops_the_worse) {
    enum { N = 12, K = 4 };
    double values[N * K], score[K];
    bool worse[K];
    Status status = {0};
    Rng rng;
    rng_init(&rng, 3, 0);
    for (int test = 0; test < 2; test++) {
        for (int i = 0; i < N; i++)
            for (int k = 0; k < K; k++)
                values[i * K + k] = rng_real(&rng) + (k == 2 ? -5 : 0) + 10 * i;
        cr_assert(eliminate((TunerTest)test, 0.05, values, N, K, worse, score, &status));
        cr_expect(worse[2] && !worse[0] && !worse[1] && !worse[3], "test %d", test);
        cr_expect(score[2] > score[0] && score[2] > score[3]);
        for (int i = 0; i < N * K; i++)
            values[i] = 1;
        cr_assert(eliminate((TunerTest)test, 0.05, values, N, K, worse, score, &status));
        cr_expect(!worse[0] && !worse[1] && !worse[2] && !worse[3], "all are equal");
    }
}

/* ---- races */

/* The best setting is planted: rate 0.02, kind c, depth 7; size does not matter. */
static bool planted(void *context, const Tuner *tuner, const TunerPair *pairs, size_t count,
                    double *values, double *seconds, Status *status) {
    (void)status;
    int64_t *asked = context;
    for (size_t i = 0; i < count; i++) {
        const double *v = tuner->configs[pairs[i].config].values.values;
        Rng rng;
        rng_init(&rng, (uint64_t)pairs[i].instance, (uint64_t)pairs[i].config);
        double distance = log10(v[0] / 0.02);
        values[i] = -10 * distance * distance - (v[2] == 2 ? 0 : 8) -
                    (isnan(v[3]) ? 5 : fabs(v[3] - 7)) + rng_real(&rng) +
                    3 * (pairs[i].instance % 5);
        *seconds += 0.5;
    }
    *asked += (int64_t)count;
    return true;
}

static TunerTask task_of(const Space *space, int64_t *asked) {
    return (TunerTask){.space = space,
                       .alpha = 0.05,
                       .first_test = 5,
                       .budget = 800,
                       .held_out = 10,
                       .ablation = 4,
                       .seed = 7,
                       .evaluate = planted,
                       .context = asked};
}

Test(tune, finds_a_planted_setting) {
    Space space = whole_space();
    for (int way = 0; way < 3; way++) {
        int64_t asked = 0;
        TunerTask task = task_of(&space, &asked);
        task.test = way == 1 ? TUNER_T : TUNER_FRIEDMAN;
        task.method = way == 2 ? TUNER_HALVING : TUNER_RACE;
        Tuner tuner;
        Status status = {0};
        cr_assert(tuner_run(&task, &tuner, &status), "%s", status.message);
        const double *best = tuner.configs[tuner.winner].values.values;
        cr_expect_eq(best[2], 2, "way %d: kind", way);
        if (way < 2) {
            cr_expect(fabs(log10(best[0] / 0.02)) < 0.3, "way %d: rate %g", way, best[0]);
            cr_expect(fabs(best[3] - 7) <= 1, "way %d: depth %g", way, best[3]);
        }
        cr_expect(tuner.winner_mean > tuner.default_mean && tuner.p < 0.05);
        cr_expect(tuner.runs <= task.budget, "way %d: %d runs", way, (int)tuner.runs);
        cr_expect_eq(asked, tuner.runs + tuner.held_out_runs + tuner.ablation_runs);
        Importance importance;
        cr_assert(forest_importance(&tuner, &importance, &status));
        cr_assert_eq(importance.count, 4);
        if (way < 2) /* halving makes too few configurations */
            cr_expect(importance.single[2] > importance.single[1], "kind matters, size does not");
        cr_expect(importance.single[0] > importance.single[1], "so does rate");
        cr_expect_gt(tuner.ablation_count, 0);
        cr_expect(tuner.ablation[tuner.ablation_count - 1].mean > tuner.ablation_start);
        tuner_release(&tuner);
    }
}

Test(tune, asks_the_same_again) {
    Space space = whole_space();
    int64_t asked = 0;
    TunerTask task = task_of(&space, &asked);
    Tuner one, two;
    Status status = {0};
    cr_assert(tuner_run(&task, &one, &status) && tuner_run(&task, &two, &status));
    cr_assert_eq(one.count, two.count);
    for (size_t i = 0; i < one.count; i++)
        cr_expect(space_same(&space, &one.configs[i].values, &two.configs[i].values));
    cr_expect_eq(one.winner, two.winner);
    tuner_release(&one);
    tuner_release(&two);
}

/* A table of all candidates and all instances that a race may see would have 22 GB. */
Test(tune, takes_a_large_budget) {
    Space space = whole_space();
    for (int way = 0; way < 2; way++) {
        int64_t asked = 0;
        TunerTask task = task_of(&space, &asked);
        task.method = way ? TUNER_HALVING : TUNER_RACE;
        task.budget = 3000000;
        task.first_test = 100;
        task.seconds = 1;
        Tuner tuner;
        Status status = {0};
        cr_assert(tuner_run(&task, &tuner, &status), "%s", status.message);
        cr_expect_eq(tuner.step_count, 1);
        tuner_release(&tuner);
    }
}

Test(tune, stops_at_the_time_and_in_a_small_space) {
    Space space = whole_space();
    int64_t asked = 0;
    TunerTask task = task_of(&space, &asked);
    task.seconds = 50; /* a hundred runs */
    Tuner tuner;
    Status status = {0};
    cr_assert(tuner_run(&task, &tuner, &status));
    cr_expect(tuner.runs < 300, "%d", (int)tuner.runs);
    tuner_release(&tuner);
    space_fix(&space, "rate", "0.5");
    space_fix(&space, "size", "1");
    space_fix(&space, "depth", "1");
    cr_assert(space_finish(&space, &status) && space.count == 1);
    cr_expect_not(space_set(&space, "nothing=1..2", NULL, &status));
}
