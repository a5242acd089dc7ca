/*
 * genotype: the encodings of a solution as small integers, a fixed number of genes per piece.
 *
 * Every vector of genes within the ranges is a valid solution, so optimisers can change any gene at
 * will. `placements` is not a genotype (its moves name cells); it is in the same list because users
 * choose it in the same place.
 */
#ifndef TETROPT_PROBLEM_GENOTYPE_H
#define TETROPT_PROBLEM_GENOTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum Encoding {
    ENCODING_SIMPLE,
    ENCODING_DOUBLE,
    ENCODING_SWAP_SIMPLE,
    ENCODING_SWAP_DOUBLE,
    ENCODING_PLACEMENTS,
    ENCODING_COUNT
} Encoding;

#define ENCODING_CHOICES "simple|double|swap-simple|swap-double|placements"

enum { GENOTYPE_MAX_GENES = 5, GENOTYPE_MAX_PIECES = 1000 };

typedef struct GeneRange {
    int8_t low, high;
} GeneRange;

/* The genes of one piece, in the order they are applied. */
typedef struct GenotypeLayout {
    Encoding encoding;
    bool has_swap, is_double;
    int genes; /* a piece */
    GeneRange ranges[GENOTYPE_MAX_GENES];
    const char *names[GENOTYPE_MAX_GENES];
    int values; /* the sizes of the ranges, summed: the neighbours of one piece */
} GenotypeLayout;

extern const char *const encoding_names[ENCODING_COUNT];

/* The encoding of a name, or -1. */
int encoding_from_name(const char *name);

/* The layout on a board `width` columns wide; any encoding except `placements`. */
void genotype_layout(GenotypeLayout *layout, Encoding encoding, int width);

/* log10 of the number of genotypes of `placements` pieces. */
double genotype_log10(const GenotypeLayout *layout, int placements);

/* True when all genes are within their ranges: one pass that the compiler turns into vectors. */
static inline bool genotype_in_range(const int8_t *genes, const int8_t *low, const int8_t *high,
                                     size_t count) {
    uint8_t bad = 0;
    for (size_t i = 0; i < count; i++)
        bad = (uint8_t)(bad | (genes[i] < low[i]) | (genes[i] > high[i]));
    return !bad;
}

#endif
