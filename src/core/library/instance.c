/*
 * instance: one function per kind of problem, from its options to a Problem (problem/problem.h).
 *
 * "tetris" is a question of the job solve, so its options and checks are those of `solve`.
 */
#include "library/instance.h"

#include "base/memory.h"
#include "formats/solution.h"

#include <stdlib.h>
#include <string.h>

/* ---- life */

void instance_release(Instance *instance) {
    if (!instance || atomic_fetch_sub(&instance->users, 1) > 1)
        return;
    if (instance->solve)
        solve_job.free_run(instance->solve);
    free(instance->tetris);
    free(instance->queens);
    sat_free(instance->sat);
    custom_free(instance->custom);
    free(instance->low);
    free(instance->high);
    free(instance->low_int8);
    free(instance->high_int8);
    free(instance);
}

Instance *instance_share(Instance *instance) {
    if (instance)
        atomic_fetch_add(&instance->users, 1);
    return instance;
}

static Instance *new_instance(Status *status) {
    Instance *instance = memory_new(1, sizeof *instance, status);
    if (instance)
        atomic_init(&instance->users, 1);
    return instance;
}

static int8_t limit(int value) {
    return (int8_t)(value < INT8_MIN ? INT8_MIN : value > INT8_MAX ? INT8_MAX : value);
}

/* Lists the ranges of the problem; on failure the instance is freed. */
static Instance *finish(Instance *instance, Status *status) {
    const Problem *problem = instance->problem;
    size_t count = instance->genes = problem->genotype_bytes / problem->gene_bytes;
    instance->low = memory_new(count, sizeof(int16_t), status);
    instance->high = memory_new(count, sizeof(int16_t), status);
    instance->low_int8 = memory_new(count, 1, status);
    instance->high_int8 = memory_new(count, 1, status);
    if (!instance->low || !instance->high || !instance->low_int8 || !instance->high_int8) {
        instance_release(instance);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        int low, high;
        problem->range(problem, i, &low, &high);
        instance->low[i] = (int16_t)low;
        instance->high[i] = (int16_t)high;
        instance->low_int8[i] = limit(low);
        instance->high_int8[i] = limit(high);
    }
    return instance;
}

/* ---- the kinds */

static bool fill_tetris(Instance *instance, const Question *question, Status *status) {
    instance->solve = solve_job.prepare(question, status);
    if (!instance->solve)
        return false;
    const SolveRun *run = instance->solve;
    if (run->request.encoding == ENCODING_PLACEMENTS)
        return status_option(status, "encoding", "placements has no genes");
    instance->tetris = memory_new(1, sizeof *instance->tetris, status);
    if (!instance->tetris)
        return false;
    solve_build(instance->tetris, &run->request, &run->task.profile, run->task.hold);
    instance->problem = &instance->tetris->problem;
    return true;
}

static Instance *build_tetris(const Question *question, Status *status) {
    Instance *instance = new_instance(status);
    if (instance && fill_tetris(instance, question, status))
        return finish(instance, status);
    instance_release(instance);
    return NULL;
}

static Instance *build_queens(const Question *question, Status *status) {
    const QueensOptions *options = question->values;
    Instance *instance = new_instance(status);
    Queens *queens = instance ? memory_new(1, sizeof *queens, status) : NULL;
    if (!queens || !queens_init(queens, (int)options->n, status)) {
        free(queens);
        instance_release(instance);
        return NULL;
    }
    instance->queens = queens;
    instance->problem = &queens->problem;
    return finish(instance, status);
}

typedef struct SatQuestion {
    SatOptions sat;
    int64_t seed;
} SatQuestion;

static const Option sat_rows[] = {
    OPTIONS_INCLUDE(SatQuestion, sat, sat_options),
    PARAMETER_INTEGER(SatQuestion, seed, "seed", "0", 0, 9.2e18, "of the random formula"),
};

static Instance *build_sat(const Question *question, Status *status) {
    const SatQuestion *asked = question->values;
    const char *text = asked->sat.dimacs;
    ProblemCut never = {0};
    Instance *instance = new_instance(status);
    if (instance && text)
        instance->sat = sat_parse("dimacs", text, strlen(text), never, status);
    else if (instance) /* the first formula of `demo sat` with that seed */
        instance->sat =
            puzzle_random_sat(&asked->sat, rng_derive((uint64_t)asked->seed, 0), never, status);
    if (!instance || !instance->sat) {
        instance_release(instance);
        return NULL;
    }
    instance->problem = sat_problem(instance->sat);
    if (instance->problem->genotype_bytes > 0)
        return finish(instance, status);
    status_option(status, "dimacs", "a formula without variables has no genes");
    instance_release(instance);
    return NULL;
}

Instance *instance_of_custom(Custom *custom, Status *status) {
    Instance *instance = new_instance(status);
    if (!instance) {
        custom_free(custom);
        return NULL;
    }
    instance->custom = custom;
    instance->problem = custom_problem(custom);
    return finish(instance, status);
}

/* ---- the list of kinds */

static Question *ask_tetris(Status *status) {
    Question *question = job_question(&solve_job, status);
    if (question) /* as the library does everywhere: repeatable unless told otherwise */
        question_set(question, "seed", "0", NULL);
    return question;
}

static Question *ask_queens(Status *status) {
    return question_new(queens_options, sizeof(QueensOptions), status);
}

static Question *ask_sat(Status *status) {
    return question_new((OptionTable)OPTIONS_TABLE(sat_rows), sizeof(SatQuestion), status);
}

const InstanceKind *instance_kind(const char *name) {
    /* These say how to search. */
    static const char *const of_search[] = {
        "algorithm", "preset", "param", "start", "target", "time", "evaluations", "threads", NULL};
    static const InstanceKind kinds[] = {
        {"tetris", ask_tetris, build_tetris, of_search},
        {"queens", ask_queens, build_queens, NULL},
        {"sat", ask_sat, build_sat, NULL},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

/* ---- genes and documents */

void instance_to_genotype(const Instance *instance, const int16_t *genes, void *genotype) {
    if (instance->problem->gene_bytes == 2)
        memcpy(genotype, genes, instance->genes * sizeof *genes);
    else
        for (size_t i = 0; i < instance->genes; i++)
            ((int8_t *)genotype)[i] = (int8_t)genes[i];
}

void instance_from_genotype(const Instance *instance, const void *genotype, int16_t *genes) {
    if (instance->problem->gene_bytes == 2)
        memcpy(genes, genotype, instance->genes * sizeof *genes);
    else
        for (size_t i = 0; i < instance->genes; i++)
            genes[i] = ((const int8_t *)genotype)[i];
}

bool instance_write(const Instance *instance, const void *genotype, double fitness,
                    JsonWriter *json, Status *status) {
    if (!instance->solve) {
        jw_string(json, "problem", instance->problem->name);
        jw_real(json, "fitness", fitness);
        if (instance->queens)
            jw_bool(json, "solved", fitness >= 0);
        if (instance->sat)
            jw_bool(json, "solved", fitness >= (double)sat_clause_count(instance->sat));
        return true;
    }
    const SolveRun *run = instance->solve;
    EvalResult *result = memory_new(1, sizeof *result, status);
    bool ok = result && eval_run(&run->request, genotype, &run->task.profile, result, status);
    if (ok)
        solution_write_result(json, result);
    free(result);
    return ok;
}
