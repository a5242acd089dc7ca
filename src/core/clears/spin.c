/* spin: boards layer by layer, sorted and distinct; on each the T-spins; for each of them the ways
 * to build the board. */
#include "clears/spin.h"

#include "base/memory.h"
#include "movegen/reach.h"

#include <stdlib.h>

enum { SPIN_MAX_BOARDS = 1 << 24, CUT_BOARDS = 64 };

typedef struct SpinBoard {
    Cells filled;
    PieceCounts counts; /* of the pieces placed */
} SpinBoard;

typedef struct FoundSpin {
    Cells before, cells; /* the board and the T */
} FoundSpin;

typedef struct Search {
    const SpinTask *task;
    Places places;
    PieceCounts limits;
    SpinBoard *boards, *next;
    size_t count, next_count, next_capacity;
    FoundSpin *found;
    size_t found_count, found_capacity, earlier; /* `earlier`: found on smaller layers */
    Place chosen[AREA_MAX_PIECES];
    uint8_t label; /* of the spin that is being kept */
    Solutions *list;
    uint8_t *solved;
    ClearsCut cut;
    PathReport *report;
    void *context;
    size_t done; /* boards */
    bool stopped, ok;
    Status *status;
} Search;

static int count_in(PieceCounts counts, int piece) {
    return (int)(counts >> (4 * piece) & 15);
}

/* ---- the ways to build a board */

static void keep(Search *search, int count) {
    const SpinTask *task = search->task;
    Solutions *list = search->list;
    size_t before = list->count, queues = task->queues->count;
    if (decided_next(&list->decided))
        search->ok = solutions_recall(list, search->chosen, count, queues, search->status);
    else {
        search->stopped = clears_cut(search->cut);
        search->ok =
            search->stopped ||
            (path_serves(task->area, search->chosen, count, true, task->queues, task->hold,
                         search->solved, search->status) &&
             solutions_decide(list, search->chosen, count, search->solved, queues, search->status));
        if (search->ok && search->report)
            search->report(search->context, search->done, 0);
    }
    if (list->count > before)
        list->items[before].spin = search->label;
}

/* Fills `left` with pieces of exactly these counts; the T follows as the last place. */
static void pack(Search *search, Cells left, PieceCounts counts, int depth, const Place *last) {
    if (!search->ok || search->stopped)
        return;
    if (!left) {
        search->chosen[depth] = *last;
        keep(search, depth + 1);
        return;
    }
    int cell = __builtin_ctzll(left);
    for (uint32_t i = search->places.first[cell]; i < search->places.first[cell + 1]; i++) {
        const Place *place = &search->places.list[i];
        if (place->cells & ~left || count_in(counts, place->piece) == 0)
            continue;
        search->chosen[depth] = *place;
        pack(search, left & ~place->cells, counts - COUNTS_ONE(place->piece), depth + 1, last);
    }
}

/* ---- the spins of a board */

/* Whether a part of the board allowed the same T. */
static bool is_known(const Search *search, Cells filled, Cells cells) {
    for (size_t i = 0; i < search->earlier; i++)
        if (search->found[i].cells == cells && !(search->found[i].before & ~filled))
            return true;
    return false;
}

static void look(Search *search, const SpinBoard *board) {
    const SpinTask *task = search->task;
    const Area *area = task->area;
    Columns columns;
    Placement places[REACH_SPINS_MAX];
    if (count_in(board->counts, PIECE_T) == count_in(search->limits, PIECE_T))
        return;
    area_columns(area, board->filled, &columns);
    int count = reach_list_spins(&columns, PIECE_T, area->rules.drop == DROP_180, places);
    for (int i = 0; i < count && search->ok && !search->stopped; i++) {
        Cells cells = area_cells(area, board->filled, places[i]);
        if (!cells || places[i].spin == SPIN_NONE || (places[i].spin == SPIN_MINI && !task->mini))
            continue;
        int cleared = __builtin_popcount(area_full_rows(area, board->filled | cells)) -
                      __builtin_popcount(area_full_rows(area, board->filled));
        if (cleared < task->lines || is_known(search, board->filled, cells))
            continue;
        if (!MEMORY_HAS_PLACE(search->found, search->found_count, search->found_capacity)) {
            search->ok = status_no_memory(search->status);
            return;
        }
        search->found[search->found_count++] = (FoundSpin){board->filled, cells};
        search->label = places[i].spin;
        Place last = {.cells = cells, .piece = PIECE_T};
        pack(search, board->filled & ~area->start, board->counts, 0, &last);
    }
}

/* ---- the boards */

/* False proves that no T can clear enough lines after `left` more pieces: in the rows that a T can
 * touch, too many cells are empty. */
static bool is_possible(const Search *search, Cells filled, int left) {
    const Area *area = search->task->area;
    int empty[AREA_MAX_LINES], rows = 0;
    for (int y = 0; y < area->lines; y++) {
        int count = area->width - __builtin_popcountll(filled & area->row << y);
        if (count > 0)
            empty[rows++] = count;
    }
    for (int y = 0; y + search->task->lines <= rows; y++)
        for (int high = search->task->lines; high <= 3 && y + high <= rows; high++) {
            int all = 0, largest = 0;
            for (int k = 0; k < high; k++) {
                all += empty[y + k];
                largest = empty[y + k] > largest ? empty[y + k] : largest;
            }
            if (high > search->task->lines)
                all -= largest; /* one of the rows need not be cleared */
            if (high > search->task->lines + 1 || all <= 4 * (left + 1))
                return true;
        }
    return false;
}

static int compare_boards(const void *a, const void *b) {
    const SpinBoard *x = a, *y = b;
    if (x->filled != y->filled)
        return x->filled < y->filled ? -1 : 1;
    return x->counts < y->counts ? -1 : x->counts > y->counts;
}

static size_t tidy(SpinBoard *boards, size_t count) {
    size_t kept = 0;
    qsort(boards, count, sizeof *boards, compare_boards);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || compare_boards(&boards[i], &boards[kept - 1]) != 0)
            boards[kept++] = boards[i];
    return kept;
}

static void expand(Search *search, const SpinBoard *board, int left) {
    Landing landings[LANDINGS_MAX];
    for (int p = 0; p < PIECE_COUNT && search->ok; p++) {
        if (count_in(board->counts, p) == count_in(search->limits, p))
            continue;
        int count = area_landings(search->task->area, board->filled, (Piece)p, landings);
        for (int i = 0; i < count; i++) {
            Cells after = board->filled | landings[i].cells;
            if (!is_possible(search, after, left))
                continue;
            if (search->next_count >= SPIN_MAX_BOARDS)
                search->ok = status_fail(search->status, STATUS_INPUT,
                                         "patterns: more than %d boards; give shorter queues or "
                                         "fewer lines",
                                         SPIN_MAX_BOARDS);
            else if (!MEMORY_HAS_PLACE(search->next, search->next_count, search->next_capacity))
                search->ok = status_no_memory(search->status);
            if (!search->ok)
                return;
            search->next[search->next_count++] = (SpinBoard){after, board->counts + COUNTS_ONE(p)};
        }
    }
}

static PieceCounts limits_of(const Queues *queues) {
    int most[PIECE_COUNT] = {0};
    PieceCounts limits = 0;
    for (size_t i = 0; i < queues->count; i++) {
        int counts[PIECE_COUNT] = {0};
        for (int k = 0; k < queues->length; k++)
            counts[queue_piece(queues->codes[i], k)]++;
        for (int p = 0; p < PIECE_COUNT; p++)
            most[p] = counts[p] > most[p] ? counts[p] : most[p];
    }
    for (int p = 0; p < PIECE_COUNT; p++)
        limits += (PieceCounts)(most[p] < 15 ? most[p] : 15) << (4 * p);
    return limits;
}

int spin_lines(const Area *area, const Solution *solution) {
    Cells filled = area->start;
    for (int i = 0; i + 1 < solution->count; i++)
        filled |= solution->places[i].cells;
    Cells after = filled | solution->places[solution->count - 1].cells;
    return __builtin_popcount(area_full_rows(area, after)) -
           __builtin_popcount(area_full_rows(area, filled));
}

bool spin_run(Solutions *list, const SpinTask *task, ClearsCut cut, PathReport *report,
              void *context, bool *complete, Status *status) {
    Search search = {.task = task,
                     .list = list,
                     .limits = limits_of(task->queues),
                     .boards = memory_new(1, sizeof *search.boards, status),
                     .solved = memory_new(task->queues->count, 1, status),
                     .cut = cut,
                     .report = report,
                     .context = context,
                     .count = 1,
                     .status = status};
    int most = task->queues->length < AREA_MAX_PIECES ? task->queues->length : AREA_MAX_PIECES;
    search.ok = search.boards && search.solved && places_init(&search.places, task->area, status);
    if (search.ok)
        search.boards[0] = (SpinBoard){task->area->start, 0};
    for (int depth = 0; search.ok && depth < most && search.count > 0 && !search.stopped; depth++) {
        search.earlier = search.found_count;
        for (size_t i = 0; search.ok && i < search.count && !search.stopped; i++) {
            look(&search, &search.boards[i]);
            if (depth + 1 < most && search.ok)
                expand(&search, &search.boards[i], most - depth - 2);
            if (++search.done % CUT_BOARDS == 0) {
                search.stopped = search.stopped || clears_cut(cut);
                if (report)
                    report(context, search.done, 0);
            }
        }
        free(search.boards);
        search.boards = search.next;
        search.count = search.next_count > 0 ? tidy(search.next, search.next_count) : 0;
        search.next = NULL;
        search.next_count = search.next_capacity = 0;
    }
    free(search.boards);
    free(search.next);
    free(search.found);
    free(search.solved);
    places_release(&search.places);
    solutions_sort(list);
    *complete = !search.stopped;
    return search.ok;
}
