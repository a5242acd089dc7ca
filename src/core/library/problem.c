/*
 * problem: the problem of tetropt.h: batches of genotypes from outside, checked and then evaluated
 * on all threads.
 *
 * Nothing that a caller gives is believed: all genes of a batch are checked before the first
 * genotype is evaluated. The check is one pass over bytes that the compiler turns into vectors; for
 * 20 pieces it takes a few percent of the evaluation.
 */
#include "library/problem.h"

#include "base/memory.h"
#include "optim/control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_A_TURN = 64 }; /* rows that a thread takes at once */

/* ---- life */

tetropt_problem *tetropt_problem_new(const char *kind) {
    const InstanceKind *found = kind ? instance_kind(kind) : NULL;
    tetropt_problem *problem = found ? calloc(1, sizeof *problem) : NULL;
    if (!problem)
        return NULL;
    problem->kind = found;
    problem->question = found->question(NULL);
    if (problem->question)
        return problem;
    free(problem);
    return NULL;
}

tetropt_problem *tetropt_problem_custom(int genes, const int *low, const int *high,
                                        tetropt_evaluate *evaluate, void *context) {
    if (genes < 1 || !low || !high || !evaluate)
        return NULL;
    tetropt_problem *problem = calloc(1, sizeof *problem);
    Custom *custom = problem ? custom_new((size_t)genes, low, high, evaluate, context, NULL) : NULL;
    if (custom)
        problem->instance = instance_of_custom(custom, NULL);
    if (custom && problem->instance)
        return problem;
    free(problem);
    return NULL;
}

void tetropt_problem_free(tetropt_problem *problem) {
    if (!problem)
        return;
    instance_release(problem->instance);
    question_free(problem->question);
    pool_free(problem->pool);
    free(problem->scratch);
    free(problem);
}

const char *tetropt_problem_message(const tetropt_problem *problem) {
    return problem ? problem->status.message : HANDLE_NULL;
}

static bool is_excluded(const InstanceKind *kind, const char *option) {
    for (const char *const *name = kind->excluded; name && *name; name++)
        if (strcmp(*name, option) == 0)
            return true;
    return false;
}

int tetropt_problem_set(tetropt_problem *problem, const char *option, const char *value) {
    if (!problem)
        return TETROPT_INPUT;
    if (problem->running)
        return HANDLE_FAIL(problem, STATUS_INPUT, "problem: is evaluating");
    if (!problem->question)
        return HANDLE_FAIL(problem, STATUS_INPUT, "option: a custom problem has none");
    if (option && is_excluded(problem->kind, option))
        return HANDLE_FAIL(problem, STATUS_INPUT, "%s: is an option of a search, not of a problem",
                           option);
    int code = handle_set(problem->question, option, value, &problem->status);
    if (code != TETROPT_OK)
        return code;
    if (strcmp(option, "seed") == 0 && !*value)
        question_set(problem->question, "seed", "0", NULL);
    instance_release(problem->instance);
    problem->instance = NULL;
    return TETROPT_OK;
}

Instance *problem_instance(tetropt_problem *problem) {
    if (!problem->instance)
        problem->instance = problem->kind->build(problem->question, &problem->status);
    return problem->instance;
}

int tetropt_problem_genes(tetropt_problem *problem) {
    const Instance *instance = problem ? problem_instance(problem) : NULL;
    return instance ? (int)instance->genes : 0;
}

int tetropt_problem_range(tetropt_problem *problem, int gene, int *low, int *high) {
    const Instance *instance = problem ? problem_instance(problem) : NULL;
    if (!instance)
        return problem ? (int)problem->status.code : TETROPT_INPUT;
    if (gene < 0 || (size_t)gene >= instance->genes)
        return HANDLE_FAIL(problem, STATUS_INPUT, "gene: %d is not in 0..%zu", gene,
                           instance->genes - 1);
    if (!low || !high)
        return HANDLE_FAIL(problem, STATUS_INPUT, "range: low or high is NULL");
    *low = instance->low[gene];
    *high = instance->high[gene];
    return TETROPT_OK;
}

/* ---- evaluation */

/* A batch of rows of genes, `bytes` each. */
typedef struct Batch {
    const Instance *instance;
    tetropt_problem *handle;
    const void *genes;
    size_t gene_bytes;
    double *fitness;
    atomic_size_t first_bad; /* the first row that is rejected; SIZE_MAX: none */
} Batch;

static const void *row_at(const Batch *batch, size_t row) {
    return (const char *)batch->genes + row * batch->instance->genes * batch->gene_bytes;
}

static bool in_range_int16(const Instance *instance, const int16_t *genes) {
    const int16_t *low = instance->low, *high = instance->high;
    uint16_t bad = 0;
    for (size_t i = 0; i < instance->genes; i++)
        bad = (uint16_t)(bad | (genes[i] < low[i]) | (genes[i] > high[i]));
    return !bad;
}

static unsigned char *worker_memory(const tetropt_problem *handle, unsigned worker) {
    return handle->scratch + worker * handle->worker_bytes;
}

/* A row as the problem has it: where it is, or converted into the worker's memory. */
static const void *genotype_at(const Batch *batch, size_t row, unsigned worker) {
    const Instance *instance = batch->instance;
    const void *genes = row_at(batch, row);
    if (batch->gene_bytes == instance->problem->gene_bytes)
        return genes;
    void *genotype = worker_memory(batch->handle, worker) + batch->handle->scratch_bytes;
    if (batch->gene_bytes == 2)
        instance_to_genotype(instance, genes, genotype);
    else
        for (size_t i = 0; i < instance->genes; i++)
            ((int16_t *)genotype)[i] = ((const int8_t *)genes)[i];
    return genotype;
}

static bool row_is_valid(const Batch *batch, size_t row, unsigned worker) {
    const Problem *problem = batch->instance->problem;
    bool in_range = batch->gene_bytes == 1
                        ? genotype_in_range(row_at(batch, row), batch->instance->low_int8,
                                            batch->instance->high_int8, batch->instance->genes)
                        : in_range_int16(batch->instance, row_at(batch, row));
    return in_range &&
           (!problem->valid || problem->valid(problem, worker_memory(batch->handle, worker),
                                              genotype_at(batch, row, worker)));
}

static void check_task(void *context, size_t first, size_t last, unsigned worker) {
    Batch *batch = context;
    for (size_t row = first; row < last; row++) {
        if (row_is_valid(batch, row, worker))
            continue;
        size_t known = atomic_load(&batch->first_bad);
        while (row < known && !atomic_compare_exchange_weak(&batch->first_bad, &known, row)) {
        }
        return;
    }
}

static void evaluate_task(void *context, size_t first, size_t last, unsigned worker) {
    const Batch *batch = context;
    const Problem *problem = batch->instance->problem;
    void *scratch = worker_memory(batch->handle, worker);
    for (size_t row = first; row < last; row++)
        batch->fitness[row] = problem->evaluate(problem, scratch, genotype_at(batch, row, worker));
}

/* Names the first gene of the row that is out of range. */
static bool reject_row(const Batch *batch, size_t row, Status *status) {
    const Instance *instance = batch->instance;
    const void *genes = row_at(batch, row);
    for (size_t i = 0; i < instance->genes; i++) {
        int gene =
            batch->gene_bytes == 1 ? ((const int8_t *)genes)[i] : ((const int16_t *)genes)[i];
        if (gene < instance->low[i] || gene > instance->high[i])
            return status_fail(status, STATUS_INPUT,
                               "genes: row %zu, gene %zu: %d is not in %d..%d", row, i, gene,
                               instance->low[i], instance->high[i]);
    }
    return status_fail(status, STATUS_INPUT, "genes: row %zu: is not a permutation", row);
}

/* Threads and their memory for the instance, kept from call to call. */
static bool prepare_threads(tetropt_problem *handle, const Instance *instance, int threads,
                            Status *status) {
    if (threads < 0 || threads > POOL_MAX_THREADS)
        return status_fail(status, STATUS_INPUT, "threads: %d is not in 0..%d", threads,
                           POOL_MAX_THREADS);
    unsigned wanted = threads ? (unsigned)threads : pool_processors();
    if (!handle->pool || pool_threads(handle->pool) != wanted) {
        pool_free(handle->pool);
        handle->pool = pool_new(wanted, status);
    }
    if (!handle->pool)
        return false;
    size_t scratch = control_stride(instance->problem->scratch_bytes);
    size_t bytes = scratch + control_stride(instance->genes * sizeof(int16_t));
    if (handle->total_bytes < bytes * wanted) {
        free(handle->scratch);
        handle->total_bytes = 0;
        handle->scratch = control_allocate(wanted, bytes, status);
        if (!handle->scratch)
            return false;
        handle->total_bytes = bytes * wanted;
    }
    handle->scratch_bytes = scratch;
    handle->worker_bytes = bytes;
    return true;
}

/* A custom problem is evaluated by its owner, in this thread and in one call. */
static bool evaluate_custom(const Batch *batch, size_t count, Status *status) {
    const Instance *instance = batch->instance;
    if (batch->gene_bytes == 2)
        return custom_evaluate(instance->custom, batch->genes, count, batch->fitness, status);
    int16_t *wide = memory_new(count * instance->genes, sizeof *wide, status);
    if (!wide)
        return false;
    for (size_t i = 0; i < count * instance->genes; i++)
        wide[i] = ((const int8_t *)batch->genes)[i];
    bool ok = custom_evaluate(instance->custom, wide, count, batch->fitness, status);
    free(wide);
    return ok;
}

static bool evaluate_batch(tetropt_problem *handle, Batch *batch, size_t count, int threads) {
    Status *status = &handle->status;
    const Instance *instance = problem_instance(handle);
    if (!instance || !prepare_threads(handle, instance, threads, status))
        return false;
    batch->instance = instance;
    batch->handle = handle;
    atomic_init(&batch->first_bad, SIZE_MAX);
    if (count > SIZE_MAX / 2 / (instance->genes * sizeof(int16_t)))
        return status_fail(status, STATUS_INPUT, "count: %zu rows are too many", count);
    pool_run(handle->pool, count, ROWS_A_TURN, check_task, batch);
    size_t bad = atomic_load(&batch->first_bad);
    if (bad != SIZE_MAX)
        return reject_row(batch, bad, status);
    if (instance->custom)
        return evaluate_custom(batch, count, status);
    pool_run(handle->pool, count, ROWS_A_TURN, evaluate_task, batch);
    return true;
}

static int evaluate_rows(tetropt_problem *handle, const void *genes, size_t gene_bytes,
                         size_t count, double *fitness, int threads) {
    if (!handle)
        return TETROPT_INPUT;
    if (handle->running)
        return HANDLE_FAIL(handle, STATUS_INPUT, "problem: is evaluating");
    if (count > 0 && (!genes || !fitness))
        return HANDLE_FAIL(handle, STATUS_INPUT, "genes: they or fitness are NULL");
    Batch batch = {.genes = genes, .gene_bytes = gene_bytes, .fitness = fitness};
    handle->running = true;
    bool ok = evaluate_batch(handle, &batch, count, threads);
    handle->running = false;
    return handle_code(&handle->status, ok);
}

int tetropt_problem_evaluate(tetropt_problem *problem, const int8_t *genes, size_t count,
                             double *fitness, int threads) {
    return evaluate_rows(problem, genes, sizeof *genes, count, fitness, threads);
}

int tetropt_problem_evaluate16(tetropt_problem *problem, const int16_t *genes, size_t count,
                               double *fitness, int threads) {
    return evaluate_rows(problem, genes, sizeof *genes, count, fitness, threads);
}

/* ---- one genotype */

/* Checks `count` rows of a caller; the instance, or NULL with the handle's status. */
static const Instance *checked(tetropt_problem *handle, const int16_t *genes, size_t count,
                               const void *out) {
    if (!handle)
        return NULL;
    if (handle->running || !genes || !out) {
        status_fail(&handle->status, STATUS_INPUT,
                    handle->running ? "problem: is evaluating" : "genes: are NULL");
        return NULL;
    }
    const Instance *instance = problem_instance(handle);
    if (!instance || !prepare_threads(handle, instance, 1, &handle->status))
        return NULL;
    Batch batch = {.instance = instance, .handle = handle, .genes = genes, .gene_bytes = 2};
    for (size_t row = 0; row < count; row++)
        if (!row_is_valid(&batch, row, 0)) {
            reject_row(&batch, row, &handle->status);
            return NULL;
        }
    return instance;
}

static int code_of(const tetropt_problem *problem) {
    return problem ? (int)problem->status.code : TETROPT_INPUT;
}

size_t tetropt_problem_document(tetropt_problem *problem, const int16_t *genes, char *text,
                                size_t bytes) {
    if (text && bytes > 0)
        *text = '\0';
    double fitness;
    if (!checked(problem, genes, 1, genes) ||
        tetropt_problem_evaluate16(problem, genes, 1, &fitness, 1) != TETROPT_OK)
        return 0;
    const Instance *instance = problem->instance;
    Batch batch = {.instance = instance, .handle = problem, .genes = genes, .gene_bytes = 2};
    Text whole = {0};
    JsonWriter json;
    jw_init(&json, &whole);
    jw_object(&json, NULL);
    bool ok = instance_write(instance, genotype_at(&batch, 0, 0), fitness, &json, &problem->status);
    jw_end(&json);
    if (whole.failed)
        ok = status_no_memory(&problem->status);
    size_t length = ok ? handle_copy_text(&whole, text, bytes) : 0;
    text_release(&whole);
    return length;
}

/* Memory for three genotypes behind the scratch memory: the operators work there. */
typedef struct Operands {
    const Instance *instance;
    unsigned char *first, *second, *child;
} Operands;

static bool operands_init(Operands *operands, tetropt_problem *handle, const int16_t *first,
                          const int16_t *second) {
    const Instance *instance = operands->instance;
    size_t stride = control_stride(instance->problem->genotype_bytes);
    operands->first = control_allocate(3, stride, &handle->status);
    if (!operands->first)
        return false;
    operands->second = operands->first + stride;
    operands->child = operands->second + stride;
    if (first)
        instance_to_genotype(instance, first, operands->first);
    if (second)
        instance_to_genotype(instance, second, operands->second);
    return true;
}

int tetropt_problem_random(tetropt_problem *problem, uint64_t seed, size_t count, int16_t *genes) {
    Operands work = {.instance = checked(problem, genes, 0, genes)};
    if (!work.instance || !operands_init(&work, problem, NULL, NULL))
        return code_of(problem);
    const Problem *inner = work.instance->problem;
    for (size_t i = 0; i < count; i++) {
        Rng rng;
        rng_init(&rng, seed, i);
        inner->random(inner, &rng, work.child);
        instance_from_genotype(work.instance, work.child, genes + i * work.instance->genes);
    }
    free(work.first);
    return TETROPT_OK;
}

int tetropt_problem_neighbour(tetropt_problem *problem, const int16_t *genes, uint64_t seed,
                              int16_t *neighbour) {
    Operands work = {.instance = checked(problem, genes, 1, neighbour)};
    if (!work.instance || !operands_init(&work, problem, genes, NULL))
        return code_of(problem);
    enum { DRAWS = 64 }; /* a draw may name no change */
    const Problem *inner = work.instance->problem;
    Rng rng;
    rng_init(&rng, seed, 0);
    uint32_t undo, changed = PROBLEM_UNCHANGED;
    for (int i = 0; i < DRAWS && changed == PROBLEM_UNCHANGED && inner->neighbours > 0; i++) {
        uint32_t number = inner->pick(inner, &rng, work.first, PROBLEM_ANY_UNIT, PICK_UNIFORM);
        changed = inner->change(inner, work.first, number, &undo);
    }
    instance_from_genotype(work.instance, work.first, neighbour);
    free(work.first);
    return TETROPT_OK;
}

int tetropt_problem_cross(tetropt_problem *problem, const int16_t *first, const int16_t *second,
                          uint64_t seed, int16_t *child) {
    Operands work = {.instance = checked(problem, first, 1, child)};
    if (!work.instance || !checked(problem, second, 1, child) ||
        !operands_init(&work, problem, first, second))
        return code_of(problem);
    const Problem *inner = work.instance->problem;
    Rng rng;
    rng_init(&rng, seed, 0);
    inner->cross(inner, work.first, work.second, work.child, rng_below(&rng, inner->units + 1),
                 NULL);
    instance_from_genotype(work.instance, work.child, child);
    free(work.first);
    return TETROPT_OK;
}

int tetropt_problem_mutate(tetropt_problem *problem, const int16_t *genes, double rate,
                           uint64_t seed, int16_t *mutant) {
    if (problem && !(rate >= 0 && rate <= 1))
        return HANDLE_FAIL(problem, STATUS_INPUT, "rate: %g is not in 0..1", rate);
    Operands work = {.instance = checked(problem, genes, 1, mutant)};
    if (!work.instance || !operands_init(&work, problem, genes, NULL))
        return code_of(problem);
    const Problem *inner = work.instance->problem;
    Rng rng;
    rng_init(&rng, seed, 0);
    uint32_t undo;
    for (uint32_t unit = 0; unit < inner->units && inner->neighbours > 0; unit++)
        if (rng_chance(&rng, rate))
            inner->change(inner, work.first,
                          inner->pick(inner, &rng, work.first, unit, PICK_UNIFORM), &undo);
    instance_from_genotype(work.instance, work.first, mutant);
    free(work.first);
    return TETROPT_OK;
}
