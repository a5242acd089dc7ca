/*
 * refine: keeps the first placements of a genotype and searches the rest again, by beam or exact.
 *
 * Beam cuts at a random piece, exact a few pieces before the end.
 */
#include "solve/refine.h"

#include "optim/exact.h"
#include "problem/tetris.h"
#include "problem/tetris_tree.h"

#include <stdlib.h>
#include <string.h>

enum {
    EXACT_PIECES = 4, /* as many as a few thousand evaluations can search */
    EXACT_TABLE_BITS = 12,
    CHILDREN_A_NODE = 40 /* about; to choose the width from the budget */
};

/* The first `length` placements of the genotype, fewer when its game ends before. */
static void keep_start(const TetrisProblem *tetris, const int8_t *genes, DecodeStep *steps,
                       uint32_t length, BeamPath *path) {
    DecodeState state = tetris->decoder.start;
    decoder_trace(&tetris->decoder, &state, genes, steps);
    path->length = length < state.placed ? length : state.placed;
    for (uint32_t i = 0; i < path->length; i++)
        path->actions[i] = tetris_tree_action(&steps[i]);
}

static bool search(Control *control, const Tree *tree, ProblemRefine how, const BeamPath *prefix,
                   uint64_t evaluations, Status *status) {
    if (how == REFINE_EXACT)
        return exact_search(control, tree, prefix, EXACT_TABLE_BITS, status);
    uint64_t width = evaluations / ((tree->depth - prefix->length) * CHILDREN_A_NODE);
    return beam_run(control, tree, width > 0 ? (uint32_t)width : 1, prefix, status);
}

uint64_t refine_tail(const Problem *problem, ProblemRefine how, uint64_t evaluations, uint64_t seed,
                     ProblemCut cut, void *genotype, double *fitness) {
    const TetrisProblem *tetris = problem->data;
    const Tree *tree = problem->tree;
    uint64_t used = 0;
    Status status = {0};
    Rng rng;
    rng_init(&rng, seed, 0);
    uint32_t last = how == REFINE_EXACT && tree->depth > EXACT_PIECES
                        ? tree->depth - EXACT_PIECES
                        : rng_below(&rng, tree->depth);
    Pool *pool = pool_new(1, &status);
    BeamPath path = {.actions = calloc(tree->depth, sizeof(TreeAction))};
    DecodeStep *steps = calloc(tree->depth, sizeof *steps);
    void *best = calloc(1, problem->genotype_bytes);
    OptimRun run = {.problem = problem, .evaluations = evaluations, .cut = cut, .pool = pool};
    OptimOutcome outcome = {.genotype = best};
    Control control = {0};
    if (pool && path.actions && steps && best && !(cut.asked && cut.asked(cut.context)) &&
        control_init(&control, &run, &outcome, &status)) {
        keep_start(tetris, genotype, steps, last, &path);
        /* What the genotype has already is what must be beaten. */
        outcome.fitness = *fitness;
        if (search(&control, tree, how, &path, evaluations, &status) &&
            outcome.fitness > *fitness) {
            memcpy(genotype, best, problem->genotype_bytes);
            *fitness = outcome.fitness;
        }
        used = outcome.evaluations;
        control_release(&control);
    }
    free(best);
    free(steps);
    free(path.actions);
    pool_free(pool);
    return used;
}
