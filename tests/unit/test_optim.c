/* optim: what every optimiser promises: the same outcome on any number of threads and with or
 * without shortcuts, exact limits, prompt stops. */
#include <signal.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/parameters.h"
#include "optim/ga.h"
#include "optim/presets.h"
#include "optim/registry.h"
#include "optim/tabu.h"
#include "problem/queens.h"
#include "problem/sat.h"

#include "unit/toy.h"

enum { GENOTYPE_MAX = 256 };

/* ---- running optimisers ---- */

typedef struct Trace {
    uint64_t hash;
    int reports;
    Progress first, last;
} Trace;

static void trace(void *context, const Progress *progress) {
    Trace *sum = context;
    cr_assert(progress->current <= progress->best && progress->mean <= progress->current);
    double numbers[] = {(double)progress->done, (double)progress->generation,
                        progress->best,         progress->current,
                        progress->mean,         progress->temperature};
    sum->hash = sum->hash * 31 + tabu_hash(numbers, sizeof numbers);
    if (sum->reports++ == 0)
        sum->first = *progress;
    sum->last = *progress;
}

typedef struct Result {
    unsigned char genotype[GENOTYPE_MAX];
    OptimOutcome outcome;
    Trace trace;
} Result;

/* A parameter set as text: "ga crossover=uniform children=1"; the rest is as before any tuning. */
static const Optimiser *read_setting(const char *setting, Parameters *parameters) {
    char line[256];
    snprintf(line, sizeof line, "%s", setting);
    char *rest = line, *word = strtok_r(line, " ", &rest);
    const Optimiser *optimiser = optim_find(word);
    cr_assert_not_null(optimiser, "%s", word);
    parameters_init(parameters, optimiser->name, optimiser->parameters);
    Status status = {0};
    cr_assert(parameters_set_all(parameters, optim_preset("untuned", word), '&', &status) &&
                  parameters_set_all(parameters, rest, ' ', &status),
              "%s", status.message);
    return optimiser;
}

static void run_setting(const char *setting, const Problem *problem, OptimRun run, unsigned threads,
                        Result *result) {
    Parameters parameters;
    const Optimiser *optimiser = read_setting(setting, &parameters);
    Status status = {0};
    memset(result, 0, sizeof *result);
    result->outcome.genotype = result->genotype;
    run.problem = problem;
    run.pool = pool_new(threads, &status);
    run.report = trace;
    run.report_context = &result->trace;
    cr_assert(optimiser->run(&run, parameters.values, &result->outcome, &status), "%s: %s", setting,
              status.message);
    pool_free(run.pool);
}

static void assert_same(const Result *a, const Result *b, const char *what) {
    cr_assert_eq(a->outcome.fitness, b->outcome.fitness, "%s", what);
    cr_assert_eq(a->outcome.evaluations, b->outcome.evaluations, "%s", what);
    cr_assert_eq(a->outcome.generations, b->outcome.generations, "%s", what);
    cr_assert_eq(a->outcome.end, b->outcome.end, "%s", what);
    cr_assert_eq(a->trace.hash, b->trace.hash, "%s", what);
    cr_assert_arr_eq(a->genotype, b->genotype, sizeof a->genotype, "%s", what);
}

/* Every operator that has a name, and a few sizes that do not divide evenly. */
static const char *const settings[] = {
    "ga population=300",
    "ga population=301 children=1",
    "ga population=300 selection=elitist elite=0.1",
    "ga population=300 selection=elitist elite=7",
    "ga population=300 selection=tournament tournament=4",
    "ga population=300 crossover=uniform",
    "ga population=300 crossover=alternating mutation=0.5",
    "ga population=300 crossover=none",
    "ga population=300 cut=0.3 mutation-kind=nearby",
    "ga population=300 cut=0.8 mutation-kind=published",
    "ga population=300 mutation-per=child",
    "ga population=300 crossover=none mutation-per=piece mutation=0.01",
    "ga population=300 cut=0",
    "ga population=300 cut=1",
    "ga population=300 immigrants=0.2",
    "ga population=300 immigrants=1",
    "ga population=300 adaptive=5 immigrants=0.05",
    "ga population=2",
    "ga population=3 children=1",
    ("ga population=301 mutation=0.04 mutation-per=child mutation-kind=published selection=elitist "
     "elite=0.4362 children=1 crossover=none immigrants=0.1278 adaptive=1.809"),
    "sa",
    "sa neighbourhood=random tabu=0",
    "sa neighbourhood=nearby tabu=10",
    "sa chains=5 cooling=0.05",
    "sa chains=3 reheat=50 temperature=10",
    "abc colony=101",
    "abc colony=40 neighbourhood=nearby limit=5",
    "abc colony=64 unit-share=0.5 tail-share=0.5",
    "hill",
    "hill climb=first sideways=5",
    "hill climb=first kick=2 chains=4",
    "hill climb=steepest chains=3 sideways=2",
    "hybrid population=100 refine-every=3 refine-effort=100",
    "hybrid population=100 refine=hill refine-every=1 refine-count=13 refine-effort=70",
};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* Every preset sets parameters that exist, and those of 1.0 are complete. */
Test(optim, presets_are_of_their_optimisers) {
    static const char *const names[] = {"published", "untuned", "1.0"};
    int found = 0;
    for (size_t i = 0; i < optim_count(); i++)
        for (int k = 0; k < 3; k++) {
            const Optimiser *optimiser = optim_at(i);
            const char *pairs = optim_preset(names[k], optimiser->name);
            Parameters parameters;
            Status status = {0};
            parameters_init(&parameters, optimiser->name, optimiser->parameters);
            cr_assert(parameters_set_all(&parameters, pairs, '&', &status), "%s", status.message);
            for (int row = 0; pairs && row < options_count(optimiser->parameters); row++) {
                const char *name = options_row(optimiser->parameters, row).name;
                bool idle = strcmp(name, "elite") == 0 || strcmp(name, "tournament") == 0 ||
                            strcmp(name, "interval") == 0 || strcmp(name, "migrants") == 0;
                cr_expect(idle || parameters_given(&parameters, name), "%s of %s: %s", names[k],
                          optimiser->name, name);
            }
            found += pairs != NULL;
        }
    cr_expect_eq(found, 12);
    cr_expect(optim_preset_exists("published") && !optim_preset_exists("best"));
}

Test(optim, same_outcome_on_any_number_of_threads) {
    Toy toy;
    toy_init(&toy, 30, true);
    Queens queens;
    cr_assert(queens_init(&queens, 20, NULL));
    Sat *sat = sat_random(30, 130, true, 8, (ProblemCut){0}, NULL);
    const Problem *problems[] = {&toy.problem, &queens.problem, sat_problem(sat)};
    for (int i = 0; i < SETTINGS; i++) {
        for (int p = 0; p < 3; p++) {
            OptimRun run = {.seed = 5, .evaluations = 3001};
            Result one, other;
            run_setting(settings[i], problems[p], run, 1, &one);
            run_setting(settings[i], problems[p], run, 2, &other);
            assert_same(&one, &other, settings[i]);
            run_setting(settings[i], problems[p], run, 4, &other);
            assert_same(&one, &other, settings[i]);
            unsigned char scratch[1024];
            cr_assert_eq(problems[p]->evaluate(problems[p], scratch, one.genotype),
                         one.outcome.fitness, "%s", settings[i]);
            run.seed = 6;
            run_setting(settings[i], problems[p], run, 1, &other);
            cr_assert_neq(one.trace.hash, other.trace.hash, "%s", settings[i]);
        }
    }
    sat_free(sat);
}

Test(optim, shortcuts_do_not_change_the_outcome) {
    Toy folded, plain;
    toy_init(&folded, 30, true);
    toy_init(&plain, 30, false);
    Queens queens, slow;
    cr_assert(queens_init(&queens, 20, NULL));
    cr_assert(queens_init(&slow, 20, NULL));
    slow.problem.ledger_bytes = 0;
    for (int i = 0; i < SETTINGS; i++) {
        OptimRun run = {.seed = 7, .evaluations = 2000};
        Result one, other;
        run_setting(settings[i], &folded.problem, run, 2, &one);
        run_setting(settings[i], &plain.problem, run, 1, &other);
        assert_same(&one, &other, settings[i]);
        run_setting(settings[i], &queens.problem, run, 1, &one);
        run_setting(settings[i], &slow.problem, run, 1, &other);
        assert_same(&one, &other, settings[i]);
    }
}

Test(optim, evaluations_are_counted_and_limited_exactly) {
    for (int i = 0; i < SETTINGS; i++) {
        for (uint64_t limit = 1; limit <= 2001; limit = limit * 3 + 1) {
            Toy toy;
            toy_init(&toy, 30, true);
            Result result;
            OptimRun run = {.seed = 9, .evaluations = limit};
            run_setting(settings[i], &toy.problem, run, 2, &result);
            cr_assert_eq(atomic_load(&toy.evaluations), result.outcome.evaluations, "%s %lu: %lu",
                         settings[i], (unsigned long)limit, atomic_load(&toy.evaluations));
            cr_assert(result.outcome.evaluations <= limit);
            cr_assert(result.trace.reports > 0 && isfinite(result.trace.last.mean));
            cr_assert_eq(result.trace.last.done, result.outcome.evaluations);
            cr_assert_eq(result.trace.last.best, result.outcome.fitness);
            if (result.outcome.end == OPTIM_EVALUATIONS && !strstr(settings[i], "abc"))
                cr_assert_eq(result.outcome.evaluations, limit, "%s", settings[i]);
        }
    }
}

Test(optim, every_optimiser_finds_the_best) {
    for (size_t i = 0; i < optim_count(); i++) {
        if (optim_at(i)->needs_tree)
            continue; /* tested on the Tetris problem */
        Toy toy;
        toy_init(&toy, 20, true);
        Result result;
        OptimRun run = {.seed = 1, .seconds = 30, .has_target = true, .target = 0};
        run_setting(optim_at(i)->name, &toy.problem, run, 2, &result);
        cr_assert_eq(result.outcome.end, OPTIM_TARGET, "%s", optim_at(i)->name);
        cr_assert_eq(result.outcome.fitness, 0);
        cr_assert_eq(result.trace.last.best, 0, "the last report tells of the end");
    }
}

Test(optim, a_set_stop_flag_ends_at_once_with_a_genotype) {
    atomic_bool stop = true;
    for (int i = 0; i < SETTINGS; i++) {
        Toy toy;
        toy_init(&toy, 10, true);
        Result result;
        OptimRun run = {.seed = 1, .stop = &stop};
        run_setting(settings[i], &toy.problem, run, 1, &result);
        cr_assert_eq(result.outcome.end, OPTIM_STOPPED, "%s", settings[i]);
        cr_assert(result.outcome.evaluations >= 1 && result.outcome.evaluations <= 32);
        cr_assert_eq(toy_evaluate(&toy.problem, NULL, result.genotype), result.outcome.fitness);
    }
}

Test(optim, time_cuts_off_promptly_and_keeps_the_best) {
    const char *const endless[] = {
        "ga population=100000 generations=1000000 patience=1000000",
        "sa steps=1000000000 patience=1000000000 chains=3",
        "abc colony=100000 cycles=1000000 patience=1000000",
        "hill restarts=1000000000 patience=1000000000",
        "hybrid refine-effort=1000000000 refine-every=1 generations=1000000 patience=1000000",
    };
    for (int i = 0; i < 5; i++) {
        for (unsigned threads = 1; threads <= 2; threads++) {
            Toy toy;
            toy_init(&toy, 50, true);
            toy.spin = 2000;
            Result result;
            OptimRun run = {.seed = 1, .seconds = 0.1};
            uint64_t start = clock_now_ns();
            run_setting(endless[i], &toy.problem, run, threads, &result);
            double seconds = clock_seconds_since(start);
            cr_assert_eq(result.outcome.end, OPTIM_TIME, "%s", endless[i]);
            cr_assert(seconds >= 0.1 && seconds < 10, "%s: %g", endless[i], seconds);
            cr_assert_eq(atomic_load(&toy.evaluations), result.outcome.evaluations);
            toy.spin = 0;
            cr_assert_eq(toy_evaluate(&toy.problem, NULL, result.genotype), result.outcome.fitness);
        }
    }
}

Test(optim, given_genotypes_are_used) {
    Toy toy;
    toy_init(&toy, 20, true);
    Result best, result;
    OptimRun run = {.seed = 1, .has_target = true, .target = 0};
    run_setting("hill", &toy.problem, run, 1, &best);
    run.start = best.genotype;
    run.start_count = 1;
    run.seed = 2;
    for (size_t i = 0; i < optim_count(); i++) {
        if (optim_at(i)->needs_tree)
            continue; /* tested on the Tetris problem */
        run_setting(optim_at(i)->name, &toy.problem, run, 1, &result);
        cr_assert_eq(result.outcome.end, OPTIM_TARGET, "%s", optim_at(i)->name);
        cr_assert_arr_eq(result.genotype, best.genotype, sizeof best.genotype);
        cr_assert_eq(result.outcome.generations, 0);
    }
}

Test(optim, a_problem_without_neighbours_is_no_trouble) {
    Queens queens;
    cr_assert(queens_init(&queens, 1, NULL));
    for (int i = 0; i < SETTINGS; i++) {
        Result result;
        OptimRun run = {.seed = 1, .evaluations = 1000};
        run_setting(settings[i], &queens.problem, run, 2, &result);
        cr_assert_eq(result.outcome.fitness, 0);
    }
}

Test(registry, tables_are_sound) {
    for (size_t i = 0; i < optim_count(); i++) {
        const Optimiser *optimiser = optim_at(i);
        cr_assert_eq(optim_find(optimiser->name), optimiser);
        cr_assert(optimiser->parameters_bytes <= OPTIM_PARAMETERS_MAX_BYTES);
        for (size_t row = 0; row < optimiser->parameters.count; row++) {
            const Option *option = &optimiser->parameters.rows[row];
            cr_assert_eq(options_find(optimiser->parameters, option->name), (int)row);
            cr_assert_not_null(option->fallback);
            _Alignas(max_align_t) unsigned char parameters[OPTIM_PARAMETERS_MAX_BYTES];
            Status status = {0};
            cr_assert(options_set(optimiser->parameters, parameters, option->name, option->fallback,
                                  &status),
                      "%s", status.message);
        }
    }
    cr_assert_null(optim_find("nothing"));
}

/* ---- ga ---- */

Test(ga, the_kept_half_is_not_evaluated_again) {
    Toy toy;
    toy_init(&toy, 30, true);
    toy.flat = true;
    Result result;
    run_setting("ga population=101 generations=7", &toy.problem, (OptimRun){.seed = 1}, 2, &result);
    cr_assert_eq(result.outcome.end, OPTIM_FINISHED);
    cr_assert_eq(result.outcome.evaluations, 101 + 7 * 50);
    cr_assert_eq(result.trace.reports, 8);
    run_setting("ga population=100 generations=70 patience=6", &toy.problem, (OptimRun){.seed = 1},
                2, &result);
    cr_assert_eq(result.outcome.end, OPTIM_PATIENCE);
    cr_assert_eq(result.outcome.generations, 6);
}

Test(ga, the_temperature_follows_the_logarithm) {
    Toy toy;
    toy_init(&toy, 30, true);
    Result result;
    run_setting("ga population=10 generations=5", &toy.problem, (OptimRun){.seed = 1}, 1, &result);
    cr_assert(fabs(result.trace.first.temperature - 100 / log(2)) < 1e-9);
    cr_assert_eq(result.trace.first.generation, 0);
    cr_assert(fabs(result.trace.last.temperature - 100 / log(7)) < 1e-9);
    run_setting("ga population=10 generations=5 temperature=0.1", &toy.problem,
                (OptimRun){.seed = 1}, 1, &result);
    cr_assert_eq(result.trace.last.temperature, 0.1);
}

/* Without mutation every unit of a child comes from a parent: the best cannot hold a pair of genes
 * that no individual of the first generation had in that unit. */
Test(ga, without_mutation_nothing_new_appears) {
    enum { UNITS = 30, POPULATION = 6 };
    Toy toy;
    toy_init(&toy, UNITS, true);
    int8_t start[POPULATION][TOY_GENES * UNITS];
    for (int i = 0; i < POPULATION; i++)
        for (int u = 0; u < UNITS; u++) {
            start[i][2 * u] = (int8_t)(i % 5);
            start[i][2 * u + 1] = (int8_t)(i % 5 % 3);
        }
    const char *const crossings[] = {"half", "uniform", "alternating"};
    for (int c = 0; c < 3; c++) {
        char setting[100];
        snprintf(setting, sizeof setting, "ga population=6 mutation=0 generations=50 crossover=%s",
                 crossings[c]);
        Result result;
        OptimRun run = {.seed = 3, .start = start, .start_count = POPULATION};
        run_setting(setting, &toy.problem, run, 1, &result);
        const int8_t *genes = (const int8_t *)result.genotype;
        for (int u = 0; u < UNITS; u++)
            cr_assert_eq(genes[2 * u] % 3, genes[2 * u + 1]);
        if (c == 0) /* one cut in the middle: two blocks at most */
            for (int u = 1; u < UNITS; u++)
                cr_assert(u == UNITS / 2 || genes[2 * u] == genes[2 * u - 2]);
    }
}

/* ---- mutation ---- */

enum { MUTANT_UNITS = 30 };

/* How many units of the population differ from the genotype that all began with. */
typedef struct Mutants {
    const int8_t *start;
    size_t population;
    double units; /* of each child, on average */
} Mutants;

static void count_mutants(void *context, Ga *ga) {
    Mutants *mutants = context;
    size_t different = 0;
    for (size_t i = 0; i < mutants->population; i++) {
        const int8_t *genes = ga_genotype(ga, i);
        for (int u = 0; u < MUTANT_UNITS; u++)
            different += memcmp(genes + 2 * u, mutants->start + 2 * u, 2) != 0;
    }
    mutants->units = (double)different / ((double)mutants->population / 2);
}

/* One generation of a population of copies: every difference is a mutation. */
static double mutated_units(const char *setting) {
    enum { POPULATION = 4000 };
    static int8_t starts[POPULATION][TOY_GENES * MUTANT_UNITS];
    Toy toy;
    toy_init(&toy, MUTANT_UNITS, true);
    toy.flat = true;
    Parameters parameters;
    read_setting(setting, &parameters);
    Status status = {0};
    unsigned char best[GENOTYPE_MAX];
    OptimOutcome outcome = {.genotype = best};
    OptimRun run = {.problem = &toy.problem,
                    .seed = 5,
                    .pool = pool_new(1, &status),
                    .start = starts,
                    .start_count = POPULATION};
    Control control;
    Mutants mutants = {starts[0], POPULATION, 0};
    cr_assert(control_init(&control, &run, &outcome, &status));
    cr_assert(ga_evolve(&control, (const GaParameters *)(const void *)parameters.values,
                        count_mutants, &mutants, NULL, &status));
    control_release(&control);
    pool_free(run.pool);
    return mutants.units;
}

Test(ga, the_probability_is_drawn_per_child_or_per_piece) {
    /* A uniform value differs from the present one in 4 of 5 and 2 of 3 cases. */
    double differs = (4.0 / 5 + 2.0 / 3) / 2;
    double child =
        mutated_units("ga population=4000 generations=1 mutation=0.15 mutation-per=child");
    cr_assert(fabs(child - 0.15 * differs) < 0.03, "%g", child);
    double piece =
        mutated_units("ga population=4000 generations=1 mutation=0.15 mutation-per=piece");
    cr_assert(fabs(piece - 4.5 * differs) < 0.15, "%g", piece);
    double hybrid = mutated_units("hybrid population=4000 generations=1 mutation=0.15 "
                                  "mutation-per=piece refine-every=9");
    cr_assert(fabs(hybrid - 4.5 * differs) < 0.15, "%g", hybrid);
}

/* ---- sa ---- */

/* On a flat problem nothing is ever better: the temperature falls for as many steps as there are
 * neighbours, then rises. */
Test(sa, cools_then_reheats) {
    Toy toy;
    toy_init(&toy, 250, true); /* 2000 neighbours */
    toy.flat = true;
    double temperature = 5;
    for (int step = 1; step <= 3000; step++) {
        temperature *= step <= 2000 ? 1 - 0.003 : 1 + 0.003;
        temperature = temperature > 0.1 ? temperature : 0.1;
        if (step != 1500 && step != 2000 && step != 2001 && step != 3000)
            continue;
        char setting[100];
        snprintf(setting, sizeof setting, "sa steps=%d temperature=5 cooling=0.003", step);
        static Result result;
        unsigned char genotype[500];
        Status status = {0};
        Parameters parameters;
        const Optimiser *optimiser = read_setting(setting, &parameters);
        OptimRun run = {.problem = &toy.problem,
                        .pool = pool_new(1, &status),
                        .report = trace,
                        .report_context = &result.trace};
        OptimOutcome outcome = {.genotype = genotype};
        cr_assert(optimiser->run(&run, parameters.values, &outcome, &status));
        pool_free(run.pool);
        cr_assert_eq(outcome.end, OPTIM_FINISHED);
        cr_assert(fabs(result.trace.last.temperature / temperature - 1) < 1e-9, "step %d: %g, %g",
                  step, result.trace.last.temperature, temperature);
    }
}

/* 15 genotypes in all, all tabu once they were valued: every later step is a skip. */
Test(sa, evaluates_no_genotype_twice_while_it_is_tabu) {
    Toy toy;
    toy_init(&toy, 1, true);
    toy.flat = true;
    Result result;
    run_setting("sa steps=5000 tabu=100", &toy.problem, (OptimRun){.seed = 1}, 1, &result);
    cr_assert_eq(result.outcome.generations, 5000, "a skip is a step");
    cr_assert(result.outcome.evaluations <= 15 && result.outcome.evaluations >= 7);
    run_setting("sa steps=5000 tabu=1", &toy.problem, (OptimRun){.seed = 1}, 1, &result);
    cr_assert(result.outcome.evaluations > 1000);
}

/* Flat: the first genotype stays the best. */
typedef struct Jumps {
    Progress last;
    int reports, falls, rises, better;
} Jumps;

static void note_jump(void *context, const Progress *progress) {
    Jumps *jumps = context;
    if (jumps->reports++ > 0) {
        jumps->falls += progress->current < jumps->last.current;
        jumps->rises += progress->current > jumps->last.current;
        jumps->better += progress->best > jumps->last.best;
        cr_assert_geq(progress->generation, jumps->last.generation);
        cr_assert_geq(progress->done, jumps->last.done);
    }
    cr_assert_leq(progress->current, progress->best);
    jumps->last = *progress;
}

/* The log has the start and every accepted change of the fitness, with the step at which it was. */
Test(sa, reports_every_accepted_change) {
    Toy toy;
    toy_init(&toy, 30, true);
    Parameters parameters;
    const Optimiser *optimiser = read_setting("sa steps=900 patience=900", &parameters);
    Status status = {0};
    unsigned char best[GENOTYPE_MAX];
    OptimOutcome outcome = {.genotype = best};
    Jumps jumps = {0};
    OptimRun run = {.problem = &toy.problem,
                    .seed = 1,
                    .pool = pool_new(1, &status),
                    .report = note_jump,
                    .report_context = &jumps};
    cr_assert(optimiser->run(&run, parameters.values, &outcome, &status));
    pool_free(run.pool);
    /* 900 steps are less than a round: without the log there would be one report. */
    cr_assert(jumps.falls > 5 && jumps.rises > jumps.falls && jumps.better > 20,
              "%d falls, %d rises, %d better", jumps.falls, jumps.rises, jumps.better);
    cr_assert_eq(jumps.last.best, outcome.fitness);
    Result result;
    run_setting("sa steps=900 patience=900", &toy.problem, (OptimRun){.seed = 1}, 1, &result);
    cr_assert_eq(result.trace.first.generation, 0);
    cr_assert_eq(result.trace.first.temperature, 2);
    cr_assert_eq(result.trace.first.done, 1);
}

Test(sa, patience_counts_steps_without_a_better_best) {
    Toy toy;
    toy_init(&toy, 20, true);
    toy.flat = true;
    Result result;
    run_setting("sa patience=77", &toy.problem, (OptimRun){.seed = 1}, 1, &result);
    cr_assert_eq(result.outcome.end, OPTIM_PATIENCE);
    cr_assert_eq(result.outcome.generations, 77);
}

/* ---- hybrid ---- */

static uint64_t set_to_best(const Problem *problem, ProblemRefine how, uint64_t evaluations,
                            uint64_t seed, ProblemCut cut, void *genotype, double *fitness) {
    (void)seed;
    (void)cut;
    cr_assert(how == REFINE_BEAM && evaluations > 0);
    int8_t *genes = genotype;
    for (uint32_t u = 0; u < problem->units; u++) {
        genes[2 * u] = (int8_t)(u * 7 % 5);
        genes[2 * u + 1] = (int8_t)(u % 3);
    }
    *fitness = 0;
    return 1;
}

Test(hybrid, uses_the_search_of_the_problem) {
    Toy toy;
    toy_init(&toy, 20, true);
    Status status = {0};
    Pool *pool = pool_new(1, &status);
    Parameters parameters;
    unsigned char genotype[40];
    const Optimiser *optimiser =
        read_setting("hybrid population=50 refine-every=2 refine=beam refine-count=3", &parameters);
    OptimRun run = {.problem = &toy.problem, .pool = pool, .has_target = true, .target = 0};
    OptimOutcome outcome = {.genotype = genotype};
    cr_assert_not(optimiser->run(&run, parameters.values, &outcome, &status));
    cr_assert_eq(status.code, STATUS_INPUT);
    toy.problem.refine = set_to_best;
    cr_assert(optimiser->run(&run, parameters.values, &outcome, &status));
    cr_assert_eq(outcome.end, OPTIM_TARGET);
    cr_assert_eq(outcome.generations, 2);
    cr_assert_eq(outcome.evaluations, 50 + 2 * 25 + 3);
    pool_free(pool);
}
