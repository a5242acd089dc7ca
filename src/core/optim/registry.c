/* registry: the only list of optimisers. Its order is the order of the help. */
#include "optim/registry.h"

#include <assert.h>
#include <string.h>

#define ADDRESS(name_) &name_##_optimiser,
static const Optimiser *const optimisers[] = {OPTIM_LIST(ADDRESS)};

size_t optim_count(void) {
    return sizeof optimisers / sizeof *optimisers;
}

const Optimiser *optim_at(size_t index) {
    return optimisers[index];
}

const Optimiser *optim_find(const char *name) {
    for (size_t i = 0; i < optim_count(); i++)
        if (strcmp(optimisers[i]->name, name) == 0)
            return optimisers[i];
    return NULL;
}

bool optim_run(const Optimiser *optimiser, const OptimRun *run, const void *parameters,
               OptimOutcome *outcome, Status *status) {
    assert(!run->exchange || optimiser->has_islands);
    _Alignas(max_align_t) unsigned char defaults[OPTIM_PARAMETERS_MAX_BYTES] = {0};
    assert(optimiser->parameters_bytes <= sizeof defaults);
    if (!parameters) {
        options_defaults(optimiser->parameters, defaults);
        parameters = defaults;
    }
    return optimiser->run(run, parameters, outcome, status);
}

const char *optim_end_name(OptimEnd end) {
    static const char *const names[] = {
        [OPTIM_FINISHED] = "finished", [OPTIM_PATIENCE] = "patience",
        [OPTIM_TARGET] = "target",     [OPTIM_EVALUATIONS] = "evaluations",
        [OPTIM_TIME] = "time",         [OPTIM_STOPPED] = "stopped",
    };
    return names[end];
}
