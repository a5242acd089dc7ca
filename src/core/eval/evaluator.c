/* evaluator: the list of kinds, the list of their sets, and the sum. */
#include "eval/evaluator.h"

#include "eval/literature_kind.h"
#include "eval/local_kind.h"
#include "eval/placement_kind.h"
#include "eval/stack_kind.h"
#include "eval/surface_kind.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

const EvaluatorKind *const evaluator_kinds[EVALUATOR_KINDS] = {
    &literature_kind, &local_kind,   &placement_kind,
    &stack_kind,      &surface_kind, &local_published_kind,
};

/* The sets of the kinds here; those of `literature` stand in weights.c. */
static const EvaluatorPreset presets[] = {
    LOCAL_PRESETS,
    PLACEMENT_PRESETS,
    STACK_PRESETS,
    SURFACE_PRESETS,
};

enum { PRESETS = sizeof presets / sizeof *presets };

/* Those of users, in the order in which they came; the count grows after the place is filled. */
static const EvaluatorPreset *added[EVALUATOR_ADDED_MAX];
static atomic_int added_count;

bool evaluator_add(const EvaluatorPreset *preset) {
    int count = atomic_load(&added_count);
    if (count == EVALUATOR_ADDED_MAX)
        return false;
    added[count] = preset;
    atomic_store(&added_count, count + 1);
    return true;
}

const EvaluatorKind *evaluator_kind_find(const char *name) {
    for (int i = 0; i < EVALUATOR_KINDS; i++)
        if (strcmp(evaluator_kinds[i]->name, name) == 0)
            return evaluator_kinds[i];
    for (int i = 0; i < atomic_load(&added_count); i++)
        if (strcmp(added[i]->kind->name, name) == 0)
            return added[i]->kind;
    return NULL;
}

int evaluator_preset_count(void) {
    return WEIGHT_SET_COUNT + PRESETS + atomic_load(&added_count);
}

EvaluatorPreset evaluator_preset_at(int index) {
    if (index >= WEIGHT_SET_COUNT + PRESETS)
        return *added[index - WEIGHT_SET_COUNT - PRESETS];
    if (index >= WEIGHT_SET_COUNT)
        return presets[index - WEIGHT_SET_COUNT];
    EvaluatorPreset preset = {.name = weight_sets[index].name, .kind = &literature_kind};
    memcpy(preset.weights, weight_sets[index].weights.values,
           sizeof weight_sets[index].weights.values);
    return preset;
}

void evaluator_init(Evaluator *evaluator, const EvaluatorKind *kind, const double *written) {
    assert(kind->count <= EVALUATOR_MAX);
    *evaluator = (Evaluator){.kind = kind, .well_depth = PLACEMENT_WELL_DEPTH};
    for (int i = 0; i < kind->count; i++)
        evaluator->weights[i] = kind->against >> i & 1 ? -written[i] : written[i];
}

bool evaluator_from_preset(Evaluator *evaluator, const char *name) {
    for (int i = 0; i < evaluator_preset_count(); i++) {
        EvaluatorPreset preset = evaluator_preset_at(i);
        if (strcmp(preset.name, name) != 0)
            continue;
        evaluator_init(evaluator, preset.kind, preset.weights);
        return true;
    }
    return false;
}

int evaluator_feature(const EvaluatorKind *kind, const char *name) {
    for (int i = 0; i < kind->count; i++)
        if (strcmp(kind->names[i], name) == 0)
            return i;
    return -1;
}

EvaluatorValue evaluator_judge(const Evaluator *evaluator, const EvaluatorMove *move,
                               Columns *after) {
    const EvaluatorKind *kind = evaluator->kind;
    double values[EVALUATOR_MAX];
    kind->measure(evaluator, move, after, values);
    EvaluatorValue value = {0, 0};
    for (int i = 0; i < kind->count; i++) {
        double term = evaluator->weights[i] * values[i];
        if (kind->moves >> i & 1)
            value.move += term;
        else
            value.board += term;
    }
    return value;
}

void evaluator_judge_all(const Evaluator *evaluator, const EvaluatorTurn *turn,
                         const Placement *placements, int count, EvaluatorValue *values) {
    CpuLevel level = cpu_level();
    if (evaluator->kind->judge_all[level]) {
        evaluator->kind->judge_all[level](evaluator, turn, placements, count, values);
        return;
    }
    for (int i = 0; i < count; i++) {
        EvaluatorMove move = {turn->before, placements[i], turn->hold};
        Columns after;
        values[i] = evaluator_judge(evaluator, &move, &after);
    }
}
