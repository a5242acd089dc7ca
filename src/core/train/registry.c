/* registry: the only list of training methods. Its order is the order of the help. */
#include "train/registry.h"

#include <string.h>

#define ADDRESS(name_) &name_##_method,
static const TrainMethod *const methods[] = {TRAIN_LIST(ADDRESS)};

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
