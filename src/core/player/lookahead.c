/*
 * lookahead: two pieces deep. The best few placements of the first piece are followed up by the
 * best reply with the second; current, held and next piece in every order that hold allows.
 *
 * A search (search.h) of at most two levels.
 */
#include "base/memory.h"
#include "base/options.h"
#include "player/registry.h"
#include "player/search.h"

#include <stdlib.h>

typedef struct LookaheadParameters {
    int64_t breadth;
} LookaheadParameters;

static const Option rows[] = {
    TUNED_INTEGER(LookaheadParameters, breadth, "breadth", "5", 1, 10000, "1..34 log",
                  "placements of the first piece that are followed up"),
};

typedef struct LookaheadPlayer {
    Evaluator evaluator;
    Search search;
} LookaheadPlayer;

static void *new_player(const AgentSetup *setup, const void *given, Status *status) {
    const LookaheadParameters *parameters = given;
    LookaheadPlayer *player = memory_new(1, sizeof *player, status);
    if (!player)
        return NULL;
    player->evaluator = setup->evaluator;
    if (search_init(&player->search, &player->evaluator, (int)parameters->breadth, status))
        return player;
    free(player);
    return NULL;
}

static void free_player(void *given) {
    LookaheadPlayer *player = given;
    search_release(&player->search);
    free(player);
}

static Move choose(void *given, const AgentView *view, Rng *rng) {
    (void)rng;
    LookaheadPlayer *player = given;
    Search *search = &player->search;
    if (turn_should_hold_blind(view))
        return (Move){{.piece = PIECE_NONE}, true};
    search_begin(search, view);
    if (!search_advance(search, view))
        return turn_last_resort(view);
    if (search->last > 1)
        search_advance(search, view);
    return search->roots[search->nodes[0].root];
}

const Agent lookahead_agent = {
    .name = "lookahead",
    .summary = "two pieces deep: the best placements of one, the best reply with the other",
    .abilities = AGENT_DROP | AGENT_GUIDELINE | AGENT_HOLD | AGENT_PREVIEW | AGENT_KICKS,
    .few_pieces = 2000,
    .weights = "ahead",
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(LookaheadParameters),
    .new_player = new_player,
    .free_player = free_player,
    .choose = choose,
};
