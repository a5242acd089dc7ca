/*
 * tetris: neighbours are numbered as in problem.h: the piece changes fastest, then the gene, then
 * the value.
 */
#include "problem/tetris.h"

#include <assert.h>

static const TetrisProblem *data_of(const Problem *problem) {
    return problem->data;
}

static int8_t random_gene(Rng *rng, GeneRange range) {
    return (int8_t)rng_between(rng, range.low, range.high);
}

static uint32_t resample(const Problem *problem, Rng *rng, void *genotype, uint32_t begin,
                         uint32_t end) {
    const GenotypeLayout *layout = &data_of(problem)->decoder.layout;
    int8_t *gene = (int8_t *)genotype + begin * (uint32_t)layout->genes;
    for (uint32_t unit = begin; unit < end; unit++)
        for (int k = 0; k < layout->genes; k++)
            *gene++ = random_gene(rng, layout->ranges[k]);
    return begin;
}

static void random_genotype(const Problem *problem, Rng *rng, void *genotype) {
    resample(problem, rng, genotype, 0, problem->units);
}

static double evaluate(const Problem *problem, void *scratch, const void *genotype) {
    (void)scratch;
    const TetrisProblem *tetris = data_of(problem);
    return fitness_evaluate(&tetris->profile, &tetris->decoder, genotype, NULL);
}

static void range(const Problem *problem, size_t gene, int *low, int *high) {
    const GenotypeLayout *layout = &data_of(problem)->decoder.layout;
    GeneRange of_gene = layout->ranges[gene % (size_t)layout->genes];
    *low = of_gene.low;
    *high = of_gene.high;
}

static uint32_t number_of(const Problem *problem, uint32_t unit, int gene, int value) {
    const TetrisProblem *tetris = data_of(problem);
    int low = tetris->decoder.layout.ranges[gene].low;
    return tetris->numbers[gene][value - low] * problem->units + unit;
}

static uint32_t pick(const Problem *problem, Rng *rng, const void *genotype, uint32_t unit,
                     ProblemPick how) {
    const GenotypeLayout *layout = &data_of(problem)->decoder.layout;
    if (unit == PROBLEM_ANY_UNIT)
        unit = rng_below(rng, problem->units);
    int gene = (int)rng_below(rng, (uint32_t)layout->genes);
    GeneRange range = layout->ranges[gene];
    bool is_move = range.low < 0;
    if (how == PICK_UNIFORM || (how == PICK_PUBLISHED && is_move))
        return number_of(problem, unit, gene, random_gene(rng, range));
    int value = ((const int8_t *)genotype)[unit * (uint32_t)layout->genes + (uint32_t)gene];
    value += rng_next(rng) >> 63 ? 1 : -1;
    if (how == PICK_PUBLISHED) /* a swap has two values, a rotation four */
        return number_of(problem, unit, gene, value & range.high);
    value = value < range.low ? range.low + 1 : value > range.high ? range.high - 1 : value;
    return number_of(problem, unit, gene, value);
}

static uint32_t change(const Problem *problem, void *genotype, uint32_t number, uint32_t *undo) {
    const TetrisProblem *tetris = data_of(problem);
    uint32_t unit = number % problem->units;
    TetrisChange wanted = tetris->changes[number / problem->units];
    int8_t *gene = (int8_t *)genotype + unit * (uint32_t)tetris->decoder.layout.genes + wanted.gene;
    *undo = number_of(problem, unit, wanted.gene, *gene);
    if (*gene == wanted.value)
        return PROBLEM_UNCHANGED;
    *gene = wanted.value;
    return unit;
}

static void cross(const Problem *problem, const void *first, const void *second, void *child,
                  uint32_t cut, const uint64_t *mask) {
    size_t bytes = (size_t)data_of(problem)->decoder.layout.genes;
    if (!mask) {
        memcpy(child, first, cut * bytes);
        memcpy((char *)child + cut * bytes, (const char *)second + cut * bytes,
               (problem->units - cut) * bytes);
        return;
    }
    for (uint32_t unit = 0; unit < problem->units; unit++) {
        const void *parent = problem_from_first(unit, cut, mask) ? first : second;
        memcpy((char *)child + unit * bytes, (const char *)parent + unit * bytes, bytes);
    }
}

static void begin(const Problem *problem, void *state) {
    memcpy(state, &data_of(problem)->decoder.start, sizeof(DecodeState));
}

static void advance(const Problem *problem, void *scratch, const void *genotype, void *state,
                    uint32_t from, uint32_t to) {
    (void)scratch;
    decoder_play(&data_of(problem)->decoder, state, genotype, (int)from, (int)to);
}

static double finish(const Problem *problem, void *scratch, const void *state) {
    (void)scratch;
    const TetrisProblem *tetris = data_of(problem);
    return fitness_of_state(&tetris->profile, &tetris->decoder, state);
}

/* The value changes slowest: value 0 of every gene, then value 1 of those that have one, ... */
static int order_changes(TetrisProblem *tetris) {
    const GenotypeLayout *layout = &tetris->decoder.layout;
    int count = 0;
    for (int offset = 0; count < layout->values; offset++)
        for (int gene = 0; gene < layout->genes; gene++) {
            int value = layout->ranges[gene].low + offset;
            if (value > layout->ranges[gene].high)
                continue;
            tetris->numbers[gene][offset] = (uint8_t)count;
            tetris->changes[count++] = (TetrisChange){(int8_t)gene, (int8_t)value};
        }
    return count;
}

void tetris_problem_init(TetrisProblem *tetris, const FitnessProfile *profile, Problem *problem) {
    tetris->profile = *profile;
    int changes = order_changes(tetris);
    assert(changes == tetris->decoder.layout.values);
    uint32_t units = (uint32_t)tetris->decoder.placements;
    *problem = (Problem){
        .name = "tetris",
        .data = tetris,
        .genotype_bytes = units * (size_t)tetris->decoder.layout.genes,
        .units = units,
        .neighbours = units * (uint32_t)changes,
        .gene_bytes = 1,
        .range = range,
        .random = random_genotype,
        .evaluate = evaluate,
        .pick = pick,
        .change = change,
        .cross = cross,
        .resample = resample,
        .state_bytes = sizeof(DecodeState),
        .begin = begin,
        .advance = advance,
        .finish = finish,
    };
}
