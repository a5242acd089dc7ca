/*
 * bot/agent: the bot as an agent.
 *
 * `choose` searches a fixed number of placements (the parameter `nodes`) from what is visible, so
 * its games repeat exactly; with the parameter `time` it searches by the clock instead. `think`
 * opens a session (bot.h) that keeps its search from move to move and continues it while it waits;
 * `tbp` plays by it.
 *
 * Rules: guideline on boards of 10x20, with or without hold, with any preview. The weights were
 * found for games against an opponent, where lines sent count (evaluate.h), not points.
 *
 * From the view of a turn to a position of the plan, and from its best move back.
 */
#include "base/clock.h"
#include "base/memory.h"
#include "player/bot/bot.h"
#include "player/registry.h"
#include "player/turn.h"

#include <stdlib.h>
#include <string.h>

enum { PREVIEW = 5, MEGABYTE = 1 << 20 };

typedef struct BotParameters {
    int64_t nodes, time_ms, threads, memory_mb, garbage, width;
    BotWeights weights;
} BotParameters;

static const Option rows[] = {
    PARAMETER_INTEGER(BotParameters, nodes, "nodes", "5000", 1, 1e12,
                      "placements evaluated for every move"),
    PARAMETER_INTEGER(BotParameters, time_ms, "time", "0", 0, 1e6,
                      "milliseconds of search for every move instead of nodes; 0: nodes"),
    PARAMETER_INTEGER(BotParameters, threads, "threads", "1", 1, POOL_MAX_THREADS,
                      "threads of one search; they do not change the result"),
    PARAMETER_INTEGER(BotParameters, memory_mb, "memory", "16", 1, 65536,
                      "search memory in megabytes"),
    PARAMETER_INTEGER(BotParameters, garbage, "incoming", "1", 0, 1,
                      "1: garbage that waits is part of the search; 0: it is not looked at"),
    PARAMETER_INTEGER(BotParameters, width, "step-width", "8", 1, PLAN_WIDTH_MAX,
                      "positions of the same depth that one step of the search expands"),
    OPTIONS_INCLUDE(BotParameters, weights, bot_weights_table),
};

typedef struct BotPlayer {
    uint64_t nodes, time_ns; /* by time, if not 0 */
    bool garbage;            /* that waits is looked at */
    Plan *plan;
    Position position; /* scratch */
} BotPlayer;

static PlanSettings plan_settings(const BotParameters *parameters) {
    return (PlanSettings){.weights = parameters->weights,
                          .memory_bytes = (size_t)parameters->memory_mb * MEGABYTE,
                          .threads = (unsigned)parameters->threads,
                          .width = (int)parameters->width};
}

static void *new_player(const AgentSetup *setup, const void *given, Status *status) {
    (void)setup;
    const BotParameters *parameters = given;
    PlanSettings settings = plan_settings(parameters);
    BotPlayer *player = memory_new(1, sizeof *player, status);
    if (!player)
        return NULL;
    player->nodes = (uint64_t)parameters->nodes;
    player->time_ns = (uint64_t)parameters->time_ms * 1000000;
    player->garbage = parameters->garbage;
    player->plan = plan_new(&settings, status);
    if (player->plan)
        return player;
    free(player);
    return NULL;
}

static void free_player(void *given) {
    BotPlayer *player = given;
    plan_free(player->plan);
    free(player);
}

static uint8_t at_most(int count) {
    return (uint8_t)(count < GARBAGE_MAX ? count : GARBAGE_MAX);
}

static BotGarbage garbage_of(const AgentGarbage *garbage) {
    return (BotGarbage){.waiting = at_most(garbage->waiting),
                        .due = at_most(garbage->due),
                        .cap = at_most(garbage->cap),
                        .countering = garbage->countering,
                        .blocking = garbage->blocking};
}

static void position_of(const AgentView *view, Position *position) {
    position_init(position);
    position->columns = view->columns;
    position->moves = rules_moves(view->rules);
    position->hold = view->hold;
    position->hold_off = !view->rules->hold;
    position->hold_used = view->rules->hold && !view->can_hold;
    position->chain = (BotChain){
        .combo = (uint8_t)(view->chain.combo < UINT8_MAX ? view->chain.combo : UINT8_MAX),
        .back_to_back = view->chain.back_to_back};
    position->queue[position->queue_count++] = view->current;
    for (int i = 0; i < view->queue_count; i++)
        position->queue[position->queue_count++] = view->queue[i];
    if (view->bag) /* `unseen` is what the bag holds after the visible pieces */
        position->bag = piece_bag_seven(view->unseen);
}

static Move choose(void *given, const AgentView *view, Rng *rng) {
    (void)rng;
    BotPlayer *player = given;
    if (turn_should_hold_blind(view))
        return (Move){{.piece = PIECE_NONE}, true};
    position_of(view, &player->position);
    if (player->garbage)
        player->position.garbage = garbage_of(&view->garbage);
    plan_reset(player->plan, &player->position);
    uint64_t end_ns = player->time_ns > 0 ? clock_now_ns() + player->time_ns : 0;
    while ((end_ns ? clock_now_ns() < end_ns : plan_nodes(player->plan) < player->nodes) &&
           !(view->limits && agent_cut(view->limits, clock_now_ns())) && plan_step(player->plan))
        ;
    Placement moves[PLAN_MOVES_MAX];
    if (plan_moves(player->plan, moves) == 0)
        return turn_last_resort(view);
    return (Move){moves[0], moves[0].piece != view->current};
}

#if !defined(__wasm__) /* which has no threads */
static Bot *open_session(const void *given, int64_t move_time_ms, const atomic_bool *stop,
                         Status *status) {
    const BotParameters *parameters = given;
    BotSettings settings = {.plan = plan_settings(parameters),
                            .move_time_ms = move_time_ms,
                            .nodes = move_time_ms > 0 ? 0 : (uint64_t)parameters->nodes,
                            .stop = stop};
    return bot_new(&settings, status);
}
#endif

const Agent bot_agent = {
    .name = "bot",
    .summary = "the bot of `tbp`: searches over the whole queue with hold, for lines sent",
    .abilities = AGENT_GUIDELINE | AGENT_HOLD | AGENT_PREVIEW | AGENT_SEARCHES | AGENT_KICKS,
    .preview = PREVIEW,
    .few_pieces = 200,
    .only_width = POSITION_WIDTH,
    .only_height = POSITION_HEIGHT,
    .parameters = OPTIONS_TABLE(rows),
    .parameters_bytes = sizeof(BotParameters),
    .trained = &bot_weights_table,
    .new_player = new_player,
    .free_player = free_player,
    .choose = choose,
#if !defined(__wasm__)
    .think = open_session,
#endif
};
