/*
 * problem: what an optimiser knows about the thing it optimises, and nothing else.
 *
 * A genotype is `genotype_bytes` opaque bytes that only the problem reads. It is made of `units`
 * that stay together in a crossover (the pieces of a sequence, the rows of a chess board, the
 * variables of a formula). Invariants a problem keeps:
 *   - every genotype that its functions produce is valid;
 *   - two genotypes are the same exactly when their bytes are (no padding, no caches inside), so
 *     optimisers copy, compare and hash them as bytes;
 *   - the functions change nothing but their non-const arguments, so threads may share a Problem;
 *   - a fitness is finite and larger is better; the same genotype has the same fitness, bit for
 *     bit, on every way to compute it (evaluate, the fold, the delta).
 *
 * Neighbours have numbers, 0..neighbours-1: number i names one small change, such as "gene g of
 * unit u becomes v". The unit changes fastest with i, then the gene, then the value, and every
 * value has its number, so the one that is already there names no change at all.
 *
 * Two optional groups make neighbours and children cheap. The *fold* is for problems that are
 * played unit by unit: a state after k units is worth keeping, because a genotype that differs only
 * from unit k on is evaluated from there. The *delta* is for problems where a small change has a
 * small effect anywhere. An optimiser uses what is there; results do not depend on it.
 */
#ifndef TETROPT_PROBLEM_PROBLEM_H
#define TETROPT_PROBLEM_PROBLEM_H

#include "base/rng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Problem Problem;
struct Tree; /* tree.h */

/* In place of the first unit that a change touched: it touched none. */
#define PROBLEM_UNCHANGED UINT32_MAX

/* In place of the unit that `pick` changes: a random one. */
#define PROBLEM_ANY_UNIT UINT32_MAX

/* How `pick` chooses a neighbour of one random gene: any value (the present one too); the present
 * value plus or minus one; or as the published program mutates: a switch flips, a rotation takes
 * one quarter turn more or less, everything else gets any value. */
typedef enum ProblemPick { PICK_UNIFORM, PICK_NEARBY, PICK_PUBLISHED } ProblemPick;

/* Asked now and then by long work: must it end? */
typedef struct ProblemCut {
    bool (*asked)(const void *context);
    const void *context;
} ProblemCut;

/* A search that a problem offers for itself, to improve one genotype. */
typedef enum ProblemRefine { REFINE_BEAM, REFINE_EXACT } ProblemRefine;

struct Problem {
    const char *name;
    const void *data; /* the instance; belongs to the problem */
    size_t genotype_bytes;
    uint32_t units;
    uint32_t neighbours;
    size_t scratch_bytes; /* working memory of one thread; may be 0 */

    /* A genotype as integers, for those who give genotypes from outside: gene_bytes each (1 is
     * int8_t, 2 is int16_t; 0: it is not made of integers), within the range of its number. Where
     * not every vector within the ranges is valid, `valid` decides (NULL: all are). */
    uint8_t gene_bytes;
    void (*range)(const Problem *problem, size_t gene, int *low, int *high);
    bool (*valid)(const Problem *problem, void *scratch, const void *genotype);

    /* A uniform random genotype. */
    void (*random)(const Problem *problem, Rng *rng, void *genotype);

    /* The fitness. `scratch` is 64-byte aligned and holds what the last call left in it. */
    double (*evaluate)(const Problem *problem, void *scratch, const void *genotype);

    /* Optional: the fitness of many genotypes at once. An optimiser that has a whole generation to
     * evaluate calls this from the thread of the run, in place of `evaluate`. */
    void (*evaluate_all)(const Problem *problem, const void *const *genotypes, size_t count,
                         double *fitness);

    /* The number of a random neighbour that differs in `unit`. It may name no change. */
    uint32_t (*pick)(const Problem *problem, Rng *rng, const void *genotype, uint32_t unit,
                     ProblemPick how);

    /* Changes the genotype into its neighbour `number` and sets *undo to the number of the change
     * back. Returns the first unit that differs now, or PROBLEM_UNCHANGED. */
    uint32_t (*change)(const Problem *problem, void *genotype, uint32_t number, uint32_t *undo);

    /* Makes a child: the units below `cut` come from `first`, the others from `second`; or, when
     * `mask` is not NULL, unit u comes from `first` when bit u % 64 of mask[u / 64] is set. Where
     * units depend on each other (permutations) the second parent gives what fits. */
    void (*cross)(const Problem *problem, const void *first, const void *second, void *child,
                  uint32_t cut, const uint64_t *mask);

    /* Draws the units begin..end-1 again. Returns the first unit that may differ now. */
    uint32_t (*resample)(const Problem *problem, Rng *rng, void *genotype, uint32_t begin,
                         uint32_t end);

    /* The fold, when state_bytes > 0 (states are 16-byte aligned): begin, then advance over all
     * units in any number of calls, then finish gives the fitness. A state may be copied as bytes
     * at any time and holds all that is known of the units played so far. finish leaves the state
     * as it was. */
    size_t state_bytes;
    void (*begin)(const Problem *problem, void *state);
    void (*advance)(const Problem *problem, void *scratch, const void *genotype, void *state,
                    uint32_t from, uint32_t to);
    double (*finish)(const Problem *problem, void *scratch, const void *state);

    /* The delta, when ledger_bytes > 0: a ledger about one genotype from which the fitness of a
     * neighbour follows without a whole evaluation. `genotype` is already changed in the calls of
     * peek and book, while the ledger still describes it as it was before; book brings the ledger
     * up to date. */
    size_t ledger_bytes;
    void (*open)(const Problem *problem, const void *genotype, void *ledger);
    double (*peek)(const Problem *problem, const void *genotype, const void *ledger,
                   uint32_t number);
    void (*book)(const Problem *problem, const void *genotype, void *ledger, uint32_t number);

    /* Optional, for hybrid: improves `genotype` in place by a search of its own with at most
     * `evaluations` evaluations, and returns how many it used. *fitness is the genotype's before
     * and after; it never falls. May run in several threads at once; the same `seed` gives the same
     * result unless it was cut. */
    uint64_t (*refine)(const Problem *problem, ProblemRefine how, uint64_t evaluations,
                       uint64_t seed, ProblemCut cut, void *genotype, double *fitness);
    const void *refine_data; /* for whoever set refine */

    /* Optional, for beam and exact: the same problem as a sequence of decisions. A problem that is
     * only a tree has no `random` and no `evaluate`. */
    const struct Tree *tree;
};

/* For `cross`: whether unit number `unit` comes from the first parent. */
static inline bool problem_from_first(uint32_t unit, uint32_t cut, const uint64_t *mask) {
    return mask ? mask[unit / 64] >> (unit % 64) & 1 : unit < cut;
}

#endif
