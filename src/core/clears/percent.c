/* percent: one graph for all queues; threads share the queues by their first pieces. */
#include "clears/percent.h"

#include "base/memory.h"

#include <stdlib.h>

enum { GROUPS_WANTED = 256, GROUPS_PER_ROUND = 4 };

typedef struct Work {
    Walk *walk;
    const Queues *queues;
    const size_t *starts; /* of the groups of a round, and the end */
    uint8_t *solved;
} Work;

static void walk_groups(void *context, size_t first, size_t last, unsigned worker) {
    Work *work = context;
    for (size_t i = first; i < last; i++)
        walk_range(work->walk, work->queues, work->starts[i], work->starts[i + 1], worker,
                   work->solved);
}

/* The number of first pieces that divide the queues into enough groups. */
static int group_depth(const Queues *queues) {
    for (int depth = 1; depth < queues->length; depth++) {
        size_t groups = 0;
        for (size_t i = 0; i < queues->count && groups < GROUPS_WANTED; groups++)
            i = queues_same(queues, i, queues->count, depth);
        if (groups >= GROUPS_WANTED)
            return depth;
    }
    return queues->length;
}

size_t percent_count(const Percent *percent, size_t first, size_t last) {
    size_t count = 0;
    for (size_t i = first; i < last; i++)
        count += percent->solved[i];
    return count;
}

static bool walk_all(Percent *percent, Walk *walk, const Queues *queues, Pool *pool, ClearsCut cut,
                     PercentReport *report, void *context, Status *status) {
    size_t round = GROUPS_PER_ROUND * pool_threads(pool);
    size_t *starts = memory_new(round + 1, sizeof *starts, status);
    if (!starts)
        return false;
    Work work = {walk, queues, starts, percent->solved};
    int depth = group_depth(queues);
    bool many = queues->count > 20000; /* few queues are done before threads have started */
    while (percent->known < queues->count && !clears_cut(cut)) {
        size_t groups = 0;
        starts[0] = percent->known;
        while (many && groups < round && starts[groups] < queues->count) {
            starts[groups + 1] = queues_same(queues, starts[groups], queues->count, depth);
            groups++;
        }
        if (!many)
            starts[++groups] = queues->count;
        if (many)
            pool_run(pool, groups, 1, walk_groups, &work);
        else
            walk_groups(&work, 0, groups, 0);
        percent->known = starts[groups];
        if (report)
            report(context, percent->known, queues->count);
    }
    free(starts);
    return true;
}

bool percent_run(Percent *percent, const Area *area, const Queues *queues, bool hold, Pool *pool,
                 ClearsCut cut, PercentReport *report, void *context, Status *status) {
    Stock stock;
    Graph graph;
    if (!stock_init(&stock, queues, area_pieces(area), hold, status))
        return false;
    bool built = graph_build(&graph, area, &stock, pool, cut, status);
    stock_release(&stock);
    if (!built) {
        bool stopped = status->code == STATUS_INTERRUPTED;
        if (stopped)
            *status = (Status){.code = STATUS_OK};
        return stopped;
    }
    Walk *walk =
        walk_new(&graph, queues->length, hold, WALK_MANY_BYTES, pool_threads(pool), status);
    percent->nodes = graph_nodes(&graph);
    bool ok = walk && walk_all(percent, walk, queues, pool, cut, report, context, status);
    percent->solvable = percent_count(percent, 0, percent->known);
    walk_free(walk);
    graph_release(&graph);
    return ok;
}
