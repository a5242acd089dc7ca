/*
 * auto: the default optimiser: beams and the problem's own construction first, then the hybrid.
 *
 * The budget is divided in evaluations, so a run with an evaluation limit is repeatable; a time
 * limit only ends it earlier.
 *
 * `run` alternates between two searches while there is budget.
 *
 * 1. The given start solutions and a beam of width 1, so that there is an answer early. 2. Rounds
 * of growing budget: wider beams, then the problem's own construction (exact_guess). 3. The hybrid,
 * started from the best; then rounds with a larger budget again. A problem that is only a tree ends
 * with the exact search instead.
 */
#include "base/clock.h"
#include "base/options.h"
#include "base/parameters.h"
#include "optim/exact.h"
#include "optim/hybrid.h"
#include "optim/presets.h"
#include "optim/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct AutoParameters {
    int64_t first_effort, growth, tree_effort, effort;
} AutoParameters;

static const Option rows[] = {
    PARAMETER_INTEGER(AutoParameters, first_effort, "first", "30000", 1, 1e12,
                      "placements that each search of the first round may try"),
    PARAMETER_INTEGER(AutoParameters, growth, "growth", "6", 2, 100,
                      "how many times as many every further round may try"),
    PARAMETER_INTEGER(AutoParameters, tree_effort, "tree", "2000000", 1, 1e15,
                      "rounds larger than this are left to the hybrid"),
    PARAMETER_INTEGER(
        AutoParameters, effort, "effort", "5000000", 1, 1e15,
        "evaluations in all when neither a time nor a number of evaluations is given"),
};

enum {
    FIRST_WIDTH = 30, /* of the beams; each is WIDTH_GROWTH times as wide as the one before */
    WIDTH_GROWTH = 4,
    WIDEST_BEAM = 1 << 18,
    MOST_LINKS = 1 << 22,  /* links of a beam, a few dozen bytes each */
    CHILDREN_A_NODE = 50,  /* approximately; to estimate the cost of a beam */
    PROOF_TABLE_BITS = 22, /* as far as 64 MB go */
    LONG_GUESS = 4000000   /* with less a construction tries nothing else than before */
};

/* Links between levels take memory in proportion to width and depth; so long piece sequences get
 * narrower beams, and the hybrid the rest of the time. */
static uint64_t widest_beam(const Tree *tree) {
    uint64_t widest = MOST_LINKS / (tree->depth ? tree->depth : 1);
    return widest < WIDEST_BEAM ? widest : WIDEST_BEAM;
}

/* One beam after the other, each wider, while the next is likely to stay within `effort`. */
static bool run_beams(Control *control, uint64_t effort, uint64_t *width, Status *status) {
    const Tree *tree = control->problem->tree;
    for (; *width <= widest_beam(tree); *width *= WIDTH_GROWTH) {
        if (*width * tree->depth * CHILDREN_A_NODE > effort && *width > FIRST_WIDTH)
            break;
        if (!beam_run(control, tree, (uint32_t)*width, NULL, status))
            return false;
        if (control_over(control))
            break;
    }
    return true;
}

/* The budget of the next round; it saturates in runs of hours. */
static uint64_t grown(uint64_t effort, const AutoParameters *parameters) {
    uint64_t growth = (uint64_t)parameters->growth;
    return effort < UINT64_MAX / growth ? effort * growth : UINT64_MAX;
}

/* The progress of the rounds. */
typedef struct Rounds {
    uint64_t effort, width;
    ExactGuess guess; /* what became of the construction */
    bool extended;    /* it had a large budget */
} Rounds;

/* The problem's own construction, unless nothing else can come of it. */
static bool run_guess(Control *control, uint64_t effort, Rounds *rounds, Status *status) {
    return rounds->guess.final || control_over(control) ||
           exact_guess(control, control->problem->tree, effort, FIRST_WIDTH * WIDTH_GROWTH,
                       &rounds->guess, status);
}

/* Rounds of growing budget, beams and then the problem's own construction, up to `largest`. */
static bool run_rounds(Control *control, const AutoParameters *parameters, uint64_t largest,
                       Rounds *rounds, Status *status) {
    const Tree *tree = control->problem->tree;
    bool only_tree = !control->problem->evaluate;
    while (!control_over(control) && !control->outcome->optimal) {
        if (!only_tree && rounds->effort > largest)
            break;
        if (rounds->guess.final && rounds->width > widest_beam(tree))
            break; /* only the proof or the hybrid is left */
        if (!run_beams(control, rounds->effort, &rounds->width, status))
            return false;
        if (!run_guess(control, rounds->effort, rounds, status))
            return false;
        /* Without genes, a construction that is complete becomes better sooner than a beam does. */
        uint64_t rest = control_left(control) / 2;
        if (only_tree && rounds->guess.complete && !rounds->extended && rest >= LONG_GUESS) {
            rounds->extended = true;
            if (!run_guess(control, rest, rounds, status))
                return false;
        }
        rounds->effort = grown(rounds->effort, parameters);
    }
    return true;
}

/* The hybrid's reports, continuing the counts before it. */
typedef struct Onward {
    const Control *control;
    uint64_t evaluations;
    double best;
} Onward;

static void report_onward(void *context, const Progress *progress) {
    const Onward *onward = context;
    const OptimRun *run = onward->control->run;
    Progress sum = *progress;
    sum.done += onward->evaluations;
    if (!(sum.best > onward->best)) {
        sum.best = onward->best;
        sum.genotype = onward->control->outcome->genotype;
    }
    run->report(run->report_context, &sum);
}

/* The hybrid gets the rest of the budget. */
static bool run_hybrid(Control *control, uint64_t start_ns, uint64_t number, Status *status) {
    const OptimRun *run = control->run;
    OptimOutcome *outcome = control->outcome;
    size_t bytes = control->problem->genotype_bytes;
    bool found = outcome->fitness > -INFINITY;
    unsigned char *memory = control_allocate(2, control_stride(bytes), status);
    if (!memory)
        return false;
    OptimRun rest = *run;
    rest.seed = rng_derive(run->seed, number);
    rest.evaluations = run->evaluations ? control_left(control) : 0;
    if (run->seconds > 0) {
        double left = run->seconds - clock_seconds_since(start_ns);
        rest.seconds = left > 1e-3 ? left : 1e-3;
    }
    if (found) {
        memcpy(memory, outcome->genotype, bytes);
        rest.start = memory;
        rest.start_count = 1;
    }
    Onward onward = {control, outcome->evaluations, outcome->fitness};
    if (run->report) {
        rest.report = report_onward;
        rest.report_context = &onward;
    }
    OptimOutcome other = {.genotype = memory + control_stride(bytes)};
    Parameters parameters; /* the tuned ones are for a search from nothing */
    parameters_init(&parameters, hybrid_optimiser.name, hybrid_optimiser.parameters);
    bool ok = parameters_set_all(&parameters, optim_preset("untuned", "hybrid"), '&', status) &&
              /* few changes to a good start */
              parameters_set(&parameters, "mutation-per=child", status) &&
              /* a tail played anew does more than a few changed genes */
              (!control->problem->refine || parameters_set(&parameters, "refine=beam", status)) &&
              optim_run(&hybrid_optimiser, &rest, parameters.values, &other, status);
    parameters_release(&parameters);
    if (ok) {
        control_spend(control, other.evaluations);
        control_offer(control, other.genotype, other.fitness);
        outcome->generations = other.generations;
        outcome->end = other.end;
    }
    free(memory);
    return ok;
}

/* Offers the start solutions of the user. */
static void offer_starts(Control *control) {
    const Problem *problem = control->problem;
    const void *start;
    for (size_t i = 0; problem->evaluate && (start = control_start(control, i)); i++) {
        if (control_left(control) == 0)
            return;
        control_spend(control, 1);
        control_offer(control, start,
                      problem->evaluate(problem, control_scratch(control, 0), start));
    }
}

static bool run(const OptimRun *asked, const void *given, OptimOutcome *outcome, Status *status) {
    const AutoParameters *parameters = given;
    uint64_t start_ns = clock_now_ns();
    OptimRun limited = *asked;
    const OptimRun *run = &limited;
    if (limited.evaluations == 0 && limited.seconds <= 0)
        limited.evaluations = (uint64_t)parameters->effort;
    Control control;
    bool ok = control_init(&control, run, outcome, status);
    if (ok && run->problem->tree) {
        offer_starts(&control);
        ok = beam_run(&control, run->problem->tree, 1, NULL, status);
    }
    Rounds rounds = {.effort = (uint64_t)parameters->first_effort, .width = FIRST_WIDTH};
    uint64_t largest = (uint64_t)parameters->tree_effort;
    for (uint64_t turn = 1; ok && !outcome->optimal && !control_over(&control); turn++) {
        if (run->problem->tree)
            ok = run_rounds(&control, parameters, largest, &rounds, status);
        if (!ok || outcome->optimal || control_over(&control))
            break;
        if (!run->problem->evaluate) {
            ok = exact_search(&control, run->problem->tree, NULL, PROOF_TABLE_BITS, status);
            break;
        }
        ok = run_hybrid(&control, start_ns, turn, status);
        largest = grown(largest, parameters);
    }
    if (ok && outcome->optimal)
        outcome->end = OPTIM_FINISHED;
    control_release(&control);
    return ok;
}

const Optimiser auto_optimiser = {
    .name = "auto",
    .summary = "rounds of beams and perfect-clear search, then the hybrid from the best",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(AutoParameters),
    .searches_tree = true,
    .run = run,
};
