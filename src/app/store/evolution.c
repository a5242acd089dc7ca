/* evolution: a fixed array that is thinned out when it is full. */
#include "store/evolution.h"

#include <string.h>

void evolution_init(Evolution *evolution) {
    memset(evolution, 0, sizeof *evolution);
    evolution->stride = evolution->better_stride = 1;
}

static bool is_wanted(const Evolution *evolution, const EvolutionMark *mark) {
    return mark->report % evolution->stride == 0 ||
           (mark->is_better && mark->better % evolution->better_stride == 0);
}

static void drop_unwanted(Evolution *evolution) {
    size_t kept = 0;
    for (size_t i = 0; i < evolution->count; i++)
        if (is_wanted(evolution, &evolution->marks[i])) {
            evolution->points[kept] = evolution->points[i];
            evolution->marks[kept++] = evolution->marks[i];
        }
    evolution->count = kept;
}

static void thin_out(Evolution *evolution) {
    evolution->stride *= 2;
    drop_unwanted(evolution);
    while (evolution->count > EVOLUTION_MAX / 4 * 3) {
        evolution->stride *= 2;
        evolution->better_stride *= 2;
        drop_unwanted(evolution);
    }
}

void evolution_add(Evolution *evolution, const StorePoint *point) {
    bool is_better = evolution->reports == 0 || point->best > evolution->last.best;
    EvolutionMark mark = {evolution->reports, evolution->betters, is_better};
    evolution->reports++;
    evolution->betters += is_better;
    evolution->last = *point;
    evolution->last_mark = mark;
    if (!is_wanted(evolution, &mark))
        return;
    if (evolution->count == EVOLUTION_MAX) {
        thin_out(evolution);
        if (!is_wanted(evolution, &mark))
            return;
    }
    evolution->points[evolution->count] = *point;
    evolution->marks[evolution->count++] = mark;
}

void evolution_end(Evolution *evolution) {
    if (evolution->reports > 0 && !is_wanted(evolution, &evolution->last_mark))
        evolution->points[evolution->count++] = evolution->last;
}
