/*
 * search: a level is evaluated child by child into a heap of the best, whose worst is on top; only
 * what is left there in the end is made into boards. Boards are compared by hash alone.
 */
#include "player/search.h"

#include <stdlib.h>
#include <string.h>

/* More are found than kept; so many times the width may share boards before some are lost. */
enum { SPARE = 2 };

bool search_init(Search *search, const Evaluator *evaluator, int width, Status *status) {
    *search = (Search){.evaluator = evaluator, .width = width};
    size_t size = (size_t)width, slots = 64;
    while (slots < 4 * size)
        slots *= 2;
    search->seen_mask = (uint32_t)slots - 1;
    search->nodes = malloc(size * sizeof *search->nodes);
    search->next = malloc(size * sizeof *search->next);
    search->heap = malloc((SPARE * size + 1) * sizeof *search->heap);
    search->seen = malloc(slots * sizeof *search->seen);
    search->roots = malloc(SEARCH_ROOTS * sizeof *search->roots);
    if (search->nodes && search->next && search->heap && search->seen && search->roots)
        return true;
    search_release(search);
    return status_no_memory(status);
}

void search_release(Search *search) {
    free(search->nodes);
    free(search->next);
    free(search->heap);
    free(search->seen);
    free(search->roots);
    *search = (Search){0};
}

void search_begin_at(Search *search, const AgentView *view, const SearchNode *node, int depth) {
    search->nodes[0] = *node;
    search->count = 1;
    search->depth = depth;
    search->limit = turn_depth(view);
    search->last = turn_last(view);
}

void search_begin(Search *search, const AgentView *view) {
    SearchNode node = {
        .board = view->columns, .hand = turn_hand(view), .root = -1, .lines = view->lines};
    search_begin_at(search, view, &node, 0);
    search->root_count = 0;
}

static bool worse(const SearchChild *a, const SearchChild *b) {
    return a->value < b->value || (a->value == b->value && a->order > b->order);
}

static void sift_down(SearchChild *heap, int count, int at, SearchChild child) {
    for (int next; (next = 2 * at + 1) < count; at = next) {
        if (next + 1 < count && worse(&heap[next + 1], &heap[next]))
            next++;
        if (!worse(&heap[next], &child))
            break;
        heap[at] = heap[next];
    }
    heap[at] = child;
}

static void offer(Search *search, const SearchChild *child) {
    SearchChild *heap = search->heap;
    if (search->heap_count == SPARE * search->width) {
        if (worse(&heap[0], child))
            sift_down(heap, search->heap_count, 0, *child);
        return;
    }
    int at = search->heap_count++;
    for (; at > 0 && worse(child, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = *child;
}

/* The value of a child when the game continues, or when it ends here. */
static double value_of(const AgentView *view, const SearchNode *node, EvaluatorValue value,
                       Placement at, bool ends) {
    if (!ends)
        return node->sum + value.move + value.board;
    Columns after = node->board;
    int lines = columns_lock(&after, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    return (double)(node->points + score_clear(view->rules->scoring, lines, node->lines));
}

/* The number of a decision: its own on the first level, its first ancestor's on the others. */
static int32_t root_of(Search *search, const SearchNode *node, Placement placement, bool hold) {
    if (node->root >= 0)
        return node->root;
    search->roots[search->root_count] = (Move){placement, hold};
    return search->root_count++;
}

static void expand(Search *search, const AgentView *view, uint32_t parent, uint32_t *order) {
    const SearchNode *node = &search->nodes[parent];
    bool ends = search->depth + 1 >= search->last;
    TurnOption options[TURN_OPTIONS];
    int option_count = turn_options(view, node->hand, options);
    for (int k = 0; k < option_count; k++) {
        bool dead;
        int count = turn_placements(view, &node->board, (Piece)options[k].piece, false,
                                    search->placements, &dead);
        if (dead)
            continue;
        EvaluatorTurn turn = {&node->board, (Piece)options[k].after.hold};
        evaluator_judge_all(search->evaluator, &turn, search->placements, count, search->values);
        for (int i = 0; i < count; i++) {
            Placement at = search->placements[i];
            EvaluatorValue value = search->values[i];
            SearchChild child = {.value = value_of(view, node, value, at, ends),
                                 .sum = node->sum + value.move,
                                 .parent = parent,
                                 .order = (*order)++,
                                 .placement = at,
                                 .hand = options[k].after,
                                 .root = root_of(search, node, at, options[k].hold)};
            offer(search, &child);
        }
    }
}

static uint64_t hash_of(const SearchNode *node) {
    uint64_t hash =
        (uint64_t)node->hand.current << 16 | (uint64_t)node->hand.hold << 8 | node->hand.next;
    for (int x = 0; x < node->board.width; x++) {
        hash = (hash ^ node->board.column[x]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash | 1; /* 0 marks a free slot */
}

/* True when the hash is new. Two boards with one hash are taken for one: at 64 bits that is rarer
 * than anything that matters here. */
static bool see(Search *search, uint64_t hash) {
    uint32_t slot = (uint32_t)(hash >> 32) & search->seen_mask;
    for (; search->seen[slot]; slot = (slot + 1) & search->seen_mask)
        if (search->seen[slot] == hash)
            return false;
    search->seen[slot] = hash;
    return true;
}

/* Makes the node of a child; its lines and points are counted here, where there are few. */
static void make_node(const Search *search, const AgentView *view, const SearchChild *child,
                      SearchNode *node) {
    const SearchNode *parent = &search->nodes[child->parent];
    *node = *parent;
    Placement at = child->placement;
    int lines = columns_lock(&node->board, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    node->points += score_clear(view->rules->scoring, lines, node->lines);
    node->lines += lines;
    node->hand = child->hand;
    node->root = child->root;
    node->sum = child->sum;
    node->value = child->value;
}

/* Sorts the heap in place, best first, by taking the worst off, to the end. */
static void sort_heap(SearchChild *heap, int count) {
    for (int left = count - 1; left > 0; left--) {
        SearchChild worst = heap[0];
        sift_down(heap, left, 0, heap[left]);
        heap[left] = worst;
    }
}

bool search_advance(Search *search, const AgentView *view) {
    uint32_t order = 0;
    search->heap_count = 0;
    for (int i = 0; i < search->count; i++)
        expand(search, view, (uint32_t)i, &order);
    if (search->heap_count == 0)
        return false;
    sort_heap(search->heap, search->heap_count);
    memset(search->seen, 0, (search->seen_mask + (size_t)1) * sizeof *search->seen);
    int kept = 0;
    for (int i = 0; i < search->heap_count && kept < search->width; i++) {
        make_node(search, view, &search->heap[i], &search->next[kept]);
        kept += see(search, hash_of(&search->next[kept]));
    }
    SearchNode *made = search->next;
    search->next = search->nodes;
    search->nodes = made;
    search->count = kept;
    search->depth++;
    return true;
}

int search_advance_all(Search *search, const AgentView *view) {
    while (search->depth < search->limit && search_advance(search, view))
        continue;
    return search->depth;
}
