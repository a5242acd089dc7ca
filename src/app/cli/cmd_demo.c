/*
 * demo: the same optimisers on n queens and 3-SAT, which shows that they are independent of Tetris;
 * and 3-PARTITION as a game of Tetris (cli/demo_partition).
 *
 * Beside them are two methods that belong to one problem each: `greedy` for queens and `exhaustive`
 * for formulas, the only one that can prove a formula unsatisfiable. They end by --time and Ctrl-C
 * like the others (cut_asked) and show what they have.
 */
#include "base/clock.h"
#include "base/json_writer.h"
#include "base/parameters.h"
#include "base/rng.h"
#include "cli/cli.h"
#include "cli/demo_partition.h"
#include "cli/progress.h"
#include "job/puzzle.h"
#include "optim/presets.h"
#include "optim/registry.h"
#include "problem/queens.h"
#include "problem/sat.h"
#include "system/file.h"
#include "system/stop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DIMACS_LIMIT = 256 << 20,
    SHOWN_CLAUSES = 1000, /* larger formulas are not printed */
    SHOWN_LITERALS = 64   /* of one clause */
};

typedef struct DemoSettings {
    CliCommon common;
    QueensOptions queens;
    SatOptions sat;
    const char *algorithm;
    int64_t seed, threads, evaluations;
    double seconds;
    bool loop;
    OptionList parameters;
    PartitionOptions partition;
} DemoSettings;

static const Option demo_rows[] = {
    OPTIONS_INCLUDE(DemoSettings, queens, queens_options),
    OPTIONS_INCLUDE(DemoSettings, sat, sat_options),
    OPTION_ROW(DemoSettings, FLAG, loop, "loop", .only = "sat",
               .help = "draw formulas until one is satisfied"),
    OPTION_ROW(DemoSettings, TEXT, algorithm, "algorithm",
               .choices = "ga|sa|abc|hill|hybrid|greedy|exhaustive", .argument = "NAME",
               .only = "queens|sat",
               .help = "how to search (default: hill for queens, sa for sat; greedy is only for "
                       "queens, exhaustive for sat)"),
    OPTION_ROW(DemoSettings, LIST, parameters, "param", .argument = "NAME=VALUE",
               .only = "queens|sat",
               .help = "set a parameter of the algorithm (see tetropt solve --list); repeatable"),
    OPTION_ROW(DemoSettings, REAL, seconds, "time", .min = 0, .max = 1e7, .argument = "SECONDS",
               .help = "time limit; 0: none"),
    OPTION_ROW(DemoSettings, INTEGER, evaluations, "evaluations", .max = 1e15, .argument = "N",
               .only = "queens|sat", .help = "evaluation limit; 0: none"),
    PARAMETER_INTEGER(DemoSettings, seed, "seed", NULL, 0, 9.2e18,
                      "seed; drawn and printed when not given"),
    OPTION_ROW(DemoSettings, INTEGER, threads, "threads", .min = 1, .max = POOL_MAX_THREADS,
               .argument = "N", .only = "queens|sat",
               .help = "threads (default: the number of CPUs)"),
    OPTIONS_INCLUDE(DemoSettings, partition, partition_options),
    OPTIONS_INCLUDE(DemoSettings, common, cli_common_options),
};

/* One demonstration: what was asked and what came out. */
typedef struct Demo {
    const CliContext *context;
    const DemoSettings *settings;
    uint64_t seed, start_ns;
    const char *algorithm;
    uint64_t evaluations, attempts; /* attempts: of greedy, or formulas drawn by --loop */
    bool solved;
} Demo;

static bool cut_asked(const void *context) {
    const Demo *demo = context;
    return atomic_load(stop_flag()) ||
           (demo->settings->seconds > 0 &&
            clock_seconds_since(demo->start_ns) >= demo->settings->seconds);
}

/* What making the problem left of --time; 0: no limit. */
static double seconds_left(const Demo *demo) {
    double limit = demo->settings->seconds;
    return limit > 0 ? fmax(limit - clock_seconds_since(demo->start_ns), 1e-3) : 0;
}

static bool optimise(Demo *demo, const Problem *problem, uint64_t seed, double target,
                     void *genotype, double *fitness, Status *status) {
    const DemoSettings *settings = demo->settings;
    const Optimiser *optimiser = optim_find(demo->algorithm);
    if (!optimiser || (optimiser->needs_tree && !problem->tree))
        return status_fail(status, STATUS_INPUT, "--algorithm: '%s' cannot solve this problem",
                           demo->algorithm);
    Parameters parameters;
    parameters_init(&parameters, optimiser->name, optimiser->parameters);
    /* The defaults were tuned for Tetris. */
    parameters_set_all(&parameters, optim_preset("untuned", optimiser->name), '&', NULL);
    if (!settings->algorithm && optimiser == optim_find("hill")) /* far quicker on large boards */
        parameters_set(&parameters, "climb=first", NULL);
    if (!parameters_set_list(&parameters, &settings->parameters, status)) {
        parameters_release(&parameters);
        return false;
    }
    unsigned threads =
        cli_given(demo->context, "threads") ? (unsigned)settings->threads : pool_processors();
    Pool *pool = pool_new(threads, status);
    if (!pool) {
        parameters_release(&parameters);
        return false;
    }
    ProgressLine progress;
    progress_init(&progress, &settings->common, settings->seconds, (uint64_t)settings->evaluations,
                  false);
    OptimRun run = {.problem = problem,
                    .seed = seed,
                    .evaluations = (uint64_t)settings->evaluations,
                    .seconds = seconds_left(demo),
                    .has_target = true,
                    .target = target,
                    .stop = stop_flag(),
                    .pool = pool,
                    .report = progress_report,
                    .report_context = &progress};
    OptimOutcome outcome = {.genotype = genotype};
    bool ok = optim_run(optimiser, &run, parameters.values, &outcome, status);
    parameters_release(&parameters);
    progress_end(&progress);
    progress_release(&progress);
    pool_free(pool);
    *fitness = outcome.fitness;
    demo->evaluations += outcome.evaluations;
    demo->solved = ok && outcome.fitness >= target;
    return ok;
}

static bool show_queens(const Demo *demo, const int16_t *columns, int64_t conflicts,
                        Status *status) {
    int n = (int)demo->settings->queens.n;
    double seconds = clock_seconds_since(demo->start_ns);
    if (demo->settings->common.json) {
        JsonWriter w;
        jw_start(&w);
        jw_put(&w, JS("problem", "queens"), JI("n", n), JS("algorithm", demo->algorithm),
               JB("solved", demo->solved), JI("conflicts", conflicts));
        jw_array(&w, "columns");
        for (int i = 0; i < n; i++)
            jw_integer(&w, NULL, columns[i]);
        jw_end(&w);
        jw_put(&w, JI("evaluations", (int64_t)demo->evaluations),
               JI("attempts", (int64_t)demo->attempts), JI("seed", (int64_t)demo->seed),
               JR("seconds", seconds));
        return cli_print_json(&w, status);
    }
    Text text = {0};
    if (n <= QUEENS_DRAW_MAX)
        queens_draw(n, columns, &text);
    if (!cli_print_text(&text, status))
        return false;
    printf("%d queens, %s: %s, ", n, demo->algorithm,
           demo->solved ? "no two attack each other" : "not solved");
    if (demo->attempts)
        printf("%llu attempt%s", (unsigned long long)demo->attempts,
               cli_plural((int64_t)demo->attempts));
    else
        printf("%lld attacking pair%s, %llu evaluation%s", (long long)conflicts,
               cli_plural(conflicts), (unsigned long long)demo->evaluations,
               cli_plural((int64_t)demo->evaluations));
    printf(", %.3f s (seed %llu)\n", seconds, (unsigned long long)demo->seed);
    return true;
}

static bool run_queens(Demo *demo, Status *status) {
    int n = (int)demo->settings->queens.n;
    if (!demo->algorithm)
        demo->algorithm = "hill";
    int16_t *columns = calloc((size_t)n, sizeof *columns);
    int32_t *counters = calloc((size_t)n * 4, sizeof *counters);
    Queens queens;
    bool ok = columns && counters ? queens_init(&queens, n, status) : status_no_memory(status);
    if (ok && strcmp(demo->algorithm, "greedy") == 0) {
        Status result = {0};
        ok = queens_greedy(n, demo->seed, 0, (ProblemCut){cut_asked, demo}, columns,
                           &demo->attempts, &result);
        demo->solved = ok;
        if (!ok && result.code == STATUS_UNMET)
            ok = true; /* cut: the best so far is shown */
        else if (!ok)
            *status = result;
    } else if (ok) {
        double fitness;
        ok = optimise(demo, &queens.problem, demo->seed, 0, columns, &fitness, status);
    }
    if (ok)
        ok = show_queens(demo, columns, queens_conflicts(n, columns, counters), status);
    free(counters);
    free(columns);
    return ok;
}

static Sat *make_formula(const Demo *demo, uint64_t seed, Status *status) {
    const DemoSettings *settings = demo->settings;
    ProblemCut cut = {cut_asked, demo};
    if (!settings->sat.dimacs)
        return puzzle_random_sat(&settings->sat, seed, cut, status);
    size_t length;
    char *text = file_read(settings->sat.dimacs, DIMACS_LIMIT, &length, status);
    Sat *sat = text ? sat_parse(settings->sat.dimacs, text, length, cut, status) : NULL;
    free(text);
    return sat;
}

/* Whether the formula and its assignment are printed. */
static bool is_shown(const Sat *sat) {
    return sat_clause_count(sat) <= SHOWN_CLAUSES && sat_variable_count(sat) <= SHOWN_CLAUSES;
}

/* The formula and the assignment, in lines of at most 100 columns. */
static bool print_formula(const Sat *sat, const uint8_t *values, Status *status) {
    enum { COLUMNS = 100 };
    Text line = {0}, text = {0};
    for (uint32_t i = 0; i < sat_clause_count(sat); i++) {
        int32_t literals[SHOWN_LITERALS];
        size_t count = sat_clause(sat, i, literals, SHOWN_LITERALS);
        for (size_t k = 0; k < count; k++)
            text_format(&line, "%s%sx%d", k ? " or " : "(", literals[k] < 0 ? "not " : "",
                        abs(literals[k]));
        text_add(&line, count > 0 ? ") " : "(always true) ");
    }
    text_add(&text, "formula: ");
    text_wrap(&text, line.data ? line.data : "", strlen("formula: "), COLUMNS);
    text_clear(&line);
    for (uint32_t i = 0; i < sat_variable_count(sat); i++)
        text_format(&line, "x%u=%d ", i + 1, values[i]);
    text_add(&text, "\nassignment: ");
    text_wrap(&text, line.data ? line.data : "", strlen("assignment: "), COLUMNS);
    text.failed |= line.failed;
    text_release(&line);
    return cli_print_line(&text, status);
}

static void write_formula(JsonWriter *w, const Sat *sat) {
    jw_array(w, "formula");
    for (uint32_t i = 0; i < sat_clause_count(sat); i++) {
        int32_t literals[SHOWN_LITERALS];
        size_t count = sat_clause(sat, i, literals, SHOWN_LITERALS);
        jw_array(w, NULL);
        for (size_t k = 0; k < count; k++)
            jw_integer(w, NULL, literals[k]);
        jw_end(w);
    }
    jw_end(w);
}

static bool show_sat(const Demo *demo, const Sat *sat, const uint8_t *values, bool impossible,
                     Status *status) {
    uint32_t variables = sat_variable_count(sat), clauses = sat_clause_count(sat);
    uint32_t satisfied = sat_satisfied(sat, values);
    double seconds = clock_seconds_since(demo->start_ns);
    if (demo->settings->common.json) {
        JsonWriter w;
        jw_start(&w);
        jw_put(&w, JS("problem", "sat"), JI("variables", variables), JI("clauses", clauses),
               JS("algorithm", demo->algorithm), JB("solved", demo->solved),
               JB("unsatisfiable", impossible), JI("satisfied", satisfied));
        if (is_shown(sat))
            write_formula(&w, sat);
        jw_array(&w, "values");
        for (uint32_t i = 0; i < variables; i++)
            jw_integer(&w, NULL, values[i]);
        jw_end(&w);
        jw_put(&w, JI("evaluations", (int64_t)demo->evaluations),
               JI("formulas", (int64_t)demo->attempts), JI("seed", (int64_t)demo->seed),
               JR("seconds", seconds));
        return cli_print_json(&w, status);
    }
    if (is_shown(sat) && !print_formula(sat, values, status))
        return false;
    printf("%u variable%s, %u clause%s, %s: %s, %u clause%s satisfied, %llu %s%s, ", variables,
           cli_plural(variables), clauses, cli_plural(clauses), demo->algorithm,
           demo->solved ? "satisfied"
           : impossible ? "no assignment satisfies it"
                        : "not satisfied",
           satisfied, cli_plural(satisfied), (unsigned long long)demo->evaluations,
           strcmp(demo->algorithm, "exhaustive") == 0 ? "assignment" : "evaluation",
           cli_plural((int64_t)demo->evaluations));
    if (demo->settings->loop)
        printf("formula number %llu, ", (unsigned long long)demo->attempts);
    printf("%.3f s (seed %llu)\n", seconds, (unsigned long long)demo->seed);
    return true;
}

/* One formula; *impossible when it was proved that nothing satisfies it. */
static bool try_formula(Demo *demo, const Sat *sat, uint64_t seed, uint8_t *values,
                        bool *impossible, Status *status) {
    *impossible = false;
    if (strcmp(demo->algorithm, "exhaustive") != 0) {
        double fitness;
        return optimise(demo, sat_problem(sat), seed, sat_clause_count(sat), values, &fitness,
                        status);
    }
    bool complete = false;
    uint64_t assignments = 0;
    Status result = {.code = STATUS_OK};
    demo->solved = sat_exhaustive(sat, (ProblemCut){cut_asked, demo}, values, &assignments,
                                  &complete, &result);
    demo->evaluations += assignments;
    *impossible = !demo->solved && complete;
    if (!demo->solved && result.code != STATUS_OK && result.code != STATUS_UNMET) {
        *status = result;
        return false;
    }
    return true;
}

static bool run_sat(Demo *demo, Status *status) {
    if (!demo->algorithm)
        demo->algorithm = "sa";
    if (demo->settings->loop && (demo->settings->sat.impossible || demo->settings->sat.dimacs))
        return status_fail(status, STATUS_INPUT,
                           "--loop: requires random formulas that may have a "
                           "solution");
    for (;;) {
        uint64_t seed = rng_derive(demo->seed, demo->attempts++);
        Sat *sat = make_formula(demo, seed, status);
        if (!sat && atomic_load(stop_flag()))
            *status = (Status){.code = STATUS_INTERRUPTED}; /* there is nothing to show */
        if (!sat)
            return false;
        uint8_t *values = calloc(sat_variable_count(sat) + 1, 1);
        bool impossible = false;
        bool ok = values ? try_formula(demo, sat, seed, values, &impossible, status)
                         : status_no_memory(status);
        bool again = ok && demo->settings->loop && !demo->solved && !cut_asked(demo);
        if (ok && !again)
            ok = show_sat(demo, sat, values, impossible, status);
        free(values);
        sat_free(sat);
        if (!ok || !again)
            return ok;
    }
}

static StatusCode run_demo(CliContext *context, const void *given, Status *status) {
    const DemoSettings *settings = given;
    const char *topic = context->words.count ? context->words.items[0] : "";
    bool queens = strcmp(topic, "queens") == 0, sat = strcmp(topic, "sat") == 0,
         partition = strcmp(topic, "partition") == 0;
    if (!queens && !sat && !partition) {
        status_fail(status, STATUS_INPUT,
                    "demo: missing or unknown subcommand (queens, sat, partition)");
        return status->code;
    }
    if (!cli_words_at_most(context, 1, status))
        return status->code;
    Demo demo = {.context = context,
                 .settings = settings,
                 .seed = cli_seed(context, settings->seed),
                 .algorithm = settings->algorithm,
                 .start_ns = clock_now_ns()};
    if (partition) {
        StatusCode code = demo_partition(context, &settings->partition, &settings->common,
                                         demo.seed, (ProblemCut){cut_asked, &demo}, status);
        return code <= STATUS_UNMET && atomic_load(stop_flag()) ? STATUS_INTERRUPTED : code;
    }
    if (!(queens ? run_queens(&demo, status) : run_sat(&demo, status)))
        return status->code;
    if (atomic_load(stop_flag())) {
        cli_interrupted(context, NULL);
        return STATUS_INTERRUPTED;
    }
    return demo.solved ? STATUS_OK : STATUS_UNMET;
}

const Command cmd_demo = {
    .name = "demo",
    .arguments = "queens|sat|partition [OPTIONS]",
    .summary = "the same optimisers on N-queens and 3-SAT; 3-PARTITION as a game",
    .description =
        "Shows that the optimisers are general: places N queens so that none attacks another, or "
        "satisfies a random 3-SAT formula or one from a DIMACS file. `partition` decides "
        "3-PARTITION "
        "and plays the answer as a game of Tetris whose board can be emptied exactly when the "
        "answer is yes. Exit code 1 when there is no solution, or none was found.",
    .examples = "  tetropt demo queens --n 200 --seed 1\n"
                "  tetropt demo queens --n 12 --algorithm greedy --seed 1\n"
                "  tetropt demo sat --variables 50 --clauses 180 --seed 1\n"
                "  tetropt demo sat --variables 9 --impossible --algorithm exhaustive --seed 1 || "
                "true\n"
                "  tetropt demo partition --numbers 5,5,6,5,5,6 --target 16\n"
                "  tetropt demo partition --sets 4 --seed 2 --save yes.json --svg yes.svg\n"
                "  tetropt demo partition --check yes.json\n",
    .unmet = "no solution was found",
    .interrupted = "interrupted, after the progress so far was printed",
    .options = OPTIONS_TABLE(demo_rows),
    .settings_bytes = sizeof(DemoSettings),
    .run = run_demo,
};
