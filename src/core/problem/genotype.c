/* genotype: the genes of every encoding and their ranges, for a given board width. */
#include "problem/genotype.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const char *const encoding_names[ENCODING_COUNT] = {"simple", "double", "swap-simple",
                                                    "swap-double", "placements"};

int encoding_from_name(const char *name) {
    for (int i = 0; i < ENCODING_COUNT; i++)
        if (strcmp(name, encoding_names[i]) == 0)
            return i;
    return -1;
}

static void add(GenotypeLayout *layout, const char *name, int low, int high) {
    layout->names[layout->genes] = name;
    layout->ranges[layout->genes++] = (GeneRange){(int8_t)low, (int8_t)high};
    layout->values += high - low + 1;
}

void genotype_layout(GenotypeLayout *layout, Encoding encoding, int width) {
    assert(encoding != ENCODING_PLACEMENTS);
    *layout = (GenotypeLayout){.encoding = encoding};
    layout->has_swap = encoding == ENCODING_SWAP_SIMPLE || encoding == ENCODING_SWAP_DOUBLE;
    layout->is_double = encoding == ENCODING_DOUBLE || encoding == ENCODING_SWAP_DOUBLE;
    if (layout->has_swap)
        add(layout, "swap", 0, 1);
    add(layout, "move1", -(width / 2), width / 2);
    add(layout, "rot1", 0, 3);
    if (layout->is_double) {
        add(layout, "move2", -(width - 1), width - 1);
        add(layout, "rot2", 0, 3);
    }
}

double genotype_log10(const GenotypeLayout *layout, int placements) {
    double sum = 0;
    for (int i = 0; i < layout->genes; i++)
        sum += log10(layout->ranges[i].high - layout->ranges[i].low + 1);
    return sum * placements;
}
