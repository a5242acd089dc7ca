/*
 * chance: `value` is the probability from a situation in which the player is to move, remembered
 * by situation. The stock of the graph holds every set of pieces that the bag can bring in time.
 */
#include "clears/chance.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { CHANCE_MAX_STATES = 1 << 25, CUT_STATES = 4096, ALL_PIECES = (1 << PIECE_COUNT) - 1 };

/* A situation: a node, the hold, the visible pieces and the bag. */
typedef struct State {
    int layer;
    uint32_t node;
    uint8_t held;
    uint8_t visible[CHANCE_MAX_VISIBLE];
    uint8_t bag;
} State;

typedef struct Memo {
    uint64_t *keys;
    double *values;
    size_t slots, used;
} Memo;

typedef struct Search {
    const ChanceTask *task;
    Graph graph;
    Memo memo; /* by layer, node, hold, visible pieces and bag */
    ClearsCut cut;
    ChanceReport *report;
    void *context;
    bool stopped, full;
    size_t states;
} Search;

/* ---- memory of situations */

/* The layer is the number of pieces that are placed. 4 + 23 + 3 + 21 + 7 bits. */
static uint64_t key_of(const Search *search, const State *state) {
    uint64_t key = (uint64_t)state->layer << 23 | state->node;
    key = key << 3 | state->held;
    for (int i = 0; i < search->task->visible_count; i++)
        key = key << 3 | state->visible[i];
    return (key << 7 | state->bag) + 1;
}

static size_t memo_find(const Memo *memo, uint64_t key) {
    uint64_t mixed = key * 0x9e3779b97f4a7c15u;
    size_t slot = (size_t)(mixed >> 20 ^ mixed >> 45) & (memo->slots - 1);
    while (memo->keys[slot] && memo->keys[slot] != key)
        slot = (slot + 1) & (memo->slots - 1);
    return slot;
}

static bool memo_enlarge(Memo *memo) {
    Memo larger = {.slots = memo->slots ? 2 * memo->slots : 1 << 12, .used = memo->used};
    larger.keys = memory_new(larger.slots, sizeof *larger.keys, NULL);
    larger.values = memory_new(larger.slots, sizeof *larger.values, NULL);
    if (!larger.keys || !larger.values) {
        free(larger.keys);
        free(larger.values);
        return false;
    }
    for (size_t i = 0; i < memo->slots; i++)
        if (memo->keys[i]) {
            size_t slot = memo_find(&larger, memo->keys[i]);
            larger.keys[slot] = memo->keys[i];
            larger.values[slot] = memo->values[i];
        }
    free(memo->keys);
    free(memo->values);
    *memo = larger;
    return true;
}

/* ---- the game */

static double value(Search *search, const State *state);

/* The bag from which the next piece is drawn. */
static unsigned bag_of(const State *state) {
    return state->bag ? state->bag : ALL_PIECES;
}

/* The queue moves on by one, and `piece` is drawn. */
static State drawn(const Search *search, const State *state, Piece piece) {
    State next = *state;
    int count = search->task->visible_count;
    for (int i = 0; i + 1 < count; i++)
        next.visible[i] = state->visible[i + 1];
    next.visible[count - 1] = (uint8_t)piece;
    next.bag = (uint8_t)(bag_of(state) & ~(1u << piece));
    return next;
}

/* The mean of value() over the pieces that can be drawn after a placement on `node` of the next
 * layer. `next` (may be NULL) gets the value of each. */
static double after_placement(Search *search, const State *state, uint32_t node,
                              double next[PIECE_COUNT]) {
    unsigned bag = bag_of(state);
    double sum = 0;
    for (int p = 0; p < PIECE_COUNT; p++) {
        if (!(bag >> p & 1))
            continue;
        State after = drawn(search, state, (Piece)p);
        after.layer++;
        after.node = node;
        double probability = value(search, &after);
        if (next)
            next[p] = probability;
        sum += probability;
    }
    return sum / __builtin_popcount(bag);
}

/* The best placement of the piece; the queue moves on after it. */
static double best_placement(Search *search, const State *state, Piece piece) {
    const GraphLayer *layer = &search->graph.layers[state->layer];
    double best = 0;
    for (uint64_t e = layer->first[state->node]; e < layer->first[state->node + 1] && best < 1; e++)
        if (edge_piece(layer->edges[e]) == piece) {
            double now = after_placement(search, state, edge_next(layer->edges[e]), NULL);
            best = now > best ? now : best;
        }
    return best;
}

/* Hold where nothing is held: the queue moves on, a piece is seen, then the next one is placed. */
static double first_hold(Search *search, const State *state, double next[PIECE_COUNT]) {
    unsigned bag = bag_of(state);
    double sum = 0;
    for (int p = 0; p < PIECE_COUNT; p++) {
        if (!(bag >> p & 1))
            continue;
        State after = drawn(search, state, (Piece)p);
        after.held = state->visible[0];
        double probability = best_placement(search, &after, (Piece)after.visible[0]);
        if (next)
            next[p] = probability;
        sum += probability;
    }
    return sum / __builtin_popcount(bag);
}

static double value(Search *search, const State *state) {
    if (state->layer == search->graph.pieces)
        return 1;
    if (search->stopped || search->full)
        return 0;
    uint64_t key = key_of(search, state);
    size_t slot = memo_find(&search->memo, key);
    if (search->memo.keys[slot])
        return search->memo.values[slot];
    if (++search->states % CUT_STATES == 0) {
        search->stopped = clears_cut(search->cut);
        if (search->report)
            search->report(search->context, search->states, 0);
    }
    double best = best_placement(search, state, (Piece)state->visible[0]);
    if (search->task->hold && best < 1) {
        double held;
        if (state->held == PIECE_NONE)
            held = first_hold(search, state, NULL);
        else {
            State swapped = *state;
            swapped.held = state->visible[0];
            held = best_placement(search, &swapped, (Piece)state->held);
        }
        best = held > best ? held : best;
    }
    if (search->stopped)
        return 0; /* what is below was not evaluated */
    if (search->memo.used >= search->memo.slots / 2 &&
        (search->memo.used >= CHANCE_MAX_STATES || !memo_enlarge(&search->memo)))
        search->full = true;
    else {
        slot = memo_find(&search->memo, key);
        search->memo.keys[slot] = key;
        search->memo.values[slot] = best;
        search->memo.used++;
    }
    return best;
}

/* ---- the queues that can come */

/* Adds every queue that continues `code` to `length` pieces. Only which pieces are placed together
 * matters for the graph, so their order is that of the bag's bits. */
static bool add_queues(Queues *queues, size_t *capacity, QueueCode code, int count, unsigned bag) {
    if (count == queues->length) {
        if (!MEMORY_HAS_PLACE(queues->codes, queues->count, *capacity))
            return false;
        queues->codes[queues->count++] = code;
        return true;
    }
    unsigned from = bag ? bag : ALL_PIECES;
    for (int p = 0; p < PIECE_COUNT; p++)
        if (from >> p & 1 && !add_queues(queues, capacity, queue_with(code, count, (Piece)p),
                                         count + 1, from & ~(1u << p)))
            return false;
    return true;
}

static int compare_codes(const void *a, const void *b) {
    QueueCode x = *(const QueueCode *)a, y = *(const QueueCode *)b;
    return x < y ? -1 : x > y;
}

/* What can come, the held piece first: with hold, the order of the two does not matter. */
static bool make_stock(const ChanceTask *task, int pieces, Stock *stock, Status *status) {
    Queues queues = {0};
    QueueCode code = 0;
    size_t capacity = 0;
    int count = 0;
    if (task->held != PIECE_NONE)
        code = queue_with(code, count++, task->held);
    for (int i = 0; i < task->visible_count; i++)
        code = queue_with(code, count++, task->visible[i]);
    queues.length = pieces + 1 > count ? pieces + 1 : count;
    bool ok = add_queues(&queues, &capacity, code, count, task->bag) || status_no_memory(status);
    if (ok)
        qsort(queues.codes, queues.count, sizeof *queues.codes, compare_codes);
    ok = ok && stock_init(stock, &queues, pieces, task->hold || task->held != PIECE_NONE, status);
    queues_release(&queues);
    return ok;
}

/* ---- the first moves */

static int compare_moves(const void *a, const void *b) {
    const ChanceMove *x = a, *y = b;
    if (x->probability != y->probability)
        return x->probability > y->probability ? -1 : 1;
    if (x->hold != y->hold)
        return x->hold - y->hold;
    return memcmp(&x->placement, &y->placement, sizeof x->placement);
}

static ChanceMove *new_move(Chance *chance, bool hold) {
    ChanceMove *move = &chance->moves[chance->count];
    *move = (ChanceMove){.hold = hold};
    for (int p = 0; p < PIECE_COUNT; p++)
        move->next[p] = -1;
    return move;
}

/* Every placement of the piece at the start. */
static void list_placements(Search *search, const State *state, Piece piece, bool hold,
                            Chance *chance) {
    const GraphLayer *layer = &search->graph.layers[0];
    for (uint64_t e = layer->first[0]; e < layer->first[1] && chance->count < CHANCE_MAX_MOVES;
         e++) {
        if (edge_piece(layer->edges[e]) != piece)
            continue;
        ChanceMove *move = new_move(chance, hold);
        uint32_t node = edge_next(layer->edges[e]);
        move->placed = area_placement(search->task->area, layer->cells[0], piece,
                                      layer[1].cells[node] & ~layer->cells[0], &move->placement);
        move->probability = after_placement(search, state, node, move->next);
        chance->count += move->probability > 0 && !search->stopped;
    }
}

static void list_moves(Search *search, Chance *chance) {
    const ChanceTask *task = search->task;
    State state = {.held = (uint8_t)task->held, .bag = (uint8_t)task->bag};
    for (int i = 0; i < task->visible_count; i++)
        state.visible[i] = (uint8_t)task->visible[i];
    list_placements(search, &state, task->visible[0], false, chance);
    if (task->hold && task->held != PIECE_NONE) {
        State swapped = state;
        swapped.held = (uint8_t)task->visible[0];
        list_placements(search, &swapped, task->held, true, chance);
    } else if (task->hold && chance->count < CHANCE_MAX_MOVES) {
        ChanceMove *move = new_move(chance, true);
        move->probability = first_hold(search, &state, move->next);
        chance->count += move->probability > 0 && !search->stopped;
    }
    qsort(chance->moves, (size_t)chance->count, sizeof *chance->moves, compare_moves);
    chance->probability = chance->count > 0 ? chance->moves[0].probability : 0;
}

bool chance_run(Chance *chance, const ChanceTask *task, ClearsCut cut, ChanceReport *report,
                void *context, bool *complete, Status *status) {
    Search search = {.task = task, .cut = cut, .report = report, .context = context};
    Stock stock;
    *chance = (Chance){0};
    *complete = false;
    if (!make_stock(task, area_pieces(task->area), &stock, status))
        return false;
    bool ok = graph_build(&search.graph, task->area, &stock, NULL, cut, status);
    stock_release(&stock);
    if (!ok) {
        bool stopped = status->code == STATUS_INTERRUPTED;
        if (stopped)
            *status = (Status){.code = STATUS_OK};
        return stopped;
    }
    chance->boards = graph_nodes(&search.graph);
    for (int k = 0; ok && k < search.graph.pieces; k++)
        ok = search.graph.layers[k].count < 1 << 23 ||
             status_fail(status, STATUS_INPUT, "more than %d boards of one size", 1 << 23);
    ok = ok && (memo_enlarge(&search.memo) || status_no_memory(status));
    if (ok && search.graph.layers[0].count > 0)
        list_moves(&search, chance);
    chance->states = search.states;
    *complete = ok && !search.stopped;
    if (ok && search.full)
        ok = status_fail(status, STATUS_INPUT,
                         "queue: more than %d situations; give a field that needs fewer pieces",
                         CHANCE_MAX_STATES);
    free(search.memo.keys);
    free(search.memo.values);
    graph_release(&search.graph);
    return ok;
}
