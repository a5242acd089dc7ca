/*
 * beam: a beam search over the visible queue with hold, and over random continuations of it.
 *
 * First the beam goes as deep as the visible pieces reach. Then the best few first decisions are
 * tried out: the pieces that are not visible are drawn a number of times (from what the bag can
 * still hold), and for each such future a beam starts behind each of those decisions. The decision
 * with the best mean is played. All decisions get the same futures, so that luck cancels out.
 *
 * Two searches (search.h), one over what is visible, a narrower one over each future.
 */
#include "base/memory.h"
#include "base/options.h"
#include "player/registry.h"
#include "player/search.h"

#include <stdlib.h>

enum { CANDIDATES_MAX = 64 };

typedef struct BeamParameters {
    int64_t width, candidates, futures, future_width, future_pieces;
} BeamParameters;

static const Option rows[] = {
    TUNED_INTEGER(BeamParameters, width, "width", "100", 1, 100000, "5..1000 log",
                  "nodes kept per level over the visible pieces"),
    TUNED_INTEGER(BeamParameters, candidates, "candidates", "5", 1, CANDIDATES_MAX, "1..20 log",
                  "best first decisions that are followed up"),
    TUNED_INTEGER(BeamParameters, futures, "futures", "8", 0, 1000, "0..32",
                  "random continuations after the visible pieces; 0: none"),
    TUNED_INTEGER(BeamParameters, future_width, "future-width", "10", 1, 10000, "1..100 log",
                  "nodes kept per level in a continuation"),
    TUNED_INTEGER(BeamParameters, future_pieces, "future-pieces", "5", 1, AGENT_MAX_PREVIEW,
                  "1..10", "pieces of a continuation, as far as the queue has room"),
};

typedef struct BeamPlayer {
    Evaluator evaluator;
    BeamParameters parameters;
    Search search, future;
} BeamPlayer;

static void *new_player(const AgentSetup *setup, const void *given, Status *status) {
    BeamPlayer *player = memory_new(1, sizeof *player, status);
    if (!player)
        return NULL;
    player->evaluator = setup->evaluator;
    player->parameters = *(const BeamParameters *)given;
    if (search_init(&player->search, &player->evaluator, (int)player->parameters.width, status)) {
        if (search_init(&player->future, &player->evaluator, (int)player->parameters.future_width,
                        status))
            return player;
        search_release(&player->search);
    }
    free(player);
    return NULL;
}

static void free_player(void *given) {
    BeamPlayer *player = given;
    search_release(&player->search);
    search_release(&player->future);
    free(player);
}

/* Draws the pieces behind the visible queue, by what is known of the bag. */
static void draw_future(const AgentView *view, int64_t pieces, Rng *rng, AgentView *out) {
    *out = *view;
    unsigned left = view->unseen;
    for (int64_t i = 0; i < pieces && out->queue_count < AGENT_MAX_PREVIEW; i++) {
        uint32_t pick = rng_below(rng, (uint32_t)__builtin_popcount(left));
        unsigned bits = left;
        while (pick-- > 0)
            bits &= bits - 1;
        out->queue[out->queue_count++] = (uint8_t)__builtin_ctz(bits);
        if (view->bag)
            left &= ~(bits & -bits);
        if (left == 0)
            left = (1u << PIECE_COUNT) - 1;
    }
}

/* The nodes of the first level that the deepest level's best ones stem from. */
static int find_candidates(const Search *search, int wanted, int32_t *roots) {
    int count = 0;
    for (int i = 0; i < search->count && count < wanted; i++) {
        bool known = false;
        for (int k = 0; k < count; k++)
            known = known || roots[k] == search->nodes[i].root;
        if (!known)
            roots[count++] = search->nodes[i].root;
    }
    return count;
}

/* The node behind a decision. */
static SearchNode node_of(const Search *search, const AgentView *view, int32_t root) {
    Move decision = search->roots[root];
    TurnOption options[TURN_OPTIONS];
    int count = turn_options(view, turn_hand(view), options), k = 0;
    while (k + 1 < count && options[k].hold != decision.hold)
        k++;
    Placement at = decision.placement;
    EvaluatorMove move = {&view->columns, at, (Piece)options[k].after.hold};
    SearchNode node = {
        .board = view->columns, .hand = options[k].after, .root = root, .lines = view->lines};
    Columns after;
    node.sum = evaluator_judge(search->evaluator, &move, &after).move;
    int lines = columns_lock(&node.board, (Piece)at.piece, (Rotation)at.rotation, at.x, at.y);
    node.points = score_clear(view->rules->scoring, lines, node.lines);
    node.lines += lines;
    return node;
}

static const double DEAD = -1e6; /* a future in which the game is lost */

/* What a decision comes to in one future: the best end of a beam behind it. */
static double try_out(Search *future, const AgentView *view, const SearchNode *node) {
    search_begin_at(future, view, node, 1);
    int missing = future->limit - search_advance_all(future, view);
    return future->nodes[0].value + DEAD * missing;
}

/* The decision with the best sum over all futures. */
static int32_t best_by_futures(BeamPlayer *player, const AgentView *view, const int32_t *roots,
                               int count, Rng *rng) {
    const BeamParameters *parameters = &player->parameters;
    SearchNode nodes[CANDIDATES_MAX];
    double sums[CANDIDATES_MAX] = {0};
    for (int i = 0; i < count; i++)
        nodes[i] = node_of(&player->search, view, roots[i]);
    for (int64_t f = 0; f < parameters->futures; f++) {
        AgentView future;
        draw_future(view, parameters->future_pieces, rng, &future);
        for (int i = 0; i < count; i++) {
            /* The hand behind the decision may wait for a piece that is now known. */
            SearchNode node = nodes[i];
            if (node.hand.current == PIECE_NONE) {
                node.hand.current = future.queue[node.hand.next];
                node.hand.next++;
            }
            sums[i] += try_out(&player->future, &future, &node);
        }
    }
    int best = 0;
    for (int i = 1; i < count; i++)
        if (sums[i] > sums[best])
            best = i;
    return roots[best];
}

static Move choose(void *given, const AgentView *view, Rng *rng) {
    BeamPlayer *player = given;
    Search *search = &player->search;
    if (turn_should_hold_blind(view))
        return (Move){{.piece = PIECE_NONE}, true};
    search_begin(search, view);
    if (!search_advance(search, view))
        return turn_last_resort(view);
    search_advance_all(search, view);
    int32_t root = search->nodes[0].root;
    bool more = player->parameters.futures > 0 && !view->queue_ends &&
                view->queue_count < AGENT_MAX_PREVIEW && search->depth < search->last;
    if (more) {
        int32_t roots[CANDIDATES_MAX];
        int count = find_candidates(search, (int)player->parameters.candidates, roots);
        if (count > 1)
            root = best_by_futures(player, view, roots, count, rng);
    }
    return search->roots[root];
}

const Agent beam_agent = {
    .name = "beam",
    .summary = "beam search over the visible queue with hold, and over random continuations",
    .abilities = AGENT_DROP | AGENT_GUIDELINE | AGENT_HOLD | AGENT_PREVIEW | AGENT_KICKS,
    .few_pieces = 30,
    .weights = "ahead",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(BeamParameters),
    .new_player = new_player,
    .free_player = free_player,
    .choose = choose,
};
