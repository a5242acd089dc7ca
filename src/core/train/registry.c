/* registry: the only list of training methods. Its order is the order of the help. */
#include "train/registry.h"

#include "train/bayes.h"
#include "train/cma_es.h"
#include "train/competition.h"
#include "train/cross_entropy.h"
#include "train/genetic.h"
#include "train/gradient.h"
#include "train/hybrid.h"

#include <string.h>

static const TrainMethod *const methods[] = {
    &competition_method, &gradient_method,      &genetic_method, &hybrid_method,
    &cma_es_method,      &cross_entropy_method, &bayes_method,
};

int train_count(void) {
    return sizeof methods / sizeof *methods;
}

const TrainMethod *train_at(int index) {
    return methods[index];
}

const TrainMethod *train_find(const char *name) {
    for (int i = 0; i < train_count(); i++)
        if (strcmp(methods[i]->name, name) == 0)
            return methods[i];
    return NULL;
}
