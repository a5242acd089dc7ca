#include "optim/auto.h"

#include "base/clock.h"
#include "optim/exact.h"
#include "optim/hybrid.h"
#include "optim/parameter.h"
#include "optim/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const Option rows[] = {
    PARAMETER_INTEGER(AutoParameters, guess_effort, "guess", "300000", 0, 1e12,
                      "placements that the search for an empty board may try"),
    PARAMETER_INTEGER(AutoParameters, beam_width, "beam", "30", 1, 1e6, "width of the first beam"),
    PARAMETER_INTEGER(AutoParameters, beam_growth, "growth", "4", 2, 100,
                      "how many times as wide every further beam is"),
    PARAMETER_INTEGER(AutoParameters, beam_evaluations, "beam-evaluations", "2000000", 0, 1e15,
                      "placements that beams may try before the hybrid starts"),
    PARAMETER_INTEGER(
        AutoParameters, effort, "effort", "5000000", 1, 1e15,
        "evaluations in all when neither a time nor a number of evaluations is given"),
};

enum { WIDEST_BEAM = 200000, PROOF_TABLE_BITS = 22 };

/* Beams of growing width until one more would use up `evaluations`. */
static bool run_beams(Control *control, const AutoParameters *parameters, uint64_t evaluations,
                      Status *status) {
    uint64_t begin = control->outcome->evaluations, last = 0;
    for (int64_t width = parameters->beam_width; width <= WIDEST_BEAM;
         width *= parameters->beam_growth) {
        uint64_t before = control->outcome->evaluations;
        /* A wider beam costs about `growth` times as much as the last one did. */
        if (before - begin + last * (uint64_t)parameters->beam_growth > evaluations)
            break;
        if (!beam_run(control, control->problem->tree, (uint32_t)width, NULL, status))
            return false;
        last = control->outcome->evaluations - before;
        if (control_over(control))
            break;
    }
    return true;
}

/* The hybrid's reports, counted on from what came before it. */
typedef struct Onward {
    const Control *control;
    uint64_t evaluations;
    double best;
} Onward;

static void report_onward(void *context, const OptimProgress *progress) {
    const Onward *onward = context;
    const OptimRun *run = onward->control->run;
    OptimProgress sum = *progress;
    sum.evaluations += onward->evaluations;
    sum.best = sum.best > onward->best ? sum.best : onward->best;
    run->report(run->report_context, &sum);
}

/* The rest of the effort for the hybrid. */
static bool run_hybrid(Control *control, uint64_t start_ns, Status *status) {
    const OptimRun *run = control->run;
    OptimOutcome *outcome = control->outcome;
    size_t bytes = control->problem->genotype_bytes;
    bool found = outcome->fitness > -INFINITY;
    unsigned char *memory = control_allocate(2, control_stride(bytes), status);
    if (!memory)
        return false;
    OptimRun rest = *run;
    rest.seed = rng_derive(run->seed, 1);
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
    bool ok = optim_run(&hybrid_optimiser, &rest, NULL, &other, status);
    if (ok) {
        control_spend(control, other.evaluations);
        control_offer(control, other.genotype, other.fitness);
        outcome->generations = other.generations;
        outcome->end = other.end;
    }
    free(memory);
    return ok;
}

static bool run_tree(Control *control, const AutoParameters *parameters, Status *status) {
    const Tree *tree = control->problem->tree;
    uint64_t left = control_left(control);
    uint64_t guess = (uint64_t)parameters->guess_effort;
    guess = left != UINT64_MAX && guess > left / 4 ? left / 4 : guess;
    bool ok = beam_run(control, tree, 1, NULL, status);
    if (ok && !control_over(control))
        ok = exact_guess(control, tree, guess, (uint32_t)parameters->beam_width * 4, status);
    if (!ok || control->outcome->optimal || control_over(control))
        return ok;
    bool only_tree = !control->problem->evaluate;
    uint64_t beams = only_tree ? UINT64_MAX / 4 : (uint64_t)parameters->beam_evaluations;
    left = control_left(control);
    if (left != UINT64_MAX && beams > left / 2)
        beams = left / 2;
    return run_beams(control, parameters, beams, status);
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
    if (ok && run->problem->tree)
        ok = run_tree(&control, parameters, status);
    if (ok && !outcome->optimal && !control_over(&control)) {
        if (run->problem->evaluate)
            ok = run_hybrid(&control, start_ns, status);
        else
            ok = exact_search(&control, run->problem->tree, PROOF_TABLE_BITS, status);
    }
    if (ok && outcome->optimal)
        outcome->end = OPTIM_FINISHED;
    control_release(&control);
    return ok;
}

const Optimiser auto_optimiser = {
    .name = "auto",
    .summary = "guess and beams first, then the hybrid from what they found",
    .parameters = PARAMETER_TABLE(rows),
    .parameters_bytes = sizeof(AutoParameters),
    .searches_tree = true,
    .run = run,
};
