/*
 * custom: the operators of independent genes, and the caller's function behind evaluate.
 *
 * An optimiser cannot fail in the middle of a run. So after a failure nothing is evaluated any
 * more, every fitness is the lowest one, and whoever runs the optimiser asks custom_failed.
 */
#include "problem/custom.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct Custom {
    Problem problem;
    CustomEvaluate *evaluate;
    void *context;
    Status failure; /* of an evaluation */
    int16_t *rows;  /* of a batch */
    size_t row_capacity;
    int16_t *low, *high;
};

static Custom *data_of(const Problem *problem) {
    return (Custom *)problem->data;
}

static int16_t random_gene(const Custom *custom, size_t gene, Rng *rng) {
    return (int16_t)rng_between(rng, custom->low[gene], custom->high[gene]);
}

static uint32_t resample(const Problem *problem, Rng *rng, void *genotype, uint32_t begin,
                         uint32_t end) {
    for (uint32_t i = begin; i < end; i++)
        ((int16_t *)genotype)[i] = random_gene(data_of(problem), i, rng);
    return begin;
}

static void random_genotype(const Problem *problem, Rng *rng, void *genotype) {
    resample(problem, rng, genotype, 0, problem->units);
}

static void range(const Problem *problem, size_t gene, int *low, int *high) {
    *low = data_of(problem)->low[gene];
    *high = data_of(problem)->high[gene];
}

/* ---- neighbours ---- */

static uint32_t pick(const Problem *problem, Rng *rng, const void *genotype, uint32_t unit,
                     ProblemPick how) {
    const Custom *custom = data_of(problem);
    if (unit == PROBLEM_ANY_UNIT)
        unit = rng_below(rng, problem->units);
    int low = custom->low[unit], high = custom->high[unit], value;
    if (how == PICK_NEARBY) {
        value = ((const int16_t *)genotype)[unit] + (rng_next(rng) >> 63 ? 1 : -1);
        value = value < low ? low + 1 : value > high ? high - 1 : value;
        value = low == high ? low : value;
    } else
        value = random_gene(custom, unit, rng);
    return (uint32_t)(value - low) * problem->units + unit;
}

static uint32_t change(const Problem *problem, void *genotype, uint32_t number, uint32_t *undo) {
    const Custom *custom = data_of(problem);
    uint32_t unit = number % problem->units;
    int16_t *gene = (int16_t *)genotype + unit;
    int low = custom->low[unit], value = low + (int)(number / problem->units);
    *undo = (uint32_t)(*gene - low) * problem->units + unit;
    if (value == *gene || value > custom->high[unit])
        return PROBLEM_UNCHANGED;
    *gene = (int16_t)value;
    return unit;
}

static void cross(const Problem *problem, const void *first, const void *second, void *child,
                  uint32_t cut, const uint64_t *mask) {
    for (uint32_t i = 0; i < problem->units; i++) {
        const int16_t *parent = problem_from_first(i, cut, mask) ? first : second;
        ((int16_t *)child)[i] = parent[i];
    }
}

/* ---- evaluation ---- */

bool custom_evaluate(const Custom *custom, const int16_t *genes, size_t count, double *fitness,
                     Status *status) {
    for (size_t i = 0; i < count; i++)
        fitness[i] = NAN;
    if (custom->evaluate(custom->context, genes, count, fitness) != 0)
        return status_fail(status, STATUS_INPUT, "evaluate: the caller's function failed");
    for (size_t i = 0; i < count; i++)
        if (!isfinite(fitness[i]))
            return status_fail(status, STATUS_INPUT, "fitness: that of row %zu is not finite", i);
    return true;
}

/* As custom_evaluate for an optimiser, which goes on with the lowest fitness after a failure. */
static void evaluate_rows(Custom *custom, const int16_t *genes, size_t count, double *fitness) {
    if (custom->failure.code == STATUS_OK &&
        custom_evaluate(custom, genes, count, fitness, &custom->failure))
        return;
    for (size_t i = 0; i < count; i++)
        fitness[i] = -DBL_MAX;
}

static double evaluate(const Problem *problem, void *scratch, const void *genotype) {
    (void)scratch;
    double fitness;
    evaluate_rows(data_of(problem), genotype, 1, &fitness);
    return fitness;
}

static void evaluate_all(const Problem *problem, const void *const *genotypes, size_t count,
                         double *fitness) {
    Custom *custom = data_of(problem);
    size_t bytes = problem->genotype_bytes;
    if (count > custom->row_capacity) {
        int16_t *rows = realloc(custom->rows, count * bytes);
        if (!rows)
            status_no_memory(&custom->failure);
        else {
            custom->rows = rows;
            custom->row_capacity = count;
        }
    }
    for (size_t i = 0; i < count && i < custom->row_capacity; i++)
        memcpy((char *)custom->rows + i * bytes, genotypes[i], bytes);
    evaluate_rows(custom, custom->rows, count, fitness);
}

bool custom_failed(Custom *custom, bool clear, Status *status) {
    bool failed = custom->failure.code != STATUS_OK;
    if (failed && status)
        *status = custom->failure;
    if (clear)
        custom->failure.code = STATUS_OK;
    return failed;
}

/* ---- life ---- */

static bool copy_ranges(Custom *custom, size_t genes, const int *low, const int *high,
                        uint32_t *widest, Status *status) {
    *widest = 0;
    for (size_t i = 0; i < genes; i++) {
        if (low[i] < INT16_MIN || high[i] > INT16_MAX || low[i] > high[i])
            return status_fail(status, STATUS_INPUT, "range: %d..%d of gene %zu is not in %d..%d",
                               low[i], high[i], i, INT16_MIN, INT16_MAX);
        custom->low[i] = (int16_t)low[i];
        custom->high[i] = (int16_t)high[i];
        uint32_t values = (uint32_t)(high[i] - low[i]) + 1;
        *widest = values > *widest ? values : *widest;
    }
    return (uint64_t)*widest * genes < UINT32_MAX ||
           status_fail(status, STATUS_INPUT, "range: %zu genes of up to %u values are too many",
                       genes, *widest);
}

Custom *custom_new(size_t genes, const int *low, const int *high, CustomEvaluate *evaluate_given,
                   void *context, Status *status) {
    if (genes < 1 || genes > CUSTOM_MAX_GENES) {
        status_fail(status, STATUS_INPUT, "genes: %zu is not in 1..%d", genes, CUSTOM_MAX_GENES);
        return NULL;
    }
    Custom *custom = memory_new(1, sizeof *custom, status);
    if (!custom)
        return NULL;
    custom->evaluate = evaluate_given;
    custom->context = context;
    custom->low = memory_new(genes, sizeof *custom->low, status);
    custom->high = memory_new(genes, sizeof *custom->high, status);
    uint32_t widest;
    if (!custom->low || !custom->high || !copy_ranges(custom, genes, low, high, &widest, status)) {
        custom_free(custom);
        return NULL;
    }
    custom->problem = (Problem){.name = "custom",
                                .data = custom,
                                .genotype_bytes = genes * sizeof(int16_t),
                                .units = (uint32_t)genes,
                                .neighbours = (uint32_t)genes * widest,
                                .gene_bytes = 2,
                                .range = range,
                                .random = random_genotype,
                                .evaluate = evaluate,
                                .evaluate_all = evaluate_all,
                                .pick = pick,
                                .change = change,
                                .cross = cross,
                                .resample = resample};
    return custom;
}

void custom_free(Custom *custom) {
    if (!custom)
        return;
    free(custom->rows);
    free(custom->low);
    free(custom->high);
    free(custom);
}

const Problem *custom_problem(const Custom *custom) {
    return &custom->problem;
}
