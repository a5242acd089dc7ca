/*
 * search: the search of tetropt.h: one of our optimisers on a problem, driven by the caller
 * (ask/tell) or run to its end.
 *
 * Our optimisers call the problem, so for ask/tell one runs in a thread of its own on a copy of the
 * problem that evaluates nothing: it hands its genotypes over, and sleeps until their fitness is
 * told. Only one of the two threads works at any time. The copy has neither fold nor delta, which
 * changes no result (problem/problem.h), and no tree, which is why beams cannot be asked.
 *
 * `state` says whose turn it is: the optimiser's (WORKING), the caller's (WAITING), or nobody's.
 */
#include "library/problem.h"

#include "base/memory.h"
#include "optim/control.h"
#include "optim/registry.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct SearchOptions {
    int64_t seed, evaluations, threads;
    double target, seconds;
} SearchOptions;

static const Option rows[] = {
    PARAMETER_INTEGER(SearchOptions, seed, "seed", "0", 0, 9.2e18, NULL),
    PARAMETER_INTEGER(SearchOptions, evaluations, "evaluations", "0", 0, 1e15, NULL),
    OPTION_ROW(SearchOptions, REAL, target, "target", .fallback = NULL),
    OPTION_ROW(SearchOptions, REAL, seconds, "time", .min = 0, .max = 1e7, .fallback = "0"),
    PARAMETER_INTEGER(SearchOptions, threads, "threads", "1", 1, POOL_MAX_THREADS, NULL),
};

typedef enum State { NOT_BEGUN, WORKING, WAITING, ENDED } State;

struct tetropt_search {
    Instance *instance;
    const Optimiser *optimiser;
    Parameters parameters;
    Question *question; /* about SearchOptions */
    Status status;      /* of the last call that failed */
    atomic_bool stop;
    tetropt_progress *progress;
    void *context;
    bool running; /* tetropt_search_run: a callback may not begin another one */

    Problem asking; /* the problem that evaluates by asking */
    Pool *pool;
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t turn;  /* `state` has changed */
    State state;
    const void *const *genotypes; /* WAITING: what the optimiser wants to know */
    double *fitness;
    size_t count, asked, told; /* genotypes; handed out in the last ask; told so far */
    bool failed;               /* the optimiser, with `failure` */
    Status failure;

    OptimOutcome outcome;
    unsigned char *best; /* of all that was told, or of the run */
    double best_fitness; /* -INFINITY: none */
    uint64_t evaluations;
};

/* ---- life */

tetropt_search *tetropt_search_new(tetropt_problem *problem, const char *algorithm) {
    const Optimiser *optimiser = algorithm ? optim_find(algorithm) : NULL;
    Instance *instance = problem && optimiser ? problem_instance(problem) : NULL;
    tetropt_search *search = instance ? calloc(1, sizeof *search) : NULL;
    if (!search)
        return NULL;
    search->optimiser = optimiser;
    search->instance = instance_share(instance);
    search->best_fitness = -INFINITY;
    size_t bytes = control_stride(instance->problem->genotype_bytes);
    search->best = control_allocate(2, bytes, NULL);
    search->question = question_new((OptionTable)OPTIONS_TABLE(rows), sizeof(SearchOptions), NULL);
    parameters_init(&search->parameters, optimiser->name, optimiser->parameters);
    pthread_mutex_init(&search->lock, NULL);
    pthread_cond_init(&search->turn, NULL);
    if (search->best && search->question) {
        search->outcome.genotype = search->best + bytes;
        return search;
    }
    tetropt_search_free(search);
    return NULL;
}

void tetropt_search_free(tetropt_search *search) {
    if (!search)
        return;
    tetropt_search_stop(search);
    if (search->has_thread)
        pthread_join(search->thread, NULL);
    pthread_cond_destroy(&search->turn);
    pthread_mutex_destroy(&search->lock);
    pool_free(search->pool);
    parameters_release(&search->parameters);
    question_free(search->question);
    instance_release(search->instance);
    free(search->best);
    free(search);
}

const char *tetropt_search_message(const tetropt_search *search) {
    return search ? search->status.message : HANDLE_NULL;
}

static bool has_begun(const tetropt_search *search) {
    return search->pool != NULL;
}

/* Sets a parameter of the algorithm by its own name. */
static bool set_parameter(tetropt_search *search, const char *name, const char *value) {
    char pair[PARAMETERS_PAIR_BYTES];
    if (!*value)
        return status_fail(&search->status, STATUS_INPUT, "%s: the value is empty", name);
    if (snprintf(pair, sizeof pair, "%s=%s", name, value) >= (int)sizeof pair)
        return status_fail(&search->status, STATUS_INPUT, "%s: '%.40s...' is too long", name,
                           value);
    return parameters_set(&search->parameters, pair, &search->status);
}

int tetropt_search_set(tetropt_search *search, const char *option, const char *value) {
    if (!search)
        return TETROPT_INPUT;
    if (has_begun(search))
        return HANDLE_FAIL(search, STATUS_INPUT, "search: has begun");
    Status *status = &search->status;
    if (!option || !value || options_find(search->question->table, option) >= 0)
        return handle_set(search->question, option, value, status);
    if (strcmp(option, "param") == 0)
        return handle_code(status, parameters_set(&search->parameters, value, status));
    if (options_find(search->parameters.table, option) >= 0)
        return handle_code(status, set_parameter(search, option, value));
    return handle_code(status, options_unknown(search->question->table, "option", option, status));
}

void tetropt_search_on_progress(tetropt_search *search, tetropt_progress *progress, void *context) {
    if (!search)
        return;
    search->progress = progress;
    search->context = context;
}

/* ---- one run, by either way */

static bool failed_asked(const void *context) {
    return custom_failed((Custom *)context, false, NULL);
}

static void report(void *context, const Progress *progress) {
    tetropt_search *search = context;
    if (search->progress && search->progress(search->context, progress->done, progress->best) != 0)
        atomic_store(&search->stop, true);
}

/* Runs the optimiser on `problem` with the options. */
static bool optimise(tetropt_search *search, const Problem *problem, Status *status) {
    const SearchOptions *options = search->question->values;
    OptimRun run = {.problem = problem,
                    .seed = (uint64_t)options->seed,
                    .evaluations = (uint64_t)options->evaluations,
                    .seconds = options->seconds,
                    .has_target = question_given(search->question, "target"),
                    .target = options->target,
                    .stop = &search->stop,
                    .pool = search->pool};
    if (problem != &search->asking) {
        run.report = report;
        run.report_context = search;
        if (search->instance->custom)
            run.cut = (ProblemCut){failed_asked, search->instance->custom};
    }
    return optim_run(search->optimiser, &run, search->parameters.values, &search->outcome, status);
}

static void keep_best(tetropt_search *search, const void *genotype, double fitness) {
    if (!(fitness > search->best_fitness))
        return;
    search->best_fitness = fitness;
    memcpy(search->best, genotype, search->instance->problem->genotype_bytes);
}

static bool begin(tetropt_search *search, unsigned threads) {
    if (has_begun(search))
        return status_fail(&search->status, STATUS_INPUT, "search: has begun");
    search->pool = pool_new(threads, &search->status);
    return search->pool != NULL;
}

static bool run_here(tetropt_search *search) {
    const SearchOptions *options = search->question->values;
    const Instance *instance = search->instance;
    Status *status = &search->status;
    if (search->optimiser->needs_tree && !instance->problem->tree)
        return status_fail(status, STATUS_INPUT, "%s: the problem '%s' has no placements to search",
                           search->optimiser->name, instance->problem->name);
    /* A custom problem is evaluated by its owner in this thread. */
    if (!begin(search, instance->custom ? 1 : (unsigned)options->threads))
        return false;
    if (instance->custom)
        custom_failed(instance->custom, true, NULL);
    search->running = true;
    bool ok = optimise(search, instance->problem, status);
    search->running = false;
    search->state = ENDED;
    search->failed = !ok;
    if (ok) {
        keep_best(search, search->outcome.genotype, search->outcome.fitness);
        search->evaluations = search->outcome.evaluations;
    }
    return ok && !(instance->custom && custom_failed(instance->custom, true, status));
}

int tetropt_search_run(tetropt_search *search) {
    return search ? handle_code(&search->status, run_here(search)) : TETROPT_INPUT;
}

void tetropt_search_stop(tetropt_search *search) {
    if (!search)
        return;
    atomic_store(&search->stop, true);
    pthread_mutex_lock(&search->lock);
    pthread_cond_broadcast(&search->turn);
    pthread_mutex_unlock(&search->lock);
}

/* ---- ask and tell: the optimiser's side */

static void ask_all(const Problem *problem, const void *const *genotypes, size_t count,
                    double *fitness) {
    tetropt_search *search =
        (tetropt_search *)(void *)((char *)(uintptr_t)problem - offsetof(tetropt_search, asking));
    if (count == 0)
        return;
    pthread_mutex_lock(&search->lock);
    search->genotypes = genotypes;
    search->fitness = fitness;
    search->count = count;
    search->asked = search->told = 0;
    search->state = WAITING;
    pthread_cond_broadcast(&search->turn);
    while (search->state == WAITING && !atomic_load(&search->stop))
        pthread_cond_wait(&search->turn, &search->lock);
    for (size_t i = search->told; i < count; i++)
        fitness[i] = -DBL_MAX; /* stopped: the run ends with the best so far */
    search->state = WORKING;
    pthread_mutex_unlock(&search->lock);
}

static double ask_one(const Problem *problem, void *scratch, const void *genotype) {
    (void)scratch;
    double fitness;
    ask_all(problem, &genotype, 1, &fitness);
    return fitness;
}

static void *optimiser_main(void *context) {
    tetropt_search *search = context;
    Status failure = {0};
    bool ok = optimise(search, &search->asking, &failure);
    pthread_mutex_lock(&search->lock);
    search->failed = !ok;
    search->failure = failure;
    search->state = ENDED;
    pthread_cond_broadcast(&search->turn);
    pthread_mutex_unlock(&search->lock);
    return NULL;
}

/* ---- ask and tell: the caller's side */

static bool begin_asking(tetropt_search *search) {
    const Problem *problem = search->instance->problem;
    const Optimiser *optimiser = search->optimiser;
    Status *status = &search->status;
    if (optimiser->needs_tree || (optimiser->searches_tree && problem->tree))
        return status_fail(status, STATUS_INPUT,
                           "%s: searches placements, not genotypes (use ga, sa, abc, hill or "
                           "hybrid, or tetropt_search_run)",
                           optimiser->name);
    if (!begin(search, 1))
        return false;
    search->asking = *problem;
    search->asking.evaluate = ask_one;
    search->asking.evaluate_all = ask_all;
    search->asking.state_bytes = search->asking.ledger_bytes = 0;
    search->asking.refine = NULL;
    search->asking.tree = NULL;
    search->state = WORKING; /* there is no other thread yet */
    search->has_thread = pthread_create(&search->thread, NULL, optimiser_main, search) == 0;
    if (search->has_thread)
        return true;
    search->state = ENDED;
    return status_fail(status, STATUS_SYSTEM, "search: cannot start a thread");
}

/* Waits until it is the caller's turn or the search has ended; the lock must be held. While it is,
 * the optimiser sleeps and its genotypes stay where they are, also after a stop. */
static void wait_for_turn(tetropt_search *search) {
    while (search->state == WORKING || (search->state == WAITING && atomic_load(&search->stop)))
        pthread_cond_wait(&search->turn, &search->lock);
}

/* Hands out up to `capacity` genotypes. */
static int64_t hand_out(tetropt_search *search, int16_t *genes, size_t capacity) {
    if (search->state == ENDED && search->failed)
        search->status = search->failure;
    if (search->state == ENDED)
        return search->failed ? -1 : 0;
    size_t left = search->count - search->told;
    if (!genes || capacity == 0)
        return (int64_t)left;
    search->asked = left < capacity ? left : capacity;
    for (size_t i = 0; i < search->asked; i++)
        instance_from_genotype(search->instance, search->genotypes[search->told + i],
                               genes + i * search->instance->genes);
    return (int64_t)search->asked;
}

int64_t tetropt_search_ask(tetropt_search *search, int16_t *genes, size_t capacity) {
    if (!search || (!search->has_thread && !begin_asking(search)))
        return -1;
    pthread_mutex_lock(&search->lock);
    wait_for_turn(search);
    int64_t count = hand_out(search, genes, capacity);
    pthread_mutex_unlock(&search->lock);
    return count;
}

/* Takes the fitness of the solutions handed out. */
static bool take_in(tetropt_search *search, const double *fitness, size_t count, Status *status) {
    if (search->state != WAITING || search->asked == 0)
        return status_fail(status, STATUS_INPUT, "search: has not asked for anything");
    if (!fitness || count != search->asked)
        return status_fail(status, STATUS_INPUT, "fitness: %zu values, but %zu were asked for",
                           fitness ? count : 0, search->asked);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(fitness[i]))
            return status_fail(status, STATUS_INPUT, "fitness: that of row %zu is not finite", i);
    for (size_t i = 0; i < count; i++) {
        search->fitness[search->told + i] = fitness[i];
        keep_best(search, search->genotypes[search->told + i], fitness[i]);
    }
    search->evaluations += count;
    search->asked = 0;
    search->told += count;
    if (search->told == search->count) {
        search->state = WORKING;
        pthread_cond_broadcast(&search->turn);
    }
    return true;
}

int tetropt_search_tell(tetropt_search *search, const double *fitness, size_t count) {
    if (!search)
        return TETROPT_INPUT;
    pthread_mutex_lock(&search->lock);
    bool ok = take_in(search, fitness, count, &search->status);
    pthread_mutex_unlock(&search->lock);
    return handle_code(&search->status, ok);
}

/* ---- the answer */

int tetropt_search_best(tetropt_search *search, int16_t *genes, double *fitness) {
    if (!search)
        return TETROPT_INPUT;
    if (!(search->best_fitness > -INFINITY))
        return HANDLE_FAIL(search, STATUS_UNMET, "search: has no solution yet");
    if (genes)
        instance_from_genotype(search->instance, search->best, genes);
    if (fitness)
        *fitness = search->best_fitness;
    return TETROPT_OK;
}

uint64_t tetropt_search_evaluations(const tetropt_search *search) {
    return search ? search->evaluations : 0;
}

const char *tetropt_search_end(tetropt_search *search) {
    if (!search || search->running)
        return "";
    pthread_mutex_lock(&search->lock);
    bool ended = search->state == ENDED && !search->failed;
    pthread_mutex_unlock(&search->lock);
    return ended ? optim_end_name(search->outcome.end) : "";
}
