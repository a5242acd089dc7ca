/* setup: the lowest wanted cell that is empty is covered by every place that can, so each set of
 * places is found once. */
#include "clears/setup.h"

#include "base/memory.h"

#include <stdlib.h>

enum { SETUP_MAX_CANDIDATES = 1 << 22, CUT_STEPS = 1 << 14 };

typedef struct Setup {
    const SetupTask *task;
    Places places;
    int limits[PIECE_COUNT]; /* of each piece in any queue */
    int counts[PIECE_COUNT];
    int most; /* pieces */
    Place chosen[AREA_MAX_PIECES];
    Solutions *list;
    uint8_t *solved;
    ClearsCut cut;
    PathReport *report;
    void *context;
    size_t steps; /* of cover */
    bool stopped, ok;
    Status *status;
} Setup;

static bool has_holes(const Area *area, Cells filled) {
    Columns columns;
    area_columns(area, filled, &columns);
    for (int x = 0; x < area->width; x++)
        if (columns_holes(columns.column[x]))
            return true;
    return false;
}

/* All wanted cells are filled. */
static void keep(Setup *setup, Cells filled, int count) {
    const SetupTask *task = setup->task;
    Decided *decided = &setup->list->decided;
    size_t queues = task->queues->count;
    if (decided->count >= SETUP_MAX_CANDIDATES) {
        setup->ok = status_fail(setup->status, STATUS_INPUT,
                                "margin: more than %d ways to fill the cells; make it smaller",
                                SETUP_MAX_CANDIDATES);
        return;
    }
    if (decided_next(decided)) {
        setup->ok = solutions_recall(setup->list, setup->chosen, count, queues, setup->status);
        return;
    }
    setup->stopped = clears_cut(setup->cut);
    if (setup->stopped)
        return;
    bool allowed = task->holes || !has_holes(task->area, filled);
    setup->ok = (!allowed || path_serves(task->area, setup->chosen, count, false, task->queues,
                                         task->hold, setup->solved, setup->status)) &&
                solutions_decide(setup->list, setup->chosen, count, allowed ? setup->solved : NULL,
                                 queues, setup->status);
    if (setup->ok && setup->report)
        setup->report(setup->context, decided->count, 0);
}

static void cover(Setup *setup, Cells filled, int count) {
    Cells left = setup->task->wanted & ~filled;
    if (++setup->steps % CUT_STEPS == 0 && clears_cut(setup->cut))
        setup->stopped = true;
    if (!setup->ok || setup->stopped)
        return;
    if (!left) {
        keep(setup, filled, count);
        return;
    }
    if (count == setup->most || __builtin_popcountll(left) > 4 * (setup->most - count))
        return;
    Cells allowed = (setup->task->wanted | setup->task->margin) & ~filled, cell = left & -left;
    for (uint32_t i = 0; i < setup->places.first[64]; i++) {
        const Place *place = &setup->places.list[i];
        if (!(place->cells & cell) || place->cells & ~allowed ||
            setup->counts[place->piece] == setup->limits[place->piece])
            continue;
        setup->chosen[count] = *place;
        setup->counts[place->piece]++;
        cover(setup, filled | place->cells, count + 1);
        setup->counts[place->piece]--;
    }
}

/* The most of every piece that a queue has. */
static void find_limits(Setup *setup) {
    const Queues *queues = setup->task->queues;
    for (size_t i = 0; i < queues->count; i++) {
        int counts[PIECE_COUNT] = {0};
        for (int k = 0; k < queues->length; k++)
            counts[queue_piece(queues->codes[i], k)]++;
        for (int p = 0; p < PIECE_COUNT; p++)
            setup->limits[p] = counts[p] > setup->limits[p] ? counts[p] : setup->limits[p];
    }
}

bool setup_run(Solutions *list, const SetupTask *task, ClearsCut cut, PathReport *report,
               void *context, bool *complete, Status *status) {
    Setup setup = {.task = task,
                   .list = list,
                   .cut = cut,
                   .report = report,
                   .context = context,
                   .ok = true,
                   .status = status};
    setup.most = task->queues->length < AREA_MAX_PIECES ? task->queues->length : AREA_MAX_PIECES;
    setup.solved = memory_new(task->queues->count, 1, status);
    setup.ok = setup.solved && places_init(&setup.places, task->area, status);
    if (setup.ok) {
        find_limits(&setup);
        cover(&setup, task->area->start, 0);
    }
    free(setup.solved);
    places_release(&setup.places);
    solutions_sort(list);
    *complete = !setup.stopped;
    return setup.ok;
}
